// Bit counts of one lane, combinational, behind the registers of alu_lane: the ones of x, or its leading zeros (the lane has put CTZ in reverse
// order, and a word into the upper half; of the ones of a word the lower half counts).
module alu_count (
    input  logic        ones_i,
    input  logic        word_i,
    input  logic [63:0] x_i,
    output logic [6:0]  count_o
);
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

  assign count_o = ones_i ? 7'($countones(x_i[31:0])) + 7'($countones(x_i[63:32] & {32{!word_i}}))
      : leading_zeros({x_i[63:32], x_i[31:0] | {32{word_i}}});
endmodule
