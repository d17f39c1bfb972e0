// One lane of the ALU, combinational: adder, bitwise functions, shifter, comparison, bit counts. A `unique case` at the end picks the unit, so that a
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

  // One function of x and z in every bit. min, max and the conditional zeros first become x, y or 0.
  function automatic logic [63:0] bitwise(input alu_ctl_t c, input logic [63:0] x, input logic [63:0] y, input logic less);
    logic [63:0] z;
    logic y_zero, to_x, to_z, both;
    z = (c.b_bit ? 64'd1 << y[5:0] : y) ^ {64{c.b_inv && c.bits inside {BITS_AND, BITS_OR, BITS_XOR}}};
    y_zero = y == '0;
    to_x = c.bits inside {BITS_OR, BITS_XOR, BITS_A} || (c.bits == BITS_MIN && less) || (c.bits == BITS_MAX && !less)
        || (c.bits == BITS_EQZ && !y_zero) || (c.bits == BITS_NEZ && y_zero);
    to_z = c.bits inside {BITS_OR, BITS_XOR, BITS_B} || (c.bits == BITS_MIN && !less) || (c.bits == BITS_MAX && less);
    both = c.bits inside {BITS_AND, BITS_XOR};
    return ((x & {64{to_x}}) | (z & {64{to_z}})) ^ (x & z & {64{both}});
  endfunction

  // Rotate right by `by`; a left shift by n is a rotation by 64 - n. Whatever the direction, the bits that have not gone around are those
  // below 64 - by: a right shift keeps them, a left shift the others. In the word forms both halves hold the word, so that 32 may be
  // added to the rotation, which puts the border at 32 - by.
  function automatic logic [63:0] shifted(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] amount);
    logic [63:0] r, stay;
    logic [5:0] n, by, border;
    logic left, still, sign;
    still = c.ext_b || c.ext_h;
    n = {amount[5] && !c.word, amount[4:0]} & {6{!still}};
    left = c.left && n != '0;
    by = left ? -n : n;
    by[5] |= c.word;
    r = {c.word ? x[31:0] : x[63:32], x[31:0]};
    for (int unsigned k = 0; k < 6; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    border = by | {6{c.bit0}} | {c.ext_b | c.ext_h, c.ext_b | c.ext_h, c.ext_b, 3'd0};
    stay = (64'hffff_ffff_ffff_ffff >> border) | {64{c.rotate}};
    stay ^= {64{left && !c.rotate}};
    sign = c.arith && (c.ext_b ? x[7] : c.ext_h ? x[15] : c.word ? x[31] : x[63]);
    return (r & stay) | ({64{sign}} & ~stay);
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
    s16 = hi[1] ? (hi[0] ? x[15:0] : x[31:16]) : hi[0] ? x[47:32] : x[63:48];
    z4 = hi[1] ? (hi[0] ? none4[3:0] : none4[7:4]) : hi[0] ? none4[11:8] : none4[15:12];
    mid = !z4[3] ? 2'd0 : !z4[2] ? 2'd1 : !z4[1] ? 2'd2 : 2'd3;
    s4 = mid[1] ? (mid[0] ? s16[3:0] : s16[7:4]) : mid[0] ? s16[11:8] : s16[15:12];
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

  function automatic logic [63:0] bytes_or(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_or[8*k+:8] = {8{x[8*k+:8] != '0}};
  endfunction

  function automatic logic [63:0] bytes_swapped(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_swapped[8*k+:8] = x[56-8*k+:8];
  endfunction

  logic [63:0] wide;
  always_comb begin
    unique case (ctl_i.sel)
      ALU_BITS:  wide = bitwise(ctl_i, rs1_i, b, less_o);
      ALU_SHIFT: wide = shifted(ctl_i, a, b[5:0]);
      ALU_LESS:  wide = {63'd0, less_o};
      ALU_COUNT: wide = {57'd0, counted(ctl_i, rs1_i)};
      ALU_ORC:   wide = bytes_or(rs1_i);
      ALU_REV:   wide = bytes_swapped(rs1_i);
      default:   wide = sum_o;
    endcase
    result_o = {ctl_i.word ? {32{wide[31]}} : wide[63:32], wide[31:0]};
  end
endmodule
