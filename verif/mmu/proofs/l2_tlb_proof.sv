// What l2_tlb keeps of one page of one address space, any: at most one entry of each of its arrays answers for it, and none once an invalidation that covers it is done, until a
// walk that ends later fills it again. The page, the address space and a size (`level_q`: entries of that size and larger) are picked at reset and never change, so what holds
// for them holds for all. Tokens and the policy move as they like. Page: docs/blocks/l2_tlb.md.
module l2_tlb_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                               clk_i,
    input logic                               on_i,
    input kslot_t [CORES-1:0]                 owner_i,
    input tokens_t [KERNELS-1:0]              tokens_i,
    input logic [L2_TLB_PORTS-1:0]            req_valid_i,
    input translate_req_t [L2_TLB_PORTS-1:0]  req_i,
    input logic [L2_TLB_PORTS-1:0]            ans_ready_i,
    input logic                               fill_valid_i,
    input l2_fill_t                           fill_i,
    input logic                               inv_valid_i,
    input inv_t                               inv_i,
    input vpn_t                               pick_vpn_i,
    input asid_t                              pick_asid_i,
    input level_t                             pick_level_i
);
  localparam int unsigned SETS = L2_TLB_ENTRIES / L2_TLB_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  typedef struct packed {
    logic [VPN_W-SET_BITS-1:0] tag;
    asid_t asid;
  } key_t;
  localparam int unsigned FRAME_W = VPN_W + 4;            // of a main entry: frame, G, R, W, X
  typedef logic [SETS-1:0][L2_TLB_WAYS-1:0] mains_t;

  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst, inv_done, busy_q, inv;
  logic [L2_TLB_PORTS-1:0] req_ready, ans_valid, miss_valid, look_valid;
  translate_ans_t [L2_TLB_PORTS-1:0] ans;
  translate_req_t [L2_TLB_PORTS-1:0] miss;
  l2_look_t [L2_TLB_PORTS-1:0] look;
  ev_l2_tlb_t ev;
  assign rst = !started_q[1];
  // The next invalidation in the cycle of `done` at the earliest; of the scopes that there are.
  assign inv = inv_valid_i && (!busy_q || inv_done) && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);
  l2_tlb dut (
      .clk_i, .rst_i(rst), .on_i, .owner_i, .tokens_i, .look_valid_o(look_valid), .look_o(look), .req_valid_i, .req_i, .req_ready_o(req_ready),
      .ans_valid_o(ans_valid), .ans_o(ans), .ans_ready_i, .miss_valid_o(miss_valid), .miss_o(miss), .fill_valid_i, .fill_i,
      .inv_valid_i(inv), .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );

  // ---- the pick and the entries that answer for it ----------------------------------------------------------------------
  vpn_t vpn_q;
  asid_t asid_q;
  level_t level_q;
  mains_t main, main_glob;                                // it is found there; there, and of all address spaces
  logic [L2_TLB_SUPER-1:0] bigger, bigger_glob;
  logic [L2_TLB_BYPASS-1:0] other, other_glob;
  key_t [SETS-1:0][L2_TLB_WAYS-1:0] keys;
  logic [SETS-1:0][L2_TLB_WAYS-1:0][L2_TLB_PORTS-1:0] copied;   // a port's copy says what the fill's does
  for (genvar s = 0; s < SETS; s++) begin : gen_set
    for (genvar w = 0; w < L2_TLB_WAYS; w++) begin : gen_way
      key_t key;
      logic glob;
      assign key = dut.u_main.gen_fill[w].u_key.gen_registers.mem[s];
      assign glob = dut.u_main.gen_port[0].gen_way[w].u_leaf.gen_registers.mem[s][3];
      assign keys[s][w] = key;
      assign main[s][w] = dut.u_main.valid_q[s][w] && level_q == '0 && vpn_q == {key.tag, SET_BITS'(s)} && key.asid == asid_q;
      assign main_glob[s][w] = main[s][w] && glob;
      for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
        logic [$bits(key_t)+FRAME_W-1:0] copy;
        assign copy = dut.u_main.gen_port[p].gen_way[w].u_leaf.gen_registers.mem[s];
        assign copied[s][w][p] = !dut.u_main.valid_q[s][w] || (copy[FRAME_W+:$bits(key_t)] == key && copy[3] == glob);
      end
    end
  end
  for (genvar k = 0; k < L2_TLB_SUPER; k++) begin : gen_super
    assign bigger[k] = dut.u_super.valid_q[k] && dut.u_super.entry_q[k].level >= level_q && dut.u_super.entry_q[k].asid == asid_q
        && same_page({dut.u_super.entry_q[k].num, 9'b0}, vpn_q, dut.u_super.entry_q[k].level);
    assign bigger_glob[k] = bigger[k] && dut.u_super.entry_q[k].glob;
  end
  for (genvar k = 0; k < L2_TLB_BYPASS; k++) begin : gen_bypass
    assign other[k] = dut.u_bypass.valid_q[k] && dut.u_bypass.entry_q[k].level >= level_q && dut.u_bypass.entry_q[k].asid == asid_q
        && same_page(dut.u_bypass.entry_q[k].num, vpn_q, dut.u_bypass.entry_q[k].level);
    assign other_glob[k] = other[k] && dut.u_bypass.entry_q[k].glob;
  end
  logic none, none_own, none_glob;                        // nothing answers; nothing of this address space alone; nothing global
  assign none = main == '0 && bigger == '0 && other == '0;
  assign none_own = main == main_glob && bigger == bigger_glob && other == other_glob;
  assign none_glob = main_glob == '0 && bigger_glob == '0 && other_glob == '0;

  // ---- invalidations of it ------------------------------------------------------------------------------------------
  // One that takes all that answers for the pick; of an address space, what is not global; of a page in another one, what is.
  logic page, covers_it, covers_own, covers_glob, fills_it, pend_q, pend_own_q, pend_glob_q, clean_q, clean_own_q, clean_glob_q;
  assign page = inv_i.scope == INV_PAGE && same_page(inv_i.vpn, vpn_q, level_q);
  assign covers_it = inv && (inv_i.scope == INV_ALL || (page && inv_i.asid == asid_q));
  assign covers_own = covers_it || (inv && inv_i.scope == INV_ASID && inv_i.asid == asid_q);
  assign covers_glob = covers_it || (inv && page);
  // A walk has ended that may answer for it.
  assign fills_it = fill_valid_i && fill_i.leaf.level >= level_q && same_page(fill_i.vpn, vpn_q, fill_i.leaf.level) && fill_i.asid == asid_q;

  logic scanning, ends;
  assign scanning = dut.scan_valid_q;
  assign ends = busy_q && inv_done;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      vpn_q <= pick_vpn_i;
      asid_q <= pick_asid_i;
      level_q <= pick_level_i;
      busy_q <= 1'b0;
      {pend_q, pend_own_q, pend_glob_q} <= '0;
      {clean_q, clean_own_q, clean_glob_q} <= '1;
    end else begin
      busy_q <= inv || (busy_q && !inv_done);
      if (inv) {pend_q, pend_own_q, pend_glob_q} <= {covers_it, covers_own, covers_glob};
      clean_q <= (clean_q || (ends && pend_q)) && !fills_it;
      clean_own_q <= (clean_own_q || (ends && pend_own_q)) && !(fills_it && !fill_i.leaf.glob);
      clean_glob_q <= (clean_glob_q || (ends && pend_glob_q)) && !(fills_it && fill_i.leaf.glob);
    end
  end

  always_comb
    if (!rst) begin
      one_entry_answers: assert ($countones(main) <= 1 && $countones(bigger) <= 1 && $countones(other) <= 1);
      none_outlives_an_invalidation: assert (!clean_q || none);
      none_of_its_own_outlives_one: assert (!clean_own_q || none_own);
      no_global_one_outlives_one: assert (!clean_glob_q || none_glob);
      done_is_shown_once: assert (!inv_done || busy_q);
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_copies: assert (copied == '1);
      lemma_busy: assert (busy_q == (scanning || inv_done) && !(scanning && inv_done));
      lemma_scan: assert (!scanning || dut.scan_q.scope == INV_PAGE || dut.scan_q.scope == INV_ASID);
      lemma_pend: assert (!scanning || !pend_q || (dut.scan_q.scope == INV_PAGE && dut.scan_q.asid == asid_q && same_page(dut.scan_q.vpn, vpn_q, level_q)));
      lemma_pend_own: assert (!scanning || !pend_own_q || pend_q || (dut.scan_q.scope == INV_ASID && dut.scan_q.asid == asid_q));
      lemma_pend_glob: assert (!scanning || !pend_glob_q || (dut.scan_q.scope == INV_PAGE && same_page(dut.scan_q.vpn, vpn_q, level_q)));
      lemma_more: assert (!pend_q || (pend_own_q && pend_glob_q));
      lemma_scanned: assert (!scanning || !pend_own_q || pend_q || dut.scan_set == '0 || (bigger == bigger_glob && other == other_glob));
      lemma_done: assert (!ends || !pend_q || none);
      lemma_done_own: assert (!ends || !pend_own_q || none_own);
      lemma_done_glob: assert (!ends || !pend_glob_q || none_glob);
    end else begin
      lemma_reset: assert (!started_q[0] || !dut.scan_valid_q);
    end
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_found
    always_comb
      if (!rst)
        nothing_old_is_found: assert (!dut.look_q[p] || dut.look_req_q[p].vpn != vpn_q || dut.look_req_q[p].asid != asid_q || level_q != '0 || !clean_q || !dut.hit[p]);
  end
  for (genvar s = 0; s < SETS; s++) begin : gen_scanned
    always_comb
      if (!rst) lemma_scanned: assert (!scanning || !pend_own_q || pend_q || 32'(dut.scan_set) <= s || main[s] == main_glob[s]);
    // No two entries answer for one page of one address space, whichever.
    for (genvar w = 1; w < L2_TLB_WAYS; w++) begin : gen_way
      for (genvar v = 0; v < w; v++) begin : gen_other
        always_comb if (!rst) lemma_distinct: assert (!dut.u_main.valid_q[s][v] || !dut.u_main.valid_q[s][w] || keys[s][v] != keys[s][w]);
      end
    end
  end
  for (genvar k = 1; k < L2_TLB_SUPER; k++) begin : gen_distinct
    for (genvar j = 0; j < k; j++) begin : gen_other
      level_t larger;
      assign larger = (dut.u_super.entry_q[k].level > dut.u_super.entry_q[j].level) ? dut.u_super.entry_q[k].level : dut.u_super.entry_q[j].level;
      always_comb
        if (!rst)
          lemma_distinct: assert (!dut.u_super.valid_q[k] || !dut.u_super.valid_q[j] || dut.u_super.entry_q[k].asid != dut.u_super.entry_q[j].asid
              || !same_page({dut.u_super.entry_q[k].num, 9'b0}, {dut.u_super.entry_q[j].num, 9'b0}, larger));
    end
  end
  for (genvar k = 1; k < L2_TLB_BYPASS; k++) begin : gen_distinct_bypass
    for (genvar j = 0; j < k; j++) begin : gen_other
      level_t larger;
      assign larger = (dut.u_bypass.entry_q[k].level > dut.u_bypass.entry_q[j].level) ? dut.u_bypass.entry_q[k].level : dut.u_bypass.entry_q[j].level;
      always_comb
        if (!rst)
          lemma_distinct: assert (!dut.u_bypass.valid_q[k] || !dut.u_bypass.valid_q[j] || dut.u_bypass.entry_q[k].asid != dut.u_bypass.entry_q[j].asid
              || !same_page(dut.u_bypass.entry_q[k].num, dut.u_bypass.entry_q[j].num, larger));
    end
  end
  // A larger page is one of 2 MB at least.
  for (genvar k = 0; k < L2_TLB_SUPER; k++) begin : gen_size
    always_comb if (!rst) lemma_size: assert (!dut.u_super.valid_q[k] || dut.u_super.entry_q[k].level != '0);
  end
endmodule
