"""The litmus tests of docs/memory-model.md as data. Everything else (kernels, counts, forbidden outcomes) follows from here.

A shape is a program for each thread, operations parted by `;`. Locations x, y, z are words, 0 at first; registers r0.. belong to the whole shape.
  W x 1           store               R x r0          load                    WL x   store of the thread's index in its warp + 1
  ADD x 1 r0      amoadd              SWAP y 1        amoswap to x0           OR y r0   amoor of 0, an atomic load
  LR x r0         SC x 1 r1           CAS x 0 1 r0    amocas: 1 if it was 0
  F               FENCE               WG              vl.fence.wg             B      vl.barrier
with .aq, .rl, .aqrl behind an atomic's name. `data:r0`, `addr:r0`, `ctrl:r0` behind a load or store: it depends on that register.

  W.1 x 2         store to byte 1 of x alone
  Y x             the host synchronises the block of x (vl_sync)
HOST is a place, too: the thread's operations W, R, Y are vl_write, vl_read and vl_sync beside the kernel.

A place says which core of the instance each thread stands on; threads on one core are different warps of one workgroup.

A row is (name, texts for the {slots} of the shape, verdict):
  forbidden   no outcome that sequential consistency does not have is ever seen
  allowed     the shape's outcome may be seen; no other that sequential consistency does not have
and an allowed outcome *is* seen on `where`: `machine`, or `network` when the machine's own network never shows it, but one that delays each request at
will does (loose_net.c). None: it is never seen, and `why` has the reason.
"""
from dataclasses import dataclass

FORBIDDEN, ALLOWED = "forbidden", "allowed"
MACHINE, NETWORK = "machine", "network"
HOST = 9


@dataclass(frozen=True)
class Test:
    name: str
    threads: tuple          # of tuples of operations, each a tuple of words
    place: tuple            # core of each thread
    outcome: tuple          # alternatives, each {register or location: value}
    verdict: str
    where: str | None = None
    spaces: str = "gg"      # x, y, .. each in global memory (g) or scratchpad (s)
    shared: bool = False    # all threads of a warp use the same locations; registers count from the thread's index, memory from the number of threads
    layout: str = "any"     # block: all locations in one block; apart: each in a block of its own
    success: tuple = ()     # outcomes that must be seen, or nothing was tested


def outcomes(text):
    return tuple({k: int(v) for k, v in (term.split("=") for term in alternative.split())} for alternative in text.split("|"))


def parse(program, fill):
    text = program.format_map(fill)
    return tuple(tuple(op.split()) for op in (o.strip() for o in text.split(";")) if op)


class Slots(dict):
    def __missing__(self, key):
        return ""


TESTS, DEVICES = [], []


def rows(shape, threads, place, outcome, *variants, tests=TESTS, **more):
    for variant in variants:
        name, fill, verdict, *where = variant
        programs = tuple(parse(p, Slots(fill)) for p in threads.split("||"))
        tests.append(Test(f"{shape}_{name}".replace(" ", "_"), programs, tuple(place), outcomes(outcome), verdict, where[0] if where else None, **more))


BOTH, FIRST, SECOND = {"a": "F;", "b": "F;"}, {"a": "F;"}, {"b": "F;"}

# ---- different cores --------------------------------------------------------------------------------------------------------------------------

rows("CoRR", "W x 1 || R x r0; {b} R x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN), ("fence", SECOND, FORBIDDEN))
rows("CoRR_atomic", "W x 1 || OR x r0; R x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN))
rows("CoRR_then_atomic", "W x 1 || R x r0; OR x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN))
rows("CoWW", "W x 1; W x 2", (0,), "x=1", ("plain", {}, FORBIDDEN))
rows("CoWW_other", "W x 1; W x 2 || R x r0; {b} R x r1", (0, 1), "r0=2 r1=1 | x=1", ("fence", SECOND, FORBIDDEN))
rows("CoWR", "W x 1; R x r0 || W x 2", (0, 1), "r0=0 | r0=2 x=1", ("plain", {}, FORBIDDEN))
rows("CoWR_atomic", "W x 1; OR x r0 || W x 2", (0, 1), "r0=0 | r0=2 x=1", ("plain", {}, FORBIDDEN))
rows("CoRW", "R x r0; W x 1 || W x 2", (0, 1), "r0=1 | r0=2 x=2", ("plain", {}, FORBIDDEN))
rows("CoRW_atomic", "OR x r0; SWAP x 1 || W x 2", (0, 1), "r0=1 | r0=2 x=2", ("plain", {}, FORBIDDEN))

rows("MP", "W x 1; {a} W y 1 || R y r0; {b} R x r1 {dep}", (0, 1), "r0=1 r1=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_writer", FIRST, ALLOWED, MACHINE), ("fence_reader", SECOND, ALLOWED, NETWORK),
     ("fence_writer_addr", {"a": "F;", "dep": "addr:r0"}, ALLOWED, MACHINE))
rows("MP_atomic", "W x 1; SWAP{rl} y 1 || OR{aq} y r0; R x r1", (0, 1), "r0=1 r1=0",
     ("plain", {}, ALLOWED, MACHINE), ("rl_aq", {"rl": ".rl", "aq": ".aq"}, FORBIDDEN), ("aqrl", {"rl": ".aqrl", "aq": ".aqrl"}, FORBIDDEN),
     ("rl", {"rl": ".rl"}, ALLOWED, MACHINE), ("aq", {"aq": ".aq"}, ALLOWED, NETWORK))
rows("MP_release_store", "W x 1; F; W y 1 || OR.aq y r0; R x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN))
rows("SB", "W x 1; {a} R y r0 || W y 1; {b} R x r1", (0, 1), "r0=0 r1=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_one", FIRST, ALLOWED, MACHINE))
rows("SB_atomic", "SWAP{m} x 1; OR{m} y r0 || SWAP{m} y 1; OR{m} x r1", (0, 1), "r0=0 r1=0",
     ("plain", {}, ALLOWED, NETWORK), ("aqrl", {"m": ".aqrl"}, FORBIDDEN))
rows("LB", "R x r0; {a} W y 1 {da} || R y r1; {b} W x 1 {db}", (0, 1), "r0=1 r1=1",
     ("plain", {}, ALLOWED, NETWORK), ("fence_both", BOTH, FORBIDDEN), ("data_both", {"da": "data:r0", "db": "data:r1"}, FORBIDDEN),
     ("addr_both", {"da": "addr:r0", "db": "addr:r1"}, FORBIDDEN), ("ctrl_both", {"da": "ctrl:r0", "db": "ctrl:r1"}, FORBIDDEN),
     ("fence_data", {"a": "F;", "db": "data:r1"}, FORBIDDEN), ("fence_one", FIRST, ALLOWED, NETWORK), ("data_one", {"db": "data:r1"}, ALLOWED, NETWORK))
rows("S", "W x 2; {a} W y 1 || R y r0; {b} W x 1 {db}", (0, 1), "r0=1 x=2",
     ("plain", {}, ALLOWED, NETWORK), ("fence_both", BOTH, FORBIDDEN), ("fence_data", {"a": "F;", "db": "data:r0"}, FORBIDDEN),
     ("fence_ctrl", {"a": "F;", "db": "ctrl:r0"}, FORBIDDEN), ("fence_one", FIRST, ALLOWED, NETWORK), ("data_one", {"db": "data:r0"}, ALLOWED, NETWORK))
rows("R", "W x 1; {a} W y 1 || W y 2; {b} R x r0", (0, 1), "y=2 r0=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_writer", FIRST, ALLOWED, MACHINE), ("fence_reader", SECOND, ALLOWED, NETWORK))
rows("2+2W", "W x 1; {a} W y 2 || W y 1; {b} W x 2", (0, 1), "x=1 y=1",
     ("plain", {}, ALLOWED, NETWORK), ("fence_both", BOTH, FORBIDDEN), ("fence_one", FIRST, ALLOWED, NETWORK))

WRC = "W x 1 || R x r0; {a} W y 1 {da} || R y r1; {b} R x r2 {db}"
rows("WRC", WRC, (0, 1, 2), "r0=1 r1=1 r2=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("data_fence", {"da": "data:r0", "b": "F;"}, FORBIDDEN), ("fence_second", FIRST, ALLOWED, MACHINE),
     ("fence_third", SECOND, ALLOWED, NETWORK), ("fence_addr", {"a": "F;", "db": "addr:r1"}, ALLOWED, MACHINE))
IRIW = "W x 1 || W y 1 || R x r0; {a} R y r1 {da} || R y r2; {b} R x r3 {db}"
IRIW_ROWS = (("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_one", FIRST, ALLOWED, MACHINE),
             ("addr_both", {"da": "addr:r0", "db": "addr:r2"}, ALLOWED, MACHINE))
rows("IRIW", IRIW, (0, 1, 2, 3), "r0=1 r1=0 r2=1 r3=0", *IRIW_ROWS)
rows("IRIW_writers", IRIW, (0, 0, 1, 2), "r0=1 r1=0 r2=1 r3=0", *IRIW_ROWS)

rows("amoadd", "ADD x 1 r0; ADD x 1 r1 || ADD x 1 r2; ADD x 1 r3", (0, 1), "x=3 | x=2 | r0=0 r2=0", ("cores", {}, FORBIDDEN))
rows("amoadd", "ADD x 1 r0 || ADD x 1 r1 || ADD x 1 r2", (0, 0, 1), "x=2 | x=1 | r0=0 r1=0", ("warps", {}, FORBIDDEN))
rows("amocas", "CAS x 0 1 r0 || CAS x 0 2 r1", (0, 1), "r0=0 r1=0", ("cores", {}, FORBIDDEN))
rows("LRSC", "LR x r0; SC x 1 r1 || LR x r2; SC x 2 r3", (0, 1), "r0=0 r1=0 r2=0 r3=0", ("cores", {}, FORBIDDEN),
     success=outcomes("r0=0 r1=0 r2=1 r3=0 | r0=0 r1=0 r3=1 | r0=0 r1=1 r3=0"))
rows("LRSC_write", "LR x r0; SC x 1 r1 || W x 2", (0, 1), "r0=0 r1=0 x=1", ("cores", {}, FORBIDDEN), success=outcomes("r0=0 r1=0 x=2 | r0=2 r1=0 x=1"))
rows("LRSC_two", "LR x r0; LR y r1; SC x 1 r2", (0,), "r2=0", ("LR_LR_SC", {}, FORBIDDEN))
rows("LRSC_two", "LR x r0; SC y 2 r1; SC x 1 r2", (0,), "r1=0 | r2=0", ("LR_SC_SC", {}, FORBIDDEN))
rows("LRSC_two", "LR x r0; LR y r1; SC y 1 r2", (0,), "r0=1", ("last_holds", {}, FORBIDDEN), success=outcomes("r2=0 y=1"))

# ---- warps of one core, and another core -----------------------------------------------------------------------------------------------------------

rows("WRC_warps", WRC, (0, 0, 1), "r0=1 r1=1 r2=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_second", FIRST, ALLOWED, MACHINE), ("fence_third", SECOND, ALLOWED, NETWORK),
     ("data_fence", {"da": "data:r0", "b": "F;"}, ALLOWED, NETWORK))
rows("IRIW_warps", IRIW, (0, 1, 0, 1), "r0=1 r1=0 r2=1 r3=0",
     ("plain", {}, ALLOWED, MACHINE), ("fence_both", BOTH, FORBIDDEN), ("fence_one", FIRST, ALLOWED, MACHINE))
rows("publish", "W x 1; B || B; {a} {w} y 1 || B; R y r1; {b} R x r2", (0, 0, 1), "r1=1 r2=0",
     ("plain", {"w": "W"}, ALLOWED, MACHINE), ("fence_both", {"a": "F;", "w": "W", "b": "F;"}, FORBIDDEN), ("rl_fence", {"w": "SWAP.rl", "b": "F;"}, FORBIDDEN),
     ("fence_writer", {"a": "F;", "w": "W"}, ALLOWED, MACHINE), ("fence_reader", {"w": "W", "b": "F;"}, ALLOWED, NETWORK))

# ---- one workgroup -----------------------------------------------------------------------------------------------------------------------------------

WORKGROUP = (
    ("MP", "W x 1; {f} W y 1 || R y r0; {f} R x r1", "r0=1 r1=0"), ("SB", "W x 1; {f} R y r0 || W y 1; {f} R x r1", "r0=0 r1=0"),
    ("LB", "R x r0; {f} W y 1 || R y r1; {f} W x 1", "r0=1 r1=1"), ("S", "W x 2; {f} W y 1 || R y r0; {f} W x 1", "r0=1 x=2"),
    ("R", "W x 1; {f} W y 1 || W y 2; {f} R x r0", "y=2 r0=0"), ("2+2W", "W x 1; {f} W y 2 || W y 1; {f} W x 2", "x=1 y=1"),
    ("WRC", "W x 1 || R x r0; {f} W y 1 || R y r1; {f} R x r2", "r0=1 r1=1 r2=0"),
    ("IRIW", "W x 1 || W y 1 || R x r0; {f} R y r1 || R y r2; {f} R x r3", "r0=1 r1=0 r2=1 r3=0"))
for spaces in ("gg", "ss", "gs"):
    for shape, threads, outcome in WORKGROUP:
        rows(f"group_{spaces}_{shape}", threads, (0,) * (threads.count("||") + 1), outcome, ("plain", {}, FORBIDDEN), ("fence_wg", {"f": "WG;"}, FORBIDDEN), spaces=spaces)
for spaces in ("g", "s"):
    rows(f"group_{spaces}_barrier", "W x 1; B || B; R x r0", (0, 0), "r0=0", ("plain", {}, FORBIDDEN), spaces=spaces)
rows("lanes", "WL x", (0,), "x=-1", ("store", {}, FORBIDDEN), shared=True)
rows("lanes", "ADD x 1 r0", (0,), "r0=1", ("amoadd", {}, FORBIDDEN), shared=True)

# ---- devices and the host: a core is a device ----------------------------------------------------------------------------------------------------------


def devices(shape, threads, place, outcome, *variants, **more):
    for layout in ("apart", "block"):
        rows(f"{shape}_{layout}", threads, place, outcome, *[(v[0], v[1], *[w if isinstance(w, str) else w[layout] for w in v[2:]]) for v in variants],
             tests=DEVICES, layout=layout, **more)  # a verdict and where it is seen may depend on the layout


def without(location, *parts):
    """Each outcome in which some of these parts of a word are not there."""
    return " | ".join(f"{location}={sum(v for k, v in enumerate(parts) if some >> k & 1)}" for some in range((1 << len(parts)) - 1))


H = HOST
N_STORE, COHERENT = {"w": "W"}, {"w": "SWAP"}
LOAD, OWN = {"r": "R"}, {"r": "OR"}
SYNC = {"s": "Y x;", "t": "Y y;"}
OFTEN_APART = {"apart": MACHINE, "block": None}
BY_BLOCK = {"apart": ALLOWED, "block": FORBIDDEN}  # who gets the flag's block gets what else was stored into it

for who, first, second in (("devices", 0, 1), ("to_host", 0, H), ("from_host", H, 0)):
    rows(f"CoRR_{who}", "W x 1 || R x r0; {b} R x r1", (first, second), "r0=1 r1=0", ("plain", {}, FORBIDDEN), *([("fence", SECOND, FORBIDDEN)] if second != H else []), tests=DEVICES)
    rows(f"CoWW_{who}", "W x 1; W x 2 || R x r0; {b} R x r1", (first, second), "r0=2 r1=1 | x=1",
         ("sync" if second == H else "fence", {"b": "Y x;"} if second == H else SECOND, FORBIDDEN), tests=DEVICES)
    rows(f"CoWR_{who}", "W x 1; R x r0 || W x 2", (first, second), "r0=0 | r0=2 x=1", ("plain", {}, FORBIDDEN), tests=DEVICES)
    rows(f"CoRW_{who}", "R x r0; W x 1 || W x 2", (first, second), "r0=1 | r0=2 x=2", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("CoRR_atomic_devices", "W x 1 || OR x r0; R x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("CoRR_then_atomic_devices", "W x 1 || R x r0; OR x r1", (0, 1), "r0=1 r1=0", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("CoRW_atomic_host", "OR x r0; SWAP x 1 || W x 2", (0, H), "r0=1 | r0=2 x=2", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("amoadd_devices", "ADD x 1 r0; ADD x 1 r1 || ADD x 1 r2; ADD x 1 r3", (0, 1), "x=3 | x=2 | r0=0 r2=0", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("LRSC_devices", "LR x r0; SC x 1 r1 || LR x r2; SC x 2 r3", (0, 1), "r0=0 r1=0 r2=0 r3=0", ("plain", {}, FORBIDDEN), tests=DEVICES)
rows("LRSC_host", "LR x r0; {m} SC x 1 r1 || W x 2", (0, H), "r0=0 r1=0 x=1", ("plain", {}, FORBIDDEN), ("load", {"m": "R y r2;"}, FORBIDDEN), tests=DEVICES)  # a load: more time for the host
rows("bytes", "W x 1 || W y 1 || W z 1", (0, 1, H), "x=0 | y=0 | z=0", ("n_stores_and_host", {}, FORBIDDEN), tests=DEVICES, layout="block")

# Bytes of one word: a grain, with mask_grain = 4.
rows("bytes_of_word", "W.0 x 1 || W.1 x 2 || W.2 x 3", (0, 1, H), without("x", 1, 2 << 8, 3 << 16), ("and_host", {}, FORBIDDEN), tests=DEVICES)
rows("bytes_of_word", "W.0 x 1; {a} ADD x 65536 r0 || W.3 x 1; {b} OR x r1", (0, 1), without("x", 1, 1 << 16, 1 << 24), ("atomics", {}, FORBIDDEN), ("fences", BOTH, FORBIDDEN), tests=DEVICES)

devices("MP", "{w} x 1; {f} W y 1 || R y r0; {f} R x r1", (0, 1), "r0=1 r1=0", ("n_stores_fences", {**N_STORE, "f": "F;"}, ALLOWED, OFTEN_APART))
devices("MP_flag", "{w} x 1; SWAP.rl y 1 || OR.aq y r0; {r} x r1", (0, 1), "r0=1 r1=0",
        ("n_store_load", {**N_STORE, **LOAD}, BY_BLOCK, MACHINE), ("n_store_atomic", {**N_STORE, **OWN}, FORBIDDEN), ("atomic_load", {**COHERENT, **LOAD}, FORBIDDEN),
        ("atomics", {**COHERENT, **OWN}, FORBIDDEN))
devices("SB", "{w} x 1; F; {r} y r0 || {w} y 1; F; {r} x r1", (0, 1), "r0=0 r1=0",
        ("n_store_load", {**N_STORE, **LOAD}, ALLOWED, MACHINE), ("n_store_atomic", {**N_STORE, **OWN}, FORBIDDEN), ("atomic_load", {**COHERENT, **LOAD}, FORBIDDEN))
devices("IRIW", "{w} x 1 || {w} y 1 || {r} x r0; F; {r} y r1 || {r} y r2; F; {r} x r3", (0, 1, 0, 1), "r0=1 r1=0 r2=1 r3=0",
        ("n_store_load", {**N_STORE, **LOAD}, ALLOWED, MACHINE), ("n_store_atomic", {**N_STORE, **OWN}, FORBIDDEN), ("atomic_load", {**COHERENT, **LOAD}, FORBIDDEN))
devices("MP_from_host", "W x 1; W y 1 || R y r0; {b} R x r1", (H, 0), "r0=1 r1=0", ("fence", SECOND, FORBIDDEN), ("plain", {}, ALLOWED, MACHINE))
devices("MP_to_host", "{w} x 1; F; {v} y 1 || {t} R y r0; {s} R x r1", (0, H), "r0=1 r1=0",
        ("n_stores", {**N_STORE, "v": "W"}, ALLOWED), ("n_stores_sync", {**N_STORE, "v": "W", **SYNC}, FORBIDDEN),
        ("flag", {**N_STORE, "v": "SWAP"}, BY_BLOCK, MACHINE), ("flag_sync", {**N_STORE, "v": "SWAP", "s": "Y x;"}, FORBIDDEN), ("atomics", {**COHERENT, "v": "SWAP"}, FORBIDDEN))
devices("SB_host", "{w} x 1; F; R y r0 || W y 1; {s} R x r1", (0, H), "r0=0 r1=0",
        ("n_store", N_STORE, BY_BLOCK, MACHINE), ("n_store_sync", {**N_STORE, "s": "Y x;"}, FORBIDDEN), ("atomic", COHERENT, FORBIDDEN))
devices("IRIW_host", "{w} x 1 || {w} y 1 || R x r0; F; R y r1 || {t} R y r2; {s} R x r3", (0, 1, 0, H), "r0=1 r1=0 r2=1 r3=0",
        ("n_stores", N_STORE, ALLOWED), ("atomics", COHERENT, FORBIDDEN))

if len({t.name for t in TESTS + DEVICES}) != len(TESTS + DEVICES):
    raise ValueError("two tests of one name")


# ---- sequential consistency ----------------------------------------------------------------------------------------------------------------------------

def locations(test):
    return sorted({op[1] for t in test.threads for op in t if len(op) > 1})


def registers(test):
    return sorted({w for t in test.threads for op in t for w in op[2:] if w[0] == "r" and ":" not in w})


def consistent(test):
    """Every outcome that some interleaving of the threads gives: tuples of the registers' and the locations' last values. An SC that may
    succeed may also fail."""
    regs, locs = registers(test), locations(test)
    if test.shared:
        return {(0,) * (len(regs) + len(locs))}
    meet = {i for i, t in enumerate(test.threads) if ("B",) in t}
    out, seen = set(), set()

    def step(op, i, reg, mem, held):
        """The states after one operation."""
        (name, *behind), reg, mem, held = op[0].split("."), dict(reg), dict(mem), dict(held)
        if len(op) == 1:
            return [(reg, mem, held)]
        loc = op[1]
        old, new, to = mem[loc], None, None
        if name == "W" and behind:
            new = old & ~(255 << 8 * int(behind[0])) | int(op[2]) << 8 * int(behind[0])
        elif name in ("W", "SWAP"):
            new = int(op[2])
        elif name in ("R", "OR", "LR"):
            to = op[2]
        elif name == "ADD":
            new, to = old + int(op[2]), op[3]
        elif name == "CAS":
            new, to = int(op[3]) if old == int(op[2]) else None, op[4]
        if name == "LR":
            held[i] = loc
        if name == "SC":
            mine = held.pop(i, None) == loc
            failed = ({**reg, op[3]: 1}, dict(mem), dict(held))
            if not mine:
                return [failed]
            good = {**mem, loc: int(op[2])}
            return [failed, ({**reg, op[3]: 0}, good, {k: v for k, v in held.items() if v != loc})]
        if to:
            reg[to] = old
        if new is not None:
            mem[loc] = new
            held = {k: v for k, v in held.items() if v != loc}
        return [(reg, mem, held)]

    def go(pcs, reg, mem, held):
        key = (pcs, tuple(sorted(reg.items())), tuple(sorted(mem.items())), tuple(sorted(held.items())))
        if key in seen:
            return
        seen.add(key)
        if all(p == len(t) for p, t in zip(pcs, test.threads)):
            out.add(tuple(reg.get(r, 0) for r in regs) + tuple(mem[v] for v in locs))
            return
        # Only threads of one core meet at a barrier; one alone passes it.
        groups = {}
        for i in meet:
            groups.setdefault(test.place[i], []).append(i)
        for group in groups.values():
            if all(pcs[i] < len(test.threads[i]) and test.threads[i][pcs[i]] == ("B",) for i in group):
                go(tuple(p + (i in group) for i, p in enumerate(pcs)), reg, mem, held)
        for i, thread in enumerate(test.threads):
            if pcs[i] < len(thread) and thread[pcs[i]] != ("B",):
                for r, m, h in step(thread[pcs[i]], i, reg, mem, held):
                    go(tuple(p + (k == i) for k, p in enumerate(pcs)), r, m, h)

    go((0,) * len(test.threads), {}, {v: 0 for v in locs}, {})
    return out


def matches(test, outcome, alternatives):
    value = dict(zip(registers(test) + locations(test), outcome))
    return any(all(value[k] == v for k, v in a.items()) for a in alternatives)


def check_data():
    """A condition that sequential consistency could meet would be no litmus test: a typo is found here."""
    for t in TESTS + DEVICES:
        for o in consistent(t):
            if matches(t, o, t.outcome) and not t.shared:
                raise ValueError(f"{t.name}: the outcome {o} is sequentially consistent")
