#!/usr/bin/env python3
"""Generates the coherence protocol from rtl/coherence/nmoesi.toml.

    nmoesi.py OUT_DIR       writes OUT_DIR/nmoesi_pkg.sv, vl_nmoesi.h, nmoesi.pml
    nmoesi.py --docs FILE   renews the table in FILE
    nmoesi.py --check FILE  fails if that would change it
"""
import sys
import tomllib
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent / "rtl/coherence/nmoesi.toml"
ACTIONS = ["none", "hit", "read", "n_read", "own", "write_back", "send", "drop"]
ASKS = ["read", "n_read", "own"]
GIVES = ["write_back", "send"]
BEGIN, END = "<!-- Transitions: generated from rtl/coherence/nmoesi.toml by scripts/gen/nmoesi.py -->", "<!-- End of transitions -->"
NOTE = "Generated from rtl/coherence/nmoesi.toml by scripts/gen/nmoesi.py. Do not edit."


def die(message):
    sys.exit(f"nmoesi.toml: {message}")


def read(path):
    """States and events in the order of their codes, and rows[state][event] = (action, next, why)."""
    t = tomllib.loads(path.read_text())
    for kind in "state", "event":
        if sorted(x["code"] for x in t[kind]) != list(range(len(t[kind]))):
            die(f"the codes of the {kind}s are not 0 to {len(t[kind]) - 1}, each once")
    states, events = (sorted(t[kind], key=lambda x: x["code"]) for kind in ("state", "event"))
    rows = {}
    for s in states:
        row = t["row"].get(s["name"], {})
        if set(row) != {e["name"] for e in events}:
            die(f"row {s['name']} has {', '.join(sorted(row)) or 'nothing'}; it needs each event once")
        rows[s["name"]] = {}
        for event, cell in row.items():
            action, following, why = (*cell, "")[:3]
            if action not in ACTIONS or following not in {x["name"] for x in states}:
                die(f"{s['name']}.{event}: no such action or state: {action}, {following}")
            rows[s["name"]][event] = action, following, why
    return states, events, rows


def sv(states, events, rows):
    out = [f"// {NOTE}", "// The actions of a cache on its lines, in each state. Page: docs/coherence.md.", "package nmoesi_pkg;",
           "  typedef enum logic [2:0] {"]
    out += [f"    NMOESI_{s['name']} = {s['code']}{',' if s is not states[-1] else ''}".ljust(32) + f"// {s['help']}" for s in states]
    out += ["  } nmoesi_e;", "", "  typedef enum logic [2:0] {"]
    out += [f"    NM_{e['name'].upper()} = {e['code']}{',' if e is not events[-1] else ''}".ljust(32) + f"// {e['help']}" for e in events]
    out += ["  } nmoesi_event_e;"]

    def function(kind, name, help_line, value, default):
        body = [f"  // {help_line}", f"  function automatic {kind} {name}(input nmoesi_e state, input nmoesi_event_e what);", "    unique case (state)"]
        for s in states:
            cells = {}
            for e in events:
                cells.setdefault(value(s["name"], e["name"]), []).append(f"NM_{e['name'].upper()}")
            rest = default if default in cells else max(cells, key=lambda v: len(cells[v]))
            body += [f"      NMOESI_{s['name']}:", "        unique case (what)"]
            body += [f"          {', '.join(names)}: return {v};" for v, names in cells.items() if v != rest]
            body += [f"          default: return {rest};", "        endcase"]
        return ["", *body, f"      default: return {default};", "    endcase", "  endfunction"]

    out += function("nmoesi_e", "nmoesi_next", "The state after it; after a read, the least that its home grants.",
                    lambda s, e: f"NMOESI_{rows[s][e][1]}", "NMOESI_I")
    out += function("logic", "nmoesi_hit", "Permitted as it stands.", lambda s, e: f"1'b{int(rows[s][e][0] == 'hit')}", "1'b0")
    out += function("logic", "nmoesi_gives", "Bytes of the mask go to the home, or to who asks.", lambda s, e: f"1'b{int(rows[s][e][0] in GIVES)}", "1'b0")
    return out + ["endpackage", ""]


def c(states, events, rows):
    out = [f"/* {NOTE}", " * The actions of a cache on its lines, in each state. Page: docs/coherence.md. The enumerations are nmoesi_pkg's. */",
           "#ifndef VL_NMOESI_H", "#define VL_NMOESI_H", "#include <stdbool.h>", "#include <stdint.h>", ""]

    def function(kind, name, value):
        width = max(len(value(s["name"], e["name"])) for s in states for e in events)
        body = [f"static inline {kind} {name}(unsigned state, unsigned what)", "{", f"    static const uint8_t of[{len(states)}][{len(events)}] = {{"]
        body += ["        {" + ", ".join(value(s["name"], e["name"]).rjust(width) for e in events) + "}, " + f"/* {s['name']} */" for s in states]
        return [*body, "    };", "    return of[state][what];", "}", ""]

    code = {s["name"]: str(s["code"]) for s in states}
    out += ["/* The state after it; after a read, the least that its home grants. */", *function("unsigned", "nmoesi_next", lambda s, e: code[rows[s][e][1]])]
    out += ["/* Permitted as it stands. */", *function("bool", "nmoesi_hit", lambda s, e: str(int(rows[s][e][0] == "hit")))]
    out += ["/* Bytes of the mask go to the home, or to who asks. */", *function("bool", "nmoesi_gives", lambda s, e: str(int(rows[s][e][0] in GIVES)))]
    return out + ["#endif", ""]


def pml(states, events, rows):
    out = [f"/* {NOTE} */"]
    out += [f"#define {s['name']}_ {s['code']}" for s in states] + [f"#define NM_{e['name'].upper()} {e['code']}" for e in events]

    # Promela has no constant tables: a row is a number, `bits` for each event.
    def expression(name, bits, value):
        text = "0"
        for s in reversed(states):
            row = sum(int(value(s["name"], e["name"])) << bits * e["code"] for e in events)
            text = f"((s) == {s['code']} -> {row} : {text})"
        return [f"#define {name}(s, e) (({text} >> ({bits} * (e))) & {(1 << bits) - 1})"]

    code = {s["name"]: s["code"] for s in states}
    out += expression("NEXT", 3, lambda s, e: code[rows[s][e][1]])
    out += expression("HIT", 1, lambda s, e: rows[s][e][0] == "hit")
    out += expression("GIVES", 1, lambda s, e: rows[s][e][0] in GIVES)
    return out + [""]


def docs(states, events, rows):
    words = {"hit": "hit", "read": "asks to read", "n_read": "asks to n-store", "own": "asks to store", "write_back": "writes back", "send": "sends bytes", "drop": "", "none": "–"}
    out = ["| state | " + " | ".join(e["help"] for e in events) + " |", "|---" * (len(events) + 1) + "|"]
    notes = []
    for s in states:
        cells = []
        for e in events:
            action, following, why = rows[s["name"]][e["name"]]
            to = "S or E" if action == "read" else following
            text = words[action] + (f" → {to}" if following != s["name"] else "")
            if why:
                notes.append(f"- {s['name']}, {e['help']}: {why}.")
            cells.append((text or "–") + (" *" if why else ""))
        out.append(f"| **{s['name']}** {s['help']} | " + " | ".join(x.strip() for x in cells) + " |")
    return out + ([""] + ["\\* differs from the paper's table:", *notes] if notes else [])


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main():
    table = read(SOURCE)
    if len(sys.argv) == 3 and sys.argv[1] in ("--docs", "--check"):
        page = Path(sys.argv[2])
        old = page.read_text()
        new = old.split(BEGIN)[0] + BEGIN + "\n" + "\n".join(docs(*table)) + "\n" + END + old.split(END)[1]
        if sys.argv[1] == "--check":
            sys.exit(new != old)
        write_if_changed(page, new)
    elif len(sys.argv) == 2:
        out = Path(sys.argv[1])
        write_if_changed(out / "nmoesi_pkg.sv", "\n".join(sv(*table)))
        write_if_changed(out / "vl_nmoesi.h", "\n".join(c(*table)))
        write_if_changed(out / "nmoesi.pml", "\n".join(pml(*table)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
