"""Planting a bug in a source: a text that occurs once becomes another.

"@NAME TEXT" is the TEXT that occurs once inside NAME, token by token: white space and comments do not matter. So it can be the smallest expression that says the idea, and neither a line that
changes around it nor a function that moves breaks a planted bug. NAME is in C a function, macro, struct, type, enumerator or table. In SystemVerilog it is the first of these that is there:
a function, a named block or assertion; a signal or instance, and then the TEXT is in one of the statements that declare, assign or connect it; a heading `// ---- the next leader (3) ---`,
as the-next-leader, and then it is in the lines up to the next heading; the module.

A text without a scope occurs once in the file: for bugs that are planted by hand, and for changes of a configuration.
As a command: plant.py FILE OLD NEW [OLD NEW]... puts out FILE with each NEW in place of OLD; status 1 and one line if one does not occur once."""
import functools
import glob
import os
import re
import sys

# In C, as `make format` lays it out: a function, a macro, a struct, a type, an enumerator, a table or variable. In Python a function; in TOML a table with this `name`, or a family of that name (`NAME{k}`).
C_FORMS = (r"^(?!typedef|return|else)\w[^\n;{{}}=#]*?\b{0}\([^;{{}}]*?\)(?:\s|/\*[^\n]*\*/)*\{{(?:[^\n]*\}}$|.*?^\}})",
           r"^#define {0}\b(?:[^\n]*\\\n)*[^\n]*$",
           r"^(?:typedef )?(?:struct|union|enum) {0} \{{.*?^\}}",
           r"^typedef (?:struct|union|enum)[^\n]*\{{(?:(?!^\}}).)*^\}} {0};",
           r"^typedef [^\n{{}}]*\b{0};",
           r"^enum[^\n{{]*\{{[^}}]*\b{0}\b[^}}]*\}};",
           r"^[a-z][^\n;{{}}()=]*\b{0}\b[^\n=;(]* = (?:\{{$.*?^\}};|[^;]*;)",
           r"^def {0}\(.*?(?=^\S|\Z)",
           r'^\[\[\w+\]\]$(?:(?!^\[\[).)*?^name = "{0}["{{](?:(?!^\[\[).)*')


def source(path):
    """The text of a C source, with the headers of its own folder in the place of their #include: a bug can be planted in the headers that it shares with its neighbours."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    folder = os.path.dirname(path)
    return re.sub(rf'^#include "({re.escape(folder)}/\w+\.h)"\n', lambda m: source(m.group(1)), text, flags=re.M)


def spans(form, text):
    return [m.span() for m in re.finditer(form, text, re.M | re.S)]


@functools.lru_cache(maxsize=None)
def code(text):
    """A SystemVerilog source with spaces in place of its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


@functools.lru_cache(maxsize=None)
def statements(text):
    """[(start, end, names)] of the statements of a SystemVerilog source, with the names that each declares, assigns or connects."""
    found, start, depth, bare = [], 0, 0, ""
    for m in re.finditer(r"\bbegin\b(?: *: *\w+)?|\w+|[^\w\s]|\s+", code(text)):
        word = m.group()
        depth += (word in "([") - (word in ")]")
        if depth == 0 and re.match(r";|begin\b|end(module|package|function|case|generate)?$", word):
            target = re.search(r"(\{[^{}]*\}|[\w.]+)\s*(?:<=|[-+|&^]?=)(?!=)", bare)
            names = target.group(1) if target else "".join(re.findall(r"^\s*(?:[\w:]+\s*#?\s+)+(\w+(?:\s*,\s*\w+)*)\s*$", bare))
            found.append((start, m.end(), {n.split(".")[0] for n in re.findall(r"[\w.]+", names)}))
            start, bare = m.end(), ""
        elif depth == 0 and word not in ")]":
            bare += word
    return found


def end_of(text, start):
    """The end of the named block that begins behind `start`."""
    depth = 0
    for m in re.compile(r"\b(?:begin|end)\b").finditer(text, start):
        depth += 1 if m.group() == "begin" else -1
        if depth == 0:
            return m.end()
    return len(text)


@functools.lru_cache(maxsize=None)
def scope(text, name):
    """Spans (start, end) of `name` in text; none if nothing has that name."""
    n = re.escape(name)
    if not re.search(r"^end(module|package)\b", text, re.M):
        return next(filter(None, (spans(form.format(n), text) for form in C_FORMS)), [])
    bare = code(text)
    blocks = [(start, end_of(bare, start)) for start, _ in spans(rf"\bbegin *: *{n}\b", bare)]
    return (spans(rf"^ *function\b[^;]*\b{n}\s*[(;].*?\bendfunction", bare) + blocks + spans(rf"\bVL_ASSERT\({n},[^;]*?\)\s*$", bare)
            or [(a, b) for a, b, names in statements(text) if name in names]
            or [m.span() for m in re.finditer(r"^ *// ---- ([^\n(:,]*).*?(?=^ *// ----|\Z)", text, re.M | re.S) if "-".join(re.findall(r"\w+", m.group(1))) == name]
            or spans(rf"^(?:module|package) {n}\b.*?^end(?:module|package)", bare))


def split(old):
    """(scope or nothing, text)"""
    m = re.match(r"@([\w-]+) +(?=\S)", old)
    return (m.group(1), old[m.end():]) if m else ("", old)


def block(path):
    """The block that a source is part of: the longest beginning of its name that has a page."""
    parts = os.path.splitext(os.path.basename(path))[0].split("_")
    return next((b for b in ("_".join(parts[:n]) for n in range(len(parts), 0, -1)) if os.path.exists(f"docs/blocks/{b}.md")), None)


def home(path, old):
    """The file in which old is planted: path, or the one other file of its block that has the scope if path has it no more."""
    name, kind = split(old)[0], os.path.splitext(path)[1]
    if name and block(path) and os.path.exists(path) and not scope(source(path), name):
        files = [f for f in glob.glob(f"{os.path.dirname(path)}/*{kind}") if block(f) == block(path) and scope(source(f), name)]
        return files[0] if len(files) == 1 else path
    return path


def where(text, old):
    """Spans (start, end) of old in text."""
    name, old = split(old)
    pattern = re.compile(r"(?:\s|/\*[^*]*\*/|//[^\n]*)*".join(re.escape(t) if re.match(r"\W", t) else rf"\b{t}\b" for t in re.findall(r"\w+|[^\w\s]", old)))
    return sorted({m.span() for a, b in (scope(text, name) if name else [(0, len(text))]) for m in pattern.finditer(text, a, b)})


def misfit(text, old):
    """Why old cannot be planted in text, in one line; empty if it can be."""
    name, wanted = split(old)
    n = len(where(text, old))
    if name and not scope(text, name):
        return f"nothing is called {name}"
    return "" if n == 1 else f"{wanted!r} occurs {n} times{' in ' + name if name else ''}"


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
        if misfit(text, old):
            sys.exit(f"{path}: {misfit(text, old)}")
        text = plant(text, old, new)
    sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
