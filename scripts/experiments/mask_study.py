"""What the figures of MASK (scripts/experiments/mask) compare: designs, pairs and sets of applications, the runs of a study, and what a run says of translation."""
import dataclasses
import tomllib

from apps import AppRun
from machines import ROOT
from runs import Machine

EPOCH = 20000  # cycles, at 100 per cent of the length of the runs; the paper's has 100 000 (docs/experiments/mask.md)
LOW = 0.2      # a miss rate below is low

# ---- designs: policies, memory, fields. A thread of the shared walker a walk, as the paper's; `coalesced`: walks share their reads (T8 to T10).
PLAIN = (("walks", "naive1"),)
TOKENS, CACHE, DRAM = ("tokens", "on"), ("walk_bypass", "on"), (("mem_sched", "mask"), ("mem_inputs", "counted"))
AGE = ("mem_epoch", EPOCH)
WHOLE = (TOKENS, CACHE, *DRAM, AGE)
COALESCED = (("walks", "coalesced"),)


def paged(policies, memory="paged", fields=()):
    return Machine(policies=policies, memory=memory, fields=fields)


DESIGNS = {
    "PWCache": paged(policies=(*PLAIN, ("l2_tlb", "off"), ("walk_cache", "on"))),
    "SharedTLB": paged(policies=PLAIN),
    "MASK-TLB": paged(policies=(*PLAIN, TOKENS, AGE)),
    "MASK-Cache": paged(policies=(*PLAIN, CACHE, AGE)),
    "MASK-DRAM": paged(policies=(*PLAIN, *DRAM, AGE)),
    "MASK": paged(policies=(*PLAIN, *WHOLE)),
    "SharedTLB, coalesced": paged(policies=COALESCED),
    "MASK, coalesced": paged(policies=(*COALESCED, *WHOLE)),
    "Static": Machine(policies=PLAIN, memory="paged", fields=(("interleave_bytes", 4096),), options=("channels divided",)),
    "Ideal": Machine(policies=PLAIN, memory="paged", probe="ideal"),
}
BASE, IDEAL = "SharedTLB", "Ideal"

PAIRS = (
    "trie+gups", "histo+lookup", "sobel+colmajor", "blur+lookup", "matmul+gups", "stencil+colmajor", "gups+lookup", "walsh+gups",
    "lookup+chase", "gups+update", "nbody+chase", "matmul+spmv", "colmajor+rowsum", "trie+update", "sobel+triad", "blur+chase", "lookup+options", "stencil+rowsum",
    "chase+update", "triad+chase", "spmv+update", "rowsum+options", "index+chase", "triad+options", "update+rowsum", "spmv+triad",
)
QUICK_PAIRS = ("trie+gups", "sobel+colmajor", "lookup+chase", "gups+update", "chase+update", "triad+chase")
SETS = (
    "gups+lookup+chase", "histo+update+spmv", "matmul+chase+triad", "colmajor+rowsum+update",
    "gups+lookup+chase+update", "histo+trie+spmv+triad", "colmajor+chase+rowsum+options", "sobel+lookup+update+index",
    "gups+lookup+chase+update+triad", "histo+trie+spmv+rowsum+chase", "matmul+colmajor+update+index+options", "sobel+nbody+lookup+chase+spmv",
)
QUICK_SETS = ("gups+lookup+chase", "gups+lookup+chase+update", "gups+lookup+chase+update+triad")
INTERFERING = ("gups+update", "lookup+chase", "triad+chase", "matmul+spmv")  # of figure 7
L2_SIZES = (64, 256, 512, 2048, 8192)
LARGE, LARGE_PAIRS, LATENCIES = 8192, ("update+rowsum", "colmajor+rowsum"), (8, 9, 10, 11, 12)  # of the mechanisms alone with an L2 TLB that the pages of rowsum fit in
SPLIT_STEP, SPLIT_PAIRS = 5, ("lookup+chase", "gups+update", "colmajor+rowsum", "triad+chase")  # of figure `splits`

# The paper's Fermi (GTX480) and integrated (HPCA 2014) machines, as far as `mask` has fields for them: numbers in powers of two of channels, lanes.
OTHERS = {
    "Fermi": (("cores", 15), ("threads", 32), ("warps", 48), ("l2_bytes", 32768), ("dram", '"gtx480"'), ("dram_clk_num", 33), ("dram_clk_den", 25)),
    "integrated": (("cores", 16), ("warps", 40), ("channels", 2), ("dram", '"ddr4_2400"'), ("dram_clk_num", 6), ("dram_clk_den", 5)),
}


def apps_of(pair):
    return tuple(pair.split("+"))


def divided(names, cores):
    """Neighbouring cores, equally many for each."""
    n = cores // len(names)
    return tuple((a, k * n, k * n + n - 1) for k, a in enumerate(names))


def with_fields(m, fields):
    return dataclasses.replace(m, fields=tuple(sorted({**dict(m.fields), **dict(fields)}.items())))


def with_policies(m, *policies):
    names = {n for n, _ in policies}
    return dataclasses.replace(m, policies=(*(p for p in m.policies if p[0] not in names), *policies))


def ipc(app):
    """Of its first launch."""
    return app["instructions"] / app["cycles"] if app["cycles"] and app["outcome"] == "ok" else None


def ipc_all(app):
    """Of all its launches that have ended: each has the instructions of the first one."""
    return app["instructions"] * app["launches"] / app["cycles_all"] if app["launches"] and app["outcome"] == "ok" else None


class Study:
    """Runs that are asked for, and what they gave. The first pass, with `results` None, only collects what is needed; the second has numbers."""

    def __init__(self, config, percent, group):
        with open(f"{ROOT}/rtl/config/{config}.toml", "rb") as f:
            self.base = tomllib.load(f)
        self.config, self.percent, self.group = config, percent, group
        self.cores = self.base["cores"]
        self.wanted, self.results, self.split = {}, None, {}

    def run(self, machine, parts):
        """The result, None while it is not there."""
        policies = tuple((n, max(46, v * self.percent // 100) if n == "mem_epoch" else v) for n, v in machine.policies)
        divides = machine.options and len(parts) > 1
        r = AppRun(self.config, dataclasses.replace(machine, policies=policies, probe=machine.probe or "spaces", options=()), parts, self.percent, self.group, self.base["channels"] if divides else 0)
        self.wanted[r] = True
        return self.results.get(r) if self.results else None

    def parts(self, pair, cores=None):
        return self.split.get(pair) or divided(apps_of(pair), cores or self.cores)

    def alone(self, machine, part):
        """On as many cores, the first ones: which they are makes no difference."""
        r = self.run(machine, ((part[0], 0, part[2] - part[1]),))
        return ipc(r["apps"][0]) if r else None

    def sharing(self, machine, parts, base=None, ipc=ipc):
        """{weighted speedup, unfairness, throughput} of the applications together, against each alone on its cores of `base` (SharedTLB)."""
        base = base or DESIGNS[BASE]
        alone = [self.alone(base, p) for p in parts]
        r = self.run(machine, parts)
        return figures(alone, [ipc(a) for a in r["apps"]] if r else None)


def figures(alone, shared):
    if shared is None or None in alone or None in shared:
        return None
    return {"ws": sum(s / a for s, a in zip(shared, alone)), "unfairness": max(a / s for s, a in zip(shared, alone)), "throughput": sum(shared)}


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def share(over, under, scale=1.0):
    return scale * over / under if over is not None and under else None


# ---- figures of translation in a run


def l1_rate(r):
    return share(r["counters"]["tlb_misses"], r["counters"]["tlb_lookups"])


def l2_rate(r, asid=None):
    """Misses of the L2 TLB: of all, or of an address space."""
    if asid is None:
        return share(r["counters"]["l2_tlb_misses"], r["counters"]["l2_tlb_lookups"])
    s = r["address_spaces"]["spaces"].get(str(asid))
    return share(s["lookups"] - s["hits"], s["lookups"]) if s else None


def at_once(r):
    return share(r["counters"]["l2m_busy"], r["cycles"])


def stalled(r):
    return share(r["counters"]["lsu_waiting"], r["counters"]["l2m_busy"])


def levels(r):
    c = r["counters"]
    return [share(c[f"l2_hit_cls{k}"], c[f"l2_access_cls{k}"], 100) for k in (1, 2, 3, 4)]


def spaces_sum(r, name):
    return sum(s[name] for s in r["address_spaces"]["spaces"].values())


CLASSES = {"data": "0", "walk": "1234"}  # of a line that DRAM is read for: data and instructions, or the levels of page tables
DETAIL = tuple(f"dram_{what}_cls{k}" for what in ("reads", "time") for k in range(5))
BURST_CLOCKS = 2


def of_class(r, what, kind):
    return sum(r["counters"][f"dram_{what}_cls{k}"] for k in CLASSES[kind])


def bandwidth(r):
    """Lines of page tables: % of what the pins have carried, and of what they could have in the time (`dram_ticks` are of all channels). Lines are counted by class, reads and writes in
    bursts of two clocks."""
    c = r["counters"]
    walks, lines = of_class(r, "reads", "walk"), of_class(r, "reads", "walk") + of_class(r, "reads", "data")
    bursts = share(walks * c["dram_reads"], lines)
    return share(bursts, c["dram_reads"] + c["dram_writes"], 100), share(bursts, c["dram_ticks"], 100 * BURST_CLOCKS)


def latency(r, kind):
    """Cycles from the slice's request to the data, a line."""
    return share(of_class(r, "time", kind), of_class(r, "reads", kind))
