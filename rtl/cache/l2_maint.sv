// Maintenance of an L2 slice: waits until nothing is inside, walks over the lines asked for, one step a cycle, waits again, and gives done.
// Page: docs/blocks/l2.md (step 8).
`include "vl_assert.svh"
module l2_maint
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, memside_pkg::*;
#(
    parameter int unsigned SETS = 64,
    parameter int unsigned WAYS = 8,
    parameter int unsigned BITS = CHANNEL_BITS,  // runs are interleaved over 2^BITS channels
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS),
    localparam int unsigned SET_BITS = $clog2(SETS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  slice_t           slice_i,
    input  logic             maint_valid_i,
    input  maint_t           maint_i,
    output logic             maint_done_o,
    output logic             busy_o,       // no requests may start
    input  logic             quiet_i,      // nothing in the pipeline, nothing awaited
    input  logic             drained_i,    // nothing in the pipeline
    // the next step
    output logic             valid_o,
    input  logic             ready_i,
    output line_addr_t       line_o,       // LINE, PAGE: the line. ALL: some line of the set
    output logic             here_o,       // the line is of this slice
    output logic             all_o,        // the step concerns way_o of the set, whatever line it holds
    output logic [WAY_W-1:0] way_o,
    output logic             inval_o
);
  localparam int unsigned ROWS = SETS * WAYS;
  localparam int unsigned STEPS = (ROWS > PAGE_LINES) ? ROWS : PAGE_LINES;
  localparam int unsigned STEP_W = $clog2(STEPS);
  typedef logic [STEP_W-1:0] step_t;
  typedef enum logic [1:0] {NONE, WAIT, WALK, DRAIN} state_e;
  state_e state_q;
  maint_t req_q;
  step_t step_q, last;
  logic done_q, page;

  assign page = req_q.op inside {L2_FLUSH_PAGE, L2_INVAL_PAGE};
  assign all_o = req_q.op inside {L2_FLUSH_ALL, L2_INVAL_ALL};
  assign inval_o = req_q.op inside {L2_INVAL_LINE, L2_INVAL_PAGE, L2_INVAL_ALL};
  assign last = all_o ? step_t'(ROWS - 1) : page ? step_t'(PAGE_LINES - 1) : '0;

  // ALL: the set's line with tag 0. Its tag is not used.
  line_addr_t of_set, of_page;
  step_t set;
  assign set = step_q >> $clog2(WAYS);
  assign of_page = {req_q.line[LINE_ADDR_W-1:PAGE_LINE_W], PAGE_LINE_W'(step_q)};
  assign of_set = line_among(BITS, slice_i, line_addr_t'(set));
  assign line_o = all_o ? of_set : page ? of_page : req_q.line;
  assign here_o = slice_among(BITS, line_o) == slice_i;
  assign way_o = (WAYS > 1) ? WAY_W'(step_q) : '0;
  assign valid_o = state_q == WALK;
  assign busy_o = state_q != NONE;
  assign maint_done_o = done_q;

  always_ff @(posedge clk_i) begin
    if (maint_valid_i) req_q <= maint_i;
    if (state_q == WAIT) step_q <= '0;
    else if (valid_o && ready_i) step_q <= step_q + 1'b1;
    if (rst_i) begin
      state_q <= NONE;
      done_q <= 1'b0;
    end else begin
      done_q <= state_q == DRAIN && drained_i;
      unique case (state_q)
        NONE: if (maint_valid_i) state_q <= WAIT;
        WAIT: if (quiet_i) state_q <= WALK;
        WALK: if (ready_i && step_q == last) state_q <= DRAIN;
        default: if (drained_i) state_q <= NONE;
      endcase
    end
  end
  `VL_ASSERT(one_at_a_time, !maint_valid_i || state_q == NONE)
endmodule
