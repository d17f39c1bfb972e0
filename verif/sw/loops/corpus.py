#!/usr/bin/env python3
"""Kernels of many styles (kernels/*.cl), each with a line `// run GLOBAL LOCAL: ARGUMENTS`: compiled with and without the loop step, run on the model
`small`, every buffer compared with that of the reference at -O0. `verif/sw/loops/corpus.py` prints cycles, code size and reconvergence entries as a table."""
import math
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def sh(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def sources():
    """(file, [(kernel, global, local, [argument])])"""
    for name in sorted(os.listdir(f"{HERE}/kernels")):
        with open(f"{HERE}/kernels/{name}", encoding="utf-8") as f:
            found = re.findall(r"^// run (\S+) (\S+): (.*)\n__kernel void (\w+)", f.read(), re.M)
        yield f"{HERE}/kernels/{name}", [(k, g, l, a.split()) for g, l, a, k in found]


def data(kind, n, limit, rng):
    """The bytes of a buffer: floats in [-4, 4), any words or bytes, words below a limit, or the starts of n rows of `limit` elements in all."""
    if kind == "floats":
        return struct.pack(f"<{n}f", *(rng.randrange(-1024, 1024) / 256 for _ in range(n)))
    if kind == "below":
        return struct.pack(f"<{n}I", *(rng.randrange(limit) for _ in range(n)))
    if kind == "rows":
        return struct.pack(f"<{n + 1}I", *[0, *sorted(rng.randrange(limit + 1) for _ in range(n - 1)), limit])
    return bytes(rng.getrandbits(8) for _ in range(n * (4 if kind == "words" else 1)))


def arguments(kernel, words, place):
    """The --arg options, and the files that the buffers are written to."""
    rng, options, files = random.Random(kernel), [], []
    for at, word in enumerate(words):
        kind, *numbers = word.split(":")
        if kind in ("u32", "i32", "f32"):
            options += ["--arg", word]
            continue
        content = data(kind, int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0, rng)
        name = f"{place}/{kernel}.{at}"
        with open(f"{name}.in", "wb") as f:
            f.write(content)
        options += ["--arg", f"buf:{len(content)},in={name}.in,out={name}.out"]
        files.append(f"{name}.out")
    return options, files


def run(elf, kernel, size, local, words, place, backend, config):
    """(cycles, the buffers), or a text: why not."""
    options, files = arguments(kernel, words, place)
    r = sh("build/vellum", "run", "--backend", backend, "--config", config, "--back-door", "--kernel", kernel, "--global", size, "--local", local, *options, elf)
    if r.returncode:
        return (r.stdout + r.stderr)[-200:]
    found = re.search(r"^\s*cycles\s+(\d+)", r.stdout, re.M)
    buffers = []
    for name in files:
        with open(name, "rb") as f:
            buffers.append(f.read())
    return int(found[1]) if found else 0, buffers


def measure(cc, place, wrong):
    """A line a kernel: (file, kernel, cycles without, with the step, bytes without, with, reconvergence entries of the file without, with)."""
    os.makedirs(place, exist_ok=True)
    for path, kernels in sources():
        base, elf, entries = os.path.basename(path), {}, {}
        for name, options in (("o0", ["-O0"]), ("kept", ["-fno-unroll-loops"]), ("step", [])):
            elf[name] = f"{place}/{base}.{name}.elf"
            r = cc(*options, "-w", path, "-o", elf[name])
            if r.returncode:
                wrong.append(f"{base} with {options}: {r.stderr[:200]}")
                return
            found = re.search(r"reconvergence table\s+(\d+)", sh("build/vellum", "info", elf[name]).stdout)
            entries[name] = int(found[1]) if found else 0
        for kernel, size, local, words in kernels:
            truth = run(elf["o0"], kernel, size, local, words, place, "ref", "small")
            got = {name: run(elf[name], kernel, size, local, words, place, "model", "small") for name in ("kept", "step")}
            bad = [name for name in got if isinstance(truth, str) or isinstance(got[name], str) or got[name][1] != truth[1]]
            if bad:
                wrong.append(f"{base}, {kernel}: {', '.join(bad)} differ from -O0: {got[bad[0]] if isinstance(got[bad[0]], str) else ''}")
                continue
            bytes_ = {}
            for name in got:
                symbols = sh("llvm-nm-19", "-S", elf[name]).stdout
                bytes_[name] = int(re.search(rf"^\w+ (\w+) \w __vellum_entry_{kernel}$", symbols, re.M)[1], 16)
            yield base, kernel, got["kept"][0], got["step"][0], bytes_["kept"], bytes_["step"], entries["kept"], entries["step"]


def check(t, out):
    """Each kernel right; and none much slower than without the step (a short loop in a cold instruction cache is, by a little)."""
    wrong = []
    for base, kernel, kept, step, *_ in measure(t.cc, f"{out}/corpus", wrong):
        t.want(f"{base}, {kernel}", step <= 1.20 * kept, f"{step} cycles with the step, {kept} without")
    for line in wrong:
        t.want("corpus", False, line)


def main():
    os.chdir(os.path.join(HERE, "../../.."))
    wrong, ratios, last = [], [], None
    print("| kernel | cycles without | with | | bytes without | with |\n|---|---:|---:|---:|---:|---:|")
    for base, kernel, kept, step, small, large, before, after in measure(lambda *a: sh("build/vellum", "cc", *a), "build/verif/loops/corpus", wrong):
        if base != last:
            print(f"| *{base}*: reconvergence entries {before}, {after} | | | | | |")
            last = base
        ratios.append(step / kept)
        print(f"| {kernel} | {kept} | {step} | {step / kept:.2f} | {small} | {large} |")
    print(f"| geometric mean of {len(ratios)} | | | {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} | | |")
    print(*wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
