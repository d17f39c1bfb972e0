"""Of wiring.py: what a composition publishes of itself, so that nothing outside need be looked at."""
from netlist import cut_pieces
from svxml import Array, Struct
from wiring_words import WiringError, leaves, pointers, unify_runs


class Publishes:
    """What a composition publishes of itself, so that nothing outside need be looked at."""

    def sources(self, pieces):
        return list(dict.fromkeys(self.place[p[1][0]][0].name for p in leaves(pieces) if p[0] == "inst"))

    # -- outputs of the composition --------------------------------------------------------------------------------------------

    def form(self, port):
        """Where an output stands: "one", a block's own; "each", a pointer each element; "joined", put together whenever the outputs of one of its blocks change."""
        if port[:-2] in self.notes.get(self.name, {}).get("joined", []):
            return "joined"
        t, pieces = self.comp.outputs[port], self.comp.output(port)
        if pieces is None:
            raise WiringError(f"{self.name}: output {port[:-2]} is driven by more than wires")
        if (self.whole(pieces, t) is not None and pieces[0][0] == "inst") or self.absent(port):
            return "one"
        if self.arrays and isinstance(t, Array) and all(p[:2] == ("const", 0) for p in pieces):     # from blocks that this configuration does not have: 0 from reset on
            return "joined"
        elements = [] if isinstance(t, Struct) else self.elements(t, pieces)
        if not elements or any(len(p) != 1 or (isinstance(t, Array) and self.whole(p, t.elem) is None) for p in elements):
            raise WiringError(f"{self.name}: output {port[:-2]} is put together from parts")
        stand = all(p[0][0] == "inst" for p in elements)        # each element is an output of some block as it is
        if not stand and not self.arrays and not self.cores:
            raise WiringError(f"{self.name}: output {port[:-2]} is more than wires")
        return "each" if stand and (pointers(t) or not (self.arrays or self.cores)) else "joined"

    def absent(self, port):
        """An output of what this configuration has not: 0, beside blocks that are no loops."""
        return not self.arrays and not self.cores and all(p[:2] == ("const", 0) for p in self.comp.output(port) or [("none", 0)])

    @staticmethod
    def elements(t, pieces):
        """Pieces of each element of an array, of each bit of a number."""
        width = t.elem.width if isinstance(t, Array) else 1
        return [cut_pieces(pieces, i * width, width) for i in range(t.width // width)]

    def whose(self, pieces):
        """The (group, round) of the blocks that say it."""
        return list(dict.fromkeys(self.place[p[1][0]] for p in leaves(pieces) if p[0] == "inst"))

    def joined(self):
        """Outputs that are put together: name -> (type, pieces)."""
        outs = {} if self.top else self.comp.outputs
        own = self.notes.get(self.name, {}).get("joined", [])
        return {n[:-2]: (t, [] if n[:-2] in own else self.comp.output(n)) for n, t in outs.items() if self.form(n) == "joined" and not self.same_as_shown(n[:-2])}

    def same_as_shown(self, name):
        """An output that is already there, as a set of the loop's valids."""
        pieces = self.comp.output(name + "_o")
        return self.cores is not None and self.shown().get(name) == 1 and [(p[0], p[1]) for p in pieces] == [("inst", (i, name + "_o")) for i in self.cores.rounds]

    def put(self, n, t, i, p):
        """The statement that puts element i, which is these pieces, into the output n."""
        return f"c->joined.{n}[{i}] = {self.whole(p, t.elem)};" if isinstance(t, Array) else f"PUT(c->joined.{n}, {i}, {self.number(p)});"

    def say(self, g):
        """Statements that put what round k of g alone says into the outputs that are put together."""
        out = []
        for n, (t, pieces) in self.joined().items():
            found = [[] for _ in g.rounds]
            for i, p in enumerate(self.elements(t, pieces)):
                if len(self.whose(p)) == 1 and self.whose(p)[0][0] is g:
                    found[self.whose(p)[0][1]].append(self.put(n, t, i, p))
            out += unify_runs(found)
        return out

    def say_all(self):
        """Of several blocks at once."""
        lines = []
        for n, (t, pieces) in self.joined().items():
            if len(pieces) == 1 and pieces[0][0] == "and":
                lines.append(f"c->joined.{n} = {self.number(pieces)};")
                continue
            found = [[self.put(n, t, i, p)] if len(self.whose(p)) > 1 else [] for i, p in enumerate(self.elements(t, pieces))]
            if any(found):
                lines += [f"for (unsigned k = 0; k < {len(found)}; k++) {{", *("    " + x for x in unify_runs(found)), "}"]
        return ["/* What only several blocks together say: after all of them. */", f"static inline void {self.name}_say({self.name}_self_t *c)", "{", "    (void)c;", *("    " + x for x in lines), "}", ""]

    def masked(self, g):
        """Whether which of a loop is to be asked is a set."""
        return self.arrays and g.loop and not self.always(g)

    def asks(self, g):
        """Statements: those of loops that hear round k of g, and itself, are to be asked at the next edge whether they hear anything."""
        heard = [{} for _ in g.rounds]
        for k in range(len(g.rounds)):
            if self.masked(g):
                heard[k][g.name] = {k}
        for other in (x for x in self.groups if self.masked(x)):
            for at, i in enumerate(other.rounds):
                for _, pieces in self.inputs(i).values():
                    for source, k in self.whose(pieces):
                        if source is g:
                            heard[k].setdefault(other.name, set()).add(at)
        lines = [[f"c->{n}_ask |= " + (f"1ull << {min(s)};" if len(s) == 1 else f"0x{sum(1 << x for x in s):x}ull;") for n, s in h.items()] for h in heard]
        return unify_runs(lines)

    def called_from_outside(self, g):
        """C of those of a loop to which the composition's inputs say anything: a set."""
        terms, all_ = {}, f"0x{(1 << len(g.rounds)) - 1:x}ull"
        note, outs = self.notes.get(g.block, {}), {n[:-2] for n, d, _ in self.net.ports(g.block) if d == "out"}
        each = [self.inputs(i) for i in g.rounds]
        for n in each[0]:
            rounds = [ins[n][1] for ins in each]
            payload = f"{n}_valid" in each[0] or n in note.get("payload", {})
            if payload or n in note.get("unwatched", []) or not any(p[0] == "port" for r in rounds for p in leaves(r)):
                continue
            if n in note.get("steady", []) or (n.endswith("_ready") and n[:-6] + "_valid" in outs):
                raise WiringError(f"{self.name}: {g.block}.{n} comes from outside: a loop is asked for what is not 0 only")
            if all(len(r) == 1 and r[0][0] == "port" and r[0][1] == rounds[0][0][1] and r[0][3:] == (k, 1) for k, r in enumerate(rounds)) and len(rounds) > 1:
                terms[f"(uint64_t)w->{rounds[0][0][1][:-2]}"] = None
            else:
                for p in (p for r in rounds for p in leaves(r) if p[0] == "port"):
                    terms[f"(w->{p[1][:-2]} ? {all_} : 0)"] = None
        return "".join(f" | {t}" for t in terms)

    def publish(self, g):
        """The function that renews the outputs of a block, or of one of a loop."""
        it, args = g.at("", "k"), ", unsigned k" if g.loop else ""
        lines = [f"{g.block}_out({it}, &{g.at('_o', 'k')});", *self.say(g)]
        if self.masked(g):
            hook = self.notes.get(g.block, {}).get("rests")
            rests = f"{hook}(c, k)" if hook else f"{g.block}_idle({it})"
            lines += [f"PUT(c->{g.name}_busy, k, !{rests});", *self.asks(g)]
        elif not self.always(g):
            lines += self.asks(g)
            hook = self.notes.get(g.block, {}).get("rests")
            rests = f"{hook}(c{', k' if g.loop else ''})" if hook else f"{g.block}_idle({it})"
            lines = [f"if ({g.at('_clocked', 'k')}) {{", *("    " + x for x in lines), f"    {g.at('_clocked', 'k')} = false;", f"    {g.at('_rest', 'k')} = {rests};", "}",
                     f"return {g.at('_rest', 'k')};"]
        return [f"static inline {'void' if self.always(g) or self.masked(g) else 'bool'} publish_{g.name}({self.name}_self_t *c{args})", "{", *("    " + x for x in lines), "}", ""]

    def publish_all(self):
        """All that can rest, and whether they do."""
        lines, rest = [], []
        for g in self.groups:
            if self.always(g):
                rest += [f"for (unsigned k = 0; k < {len(g.rounds)}; k++)", f"    publish_{g.name}(c, k);"] if g.loop else [f"publish_{g.name}(c);"]
            else:
                lines += [f"for (uint64_t v = c->{g.name}_clocked; v; v &= v - 1)", f"    publish_{g.name}(c, (unsigned)__builtin_ctzll(v));", f"c->{g.name}_clocked = 0;",
                          f"rest &= !c->{g.name}_busy;"] if g.loop else [f"rest &= publish_{g.name}(c);"]
        return ["/* Renews the outputs of clocked blocks. Returns whether all blocks that can rest do. */", f"static inline bool {self.name}_publish_blocks({self.name}_self_t *c)", "{",
                "    bool rest = true;", *("    " + x for x in lines), f"    {self.name}_say(c);", "    return rest;", "}", "",
                f"static inline void {self.name}_publish_always({self.name}_self_t *c)", "{", *("    " + x for x in rest), "}", ""]

    def publish_marked(self):
        """Beside a loop of compositions: those that can rest, by the bits of `clocked`."""
        lines = []
        for g in (g for g in self.groups if not self.always(g)):
            hook = self.notes.get(g.block, {}).get("publish")
            out = f"{hook}(c);" if hook else f"{g.block}_out(c->{g.name}, &c->{g.name}_o);"
            lines += [f"if (c->clocked >> I_{g.name} & 1) {{", f"    {out}", *("    " + x for x in self.say(g)), f"    PUT(c->still, I_{g.name}, {g.block}_idle(c->{g.name}));", "}"]
        return ["/* Renews the outputs of those that can rest and were clocked, and notes whether they do (`still`). */", f"static inline void {self.name}_publish_blocks({self.name}_self_t *c)", "{",
                *("    " + x for x in lines), "}", ""]

    def skip_blocks(self):
        """Beside a loop of compositions: those that count levels, in cycles that the composition jumps over."""
        counting = [g for g in self.groups if self.notes.get(g.block, {}).get("skips")]
        lines = [x for g in counting for x in (f"{g.block}_skip(c->{g.name}, &c->{g.name}_in, cycles);", f"{g.block}_out(c->{g.name}, &c->{g.name}_o);")]
        return ["/* Blocks that count in every cycle what others show, and get the cycles that are jumped over. */", f"#define COUNTING ({' | '.join(f'1ull << I_{g.name}' for g in counting) or '0'})",
                f"static inline void {self.name}_skip_blocks({self.name}_self_t *c, uint64_t cycles)", "{", "    (void)c, (void)cycles;", *("    " + x for x in lines), "}", ""]
