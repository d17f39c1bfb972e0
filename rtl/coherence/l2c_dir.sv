// Directory of a coherent L2 slice: the state of NMOESI of each line, and the ages of the ways. A set is read at one edge and used in the next cycle, by a probe or by
// s1, which may move one line to its next state and touch it. The state of a line that has arrived is written without a lookup. A read sees the write of the same
// edge. After reset it clears itself, a set a cycle. Page: docs/blocks/l2c.md (steps 1, 5, 6, 8).
`include "vl_assert.svh"
module l2c_dir
  import nmoesi_pkg::*;
#(
    parameter int unsigned SETS = 64,
    parameter int unsigned WAYS = 8,
    parameter int unsigned TAG_W = 30,
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS),
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    output logic             clearing_o,
    // the set to look at in the next cycle
    input  logic             read_i,
    input  logic [SET_W-1:0] set_i,
    // lookup in the set that was read
    input  logic [TAG_W-1:0] tag_i,
    input  nmoesi_event_e    what_i,       // the event for the line's state
    input  logic             stay_i,       // a hit does not change the state
    input  logic             clean_i,      // the home gets the line's bytes, and the line stays
    input  logic             pick_i,       // way_i instead of a lookup
    input  logic [WAY_W-1:0] way_i,
    input  logic             evict_i,      // choose a victim if the line is not here
    input  logic [WAYS-1:0]  reserved_i,   // ways for which lines are awaited
    output logic             found_o,      // the line is in the slice
    output logic             permits_o,    // and its state permits it
    output logic             room_o,       // some way may be the victim
    output logic [WAY_W-1:0] way_o,        // the picked way; else the line's; else the victim (0 without evict_i)
    output nmoesi_e          state_o,      // of that way
    output nmoesi_e          next_o,       // state after the event: I if the line must be requested first, or is a victim
    output logic             gives_o,      // its bytes go to the home: on a probe, or as a victim
    output logic [TAG_W-1:0] tag_o,
    // that way is in next_o from now on
    input  logic             write_i,
    input  logic             touch_i,
    // a line that has arrived
    input  logic             fill_i,
    input  logic [SET_W-1:0] fill_set_i,
    input  logic [WAY_W-1:0] fill_way_i,
    input  logic [TAG_W-1:0] fill_tag_i,
    input  nmoesi_e          fill_state_i
);
  typedef struct packed {
    nmoesi_e state;
    logic [TAG_W-1:0] tag;
  } entry_t;
  typedef logic [WAYS-1:0][WAY_W-1:0] ages_t;

  logic [$clog2(SETS+1)-1:0] init_q;
  logic clearing, probed;
  logic [SET_W-1:0] set_q, wset;
  assign clearing = 32'(init_q) != SETS;
  assign clearing_o = clearing;
  assign wset = clearing ? SET_W'(init_q) : fill_i ? fill_set_i : set_q;
  assign probed = what_i inside {NM_READ_REQUEST, NM_WRITE_REQUEST, NM_CLEAN};

  // The results are computed for each way in parallel with the comparison of its tag, which then only selects.
  entry_t [WAYS-1:0] entry;
  entry_t wentry, cur;
  nmoesi_e [WAYS-1:0] after;
  logic [WAYS-1:0] taken, found, permits, gives, victim, sel;
  ages_t age, touched, fresh;
  assign wentry = clearing ? '0 : fill_i ? '{state: fill_state_i, tag: fill_tag_i} : '{state: next_o, tag: pick_i ? cur.tag : tag_i};
  for (genvar w = 0; w < WAYS; w++) begin : gen_ways
    l2_ram_fwd #(.DEPTH(SETS), .WIDTH($bits(entry_t))) u_entries (
        .clk_i, .we_i(clearing || (fill_i ? fill_way_i == WAY_W'(w) : write_i && sel[w])), .waddr_i(wset), .wdata_i(wentry),
        .re_i(read_i), .raddr_i(set_i), .rdata_o(entry[w])
    );
    assign taken[w] = entry[w].state != NMOESI_I || reserved_i[w];
    assign found[w] = pick_i ? way_i == WAY_W'(w) : entry[w].state != NMOESI_I && entry[w].tag == tag_i;
    assign permits[w] = nmoesi_hit(entry[w].state, what_i);
    assign gives[w] = nmoesi_gives(entry[w].state, probed ? what_i : NM_EVICT);
    always_comb begin
      if (clean_i) after[w] = gives[w] ? ((entry[w].state == NMOESI_M) ? NMOESI_E : NMOESI_S) : entry[w].state;
      else if (what_i == NM_STORE && !permits[w]) after[w] = NMOESI_I;
      else after[w] = stay_i ? entry[w].state : nmoesi_next(entry[w].state, what_i);
    end
    assign fresh[w] = WAY_W'(w);
  end
  l2_ram_fwd #(.DEPTH(SETS), .WIDTH($bits(ages_t))) u_ages (
      .clk_i, .we_i(clearing || touch_i), .waddr_i(wset), .wdata_i(clearing ? fresh : touched), .re_i(read_i), .raddr_i(set_i), .rdata_o(age)
  );
  l2_lru #(.WAYS(WAYS)) u_lru (.age_i(age), .valid_i(taken), .keep_i(reserved_i), .victim_o(victim), .touch_i(sel), .touched_o(touched));

  logic [2:0] next;
  always_comb begin
    way_o = '0;
    cur = '0;
    next = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      sel[w] = (evict_i && found == '0) ? victim[w] : found[w];
      if (sel[w]) begin
        way_o |= WAY_W'(w);
        cur |= entry[w];
      end
      if (found[w]) next |= after[w];
    end
  end
  assign found_o = found != '0;
  assign permits_o = (found & permits) != '0;
  assign gives_o = (sel & gives) != '0;
  assign room_o = victim != '0;
  assign state_o = cur.state;
  assign next_o = nmoesi_e'(next);
  assign tag_o = cur.tag;

  always_ff @(posedge clk_i) begin
    if (rst_i) init_q <= '0;
    else if (clearing) init_q <= init_q + 1'b1;
    if (read_i) set_q <= set_i;
  end

  `VL_ASSERT(one_write_an_edge, $countones({clearing, fill_i, write_i}) <= 1)
  `VL_ASSERT(writes_one_way, !write_i || $countones(sel) <= 1)
  `VL_ASSERT(touches_one_way, !touch_i || (write_i && $countones(sel) == 1))
  `VL_ASSERT(quiet_while_clearing, !clearing || !read_i)
endmodule
