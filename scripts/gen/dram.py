#!/usr/bin/env python3
"""Reads a DRAM timing set, rtl/config/dram/SET.toml, and writes what the controller is built from.

  dram.py SET --json               the checked set as JSON on standard output
  dram.py SET [HOST] --out DIR     writes DIR/vl_dram_pkg.sv (parameters of the controller, times in DRAM clocks), DIR/vl_dram.h (the same for its twin) and
                                   DIR/vl_dram_set.h (name and text, for the device model), of SET and of the chips of host memory: HOST, or SET as well
  dram.py FILE.toml ...       a set that is not in rtl/config/dram

The device model gets the text as it is and reads it by itself (sim_c/dram/set.c): a mistake made here is found by the device model,
not shared with it. Impossible values are refused, all of them at once, each with a line that names its field; status 2.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fields import ROOT, ConfigError, load_toml, refuse, write_if_changed, wrong_number  # noqa: E402

SET_DIR = os.path.join(ROOT, "rtl", "config", "dram")

# name: least, most, meaning
FIELDS = {
    "tck_ps": (1, 10**6, "period of the DRAM clock in ps"),
    "bank_groups": (1, 8, "bank groups"),
    "banks": (1, 64, "banks in a group"),
    "rows": (1, 2**20, "rows in a bank"),
    "columns": (1, 2**16, "columns in a row, each bus_bits wide"),
    "bus_bits": (8, 512, "width of the channel's data pins"),
    "burst": (1, 64, "columns that one RD or WR moves"),
    "burst_clocks": (1, 64, "clocks that takes on the data pins"),
    "tcl": (1, 1023, "RD to its first beat"),
    "tcwl": (0, 1023, "WR to its first beat"),
    "trcd_rd": (1, 1023, "ACT to RD"),
    "trcd_wr": (1, 1023, "ACT to WR"),
    "trp": (1, 1023, "PRE to ACT or REF, same bank"),
    "tras": (1, 1023, "ACT to PRE"),
    "trc": (1, 1023, "ACT to ACT or REF, same bank"),
    "tccd_s": (1, 1023, "RD to RD and WR to WR, other bank group"),
    "tccd_l": (1, 1023, "RD to RD and WR to WR, same bank group"),
    "trrd_s": (1, 1023, "ACT to ACT, other bank group"),
    "trrd_l": (1, 1023, "ACT to ACT, same bank group"),
    "tfaw": (0, 1023, "ACT to the fourth ACT after it; 0: none"),
    "twr": (0, 1023, "end of the write data to PRE"),
    "twtr_s": (0, 1023, "end of the write data to RD, other bank group"),
    "twtr_l": (0, 1023, "end of the write data to RD, same bank group"),
    "trtp": (1, 1023, "RD to PRE"),
    "turnaround": (0, 1023, "idle clocks of the data pins from read to write data"),
    "trfc": (0, 65535, "REF to any command"),
    "trefi": (0, 2**24, "average time between REFs; 0: no refresh"),
    "refresh_postpone": (0, 64, "REFs that may be late, and that may be ahead"),
    "refresh_burst": (0, 64, "REFs in any 2 tREFI, at most; 0: no limit"),
}
POWERS_OF_TWO = ("bank_groups", "banks", "rows", "columns", "bus_bits", "burst", "burst_clocks")
# field, condition, why
RULES = (
    ("banks", lambda s: s["bank_groups"] * s["banks"] <= 64, "more than 64 banks in all"),
    ("burst", lambda s: s["burst"] <= s["columns"], "longer than a row"),
    ("burst_clocks", lambda s: 1 <= s["burst"] * s["bus_bits"] / 8 / s["burst_clocks"] <= 64, "a clock must move 1..64 bytes"),
    ("tccd_l", lambda s: s["tccd_s"] <= s["tccd_l"], "shorter than the one between bank groups"),
    ("trrd_l", lambda s: s["trrd_s"] <= s["trrd_l"], "shorter than the one between bank groups"),
    ("twtr_l", lambda s: s["twtr_s"] <= s["twtr_l"], "shorter than the one between bank groups"),
    ("trfc", lambda s: s["trfc"] < s["trefi"] if s["trfc"] else not s["trefi"], "shorter than trefi, or both 0"),
)


def broken(holds, fields):
    """Whether a rule does not hold; one over fields that are wrong themselves says nothing."""
    try:
        return not holds(fields)
    except (KeyError, ZeroDivisionError):
        return False


def read(name):
    """Name and checked fields of a set, in the order of FIELDS, and its text."""
    path = name if name.endswith(".toml") else os.path.join(SET_DIR, name + ".toml")
    short = os.path.splitext(os.path.basename(path))[0]
    if not os.path.exists(path):
        known = ", ".join(sorted(f[:-5] for f in os.listdir(SET_DIR) if f.endswith(".toml")))
        raise ConfigError(f"dram: no timing set '{name}' (there are: {known})")
    given = load_toml(path)
    out, wrong = {"standard": given.pop("standard", None)}, []
    if not isinstance(out["standard"], str) or not 0 < len(out["standard"]) < 16:
        wrong.append("field 'standard' must be a word of up to 15 letters")
    for key, (least, most, meaning) in FIELDS.items():
        value = given.pop(key, None)
        problem = f"field '{key}' is missing ({meaning})" if value is None else wrong_number(key, value, least, most, key in POWERS_OF_TWO)
        if problem:
            wrong.append(problem)
        else:
            out[key] = value
    wrong += [f"unknown field '{key}'" for key in given]
    wrong += [f"field '{key}' is impossible: {why}" for key, holds, why in RULES if broken(holds, out)]
    refuse(path, wrong)
    with open(path, encoding="utf-8") as f:
        return short, out, f.read()


def derived(s):
    """What a controller waits between two commands, from the pin times: name: value, meaning."""
    written = s["tcwl"] + s["burst_clocks"]
    return {
        "rd_to_wr": (max(1, s["tcl"] + s["burst_clocks"] + s["turnaround"] - s["tcwl"]), "RD to WR, any bank"),
        "wr_to_rd_s": (written + s["twtr_s"], "WR to RD, other bank group"),
        "wr_to_rd_l": (written + s["twtr_l"], "WR to RD, same bank group"),
        "wr_to_pre": (written + s["twr"], "WR to PRE, same bank"),
        "burst_bytes": (s["burst"] * s["bus_bits"] // 8, "bytes one RD or WR moves"),
        "beat_bytes": (s["burst"] * s["bus_bits"] // 8 // s["burst_clocks"], "bytes that cross the data pins in a clock"),
        "row_bytes": (s["columns"] * s["bus_bits"] // 8, "bytes of a row"),
        "col_gap": (max(s["tccd_s"], s["burst_clocks"]), "RD to RD and WR to WR, any bank: bursts share no clock of the pins"),
    }


def numbers(s):
    """(name, value, meaning) of all that a controller is built from."""
    return [(k, s[k], FIELDS[k][2]) for k in FIELDS] + [(k, v, m) for k, (v, m) in derived(s).items()]


# The two kinds of chips that a machine may have (docs/configuration.md): of its channels, and of host memory.
KINDS = ("DRAM_", "HOST_DRAM_")


def package(names, sets):
    """For the RTL: a parameter for each number of a kind, and all of a kind in one, for a controller that is told its kind."""
    names_of = [k for k, _, _ in numbers(sets[0])]
    lines = [f"// Generated from rtl/config/dram/{{{','.join(names)}}}.toml by scripts/gen/dram.py. Do not edit. Times are DRAM clocks.", "package vl_dram_pkg;"]
    for prefix, name, s in zip(KINDS, names, sets):
        lines += [f"  // {name}", *(f"  localparam int unsigned {prefix}{k.upper()} = {v};  // {m}" for k, v, m in numbers(s))]
    lines += [f"  localparam int unsigned DRAM_SETS = {len(set(names))};  // different ones", "  typedef struct packed {", *(f"    logic [31:0] {k};" for k in names_of), "  } dram_numbers_t;",
              "  function automatic dram_numbers_t dram_numbers(input int unsigned kind);"]
    for prefix, n in zip(KINDS, ("first", "host")):
        lines += [f"    dram_numbers_t {n} = '{{" + ", ".join(f"{k}: {prefix}{k.upper()}" for k in names_of) + "};"]
    return "\n".join(lines + ["    return (kind == 0) ? first : host;", "  endfunction", "endpackage", ""])


def constants(names, sets):
    """The same for the twin."""
    names_of = [k for k, _, _ in numbers(sets[0])]
    lines = [f"/* Generated from rtl/config/dram/{{{','.join(names)}}}.toml by scripts/gen/dram.py. Do not edit. Times are DRAM clocks. */", "#ifndef VL_DRAM_H", "#define VL_DRAM_H", "enum vl_dram {"]
    for prefix, name, s in zip(KINDS, names, sets):
        lines += [f"    /* {name} */", *(f"    {prefix}{k.upper()} = {v}, /* {m} */" for k, v, m in numbers(s))]
    lines += [f"    DRAM_SETS = {len(set(names))}, /* different ones */", "};", "typedef struct {", f"    unsigned {', '.join(names_of)};", "} dram_numbers_t;", "static const dram_numbers_t dram_numbers[] = {"]
    lines += ["    {" + ", ".join(prefix + k.upper() for k in names_of) + "}," for prefix in KINDS]
    return "\n".join([*lines, "};", "#endif", ""])


def header(names, texts):
    lines = [f"/* rtl/config/dram/{{{','.join(names)}}}.toml as they are (scripts/gen/dram.py), for dram_set_parse. Do not edit. */", "#ifndef VL_DRAM_SET_H", "#define VL_DRAM_SET_H"]
    for prefix, name, text in zip(KINDS, names, texts):
        quoted = [json.dumps(line + "\n", ensure_ascii=True) for line in text.splitlines()]
        lines += [f'#define VL_{prefix}SET_NAME "{name}"', f"#define VL_{prefix}SET_TEXT \\", *(f"    {q} \\" for q in quoted[:-1]), f"    {quoted[-1]}"]
    return "\n".join([*lines, "#endif", ""])


def main():
    ap = argparse.ArgumentParser(description="DRAM timing sets")
    ap.add_argument("set")
    ap.add_argument("host", nargs="?")
    ap.add_argument("--json", action="store_true")
    ap.add_argument("--out")
    args = ap.parse_args()
    try:
        names, sets, texts = zip(read(args.set), read(args.host or args.set))
    except ConfigError as e:
        print(e, file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps({"name": names[0], **sets[0], **{k: v for k, (v, _) in derived(sets[0]).items()}}, indent=2))
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        write_if_changed(os.path.join(args.out, "vl_dram_pkg.sv"), package(names, sets))
        write_if_changed(os.path.join(args.out, "vl_dram.h"), constants(names, sets))
        write_if_changed(os.path.join(args.out, "vl_dram_set.h"), header(names, texts))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as e:
        sys.exit(f"dram: cannot write {e.filename}: {e.strerror}")
