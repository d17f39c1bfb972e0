// One lane of the ALU, combinational: adder, bitwise functions, shifter, comparison. The result is shift_o | main_o | less_o of
// what is kept: the block above registers them, 0 for what is not kept, and puts them together behind the registers.
module alu_lane
  import core_pkg::*;
(
    input  alu_ctl_t    ctl_i,
    input  logic [63:0] rs1_i,
    input  logic [63:0] rs2_i,
    input  logic [63:0] imm_i,     // rs2 or imm is 0
    input  logic [5:0]  by_imm_i,  // imm, of shifts and single bits
    input  logic        fixed_i,   // the result is another one: main is not kept
    output logic [63:0] sum_o,
    output logic        equal_o,   // rs1 = rs2
    output logic        less_o,    // rs1 < b, when ctl_i.b_inv
    output logic        keep_main_o,
    output logic        keep_shift_o,
    output logic [63:0] main_o,    // sums, bitwise functions; PICK: b
    output logic [63:0] shift_o    // shifts and extensions; PICK: rs1; COUNT: what alu_count takes
);
  logic [63:0] a, b, z;
  logic [5:0] amount;
  logic carry;
  assign amount = rs2_i[5:0] | by_imm_i;
  assign a = {rs1_i[63:32] & {32{!ctl_i.a_uw}}, rs1_i[31:0]};
  assign b = rs2_i | imm_i;
  assign z = (b & {64{!ctl_i.b_zero}}) ^ {64{ctl_i.b_inv}};
  assign {carry, sum_o} = {1'b0, a << ctl_i.a_shift} + {1'b0, z} + 65'(ctl_i.b_inv);
  assign equal_o = rs1_i == rs2_i;
  assign less_o = !carry ^ (!ctl_i.uns && (rs1_i[63] != b[63]));

  function automatic logic [63:0] bitwise(input alu_bits_e f, input logic [63:0] x, input logic [63:0] y);
    unique case (f)
      BITS_AND: return x & y;
      BITS_OR:  return x | y;
      BITS_XOR: return x ^ y;
      default:  return ~y;
    endcase
  endfunction

  function automatic logic [63:0] reversed(input logic [63:0] x);
    for (int unsigned k = 0; k < 64; k++) reversed[k] = x[63-k];
  endfunction

  // Rotate right; a left shift by n is a rotation by 64 - n. A bit i with i + by <= 63 comes from a higher place: right shifts keep those,
  // left shifts the others (all, when the amount is 0). In the word forms both halves hold the word, so that 32 may be added to the amount,
  // which moves the border into the low half. Extensions rotate by 0 and keep the low 8 or 16 bits.
  function automatic logic [63:0] shifted(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] amount);
    logic [63:0] r, fits;
    logic [5:0] by, border;
    logic others, fill;
    by = c.left ? -amount : amount;
    by[5] |= c.word;
    if (c.still) by = '0;
    border = (by & {6{!c.rotate}}) | {6{c.bit0}} | {c.ext_b || c.ext_h, c.ext_b || c.ext_h, c.ext_b, 3'd0};
    others = c.left && !c.rotate && (amount[4:0] != '0 || (amount[5] && !c.word));
    fill = c.arith && (c.ext_b ? x[7] : c.ext_h ? x[15] : c.word ? x[31] : x[63]);
    r = c.reverse ? reversed(x) : {c.word ? x[31:0] : x[63:32], x[31:0]};
    for (int unsigned k = 0; k < 6; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    for (int unsigned k = 0; k < 64; k++)                   // 63 - border >= k, three bits and three
      fits[k] = ~border[5:3] > 3'(k / 8) || (~border[5:3] == 3'(k / 8) && ~border[2:0] >= 3'(k % 8));
    return others ? ((r & ~fits) | ({64{fill}} & fits)) : ((r & fits) | ({64{fill}} & ~fits));
  endfunction

  function automatic logic [63:0] bytes_or(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_or[8*k+:8] = {8{x[8*k+:8] != '0}};
  endfunction

  function automatic logic [63:0] bytes_swapped(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_swapped[8*k+:8] = x[56-8*k+:8];
  endfunction

  // The cases are written so that a simulator computes only the unit it needs.
  always_comb begin
    main_o = (ctl_i.sel == ALU_ADD) ? sum_o : bitwise(ctl_i.bits, rs1_i, z ^ (64'(ctl_i.b_bit) << amount));
    unique case (ctl_i.sel)
      ALU_ORC:   main_o |= bytes_or(rs1_i);
      ALU_REV:   main_o |= bytes_swapped(rs1_i);
      default: ;
    endcase
    shift_o = (ctl_i.sel inside {ALU_SHIFT, ALU_PICK, ALU_COUNT}) ? shifted(ctl_i, a, amount) : '0;
  end

  // The carry is late: what is kept with it (1) and without it (0) comes first, one gate chooses.
  logic signs;
  logic [1:0] first, of_shift, of_main;
  assign signs = !ctl_i.uns && (rs1_i[63] != b[63]);
  always_comb begin
    unique case (ctl_i.pick)
      PICK_MIN: first = {signs, !signs};
      PICK_MAX: first = {!signs, signs};
      PICK_EQZ: first = {2{rs2_i != '0}};
      default:  first = {2{rs2_i == '0}};
    endcase
    of_shift = {2{ctl_i.sel inside {ALU_SHIFT, ALU_COUNT}}};
    of_main = {2{ctl_i.sel inside {ALU_ADD, ALU_BITS, ALU_ORC, ALU_REV}}} & {2{!fixed_i}};
    if (ctl_i.sel == ALU_PICK) begin
      of_shift = first;
      of_main = (ctl_i.pick inside {PICK_MIN, PICK_MAX}) ? ~first : '0;
    end
  end
  assign keep_shift_o = of_shift[carry];
  assign keep_main_o = of_main[carry];
endmodule
