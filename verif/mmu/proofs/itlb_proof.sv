// What itlb promises to l1i and ptw: one entry at most answers for a page, none outlives an invalidation that covers it; every question is looked up without delay, asked of the
// walker once for a walk, and answered once. Page, address space, size (`level_q`: entries of that size and larger) and asker are picked at reset and never change, so what holds
// for them holds for all. Page: docs/blocks/itlb.md.
module itlb_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic       clk_i,
    input asid_t      asid_i,
    input logic       look_valid_i,
    input itlb_look_t look_i,
    input logic       miss_ready_i,
    input walk_t      walk_i,
    input logic       walked_valid_i,
    input walked_t    walked_i,
    input logic       inv_valid_i,
    input inv_t       inv_i,
    input vpn_t       pick_vpn_i,
    input asid_t      pick_asid_i,
    input level_t     pick_level_i,
    input logic       pick_asker_i
);
  localparam logic [2:0] NONE = 3'd0, LOOK = 3'd1, MISS = 3'd2, ASKED = 3'd3, WAIT = 3'd4;      // of itlb.sv
  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst, miss_valid, inv, inv_q, inv_done, idle;
  logic [1:0] found_valid;
  ifound_t [1:0] found;
  miss_t miss;
  ev_itlb_t ev;
  assign rst = !started_q[1];
  assign inv = inv_valid_i && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);

  // l1i has one question of each asker at a time; ptw names a walk for each miss, in the next cycle.
  logic [1:0] open_q;                // asked and not answered; also in the cycle of the answer
  logic look, taken_q;
  vpn_t [1:0] page_q;                // of the question
  asid_t asid_q;
  assign look = look_valid_i && !rst && (!open_q[look_i.fill] || found_valid[look_i.fill]);
  itlb dut (
      .clk_i, .rst_i(rst), .asid_i(asid_q), .look_valid_i(look), .look_i, .found_valid_o(found_valid), .found_o(found), .miss_valid_o(miss_valid), .miss_o(miss),
      .miss_ready_i, .walk_valid_i(taken_q), .walk_i, .walked_valid_i, .walked_i, .inv_valid_i(inv), .inv_i, .inv_done_o(inv_done), .idle_o(idle), .ev_o(ev)
  );

  // ---- the picked page, and the entries that answer for it ------------------------------------------------------------
  vpn_t vpn_q;
  asid_t whose_q;
  level_t level_q;
  logic [ITLB_ENTRIES-1:0] there, there_own;     // it is found there; there, of this address space alone
  for (genvar k = 0; k < ITLB_ENTRIES; k++) begin : gen_there
    assign there[k] = dut.valid_q[k] && dut.entry_q[k].leaf.level >= level_q && same_page(dut.entry_q[k].vpn, vpn_q, dut.entry_q[k].leaf.level)
        && (dut.entry_q[k].leaf.glob || dut.entry_q[k].asid == whose_q);
    assign there_own[k] = there[k] && !dut.entry_q[k].leaf.glob;
  end
  logic covers_it, covers_own, fills_it, clean_q, clean_own_q;
  assign covers_it = inv && (inv_i.scope == INV_ALL || (inv_i.scope == INV_PAGE && inv_i.asid == whose_q && same_page(inv_i.vpn, vpn_q, level_q)));
  assign covers_own = covers_it || (inv && inv_i.scope == INV_ASID && inv_i.asid == whose_q);
  assign fills_it = walked_valid_i && walked_i.result == WALK_OK && walked_i.leaf.level >= level_q && same_page(walked_i.vpn, vpn_q, walked_i.leaf.level)
      && (walked_i.leaf.glob || walked_i.asid == whose_q);

  // ---- the picked asker -----------------------------------------------------------------------------------------------
  logic f_q, mine, old_q;
  logic [2:0] state;
  logic asks, asks_q, waits_q, ended, ended_q, kept_q;    // its miss is taken; its walk is named; it waits for a walk; that ends, and is to be used
  walk_t walk_q;
  walked_t last_q;
  logic [1:0] age_q;                                      // cycles in which it might have been looked up
  assign state = dut.state_q[f_q];
  assign mine = look && look_i.fill == f_q;
  assign asks = miss_valid && miss_ready_i && state == MISS;
  assign ended = waits_q && walked_valid_i && walked_i.walk == walk_q;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    taken_q <= !rst && miss_valid && miss_ready_i;
    inv_q <= !rst && inv;
    last_q <= walked_i;
    if (rst) begin
      vpn_q <= pick_vpn_i;
      whose_q <= pick_asid_i;
      level_q <= pick_level_i;
      f_q <= pick_asker_i;
      asid_q <= asid_i;
      open_q <= '0;
      clean_q <= 1'b1;
      clean_own_q <= 1'b1;
      {asks_q, waits_q, ended_q, kept_q, old_q} <= '0;
      age_q <= '0;
    end else begin
      for (int unsigned f = 0; f < 2; f++) begin
        open_q[f] <= (look && look_i.fill == 1'(f)) || (open_q[f] && !found_valid[f]);
        if (look && look_i.fill == 1'(f)) page_q[f] <= look_i.vpn;
      end
      clean_q <= covers_it || (clean_q && !fills_it);
      clean_own_q <= covers_own || (clean_own_q && !(fills_it && !walked_i.leaf.glob));
      asks_q <= asks;
      if (asks_q) walk_q <= walk_i;
      waits_q <= asks_q || (waits_q && !ended);
      ended_q <= ended;
      kept_q <= ended && !inv;
      old_q <= state == LOOK && clean_q && level_q == '0 && page_q[f_q] == vpn_q && asid_q == whose_q;
      age_q <= (state == LOOK && !miss_valid && !taken_q) ? age_q + 2'(age_q != '1) : '0;
    end
  end

  always_comb
    if (!rst) begin
      one_entry_answers: assert ($countones(there) <= 1);
      none_outlives_an_invalidation: assert (!clean_q || there == '0);
      none_of_its_own_outlives_one: assert (!clean_own_q || there_own == '0);
      nothing_old_is_found: assert (!old_q || !found_valid[f_q]);
      done_is_shown_once: assert (inv_done == inv_q);
      miss_is_of_a_question: assert (!miss_valid || (open_q[0] && miss.vpn == page_q[0]) || (open_q[1] && miss.vpn == page_q[1]));
      asked_once: assert (!asks || (open_q[f_q] && miss.vpn == page_q[f_q] && !asks_q && !waits_q));
      answered_once: assert (!found_valid[f_q] || open_q[f_q]);
      none_forgotten: assert (!open_q[f_q] || found_valid[f_q] || state == LOOK || (state == MISS && miss_valid) || asks_q || waits_q);
      no_question_waits: assert (age_q <= 2'd1 || state != LOOK);
      a_walk_ends_it: assert (!kept_q || found_valid[f_q]);
      answer_is_the_walks: assert (!kept_q || (found[f_q].result == WALK_OK) == (last_q.result == WALK_OK && last_q.leaf.x));
      frame_is_the_walks: assert (!kept_q || found[f_q].ppn == ((last_q.result == WALK_OK && last_q.leaf.x) ? splice(page_q[f_q], last_q.leaf) : '0));
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_states: assert (dut.state_q[0] <= WAIT && dut.state_q[1] <= WAIT);
      lemma_asked: assert (taken_q == (dut.state_q[0] == ASKED || dut.state_q[1] == ASKED) && asks_q == (state == ASKED));
      lemma_waits: assert (waits_q == (state == WAIT) && (!waits_q || dut.walk_q[f_q] == walk_q));
      lemma_age: assert (age_q == '0 || state != LOOK || (age_q == 2'd1 && dut.state_q[!f_q] != LOOK && f_q));
    end
  for (genvar f = 0; f < 2; f++) begin : gen_open
    always_comb
      if (!rst) begin
        lemma_open: assert (open_q[f] == (dut.state_q[f] != NONE || found_valid[f]) && !(dut.state_q[f] != NONE && found_valid[f]));
        lemma_page: assert (dut.state_q[f] == NONE || dut.vpn_q[f] == page_q[f]);
      end
  end
  // No two entries answer for one page of one address space, whichever.
  for (genvar k = 1; k < ITLB_ENTRIES; k++) begin : gen_distinct
    for (genvar j = 0; j < k; j++) begin : gen_other
      level_t larger;
      assign larger = (dut.entry_q[k].leaf.level > dut.entry_q[j].leaf.level) ? dut.entry_q[k].leaf.level : dut.entry_q[j].leaf.level;
      always_comb
        if (!rst) lemma_distinct: assert (!dut.valid_q[k] || !dut.valid_q[j] || !same_page(dut.entry_q[k].vpn, dut.entry_q[j].vpn, larger)
                                          || !(dut.entry_q[k].leaf.glob || dut.entry_q[j].leaf.glob || dut.entry_q[k].asid == dut.entry_q[j].asid));
    end
  end
endmodule
