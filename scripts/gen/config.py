#!/usr/bin/env python3
"""Reads rtl/config/NAME.toml against rtl/config/schema.toml and writes the generated forms of a configuration.

  config.py NAME --json            the configuration as JSON on standard output
  config.py NAME --out DIR         writes DIR/{vl_cfg_pkg.sv,vl_cfg.h,vl_config.json}
  config.py FILE.toml ...          a configuration that is not in rtl/config

Impossible values are refused, all of them at once, each with a line that names its field; status 2.
"""
import argparse
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dram  # noqa: E402
from fields import ROOT, ConfigError, load_toml, refuse, write_if_changed, wrong_number, wrong_word  # noqa: E402

CONFIG_DIR = os.path.join(ROOT, "rtl", "config")


def resolve(name):
    """Path and display name of a configuration given by name or by file."""
    if name.endswith(".toml"):
        return name, os.path.splitext(os.path.basename(name))[0]
    path = os.path.join(CONFIG_DIR, name + ".toml")
    if name == "schema" or not os.path.exists(path):
        known = sorted(f[:-5] for f in os.listdir(CONFIG_DIR) if f.endswith(".toml") and f != "schema.toml")
        raise ConfigError(f"config: no configuration '{name}' (there are: {', '.join(known)})")
    return path, name


def words_of(field):
    """The words a field may be, or None: it is a number."""
    if "values" in field:
        return field["values"]
    if "folder" in field:       # the name of a file there
        return sorted(n[:-5] for n in os.listdir(os.path.join(CONFIG_DIR, field["folder"])) if n.endswith(".toml"))
    return None


def evaluate(expr, cfg):
    """The value of an expression over the fields; None when one of them is not known, because it is wrong itself."""
    try:
        return eval(expr, {"__builtins__": {}, "max": max, "min": min}, dict(cfg))
    except NameError:
        return None


def broken(c, cfg):
    """Whether a configuration breaks a rule between its fields: one with `when` holds where these enumerated fields have these values."""
    return all(cfg.get(k) == v for k, v in c.get("when", {}).items()) and evaluate(c["expr"], cfg) is False


def where(c):
    return "".join(f"{k} = {v}: " for k, v in c.get("when", {}).items())


def read(name):
    """The checked configuration: fields in schema order; and the schema."""
    path, short = resolve(name)
    given = load_toml(path)
    given.pop("at_run_time", None)
    return short, *checked(given, path)


def at_run_time(name, schema):
    """Fields whose values in the file are the largest that the model takes at run time (docs/sweep.md)."""
    path, _ = resolve(name)
    names = load_toml(path).get("at_run_time", [])
    refuse(path, [f"field '{n}' is no number that the model takes at run time" for n in names if n not in [f["name"] for f in schema["field"] if f.get("at_run_time")]])
    return names


def checked(given, path):
    """All fields in schema order, of those that a file gives, and the schema."""
    schema = load_toml(os.path.join(CONFIG_DIR, "schema.toml"))
    given, cfg, wrong = dict(given), {}, []
    for f in schema["field"]:
        key, words = f["name"], words_of(f)
        value = given.pop(key, None)
        if value is None and "default" in f:
            value = f["default"]
            if isinstance(value, str) and value not in (words or []):      # a default that is computed from other fields
                value = evaluate(value, cfg)
                if value is None:
                    continue
        if value is None:
            wrong.append(f"field '{key}' is missing ({f['help']})")
            continue
        problem = wrong_word(key, value, words) if words else wrong_number(key, value, f["min"], f["max"], f.get("pow2"))
        if problem:
            wrong.append(problem)
        else:
            cfg[key] = value
    wrong += [f"unknown field '{key}'" for key in given]
    wrong += [f"field '{c['field']}' is impossible: {c['why']} ({where(c)}{c['expr']})" for c in schema["constraint"] if broken(c, cfg)]
    refuse(path, wrong)
    refuse(path, chips_wrong(cfg, *chips_of(cfg)))
    return cfg, schema


def channel_bytes(chips):
    return chips["bank_groups"] * chips["banks"] * chips["rows"] * chips["columns"] * chips["bus_bits"] // 8


def chips_of(cfg):
    """The timing sets of the devices' memory and of host memory."""
    return dram.read(cfg["dram"])[1], dram.read(cfg["host_dram"])[1]


def chips_wrong(cfg, chips, host):
    """What the timing sets forbid."""
    if cfg["home"] == "flat":
        return [] if cfg["host_dram"] == cfg["dram"] else ["field 'host_dram' is impossible: without directories there is no host memory (home = flat: host_dram is dram)"]
    wrong = [f"field '{k}' is impossible: a channel's chips of {cfg[of]} hold {channel_bytes(s)} bytes"
             for k, of, s in (("stack_bytes", "dram", chips), ("host_bytes", "host_dram", host)) if cfg[k] > channel_bytes(s)]
    if any(chips[k] != host[k] for k in ("bank_groups", "banks")):    # one scheduler and one controller serve both
        wrong.append("field 'host_dram' is impossible: the chips of stacks and of host memory have the same bank groups and banks ("
                     + ", ".join(f"{cfg[of]}: {s['bank_groups']} of {s['banks']}" for of, s in (("dram", chips), ("host_dram", host))) + ")")
    return wrong


def enum_items(field):
    """(name, number) of each value of an enumerated field: HOME_FLAT, 0."""
    return [(f"{field['name']}_{v}".upper(), i) for i, v in enumerate(field["values"])]


def enum_value(field, value):
    return f"{field['name']}_{value}".upper()


def main():
    ap = argparse.ArgumentParser(description="configuration generator")
    ap.add_argument("name")
    ap.add_argument("--json", action="store_true")
    ap.add_argument("--out")
    args = ap.parse_args()
    try:
        short, cfg, schema = read(args.name)
        late = at_run_time(args.name, schema)
        chips, host = chips_of(cfg)
        memory = cfg["channels"] * channel_bytes(chips)
        if cfg["home"] == "directory":      # stacks are caches of host memory
            memory = cfg["host_channels"] * cfg["host_bytes"]
    except ConfigError as e:
        print(e, file=sys.stderr)
        return 2
    doc = {"name": short, **cfg, "memory_bytes": memory, "without_effect": [f["name"] for f in schema["field"] if evaluate(f.get("needs", "True"), cfg) is False]}
    if chips["burst_clocks"] == host["burst_clocks"]:       # else the data of a command have no one length
        doc["dram_burst_clocks"] = chips["burst_clocks"]
    if args.json:
        print(json.dumps(doc, indent=2))
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        sv = [f"// Generated from rtl/config/{short}.toml by scripts/gen/config.py. Do not edit.",
              "package vl_cfg_pkg;"]
        numbers = {k: v for k, v in cfg.items() if isinstance(v, int)}
        enums = [f for f in schema["field"] if "values" in f]
        sv += [f"  localparam int unsigned {k.upper()} = {v};" for k, v in numbers.items()]
        for f in enums:
            items = ", ".join(f"{n} = {i}" for n, i in enum_items(f))
            width = max(1, (len(f["values"]) - 1).bit_length())
            sv.append(f"  typedef enum logic{f' [{width - 1}:0]' if width > 1 else ''} {{{items}}} {f['name']}_e;")
            sv.append(f"  localparam {f['name']}_e {f['name'].upper()} = {enum_value(f, cfg[f['name']])};")
        sv += ["endpackage", "", "// The same rules at elaboration, for parameters that did not come through the generator.",
               "module vl_cfg_check", "  import vl_cfg_pkg::*;", "();"]
        for f in (f for f in schema["field"] if f["name"] in numbers):
            name = f["name"].upper()
            pow2 = f" || ({name} & ({name} - 1)) != 0" if f.get("pow2") else ""
            sv.append(f"  if ({name} < {f['min']} || {name} > {f['max']}{pow2}) "
                      f"$error(\"field '{f['name']}' must be {f['min']}..{f['max']}{', a power of two' if pow2 else ''}\");")
        for c in schema["constraint"]:
            expr = re.sub(r"[a-z_]\w*", lambda m: m.group(0).upper(), c["expr"]).replace("//", "/")
            of = "".join(f"{k.upper()} == {k.upper()}_{v.upper()} && " for k, v in c.get("when", {}).items())
            sv.append(f"  if ({of}!({expr})) $error(\"field '{c['field']}' is impossible: {c['why']}\");")
        sv += ["endmodule", ""]
        write_if_changed(os.path.join(args.out, "vl_cfg_pkg.sv"), "\n".join(sv))
        h = [f"/* Generated from rtl/config/{short}.toml by scripts/gen/config.py. Do not edit. */",
             "#ifndef VL_CFG_H", "#define VL_CFG_H", f'#define VL_CFG_NAME "{short}"']
        if late:
            h += [f"#define AT_RUN_TIME {', '.join(str(cfg[k]) for k in late)}", "extern unsigned vl_at_run_time[] __attribute__((visibility(\"hidden\")));"]
        h += [f"#define {k.upper()} {f'vl_at_run_time[{late.index(k)}]' if k in late else v}" for k, v in numbers.items()]
        h += [f"#define MAX_{f['name'].upper()} {cfg[f['name']]}" for f in schema["field"] if f.get("at_run_time")]
        for f in enums:
            h.append(f"enum {f['name']}_e {{ {', '.join(f'{n} = {i}' for n, i in enum_items(f))} }};")
            h.append(f"#define {f['name'].upper()} {enum_value(f, cfg[f['name']])}")
        h += [f'#define {k.upper()}_NAME "{v}"' for k, v in cfg.items() if k not in numbers]
        h += ["#endif", ""]
        write_if_changed(os.path.join(args.out, "vl_cfg.h"), "\n".join(h))
        write_if_changed(os.path.join(args.out, "vl_config.json"), json.dumps(doc, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as e:
        sys.exit(f"config: cannot write {e.filename}: {e.strerror}")
