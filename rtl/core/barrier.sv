// Workgroup barriers: counts the warps of each group that wait, releases them together once none of their stores is left in the LSU; a group of which
// a warp has ended faults. Page: docs/blocks/barrier.md (step numbers are the page's). Latency: last arrival to release two cycles, when nothing is left.
`include "vl_assert.svh"
module barrier
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import core_pkg::*;
  import perf_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    // from launch
    input  logic        start_valid_i,
    input  start_t      start_i,
    // from simt
    input  logic        arrive_valid_i,
    input  bar_arrive_t arrive_i,
    input  logic        warp_done_valid_i,
    input  warp_t       warp_done_i,
    // from lsu
    input  warp_mask_t  unsent_i,          // warps with global accesses that have not gone to the L1D
    // to issue
    output logic        release_valid_o,
    output warp_mask_t  release_o,
    // to status
    output logic        fault_valid_o,
    output fault_t      fault_o,
    output ev_barrier_t ev_o
);
  typedef logic [WARP_W:0] count_t;
  slot_t [WARPS-1:0] wslot_q;
  warp_mask_t waiting_q;
  count_t [GROUPS-1:0] size_q, arrived_q, ended_q;

  // ---- step 2: an end
  slot_t d_slot;
  count_t d_ended;
  logic d_fault;
  warp_mask_t d_waiting, d_first;
  warp_t d_warp;
  assign d_slot = wslot_q[warp_done_i];
  assign d_ended = ended_q[d_slot] + 1'b1;
  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) d_waiting[w] = waiting_q[w] && wslot_q[w] == d_slot;
    d_first = d_waiting & (~d_waiting + 1'b1);
    d_warp = '0;
    for (int unsigned w = 0; w < WARPS; w++) if (d_first[w]) d_warp |= WARP_W'(w);
  end
  assign d_fault = warp_done_valid_i && d_waiting != '0;

  // ---- step 3: an arrival
  slot_t a_slot;
  logic a_fault;
  assign a_slot = wslot_q[arrive_i.warp];
  assign a_fault = arrive_valid_i && (ended_q[a_slot] != '0 || (warp_done_valid_i && d_slot == a_slot));

  // ---- step 4: a release
  typedef logic [GROUPS-1:0] groups_t;
  groups_t full, held, go;
  warp_mask_t gone;
  always_comb begin
    held = '0;
    for (int unsigned g = 0; g < GROUPS; g++) begin
      full[g] = arrived_q[g] != '0 && arrived_q[g] == size_q[g];
      for (int unsigned w = 0; w < WARPS; w++) if (waiting_q[w] && unsent_i[w] && wslot_q[w] == slot_t'(g)) held[g] = 1'b1;
    end
    go = full & ~held;
    go = go & (~go + 1'b1);
    for (int unsigned w = 0; w < WARPS; w++) gone[w] = waiting_q[w] && go[wslot_q[w]];
  end

  // Where each warp waits, for the report.
  pc_t d_pc;
  thread_mask_t d_tmask;
  ram_lut #(.DEPTH(WARPS), .WIDTH(PA_W + THREADS)) u_where (
      .clk_i, .we_i(arrive_valid_i), .waddr_i(arrive_i.warp), .wdata_i({arrive_i.pc, arrive_i.tmask}), .raddr_i(d_warp), .rdata_o({d_pc, d_tmask}));

  function automatic logic [6:0] ones(input warp_mask_t m);
    ones = '0;
    for (int unsigned w = 0; w < WARPS; w++) ones += 7'(m[w]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      waiting_q <= '0;
      arrived_q <= '0;
      ended_q <= '0;
      release_valid_o <= 1'b0;
      fault_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      if (start_valid_i) begin  // step 1
        wslot_q[start_i.warp] <= start_i.slot;
        size_q[start_i.slot] <= start_i.group_warps;
      end
      if (warp_done_valid_i) ended_q[d_slot] <= (d_ended == size_q[d_slot]) ? '0 : d_ended;
      if (arrive_valid_i) arrived_q[a_slot] <= arrived_q[a_slot] + 1'b1;
      for (int unsigned g = 0; g < GROUPS; g++) if (go[g]) arrived_q[g] <= '0;
      waiting_q <= (waiting_q & ~gone) | (arrive_valid_i ? warp_mask_t'(1) << arrive_i.warp : '0);
      release_valid_o <= go != '0;  // step 5
      fault_valid_o <= d_fault || a_fault;
      ev_o <= '{barriers: go != '0, barrier_wait: ones(waiting_q)};
    end
    if (go != '0) release_o <= gone;
    if (d_fault || a_fault)
      fault_o <= '{
          cause: FAULT_BARRIER, warp: d_fault ? d_warp : arrive_i.warp, pc: d_fault ? d_pc : arrive_i.pc, value: 64'd1,
          mask: d_fault ? d_tmask : arrive_i.tmask};
  end
  `VL_ASSERT(arrives_once, !arrive_valid_i || !waiting_q[arrive_i.warp])
  `VL_ASSERT(none_arrives_at_a_full_group, !arrive_valid_i || !full[a_slot])
endmodule
