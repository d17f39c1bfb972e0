#!/usr/bin/env python3
"""Kernels on the reference machine: work-item functions, groups, atomics, copies, fences, stacks, C. test.py VELLUM DIRECTORY"""
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cc"))
import image

VELLUM, WORK = sys.argv[1:3]
rng = random.Random(0)
passed = failed = 0


def run(name, kernel, size, local, *arguments, offset=None, where=("--backend", "ref")):
    command = [VELLUM, "run", *where, f"{WORK}/{name}.elf", "--kernel", kernel, "--global", size, "--local", local]
    if offset:
        command += ["--offset", offset]
    for a in arguments:
        command += ["--arg", a]
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode:
        raise AssertionError(f"status {r.returncode}: {r.stderr}")


def put(name, form, values):
    with open(f"{WORK}/{name}", "wb") as f:
        f.write(struct.pack(f"<{len(values)}{form}", *values))
    return f"{WORK}/{name}"


def get(name, form):
    data = open(f"{WORK}/{name}", "rb").read()
    return list(struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data))


def same(got, want, what=""):
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            raise AssertionError(f"{what} number {i}: got {g}, want {w}")
    if len(got) < len(want):
        raise AssertionError(f"{what}: too short")


def case(f):
    global passed, failed
    try:
        f()
        passed += 1
    except (AssertionError, OSError, struct.error) as e:
        failed += 1
        print(f"FAILED {f.__name__}: {e}\n  again: verif/sw/device-run/run")


@case
def work_item_functions():
    for size, local, o in (((6, 4, 4), (3, 2, 2), (0, 0, 0)), ((6, 4, 4), (3, 4, 1), (100, 7, 70000)), ((10, 6, 1), (5, 3, 1), (3, 1, 0)), ((21, 1, 1), (7, 1, 1), (0, 0, 0))):
        dims = 3 if size[2] > 1 else 2 if size[1] > 1 else 1
        n = size[0] * size[1] * size[2]
        text = lambda v: ",".join(map(str, v[:dims]))
        run("cl", "identity", text(size), text(local), f"buf:{n * 26 * 8},out={WORK}/o", offset=text(o))
        want = []
        for z in range(size[2]):
            for y in range(size[1]):
                for x in range(size[0]):
                    i = (x, y, z)
                    want += [*(a + b for a, b in zip(i, o)), *(a % b for a, b in zip(i, local)), *(a // b for a, b in zip(i, local)), *size, *local, *(a // b for a, b in zip(size, local)), *o, dims, 0, 111, y + o[1], local[2]]
        same(get("o", "Q"), want, f"{size}")


@case
def groups_with_local_memory():
    for n, l in ((192, 64), (33, 11), (8, 8)):
        data = [rng.randint(-1000, 1000) for _ in range(n)]
        run("cl", "groups", str(n), str(l), f"buf:{n * 4},in={put('i', 'i', data)}", f"buf:{n * 4},out={WORK}/o", f"local:{l * 4}", f"buf:{n // l * 4},out={WORK}/s")
        part = [data[g * l:(g + 1) * l] for g in range(n // l)]
        same(get("s", "i"), [sum(p) for p in part], "sums")
        same(get("o", "i"), [p[l - 1 - i] + 3 * p[l - 1 - i] + sum(p) for p in part for i in range(l)], "out")


@case
def atomics_of_many_threads():
    n, l = 200, 40
    start = [0, 5, 1000, 0x7fffffff, 0, 0, -1, 77, 0, 0]
    run("cl", "atomics", str(n), str(l), f"buf:40,in={put('i', 'i', start)},out={WORK}/c", f"buf:24,in={put('w', 'Q', [1, 2, 3])},out={WORK}/v", f"buf:{n * 4},out={WORK}/o")
    hashes = [g * 2654435761 & 0xffffffff for g in range(n)]
    as_int = lambda v: v - (1 << 32) if v >> 31 else v
    x = 77
    for g in range(n):
        x ^= g * 0x10001
    same(get("c", "i"), [n, 5 + sum(g - 10 for g in range(n)), 1000 - 3 * n, min(map(as_int, hashes)), as_int(max(hashes)), -1, 0, as_int(x), n,
                         n // l * (l * 1000 + sum(i for i in range(l) if i & 3 == 1))], "counters")
    same(get("v", "Q"), [1 + sum(g << 33 for g in range(n)), (1 << 64) - 1, 3 + n * 0x100000001], "wide")
    same(sorted(get("o", "I")), list(range(n)), "old values")


@case
def copies_by_the_group():
    floats = [float(rng.randint(-99, 99)) for _ in range(3 * 160)]
    ints = list(range(100, 148))
    run("cl", "copies", "36", "12", f"buf:{len(floats) * 4},in={put('i', 'f', floats)}", f"buf:{len(floats) * 4},out={WORK}/o", f"buf:192,in={put('s', 'i', ints)}", f"buf:768,fill=0,out={WORK}/t")
    same(get("o", "f"), floats, "copy")
    same(get("t", "i"), [ints[3 * (i // 4)] if i % 4 == 0 else 0 for _ in range(3) for i in range(64)], "strided")


@case
def a_fence_orders_groups():
    run("cl", "last_group", "96", "8", f"buf:48,fill=0", f"buf:4,fill=0", f"buf:4,fill=0,out={WORK}/o")
    same(get("o", "I"), [12 * 13 // 2])


@case
def private_stacks_of_calls():
    data = [rng.randrange(256) for _ in range(200)]

    def peak(values, salt):
        bins = [0] * 32
        for v in values:
            bins[(v + salt) & 31] += 1
        best = max(range(32), key=lambda i: (bins[i], -i))
        return best * 1000 + bins[best]
    run("cl", "stack", "24", "12", f"buf:200,in={put('i', 'B', data)}", "i32:100", f"buf:96,out={WORK}/o")
    same(get("o", "i"), [peak(data[g:g + 100], g) + (peak(data[7:57], g) if g & 1 else 0) for g in range(24)])


@case
def spills_in_the_first_block():
    data = [rng.randint(-1000, 1000) for _ in range(48 * 8)]
    run("cl", "pressure", "8", "8", f"buf:{len(data) * 4},in={put('i', 'i', data)}", f"buf:{len(data) * 4},out={WORK}/o")
    same(get("o", "i"), [v[k] * v[(k * 7 + 3) % 48] + v[47 - k] for v in (data[i:i + 48] for i in range(0, len(data), 48)) for k in range(48)])


@case
def prefetching_never_faults():
    data = [rng.randrange(1000) for _ in range(24)]
    for far in (0x80000000, 0xffffffffffffffff, 1, 0x30000000):
        run("cl", "hints", "24", "8", f"buf:96,in={put('i', 'i', data)}", f"buf:96,out={WORK}/o", f"u64:{far:#x}")
        same(get("o", "i"), [v + 1 for v in data])


@case
def a_kernel_in_c():
    n, l = 60, 20
    data = [rng.randint(-1000, 1000) for _ in range(n)]
    run("c", "c_kernel", str(n), str(l), f"buf:{n * 4},in={put('i', 'i', data)}", f"buf:{n * 4 + 4},fill=0,out={WORK}/o", f"local:{l * 4}", "f32:50")
    other = [g // l * l + l - 1 - g % l for g in range(n)]
    same(get("o", "i"), [data[other[g]] + other[g] + 7 + (1 << (g % l & 7)) for g in range(n)] + [n])


@case
def memory_functions():
    n = 16
    run("c", "bytes", str(n), "8", f"buf:{256 * n},fill=0,out={WORK}/o")
    want = []
    for g in range(n):
        p = bytearray(256)
        p[:64] = bytes((i * 3 + g) & 255 for i in range(64))
        move = lambda to, source, count: p.__setitem__(slice(to, to + count), bytes(p[source:source + count]))
        move(64 + (g & 7), g & 3, 40 + g)
        move(8 + (g & 3), 4, 24 + (g & 7))
        move(2, 9 - (g & 7), 30)
        p[160 + (g & 7):160 + (g & 7) + 30 + g] = bytes([0xa5 + g]) * (30 + g)
        p[255] = 1 if bytes(p[:16]) < bytes(p[1:17]) else 2
        want += p
    same(get("o", "B"), want)


@case
def volatile_loads_of_every_type():
    """Bytes that are not zero behind the copies, except padding."""
    for built in ("volatile-cl-0", "volatile-cl-2", "volatile-c-0", "volatile-c-2"):
        names = ("copy",) if "-cl-" in built else ("copy", "atomic")
        for kernel in names:
            data = bytes(rng.randint(1, 255) for _ in range(4096))
            if "-c-" in built:
                data = data[:56] + b"\1" + data[57:]  # a _Bool
            open(f"{WORK}/i", "wb").write(data)
            run(built, kernel, "1", "1", f"buf:4096,in={WORK}/i", f"buf:4096,fill=0,out={WORK}/o")
            got = open(f"{WORK}/o", "rb").read()
            wrong = [i for i, (g, d) in enumerate(zip(got, data)) if g not in (d, 0)]
            copied = sum(g != 0 for g in got)
            vectors, packed = 30 * (1 + 2 + 4 + 8 + 4 + 8), 1 + 4 + 2 + 8 + 4 + 1
            want = 50 + 8 + vectors + packed if "-cl-" in built else 51 + (4 if kernel == "copy" else 0)
            if wrong or copied != want:
                raise AssertionError(f"{built} {kernel}: wrong bytes {wrong[:8]}, {copied} copied")
    run("volatile-c-2", "generic", "1", "1", f"buf:64,fill=1,out={WORK}/o", "i32:2")
    same(get("o", "i")[:5], [4, 14, 16843009, 16843009, 5])
    for n in (5, 6, 7):
        run("volatile-cl-2", "last", str(n), str(n), f"buf:{n},fill=7", f"buf:{n},out={WORK}/o", where=("--backend", "ref", "--check-buffers"))
        same(get("o", "B"), n * [7], "the last bytes")


@case
def groups_wait_for_volatile_words():
    n = 12
    want = [0]
    for w in range(1, n):
        want.append(want[-1] * 3 + w)
    for where in ("--config small", "--config mask2", "--config umh2", "--config opencl", "--config small --backend lockstep"):
        limit = (*where.split(), "--max-cycles", "300000")
        for built in ("volatile-cl-0", "volatile-cl-2"):
            run(built, "chain", str(8 * n), "8", f"buf:{4 * n}", f"buf:{4 * n}", f"buf:{4 * n},out={WORK}/o", where=limit)
            same(get("o", "i"), want, f"{built} {where}")
        threads, each = 32, 3
        run("volatile-c-2", "waited_for", str(threads), "8", "buf:64", "buf:64", f"buf:{4 * threads},out={WORK}/o", f"i32:{each}", where=limit)
        same(get("o", "i"), threads * [threads * each // 4], f"waited_for {where}")


@case
def names_of_the_library_are_free():
    for language in ("cl", "c"):
        for level in ("-O0", "-O2"):
            subprocess.run([VELLUM, "cc", level, "-w", os.path.join(os.path.dirname(__file__), f"names.{language}"), "-o", f"{WORK}/names.elf"], check=True)
            n, x = 3, 2.25
            run("names", "memmove" if language == "cl" else "__divdf3", "16", "8", f"buf:512,out={WORK}/o", f"i32:{n}", f"u64:{struct.unpack('<Q', struct.pack('<d', x))[0]}")
            same(get("o", "i"), sum(([i * n, 2, 10 * i + 3, -i, 100 * i + 1, i + 1000, 5 + (i & 1) + int(x * i + .5), int(x + .5)] for i in range(16)), []), f"names.{language} {level}")


def blow_up(levels, places):
    """Helpers that call the next one three times on each level, or from many places, with barriers and local memory in the last; two kernels, of which one calls the other."""
    text = """int f0(__local int *t, int x, int y)
{
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = t[(l + y) % n];
    for (int i = 0; i < (y & 3); i++)
        r = r * 33 + t[(l + i) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
"""
    for i in range(1, levels + 1):
        text += f"int f{i}(__local int *t, int x, int y) {{ int a = f{i - 1}(t, x, y + {i}); if (y & 1) a ^= f{i - 1}(t, x + a, y ^ {i}); return a + f{i - 1}(t, a, y & 7); }}\n"
    calls = "".join(f"x += f{levels}(t, x, {k});\n" for k in range(places))
    return text + f"__kernel void inner(__global int *a, int y) {{ __local int t[16]; int x = a[get_global_id(0)] + y;\n{calls} a[get_global_id(0)] = x; }}\n" \
        "__kernel void outer(__global int *a, int y) { __local int u[16]; inner(a, y); barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] ^= f0(u, get_local_id(0), y); }\n"


def blow_up_values(levels, places, x, y):
    """The same for a group at once, since its threads differ in x alone."""
    wrap = lambda v: (v + (1 << 31)) % (1 << 32) - (1 << 31)
    n = len(x)

    def f(i, x, y):
        if i == 0:
            r = [x[(l + y) % n] for l in range(n)]
            for k in range(y & 3):
                r = [wrap(r[l] * 33 + x[(l + k) % n]) for l in range(n)]
            return r
        a = f(i - 1, x, y + i)
        if y & 1:
            a = [p ^ q for p, q in zip(a, f(i - 1, [wrap(p + q) for p, q in zip(x, a)], y ^ i))]
        return [wrap(p + q) for p, q in zip(a, f(i - 1, a, y & 7))]
    x = [wrap(v + y) for v in x]
    for k in range(places):
        x = [wrap(p + q) for p, q in zip(x, f(levels, x, k))]
    return [p ^ q for p, q in zip(x, f(0, list(range(n)), y))]


@case
def many_calls_stay_calls():
    """In depth, in width, and few enough to be inlined, as the symbols show."""
    for levels, places, inlined in ((7, 2, False), (1, 300, False), (2, 2, True)):
        with open(f"{WORK}/blow.cl", "w") as f:
            f.write(blow_up(levels, places))
        with open(f"{WORK}/blow.c", "w") as f:
            f.write("".join(["#include \"vellum.h\"\n", "#define __local\n#define __global\n#define get_local_id vl_local_id\n#define get_local_size vl_local_size\n#define get_global_id vl_global_id\n",
                             "#define barrier(f) vl_barrier()\n#define __kernel VL_KERNEL\nVL_LOCAL int t[16], u[16];\n", blow_up(levels, places).replace("__local int t[16]; ", "").replace("__local int u[16]; ", "")]))
        start = os.times()
        for source in ("blow.cl", "blow.c"):
            subprocess.run([VELLUM, "cc", f"{WORK}/{source}", "-o", f"{WORK}/{source[5:]}-blow.elf"], check=True)
            if ("f0" not in image.Image(f"{WORK}/{source[5:]}-blow.elf").symbols) != inlined:
                raise AssertionError(f"{source}, {levels} levels, {places} places: {'a call is left' if inlined else 'everything was inlined'}")
        used = os.times().children_user - start.children_user
        if used > 6:
            raise AssertionError(f"{levels} levels, {places} places: compiled in {used} s")
        data = [rng.randint(-1 << 31, (1 << 31) - 1) for _ in range(16)]
        for blow, where in (("cl-blow", "--backend ref"), ("c-blow", "--backend ref"), ("cl-blow", "--config small")):
            run(blow, "outer", "16", "8", f"buf:64,in={put('i', 'i', data)},out={WORK}/o", "i32:5", where=where.split())
            same(get("o", "i"), blow_up_values(levels, places, data[:8], 5) + blow_up_values(levels, places, data[8:], 5), f"{levels} levels, {places} places, {blow} {where}")


@case
def atomics_of_less_than_a_word():
    values = [0, 1, -1, 127, -128, 0x7fff, -0x8000, *(rng.randint(-1 << 63, (1 << 63) - 1) for _ in range(5))]
    for level in "02":
        run(f"volatile-c-{level}", "subwords", "1", "1", "buf:64", f"buf:96,in={put('i', 'q', values)}", f"buf:8,out={WORK}/o")
        same(get("o", "i"), [0, 0], f"wrong at -O{level}")


print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
