// Walks under way and warps stalled of each application, the greatest of an epoch: the inputs of equation 1 of MASK. It is between ctrl, with its register QUOTA_IN, which may be used
// instead, and the memory side. Page: docs/blocks/stall_count.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module stall_count
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, memside_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   rst_i,
    // ctrl
    input  mem_ctl_t               ctl_i,
    input  logic                   epoch_i,
    // address spaces
    input  root_t [CORES-1:0]      root_i,
    input  kslot_t [CORES-1:0]     owner_i,
    // l2_tlb_mshr, tlb_mshr of each core
    input  logic [KERNELS-1:0][6:0] walks_i,
    input  logic [CORES-1:0]       stalled_valid_i,
    input  stalled_t [CORES-1:0]   stalled_i,
    // memory side
    output mem_ctl_t               ctl_o,
    output logic                   epoch_o
);
  typedef logic [APPS-1:0][5:0] counts_t;
  typedef logic [APPS-1:0] apps_t;

  // The lowest valid application of an address space, one-hot; 0: none.
  function automatic apps_t app_of(input sched_policy_t policy, input asid_t asid);
    apps_t of;
    for (int unsigned a = 0; a < APPS; a++) of[a] = policy.app_valid[a] && policy.app_asid[a] == asid;
    return of & (~of + 1'b1);
  endfunction

  // ---- of each slot the root of its lowest core -------------------------------------------------------------------
  asid_t [KERNELS-1:0] asid;
  always_comb
    for (int unsigned k = 0; k < KERNELS; k++) begin
      asid[k] = '0;
      for (int unsigned c = CORES; c > 0; c--) if (32'(owner_i[c-1]) == k) asid[k] = root_i[c-1].asid;
    end

  // ---- 1 --------------------------------------------------------------------------------------------------------
  counts_t con_q, warps_q, con, warps;           // of this epoch
  counts_t last_con_q, last_warps_q, last_con, last_warps;
  apps_t [KERNELS-1:0] slot_app;
  apps_t [CORES-1:0] core_app;
  always_comb begin
    for (int unsigned k = 0; k < KERNELS; k++) slot_app[k] = app_of(ctl_i.sched, asid[k]);
    for (int unsigned c = 0; c < CORES; c++) core_app[c] = stalled_valid_i[c] ? app_of(ctl_i.sched, stalled_i[c].asid) : '0;
    for (int unsigned a = 0; a < APPS; a++) begin
      logic [10:0] sum;                          // 16 slots of at most 64 walks
      sum = '0;
      for (int unsigned k = 0; k < KERNELS; k++) if (slot_app[k][a]) sum += 11'(walks_i[k]);
      if (sum > 11'd63) sum = 11'd63;
      con[a] = (sum[5:0] > con_q[a]) ? sum[5:0] : con_q[a];
      warps[a] = warps_q[a];
      for (int unsigned c = 0; c < CORES; c++) if (core_app[c][a] && stalled_i[c].warps > warps[a]) warps[a] = stalled_i[c].warps;
    end
  end

  // ---- 2, 3 -----------------------------------------------------------------------------------------------------
  assign last_con = epoch_i ? con : last_con_q;
  assign last_warps = epoch_i ? warps : last_warps_q;
  mem_ctl_t ctl_q, ctl;
  logic epoch_q;
  always_comb begin
    ctl = ctl_i;
    if (ctl_i.inputs == INPUTS_COUNTED) begin
      ctl.con_ptw = last_con;
      ctl.warps = last_warps;
    end
  end
  always_ff @(posedge clk_i)
    if (rst_i) begin
      con_q <= '0;
      warps_q <= '0;
      last_con_q <= '0;
      last_warps_q <= '0;
      ctl_q <= '0;
      epoch_q <= 1'b0;
    end else begin
      con_q <= epoch_i ? '0 : con;
      warps_q <= epoch_i ? '0 : warps;
      last_con_q <= last_con;
      last_warps_q <= last_warps;
      ctl_q <= ctl;
      epoch_q <= epoch_i;
    end
  assign ctl_o = ctl_q;
  assign epoch_o = epoch_q;
endmodule
