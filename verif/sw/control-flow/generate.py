#!/usr/bin/env python3
"""Random kernels full of divergent control flow: generate.py flow|calls|barriers SEED COUNT > FILE

flow      everything that may diverge, helpers inlined; barriers where all threads of a group pass
calls     the same, to be compiled as C, where helpers are real functions (and call each other)
barriers  kernels with a barrier that not all threads reach: bad_divergent_* within a warp, bad_ended_* by whole warps
"""
import os
import random
import sys

VARS = ["a", "b", "c", "d"]


class Kernel:
    """The body of one kernel or helper, statement by statement."""

    def __init__(self, rng, helpers, in_helper=False):
        self.r = rng
        self.helpers = helpers
        self.in_helper = in_helper
        self.vars = ["x", "y", "z"] if in_helper else VARS
        self.loops = []         # counters in scope
        self.names = 0
        self.budget = rng.randint(14, 34) if not in_helper else rng.randint(5, 10)
        self.may_return = True
        self.labels = []        # labels to place after the loop being built
        self.array = not in_helper and rng.random() < 0.3

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # ---- expressions: without side effects, so that the order of evaluation does not matter ----

    def leaf(self):
        r = self.r
        k = r.randrange(10)
        if k < 5:
            return r.choice(self.vars)
        if k < 6 and self.loops:
            return r.choice(self.loops)
        if k < 7:
            return r.choice(["gid", "lid"]) if not self.in_helper else "x"
        return f"{r.choice([r.randrange(8), r.randrange(256), r.getrandbits(32)])}u"

    def expr(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.15:
            return self.leaf()
        e = lambda: self.expr(depth - 1)
        k = r.randrange(14)
        if k < 6:
            return f"({e()} {r.choice(['+', '-', '*', '^', '&', '|'])} {e()})"
        if k < 7:
            return f"({e()} {r.choice(['<<', '>>'])} ({e()} & 31))"
        if k < 8:
            return f"({e()} {r.choice(['/', '%'])} ({e()} | 1))"
        if k < 9:
            return f"(uint)((int){e()} >> ({e()} & 31))"
        if k < 10:
            return f"({self.cond(depth - 1)} ? {e()} : {e()})"
        if k < 11 and self.helpers and len(self.loops) < 2:
            return f"{r.choice(self.helpers)}({e()}, {e()}, in, mask)"
        if k < 12 and self.array:
            return f"own[{e()} & 3]"
        return f"in[{e()} & mask]"

    def cond(self, depth=1):
        r = self.r
        e = lambda: self.expr(depth)
        k = r.randrange(8)
        if k < 3:
            return f"({e()} & {r.choice([1, 2, 3, 4, 6])})"
        if k < 5:
            return f"({e()} {r.choice(['<', '>', '<=', '==', '!='])} {e()})"
        if k < 6:
            return f"((int){e()} < (int){e()})"
        op = r.choice(["&&", "||"])
        return f"({self.cond(depth - 1) if depth else e()} {op} {e()} & 1)"

    def branch(self):
        """The condition of a statement: here && and || may have effects on the way."""
        r = self.r
        parts = [self.cond()]
        while len(parts) < 4 and r.random() < 0.35:
            v = r.choice(self.vars)
            parts.append(r.choice([self.cond(), f"(({v} {r.choice(['+=', '^=', '*='])} {r.randrange(1, 99)}u) & {r.choice([1, 2, 4])})"]))
        text = parts[0]
        for p in parts[1:]:
            text = f"({text} {r.choice(['&&', '||'])} {p})"
        return text if text.startswith("(") else f"({text})"

    def uniform(self):
        """A condition that is the same for all threads of a group, which the compiler cannot know."""
        return self.r.choice(["(GRP() & 1)", "(n & 4)", "(in[GRP() & mask] & 2)", "(in[n & mask] > mask)", "(lsize > 7)"])

    # ---- statements ----

    def block(self, depth, indent, in_loop):
        out = []
        for _ in range(self.r.randint(1, 3)):
            out += self.statement(depth, indent, in_loop)
        return out

    def simple(self, pad):
        r = self.r
        k = r.randrange(10)
        v = r.choice(self.vars)
        if k < 7 or self.in_helper:
            return [f"{pad}{v} {r.choice(['=', '+=', '^=', '-=', '*=', '|='])} {self.expr()};"]
        if k < 8:
            return [f"{pad}ADD(&count[{r.randrange(8)}], {self.expr(1)});"]
        if k < 9 and self.array:
            return [f"{pad}own[{self.expr(1)} & 3] = {self.expr()};"]
        return [f"{pad}out[gid * 4 + {r.randrange(4)}] = {v};", f"{pad}{v} += out[gid * 4 + {r.randrange(4)}];"]

    def leave(self, pad):
        if self.in_helper:
            return [f"{pad}return {self.expr(1)};"]
        return [f"{pad}FINISH({self.expr(1)});"]

    def loop(self, depth, indent):
        r = self.r
        pad = "    " * indent
        kind = r.randrange(4)
        i = self.name("i")
        place = None
        if r.random() < 0.2:
            place = self.name("out_")
            self.labels.append(place)
        if kind == 0:
            head, tail = [f"{pad}for (uint {i} = 0, end{i} = {self.expr(1)} & {r.choice([3, 7])}; {i} < end{i}; {i}++) {{"], [f"{pad}}}"]
        elif kind == 1:
            head, tail = [f"{pad}for (uint {i} = {self.expr(1)} & 7; {i} > 0; {i}{r.choice(['--', ' /= 2', ' &= ' + i + ' - 1'])}) {{"], [f"{pad}}}"]
        elif kind == 2:
            head = [f"{pad}uint {i} = 0;", f"{pad}while ({self.branch()} && {i}++ < {r.randint(2, 6)} && fuel-- > 0 && fuel < 1000) {{"]
            tail = [f"{pad}}}"]
        else:
            head = [f"{pad}uint {i} = 0;", f"{pad}do {{"]
            tail = [f"{pad}}} while (++{i} < {r.randint(2, 6)} && {self.branch()});"]
        self.loops.append(i)
        body = self.block(depth - 1, indent + 1, True)
        self.loops.pop()
        if place:
            self.labels.remove(place)
            # A jump over any number of loops, and its target.
            tail.append(f"{pad}{place}:;")
            body.append(f"{pad}    if {self.cond()}")
            body.append(f"{pad}        goto {place};")
        return head + body + tail

    def statement(self, depth, indent, in_loop):
        r = self.r
        pad = "    " * indent
        self.budget -= 1
        if depth == 0 or self.budget <= 0:
            return self.simple(pad)
        k = r.randrange(20)
        if k < 5:
            return self.simple(pad)
        if k < 10:
            out = [f"{pad}if {self.branch()} {{"] + self.block(depth - 1, indent + 1, in_loop)
            if r.random() < 0.5:
                out += [f"{pad}}} else {{"] + self.block(depth - 1, indent + 1, in_loop)
            return out + [f"{pad}}}"]
        if k < 14:
            return self.loop(depth, indent)
        if k < 16:
            bits = r.choice([3, 7])
            out = [f"{pad}switch ({self.expr(1)} & {bits}) {{"]
            for case in r.sample(range(bits + 1), r.randint(2, 4)):
                out += [f"{pad}case {case}:;"] + self.block(depth - 1, indent + 1, in_loop)
                if r.random() < 0.7:
                    out.append(f"{pad}    break;")
                else:
                    out.append(f"{pad}    /* on into the next */")
            if r.random() < 0.6:
                out += [f"{pad}default:;"] + self.block(depth - 1, indent + 1, in_loop)
            out.append(f"{pad}    ;")
            return out + [f"{pad}}}"]
        if k < 18 and in_loop:
            way = r.choice(["break", "continue"] + [f"goto {x}" for x in self.labels[-2:]])
            return [f"{pad}if {self.branch()}", f"{pad}    {way};"]
        if k < 19 and self.may_return:
            return [f"{pad}if {self.branch()} {{"] + self.simple(pad + "    ") + self.leave(pad + "    ") + [f"{pad}}}"]
        return self.simple(pad)

    def exchange(self, indent):
        """The steps of a group at a barrier: give a word, wait, take a neighbour's, wait before the next round may write."""
        r = self.r
        pad = "    " * indent
        v = r.choice(VARS)
        return [f"{pad}share[lid] = {self.expr(1)};", f"{pad}BARRIER();",
                f"{pad}{v} ^= share[(lid + {r.randrange(1, 40)}) % lsize];", f"{pad}BARRIER();"]

    def uniform_part(self, depth):
        """Barriers inside uniform loops and conditions, with divergent code all around them."""
        r = self.r
        u = self.name("u")
        out = []
        k = r.randrange(4)
        if k == 0:
            out += self.exchange(1)
        elif k == 1:
            out += [f"    if {self.uniform()} {{"] + self.statement(depth, 2, False) + self.exchange(2) + ["    }"]
        else:
            bound = r.choice(["(n & 3) + 1", "(in[GRP() & mask] & 3)", "GRP() + 1", "3"])
            out += [f"    for (uint {u} = 0; {u} < {bound}; {u}++) {{"]
            self.loops.append(u)
            out += self.statement(depth, 2, False) + self.exchange(2)
            if r.random() < 0.4:
                out += [f"        if {self.uniform()}", f"            {r.choice(['break', 'continue'])};"]
                out += self.statement(depth, 2, False)
            if r.random() < 0.4:
                out += self.exchange(2)
            self.loops.pop()
            out += ["    }"]
        return out


def kernel(rng, name, helpers):
    k = Kernel(rng, helpers)
    out = [f"KERNEL void {name}(PARAMETERS)", "{", "    START"]
    if k.array:
        out.append("    uint own[4] = {a, b, c, d};")
    if rng.random() < 0.4:
        k.may_return = False
        for _ in range(rng.randint(1, 3)):
            out += k.uniform_part(3)
        k.may_return = True
        k.budget = max(k.budget, 6)
    while k.budget > 0:
        out += k.statement(4, 1, False)
    if k.array:
        out.append("    d ^= own[a & 3];")
    return out + ["    FINISH(0);", "}", ""]


def helper(rng, name, others):
    k = Kernel(rng, others, in_helper=True)
    out = [f"CALLED uint {name}(uint x, uint y, GLOBAL const uint *in, uint mask)", "{", "    uint z = x ^ y, fuel = 100;", "    (void)fuel;"]
    while k.budget > 0:
        out += k.statement(3, 1, False)
    return out + ["    return x + y * z;", "}", ""]


def flow(seed, count):
    rng = random.Random(seed)
    out = []
    helpers = []
    for i in range(rng.randint(1, 3)):
        out += helper(rng, f"help{i}", list(helpers))
        helpers.append(f"help{i}")
    for i in range(count):
        out += kernel(rng, f"flow{i}", helpers)
    return out


def barriers(seed, count):
    """A barrier that cannot complete. Threads 0 and 1 of a group always differ in these conditions."""
    rng = random.Random(seed)
    out = []
    for i in range(count):
        odd = rng.choice(["(lid & 1)", "(lid == 0)", "(lid == 1)", "((lid * 5 & 3) == 1)", "(lid > 0)", "(lid % 3 == 1)"])
        k = Kernel(rng, [])
        k.may_return = k.array = False
        k.budget = 6
        some = lambda indent: k.statement(2, indent, False)
        shape = rng.randrange(6) if i >= 6 else i
        kind = "ended" if shape == 5 else "divergent"
        out += [f"KERNEL void bad_{kind}_{i}(PARAMETERS)", "{", "    START"] + some(1)
        if shape == 0:      # one side only
            out += [f"    if {odd} {{"] + some(2) + ["        share[lid] = a;", "        BARRIER();", "        a += share[lid];", "    }"]
        elif shape == 1:    # both sides, each its own
            out += [f"    if {odd} {{", "        share[lid] = a;", "        BARRIER();", "        b += share[0];", "    } else {",
                    "        share[lid] = d;", "        BARRIER();", "        c ^= share[1];", "    }"]
        elif shape == 2:    # one more round for some
            out += [f"    for (uint i = 0; i <= ({odd} != 0); i++) {{", "        share[lid] = a + i;", "        BARRIER();", "        b += share[0];", "    }"]
        elif shape == 3:    # some left the loop
            out += ["    for (uint i = 0; i < 3; i++) {", f"        if (i == 1 && {odd})", "            break;", "        share[lid] = a + i;",
                    "        BARRIER();", "        b += share[0];", "        BARRIER();", "    }"]
        elif shape == 4:    # some skip a round
            out += ["    for (uint i = 0; i < 3; i++) {", f"        if (i == 2 && {odd}) {{", "            c += i;", "            continue;", "        }",
                    "        share[lid] = b;", "        BARRIER();", "        c += share[1];", "    }"]
        else:               # `mask` threads make a warp here: the later warps end without the barrier
            out += ["    if (lid > mask)", "        FINISH(1);", "    share[lid] = a;", "    BARRIER();", "    b += share[0];"]
        out += some(1) + ["    FINISH(0);", "}", ""]
    return out


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("flow", "calls", "barriers"):
        sys.exit(__doc__)
    kind, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    here = os.path.dirname(os.path.abspath(__file__))
    print(f"/* generate.py {kind} {seed} {count} */")
    print(open(os.path.join(here, "prologue.h")).read())
    print("\n".join(barriers(seed, count) if kind == "barriers" else flow(seed, count)))


if __name__ == "__main__":
    main()
