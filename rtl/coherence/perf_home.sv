// Performance counters of a host channel: its directory, its grants, and the coherent events of its last-level cache.
// Page: docs/blocks/perf_home.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module perf_home
  import nmoesi_pkg::*, coherence_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // events of the directory and of the last-level cache
    input  ev_hmd_t              ev_hmd_i,
    input  ev_l2c_t              ev_l2_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  // ---- step 1: counters by a state, and by two states
  moves_t llc;
  assign llc = moves_of(ev_l2_i.l2_moved, ev_l2_i.l2_from, ev_l2_i.l2_to);
  `VL_ASSERT(line_moves_by_the_table, !llc.other && !llc.e_to_o)
  `VL_ASSERT(grants_no_n_no_o, !ev_hmd_i.hmd_grant || ev_hmd_i.hmd_state inside {NMOESI_I, NMOESI_S, NMOESI_E, NMOESI_M})

  ev_home_t ev;
  assign ev.hmd = ev_hmd_i;
  assign ev.perf_home = '{
      hmd_grant_i: ev_hmd_i.hmd_grant && ev_hmd_i.hmd_state == NMOESI_I,
      hmd_grant_s: ev_hmd_i.hmd_grant && ev_hmd_i.hmd_state == NMOESI_S,
      hmd_grant_e: ev_hmd_i.hmd_grant && ev_hmd_i.hmd_state == NMOESI_E,
      hmd_grant_m: ev_hmd_i.hmd_grant && ev_hmd_i.hmd_state == NMOESI_M,
      llc_upgrade: ev_l2_i.l2_upgrade, llc_own: ev_l2_i.l2_own, llc_n_read: ev_l2_i.l2_n_read,
      llc_probe: ev_l2_i.l2_probe, llc_probe_hit: ev_l2_i.l2_probe_hit, llc_probe_gives: ev_l2_i.l2_probe_gives,
      llc_stall_probe: ev_l2_i.l2_stall_probe, llc_stall_own: ev_l2_i.l2_stall_own,
      llc_i_to_n: llc.i_to_n, llc_i_to_s: llc.i_to_s, llc_i_to_e: llc.i_to_e, llc_i_to_m: llc.i_to_m,
      llc_n_to_i: llc.n_to_i, llc_n_to_s: llc.n_to_s, llc_s_to_i: llc.s_to_i, llc_s_to_n: llc.s_to_n,
      llc_e_to_i: llc.e_to_i, llc_e_to_n: llc.e_to_n, llc_e_to_s: llc.e_to_s, llc_e_to_m: llc.e_to_m,
      llc_o_to_i: llc.o_to_i, llc_o_to_s: llc.o_to_s, llc_m_to_i: llc.m_to_i, llc_m_to_s: llc.m_to_s,
      llc_m_to_e: llc.m_to_e, llc_m_to_o: llc.m_to_o
  };

  // ---- steps 2, 3
  logic [HOME_COUNTERS-1:0][HOME_INC_W-1:0] inc;
  assign inc = home_increments(ev);
  counter_bank #(.COUNTERS(HOME_COUNTERS), .INC_W(HOME_INC_W), .INCREMENT_W(HOME_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
