"""The declarations of a C header with their comments, by its sections (`/* ---- title ---- */`)."""
import dataclasses
import re


@dataclasses.dataclass
class Declaration:
    comment: str
    text: str
    function: bool


@dataclasses.dataclass
class Part:
    title: str
    declarations: list


@dataclasses.dataclass
class Api:
    overview: list    # lines of the comment at the head
    parts: list


TOKEN = re.compile(r"/\*(?P<comment>.*?)\*/|(?P<directive>^#.*?(?<!\\)$)|(?P<blank>\n[ \t]*\n)|(?P<code>\S)", re.S | re.M)


def plain(comment):
    return " ".join(re.sub(r"^\s*\* ?", "", line).strip() for line in comment.split("\n")).strip()


def statement(text, at):
    """Where the declaration that begins at `at` ends: behind its semicolon outside of braces, and the comment in the same line."""
    depth = 0
    for m in re.compile(r"/\*.*?\*/|[{};]", re.S).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(m[0], 0)
        if m[0] == ";" and not depth:
            return re.compile(r"[ \t]*(/\*.*?\*/)?", re.S).match(text, m.end()).end()
    raise ValueError(f"a declaration without an end: {text[at:at + 60]}")


def read(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    overview = [re.sub(r"^ \* ?", "", line).rstrip() for line in re.match(r"/\*\n(.*?)\n \*/", text, re.S)[1].split("\n")]
    body = text[text.index("/* ----"):text.rindex("#pragma GCC visibility pop")]
    parts, comment, at = [], "", 0
    while m := TOKEN.search(body, at):
        at = m.end()
        if m["comment"] is not None and m["comment"].strip().startswith("----"):
            parts.append(Part(m["comment"].strip(" -"), []))
            comment = ""
        elif m["comment"] is not None:
            comment = plain(m["comment"])
        elif m["code"]:
            at = statement(body, m.start())
            code = body[m.start():at]
            parts[-1].declarations.append(Declaration(comment, code, re.match(r"(?!typedef|enum|struct)[^{]*\(", code) is not None))
            comment = ""
        elif m["blank"]:
            comment = ""
    return Api(overview, parts)
