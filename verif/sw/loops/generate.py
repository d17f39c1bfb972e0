"""Kernels with loops of all shapes, for verif/sw/loops: counters of all types, up and down, by steps, across 2^32, with uniform and differing bounds,
nested, with break and continue, stores and loads of one array. No loop is endless and nothing is undefined, whatever the arguments."""
import random

COUNTERS = ["uint", "int", "long", "ulong", "uchar", "ushort", "size_t"]
UNSIGNED = {"uint", "ulong", "uchar", "ushort", "size_t"}
SMALL = ["n", "n + 3u", "5", "16", "lid", "(in[gid] & 15u)", "n + (uint)get_group_id(0)", "n / 2u", "8", "(n & 7u)", "1"]
FIRST = ["0", "1", "2", "(lid & 3u)", "(n >> 2)", "0", "0"]
BASES = ["0u", "m", "gid", "lid", "m + gid", "0xfffffff8u", "5u", "n * m", "lid * m", "m - 2u", "0u - n", "0x80000000u - 4u"]
FACTORS = ["1u", "1u", "2u", "3u", "n", "m", "(uint)s", "~0u", "4u"]

HEAD = """__kernel void k%d(__global const uint *in, __global uint *out, uint n, uint m, int s, ulong w)
{
    uint gid = get_global_id(0), lid = get_local_id(0);
    __global uint *mine = out + gid * 80;
    ulong acc = gid;
    float sum = 1.0f;
"""
TAIL = """    mine[64] = (uint)acc;
    mine[65] = (uint)(acc >> 32);
    mine[66] = as_uint(sum);
}
"""


class Kernel:
    def __init__(self, rng):
        self.r = rng
        self.lines = []
        self.depth = 1
        self.names = 0

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def index(self, i):
        """A 32-bit expression that moves with the counter, and may wrap."""
        r = self.r
        e = f"(uint){i} * {r.choice(FACTORS)} + {r.choice(BASES)}"
        shape = r.randrange(11)
        if shape == 0:
            e = f"{r.choice(BASES)} - (uint){i}"
        elif shape == 1:
            e = f"((uint){i} + {r.choice(['1u', '0xffffffffu', 'm'])}) * {r.choice(FACTORS)} + lid"
        elif shape == 2:
            e = f"((uint){i} << {r.randrange(4)}) + {r.choice(BASES)}"
        elif shape == 3:
            e = f"({e}) / 3u"
        elif shape == 4:
            e = f"((uint){i} * 2u | 1u) + {r.choice(BASES)}"
        elif shape == 5:
            e = f"(uint){i} + {r.choice(BASES)} {r.choice(['- 1u', '+ 1u', '+ 2u', '- 7u'])}"
        elif shape in (6, 7): # wraps in the first rounds only
            e = f"(uint){i} * {r.choice(['1u', '1u', '2u', 'n'])} - {r.choice(['1u', '2u', '3u'])}"
        return e

    def statement(self, i, inner):
        r = self.r
        e = self.index(i)
        kind = r.randrange(22)
        if kind in (0, 16):
            self.put(f"acc = acc * 3u + (ulong)({e});")
        elif kind in (1, 17, 18):
            self.put(f"acc += (ulong)(long)(int)({e});")
        elif kind == 19: # across 2^31
            self.put(f"acc = acc * 3u + (ulong)(long)(int)((uint){i} + m);")
        elif kind in (2, 3):
            self.put(f"if ({e} < 256u) acc += in[{e}];")
        elif kind == 4:
            self.put(f"acc ^= in[({e}) & 255u];")
        elif kind in (5, 6):
            self.put(f"mine[({e}) & 63u] = (uint)acc;")
        elif kind == 7:
            self.put(f"acc += mine[({e}) & 63u];")
        elif kind == 8:
            self.put(f"sum = fma(sum, 0.5f, (float)(in[({e}) & 255u] & 1023u));")
        elif kind == 9:
            self.put(f"acc = acc * 5u + (ulong)({r.choice(['uchar', 'ushort'])})({e});")
        elif kind == 10:
            self.put(f"acc += (ulong)(long)({r.choice(['char', 'short'])})({e});")
        elif kind == 11:
            self.put(f"if (in[({e}) & 255u] & 1u) acc += 7u; else acc ^= {i};")
        elif kind == 12 and inner:
            self.put(f"if (in[({e}) & 255u] % 5u == 0u) continue;")
        elif kind == 13 and inner:
            self.put(f"if ({r.choice([f'in[({e}) & 255u] % 11u == 0u', f'(uint){i} == m', 'acc % 13u == 4u'])}) break;")
        elif kind in (20, 21): # a sum of 64 bits, used as a number and as an index
            self.put(f"{{ ulong t = {r.choice(['w', 'get_global_id(0)', 'get_local_size(0)', 'acc'])} {r.choice('+-*')} {i}; uint u = t; if (u < {r.choice(['n', '200u', 'm'])}) acc += in[u & 255u]; mine[(uint)(t + {r.choice(['1', 'w'])}) & 63u] ^= u; }}")
        elif kind == 14:
            self.put(f"{{ uint t = in[({e}) & 255u]; acc += (t >> 3) * w; sum += (float)(t & 63u); }}")
        else:
            self.put(f"acc += (ulong)({e}) * w;")

    def loop(self, nest):
        r = self.r
        i = "ijk"[self.names % 3] + str(self.names)
        self.names += 1
        t = r.choice(COUNTERS)
        first, bound, step = r.choice(FIRST), r.choice(SMALL), r.choice([1, 1, 1, 2, 3, 4, 7])
        shape = r.randrange(13)
        if t == "uchar" or shape not in (3, 4):
            first = f"({t})({first})"
        tail = "}"
        if shape in (0, 1, 2):
            head = f"for ({t} {i} = {first}; {i} < ({t})({bound}); {i} += {step}) {{"
        elif shape == 3 and t in UNSIGNED:
            start = r.choice(["m", "m + gid", "(uint)w", "0u - 5u", "gid", "w - 3u"])
            head = f"for ({t} {i} = ({t})({start}); {i} != ({t})(({t})({start}) + ({bound})); {i}++) {{"
        elif shape == 4 and t in UNSIGNED:
            head = f"for ({t} {i} = ({t})0 - ({t})({r.randrange(20, 40)}); {i} < ({t})0 - ({t})({r.randrange(8, 20)}); {i} += {step}) {{"
        elif shape == 5:
            head = f"for ({t} {i} = ({t})({bound}); {i} > {r.choice(['0', '1', '2'])}; {i}--) {{"
        elif shape == 6:
            head = f"for ({t} {i} = {first}; {i} <= ({t})({bound}); {i} += {step}) {{"
        elif shape == 7:
            head, tail = f"{t} {i} = {first}; do {{", f"{i} += {step}; }} while ({i} < ({t})({bound}));"
        elif shape == 8:
            head = f"for ({t} {i} = ({t})({bound}); {i}-- > 0;) {{"
        elif shape == 9:
            head = f"for ({t} {i} = {first}; {i} < ({t})({bound}); {i} += ({t})((m & 3u) + 1u)) {{"
        elif shape == 10 and t not in UNSIGNED:
            head = f"for ({t} {i} = ({t})({bound}); {i} >= -3; {i} -= {step}) {{"
        elif shape == 12: # a stride of 64 bits, as `i += get_global_size(0)`
            t, stride = "uint", r.choice(["get_local_size(0)", "get_global_size(0)", "(w | 0x100000001ul)", "(ulong)(long)-1"])
            start = "gid" if stride.startswith("get") else "n" if "-1" in stride else "(uint)w"
            head = f"for (uint {i} = {start}, end{i} = 0; {i} - 1u < 64u && end{i} < 24u; {i} += {stride}, end{i}++) {{"
        else:
            head = f"for ({t} {i} = 0; {i} < ({t})({bound}); {i}++) {{"
        self.put(head)
        self.depth += 1
        plain = not tail.startswith(i) # `continue` of a do loop would skip its step
        if nest and r.randrange(2):
            if r.randrange(2):
                self.statement(i, False)
            self.loop(nest - 1)
        for _ in range(r.choice([1, 1, 2, 3, 4])):
            self.statement(i, plain and r.randrange(3) == 0)
        self.depth -= 1
        self.put(tail)

    def text(self, number):
        for _ in range(self.r.choice([1, 1, 2])):
            self.loop(self.r.choice([0, 0, 0, 1, 1, 2]))
        return HEAD % number + "\n".join(self.lines) + "\n" + TAIL


def source(seed, count):
    rng = random.Random(seed)
    return "".join(Kernel(rng).text(k) for k in range(count))


def arguments(rng):
    """n is small, m near a power of two or small, s small, w anything."""
    n = rng.choice([0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31])
    m = rng.choice([0, 1, 2, 3, 7, 16, 100, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, 0xFFFFFFFB, 0x10000001, 0x7FFFFFFD, 0x7FFFFFFA, 0x7FFFFFFE, rng.getrandbits(32)])
    s = rng.choice([0, 1, -1, 3, -7])
    w = rng.choice([0, 1, 3, 0xFFFFFFFD, 0xFFFFFFFFFFFFFFFE, rng.getrandbits(64)])
    return n, m, s, w
