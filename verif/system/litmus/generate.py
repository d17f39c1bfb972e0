#!/usr/bin/env python3
"""generate.py KERNELS.c TESTS.txt [SET]: the kernels of the litmus tests of shapes.py (TESTS; SET devices: DEVICES), and the data of each for the runner (main.c).

A thread's operations are one piece of inline assembly, so that the compiler changes nothing. Every round of a kernel is another instance with
locations of its own: its warps meet at a counter, wait for a random number of loop turns, and go; between operations they may wait again.
"""
import re
import sys

sys.dont_write_bytecode = True
import shapes  # noqa: E402

PROLOGUE = """/* Made by generate.py from shapes.py. */
#include "vellum.h"

/* The arguments, by main.c: (the counters have eight bytes, the locations four, so that a bug can be planted for one of them)
 * pool     global memory that the locations lie in
 * where    [instance][location]: 23:0 offset in the pool (or scratchpad), 24 + role: this thread has it in its cache before, 31: scratchpad
 * plan     [core][warp]: thread of the shape (7:0) and row (31:8), or -1
 * wait     [round][row][thread]: three delays of eight bits; 31:24 turns lanes, so that instances do not go in the same order everywhere
 * out      [instance][register]
 * meet     [row], a line each
 * left     [core]: the scratchpad at the end
 * go       rounds that the host has let begin, of tests in which it has a thread
 * calm     results are in memory before the next round */
#define ARGUMENTS char *pool, const unsigned *where, const int *plan, const unsigned *wait, unsigned *out, unsigned long *meet, unsigned *left, unsigned long *go, \\
    unsigned rounds, unsigned rows, unsigned lanes, unsigned spad_words, unsigned calm, VL_LOCAL_ARG unsigned *spad
#define WARPS_MAX 8

static inline __attribute__((always_inline)) char *find(char *pool, unsigned *spad, unsigned w, unsigned role)
{
    char *at = (w >> 31 ? (char *)spad : pool) + (w & 0xffffff);
    if (w >> (24 + role) & 1)
        __asm__ volatile("lw t0, 0(%0)\\nadd t0, t0, zero" ::"r"(at) : "t0", "memory");
    return at;
}

static inline __attribute__((always_inline)) void await(unsigned long *counter, unsigned long all)
{
    unsigned long n;
    if (vl_thread() == 0)
        do
            __asm__ volatile("amoor.d %0, zero, (%1)" : "=&r"(n) : "r"(counter) : "memory");
        while (n < all);
}

static inline __attribute__((always_inline)) void arrive(unsigned long *counter, unsigned long all)
{
    if (vl_thread() == 0)
        __atomic_fetch_add(counter, 1ul, __ATOMIC_RELAXED);
    await(counter, all);
}
"""

AMOS = {"SWAP": "amoswap.w", "ADD": "amoadd.w", "OR": "amoor.w", "CAS": "amocas.w"}


def wait(label, field):
    """Counts field of `wait` down, in loop turns that all threads of the warp take."""
    return [f"srli t1, %[wait], {8 * field}", "andi t1, t1, 255", f"{label}1: beqz t1, {label}2f", "addi t1, t1, -1", f"j {label}1b", f"{label}2:"]


def assembly(op, label):
    """One operation; t0 to t2 are free."""
    name, *ordering = op[0].split(".")
    args = [a for a in op[1:] if ":" not in a]
    depends = dict(a.split(":") for a in op[1:] if ":" in a)
    suffix = "." + ordering[0] if ordering else ""
    if name == "F":
        return ["fence"]
    if name == "WG":
        return [".insn 0x0020000b"]
    at, out = f"%[{args[0]}]", []
    if "addr" in depends:
        out += [f"xor t2, %[{depends['addr']}], %[{depends['addr']}]", f"add t2, t2, {at}"]
        at = "t2"
    if "ctrl" in depends:
        out += [f"bltz %[{depends['ctrl']}], {label}3f", f"{label}3:"]
    if name == "WL":
        return out + ["csrr t0, 0xcd1", "addi t0, t0, 1", f"sw t0, ({at})"]
    if name in ("R", "LR", "OR"):
        return out + [{"R": f"lw %[{args[1]}], ({at})", "LR": f"lr.w{suffix} %[{args[1]}], ({at})", "OR": f"amoor.w{suffix} %[{args[1]}], zero, ({at})"}[name]]
    if "data" in depends:
        out += [f"xor t0, %[{depends['data']}], %[{depends['data']}]", f"addi t0, t0, {args[1]}"]
    else:
        out += [f"li t0, {args[2 if name == 'CAS' else 1]}"]
    if name == "W":
        return out + [f"sb t0, {ordering[0]}({at})" if ordering else f"sw t0, ({at})"]
    if name == "SC":
        return out + [f"sc.w{suffix} %[{args[2]}], t0, ({at})"]
    if name == "CAS":
        return out + [f"li %[{args[3]}], {args[1]}", f"amocas.w{suffix} %[{args[3]}], t0, ({at})"]
    to = f"%[{args[2]}]" if len(args) > 2 else "zero"
    return out + [f"{AMOS[name]}{suffix} {to}, t0, ({at})"]


def block(ops, first, locs):
    """The statement of one thread's operations up to a barrier."""
    lines, gaps = wait("1", 0), 1 if first else 2
    memory = 0
    for k, op in enumerate(ops):
        if len(op) > 1:
            if memory:
                lines += wait(str(2 + 3 * memory), min(gaps, 2))
                gaps += 1
            memory += 1
        lines += assembly(op, str(3 + 3 * k + 20))
    regs = sorted({a for op in ops for a in op[2:] if a[0] == "r" and ":" not in a})
    used = [v for v in locs if any(len(op) > 1 and op[1] == v for op in ops)]
    outs = ", ".join(f'[{r}] "+&r"({r})' for r in regs)
    ins = ", ".join([f'[{v}] "r"({v})' for v in used] + ['[wait] "r"(w)'])
    text = "\\n".join(lines)
    return f'__asm__ volatile("{text}" : {outs} : {ins} : "t0", "t1", "t2", "memory");'


def phases(test):
    """Threads' operations parted at barriers, each thread's as [before, after]. Those of a core that has none come after, so that they meet what follows it."""
    if not any(("B",) in t for t in test.threads):
        return [[() if p == shapes.HOST else t for t, p in zip(test.threads, test.place)]]
    parts = [[], []]
    for t in test.threads:
        k = t.index(("B",)) if ("B",) in t else 0
        parts[0].append(t[:k])
        parts[1].append(t[k + (("B",) in t):])
    return parts


def kernel_name(test):
    return "t_" + re.sub(r"\W", "_", test.name)


def kernel(test):
    locs, regs = shapes.locations(test), shapes.registers(test)
    n = len(test.threads)
    body = []
    for p, part in enumerate(phases(test)):
        if p:
            body.append("        vl_barrier();")
        body.append("        if (active) {")
        for role, ops in enumerate(part):
            if ops:
                body.append(f"            {'else ' if role and any(part[:role]) else ''}if (role == {role}) {block(ops, not p, locs)}")
        body.append("        }")
    stores = []
    for k, r in enumerate(regs):
        owner = next(i for i, t in enumerate(test.threads) if any(r in op[2:] for op in t))
        if test.place[owner] != shapes.HOST:
            stores.append(f"            if (role == {owner}) out[at * {len(regs)} + {k}] = {r};")
    lane = "vl_thread()" if test.shared else "((unsigned)vl_thread() + (w >> 24)) % lanes"
    spad = "s" in test.spaces
    return "\n".join([
        "",
        f"VL_KERNEL void {kernel_name(test)}(ARGUMENTS)",
        "{",
        "    const int mine = plan[vl_core() * WARPS_MAX + vl_warp()];",
        "    const unsigned role = mine < 0 ? 255 : mine & 255, row = mine < 0 ? 0 : (unsigned)mine >> 8;",
        "    const int active = mine >= 0 && vl_thread() < lanes;",
        *(["    for (unsigned k = (unsigned)vl_local_id(0); k < spad_words; k += (unsigned)vl_local_size(0)) spad[k] = 0;", "    vl_barrier();"] if spad else []),
        "    for (unsigned round = 0; round < rounds; round++) {",
        *([f"        unsigned {', '.join(f'{r} = 0' for r in regs)};"] if regs else []),
        f"        const unsigned w = mine < 0 ? 0 : wait[(round * rows + row) * {n} + role];",
        f"        const unsigned at = (round * rows + row) * lanes + {lane};",
        f"        char {', '.join(f'*{v} = pool' for v in locs)};",
        "        if (active) {",
        *[f"            {v} = find(pool, spad, where[at * {len(locs)} + {k}], role);" for k, v in enumerate(locs)],
        "        }",
        f"        if (mine >= 0) arrive(meet + row * 16, (round + 1) * {sum(p != shapes.HOST for p in test.place)});",
        *(["        if (mine >= 0) await(go, round + 1);"] if shapes.HOST in test.place else []),
        *body,
        "        if (active) {",
        *stores,
        "            if (calm) vl_fence_global();",
        "        }",
        "    }",
        *(["    vl_barrier();", "    for (unsigned k = (unsigned)vl_local_id(0); k < spad_words; k += (unsigned)vl_local_size(0)) left[vl_core() * spad_words + k] = spad[k];"] if spad else []),
        "}",
    ])


def host_part(test):
    """The host's thread for the runner: operation (a store to a byte is its number), location, value or register."""
    locs, regs = shapes.locations(test), shapes.registers(test)
    ops = [op for t, p in zip(test.threads, test.place) if p == shapes.HOST for op in t]
    return ",".join(f"{op[0][-1]}{locs.index(op[1])}={op[2] if op[0][0] == 'W' else regs.index(op[2]) if op[0] == 'R' else 0}" for op in ops) or "-"


def main():
    shapes.check_data()
    tests = shapes.DEVICES if sys.argv[3:] == ["devices"] else shapes.TESTS
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write(PROLOGUE)
        for t in tests:
            f.write(kernel(t) + "\n")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        for t in tests:
            locs, regs = shapes.locations(t), shapes.registers(t)
            lrsc = any(op[0].startswith("LR") for th in t.threads for op in th)
            spaces = "".join(t.spaces[min(k, len(t.spaces) - 1)] for k in range(len(locs)))
            f.write(f"{t.name} {kernel_name(t)} {len(regs)} {spaces} {int(t.shared)} {int(lrsc)} {','.join(map(str, t.place))} {t.layout} {host_part(t)}\n")


if __name__ == "__main__":
    main()
