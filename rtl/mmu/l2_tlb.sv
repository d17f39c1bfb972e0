// Shared L2 TLB, behind the translate seam with translation = shared: L2_TLB_PORTS look-ups a cycle in the main array (4 KB) and among the larger leaves; hits
// and misses leave L2_TLB_LATENCY cycles after the request; fills of ended walks; shootdown. An invalidation of less than all is a scan that borrows look-up port 0.
// Page: docs/blocks/l2_tlb.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2_tlb
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                                clk_i,
    input  logic                                rst_i,
    // control
    input  logic                                on_i,           // 0: every request is a miss, no leaf is kept
    input  kslot_t [CORES-1:0]                  owner_i,        // kernel of each core
    input  tokens_t [KERNELS-1:0]               tokens_i,       // fill_tokens: which of its warps may fill
    output logic [L2_TLB_PORTS-1:0]             look_valid_o,
    output l2_look_t [L2_TLB_PORTS-1:0]         look_o,
    // ask_net
    input  logic [L2_TLB_PORTS-1:0]             req_valid_i,
    input  translate_req_t [L2_TLB_PORTS-1:0]   req_i,
    output logic [L2_TLB_PORTS-1:0]             req_ready_o,
    // ans_net
    output logic [L2_TLB_PORTS-1:0]             ans_valid_o,
    output translate_ans_t [L2_TLB_PORTS-1:0]   ans_o,
    input  logic [L2_TLB_PORTS-1:0]             ans_ready_i,
    // l2_tlb_mshr
    output logic [L2_TLB_PORTS-1:0]             miss_valid_o,
    output translate_req_t [L2_TLB_PORTS-1:0]   miss_o,
    input  logic                                fill_valid_i,
    input  l2_fill_t                            fill_i,
    // shootdown
    input  logic                                inv_valid_i,
    input  inv_t                                inv_i,
    output logic                                inv_done_o,
    // counters
    output ev_l2_tlb_t                          ev_o
);
  localparam int unsigned SETS = L2_TLB_ENTRIES / L2_TLB_WAYS;
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned LINE = L2_TLB_LATENCY - 2;
  localparam int unsigned QUEUE = L2_TLB_LATENCY + 1;
  localparam int unsigned COUNT_W = $clog2(QUEUE + 1);
  typedef logic [SET_W-1:0] set_t;
  typedef logic [L2_TLB_PORTS-1:0] ports_t;
  typedef struct packed {
    logic hit;
    translate_req_t req;
    leaf_t leaf;
  } stage_t;

  // ---- requests (1) ---------------------------------------------------------------------------------------------
  logic scan_valid_q, done_q;
  inv_t scan_q;                            // INV_ASID: the low bits of the page number are the set
  ports_t taken, look_q, room_q;
  translate_req_t [L2_TLB_PORTS-1:0] look_req_q;
  assign req_ready_o = scan_valid_q ? '0 : room_q;
  assign taken = req_valid_i & req_ready_o;

  // ---- look-ups, or the scan on port 0 (2, 5) ---------------------------------------------------------------------
  logic scans, kill_all, kill_page, kill_asid, scan_ends;
  set_t scan_set;
  vpn_t [L2_TLB_PORTS-1:0] vpn;
  asid_t [L2_TLB_PORTS-1:0] asid;
  access_e [L2_TLB_PORTS-1:0] access;
  ports_t looks, match, serve, super_match, super_serve, bypass_match, bypass_serve, hit, hit_super, hit_bypass, denied;
  leaf_t [L2_TLB_PORTS-1:0] main_leaf, super_leaf, bypass_leaf;
  stage_t [L2_TLB_PORTS-1:0] looked;
  assign looks = on_i ? look_q : '0;
  assign scans = scan_valid_q && look_q == '0;
  assign scan_set = scan_q.vpn[SET_W-1:0];
  assign kill_page = scans && scan_q.scope == INV_PAGE;
  assign kill_asid = scans && scan_q.scope != INV_PAGE;
  assign scan_ends = kill_page || (kill_asid && (SETS == 1 || 32'(scan_set) == SETS - 1));
  assign kill_all = inv_valid_i && inv_i.scope == INV_ALL;
  always_comb begin
    for (int unsigned p = 0; p < L2_TLB_PORTS; p++) begin
      vpn[p] = look_req_q[p].vpn;
      asid[p] = look_req_q[p].asid;
      access[p] = look_req_q[p].access;
    end
    if (scans) begin
      vpn[0] = scan_q.vpn;
      asid[0] = scan_q.asid;
    end
  end

  // ---- fill (7) -------------------------------------------------------------------------------------------------
  logic covered, keep, may, keep_main, keep_super, keep_bypass, same_main, same_super, evict_main, evict_super, evict_bypass;
  tokens_t tokens;
  assign covered = (inv_valid_i && covers(inv_i, fill_i.vpn, fill_i.asid, fill_i.leaf.glob, fill_i.leaf.level))
      || (scan_valid_q && covers(scan_q, fill_i.vpn, fill_i.asid, fill_i.leaf.glob, fill_i.leaf.level));
  assign keep = fill_valid_i && on_i && !covered;
  assign tokens = tokens_i[owner_i[fill_i.core][KSLOT_W-1:0]];
  assign may = tokens.all || (WARP_W+1)'(fill_i.warp) < tokens.tokens;
  assign keep_main = keep && fill_i.leaf.level == '0 && (may || same_main);
  assign keep_super = keep && fill_i.leaf.level != '0 && (may || same_super);
  assign keep_bypass = keep && !keep_main && !keep_super;

  l2_tlb_set u_main (
      .clk_i, .rst_i, .look_i(looks), .vpn_i(vpn), .asid_i(asid), .access_i(access), .match_o(match), .serve_o(serve), .leaf_o(main_leaf),
      .kill_all_i(kill_all), .kill_page_i(kill_page), .kill_asid_i(kill_asid), .fill_i(keep_main), .fill_payload_i(fill_i), .same_o(same_main),
      .evict_o(evict_main)
  );
  l2_tlb_super u_super (
      .clk_i, .rst_i, .look_i(looks), .mask_i(match), .vpn_i(vpn), .asid_i(asid), .access_i(access), .match_o(super_match), .serve_o(super_serve), .leaf_o(super_leaf),
      .kill_all_i(kill_all), .kill_page_i(kill_page), .kill_asid_i(kill_asid), .offer_i(keep && fill_i.leaf.level != '0), .fill_i(keep_super),
      .fill_payload_i(fill_i), .same_o(same_super), .evict_o(evict_super)
  );
  l2_tlb_super #(.N(L2_TLB_BYPASS), .SMALL(1'b1)) u_bypass (
      .clk_i, .rst_i, .look_i(looks), .mask_i(match | super_match), .vpn_i(vpn), .asid_i(asid), .access_i(access), .match_o(bypass_match), .serve_o(bypass_serve), .leaf_o(bypass_leaf),
      .kill_all_i(kill_all), .kill_page_i(kill_page), .kill_asid_i(kill_asid), .offer_i(keep), .fill_i(keep_bypass), .fill_payload_i(fill_i), .same_o(), .evict_o(evict_bypass)
  );
  // The first array that matches counts.
  assign hit_super = looks & ~match & super_serve;
  assign hit_bypass = looks & ~match & ~super_match & bypass_serve;
  assign hit = (looks & serve) | hit_super | hit_bypass;
  assign denied = looks & (match | super_match | bypass_match) & ~hit;
  always_comb begin
    looked = '0;
    `VL_WHEN(look_q != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++)
      looked[p] = '{hit: hit[p], req: look_req_q[p], leaf: main_leaf[p] | (hit_super[p] ? super_leaf[p] : leaf_t'(0)) | (hit_bypass[p] ? bypass_leaf[p] : leaf_t'(0))};
  end

  // The kernel of each look-up, of the first four.
  ports_t of_slot[4];
  always_comb
    for (int unsigned k = 0; k < 4; k++) begin
      of_slot[k] = '0;
      `VL_WHEN(look_q != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) of_slot[k][p] = look_q[p] && 32'(owner_i[look_req_q[p].core]) == k;
    end

  // ---- line, answers (3, 4) ---------------------------------------------------------------------------------------
  ports_t line_q[LINE];
  stage_t [L2_TLB_PORTS-1:0] stage_q[LINE];
  ports_t last, last_hit, misses, miss_q;
  translate_req_t [L2_TLB_PORTS-1:0] miss_req_q;
  logic [L2_TLB_PORTS-1:0][COUNT_W-1:0] count_q, count;
  ports_t has_room;
  assign last = line_q[LINE-1];
  assign misses = on_i ? last & ~last_hit : look_q;   // off: from the look-up
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
    translate_ans_t ans;
    logic queue_ready;
    assign last_hit[p] = stage_q[LINE-1][p].hit;
    assign ans = '{core: stage_q[LINE-1][p].req.core, rsp: '{id: stage_q[LINE-1][p].req.id, result: WALK_OK, leaf: stage_q[LINE-1][p].leaf}};
    fifo #(.T(translate_ans_t), .DEPTH(QUEUE)) u_hits (
        .clk_i, .rst_i, .valid_i(last[p] && last_hit[p]), .ready_o(queue_ready), .data_i(ans), .valid_o(ans_valid_o[p]), .ready_i(ans_ready_i[p]), .data_o(ans_o[p])
    );
    assign count[p] = count_q[p] + COUNT_W'(taken[p]) - COUNT_W'(misses[p]) - COUNT_W'(ans_valid_o[p] && ans_ready_i[p]);
    assign has_room[p] = 32'(count[p]) != QUEUE;
    `VL_ASSERT(hits_have_room, queue_ready || !last[p] || !last_hit[p])
    `VL_ASSERT(count_in_range, 32'(count_q[p]) <= QUEUE)
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  ports_t look_valid_q;
  l2_look_t [L2_TLB_PORTS-1:0] seen_q;
  ev_l2_tlb_t ev_q;
  always_ff @(posedge clk_i) begin
    `VL_WHEN(taken != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (taken[p]) look_req_q[p] <= req_i[p];
    `VL_WHEN(looks != '0) stage_q[0] <= looked;
    for (int unsigned k = 1; k < LINE; k++) `VL_WHEN(line_q[k-1] != '0) stage_q[k] <= stage_q[k-1];
    `VL_WHEN(misses != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) miss_req_q[p] <= on_i ? stage_q[LINE-1][p].req : look_req_q[p];
    `VL_WHEN(look_q != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++)
      seen_q[p] <= '{core: look_req_q[p].core, warp: look_req_q[p].warp, asid: look_req_q[p].asid, hit: hit[p]};
    if (inv_valid_i) begin
      scan_q <= inv_i;
      if (inv_i.scope != INV_PAGE) scan_q.vpn[SET_W-1:0] <= '0;
    end else if (kill_asid) scan_q.vpn[SET_W-1:0] <= scan_set + 1'b1;

    if (rst_i) begin
      look_q <= '0;
      look_valid_q <= '0;
      for (int unsigned k = 0; k < LINE; k++) line_q[k] <= '0;
      miss_q <= '0;
      count_q <= '0;
      room_q <= '1;
      scan_valid_q <= 1'b0;
      done_q <= 1'b0;
      ev_q <= '0;
    end else begin
      look_q <= taken;
      look_valid_q <= look_q;
      line_q[0] <= looks;
      for (int unsigned k = 1; k < LINE; k++) line_q[k] <= line_q[k-1];
      miss_q <= misses;
      count_q <= count;
      room_q <= has_room;
      // 5, 6
      scan_valid_q <= scan_valid_q ? !scan_ends : inv_valid_i && !kill_all;
      done_q <= kill_all || scan_ends;
      // events
      ev_q <= '0;
      ev_q.l2_tlb_lookups <= 4'($countones(look_q));
      ev_q.l2_tlb_hits <= 4'($countones(hit));
      ev_q.l2_tlb_hits_super <= 4'($countones(hit_super));
      ev_q.l2_tlb_hits_bypass <= 4'($countones(hit_bypass));
      ev_q.l2_tlb_misses <= 4'($countones(look_q & ~hit));
      ev_q.l2_tlb_denied <= 4'($countones(denied));
      ev_q.l2_tlb_stalls <= 4'($countones(req_valid_i & ~req_ready_o));
      ev_q.l2_tlb_fills <= keep;
      ev_q.l2_tlb_fills_bypass <= keep_bypass;
      ev_q.l2_tlb_evicts <= (keep_main && evict_main) || (keep_super && evict_super) || (keep_bypass && evict_bypass);
      ev_q.l2_tlb_invs <= inv_valid_i;
      ev_q.l2_tlb_lookups_k0 <= 4'($countones(of_slot[0]));
      ev_q.l2_tlb_lookups_k1 <= 4'($countones(of_slot[1]));
      ev_q.l2_tlb_lookups_k2 <= 4'($countones(of_slot[2]));
      ev_q.l2_tlb_lookups_k3 <= 4'($countones(of_slot[3]));
      ev_q.l2_tlb_hits_k0 <= 4'($countones(of_slot[0] & hit));
      ev_q.l2_tlb_hits_k1 <= 4'($countones(of_slot[1] & hit));
      ev_q.l2_tlb_hits_k2 <= 4'($countones(of_slot[2] & hit));
      ev_q.l2_tlb_hits_k3 <= 4'($countones(of_slot[3] & hit));
      ev_q.l2_tlb_bypass_k0 <= 4'($countones(of_slot[0] & hit_bypass));
      ev_q.l2_tlb_bypass_k1 <= 4'($countones(of_slot[1] & hit_bypass));
      ev_q.l2_tlb_bypass_k2 <= 4'($countones(of_slot[2] & hit_bypass));
      ev_q.l2_tlb_bypass_k3 <= 4'($countones(of_slot[3] & hit_bypass));
    end
  end
  assign miss_valid_o = miss_q;
  assign miss_o = miss_req_q;
  assign look_valid_o = look_valid_q;
  assign look_o = seen_q;
  assign inv_done_o = done_q;
  assign ev_o = ev_q;

  `VL_ASSERT(one_invalidation_at_a_time, !inv_valid_i || !scan_valid_q)
  `VL_ASSERT(covered_fill_is_not_kept, !(covered && (keep_main || keep_super || keep_bypass)))
  `VL_ASSERT(room_is_right, scan_valid_q || req_ready_o == room_q)
endmodule
