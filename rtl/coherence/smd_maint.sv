// Maintenance of a stacked memory: walks over the requested blocks, a step each, and is done when the transactions that the steps began have ended. One bit for 64
// places says whether one of them may have bytes that the home does not have. Page: docs/blocks/smd.md (`some`, steps 5, 8, 9).
`include "vl_assert.svh"
module smd_maint
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, memside_pkg::*, coherence_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    input  slice_t     channel_i,
    input  logic       maint_valid_i,
    input  maint_t     maint_i,
    output logic       maint_done_o,
    output logic       busy_o,         // or reports done
    // the next step; it may come into s1 when it is its turn
    input  logic       turn_i,
    output logic       valid_o,
    output line_addr_t line_o,
    // the step in s1
    input  logic       s1_i,
    input  line_addr_t s1_line_i,
    output logic       ours_o,
    output logic       all_o,          // whatever block stands there
    output logic       inval_o,
    input  logic       step_i,         // it is done
    input  logic       quiet_i,        // no transaction of maintenance
    input  logic       leave_out_i,    // no probe and no fetch can still bring bytes into a place
    // a place is written, in a state with bytes that the home does not have
    input  logic       some_i,
    input  line_addr_t some_line_i
);
  localparam int unsigned PLACES = SMD_PLACES;
  localparam int unsigned GROUPS_OF_64 = (PLACES + 63) / 64;
  localparam int unsigned PAGE_BLOCKS = (PAGE_LINES > BLOCK_LINES) ? PAGE_LINES / BLOCK_LINES : 1;
  localparam int unsigned STEPS = (PLACES > PAGE_BLOCKS) ? PLACES : PAGE_BLOCKS;
  localparam int unsigned STEP_W = $clog2(STEPS + 64) + 1;
  localparam int unsigned GROUP_W = idx_w(GROUPS_OF_64);
  typedef logic [STEP_W-1:0] step_t;
  typedef logic [GROUP_W-1:0] group_t;
  typedef enum logic [1:0] {NONE, WALK, DRAIN} state_e;

  state_e state_q;
  maint_t req_q;
  step_t step_q, steps;
  logic done_q, page, walks, first_of_64, skips;
  logic [GROUPS_OF_64-1:0] some_q;
  group_t group;

  assign page = req_q.op inside {L2_FLUSH_PAGE, L2_INVAL_PAGE};
  assign all_o = req_q.op inside {L2_FLUSH_ALL, L2_INVAL_ALL};
  assign inval_o = req_q.op inside {L2_INVAL_LINE, L2_INVAL_PAGE, L2_INVAL_ALL};
  assign steps = all_o ? step_t'(PLACES) : page ? step_t'(PAGE_BLOCKS) : step_t'(1);

  line_addr_t of_page, of_all;
  assign of_page = (req_q.line & ~line_addr_t'(32'(PAGE_LINES - 1))) + (line_addr_t'(step_q) << ILV_W);
  assign of_all = (line_addr_t'(step_q) << (ILV_W + CHANNEL_BITS)) | (line_addr_t'(channel_i) << ILV_W);
  assign line_o = all_o ? of_all : page ? of_page : req_q.line;
  assign ours_o = slice_of(s1_line_i) >> SUB_BITS == channel_i;

  assign walks = state_q == WALK && step_q < steps;
  assign first_of_64 = all_o && step_q[5:0] == '0;
  assign group = (GROUPS_OF_64 > 1) ? group_t'(step_q >> 6) : '0;
  assign skips = first_of_64 && !inval_o && !some_q[group] && leave_out_i;
  assign valid_o = walks && !skips;
  assign busy_o = state_q != NONE || done_q;
  assign maint_done_o = done_q;

  logic [GROUPS_OF_64-1:0] sets, clears;
  group_t some_group;
  assign some_group = (GROUPS_OF_64 > 1) ? group_t'(smd_place(some_line_i) >> 6) : '0;
  assign sets = GROUPS_OF_64'(some_i) << some_group;
  assign clears = GROUPS_OF_64'(step_i && first_of_64) << group;

  always_ff @(posedge clk_i) begin
    if (maint_valid_i) begin
      req_q <= maint_i;
      step_q <= '0;
    end else if (step_i) step_q <= step_q + 1'b1;
    else if (walks && skips && turn_i) step_q <= step_q + step_t'(64);
    if (rst_i) begin
      state_q <= NONE;
      done_q <= 1'b0;
      some_q <= '0;
    end else begin
      done_q <= state_q == DRAIN && quiet_i;
      unique case (state_q)
        NONE: if (maint_valid_i) state_q <= WALK;
        WALK: if (step_q >= steps && !s1_i) state_q <= DRAIN;
        default: if (quiet_i) state_q <= NONE;
      endcase
      some_q <= (some_q & ~clears) | sets;
    end
  end

  `VL_ASSERT(one_at_a_time, !maint_valid_i || state_q == NONE)
  `VL_ASSERT(steps_come_from_here, !step_i || (s1_i && state_q == WALK))
  `VL_ASSERT(a_step_sets_nothing, !(some_i && step_i))
endmodule
