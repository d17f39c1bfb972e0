"""The structs in which fields of registers travel to other blocks (`to` in rtl/common/registers.toml): their types, and the functions that fill them from registers.

  scripts/gen/regs.py writes what sv, functions and c_functions return.
"""
import re

PLACE = re.compile(r"(?P<path>[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+)(\[(?P<index>\d+)\])?")


class Member:
    """A level, or an array of levels: element number -> (register, field, element of the register)."""

    def __init__(self, field):
        self.room, self.type, self.help, self.sources = field.room, field.type, field.help, {}

    def elements(self):
        return [self.sources[k] for k in sorted(self.sources)]

    def is_array(self):
        return None not in self.sources


class Structs:
    """All of them: name -> {member: Member, or such a dictionary}. What is wrong is told to say()."""

    def __init__(self, rows, registers, say):
        self.help = {row["name"]: row["help"] for row in rows}
        self.roots = {name: {} for name in self.help}
        self.enums = {}
        for register in registers:
            for field in register.fields:
                if field.policy and field.values and field.type:
                    self.enumerate(register, field, say)
                for place in field.places():
                    for i in range(register.count):
                        self.put(place.replace("{i}", str(i)), register, field, i, say)
        for name, members in self.roots.items():
            if not members:
                say(f"struct '{name}': no field goes there")
            self.check_arrays(name, members, say)

    def enumerate(self, register, field, say):
        if not field.type.endswith("_e") or self.enums.setdefault(field.type, field) is not field:
            say(f"register '{register.name}': field '{field.name}': the enumeration of a policy is an x_e, and declared once, not '{field.type}'")

    def put(self, place, register, field, i, say):
        who = f"register '{register.name}': field '{field.name}'"
        parts = PLACE.fullmatch(place)
        path = parts["path"].split(".") if parts else [place]
        if not parts or path[0] not in self.roots:
            say(f"{who} goes to '{place}', which is no member of {', '.join(self.roots)}")
            return
        if field.access != "RW" or not field.kept or field.width != str(field.room):
            say(f"{who} goes to '{place}', and must be RW, kept, and of one width in all configurations")
        inside = self.roots[path[0]]
        for name in path[1:-1]:
            inside = inside.setdefault(name, {})
            if isinstance(inside, Member):
                say(f"{who} goes to '{place}', and another field to '{name}'")
                return
        member = inside.setdefault(path[-1], Member(field))
        index = int(parts["index"]) if parts["index"] else None
        if isinstance(member, dict) or index in member.sources or (member.sources and (index is None or not member.is_array())):
            say(f"{who} goes to '{place}', and so does another field")
        elif (member.room, member.type) != (field.room, field.type):
            say(f"{who} goes to '{place}', whose other elements are of another type")
        else:
            member.sources[index] = register, field, i

    def check_arrays(self, name, members, say):
        for key, member in members.items():
            if isinstance(member, dict):
                self.check_arrays(f"{name}.{key}", member, say)
            elif member.is_array() and sorted(member.sources) != list(range(len(member.sources))):
                say(f"'{name}.{key}' lacks an element below {max(member.sources)}")

    def registers(self, members):
        """Those that the members come from, in the order of the file."""
        found = {}
        for member in members.values():
            found |= self.registers(member) if isinstance(member, dict) else {r.address: r for r, _, _ in member.elements()}
        return found

    def arguments(self, name):
        return sorted(self.registers(self.roots[name]).values(), key=lambda r: r.address)


def type_of(name, root):
    return f"{name}_t" if root else f"{name}_policy_t"


def sv_struct(name, members, root):
    """Lines of the struct, those inside first."""
    lines, own = [], []
    for key, member in members.items():
        if isinstance(member, dict):
            lines += sv_struct(key, member, False)
            own.append(f"    {type_of(key, False)} {key};")
            continue
        count = f"[{len(member.sources) - 1}:0]" if member.is_array() else ""
        room = "" if member.room == 1 and not count else f"[{member.room - 1}:0]"
        kind = f"{member.type} {count}" if member.type else f"logic {count}{room}"
        own.append(f"    {kind.strip()} {key};" + ("" if count else f"  // {member.help}"))
    return lines + ["  typedef struct packed {", *own, f"  }} {type_of(name, root)};"]


def sv(s):
    """policy_pkg."""
    out = ["// Generated from rtl/common/registers.toml by scripts/gen/regs.py. Do not edit.", "// The structs in which policies travel to the blocks that use them, and their enumerations.",
           "package policy_pkg;", "  import vl_cfg_pkg::*, vellum_pkg::*;"]
    for name, field in s.enums.items():
        values = ", ".join(f"{name.split('_')[0].upper()}_{value.upper()} = {number}" for value, number in field.values.items())
        out += ["", f"  // {field.help}", f"  typedef enum logic{f' [{field.room - 1}:0]' if field.room > 1 else ''} {{{values}}} {name};"]
    for name, members in s.roots.items():
        out += ["", f"  // {s.help[name]}", *sv_struct(name, members, True)]
    return "\n".join(out + ["endpackage", ""])


def source(register, field, i):
    element = f".{register.array}[{i}]" if register.array else ""
    return f"{register.lower()}{element}.{field.name}"


def fill(members, literal, array):
    """The struct as an expression: literal(members' names and expressions), array(elements)."""
    parts = {}
    for key, member in members.items():
        if isinstance(member, dict):
            parts[key] = fill(member, literal, array)
        else:
            sources = [source(*x) for x in member.elements()]
            parts[key] = array(sources) if member.is_array() else sources[0]
    return literal(parts)


def functions(s):
    """Lines of regs_pkg."""
    out = []
    for name, members in s.roots.items():
        arguments = ", ".join(f"input reg_{r.lower()}_t {r.lower()}" for r in s.arguments(name))
        value = fill(members, lambda parts: "'{" + ", ".join(f"{k}: {v}" for k, v in parts.items()) + "}", lambda x: "{" + ", ".join(reversed(x)) + "}")
        out += ["", f"  function automatic {name}_t {name}_of({arguments});", f"    return {value};", "  endfunction"]
    return out


def c_functions(s):
    """vl_policies.h."""
    out = ["/* Generated from rtl/common/registers.toml by scripts/gen/regs.py. Do not edit.", " * X_of fills struct X, which a block puts out, from the words of its registers. */",
           "#ifndef VL_POLICIES_H", "#define VL_POLICIES_H", '#include "vl_regs.h"', '#include "vl_types.h"']
    for name, members in s.roots.items():
        registers = s.arguments(name)
        out += ["", f"static inline {name}_t {name}_of({', '.join(f'uint64_t {r.lower()}_word' for r in registers)})", "{"]
        out += [f"    const reg_{r.lower()}_t {r.lower()} = reg_{r.lower()}_get({r.lower()}_word);" for r in registers]
        value = fill(members, lambda parts: "{" + ", ".join(f".{k} = {v}" for k, v in parts.items()) + "}", lambda x: "{" + ", ".join(x) + "}")
        out += [f"    return ({name}_t){value};", "}"]
    return "\n".join(out + ["#endif", ""])
