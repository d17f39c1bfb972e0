#!/usr/bin/env python3
"""describe.py MODULE OUT.h: the rows of rtl/common/counters.toml of a unit as data, for the scoreboard of the counters (rows.h). Written from docs/blocks/perf.md and the head of the file: nothing is translated here, an expression stays a text,
which the scoreboard reads; and nothing of scripts/gen/perf.py is used, so that what that makes is held against something."""
import re
import sys
import tomllib


def members(row, lists):
    """The rows of a family, or the row."""
    if "each" not in row:
        return [row]
    made = []
    for values in lists[row["each"]]["values"][:row.get("many")]:
        words = dict(zip(lists[row["each"]]["words"], values)) | {w.upper(): v.upper() for w, v in zip(lists[row["each"]]["words"], values)}
        made.append({key: re.sub(r"\{(\w+)\}", lambda m: words[m[1]], v) if isinstance(v, str) else v for key, v in row.items()})
    return made


def main():
    with open("rtl/common/counters.toml", "rb") as f:
        toml = tomllib.load(f)
    lists = {x["name"]: x for x in toml["list"]}
    out = ["/* Made of rtl/common/counters.toml by verif/core/perf/describe.py. */"]
    for unit in (u for u in toml["unit"] if u["module"] == sys.argv[1]):
        blocks, family = {}, 0
        for row in toml["counter"]:
            family += 1
            if row.get("unit", "core") == unit["name"]:
                for one in members(row, lists):
                    blocks.setdefault(one["block"], []).append(one | {"family": family})
        rows, names = [row for b in blocks.values() for row in b], {}
        module, events = unit["module"], unit["inputs"]
        for row in rows:
            own = f"ev_{row['block']}.{row['name']}" if f"ev_{row['block']}" in events else f"ev.{row['block']}.{row['name']}"
            row["of"] = row.get("of", "1" if "when" in row else own)
            for text in (row["of"], row.get("when", "")):
                names |= dict.fromkeys(re.findall(r"\b(?!bit\()[A-Za-z_][\w.]*(?:\[\d+\])?", text))
        out += [f"static const row_t {module}_rows[] = {{"]
        out += [f'    {{"{r["name"]}", "{r["of"]}", "{r.get("when", "")}", {r["width"]}, {r["family"] if "sure" in r else 0}, {int("detail" in r)}}},' for r in rows]
        out += ["};", f"static const name_t {module}_names[] = {{"]
        for n in names:
            head = re.match(r"\w+", n)[0]
            if head in events:
                out.append(f'    {{"{n}", INPUT, offsetof({module}_in_t, {n}), sizeof(({module}_in_t *)0)->{n}, 0}},')
            else:
                out.append(f'    {{"{n}", {"CONSTANT, 0, 0, " + n if n.isupper() else f"EXTRA, offsetof(extra_t, {n}), sizeof((extra_t *)0)->{n}, 0"}}},')
        prefix = "" if unit["name"] == "core" else unit["name"].upper() + "_"
        out += ["};", "#define LISTED_NAME(k, name, block, help) #name,", f"#define {module}_LISTED {{VL_{prefix}COUNTERS(LISTED_NAME)}}"]
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write("\n".join([*out, ""]))


main()
