"""Texts of a gnuplot SVG: none beyond the edge, none over another. Widths are those of Helvetica, by kinds of letters."""
import math
import re
import sys

NARROW, WIDE = set("iljtfrI1.,:;'|!()[] "), set("mwMW@%")


class Overlap(Exception):
    """The text names the picture and the words."""


def width(text, size):
    return sum(0.3 if c in NARROW else 0.87 if c in WIDE else 0.67 if c.isupper() else 0.56 for c in text) * size


def corners(x, y, angle, anchor, text, size):
    """The box of a text whose anchor is at x, y, turned counterclockwise."""
    w = width(text, size)
    left = {"start": 0, "middle": -w / 2, "end": -w}[anchor]
    a = math.radians(angle)
    at = lambda u, v: (x + u * math.cos(a) + v * math.sin(a), y - u * math.sin(a) + v * math.cos(a))
    return [at(left, -0.7 * size), at(left + w, -0.7 * size), at(left + w, 0.1 * size), at(left, 0.1 * size)]


def texts(svg):
    """(text, corners) of each that is shown."""
    group = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?"[^>]*?font-size="([\d.]+)"[^>]*?text-anchor="(\w+)"[^>]*>(.*?)</g>', re.S)
    for m in group.finditer(svg):
        x, y, angle, size = float(m[1]), float(m[2]), -float(m[3] or 0), float(m[4])
        text = re.sub(r"<[^>]+>", "", m[6]).strip()
        if text:
            yield text, corners(x, y, angle, m[5], text, size)


def apart(a, b):
    """Whether a line along a side of one box parts the two."""
    for box in (a, b):
        for (x0, y0), (x1, y1) in zip(box, box[1:] + box[:1]):
            nx, ny = y1 - y0, x0 - x1
            sides = [[nx * x + ny * y for x, y in c] for c in (a, b)]
            if max(sides[0]) <= min(sides[1]) or max(sides[1]) <= min(sides[0]):
                return True
    return False


def wrong(svg):
    """A sentence for each text that is cut or covered."""
    w, h = (float(v) for v in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    known = list(texts(svg))
    for text, box in known:
        if any(x < 0 or x > w or y < 0 or y > h for x, y in box):
            yield f"'{text}' is cut at the edge"
    for i, (text, box) in enumerate(known):
        for other, place in known[:i]:
            if not apart(box, place):
                yield f"'{text}' and '{other}' overlap"


def check(path, svg):
    found = list(wrong(svg))
    if found:
        raise Overlap(f"{path}: {'; '.join(found[:3])}" + (f"; and {len(found) - 3} more" if len(found) > 3 else ""))


def main():
    """labels.py FILE.svg...: exit status 1 and a line for each picture with a text that is cut or covered."""
    bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            found = list(wrong(f.read()))
        bad += bool(found)
        if found:
            print(f"{path}: {len(found)} texts: {'; '.join(found[:3])}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
