// Requests of a host memory directory that have not begun, in the order of arrival. Each knows which transactions have its block; without any it may begin.
// Page: docs/blocks/hmd.md (steps 3, 4).
`include "vl_assert.svh"
module hmd_pool
  import vl_cfg_pkg::*, vellum_pkg::*, coherence_pkg::*;
#(
    parameter int unsigned XS = 4,
    localparam int unsigned X_W = (XS <= 1) ? 1 : $clog2(XS)
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         valid_i,
    input  hmd_job_t                     job_i,
    output logic                         empty_o,
    // the oldest request for a block without a transaction
    output logic                         valid_o,
    output hmd_job_t                     job_o,
    input  logic                         begin_i,  // it begins, as transaction x_i
    input  logic [X_W-1:0]               x_i,
    // transactions that are valid and continue after this edge, and their lines
    input  logic       [XS-1:0]          goes_on_i,
    input  line_addr_t [XS-1:0]          line_i
);
  localparam int unsigned PLACES = HMD_POOL;
  localparam int unsigned COUNT_W = $clog2(PLACES + 1);

  hmd_job_t [PLACES-1:0] job_q;
  logic [PLACES-1:0][XS-1:0] held_q, held;
  logic [PLACES-1:0] valid, free, first, gone;   // gone: the request that begins, and those behind it
  logic [COUNT_W-1:0] count_q, at;
  logic [XS-1:0] held_new;
  assign empty_o = count_q == '0;
  always_comb begin
    job_o = '0;
    for (int unsigned p = 0; p < PLACES; p++) begin
      valid[p] = COUNT_W'(p) < count_q;
      free[p] = valid[p] && held_q[p] == '0;
    end
    first = free & (~free + 1'b1);
    for (int unsigned p = 0; p < PLACES; p++) if (first[p]) job_o |= job_q[p];
  end
  // For each request whether a transaction has its block after this edge.
  assign gone = begin_i ? ~(first - 1'b1) : '0;
  always_comb begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      held[p] = held_q[p] & goes_on_i;
      if (begin_i && block_of(job_q[p].line) == block_of(job_o.line)) held[p][x_i] = 1'b1;
    end
    for (int unsigned x = 0; x < XS; x++) held_new[x] = goes_on_i[x] && block_of(line_i[x]) == block_of(job_i.line);
    if (begin_i && block_of(job_i.line) == block_of(job_o.line)) held_new[x_i] = 1'b1;
  end
  assign valid_o = free != '0;
  assign at = begin_i ? count_q - 1'b1 : count_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) count_q <= '0;
    else if (valid_i != begin_i) count_q <= valid_i ? count_q + 1'b1 : count_q - 1'b1;
    for (int unsigned p = 0; p < PLACES; p++) begin
      if (valid_i && at == COUNT_W'(p)) begin
        job_q[p] <= job_i;
        held_q[p] <= held_new;
      end else if (gone[p] && p + 1 < PLACES) begin
        job_q[p] <= job_q[(p+1)%PLACES];
        held_q[p] <= held[(p+1)%PLACES];
      end else held_q[p] <= held[p];
    end
  end
  `VL_ASSERT(never_overflows, !valid_i || at != COUNT_W'(PLACES))
  `VL_ASSERT(begins_what_is_there, !begin_i || valid_o)
endmodule
