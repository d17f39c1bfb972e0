// Bound into smd, with free inputs. A read of the slice that sleeps has a reason, and whatever ends a reason wakes (docs/blocks/smd.md, Why it is right: No lost wake-up);
// maintenance goes on in every cycle in which nothing is in its way (step 9).
module smd_waits
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, home_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input logic                       clk_i,
    input logic                       rst_i,
    input logic                       is_read,
    input logic [idx_w(L2_MSHRS)-1:0] s1_k_q,
    input home_op_e                   s1_op_q,
    input line_addr_t                 s1_line_q,
    input logic                       s1_valid_q,
    input logic                       s1_free,
    input logic                       is_step,
    input logic                       in_valid,
    input logic                       clearing,
    input logic                       maint_valid_i,
    input logic                       pick_job,
    input logic                       clear_valid,
    input logic                       read_valid,
    input logic                       end_valid,
    input logic                       job_busy,
    input line_addr_t                 job_line
);
  // Stages and kinds of smd_transact, states of smd_maint.
  localparam logic [1:0] FETCH = 2'd0, NONE = 2'd0, WALK = 2'd1, DRAIN = 2'd2;
  localparam logic [2:0] WAIT = 3'd5, END = 3'd6;
  logic reset_q = 1'b0;                    // it has been reset
  logic one_q;                             // and maintenance was asked for only when none was under way
  always_ff @(posedge clk_i) begin
    if (rst_i) reset_q <= 1'b1;
    one_q <= rst_i || (one_q && !(maint_valid_i && smd.u_maint.state_q != NONE));
  end

  // ---- sleepers ------------------------------------------------------------------------------------------------------------
  logic in_step, one_a_place, reasons, early;
  always_comb begin
    in_step = 1'b1;
    one_a_place = 1'b1;
    reasons = 1'b1;
    early = 1'b0;
    for (int unsigned k = 0; k < L2_MSHRS; k++) begin
      logic s1, reason, served;
      line_addr_t line;
      line = smd.u_reads.line_q[k];
      s1 = is_read && 32'(s1_k_q) == k;
      in_step &= !s1 || (smd.u_reads.wait_q[k] && line == s1_line_q && smd.u_reads.op_q[k] == s1_op_q);
      reason = (job_busy && smd_place(job_line) == smd_place(line)) || smd.u_transact.valid_q == '1;
      for (int unsigned x = 0; x < SMD_TRANSACTIONS; x++) begin
        served = smd.u_transact.kind_q[x] == FETCH && smd.u_transact.stage_q[x] inside {WAIT, END} && block_of(smd.u_transact.line_q[x]) == block_of(line)
                 && smd.u_transact.come_q[x][block_off(line)] && (smd.u_reads.op_q[k] != HOME_READ_OWN || smd.u_transact.own_q[x]);
        reason |= smd.u_transact.valid_q[x] && smd_place(smd.u_transact.line_q[x]) == smd_place(line) && !served;
      end
      reasons &= !smd.u_reads.wait_q[k] || smd.u_reads.wake_q[k] || s1 || reason;
    end
    for (int unsigned x = 0; x < SMD_TRANSACTIONS; x++) begin
      early |= smd.u_transact.valid_q[x] && smd.u_transact.stage_q[x] < WAIT && smd.u_transact.come_q[x] != '0;
      for (int unsigned y = 0; y < x; y++)
        one_a_place &= !(smd.u_transact.valid_q[x] && smd.u_transact.valid_q[y] && smd_place(smd.u_transact.line_q[x]) == smd_place(smd.u_transact.line_q[y]));
    end
  end

  // ---- maintenance -----------------------------------------------------------------------------------------------------------
  // In its way: occupants of s1 before it, s1 that waits for the stack, write-backs and reads, a job, a transaction that awaits the home.
  logic walks, in_way, goes_on;
  logic [1:0] state_q, still_q;
  logic [31:0] step_q;
  assign walks = smd.u_maint.state_q != NONE;
  assign in_way = clearing || pick_job || clear_valid || read_valid || end_valid || in_valid || (s1_valid_q && (!s1_free || !is_step)) || job_busy
                  || smd.u_transact.valid_q != '0;
  assign goes_on = smd.u_maint.state_q != state_q || 32'(smd.u_maint.step_q) != step_q;
  always_ff @(posedge clk_i) begin
    state_q <= rst_i ? NONE : smd.u_maint.state_q;
    step_q <= 32'(smd.u_maint.step_q);
    if (rst_i || !walks || in_way || goes_on) still_q <= '0;
    else if (still_q != '1) still_q <= still_q + 1'b1;
  end

  always_ff @(posedge clk_i)
    if (reset_q && !rst_i) begin
      s1_is_what_waits: assert (in_step);
      one_transaction_a_place: assert (one_a_place);
      lines_come_when_asked_for: assert (!early);
      who_sleeps_has_a_reason: assert (reasons);
      maintenance_goes_on: assert (!one_q || still_q != '1);
      maintenance_does_not_go_back: assert (!(one_q && walks && state_q != NONE) || (smd.u_maint.state_q >= state_q && 32'(smd.u_maint.step_q) >= step_q));
    end
endmodule
bind smd smd_waits u_waits (.*);
