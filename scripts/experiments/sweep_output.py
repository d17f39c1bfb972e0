"""What a sweep shows and writes: a table, CSV, JSON, a plot."""
import csv
import io
import json
import os
import re

import plots
from children import write_whole
from sweep_task import figure


def value(results, task, name, base):
    """The figure, normalised if there is a base; None: not known."""
    here = figure(results.get(task.axes), name)
    if base is None or here is None:
        return here
    there = figure(results.get(tuple((n, base.get(n, v)) for n, v in task.axes)), name)
    return here / there if there else None


def show(text):
    return "-" if text is None else f"{text:.4f}" if isinstance(text, float) else str(text)


def print_table(tasks, results, ys, base, axes):
    rows = [[n for n, _, _ in axes] + ["outcome"] + [y + ("*" if base else "") for y in ys]]
    for t in tasks:
        r = results.get(t.axes)
        rows.append([v for _, v in t.axes] + [r["outcome"] if r else "-"] + [show(value(results, t, y, base)) for y in ys])
    width = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print("  ".join(c.ljust(w) if i <= len(axes) else c.rjust(w) for i, (c, w) in enumerate(zip(r, width))).rstrip())
    if base:
        print(f"* divided by those of {', '.join(f'{n}={v}' for n, v in base.items())}")


def write_files(given, tasks, results, axes):
    if "--csv" in given:
        names = sorted({n for r in results.values() for n in r["counters"]} - {"cycles"})
        text = io.StringIO(newline="")
        out = csv.writer(text, lineterminator="\n")
        out.writerow([*(n for n, _, _ in axes), "outcome", "cycles", *names])
        for t in tasks:
            r = results.get(t.axes)
            out.writerow([*(v for _, v in t.axes), *([r["outcome"], r["cycles"], *(r["counters"].get(n, "") for n in names)] if r else ["refused", "", *("" for _ in names)])])
        write_whole(given["--csv"], text.getvalue())
    if "--json" in given:
        rows = [{"axes": dict(t.axes), "config": t.word(), "backend": t.backend, "result": results.get(t.axes)} for t in tasks]
        write_whole(given["--json"], json.dumps(rows, indent=1) + "\n")


def plot(given, tasks, results, axes, ys, base):
    x = given.get("--x", axes[0][0])
    path = re.sub(r"\.(svg|png)$", "", given["--plot"])
    columns, values, xs = [], {}, next(v for n, _, v in axes if n == x)
    for y in ys:
        for t in tasks:
            at, rest = dict(t.axes)[x], ", ".join(f"{n}={v}" for n, v in t.axes if n != x)
            column = ": ".join(filter(None, [rest, y if len(ys) > 1 else ""])) or y
            if column not in columns:
                columns.append(column)
            values.setdefault(at, {})[column] = value(results, t, y, base)
    over = f" (1: {', '.join(f'{n}={v}' for n, v in base.items())})" if base else ""
    each = len(columns) // len(ys)
    diagrams = [(y + over, columns[i * each:(i + 1) * each]) for i, y in enumerate(ys)]
    title = os.path.basename(tasks[0].workload[0])
    folder, name = os.path.dirname(path) or ".", os.path.basename(path)
    if all(re.fullmatch(r"\d+", v) for v in xs) and len(xs) > 1:
        plots.curves(folder, name, title, x, None, [int(v) for v in xs], columns, {int(v): values[v] for v in xs}, diagrams=diagrams)
    else:
        plots.bars(folder, name, title, None, xs, columns, values, head=x, diagrams=diagrams)
