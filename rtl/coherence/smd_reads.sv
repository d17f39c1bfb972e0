// Reads of the L2 slice: those that wait until their line may be granted, and those that the stack is performing, or the home for far lines. Page: docs/blocks/smd.md (`w`).
`include "vl_assert.svh"
module smd_reads
  import vl_cfg_pkg::*, vellum_pkg::*, home_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
#(
    localparam int unsigned K_W = idx_w(L2_MSHRS)
) (
    input  logic           clk_i,
    input  logic           rst_i,
    output logic           none_o,
    // one more (step 8); it goes into s1
    input  logic           new_i,
    input  logic [K_W-1:0] new_k_i,
    input  home_op_e       new_op_i,
    input  line_addr_t     new_line_i,
    // the one that stands in s1 (step 5), and what becomes of it
    input  logic           s1_i,
    input  logic [K_W-1:0] s1_k_i,
    input  logic           sleep_i,
    input  logic           sent_i,
    input  nmoesi_e        grant_i,
    // wakes: those of a line, all
    input  logic           wake_line_i,
    input  line_addr_t     line_i,
    input  logic           wake_all_i,
    // the next that is to be looked up again
    output logic           valid_o,
    output logic [K_W-1:0] k_o,
    output home_op_e       op_o,
    output line_addr_t     line_o,
    // a line of the home: the read that awaits it
    input  line_addr_t     far_line_i,
    output logic [K_W-1:0] far_k_o,
    output logic           far_awaited_o,
    // answer of the stack, or of the home
    input  logic           rsp_i,
    input  logic [K_W-1:0] rsp_k_i,
    output nmoesi_e        rsp_grant_o,
    // some read of a block is being performed
    input  line_addr_t     block_i,
    output logic           sent_o
);
  localparam int unsigned N = L2_MSHRS;
  logic [N-1:0] wait_q, sent_q, wake_q, in_s1, next;
  home_op_e op_q[N];
  line_addr_t line_q[N];
  nmoesi_e grant_q[N];

  assign none_o = (wait_q | sent_q) == '0;
  assign in_s1 = N'(s1_i) << s1_k_i;
  assign next = wait_q & wake_q & ~in_s1;
  assign valid_o = next != '0;
  always_comb begin
    k_o = '0;
    op_o = HOME_READ;
    line_o = '0;
    for (int unsigned k = 0; k < N; k++)
      if (next[k] && (next & ~(~N'(0) << k)) == '0) begin
        k_o |= K_W'(k);
        op_o = home_op_e'(op_o | op_q[k]);
        line_o |= line_q[k];
      end
  end
  assign rsp_grant_o = grant_q[rsp_k_i];

  logic [N-1:0] awaits;
  assign far_awaited_o = $onehot(awaits);
  always_comb begin
    far_k_o = '0;
    for (int unsigned k = 0; k < N; k++) begin
      awaits[k] = sent_q[k] && line_q[k] == far_line_i;
      if (awaits[k]) far_k_o |= K_W'(k);
    end
  end

  logic [N-1:0] same_line, same_block;
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      same_line[k] = line_q[k] == line_i;
      same_block[k] = block_of(line_q[k]) == block_of(block_i);
    end
  assign sent_o = (sent_q & same_block) != '0;

  always_ff @(posedge clk_i) begin
    if (new_i) begin
      op_q[new_k_i] <= new_op_i;
      line_q[new_k_i] <= new_line_i;
    end
    if (sent_i) grant_q[s1_k_i] <= grant_i;
    if (rst_i) begin
      wait_q <= '0;
      sent_q <= '0;
      wake_q <= '0;
    end else begin
      wait_q <= (wait_q & ~(N'(sent_i) << s1_k_i)) | (N'(new_i) << new_k_i);
      sent_q <= (sent_q & ~(N'(rsp_i) << rsp_k_i)) | (N'(sent_i) << s1_k_i);
      wake_q <= ((wake_q & ~(N'(sleep_i) << s1_k_i)) | (wait_q & ({N{wake_all_i}} | ({N{wake_line_i}} & same_line)))) & ~(N'(new_i) << new_k_i);
    end
  end

  `VL_ASSERT(number_is_free, !new_i || !(wait_q[new_k_i] || sent_q[new_k_i]))
  `VL_ASSERT(s1_waits, !s1_i || wait_q[s1_k_i])
  `VL_ASSERT(answers_are_awaited, !rsp_i || sent_q[rsp_k_i])
  `VL_ASSERT(waits_or_is_sent, (wait_q & sent_q) == '0)
endmodule
