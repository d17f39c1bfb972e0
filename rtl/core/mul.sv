// Multiplication, all lanes, one beat a cycle, latency three cycles. Page: docs/blocks/mul.md.
module mul
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import isa_pkg::*;
  import core_pkg::*;
  import perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // from regfile
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    // to regfile
    output logic      mul_res_valid_o,
    output result_t   mul_res_o,
    output ev_mul_t   ev_o
);
  logic take, valid1_q, valid2_q;
  result_t head1_q, head2_q, head3_q;    // without data
  logic high1_q, high2_q, word1_q, word2_q;
  lane_data_t data;
  assign take = ops_valid_i && ops_i.pipe == PIPE_MUL;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    mul_lane u_lane (
        .clk_i, .en1_i(take), .a_i(ops_i.rs1[l]), .b_i(ops_i.rs2[l]), .a_signed_i(ops_i.op inside {OP_MULH, OP_MULHSU}),
        .b_signed_i(ops_i.op == OP_MULH), .en2_i(valid1_q), .en3_i(valid2_q), .high_i(high2_q), .word_i(word2_q), .result_o(data[l]));
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      mul_res_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      valid1_q <= take;
      valid2_q <= valid1_q;
      mul_res_valid_o <= valid2_q;
      ev_o <= '{mul_beats: take};
    end
    if (take) begin
      head1_q <= '{warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last, mask: ops_i.mask, data: '0};
      high1_q <= ops_i.op inside {OP_MULH, OP_MULHSU, OP_MULHU};
      word1_q <= ops_i.op == OP_MULW;
    end
    if (valid1_q) begin
      head2_q <= head1_q;
      high2_q <= high1_q;
      word2_q <= word1_q;
    end
    if (valid2_q) head3_q <= head2_q;
  end
  always_comb begin
    mul_res_o = head3_q;
    mul_res_o.data = data;
  end
endmodule
