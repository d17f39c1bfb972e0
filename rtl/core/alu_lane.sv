// One lane of the ALU, combinational: adder, bitwise functions, shifter, comparison, bit counts. The result is shift_o | main_o, one of them 0:
// the block above registers both and puts them together behind the register. The cases are written so that a simulator computes only the unit it needs.
module alu_lane
  import core_pkg::*;
(
    input  alu_ctl_t    ctl_i,
    input  logic [63:0] rs1_i,
    input  logic [63:0] rs2_i,
    input  logic [63:0] common_i,  // second operand when it is not rs2: imm, pc + imm
    output logic [63:0] sum_o,
    output logic        equal_o,   // rs1 = b
    output logic        less_o,    // rs1 < b, when ctl_i.b_inv
    output logic [63:0] main_o,    // everything but shifts (then not used)
    output logic [63:0] shift_o    // shifts and extensions (else not used)
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

  // Rotate right. A left shift by n is a rotation by 64 - n: by one, then by the complement of n. Of bit i and the amount `by`: a right shift
  // keeps the bits with i + by <= 63, a left shift those with i + by >= 63. In the word forms both halves hold the word, so that 32 may be
  // added to the amount, which moves the border into the low half. Extensions rotate by 0 and keep the low 8 or 16 bits.
  function automatic logic [63:0] shifted(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] amount);
    logic [63:0] r, fits, keep;
    logic [5:0] by, border;
    logic extend, sign;
    extend = c.ext_b || c.ext_h;
    by = (amount ^ {6{c.left}}) & {6{!extend}};
    by[5] |= c.word;
    border = by | {6{c.bit0}} | {extend, extend, c.ext_b, 3'd0};
    r = {c.word ? x[31:0] : x[63:32], x[31:0]};
    if (c.left) r = {r[0], r[63:1]};
    for (int unsigned k = 0; k < 6; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    fits = 64'hffff_ffff_ffff_ffff >> border;               // i + border <= 63
    keep = (c.left ? ~(fits >> 1) : fits) | {64{c.rotate}};
    sign = c.arith && (c.ext_b ? x[7] : c.ext_h ? x[15] : c.word ? x[31] : x[63]);
    return (r & keep) | ({64{sign}} & ~keep);
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

  always_comb begin
    unique case (ctl_i.sel)
      ALU_BITS:  main_o = bitwise(ctl_i, rs1_i, b, less_o);
      ALU_LESS:  main_o = {63'd0, less_o};
      ALU_COUNT: main_o = {57'd0, counted(ctl_i, rs1_i)};
      ALU_ORC:   main_o = bytes_or(rs1_i);
      ALU_REV:   main_o = bytes_swapped(rs1_i);
      default:   main_o = sum_o;
    endcase
    shift_o = (ctl_i.sel == ALU_SHIFT) ? shifted(ctl_i, a, b[5:0]) : '0;
  end
endmodule
