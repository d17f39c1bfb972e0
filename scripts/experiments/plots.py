"""Figures by gnuplot, as SVG and PNG, and their numbers as CSV: bars in groups, or stacked."""
import csv
import io
import os
import subprocess

from children import write_whole


def table(path, rows, columns, values, head="workload"):
    """values[row][column], None: not there. `head`: what a row is."""
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    out.writerow([head, *columns])
    for r in rows:
        out.writerow([r, *("" if values[r][c] is None else f"{values[r][c]:.6g}" for c in columns)])
    write_whole(path, text.getvalue())


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value):
    return "NaN" if value is None else f"{value:.6g}"


def draw(path, title, head, style, diagrams, series):
    """Leaves PATH.svg and .png. diagrams: [(unit, columns)], one below the other; series(column, how many there are before it in its diagram, and at all) is what gnuplot is told of it.
    Names are shown as they are: nothing in them is gnuplot's markup."""
    shown = [f"set multiplot layout {len(diagrams)},1"] if len(diagrams) > 1 else []
    for n, (unit, columns) in enumerate(diagrams):
        shown += [f"set title {quoted(title if n == 0 else '')}", f"set xlabel {quoted(head if n == len(diagrams) - 1 else '')}", f"set ylabel {quoted(unit)}",
                  "plot " + ", ".join(series(c, k, len(columns)) for k, c in enumerate(columns))]
    for terminal, width, height, more, suffix in (("svg", 1000, 420, "font 'Helvetica,12' background '#ffffff'", "svg"), ("pngcairo", 1500, 630, "font 'Helvetica,16'", "png")):
        script = [f"set terminal {terminal} size {width},{height * len(diagrams)} {more}", "set title noenhanced", "set xlabel noenhanced", "set ylabel noenhanced", *style, *shown]
        drawn = subprocess.run(["gnuplot"], input="\n".join(script).encode() + b"\n", capture_output=True, check=True)
        write_whole(f"{path}.{suffix}", drawn.stdout)


def bars(folder, name, title, unit, rows, columns, values, stacked=False, line=None, head="workload", log=False, diagrams=None):
    """A group of bars a row, a bar a column; or a stacked bar a row. `line`: a level to be compared with; `log`: of unit 1 and more. Leaves NAME.csv, .svg, .png.
    diagrams: [(unit, columns)], one below the other, where not all columns are of one unit."""
    path = os.path.join(folder, name)
    table(f"{path}.csv", rows, columns, values, head)
    style = ["$data << EOD", *(" ".join([quoted(r), *(number(values[r][c]) for c in columns)]) for r in rows), "EOD", "set style data histograms",
             f"set style histogram {'rowstacked' if stacked else 'clustered gap 1.5'}", "set style fill solid 0.85 border -1",
             f"set boxwidth {0.7 if stacked else 0.95}", f"set yrange [{1 if log else 0}:{100 if stacked else '*'}]", *(["set logscale y 2"] if log else []),
             "set grid ytics", "set key outside right top vertical reverse Left noenhanced", "set xtics noenhanced font ',10'",
             "set palette defined (0 '#1d3557', 0.35 '#457b9d', 0.6 '#a8dadc', 0.8 '#f4a261', 1 '#e63946')", "unset colorbox"]
    if line is not None:
        style.append(f"set arrow from graph 0, first {line} to graph 1, first {line} nohead dashtype 2")
    draw(path, title, "", style, diagrams or [(unit, columns)],
         lambda c, k, n: f"$data using {columns.index(c) + 2}{':xtic(1)' if k == 0 else ''} title {quoted(c)} linecolor palette frac {k / max(1, n - 1):.3f}")


def curves(folder, name, title, head, unit, xs, columns, values, diagrams=None):
    """A curve a column over numbers xs: values[x][column], None: not there. Leaves NAME.csv, .svg, .png. diagrams: as of bars."""
    path = os.path.join(folder, name)
    table(f"{path}.csv", xs, columns, values, head)
    doubling = all(x > 0 for x in xs) and max(xs) >= 4 * min(xs)
    style = ["$data << EOD", *(" ".join([str(x), *(number(values[x][c]) for c in columns)]) for x in xs), "EOD", "set yrange [0:*]", "set offsets graph 0.05, graph 0.05, 0, 0",
             *(["set logscale x 2"] if doubling else []), f"set xtics ({', '.join(str(x) for x in xs)})", "set grid", "set key outside right top vertical reverse Left noenhanced"]
    draw(path, title, head, style, diagrams or [(unit, columns)], lambda c, k, _: f"$data using 1:{columns.index(c) + 2} title {quoted(c)} with linespoints linewidth 2 pointtype {k % 12 + 4}")
