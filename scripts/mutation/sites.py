"""Where a SystemVerilog source can be broken, and how: a small parser of the subset of docs/conventions.md.

mutants(text) yields a Mutant for each single change. A mutant carries the region around the change (a statement, the right side of an
assign, a condition), so that many mutants of one source can be built at once and chosen when the program starts (see weave).
"""
import collections
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<str>"(?:\\.|[^"\\])*")
  | (?P<num>\d+\s*'[sS]?[bdhoBDHO][0-9a-fA-F_xzXZ?]+|'[sS]?[bdhoBDHO][0-9a-fA-F_xzXZ?]+|'[01](?![0-9a-zA-Z_])|\d[\d_]*)
  | (?P<word>[`$]?[A-Za-z_][\w$]*)
  | (?P<op><<<=|>>>=|<<<|>>>|===|!==|==\?|!=\?|<<=|>>=|&&&|==|!=|&&|\|\||<=|>=|<<|>>|\+=|-=|\|=|&=|\^=|\+\+|--|\*\*|::|->|\+:|-:|~&|~\||~\^|'\{|[-+*/%&|^~!<>=?:;,.()\[\]{}@\#'`])
""", re.X | re.S)

Token = collections.namedtuple("Token", "kind text begin end")
Region = collections.namedtuple("Region", "kind begin end reset")      # token indices: wrapped as stmt, rhs or cond; or raw
Mutant = collections.namedtuple("Mutant", "op begin end new region line old")   # offsets in the text, and the former words

PREC = {"?": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8, "inside": 8,
        "<<": 9, ">>": 9, "<<<": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11}
SWAPS = {"==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",), "^": ("|",), "+": ("-",), "-": ("+",),
         "<": ("<=", ">="), "<=": ("<",), ">": (">=", "<="), ">=": (">",), "<<": (">>",), ">>": ("<<",), ">>>": (">>",)}
ASSIGN = {"=", "<=", "+=", "-=", "|=", "&=", "^="}
ASSIGN_SWAPS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|="}
OPEN, CLOSE = {"(", "[", "{", "'{"}, {")", "]", "}"}
NO_OPERAND = {"return", "if", "case", "inside", "else", "begin"}


def lex(text):
    out, at = [], 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError(f"line {text.count(chr(10), 0, at) + 1}: no token at {text[at:at + 20]!r}")
        if m.lastgroup != "skip":
            out.append(Token(m.lastgroup, m.group(), m.start(), m.end()))
        at = m.end()
    return out


class Parser:
    """Finds the regions of one source."""

    def __init__(self, text):
        self.text, self.t, self.regions, self.reset = text, lex(text), [], False

    def word(self, i):
        return self.t[i].text if i < len(self.t) else ""

    def close(self, i):
        """Index of the token that closes the bracket at i."""
        depth = 0
        while True:
            depth += (self.word(i) in OPEN) - (self.word(i) in CLOSE)
            if depth == 0:
                return i
            i += 1

    def find(self, i, stops, end=None):
        """First of `stops` outside brackets, from i on."""
        end = len(self.t) if end is None else end
        while i < end and self.word(i) not in stops:
            i = self.close(i) + 1 if self.word(i) in OPEN else i + 1
        return i

    def label(self, i):
        return i + 2 if self.word(i) == ":" else i

    def parse(self):
        i = 0
        while i < len(self.t):
            w = self.word(i)
            if w == "module":
                i = self.find(i, {";"}) + 1
                while self.word(i) != "endmodule":
                    i = self.item(i)
            i += 1
        return self.regions

    def item(self, i):
        w = self.word(i)
        if w in ("begin",):
            return self.label(i + 1)
        if w in ("end", "else", "generate", "endgenerate"):
            return self.label(i + 1)
        if w in ("for", "if") or w.startswith("`") and self.word(i + 1) == "(":
            return self.close(i + 1) + 1
        if w == "`include":
            return i + 2
        if w == "`ifndef" and self.word(i + 1) == "SYNTHESIS":    # what assertions need
            return self.find(i, {"`endif"}) + 1
        if w.startswith("`"):
            return i + 1
        if w == "assign":
            stop = self.find(i, {";"})
            eq = self.find(i, {"="}, stop)
            if self.find(i, {","}, stop) == stop:
                raw = self.word(eq + 1) == "'{" or any(k.text in ("$signed", "signed'", ">>>") for k in self.t[eq:stop])
                self.regions.append(Region("raw" if raw else "rhs", eq + 1, stop, False))
            return stop + 1
        if w in ("always_comb", "always_ff", "always"):
            i += 1
            if self.word(i) == "@":
                i = self.close(i + 1) + 1
            return self.statement(i)
        if w == "function":
            i = self.find(i, {";"}) + 1
            while self.word(i) != "endfunction":
                i = self.statement(i)
            return self.label(i + 1)
        # A declaration or an instance: the connections of its ports.
        stop = self.find(i, {";"})
        k = i
        while k < stop:
            if self.word(k) == "." and self.word(k + 2) == "(" and w not in ("typedef", "import", "localparam", "logic"):
                end = self.close(k + 2)
                if self.word(k + 1).endswith("_i"):
                    self.regions.append(Region("raw", k + 3, end, False))
                k = end
            k += 1
        return stop + 1

    def statement(self, i):
        w = self.word(i)
        if w == "begin":
            i = self.label(i + 1)
            while self.word(i) != "end":
                i = self.statement(i)
            return self.label(i + 1)
        if w == "`VL_WHEN":                     # its condition is true wherever it matters, so a mutant of it is equivalent
            return self.statement(self.close(i + 1) + 1)
        if w == "if":
            end = self.close(i + 1)
            reset, is_reset = self.reset, [k.text for k in self.t[i + 2:end]] == ["rst_i"]
            if not is_reset:
                self.regions.append(Region("cond", i + 2, end, False))
            self.reset = reset or is_reset
            i = self.statement(end + 1)
            self.reset = reset
            return self.statement(i + 1) if self.word(i) == "else" else i
        if w == "for":
            end = self.close(i + 1)
            return self.statement(end + 1)
        if w in ("unique", "unique0", "priority"):
            return self.statement(i + 1)
        if w == "case":
            end = self.close(i + 1)
            self.regions.append(Region("raw", i + 2, end, False))
            i = end + 1 + (self.word(end + 1) == "inside")
            while self.word(i) != "endcase":
                i = self.find(i, {":"}) + 1 if self.word(i) != "default" else i + 1 + (self.word(i + 1) == ":")
                i = self.statement(i)
            return i + 1
        if w == ";":
            return i + 1
        if w.startswith("`") or w.startswith("$"):
            end = self.close(i + 1) + 1 if self.word(i + 1) == "(" else i + 1
            return end + (self.word(end) == ";")
        stop = self.find(i, {";"})
        if w == "return":
            self.regions.append(Region("stmt", i, stop + 1, False))
        elif not self.declaration(i) and w not in ("break", "continue"):
            self.regions.append(Region("stmt", i, stop + 1, self.reset))
        return stop + 1

    def declaration(self, i):
        if self.word(i) in ("logic", "int", "bit", "automatic", "static", "localparam", "integer", "byte", "input"):
            return True
        while self.word(i + 1) == "::":
            i += 2
        return self.t[i].kind == "word" and self.t[i + 1].kind == "word"


def numbers(n):
    """Near values of a constant."""
    if n in ("'0", "'1"):
        return ["'1" if n == "'0" else "'0"]
    m = re.fullmatch(r"(\d*)\s*'(s?)([bdhoBDHO])([0-9a-fA-F_]+)", n)
    if not m:
        return [str(int(n) + 1)] + ([str(int(n) - 1)] if int(n) > 0 else []) if n.replace("_", "").isdigit() else []
    size, sign, base, digits = m.groups()
    radix = {"b": 2, "o": 8, "d": 10, "h": 16}[base.lower()]
    value, width = int(digits.replace("_", ""), radix), int(size or 32)
    form = {2: "b", 8: "o", 10: "d", 16: "x"}[radix]
    out = []
    for v in ((value + 1) % (1 << width), value ^ (1 << ((value * 7 + 3) % width))):
        s = f"{size}'{sign}{base}{v:{form}}"
        if v != value and s not in out:
            out.append(s)
    return out


def mutants(text):
    p = Parser(text)
    regions, t = p.parse(), p.t

    def src(i, j):
        return text[t[i].begin:t[j - 1].end] if j > i else ""

    def left(i, lo, prec):
        """Where the left operand of the operator at i begins."""
        k, depth = i - 1, 0
        while k >= lo:
            w = t[k].text
            depth += (w in CLOSE) - (w in OPEN)
            if depth < 0 or depth == 0 and (w in (",", ";", ":", "return") or w in ASSIGN - {"<="} or w in PREC and PREC[w] < prec and binary(k, lo)):
                return k + 1
            k -= 1
        return lo

    def right(i, hi, prec):
        """Where the right operand of the operator at i ends."""
        k, depth = i + 1, 0
        while k < hi:
            w = t[k].text
            depth += (w in OPEN) - (w in CLOSE)
            if depth < 0 or depth == 0 and (w in (",", ";", ":") or w in PREC and PREC[w] <= prec and binary(k, i)):
                return k
            k += 1
        return hi

    def binary(k, lo):
        if k <= lo:
            return False
        q = t[k - 1]
        return q.kind in ("num", "str") or q.text in CLOSE or q.kind == "word" and q.text not in NO_OPERAND

    for r in regions:
        lo, hi, body = r.begin, r.end, r.begin
        if r.kind == "stmt" and t[lo].text != "return":
            body = p.find(lo, ASSIGN, hi)
            if body >= hi:
                continue
            op, last = t[body].text, hi - 1

            def whole(name, a, b, new):
                return Mutant(name, t[a].begin, t[b - 1].end, new, r, text.count("\n", 0, t[a].begin) + 1, src(a, b))
            if op == "<=":
                yield whole("removed assignment", lo, hi, ";")
            if op in ASSIGN_SWAPS:
                yield whole("operator", body, body + 1, ASSIGN_SWAPS[op])
            value = src(body + 1, last)
            if op in ("=", "<=") and value not in ("'0", "'1", "1'b0", "1'b1"):
                yield whole("stuck", body + 1, last, "'0")
                yield whole("stuck", body + 1, last, "'1")
            body += 1
        elif r.kind in ("rhs", "cond"):
            def whole(name, a, b, new):
                return Mutant(name, t[a].begin, t[b - 1].end, new, r, text.count("\n", 0, t[a].begin) + 1, src(a, b))
            if r.kind == "cond":
                yield whole("negated condition", lo, hi, f"!({src(lo, hi)})")
                yield whole("stuck", lo, hi, "1'b0")
                yield whole("stuck", lo, hi, "1'b1")
            elif src(lo, hi) not in ("'0", "'1", "1'b0", "1'b1"):
                yield whole("stuck", lo, hi, "'0")
                yield whole("stuck", lo, hi, "'1")

        square = 0
        for i in list(range(lo, body)) + list(range(body, hi)):
            k = t[i]
            square += (k.text == "[") - (k.text == "]")
            lhs = r.kind == "stmt" and i < body
            if lhs and not square:
                continue

            def one(name, a, b, new):
                return Mutant(name, t[a].begin, t[b - 1].end, new, r, text.count("\n", 0, t[a].begin) + 1, src(a, b))
            nxt = t[i + 1].text if i + 1 < len(t) else ""
            if k.kind == "num":
                if nxt in ("'", "'{"):
                    continue                                     # the width of a cast
                for v in numbers(k.text):
                    yield one("index" if square else "reset value" if r.reset else "constant", i, i + 1, v)
            elif k.kind == "word":
                if t[i - 1].text == "[" and nxt == "]" and not k.text.isupper():
                    yield one("index", i, i + 1, f"{k.text} + 1'b1")
            elif k.text in SWAPS and binary(i, lo):
                for v in SWAPS[k.text]:
                    yield one("operator", i, i + 1, v)
                if k.text in ("&&", "||"):
                    a, b = left(i, max(lo, body), PREC[k.text]), right(i, hi, PREC[k.text])
                    yield one("dropped term", i, b, "")
                    yield one("dropped term", a, i + 1, "")
            elif k.text in ("!", "~") and not binary(i, lo):
                yield one("operator", i, i + 1, "")
            elif k.text == "?":
                colon = p.find(i + 1, {":", "?"}, hi)
                if colon >= hi or t[colon].text == "?":
                    continue                                     # the picks of a nested choice are mutated on their own
                end = right(colon, hi, 0)
                if "'{" not in (t[i + 1].text, t[colon + 1].text):
                    yield one("swapped branches", i + 1, end, f"({src(colon + 1, end)}) : ({src(i + 1, colon)})")


def weave(text, chosen):
    """The text with all mutants of `chosen` (number -> Mutant) in it, each active only when mutant_pkg::id is its number.

    A mutant of a raw region is put in for good: it must then be the only one. Lines keep their numbers.
    """
    def flat(s):
        return re.sub(r"\s*\n\s*", " ", re.sub(r"//[^\n]*", "", s))

    t = lex(text)
    groups = collections.OrderedDict()
    for number, m in chosen.items():
        if m.region.kind == "raw":
            assert len(chosen) == 1
            return text[:m.begin] + m.new + text[m.end:]
        groups.setdefault(m.region, []).append((number, m))
    for r, members in sorted(groups.items(), key=lambda g: -g[0].begin):
        a, b = t[r.begin].begin, t[r.end - 1].end
        old = text[a:b]
        variants = [(n, flat(text[a:m.begin] + " " + m.new + " " + text[m.end:b])) for n, m in members]
        if r.kind == "stmt":
            new = "begin " + "".join(f"if (mutant_pkg::id == {n}) {v} else " for n, v in variants) + f"begin {flat(old)} end end"
        else:
            new = "(" + "".join(f"(mutant_pkg::id == {n}) ? ({v}) : " for n, v in variants) + f"({flat(old)}))"
        text = text[:a] + new + "\n" * old.count("\n") + text[b:]
    return text
