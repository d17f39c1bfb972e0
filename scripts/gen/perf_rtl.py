"""Of perf.py: the module of a unit's counters. It decodes events into increments; counter_bank does the rest."""
import re

PACKAGES = "vl_cfg_pkg vellum_pkg policy_pkg mem_pkg mmu_pkg nmoesi_pkg home_pkg memside_pkg coherence_pkg regs_pkg perf_pkg".split()


def translate(text, unit, width=0):
    """An expression in SystemVerilog: inputs have their ending. `width`: names are widened to it, so that a difference has as many bits as both sides."""
    def name(m):
        word = re.match(r"\w+", m[0])[0]
        whole = word + "_i" + m[0][len(word):] if word in unit["inputs"] else m[0]
        return f"{width}'({whole})" if width else whole
    text = re.sub(r"\bbit\(([\w.]+), (\d+)\)", r"\1[\2]", text)
    return re.sub(r"\b[A-Za-z_][\w.]*(?:\[\d+\])*", name, text)


def increment(row, unit, width):
    of = f"{width}'d1" if row["of"] == "1" else translate(row["of"], unit, width)
    return f"({translate(row['when'], unit)}) ? {of} : '0" if "when" in row else of


def common(rows):
    """The parts of a condition that all members of a family have."""
    each = [r["when"].split(" && ") for r in rows]
    return [part for part in each[0] if all(part in e for e in each)]


def states(unit):
    """Spans and the leaf."""
    sv = []
    for n, (first, last) in unit.get("span", {}).items():
        sv += [f"  logic {n}_q, {n};", f"  assign {n} = {first}_i || {n}_q;", f"  always_ff @(posedge clk_i) {n}_q <= !rst_i && {n} && !{last}_i;"]
    if "leaf" in unit:
        leaf = unit["leaf"]
        name, struct = next((n, t) for n, t in leaf.items() if n not in ("module", "takes", "detail"))
        sv += [f"  {struct} {name};", f"  if ({leaf['detail'].upper()} != 0) begin : gen_{name}",
               f"    {leaf['module']} u_{leaf['module']} (.clk_i, .rst_i, .{leaf['takes']}_i, .{name}_o({name}));", "  end else begin : gen_none", f"    assign {name} = '0;", "  end"]
    return sv


def checks(unit):
    sv = []
    for sure in dict.fromkeys(r["sure"] for r in unit["rows"] if "sure" in r):
        at = [i for i, r in enumerate(unit["rows"]) if r.get("sure") == sure]
        fails = " && ".join(translate(p, unit) for p in common([unit["rows"][i] for i in at]))
        sv.append(f"  `VL_ASSERT({sure}, !({fails}) || inc[{at[-1]}:{at[0]}] != '0)")
    return sv


def module(unit):
    rows, plain, name = unit["rows"], unit["plain"], unit["module"]
    types = [*unit["inputs"].items()]
    detail = next((r["detail"].upper() for r in rows if "detail" in r), None)
    width = max(r["width"] for r in rows)
    have = f"({detail} != 0) ? {len(rows)} : {len(plain)}" if detail else f"{len(rows)}"
    have_w = f"({detail} != 0) ? {width} : {max(r['width'] for r in plain)}" if detail else f"{width}"
    widths = ", ".join(f"4'd{r['width']}" for r in reversed(rows))
    return "\n".join([
        f"// Generated from rtl/common/counters.toml by scripts/gen/perf.py. Do not edit. Performance counters of a {unit['name']}. Page: docs/blocks/perf.md.",
        "`include \"vl_assert.svh\"", f"module {name}", "  import " + ", ".join(f"{p}::*" for p in PACKAGES) + ";", "(",
        "    input  logic clk_i,", "    input  logic rst_i,", *(f"    input  {t} {n}_i," for n, t in types),
        "    input  logic [7:0] number_i,", "    input  logic clear_i,", "    input  logic [10:0] rd_unit_i,", "    input  logic [7:0] rd_idx_i,", "    output logic [COUNTER_W-1:0] rd_data_o", ");",
        *states(unit),
        "  // Counters that stay 0 are the last of the list, and have no hardware.",
        f"  localparam int unsigned HAVE = {have};", f"  localparam int unsigned HAVE_W = {have_w};",
        f"  localparam logic [{len(rows) - 1}:0][3:0] WIDTHS = {{{widths}}};",
        f"  logic [{len(rows) - 1}:0][{width - 1}:0] inc;", "  logic [HAVE-1:0][HAVE_W-1:0] some;",
        *(f"  assign inc[{i}] = {increment(r, unit, width)};" for i, r in enumerate(rows)),
        "  for (genvar k = 0; k < int'(HAVE); k++) begin : gen_some", "    assign some[k] = inc[k][HAVE_W-1:0];", "  end", *checks(unit),
        "  counter_bank #(.COUNTERS(HAVE), .INC_W(HAVE_W), .INCREMENT_W(WIDTHS[HAVE-1:0]), .VALUE_W(COUNTER_W)) u_bank (",
        f"      .clk_i, .rst_i, .inc_i(some), .clear_i, .rd_valid_i(rd_unit_i == {{PERF_SEL_KIND_{unit['name'].upper()}, number_i}}), .rd_idx_i, .rd_data_o", "  );", "endmodule", ""])
