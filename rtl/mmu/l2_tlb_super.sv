// Fully associative leaves of the shared L2 TLB, in flip-flops: those of 2 MB and more, and with SMALL those of any size (the bypass cache of fill tokens). The low bits that
// a leaf leaves to the address are kept as 0.
// Page: docs/blocks/l2_tlb.md (steps 2, 5 to 7).
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2_tlb_super
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
#(
    parameter int unsigned N = L2_TLB_SUPER,
    parameter bit SMALL = 1'b0
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    // look-ups; for the scan port 0 has its page and address space
    input  logic    [L2_TLB_PORTS-1:0] look_i,         // the entry that it hits is touched, unless masked
    input  logic    [L2_TLB_PORTS-1:0] mask_i,         // a leaf of an array that comes first matches
    input  vpn_t    [L2_TLB_PORTS-1:0] vpn_i,
    input  asid_t   [L2_TLB_PORTS-1:0] asid_i,
    input  access_e [L2_TLB_PORTS-1:0] access_i,
    output logic    [L2_TLB_PORTS-1:0] match_o,
    output logic    [L2_TLB_PORTS-1:0] serve_o,        // the match permits the access
    output leaf_t   [L2_TLB_PORTS-1:0] leaf_o,         // of the match
    // invalidation
    input  logic                      kill_all_i,
    input  logic                      kill_page_i,     // entries with port 0's page, of its address space or global
    input  logic                      kill_asid_i,     // non-global entries of port 0's address space
    // fill
    input  logic                      offer_i,         // a leaf of a size that is kept here
    input  logic                      fill_i,          // ... is kept
    input  l2_fill_t                  fill_payload_i,
    output logic                      same_o,          // the leaf and an entry overlap
    output logic                      evict_o          // such a fill takes the place of a leaf of another page
);
  localparam int unsigned UNIT = SMALL ? 0 : 9;  // bits of a page number that no leaf here needs
  typedef logic [N-1:0] which_t;
  typedef logic [VPN_W-UNIT-1:0] big_t;          // page number in units of the smallest leaf
  typedef struct packed {
    big_t num;
    asid_t asid;
    level_t level;
    big_t ppn;
    logic glob, r, w, x;
  } entry_t;

  // The bits that a leaf of this size leaves to the address.
  function automatic big_t low(input level_t level);
    vpn_t bits = page_bits(level);
    return bits[VPN_W-1:UNIT];
  endfunction

  which_t valid_q;
  entry_t entry_q[N];

  // ---- look-ups -------------------------------------------------------------------------------------------------
  which_t [L2_TLB_PORTS-1:0] hit;
  which_t of_page, alone;        // for the scan
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
    which_t holds, own, glob, match, serves;
    entry_t found;
    always_comb begin
      {holds, own, glob, serves} = '0;
      `VL_WHEN(valid_q != '0) for (int unsigned k = 0; k < N; k++) begin
        holds[k] = valid_q[k] && ((vpn_i[p][VPN_W-1:UNIT] ^ entry_q[k].num) & ~low(entry_q[k].level)) == '0;
        own[k] = entry_q[k].asid == asid_i[p];
        glob[k] = entry_q[k].glob;
        serves[k] = permits('{ppn: '0, level: '0, glob: 1'b0, r: entry_q[k].r, w: entry_q[k].w, x: entry_q[k].x}, access_i[p]);
      end
    end
    assign match = holds & own;
    always_comb begin
      found = '0;
      `VL_WHEN(match != '0) for (int unsigned k = 0; k < N; k++) if (match[k]) found |= entry_q[k];
    end
    assign match_o[p] = match != '0;
    assign serve_o[p] = (match & serves) != '0;
    assign leaf_o[p] = '{ppn: ppn_t'(found.ppn) << UNIT, level: found.level, glob: found.glob, r: found.r, w: found.w, x: found.x};
    assign hit[p] = (look_i[p] && !mask_i[p]) ? match & serves : '0;
    if (p == 0) begin : gen_scan
      assign of_page = holds & (own | glob);
      assign alone = valid_q & own & ~glob;
    end
    `VL_ASSERT(one_super_matches, !look_i[p] || $countones(match) <= 1)
  end

  // ---- fill -----------------------------------------------------------------------------------------------------
  entry_t fresh;
  which_t same, place, oldest;
  always_comb begin
    fresh.level = fill_payload_i.leaf.level;
    fresh.num = fill_payload_i.vpn[VPN_W-1:UNIT] & ~low(fill_payload_i.leaf.level);
    fresh.ppn = fill_payload_i.leaf.ppn[VPN_W-1:UNIT];
    fresh.asid = fill_payload_i.asid;
    fresh.glob = fill_payload_i.leaf.glob;
    fresh.r = fill_payload_i.leaf.r;
    fresh.w = fill_payload_i.leaf.w;
    fresh.x = fill_payload_i.leaf.x;
    same = '0;
    `VL_WHEN(offer_i) for (int unsigned k = 0; k < N; k++)
      same[k] = valid_q[k] && entry_q[k].asid == fresh.asid && ((entry_q[k].num ^ fresh.num) & ~low(entry_q[k].level) & ~low(fresh.level)) == '0;
    if (same != '0) place = same & (~same + 1'b1);
    else if (valid_q != '1) place = ~valid_q & (valid_q + 1'b1);
    else place = oldest;
  end
  assign same_o = same != '0;
  assign evict_o = same == '0 && valid_q == '1;

  tlb_lru #(.SETS(1), .WAYS(N), .TOUCHES(L2_TLB_PORTS + 1)) u_lru (
      .clk_i, .rst_i, .touch_set_i('0), .touch_i({fill_i ? place : which_t'(0), hit}), .set_i('0), .oldest_o(oldest), .age_o()
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < N; k++) if (fill_i && place[k]) entry_q[k] <= fresh;
    if (rst_i || kill_all_i) valid_q <= '0;
    else
      for (int unsigned k = 0; k < N; k++)
        if (fill_i && place[k]) valid_q[k] <= 1'b1;
        else if ((fill_i && same[k]) || (kill_page_i && of_page[k]) || (kill_asid_i && alone[k])) valid_q[k] <= 1'b0;
  end

  `VL_ASSERT(fills_one_entry, !fill_i || $countones(place) == 1)
  `VL_ASSERT(what_is_kept_is_offered, !fill_i || offer_i)
  `VL_ASSERT(leaves_are_large, SMALL || !offer_i || fill_payload_i.leaf.level != '0)
endmodule
