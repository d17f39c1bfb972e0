// L1 TLB of a core for loads and stores: TLB_PORTS look-ups a cycle in the main array (4 KB) and among the larger leaves, answered in the next cycle; fills of
// ended walks; shootdown. An invalidation of less than all is a scan that borrows look-up port 0. Page: docs/blocks/tlb.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module tlb
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  policy_t                policy_i,
    // lsu
    input  logic [TLB_PORTS-1:0]   look_valid_i,
    input  look_t [TLB_PORTS-1:0]  look_i,
    input  asid_t                  asid_i,
    output logic                   look_ready_o,
    output logic [TLB_PORTS-1:0]   found_valid_o,
    output found_t [TLB_PORTS-1:0] found_o,
    // ptw
    input  logic                   fill_valid_i,
    input  walked_t                fill_i,
    // shootdown
    input  logic                   inv_valid_i,
    input  inv_t                   inv_i,
    output logic                   inv_done_o,
    // warp_locality, common_page
    output logic [TLB_PORTS-1:0]   touch_valid_o,
    output page_touch_t [TLB_PORTS-1:0] touch_o,
    output logic                   kept_valid_o,
    output tlb_entry_t             kept_o,
    output logic                   page_out_valid_o,
    output page_out_t              page_out_o,
    // counters
    output ev_tlb_t                ev_o
);
  localparam int unsigned SETS = TLB_ENTRIES / TLB_WAYS;
  localparam int unsigned SET_W = idx_w(SETS);
  typedef logic [SET_W-1:0] set_t;

  logic scan_valid_q, done_q;
  inv_t scan_q;                           // INV_ASID: the low bits of the page number are the set
  set_t scan_set;
  logic kill_all, kill_page, kill_asid, scan_ends;

  // ---- look-ups, or the scan on port 0 (1, 2) ---------------------------------------------------------------------
  logic [TLB_PORTS-1:0] look, store;
  vpn_t [TLB_PORTS-1:0] vpn;
  asid_t asid;
  logic [TLB_PORTS-1:0] match, allow, super_match, super_allow, hit, hit_super, denied;
  ppn_t [TLB_PORTS-1:0] ppn, super_ppn;
  always_comb begin
    for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      look[p] = look_valid_i[p] && !scan_valid_q;
      store[p] = look_i[p].store;
      vpn[p] = look_i[p].vpn;
    end
    if (scan_valid_q) begin
      vpn[0] = scan_q.vpn;
    end
    asid = scan_valid_q ? scan_q.asid : asid_i;
  end
  assign scan_set = scan_q.vpn[SET_W-1:0];
  assign kill_page = scan_valid_q && scan_q.scope == INV_PAGE;
  assign kill_asid = scan_valid_q && scan_q.scope != INV_PAGE;
  assign scan_ends = kill_page || (kill_asid && 32'(scan_set) == SETS - 1);
  assign kill_all = inv_valid_i && inv_i.scope == INV_ALL;

  // ---- fill (4) -------------------------------------------------------------------------------------------------
  logic covered, keep, keep_main, keep_super, evict_main, evict_super;
  assign covered = (inv_valid_i && covers(inv_i, fill_i.vpn, fill_i.asid, fill_i.leaf.glob, fill_i.leaf.level))
      || (scan_valid_q && covers(scan_q, fill_i.vpn, fill_i.asid, fill_i.leaf.glob, fill_i.leaf.level));
  assign keep = fill_valid_i && fill_i.result == WALK_OK && (fill_i.leaf.r || fill_i.leaf.w) && !covered;
  assign keep_main = keep && fill_i.leaf.level == '0;
  assign keep_super = keep && fill_i.leaf.level != '0;

  logic [TLB_WAYS-1:0] random_way;
  logic [TLB_SUPER-1:0] random_super;
  tlb_random u_random (
      .clk_i, .rst_i, .on_i(policy_i.tlb_replace == REPLACE_RANDOM), .step_i(keep), .way_o(random_way), .super_o(random_super)
  );

  vpn_t out_vpn;
  warp_t out_of, touched_by;
  logic [TLB_PORTS-1:0] touched;
  logic [TLB_PORTS-1:0][1:0] depth;
  tlb_entry_t [TLB_PORTS-1:0] entry;
  logic filled;
  tlb_entry_t filled_entry;
  warp_t look_warp;
  always_comb begin
    look_warp = '0;
    for (int unsigned p = 0; p < TLB_PORTS; p++) if (look[p]) look_warp |= look_i[p].warp;
  end
  tlb_set u_main (
      .clk_i, .rst_i, .look_i(look), .vpn_i(vpn), .store_i(store), .asid_i(asid), .match_o(match), .allow_o(allow), .ppn_o(ppn),
      .kill_all_i(kill_all), .kill_page_i(kill_page), .kill_asid_i(kill_asid),
      .fill_i(keep_main), .fill_vpn_i(fill_i.vpn), .fill_asid_i(fill_i.asid), .fill_leaf_i(fill_i.leaf), .random_i(random_way),
      .evict_o(evict_main), .evict_vpn_o(out_vpn),
      .warp_i(look_warp), .fill_warp_i(fill_i.warp), .evict_of_o(out_of), .touched_o(touched), .touched_by_o(touched_by), .depth_o(depth),
      .entry_o(entry), .filled_o(filled), .filled_entry_o(filled_entry)
  );
  tlb_super u_super (
      .clk_i, .rst_i, .look_i(look), .mask_i(match), .vpn_i(vpn), .store_i(store), .asid_i(asid), .match_o(super_match), .allow_o(super_allow),
      .ppn_o(super_ppn), .kill_all_i(kill_all), .kill_page_i(kill_page), .kill_asid_i(kill_asid),
      .fill_i(keep_super), .fill_vpn_i(fill_i.vpn), .fill_asid_i(fill_i.asid), .fill_leaf_i(fill_i.leaf), .random_i(random_super),
      .evict_o(evict_super)
  );

  assign hit_super = look & ~match & super_allow;
  assign hit = (look & allow) | hit_super;
  assign denied = look & (match | super_match) & ~hit;

  // ---- registers ------------------------------------------------------------------------------------------------
  logic [TLB_PORTS-1:0] found_valid_q, found_hit, hit_super_q, denied_q;
  found_t [TLB_PORTS-1:0] found_q;
  ev_tlb_t ev_q;
  always_ff @(posedge clk_i) begin
    // 1
    found_valid_q <= rst_i ? '0 : look;
    for (int unsigned p = 0; p < TLB_PORTS; p++)
      found_q[p] <= '{hit: hit[p] && !rst_i, ppn: ppn[p] | (hit_super[p] ? super_ppn[p] : '0)};
    // 2, 3
    scan_valid_q <= !rst_i && (scan_valid_q ? !scan_ends : inv_valid_i && !kill_all);
    if (inv_valid_i) begin
      scan_q <= inv_i;
      if (inv_i.scope != INV_PAGE) scan_q.vpn[SET_W-1:0] <= '0;
    end else if (kill_asid) scan_q.vpn[SET_W-1:0] <= scan_set + 1'b1;
    done_q <= !rst_i && (kill_all || scan_ends);
    // events: look-ups are counted behind registers
    hit_super_q <= rst_i ? '0 : hit_super;
    denied_q <= rst_i ? '0 : denied;
    ev_q <= '0;
    if (!rst_i) begin
      ev_q.tlb_fills <= keep;
      ev_q.tlb_evicts <= (keep_main && evict_main) || (keep_super && evict_super);
      ev_q.tlb_invs <= inv_valid_i;
    end
  end
  // For warp_locality: the evicted page. For it and common_page: touched entries. For common_page: the filled entry.
  if (LOCALITY_ENTRIES > 0) begin : g_locality
    logic page_out_valid_q;
    page_out_t page_out_q;
    always_ff @(posedge clk_i) begin
      page_out_valid_q <= keep_main && evict_main && !rst_i;
      page_out_q <= '{of: out_of, vpn: out_vpn};
    end
    assign page_out_valid_o = page_out_valid_q;
    assign page_out_o = page_out_q;
  end else begin : g_no_locality
    assign page_out_valid_o = 1'b0;
    assign page_out_o = '0;
  end
  assign touch_valid_o = touched;
  for (genvar p = 0; p < TLB_PORTS; p++) assign touch_o[p] = '{warp: touched_by, depth: depth[p], entry: entry[p]};
  assign kept_valid_o = (CPM_BITS > 0) && filled;
  assign kept_o = (CPM_BITS > 0) ? filled_entry : '0;
  assign look_ready_o = !scan_valid_q;
  assign found_valid_o = found_valid_q;
  assign found_o = found_q;
  assign inv_done_o = done_q;
  always_comb begin
    for (int unsigned p = 0; p < TLB_PORTS; p++) found_hit[p] = found_q[p].hit;
    ev_o = ev_q;
    ev_o.tlb_lookups = 6'($countones(found_valid_q));
    ev_o.tlb_hits = 6'($countones(found_hit));
    ev_o.tlb_hits_super = 6'($countones(hit_super_q));
    ev_o.tlb_misses = 6'($countones(found_valid_q & ~found_hit));
    ev_o.tlb_denied = 6'($countones(denied_q));
  end

  `VL_ASSERT(one_invalidation_at_a_time, !inv_valid_i || !scan_valid_q)
  `VL_ASSERT(covered_fill_is_not_kept, !(covered && (keep_main || keep_super)))
  logic one_warp;
  always_comb begin
    one_warp = 1'b1;
    for (int unsigned p = 0; p < TLB_PORTS; p++) if (look[p] && look_i[p].warp != look_warp) one_warp = 1'b0;
  end
  `VL_ASSERT(looks_are_of_one_warp, one_warp)
  `VL_ASSERT(fill_goes_to_one_array, !(keep_main && keep_super))
endmodule
