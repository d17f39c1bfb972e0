#!/usr/bin/env python3
"""Trees of links to the sources, to build in with some of these exchanged: what is built here is not touched.

  scripts/tree.py DIR PATH...           makes the tree DIR without PATHs, which are the caller's to fill in
  scripts/tree.py --case DIR PATH...    ... with one configuration, `case`, whose text comes from standard input
"""
import os
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASE = "case"


def write(path, text):
    """Only if it is another text, so that make sees what is new."""
    if os.path.exists(path) and open(path, encoding="utf-8").read() == text:
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def link(target, path):
    """Also in place of a file that the caller filled in once, and of a link to another checkout, from which this build was copied."""
    if os.path.islink(path) and os.readlink(path) != target or os.path.isfile(path) and not os.path.islink(path):
        os.unlink(path)
    if not os.path.lexists(path):
        os.symlink(target, path)


def tree(d, own):
    """own: paths that are left out."""
    def fill(names, at):
        os.makedirs(f"{d}/{at}", exist_ok=True)
        for n in os.listdir(f"{d}/{at}"):
            if os.path.islink(f"{d}/{at}/{n}") and not os.path.exists(f"{d}/{at}/{n}"):  # of a source that is gone
                os.unlink(f"{d}/{at}/{n}")
        for n in names:
            path = f"{at}/{n}" if at else n
            if any(o.startswith(path + "/") for o in own):
                fill(os.listdir(f"{ROOT}/{path}"), path)
            elif path not in own:
                link(f"{ROOT}/{path}", f"{d}/{path}")

    fill(["Makefile", "mk", "rtl", "scripts", "sim_c", "sw", "verif", "docs"], "")
    os.makedirs(f"{d}/build", exist_ok=True)
    for n in os.listdir(f"{ROOT}/build"):
        if n.startswith(".setup"):
            shutil.copy2(f"{ROOT}/build/{n}", f"{d}/build/{n}")
        elif n == "venv":
            link(f"{ROOT}/build/{n}", f"{d}/build/{n}")
    # Files that do not depend on the configuration are built once for all trees: Verilator's runtime and, unless the caller replaces their sources, the generated files that are the same everywhere.
    os.makedirs(f"{d}/build/obj", exist_ok=True)
    if os.access(f"{ROOT}/build/obj" if os.path.isdir(f"{ROOT}/build/obj") else f"{ROOT}/build", os.W_OK):
        os.makedirs(f"{ROOT}/build/obj/verilated", exist_ok=True)
    if not os.path.isdir(f"{ROOT}/build/obj/verilated"):  # of an installed tree that the user may not write: each has its own
        pass
    elif not os.path.isdir(f"{d}/build/obj/verilated") or os.path.islink(f"{d}/build/obj/verilated"):
        link(f"{ROOT}/build/obj/verilated", f"{d}/build/obj/verilated")
    if os.path.isdir(f"{ROOT}/build/gen") and not os.path.exists(f"{d}/build/gen") and not any(o in ("rtl", "scripts") or o.startswith(("rtl/common", "scripts/")) for o in own):
        shutil.copytree(f"{ROOT}/build/gen", f"{d}/build/gen", ignore=lambda at, names: [n for n in names if os.path.isdir(f"{at}/{n}") and n != "perf"])


def case(d, text, own=()):
    """Its only configuration is `case`, with this text. own: paths that are left out."""
    tree(d, ["rtl/config", *own])
    os.makedirs(f"{d}/rtl/config", exist_ok=True)
    for n in ("dram", "schema.toml"):
        link(f"{ROOT}/rtl/config/{n}", f"{d}/rtl/config/{n}")
    write(f"{d}/rtl/config/{CASE}.toml", text)


if __name__ == "__main__":
    if sys.argv[1] == "--case":
        case(sys.argv[2], sys.stdin.read(), sys.argv[3:])
    else:
        tree(sys.argv[1], sys.argv[2:])
