"""AIGER files, as far as proofs rewrite them: https://fmv.jku.at/aiger/FORMAT. A literal is twice a variable, plus 1 where it is inverted; inputs, latches and gates are numbered in this order."""


def numbers(data, at):
    """The gates' numbers: seven bits a byte, the lowest first."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def read(path):
    """(inputs, next values of latches, outputs, inputs of gates) of a binary file with latches that begin with 0."""
    with open(path, "rb") as f:
        data = f.read()
    at = data.index(b"\n") + 1
    _, _, inputs, latches, outputs, gates, *bad = data[:at].split()    # a bad state is an output too
    outputs = int(outputs) + sum(map(int, bad[:1]))

    def lines(n):
        nonlocal at
        got = []
        for _ in range(int(n)):
            end = data.index(b"\n", at)
            got.append(int(data[at:end].split()[0]))
            at = end + 1
        return got

    nexts, outs, pairs = lines(latches), lines(outputs), []
    for k in range(int(gates)):
        a, at = numbers(data, at)
        b, at = numbers(data, at)
        one = 2 * (int(inputs) + len(nexts) + 1 + k) - a
        pairs.append((one, one - b))
    return int(inputs), nexts, outs, pairs


def write(path, inputs, nexts, outs, pairs):
    def number(value):
        text = bytearray()
        while value > 127:
            text.append(value & 127 | 128)
            value >>= 7
        return bytes(text) + bytes([value])

    first = inputs + len(nexts) + 1
    with open(path, "wb") as f:
        f.write(f"aig {first - 1 + len(pairs)} {inputs} {len(nexts)} {len(outs)} {len(pairs)}\n".encode())
        f.write("".join(f"{x}\n" for x in nexts + outs).encode())
        for k, pair in enumerate(pairs):
            a, b = max(pair), min(pair)
            f.write(number(2 * (first + k) - a) + number(a - b))


def step(path, to, behind):
    """A system that begins in any state of that of `path`. Each of its outputs says, from cycle `behind` on, that this one fails, where none failed in the cycles before: if none does, `behind` cycles
    in which all hold are followed by one in which all hold."""
    inputs, nexts, outs, pairs = read(path)
    latches = len(nexts)
    # Inputs: the old ones, and for each latch its initial value. Latches: the old ones; one has failed; 1, 2 ... `behind` cycles are over.
    news = 2 * latches + 1 + behind
    failed, *over = (2 * (inputs + 2 * latches + 1 + k) for k in range(1 + behind))
    gates = []

    def both(a, b):
        gates.append((a, b))
        return 2 * (inputs + news + len(gates))

    def either(a, b):
        return both(a ^ 1, b ^ 1) ^ 1

    now = {0: 0, **{2 * (k + 1): 2 * (k + 1) for k in range(inputs)}}
    for k in range(latches):
        begin, kept = 2 * (inputs + k + 1), 2 * (inputs + latches + k + 1)
        now[2 * (inputs + k + 1)] = either(both(over[0], kept), both(over[0] ^ 1, begin))

    def of(literal):
        return now[literal & ~1] ^ (literal & 1)

    for k, (a, b) in enumerate(pairs):
        now[2 * (inputs + latches + 1 + k)] = both(of(a), of(b))
    fails = 0
    for x in outs:
        fails = either(fails, of(x))
    fails = either(failed, fails)
    shown = both(over[-1], failed ^ 1)
    write(to, inputs + latches, [*(of(x) for x in nexts), fails, 1, *over[:-1]], [both(shown, of(x)) for x in outs], gates)
