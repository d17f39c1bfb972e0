"""Of wiring.py: what is brought to an instance, when it is clocked, and the loop over compositions."""
from netlist import cut_pieces, part
from svxml import Array, ctype
from wiring_words import WiringError, address, leaves, pointers, scalar, unify, unify_lines, unify_runs


class Moves:
    """What is brought to an instance, when it is clocked, and the loop over compositions."""

    def inputs(self, i):
        """port -> (type, pieces), of those that come anew in each cycle; the others into self.constants and self.holds."""
        out = {}
        g, k = self.place[i]
        for n, d, t in self.net.ports(i.block):
            if d != "in" or n[:-2] in self.notes.get(i.block, {}).get("by_hand", []):
                continue
            pieces = self.comp.input(i, n)
            if pieces is None:
                raise WiringError(f"{self.name}: {i.name}.{n} is driven by more than wires")
            kinds = {p[0] for p in pieces}
            plain = list(leaves(pieces))
            held = {p[1] for p in plain if p[0] == "port" and p[1] in self.held}
            dst = f"{g.at('_in', k)}.{n[:-2]}"
            if kinds == {"const"}:
                self.constants += self.assign(dst, t, pieces)
            elif held:
                if len(held) > 1 or any(p[0] != "const" and p[1] not in held for p in plain):
                    raise WiringError(f"{self.name}: {i.name}.{n} mixes a held input with others")
                self.holds[held.pop()] += self.assign(dst, t, pieces)
            else:
                out[n[:-2]] = (t, pieces)
        return out

    def clock(self, g):
        """The function that brings a block, or one of a loop, its inputs and clocks it."""
        always = self.always(g)
        self.unrolled = g.loop
        rounds = [self.bring(i) for i in g.rounds]
        self.unrolled = False
        body, late = (sum((unify_runs(list(joined)) for joined in zip(*(r[part] for r in rounds), strict=True)), []) for part in (0, 1))
        head = [f"static inline void clock_{g.name}({self.name}_self_t *c, const {self.name}_wires_t *w, {'unsigned k' if g.loop else 'uint64_t was'})", "{",
                f"    (void)w, (void){'k' if g.loop else 'was'};", f"    {g.block}_in_t *in = &{g.at('_in', 'k')};"]
        head += [] if always else ["    bool moves = false;"]
        at = ("_AT", f"{g.name}, {g.block}, k") if g.loop else ("", f"{g.name}, {g.block}")
        mark = f"MARK{at[0]}({g.name}{', k' if g.loop else ''});"
        tick = self.notes.get(g.block, {}).get("tick")
        tick = f"{tick}(c{', k' if g.loop else ''});" if tick else f"{g.block}_tick({g.at('', 'k')}, in);"
        end = [mark, *late, tick]
        if not always:
            end = [f"if (WAKES{at[0]}({at[1]}, moves)) {{", *("    " + x for x in end), "}"]
        return head + ["    " + x for x in body + end] + ["}", ""]

    def always(self, g):
        return self.notes.get(g.block, {}).get("always", False)

    def bring(self, i):
        """Statements that bring a block its inputs, and those that bring what it looks at only when it is clocked; each as a list of those that belong together."""
        note = self.notes.get(i.block, {})
        g, round_ = self.place[i]
        always = note.get("always", False)
        outs = {n[:-2] for n, d, _ in self.net.ports(i.block) if d == "out"}
        ins = self.inputs(i)
        own = g.at("_o", round_) + "."
        streams = {n[:-6]: n for n in ins if n.endswith("_valid")}
        payload_of = {n: f"{n}_valid" for n in ins if n in streams} | note.get("payload", {})
        body, late = [], []

        def payloads(valid, taken=None):
            out = []
            for n, v in payload_of.items():
                if v == valid and n in ins:
                    t, pieces = ins[n]
                    vt = ins[valid][0]
                    per_element = vt.width > 1 and isinstance(t, Array) and t.n == vt.width
                    whole = self.whole(pieces, t) is not None and not taken
                    guard = f"(in->{valid} & {taken})" if taken else f"in->{valid}"
                    out += self.assign(f"in->{n}", t, pieces, guard if per_element and not whole else None)
            return out

        def indent(lines):
            return ["    " + x for x in lines]

        moves = [] if always else ["    moves = true;"]
        heard = [n for n, (_, pieces) in ins.items() if self.heard(pieces)]     # inputs that are assigned already
        for n in heard:
            if not always and n.endswith("_valid"):
                body.append([f"if (in->{n})", *moves])
            elif not always and n not in payload_of and n not in note.get("unwatched", []):
                raise WiringError(f"{i.name}.{n} comes from {self.sub.name}: sim_c/wiring.toml must say that {i.block} does not rest, or does not watch it at rest")
        ins = {n: x for n, x in ins.items() if n not in heard}
        streams = {s: v for s, v in streams.items() if v not in heard}
        payload_of = {n: v for n, v in payload_of.items() if n not in heard}
        for s, valid in streams.items():
            t, pieces = ins[valid]
            v, lines = self.number(pieces), []
            if s in note.get("when", {}):
                p = self.whole(ins[s][1], ins[s][0])
                lines += [f"const {ctype(ins[s][0])} *{s} = &{p};"]
                v = f"{v} && ({note['when'][s]})"
            if s in note.get("taken", []):
                if f"{s}_ready" not in outs:
                    raise WiringError(f"sim_c/wiring.toml: {i.block} does not give a {s}_ready")
                ready = f"{own}{s}_ready"
                both = f"in->{valid} & {ready}" if t.width > 1 else f"in->{valid} && {ready}"
                lines += [f"in->{valid} = {v};", f"if ({both}) {{", *indent(payloads(valid, ready if t.width > 1 else None)), *moves, "}"]
            else:
                lines += [f"if ((in->{valid} = {v})) {{", *indent(payloads(valid)), *moves, "}"]
            body.append(lines)
        for n, (t, pieces) in ins.items():
            if n.endswith("_valid") or n in payload_of:
                continue
            if n.endswith("_ready") and n[:-6] + "_valid" in outs:
                body.append([f"in->{n} = {self.number(pieces)};", *([] if always else [f"moves |= ({own}{n[:-6]}_valid & in->{n}) != 0;"])])
                continue
            if always and n not in payload_of.values() and (scalar(t) or self.arrays):
                late.append(self.assign(f"in->{n}", t, pieces))
            elif n in note.get("unwatched", []):
                late.append(self.assign(f"in->{n}", t, pieces))
            elif scalar(t) or self.arrays or len(self.sources(pieces)) == 0:
                body.append(self.assign(f"in->{n}", t, pieces) if always else self.level(f"in->{n}", t, pieces, n in note.get("steady", [])))
            elif always and self.whole(pieces, t) is not None and all(self.never_rests(s) for s in self.sources(pieces)):
                body.append(self.assign(f"in->{n}", t, pieces))
            else:       # the input can have changed only if its source was clocked
                for suffix, f, p in self.split(pieces, t):
                    which = " | ".join(f"1ull << I_{s}" for s in self.sources(p))
                    lines = self.assign(f"in->{n}{suffix}", f, p) if always else self.level(f"in->{n}{suffix}", f, p, n in note.get("steady", []))
                    body.append([f"if (was & ({which})) {{", *indent(lines), "}"] if which else lines)
            if n in payload_of.values():
                body.append([f"if (in->{n}) {{", *indent(payloads(n)), "}"])
        return body, late

    def never_rests(self, name):
        return self.always(next(g for g in self.groups if g.name == name))

    def heard(self, pieces):
        return any(p[0] == "inst" and self.place[p[1][0]][0] is self.cores for p in pieces)

    # -- compositions inside this one ---------------------------------------------------------------------------------------

    def wires(self, i, g):
        """(statement, whether it is for each cycle) of every input of an inner composition that comes anew in each cycle."""
        out, sub = [], self.subs[g.block]
        for port, t in sub.wired():
            n, pieces = port[:-2], self.comp.input(i, port)
            if pieces is None:
                raise WiringError(f"{self.name}: {g.block}.{n} is driven by more than wires")
            if scalar(t):
                out.append((f"h->{n} = {self.number(pieces)};", g.loop or {p[0] for p in pieces} != {"const"}))
                continue
            for suffix, f, p in self.split(pieces, t) if pointers(t) else [("", t, pieces)]:
                src = self.whole(p, f)
                if all(q[:2] == ("const", 0) for q in p):       # from a block that this configuration does not have: never valid
                    out.append((f"h->{n}{suffix} = NULL;", g.loop))
                    continue
                if src is None:
                    raise WiringError(f"{self.name}: {g.block}.{n}{suffix} is put together from parts")
                out.append((f"h->{n}{suffix} = {src if isinstance(f, Array) else address(src)};", g.loop or any(q[0] == "port" for q in leaves(p))))
        return out

    def wired(self):
        """The inputs of this composition that are told in each cycle: (port, type)."""
        return [(n, t) for n, t in self.comp.inputs.items() if n not in self.held and n not in ("clk_i", "rst_i")]

    def inner_wires(self):
        c = []
        for g in self.inner:
            it, args = f"{g.block}_wires_t", f"const {self.name}_self_t *c, const {self.name}_wires_t *w"
            rounds = [self.wires(i, g) for i in g.rounds]
            once = [x for x, anew in rounds[0] if not anew]
            each = unify_lines([[x for x, anew in r if anew] for r in rounds])
            if once:
                c += [f"/* Inputs of {g.name} that keep their place. */", f"static inline void {self.name}_bind_{g.name}(const {self.name}_self_t *c, {it} *h)",
                      "{", *("    " + x for x in once), "}", ""]
            c += [f"/* Inputs of {g.name}{' k' if g.loop else ''} in a cycle. */", f"static inline void {self.name}_wires_{g.name}({args}, {'unsigned k, ' if g.loop else ''}{it} *h)",
                  "{", f"    (void)c, (void)w{', (void)k' if g.loop else ''};", *("    " + x for x in each), "}", ""]
        return c

    # -- a loop of compositions -------------------------------------------------------------------------------------------

    def shown(self):
        """Outputs of the inner composition that are a valid for which there is a ready: name -> bits."""
        ins = self.sub.comp.inputs
        return {n[:-2]: t.width for n, t in self.sub.comp.outputs.items() if n.endswith("_valid_o") and f"{n[:-8]}_ready_i" in ins and not self.sub.absent(n)}

    def vector(self, rounds):
        """(C of a bit each round, False), or (C of what all rounds hear, True)."""
        first = rounds[0]
        if all(r == first for r in rounds) and len(rounds) > 1:
            return self.number(first), True
        if len(first) == 1 and all(len(r) == 1 and r[0][:3] == first[0][:3] and r[0][3] == first[0][3] + k for k, r in enumerate(rounds)):
            return f"(uint64_t){self.bits((*first[0][:4], len(rounds)))}", False
        return "(" + " | ".join(f"(uint64_t){self.number(r)} << {k}" for k, r in enumerate(rounds)) + ")", False

    def rounds_inputs(self):
        """input -> pieces in each round, of those that come anew in each cycle."""
        return {n[:-2]: [self.comp.input(i, n) for i in self.cores.rounds] for n, _ in self.sub.wired()}

    def loop(self):
        sub, note = self.sub, self.notes.get(self.sub.name, {})
        me, it = f"{self.name}_self_t", sub.name
        ins, types = self.rounds_inputs(), {n[:-2]: t for n, t in sub.comp.inputs.items()}
        payload = {n for n in ins if f"{n}_valid" in ins} | set(note.get("payload", {}))
        all_hear, some_hear, keep = [], [], []
        for n, rounds in ins.items():
            if n in payload or n in note.get("unwatched", []) or all(p[0] == "const" for r in rounds for p in r):
                continue
            if n.endswith("_ready") and f"{n[:-6]}_valid" in self.shown():
                for j in range(self.shown()[f"{n[:-6]}_valid"]):
                    v, every = self.vector([cut_pieces(r, j, 1) for r in rounds])
                    v = f"({v} ? ~0ull : 0)" if every else v
                    some_hear.append(f"({v} & c->shown.{n[:-6]}_valid[{j}])")
                continue
            if not scalar(types[n]):
                raise WiringError(f"{self.name}: {it}.{n} is a level of many bits")
            if types[n].width > 1 and len({tuple(r) for r in map(tuple, rounds)}) > 1:
                raise WiringError(f"{self.name}: {it}.{n} has more than one bit, and differs between rounds")
            v, every = (self.number(rounds[0]), True) if types[n].width > 1 else self.vector(rounds)
            stream = n.endswith("_valid")
            if not stream:
                keep.append((n, v))
                v = f"({v} {'^' if n in note.get('steady', []) else '|'} c->last.{n})"
            (all_hear if every else some_hear).append(v)
        c = [f"/* Which of them hear anything that they did not hear in the last cycle. */", f"static inline uint64_t {self.name}_called(const {me} *c, const {self.name}_wires_t *w)",
             "{", "    (void)w;"]
        c += [f"    if ({' || '.join(all_hear)})", "        return ~0ull;"] if all_hear else []
        c += ["    return " + "\n           | ".join(some_hear or ["0"]) + ";", "}", ""]
        c += [f"static inline void {self.name}_remember({me} *c, const {self.name}_wires_t *w)", "{", "    (void)w;", *(f"    c->last.{n} = {v};" for n, v in keep), "}", ""]

        c += [f"/* Brings what {it} k says to those that hear it. */", f"static inline void {self.name}_hear({me} *c, unsigned k)", "{", "    (void)k;"]
        for name, bits in self.shown().items():
            for j in range(bits):
                t = sub.comp.outputs[name + "_o"]
                texts = [f"PUT(c->shown.{name}[{j}], {k}, {self.bits(('inst', (i, name + '_o'), t, j, 1))});" for k, i in enumerate(self.cores.rounds)]
                c.append("    " + unify(texts))
        for g in self.groups:
            b, note = g.rounds[0], self.notes.get(g.block, {})
            ports = {n[:-2]: t for n, d, t in self.net.ports(b.block) if d == "in" and n[:-2] not in note.get("by_hand", [])}
            for n, t in ports.items():
                pieces, found = self.comp.input(b, n + "_i"), {}
                if not self.heard(pieces):
                    continue
                valid = f"{n}_valid" if f"{n}_valid" in ports else note.get("payload", {}).get(n)
                width = t.elem.width if isinstance(t, Array) else 1
                for i in range(t.width // width):
                    p = cut_pieces(pieces, i * width, width)
                    whose = self.place[p[0][1][0]] if len(p) == 1 and p[0][0] == "inst" else (None, None)
                    src = self.whole(p, t.elem) if isinstance(t, Array) else self.bits(p[0])
                    if whose[0] is not self.cores or src is None:
                        raise WiringError(f"{self.name}: {b.name}.{n} is not only an element each {it}")
                    text = f"c->{g.name}_in.{n}[{i}] = {src};" if isinstance(t, Array) else f"PUT(c->{g.name}_in.{n}, {i}, {src});"
                    if valid and isinstance(t, Array):
                        text = f"if ({self.bits(cut_pieces(self.comp.input(b, valid + '_i'), i, 1)[0])}) {text}"
                    found.setdefault(whose[1], []).append(text)
                for texts in zip(*(found[k] for k in range(len(self.cores.rounds)))):
                    c.append("    " + unify(list(texts)))
        return c + ["    " + x for x in self.say(self.cores)] + ["}", ""]

    def loop_header(self):
        """What the composition's struct holds for its loop."""
        h = [f"/* {self.name.upper()}_LOOP: valids that wait for a ready, a bit each {self.sub.name}; levels of the last cycle. */", "typedef struct {"]
        h += [f"    uint64_t {n}[{w}];" for n, w in self.shown().items()]
        h += [f"}} {self.name}_shown_t;", "typedef struct {"]
        note, ins = self.notes.get(self.sub.name, {}), self.rounds_inputs()
        payload = {n for n in ins if f"{n}_valid" in ins} | set(note.get("payload", {}))
        h += [f"    uint64_t {n};" for n in ins if n not in payload and n not in note.get("unwatched", []) and not n.endswith("_valid") and not (n.endswith("_ready") and f"{n[:-6]}_valid" in self.shown())]
        return h + [f"}} {self.name}_last_t;"]
