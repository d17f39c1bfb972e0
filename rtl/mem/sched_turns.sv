// The application in turn to send to Silver, and how many more requests it may send. Moves only when a read enters Silver or Normal.
// Page: docs/blocks/mem_sched.md, step 3.
`include "vl_assert.svh"
module sched_turns
  import vellum_pkg::*, policy_pkg::*, mem_pkg::*, memside_pkg::*;
(
    input  logic              clk_i,
    input  logic              rst_i,
    input  sched_policy_t     policy_i,
    input  quota_t [APPS-1:0] thresh_i,
    input  asid_t             asid_i,     // of the read that would enter
    output logic              silver_o,   // its queue
    input  logic              enter_i,    // it enters
    output logic              pass_o      // ... and the turn passes
);
  logic [1:0] turn_q, turn_next;
  quota_t left_q, left_d, quota_next;
  logic [9:0] skipped_q, skipped_d;
  logic [APPS-1:0] match, mine, ready;
  logic some, over;

  always_comb
    for (int unsigned a = 0; a < APPS; a++) begin
      match[a] = policy_i.app_valid[a] && policy_i.app_asid[a] == asid_i;
      ready[a] = policy_i.app_valid[a] && thresh_i[a] != '0;
    end
  assign mine = match & (~match + 1'b1);
  assign silver_o = policy_i.mode == SCHED_MASK && mine[turn_q] && left_q != '0;

  assign left_d = silver_o ? left_q - 1'b1 : left_q;
  assign skipped_d = silver_o ? '0 : (skipped_q == '1) ? skipped_q : skipped_q + 1'b1;
  assign over = !policy_i.app_valid[turn_q] || left_d == '0 || (policy_i.turn_skip != '0 && skipped_d >= policy_i.turn_skip);

  always_comb begin
    turn_next = turn_q;
    some = 1'b0;
    for (int unsigned n = APPS; n > 0; n--)
      if (ready[turn_q+2'(n)]) begin
        turn_next = turn_q + 2'(n);
        some = 1'b1;
      end
    quota_next = some ? thresh_i[turn_next] : '0;
  end
  assign pass_o = enter_i && policy_i.mode == SCHED_MASK && over && some;

  always_ff @(posedge clk_i)
    if (rst_i) begin
      turn_q <= '0;
      left_q <= '0;
      skipped_q <= '0;
    end else if (enter_i && policy_i.mode == SCHED_MASK) begin
      turn_q <= over ? turn_next : turn_q;
      left_q <= over ? quota_next : left_d;
      skipped_q <= over ? '0 : skipped_d;
    end

  `VL_ASSERT(four_applications, APPS == 4)
endmodule
