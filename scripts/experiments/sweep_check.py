"""What can be wrong with a sweep, found before anything is built or run."""
import concurrent.futures
import os
import re
import shutil
import sys

import children
from sweep_task import SHARING, VELLUM


def fail(text):
    print(f"vellum sweep: {text}", file=sys.stderr)
    sys.exit(2)


def run_words(words):
    """What a sweep says for all of its runs, and what runs that are kept, and side by side, cannot do."""
    for w in words:
        name = w.split("=")[0]
        if name in ("--config", "--with", "--backend", "--memory", "--stats", "--set"):
            fail("--config, --with, --backend, --memory and --set are options of the sweep, before `run`; --stats is --json or --csv")
        if name in ("--trace", "--samples") or re.search(r"^(--arg=)?buf:.*,out=", w):
            fail(f"{w}: a run of a sweep writes no file, since what is known is not run again; vellum run does")


def axes(given, axes_given):
    """Axes, and options that each name one thing."""
    if not axes_given:
        fail("no --vary given")
    if given.get("--x", axes_given[0][0]) not in [n for n, _, _ in axes_given]:
        fail(f"--x {given['--x']}: no such axis")
    if len({n for n, _, _ in axes_given}) != len(axes_given):
        fail("an axis is given twice")
    names = [w.partition("=")[0] for w in given["--set"]]
    for w, name in zip(given["--set"], names):
        if "=" not in w:
            fail(f"--set {w}: not of the form POLICY=VALUE")
        if names.count(name) > 1:
            fail(f"--set {name} is given twice")
    for name, how, _ in axes_given:
        fixed = {"policy": names, "field": [w.partition("=")[0] for w in given["--with"]], "word": []}.get(how, [o[2:] for o in given])
        if name in fixed:
            fail(f"--vary {name}: {name} is also given by {dict(policy='--set', field='--with').get(how, '--' + name)}")


def files(given):
    """What is written at the end is tried before anything runs."""
    files = {}
    for option in ("--csv", "--json", "--plot"):
        path = given.get(option)
        if path is None:
            continue
        folder, stem = os.path.dirname(path) or ".", re.sub(r"\.(svg|png)$", "", path)
        for p in [f"{stem}.{s}" for s in ("svg", "png", "csv")] if option == "--plot" else [path]:
            if not os.access(folder, os.W_OK) or os.path.exists(p) and not os.access(p, os.W_OK):
                fail(f"{option} {path}: {p if os.access(folder, os.W_OK) else folder} cannot be written")
            if os.path.isdir(p):
                fail(f"{option} {path}: {p} is a folder")
            if os.path.realpath(p) in files:
                fail(f"{option} {path}: {p} is written by {files[os.path.realpath(p)]} as well")
            files[os.path.realpath(p)] = option
    if "--plot" in given and not shutil.which("gnuplot"):
        fail(f"--plot {given['--plot']}: gnuplot is not here (Debian: gnuplot-nox)")


def figures(ys):
    """The unit of each --y, which is a figure that some machine has."""
    if len(set(ys)) != len(ys):
        fail("a --y is given twice")
    known = {line[:26].strip(): line[46:58].strip() for line in children.run([VELLUM, "info", "--figures"]).stdout.splitlines()} | dict.fromkeys(SHARING, "")
    for y in ys:
        if re.fullmatch(r"link_(up|down)\d*_\w+_bytes", y):
            known[y] = "bytes"
        if y not in known:
            fail(f"--y {y}: no such counter or figure (vellum info --figures lists them)")
    return {y: known[y] for y in ys}


def refusal(word, memory, policies):
    """Why a configuration cannot have this memory or these policies; None if it can."""
    r = children.run([VELLUM, "info", "--config", word, "--memory", memory, *(w for k, v in policies for w in ("--set", f"{k}={v}"))])
    return r.stderr.strip().removeprefix("vellum info: ") or f"vellum info: status {r.returncode}" if r.returncode else None


def machines_of(tasks):
    """Every configuration, memory and policy of the tasks, each combination once."""
    asked = {}
    for t in tasks:
        asked.setdefault((t.word(), t.machine.memory, t.machine.policies), []).append(t)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda key: refusal(*key), asked))
    wrong = [(t, why) for which, why in zip(asked.values(), said) if why for t in which]
    for t, why in wrong:
        print(f"vellum sweep: {', '.join(f'{n}={v}' for n, v in t.axes)}: {why}", file=sys.stderr)
    if wrong:
        sys.exit(2)
