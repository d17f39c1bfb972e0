// Misses of a core's TLBs, merged by page: it asks at the translate seam (docs/translate-seam.md) once for each page, and gives the answer to all misses that wait for it.
// Page: docs/blocks/tlb_mshr.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module tlb_mshr
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // control
    input  core_t                core_i,          // number of this core, constant
    input  asid_t                asid_i,
    output logic                 idle_o,
    // lsu (0), itlb (1)
    input  logic [1:0]           miss_valid_i,
    input  miss_t [1:0]          miss_i,
    output logic [1:0]           miss_ready_o,
    output logic [1:0]           walk_valid_o,
    output walk_t [1:0]          walk_o,
    // tlb, itlb and all that wait
    output logic                 walked_valid_o,
    output walked_t              walked_o,
    // warp_locality
    output logic                 missed_valid_o,
    output miss_t                missed_o,
    // the translate seam
    output logic [1:0]           req_valid_o,
    output translate_req_t [1:0] req_o,
    input  logic                 rsp_valid_i,
    input  translate_rsp_t       rsp_i,
    input  logic [TLB_MSHRS-1:0] closed_i,
    // stall_count
    output logic                 stalled_valid_o,
    output stalled_t             stalled_o,
    // shootdown
    input  logic                 inv_valid_i,
    input  inv_t                 inv_i,
    // counters
    output ev_tlb_mshr_t         ev_o
);
  typedef walk_set_t set_t;           // of MSHRs

  set_t valid_q, free;
  vpn_t vpn_q[TLB_MSHRS];
  assign free = ~valid_q;

  // ---- misses (1): whether one merges is known late, so it decides only whether an MSHR is taken -------------------
  set_t [1:0] joins, alloc;
  set_t first, second;                           // the lowest free MSHRs
  logic [1:0] taken, merged;
  logic same_miss;
  always_comb begin
    joins = '0;
    `VL_WHEN(miss_valid_i != '0 && valid_q != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++)
      for (int unsigned p = 0; p < 2; p++) joins[p][k] = valid_q[k] && !closed_i[k] && vpn_q[k] == miss_i[p].vpn;
  end
  assign first = walk_lowest(free);
  assign second = walk_lowest(free & ~first);
  assign miss_ready_o = {(free & ~first) != '0, free != '0};
  assign taken = miss_valid_i & miss_ready_o;
  assign same_miss = miss_valid_i[0] && miss_i[0].vpn == miss_i[1].vpn;
  assign merged[0] = taken[0] && joins[0] != '0;
  assign merged[1] = taken[1] && (joins[1] != '0 || same_miss);
  assign alloc[0] = (taken[0] && !merged[0]) ? first : '0;
  assign alloc[1] = (taken[1] && !merged[1]) ? second : '0;

  // ---- warps that wait for a miss: of those that join one at this edge the lowest of several -----------------------
  logic [TLB_MSHRS-1:0][5:0] warps_q;
  set_t [1:0] joined;
  always_comb begin
    joined = '0;
    `VL_WHEN(merged != '0) for (int unsigned p = 0; p < 2; p++) if (merged[p]) joined[p] = (joins[p] != '0) ? walk_lowest(joins[p]) : alloc[0];
  end
  // One more, or two; 63 stays.
  function automatic logic [5:0] more(input logic [5:0] warps, input logic one, input logic two);
    logic [6:0] sum = 7'(warps) + 7'(one) + 7'(two);
    return sum[6] ? 6'd63 : sum[5:0];
  endfunction

  // ---- ends (2) -----------------------------------------------------------------------------------------------------
  logic concerns, ends;
  vpn_t vpn;                                     // of the MSHR that ends, and its warps
  logic [5:0] warps;
  assign concerns = inv_valid_i && (inv_i.scope != INV_ASID || inv_i.asid == asid_i);
  assign ends = rsp_valid_i && !concerns;
  always_comb begin
    {vpn, warps} = '0;
    `VL_WHEN(rsp_valid_i) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (rsp_i.id == walk_t'(k)) {vpn, warps} |= {vpn_q[k], warps_q[k]};
  end

  // ---- the warp of the miss that began each (locality_entries above 0) ------------------------------------------------
  warp_t warp;                                   // of the MSHR that ends
  if (LOCALITY_ENTRIES > 0) begin : g_warp
    warp_t warp_q[TLB_MSHRS];
    always_ff @(posedge clk_i)
      `VL_WHEN(taken != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (free[k]) warp_q[k] <= miss_i[!first[k]].warp;
    always_comb begin
      warp = '0;
      `VL_WHEN(rsp_valid_i) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (rsp_i.id == walk_t'(k)) warp |= warp_q[k];
    end
  end else begin : g_no_warp
    assign warp = '0;
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  logic [1:0] walk_valid_q, req_valid_q;
  set_t [1:0] joins_q;                           // walks that the miss may join
  walk_t [1:0] fresh_q;                          // the MSHR that it gets otherwise, and requests with
  logic same_miss_q, ended_valid_q;
  miss_t [1:0] miss_q;
  core_t core_q;
  asid_t asid_q;
  walked_t ended_q;
  logic [5:0] warps_ended_q;
  ev_tlb_mshr_t ev_q;
  always_ff @(posedge clk_i) begin
    // A free MSHR stores the miss in any case.
    `VL_WHEN(taken != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (free[k]) vpn_q[k] <= miss_i[!first[k]].vpn;
    `VL_WHEN(taken != '0) begin
      joins_q <= joins;
      fresh_q <= {walk_index(second), walk_index(first)};
      same_miss_q <= same_miss;
      miss_q <= miss_i;
    end
    `VL_WHEN(taken != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++)
      if (alloc[0][k] || alloc[1][k]) warps_q[k] <= 6'd1 + 6'(joined[1][k]);
      else warps_q[k] <= more(warps_q[k], joined[0][k], joined[1][k]);
    `VL_WHEN(ends) warps_ended_q <= warps;
    core_q <= core_i;
    asid_q <= asid_i;
    `VL_WHEN(ends) ended_q <= '{walk: rsp_i.id, result: rsp_i.result, vpn: vpn, asid: asid_i, leaf: rsp_i.leaf, warp: warp};

    if (rst_i) begin
      valid_q <= '0;
      walk_valid_q <= '0;
      req_valid_q <= '0;
      ended_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      for (int unsigned k = 0; k < TLB_MSHRS; k++)
        if (alloc[0][k] || alloc[1][k]) valid_q[k] <= 1'b1;
        else if (ends && rsp_i.id == walk_t'(k)) valid_q[k] <= 1'b0;
      walk_valid_q <= taken;
      req_valid_q <= taken & ~merged;
      ended_valid_q <= ends;
      ev_q <= '0;
      ev_q.ptw_misses <= 2'($countones(taken));
      ev_q.ptw_merges <= 2'($countones(merged));
      ev_q.ptw_walks <= 2'($countones(taken & ~merged));
      ev_q.ptw_ends <= ends;
      ev_q.ptw_page_faults <= ends && rsp_i.result == WALK_PAGE;
      ev_q.ptw_access_faults <= ends && rsp_i.result == WALK_ACCESS;
      ev_q.ptw_super <= ends && rsp_i.result == WALK_OK && rsp_i.leaf.level != '0;
      ev_q.ptw_busy <= 7'($countones(valid_q));
      ev_q.ptw_restarts <= concerns ? 7'($countones(valid_q)) : '0;
    end
  end
  assign walk_valid_o = walk_valid_q;
  assign walk_o[0] = (joins_q[0] != '0) ? walk_index(walk_lowest(joins_q[0])) : fresh_q[0];
  assign walk_o[1] = (joins_q[1] != '0) ? walk_index(walk_lowest(joins_q[1])) : fresh_q[!same_miss_q];
  assign req_valid_o = req_valid_q;
  for (genvar p = 0; p < 2; p++) begin : gen_req
    assign req_o[p] = '{core: core_q, id: fresh_q[p], asid: asid_q, vpn: miss_q[p].vpn, access: miss_q[p].access, warp: miss_q[p].warp};
  end
  assign missed_valid_o = walk_valid_q[0];
  assign missed_o = miss_q[0];
  assign walked_valid_o = ended_valid_q;
  assign walked_o = ended_q;
  assign stalled_valid_o = ended_valid_q;
  assign stalled_o = '{asid: ended_q.asid, warps: warps_ended_q};
  assign idle_o = valid_q == '0 && !ended_valid_q && walk_valid_q == '0;
  assign ev_o = ev_q;

  // The other side of the seam.
  `VL_ASSERT(answers_are_of_open_ids, !rsp_valid_i || ((valid_q >> rsp_i.id) & set_t'(1)) != '0)
  `VL_ASSERT(nobody_joins_what_is_answered, !rsp_valid_i || ((closed_i >> rsp_i.id) & set_t'(1)) != '0)
  `VL_ASSERT(open_ids_alone_are_closed, (closed_i & ~valid_q) == '0)
  `VL_ASSERT(answers_come_after_requests, !rsp_valid_i || ((!req_valid_q[0] || fresh_q[0] != rsp_i.id) && (!req_valid_q[1] || fresh_q[1] != rsp_i.id)))
endmodule
