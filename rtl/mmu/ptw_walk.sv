// One walk of N: its page, and how far the walk has come. In the cycle of its request it is a walk already, with the fields of the request; its
// registers follow at the edge. Leaf of ptw and of walker, where each kernel has a last line of its own. Pages: docs/blocks/ptw.md, docs/blocks/walker.md.
`include "vl_skip.svh"
module ptw_walk
  import vellum_pkg::*, mmu_pkg::*;
#(
    parameter int unsigned N = 8,
    parameter bit LINES = 1'b0,         // nearness is to another line than the leader's
    localparam int unsigned READ_W = idx_w(N)
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       awake_i,         // for the simulator: 0 when there is no walk and no request
    input  ppn_t       root_i,          // root for a begin or a restart
    // requests
    input  vpn_t [1:0] vpn_i,
    input  logic [1:0] begin_i,         // the request of this port is for this walk
    input  logic [1:0] req_same_pte_i,  // values of same_pte_o and near_o for a walk that begins
    input  logic [1:0] req_near_i,
    // the leader's PTE
    input  pte_addr_t  lead_addr_i,
    input  level_t     lead_level_i,
    input  pte_addr_t  line_addr_i,     // with LINES
    input  level_t     line_level_i,
    output logic       same_pte_o,      // the walk's next PTE is the leader's
    output logic       near_o,          // ... or on its line, at its level; with LINES: on that line, at that level
    // what happens to it
    input  logic       restart_i,
    input  logic       came_i,          // a read's answer that is not discarded
    input  logic [READ_W-1:0] came_read_i,
    input  step_t      step_i,
    input  logic       take_i,          // begin to wait for a read
    input  logic [READ_W-1:0] take_read_i,
    input  logic       outside_i,       // the next PTE is outside of the window
    input  logic       end_i,
    // state
    output logic       empty_o,         // the registers hold no walk
    output logic       free_o,          // ... and no request begins one
    output logic       ready_o,
    output logic       waits_o,
    output logic       done_o,
    output logic       finish_o,        // done from this edge on
    output logic [READ_W-1:0] read_o,   // the read that it waits for
    output pte_addr_t  addr_o,
    output level_t     level_o,
    output walk_e      result_o,
    output leaf_t      leaf_o           // valid when done
);
  typedef enum logic [1:0] {FREE, READY, WAITS, DONE} state_e;
  state_e state_q;
  vpn_t vpn_q;
  level_t level_q;
  pte_addr_t addr_q;          // base: the frame when done
  logic [READ_W-1:0] read_q;
  walk_e result_q;
  logic glob_q, r_q, w_q, x_q;

  logic mine, begins;
  level_t level;              // to continue with
  vpn_t vpn;                  // of the request
  pte_addr_t first;           // its first PTE
  logic [8:0] index;          // of the next PTE, after an answer or a restart

  always_comb begin
    {mine, finish_o} = '0;
    `VL_WHEN(awake_i) begin
      mine = came_i && state_q == WAITS && read_q == came_read_i;
      finish_o = !restart_i && ((mine && !step_i.pointer[level_q]) || outside_i);
    end
  end
  always_comb begin
    vpn = '0;
    `VL_WHEN(awake_i) vpn = vpn_i[begin_i[1]];
  end
  assign begins = begin_i != '0;
  assign first = '{base: root_i, index: vpn[35:27]};
  always_comb begin
    level = '0;
    index = '0;
    `VL_WHEN(awake_i) level = restart_i ? 2'd3 : level_q - 2'd1;
    `VL_WHEN(mine || (restart_i && !empty_o))
    unique case (level)
      2'd0: index = vpn_q[8:0];
      2'd1: index = vpn_q[17:9];
      2'd2: index = vpn_q[26:18];
      default: index = vpn_q[35:27];
    endcase
  end

  always_ff @(posedge clk_i) `VL_WHEN(rst_i || awake_i) `VL_WHEN(rst_i || !free_o) begin
    if (empty_o) vpn_q <= vpn;
    if (take_i) read_q <= take_read_i;
    if (restart_i || empty_o) begin
      level_q <= 2'd3;
      addr_q <= '{base: root_i, index: empty_o ? vpn[35:27] : index};
      glob_q <= 1'b0;
    end else if (outside_i || (mine && step_i.page[level_q])) begin
      // No leaf. Beyond the window it shall look like one that allows everything.
      addr_q.base <= '0;
      level_q <= '0;
      glob_q <= 1'b0;
      {r_q, w_q, x_q} <= {3{outside_i}};
      result_q <= outside_i ? WALK_ACCESS : WALK_PAGE;
    end else if (mine) begin
      addr_q <= '{base: step_i.ppn, index: index};
      if (step_i.pointer[level_q]) level_q <= level;
      glob_q <= glob_q || step_i.glob;
      {r_q, w_q, x_q} <= {step_i.r, step_i.w, step_i.x};
      result_q <= step_i.access[level_q] ? WALK_ACCESS : WALK_OK;
    end

    if (rst_i) state_q <= FREE;
    else if (restart_i && !free_o) state_q <= READY;
    else if (finish_o) state_q <= DONE;
    else if (mine) state_q <= READY;
    else if (take_i) state_q <= WAITS;
    else if (begins) state_q <= READY;
    else if (end_i) state_q <= FREE;
  end

  logic same_line;
  always_comb begin
    {same_line, same_pte_o, near_o} = '0;
    `VL_WHEN(awake_i) `VL_WHEN(!free_o) begin
      same_line = addr_q.base == lead_addr_i.base && addr_q.index[8:PTE_OFF_W] == lead_addr_i.index[8:PTE_OFF_W];
      same_pte_o = begins ? (begin_i & req_same_pte_i) != '0 : same_line && addr_q.index[PTE_OFF_W-1:0] == lead_addr_i.index[PTE_OFF_W-1:0];
      if (begins) near_o = (begin_i & req_near_i) != '0;
      else if (LINES) near_o = addr_q.base == line_addr_i.base && addr_q.index[8:PTE_OFF_W] == line_addr_i.index[8:PTE_OFF_W] && level_q == line_level_i;
      else near_o = same_line && level_q == lead_level_i;
    end
  end

  assign empty_o = state_q == FREE;
  assign free_o = empty_o && !begins;
  assign ready_o = state_q == READY || begins;
  assign waits_o = state_q == WAITS;
  assign done_o = state_q == DONE;
  assign read_o = read_q;
  assign addr_o = begins ? first : addr_q;
  assign level_o = begins ? 2'd3 : level_q;
  assign result_o = result_q;
  assign leaf_o = '{ppn: addr_q.base, level: level_q, glob: glob_q, r: r_q, w: w_q, x: x_q};
endmodule
