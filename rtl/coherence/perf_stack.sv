// Performance counters of a stacked memory: coherent events of its L2 slice, its directory, changes of state by kind, and the time of maintenance.
// Page: docs/blocks/perf_stack.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module perf_stack
  import home_pkg::*, coherence_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // events of the slice and of the directory
    input  ev_l2c_t              ev_l2_i,
    input  ev_smd_t              ev_smd_i,
    // maintenance: given to the slice, done by the directory
    input  logic                 maint_valid_i,
    input  logic                 maint_done_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  // ---- step 1: maintenance under way
  logic sync_q, sync;
  assign sync = maint_valid_i || sync_q;
  always_ff @(posedge clk_i) sync_q <= !rst_i && sync && !maint_done_i;

  // ---- step 2: counters by a kind, and by two states
  moves_t l2, smd;
  assign l2 = moves_of(ev_l2_i.l2_moved, ev_l2_i.l2_from, ev_l2_i.l2_to);
  assign smd = moves_of(ev_smd_i.smd_moved, ev_smd_i.smd_from, ev_smd_i.smd_to);
  `VL_ASSERT(line_moves_by_the_table, !l2.other && !l2.e_to_o)
  `VL_ASSERT(block_moves_by_the_table, !smd.other && !smd.e_to_n)

  ev_stack_t ev;
  assign ev.l2c = ev_l2_i;
  assign ev.smd = ev_smd_i;
  assign ev.perf_stack = '{
      l2c_upgrade: ev_l2_i.l2_upgrade, l2c_probe: ev_l2_i.l2_probe,
      smd_probe_read: ev_smd_i.smd_probe && ev_smd_i.smd_probe_kind == PROBE_READ,
      smd_probe_write: ev_smd_i.smd_probe && ev_smd_i.smd_probe_kind == PROBE_WRITE,
      smd_probe_clean: ev_smd_i.smd_probe && ev_smd_i.smd_probe_kind == PROBE_CLEAN,
      smd_syncs: maint_valid_i, smd_sync_cycles: sync,
      l2_i_to_n: l2.i_to_n, l2_i_to_s: l2.i_to_s, l2_i_to_e: l2.i_to_e, l2_i_to_m: l2.i_to_m,
      l2_n_to_i: l2.n_to_i, l2_n_to_s: l2.n_to_s, l2_s_to_i: l2.s_to_i, l2_s_to_n: l2.s_to_n,
      l2_e_to_i: l2.e_to_i, l2_e_to_n: l2.e_to_n, l2_e_to_s: l2.e_to_s, l2_e_to_m: l2.e_to_m,
      l2_o_to_i: l2.o_to_i, l2_o_to_s: l2.o_to_s, l2_m_to_i: l2.m_to_i, l2_m_to_s: l2.m_to_s,
      l2_m_to_e: l2.m_to_e, l2_m_to_o: l2.m_to_o,
      smd_i_to_n: smd.i_to_n, smd_i_to_s: smd.i_to_s, smd_i_to_e: smd.i_to_e, smd_i_to_m: smd.i_to_m,
      smd_n_to_i: smd.n_to_i, smd_n_to_s: smd.n_to_s, smd_s_to_i: smd.s_to_i, smd_s_to_n: smd.s_to_n,
      smd_e_to_i: smd.e_to_i, smd_e_to_s: smd.e_to_s, smd_e_to_o: smd.e_to_o, smd_e_to_m: smd.e_to_m,
      smd_o_to_i: smd.o_to_i, smd_o_to_s: smd.o_to_s, smd_m_to_i: smd.m_to_i, smd_m_to_s: smd.m_to_s,
      smd_m_to_e: smd.m_to_e, smd_m_to_o: smd.m_to_o
  };

  // ---- steps 3, 4
  logic [STACK_COUNTERS-1:0][STACK_INC_W-1:0] inc;
  assign inc = stack_increments(ev);
  counter_bank #(.COUNTERS(STACK_COUNTERS), .INC_W(STACK_INC_W), .INCREMENT_W(STACK_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
