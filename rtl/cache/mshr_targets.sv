// Requests that wait for lines: a list for each MSHR, in the order in which they came, in one common store. The next to be replayed is the first one of the lowest list that may be.
// Latency: a target listed at an edge can be replayed at the next one. Pages: docs/blocks/l2.md (`list`, `targets`), docs/blocks/l2c.md.
`include "vl_assert.svh"
`include "vl_skip.svh"
module mshr_targets #(
    parameter type TGT = logic,
    parameter int unsigned MSHRS = 8,
    parameter int unsigned TARGETS = 8,
    localparam int unsigned IDX_W = (MSHRS <= 1) ? 1 : $clog2(MSHRS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    output logic [MSHRS-1:0] empty_o,
    // one more at the end of a list
    output logic             room_o,
    input  logic             list_i,
    input  logic [IDX_W-1:0] k_i,
    input  TGT               tgt_i,
    // the next to be replayed
    input  logic [MSHRS-1:0] done_i,          // lists that may be replayed
    output logic             replay_valid_o,
    input  logic             replay_i,
    output logic [IDX_W-1:0] replay_k_o,
    output TGT               replay_tgt_o
);
  localparam int unsigned TGT_W = (TARGETS <= 1) ? 1 : $clog2(TARGETS);
  localparam int unsigned COUNT_W = $clog2(TARGETS + 1);
  typedef logic [IDX_W-1:0] idx_t;
  typedef logic [TGT_W-1:0] place_t;

  place_t [MSHRS-1:0] head_q, tail_q;
  logic [MSHRS-1:0][COUNT_W-1:0] count_q;
  logic [TARGETS-1:0] used_q;

  logic [MSHRS-1:0] waiting;
  idx_t rk;
  place_t new_place, next;
  always_comb begin
    empty_o = '1;
    rk = '0;
    new_place = '0;
    `VL_WHEN(used_q != '0)
    for (int unsigned k = 0; k < MSHRS; k++) empty_o[k] = count_q[k] == '0;
    waiting = done_i & ~empty_o;
    `VL_WHEN(waiting != '0)
    for (int unsigned k = MSHRS; k > 0; k--) if (waiting[k-1]) rk = idx_t'(k - 1);
    `VL_WHEN(used_q != '0)
    for (int unsigned t = TARGETS; t > 0; t--) if (!used_q[t-1]) new_place = place_t'(t - 1);
  end
  assign room_o = used_q != '1;
  assign replay_valid_o = waiting != '0;
  assign replay_k_o = rk;
  ram_lut #(.DEPTH(TARGETS), .WIDTH($bits(TGT))) u_targets (
      .clk_i, .we_i(list_i), .waddr_i(new_place), .wdata_i(tgt_i), .raddr_i(head_q[rk]), .rdata_o(replay_tgt_o)
  );
  ram_lut #(.DEPTH(TARGETS), .WIDTH(TGT_W)) u_next (
      .clk_i, .we_i(list_i && !empty_o[k_i]), .waddr_i(tail_q[k_i]), .wdata_i(new_place), .raddr_i(head_q[rk]), .rdata_o(next)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
      used_q <= '0;
    end else begin
      `VL_WHEN(list_i || replay_i)
      for (int unsigned k = 0; k < MSHRS; k++) begin
        if (list_i && k_i == idx_t'(k)) begin
          tail_q[k] <= new_place;
          if (empty_o[k]) head_q[k] <= new_place;
          count_q[k] <= count_q[k] + 1'b1;
        end
        if (replay_i && rk == idx_t'(k)) begin
          head_q[k] <= next;
          count_q[k] <= count_q[k] - 1'b1;
        end
      end
      if (list_i) used_q[new_place] <= 1'b1;
      if (replay_i) used_q[head_q[rk]] <= 1'b0;
    end
  end

  `VL_ASSERT(takes_a_free_target, !list_i || room_o)
  `VL_ASSERT(replays_what_waits, !replay_i || replay_valid_o)
  `VL_ASSERT(lists_or_replays, !list_i || !replay_i)
endmodule
