"""Places of a C source that can be broken in a small way, for scripts/mutate-both.

mutants(text) gives every Mutant(op, begin, end, new, line): text[begin:end] becomes new. Only bodies of functions are looked at: declarations, tables and
preprocessor lines are not code that decides. Kinds: comparisons and operators swapped, constants one more and one less, conditions negated, stuck at true and at
false, branches of a choice swapped, one term of && and || dropped, statements dropped, ! and ~ dropped."""
import collections
import re

Mutant = collections.namedtuple("Mutant", "op begin end new line")
Token = collections.namedtuple("Token", "kind text begin end")
LEX = re.compile(r"(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|\s+)|(?P<str>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
                 r"|(?P<num>0[xX][0-9a-fA-F]+[uUlL]*|\d+(?:\.\d+)?[uUlL]*)|(?P<word>\w+)"
                 r"|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)", re.S | re.M)
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<",
         "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=",
         "++": "--", "--": "++"}
PREC = {"?": 1, ":": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10,
        "*": 11, "/": 11, "%": 11}
ASSIGN = {"=", "+=", "-=", "|=", "&=", "^=", "<<=", ">>=", "*=", "/=", "%="}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
WORDS = {"return", "case", "sizeof", "else", "do", "goto"}       # an operand cannot end with them
TYPES = {"unsigned", "int", "const", "static", "bool", "char", "struct", "enum", "union", "void", "long", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
         "int64_t", "int32_t", "size_t", "__int128", "float", "double", "typedef", "extern"}
NOT_BROKEN = re.compile(r"_(size|idle)$|^vl_random$")  # the bench itself checks both functions; any random number is as good


def lex(text):
    out = []
    for m in LEX.finditer(text):
        if m.lastgroup != "skip":
            out.append(Token(m.lastgroup, m.group(), m.start(), m.end()))
    return out


def pairs(t):
    """Index of each bracket -> index of the other."""
    stack, out = [], {}
    for i, k in enumerate(t):
        if k.text in OPEN and k.kind == "op":
            stack.append(i)
        elif k.text in CLOSE and k.kind == "op":
            out[i], out[stack[-1]] = stack[-1], i
            stack.pop()
    return out


def bodies(t, pair):
    """(first, last) token of the bodies of functions that may be broken."""
    i = 0
    while i < len(t):
        if t[i].text == "{":
            if i and t[i - 1].text == ")":
                name = t[pair[i - 1] - 1].text
                if not NOT_BROKEN.search(name):
                    yield i, pair[i]
            i = pair[i]
        i += 1


def mutants(text):
    t = lex(text)
    pair = pairs(t)

    def binary(k):
        """Whether the operator at k has an operand to its left. A cast looks like one: its bracket ends with the name of a type or a star."""
        q = t[k - 1]
        if q.text == ")" and q.kind == "op":
            inner = t[k - 2]
            if inner.text == "*" or inner.text in TYPES or inner.kind == "word" and inner.text.endswith("_t") and t[pair[k - 1] + 1].begin == inner.begin:
                return False
            return True
        return q.kind in ("num", "str") or q.text in ("]", "++", "--") or q.kind == "word" and q.text not in WORDS

    def after_head(i):
        """Whether the bracket that closes at i is the head of an if, a loop (`for EACH(..)` too) or a switch."""
        k = pair[i] - 1
        return t[k].text in ("if", "for", "while", "switch") or t[k].kind == "word" and t[k - 1].text == "for"

    def block(i):
        """Whether the { at i opens statements, not values."""
        q = t[i - 1]
        return q.text in ("else", "do", ";", ":") or q.text == "}" and block(pair[i - 1]) or q.text == ")" and after_head(i - 1) or q.text == "{" and block(i - 1) or i == first

    def left(i, prec):
        k = i - 1
        while True:
            w = t[k]
            if w.kind == "op" and w.text in CLOSE:
                if w.text == "}":
                    return k + 1
                k = pair[k] - 1
                continue
            if w.kind == "op" and (w.text in OPEN or w.text in (",", ";", ":", "?") or w.text in ASSIGN or w.text in PREC and PREC[w.text] < prec and binary(k)) \
                    or w.text == "return":
                return k + 1
            k -= 1

    def right(i, prec):
        k = i + 1
        while True:
            w = t[k]
            if w.kind == "op" and w.text in OPEN:
                k = pair[k] + 1
                continue
            if w.kind == "op" and (w.text in CLOSE or w.text in (",", ";", ":", "?") or w.text in ASSIGN or w.text in PREC and PREC[w.text] <= prec and binary(k)):
                return k
            k += 1

    def line(i):
        return text.count("\n", 0, t[i].begin) + 1

    def src(a, b):
        return text[t[a].begin:t[b - 1].end]

    for first, last in bodies(t, pair):
        for i in range(first + 1, last):
            k = t[i]

            def one(op, a, b, new):
                return Mutant(op, t[a].begin, t[b - 1].end, new, line(a))
            if k.kind == "num" and "." not in k.text:
                digits = re.match(r"(0[xX][0-9a-fA-F]+|\d+)(.*)", k.text, re.S)
                v = int(digits[1], 8 if re.fullmatch(r"0\d+", digits[1]) else 0)
                declared = t[i - 1].text == "[" and t[i + 1].text == "]" and t[i - 2].kind == "word" and t[i - 3].text in TYPES
                if not declared:
                    yield one("constant", i, i + 1, f"{v + 1}{digits[2]}")
                    if v:
                        yield one("constant", i, i + 1, f"{v - 1}{digits[2]}")
            elif k.kind == "op" and k.text in ("!", "~") and not binary(i):
                yield one("operator", i, i + 1, "")
            elif k.kind == "op" and k.text in ("++", "--"):
                yield one("operator", i, i + 1, SWAPS[k.text])
            elif k.kind == "op" and k.text in SWAPS and (k.text in ASSIGN or binary(i)):
                compare = k.text in ("<", "<=", ">", ">=", "==", "!=")
                yield one("comparison" if compare else "operator", i, i + 1, SWAPS[k.text])
                if k.text in ("&&", "||"):
                    yield one("dropped term", i, right(i, PREC[k.text]), "")
                    yield one("dropped term", left(i, PREC[k.text]), i + 1, "")
            elif k.kind == "op" and k.text == "?":
                colon, depth = i + 1, 0
                while depth or t[colon].text != ":":
                    if t[colon].kind == "op" and t[colon].text in OPEN:
                        colon = pair[colon]
                    depth += (t[colon].text == "?") - (t[colon].text == ":")
                    colon += 1
                end = right(colon, 0)
                while t[end].text in ("?", ":") and t[end].kind == "op":
                    end = right(end, 0)
                yield one("swapped branches", i + 1, end, f"({src(colon + 1, end)}) : ({src(i + 1, colon)})")
            elif k.kind == "word" and k.text in ("if", "while") and t[i + 1].text == "(":
                a, b = i + 2, pair[i + 1]
                yield one("negated condition", a, b, f"!({src(a, b)})")
                if k.text == "if":
                    yield one("stuck condition", a, b, f"0 && ({src(a, b)})")
                    yield one("stuck condition", a, b, f"1 || ({src(a, b)})")
            # A statement begins here: it is dropped, unless it declares something that others need.
            prev = t[i - 1].text
            begins = prev in (";", "else", "do") or prev == "}" and block(pair[i - 1]) or prev == "{" and block(i - 1) or prev == ")" and after_head(i - 1)
            if begins and (k.kind == "word" or k.text in ("*", "(", "++", "--")) and k.text not in TYPES | {"if", "for", "while", "do", "else", "case", "default", "switch", "goto"} \
                    and not (k.kind == "word" and (t[i + 1].kind == "word" or t[i + 1].text == "*") and k.text != "return"):
                end = i
                while end < last and t[end].text != ";":
                    end = pair[end] + 1 if t[end].kind == "op" and t[end].text in OPEN else end + 1
                inside_for = False
                for p in range(i - 1, first, -1):
                    if t[p].text == "(" and pair[p] > i:
                        inside_for = True
                        break
                used = re.fullmatch(r"\(void\)\w+(, \(void\)\w+)*", src(i, end))  # it tells the compiler that a parameter has no use, and does nothing
                if end < last and not inside_for and not used and t[i + 1].text != ":" and not (k.text == "return" and end > i + 1):
                    yield one("dropped statement", i, end + 1, ";")
