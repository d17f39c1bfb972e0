"""Reads packages and modules from Verilator's --xml-only: types, constants, ports.

Only what crosses block boundaries is understood: vectors, packed structs, packed arrays of either. Enumerated types appear as
vectors (their names become C constants). Used by ports.py and lockstep.py.
"""
import functools
import gc
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sources import ROOT, packages, search  # noqa: E402

gc.disable()    # trees of a hundred thousand nodes live as long as the program: the collector walks them again and again for nothing

# Packages with generators of their own for C (isa_gen.h, vl_regs.h, vl_cfg.h, vl_dram.h); their structs stay inside blocks.
OWN_C_FORM = ("isa_pkg", "regs_pkg", "vl_cfg_pkg", "vl_dram_pkg")
FLAGS = ["-fno-const-bit-op-tree", "-Wno-fatal", "-Wno-lint", "-Wno-style"]


class Vec:
    """A plain vector of `width` bits."""

    def __init__(self, width):
        self.width = width


class Set(Vec):
    """A port of 65 to 128 plain bits: a set of ports, of which C asks as of a number (vl_set_t)."""


class Bytes(Vec):
    """A set of the 64 bytes of a line: a word in C as a larger one is two, not a number, so that code is the same for lines of any size."""


BYTE_SETS = ("line_be_t", "line_mask_t")


def wide(t):
    """Whether C has a vector as words."""
    return t.width > 64 or isinstance(t, Bytes)


@functools.cache
def byte_fields():
    """(struct, field) of the packages' sets of bytes of a line: Verilator's XML has lost the names of their types."""
    found = set()
    for path in glob.glob(f"{ROOT}/rtl/*/*_pkg.sv"):
        with open(path, encoding="utf-8") as f:
            for body, name in re.findall(r"^  typedef struct packed \{(.*?)^  \} (\w+);", f.read(), re.M | re.S):
                found |= {(name, field) for field in re.findall(rf"^ *(?:{'|'.join(BYTE_SETS)}) (\w+);", body, re.M)}
    return found


class Struct:
    """A packed struct; fields from most significant to least: (name, type)."""

    def __init__(self, name, fields):
        self.name = name
        self.fields = fields
        self.width = sum(t.width for _, t in fields)


class Array:
    """A packed array, element 0 least significant."""

    def __init__(self, elem, n):
        self.elem = elem
        self.n = n
        self.width = elem.width * n


def ctype(t):
    """C type of a scalar or struct element."""
    if isinstance(t, Struct):
        return t.name
    if isinstance(t, Set):
        return "vl_set_t"
    if t.width == 1:
        return "bool"
    for w in (8, 16, 32, 64):
        if t.width <= w and not wide(t):
            return f"uint{w}_t"
    return f"vl_bits_{t.width}"


def const_value(text):
    m = re.fullmatch(r"(\d+)?'s?([hbd])([0-9a-fA-F]+)", text)
    if not m:
        return None
    return int(m.group(3), {"h": 16, "b": 2, "d": 10}[m.group(2)])


@functools.cache
def translator():
    """Verilator itself, where it lies beside the Perl script of its name, which takes long to begin; the script lifts the limit of the stack, too."""
    script = shutil.which("verilator") or "verilator"
    if not os.access(f"{script}_bin", os.X_OK):
        return ["verilator"]
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
    return [f"{script}_bin"]


class ElaborationError(Exception):
    """Verilator refuses the sources; the text is its own."""


class Netlist:
    def __init__(self, top, sources, cfgdir, extra=()):
        with tempfile.TemporaryDirectory() as tmp:
            cmd = [*translator(), "--xml-only", "-Mdir", tmp, "--top-module", top, "--xml-output", f"{tmp}/x.xml",
                   *FLAGS, *search(), *extra, *packages(cfgdir), *sources]
            r = subprocess.run(cmd, cwd=ROOT, capture_output=True, text=True)
            # With these options Verilator reports a $error of the sources as a warning only.
            if r.returncode != 0 or "%Warning-USERERROR" in r.stderr or not os.path.exists(f"{tmp}/x.xml"):
                raise ElaborationError(f"{' '.join(cmd)}\n{r.stderr}")
            self.root = ET.parse(f"{tmp}/x.xml").getroot()
        self.nodes = {n.get("id"): n for n in self.root.find(".//typetable")}
        self.modules = {m.get("name"): m for m in self.root.findall(".//module")}     # as made: parameters give a module another name
        self.cache, self.port_cache = {}, {}

    def type(self, tid):
        if tid in self.cache:
            return self.cache[tid]
        n = self.nodes[tid]
        if n.tag == "basicdtype":
            t = Vec(abs(int(n.get("left", 0)) - int(n.get("right", 0))) + 1)
        elif n.tag in ("refdtype", "enumdtype"):
            t = self.type(n.get("sub_dtype_id"))
        elif n.tag == "packarraydtype":
            a, b = [const_value(c.get("name")) for c in n.find("range")]
            t = Array(self.type(n.get("sub_dtype_id")), abs(a - b) + 1)
            # An array of plain bits is a vector. Elements with a range or a type name stay elements, even if the configuration gives them one bit.
            bit = self.nodes[n.get("sub_dtype_id")]
            if bit.tag == "basicdtype" and not bit.get("left"):
                t = Vec(t.n)
        elif n.tag == "structdtype":
            name = n.get("name").split("::")[-1]
            t = Struct(name, [(m.get("name"), self.bytes_or(self.type(m.get("sub_dtype_id")), (name, m.get("name")) in byte_fields())) for m in n.findall("memberdtype")])
        else:
            sys.exit(f"svxml: a {n.tag} ({n.get('name')}) crosses a boundary; only vectors, structs and arrays may")
        self.cache[tid] = t
        return t

    @staticmethod
    def bytes_or(t, named):
        return Bytes(64) if named and t.width == 64 else t

    def port(self, tid):
        """The type of a port or net: bits that have no type of their own are a set."""
        t = self.type(tid)
        return Set(t.width) if self.nodes[tid].tag == "basicdtype" and 64 < t.width <= 128 else t

    def structs(self):
        """Every packed struct of the packages, inner ones first."""
        seen, out = set(), []

        def visit(t):
            if isinstance(t, Array):
                visit(t.elem)
            elif isinstance(t, Struct) and t.name not in seen:
                for _, f in t.fields:
                    visit(f)
                if t.name not in seen:
                    seen.add(t.name)
                    out.append(t)

        for n in self.nodes.values():
            if n.tag == "structdtype" and "::" in n.get("name", "") and n.get("name").split("::")[0] not in OWN_C_FORM:
                visit(self.type(n.get("id")))
        return out

    def enums(self):
        for n in self.nodes.values():
            if n.tag == "enumdtype":
                pkg, _, name = n.get("name").rpartition("::")
                yield pkg, name, [(i.get("name"), const_value(i.find("const").get("name"))) for i in n.findall("enumitem")]

    def constants(self):
        for p in self.root.findall(".//package"):
            for v in p.findall("var"):
                c = v.find("const")
                if v.get("localparam") == "true" and c is not None:
                    yield p.get("name"), v.get("name"), const_value(c.get("name"))

    def module(self, name):
        return next((m for m in self.modules.values() if m.get("origName") == name), None)

    def made(self, name):
        """The module that an instance's definition was made of."""
        return self.modules[name].get("origName")

    def port_type(self, module, port):
        return next(t for n, _, t in self.ports(module) if n == port)

    def has(self, module):
        return self.module(module) is not None

    def ports(self, module):
        """[(name, 'in'|'out', type)] of a module, clock and reset left out."""
        if module not in self.port_cache:
            m = self.module(module)
            if m is None:
                sys.exit(f"svxml: no module {module}")
            found = [(v.get("name"), "in" if v.get("dir") == "input" else "out", self.bytes_or(self.port(v.get("dtype_id")), v.get("vartype") in BYTE_SETS))
                     for v in m.findall("var") if v.get("dir") and v.get("name") not in ("clk_i", "rst_i")]
            names = {n for n, _, _ in found}
            # The payload of a stream is data, whatever the name of its type.
            self.port_cache[module] = [(n, d, Vec(t.width) if isinstance(t, Set) and f"{n[:-2]}_valid{n[-2:]}" in names else t) for n, d, t in found]
        return self.port_cache[module]
