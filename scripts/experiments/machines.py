"""Variants of a configuration, built from the sources as they are.

A variant is a tree of links under build/experiments/trees/. Its rtl/config holds one configuration, `case`, with the values of all
fields. Words that mean the same values share one tree, and a variant that equals a configuration of rtl/config is that configuration.
"""
import fcntl
import hashlib
import functools
import os
import re
import sys
import time
import tomllib

import children

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "gen")]
import config as generator  # noqa: E402
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


@functools.cache
def resolved(config, fields=()):
    """The value of every field; fields: (name, value) pairs."""
    word = "+".join([config, *(f"{k}={v}" for k, v in fields)])
    try:
        return generator.checked(tomllib.loads(text_of(config, dict(fields))), word)[0]
    except (generator.ConfigError, tomllib.TOMLDecodeError, OSError) as e:
        raise Wrong(str(e)) from e


def name_of(config, fields):
    """The name that it is built under: in this tree that of the configuration of rtl/config with the same values; CASE, in a tree of its own, where there is none or the user may not write."""
    if os.access(f"{ROOT}/build", os.W_OK):
        values = resolved(config, tuple(sorted(dict(fields).items())))
        names = sorted(n[:-5] for n in os.listdir(f"{ROOT}/rtl/config") if n.endswith(".toml") and n != "schema.toml")
        for name in [n for n in names if n == config] + names:
            if resolved(name) == values:
                return name
    return CASE


def toml(values):
    return "".join(f'{k} = "{v}"\n' if isinstance(v, str) else f"{k} = {v}\n" for k, v in values.items())


def name_of_text(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tree(config, fields):
    """The tree in which it is built, and its name there."""
    name = name_of(config, fields)
    if name != CASE:
        return ROOT, name
    text = toml(resolved(config, tuple(sorted(dict(fields).items()))))
    d = os.path.join(OUT, "trees", name_of_text(text))
    os.makedirs(os.path.dirname(d), exist_ok=True)
    with open(f"{OUT}/trees/.lock", "w", encoding="utf-8") as lock:  # several may make the same one
        fcntl.flock(lock, fcntl.LOCK_EX)
        case(d, text)
    return d, CASE


def hash_of(*paths):
    h = hashlib.sha256()
    for p in paths:
        with open(p, "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def is_built(config, fields, backend):
    """Whether its library is there; of which sources is make's concern."""
    d, name = tree(config, fields)
    return os.path.exists(f"{d}/build/cfg/{name}/libvl{backend}.so")


def _seconds_file(config):
    return f"{OUT}/trees/{os.path.basename(config)}.seconds"


def build_seconds(config):
    """Of the last variant of this configuration that was built; None: not known."""
    try:
        with open(_seconds_file(config), encoding="utf-8") as f:
            return float(f.read())
    except (OSError, ValueError):
        return None


def make(config, d, targets, new):
    """In the tree of a variant of `config`; the time that a new one takes is noted."""
    began = time.monotonic()
    r = children.run(["make", "-s", "-C", d, *targets])
    if r.returncode:
        raise RuntimeError(f"building a variant of {config} failed:\n{r.stdout}{r.stderr}")
    if new:
        children.write_whole(_seconds_file(config), f"{time.monotonic() - began:.1f}\n")


def build(config, fields, probe, backend="model"):
    """The tree to run in (VELLUM_ROOT), and the hash of the library there. With `probe`, a name of mk/workloads-experiments.mk, its model counts
    more on the side and is otherwise the same."""
    d, name = tree(config, fields)
    targets = [f"build/cfg/{name}/libvl{backend}.so"] + ([f"build/cfg/{name}/{probe}/libvlmodel.so"] if probe else [])
    make(config, d, targets, not is_built(config, fields, backend))
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
