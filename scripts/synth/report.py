"""The report of a synthesis run, in Markdown."""
import re

from flow import ROUTED
from parts import PARTS

COLUMNS = {
    "ecp5": [("LUT4", r"LUT4"), ("flip-flops", r"TRELLIS_FF"), ("carry (CCU2C)", r"CCU2C"), ("LUT RAM (16x4)", r"TRELLIS_DPR16X4"),
             ("block RAM (18 Kb)", r"DP16KD|PDPW16KD"), ("DSP (18x18)", r"MULT18X18D")],
    "xilinx": [("LUT", r"LUT[1-6]"), ("flip-flops", r"FD[RSCP]E(_1)?"), ("carry (CARRY4)", r"CARRY4"), ("LUT RAM (LUTs)", r"RAM\d+\w+"),
               ("block RAM (18 Kb)", r"RAMB(18|36)E1"), ("DSP48", r"DSP48E1")],
}
# LUTs that a distributed memory of Xilinx takes, and halves of a RAMB36E1.
WEIGHT = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAMB36E1": 2}
TITLES = {"ecp5": "ECP5", "xilinx": "Xilinx 7-series"}


def counts(target, cells):
    return [sum(n * WEIGHT.get(c, 1) for c, n in cells.items() if re.fullmatch(rx, c)) for _, rx in COLUMNS[target]]


def table(head, rows):
    out = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return out + ["| " + " | ".join(str(c) for c in r) + " |" for r in rows]


def area(target, blocks, instances):
    rows, total = [], [0] * len(COLUMNS[target])
    for b in sorted(blocks.values(), key=lambda b: -counts(target, b.cells[target])[0]):
        k = instances.get(b.name, 1)
        c = counts(target, b.cells[target])
        rows.append([b.name + (f" x {k}" if k > 1 else ""), *(n * k for n in c)])
        total = [t + n * k for t, n in zip(total, c)]
    return table(["block", *(h for h, _ in COLUMNS[target])], rows + [["**sum**", *total]])


def path(r):
    """The critical path, one row a stay in a block: cells passed, logic and wire delay."""
    rows = []
    for kind, where, delay in r.path:
        block, _, name = where
        if not rows or rows[-1][0] != block:
            rows.append([block, name, name, 0, 0.0, 0.0])
        row = rows[-1]
        row[2] = name
        if kind == "routing":
            row[5] += delay
        else:
            row[4] += delay
            row[3] += kind == "logic"
    return table(["block", "from", "to", "levels", "logic ns", "wires ns"],
                 [[b, f"`{f}`", f"`{t}`", n, f"{l:.2f}", f"{w:.2f}"] for b, f, t, n, l, w in rows])


def estimated(top, paths):
    rows = [[a, b, gates, f"{ns:.1f}", f"`{end.split('.')[-1][:60]}`"] for ns, a, b, gates, end in paths[:30]]
    return "\n".join([f"# {top}: longest paths between blocks, estimated", "", *table(["from", "to", "gates", "ns", "register"], rows)])


def text(design, blocks, routes, freq, speed, seconds):
    out = [f"# Synthesis of `{design.config}`", ""]
    for t in COLUMNS:
        if blocks and all(t in b.cells for b in blocks.values()):
            out += [f"## {TITLES[t]}, mapped", "", *area(t, blocks, design.instances()), ""]
            kinds = [f"{b.name}: {p} in {k}" for b in blocks.values() for p, k in b.memories[t] if k == "flip-flops"]
            out += ["Memories in flip-flops: " + ("; ".join(kinds) if kinds else "none") + ".", ""]
    if set(PARTS) <= set(routes):
        out += [f"**Every path of `{ROUTED}` from register to register, routed in one part or another: {min(routes[p].fmax for p in PARTS):.1f} MHz.**", ""]
    for top, r in routes.items():
        used = ", ".join(f"{k} {u} of {a} ({100 * u / a:.0f} %)" for k, (u, a) in r.use.items() if u)
        verdict = "meets" if r.fmax >= freq else "misses"
        out += [f"## {top} in an ECP5-85F, speed grade {speed}" + ("" if r.path else ", placed and not routed"), "", f"**Fmax {r.fmax:.1f} MHz** ({verdict} {freq:g} MHz). {used}.", ""]
        if r.path:
            out += [f"Critical path, {sum(s[2] for s in r.path):.2f} ns:", "", *path(r), ""]
    wrong = [w for b in blocks.values() for w in b.wrong]
    out += ["Checked: no latch, no combinational loop, no doubly driven net, no asynchronous reset; memories that must be in block RAM "
            + ("are not: " + "; ".join(wrong) + "." if wrong else "are."), f"Run time {seconds:.0f} s (blocks that had not changed were kept)." if any(not b.fresh for b in blocks.values())
            else f"Run time {seconds:.0f} s."]
    return "\n".join(out) + "\n"
