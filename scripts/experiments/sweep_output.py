"""What a sweep shows and writes: a table, CSV, JSON, a plot."""
import csv
import dataclasses
import io
import json
import os
import re

import plots
from children import write_whole
from sweep_task import figure


@dataclasses.dataclass(frozen=True)
class Shown:
    """The figures of a sweep, and the run that they are divided by. Rates, in per cent, are not divided."""
    units: dict    # of each --y, in their order
    base: dict     # axis: value; None: none

    def divided(self, name):
        return self.base is not None and self.units[name] != "%"

    def of_base(self):
        return ", ".join(f"{n}={v}" for n, v in self.base.items())


def value(results, task, name, shown):
    """The figure, normalised if there is a base; None: not known."""
    here, base = figure(results.get(task.axes), name), shown.base
    if not shown.divided(name) or here is None:
        return here
    there = figure(results.get(tuple((n, base.get(n, v)) for n, v in task.axes)), name)
    return here / there if there else None


def show(text):
    return "-" if text is None else f"{text:.4f}" if isinstance(text, float) else str(text)


def print_table(tasks, results, shown, axes):
    ys = list(shown.units)
    rows = [[n for n, _, _ in axes] + ["outcome"] + [y + ("*" if shown.divided(y) else "") for y in ys]]
    for t in tasks:
        r = results.get(t.axes)
        rows.append([v for _, v in t.axes] + [r["outcome"] if r else "-"] + [show(value(results, t, y, shown)) for y in ys])
    width = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print("  ".join(c.ljust(w) if i <= len(axes) else c.rjust(w) for i, (c, w) in enumerate(zip(r, width))).rstrip())
    if any(map(shown.divided, ys)):
        print(f"* divided by those of {shown.of_base()}")


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


def axis_text(name, shown):
    """A figure with its unit, or with the run that is 1."""
    unit = shown.units[name]
    return f"{name} (1: {shown.of_base()})" if shown.divided(name) else f"{name}, {unit}" if unit and unit != name else name


def plot(given, tasks, results, axes, shown):
    ys = list(shown.units)
    x = given.get("--x", axes[0][0])
    path = re.sub(r"\.(svg|png)$", "", given["--plot"])
    columns, values, xs = [], {}, next(v for n, _, v in axes if n == x)
    for y in ys:
        for t in tasks:
            at, rest = dict(t.axes)[x], ", ".join(f"{n}={v}" for n, v in t.axes if n != x)
            column = ": ".join(filter(None, [rest, y if len(ys) > 1 else ""])) or y
            if column not in columns:
                columns.append(column)
            values.setdefault(at, {})[column] = value(results, t, y, shown)
    each = len(columns) // len(ys)
    diagrams = [(axis_text(y, shown), columns[i * each:(i + 1) * each]) for i, y in enumerate(ys)]
    title = os.path.basename(tasks[0].workload[0])
    folder, name = os.path.dirname(path) or ".", os.path.basename(path)
    if all(re.fullmatch(r"\d+", v) for v in xs) and len(xs) > 1:
        plots.curves(folder, name, title, x, None, [int(v) for v in xs], columns, {int(v): values[v] for v in xs}, diagrams=diagrams)
    else:
        plots.bars(folder, name, title, None, xs, columns, values, head=x, diagrams=diagrams)
