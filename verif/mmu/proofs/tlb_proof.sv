// What tlb keeps of one page of one address space, any: at most one entry of either size answers for it, and none once an invalidation that covers it is done, until a walk
// that ends later fills it again. The page, the address space and a size (`level_q`: entries of that size and larger) are picked at reset and never change, so what holds for
// them holds for all. Page: docs/blocks/tlb.md.
module tlb_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                  clk_i,
    input logic [TLB_PORTS-1:0]  look_valid_i,
    input look_t [TLB_PORTS-1:0] look_i,
    input asid_t                 asid_i,
    input logic                  fill_valid_i,
    input walked_t               fill_i,
    input logic                  inv_valid_i,
    input inv_t                  inv_i,
    input vpn_t                  pick_vpn_i,
    input asid_t                 pick_asid_i,
    input level_t                pick_level_i
);
  localparam int unsigned SETS = TLB_ENTRIES / TLB_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  typedef struct packed {
    logic [VPN_W-SET_BITS-1:0] tag;
    asid_t asid;
    logic glob;
  } key_t;

  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst, look_ready, inv_done, busy_q, inv;
  logic [TLB_PORTS-1:0] found_valid;
  found_t [TLB_PORTS-1:0] found;
  ev_tlb_t ev;
  assign rst = !started_q[1];
  // The next invalidation in the cycle of `done` at the earliest; of the scopes that there are.
  assign inv = inv_valid_i && (!busy_q || inv_done) && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);
  // Look-ups of a cycle are those of one instruction.
  look_t [TLB_PORTS-1:0] look;
  always_comb for (int unsigned p = 0; p < TLB_PORTS; p++) look[p] = '{vpn: look_i[p].vpn, store: look_i[p].store, warp: look_i[0].warp};
  tlb dut (
      .clk_i, .rst_i(rst), .look_valid_i, .look_i(look), .asid_i, .look_ready_o(look_ready), .found_valid_o(found_valid), .found_o(found),
      .fill_valid_i, .fill_i, .inv_valid_i(inv), .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );

  // ---- the pick and the entries that answer for it ----------------------------------------------------------------------
  vpn_t vpn_q;
  asid_t asid_q;
  level_t level_q;
  logic [SETS-1:0][TLB_WAYS-1:0] main, main_own;          // it is found there; there, of this address space alone
  logic [TLB_SUPER-1:0] bigger, bigger_own;
  key_t [SETS-1:0][TLB_WAYS-1:0] keys;
  logic [SETS-1:0][TLB_WAYS-1:0][TLB_PORTS-1:0] copied;   // a port's copy equals the fill's
  for (genvar s = 0; s < SETS; s++) begin : gen_set
    for (genvar w = 0; w < TLB_WAYS; w++) begin : gen_way
      key_t key;
      assign key = dut.u_main.gen_fill[w].u_key.gen_registers.mem[s];
      assign keys[s][w] = key;
      assign main[s][w] = dut.u_main.valid_q[s][w] && level_q == '0 && vpn_q == {key.tag, SET_BITS'(s)} && (key.glob || key.asid == asid_q);
      assign main_own[s][w] = main[s][w] && !key.glob;
      for (genvar p = 0; p < TLB_PORTS; p++) begin : gen_port
        key_t copy;
        assign copy = dut.u_main.gen_port[p].gen_way[w].u_leaf.gen_registers.mem[s][$bits(key_t)+VPN_W+1:VPN_W+2];
        assign copied[s][w][p] = !dut.u_main.valid_q[s][w] || copy == key;
      end
    end
  end
  for (genvar k = 0; k < TLB_SUPER; k++) begin : gen_super
    level_t level;
    assign level = dut.u_super.entry_q[k].l3 ? 2'd3 : dut.u_super.entry_q[k].l2 ? 2'd2 : 2'd1;
    assign bigger[k] = dut.u_super.valid_q[k] && level >= level_q && same_page({dut.u_super.entry_q[k].num, 9'b0}, vpn_q, level)
        && (dut.u_super.entry_q[k].glob || dut.u_super.entry_q[k].asid == asid_q);
    assign bigger_own[k] = bigger[k] && !dut.u_super.entry_q[k].glob;
  end

  // ---- invalidations of it ------------------------------------------------------------------------------------------
  logic covers_it, covers_own, fills_it, pend_q, pend_own_q, clean_q, clean_own_q;
  // An invalidation that takes all entries that answer for the pick; or, of an address space, those not global.
  assign covers_it = inv && (inv_i.scope == INV_ALL || (inv_i.scope == INV_PAGE && inv_i.asid == asid_q && same_page(inv_i.vpn, vpn_q, level_q)));
  assign covers_own = covers_it || (inv && inv_i.scope == INV_ASID && inv_i.asid == asid_q);
  // A walk has ended that may answer for it.
  assign fills_it = fill_valid_i && fill_i.result == WALK_OK && fill_i.leaf.level >= level_q && same_page(fill_i.vpn, vpn_q, fill_i.leaf.level)
      && (fill_i.leaf.glob || fill_i.asid == asid_q);

  // Look-ups of the pick that were taken at the last edge, while nothing of it may be there.
  logic [TLB_PORTS-1:0] asked, asked_q;
  for (genvar p = 0; p < TLB_PORTS; p++) begin : gen_ask
    assign asked[p] = look_valid_i[p] && look_ready && look_i[p].vpn == vpn_q && asid_i == asid_q && level_q == '0 && clean_q;
  end

  logic pending, scanning;
  assign pending = pend_q && busy_q && !inv_done;
  assign scanning = dut.scan_valid_q;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      vpn_q <= pick_vpn_i;
      asid_q <= pick_asid_i;
      level_q <= pick_level_i;
      busy_q <= 1'b0;
      pend_q <= 1'b0;
      pend_own_q <= 1'b0;
      clean_q <= 1'b1;
      clean_own_q <= 1'b1;
      asked_q <= '0;
    end else begin
      busy_q <= inv || (busy_q && !inv_done);
      if (inv) pend_q <= covers_it;
      if (inv) pend_own_q <= covers_own;
      clean_q <= (clean_q || (busy_q && inv_done && pend_q)) && !fills_it;
      clean_own_q <= (clean_own_q || (busy_q && inv_done && pend_own_q)) && !(fills_it && !fill_i.leaf.glob);
      asked_q <= asked;
    end
  end

  always_comb
    if (!rst) begin
      one_entry_answers: assert ($countones(main) <= 1 && $countones(bigger) <= 1);
      none_outlives_an_invalidation: assert (!clean_q || (main == '0 && bigger == '0));
      none_of_its_own_outlives_one: assert (!clean_own_q || (main_own == '0 && bigger_own == '0));
      what_is_taken_is_answered: assert ((found_valid & asked_q) == asked_q);
      done_is_shown_once: assert (!inv_done || busy_q);
      // ---- lemmas
`include "tlb_lemmas.svh"
      lemma_more: assert (!pend_q || pend_own_q);
      lemma_scanned: assert (!scanning || !pend_own_q || pend_q || (dut.scan_set == '0 || bigger_own == '0));
      lemma_done: assert (!busy_q || !inv_done || !pend_q || (main == '0 && bigger == '0));
      lemma_done_own: assert (!busy_q || !inv_done || !pend_own_q || (main_own == '0 && bigger_own == '0));
    end else begin
      lemma_reset: assert (!started_q[0] || !dut.scan_valid_q);
    end
  for (genvar p = 0; p < TLB_PORTS; p++) begin : gen_found
    always_comb if (!rst) nothing_old_is_found: assert (!asked_q[p] || !found[p].hit);
  end
  for (genvar s = 0; s < SETS; s++) begin : gen_scanned
    always_comb
      if (!rst) lemma_scanned: assert (!scanning || !pend_own_q || pend_q || 32'(dut.scan_set) <= s || main_own[s] == '0);
    // No two entries answer for one page of one address space, whichever.
    for (genvar w = 1; w < TLB_WAYS; w++) begin : gen_way
      for (genvar v = 0; v < w; v++) begin : gen_other
        always_comb
          if (!rst) lemma_distinct: assert (!dut.u_main.valid_q[s][v] || !dut.u_main.valid_q[s][w] || keys[s][v].tag != keys[s][w].tag
                                            || !(keys[s][v].glob || keys[s][w].glob || keys[s][v].asid == keys[s][w].asid));
      end
    end
  end
  for (genvar k = 1; k < TLB_SUPER; k++) begin : gen_distinct
    for (genvar j = 0; j < k; j++) begin : gen_other
      level_t larger;
      assign larger = (dut.u_super.entry_q[k].l3 || dut.u_super.entry_q[j].l3) ? 2'd3 : (dut.u_super.entry_q[k].l2 || dut.u_super.entry_q[j].l2) ? 2'd2 : 2'd1;
      always_comb
        if (!rst) lemma_distinct: assert (!dut.u_super.valid_q[k] || !dut.u_super.valid_q[j]
            || !(dut.u_super.entry_q[k].glob || dut.u_super.entry_q[j].glob || dut.u_super.entry_q[k].asid == dut.u_super.entry_q[j].asid)
            || !same_page({dut.u_super.entry_q[k].num, 9'b0}, {dut.u_super.entry_q[j].num, 9'b0}, larger));
    end
  end
  // A larger page of 512 GB is one of 1 GB at least.
  for (genvar k = 0; k < TLB_SUPER; k++) begin : gen_size
    always_comb if (!rst) lemma_size: assert (!dut.u_super.valid_q[k] || !dut.u_super.entry_q[k].l3 || dut.u_super.entry_q[k].l2);
  end
endmodule
