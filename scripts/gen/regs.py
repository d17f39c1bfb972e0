#!/usr/bin/env python3
"""Generates from rtl/common/registers.toml: build/gen/{policy_pkg.sv,regs_pkg.sv,vl_regs.h,vl_policies.h} and the tables of registers in docs/blocks/.

  regs.py [--check]     --check: fail when a page is out of date (used by the tests)
  regs.py FILE.toml     only says whether this file would do

All that is wrong with the file is said by name, a line each; status 1.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import policies  # noqa: E402
from config import CONFIG_DIR, ROOT, ConfigError, load_toml, read, write_if_changed  # noqa: E402

SOURCE = os.path.join(ROOT, "rtl", "common", "registers.toml")
ACCESS = ("RW", "RO", "WO")
PER = ("machine", "kernel", "core")
KEYS = {
    "register": {"name", "address", "block", "per", "to", "help", "array", "field"},
    "field": {"name", "bits", "to", "width", "reset", "access", "kept", "type", "values", "policy", "help"},
    "struct": {"name", "help"},
    "policy": {"name", "register", "help", "values"},
}
BEGIN, END = "<!-- Registers of {}: generated from rtl/common/registers.toml by scripts/gen/regs.py -->", "<!-- End of registers -->"


def idx_w(n):
    return 1 if n <= 1 else (n - 1).bit_length()


def value_of(expression, config):
    return eval(str(expression).replace("/", "//"), {"__builtins__": {}, "idx_w": idx_w}, {k.upper(): v for k, v in config.items()})


def is_number(expression):
    return re.fullmatch(r"\d+|0x[0-9a-fA-F]+", str(expression)) is not None


class Field:
    def __init__(self, register, f):
        self.register, self.name, self.help = register, f["name"], f["help"]
        high, _, low = f["bits"].partition(":")
        self.high, self.low = int(high), int(low or high)
        self.room = self.high - self.low + 1
        self.width, self.reset = str(f.get("width", self.room)), str(f.get("reset", 0))
        self.access, self.kept = f.get("access"), f.get("kept", True)
        self.type, self.values, self.policy, self.to = f.get("type"), f.get("values", {}), f.get("policy"), f.get("to")

    def places(self):
        """Where it goes: members of structs (policies.py)."""
        if self.to is None:
            return [f"{self.register.to}.{self.name}"] if self.register.to and self.access == "RW" else []
        return self.to if isinstance(self.to, list) else [self.to]

    def overlaps(self, other):
        return self.low <= other.high and other.low <= self.high


class Register:
    def __init__(self, r):
        self.name, self.address, self.block, self.per, self.help = r["name"], r["address"], r["block"], r["per"], r.get("help", "")
        self.to, array = r.get("to"), r.get("array", {})
        self.array, self.count, self.stride = array.get("name"), array.get("count", 1), array.get("bits", 64)
        self.fields = [Field(self, f) for f in r["field"]]

    def lower(self):
        return self.name.lower()

    def views(self):
        """Struct name -> its fields. What is read has a struct of its own where it shares bits with what is written."""
        read, written = [f for f in self.fields if f.access != "WO"], [f for f in self.fields if f.access != "RO"]
        if any(a is not b and a.overlaps(b) for a in self.fields for b in self.fields):
            return {f"reg_{self.lower()}_t": written, f"reg_{self.lower()}_read_t": read}
        return {f"reg_{self.lower()}_t": self.fields} if self.fields else {}


class Policy:
    """A name that a field, or several of a register, are set by. words: value name -> bits of the register; none: a number."""

    def __init__(self, name, help_, register, mask, low, words, default, most):
        self.name, self.help, self.register, self.mask, self.low = name, help_, register, mask, low
        self.words, self.default, self.most = words, default, most

    def values(self):
        return ",".join(self.words) if self.words else f"0..{self.most}"


class Wrong(Exception):
    """The file will not do; a line for all that is wrong."""


class Map:
    def __init__(self, path):
        self.wrong = []
        toml = load_toml(path)
        self.kernel_stride, self.core_stride = toml.get("kernel_stride", 0), toml.get("core_stride", 0)
        self.blocks = toml.get("block", [])
        self.registers = []
        for r in toml.get("register", []):
            if self.complete("register", r) and all([self.complete("field", f, f"register '{r['name']}': ") for f in r["field"]]):
                self.registers.append(Register(r))
        self.configs = []
        for name in sorted(f[:-5] for f in os.listdir(CONFIG_DIR) if f.endswith(".toml") and f != "schema.toml"):
            self.configs.append(read(name)[:2])
        for r in self.registers:
            self.check(r)
        self.structs = policies.Structs([s for s in toml.get("struct", []) if self.complete("struct", s)], self.registers, self.say)
        self.policies = self.policies_of(toml.get("policy", []))
        if self.wrong:
            raise Wrong("\n".join(f"{os.path.relpath(path, ROOT)}: {w}" for w in self.wrong))

    def say(self, text):
        self.wrong.append(text)

    def complete(self, kind, row, where=""):
        name = row.get("name", "without a name")
        needs = {"register": ["name", "address", "block", "per", "field", *(["help"] if len(row.get("field", [])) != 1 else [])],
                 "field": ["name", "bits", "access", "help"], "policy": ["name", "register", "help", "values"], "struct": ["name", "help"]}[kind]
        missing = [k for k in needs if k not in row]
        unknown = sorted(set(row) - KEYS[kind])
        if missing:
            self.say(f"{where}{kind} '{name}' lacks {', '.join(missing)}")
        if unknown:
            self.say(f"{where}{kind} '{name}' has {', '.join(unknown)}, which means nothing here")
        if kind == "field" and "bits" in row and not re.fullmatch(r"\d+(:\d+)?", str(row["bits"])):
            self.say(f"{where}field '{name}': bits are \"high:low\" or \"bit\", not {row['bits']!r}")
            return False
        return not missing and not unknown

    def check(self, r):
        who = f"register '{r.name}'"
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", r.name):
            self.say(f"{who}: a name is of capitals, digits and _")
        if [x.name for x in self.registers].count(r.name) > 1 and next(x for x in self.registers if x.name == r.name) is r:
            self.say(f"{who} is there twice")
        if r.per not in PER:
            self.say(f"{who}: per must be one of {', '.join(PER)}")
        blocks = {b["name"]: (b["first"], n["first"] if n else self.kernel_stride) for b, n in zip(self.blocks, self.blocks[1:] + [None])}
        places = 64 if r.per == "core" else 1
        if r.block not in blocks:
            self.say(f"{who}: block must be one of {', '.join(blocks)}")
        elif not blocks[r.block][0] <= r.address <= blocks[r.block][1] - 8 * places or r.address % 8:
            self.say(f"{who}: address {r.address:#x} must be a multiple of 8 from {blocks[r.block][0]:#x} to {blocks[r.block][1] - 8 * places:#x}")
        for o in self.registers[:self.registers.index(r)]:
            if r.address < o.address + (64 * self.core_stride if o.per == "core" else 8) and o.address < r.address + 8 * places:
                self.say(f"{who} has the address of '{o.name}'")
        if r.count * r.stride > 64:
            self.say(f"{who}: {r.count} elements of {r.stride} bits are more than 64 bits")
        for n, f in enumerate(r.fields):
            self.check_field(r, f, f"{who}: field '{f.name}'", r.fields[:n])
        if "\n" in r.help or "|" in r.help:
            self.say(f"{who}: the help is one line without |")

    def check_field(self, r, f, who, before):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", f.name):
            self.say(f"{who}: a name is of small letters, digits and _")
        if f.access not in ACCESS:
            self.say(f"{who}: access must be one of {', '.join(ACCESS)}")
        if f.high < f.low or f.high >= r.stride:
            self.say(f"{who}: bits {f.high}:{f.low} are not within {r.stride - 1}:0")
            return
        for o in before:
            if o.name == f.name:
                self.say(f"{who} is there twice")
            if o.overlaps(f) and {o.access, f.access} != {"RO", "WO"}:
                self.say(f"{who} shares bits with '{o.name}'")
        if not f.kept and f.access != "RW":
            self.say(f"{who}: only what is RW can be not kept")
        for value in f.values.values():
            if not 0 <= value < 1 << f.room:
                self.say(f"{who}: value {value} has no room in {f.room} bits")
        if "\n" in f.help or "|" in f.help or '"' in f.help and f.policy:
            self.say(f"{who}: the help is one line without |, and of a policy without quotation marks")
        for name, config in self.configs:
            try:
                width, reset = value_of(f.width, config), value_of(f.reset, config)
            except (NameError, SyntaxError, TypeError, ZeroDivisionError) as e:
                self.say(f"{who}: no width or no reset value: {e}")
                return
            if not 1 <= width <= f.room:
                self.say(f"{who}: {width} bits in '{name}' ({f.width}) are not within 1..{f.room}")
                return
            if not 0 <= reset < 1 << width:
                self.say(f"{who}: reset value {reset} in '{name}' ({f.reset}) has no room in {width} bits")
                return

    def policies_of(self, rows):
        by_register = {}
        for p in rows:
            if self.complete("policy", p):
                by_register.setdefault(p["register"], []).append(p)
        for name in set(by_register) - {r.name for r in self.registers}:
            self.say(f"policy '{by_register[name][0]['name']}': there is no register '{name}'")
        out = []
        for r in self.registers:
            for p in by_register.get(r.name, []):
                out += self.policy_over(r, p)
            for f in r.fields:
                out += self.policies_of_field(r, f) if f.policy else []
            named = [p for p in out if p.register is r]
            if named and r.per != "machine":
                self.say(f"policy '{named[0].name}': a policy is the machine's, '{r.name}' is not")
            for n, p in enumerate(named):
                if any(p.mask & o.mask for o in named[:n]):
                    self.say(f"policy '{p.name}' shares bits of '{r.name}' with another")
        for p in out:
            if sum(o.name == p.name for o in out) > 1:
                self.say(f"policy '{p.name}' is there twice")
            if not re.fullmatch(r"[a-z][a-z0-9_]*", p.name):
                self.say(f"policy '{p.name}': a name is of small letters, digits and _")
        return out

    def policy_over(self, r, p):
        fields = {f.name: f for f in r.fields}
        first = next(iter(p["values"].values()))
        for value, parts in p["values"].items():
            if set(parts) != set(first):
                self.say(f"policy '{p['name']}': value '{value}' does not say what all of {', '.join(first)} are")
            for name, number in parts.items():
                if name not in fields or fields[name].access != "RW" or not is_number(fields[name].reset):
                    self.say(f"policy '{p['name']}': '{r.name}' has no field '{name}' that is RW and resets to a number")
                    return []
                if not 0 <= number < 1 << fields[name].room:
                    self.say(f"policy '{p['name']}': value '{value}': {number} has no room in '{name}'")
        word = {value: sum(n << fields[name].low for name, n in parts.items()) for value, parts in p["values"].items()}
        mask = sum(((1 << fields[name].room) - 1) << fields[name].low for name in first)
        reset = sum(int(fields[name].reset, 0) << fields[name].low for name in first)
        if reset not in word.values():
            self.say(f"policy '{p['name']}': none of its values is what its fields are after reset")
        return [Policy(p["name"], p["help"], r, mask, 0, word, next((n for n, w in enumerate(word.values()) if w == reset), 0), 0)]

    def policies_of_field(self, r, f):
        who = f"policy '{f.policy}'"
        if not 1 <= f.room <= 64 or not is_number(f.reset) and f.values:
            return []   # reported already
        if f.access != "RW" or not f.kept or f.width != str(f.room) or f.room > 32:
            self.say(f"{who}: '{f.name}' must be RW, kept, and of 32 bits at most in all configurations")
        if f.values and int(f.reset, 0) not in f.values.values():
            self.say(f"{who}: none of its values is what '{f.name}' is after reset")
        if (r.count > 1) != ("{i}" in f.policy):
            self.say(f"{who}: {{i}} stands for the number of an element, and only for that")
        out = []
        for i in range(r.count):
            low, names = f.low + i * r.stride, list(f.values)
            words = {n: v << low for n, v in f.values.items()}
            default = names.index(next((n for n in names if f.values[n] == int(f.reset, 0)), names[0])) if names else f.reset
            out.append(Policy(f.policy.replace("{i}", str(i)), f.help.replace("{i}", str(i)), r, ((1 << f.room) - 1) << low, low, words, default, (1 << f.room) - 1))
        return out


# ---- SystemVerilog ---------------------------------------------------------------------------------------------------------

def sv_struct(name, fields, bits):
    """Lines of a packed struct; what no field has is unused_LOW."""
    lines, at = [], bits
    for f in sorted(fields, key=lambda f: -f.low):
        if f.high + 1 < at:
            lines.append((at - f.high - 1, f"unused_{f.high + 1}", "", ""))
        lines.append((f.room, f.name, f.type, f.help))
        at = f.low
    if at:
        lines.append((at, "unused_0", "", ""))
    out = ["  typedef struct packed {"]
    for width, field, kind, text in lines:
        out.append(f"    {kind or ('logic' if width == 1 else f'logic [{width - 1}:0]')} {field};" + (f"  // {text.replace('{i}', 'i')}" if text else ""))
    return out + [f"  }} {name};"]


def sv_ones(f, shift):
    if f.width == str(f.room):
        return f"64'h{((1 << f.room) - 1) << (f.low + shift):016x}"
    return f"((64'hffffffffffffffff >> (64 - ({f.width}))) << {f.low + shift})"


def package(m):
    sv = ["// Generated from rtl/common/registers.toml by scripts/gen/regs.py. Do not edit.",
          "// For each register: REG_X its address, reg_x_t its fields, MASK_X the bits that a write keeps, RESET_X its value after reset.",
          "package regs_pkg;"] + [f"  import {p}::*;" for p in ("vl_cfg_pkg", "vellum_pkg", "policy_pkg", "mem_pkg", "mmu_pkg", "memside_pkg")]
    sv += ["  typedef logic [15:0] reg_addr_t;", f"  localparam reg_addr_t REG_KERNEL_STRIDE = 16'h{m.kernel_stride:x};  // from a kernel slot's registers to the next one's",
           f"  localparam reg_addr_t REG_CORE_STRIDE = 16'h{m.core_stride:x};"]
    sv += [f"  localparam reg_addr_t REG_FIRST_{b['name'].upper()} = 16'h{b['first']:x};" for b in m.blocks]
    slot = m.kernel_stride.bit_length() - 1
    sv += ["  // The parts of an address: the kernel slot, and the register in its range.",
           f"  function automatic logic [{15 - slot}:0] reg_slot(input reg_addr_t addr);", f"    return addr[15:{slot}];", "  endfunction",
           "  function automatic reg_addr_t reg_in_slot(input reg_addr_t addr);", f"    return {{{16 - slot}'d0, addr[{slot - 1}:3], 3'd0}};", "  endfunction"]
    for r in m.registers:
        sv += ["", f"  // {r.help or r.fields[0].help}", f"  localparam reg_addr_t REG_{r.name} = 16'h{r.address:03x};"]
        for name, fields in r.views().items():
            if r.array:
                sv += sv_struct(f"{name[:-2]}_{r.array}_t", fields, r.stride)
                sv += ["  typedef struct packed {", f"    {name[:-2]}_{r.array}_t [{r.count - 1}:0] {r.array};", f"  }} {name};"]
            else:
                sv += sv_struct(name, fields, 64)
        sv += [f"  localparam logic [{f.room - 1}:0] {r.name}_{f.name.upper()}_{n.upper()} = {f.room}'d{v};" for f in r.fields if not f.type for n, v in f.values.items()]
        kept = [f for f in r.fields if f.access == "RW" and f.kept]
        if kept:
            ones = [sv_ones(f, i * r.stride) for f in kept for i in range(r.count)]
            sv.append(f"  localparam logic [63:0] MASK_{r.name} = " + " | ".join(ones) + ";")
        if kept or any(f.reset != "0" for f in r.fields):
            sv += [f"  localparam int unsigned RESET_{r.name}_{f.name.upper()} = {f.reset};" for f in r.fields if not is_number(f.reset)]
            words = [f"(64'(RESET_{r.name}_{f.name.upper()}) << {f.low + i * r.stride})" if not is_number(f.reset) else f"64'h{int(f.reset, 0) << (f.low + i * r.stride):x}"
                     for f in r.fields if f.reset != "0" for i in range(r.count)]
            sv.append(f"  localparam logic [63:0] RESET_{r.name} = " + (" | ".join(words) or "64'h0") + ";")
    return "\n".join(sv + policies.functions(m.structs) + ["endpackage", ""])


# ---- C ---------------------------------------------------------------------------------------------------------------------

def c_expression(text):
    return text.replace("idx_w(", "VL_IDX_W(")


def c_type(room):
    return "bool" if room == 1 else f"uint{next(w for w in (8, 16, 32, 64) if room <= w)}_t"


def c_ones(f, shift):
    if f.width == str(f.room):
        return f"0x{((1 << f.room) - 1) << (f.low + shift):x}ull"
    return f"(~0ull >> (64 - ({c_expression(f.width)})) << {f.low + shift})"


def c_view(r, name, fields):
    """The struct of a view and the functions to and from a word."""
    members = " ".join(f"{c_type(f.room)} {f.name};" for f in fields)
    out = [f"typedef struct {{ {f'struct {{ {members} }} {r.array}[{r.count}];' if r.array else members} }} {name};"]
    of = (lambda i: f".{r.array}[{i}]") if r.array else (lambda i: "")
    get, put = [], []
    for i in range(r.count):
        for f in fields:
            low, ones = f.low + i * r.stride, f"0x{(1 << f.room) - 1:x}"
            cut = "" if f.room == 64 else f" & {ones}"
            get.append(f"{of(i)}.{f.name} = w{f' >> {low}' if low else ''}{cut}")
            put.append(f"((uint64_t)v{of(i)}.{f.name}{cut}){f' << {low}' if low else ''}")
    return out + [f"static inline {name} {name[:-2]}_get(uint64_t w) {{ return ({name}){{{', '.join(get)}}}; }}",
                  f"static inline uint64_t {name[:-2]}_put({name} v) {{ return {' | '.join(put)}; }}"]


def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def header(m):
    h = ["/* Generated from rtl/common/registers.toml by scripts/gen/regs.py. Do not edit.",
         " * Of each register: REG_X its address; reg_x_t its fields, reg_x_get a word's fields, reg_x_put the word of fields; MASK_X the bits that a write keeps and",
         " * RESET_X what it is after reset, both in terms of the configuration (vl_cfg.h). */",
         "#ifndef VL_REGS_H", "#define VL_REGS_H", "#include <stdbool.h>", "#include <stdint.h>", "",
         "/* Bits of an index into n things. */", "#define VL_IDX_W(n) ((n) <= 1 ? 1 : 64 - __builtin_clzll((unsigned long long)(n) - 1))", "",
         "enum {", f"    REG_KERNEL_STRIDE = 0x{m.kernel_stride:x}, /* from a kernel slot's registers to the next one's */", f"    REG_CORE_STRIDE = 0x{m.core_stride:x},"]
    h += [f"    REG_FIRST_{b['name'].upper()} = 0x{b['first']:x}," for b in m.blocks]
    h += [f"    REG_{r.name} = 0x{r.address:03x}," for r in m.registers] + ["};",
          "/* Of an address: the kernel slot, and the register in its range. */",
          f"static inline unsigned reg_slot(unsigned addr) {{ return addr / REG_KERNEL_STRIDE; }}",
          "static inline unsigned reg_in_slot(unsigned addr) { return addr % REG_KERNEL_STRIDE & ~7u; }"]
    for r in m.registers:
        h += ["", f"/* {r.name}: {r.help or r.fields[0].help} */"]
        for name, fields in r.views().items():
            h += c_view(r, name, fields)
        h += ["enum { " + ", ".join(f"{r.name}_{f.name.upper()}_{n.upper()} = {v}" for n, v in f.values.items()) + " };" for f in r.fields if f.values]
        kept = [f for f in r.fields if f.access == "RW" and f.kept]
        if kept:
            h.append(f"#define MASK_{r.name} (" + " | ".join(c_ones(f, i * r.stride) for f in kept for i in range(r.count)) + ")")
        if kept or any(f.reset != "0" for f in r.fields):
            words = [f"(uint64_t)({c_expression(f.reset)}) << {f.low + i * r.stride}" for f in r.fields if f.reset != "0" for i in range(r.count)]
            h.append(f"#define RESET_{r.name} (" + (" | ".join(words) or "0ull") + ")")
    keys = sorted({n for r in m.registers for f in r.fields for n in re.findall(r"[A-Z]\w*", f"{f.width} {f.reset}")})
    h += ["", "/* X(NAME, \"key\") for each field of the configuration that is used in expressions here. */", "#define VL_REGISTER_KEYS(X) " + " ".join(f'X({k}, "{k.lower()}")' for k in keys),
          "", "/* R(name, address, block, per, help) for every register, followed by F(register, name, lowest bit, room, width, reset, access, kept, elements, from one to the next, help)",
          " * for every field of it. */", "#define VL_REGISTERS(R, F) \\"]
    for r in m.registers:
        h.append(f"    R({r.name}, 0x{r.address:03x}, {r.block}, {r.per}, {c_string(r.help)}) \\")
        h += [f"    F({r.name}, {f.name}, {f.low}, {f.room}, {c_expression(f.width)}, {c_expression(f.reset)}, {f.access}, {int(f.kept)}, {r.count}, {r.stride if r.array else 0}, {c_string(f.help.replace('{i}', 'i'))}) \\"
              for f in r.fields]
    h += ["", "/* X(id, name, values, help, names, most, default, register, lowest bit, mask, words...) for every policy. `names`: the number of its values' names, chosen by number: `default` is one of them,",
          " * and `words` what they are in the register; 0: they are the numbers 0 to `most`. */", "#define VL_POLICIES(X) \\"]
    for p in m.policies:
        words = "".join(f", 0x{w:x}ull" for w in p.words.values()) or ", 0"
        h.append(f"    X(VL_POLICY_{p.name.upper()}, {c_string(p.name)}, {c_string(p.values())}, {c_string(p.help)}, {len(p.words)}, {p.most}u, {c_expression(str(p.default))}, REG_{p.register.name}, {p.low}, 0x{p.mask:x}ull{words}) \\")
    return "\n".join(h + ["", "#endif", ""])


# ---- pages -----------------------------------------------------------------------------------------------------------------

def place(f):
    bits = str(f.high) if f.room == 1 else f"{f.high}:{f.low}"
    return bits + (f" + {f.register.stride} i, i < {f.register.count}" if f.register.array else "")


def meaning(f, policies):
    text = f.help.replace("{i}", "i")
    if f.values:
        text += ": " + ", ".join(f"{v} {n}" for n, v in sorted(f.values.items(), key=lambda x: x[1]))
    if f.width != str(f.room):
        text += f"; {f.width} bits"
    names = [f.policy] if f.policy else [p.name for p in policies if p.register is f.register and not f.register.array and p.low == 0 and p.mask >> f.low & 1]
    return text + "".join(f" (`--set {n}`)" for n in names)


def table(m, block):
    rows = [BEGIN.format(block), "| address | register | bits | field | access | reset | |", "|---|---|---|---|---|---|---|"]
    for r in sorted((r for r in m.registers if r.block == block), key=lambda r: r.address):
        address = f"{'K ' if r.per == 'kernel' else ''}0x{r.address:03x}{f' + {m.core_stride} c' if r.per == 'core' else ''}"
        name = f"{r.name}{' c' if r.per == 'core' else ''}"
        if len(r.fields) == 1:
            f = r.fields[0]
            rows.append(f"| {address} | {name} | {place(f)} | {f.name} | {f.access} | {f.reset} | {f'{r.help}: ' if r.help else ''}{meaning(f, m.policies)} |")
            continue
        rows.append(f"| {address} | {name} | | | {'' if r.fields else 'WO '}| | {r.help} |")
        rows += [f"| | | {place(f)} | {f.name} | {f.access} | {'' if f.access == 'WO' else f'{f.reset} '}| {meaning(f, m.policies)} |" for f in r.fields]
    return "\n".join(rows + [END])


def pages(m):
    """Path -> (text, what it must be)."""
    out = {}
    for b in m.blocks:
        path = os.path.join(ROOT, "docs", "blocks", f"{b['name']}.md")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        begin, end = text.find(BEGIN.format(b["name"])), text.find(END)
        if begin < 0 or end < begin:
            sys.exit(f"docs/blocks/{b['name']}.md lacks the lines '{BEGIN.format(b['name'])}' and '{END}'")
        out[path] = text, text[:begin] + table(m, b["name"]) + text[end + len(END):]
    return out


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    try:
        m = Map(args[0] if args else SOURCE)
    except (Wrong, ConfigError) as e:
        sys.exit(str(e))
    if args:
        return
    for path, (text, want) in pages(m).items():
        if "--check" not in sys.argv:
            write_if_changed(path, want)
        elif text != want:
            sys.exit(f"{os.path.relpath(path, ROOT)} is out of date: run scripts/gen/regs.py")
    if "--check" in sys.argv:
        return
    os.makedirs(os.path.join(ROOT, "build", "gen"), exist_ok=True)
    for name, text in (("policy_pkg.sv", policies.sv(m.structs)), ("regs_pkg.sv", package(m)), ("vl_regs.h", header(m)), ("vl_policies.h", policies.c_functions(m.structs))):
        write_if_changed(os.path.join(ROOT, "build/gen", name), text)


if __name__ == "__main__":
    main()
