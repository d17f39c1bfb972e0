"""Planting a bug in a source: a text that occurs once becomes another. Spaces and line ends of the text stand for any of the source, so that a source
that `make format` has laid out anew keeps its planted bugs. A text that begins with an indentation begins a line of that depth.
As a command: plant.py FILE OLD NEW [OLD NEW]... puts out FILE with each NEW in place of OLD; status 1 if one does not occur once."""
import os
import re
import sys


def source(path):
    """The text of a C source, with the headers of its own folder in the place of their #include: a bug can be planted in the headers that it shares with its neighbours."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    folder = os.path.dirname(path)
    return re.sub(rf'^#include "({re.escape(folder)}/\w+\.h)"\n', lambda m: source(m.group(1)), text, flags=re.M)


def where(text, old):
    """Spans (start, end) of old in text."""
    words = old.split()
    pattern = r"\s+".join(re.escape(w) for w in words)
    before, after = old[:len(old) - len(old.lstrip())], old[len(old.rstrip()):]
    if before:
        pattern = (f"(?m:^) {{{len(before) - before.rfind(chr(10)) - 1}}}" if len(before) > 1 or before == "\n" else r"\s") + pattern
    if after:
        pattern += r"[ \t]*\n" if "\n" in after else r"\s"
    return [m.span() for m in re.finditer(pattern, text)]


def occurs(text, old):
    """How often old occurs in text."""
    return len(where(text, old))


def plant(text, old, new):
    """text with new in place of old, which must occur once."""
    (start, end), = where(text, old)
    return text[:start] + new + text[end:]


def some(rows, family=lambda row: None, share=3):
    """The planted bugs of a test that run: in `make test` every third (or so) of each family, the first among them; with VELLUM_REGRESS=1, or when the command line asks for one, all."""
    if os.environ.get("VELLUM_REGRESS") or len(sys.argv) > 1:
        return list(rows)
    seen, out = {}, []
    for row in rows:
        k = seen[family(row)] = seen.get(family(row), -1) + 1
        out += [row] if k % share == 0 else []
    return out


def main(arguments):
    path, pairs = arguments[0], arguments[1:]
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for old, new in zip(pairs[::2], pairs[1::2]):
        if occurs(text, old) != 1:
            sys.exit(f"{path}: {old!r} occurs {occurs(text, old)} times")
        text = plant(text, old, new)
    sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
