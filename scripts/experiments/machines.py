"""Variants of a configuration, built from the sources as they are.

A variant is a tree of links under build/experiments/trees/ whose rtl/config holds one configuration of its own, `case`: that of
rtl/config with some fields of other values. `library` builds the C model in it and gives its path and its hash.
"""
import hashlib
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tree import CASE, ROOT, case, link  # noqa: E402

OUT = os.path.join(ROOT, "build", "experiments")


def text_of(config, fields):
    with open(f"{ROOT}/rtl/config/{config}.toml", encoding="utf-8") as f:
        lines = [l for l in f.read().splitlines() if (m := re.match(r"(\w+)\s*=", l)) is None or m[1] not in fields]
    return "\n".join(lines + [f"{k} = {v}" for k, v in sorted(fields.items())]) + "\n"


def tree(config, fields):
    text = text_of(config, fields)
    d = os.path.join(OUT, "trees", hashlib.sha256(text.encode()).hexdigest()[:16])
    case(d, text)
    return d


def hash_of(*paths):
    h = hashlib.sha256()
    for p in paths:
        with open(p, "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def build(config, fields, probe):
    """The tree to run in (VELLUM_ROOT), and the hash of what runs there. With `probe`, a name of mk/workloads-experiments.mk, its model counts
    more on the side and is otherwise the same."""
    d = tree(config, fields)
    targets = [f"build/cfg/{CASE}/libvlmodel.so"] + ([f"build/cfg/{CASE}/{probe}/libvlmodel.so"] if probe else [])
    r = subprocess.run(["make", "-s", "-C", d, *targets], capture_output=True, text=True)
    if r.returncode:
        raise RuntimeError(f"building {config} with {fields} failed:\n{r.stdout}{r.stderr}")
    if probe:
        probed = f"{d}/{probe}"
        os.makedirs(f"{probed}/rtl", exist_ok=True)
        os.makedirs(f"{probed}/build/cfg/{CASE}", exist_ok=True)
        link(f"{d}/rtl/config", f"{probed}/rtl/config")
        for n in ("libvlmodel.so", "vl_config.json"):
            link(f"{d}/build/cfg/{CASE}/{probe + '/' if n.endswith('.so') else ''}{n}", f"{probed}/build/cfg/{CASE}/{n}")
        link(f"{d}/scripts", f"{probed}/scripts")
        d = probed
    return d, hash_of(f"{d}/build/cfg/{CASE}/libvlmodel.so")
