#!/usr/bin/env python3
"""Generates from rtl/common/counters.toml: build/gen/perf_pkg.sv, build/gen/vl_perf.h and docs/counters.md.

  perf.py [--check]     --check: fail when docs/counters.md is out of date (used by the tests)
"""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from config import ROOT, load_toml, write_if_changed  # noqa: E402

# Units with counters. prefix: of the package's constants and the C list; type: all events of one cycle; function: makes increments of them.
Unit = collections.namedtuple("Unit", "title prefix type function")
UNITS = {
    "core": Unit("Of a core", "", "ev_core_t", "ev_increments"),
    "slice": Unit("Of an L2 slice", "SLICE_", "ev_slice_t", "slice_increments"),
    "channel": Unit("Of a memory channel", "CHANNEL_", "ev_channel_t", "channel_increments"),
    "stack": Unit("Of a stacked memory: its directory and the coherence of its L2 slice (home = directory)", "STACK_", "ev_stack_t", "stack_increments"),
    "home": Unit("Of a host channel: its directory and the coherence of its last-level cache (home = directory)", "HOME_", "ev_home_t", "home_increments"),
    "wire": Unit("Of a wire of a link, one direction (home = directory)", "WIRE_", "ev_wire_t", "wire_increments"),
    "shared": Unit("Of the translation that cores share (translation = shared)", "SHARED_", "ev_shared_t", "shared_increments"),
}
# Blocks with an event struct in memside_pkg, mmu_pkg or coherence_pkg, because it has more than counts, or other logic uses parts of it.
HAND_WRITTEN = ("l2", "mem_sched", "dram_ctrl", "tlb", "itlb", "tlb_mshr", "ptw", "seam_port", "l2_tlb", "l2_tlb_mshr", "walker", "walk_cache", "fill_tokens", "walk_bypass", "l2c", "smd", "hmd", "link")
# Whether the architectural reference has a counter's value at a kernel's end, and the page's word for it.
REFERENCE = {"threads": "by threads", "warps": "by warps"}
REFERENCE_MD = [
    "The column *reference* says whether the architectural reference has the value as well, when a kernel has ended without a fault:",
    "",
    "- *by threads*: the value depends on the threads alone, and `--backend ref` reports it;",
    "- *by warps*: the value depends on which threads were issued together and where they met again, which the architecture leaves open. The judge of the lockstep counts it from the instructions that the machine issues.",
    "",
    "Every lockstep run compares both kinds with what is read from the machine, core by core; `sw/workloads` compares the first kind with `ref`. An instruction that is issued again for the rest of its threads counts each time, also",
    "in `thread_instructions` (an indirect jump with several targets, a barrier reached in parts: docs/blocks/simt.md); the reference by itself counts it once, so its number is smaller there.",
    "",
]
MOST = 256        # a counter's number has eight bits


def load():
    """Unit -> block -> rows, both in the order of the file; the figures."""
    names, units = set(), {u: {} for u in UNITS}
    toml = load_toml(os.path.join(ROOT, "rtl", "common", "counters.toml"))
    for r in toml["counter"]:
        for key in ("block", "name", "width", "help"):
            if key not in r:
                sys.exit(f"counters.toml: a counter lacks '{key}': {r}")
        if r["name"] in names:
            sys.exit(f"counters.toml: counter '{r['name']}' twice")
        if r.setdefault("unit", "core") not in units:
            sys.exit(f"counters.toml: counter '{r['name']}': unit must be one of {', '.join(units)}")
        if not 1 <= r["width"] <= 13:
            sys.exit(f"counters.toml: counter '{r['name']}': width must be 1..13")
        if "reference" in r and (r["reference"] not in REFERENCE or r["unit"] != "core"):
            sys.exit(f"counters.toml: counter '{r['name']}': reference must be one of {', '.join(REFERENCE)}, and that of a core")
        if "detail" not in r and any("detail" in x for x in in_order(units[r["unit"]])):
            sys.exit(f"counters.toml: counter '{r['name']}' comes after one with 'detail', and has none")
        names.add(r["name"])
        units[r["unit"]].setdefault(r["block"], []).append(r)
    for u, blocks in units.items():
        if not 1 <= len(in_order(blocks)) <= MOST:
            sys.exit(f"counters.toml: unit '{u}' must have 1..{MOST} counters")
    for f in toml["figure"]:
        for n in re.findall(r"[a-z]\w*", f["of"]):
            if n not in names:
                sys.exit(f"counters.toml: figure '{f['name']}' is of '{n}', which is no counter")
    return units, toml["figure"]


def in_order(blocks):
    return [r for rows in blocks.values() for r in rows]


def detail_of(row):
    return f"; with `{row['detail']}`" if "detail" in row else ""


def plain_of(unit, rows):
    """How many counters there are without those of `detail`, and how wide their increments are."""
    plain = [r for r in rows if "detail" not in r]
    if len(plain) == len(rows):
        return []
    return ["  // Without those that only some configurations have.", f"  localparam int unsigned {unit.prefix}PLAIN_COUNTERS = {len(plain)};",
            f"  localparam int unsigned {unit.prefix}PLAIN_INC_W = {max(r['width'] for r in plain)};"]


def package_of(unit, blocks):
    """Types, constants and the function of one unit, as lines of the package."""
    rows, sv = in_order(blocks), []
    for b, rs in blocks.items():
        if b in HAND_WRITTEN:
            continue
        sv.append("  typedef struct packed {")
        for r in rs:
            sv.append(f"    logic {'' if r['width'] == 1 else '[%d:0] ' % (r['width'] - 1)}{r['name']};  // {r['help']}")
        sv.append(f"  }} ev_{b}_t;")
    sv.append("  typedef struct packed {")
    sv += [f"    ev_{b}_t {b};" for b in blocks]
    w = max(r["width"] for r in rows)
    sv += [f"  }} {unit.type};", f"  localparam int unsigned {unit.prefix}COUNTERS = {len(rows)};",
           f"  localparam int unsigned {unit.prefix}INC_W = {w};",
           "  // Bits of the increments, in the order of the list, the last one first.",
           f"  localparam logic [{unit.prefix}COUNTERS-1:0][3:0] {unit.prefix}INCREMENT_W = {{"
           + ", ".join(f"4'd{r['width']}" for r in reversed(rows)) + "};",
           *plain_of(unit, rows),
           "  // The increments of this cycle, one a counter, in the order of the list.",
           f"  function automatic logic [{unit.prefix}COUNTERS-1:0][{unit.prefix}INC_W-1:0] {unit.function}(input {unit.type} e);",
           f"    logic [{unit.prefix}COUNTERS-1:0][{unit.prefix}INC_W-1:0] v;"]
    sv += [f"    v[{i}] = {w}'(e.{r['block']}.{r['name']});" for i, r in enumerate(rows)]
    return sv + ["    return v;", "  endfunction"]


def main():
    units, figures = load()
    sv = ["// Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit.", "package perf_pkg;", "  import mmu_pkg::*;", "  import memside_pkg::*;", "  import coherence_pkg::*;",
          "  localparam int unsigned COUNTER_W = 48;"]
    h = ["/* Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit. */", "#ifndef VL_PERF_H", "#define VL_PERF_H"]
    md = ["# Counters", "", "Generated from `rtl/common/counters.toml`; every counter has 48 bits and is equal in RTL and model."]
    for name, unit in UNITS.items():
        rows = in_order(units[name])
        sv += package_of(unit, units[name])
        h += [f"/* X(index, name, block, help) for every counter of a {name}, in register order. */", f"#define VL_{unit.prefix}COUNTERS(X) \\"]
        h += [f"    X({i}, {r['name']}, {r['block']}, \"{r['help']}\") \\" for i, r in enumerate(rows)]
        h += [""]
        if name == "core":
            h += ["/* X(index, name, who) for counters of the reference: THREADS by itself, WARPS with the threads that were issued together. */", "#define VL_REFERENCE_COUNTERS(X) \\"]
            h += [f"    X({i}, {r['name']}, {r['reference'].upper()}) \\" for i, r in enumerate(rows) if "reference" in r]
            h += [""]
        md += ["", f"## {unit.title}", *REFERENCE_MD] if name == "core" else ["", f"## {unit.title}"]
        last = " reference |" if name == "core" else ""
        md += ["| counter | block | one count means |" + last, "|---|---|---|" + ("---|" if last else "")]
        md += [f"| {r['name']} | {r['block']} | {r['help']}{detail_of(r)} |" + (f" {REFERENCE.get(r.get('reference'), '')} |" if last else "") for r in rows]
    md += ["", "## Figures", "Figures that are computed from counters. Each counter is summed over all cores, slices or channels before the division.", "", "| figure | of | |", "|---|---|---|"]
    md += [f"| {f['name']} | `{f['of']}` | {f['help']} |" for f in figures]
    os.makedirs(os.path.join(ROOT, "build", "gen"), exist_ok=True)
    write_if_changed(os.path.join(ROOT, "build/gen/perf_pkg.sv"), "\n".join(sv + ["endpackage", ""]))
    write_if_changed(os.path.join(ROOT, "build/gen/vl_perf.h"), "\n".join(h + ["#endif", ""]))
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
