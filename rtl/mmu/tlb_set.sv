// Main array of the TLB: TLB_ENTRIES leaves of 4 KB, TLB_WAYS to a set. Keys and frames stand in LUT RAM, a copy for each look-up of a cycle and one of the
// keys for fills; valid bits and ages in flip-flops. Page: docs/blocks/tlb.md (steps 1 to 4).
`include "vl_assert.svh"
module tlb_set
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // look-ups
    input  logic [TLB_PORTS-1:0] look_i,         // the entry that it hits is touched
    input  vpn_t [TLB_PORTS-1:0] vpn_i,
    input  logic [TLB_PORTS-1:0] store_i,
    input  asid_t                asid_i,
    output logic [TLB_PORTS-1:0] match_o,
    output logic [TLB_PORTS-1:0] allow_o,        // the match permits the access
    output ppn_t [TLB_PORTS-1:0] ppn_o,          // of a match that does, 0 without, or without a look-up
    // invalidation
    input  logic                 kill_all_i,
    input  logic                 kill_page_i,    // entries that port 0 matches
    input  logic                 kill_asid_i,    // non-global entries of asid_i in the set of port 0
    // fill
    input  logic                 fill_i,
    input  vpn_t                 fill_vpn_i,
    input  asid_t                fill_asid_i,
    input  leaf_t                fill_leaf_i,
    input  logic [TLB_WAYS-1:0]  random_i,       // it puts out this one; 0: the oldest
    output logic                 evict_o,        // such a fill takes the place of a leaf of another page
    output vpn_t                 evict_vpn_o,    // which one
    // of warps (locality_entries above 0)
    input  warp_t                warp_i,         // of the look-ups
    input  warp_t                fill_warp_i,
    output warp_t                evict_of_o,     // who touched it last
    // effects of the last edge (locality_entries or cpm_bits above 0)
    output logic [TLB_PORTS-1:0] touched_o,      // a hit,
    output warp_t                touched_by_o,   // of this warp,
    output logic [TLB_PORTS-1:0][1:0] depth_o,   // of an entry of this age,
    output tlb_entry_t [TLB_PORTS-1:0] entry_o,  // which one
    output logic                 filled_o,       // a fill,
    output tlb_entry_t           filled_entry_o  // of this entry
);
  localparam int unsigned SETS = TLB_ENTRIES / TLB_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned TAG_W = VPN_W - SET_BITS;
  localparam logic TELLS = LOCALITY_ENTRIES > 0 || CPM_BITS > 0;
  typedef logic [SET_W-1:0] set_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [TLB_WAYS-1:0] ways_t;
  typedef struct packed {
    tag_t tag;
    asid_t asid;
    logic glob;
  } key_t;
  typedef struct packed {
    ppn_t ppn;
    logic r, w;
  } frame_t;

  function automatic set_t set_of(input vpn_t vpn);
    return (SETS == 1) ? '0 : vpn[SET_W-1:0];
  endfunction

  ways_t [SETS-1:0] valid_q;

  // ---- fill -----------------------------------------------------------------------------------------------------
  set_t fill_set;
  ways_t fill_valid, same, way;
  ways_t oldest;
  key_t [TLB_WAYS-1:0] fill_sees;
  key_t fill_key;
  frame_t fill_frame;
  assign fill_set = set_of(fill_vpn_i);
  assign fill_valid = valid_q[fill_set];
  assign fill_key = '{tag: tag_t'(fill_vpn_i >> SET_BITS), asid: fill_asid_i, glob: fill_leaf_i.glob};
  assign fill_frame = '{ppn: fill_leaf_i.ppn, r: fill_leaf_i.r, w: fill_leaf_i.w};
  for (genvar w = 0; w < TLB_WAYS; w++) begin : gen_fill
    ram_lut #(.DEPTH(SETS), .WIDTH($bits(key_t))) u_key (
        .clk_i, .we_i(fill_i && way[w]), .waddr_i(fill_set), .wdata_i(fill_key), .raddr_i(fill_set), .rdata_o(fill_sees[w])
    );
    assign same[w] = fill_valid[w] && fill_sees[w].tag == fill_key.tag && (fill_sees[w].glob || fill_key.glob || fill_sees[w].asid == fill_key.asid);
  end
  always_comb
    if (same != '0) way = same & (~same + 1'b1);
    else if (fill_valid != '1) way = ~fill_valid & (fill_valid + 1'b1);
    else way = (random_i != '0) ? random_i : oldest;
  assign evict_o = same == '0 && fill_valid == '1;

  // ---- look-ups -------------------------------------------------------------------------------------------------
  set_t [TLB_PORTS-1:0] set;
  ways_t [TLB_PORTS-1:0] match, hit;
  ways_t alone;           // is of asid_i alone, in the set of port 0
  for (genvar p = 0; p < TLB_PORTS; p++) begin : gen_port
    key_t [TLB_WAYS-1:0] key;
    frame_t [TLB_WAYS-1:0] frame;
    ways_t allow, asid_eq;
    assign set[p] = set_of(vpn_i[p]);
    for (genvar w = 0; w < TLB_WAYS; w++) begin : gen_way
      ram_lut #(.DEPTH(SETS), .WIDTH($bits(key_t) + $bits(frame_t))) u_leaf (
          .clk_i, .we_i(fill_i && way[w]), .waddr_i(fill_set), .wdata_i({fill_key, fill_frame}), .raddr_i(set[p]), .rdata_o({key[w], frame[w]})
      );
      assign asid_eq[w] = key[w].asid == asid_i;
      assign match[p][w] = valid_q[set[p]][w] && key[w].tag == tag_t'(vpn_i[p] >> SET_BITS) && (key[w].glob || asid_eq[w]);
      assign allow[w] = store_i[p] ? frame[w].w : frame[w].r;
    end
    assign hit[p] = look_i[p] ? match[p] & allow : '0;
    assign match_o[p] = match[p] != '0;
    assign allow_o[p] = (match[p] & allow) != '0;
    always_comb begin
      ppn_o[p] = '0;
      for (int unsigned w = 0; w < TLB_WAYS; w++) if (hit[p][w]) ppn_o[p] |= frame[w].ppn;
    end
    if (p == 0) begin : gen_scan
      always_comb for (int unsigned w = 0; w < TLB_WAYS; w++) alone[w] = asid_eq[w] && !key[w].glob;
    end
    `VL_ASSERT(one_way_matches, !look_i[p] || $countones(match[p]) <= 1)
  end

  logic [TLB_PORTS:0][1:0] age;
  tlb_lru #(.SETS(SETS), .WAYS(TLB_WAYS), .TOUCHES(TLB_PORTS + 1), .AGES(TELLS)) u_lru (
      .clk_i, .rst_i, .touch_set_i({fill_set, set}), .touch_i({fill_i ? way : ways_t'(0), hit}), .set_i(fill_set), .oldest_o(oldest), .age_o(age)
  );

  // ---- effects of the last edge, and warps -------------------------------------------------------------------------
  function automatic tlb_entry_t number_of(input set_t s, input ways_t one);
    number_of = '0;
    for (int unsigned w = 0; w < TLB_WAYS; w++) if (one[w]) number_of |= tlb_entry_t'(w);
    return number_of | ((SETS == 1) ? '0 : tlb_entry_t'(32'(s) * TLB_WAYS));
  endfunction
  set_t [TLB_PORTS-1:0] set_q;
  ways_t [TLB_PORTS-1:0] hit_q;
  set_t fill_set_q;
  ways_t fill_q;
  warp_t warp_q;
  if (TELLS) begin : g_tells
    always_ff @(posedge clk_i) begin
      set_q <= set;
      hit_q <= rst_i ? '0 : hit;
      fill_set_q <= fill_set;
      fill_q <= (rst_i || !fill_i) ? '0 : way;
      warp_q <= warp_i;
    end
    always_comb
      for (int unsigned p = 0; p < TLB_PORTS; p++) begin
        touched_o[p] = hit_q[p] != '0;
        entry_o[p] = number_of(set_q[p], hit_q[p]);
      end
    assign touched_by_o = warp_q;
    assign depth_o = age[TLB_PORTS-1:0];
    assign filled_o = fill_q != '0;
    assign filled_entry_o = number_of(fill_set_q, fill_q);
  end else begin : g_tells_nothing
    assign set_q = '0;
    assign hit_q = '0;
    assign fill_set_q = '0;
    assign fill_q = '0;
    assign warp_q = '0;
    assign touched_o = '0;
    assign touched_by_o = '0;
    assign depth_o = '0;
    assign entry_o = '0;
    assign filled_o = 1'b0;
    assign filled_entry_o = '0;
  end
  if (LOCALITY_ENTRIES > 0) begin : g_last
    tag_t out;
    tlb_last u_last (
        .clk_i, .set_i(set_q), .hit_i(hit_q), .warp_i(warp_q), .filled_set_i(fill_set_q), .filled_i(fill_q),
        .fill_set_i(fill_set), .fill_i(fill_i ? way : ways_t'(0)), .fill_warp_i, .of_o(evict_of_o)
    );
    always_comb begin
      out = '0;
      for (int unsigned w = 0; w < TLB_WAYS; w++) if (way[w]) out |= fill_sees[w].tag;
    end
    assign evict_vpn_o = (vpn_t'(out) << SET_BITS) | ((SETS == 1) ? '0 : vpn_t'(fill_set));
  end else begin : g_no_last
    assign evict_vpn_o = '0;
    assign evict_of_o = '0;
  end

  always_ff @(posedge clk_i)
    if (rst_i || kill_all_i) valid_q <= '0;
    else begin
      if (kill_page_i) valid_q[set[0]] <= valid_q[set[0]] & ~match[0];
      if (kill_asid_i) valid_q[set[0]] <= valid_q[set[0]] & ~alone;
      if (fill_i) begin
        for (int unsigned w = 0; w < TLB_WAYS; w++)
          if (way[w]) valid_q[fill_set][w] <= 1'b1;
          else if (same[w]) valid_q[fill_set][w] <= 1'b0;
      end
    end

  `VL_ASSERT(fills_one_way, !fill_i || $countones(way) == 1)
  `VL_ASSERT(nothing_is_filled_behind_kill_all, !(kill_all_i && fill_i))
endmodule
