#!/usr/bin/env python3
"""Reads rtl/config/NAME.toml against rtl/config/schema.toml and writes the generated forms of a configuration.

  config.py NAME --json            the configuration as JSON on standard output
  config.py NAME --out DIR         writes DIR/{vl_cfg_pkg.sv,vl_cfg.h,vl_config.json}
  config.py FILE.toml ...          a configuration that is not in rtl/config

Impossible values are refused with one line that names the field; status 2.
"""
import argparse
import json
import os
import re
import sys
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIG_DIR = os.path.join(ROOT, "rtl", "config")


class ConfigError(Exception):
    """The configuration is impossible; the text names the field."""


def load_toml(path):
    try:
        with open(path, "rb") as f:
            return tomllib.load(f)
    except OSError as e:
        raise ConfigError(f"{path}: {e.strerror}") from e
    except tomllib.TOMLDecodeError as e:
        raise ConfigError(f"{path}: {e}") from e


def resolve(name):
    """Path and display name of a configuration given by name or by file."""
    if name.endswith(".toml"):
        return name, os.path.splitext(os.path.basename(name))[0]
    path = os.path.join(CONFIG_DIR, name + ".toml")
    if name == "schema" or not os.path.exists(path):
        known = sorted(f[:-5] for f in os.listdir(CONFIG_DIR) if f.endswith(".toml") and f != "schema.toml")
        raise ConfigError(f"config: no configuration '{name}' (there are: {', '.join(known)})")
    return path, name


def read(name):
    """The checked configuration: fields in schema order."""
    schema = load_toml(os.path.join(CONFIG_DIR, "schema.toml"))
    path, short = resolve(name)
    given = load_toml(path)
    written = set(given)
    cfg = {}
    for f in schema["field"]:
        key = f["name"]
        value = given.pop(key, f.get("default"))
        if value is None:
            raise ConfigError(f"{path}: field '{key}' is missing ({f['help']})")
        if "folder" in f:       # the name of a file there
            folder = os.path.join(CONFIG_DIR, f["folder"])
            known = sorted(n[:-5] for n in os.listdir(folder) if n.endswith(".toml"))
            if value not in known:
                raise ConfigError(f"{path}: field '{key}' is {value!r}, must be one of: {', '.join(known)}")
            cfg[key] = value
            continue
        if key not in written and isinstance(value, str):      # a default that depends on other fields
            value = eval(value, {"__builtins__": {}, "max": max, "min": min}, dict(cfg))
        if not isinstance(value, int) or isinstance(value, bool):
            raise ConfigError(f"{path}: field '{key}' must be an integer, not {value!r}")
        if not f["min"] <= value <= f["max"]:
            raise ConfigError(f"{path}: field '{key}' is {value}, must be {f['min']}..{f['max']}")
        if f.get("pow2") and value & (value - 1):
            raise ConfigError(f"{path}: field '{key}' is {value}, must be a power of two")
        cfg[key] = value
    for key in given:
        raise ConfigError(f"{path}: unknown field '{key}'")
    for c in schema["constraint"]:
        if not eval(c["expr"], {"__builtins__": {}}, dict(cfg)):
            raise ConfigError(f"{path}: field '{c['field']}' is impossible: {c['why']} ({c['expr']})")
    return short, cfg, schema


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    except OSError:
        pass
    tmp = path + ".tmp"
    with open(tmp, "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(tmp, path)


def main():
    ap = argparse.ArgumentParser(description="configuration generator")
    ap.add_argument("name")
    ap.add_argument("--json", action="store_true")
    ap.add_argument("--out")
    args = ap.parse_args()
    try:
        short, cfg, schema = read(args.name)
    except ConfigError as e:
        print(e, file=sys.stderr)
        return 2
    import dram     # (which needs this file)
    try:
        chips = dram.read(cfg["dram"])[1]
    except ConfigError as e:
        print(e, file=sys.stderr)
        return 2
    channel = chips["bank_groups"] * chips["banks"] * chips["rows"] * chips["columns"] * chips["bus_bits"] // 8
    doc = {"name": short, **cfg, "memory_bytes": cfg["channels"] * channel, "dram_burst_clocks": chips["burst_clocks"]}
    if args.json:
        print(json.dumps(doc, indent=2))
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        helps = {f["name"]: f["help"] for f in schema["field"]}
        sv = [f"// Generated from rtl/config/{short}.toml by scripts/gen/config.py. Do not edit.",
              "package vl_cfg_pkg;"]
        numbers = {k: v for k, v in cfg.items() if isinstance(v, int)}
        sv += [f"  localparam int unsigned {k.upper()} = {v};  // {helps[k]}" for k, v in numbers.items()]
        sv += ["endpackage", "", "// The same rules at elaboration, for parameters that did not come through the generator.",
               "module vl_cfg_check", "  import vl_cfg_pkg::*;", "();"]
        for f in (f for f in schema["field"] if f["name"] in numbers):
            name = f["name"].upper()
            pow2 = f" || ({name} & ({name} - 1)) != 0" if f.get("pow2") else ""
            sv.append(f"  if ({name} < {f['min']} || {name} > {f['max']}{pow2}) "
                      f"$error(\"field '{f['name']}' must be {f['min']}..{f['max']}{', a power of two' if pow2 else ''}\");")
        for c in schema["constraint"]:
            expr = re.sub(r"[a-z_]\w*", lambda m: m.group(0).upper(), c["expr"]).replace("//", "/")
            sv.append(f"  if (!({expr})) $error(\"field '{c['field']}' is impossible: {c['why']}\");")
        sv += ["endmodule", ""]
        write_if_changed(os.path.join(args.out, "vl_cfg_pkg.sv"), "\n".join(sv))
        h = [f"/* Generated from rtl/config/{short}.toml by scripts/gen/config.py. Do not edit. */",
             "#ifndef VL_CFG_H", "#define VL_CFG_H", f'#define VL_CFG_NAME "{short}"', "enum vl_cfg {"]
        h += [f"    {k.upper()} = {v}, /* {helps[k]} */" for k, v in numbers.items()]
        h += ["};"] + [f'#define {k.upper()}_NAME "{v}"' for k, v in cfg.items() if k not in numbers] + ["#endif", ""]
        write_if_changed(os.path.join(args.out, "vl_cfg.h"), "\n".join(h))
        write_if_changed(os.path.join(args.out, "vl_config.json"), json.dumps(doc, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as e:
        sys.exit(f"config: cannot write {e.filename}: {e.strerror}")
