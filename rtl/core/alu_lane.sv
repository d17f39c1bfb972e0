// One lane of the ALU, combinational: adder, logic, shifter, comparison, bit counts. A `unique case` at the end picks the unit, so that a
// simulator computes only that one.
module alu_lane
  import core_pkg::*;
(
    input  alu_ctl_t    ctl_i,
    input  logic [63:0] rs1_i,
    input  logic [63:0] rs2_i,
    input  logic [63:0] common_i,  // second operand when it is not rs2: imm, pc + imm, pc + 4
    output logic [63:0] sum_o,
    output logic        equal_o,   // rs1 = b
    output logic        less_o,    // rs1 < b, when ctl_i.b_inv
    output logic [63:0] result_o
);
  logic [63:0] a, b, addend;
  logic carry;
  assign a = {rs1_i[63:32] & {32{!ctl_i.a_uw}}, rs1_i[31:0]};
  assign b = ctl_i.b_rs2 ? rs2_i : common_i;
  assign addend = b ^ {64{ctl_i.b_inv}};
  assign {carry, sum_o} = {1'b0, a << ctl_i.a_shift} + {1'b0, addend} + 65'(ctl_i.b_inv);
  assign equal_o = rs1_i == b;
  assign less_o = !carry ^ (!ctl_i.uns && (rs1_i[63] != b[63]));

  function automatic logic [63:0] reversed(input logic [63:0] x);
    for (int unsigned k = 0; k < 64; k++) reversed[k] = x[63-k];
  endfunction

  // Bits below amount are 1.
  function automatic logic [63:0] ones_below(input logic [5:0] amount);
    return ~(64'hffff_ffff_ffff_ffff << amount);
  endfunction

  // Rotate right, then put the fill where a shift has left its range. In the word forms both halves hold the word.
  function automatic logic [63:0] shifted(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] amount);
    logic [63:0] r, lost;
    logic [5:0] n, right;
    n = {amount[5] && !c.word, amount[4:0]};
    right = c.left ? -n : n;
    r = {c.word ? x[31:0] : x[63:32], x[31:0]};
    for (int unsigned k = 0; k < 6; k++) if (right[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    lost = ones_below(n);
    if (!c.left) lost = c.word ? reversed(lost) >> 32 : reversed(lost);
    if (c.rotate) lost = '0;
    if (c.bit0) return {63'd0, r[0]};
    return (r & ~lost) | (lost & {64{c.arith && (c.word ? x[31] : x[63])}});
  endfunction

  // Leading zeros of x: halve the range six times.
  function automatic logic [6:0] leading_zeros(input logic [63:0] x);
    logic [15:0] none4;      // four bits without a one, most significant first
    logic [3:0] none16;
    logic [1:0] hi, mid, lo;
    logic [15:0] s16;
    logic [3:0] z4, s4;
    for (int unsigned k = 0; k < 16; k++) none4[15-k] = x[63-4*k-:4] == '0;
    for (int unsigned k = 0; k < 4; k++) none16[3-k] = &none4[15-4*k-:4];
    hi = !none16[3] ? 2'd0 : !none16[2] ? 2'd1 : !none16[1] ? 2'd2 : 2'd3;
    s16 = x[63-16*32'(hi)-:16];
    z4 = none4[15-4*32'(hi)-:4];
    mid = !z4[3] ? 2'd0 : !z4[2] ? 2'd1 : !z4[1] ? 2'd2 : 2'd3;
    s4 = s16[15-4*32'(mid)-:4];
    lo = s4[3] ? 2'd0 : s4[2] ? 2'd1 : s4[1] ? 2'd2 : 2'd3;
    return (none16 == '1) ? 7'd64 : {1'b0, hi, mid, lo};
  endfunction

  function automatic logic [6:0] counted(input alu_ctl_t c, input logic [63:0] x);
    logic [63:0] y;
    if (c.count == COUNT_CPOP) return 7'($countones(x[31:0])) + 7'($countones(x[63:32] & {32{!c.word}}));
    y = (c.count == COUNT_CTZ) ? reversed(x) : x;
    if (c.word) y = {(c.count == COUNT_CTZ) ? y[63:32] : y[31:0], 32'hffff_ffff};
    return leading_zeros(y);
  endfunction

  function automatic logic [63:0] bytes_of(input alu_bytes_e what, input logic [63:0] x);
    logic [63:0] orc, rev;
    for (int unsigned k = 0; k < 8; k++) begin
      orc[8*k+:8] = {8{x[8*k+:8] != '0}};
      rev[8*k+:8] = x[56-8*k+:8];
    end
    unique case (what)
      BYTES_SEXTB: return {{56{x[7]}}, x[7:0]};
      BYTES_SEXTH: return {{48{x[15]}}, x[15:0]};
      BYTES_ZEXTH: return {48'd0, x[15:0]};
      BYTES_ORC:   return orc;
      default:     return rev;
    endcase
  endfunction

  function automatic logic [63:0] logic_of(input alu_ctl_t c, input logic [63:0] x, input logic [63:0] y);
    logic [63:0] z;
    z = (c.b_bit ? 64'd1 << y[5:0] : y) ^ {64{c.b_inv}};
    unique case (c.logic_op)
      LOGIC_OR:  return x | z;
      LOGIC_XOR: return x ^ z;
      default:   return x & z;
    endcase
  endfunction

  function automatic logic [63:0] picked(input alu_pick_e p, input logic [63:0] x, input logic [63:0] y, input logic less);
    unique case (p)
      PICK_B:   return y;
      PICK_MIN: return less ? x : y;
      PICK_MAX: return less ? y : x;
      PICK_EQZ: return (y == '0) ? '0 : x;
      PICK_NEZ: return (y != '0) ? '0 : x;
      default:  return x;
    endcase
  endfunction

  logic [63:0] wide;
  always_comb begin
    unique case (ctl_i.sel)
      ALU_LOGIC: wide = logic_of(ctl_i, rs1_i, b);
      ALU_SHIFT: wide = shifted(ctl_i, a, b[5:0]);
      ALU_LESS:  wide = {63'd0, less_o};
      ALU_PICK:  wide = picked(ctl_i.pick, rs1_i, b, less_o);
      ALU_COUNT: wide = {57'd0, counted(ctl_i, rs1_i)};
      ALU_BYTES: wide = bytes_of(ctl_i.bytes, rs1_i);
      default:   wide = sum_o;
    endcase
    result_o = {ctl_i.word ? {32{wide[31]}} : wide[63:32], wide[31:0]};
  end
endmodule
