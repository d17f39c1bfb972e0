// Which warps may issue memory instructions: those that have lost the most locality go first, as many as fit under a cutoff (CCWS and TA-CCWS by lines of the L1D, TCWS by pages of
// the TLB). Page: docs/blocks/warp_locality.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module warp_locality
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  locality_policy_t             policy_i,
    // launch, simt
    input  logic                         start_valid_i,
    input  start_t                       start_i,
    input  logic                         warp_done_valid_i,
    input  warp_t                        warp_done_i,
    // issue
    input  logic                         issue_valid_i,
    input  issued_t                      issue_i,
    output warp_mask_t                   eligible_o,
    // l1d
    input  logic                         line_valid_i,
    input  line_event_t                  line_i,
    // tlb, tlb_mshr
    input  logic [TLB_PORTS-1:0]         touch_valid_i,
    input  page_touch_t [TLB_PORTS-1:0]  touch_i,
    input  logic                         missed_valid_i,
    input  miss_t                        missed_i,
    input  logic                         page_out_valid_i,
    input  page_out_t                    page_out_i,
    // counters
    output ev_warp_locality_t            ev_o
);
  localparam int unsigned QUEUE = 4;
  localparam int unsigned COUNT_W = $clog2(QUEUE + 1);
  typedef struct packed {
    logic put;                       // else look
    warp_t warp;
    line_key_t tag;                  // a line, or a page
    logic [1:0] weight;
  } entry_t;
  typedef logic [11:0] extra_t;

  // ---- rest, active (0, 1) ----------------------------------------------------------------------------------------------
  logic ccws, tcws, rest;
  locality_e mode, kind_mode_q;
  logic [1:0] kind_entries_q;
  warp_mask_t active_q, active, stays;
  assign ccws = policy_i.mode == LOCALITY_CCWS;
  assign tcws = policy_i.mode == LOCALITY_TCWS;
  assign mode = (ccws || tcws) ? policy_i.mode : LOCALITY_OFF;
  assign rest = rst_i || mode == LOCALITY_OFF || mode != kind_mode_q || policy_i.entries != kind_entries_q || active_q == '0;
  always_comb begin
    active = active_q;
    if (start_valid_i) active[start_i.warp] = 1'b1;
    if (warp_done_valid_i) active[warp_done_i] = 1'b0;
  end
  assign stays = active_q & active;
  always_ff @(posedge clk_i) begin
    active_q <= rst_i ? '0 : active;
    kind_mode_q <= rst_i ? LOCALITY_OFF : mode;
    kind_entries_q <= rst_i ? '0 : policy_i.entries;
  end

  // ---- received events (2) ------------------------------------------------------------------------------------------------
  logic look, put, look_enters, put_enters, leaves;
  entry_t look_entry, put_entry;
  entry_t queue_q[QUEUE], queue[QUEUE];
  logic [COUNT_W-1:0] count_q, kept;
  assign look = ccws ? line_valid_i && line_i.miss : missed_valid_i;
  assign put = ccws ? line_valid_i && line_i.evicted : page_out_valid_i;
  assign look_entry = ccws ? '{put: 1'b0, warp: line_i.warp, tag: line_i.key, weight: line_i.walked ? policy_i.tlb_weight : '0}
                           : '{put: 1'b0, warp: missed_i.warp, tag: line_key_t'(missed_i.vpn), weight: '0};
  assign put_entry = ccws ? '{put: 1'b1, warp: line_i.of, tag: line_i.old, weight: '0}
                          : '{put: 1'b1, warp: page_out_i.of, tag: line_key_t'(page_out_i.vpn), weight: '0};
  assign look_enters = look && 32'(count_q) < QUEUE;
  assign put_enters = put && 32'(count_q) + 32'(look_enters) < QUEUE;
  assign kept = count_q - COUNT_W'(leaves);
  always_comb
    for (int unsigned k = 0; k < QUEUE; k++) begin
      queue[k] = queue_q[k];
      if (leaves && k + 1 < QUEUE) queue[k] = queue_q[(k + 1) % QUEUE];
      if (look_enters && 32'(kept) == k) queue[k] = look_entry;
      if (put_enters && 32'(kept) + 32'(look_enters) == k) queue[k] = put_entry;
    end

  logic points_valid_q;
  warp_t points_warp_q, points_warp;
  logic [9:0] points_q, points;
  always_comb begin
    points = '0;
    points_warp = '0;
    `VL_WHEN(touch_valid_i != '0) for (int unsigned p = 0; p < TLB_PORTS; p++)
      if (touch_valid_i[p]) begin
        points += 10'(policy_i.depths[touch_i[p].depth]);
        points_warp |= touch_i[p].warp;          // one warp
      end
  end

  // ---- tags (3) -----------------------------------------------------------------------------------------------------------
  logic op_valid_q, found_valid_q, match;
  entry_t op_q;
  warp_t found_warp_q;
  logic [1:0] found_weight_q;
  assign leaves = !op_valid_q && count_q != '0;
  warp_vta u_vta (
      .clk_i, .rst_i, .clear_i(rest), .forget_i(start_valid_i), .forget_warp_i(start_i.warp), .tcws_i(tcws), .entries_i(policy_i.entries),
      .read_i(leaves), .read_warp_i(queue_q[0].warp), .read_tag_i(queue_q[0].tag),
      .act_i(op_valid_q), .put_i(op_q.put), .warp_i(op_q.warp), .tag_i(op_q.tag), .match_o(match)
  );
  always_ff @(posedge clk_i) begin
    queue_q <= queue;
    if (!op_valid_q) op_q <= queue_q[0];
    found_warp_q <= op_q.warp;
    found_weight_q <= op_q.weight;
    points_warp_q <= points_warp;
    points_q <= points;
    if (rest) begin
      count_q <= '0;
      op_valid_q <= 1'b0;
      found_valid_q <= 1'b0;
      points_valid_q <= 1'b0;
    end else begin
      count_q <= kept + COUNT_W'(look_enters) + COUNT_W'(put_enters);
      op_valid_q <= leaves;
      found_valid_q <= op_valid_q && !op_q.put && match;
      points_valid_q <= tcws && touch_valid_i != '0;
    end
  end

  // ---- scores (4) ---------------------------------------------------------------------------------------------------------
  extra_t [WARPS-1:0] extra_q, extra;
  logic [7:0] clock_q;
  logic above, fall;                 // some score is above base; scores fall
  assign above = extra_q != '0;
  assign fall = above && policy_i.decay != '0 && 9'(clock_q) + 9'd1 >= 9'(policy_i.decay);
  // The increment of a score, less one if it falls; at most 4095.
  function automatic extra_t moved(input extra_t from, input logic [10:0] gain, input logic [9:0] more, input logic less);
    logic [13:0] sum = 14'(from) + 14'(gain) + 14'(more) - 14'(less && from != '0);
    return (sum[13:12] != '0) ? '1 : sum[11:0];
  endfunction
  logic [10:0] gain;
  assign gain = 11'(policy_i.gain) << found_weight_q;
  always_comb begin
    extra = '0;
    `VL_WHEN(above || found_valid_q || points_valid_q) for (int unsigned w = 0; w < WARPS; w++)
      if (stays[w])
        extra[w] = moved(extra_q[w], (found_valid_q && found_warp_q == warp_t'(w)) ? gain : '0,
                         (points_valid_q && points_warp_q == warp_t'(w)) ? points_q : '0, fall);
  end
  always_ff @(posedge clk_i)
    if (rest) begin
      extra_q <= '0;
      clock_q <= '0;
    end else begin
      extra_q <= extra;
      clock_q <= (!above || policy_i.decay == '0 || fall) ? '0 : clock_q + 8'd1;
    end

  // ---- rounds, the bound (5, 6) ---------------------------------------------------------------------------------------------
  logic run, between, round_ends, waits;
  warp_mask_t next, sent, due, fresh;
  assign run = !between || above || waits || policy_i.cutoff != '0;
  warp_order u_order (
      .clk_i, .rst_i, .clear_i(rest), .run_i(run), .active_i(active_q), .extra_i(extra_q), .base_i(policy_i.base), .cutoff_i(policy_i.cutoff),
      .between_o(between), .end_o(round_ends), .next_o(next)
  );
  always_comb begin
    sent = '0;
    if (issue_valid_i && issue_i.first && issue_i.pipe == PIPE_LSU) sent[issue_i.warp] = 1'b1;
  end
  warp_bound u_bound (
      .clk_i, .rst_i, .clear_i(rest), .stays_i(stays), .run_i(run), .end_i(round_ends), .next_i(next), .sent_i(sent), .hold_i(policy_i.hold),
      .eligible_o, .due_o(due), .waits_o(waits), .fresh_o(fresh)
  );

  // ---- events ---------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i)
    if (rest) ev_o <= '0;
    else begin
      ev_o.loc_looks <= op_valid_q && !op_q.put;
      ev_o.loc_puts <= op_valid_q && op_q.put;
      ev_o.loc_found <= op_valid_q && !op_q.put && match;
      ev_o.loc_dropped <= 2'(look && !look_enters) + 2'(put && !put_enters);
      ev_o.loc_held <= 7'($countones(active_q & ~eligible_o));
      ev_o.loc_due <= 7'($countones(fresh));
    end

  `VL_ASSERT(starts_what_rests, !start_valid_i || !active_q[start_i.warp])
  `VL_ASSERT(ends_what_runs, !warp_done_valid_i || active_q[warp_done_i])
  `VL_ASSERT(due_warps_run, (due & ~active_q) == '0)
endmodule
