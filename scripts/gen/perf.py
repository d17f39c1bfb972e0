#!/usr/bin/env python3
"""Generates from rtl/common/counters.toml: build/gen/perf_pkg.sv, build/gen/vl_perf.h and docs/counters.md.

  perf.py [--check]     --check: fail when docs/counters.md is out of date (used by the tests)
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from config import ROOT, load_toml, write_if_changed  # noqa: E402


def main():
    rows = load_toml(os.path.join(ROOT, "rtl", "common", "counters.toml"))["counter"]
    names = set()
    blocks = {}
    for r in rows:
        for key in ("block", "name", "width", "help"):
            if key not in r:
                sys.exit(f"counters.toml: a counter lacks '{key}': {r}")
        if r["name"] in names:
            sys.exit(f"counters.toml: counter '{r['name']}' twice")
        if not 1 <= r["width"] <= 7:
            sys.exit(f"counters.toml: counter '{r['name']}': width must be 1..7")
        names.add(r["name"])
        blocks.setdefault(r["block"], []).append(r)
    ordered = [r for b in blocks.values() for r in b]
    sv = ["// Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit.", "package perf_pkg;"]
    for b, rs in blocks.items():
        sv.append("  typedef struct packed {")
        for r in rs:
            sv.append(f"    logic {'' if r['width'] == 1 else '[%d:0] ' % (r['width'] - 1)}{r['name']};  // {r['help']}")
        sv.append(f"  }} ev_{b}_t;")
    sv.append("  typedef struct packed {")
    sv += [f"    ev_{b}_t {b};" for b in blocks]
    sv += ["  } ev_core_t;", f"  localparam int unsigned COUNTERS = {len(ordered)};",
           "  localparam int unsigned COUNTER_W = 48;",
           "  // Bits of the increments, in the order of the list, the last one first.",
           "  localparam logic [COUNTERS-1:0][2:0] INCREMENT_W = {" + ", ".join(f"3'd{r['width']}" for r in reversed(ordered)) + "};",
           "  // The increments of this cycle, one a counter, in the order of the list.",
           "  function automatic logic [COUNTERS-1:0][6:0] ev_increments(input ev_core_t e);",
           "    logic [COUNTERS-1:0][6:0] v;"]
    sv += [f"    v[{i}] = 7'(e.{r['block']}.{r['name']});" for i, r in enumerate(ordered)]
    sv += ["    return v;", "  endfunction", "endpackage", ""]
    os.makedirs(os.path.join(ROOT, "build", "gen"), exist_ok=True)
    write_if_changed(os.path.join(ROOT, "build/gen/perf_pkg.sv"), "\n".join(sv))
    h = ["/* Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit. */", "#ifndef VL_PERF_H", "#define VL_PERF_H",
         "/* X(index, name, block, help) for every counter of a core, in register order. */", "#define VL_COUNTERS(X) \\"]
    h += [f"    X({i}, {r['name']}, {r['block']}, \"{r['help']}\") \\" for i, r in enumerate(ordered)]
    h += ["", "#endif", ""]
    write_if_changed(os.path.join(ROOT, "build/gen/vl_perf.h"), "\n".join(h))
    md = ["# Counters", "", "Generated from `rtl/common/counters.toml`; every counter is kept per core, 48 bits, equal in RTL and model.", "",
          "| counter | block | one count means |", "|---|---|---|"]
    md += [f"| {r['name']} | {r['block']} | {r['help']} |" for r in ordered]
    md = "\n".join(md) + "\n"
    path = os.path.join(ROOT, "docs", "counters.md")
    if "--check" in sys.argv:
        with open(path, encoding="utf-8") as f:
            if f.read() != md:
                sys.exit("docs/counters.md is out of date: run scripts/gen/perf.py")
    else:
        write_if_changed(path, md)


if __name__ == "__main__":
    main()
