"""Where a mutant of a block runs: one table for scripts/mutate (RTL) and scripts/mutate-both (twins in both seats).

First the configurations in which `make test` has the block's bench (verif/common/bench-configs); then, for a block whose structure shows only where there are several devices, wires or host
channels, the cases of verif/coherence/devices that name it, with their seeds and cycles; and for the parts of shared translation mask2, whose numbers of ports, ways and walks are those of no other.
Nothing is noticed there that `make test` would not notice (mask2 runs in lockstep): what survives here survives."""
import importlib.machinery
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIGS = ("tiny", "small", "warp32", "odd")
USUAL = ("tiny", "warp32", "odd")  # of a block that bench-configs does not name
SHARED = ("mask2", ("ask_net", "ans_net", "l2_tlb", "l2_tlb_mshr", "walker", "walk_cache", "fill_tokens", "walk_bypass", "stall_count", "seam_port"))
# A twin in both seats runs in machines of rtl/config, no cases: umh2 has two devices with two channels each, and two host channels.
DEVICES = "umh2"


def cases():
    """Of verif/coherence/devices: name -> (block -> arguments of its bench, text of the configuration). Not `narrow`: other sizes, and no other structure."""
    devices = importlib.machinery.SourceFileLoader("devices", os.path.join(ROOT, "verif/coherence/devices/run")).load_module()
    return {name: ({b: ("--seeds", str(seeds), "--cycles", str(cycles), "--demand-coverage") for b, (seeds, cycles) in blocks.items()}, devices.text_of(fields)) for name, blocks, fields in devices.CASES if name != "narrow"}


def named(block):
    """Where `make test` has the block's bench, as verif/common/bench-configs names it."""
    with open(os.path.join(ROOT, "verif/common/bench-configs"), encoding="utf-8") as f:
        return re.findall(rf"(?<!\S){block}/(\w+)", re.sub(r"#.*", "", f.read()))


def usual(block, order=CONFIGS):
    """Where the block is another one than elsewhere, without devices and shared translation."""
    return [c for c in order if c in (named(block) or USUAL)]


def of_rtl(block, cases):
    return usual(block) + [name for name, (blocks, _) in cases.items() if block in blocks] + [SHARED[0]] * (block in SHARED[1])


def of_both(block, cases):
    """Always the three, the quickest to notice first: a scoreboard may say in one what the comparison cannot. Then where else it is tested; a block that is nowhere in the three, there alone (tbc: who forms warps)."""
    other = [c for c in named(block) if c not in CONFIGS]
    three = ["odd", "tiny", "warp32"] if not other or len(other) < len(named(block)) else []
    return three + other + [DEVICES] * any(block in blocks for blocks, _ in cases.values()) + [SHARED[0]] * (block in SHARED[1])
