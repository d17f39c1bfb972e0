#!/usr/bin/env python3
"""Generates the decoders from rtl/common/isa.toml.

    isa.py OUT_DIR          writes OUT_DIR/isa_pkg.sv, isa_gen.h, isa_gen.c
    isa.py --docs FILE      writes the Markdown table of encodings

The fixed text around the tables is in scripts/gen/isa/*.in."""
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "rtl/common/isa.toml"
PIPES = ["ALU", "MUL", "DIV", "FPU", "FDIV", "LSU", "CTL"]
FORMATS = ["NONE", "R", "R1", "R4", "RM1", "RM2", "I", "L", "JR", "SH5", "SH6", "S", "B", "U", "J", "CSR", "CSRI",
           "LR", "AMO", "CAS", "FENCE"]


def die(message):
    sys.exit(f"isa.toml: {message}")


def ident(name):
    return "OP_" + name.upper().replace(".", "_")


class Row:
    """One instruction: its bits as a string of 32 characters 0, 1 or '-', most significant first."""

    def __init__(self, name, enc, fmt, pipe):
        self.name, self.fmt, self.pipe = name, fmt, pipe
        self.bits = enc.replace(" ", "")
        if len(self.bits) != 32 or set(self.bits) - set("01-"):
            die(f"{name}: an encoding is 32 bits of 0, 1 and -")
        if fmt not in FORMATS:
            die(f"{name}: unknown format {fmt}")
        if pipe not in PIPES:
            die(f"{name}: unknown pipe {pipe}")
        if "-" in self.bits[25:] or self.bits[30:] != "11":
            die(f"{name}: the opcode must be fixed, of a 32-bit instruction")
        self.op = ident(name)
        self.opcode = self.bits[25:]
        self.match = int(self.bits.replace("-", "0"), 2)
        self.mask = int(self.bits.replace("0", "1").replace("-", "0"), 2)

    def in_bucket(self, opcode5, funct3):
        fixed = 0x7c | 7 << 12
        value = opcode5 << 2 | funct3 << 12
        return (value ^ self.match) & self.mask & fixed == 0


class Isa:
    def __init__(self, path):
        table = tomllib.loads(path.read_text())
        self.rows = [Row(name, *row) for name, row in table["insn"].items()]
        self.pseudo = table["pseudo"]
        self.csrs = table["csr"]
        for i, a in enumerate(self.rows):
            for b in self.rows[:i]:
                if (a.match ^ b.match) & a.mask & b.mask == 0:
                    die(f"{a.name} and {b.name} overlap")
        for name, (number, access, kind) in self.csrs.items():
            if not 0 <= number < 4096 or (access, kind) not in (("rw", "float"), ("ro", "id")):
                die(f"csr {name}: a number of 12 bits, and rw float or ro id")
        self.ops = ["OP_ILLEGAL"] + [r.op for r in self.rows] + [ident(n) for n in self.pseudo]
        if len(self.ops) > 256:
            die("more than 256 operations")

    def csr_numbers(self, kind):
        return [n for n, (_, _, k) in self.csrs.items() if k == kind]


def fill(template, **parts):
    text = (HERE / "isa" / template).read_text()
    for key, value in parts.items():
        text = text.replace(f"@{key}@", value)
    return text


def wrap(items, indent, per_line):
    lines = [", ".join(items[i:i + per_line]) for i in range(0, len(items), per_line)]
    return ",\n".join(indent + line for line in lines)


def enum(prefix, names, indent):
    return wrap([f"{prefix}{n} = {i}" for i, n in enumerate(names)], indent, 5)


def sv(isa):
    rows = []
    for opcode in sorted({r.opcode for r in isa.rows}):
        rows.append(f"      7'b{opcode}:\n        casez (instr[31:7])")
        for r in (r for r in isa.rows if r.opcode == opcode):
            bits = r.bits[:25].replace("-", "?")
            label = "_".join([bits[:5], bits[5:7], bits[7:12], bits[12:17], bits[17:20], bits[20:]])
            rows.append(f"          25'b{label}: row_of = {{{r.op}, PIPE_{r.pipe}, FMT_{r.fmt}}};")
        rows.append("          default: ;\n        endcase")
    fmt_of = []
    for f in FORMATS[1:]:
        names = [r.op for r in isa.rows if r.fmt == f]
        if names:
            fmt_of.append(wrap(names, "      ", 6) + f": fmt_of = FMT_{f};")
    csrs = [f"  localparam logic [11:0] CSR_{n.upper()} = 12'h{v[0]:03x};" for n, v in isa.csrs.items()]
    return fill("isa_pkg.sv.in",
                OPS=enum("", isa.ops, "    "), PIPES=enum("PIPE_", PIPES, "    "), FORMATS=enum("FMT_", FORMATS, "    "),
                CSRS="\n".join(csrs), ROWS="\n".join(rows), FMT_OF="\n".join(fmt_of),
                FLOAT_CSRS=", ".join(f"CSR_{n.upper()}" for n in isa.csr_numbers("float")),
                ID_CSRS=wrap([f"CSR_{n.upper()}" for n in isa.csr_numbers("id")], "      ", 6))


def header(isa):
    csrs = [f"CSR_{n.upper()} = 0x{v[0]:03x}" for n, v in isa.csrs.items()]
    xs = [f"X({op.removeprefix('OP_')})" for op in isa.ops]
    foreach = " \\\n".join("    " + " ".join(xs[i:i + 8]) for i in range(0, len(xs), 8))
    return fill("isa_gen.h.in", FOREACH=foreach, NOPS=str(len(isa.ops)), OPS=enum("", isa.ops, "    "), PIPES=enum("PIPE_", PIPES, "    "),
                FORMATS=enum("FMT_", FORMATS, "    "), CSRS=wrap(csrs, "    ", 5))


def source(isa):
    rows = ['    [OP_ILLEGAL] = {"illegal", 0, 0, FMT_NONE, PIPE_CTL},']
    rows += [f'    [{r.op}] = {{"{r.name}", 0x{r.match:08x}, 0x{r.mask:08x}, FMT_{r.fmt}, PIPE_{r.pipe}}},' for r in isa.rows]
    rows += [f'    [{ident(n)}] = {{"{n}", 0, 0, FMT_NONE, PIPE_{p}}},' for n, p in isa.pseudo.items()]
    first, candidates = [0], []
    for bucket in range(256):
        candidates += [r.op for r in isa.rows if r.in_bucket(bucket >> 3, bucket & 7)]
        first.append(len(candidates))
    names = [f'    case CSR_{n.upper()}: return "{n}";' for n in isa.csrs]
    floats = " || ".join(f"csr == CSR_{n.upper()}" for n in isa.csr_numbers("float"))
    return fill("isa_gen.c.in", ROWS="\n".join(rows), FIRST=wrap([str(x) for x in first], "    ", 20),
                CANDIDATES=wrap(candidates, "    ", 8), CSR_NAMES="\n".join(names), IS_FLOAT=floats)


def docs(isa):
    out = ["# Table of encodings", "",
           "Generated from `rtl/common/isa.toml` by `make isa-docs`; the formats are explained there, the semantics in `docs/isa.md`.",
           "A `-` is an operand bit. Operations are numbered in this order from 1 (`op_e`); 0 is an illegal instruction.", "",
           "| instruction | 31:27 | 26:25 | 24:20 | 19:15 | 14:12 | 11:7 | 6:0 | format | pipe | match | mask |",
           "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for r in isa.rows:
        cuts = [r.bits[a:b] for a, b in ((0, 5), (5, 7), (7, 12), (12, 17), (17, 20), (20, 25), (25, 32))]
        out.append(f"| {r.name} | " + " | ".join(f"`{c}`" for c in cuts)
                   + f" | {r.fmt} | {r.pipe} | `{r.match:08x}` | `{r.mask:08x}` |")
    out += ["", "Without an encoding: " + ", ".join(f"{n} ({p})" for n, p in isa.pseudo.items()) + ".", "",
            "| csr | number | access | kind |", "|---|---|---|---|"]
    out += [f"| {n} | 0x{number:03x} | {access} | {kind} |" for n, (number, access, kind) in isa.csrs.items()]
    return "\n".join(out) + "\n"


def main(argv):
    isa = Isa(TABLE)
    if len(argv) == 2 and argv[0] == "--docs":
        Path(argv[1]).write_text(docs(isa))
    elif len(argv) == 1 and not argv[0].startswith("-"):
        out = Path(argv[0])
        out.mkdir(parents=True, exist_ok=True)
        (out / "isa_pkg.sv").write_text(sv(isa))
        (out / "isa_gen.h").write_text(header(isa))
        (out / "isa_gen.c").write_text(source(isa))
    else:
        sys.exit("usage: isa.py OUT_DIR | isa.py --docs FILE")


if __name__ == "__main__":
    main(sys.argv[1:])
