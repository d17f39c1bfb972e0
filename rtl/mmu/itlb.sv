// Translations of instruction fetch: leaves of any size, fully associative; two askers, the line fills of l1i.
// Page: docs/blocks/itlb.md; step numbers in comments are the page's. Latency: look to found of a hit two cycles.
`include "vl_assert.svh"
`include "vl_skip.svh"
module itlb
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  asid_t       asid_i,
    // l1i
    input  logic        look_valid_i,
    input  itlb_look_t  look_i,
    output logic [1:0]  found_valid_o,
    output ifound_t [1:0] found_o,
    // tlb_mshr
    output logic        miss_valid_o,
    output miss_t       miss_o,
    input  logic        miss_ready_i,
    input  logic        walk_valid_i,
    input  walk_t       walk_i,
    input  logic        walked_valid_i,
    input  walked_t     walked_i,
    // shootdown
    input  logic        inv_valid_i,
    input  inv_t        inv_i,
    output logic        inv_done_o,
    output logic        idle_o,
    // counters
    output ev_itlb_t    ev_o
);
  typedef logic [ITLB_ENTRIES-1:0] which_t;
  typedef enum logic [2:0] {NONE, LOOK, MISS, ASKED, WAIT} state_e;
  typedef struct packed {
    vpn_t vpn;
    asid_t asid;
    leaf_t leaf;
  } entry_t;

  which_t valid_q;
  entry_t [ITLB_ENTRIES-1:0] entry_q;
  state_e [1:0] state_q;
  vpn_t [1:0] vpn_q;
  warp_t [1:0] warp_q;
  walk_t [1:0] walk_q;

  // ---- 2: look-up ---------------------------------------------------------------------------------------------------
  logic [1:0] looking, missing, asked, answered;
  logic look, f;                             // which asker
  which_t match;
  ppn_t frame;
  always_comb
    for (int unsigned a = 0; a < 2; a++) begin
      looking[a] = state_q[a] == LOOK;
      missing[a] = state_q[a] == MISS;
      asked[a] = state_q[a] == ASKED;
      answered[a] = walked_valid_i && state_q[a] == WAIT && walk_q[a] == walked_i.walk;
    end
  assign idle_o = state_q[0] == NONE && state_q[1] == NONE;
  assign f = !looking[0];
  assign look = looking != '0 && missing == '0 && asked == '0;
  always_comb begin
    frame = '0;
    match = '0;
    `VL_WHEN(look) for (int unsigned k = 0; k < ITLB_ENTRIES; k++) begin
      match[k] = valid_q[k] && (entry_q[k].leaf.glob || entry_q[k].asid == asid_i) && same_page(entry_q[k].vpn, vpn_q[f], entry_q[k].leaf.level);
      if (match[k]) frame |= splice(vpn_q[f], entry_q[k].leaf);
    end
  end

  // ---- 3: miss ------------------------------------------------------------------------------------------------------
  assign miss_valid_o = missing != '0;
  assign miss_o = '{vpn: missing[0] ? vpn_q[0] : vpn_q[1], access: ACC_FETCH, warp: missing[0] ? warp_q[0] : warp_q[1]};

  // ---- 5: fill ------------------------------------------------------------------------------------------------------
  logic fill;
  which_t same, place, oldest;
  assign fill = walked_valid_i && walked_i.result == WALK_OK && walked_i.leaf.x
      && !(inv_valid_i && covers(inv_i, walked_i.vpn, walked_i.asid, walked_i.leaf.glob, walked_i.leaf.level));
  always_comb begin
    same = '0;
    `VL_WHEN(fill) for (int unsigned k = 0; k < ITLB_ENTRIES; k++)
      same[k] = valid_q[k] && (entry_q[k].leaf.glob || walked_i.leaf.glob || entry_q[k].asid == walked_i.asid)
          && ((entry_q[k].vpn ^ walked_i.vpn) & ~page_bits(entry_q[k].leaf.level) & ~page_bits(walked_i.leaf.level)) == '0;
    if (same != '0) place = same & (~same + 1'b1);
    else if (valid_q != '1) place = ~valid_q & (valid_q + 1'b1);
    else place = oldest;
  end
  tlb_lru #(.SETS(1), .WAYS(ITLB_ENTRIES), .TOUCHES(2)) u_lru (
      .clk_i, .rst_i, .touch_set_i('0), .touch_i({fill ? place : which_t'(0), look ? match : which_t'(0)}), .set_i('0), .oldest_o(oldest), .age_o()
  );

  // ---- 4: answers ---------------------------------------------------------------------------------------------------
  walk_e result;
  assign result = (walked_i.result == WALK_PAGE || !walked_i.leaf.x) ? WALK_PAGE : walked_i.result;

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < ITLB_ENTRIES; k++)
      if (fill && place[k]) entry_q[k] <= '{vpn: walked_i.vpn, asid: walked_i.asid, leaf: walked_i.leaf};
    for (int unsigned a = 0; a < 2; a++) begin
      if (look_valid_i && look_i.fill == 1'(a)) {vpn_q[a], warp_q[a]} <= {look_i.vpn, look_i.warp};
      if (asked[a]) walk_q[a] <= walk_i;
    end
    if (rst_i) begin
      valid_q <= '0;
      state_q <= {2{NONE}};
      found_valid_o <= '0;
      inv_done_o <= 1'b0;
      ev_o <= '0;
    end else begin
      found_valid_o <= '0;
      for (int unsigned a = 0; a < 2; a++) begin
        if (look && f == 1'(a)) begin                                        // 2
          state_q[a] <= (match != '0) ? NONE : MISS;
          found_valid_o[a] <= match != '0;
        end
        if (missing[a] && miss_ready_i) state_q[a] <= ASKED;                // 3
        if (asked[a]) state_q[a] <= WAIT;
        if (answered[a]) begin                                               // 4
          state_q[a] <= inv_valid_i ? LOOK : NONE;
          found_valid_o[a] <= !inv_valid_i;
        end
        if (look_valid_i && look_i.fill == 1'(a)) state_q[a] <= LOOK;        // 1
      end
      for (int unsigned k = 0; k < ITLB_ENTRIES; k++)                       // 5, 6
        if (fill && place[k]) valid_q[k] <= 1'b1;
        else if ((fill && same[k]) || (inv_valid_i && covers(inv_i, entry_q[k].vpn, entry_q[k].asid, entry_q[k].leaf.glob, entry_q[k].leaf.level))) valid_q[k] <= 1'b0;
      inv_done_o <= inv_valid_i;
      ev_o.itlb_lookups <= look;
      ev_o.itlb_hits <= look && match != '0;
      ev_o.itlb_fills <= fill;
      ev_o.itlb_faults <= (result != WALK_OK && !inv_valid_i) ? 2'(answered[0]) + 2'(answered[1]) : '0;
      ev_o.itlb_stall <= miss_valid_o && !miss_ready_i;
    end
    for (int unsigned a = 0; a < 2; a++)
      found_o[a] <= (look && f == 1'(a)) ? '{result: WALK_OK, ppn: frame}
          : '{result: result, ppn: (result == WALK_OK) ? splice(vpn_q[a], walked_i.leaf) : '0};
  end

  `VL_ASSERT(one_entry_matches, !look || $countones(match) <= 1)
  `VL_ASSERT(one_question_a_fill, !look_valid_i || state_q[look_i.fill] == NONE)
  `VL_ASSERT(walk_is_told, (asked == '0) || walk_valid_i)
  `VL_ASSERT(one_miss, missing != '1 && !(missing != '0 && asked != '0))
endmodule
