"""Figures by gnuplot, as SVG and PNG, and their numbers as CSV: bars in groups, or stacked."""
import csv
import os
import subprocess


def table(path, rows, columns, values, head="workload"):
    """values[row][column], None: not there. `head`: what a row is."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow([head, *columns])
        for r in rows:
            out.writerow([r, *("" if values[r][c] is None else f"{values[r][c]:.6g}" for c in columns)])


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("_", "\\_") + '"'


def bars(folder, name, title, unit, rows, columns, values, stacked=False, line=None, head="workload", log=False):
    """A group of bars a row, a bar a column; or a stacked bar a row. `line`: a level to be compared with; `log`: of unit 1 and more. Leaves NAME.csv, .svg, .png."""
    path = os.path.join(folder, name)
    table(f"{path}.csv", rows, columns, values, head)
    data = [" ".join(['"' + r + '"'] + ["NaN" if values[r][c] is None else f"{values[r][c]:.6g}" for c in columns]) for r in rows]
    script = ["$data << EOD", *data, "EOD", "set style data histograms",
              f"set style histogram {'rowstacked' if stacked else 'clustered gap 1.5'}", "set style fill solid 0.85 border -1",
              f"set boxwidth {0.7 if stacked else 0.95}", f"set title {quoted(title)}", f"set ylabel {quoted(unit)}", f"set yrange [{1 if log else 0}:{100 if stacked else '*'}]", *(["set logscale y 2"] if log else []),
              "set grid ytics", "set key outside right top vertical reverse Left noenhanced", "set xtics noenhanced font ',10'",
              "set palette defined (0 '#1d3557', 0.35 '#457b9d', 0.6 '#a8dadc', 0.8 '#f4a261', 1 '#e63946')", "unset colorbox"]
    if line is not None:
        script.append(f"set arrow from graph 0, first {line} to graph 1, first {line} nohead dashtype 2")
    shade = [i / max(1, len(columns) - 1) for i in range(len(columns))]
    plot = ", ".join(f"$data using {i + 2}{':xtic(1)' if i == 0 else ''} title \"{c}\" linecolor palette frac {shade[i]:.3f}"
                     for i, c in enumerate(columns))
    for terminal, suffix in (("svg size 1000,420 font 'Helvetica,12' background '#ffffff'", "svg"), ("pngcairo size 1500,630 font 'Helvetica,16'", "png")):
        script += [f"set terminal {terminal}", f"set output '{path}.{suffix}'", f"plot {plot}"]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


def curves(folder, name, title, head, unit, xs, columns, values):
    """A curve a column over numbers xs: values[x][column], None: not there. Leaves NAME.csv, .svg, .png."""
    path = os.path.join(folder, name)
    table(f"{path}.csv", xs, columns, values, head)
    data = [" ".join([str(x)] + ["NaN" if values[x][c] is None else f"{values[x][c]:.6g}" for c in columns]) for x in xs]
    doubling = all(x > 0 for x in xs) and max(xs) >= 4 * min(xs)
    script = ["$data << EOD", *data, "EOD", f"set title {quoted(title)}", f"set xlabel {quoted(head)}", f"set ylabel {quoted(unit)}", "set yrange [0:*]", "set offsets graph 0.05, graph 0.05, 0, 0",
              *(["set logscale x 2"] if doubling else []), f"set xtics ({', '.join(str(x) for x in xs)})", "set grid", "set key outside right top vertical reverse Left noenhanced"]
    plot = ", ".join(f"$data using 1:{i + 2} title {quoted(str(c))} with linespoints linewidth 2 pointtype {i % 12 + 4}" for i, c in enumerate(columns))
    for terminal, suffix in (("svg size 1000,420 font 'Helvetica,12' background '#ffffff'", "svg"), ("pngcairo size 1500,630 font 'Helvetica,16'", "png")):
        script += [f"set terminal {terminal}", f"set output '{path}.{suffix}'", f"plot {plot}"]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)
