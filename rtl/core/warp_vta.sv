// Victim tags of every warp (inside warp_locality): LOCALITY_ENTRIES lines or pages each, in LOCALITY_WAYS ways with true LRU. The tags of a set are read at one edge, and a look or
// a put acts on them at the next. Page: docs/blocks/warp_locality.md, step 3.
// `known`: a set that was not written since its warp began has no tag, so nothing must be written to drop the tags of a warp. Of the order of use only pairs of valid ways count, and
// each of these has been used, so it needs no reset value.
`include "vl_assert.svh"
module warp_vta
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,          // for assertions alone: clear_i comes with it
    input  logic      clear_i,        // all tags
    input  logic      forget_i,       // those of a warp, over what act_i does
    input  warp_t     forget_warp_i,
    input  logic      tcws_i,         // fewer entries may be in use
    input  logic [1:0] entries_i,
    // read
    input  logic      read_i,
    input  warp_t     read_warp_i,
    input  line_key_t read_tag_i,
    // act, at the next edge, on the set that was read
    input  logic      act_i,
    input  logic      put_i,          // else look
    input  warp_t     warp_i,
    input  line_key_t tag_i,
    output logic      match_o
);
  localparam int unsigned WAYS = LOCALITY_WAYS;
  localparam int unsigned ENTRIES = larger(LOCALITY_ENTRIES, 1);   // 1 at least, for lint and bench only: no machine with 0 has this block
  localparam int unsigned SETS = ENTRIES / WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned ROWS = WARPS * SETS;
  localparam int unsigned ROW_W = idx_w(ROWS);
  localparam int unsigned PAIRS = (WAYS <= 1) ? 1 : WAYS * (WAYS - 1) / 2;
  typedef logic [WAYS-1:0] ways_t;
  typedef logic [PAIRS-1:0] order_t;            // of each pair of ways: is the lower one the younger?
  typedef logic [ROW_W-1:0] row_t;
  function automatic int unsigned pair(input int unsigned v, input int unsigned w);   // v < w
    return w * (w - 1) / 2 + v;
  endfunction

  // ---- places in use --------------------------------------------------------------------------------------------------
  ways_t used;
  row_t sets_used;                              // less one: a mask of the set's bits
  always_comb begin
    int unsigned entries;
    entries = tcws_i ? 32'd2 << entries_i : ENTRIES;
    if (entries > ENTRIES) entries = ENTRIES;
    for (int unsigned w = 0; w < WAYS; w++) used[w] = w < entries;
    sets_used = (entries > WAYS) ? row_t'((entries >> $clog2(WAYS)) - 32'd1) : '0;
  end
  function automatic row_t row_of(input warp_t warp, input line_key_t tag, input row_t mask);
    return (row_t'(warp) << SET_BITS) | (row_t'(tag) & mask);
  endfunction

  // ---- the set that was read ------------------------------------------------------------------------------------------
  row_t row;
  line_key_t [WAYS-1:0] tags;
  ways_t valid, valid_mem, match, way, oldest;
  order_t order, order_new;
  logic [ROWS-1:0] known_q;
  assign row = row_of(warp_i, tag_i, sets_used);
  ram_row #(.ROWS(ROWS), .WORDS(1), .WIDTH(WAYS * KEY_W), .PARTS(WAYS)) u_tags (
      .clk_i, .we_i((act_i && put_i) ? way : '0), .wrow_i(row), .wdata_i({WAYS{tag_i}}),
      .re_i(read_i), .clear_i(1'b0), .rrow_i(row_of(read_warp_i, read_tag_i, sets_used)), .rword_i(1'b0), .rdata_o(tags)
  );
  ways_t valid_new;
  ram_lut #(.DEPTH(ROWS), .WIDTH(WAYS + PAIRS)) u_sets (
      .clk_i, .we_i(act_i), .waddr_i(row), .wdata_i({valid_new, order_new}), .raddr_i(row), .rdata_o({valid_mem, order})
  );
  assign valid = known_q[row] ? valid_mem & used : '0;
  always_comb begin
    for (int unsigned w = 0; w < WAYS; w++) match[w] = valid[w] && tags[w] == tag_i;
    oldest = used;
    for (int unsigned w = 1; w < WAYS; w++)
      for (int unsigned v = 0; v < w; v++)
        if (used[w]) begin
          if (order[pair(v, w)]) oldest[v] = 1'b0;
          else oldest[w] = 1'b0;
        end
    if (match != '0) way = match;
    else if (valid != used) way = used & ~valid & (~(used & ~valid) + 1'b1);
    else way = oldest;
    valid_new = put_i ? valid | way : valid & ~match;
    order_new = order;
    for (int unsigned w = 1; w < WAYS; w++)
      for (int unsigned v = 0; v < w; v++)
        if (put_i && way[v]) order_new[pair(v, w)] = 1'b1;
        else if (put_i && way[w]) order_new[pair(v, w)] = 1'b0;
  end
  assign match_o = match != '0;

  always_ff @(posedge clk_i) begin
    if (act_i) known_q[row] <= 1'b1;
    for (int unsigned w = 0; w < WARPS; w++)
      if (forget_i && forget_warp_i == warp_t'(w)) known_q[w*SETS+:SETS] <= '0;
    if (clear_i) known_q <= '0;
  end

  `VL_ASSERT(matches_one_way, !act_i || $countones(match) <= 1)
  `VL_ASSERT(takes_one_way, !(act_i && put_i) || $countones(way) == 1)
  `VL_ASSERT(not_read_while_it_acts, !(act_i && read_i))
endmodule
