#!/usr/bin/env python3
"""The parts of the RTL, for make, the scripts and the other generators. Nothing here is listed twice:

  packages       rtl/packages.f, in order of use
  units          the folders of rtl/ that hold SystemVerilog
  modules        the files of the units that are no packages, and those that are generated from rtl/common/counters.toml
  blocks         the modules that have a page in docs/blocks; those that are generated have one together
  compositions   the blocks that hold other blocks

  sources.py verilator CONFIG    the arguments that let Verilator find all of it: search paths, then packages
  sources.py blocks              the blocks that are no compositions
  sources.py compositions
"""
import functools
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Options of read_slang. A name in a port connection that is declared further down is a new undriven net of one bit to slang; to Verilator it is the declared one.
SLANG = ["-j", "1", "-Wimplicit-net", "-Werror=implicit-net"]


def units(root=ROOT):
    return sorted(u for u in os.listdir(f"{root}/rtl") if os.path.isdir(f"{root}/rtl/{u}") and any(f.endswith(".sv") for f in os.listdir(f"{root}/rtl/{u}")))


def packages(cfgdir):
    with open(f"{ROOT}/rtl/packages.f", encoding="utf-8") as f:
        lines = [line.split("#")[0].strip() for line in f]
    return [line.format(cfg=cfgdir) for line in lines if line]


def needs(files, cfgdir):
    """The packages, in order of use, that files use: by themselves, by what they include, by the modules of the house in them, or through each other. Those of a configuration use no others."""
    order, known = packages(cfgdir), modules()
    names, seen, todo = set(), set(), list(files)
    while todo:
        path = todo.pop()
        seen.add(path)
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            text = f.read()
        names |= set(re.findall(r"\b(\w+_pkg)::", text))
        more = [p for p in order if os.path.basename(p)[:-3] in names and not p.startswith(cfgdir)] + [known[m] for m in inside(text, known)]
        more += [p for p in (os.path.join(os.path.dirname(path), i) for i in re.findall(r'`include "([^"]+)"', text)) if os.path.exists(os.path.join(ROOT, p))]
        todo += {p for p in more if p not in seen and p not in todo}
    return [p for p in order if os.path.basename(p)[:-3] in names]


def search():
    """Arguments of Verilator (and slang) that find every module of the house, and the headers."""
    return ["-Irtl/common"] + [a for u in units() for a in ("-y", f"rtl/{u}")] + ["-y", "build/gen/perf"]


@functools.cache
def counters():
    """The modules of the counters (scripts/gen/perf.py): name -> file."""
    with open(f"{ROOT}/rtl/common/counters.toml", encoding="utf-8") as f:
        return {m: f"build/gen/perf/{m}.sv" for m in re.findall(r'^module = "(\w+)"', f.read(), re.M)}


def page(module):
    """The page of a block; None: it is no block."""
    path = f"docs/blocks/{'perf' if module in counters() else module}.md"
    return path if os.path.exists(f"{ROOT}/{path}") else None


def modules(root=ROOT):
    """name -> file"""
    return {f[:-3]: f"rtl/{u}/{f}" for u in units(root) for f in sorted(os.listdir(f"{root}/rtl/{u}")) if f.endswith(".sv") and not f.endswith("_pkg.sv")} | counters()


def inside(text, known):
    """Which of the modules `known` a module's text instantiates: a name counts when parameters or an instance name follow it."""
    words = set(re.findall(r"\b[a-z_]\w*\b", re.sub(r"//[^\n]*", "", text)))
    return sorted(w for w in words & set(known) if re.search(rf"^\s*(?:\w+\s*:\s*)?{w}\s+(?:#\s*\(|\w+\s*\()", text, re.M))


@functools.cache
def compositions():
    found = {m: f for m, f in modules().items() if page(m)}
    out = []
    for m, f in found.items():
        if m in counters():
            continue
        with open(f"{ROOT}/{f}", encoding="utf-8") as source:
            if inside(source.read(), found):
                out.append(m)
    return out


def blocks():
    whole = compositions()
    return [m for m in modules() if m not in whole and page(m)]


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "verilator":
        print(*search(), *packages(f"build/cfg/{sys.argv[2]}"))
    elif sys.argv[1:] == ["blocks"]:
        print(*blocks())
    elif sys.argv[1:] == ["compositions"]:
        print(*compositions())
    else:
        sys.exit(__doc__)
