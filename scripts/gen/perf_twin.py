"""Of perf.py: the twin of a unit's counters. It says where the increments are; sim_c/common/perf_unit.h does the rest. The fields of a block that shows an event are added: those of one bit as the bytes that they are; counters with a condition under what their conditions have in common."""
import re


def translate(text, unit):
    """An expression in C."""
    def name(m):
        word = re.match(r"\w+", m[0])[0]
        return "in->" + m[0] if word in unit["inputs"] else m[0] if word.isupper() else "u->" + m[0]
    text = re.sub(r"\bbit\(([\w.]+), (\d+)\)", r"(\1 >> \2 & 1)", text)
    return re.sub(r"\b[A-Za-z_][\w.]*(?:\[\d+\])*", name, text)


def leaf_of(unit):
    """(name, struct, leaf) of the leaf, if there is one."""
    leaf = unit.get("leaf")
    return leaf and (*next((n, t) for n, t in leaf.items() if n not in ("module", "takes", "detail")), leaf)


def byte(unit, row):
    """Whether an increment is a field of an input that has one byte, which is 0 or 1."""
    return row["width"] == 1 and "when" not in row and bool(re.fullmatch(r"(\w+)\.[\w.]+", row["of"])) and row["of"].split(".")[0] in unit["inputs"]


def add(of, i):
    return f"count[{i}] += n" if of == "1" else f"count[{i}] += n * ({of})" if " " in of else f"count[{i}] += n * {of}"


def wide(unit, chunks):
    """For each struct of events the function of its fields of several bits."""
    out = []
    for n, path in chunks.items():
        adds = [f"{add(translate(r['of'], unit), i)};" for i, r in enumerate(unit["rows"]) if r["field"] and r["events"] == path and not byte(unit, r)]
        out += function(f"static inline void wide_{n}(uint64_t *restrict count, const unit_in_t *restrict in, uint64_t n)", adds)
    return out


def plain(unit):
    """Statements for increments that are no field and have no condition."""
    out = [(r.get("detail"), f"{add(translate(r['of'], unit), i)};") for i, r in enumerate(unit["rows"]) if "when" not in r and not r["field"] and not byte(unit, r)]
    lines = [x for d, x in out if not d]
    for d in dict.fromkeys(d for d, _ in out if d):
        lines += [f"if ({d.upper()}) {{", *("    " + x for e, x in out if e == d), "}"]
    return lines


def conditions(unit):
    """The others: under the first part of their condition, and under the rest of it."""
    first = {}
    for i, r in enumerate(unit["rows"]):
        if "when" in r:
            guard, *rest = r["when"].split(" && ")
            first.setdefault((r.get("detail"), guard), {}).setdefault(" && ".join(rest), []).append(f"{add(translate(r['of'], unit), i)};")
    lines = []
    for (detail, guard), rests in first.items():
        lines.append(f"if ({detail.upper() + ' && ' if detail else ''}{translate(guard, unit)}) {{")
        for rest, adds in rests.items():
            lines += [f"    if ({translate(rest, unit)}) {{", *("        " + x for x in adds), "    }"] if rest else ["    " + x for x in adds]
        lines.append("}")
    return lines


def state(unit):
    """The state beside the counters; the steps of an edge before and after counting, and of time that passes."""
    spans, leaf = unit.get("span", {}), leaf_of(unit)
    fields = [f"    bool {n}; /* under way; between edges: kept */" for n in spans]
    begin = [f"u->{n} = in->{a} || u->{n};" for n, (a, _) in spans.items()]
    end = [f"u->{n} = u->{n} && !in->{b};" for n, (_, b) in spans.items()]
    passes = []
    if leaf:
        name, struct, x = leaf
        on = f"if ({x['detail'].upper()})"
        fields += [f"    {struct} {name};", f"    {x['module']}_t {x['module']};"]
        begin += [on, f"    u->{name} = {x['module']}_event(&u->{x['module']}, &in->{x['takes']});"]
        end += [on, f"    {x['module']}_edge(&u->{x['module']}, &in->{x['takes']});"]
        passes += [on, f"    {x['module']}_pass(&u->{x['module']}, cycles);"]
    return (["typedef struct {", *(fields or ["    char none_;"]), "} unit_state_t;"],
            [("static void begin(unit_state_t *u, const unit_in_t *in)", begin), ("static void end(unit_state_t *u, const unit_in_t *in)", end),
             ("static void pass(unit_state_t *u, uint64_t cycles)", passes)])


def function(head, lines):
    unused = ["(void)" + re.search(r"(\w+)(?:,|$)", p)[1] + ";" for p in head[head.index("(") + 1:-1].split(", ")]
    return [head, "{", *("    " + x for x in unused + lines), "}", ""]


def twin(unit, prefix):
    name, rows, leaf = unit["module"], unit["rows"], leaf_of(unit)
    fields, steps = state(unit)
    chunks = {path.replace(".", "_"): path for path in (r["of"].rpartition(".")[0] for r in rows if r["field"] or byte(unit, r))}
    c = [f"/* Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit. Twin of {name}: performance counters of a {unit['name']} (docs/blocks/perf.md). */",
         f"#include \"perf/{name}_twin.h\"", *([f"#include \"sim_c/mem/{leaf[2]['module']}.h\""] if leaf else []), "#include \"vl_regs.h\"", "#include <stddef.h>", "#include <string.h>", "",
         f"#define UNIT(x) {name}##x", f"typedef {name}_in_t unit_in_t;", f"typedef {name}_out_t unit_out_t;",
         f"enum {{ UNIT_COUNTERS = {prefix}COUNTERS, UNIT_KIND = PERF_SEL_KIND_{unit['name'].upper()}, UNIT_RESTS = {int(unit.get('rests', False))} }};", *fields, "",
         "/* The structs of which all bytes are added up, and where these are among all. */", f"#define UNIT_CHUNKS(X) {' '.join(f'X({n}, {path})' for n, path in chunks.items())}", "enum {"]
    at = "0"
    for n, path in chunks.items():
        c.append(f"    {n}_AT = {at},")
        at = f"{n}_AT + sizeof(((unit_in_t *)0)->{path})"
    c += [f"    UNIT_BYTES = {at}", "};", "",
         "/* Where the byte of each counter is; UNIT_BYTES: it is counted otherwise. */", "static const uint16_t byte_of[UNIT_COUNTERS] = {"]
    for i, r in enumerate(rows):
        path = r["of"].rpartition(".")[0]
        c.append(f"    [{i}] = {path.replace('.', '_')}_AT + offsetof(unit_in_t, {r['of']}) - offsetof(unit_in_t, {path})," if byte(unit, r) else f"    [{i}] = UNIT_BYTES,")
    c += ["};"]
    c += ["", "/* Whether a block shows anything. */", "static inline bool shows(const void *events, size_t n)", "{", "    static const char none[1024];", "    return memcmp(events, none, n) != 0;", "}", ""]
    for head, lines in steps:
        c += function(head, lines)
    c += ["/* Increments that are no byte, `n` times: fields of several bits, and others. */", *wide(unit, chunks)]
    c += function("static void rest(uint64_t *restrict count, const unit_state_t *u, const unit_in_t *restrict in, uint64_t n)", plain(unit) + conditions(unit))
    c.append("#include \"sim_c/common/perf_unit.h\"")
    if "span" in unit:
        c += ["", f"bool {name}_spans(const {name}_t *s)", "{", "    return " + " || ".join(f"s->u.{n}" for n in unit["span"]) + ";", "}"]
    return "\n".join([*c, ""])


def header(unit):
    n = unit["module"]
    return "\n".join([
        "/* Generated by scripts/gen/perf.py. Do not edit. Functions for compositions, beside the ports. */", f"#ifndef {n.upper()}_TWIN_H", f"#define {n.upper()}_TWIN_H", f"#include \"{n}_ports.h\"", "#include \"vl_perf.h\"",
        "/* Counts the same events in each of `cycles` cycles, of which clear is false, and in which no span and no read begins or ends; the output stays. The model jumps over dead time in this way. */",
        f"void {n}_count({n}_t *s, const {n}_in_t *in, uint64_t cycles);", "/* The same as `cycles` (> 0) ticks with these inputs. */", f"void {n}_skip({n}_t *s, const {n}_in_t *in, uint64_t cycles);",
        "/* Adds to counter k. */", f"void {n}_add({n}_t *s, unsigned k, uint64_t value);",
        "/* The increment of the selected counter in a cycle with these inputs; the outputs after `cycles` edges with them and one more. */",
        f"uint64_t {n}_step(const {n}_t *s, const {n}_in_t *in);", f"void {n}_peek(const {n}_t *s, const {n}_in_t *in, uint64_t cycles, {n}_out_t *o);",
        *([f"/* A span is under way: each cycle is counted. */", f"bool {n}_spans(const {n}_t *s);"] if "span" in unit else []), "#endif", ""])
