// One lane of the ALU, combinational: adder, bitwise functions, shifter, comparison, bit counts. The result is shift_o | main_o | less_o of
// what is kept: the block above registers them, 0 for what is not kept, and puts them together behind the registers.
module alu_lane
  import core_pkg::*;
(
    input  alu_ctl_t    ctl_i,
    input  logic [63:0] rs1_i,
    input  logic [63:0] rs2_i,
    input  logic [63:0] imm_i,     // rs2 or imm is 0
    output logic [63:0] sum_o,
    output logic        equal_o,   // rs1 = rs2
    output logic        less_o,    // rs1 < b, when ctl_i.b_inv
    output logic        keep_main_o,
    output logic        keep_shift_o,
    output logic [63:0] main_o,    // sums, bitwise functions, counts; PICK: b
    output logic [63:0] shift_o    // shifts and extensions; PICK: rs1
);
  logic [63:0] a, b, z;
  logic carry;
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

  // Rotate right; a left shift by n is a rotation by 64 - n. A bit i with i + by <= 63 comes from a higher place: right shifts keep those,
  // left shifts the others (all, when the amount is 0). In the word forms both halves hold the word, so that 32 may be added to the amount,
  // which moves the border into the low half. Extensions rotate by 0 and keep the low 8 or 16 bits.
  function automatic logic [63:0] shifted(input alu_ctl_t c, input logic [63:0] x, input logic [5:0] amount);
    logic [63:0] r, fits;
    logic [5:0] by, border;
    logic others, fill;
    by = c.still ? '0 : c.left ? -amount : amount;
    by[5] |= c.word;
    border = (by & {6{!c.rotate}}) | {6{c.bit0}} | {c.ext_b || c.ext_h, c.ext_b || c.ext_h, c.ext_b, 3'd0};
    others = c.left && !c.rotate && (amount[4:0] != '0 || (amount[5] && !c.word));
    fill = c.arith && (c.ext_b ? x[7] : c.ext_h ? x[15] : c.word ? x[31] : x[63]);
    r = {c.word ? x[31:0] : x[63:32], x[31:0]};
    for (int unsigned k = 0; k < 6; k++) if (by[k]) r = (r >> (1 << k)) | (r << (64 - (1 << k)));
    for (int unsigned k = 0; k < 64; k++)                   // 63 - border >= k, three bits and three
      fits[k] = ~border[5:3] > 3'(k / 8) || (~border[5:3] == 3'(k / 8) && ~border[2:0] >= 3'(k % 8));
    return others ? ((r & ~fits) | ({64{fill}} & fits)) : ((r & fits) | ({64{fill}} & ~fits));
  endfunction

  function automatic logic [63:0] reversed(input logic [63:0] x);
    for (int unsigned k = 0; k < 64; k++) reversed[k] = x[63-k];
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

  // The cases are written so that a simulator computes only the unit it needs.
  always_comb begin
    main_o = (ctl_i.sel == ALU_ADD) ? sum_o : bitwise(ctl_i.bits, rs1_i, z ^ (64'(ctl_i.b_bit) << b[5:0]));
    unique case (ctl_i.sel)
      ALU_COUNT: main_o |= {57'd0, counted(ctl_i, rs1_i)};
      ALU_ORC:   main_o |= bytes_or(rs1_i);
      ALU_REV:   main_o |= bytes_swapped(rs1_i);
      default: ;
    endcase
    shift_o = (ctl_i.sel inside {ALU_SHIFT, ALU_PICK}) ? shifted(ctl_i, a, b[5:0]) : '0;
  end

  // The carry is late: what is kept with and without it comes first.
  logic pick, signs, if_carry, if_not;
  always_comb begin
    pick = ctl_i.sel == ALU_PICK;
    signs = !ctl_i.uns && (rs1_i[63] != b[63]);
    unique case (ctl_i.pick)
      PICK_MIN: {if_carry, if_not} = {signs, !signs};
      PICK_MAX: {if_carry, if_not} = {!signs, signs};
      PICK_EQZ: {if_carry, if_not} = {2{rs2_i != '0}};
      default:  {if_carry, if_not} = {2{rs2_i == '0}};
    endcase
    keep_shift_o = carry ? (pick && if_carry) || ctl_i.sel == ALU_SHIFT : (pick && if_not) || ctl_i.sel == ALU_SHIFT;
    keep_main_o = !(ctl_i.sel inside {ALU_SHIFT, ALU_LESS}) && !(pick && (ctl_i.pick inside {PICK_EQZ, PICK_NEZ} || (carry ? if_carry : if_not)));
  end
endmodule
