"""One run of a sweep, and its result."""
import dataclasses
import json
import os
import re
import shutil
import tempfile

import children
import machines
from runs import Machine, Unsupported

ROOT = machines.ROOT
VELLUM, WORKLOADS = f"{ROOT}/build/vellum", f"{ROOT}/build/workloads"
DRIVER = [f"{ROOT}/build/libvellumcl.so", f"{ROOT}/build/vellum-cc"]  # the driver of an OpenCL program
OUTCOMES = {0: "ok", 3: "fault", 5: "limit"}
SHARING = ("weighted_speedup", "throughput", "unfairness")  # of several programs


@dataclasses.dataclass(frozen=True)
class Task:
    """One run of a sweep, for the runner of the experiments."""
    kind: str
    config: str
    machine: Machine
    backend: str
    workload: tuple  # its words
    axes: tuple      # (name, value) pairs

    def word(self):
        """The configuration."""
        name = os.path.abspath(self.config) if self.config.endswith(".toml") else self.config
        return "+".join([name, *(f"{k}={v}" for k, v in self.machine.fields)])

    def command(self):
        words = {"run": [VELLUM, "run"], "workload": [WORKLOADS], "opencl": []}[self.kind]
        if self.kind == "opencl":
            return [*self.workload, "|", self.backend, self.word(), self.machine.memory, *(f"{k}={v}" for k, v in self.machine.policies)]
        words += ["--backend", self.backend, "--config", self.word()]
        if self.machine.memory != "bare":
            words += ["--memory", self.machine.memory]
        for name, value in self.machine.policies:
            words += ["--set", f"{name}={value}"]
        return words + list(self.workload)

    def sources(self):
        """Whatever file its words name, `in=FILE` and `file:FILE` as well."""
        names = [p for w in self.workload for p in (w, *re.findall(r"\bin=([^,]+)", w), *re.findall(r"^(?:--arg=)?file:(.*)", w, flags=re.S))]
        if self.kind == "opencl":
            names[0] = shutil.which(names[0]) or names[0]
            names += DRIVER
        found = [n for n in names if os.path.isfile(n)]
        if self.kind == "workload":
            found += [f for w in self.workload for f in [f"{ROOT}/sw/workloads/{w}/{w}.cl"] if os.path.isfile(f)]
        return found

    def text(self):
        """For a worker elsewhere, which `one` understands."""
        return {**dataclasses.asdict(self), "folder": os.getcwd()}

    def execute(self, root):
        with tempfile.TemporaryDirectory() as d:
            stats, env = f"{d}/stats", {**os.environ, "VELLUM_ROOT": ROOT, "VELLUM_NO_BUILD": "1"}
            words = self.command()
            if self.kind == "opencl":
                words = list(self.workload)
                env.update(VELLUM_CONFIG=self.word(), VELLUM_BACKEND=self.backend, VELLUM_MEMORY=self.machine.memory, VELLUM_STATS=stats, VELLUM_LOG=f"{d}/log",
                           VELLUM_SET=",".join(f"{k}={v}" for k, v in self.machine.policies))
                env.setdefault("OCL_ICD_VENDORS", f"{ROOT}/build/vellum.icd")
            else:
                words += ["--stats", stats]
            r = children.run(words, env=env)
            said = r.stderr.strip()
            if self.kind == "opencl" and os.path.exists(f"{d}/log"):
                with open(f"{d}/log", encoding="utf-8") as f:
                    said = "\n".join([*filter(None, [said]), *f.read().splitlines()[:1]])
            if r.returncode == 2 and not os.path.exists(stats):
                raise Unsupported(said.splitlines()[0] if said else f"{words[0]}: status 2")
            if not os.path.exists(stats) or (self.kind != "run" and r.returncode) or r.returncode not in OUTCOMES:
                raise Unsupported(said.splitlines()[0] if said and self.kind == "run" else f"{os.path.basename(words[0])}: status {r.returncode}{': ' + said.splitlines()[0] if said else ''}")
            with open(stats, encoding="utf-8") as f:
                return read_stats(self.kind, f.read())


def read_stats(kind, text):
    """{"outcome", "cycles", "counters"}; of several launches the sums, and of ratios the mean by cycles."""
    docs = [json.loads(line) for line in text.splitlines()] if kind == "opencl" else json.loads(text)
    docs = docs if isinstance(docs, list) else [docs]
    if len(docs) == 1:
        counters = {**docs[0]["counters"], **{k: docs[0][k] for k in SHARING if k in docs[0]}}
        return {"outcome": "ok", **docs[0], "counters": counters}
    if not docs:
        raise Unsupported("it launched no kernel")
    cycles = sum(d["cycles"] for d in docs)
    counters = {}
    for d in docs:
        for name, value in d["counters"].items():
            counters[name] = counters.get(name, 0) + (value * d["cycles"] / max(1, cycles) if isinstance(value, float) else value)
    return {"outcome": "ok", "cycles": cycles, "launches": len(docs), "counters": counters}


def finished(result):
    """Whether its figures are those of a whole run."""
    return result is not None and result["outcome"] == "ok"


def figure(result, name):
    """None: not known."""
    if not finished(result):
        return None
    return result["cycles"] if name == "cycles" else result["counters"].get(name)
