"""Benches with C twins in both seats: the seat of the verilated RTL is taken by the twin a second time (verif/common/both.c), so no Verilator is needed and a bench
is built in a second. With the same broken twin in both seats nothing differs, and only the bench's scoreboard can notice."""
import hashlib
import os
import subprocess

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

    def build(self, edits, program, one_seat=False):
        """Writes the bench with `edits` (path -> text) in both seats, or beside the sound twin with one_seat. False: what the edits compile to is what was there."""
        into = program + ".d"
        for path, text in edits.items():
            os.makedirs(os.path.dirname(os.path.join(into, path)), exist_ok=True)
            with open(os.path.join(into, path), "w", encoding="utf-8") as f:
                f.write(text)
        changed = {s for s in self.twin for e in edits if e == s or s in self.headers.get(e, ())}
        objects = {s: self.compile(s, edits, into) if s in changed else self.sound[s] for s in self.twin}
        if edits and all(digest(objects[s]) == digest(self.sound[s]) for s in changed):
            return False
        seat = [self.second_seat()] if one_seat else self.seat
        linked = run(["clang-19", "-o", program, *seat, *objects.values(), *self.rest, "-lm"])
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


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha1(f.read()).digest()


def blocks():
    """Block -> folder of verif, of every block that has a bench."""
    out = {}
    for unit in sorted(os.listdir(os.path.join(ROOT, "verif"))):
        for b in sorted(os.listdir(os.path.join(ROOT, "verif", unit))) if os.path.isdir(os.path.join(ROOT, "verif", unit)) else []:
            if os.path.exists(os.path.join(ROOT, "verif", unit, b, "bench.c")) and os.path.exists(os.path.join(ROOT, "rtl", unit, b + ".sv")):
                out[b] = f"{unit}/{b}"
    return out
