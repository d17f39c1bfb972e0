// One lane of the ALU, combinational: adder, bitwise functions, rotation, comparison. The result is shift_o (its bits that stay) | main_o | less_o
// of what is kept: the block above registers them, 0 for what is not kept, and puts them together behind the registers.
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
    output logic [63:0] shift_o,   // rotated, for shifts and extensions; PICK: rs1; COUNT: what alu_count takes
    output logic [5:0]  edge_o,    // SHIFT: which bits of it stay (alu_keep)
    output logic        fill_o     // and what the others are
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

  // Rotate right; a rotation left by n is one to the right by 1, before the others, and by 63 - n, the complement of n. In the word forms
  // both halves hold the word, so that 32 may be added to the amount. Which bits of it stay is decided behind the registers (alu_keep).
  function automatic logic [63:0] rotated(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] by);
    logic [63:0] r;
    r = c.reverse ? reversed(x) : {c.word ? x[31:0] : x[63:32], x[31:0]};
    if (c.left) r = {r[0], r[63:1]};
    for (int unsigned k = 0; k < 6; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    return r;
  endfunction

  function automatic logic [63:0] bytes_or(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_or[8*k+:8] = {8{x[8*k+:8] != '0}};
  endfunction

  function automatic logic [63:0] bytes_swapped(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_swapped[8*k+:8] = x[56-8*k+:8];
  endfunction

  // Of rs2 and imm one is 0, and imm is early: what a bit is if rs2's is 0 and if it is 1 comes first, one gate chooses.
  logic [5:0] by, by0, by1, edge0, edge1, of_left, of_word, still;
  assign of_left = {6{ctl_i.left}};
  assign of_word = {ctl_i.word, 5'd0};
  assign still = {6{ctl_i.still}};
  assign by0 = ((by_imm_i ^ of_left) | of_word) & ~still;
  assign by1 = (~of_left | of_word) & ~still;
  assign edge0 = ((by_imm_i ^ ~of_left) & ~of_word & ctl_i.edge_and) | ctl_i.edge_or;
  assign edge1 = (of_left & ~of_word & ctl_i.edge_and) | ctl_i.edge_or;
  assign by = (rs2_i[5:0] & by1) | (~rs2_i[5:0] & by0);
  assign edge_o = (rs2_i[5:0] & edge1) | (~rs2_i[5:0] & edge0);
  assign fill_o = ctl_i.arith && (ctl_i.ext_b ? a[7] : ctl_i.ext_h ? a[15] : ctl_i.word ? a[31] : a[63]);

  // The cases are written so that a simulator computes only the unit it needs.
  always_comb begin
    main_o = (ctl_i.sel == ALU_ADD) ? sum_o : bitwise(ctl_i.bits, rs1_i, z ^ (64'(ctl_i.b_bit) << amount));
    unique case (ctl_i.sel)
      ALU_ORC:   main_o |= bytes_or(rs1_i);
      ALU_REV:   main_o |= bytes_swapped(rs1_i);
      default: ;
    endcase
    shift_o = (ctl_i.sel inside {ALU_SHIFT, ALU_PICK, ALU_COUNT}) ? rotated(ctl_i, a, by) : '0;
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
