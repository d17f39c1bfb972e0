// Main array of the shared L2 TLB: L2_TLB_ENTRIES leaves of 4 KB, L2_TLB_WAYS to a set. Keys and leaves stand in LUT RAM, a copy for each look-up of a cycle and one
// of the keys for fills; valid bits and the order of use in flip-flops. Page: docs/blocks/l2_tlb.md (steps 2, 5 to 7).
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2_tlb_set
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                      clk_i,
    input  logic                      rst_i,
    // look-ups; for the scan port 0 has its page and address space
    input  logic    [L2_TLB_PORTS-1:0] look_i,         // the entry that it hits is touched
    input  vpn_t    [L2_TLB_PORTS-1:0] vpn_i,
    input  asid_t   [L2_TLB_PORTS-1:0] asid_i,
    input  access_e [L2_TLB_PORTS-1:0] access_i,
    output logic    [L2_TLB_PORTS-1:0] match_o,
    output logic    [L2_TLB_PORTS-1:0] serve_o,        // the match permits the access
    output leaf_t   [L2_TLB_PORTS-1:0] leaf_o,         // of a match that does, 0 without
    // invalidation
    input  logic                      kill_all_i,
    input  logic                      kill_page_i,     // the page of port 0, of its address space or global
    input  logic                      kill_asid_i,     // non-global entries of port 0's address space, in its set
    // fill
    input  logic                      fill_i,
    input  l2_fill_t                  fill_payload_i,
    output logic                      same_o,          // an entry is of its page
    output logic                      evict_o          // such a fill takes the place of a leaf of another page
);
  localparam int unsigned SETS = L2_TLB_ENTRIES / L2_TLB_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned TAG_W = VPN_W - SET_BITS;
  typedef logic [SET_W-1:0] set_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [L2_TLB_WAYS-1:0] ways_t;
  typedef struct packed {
    tag_t tag;
    asid_t asid;
  } key_t;
  typedef struct packed {
    ppn_t ppn;
    logic glob, r, w, x;
  } frame_t;

  function automatic set_t set_of(input vpn_t vpn);
    return (SETS == 1) ? '0 : vpn[SET_W-1:0];
  endfunction

  ways_t valid_q[SETS];

  // ---- fill -----------------------------------------------------------------------------------------------------
  set_t fill_set;
  ways_t fill_valid, same, way, oldest;
  key_t fill_key;
  frame_t fill_frame;
  assign fill_set = set_of(fill_payload_i.vpn);
  assign fill_valid = valid_q[fill_set];
  assign fill_key = '{tag: tag_t'(fill_payload_i.vpn >> SET_BITS), asid: fill_payload_i.asid};
  assign fill_frame = '{ppn: fill_payload_i.leaf.ppn, glob: fill_payload_i.leaf.glob, r: fill_payload_i.leaf.r, w: fill_payload_i.leaf.w, x: fill_payload_i.leaf.x};
  for (genvar w = 0; w < L2_TLB_WAYS; w++) begin : gen_fill
    key_t key;
    ram_lut #(.DEPTH(SETS), .WIDTH($bits(key_t))) u_key (
        .clk_i, .we_i(fill_i && way[w]), .waddr_i(fill_set), .wdata_i(fill_key), .raddr_i(fill_set), .rdata_o(key)
    );
    assign same[w] = fill_valid[w] && key == fill_key;
  end
  always_comb
    if (same != '0) way = same;
    else if (fill_valid != '1) way = ~fill_valid & (fill_valid + 1'b1);
    else way = oldest;
  assign same_o = same != '0;
  assign evict_o = same == '0 && fill_valid == '1;

  // ---- look-ups -------------------------------------------------------------------------------------------------
  set_t [L2_TLB_PORTS-1:0] set;
  ways_t [L2_TLB_PORTS-1:0] match, hit;
  ways_t of_page, alone;         // for the scan, in the set of port 0
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
    key_t [L2_TLB_WAYS-1:0] key;
    frame_t [L2_TLB_WAYS-1:0] frame;
    ways_t serves, tag_eq, asid_eq, glob;
    frame_t found;
    assign set[p] = set_of(vpn_i[p]);
    for (genvar w = 0; w < L2_TLB_WAYS; w++) begin : gen_way
      ram_lut #(.DEPTH(SETS), .WIDTH($bits(key_t) + $bits(frame_t))) u_leaf (
          .clk_i, .we_i(fill_i && way[w]), .waddr_i(fill_set), .wdata_i({fill_key, fill_frame}), .raddr_i(set[p]), .rdata_o({key[w], frame[w]})
      );
      assign tag_eq[w] = key[w].tag == tag_t'(vpn_i[p] >> SET_BITS);
      assign asid_eq[w] = key[w].asid == asid_i[p];
      assign glob[w] = frame[w].glob;
      assign serves[w] = permits('{ppn: '0, level: '0, glob: 1'b0, r: frame[w].r, w: frame[w].w, x: frame[w].x}, access_i[p]);
    end
    assign match[p] = valid_q[set[p]] & tag_eq & asid_eq;
    assign hit[p] = look_i[p] ? match[p] & serves : '0;
    assign match_o[p] = match[p] != '0;
    assign serve_o[p] = (match[p] & serves) != '0;
    always_comb begin
      found = '0;
      `VL_WHEN(hit[p] != '0) for (int unsigned w = 0; w < L2_TLB_WAYS; w++) if (hit[p][w]) found |= frame[w];
    end
    assign leaf_o[p] = '{ppn: found.ppn, level: '0, glob: found.glob, r: found.r, w: found.w, x: found.x};
    if (p == 0) begin : gen_scan
      assign of_page = tag_eq & (asid_eq | glob);
      assign alone = asid_eq & ~glob;
    end
    `VL_ASSERT(one_way_matches, !look_i[p] || $countones(match[p]) <= 1)
  end

  tlb_lru #(.SETS(SETS), .WAYS(L2_TLB_WAYS), .TOUCHES(L2_TLB_PORTS + 1), .WORDS(1'b1)) u_lru (
      .clk_i, .rst_i, .touch_set_i({fill_set, set}), .touch_i({fill_i ? way : ways_t'(0), hit}), .set_i(fill_set), .oldest_o(oldest), .age_o()
  );

  always_ff @(posedge clk_i)
    if (rst_i || kill_all_i) begin
      for (int unsigned s = 0; s < SETS; s++) valid_q[s] <= '0;
    end else begin
      if (kill_page_i) valid_q[set[0]] <= valid_q[set[0]] & ~of_page;
      if (kill_asid_i) valid_q[set[0]] <= valid_q[set[0]] & ~alone;
      // Other changes of the set at this edge stay.
      if (fill_i) begin
        if ((kill_page_i || kill_asid_i) && set[0] == fill_set) valid_q[fill_set] <= (fill_valid & ~(kill_page_i ? of_page : alone)) | way;
        else valid_q[fill_set] <= fill_valid | way;
      end
    end

  `VL_ASSERT(fills_one_way, !fill_i || $countones(way) == 1)
  `VL_ASSERT(nothing_is_filled_behind_kill_all, !(kill_all_i && fill_i))
endmodule
