"""The instances of a composition and the driver of each of their inputs, from the elaborated RTL (svxml.py).

A composition holds instances and nets only, so that everything is made of pieces of bits: (kind, name, type, lsb, width), where kind is
  "port"    an input of the composition
  "inst"    an output of an instance, name being (instance, port)
  "const"   name being the value
  "call"    a function of a package, name being (function, [pieces of each argument])
  "and"     of two nets, bit by bit (a valid and its ready), name being [pieces of each]
What or_words joins is no piece: the composition's own code joins it in C (`joined` and `by_hand` of sim_c/wiring.toml).
"""
import os
import pickle
import sys

from sources import compositions, page
from svxml import Array, Struct, Vec, const_value


class Instance:
    def __init__(self, path, name, block, conns):
        self.path = path        # of generate blocks: ((label, index or None), ...)
        self.name = name        # without u_
        self.block = block
        self.conns = conns      # port -> expression


def loop_of(name):
    """g_slice[2] -> ("g_slice", 2)"""
    label, _, index = name.partition("[")
    return label, int(index[:-1]) if index else None


class Composition:
    def __init__(self, net, name):
        self.net = net
        self.name = name
        m = net.module(name)
        if m is None:
            sys.exit(f"netlist: no module {name}")
        self.inputs, self.outputs, self.types = {}, {}, {}
        self.instances, self.drivers = [], {}
        for v in m.findall("var"):
            t = net.port(v.get("dtype_id"))
            self.types[(), v.get("name")] = t
            if v.get("dir") == "input":
                self.inputs[v.get("name")] = t
            elif v.get("dir"):
                self.outputs[v.get("name")] = t
        self.read(m, ())

    def read(self, at, path):
        """Instances and drivers of a module or of one round of a generate loop."""
        if path:
            for v in at.findall("var"):
                if v.get("vartype") != "integer":
                    self.types[path, v.get("name")] = self.net.port(v.get("dtype_id"))
        for e in at:
            if e.tag == "instance":
                made = self.net.made(e.get("defName"))
                conns, directions = {}, {}
                for p in e.findall("port"):
                    if len(p):
                        conns[p.get("name")] = (p[0], path)
                        directions[p.get("name")] = p.get("direction")
                i = Instance(path, e.get("name").removeprefix("u_"), made, conns)
                joins = made == "or_words"
                self.instances += [] if joins else [i]
                for port, d in directions.items():
                    if d == "out":
                        self.drive(conns[port][0], path, ("always", None) if joins else ("inst", (i, port)))
            elif e.tag == "initial":        # a constant's value
                self.drive(e[0][1], path, ("expr", (e[0][0], path)))
            elif e.tag == "contassign":
                self.drive(e[1], path, ("expr", (e[0], path)))
            elif e.tag == "begin":
                # (A block without a name belongs to an `else if`.)
                self.read(e, path + ((loop_of(e.get("name")),) if e.get("name") else ()))
            elif e.tag == "always":
                for a in e.iter("assign"):
                    v = a[1]
                    while v.tag == "sel":
                        v = v[0]
                    self.drivers.setdefault(self.scope(v.get("name"), path), []).append((0, None, ("always", None), 0))

    def scope(self, name, path):
        while (path, name) not in self.types and path:
            path = path[:-1]
        return path, name

    def bits(self, e, path):
        """An expression as pieces of nets, least significant first: (net, lsb, width) or (None, value, width)."""
        if e.tag == "varref":
            n = self.scope(e.get("name"), path)
            return [(n, 0, self.types[n].width)]
        if e.tag == "const":
            return [(None, const_value(e.get("name")), self.net.type(e.get("dtype_id")).width)]
        if e.tag == "extend":
            inner = self.bits(e[0], path)
            return inner and inner + [(None, 0, self.net.type(e.get("dtype_id")).width - self.net.type(e[0].get("dtype_id")).width)]
        if e.tag == "concat":
            return self.bits(e[1], path) + self.bits(e[0], path)
        if e.tag == "funcref":
            return [("call", (e.get("name"), [self.source(a[0], path) for a in e.findall("arg")], self.net.type(e.get("dtype_id"))), None)]
        if e.tag == "and":
            return [("and", ([self.source(x, path) for x in e], Vec(self.net.type(e.get("dtype_id")).width)), None)]
        if e.tag == "sel" and e[1].tag == "const" and e[2].tag == "const":
            lsb, width = const_value(e[1].get("name")), const_value(e[2].get("name"))
            return cut(self.bits(e[0], path), lsb, width)
        return None

    def drive(self, e, path, source):
        lsb = 0
        for net, at, width in self.bits(e, path) or []:
            self.drivers.setdefault(net, []).append((at, width, source, lsb))
            lsb += width

    def resolve(self, net, lsb, width):
        """Where bits of a net come from."""
        path, name = net
        if not path and name in self.inputs:
            return [("port", name, self.inputs[name], lsb, width)]
        out = []
        while width:
            for at, w, (kind, what), src in self.drivers.get(net, []):
                if kind == "always":
                    return None
                if at <= lsb < at + w:
                    n = min(width, at + w - lsb)
                    if kind == "inst":
                        out.append(("inst", what, self.net.port_type(what[0].block, what[1]), src + lsb - at, n))
                    else:
                        inner = self.source(*what)
                        if inner is None:
                            return None
                        out += cut_pieces(inner, src + lsb - at, n)
                    break
            else:
                sys.exit(f"netlist: {self.name}: nobody drives bit {lsb} of {name}")
            lsb, width = lsb + n, width - n
        return out

    def source(self, e, path):
        """Pieces that an expression comes from, least significant first; None: it is more than wires."""
        out = []
        bits = self.bits(e, path)
        if bits is None:
            return None
        for net, lsb, width in bits:
            if net == "call":
                p = [("call", lsb[:2], lsb[2], 0, lsb[2].width)]
            elif net == "and":
                p = None if None in lsb[0] else [("and", lsb[0], lsb[1], 0, lsb[1].width)]
            else:
                p = [("const", lsb, None, 0, width)] if net is None else self.resolve(net, lsb, width)
            if p is None:
                return None
            out += p
        return join(out)

    def input(self, instance, port):
        return self.source(*instance.conns[port])

    def output(self, port):
        pieces = self.resolve(((), port), 0, self.outputs[port].width)
        return None if pieces is None else join(pieces)


def names_of(instances):
    """Instance -> the name in its composition of the place where it stands, which it shares with the other rounds of its loop: the instance's own, if another place
    has that its block's, and if another has that, too, with the loop's."""
    places = dict.fromkeys((tuple(label for label, _ in i.path), i.name, i.block) for i in instances)
    names, blocks = [name for _, name, _ in places], [block for _, _, block in places]

    def named(labels, name, block):
        where = "_".join(label.removeprefix("g_") for label in labels)
        return name if names.count(name) == 1 else block if blocks.count(block) == 1 else f"{where}_{name}" if where else name
    return {i: named(tuple(label for label, _ in i.path), i.name, i.block) for i in instances}


def instances(net, top="vellum", path=()):
    """Every block inside the device that is no composition: (path, block, name in its composition), the path being names with the index of a round of a
    generate loop or None."""
    inside = [i for i in Composition(net, top).instances if page(i.block)]
    for i, name in names_of(inside).items():
        at = (*path, *i.path, (f"u_{i.name}", None))
        if i.block in compositions():
            yield from instances(net, i.block, at)
        else:
            yield at, i.block, name


def several(net):
    """Blocks and compositions of which something holds more than one."""
    out = []
    for c in compositions():
        inside = [i.block for i in Composition(net, c).instances]
        out += [b for b in dict.fromkeys(inside) if inside.count(b) > 1 and b not in out and page(b)]
    return out


def keep(cfgdir, net):
    """For taps.py, which comes twice after ports.py: what it asks of the elaborated device. To elaborate it again takes three seconds."""
    places, more = list(instances(net)), several(net)
    with open(f"{cfgdir}/gen/device.pickle", "wb") as f:
        pickle.dump((places, {b: net.ports(b) for b in dict.fromkeys([b for _, b, _ in places] + more)}, more), f)


def kept(cfgdir):
    """(instances, ports by block, several) of the device."""
    with open(f"{cfgdir}/gen/device.pickle", "rb") as f:
        return pickle.load(f)


def scopes(cfgdir):
    """Lines of a header: where waves have each block, and each composition, by the core that it is in (-1: in none)."""
    found = {}
    for path, block, _ in kept(cfgdir)[0]:
        scope, core = "TOP.vellum", -1
        for k, (label, index) in enumerate(path):
            scope += f".{label}" if index is None else f".{label}[{index}]"
            core = index if label == "g_core" else core
            if index is None:
                found.setdefault(scope, (block if k == len(path) - 1 else label.removeprefix("u_"), core))
    yield "/* Generated by scripts/gen/ports.py. Do not edit. */"
    yield f"enum {{ SCOPES = {len(found)} }};"
    yield "#define VL_SCOPES(X) \\"
    yield from (f'    X("{block}", {core}, "{scope}") \\' for scope, (block, core) in found.items())
    yield ""


def cut(bits, lsb, width):
    out, at = [], 0
    for net, a, w in bits:
        lo, hi = max(at, lsb), min(at + w, lsb + width)
        if lo < hi:
            out.append((net, a >> (lo - at) & ((1 << (hi - lo)) - 1) if net is None else a + lo - at, hi - lo))
        at += w
    return out


def cut_pieces(pieces, lsb, width):
    out, at = [], 0
    for kind, name, t, a, w in pieces:
        lo, hi = max(at, lsb), min(at + w, lsb + width)
        if lo < hi:
            # both operands of an `and` are cut, so that bit 0 stays the lowest
            if kind == "and":
                out.append((kind, [cut_pieces(x, a + lo - at, hi - lo) for x in name], Vec(hi - lo), 0, hi - lo))
                at += w
                continue
            out.append((kind, name >> (lo - at) & ((1 << (hi - lo)) - 1), None, 0, hi - lo) if kind == "const" else (kind, name, t, a + lo - at, hi - lo))
        at += w
    return out


def join(pieces):
    """Neighbours become one."""
    out = []
    for p in pieces:
        q = out[-1] if out else None
        if q and p[0] in ("port", "inst") and q[:2] == p[:2] and q[3] + q[4] == p[3]:
            out[-1] = (*q[:4], q[4] + p[4])
        else:
            out.append(p)
    return out


def fields(t):
    """(what to append to a C expression, type, lsb) of the parts of a struct or array."""
    if isinstance(t, Array):
        return [(f"[{i}]", t.elem, i * t.elem.width) for i in range(t.n)]
    out, lsb = [], t.width
    for n, f in t.fields:
        lsb -= f.width
        out.append((f".{n}", f, lsb))
    return out


def part(expr, t, lsb, width):
    """The smallest part of a C value that has these bits: (expression, type, lsb)."""
    while isinstance(t, (Array, Struct)) and not (lsb == 0 and width == t.width):
        for suffix, f, at in fields(t):
            if at <= lsb and lsb + width <= at + f.width:
                expr, t, lsb = expr + suffix, f, lsb - at
                break
        else:
            break
    return expr, t, lsb


def same(a, b):
    """One C type."""
    if isinstance(a, Array) or isinstance(b, Array):
        return isinstance(a, Array) and isinstance(b, Array) and a.n == b.n and same(a.elem, b.elem)
    if isinstance(a, Struct) or isinstance(b, Struct):
        return isinstance(a, Struct) and isinstance(b, Struct) and a.name == b.name
    return a.width == b.width
