"""Of wiring.py: its error, its table of notes, what a type is in C, and lines that are the same but for a number."""
import re
import tomllib

from sources import ROOT
from svxml import Array, Set, Struct, wide


class WiringError(Exception):
    """The RTL holds more than nets, or sim_c/wiring.toml names what is not there; the text says where."""


def notes():
    with open(f"{ROOT}/sim_c/wiring.toml", "rb") as f:
        return tomllib.load(f)


def pointers(t):
    """An array of what is no number: in the inputs and outputs of a composition it is a pointer each element."""
    return isinstance(t, Array) and not scalar(t.elem) and not isinstance(t.elem, Array)


def leaves(pieces):
    """Pieces, those of arguments instead of a call, those of both sides instead of an `and`."""
    for p in pieces:
        if p[0] == "call":
            for arg in p[1][1]:
                yield from leaves(arg)
        elif p[0] == "and":
            for side in p[1]:
                yield from leaves(side)
        else:
            yield p


def address(expr):
    return expr[2:-1] if expr.startswith("(*") and expr.endswith(")") else f"&{expr}"


def scalar(t):
    return isinstance(t, Set) or not isinstance(t, (Array, Struct)) and not wide(t)


def bits_of(width):
    """C type of so many bits."""
    return "uint64_t" if width <= 64 else "vl_set_t"


def check(note, block, ports):
    """An entry that names no input would go unnoticed."""
    inputs = {n[:-2] for n, d, _ in ports if d == "in"}
    outputs = {n[:-2] for n, d, _ in ports if d == "out"}
    for n in set(note.get("joined", [])) - outputs:
        raise WiringError(f"sim_c/wiring.toml: {block} has no output {n}")
    named = {*note.get("when", {}), *note.get("taken", []), *note.get("held", []), *note.get("steady", []), *note.get("by_hand", []), *note.get("unwatched", []), *note.get("payload", {}), *note.get("payload", {}).values()}
    for n in named - inputs:
        raise WiringError(f"sim_c/wiring.toml: {block} has no input {n}")
    for n in set(note) - {"held", "always", "steady", "when", "taken", "payload", "by_hand", "unwatched", "tick", "rests", "publish", "skips", "joined"}:
        raise WiringError(f"sim_c/wiring.toml: {block}: there is no rule {n}")


def term(numbers, k, at=0):
    """C of the number that round k has, `at` being the first round: it grows evenly, or evenly every so many rounds (k / 2) or begins anew (k % 2); None."""
    first, count, even = numbers[0], len(numbers), numbers[1] - numbers[0]
    shapes = [(k, lambda i: at + i, 1)] if even * at <= first else []
    k = f"({k} - {at})" if at else k
    shapes.append((k, lambda i: i, 1))
    for d in range(2, count):
        shapes += [(f"({k} / {d})", lambda i, d=d: i // d, d), (f"({k} % {d})", lambda i, d=d: i % d, 1)]
    for text, shape, second in shapes:
        step = numbers[second] - first
        base = first - step * shape(0)
        if step > 0 and all(n == base + step * shape(i) for i, n in enumerate(numbers)):
            times = text if step == 1 else f"{step} * {text}"
            return text if times == text and not base else f"({times} + {base})" if base else f"({times})"
    return None


def unify(rounds, k="k", at=0):
    """One text with index k out of rounds of a loop, from round `at` on, which differ in numbers."""
    if len(rounds) == 1:
        return rounds[0]
    split = [re.split(r"(\b\d+\b)", r) for r in rounds]
    if len({len(x) for x in split}) != 1:
        raise WiringError(f"the rounds of a loop differ: {rounds[0]} and {rounds[1]}")
    out = []
    for parts in zip(*split):
        if len(set(parts)) == 1:
            out.append(parts[0])
            continue
        try:
            numbers = [int(p) for p in parts]
        except ValueError:
            raise WiringError(f"the rounds of a loop differ: {rounds[0]} and {rounds[1]}") from None
        text = term(numbers, k, at)
        if text is None:
            raise WiringError(f"the rounds of a loop differ unevenly: {rounds[0]} and {rounds[1]}")
        out.append(text)
    return "".join(out)


def unify_lines(rounds, k="k", at=0):
    """The same of rounds that are several lines."""
    if len({len(r) for r in rounds}) != 1:
        raise WiringError(f"the rounds of a loop differ: {rounds[0]} and {rounds[1]}")
    return [unify(list(texts), k, at) for texts in zip(*rounds)]


def runs_of(rounds, k):
    """(first, end, lines) of neighbours that differ in numbers only."""
    runs, at = [], 0
    while at < len(rounds):
        lines, end = list(rounds[at]), at + 1
        while end < len(rounds):
            try:
                lines, end = unify_lines(rounds[at:end + 1], k, at), end + 1
            except WiringError:
                break
        runs.append((at, end, lines))
        at = end
    return runs


def unify_runs(rounds, k="k"):
    """One text out of rounds that may differ in more than numbers: neighbours that do not under an `if` of which rounds they are."""
    runs = runs_of(rounds, k)
    if len(runs) == 1:
        return runs[0][2]
    out = []
    for at, end, lines in runs:
        which = f"{k} < {end}" if not at else f"{k} >= {at}" if end == len(rounds) else f"{k} == {at}" if end == at + 1 else f"{k} >= {at} && {k} < {end}"
        out += [f"if ({which}) {{", *("    " + x for x in lines), "}"] if lines else []
    return out
