// One lane of the ALU behind its registers, combinational: which bits of a rotation stay, counts, sign extension, choice.
`include "vl_skip.svh"
module alu_finish
  import core_pkg::*;
(
    input  logic        use_i,     // a simulator may leave the lane out without it (vl_skip.svh)
    input  alu_finish_t ctl_i,
    input  alu_lane_t   lane_i,
    output logic [63:0] data_o
);
  // Which bits stay: the upper and the lower three bits of a position are compared separately.
  logic [7:0] here, beyond, same, low;
  logic [63:0] rotated, stays, others, shifted;
  always_comb begin
    {here, beyond, same, low} = '0;
    {rotated, stays, others, shifted} = '0;
    `VL_WHEN(use_i) begin
      rotated = lane_i.half ? {lane_i.shift[31:0], lane_i.shift[63:32]} : lane_i.shift;
      for (int unsigned k = 0; k < 8; k++) begin
        here[k] = lane_i.keep_shift && (k < 4 || !ctl_i.word);
        same[k] = here[k] && lane_i.border[5:3] == 3'(k);
        beyond[k] = here[k] && (ctl_i.keep == KEEP_OTHERS ? lane_i.border[5:3] != 3'(k) : ctl_i.keep == KEEP_FROM ? lane_i.border[5:3] < 3'(k) : lane_i.border[5:3] > 3'(k));
        low[k] = ctl_i.keep == KEEP_OTHERS ? lane_i.border[2:0] != 3'(k) : ctl_i.keep == KEEP_FROM ? lane_i.border[2:0] <= 3'(k) : lane_i.border[2:0] >= 3'(k);
      end
      for (int unsigned k = 0; k < 8; k++) begin
        stays[8*k+:8] = {8{beyond[k]}} | ({8{same[k]}} & low);
        others[8*k+:8] = {8{lane_i.fill || (ctl_i.orc && lane_i.bytes[k])}};
      end
      shifted = (rotated & stays) | ((ctl_i.flip ? ~rotated : others) & ~stays);
    end
  end

  // The byte where a count of zeros ends, most significant bit first when it came from above.
  logic [7:0] found, last;
  logic [2:0] inside_byte, skipped;
  logic [6:0] ones, zeros, count;
  always_comb begin
    {found, last, inside_byte, skipped} = '0;
    {zeros, ones, count} = '0;
    `VL_WHEN(use_i && ctl_i.count) begin
      for (int unsigned k = 0; k < 8; k++) found |= lane_i.shift[8*k+:8] & {8{lane_i.bytes[k]}};
      for (int unsigned i = 0; i < 8; i++) last[i] = ctl_i.low ? found[7-i] : found[i];
      inside_byte = last[7] ? 3'd0 : last[6] ? 3'd1 : last[5] ? 3'd2 : last[4] ? 3'd3 : last[3] ? 3'd4 : last[2] ? 3'd5 : last[1] ? 3'd6 : 3'd7;
      for (int unsigned k = 0; k < 8; k++)
        skipped |= (ctl_i.low ? 3'(k) : 3'(7 - k)) & {!ctl_i.word, 2'b11} & {3{lane_i.bytes[k]}};
      zeros = (lane_i.bytes == '0) ? {!ctl_i.word, ctl_i.word, 5'd0} : {1'b0, skipped, inside_byte};
      ones = (7'(lane_i.ones[0]) + 7'(lane_i.ones[1])) + (7'(lane_i.ones[2]) + 7'(lane_i.ones[3]));
      count = (ctl_i.ones ? ones : zeros) & {7{ctl_i.count}};
    end
  end

  // In the word forms the upper half is the sign; in shifts it is the fill, which is the sign as well.
  logic sign;
  assign sign = ctl_i.word && (shifted[31] || lane_i.main[31]);
  assign data_o[31:0] = shifted[31:0] | (lane_i.main[31:0] & {32{lane_i.keep_main}}) | 32'(lane_i.less) | 32'(count);
  assign data_o[63:32] = shifted[63:32] | (lane_i.main[63:32] & {32{lane_i.keep_main && !ctl_i.word}}) | {32{sign}};
endmodule
