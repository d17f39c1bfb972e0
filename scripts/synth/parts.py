"""The parts in which the compute side is placed and routed. Whole it is too large: nextpnr needs more cells free than are used. They overlap, each in a device
of its own, so that every path from a register to a register lies in one of them (Design.uncovered in flow.py)."""
import json
import re

PARTS = {
    "execute": ["fetch", "l1i", "issue", "simt", "regfile", "alu", "barrier", "launch", "dispatcher", "ctrl", "perf", "status"],
    "arithmetic": ["regfile", "mul", "idiv", "fpu", "fdiv", "launch", "ctrl", "perf", "status"],
    "memory": ["lsu", "spad", "l1d", "tlb", "itlb", "tlb_mshr", "ptw", "vm_ctl", "mem_arb", "ctrl", "perf", "status"],
    "between": ["lsu", "mem_arb", "itlb", "vm_ctl", "fetch", "l1i", "issue", "regfile", "launch", "barrier", "ctrl", "perf", "status"],
}
# The placer's start, where it is not 1: `memory` routes at 44.5 MHz with 1, at 53.0 with 2 (docs/synthesis.md, Frequency).
SEEDS = {"memory": 2}
# Logic tiles of the device: columns, and rows without those of block RAM and multipliers. A tile has eight cells.
COLUMNS = range(2, 125)
ROWS = [y for y in range(2, 94) if y % 12 != 10]
# Share of cells used in the rows that are left to the placer: it packs cells, and packed cells cannot be routed. More rows
# than CLOSED are not taken from a small design, which they would only pull apart.
DENSITY, CLOSED = 0.75, 0.5


def neighbours(il, part, ports):
    """{block: its ports that a block of `part` drives or reads}, of a composition in RTLIL text; `ports`: of each block. Nets are followed bit by bit."""
    widths = {name: int(width or 1) for width, name in re.findall(r"^  wire (?:width (\d+) )?.*?(\S+)$", il, re.M)}
    joined = {}

    def net(bit):
        while bit in joined:
            bit = joined[bit]
        return bit

    def bits(signal):
        """From the lowest bit on; None for a constant."""
        out = []
        for const, wire, high, low in reversed(re.findall(r"(\d+)'[01xz-]+|([\\$][^ ]+)(?: \[(\d+)(?::(\d+))?\])?", signal)):
            first = int(low or high or 0)
            out += [None] * int(const) if const else [net((wire, i)) for i in range(first, (int(high) if high else widths[wire] - 1) + 1)]
        return out

    for line in re.findall(r"^  connect (.*)$", il, re.M):
        a, b = re.fullmatch(r"(\{.*?\}|\S+(?: \[[\d:]+\])?) (.*)", line).groups()
        for x, y in zip(bits(a), bits(b)):
            if x and y and x != y:
                joined[x] = y
    way = {(kind, n): d for kind in ports for n, _, d in ports[kind]}
    joints = [(kind, port, set(bits(signal))) for kind, conns in re.findall(r"^  cell \\(\S+) \S+\n(.*?)^  end$", il, re.M | re.S)
              for port, signal in re.findall(r"^    connect \\(\S+) (.*)$", conns, re.M) if port != "clk_i"]
    drives, reads = ({b for kind, port, nets in joints if kind in part and way[kind, port] == d for b in nets if b} for d in ("output", "input"))
    touched = {kind: set() for kind in ports}
    for kind, port, nets in joints:
        if nets & (drives if way[kind, port] == "input" else reads):
            touched[kind].add(port)
    return touched


def spread(netlist, out):
    """Leaves the placer so many rows of a device for a netlist that DENSITY of their cells are used, the others between them taken by tables without a
    net: the placer itself packs a small design into a corner of the device, where wires run out. Rows, since carry chains lie along them. Gives how many, and `out`."""
    with open(netlist) as f:
        design = json.load(f)
    cells = design["modules"]["harness"]["cells"]
    takes = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
    used, room = sum(takes.get(c["type"], 0) for c in cells.values()), 8 * len(COLUMNS) * len(ROWS)
    taken = min(max(0.0, 1 - used / DENSITY / room), CLOSED)
    filler = {"type": "LUT4", "parameters": {"INIT": "0" * 16}, "port_directions": {"Z": "output"}, "connections": {"Z": []}}
    added = {f"filler_{x}_{y}_{s}{k}": {**filler, "attributes": {"BEL": f"X{x}/Y{y}/SLICE{s}.K{k}", "keep": "1"}}
             for i, y in enumerate(ROWS) if int((i + 1) * taken) > int(i * taken) for x in COLUMNS for s in "ABCD" for k in range(2)}
    cells.update(added)
    with open(out, "w") as f:
        json.dump(design, f)
    return len(added)
