// One lane of the ALU behind its registers, combinational: which bits of a rotation stay, counts, sign extension, choice.
module alu_finish
  import core_pkg::*;
(
    input  alu_late_t   ctl_i,
    input  alu_lane_t   lane_i,
    output logic [63:0] data_o
);
  // Which bits stay: three bits of a position and three are compared apart.
  logic [7:0] beyond, same, low;
  logic [63:0] rotated, stays, shifted;
  assign rotated = lane_i.half ? {lane_i.shift[31:0], lane_i.shift[63:32]} : lane_i.shift;
  always_comb begin
    for (int unsigned k = 0; k < 8; k++) begin
      logic here;
      here = lane_i.keep_shift && (k < 4 || !ctl_i.word);
      same[k] = here && lane_i.border[5:3] == 3'(k);
      beyond[k] = here && (ctl_i.keep == KEEP_OTHERS ? lane_i.border[5:3] != 3'(k) : ctl_i.keep == KEEP_FROM ? lane_i.border[5:3] < 3'(k) : lane_i.border[5:3] > 3'(k));
      low[k] = ctl_i.keep == KEEP_OTHERS ? lane_i.border[2:0] != 3'(k) : ctl_i.keep == KEEP_FROM ? lane_i.border[2:0] <= 3'(k) : lane_i.border[2:0] >= 3'(k);
    end
    for (int unsigned k = 0; k < 64; k++) begin
      stays[k] = beyond[k/8] || (same[k/8] && low[k%8]);
      shifted[k] = stays[k] ? rotated[k] : ctl_i.flip ? !rotated[k] : lane_i.fill || (ctl_i.orc && lane_i.bytes[k/8]);
    end
  end

  // The byte where a count of zeros ends, most significant bit first when it came from above.
  logic [7:0] found, last;
  logic [2:0] inside_byte, skipped;
  logic [6:0] ones, zeros, count;
  always_comb begin
    found = '0;
    for (int unsigned k = 0; k < 8; k++) found |= lane_i.shift[8*k+:8] & {8{lane_i.bytes[k]}};
    for (int unsigned i = 0; i < 8; i++) last[i] = ctl_i.low ? found[7-i] : found[i];
    inside_byte = last[7] ? 3'd0 : last[6] ? 3'd1 : last[5] ? 3'd2 : last[4] ? 3'd3 : last[3] ? 3'd4 : last[2] ? 3'd5 : last[1] ? 3'd6 : 3'd7;
    skipped = '0;
    for (int unsigned k = 0; k < 8; k++)
      skipped |= (ctl_i.low ? 3'(k) : 3'(7 - k)) & {!ctl_i.word, 2'b11} & {3{lane_i.bytes[k]}};
    zeros = (lane_i.bytes == '0) ? {!ctl_i.word, ctl_i.word, 5'd0} : {1'b0, skipped, inside_byte};
    ones = (7'(lane_i.ones[0]) + 7'(lane_i.ones[1])) + (7'(lane_i.ones[2]) + 7'(lane_i.ones[3]));
    count = (ctl_i.ones ? ones : zeros) & {7{ctl_i.count}};
  end

  // In the word forms nothing comes into the upper half but the sign; of a shift the fill, which is then the sign.
  logic sign;
  assign sign = ctl_i.word && (shifted[31] || lane_i.main[31]);
  assign data_o[31:0] = shifted[31:0] | (lane_i.main[31:0] & {32{lane_i.keep_main}}) | 32'(lane_i.less) | 32'(count);
  assign data_o[63:32] = shifted[63:32] | (lane_i.main[63:32] & {32{lane_i.keep_main && !ctl_i.word}}) | {32{sign}};
endmodule
