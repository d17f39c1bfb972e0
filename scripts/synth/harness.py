"""Verilog around what is placed and routed out of its context, so that its ports have registers."""


def folded(width):
    """Registers behind `out`, and behind those a tree of exclusive or, in stages, down to eight: the text, and the number of the last stage."""
    stages = [f"  reg [{width - 1}:0] out0_q;\n  always @(posedge clk_i) out0_q <= out;"]
    while width > 8:
        k, width = len(stages), max((width + 3) // 4, 8)
        stages.append(f"  reg [{width - 1}:0] out{k}_q;\n  wire [{width - 1}:0] out{k}_d;\n  wire [{4 * width - 1}:0] in{k} = out{k - 1}_q;\n"
                      f"  generate for (i = 0; i < {width}; i = i + 1) begin : stage{k}\n"
                      f"    LUT4 #(.INIT(16'h6996)) lut (.A(in{k}[4*i]), .B(in{k}[4*i+1]), .C(in{k}[4*i+2]), .D(in{k}[4*i+3]), .Z(out{k}_d[i]));\n"
                      f"  end endgenerate\n  always @(posedge clk_i) out{k}_q <= out{k}_d;")
    return "\n".join(stages), len(stages) - 1


def slices(ports, of):
    """A connection of each port to its bits of `of`, and how many there are."""
    conns, at = [], 0
    for n, w in ports:
        conns.append((n, f"{of}[{at + w - 1}:{at}]"))
        at += w
    return conns, at


def harness(top, ports):
    """A module with few pins around `top`, so that paths from and to its ports count as they would between registers: a shift register feeds
    its inputs, its outputs go into registers and through a tree down to eight pins. The shift register moves by eight bits: Yosys follows a
    chain by recursion, and its stack ends after some 2500 cells. Outputs for traces stay open: what only feeds them vanishes."""
    ins, wi = slices([(n, w) for n, w, d in ports if d == "input" and n != "clk_i"], "in_q")
    outs, wo = slices([(n, w) for n, w, d in ports if d == "output" and not n.startswith("trace_")], "out")
    tree, last = folded(max(wo, 8))
    box = f"(* blackbox *) module {top}(" + ", ".join(
        f"{'input' if d == 'input' else 'output'} [{w - 1}:0] {n}" for n, w, d in ports) + "); endmodule\n"
    return f"""{box}module harness(input clk_i, input [7:0] scan_i, output [7:0] scan_o, output [7:0] scan_in_o);
  genvar i;
  reg [{wi - 1}:0] in_q;
  wire [{max(wo, 8) - 1}:0] out;
  always @(posedge clk_i) in_q <= {{in_q, scan_i}};
{tree}
  assign scan_o = out{last}_q;
  assign scan_in_o = in_q[{wi - 1}:{max(wi - 8, 0)}];
  {top} dut (
    .clk_i(clk_i),
""" + ",\n".join(f"    .{n}({bits})" for n, bits in ins + outs) + "\n  );\nendmodule\n"


def stub(block, ports, touched):
    """A module like `block` for what is around it: what comes in is folded as in the harness, and what goes out is a shift register of that.
    Of ports that are not `touched` nothing comes in, and zeros go out."""
    ins, wi = slices([(n, w) for n, w, d in ports if d == "input" and n in touched], "out")
    outs, wo = slices([(n, w) for n, w, d in ports if d == "output" and n in touched], "in_q")
    width, depth = max(wi, 8), max(wo, 8)
    tree, last = folded(width)
    joins = [(bits, n) for n, bits in ins] + [(n, bits) for n, bits in outs] + [(n, 0) for n, _, d in ports if d == "output" and n not in touched]
    joins += [(f"out[{width - 1}:{wi}]", 0)] if wi < width else []
    return f"module {block}(" + ", ".join(f"{'input' if d == 'input' else 'output'} [{w - 1}:0] {n}" for n, w, d in ports) + f""");
  genvar i;
  reg [{depth - 1}:0] in_q;
  wire [{width - 1}:0] out;
  always @(posedge clk_i) in_q <= {{in_q, out{last}_q}};
{tree}
""" + "".join(f"  assign {a} = {b};\n" for a, b in joins) + "endmodule\n"
