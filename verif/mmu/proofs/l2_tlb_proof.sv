// Entries of the shared L2 TLB for one page of one address space, any: at most one entry of each of its three arrays answers for it, none once an invalidation that covers it is
// done, until a walk that ends later fills it again, and no look-up that is taken then finds one. The page, the address space and a size (`level_q`: entries of that size and larger) are picked at
// reset and never change, so what holds for them holds for all; tokens and the kernels of cores are any, in every cycle. Page: docs/blocks/l2_tlb.md.
module l2_tlb_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                              clk_i,
    input logic                              pick_on_i,
    input kslot_t [CORES-1:0]                owner_i,
    input tokens_t [KERNELS-1:0]             tokens_i,
    input logic [L2_TLB_PORTS-1:0]           req_valid_i,
    input translate_req_t [L2_TLB_PORTS-1:0] req_i,
    input logic [L2_TLB_PORTS-1:0]           ans_ready_i,
    input logic                              fill_valid_i,
    input l2_fill_t                          fill_i,
    input logic                              inv_valid_i,
    input inv_t                              inv_i,
    input vpn_t                              pick_vpn_i,
    input asid_t                             pick_asid_i,
    input level_t                            pick_level_i
);
  localparam int unsigned SETS = L2_TLB_ENTRIES / L2_TLB_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned FRAME_W = VPN_W + 4;            // of l2_tlb_set's frame_t: ppn, glob, r, w, x
  typedef struct packed {
    logic [VPN_W-SET_BITS-1:0] tag;
    asid_t asid;
  } key_t;

  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst, on_q, inv_done, busy_q, inv;
  logic [L2_TLB_PORTS-1:0] req_ready, look_valid, ans_valid, miss_valid;
  l2_look_t [L2_TLB_PORTS-1:0] look;
  translate_ans_t [L2_TLB_PORTS-1:0] ans;
  translate_req_t [L2_TLB_PORTS-1:0] miss;
  ev_l2_tlb_t ev;
  assign rst = !started_q[1];
  // The next invalidation in the cycle of `done` at the earliest; of the scopes that there are.
  assign inv = inv_valid_i && (!busy_q || inv_done) && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);
  l2_tlb dut (
      .clk_i, .rst_i(rst), .on_i(on_q), .owner_i, .tokens_i, .look_valid_o(look_valid), .look_o(look), .req_valid_i, .req_i, .req_ready_o(req_ready),
      .ans_valid_o(ans_valid), .ans_o(ans), .ans_ready_i, .miss_valid_o(miss_valid), .miss_o(miss), .fill_valid_i, .fill_i,
      .inv_valid_i(inv), .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );

  // ---- the pick and the entries that answer for it ----------------------------------------------------------------------
  vpn_t vpn_q;
  asid_t asid_q;
  level_t level_q;
  logic [SETS-1:0][L2_TLB_WAYS-1:0] main, main_own, main_glob;    // it is found there; there, as a leaf of this address space alone; as a global one
  logic [L2_TLB_SUPER-1:0] bigger, bigger_own, bigger_glob;
  logic [L2_TLB_BYPASS-1:0] beside, beside_own, beside_glob;
  key_t [SETS-1:0][L2_TLB_WAYS-1:0] keys;
  logic [SETS-1:0][L2_TLB_WAYS-1:0][L2_TLB_PORTS-1:0] copied;      // a port's copy equals that of port 0, and the fill's key
  for (genvar s = 0; s < SETS; s++) begin : gen_set
    for (genvar w = 0; w < L2_TLB_WAYS; w++) begin : gen_way
      logic [$bits(key_t)+FRAME_W-1:0] leaf;
      logic glob;
      assign leaf = dut.u_main.gen_port[0].gen_way[w].u_leaf.gen_registers.mem[s];
      assign keys[s][w] = leaf[$bits(key_t)+FRAME_W-1:FRAME_W];
      assign glob = leaf[3];
      assign main[s][w] = dut.u_main.valid_q[s][w] && level_q == '0 && vpn_q == {keys[s][w].tag, SET_BITS'(s)} && keys[s][w].asid == asid_q;
      assign main_own[s][w] = main[s][w] && !glob;
      assign main_glob[s][w] = main[s][w] && glob;
      for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
        assign copied[s][w][p] = !dut.u_main.valid_q[s][w]
            || (dut.u_main.gen_port[p].gen_way[w].u_leaf.gen_registers.mem[s] == leaf && dut.u_main.gen_fill[w].u_key.gen_registers.mem[s] == keys[s][w]);
      end
    end
  end
  for (genvar k = 0; k < L2_TLB_SUPER; k++) begin : gen_super
    assign bigger[k] = dut.u_super.valid_q[k] && dut.u_super.entry_q[k].level >= level_q && same_page({dut.u_super.entry_q[k].num, 9'b0}, vpn_q, dut.u_super.entry_q[k].level)
        && dut.u_super.entry_q[k].asid == asid_q;
    assign bigger_own[k] = bigger[k] && !dut.u_super.entry_q[k].glob;
    assign bigger_glob[k] = bigger[k] && dut.u_super.entry_q[k].glob;
  end
  for (genvar k = 0; k < L2_TLB_BYPASS; k++) begin : gen_bypass
    assign beside[k] = dut.u_bypass.valid_q[k] && dut.u_bypass.entry_q[k].level >= level_q && same_page(dut.u_bypass.entry_q[k].num, vpn_q, dut.u_bypass.entry_q[k].level)
        && dut.u_bypass.entry_q[k].asid == asid_q;
    assign beside_own[k] = beside[k] && !dut.u_bypass.entry_q[k].glob;
    assign beside_glob[k] = beside[k] && dut.u_bypass.entry_q[k].glob;
  end
  logic some, some_own, some_glob;
  assign some = main != '0 || bigger != '0 || beside != '0;
  assign some_own = main_own != '0 || bigger_own != '0 || beside_own != '0;
  assign some_glob = main_glob != '0 || bigger_glob != '0 || beside_glob != '0;

  // ---- invalidations of it ------------------------------------------------------------------------------------------
  logic of_page, covers_it, covers_own, covers_glob, fills_it, pend_q, pend_own_q, pend_glob_q, clean_q, clean_own_q, clean_glob_q;
  // An invalidation that takes all entries that answer for the pick; those not global; those global.
  assign of_page = inv && inv_i.scope == INV_PAGE && same_page(inv_i.vpn, vpn_q, level_q);
  assign covers_it = (inv && inv_i.scope == INV_ALL) || (of_page && inv_i.asid == asid_q);
  assign covers_own = covers_it || (inv && inv_i.scope == INV_ASID && inv_i.asid == asid_q);
  assign covers_glob = covers_it || of_page;
  // A walk has ended that may answer for it.
  assign fills_it = fill_valid_i && fill_i.leaf.level >= level_q && same_page(fill_i.vpn, vpn_q, fill_i.leaf.level) && fill_i.asid == asid_q;

  // Look-ups of the pick that were taken at the last edge, while nothing of it may be there.
  logic [L2_TLB_PORTS-1:0] asked, asked_q;
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_ask
    assign asked[p] = req_valid_i[p] && req_ready[p] && req_i[p].vpn == vpn_q && req_i[p].asid == asid_q && level_q == '0 && clean_q && !fills_it;
  end

  logic scanning;
  assign scanning = dut.scan_valid_q;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      on_q <= pick_on_i;
      vpn_q <= pick_vpn_i;
      asid_q <= pick_asid_i;
      level_q <= pick_level_i;
      busy_q <= 1'b0;
      {pend_q, pend_own_q, pend_glob_q} <= '0;
      {clean_q, clean_own_q, clean_glob_q} <= '1;
      asked_q <= '0;
    end else begin
      busy_q <= inv || (busy_q && !inv_done);
      if (inv) {pend_q, pend_own_q, pend_glob_q} <= {covers_it, covers_own, covers_glob};
      clean_q <= (clean_q || (busy_q && inv_done && pend_q)) && !fills_it;
      clean_own_q <= (clean_own_q || (busy_q && inv_done && pend_own_q)) && !(fills_it && !fill_i.leaf.glob);
      clean_glob_q <= (clean_glob_q || (busy_q && inv_done && pend_glob_q)) && !(fills_it && fill_i.leaf.glob);
      asked_q <= asked;
    end
  end

  always_comb
    if (!rst) begin
      one_entry_answers: assert ($countones(main) <= 1 && $countones(bigger) <= 1 && $countones(beside) <= 1);
      none_outlives_an_invalidation: assert (!clean_q || !some);
      none_of_its_own_outlives_one: assert (!clean_own_q || !some_own);
      no_global_one_outlives_one: assert (!clean_glob_q || !some_glob);
      what_is_taken_is_looked_up: assert ((dut.look_q & asked_q) == asked_q);
      nothing_old_is_found: assert ((dut.hit & asked_q) == '0);
      done_is_shown_once: assert (!inv_done || busy_q);
      // ---- lemmas
`include "tlb_lemmas.svh"
      lemma_pend_glob: assert (!scanning || !pend_glob_q || (dut.scan_q.scope == INV_PAGE && same_page(dut.scan_q.vpn, vpn_q, level_q)));
      lemma_more: assert (!pend_q || (pend_own_q && pend_glob_q));
      lemma_scanned: assert (!scanning || !pend_own_q || pend_q || dut.scan_set == '0 || (bigger_own == '0 && beside_own == '0));
      lemma_done: assert (!busy_q || !inv_done || !pend_q || !some);
      lemma_done_own: assert (!busy_q || !inv_done || !pend_own_q || !some_own);
      lemma_done_glob: assert (!busy_q || !inv_done || !pend_glob_q || !some_glob);
    end else begin
      lemma_reset: assert (!started_q[0] || !dut.scan_valid_q);
    end
  // Each request that is counted is at one place.
  localparam int unsigned LINE = L2_TLB_LATENCY - 2;
  localparam int unsigned QUEUE = L2_TLB_LATENCY + 1;
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_count
    logic [LINE-1:0] line;
    for (genvar k = 0; k < LINE; k++) begin : gen_line
      assign line[k] = dut.line_q[k][p];
    end
    always_comb
      if (!rst) begin
        lemma_count: assert (32'(dut.count_q[p]) == 32'(dut.look_q[p]) + 32'($countones(line)) + 32'(dut.gen_port[p].u_hits.count_q));
        lemma_queue: assert (dut.gen_port[p].u_hits.some_q == (dut.gen_port[p].u_hits.count_q != '0) && dut.gen_port[p].u_hits.full_q == (32'(dut.gen_port[p].u_hits.count_q) == QUEUE));
        lemma_room: assert (dut.room_q[p] == (32'(dut.count_q[p]) != QUEUE) && 32'(dut.count_q[p]) <= QUEUE);
        lemma_off: assert (on_q || (line == '0 && dut.gen_port[p].u_hits.count_q == '0));
      end
  end
  for (genvar s = 0; s < SETS; s++) begin : gen_scanned
    always_comb
      if (!rst) lemma_scanned: assert (!scanning || !pend_own_q || pend_q || 32'(dut.scan_set) <= s || main_own[s] == '0);
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
        if (!rst) lemma_distinct: assert (!dut.u_super.valid_q[k] || !dut.u_super.valid_q[j] || dut.u_super.entry_q[k].asid != dut.u_super.entry_q[j].asid
            || !same_page({dut.u_super.entry_q[k].num, 9'b0}, {dut.u_super.entry_q[j].num, 9'b0}, larger));
    end
  end
  for (genvar k = 1; k < L2_TLB_BYPASS; k++) begin : gen_distinct_beside
    for (genvar j = 0; j < k; j++) begin : gen_other
      level_t larger;
      assign larger = (dut.u_bypass.entry_q[k].level > dut.u_bypass.entry_q[j].level) ? dut.u_bypass.entry_q[k].level : dut.u_bypass.entry_q[j].level;
      always_comb
        if (!rst) lemma_distinct: assert (!dut.u_bypass.valid_q[k] || !dut.u_bypass.valid_q[j] || dut.u_bypass.entry_q[k].asid != dut.u_bypass.entry_q[j].asid
            || !same_page(dut.u_bypass.entry_q[k].num, dut.u_bypass.entry_q[j].num, larger));
    end
  end
  // A leaf of the supers is of 2 MB at least.
  for (genvar k = 0; k < L2_TLB_SUPER; k++) begin : gen_size
    always_comb if (!rst) lemma_size: assert (!dut.u_super.valid_q[k] || dut.u_super.entry_q[k].level != '0);
  end
endmodule
