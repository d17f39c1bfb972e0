"""Reads what Verilator's --xml-only says of packages and modules: types, constants, ports.

Only what crosses block boundaries is understood: vectors, packed structs, packed arrays of either. Enumerated types appear as
vectors (their names become C constants). Used by ports.py and lockstep.py.
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ["-fno-const-bit-op-tree", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
# In order of use. isa_pkg and perf_pkg are generated host-wide, vl_cfg_pkg and vl_dram_pkg per configuration.
PACKAGES = ["{cfg}/vl_cfg_pkg.sv", "{cfg}/vl_dram_pkg.sv", "rtl/common/vellum_pkg.sv", "rtl/common/map_pkg.sv", "build/gen/isa_pkg.sv",
            "rtl/common/mem_pkg.sv", "rtl/mmu/mmu_pkg.sv", "rtl/core/core_pkg.sv", "rtl/mem/home_pkg.sv", "rtl/mem/memside_pkg.sv", "build/gen/perf_pkg.sv", "rtl/top/top_pkg.sv"]
UNITS = ["common", "core", "mmu", "cache", "coherence", "noc", "mem", "link", "host", "top"]


def packages(cfgdir):
    return [p.format(cfg=cfgdir) for p in PACKAGES]


def search(cfgdir):
    """Verilator arguments that find every module of the house, and the assertion macros."""
    args = ["-Irtl/common"]
    for u in UNITS:
        if os.path.isdir(os.path.join(ROOT, "rtl", u)):
            args += ["-y", f"rtl/{u}"]
    return args


class Vec:
    """A plain vector of `width` bits."""

    def __init__(self, width):
        self.width = width


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


def const_value(text):
    m = re.fullmatch(r"(\d+)?'s?([hbd])([0-9a-fA-F]+)", text)
    if not m:
        return None
    return int(m.group(3), {"h": 16, "b": 2, "d": 10}[m.group(2)])


class ElaborationError(Exception):
    """Verilator refuses the sources; the text is its own."""


class Netlist:
    def __init__(self, top, sources, cfgdir, extra=()):
        with tempfile.TemporaryDirectory() as tmp:
            cmd = ["verilator", "--xml-only", "-Mdir", tmp, "--top-module", top, "--xml-output", f"{tmp}/x.xml",
                   *FLAGS, *search(cfgdir), *extra, *packages(cfgdir), *sources]
            r = subprocess.run(cmd, cwd=ROOT, capture_output=True, text=True)
            if r.returncode != 0 or not os.path.exists(f"{tmp}/x.xml"):
                raise ElaborationError(f"{' '.join(cmd)}\n{r.stderr}")
            self.root = ET.parse(f"{tmp}/x.xml").getroot()
        self.nodes = {n.get("id"): n for n in self.root.find(".//typetable")}
        self.cache = {}

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
            if isinstance(t.elem, Vec) and t.elem.width == 1:
                t = Vec(t.n)
        elif n.tag == "structdtype":
            t = Struct(n.get("name").split("::")[-1],
                       [(m.get("name"), self.type(m.get("sub_dtype_id"))) for m in n.findall("memberdtype")])
        else:
            sys.exit(f"svxml: a {n.tag} ({n.get('name')}) crosses a boundary; only vectors, structs and arrays may")
        self.cache[tid] = t
        return t

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
            # isa_pkg has its own C form (isa_gen.h), and its structs stay inside blocks.
            if n.tag == "structdtype" and "::" in n.get("name", "") and not n.get("name").startswith("isa_pkg::"):
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

    def has(self, module):
        return any(m.get("origName") == module for m in self.root.findall(".//module"))

    def instances(self, module):
        made = {m.get("name") for m in self.root.findall(".//module") if m.get("origName") == module}
        return sum(c.get("submodname") in made for c in self.root.findall(".//cells//cell"))

    def ports(self, module):
        """[(name, 'in'|'out', type)] of a module, clock and reset left out."""
        out = []
        for m in self.root.findall(".//module"):
            if m.get("origName") == module:
                for v in m.findall("var"):
                    if v.get("dir") and v.get("name") not in ("clk_i", "rst_i"):
                        out.append((v.get("name"), "in" if v.get("dir") == "input" else "out", self.type(v.get("dtype_id"))))
                return out
        sys.exit(f"svxml: no module {module}")
