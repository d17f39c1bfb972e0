#!/usr/bin/env python3
"""The device library against clang's list of OpenCL C 1.2 builtins (overloads.py).

    cover.py KIND names LIBRARY.bc          every overload is in the library, under the name that clang calls
    cover.py KIND kernels DIR LANES PART OF writes kernels that use every overload (vectors up to LANES), for vellum cc
    cover.py KIND write DIR SEED LANES      writes programs that evaluate the overloads that are functions of values, and their operands
    cover.py KIND judge DIR SEED LANES      compares their results with model.py; vectors of float functions with the scalar form

KIND is double for the overloads that have a double, float for the others.
"""
import collections
import math
import random
import struct
import subprocess
import sys
import re

import model
import overloads as lists
from overloads import BITS, Type

SETS = 96          # operand sets an overload
LIBRARY_ONLY = 16  # operands of the largest vector follow each other in the pool
FORMAT = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q", "float": "f", "double": "d", "half": "H"}
BYTES = {t: struct.calcsize(f) for t, f in FORMAT.items()}
SCALARS = [t for t in FORMAT if t != "half"]
KIND = sys.argv[1]
OF_KIND = ["double"] if KIND == "double" else [t for t in SCALARS if t != "double"]
UNSIGNED = {"float": "uint", "double": "ulong"}


def result(passed, failed):
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


# ------------------------------------------------------------------------------------------------------------- names
def names(*libraries):
    wanted = lists.read(KIND)
    text = []
    for i, o in enumerate(wanted):
        params = ", ".join(f"{p.text} a{k}" for k, p in enumerate(o.params)) or "void"
        text.append(f"void t{i}({params}) {{ {o.name}({', '.join(f'a{k}' for k in range(len(o.params)))}); }}")
    ir = subprocess.run(["clang-19", *lists.TARGET, "-march=rv64ima_zfinx_zba_zbb_zbs", "-O0", "-S", "-emit-llvm", "-w", "-", "-o", "-"], input="\n".join(text), capture_output=True, text=True)
    if ir.returncode:
        sys.exit(ir.stderr)
    called = set(re.findall(r"^declare .*@(_Z\w+)\(", ir.stdout, flags=re.M))
    have = {line.split()[-1] for library in libraries
            for line in subprocess.run(["llvm-nm-19", "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()}
    missing = sorted(called - have)
    for name in missing[:40]:
        print(f"FAILED not in the library: {name}")
    print(f"{len(wanted)} overloads of {len({o.name for o in wanted})} builtins, {len(called)} names")
    # clang may fold a builtin that it knows itself; nothing but a handful
    if len(called) < len(wanted) - 64:
        print("FAILED: the test program does not call what it should")
        missing.append("calls")
    result(len(called - set(missing)), len(missing))


# ------------------------------------------------------------------------------------------------------------- kernels
def use(o, i):
    """Statements that call an overload with operands from memory and keep its result."""
    body, arguments, after = [], [], []
    for k, p in enumerate(o.params):
        if p.base == "event_t":
            arguments.append("event" if not p.pointer else "&event")
        elif p.pointer and p.space == "__private":
            body.append(f"{p.value} v{k};" if not p.const else f"{p.value} v{k} = *({'__global ' + p.value} *)(in + {64 * k});")
            if p.base == "half":
                body[-1] = f"ushort v{k}[16]; for (int j = 0; j < 16; j++) v{k}[j] = ((__global ushort *)in)[j + {16 * k}];"
                arguments.append(f"({p.text})v{k}")
                after.append(f"for (int j = 0; j < 16; j++) ((__global ushort *)out)[j] = v{k}[j];")
            elif o.name.startswith(("vload", "vstore")):
                lanes = int(re.search(r"\d+$", o.name).group()) * 3
                body[-1] = f"{p.value} v{k}[{lanes}]; for (int j = 0; j < {lanes}; j++) v{k}[j] = ((__global {p.value} *)in)[j];"
                arguments.append(f"v{k}")
                after.append(f"for (int j = 0; j < {lanes}; j++) ((__global {p.value} *)out)[j] = v{k}[j];")
            else:
                arguments.append(f"&v{k}")
                after.append(f"*(__global {p.value} *)(out + 256) = v{k};")
        elif p.pointer:
            pointer = {"__global": "out", "__local": "local_bytes", "__constant": "constant_bytes"}[p.space]
            arguments.append(f"({p.text})({pointer} + {64 * k})")
        else:
            arguments.append(f"*(__global {p.value} *)(in + {64 * k})" if not o.name.startswith(("vload", "vstore")) or p.base != "ulong" or k != (0 if "load" in o.name else 1)
                             else "(*(__global ulong *)in & 1)")
    call = f"{o.name}({', '.join(arguments)})"
    if o.ret.base == "event_t":
        body.append(f"event = {call};")
    elif o.ret.value == "void":
        body.append(f"{call};")
    else:
        body.append(f"*(__global {o.ret.value} *)out = {call};")
    return f"{{ {' '.join(body + after)} out += 512; in += 512; }}"


def kernels(directory, lanes, part, of):
    groups = collections.defaultdict(list)
    for o in lists.read(KIND):
        if o.largest() <= lanes:
            groups[o.name].append(o)
    heavy = []
    for index, (name, group) in enumerate(sorted(groups.items())):
        if index % of != part:
            continue
        statements = "\n    ".join(use(o, i) for i, o in enumerate(group))
        heavy.append(f"__kernel void use_{name}(__global uchar *in, __global uchar *out, __constant uchar *constant_bytes, __local uchar *local_bytes)\n{{\n"
                     f"    event_t event = 0;\n    {statements}\n}}\n")
    with open(f"{directory}/use{part}.cl", "w") as f:
        f.write("\n".join(heavy))
    print(len(heavy))


# ------------------------------------------------------------------------------------------------------------- results
LIGHT = ("min", "max", "clamp", "select", "bitselect", "f", "native_", "ldexp", "mix", "step")


def judged(lanes):
    """Overloads of values only, with their reference: the model, or their own scalar form."""
    everything = lists.read(KIND)
    scalar = {}
    chosen = []
    for o in everything:
        if any(p.pointer or p.base == "event_t" for p in o.params) or o.ret.value in ("void", "event_t") or not o.params or o.name.startswith(("get_", "shuffle")):
            continue
        if o.largest() > (lanes if o.name.startswith("convert_") or o.ret.base in model.REAL and not o.name.startswith(LIGHT) else 16):
            continue
        if o.name in ("dot", "cross", "length", "distance", "normalize", "fast_length", "fast_distance", "fast_normalize"):
            chosen.append((o, "geometry"))
            continue
        if o.name in ("any", "all"):
            chosen.append((o, "any"))
            continue
        f = model.expected(o)
        if f:
            chosen.append((o, f))
            continue
        if o.largest() == 1:
            scalar[o.name, tuple(p.base for p in o.params)] = len(chosen)
            chosen.append((o, "scalar"))
        else:
            chosen.append((o, "vector"))
    for i, (o, f) in enumerate(chosen):
        if f == "vector":
            key = o.name, tuple(p.base for p in o.params)
            if key not in scalar:
                raise SystemExit(f"cover.py: nothing to judge {o} with")
            chosen[i] = (o, ("as", scalar[key]))
    # half storage and shuffles are written out by hand below
    return chosen


CORNERS = {
    "float": [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 127.5, 128.0, -128.5, 255.5, 256.0, -0.75, 32767.5, -32769.0, 65535.5, 2147483520.0, 2147483648.0, -2147483648.0, 4294967040.0,
              4294967296.0, 9.223371487098962e18, 9.223372036854776e18, -9.223372036854776e18, 1.8446742974197924e19, 1.8446744073709552e19, math.inf, -math.inf, math.nan, 1e-40,
              65504.0, 65519.0, 65520.0, 6e-8, 2.9802322387695312e-08, 3e-8, 6.1e-5, 1.00048828125, 1.0009765625, 1.00146484375],
    "double": [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 127.5, 128.0, -128.5, 255.5, 256.0, -0.75, 32767.5, -32769.0, 65535.5, 2147483647.5, 2147483648.5, -2147483648.5, 4294967295.5,
               4294967296.0, 9.223372036854775e18, 9.223372036854776e18, -9.223372036854776e18, 1.844674407370955e19, 1.8446744073709552e19, math.inf, -math.inf, math.nan, 5e-324, 2e-308,
               65504.0, 65519.99999999999, 65520.0, 2.98023223876953e-08, 3e-8, 1.00048828125, 1.0000000596046448, 3.4028235677973366e38, 3.4028234663852886e38, 1e-45, 7e-46, 1.1754943e-38, 0.1],
}


def pools(seed):
    """Four pools of operands a type: corners and random values, shuffled. Values outnumber the sets by the lanes of a vector."""
    rng = random.Random(seed)
    pool = {}
    for j in range(4):
        for t in SCALARS:
            if t == "float":
                values = [struct.unpack("<f", struct.pack("<f", v))[0] for v in CORNERS["float"]] + [struct.unpack("<f", struct.pack("<I", rng.getrandbits(32)))[0] for _ in range(20)]
                while len(values) < SETS:
                    values.append(struct.unpack("<f", struct.pack("<f", rng.uniform(-1, 1) * 2.0 ** rng.randint(-8, 34)))[0])
            elif t == "double":
                values = CORNERS[t] + [model.from_bits(rng.getrandbits(64), t) for _ in range(20)]
                while len(values) < SETS:
                    values.append(rng.uniform(-1, 1) * 2.0 ** rng.randint(-8, 70))
            else:
                low, high = model.limits(t)
                values = [low, low + 1, -1 if low else 1, 0, 1, 2, high, high - 1, high // 2, BITS[t] - 1, BITS[t] & high, 0x55555555 & high, 7]
                while len(values) < SETS:
                    values.append(rng.randint(low, high) if rng.getrandbits(1) else model.wrap(rng.getrandbits(BITS[t]) >> rng.randrange(BITS[t]), t))
            rng.shuffle(values)
            pool[j, t] = values + values[:LIBRARY_ONLY]
    return pool


def layout():
    offset, at = 0, {}
    for j in range(4):
        for t in SCALARS:
            at[j, t] = offset
            offset += (SETS + LIBRARY_ONLY) * 8
    return at, offset


def components(name, n):
    return [name] if n == 1 else [f"{name}.s{'0123456789abcdef'[k]}" for k in range(n)]


def evaluate(i, o, at):
    lines = [f"void run_{i}(__global const uchar *pool, __global uchar *out)\n{{\n    __global {o.ret.base} *to = (__global {o.ret.base} *)out;\n    for (uint m = 0; m < {SETS}; m++) {{"]
    for k, p in enumerate(o.params):
        source = f"((__global const {p.base} *)(pool + {at[k, p.base]}))"
        lines.append(f"        {p.value} a{k} = ({p.value})({', '.join(f'{source}[m + {e}]' for e in range(p.n))});")
    lines.append(f"        {o.ret.value} r = {o.name}({', '.join(f'a{k}' for k in range(len(o.params)))});")
    lines += [f"        to[m * {o.ret.n} + {k}] = {c};" for k, c in enumerate(components("r", o.ret.n))]
    return "\n".join(lines + ["    }\n}\n"])


HALF_MODES = ["", "_rte", "_rtz", "_rtp", "_rtn"]


def extras(at, lanes):
    """Programs for what works through memory: (text, bytes of results, judge). Halves, loads and stores of vectors, shuffles, results by pointer."""
    out = []

    def add(body, size, judge):
        out.append((body, size, judge))

    floats = f"((__global const {KIND} *)(pool + {at[0, KIND]}))"
    halves = f"((__global const half *)(pool + {at[0, 'ushort']}))"
    for mode in HALF_MODES:
        add(f"for (uint m = 0; m < {SETS}; m++) vstore_half{mode}({floats}[m], m, (__global half *)out);", SETS * 2,
            lambda pool, got, mode=mode: compare([model.float_to_half(x, mode[1:]) for x in pool[0, KIND][:SETS]], got, "ushort"))
        add(f"for (uint m = 0; m < {SETS // 4}; m++) vstore_half4{mode}(({KIND}4)({floats}[4 * m], {floats}[4 * m + 1], {floats}[4 * m + 2], {floats}[4 * m + 3]), m, (__global half *)out);",
            SETS * 2, lambda pool, got, mode=mode: compare([model.float_to_half(x, mode[1:]) for x in pool[0, KIND][:SETS]], got, "ushort"))

    def loads(pool, got):
        return compare([model.half_to_float(h) for h in pool[0, "ushort"][:SETS]], got, "float")
    add(f"for (uint m = 0; m < {SETS}; m++) ((__global float *)out)[m] = vload_half(m, {halves});", SETS * 4, loads)
    add(f"for (uint m = 0; m < {SETS // 8}; m++) {{ float8 r = vload_half8(m, {halves}); vstore8(r, m, (__global float *)out); }}", SETS * 4, loads)
    # the aligned form of three lies four apart
    add(f"for (uint m = 0; m < {SETS // 4}; m++) {{ float3 r = vloada_half3(m, {halves}); vstore3(r, m, (__global float *)out); }}", SETS * 3,
        lambda pool, got: compare([model.half_to_float(pool[0, "ushort"][4 * (i // 3) + i % 3]) for i in range(SETS // 4 * 3)], got, "float"))
    add(f"for (uint m = 0; m < {SETS // 4}; m++) vstorea_half3(({KIND}3)({floats}[3 * m], {floats}[3 * m + 1], {floats}[3 * m + 2]), m, (__global half *)out);", SETS * 2,
        lambda pool, got: compare([model.INVALID if i % 4 == 3 else model.float_to_half(pool[0, KIND][i // 4 * 3 + i % 4], "") for i in range(SETS)], got, "ushort"))
    for t in OF_KIND:
        source = f"((__global const {t} *)(pool + {at[0, t]}))"
        for n in (2, 3, 4, 8, 16):
            count = SETS // n
            add(f"for (uint m = 0; m < {count}; m++) {{ {t}{n} r = vload{n}(m, {source}); vstore{n}(r, {count - 1} - m, (__global {t} *)out); }}", count * n * BYTES[t],
                lambda pool, got, t=t, n=n, count=count: compare([v for m in range(count) for v in pool[0, t][(count - 1 - m) * n:(count - m) * n]], got, t))
        u = t if t.startswith("u") else UNSIGNED.get(t, "u" + t)
        mask = f"((__global const {u} *)(pool + {at[1, u]}))"
        for n, m in ((2, 2), (2, 16), (4, 4), (4, 8), (8, 2), (8, 4), (16, 16), (16, 4)):
            x = f"({t}{m})({', '.join(f'{source}[m + {k}]' for k in range(m))})"
            y = f"({t}{m})({', '.join(f'{source}[m + {k} + 1]' for k in range(m))})".replace("m + ", "m + ")
            i = f"({u}{n})({', '.join(f'{mask}[m + {k}]' for k in range(n))})"
            for name, arguments, width in (("shuffle", f"{x}, {i}", m), ("shuffle2", f"{x}, {y}, {i}", 2 * m)):
                def judge(pool, got, t=t, u=u, n=n, m=m, width=width):
                    want = []
                    for s in range(SETS - 1):
                        both = pool[0, t][s:s + m] + pool[0, t][s + 1:s + 1 + m]
                        want += [both[pool[1, u][s + k] % width] for k in range(n)]
                    return compare(want, got, t)
                add(f"for (uint m = 0; m < {SETS - 1}; m++) {{ {t}{n} r = {name}({arguments}); vstore{n}(r, m, (__global {t} *)out); }}", (SETS - 1) * n * BYTES[t], judge)
    # results through pointers: the vector forms give the scalar ones' results (which device-math judges)
    for name, second in (("fract", KIND), ("modf", KIND), ("sincos", KIND), ("frexp", "int"), ("lgamma_r", "int")):
        u, w = UNSIGNED[KIND], UNSIGNED.get(second, "uint")
        for n in (2, 3, 4, 8, 16) if lanes == 16 else (2, 3):
            v = f"({KIND}{n})({', '.join(f'{floats}[m + {k}]' for k in range(n))})"
            checks = " ".join(f"{{ {second} q; {KIND} s = {name}({a}, &q); ok &= as_{u}(s) == as_{u}({b}) && as_{w}(q) == as_{w}({c}); }}"
                              for a, b, c in zip(components("x", n), components("r", n), components("p", n)))
            add(f"for (uint m = 0; m < {SETS}; m++) {{ {KIND}{n} x = {v}; __private {second}{n} p; {KIND}{n} r = {name}(x, &p); int ok = 1; {checks} "
                f"__global {second}{n} *g = (__global {second}{n} *)(out + {SETS * 8}); {KIND}{n} r2 = {name}(x, g); "
                + " ".join(f"ok &= as_{u}({a}) == as_{u}({b}) && as_{w}({c}) == as_{w}({d});" for a, b, c, d in zip(components("r", n), components("r2", n), components("(*g)", n), components("p", n)))
                + " ((__global int *)out)[m] = ok; }", SETS * 4,
                lambda pool, got: compare([1] * SETS, got, "int"))
    # atomics, alone: the old value comes back, the new one is left. amocas is not known to this qemu.
    operations = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y, "min": min, "max": max, "xchg": lambda x, y: y,
                  "inc": lambda x, y: x + 1, "dec": lambda x, y: x - 1}
    for t in ("int", "uint", "long", "ulong") if KIND == "float" else ():
        for prefix in ("atom_", "atomic_") if BITS[t] == 32 else ("atom_",):
            for op, f in operations.items():
                for space in ("__global", "__local"):
                    value = "" if op in ("inc", "dec") else f", ((__global const {t} *)(pool + {at[1, t]}))[m]"
                    add(f"__global {t} *to = (__global {t} *)out; for (uint m = 0; m < {SETS}; m++) {{ volatile {space} {t} *p = (volatile {space} {t} *)(ulong)(to + {2 * SETS}); "
                        f"*p = ((__global const {t} *)(pool + {at[0, t]}))[m]; to[2 * m] = {prefix}{op}(p{value}); to[2 * m + 1] = *p; }}", 2 * SETS * BYTES[t],
                        lambda pool, got, t=t, f=f: compare([v for m in range(SETS) for v in (pool[0, t][m], model.wrap(f(pool[0, t][m], pool[1, t][m]), t))], got, t))
    return out


def write(directory, seed, lanes):
    at, size = layout()
    pool = pools(seed)
    chosen = judged(lanes)
    programs = [evaluate(i, o, at) for i, (o, _) in enumerate(chosen)]
    more = extras(at, lanes)
    programs += [f"void run_{len(chosen) + i}(__global const uchar *pool, __global uchar *out)\n{{\n    {body}\n}}\n" for i, (body, _, _) in enumerate(more)]
    sizes = [SETS * o.ret.n * BYTES[o.ret.base] for o, _ in chosen] + [s for _, s, _ in more]
    files = 4
    for part in range(files):
        with open(f"{directory}/run{part}.cl", "w") as f:
            f.write("\n".join(programs[part::files]))
    with open(f"{directory}/table.h", "w") as f:
        f.write("\n".join(f"RUN({i}, {s})" for i, s in enumerate(sizes)) + "\n")
    data = bytearray(size)
    for (j, t), values in pool.items():
        struct.pack_into(f"<{len(values)}{FORMAT[t]}", data, at[j, t], *values)
    with open(f"{directory}/in", "wb") as f:
        f.write(data)
    print(f"{len(chosen)} overloads and {len(more)} others")


def compare(want, got, t):
    """Index of the first difference, or None."""
    have = struct.unpack_from(f"<{len(want)}{FORMAT[t]}", got)
    for i, (w, h) in enumerate(zip(want, have)):
        if w is model.INVALID:
            continue
        if t in model.REAL:
            same = (w != w and h != h) or model.bits(w, t) == model.bits(h, t)
        else:
            same = w == h
        if not same:
            return f"number {i}: got {h!r}, want {w!r}"
    return None


def geometry(o, args, r):
    """Relative error against exact sums in double, on vectors with squares that neither overflow nor vanish (the others: no NaN out of numbers)."""
    a = args[0]
    b = args[1] if len(args) > 1 else None
    if any(x != x or math.isinf(x) for v in args for x in v):
        return True
    biggest = max([abs(x) for v in args for x in v] + [0.0])
    fast = o.name.startswith("fast_")
    if biggest > (1e18 if fast or o.name in ("dot", "cross") else 1e38):
        return True
    e = 1e-6 if o.ret.base == "float" else 1e-14
    if o.name == "dot":
        return abs(r[0] - sum(x * y for x, y in zip(a, b))) <= e * sum(abs(x * y) for x, y in zip(a, b)) + 1e-44
    if o.name == "cross":
        want = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        return all(abs(w - h) <= e * biggest * biggest + 1e-44 for w, h in zip(want, r)) and (len(r) == 3 or r[3] == 0)
    v = [x - y for x, y in zip(a, b)] if b else a
    length = math.hypot(*v)
    slack = 0.4 * e * (biggest if b else length) * 2 + 1e-44
    if fast and length and length < 1e-18:
        return True
    if o.name.endswith(("length", "distance")):
        return abs(r[0] - length) <= slack if length < 3.4e38 else True
    if length == 0:
        return all(x == 0 for x in r)
    return all(abs(x / length - h) <= e for x, h in zip(v, r))


def judge(directory, seed, lanes):
    pool = pools(seed)
    chosen = judged(lanes)
    with open(f"{directory}/out", "rb") as f:
        data = f.read()
    at = [0]
    for o, _ in chosen:
        at.append(at[-1] + SETS * o.ret.n * BYTES[o.ret.base])
    passed = failed = 0

    def verdict(what, difference):
        nonlocal passed, failed
        passed += difference is None
        failed += difference is not None
        if difference is not None and failed <= 40:
            print(f"FAILED {what}: {difference}")

    end = at[-1]
    for i, (o, f) in enumerate(chosen):
        got = data[at[i]:at[i + 1]]
        if len(got) < at[i + 1] - at[i]:
            verdict(o, "no results")
            continue
        if f == "scalar":  # the reference of its vectors; device-math judges it
            continue
        operands = [pool[k, p.base] for k, p in enumerate(o.params)]
        if f == "geometry":
            have = struct.unpack_from(f"<{SETS * o.ret.n}{FORMAT[o.ret.base]}", got)
            bad = [m for m in range(SETS)
                   if not geometry(o, [v[m:m + p.n] for v, p in zip(operands, o.params)], have[m * o.ret.n:(m + 1) * o.ret.n])]
            verdict(o, None if not bad else f"set {bad[0]}: {[v[bad[0]:bad[0] + p.n] for v, p in zip(operands, o.params)]} gave {have[bad[0] * o.ret.n:(bad[0] + 1) * o.ret.n]}")
            continue
        if f == "any":
            combine = any if o.name == "any" else all
            verdict(o, compare([int(combine(x < 0 for x in operands[0][m:m + o.params[0].n])) for m in range(SETS)], got, "int"))
            continue
        if isinstance(f, tuple):
            if any(p.n != o.ret.n for p in o.params):
                fixed = [p.n == 1 for p in o.params]
                verdict_fixed(o, fixed, operands, got, verdict)
                continue
            s = f[1]
            size = BYTES[o.ret.base]
            base = data[at[s]:at[s + 1]]
            bad = [(m, k) for m in range(SETS) for k in range(o.ret.n)
                   if m + k < SETS and base[(m + k) * size:(m + k + 1) * size] != got[(m * o.ret.n + k) * size:(m * o.ret.n + k + 1) * size]]
            verdict(o, f"set {bad[0][0]}, component {bad[0][1]} differs from the scalar" if bad else None)
            continue
        want = [f(*[v[m + k] if p.n > 1 else v[m] for v, p in zip(operands, o.params)]) for m in range(SETS) for k in range(o.ret.n)]
        verdict(o, compare(want, got, o.ret.base))
    for body, size, check in extras(layout()[0], lanes):
        verdict(body[:150], check(pool, data[end:end + size] + bytes(64)) if len(data) >= end + size else "no results")
        end += size
    result(passed, failed)


def verdict_fixed(o, fixed, operands, got, verdict):
    """Vector forms with a scalar operand, of float functions that the model lacks: by double arithmetic, with room for rounding."""
    def smoothstep(a, b, x):
        if not a < b:
            return None
        t = min(max((x - a) / (b - a), 0.0), 1.0)
        return t * t * (3 - 2 * t)
    formulas = {"mix": lambda x, y, a: x + (y - x) * a if 0 <= a <= 1 else None, "step": lambda e, x: 0.0 if x < e else 1.0, "smoothstep": smoothstep,
                "fmin": lambda x, y: y if x != x else x if y != y else min(x, y), "fmax": lambda x, y: y if x != x else x if y != y else max(x, y),
                "ldexp": lambda x, n: x * 2.0 ** n if -200 < n < 100 else None}
    f = formulas.get(o.name)
    if not f:
        raise SystemExit(f"cover.py: nothing to judge {o} with")
    have = struct.unpack_from(f"<{SETS * o.ret.n}{FORMAT[o.ret.base]}", got)
    judged_lanes = 0
    for m in range(SETS):
        for k in range(o.ret.n):
            args = [v[m] if fix else v[m + k] for v, fix in zip(operands, fixed)]
            if any(isinstance(a, float) and (a != a or abs(a) > 1e30 or 0 < abs(a) < 1e-30) for a in args):
                continue
            want = f(*args)
            if want is None or abs(want) > 1e38:
                continue
            judged_lanes += 1
            h = have[m * o.ret.n + k]
            scale = max([abs(a) for a in args if isinstance(a, float)] + [abs(want)]) if o.name == "mix" else abs(want)
            if not abs(h - want) <= 1e-5 * scale + (1e-5 if o.name == "smoothstep" else 1e-44):
                return verdict(o, f"set {m}, component {k}: {args} gave {h}, want {want}")
    return verdict(o, None if judged_lanes > (20 if o.ret.base == "float" else 8) else "too few operands in the domain")


if __name__ == "__main__":
    command, arguments = sys.argv[2], sys.argv[3:]
    if command == "names":
        names(*arguments)
    elif command == "kernels":
        kernels(arguments[0], *map(int, arguments[1:]))
    elif command == "write":
        write(arguments[0], *map(int, arguments[1:]))
    else:
        judge(arguments[0], *map(int, arguments[1:]))
