"""Applications of their own that run beside each other (sw/apps, and kernels of sw/workloads), and runs of several at once by `vellum run --app`.

An application is one launch of one kernel on data that need no program of the host's: zeros, a byte repeated, or random words.
"""
import dataclasses
import math
import os
import subprocess

import machines
from runs import Runner, execute

ROOT, OUT = machines.ROOT, machines.OUT
VELLUM = "build/vellum"
ELVES = "build/experiments/apps"
KB, MB = 1 << 10, 1 << 20
THREADS = 61440  # of most applications: 120 groups of 512, as many as half of the cores of `mask` hold


def rand(size, seed=1):
    return f"buf:{whole(size)},rand={seed}"


def fill(size, byte):
    return f"buf:{whole(size)},fill={byte}"


def zero(size):
    return f"buf:{whole(size)}"


def whole(size):
    """Buffers are whole pages of 2 MB, so that they can be mapped by such: the ideal machine is made of them (docs/experiments/mask.md)."""
    return -(-size // (2 * MB)) * 2 * MB


@dataclasses.dataclass(frozen=True)
class App:
    source: str      # below sw
    kernel: str
    arguments: object  # of the length of the run, in per cent: the range, the group, and the arguments
    data: str        # its data, in words


def times(percent, n):
    return max(1, n * percent // 100)


def line(threads, *arguments):
    return (threads,), (512,), arguments


APPS = {
    # few misses of the L1 TLB
    "nbody": App("apps/nbody", "nbody", lambda p: line(THREADS, rand(16 * KB), zero(16 * THREADS), f"u32:{times(p, 16)}"), "256 bytes read by all, 960 KB written once"),
    "trie": App("apps/trie", "trie", lambda p: line(THREADS, rand(256 * KB), zero(4 * THREADS), "u32:16", "u32:16", f"u32:{times(p, 4)}"), "a trie of 256 KB, 16 threads a key"),
    "matmul": App("workloads/sgemm_naive", "sgemm_naive", lambda p: ((256, 16 * times(p, 16)), (32, 16), (fill(2 * MB, 60), fill(2 * MB, 60), zero(2 * MB), f"u32:{16 * times(p, 16)}", "u32:256", "u32:128", "f32:1", "f32:0")), "128 KB read by all, 512 KB in all"),
    "histo": App("apps/histo", "histo", lambda p: line(THREADS, rand(4 * THREADS * times(p, 8)), zero(KB), f"u32:{times(p, 8)}"), "a stream of 1.9 MB"),
    "stencil": App("apps/stencil", "stencil", lambda p: line(512 * 120, rand(240 * KB * (times(p, 24) + 2)), zero(240 * KB * (times(p, 24) + 2)), "u32:512", "u32:120", f"u32:{times(p, 24) + 2}"), "two grids of 6 MB, planes of 240 KB"),
    "sobel": App("workloads/sobel", "sobel", lambda p: ((512, 16 * times(p, 15)), (32, 16), (rand(32 * KB * times(p, 15)), zero(32 * KB * times(p, 15)), "u32:512", f"u32:{16 * times(p, 15)}")), "two images of 480 KB"),
    "blur": App("workloads/simple_convolution", "simple_convolution", lambda p: line(512 * times(p, 120), rand(2 * KB * times(p, 120)), zero(2 * KB * times(p, 120)), fill(KB, 60), "u32:512", f"u32:{times(p, 120)}", "u32:3"), "two images of 240 KB, 49 reads a pixel"),
    "walsh": App("workloads/fastwalsh", "fastwalsh", lambda p: line(THREADS * times(p, 24), fill(8 * THREADS * times(p, 24), 60), "u32:4096", f"u32:{THREADS * times(p, 24)}"), "two streams, read and written, 11 MB in all"),
    # more pages than the L1 TLB has, fewer than the L2 TLB
    "lookup": App("apps/lookup", "lookup", lambda p: line(THREADS, rand(MB), zero(4 * THREADS), f"u32:{256 * KB}", "u32:16", f"u32:{times(p, 16)}", "u32:8"), "random reads of 1 MB, 16 threads a place"),
    "gups": App("apps/gups", "gups", lambda p: line(THREADS, zero(MB), f"u32:{256 * KB}", "u32:16", f"u32:{times(p, 8)}", "u32:7"), "random updates of 1 MB"),
    "colmajor": App("apps/colmajor", "colmajor", lambda p: line(512 * times(p, 512), rand(2 * KB * times(p, 512)), zero(2 * KB * times(p, 512)), "u32:512", f"u32:{times(p, 512)}"), "columns of 512 rows, 1 MB each way"),
    # more than either has
    "chase": App("apps/chase", "chase", lambda p: line(THREADS, rand(256 * MB), zero(4 * THREADS), f"u32:{64 * MB}", "u32:16", f"u32:{times(p, 12)}"), "chains through 256 MB"),
    "update": App("apps/gups", "gups", lambda p: line(THREADS, zero(256 * MB), f"u32:{64 * MB}", "u32:16", f"u32:{times(p, 6)}", "u32:7"), "random updates of 256 MB"),
    "spmv": App("apps/spmv", "spmv", lambda p: line(THREADS, rand(4 * THREADS // 16 * times(p, 4)), rand(16 * THREADS * times(p, 4)), rand(128 * MB), zero(4 * THREADS), f"u32:{THREADS}", "u32:16", f"u32:{times(p, 4)}", f"u32:{32 * MB}"), "a vector of 128 MB, 3.8 MB of matrix"),
    "rowsum": App("apps/rowsum", "rowsum", lambda p: line(THREADS, rand(8 * KB * THREADS // 16), zero(4 * THREADS), "u32:2048", "u32:16", f"u32:{min(2048, times(p, 512))}"), "3 840 rows, two pages apart"),
    "index": App("apps/trie", "trie", lambda p: line(THREADS, rand(256 * MB), zero(4 * THREADS), "u32:26", "u32:8", f"u32:{times(p, 2)}"), "a trie of 256 MB, 8 threads a key"),
    "options": App("workloads/blackscholes", "blackscholes", lambda p: line(THREADS * times(p, 2), *(fill(16 * THREADS * times(p, 2), 63) for _ in range(3)), zero(16 * THREADS * times(p, 2)), zero(16 * THREADS * times(p, 2)), "f32:0.05", "f32:0.2", f"u32:{THREADS * times(p, 2)}"), "five streams, 2.3 MB in all"),
    "triad": App("workloads/stream", "stream_triad", lambda p: line(THREADS, *(rand(8 * THREADS * times(p, 16), k) for k in (1, 2)), zero(8 * THREADS * times(p, 16)), "u64:3", f"u32:{THREADS * times(p, 16)}"), "three streams, 22 MB in all"),
}


def elf(name):
    return f"{ELVES}/{os.path.basename(APPS[name].source)}.elf"


def compile_kernels(names):
    os.makedirs(f"{ROOT}/{ELVES}", exist_ok=True)
    for source in sorted({APPS[n].source for n in names}):
        base = os.path.basename(source)
        path = f"sw/{source}.cl" if source.startswith("apps/") else f"sw/{source}/{base}.cl"
        elf_there = f"{ROOT}/{ELVES}/{base}.elf"
        if os.path.exists(elf_there) and os.path.getmtime(elf_there) > max(os.path.getmtime(f"{ROOT}/{p}") for p in (path, VELLUM)):
            continue
        r = subprocess.run([VELLUM, "cc", path, "-o", f"{ELVES}/{base}.elf"], cwd=ROOT, capture_output=True, text=True)
        if r.returncode:
            raise RuntimeError(r.stderr)


@dataclasses.dataclass(frozen=True)
class AppRun:
    """Applications, each on cores of its own, on a machine. One that ends is launched again until all have ended once; alone it runs once."""
    config: str
    machine: object
    parts: tuple     # (application, first core, last core)
    percent: int     # length of the runs
    group: int = 512  # the largest group that the machine takes
    channels: int = 0  # number of them, divided equally between the applications; 0: all have all

    @property
    def workload(self):
        return "+".join(p[0] for p in self.parts)

    def command(self, config=None):
        m = self.machine
        cmd = [VELLUM, "run", "--config", config or machines.name_of(self.config, m.fields), "--back-door", "--memory", m.memory, "--no-alone", "--fresh", "1", *(["--brief"] if len(self.parts) > 1 else [])]
        for name, value in m.policies:
            cmd += ["--set", f"{name}={value}"]
        each = self.channels // len(self.parts)
        for k, (name, first, last) in enumerate(self.parts):
            of, local, arguments = APPS[name].arguments(self.percent)
            local = list(local)
            while math.prod(local) > self.group:
                local[local.index(max(local))] //= 2
            cmd += ["--app", elf(name), "--kernel", APPS[name].kernel, "--global", ",".join(map(str, of)), "--local", ",".join(map(str, local)),
                    "--cores", f"{first}-{last}" if last > first else f"{first}"]
            cmd += ["--channels", f"{k * each}-{(k + 1) * each - 1}"] if each else []
            for a in arguments:
                cmd += ["--arg", a]
        return cmd


class AppRunner(Runner):
    def __init__(self, jobs):
        super().__init__(jobs)
        compile_kernels(APPS)

    def run(self, run):
        root, library = self._build(run.config, run.machine)
        kernels = [machines.hash_of(f"{ROOT}/{elf(p[0])}") for p in run.parts]
        cmd = run.command()
        return self.kept([library, self.program, kernels, cmd], lambda: execute(cmd, root, run.machine.probe))
