#!/usr/bin/env python3
"""Generates from rtl/config/schema.toml: build/gen/vl_fields.h, for `vellum info`, and docs/fields.md.

  schema.py [--check]     --check: fail when docs/fields.md is out of date (used by the tests)
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from config import CONFIG_DIR, words_of  # noqa: E402
from fields import ROOT, load_toml, write_if_changed  # noqa: E402

HEAD = """# Fields of a configuration

Generated from `rtl/config/schema.toml`. A field is required where it has no default. A default may be an expression over other fields. *Effect* names the
conditions without which a field changes nothing: fields of the configuration, and the value of a policy (`--set`). `vellum info --config NAME` shows the same
of one configuration, with its values. Rules between fields follow at the end.

| field | accepted | default | effect | meaning |
|---|---|---|---|---|
"""


def accepted(field):
    words = words_of(field)
    if words:
        return ", ".join(words)
    if field["min"] == field["max"]:
        return str(field["min"])
    return f"{field['min']}..{field['max']}{', power of two' if field.get('pow2') else ''}"


def condition(field):
    """Where it has an effect, in words; empty: everywhere."""
    fields = re.sub(r"\s*==\s*'(\w+)'", r" = \1", field.get("needs", ""))
    return "; ".join(filter(None, [fields, f"policy {field['policy']}" if "policy" in field else ""]))


def rule(c):
    where = " and ".join(f"`{k} = {v}`" for k, v in c.get("when", {}).items())
    return f"| `{c['field']}` | {where} | `{c['expr']}` | {c['why']} |"


def page(schema):
    rows = [f"| `{f['name']}` | {accepted(f)} | {'`' + str(f['default']) + '`' if 'default' in f else ''} | {condition(f)} | {f['help']} |" for f in schema["field"]]
    rules = ["", "## Rules between fields", "", "| field | where | rule | reason |", "|---|---|---|---|", *map(rule, schema["constraint"])]
    late = ", ".join(f"`{f['name']}`" for f in schema["field"] if f.get("at_run_time"))
    return HEAD + "\n".join(rows + ["", "## Taken at run time", "", f"A sweep over these builds one C model ([sweep.md](sweep.md)): {late}."] + rules) + "\n"


def header(schema):
    rows = [f'    X("{f["name"]}", "{accepted(f)}", "{condition(f)}", "{f["help"]}") \\' for f in schema["field"]]
    return "\n".join(["/* Generated from rtl/config/schema.toml by scripts/gen/schema.py. Do not edit. */", "#ifndef VL_FIELDS_H", "#define VL_FIELDS_H",
                      "/* X(name, accepted values, where it has an effect, meaning) for every field of a configuration. */", "#define VL_FIELDS(X) \\", *rows, "", "#endif", ""])


def main():
    schema = load_toml(os.path.join(CONFIG_DIR, "schema.toml"))
    path = os.path.join(ROOT, "docs", "fields.md")
    if "--check" in sys.argv:
        with open(path, encoding="utf-8") as f:
            if f.read() != page(schema):
                sys.exit("docs/fields.md is out of date: run scripts/gen/schema.py")
        return
    os.makedirs(os.path.join(ROOT, "build", "gen"), exist_ok=True)
    write_if_changed(os.path.join(ROOT, "build/gen/vl_fields.h"), header(schema))
    write_if_changed(path, page(schema))


if __name__ == "__main__":
    main()
