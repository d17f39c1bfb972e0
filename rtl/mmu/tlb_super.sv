// Leaves of 2 MB and more of the TLB: fully associative, in flip-flops. The low bits that a leaf leaves to the address are kept as 0.
// Page: docs/blocks/tlb.md (steps 1 to 4).
`include "vl_assert.svh"
`include "vl_skip.svh"
module tlb_super
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // look-ups
    input  logic [TLB_PORTS-1:0] look_i,         // the entry that it hits is touched, unless masked
    input  logic [TLB_PORTS-1:0] mask_i,         // a leaf of 4 KB matches
    input  vpn_t [TLB_PORTS-1:0] vpn_i,
    input  logic [TLB_PORTS-1:0] store_i,
    input  asid_t                asid_i,
    output logic [TLB_PORTS-1:0] match_o,
    output logic [TLB_PORTS-1:0] allow_o,        // the match permits the access
    output ppn_t [TLB_PORTS-1:0] ppn_o,          // of the match, spliced
    // invalidation
    input  logic                 kill_all_i,
    input  logic                 kill_page_i,    // entries that port 0 matches
    input  logic                 kill_asid_i,    // non-global entries of asid_i
    // fill
    input  logic                 fill_i,
    input  vpn_t                 fill_vpn_i,
    input  asid_t                fill_asid_i,
    input  leaf_t                fill_leaf_i,
    input  logic [TLB_SUPER-1:0] random_i,       // it puts out this one; 0: the oldest
    output logic                 evict_o         // such a fill takes the place of a leaf of another page
);
  typedef logic [TLB_SUPER-1:0] which_t;
  typedef logic [VPN_W-10:0] big_t;              // page number in units of 2 MB
  typedef struct packed {
    big_t num;
    asid_t asid;
    logic glob;
    logic l2, l3;                                // level at least that
    big_t ppn;
    logic r, w;
  } entry_t;
  localparam big_t LOW2 = big_t'((64'd1 << 9) - 64'd1);
  localparam big_t LOW3 = big_t'((64'd1 << 18) - 64'd1);

  // The bits that a leaf of this size leaves to the address.
  function automatic big_t low(input logic l2, input logic l3);
    return (l2 ? LOW2 : '0) | (l3 ? LOW3 : '0);
  endfunction

  which_t valid_q;
  entry_t [TLB_SUPER-1:0] entry_q;
  which_t of_asid, alone;
  always_comb
    for (int unsigned k = 0; k < TLB_SUPER; k++) begin
      of_asid[k] = entry_q[k].asid == asid_i;
      alone[k] = of_asid[k] && !entry_q[k].glob;
    end

  // ---- look-ups -------------------------------------------------------------------------------------------------
  which_t [TLB_PORTS-1:0] match, hit;
  for (genvar p = 0; p < TLB_PORTS; p++) begin : gen_port
    big_t frame, num;
    which_t allow;
    logic l2, l3;
    assign num = vpn_i[p][VPN_W-1:9];
    always_comb begin
      frame = '0;
      l2 = 1'b0;
      l3 = 1'b0;
      match[p] = '0;
      allow = '0;
      `VL_WHEN(valid_q != '0) for (int unsigned k = 0; k < TLB_SUPER; k++) begin
        match[p][k] = valid_q[k] && (of_asid[k] || entry_q[k].glob) && ((num ^ entry_q[k].num) & ~low(entry_q[k].l2, entry_q[k].l3)) == '0;
        allow[k] = store_i[p] ? entry_q[k].w : entry_q[k].r;
        if (match[p][k]) begin
          frame |= entry_q[k].ppn;
          l2 |= entry_q[k].l2;
          l3 |= entry_q[k].l3;
        end
      end
    end
    assign match_o[p] = match[p] != '0;
    assign allow_o[p] = (match[p] & allow) != '0;
    assign ppn_o[p] = {frame | (num & low(l2, l3)), vpn_i[p][8:0]};
    assign hit[p] = (look_i[p] && !mask_i[p]) ? match[p] & allow : '0;
    `VL_ASSERT(one_super_matches, !look_i[p] || $countones(match[p]) <= 1)
  end

  // ---- fill -----------------------------------------------------------------------------------------------------
  entry_t fresh;
  which_t same, place, oldest;
  always_comb begin
    fresh.l2 = fill_leaf_i.level >= 2'd2;
    fresh.l3 = fill_leaf_i.level == 2'd3;
    fresh.num = fill_vpn_i[VPN_W-1:9] & ~low(fresh.l2, fresh.l3);
    fresh.ppn = fill_leaf_i.ppn[VPN_W-1:9] & ~low(fresh.l2, fresh.l3);
    fresh.asid = fill_asid_i;
    fresh.glob = fill_leaf_i.glob;
    fresh.r = fill_leaf_i.r;
    fresh.w = fill_leaf_i.w;
    same = '0;
    `VL_WHEN(fill_i) for (int unsigned k = 0; k < TLB_SUPER; k++)
      same[k] = valid_q[k] && (entry_q[k].glob || fresh.glob || entry_q[k].asid == fresh.asid)
          && ((entry_q[k].num ^ fresh.num) & ~low(entry_q[k].l2 || fresh.l2, entry_q[k].l3 || fresh.l3)) == '0;
    if (same != '0) place = same & (~same + 1'b1);
    else if (valid_q != '1) place = ~valid_q & (valid_q + 1'b1);
    else place = (random_i != '0) ? random_i : oldest;
  end
  assign evict_o = same == '0 && valid_q == '1;

  tlb_lru #(.SETS(1), .WAYS(TLB_SUPER), .TOUCHES(TLB_PORTS + 1)) u_lru (
      .clk_i, .rst_i, .touch_set_i('0), .touch_i({fill_i ? place : which_t'(0), hit}), .set_i('0), .oldest_o(oldest), .age_o()
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < TLB_SUPER; k++) if (fill_i && place[k]) entry_q[k] <= fresh;
    if (rst_i || kill_all_i) valid_q <= '0;
    else
      for (int unsigned k = 0; k < TLB_SUPER; k++)
        if (fill_i && place[k]) valid_q[k] <= 1'b1;
        else if ((fill_i && same[k]) || (kill_page_i && match[0][k]) || (kill_asid_i && alone[k])) valid_q[k] <= 1'b0;
  end

  `VL_ASSERT(fills_one_entry, !fill_i || $countones(place) == 1)
  `VL_ASSERT(leaves_are_large, !fill_i || fill_leaf_i.level != '0)
endmodule
