// Proof of warp_locality: no warp waits for ever. For any behaviour of L1D, TLB and warps, and any policy with the same `hold`, a warp that is active is not eligible for at most
// (max(1, 4 * hold) + 2) * 2 * WARPS cycles on end, and then is until it has issued a memory instruction. Page: docs/blocks/warp_locality.md, "No warp waits for ever".
// A warp and `hold` are picked at reset and never change, so what holds for them holds for all.
module warp_locality_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input logic                        clk_i,
    input locality_policy_t            policy_i,
    input logic                        start_valid_i,
    input warp_t                       start_i,
    input logic                        done_valid_i,
    input warp_t                       done_i,
    input logic                        issue_valid_i,
    input issued_t                     issue_i,
    input logic                        line_valid_i,
    input line_event_t                 line_i,
    input logic [TLB_PORTS-1:0]        touch_valid_i,
    input page_touch_t [TLB_PORTS-1:0] touch_i,
    input logic                        missed_valid_i,
    input miss_t                       missed_i,
    input logic                        page_out_valid_i,
    input page_out_t                   page_out_i,
    input warp_t                       pick_warp_i,
    input logic [7:0]                  pick_hold_i
);
  localparam int unsigned ROUND = 2 * WARPS;

  logic [1:0] started_q = 2'b0;
  logic rst, start, done;
  logic [7:0] hold_q;
  warp_t w;
  locality_policy_t policy;
  start_t start_in;
  warp_mask_t eligible;
  ev_warp_locality_t ev;
  logic issued;
  assign rst = !started_q[1];
  // launch and simt: a warp that does not run begins, one that does ends.
  assign start = start_valid_i && !rst && 32'(start_i) < WARPS && !dut.active_q[start_i];
  assign done = done_valid_i && !rst && 32'(done_i) < WARPS && dut.active_q[done_i];
  always_comb begin
    start_in = '0;
    start_in.warp = start_i;
    policy = policy_i;
    policy.hold = hold_q;
  end
  warp_locality dut (
      .clk_i, .rst_i(rst), .policy_i(policy), .start_valid_i(start), .start_i(start_in), .warp_done_valid_i(done), .warp_done_i(done_i),
      .issue_valid_i(issued), .issue_i, .eligible_o(eligible), .line_valid_i, .line_i, .touch_valid_i(touch_valid_i & {TLB_PORTS{touch_i[0].warp == touch_i[TLB_PORTS-1].warp}}), .touch_i,
      .missed_valid_i, .missed_i, .page_out_valid_i, .page_out_i, .ev_o(ev)
  );

  // ---- the pick: how long it has waited, and whether it has sent since it became due ----------------------------------------
  logic [31:0] waited_q, step, most;
  logic active, goes, goes_q, due, due_q, sends, sent_q, rested_q;
  logic [9:0] hold, held;  // rounds
  assign active = dut.active_q[w];
  assign goes = eligible[w];
  assign due = dut.u_bound.due_q[w];
  assign held = dut.u_bound.held_q[w];
  assign hold = (hold_q == '0) ? 10'd1 : {hold_q, 2'b00};
  assign most = (32'(hold) + 2) * ROUND;
  assign step = dut.u_order.down_q ? WARPS + 32'(dut.u_order.at_q) : WARPS - 1 - 32'(dut.u_order.at_q);
  // issue: its output was decided in the cycle before, for a warp that was eligible then.
  assign issued = issue_valid_i && (goes_q || !(issue_i.pipe == PIPE_LSU && issue_i.warp == w));
  assign sends = issued && issue_i.first && issue_i.pipe == PIPE_LSU && issue_i.warp == w;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      w <= (32'(pick_warp_i) < WARPS) ? pick_warp_i : '0;
      hold_q <= pick_hold_i;
    end
    waited_q <= (rst || goes) ? '0 : waited_q + 1;      // cycles before this one in which it was not eligible
    goes_q <= goes || rst;
    due_q <= due && !rst;
    sent_q <= due && (sends || (due_q && sent_q));       // since it is due
    rested_q <= dut.rest || !dut.stays[w];
  end

  always_comb
    if (!rst) begin
      nobody_waits_longer: assert (goes || waited_q < most);
      due_until_it_has_sent: assert (!due_q || due || rested_q || sent_q);
      due_may_go: assert (!due || goes);
      who_is_held_back_runs: assert ((~eligible & ~dut.active_q) == '0);

      lemma_waited: assert (goes || (waited_q <= (32'(held) + 1) * ROUND + step && held <= hold));
      lemma_late: assert (goes || !dut.u_bound.sent_q[w] || waited_q <= step);
      lemma_first: assert (goes || !goes_q || (waited_q == '0 && step == '0));
      lemma_place: assert (32'(dut.u_order.at_q) < WARPS);
      lemma_rounds: assert (goes || !due);
      lemma_sent: assert (!dut.u_bound.sent_q[w] || !due || (due_q && sent_q));
      lemma_warp: assert (32'(w) < WARPS);
    end
endmodule
