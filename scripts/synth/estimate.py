"""Delays of a mapped design before it is placed, a minute's work instead of an hour's: gates as in nextpnr's tables for ECP5, wires guessed by
their fan-out. Of blocks placed alone the estimate was within 15 % of what nextpnr reached; a full device has longer wires.
Multipliers have no registers inside, so they count as gates."""
import collections
import json
import re

LUT, TO_CARRY, CARRY, FROM_CARRY, MULTIPLIER = 0.24, 0.45, 0.07, 0.44, 3.9
CLOCK_TO_Q, RAM_TO_Q = 0.52, 5.73
SETUP = {"CE": 0.3, "LSR": 0.3}
CLOCKS = {"CLK", "WCK", "CLKA", "CLKB", "CLK0", "CLK1", "CLK2", "CLK3"}


def wire(fanout):
    return 0.75 + (0.5 if fanout > 12 else 0) + (0.6 if fanout > 48 else 0)


class Netlist:
    """Of every net: `gate` what drives it through gates, [(input net, delay)], or `start` when a register does; `ends` where paths end."""

    def __init__(self, path, module="harness"):
        with open(path) as f:
            top = json.load(f)["modules"][module]
        self.cells = top["cells"]
        self.nets = {n: v["bits"] for n, v in top["netnames"].items()}
        self.gate, self.start, self.owner, self.ends = {}, {}, {}, []
        self.fanout = collections.Counter()
        self.carries = set()
        for name, cell in self.cells.items():
            self.add(name, cell["type"], cell["connections"], cell["port_directions"])

    def add(self, name, kind, conns, directions):
        ins = [(p, b) for p, bits in conns.items() for b in bits if directions[p] == "input" and isinstance(b, int)]
        outs = [(p, b) for p, bits in conns.items() for b in bits if directions[p] == "output" and isinstance(b, int)]
        for _, b in ins:
            self.fanout[b] += 1
        for p, b in outs:
            self.owner[b] = name
            if kind == "LUT4":
                self.gate[b] = [(x, LUT) for _, x in ins]
            elif kind == "CCU2C":
                ways = {"S0": "0", "S1": "01", "COUT": "01"}[p]
                self.gate[b] = [(x, CARRY if p == "COUT" else FROM_CARRY) if q == "CIN" else (x, TO_CARRY) for q, x in ins if q == "CIN" or q[-1] in ways]
                if p == "COUT":
                    self.carries.add(b)
            elif kind == "MULT18X18D":
                self.gate[b] = [(x, MULTIPLIER) for q, x in ins if re.fullmatch(r"[AB]\d+", q)]
            elif kind == "TRELLIS_DPR16X4":
                self.gate[b] = [(x, LUT) for q, x in ins if q == "RAD"]
            else:
                self.start[b] = RAM_TO_Q if kind == "DP16KD" else CLOCK_TO_Q if kind == "TRELLIS_FF" else 0.0
        if kind in ("TRELLIS_FF", "DP16KD", "TRELLIS_DPR16X4"):
            self.ends += [(b, name, SETUP.get(p, 0.1)) for p, b in ins if p not in CLOCKS and not (kind == "TRELLIS_DPR16X4" and p == "RAD")]

    def hop(self, net):
        return 0.0 if net in self.carries else wire(self.fanout[net])

    def ordered(self):
        """Nets that no register drives, each behind those that its gate waits for."""
        order, known = [], set(self.start)
        for root in self.gate:
            todo = [root]
            while todo:
                net = todo[-1]
                missing = [x for x, _ in self.gate.get(net, []) if x not in known] if net not in known else []
                if missing:
                    todo += missing
                    continue
                todo.pop()
                if net not in known:
                    known.add(net)
                    order.append(net)
        return order

    def arrivals(self):
        """{net: when it is there}, {net: the input that it waits for}"""
        at, late = dict(self.start), {}
        for net in self.ordered():
            ways = [(at[x] + self.hop(x) + d, x) for x, d in self.gate.get(net, [])]
            at[net], late[net] = max(ways) if ways else (0.0, None)
        return at, late

    def departures(self):
        """{net: how long after it the last register takes what comes of it}, without the wire directly behind the net"""
        after = {}
        for net, _, setup in self.ends:
            after[net] = max(after.get(net, 0), setup)
        for net in reversed(self.ordered()):
            if net in after:
                for x, d in self.gate.get(net, []):
                    after[x] = max(after.get(x, 0), d + self.hop(net) + after[net])
        return after


def longest(path, where):
    """The longest path between each two blocks, longest first: [(ns, from, to, gates, end)]; where(cell) gives its block."""
    n = Netlist(path)
    at, late = n.arrivals()
    found = {}
    for net, end, setup in n.ends:
        if net not in at:
            continue
        ns, first, gates = at[net] + n.hop(net) + setup, net, 0
        to = where(end)
        # Only a path that is longer than the longest so far between its blocks is traced back.
        if ns <= found.get(("any", to), (0,))[0] - 8:
            continue
        while late.get(first) is not None:
            gates += first not in n.carries
            first = late[first]
        src = where(n.owner[first]) if first in n.owner else "pins"
        for key in ((src, to), ("any", to)):
            if ns > found.get(key, (0,))[0]:
                found[key] = (ns, src, to, gates, end)
    return sorted((v for k, v in found.items() if k[0] != "any"), reverse=True)


def together(path, where):
    """The blocks that each path passes, register to register, as sets: {frozenset of blocks}."""
    n = Netlist(path)

    def here(net):
        return frozenset([where(n.owner[net])] if net in n.owner else [])

    at = {net: {here(net)} for net in n.start}
    for net in n.ordered():
        at[net] = {s | here(net) for x, _ in n.gate.get(net, []) for s in at[x]} or {here(net)}
    return {s | {where(end)} for net, end, _ in n.ends for s in at.get(net, ())}
