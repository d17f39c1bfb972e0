"""Variants of a configuration, built from the sources as they are.

A variant is a tree of links under build/experiments/trees/ whose rtl/config holds one configuration of its own, `case`: that of
rtl/config with some fields of other values. `library` builds the C model in it and gives its path and its hash.
"""
import fcntl
import hashlib
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tree import CASE, ROOT, case, link  # noqa: E402


def place():
    """Where variants and results are: beside what is built, or, where the user may not write there (an installed tree), in a cache of his own for this tree."""
    here = os.path.join(ROOT, "build", "experiments")
    there = [d for d in (here, os.path.dirname(here), ROOT) if os.path.exists(d)][0]
    if os.access(there, os.W_OK):
        return here
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "vellum", hashlib.sha256(ROOT.encode()).hexdigest()[:8])


OUT = place()


class Wrong(Exception):
    """A word that is no configuration; the text says why."""


def parse_word(word):
    """NAME|PATH.toml[+FIELD=VALUE]... as (configuration, {field: value as TOML has it})."""
    config, *rest = word.split("+")
    fields = {}
    for part in rest:
        name, eq, value = part.partition("=")
        if not eq or not re.fullmatch(r"\w+", name) or not re.fullmatch(r'-?\w+|"\w+"', value):
            raise Wrong(f"{word}: '{part}' is not of the form FIELD=VALUE")
        if name in fields:
            raise Wrong(f"{word}: {name} is given twice")
        fields[name] = value if re.fullmatch(r'-?\d+|0x[0-9a-fA-F]+|true|false|".*"', value) else f'"{value}"'
    if not config.endswith(".toml") and not os.path.exists(path_of(config)):
        raise Wrong(f"no configuration '{config}'")
    return config, fields


def path_of(config):
    return config if config.endswith(".toml") else f"{ROOT}/rtl/config/{config}.toml"


def text_of(config, fields):
    with open(path_of(config), encoding="utf-8") as f:
        lines = [l for l in f.read().splitlines() if (m := re.match(r"(\w+)\s*=", l)) is None or m[1] not in fields]
    return "\n".join(lines + [f"{k} = {v}" for k, v in sorted(fields.items())]) + "\n"


def tree(config, fields):
    text = text_of(config, fields)
    d = os.path.join(OUT, "trees", hashlib.sha256(text.encode()).hexdigest()[:16])
    os.makedirs(os.path.dirname(d), exist_ok=True)
    with open(f"{OUT}/trees/.lock", "w", encoding="utf-8") as lock:  # several may make the same one
        fcntl.flock(lock, fcntl.LOCK_EX)
        case(d, text)
    return d


def hash_of(*paths):
    h = hashlib.sha256()
    for p in paths:
        with open(p, "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def build_named(config, backend):
    """The same for a configuration as it is, in this tree."""
    target = f"build/cfg/{config}/libvl{backend}.so"
    r = subprocess.run(["make", "-s", "-C", ROOT, target], capture_output=True, text=True)
    if r.returncode:
        raise RuntimeError(f"building {target} failed:\n{r.stdout}{r.stderr}")
    return ROOT, hash_of(f"{ROOT}/{target}")


def name_of(config, fields):
    """Under which name it is built: one of rtl/config as it is under its own, in this tree, where whatever else needs it has it too; else, or where the user may not write, as the one configuration of a tree of its own."""
    return config if not fields and not config.endswith(".toml") and os.access(f"{ROOT}/build", os.W_OK) else CASE


def build(config, fields, probe, backend="model"):
    """The tree to run in (VELLUM_ROOT), and the hash of what runs there. With `probe`, a name of mk/workloads-experiments.mk, its model counts
    more on the side and is otherwise the same."""
    name = name_of(config, fields)
    d = tree(config, fields) if name == CASE else ROOT
    targets = [f"build/cfg/{name}/libvl{backend}.so"] + ([f"build/cfg/{name}/{probe}/libvlmodel.so"] if probe else [])
    r = subprocess.run(["make", "-s", "-C", d, *targets], capture_output=True, text=True)
    if r.returncode:
        raise RuntimeError(f"building {config} with {fields} failed:\n{r.stdout}{r.stderr}")
    if probe:
        probed = f"{d}/{probe}" if name == CASE else f"{OUT}/trees/{name}-{probe}"
        os.makedirs(f"{probed}/rtl", exist_ok=True)
        os.makedirs(f"{probed}/build/cfg/{name}", exist_ok=True)
        link(f"{d}/rtl/config", f"{probed}/rtl/config")
        for n in ("libvlmodel.so", "vl_config.json"):
            link(f"{d}/build/cfg/{name}/{probe + '/' if n.endswith('.so') else ''}{n}", f"{probed}/build/cfg/{name}/{n}")
        link(f"{d}/scripts", f"{probed}/scripts")
        d = probed
    return d, hash_of(f"{d}/build/cfg/{name}/libvl{backend}.so")
