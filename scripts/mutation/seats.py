"""Programs that judge C sources, with some of these exchanged.
Bench: benches with C twins in both seats: the seat of the verilated RTL is taken by the twin a second time (verif/common/both.c), so no Verilator is needed and a bench
is built in a second. With the same broken twin in both seats nothing differs, and only the bench's scoreboard can notice.
Suite: a test of libvellum, with sanitizers, in which sources of sw/runtime are exchanged."""
import hashlib
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../gen"))
import sources  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CC = ["clang-19", "-std=c17", "-O2", "-w", "-D_GNU_SOURCE", "-fPIC"]


class BuildError(Exception):
    pass


def run(command, **more):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", **more)


class Bench:
    """The bench of a block in a configuration. build() makes programs of it in which sources of the twin are replaced."""

    def __init__(self, block, config):
        self.block, self.config = block, config
        self.dir = os.path.join(ROOT, "build/both", config, block)
        os.makedirs(self.dir, exist_ok=True)
        made = run(["make", "-s", "both-parts", f"C={config}", f"B={block}"])
        parts = {x.split()[0]: x.split()[1:] for x in made.stdout.splitlines() if x.split() and x.split()[0] in ("TWIN", "REST", "SEAT")}
        if made.returncode or len(parts) != 3:
            raise BuildError(f"the bench of {block} does not build in {config}:\n{made.stdout}{made.stderr}")
        self.twin, self.rest, self.seat = parts["TWIN"], parts["REST"], parts["SEAT"]
        self.sound = {s: self.compile(s, {}) for s in self.twin}
        self.headers = self.included()

    def flags(self, overlay):
        cfg = f"build/cfg/{self.config}"
        return [*CC, *([f"-I{overlay}"] if overlay else []), "-I.", "-Ibuild/gen", f"-I{cfg}", f"-I{cfg}/gen"]

    def included(self):
        """Header of sim_c -> sources of the twin that include it."""
        out = {}
        for s in self.twin:
            for word in run([*self.flags(None), "-MM", s]).stdout.replace("\\\n", " ").split():
                if word.startswith("sim_c/") and word.endswith(".h"):
                    out.setdefault(word, []).append(s)
        return out

    def files(self):
        """Everything of the twin that can be replaced: its sources, and the headers of sim_c that they include."""
        return self.twin + sorted(self.headers)

    def compile(self, source, edits, into=None):
        """The object of a source of the twin, with `edits` (path -> text) in place of the files; they lie in the folder `into`."""
        os.makedirs(into or self.dir, exist_ok=True)
        out = os.path.join(into or self.dir, os.path.basename(source)[:-2] + ".o")
        done = run([*self.flags(into if edits else None), "-c", "-o", out, os.path.join(into, source) if source in edits else source])
        if done.returncode:
            raise BuildError(done.stderr)
        return out

    args, cwd = (), None

    def build(self, edits, program, one_seat=False):
        """Writes the bench with `edits` (path -> text) in both seats, or beside the sound twin with one_seat. False: what the edits compile to is what was there."""
        into = program + ".d"
        write(into, edits)
        changed = {s for s in self.twin for e in edits if e == s or s in self.headers.get(e, ())}
        objects = {s: self.compile(s, edits, into) if s in changed else self.sound[s] for s in self.twin}
        if edits and all(digest(objects[s]) == digest(self.sound[s]) for s in changed):
            return False
        seat = [self.second_seat()] if one_seat else self.seat
        linked = run(["clang-19", "-fuse-ld=lld", "-o", program, *seat, *objects.values(), *self.rest, "-lm"])
        if linked.returncode:
            raise BuildError(linked.stderr)
        return True

    def second_seat(self):
        """The sound twin behind the names of the verilated block: one object of which nothing else is seen."""
        out = os.path.join(self.dir, "second_seat.o")
        if not os.path.exists(out) or any(os.path.getmtime(o) > os.path.getmtime(out) for o in self.sound.values()):
            names = [f"--keep-global-symbol={self.block}_rtl_{f}" for f in ("new", "free", "reset", "out", "tick", "trace")]
            for step in (["ld", "-r", "-o", out, *self.seat, *self.sound.values()], ["objcopy", *names, out]):
                done = run(step)
                if done.returncode:
                    raise BuildError(done.stderr)
        return out


class Suite:
    """A test of libvellum. The object of a changed source takes the place of the sound one; a header is changed for the sources of sw/runtime, not for the test."""
    TESTS = ("page-table", "driver", "loader", "vm", "vm-model")  # the last: on a simulated machine, the driver's host
    args, cwd, made, seen, plain = (), ROOT, None, {}, {}
    SAN = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

    def __init__(self, test):
        self.block, self.config = test, "san"
        self.dir = os.path.join(ROOT, "build/both/runtime", test)
        os.makedirs(self.dir, exist_ok=True)
        made = Suite.made = Suite.made or run(["make", "-s", "runtime-parts"])
        parts = {x.split()[0]: x.split()[1:] for x in made.stdout.splitlines() if x.split() and x.split()[0] in self.TESTS}
        if made.returncode or len(parts) != len(self.TESTS) - 1:
            raise BuildError(f"the tests of sw/runtime do not build:\n{made.stdout}{made.stderr}")
        self.parts = parts[test.split("-model")[0]]
        objects = {o[len("build/san/"):-2] + ".c": o for o in self.parts if o.startswith("build/san/sw/runtime/")}
        self.sources = sorted(objects)
        self.objects = objects
        if not test.startswith("vm"):
            return
        kernels = os.path.join(self.dir, "kernels.elf")
        done = run(["build/vellum", "cc", "verif/sw/vm/kernels.cl", "-o", kernels])
        if done.returncode:
            raise BuildError(done.stderr)
        self.args = (kernels, "1", "model", "pages", "spaces", "order") if test == "vm-model" else (kernels,)

    def flags(self, overlay):
        return ["clang-19", "-std=c17", "-w", "-D_GNU_SOURCE", *([f"-I{overlay}"] if overlay else []), "-I.", "-Ibuild/gen"]

    def files(self):
        """Everything of sw/runtime that can be replaced."""
        return self.sources + sorted({h for s in self.sources for h in self.headers_of(s)})

    def headers_of(self, source):
        if source not in self.seen:
            self.seen[source] = {w for w in run([*self.flags(None), "-MM", source]).stdout.replace("\\\n", " ").split()
                                 if w.startswith("sw/runtime/") and w.endswith(".h")}
        return self.seen[source]

    def compile(self, source, edits, into, how):
        out = os.path.join(into, os.path.basename(source)[:-2] + ".o")
        done = run([*self.flags(into if edits else None), *how, "-c", "-o", out, os.path.join(into, source) if source in edits else source])
        if done.returncode:
            raise BuildError(done.stderr)
        return out

    def build(self, edits, program):
        """As Bench.build. Whether the code is another is seen without sanitizers, which keep the places in the source."""
        into = program + ".d"
        write(into, edits)
        changed = [s for s in self.sources for e in edits if e == s or e in self.headers_of(s)]
        os.makedirs(into, exist_ok=True)
        for s in changed:
            if s not in Suite.plain:
                Suite.plain[s] = digest(self.compile(s, {}, into, ["-O2"]))
        if edits and all(Suite.plain[s] == digest(self.compile(s, edits, into, ["-O2"])) for s in changed):
            return False
        new = {self.objects[s]: self.compile(s, edits, into, self.SAN) for s in changed}
        linked = run(["clang-19", "-fuse-ld=lld", *self.SAN, "-o", program, *(new.get(o, o) for o in self.parts), "-lelf", "-ldw", "-ljansson", "-lm", "-lcmocka"])
        if linked.returncode:
            raise BuildError(linked.stderr)
        return True


def write(folder, edits):
    """Nothing but `edits` in the folder: a header of an earlier one would be found before that of the house."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in edits.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as f:
            f.write(text)


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha1(f.read()).digest()


def blocks():
    """Block -> folder of verif, of every block that has a bench."""
    out = dict.fromkeys(sources.counters(), "core/perf")
    for unit in sorted(os.listdir(os.path.join(ROOT, "verif"))):
        for b in sorted(os.listdir(os.path.join(ROOT, "verif", unit))) if os.path.isdir(os.path.join(ROOT, "verif", unit)) else []:
            if os.path.exists(os.path.join(ROOT, "verif", unit, b, "bench.c")) and os.path.exists(os.path.join(ROOT, "rtl", unit, b + ".sv")):
                out[b] = f"{unit}/{b}"
    return out
