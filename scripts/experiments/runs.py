"""Runs of workloads on variants of a configuration: two at once, results kept by what they depend on.

A result is kept in build/experiments/results/ under a hash of the model's library, the program that drives it, the compiler and the
kernel's source, and the arguments: whatever changes any of them makes it run again, and nothing else does.
"""
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import re
import sys
import tempfile
import threading
import time

import children
import machines
import together

ROOT, OUT = machines.ROOT, machines.OUT
WORKLOADS = "build/workloads"


@dataclasses.dataclass(frozen=True)
class Machine:
    """What a run differs in: fields of the configuration, policies, how memory is translated."""
    fields: tuple = ()    # (name, value) pairs
    policies: tuple = ()
    memory: str = "bare"
    probe: str = ""       # counted on the side (mk/workloads-experiments.mk)
    options: tuple = ()   # more words for the program; of several applications: for the study


def included(path):
    """The file, and what it includes by a path of its own."""
    with open(path, encoding="utf-8") as f:
        found = re.findall(r'^#include "(.*)"', f.read(), re.M)
    return [path, *(p for name in found for p in included(os.path.join(os.path.dirname(path), name)))]


@dataclasses.dataclass(frozen=True)
class Run:
    config: str
    machine: Machine
    workload: str
    size: int
    data: int             # megabytes

    backend = "model"

    def command(self):
        return command(self.config, self.machine, self.workload, self.size, self.data)

    def sources(self):
        """Files that the result depends on, besides programs and machine."""
        form = "_vectors" if "--vectors" in self.machine.options else ""
        return included(f"{ROOT}/sw/workloads/{self.workload}/{self.workload}{form}.cl")

    def execute(self, root):
        return execute(self.command(), root, self.machine.probe)


class Unsupported(Exception):
    """The machine has no such policy or memory: what it said."""


def command(config, machine, workload, size, data):
    cmd = [WORKLOADS, "--backend", "model", "--config", machines.name_of(config, machine.fields), "--size", str(size)]
    if machine.memory != "bare":
        cmd += ["--memory", machine.memory]
    if data:
        cmd += ["--data", str(data), "--back-door"]
    for name, value in machine.policies:
        cmd += ["--set", f"{name}={value}"]
    cmd += machine.options
    return cmd + [workload]


SIDES = {"": (), "probe": ("page_divergence", "miss_latency"), "spaces": ("address_spaces",), "ideal": ("address_spaces",)}


def execute(cmd, root, probe):
    """What `cmd` writes with --stats, and the seconds it took; with `probe` also what that counted."""
    with tempfile.TemporaryDirectory(dir=OUT) as d:
        sides = {name: f"{d}/{name}" for name in SIDES[probe]}
        env = {**os.environ, "VELLUM_ROOT": root, "VELLUM_NO_BUILD": "1", **{f"VELLUM_{k.upper()}": v for k, v in sides.items()}}
        with open(f"{d}/said", "w+", encoding="utf-8") as said:
            at = 2 if cmd[1] == "run" else 1
            with children.started([*cmd[:at], "--stats", f"{d}/stats", *cmd[at:]], cwd=ROOT, env=env, stdout=said, stderr=said) as p:
                _, status, used = os.wait4(p.pid, 0)
                p.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        if p.returncode == 2:
            raise Unsupported(text.strip().removeprefix("workloads: ").removeprefix("vellum run: "))
        if p.returncode:
            raise RuntimeError(f"{' '.join(cmd)}\n{text}")
        with open(f"{d}/stats", encoding="utf-8") as f:
            result = json.load(f)
            result = result[0] if isinstance(result, list) else result
        result["seconds"] = used.ru_utime + used.ru_stime  # of CPU, whatever else runs
        for name, path in sides.items():
            with open(path, encoding="utf-8") as f:
                result[name] = json.load(f)
    return result


class Runner:
    def __init__(self, jobs, quiet=False):
        self.jobs, self.quiet, self.again = jobs, quiet, False
        self.lock, self.locks, self.built, self.refused = threading.Lock(), {}, {}, {}
        os.makedirs(f"{OUT}/results", exist_ok=True)
        self.program = machines.hash_of(*(p for p in (f"{ROOT}/{WORKLOADS}", f"{ROOT}/build/vellum") if os.path.exists(p)))  # an installed tree has no workloads

    def _once(self, table, key, make):
        """table[key], made by the first who asks."""
        with self.lock:
            lock = self.locks.setdefault((id(table), key), threading.Lock())
        with lock:
            if key not in table:
                table[key] = make()
            return table[key]

    def _build(self, config, m, backend="model"):
        def make():
            one = backend == "model" and not m.probe and (config, m.fields) in together.members
            return together.build(config, m.fields) if one else machines.build(config, dict(m.fields), m.probe, backend)
        return self._once(self.built, (config, m.fields, m.probe, backend), make)

    def _refusal(self, config, m):
        """Why the machine cannot do it, None if it can: asked of the plain configuration, so that no variant is built for nothing."""
        def ask():
            plain = dataclasses.replace(m, fields=(), probe="", options=tuple(o for o in m.options if o != "--vectors"))
            try:
                execute(command(config, plain, "vecadd", 1, 0), self._build(config, plain)[0], "")
            except Unsupported as e:
                return str(e)
            return None
        return self._once(self.refused, (config, m.policies, m.memory, m.options), ask)

    def run(self, run):
        m = run.machine
        why = self._refusal(run.config, m) if isinstance(run, Run) else None
        if why:
            raise Unsupported(why)
        try:
            if run.backend == "ref":
                root, library = None, None
            else:
                root, library = self._build(run.config, m, run.backend)
        except RuntimeError as e:
            if isinstance(run, Run):
                raise
            raise Unsupported(str(e).strip().splitlines()[-1]) from e
        return self.kept([library, self.program, machines.hash_of(*run.sources()), run.command()], lambda: self.execute(run, root))

    def execute(self, run, root):
        return run.execute(root)

    def stop(self):
        """Ends runs and builds that are under way."""
        children.end()

    def kept(self, what, make):
        """What `make` gives, kept under a hash of `what` it depends on."""
        key = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:32]
        path = f"{OUT}/results/{key}.json"
        if os.path.exists(path) and not self.again:
            with open(path, encoding="utf-8") as f:
                return json.load(f)
        result = make()
        children.write_whole(path, json.dumps(result))
        return result

    def all(self, runs):
        """{run: result} of those that the machine can do, and {reason: runs} of the others. Runs of one variant go together."""
        results, refused, done = {}, {}, 0
        begin = time.time()
        runs = sorted(set(runs), key=lambda r: (r.config, str(r.machine), str(r.workload)))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            try:    # a signal may come while the first runs have begun and others are not yet submitted
                futures = {pool.submit(self.run, r): r for r in runs}
                for f in completed(futures):
                    try:
                        results[futures[f]] = f.result()
                    except Unsupported as e:
                        refused.setdefault(str(e), []).append(futures[f])
                    done += 1
                    if not self.quiet:
                        bar(done, len(runs), time.time() - begin, futures[f])
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.stop()
                raise
        return results, refused


def completed(futures):
    """As concurrent.futures.as_completed, until a signal comes."""
    waiting = set(futures)
    while waiting:
        done, waiting = concurrent.futures.wait(waiting, timeout=0.5, return_when=concurrent.futures.FIRST_COMPLETED)
        children.check()
        yield from done


def bar(done, total, seconds, run):
    if not sys.stderr.isatty():
        return
    filled = 30 * done // total
    left = seconds / done * (total - done)
    text = f"[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}  {left // 60:.0f}:{left % 60:02.0f} left  {run.workload}"
    sys.stderr.write(f"\r{text:<78.78}" + ("\n" if done == total else ""))
    sys.stderr.flush()
