// One lane of the ALU in the cycle of its operands, combinational: adder, bitwise functions, rotation, comparison, first steps of the counts.
// alu registers all of it, alu_finish puts it together behind the registers.
`include "vl_skip.svh"
module alu_lane
  import core_pkg::*;
(
    input  logic        use_i,     // a simulator may leave the lane out without it (vl_skip.svh)
    input  alu_ctl_t    ctl_i,
    input  logic [63:0] rs1_i,
    input  logic [63:0] rs2_i,
    input  logic [63:0] imm_i,     // rs2 or imm is 0
    input  logic [5:0]  by_imm_i,  // imm, of shifts and single bits
    input  logic [63:0] link_i,    // of a jump; else 0
    output logic        equal_o,   // rs1 = rs2
    output logic        less_o,    // rs1 < b, when ctl_i.b_inv
    output alu_lane_t   lane_o
);
  logic [63:0] z, pre, sum;
  logic carry;
  logic [64:0] up1;                // up by one bit, then by two
  always_comb begin
    {z, up1, carry, sum, equal_o} = '0;
    `VL_WHEN(use_i) begin
      z = (rs2_i | imm_i) ^ {64{ctl_i.b_inv}};
      up1 = ctl_i.a_shift[0] ? {rs1_i[63:32] & {32{!ctl_i.a_uw}}, rs1_i[31:0], 1'b0} : {1'b0, rs1_i[63:32] & {32{!ctl_i.a_uw}}, rs1_i[31:0]};
      {carry, sum} = {1'b0, ctl_i.a_shift[1] ? {up1[61:0], 2'b00} : up1[63:0]} + {1'b0, z} + 65'(ctl_i.b_inv);
      equal_o = rs1_i == rs2_i;
    end
  end

  // Not a case statement: it would be decoded into one wire for each function, where two are enough.
  function automatic logic [63:0] bitwise(input alu_bits_e f, input logic [63:0] x, input logic [63:0] y);
    return f[1] ? (f[0] ? ~y : x ^ y) : (f[0] ? x & y : '0);
  endfunction

  function automatic logic [63:0] bytes_swapped(input logic [63:0] x);
    for (int unsigned k = 0; k < 8; k++) bytes_swapped[8*k+:8] = x[56-8*k+:8];
  endfunction

  // Rotate right. In the word forms both halves hold the word, so bit 5 of the amount does not matter. The rotation by 32, and the choice of the bits that
  // stay, are behind the registers.
  function automatic logic [63:0] rotated(input logic [63:0] x, input logic [4:0] by);
    logic [63:0] r;
    r = x;
    for (int unsigned k = 0; k < 5; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    return r;
  endfunction

  // A rotation left by n is one right by -n: each bit of n is inverted if a lower one is set, so higher bits are known later. The edge is ready early: of rs2
  // and imm one is 0, and imm is early, so both values of each bit (for rs2's bit 0 and 1) are computed first, and one gate chooses.
  logic [5:0] n, by, edge0, edge1, of_left, of_word;
  assign of_left = {6{ctl_i.left}};
  assign of_word = {ctl_i.word, 5'd0};
  assign n = rs2_i[5:0] | by_imm_i;
  always_comb begin
    by = '0;
    `VL_WHEN(use_i) for (int unsigned k = 0; k < 6; k++)
      by[k] = !ctl_i.still && (n[k] ^ (ctl_i.left && (n & 6'((1 << k) - 1)) != '0));
  end
  assign edge0 = ((by_imm_i ^ ~of_left) & ~of_word & ctl_i.edge_and) | ctl_i.edge_or;
  assign edge1 = (of_left & ~of_word & ctl_i.edge_and) | ctl_i.edge_or;

  // Bytes that are not 0; for a count of zeros only the one where it ends.
  logic [7:0] some, above, below;
  always_comb begin
    {some, above, below} = '0;
    `VL_WHEN(use_i) begin
      for (int unsigned k = 0; k < 8; k++) some[k] = rs1_i[8*k+:8] != '0;
      for (int unsigned k = 0; k < 8; k++) begin
        below[k] = (some & 8'((1 << k) - 1)) != '0;
        above[k] = ((some & (ctl_i.word ? 8'h0f : 8'hff)) >> (k + 1)) != '0;
      end
    end
  end

  // The carry is late: the results with carry (1) and without (0) are computed first, and one gate chooses.
  logic signs;
  logic [1:0] kept;
  assign signs = !ctl_i.uns && (rs1_i[63] == z[63]);     // z is the complement of b
  assign less_o = !carry ^ signs;
  always_comb
    case (ctl_i.pick)
      PICK_ALL:  kept = 2'b11;
      PICK_MIN:  kept = {signs, !signs};
      PICK_MAX:  kept = {!signs, signs};
      PICK_EQZ:  kept = {2{rs2_i != '0}};
      PICK_NEZ:  kept = {2{rs2_i == '0}};
      default:   kept = 2'b00;
    endcase

  always_comb begin
    lane_o = '0;
    pre = '0;
    `VL_WHEN(use_i) begin
      lane_o.main = ctl_i.add ? sum : bitwise(ctl_i.bits, rs1_i, z) | (bytes_swapped(rs1_i) & {64{ctl_i.swap}}) | link_i;
      lane_o.keep_main = !(ctl_i.pick inside {PICK_MIN, PICK_MAX}) || !kept[carry];
      pre = {ctl_i.word ? rs1_i[31:0] : rs1_i[63:32] & {32{!ctl_i.a_uw}}, rs1_i[31:0]};
      lane_o.shift = rotated(pre, by[4:0]);
      lane_o.half = by[5];
      lane_o.keep_shift = kept[carry];
      lane_o.border = (rs2_i[5:0] & edge1) | (~rs2_i[5:0] & edge0);
      lane_o.fill = ctl_i.fill || (ctl_i.arith && (ctl_i.ext_b ? rs1_i[7] : ctl_i.ext_h ? rs1_i[15] : ctl_i.word ? rs1_i[31] : rs1_i[63]));
      lane_o.bytes = some & ({8{ctl_i.orc}} | ((ctl_i.low ? ~below : ~above) & (ctl_i.word ? 8'h0f : 8'hff)));
      for (int unsigned k = 0; k < 4; k++) lane_o.ones[k] = 5'($countones(rs1_i[16*k+:16] & {16{k < 2 || !ctl_i.word}}));
      lane_o.less = ctl_i.less && less_o;
    end
  end
endmodule
