#!/usr/bin/env python3
"""Lets the instances of one module share their code, in C++ made by Verilator 5.006.

  share.py DIR PREFIX

A module that is not inlined (taps.vlt) is a class, and the functions of its instances differ only in numbers that Verilator counts through
the design: of inlined function calls (members and locals __Vfunc_...__12__a), of labels, of temporaries. Verilator merges functions only where even
those are equal. Here the members of instance 1, 2, ... take the names of instance 0's, and functions whose text is then equal become one.

Why this changes nothing: members are renamed for one instance as a whole (every function that only this instance runs), a name is given only if
nothing else that runs on this instance uses it, and only if no function of several instances, nor the trace, knows the old one (constructors
reset both). So an instance only keeps its values in other members of its own object. Code that does not fit is left as it is: it costs speed only.
"""
import collections
import glob
import re
import sys

# What Verilator numbers through the design. Anything else that it came to number would differ, and so be left as it is.
# Patterns over the whole text begin with letters, for which Python looks ten times as fast as for a \b or the text before: these are checked in each match.
NUMBERED = re.compile(r"__V(?:label\d+|tableidx\d+|(?:temp|func|task)_\w+)")
COUNT = re.compile(r"(?<=label)\d+|(?<=tableidx)\d+|(?<=temp_)h\w+|__\d+(?=__|$)")
MEMBER = re.compile(r"__V(?:temp|func|task)_\w+")
IN_WORD = re.compile(r"\w")


def members(text):
    """What of an object a text names."""
    return {m.group(0) for m in MEMBER.finditer(text) if text[m.start() - 1] in ">."}


class Function:
    def __init__(self, file, name, text):
        self.file, self.name, self.text = file, name, text
        self.instances = set()

    def parse(self):
        """key: the text with what is numbered by its first place; order: what stands there; members: what of the object it names."""
        seen = {}
        body = re.sub(r"VL_DEBUG_IF\(.*\n", "", self.text[self.text.index("{"):])

        def place(m):
            name = m.group(0)
            if IN_WORD.match(m.string, m.start() - 1):
                return name
            if name not in seen:        # the name without its number says which function and variable it is of, and so its type
                seen[name] = f"{COUNT.sub('', name)}#{len(seen)}#"
            return seen[name]

        self.key = "".join(NUMBERED.sub(place, body).split())
        self.order = list(seen)
        self.members = members(body)


def share(cls, prefix, files):
    head = re.compile(rf"^(?:VL_INLINE_OPT |VL_ATTR_COLD )?void ({prefix}_{cls}___\w+)\({prefix}_{cls}\* vlSelf\) \{{\n", re.M)
    functions = {}
    for file, text in files.items():
        if f"/{prefix}_{cls}__" in file:
            # An assertion's message takes its place from the object, which knows its name, and not from a constant.
            text = files[file] = re.sub(r"vlSymsp->name\(\)", "vlSelf->name()", re.sub(INSIDE[cls], "%N", text))
            functions.update((m.group(1), Function(file, m.group(1), text[m.start():text.index("\n}\n", m.end()) + 3])) for m in head.finditer(text))
    call = re.compile(rf"({prefix}_{cls}___\w+)\(\(?(&?[\w>\-]+)\)?")
    elsewhere = set()
    for file, text in files.items():
        for name, what in call.findall(text) if f"{prefix}_{cls}___" in text else ():
            if name in functions and what != f"{prefix}_{cls}":
                functions[name].instances.add(what)
        if f"/{prefix}_{cls}__" not in file:
            elsewhere |= members(text)
    instances = sorted({i for f in functions.values() for i in f.instances if i.startswith("&")}, key=lambda s: [int(n) for n in re.findall(r"\d+", s)])
    if len(instances) < 2:
        return {}, 0
    for f in functions.values():
        f.parse()
    own = {i: [f for f in functions.values() if f.instances == {i}] for i in instances}
    first = collections.defaultdict(list)
    for f in own[instances[0]]:
        first[f.key].append(f)
    merged = {}
    for i in instances[1:]:
        left = {k: list(v) for k, v in first.items()}
        pairs = [(f, left[f.key].pop(0)) for f in own[i] if left.get(f.key)]
        fixed = elsewhere | {m for f in functions.values() if f.instances != {i} and "___ctor_" not in f.name
                             and (i in f.instances or not f.instances or "vlSelf" in f.instances) for m in f.members}
        used = {m for f in own[i] for m in f.members}
        to, back, bad = {}, {}, set()
        for f, g in pairs:
            for a, b in zip(f.order, g.order):
                if a in f.members or b in g.members:
                    if not (a in f.members and b in g.members) or to.setdefault(a, b) != b or back.setdefault(b, a) != a:
                        bad |= {a, b}
        moved = {a: b for a, b in to.items() if a != b}
        while True:     # a name that stays may be the target of another one, which then has to stay as well
            no = {a for a, b in moved.items() if a in bad or b in bad or a in fixed or b in fixed or (b in used and b not in moved)}
            if not no:
                break
            for a in no:
                del moved[a]
        for f, g in pairs:
            if all(moved.get(a, a) == b for a, b in zip(f.order, g.order) if a in f.members):
                merged[f.name] = g
        for f in own[i]:
            if f.name not in merged and moved.keys() & f.members:
                new = re.sub(r"(?<=->)\w+", lambda m: moved.get(m.group(0), m.group(0)), f.text)
                files[f.file] = files[f.file].replace(f.text, new)
    for name in merged:
        f = functions[name]
        files[f.file] = files[f.file].replace(f.text, "")
    return {n: g.name for n, g in merged.items()}, len(functions)


def main():
    directory, prefix = sys.argv[1:3]
    files = {f: open(f, encoding="utf-8").read() for f in glob.glob(f"{directory}/{prefix}_*.cpp") if "__Syms" not in f}
    before = dict(files)
    syms = open(f"{directory}/{prefix}__Syms.h", encoding="utf-8").read()
    names = {}
    for cls in sorted(set(re.findall(rf"^    {prefix}_(\w+) +TOP__", syms, re.M))):
        INSIDE[cls] = "|".join(sorted({"%N" + re.escape(n) + r"\." for n in paths(directory, prefix, cls)}, key=len, reverse=True))
        new, count = share(cls, prefix, files)
        names.update(new)
        if count:
            print(f"share: {cls}: {len(new)} of {count} functions are another instance's")
    swap = re.compile(rf"{prefix}_\w+(?=\(\(?&)")
    for f, text in files.items():
        if names and "((&" in text:
            text = declare(prefix, swap.sub(lambda m: names.get(m.group(0), m.group(0)), text), names.values())
        if text != before[f]:
            with open(f, "w", encoding="utf-8") as out:
                out.write(text)


def declare(prefix, text, names):
    """A file declares what it calls before it does so: the other instance's function, too, which may be of another phase, and so of another file."""
    called = set(re.findall(rf"\b{prefix}_\w+(?=\(\(?&)", text))
    lacks = [f"void {n}({n.split('___')[0]}* vlSelf);\n" for n in sorted(set(names) & called) if f"void {n}(" not in text]
    at = [m.end() for m in re.finditer(r"^#include .*\n", text, re.M)][-1]
    return text[:at] + "".join(lacks) + text[at:]


INSIDE = {}


def paths(directory, prefix, cls):
    """The instances' names as the design writes them."""
    text = "".join(open(f, encoding="utf-8").read() for f in glob.glob(f"{directory}/{prefix}__Syms*.cpp"))
    members = re.findall(rf"^    {prefix}_{cls} +(TOP__\w+);", open(f"{directory}/{prefix}__Syms.h", encoding="utf-8").read(), re.M)
    return [m for member in members for m in re.findall(rf'\b{member}{{this, Verilated::catName\(namep, "([^"]+)"\)', text)]


if __name__ == "__main__":
    main()
