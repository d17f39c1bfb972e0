#!/usr/bin/env python3
"""compare_llvm.py DISASM WORKDIR: our decoder and llvm-objdump must name the same instructions and operands, and refuse the
same words, apart from the few that are listed here with the reason."""
import os
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts/gen"))
import isa as gen  # noqa: E402

ATTR = "+m,+a,+zicsr,+zfinx,+zicond,+zba,+zbb,+zbs,+experimental-zacas,+zifencei"
# LLVM decodes these, and Vellum has none of them: no privileged mode, no quadword compare-and-swap, no cache hints.
FOREIGN = {"ecall", "ebreak", "uret", "sret", "mret", "wfi", "dret", "sfence.vma", "unimp", "amocas.q", "hfence.vvma",
           "hfence.gvma", "mnret", "sctrclr", "sfence.w.inval", "sfence.inval.ir"}
OURS = {"vl.exit", "vl.barrier", "vl.fence.wg"}


def words(table, rng):
    out = []
    for row in table.rows:
        for _ in range(100):
            word = rng.getrandbits(32) & ~row.mask & 0xffffffff | row.match
            if row.fmt.startswith("CSR"):
                numbers = [v[0] for v in table.csrs.values()]
                word = word & 0xfffff | rng.choice(numbers) << 20
                if rng.random() < 0.5:
                    word &= ~(31 << 15)
            out.append(word)
        for bit in range(2, 32):  # words one bit beside an instruction
            out.append((rng.getrandbits(32) & ~row.mask | row.match) & 0xffffffff ^ 1 << bit)
    out += [rng.getrandbits(32) | 3 for _ in range(20000)]
    return [w for w in out if w & 3 == 3 and w & 0x1c != 0x1c]


def llvm(text_words, work):
    (work / "words.bin").write_bytes(b"".join(struct.pack("<I", w) for w in text_words))
    subprocess.run(["llvm-objcopy-19", "-I", "binary", "-O", "elf64-littleriscv", work / "words.bin", work / "words.o"], check=True)
    out = subprocess.run(["llvm-objdump-19", "-D", "-z", "-j", ".data", "-M", "no-aliases", "--mattr=" + ATTR, work / "words.o"],
                         check=True, capture_output=True, text=True).stdout
    found = {}
    for line in out.splitlines():
        m = re.match(r"\s*([0-9a-f]+): ([0-9a-f]{8})\s+(.*)", line)
        if m:
            found[int(m[1], 16)] = m[3]
    return [found.get(4 * i, "missing") for i in range(len(text_words))]


def normal(text):
    """Numbers in decimal, no symbols, single spaces."""
    text = re.sub(r"<.*?>", "", text.replace("\t", " ")).strip()
    text = re.sub(r"(?<![\w.])-?(0x[0-9a-f]+|\d+)\b", lambda m: str(int(m[0], 0) & (1 << 64) - 1), text)
    return re.sub(r"\s+", " ", text)


def agree(ours, theirs, word, table):
    name = theirs.split()[0].split("\t")[0]
    if ours.startswith(".word"):
        if theirs.startswith("<unknown>") or name.removesuffix(".aq").removesuffix(".rl").removesuffix(".aqrl") in FOREIGN:
            return True
        csrs = {v[0]: v for v in table.csrs.values()}
        if name.startswith("csr"):  # one that Vellum lacks, or a write to one that cannot be written
            csr, write = word >> 20, word >> 12 & 3 == 1 or word >> 15 & 31 != 0
            return csr not in csrs or (csrs[csr][1] == "ro" and write)
        return False
    if ours.split()[0] in OURS:
        return theirs.startswith("<unknown>")
    if theirs.startswith("<unknown>"):
        # LLVM has no fence with set fields that the specification reserves for implementations to ignore.
        return ours.split()[0] in ("fence", "fence.i") and word & 0xf00f8f80 != 0
    if ours.startswith("csr"):  # LLVM has no names for ours
        for csr, (number, _, _) in table.csrs.items():
            ours = re.sub(rf"\b{csr}\b", str(number), ours)
            theirs = re.sub(rf"\b{csr}\b", str(number), theirs)
    return normal(ours) == normal(theirs)


def main():
    disasm, work = sys.argv[1], Path(sys.argv[2])
    seed = int(os.environ.get("SEED", "0"), 0)
    print(f"seed {seed} (again: SEED={seed} make test-ref/isa-decode)")
    table = gen.Isa(gen.TABLE)
    ws = words(table, random.Random(seed))
    ours = subprocess.run([disasm], input="\n".join(f"{w:08x}" for w in ws), check=True, capture_output=True, text=True).stdout
    ours = ours.splitlines()
    theirs = llvm(ws, work)
    bad = [(w, a, b) for w, a, b in zip(ws, ours, theirs, strict=True) if not agree(a, b, w, table)]
    for w, a, b in bad[:20]:
        print(f"{w:08x}: ours '{a}', llvm '{normal(b)}'")
    named = {a.split()[0].removesuffix(".aqrl").removesuffix(".aq").removesuffix(".rl") for a in ours}
    missing = [r.name for r in table.rows if r.name not in named]
    print(f"{len(ws)} words, {sum(not a.startswith('.word') for a in ours)} legal, {len(bad)} differ; never seen: {missing or 'none'}")
    print(f"{(not bad) + (not missing)} passed, {bool(bad) + bool(missing)} failed")
    return 1 if bad or missing else 0


sys.exit(main())
