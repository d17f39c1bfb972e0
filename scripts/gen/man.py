#!/usr/bin/env python3
"""A man page of a page of docs/: headings, paragraphs, code, lists, tables (a row an entry). On standard output.

  man.py docs/PAGE.md NAME SECTION"""
import re
import sys


def inline(text):
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text).replace("\\|", "|").replace("\\", "\\e")
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"\\fB\1\\fR", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\\fI\1\\fR", text).replace("-", "\\-")
    return ("\\&" if text[:1] in (".", "'") else "") + text


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def convert(lines, name, section):
    title = lines[0].lstrip("# ").strip()
    yield f'.TH {name.upper()} {section} "" "vellum" "Vellum"'
    yield from (".SH NAME", f"{name} \\- {inline(title)}")
    begun = code = False
    heads = {i for i in range(len(lines) - 1) if lines[i].startswith("|") and re.fullmatch(r"\|[-| :]+\|", lines[i + 1])}
    for i, line in enumerate(lines[1:], 1):
        if line.startswith("```"):
            code = not code
            yield from ([".PP", ".nf", ".RS 2"] if code else [".RE", ".fi"])
        elif code:
            yield ("\\&" if line[:1] in (".", "'") else "") + line.replace("\\", "\\e").replace("-", "\\-")
        elif line.startswith("#"):
            begun = True
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
            if not begun:
                yield ".SH DESCRIPTION"
                begun = True
            yield inline(line.strip())


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        lines = f.read().splitlines()
    print("\n".join(convert(lines, sys.argv[2], sys.argv[3])))


if __name__ == "__main__":
    main()
