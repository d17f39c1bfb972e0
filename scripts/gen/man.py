#!/usr/bin/env python3
"""A man page of a page of docs/: headings, paragraphs, code, lists, tables (a row an entry). On standard output.

  man.py docs/PAGE.md NAME SECTION [HEADER]     with the declarations of a C header, by its sections, before the page's own text"""
import re
import sys

import header


def inline(text):
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text).replace("\\|", "|").replace("\\", "\\e")
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"\\fB\1\\fR", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\\fI\1\\fR", text).replace("-", "\\-")
    return ("\\&" if text[:1] in (".", "'") else "") + text


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def verbatim(line):
    return ("\\&" if line[:1] in (".", "'") else "") + line.replace("\\", "\\e").replace("-", "\\-")


def block(lines):
    return [".PP", ".nf", ".RS 2", *map(verbatim, lines), ".RE", ".fi"]


def head(lines, name, section):
    """Title and NAME."""
    title = lines[0].lstrip("# ").strip()
    description = title if title != name else next(l for l in lines[1:] if l.strip() and not l.startswith(("#", "`", "|"))).split(". ")[0].rstrip(".")
    return [f'.TH {name.upper()} {section} "" "vellum" "Vellum"', ".SH NAME", f"{name} \\- {inline(description)}"]


def convert(lines):
    """The page behind its title. Text before the first heading is its DESCRIPTION."""
    begun = code = False
    heads = {i for i in range(len(lines) - 1) if lines[i].startswith("|") and re.fullmatch(r"\|[-| :]+\|", lines[i + 1])}
    for i, line in enumerate(lines[1:], 1):
        if line.strip() and not begun:
            begun = True
            if not line.startswith("#"):
                yield ".SH DESCRIPTION"
        if line.startswith("```"):
            code = not code
            yield from ([".PP", ".nf", ".RS 2"] if code else [".RE", ".fi"])
        elif code:
            yield verbatim(line)
        elif line.startswith("#"):
            yield f".{'SH' if line.startswith('## ') else 'SS'} {inline(line.lstrip('# ').strip()).upper() if line.startswith('## ') else inline(line.lstrip('# ').strip())}"
        elif line.startswith("|"):
            row = cells(line)
            if i not in heads and not set("".join(row)) <= set("-: "):
                yield from (".TP", inline(row[0]) or "\\&", inline("; ".join(c for c in row[1:] if c)) or "\\&")
        elif re.match(r"(- |\d+\. )", line):
            mark, _, rest = line.partition(" ")
            bullet = "\\(bu" if mark == "-" else mark
            yield from (f'.IP "{bullet}" 4', inline(rest))
        elif not line.strip():
            yield ".PP"
        else:
            yield inline(line.strip())


def declarations(api, path):
    """SYNOPSIS with every function, and each declaration under its comment."""
    yield from (".SH SYNOPSIS", *block([f"#include <{path.split('/')[-1]}>", "", *(line for part in api.parts for d in part.declarations if d.function for line in d.text.split("\n"))]))
    yield from (".SH OVERVIEW", *block(api.overview))
    for part in api.parts:
        yield f".SH {inline(part.title).upper()}"
        for d in part.declarations:
            yield from block(d.text.split("\n"))
            if d.comment:
                yield from (".PP", inline(d.comment))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        lines = f.read().splitlines()
    api = declarations(header.read(sys.argv[4]), sys.argv[4]) if len(sys.argv) > 4 else []
    print("\n".join([*head(lines, sys.argv[2], sys.argv[3]), *api, *convert(lines)]))


if __name__ == "__main__":
    main()
