"""Figures by gnuplot, as SVG and PNG, and their numbers as CSV: bars in groups, or stacked; curves.

A diagram has at most MOST series, or `most`; more become diagrams one below the other, with the same scale. Names are turned where they would overlap, and the margin is as
wide as they need (labels.py measures the drawn SVG). Series without a value are left out.
"""
import csv
import io
import math
import os
import subprocess
import textwrap

import labels
from children import write_whole

MOST = 8
WIDTH, HEIGHT = 1000, 330       # of a diagram, without the names below it
CHAR, LINE = 6.6, 14            # pixels of a letter of 12 points, and of a line
COLOURS = ("#1d3557", "#457b9d", "#8ecae6", "#f4a261", "#e76f51", "#6a994e", "#b5838d", "#adb5bd")


def table(path, rows, columns, values, head="workload"):
    """values[row][column], None: not there. `head`: what a row is."""
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    out.writerow([head, *columns])
    for r in rows:
        out.writerow([r, *("" if values[r][c] is None else f"{values[r][c]:.6g}" for c in columns)])
    write_whole(path, text.getvalue())


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def number(value):
    return "NaN" if value is None else f"{value:.6g}"


def panels(diagrams, rows, values, most=MOST):
    """[(unit, columns)] with `most` columns at most each, and none without a value."""
    for unit, columns in diagrams:
        there = [c for c in columns if any(values[r][c] is not None for r in rows)]
        n = math.ceil(len(there) / most)
        size = math.ceil(len(there) / n) if n else 0
        for k in range(n):
            yield unit, there[k * size:(k + 1) * size]


def wrapped(text, pixels):
    return "\n".join(textwrap.wrap(str(text or ""), max(8, int(pixels / CHAR)))) or ""


class Names:
    """Names below an axis: how far they are turned, and the room that they take."""

    def __init__(self, names, key):
        room = (WIDTH - 110 - key) / max(1, len(names))
        longest = max((len(str(n)) for n in names), default=0) * CHAR
        self.angle = 0 if longest < room - 6 else 40 if room >= 20 else 90
        self.height = 28 if not self.angle else 18 + longest * math.sin(math.radians(self.angle))
        self.left = 0 if self.angle != 40 else max(0, longest * math.cos(math.radians(40)) - 60 - room / 2)

    def style(self):
        return "set xtics noenhanced" + (f" rotate by {self.angle} right" if self.angle else "")


def draw(path, title, head, style, drawn, names, largest, plot, terminals):
    """Leaves PATH.svg and .png; labels.Overlap where a text does not fit. drawn: [(unit, columns)], one below the other; plot(column, its number in the diagram) is gnuplot's words for a series. largest: of the values."""
    key = max(len(str(c)) for _, columns in drawn for c in columns) * 7.8 + 80
    below = Names(names, key) if names else None
    foot = (below.height if below else 28) + (LINE + 12 if head else 0)
    title = wrapped(title, WIDTH - key - 40)     # it stands above the middle of the diagram
    top = LINE * (title.count("\n") + 1) + 12
    heights = [HEIGHT + foot] * len(drawn)
    total = top + sum(heights)
    script = [*style, *([below.style()] if below else [])]
    at = total - top
    for n, ((unit, columns), h) in enumerate(zip(drawn, heights)):
        low = at - h
        side = wrapped(unit, HEIGHT - 20)
        left = 34 + LINE * (side.count("\n") + 1) + 7.5 * max(2, len(f"{largest:.0f}") + (largest < 10) * 2)
        script += [f"set lmargin at screen {max(left, 75 + below.left if below else 0) / WIDTH:.4f}", f"set rmargin at screen {1 - key / WIDTH:.4f}",
                   f"set bmargin at screen {(low + foot) / total:.4f}", f"set tmargin at screen {(at - 8) / total:.4f}",
                   f"set title {quoted(title if n == 0 else '')}", f"set xlabel {quoted(head)}" + (f" offset 0,{-(below.height - 28) / LINE:.2f}" if below and below.angle else ""),
                   f"set ylabel {quoted(side)}", "plot " + ", ".join(plot(c, k) for k, c in enumerate(columns))]
        at = low
    for kind in terminals:
        scale = 1 if kind == "svg" else 1.5
        terminal = f"svg size {WIDTH},{total:.0f} font 'Helvetica,12' background '#ffffff'" if kind == "svg" else f"pngcairo size {WIDTH * scale:.0f},{total * scale:.0f} font 'Helvetica,{9 * scale}'"
        words = [f"set terminal {terminal}", "set title noenhanced", "set xlabel noenhanced", "set ylabel noenhanced", "set key outside right top vertical reverse Left noenhanced", f"set multiplot layout {len(drawn)},1", *script, "unset multiplot"]
        made = subprocess.run(["gnuplot"], input="\n".join(words).encode() + b"\n", capture_output=True, check=True)
        write_whole(f"{path}.{kind}", made.stdout)
        if kind == "svg":
            svg = made.stdout.decode()
    labels.check(path, svg)


def largest_of(rows, columns, values):
    return max((abs(values[r][c]) for r in rows for c in columns if values[r][c] is not None), default=1)


def data(rows, columns, values):
    return ["$data << EOD", *(" ".join([str(r) if isinstance(r, int) else quoted(r), *(number(values[r][c]) for c in columns)]) for r in rows), "EOD"]


def scale_of(rows, drawn, values, stacked, log):
    """One scale for diagrams of one unit that were one."""
    if stacked:
        return "set yrange [0:100]"
    if len({u for u, _ in drawn}) > 1 or len(drawn) == 1:
        return f"set yrange [{1 if log else 0}:*]"
    known = [values[r][c] for r in rows for _, columns in drawn for c in columns if values[r][c] is not None]
    return f"set yrange [{min(0, min(known)):.6g}:{1.05 * max(known):.6g}]" if not log else f"set yrange [1:{1.2 * max(known):.6g}]"


def bars(folder, name, title, unit, rows, columns, values, stacked=False, line=None, head="workload", log=False, diagrams=None, most=MOST, terminals=("svg", "png")):
    """A group of bars a row, a bar a column; or a stacked bar a row. `line`: a level to be compared with; `log`: of unit 1 and more. Leaves NAME.csv, .svg, .png.
    diagrams: [(unit, columns)], one below the other, where not all columns are of one unit; most: series a diagram."""
    path = os.path.join(folder, name)
    table(f"{path}.csv", rows, columns, values, head)
    drawn = list(panels(diagrams or [(unit, columns)], rows, values, most))
    if not drawn:
        return
    style = [*data(rows, columns, values), "set style data histograms", f"set style histogram {'rowstacked' if stacked else 'clustered gap 1.5'}", "set style fill solid 0.9 noborder",
             f"set boxwidth {0.7 if stacked else 0.92}", scale_of(rows, drawn, values, stacked, log), *(["set logscale y 2"] if log else []), "set grid ytics", "set xtics scale 0"]
    if line is not None:
        style.append(f"set arrow from graph 0, first {line} to graph 1, first {line} nohead dashtype 2 front")
    draw(path, title, "", style, drawn, rows, 100 if stacked else largest_of(rows, columns, values), lambda c, k: f"$data using {columns.index(c) + 2}{':xtic(1)' if k == 0 else ''} title {quoted(c)} linecolor rgb '{COLOURS[k]}'", terminals)


def curves(folder, name, title, head, unit, xs, columns, values, diagrams=None, marks=(), numbers=True, terminals=("svg", "png")):
    """A curve a column over numbers xs: values[x][column], None: not there. Leaves NAME.csv, .svg, .png. diagrams: as of bars. marks: (x, name) of dashed lines.
    numbers: the numbers stand in NAME.csv, and each x has its tick."""
    path = os.path.join(folder, name)
    if numbers:
        table(f"{path}.csv", xs, columns, values, head)
    drawn = list(panels(diagrams or [(unit, columns)], xs, values))
    if not drawn:
        return
    doubling = numbers and all(x > 0 for x in xs) and max(xs) >= 4 * min(xs)
    style = [*data(xs, columns, values), scale_of(xs, drawn, values, False, False), "set offsets graph 0.05, graph 0.05, 0, 0" if numbers else "set xrange [0:*]", *(["set logscale x 2"] if doubling else []),
             *([f"set xtics ({', '.join(str(x) for x in xs)})"] if numbers else []), "set grid",
             *(f"set arrow from {x}, graph 0 to {x}, graph 1 nohead dashtype 2; set label {quoted(m)} at {x}, graph 0.96 right offset -0.4,0 noenhanced" for x, m in marks)]
    draw(path, title, head, style, drawn, xs if numbers and not doubling else [], largest_of(xs, columns, values),
         lambda c, k: f"$data using 1:{columns.index(c) + 2} title {quoted(c)} with linespoints linewidth 2 pointtype {k % 12 + 4} pointsize {1 if len(xs) < 40 else 0.3} linecolor rgb '{COLOURS[k]}'", terminals)
