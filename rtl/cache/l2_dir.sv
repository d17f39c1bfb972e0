// Directory of an L2 slice: the line in each way, and the ages of the ways. A set is read at one edge and used in the next cycles (s1), which may write one way
// and touch it; a read at the edge of a write gives the new entry. After reset it clears itself, a set a cycle. Page: docs/blocks/l2.md (step 5).
`include "vl_assert.svh"
module l2_dir #(
    parameter int unsigned SETS = 64,
    parameter int unsigned WAYS = 8,
    parameter int unsigned TAG_W = 30,
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS),
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    output logic             clearing_o,
    // the set to look at from the next cycle on
    input  logic             read_i,
    input  logic [SET_W-1:0] set_i,
    // lookup in the set that was read
    input  logic [TAG_W-1:0] tag_i,
    input  logic             pick_i,       // way_i instead of a lookup
    input  logic [WAY_W-1:0] way_i,
    input  logic [WAYS-1:0]  keep_i,       // ways that must not be evicted
    output logic             hit_o,        // some way has the tag
    output logic             room_o,       // some way may be evicted
    output logic [WAY_W-1:0] way_o,        // the picked way; else the way that hits; else the victim
    output logic             valid_o,      // of that way
    output logic             filled_o,
    output logic             dirty_o,
    output logic [TAG_W-1:0] tag_o,
    // the new state of that way
    input  logic             write_i,
    input  logic             valid_i,
    input  logic             filled_i,
    input  logic             dirty_i,
    input  logic             touch_i
);
  typedef struct packed {
    logic valid;
    logic filled;
    logic dirty;
    logic [TAG_W-1:0] tag;
  } entry_t;
  typedef logic [WAYS-1:0][WAY_W-1:0] ages_t;

  logic [$clog2(SETS+1)-1:0] init_q;
  logic clearing;
  logic [SET_W-1:0] set_q, wset;
  assign clearing = 32'(init_q) != SETS;
  assign clearing_o = clearing;
  assign wset = clearing ? SET_W'(init_q) : set_q;

  entry_t [WAYS-1:0] entry;
  entry_t wentry, cur;
  logic [WAYS-1:0] valid, hit, victim, sel;
  ages_t age, touched, fresh;
  assign wentry = clearing ? '0 : '{valid: valid_i, filled: filled_i, dirty: dirty_i, tag: pick_i ? cur.tag : tag_i};
  for (genvar w = 0; w < WAYS; w++) begin : gen_ways
    l2_ram_fwd #(.DEPTH(SETS), .WIDTH($bits(entry_t))) u_entries (
        .clk_i, .we_i(clearing || (write_i && sel[w])), .waddr_i(wset), .wdata_i(wentry), .re_i(read_i), .raddr_i(set_i), .rdata_o(entry[w])
    );
    assign valid[w] = entry[w].valid;
    assign hit[w] = entry[w].valid && entry[w].tag == tag_i;
    assign fresh[w] = WAY_W'(w);
  end
  l2_ram_fwd #(.DEPTH(SETS), .WIDTH($bits(ages_t))) u_ages (
      .clk_i, .we_i(clearing || touch_i), .waddr_i(wset), .wdata_i(clearing ? fresh : touched), .re_i(read_i), .raddr_i(set_i), .rdata_o(age)
  );
  l2_lru #(.WAYS(WAYS)) u_lru (.age_i(age), .valid_i(valid), .keep_i, .victim_o(victim), .touch_i(sel), .touched_o(touched));

  always_comb begin
    way_o = '0;
    cur = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      sel[w] = pick_i ? way_i == WAY_W'(w) : (hit != '0) ? hit[w] : victim[w];
      if (sel[w]) begin
        way_o |= WAY_W'(w);
        cur |= entry[w];
      end
    end
  end
  assign hit_o = hit != '0;
  assign room_o = victim != '0;
  assign valid_o = cur.valid;
  assign filled_o = cur.filled;
  assign dirty_o = cur.dirty;
  assign tag_o = cur.tag;

  always_ff @(posedge clk_i) begin
    if (rst_i) init_q <= '0;
    else if (clearing) init_q <= init_q + 1'b1;
    if (read_i) set_q <= set_i;
  end

  `VL_ASSERT(writes_one_way, !write_i || clearing || $countones(sel) == 1)
  `VL_ASSERT(quiet_while_clearing, !clearing || (!read_i && !write_i && !touch_i))
endmodule
