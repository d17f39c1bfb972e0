"""Of wiring.py: C of a value that pieces of nets make, and its assignment."""
from netlist import cut_pieces, fields, part, same
from svxml import Array, Struct, Vec
from wiring_words import WiringError, bits_of, pointers, scalar, runs_of, unify_runs


class Values:
    """C of a value that pieces of nets make, and its assignment."""

    def value(self, piece):
        """(expression, type, lsb) of the smallest part of a C value that holds the piece."""
        kind, name, t, lsb, width = piece
        if kind == "call":
            args = []
            for pieces in name[1]:
                at = self.value(pieces[0]) if len(pieces) == 1 else None
                if at is None or at[2] or at[1].width != pieces[0][4]:
                    raise WiringError(f"{self.name}: an argument of {name[0]} is put together from parts")
                expr, found = at[:2]
                while isinstance(found, Array) and found.n == 1:    # the only one of its kind, where a port has as many as there are kernels
                    expr, found = expr + "[0]", found.elem
                args.append(expr if scalar(found) else f"&{expr}")
            return part(f"{name[0]}({', '.join(args)})", t, lsb, width)
        if kind == "and":
            return f"({self.number(name[0])} & {self.number(name[1])})", t, 0
        if kind == "inst":
            g, k = self.place[name[0]]
            if g in self.inner:
                return self.shown_at(g, k, name[1], t, lsb, width)
            return part(f"{g.at('_o', k)}.{name[1][:-2]}", t, lsb, width)
        if name in self.held:
            return part("v" if scalar(t) else "(*v)", t, lsb, width)
        base = f"w->{name[:-2]}"
        if self.top or scalar(t):
            return part(base, t, lsb, width)
        if pointers(t):         # one each element
            n = lsb // t.elem.width
            if lsb + width > (n + 1) * t.elem.width:
                return base, t, lsb
            return part(f"(*{base}[{n}])", t.elem, lsb - n * t.elem.width, width)
        return part(base if isinstance(t, Array) else f"(*{base})", t, lsb, width)

    def shown_at(self, g, k, port, t, lsb, width):
        """The same of what a composition inside this one shows."""
        base, sub = f"{g.at('_view', k)}.{port[:-2]}", self.subs[g.block]
        if sub.form(port) == "each":
            elem = t.elem if isinstance(t, Array) else Vec(1)
            n = lsb // elem.width
            if lsb + width > (n + 1) * elem.width:
                return base, t, lsb
            return part(f"(*{base}[{n}])", elem, lsb - n * elem.width, width)
        return part(base if isinstance(t, Array) else f"(*{base})", t, lsb, width)

    def in_pointers(self, piece):
        """Whether the elements of a piece's array stand behind a pointer each."""
        kind, name, t = piece[:3]
        if kind == "port":
            return pointers(t) and name not in self.held and not self.top
        if kind != "inst" or not isinstance(t, Array):
            return False
        g, _ = self.place[name[0]]
        return g in self.inner and self.subs[g.block].form(name[1]) == "each"

    def bits(self, piece):
        """C of a piece as a number of up to 64 bits, or as a set."""
        if piece[0] == "const":
            return f"0x{piece[1]:x}ull"
        if piece[0] in ("port", "inst") and self.in_pointers(piece):       # never all of them at once
            elem = piece[2].elem.width
            if piece[3] // elem != (piece[3] + piece[4] - 1) // elem:
                raise WiringError(f"{self.name}: {piece[4]} bits of {self.value(piece)[0]} are taken apart")
        return self.cut(*self.value(piece), piece[4])

    def cut(self, expr, t, lsb, width):
        """C of some bits of a value, as a number."""
        if not scalar(t):
            if width > 64 or not isinstance(t, (Array, Struct)):
                raise WiringError(f"{self.name}: {width} bits of {expr} are taken apart")
            parts = []
            for suffix, f, at in fields(t):
                lo, hi = max(at, lsb), min(at + f.width, lsb + width)
                if lo < hi:
                    inner = self.cut(expr + suffix, f, lo - at, hi - lo)
                    parts.append(f"(uint64_t){inner} << {lo - lsb}" if lo > lsb else f"(uint64_t){inner}")
            return parts[0] if len(parts) == 1 else "(" + " | ".join(parts) + ")"
        if width == t.width:
            return expr
        if width > 64:
            raise WiringError(f"{self.name}: {width} bits of the set {expr} are taken apart")
        shifted = f"({expr} >> {lsb})" if lsb or self.sub or self.arrays else expr      # all rounds of a loop must have the same form
        return f"({shifted} & 0x{(1 << width) - 1:x})"

    def whole(self, pieces, t):
        """The one C value of type t that the pieces are, or None."""
        if len(pieces) != 1 or pieces[0][0] == "const" or (isinstance(t, Array) and self.in_pointers(pieces[0])):
            return None
        expr, found, lsb = self.value(pieces[0])
        while isinstance(found, Array) and found.n == 1 and not same(found, t):
            expr, found = expr + "[0]", found.elem
        return expr if lsb == 0 and found.width == t.width and same(found, t) else None

    def number(self, pieces):
        out, at, t = [], 0, bits_of(sum(p[4] for p in pieces))
        for p in pieces:
            b = self.bits(p)
            out.append(f"({t}){b} << {at}" if at else b)
            at += p[4]
        return out[0] if len(out) == 1 else "(" + " | ".join(out) + ")"

    def split(self, pieces, t):
        """(suffix, type, pieces) of the parts of t."""
        return [(suffix, f, cut_pieces(pieces, at, f.width)) for suffix, f, at in fields(t)]

    def assign(self, dst, t, pieces, guard=None):
        """Statements. `guard`: element i of an array counts only if its bit i is set."""
        src = self.whole(pieces, t)
        if src is not None and not guard:
            return [f"memcpy({dst}, {src}, sizeof {dst});" if isinstance(t, Array) else f"{dst} = {src};"]
        if scalar(t):
            return [f"{dst} = {self.number(pieces)};"]
        if not isinstance(t, (Array, Struct)):
            if any(p[:2] != ("const", 0) for p in pieces):
                raise WiringError(f"{self.name}: {dst} is put together from parts")
            return [f"memset(&{dst}, 0, sizeof {dst});"]
        parts = [self.assign(dst + suffix, f, p) for suffix, f, p in self.split(pieces, t)]
        if not guard:
            return sum(parts, [])
        indent = ["    " + x for x in sum(parts, [])]
        if len(parts) == 1:
            return [f"if ({guard}) {{", *indent, "}"]
        if self.unrolled or len(parts) == len(runs_of(parts, "j")):     # unrolled: elements of a round of a loop
            return sum(([f"if ({guard} >> {i} & 1) {{", *("    " + x for x in s), "}"] for i, s in enumerate(parts)), [])
        return [f"for ({bits_of(t.n)} v = {guard}; v; v &= v - 1) {{", f"    const unsigned j = {'(unsigned)__builtin_ctzll' if t.n <= 64 else 'vl_first'}(v);", *("    " + x for x in unify_runs(parts, "j")), "}"]

    def level(self, dst, t, pieces, steady):
        """Statements that copy, and note whether it says anything: it is not 0, or changes. What is `steady` says something when it changes."""
        if scalar(t):
            src = self.number(pieces)
            return [f"if ({dst} {'!=' if steady else '|'} {src}) {{", f"    {dst} = {src};", "    moves = true;", "}"]
        out = []
        if isinstance(t, (Array, Struct)):
            for suffix, f, p in self.split(pieces, t):
                out += self.level(dst + suffix, f, p, steady)
            return out
        src = self.whole(pieces, t)
        return [f"if (memcmp(&{dst}, &{src}, sizeof {dst})) {{", f"    {dst} = {src};", "    moves = true;", "}"]
