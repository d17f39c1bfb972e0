// A queue of mem_sched, kept in the order of arrival: the gap of an entry that leaves is closed. Shows which entries can go, in two cycles
// (sched_pick), and finds the entries of a line. Page: docs/blocks/mem_sched.md, steps 5 and 6.
`include "vl_assert.svh"
`include "vl_skip.svh"
module sched_pool
  import map_pkg::*;
#(
    parameter int unsigned DEPTH = 16,
    parameter type T = logic,                // payload of an entry
    parameter int unsigned PORTS = 1         // lines looked for
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    // tail
    input  logic                  push_i,
    input  place_t                push_place_i,
    input  T                      push_tag_i,
    input  logic                  push_same_i,   // its row is the last one shown for its bank
    input  logic                  push_mark_i,
    input  logic [11:0]           stamp_i,
    // state of the queue
    output logic                  empty_o,
    output logic                  full_o,
    output logic [8:0]            count_o,
    // banks: a transaction that is shown sets the row of its bank
    input  logic [CH_BANKS-1:0]   free_i,
    input  logic [CH_BANKS-1:0]   open_i,
    input  logic                  shown_i,
    input  bank_t                 shown_bank_i,
    input  row_t                  shown_row_i,
    // searched lines: an unmarked entry that a port of urgent_i finds becomes urgent; the entry that the last port finds is marked
    input  place_t [PORTS-1:0]    find_i,
    output logic   [PORTS-1:0]    found_o,
    output T       [PORTS-1:0]    found_tag_o,
    output logic   [PORTS-1:0]    found_mark_o,
    input  logic   [PORTS-1:0]    urgent_i,
    input  logic                  mark_i,
    // look: the head, now
    output logic                  head_can_o,
    output logic [11:0]           head_stamp_o,
    // what could be picked as of the last edge
    output logic                  any_can_o,
    output logic                  any_urgent_o,
    // go
    input  logic                  go_i,
    input  logic                  go_urgent_i,   // the oldest urgent entry
    input  logic                  go_head_i,     // the head; otherwise the oldest that hits, else the oldest that can go
    output place_t                go_place_o,
    output T                      go_tag_o,
    output logic                  go_hit_o
);
  typedef struct packed {
    place_t place;
    T tag;
    logic [11:0] stamp;
  } entry_t;

  entry_t [DEPTH-1:0] entry_q;
  logic [DEPTH-1:0] valid_q, same_q, mark_q, hit_q;
  logic [$clog2(DEPTH+1)-1:0] count_q;

  // Lines.
  logic [PORTS-1:0][DEPTH-1:0] match;
  always_comb begin
    found_tag_o = '0;
    match = '0;
    `VL_WHEN(!empty_o)
    for (int unsigned p = 0; p < PORTS; p++)
      for (int unsigned i = 0; i < DEPTH; i++) begin
        match[p][i] = valid_q[i] && entry_q[i].place == find_i[p];
        if (match[p][i]) found_tag_o[p] |= entry_q[i].tag;
      end
  end
  always_comb
    for (int unsigned p = 0; p < PORTS; p++) begin
      found_o[p] = match[p] != '0;
      found_mark_o[p] = (match[p] & mark_q) != '0;
    end

  // Look.
  logic [DEPTH-1:0] same_d, can, hit, urgent;
  always_comb begin
    urgent = '0;
    can = '0;
    hit = '0;
    same_d = same_q;
    for (int unsigned p = 0; p < PORTS; p++) if (urgent_i[p]) urgent |= match[p];
    `VL_WHEN(!empty_o)
    for (int unsigned i = 0; i < DEPTH; i++) begin
      same_d[i] = (shown_i && entry_q[i].place.bank == shown_bank_i) ? entry_q[i].place.row == shown_row_i : same_q[i];
      can[i] = valid_q[i] && free_i[entry_q[i].place.bank];
      hit[i] = can[i] && same_d[i] && open_i[entry_q[i].place.bank];
    end
    urgent &= can & ~mark_q;
  end
  logic any_hit;
  logic [DEPTH-1:0] first_can, first_hit, first_urgent, sel, from_can, from_hit, from_urgent, from;
  sched_pick #(.N(DEPTH)) u_can (.clk_i, .rst_i, .vec_i(can), .any_o(any_can_o), .first_o(first_can), .from_o(from_can));
  sched_pick #(.N(DEPTH)) u_hit (.clk_i, .rst_i, .vec_i(hit), .any_o(any_hit), .first_o(first_hit), .from_o(from_hit));
  sched_pick #(.N(DEPTH)) u_urgent (.clk_i, .rst_i, .vec_i(urgent), .any_o(any_urgent_o), .first_o(first_urgent), .from_o(from_urgent));
  assign head_can_o = can[0];
  assign head_stamp_o = entry_q[0].stamp;

  // Go.
  assign sel = go_urgent_i ? first_urgent : go_head_i ? DEPTH'(1) : any_hit ? first_hit : first_can;
  assign from = go_urgent_i ? from_urgent : go_head_i ? '1 : any_hit ? from_hit : from_can;
  always_comb begin
    go_place_o = '0;
    go_tag_o = '0;
    `VL_WHEN(go_i)
    for (int unsigned i = 0; i < DEPTH; i++)
      if (sel[i]) begin
        go_place_o |= entry_q[i].place;
        go_tag_o |= entry_q[i].tag;
      end
  end
  assign go_hit_o = (sel & hit_q) != '0;

  assign empty_o = !valid_q[0];
  assign full_o = valid_q[DEPTH-1];
  assign count_o = 9'(count_q);

  // Entries at and above the one that goes move down by one; the new one goes to the first place that is free then.
  logic [DEPTH-1:0] valid_d, mark_d;
  entry_t push;
  assign push = '{place: push_place_i, tag: push_tag_i, stamp: stamp_i};
  always_comb begin
    mark_d = mark_q | (mark_i ? match[PORTS-1] : '0);
    valid_d = go_i ? valid_q >> 1 : valid_q;
  end
  always_ff @(posedge clk_i) begin
    hit_q <= hit;
    `VL_WHEN(push_i || !empty_o)
    for (int unsigned i = 0; i < DEPTH; i++)
      if (!valid_d[i]) begin
        entry_q[i] <= push;
        same_q[i] <= push_same_i;
        mark_q[i] <= push_mark_i;
      end else if (go_i && from[i] && i + 1 < DEPTH) begin
        entry_q[i] <= entry_q[(i+1)%DEPTH];
        same_q[i] <= same_d[(i+1)%DEPTH];
        mark_q[i] <= mark_d[(i+1)%DEPTH];
      end else begin
        same_q[i] <= same_d[i];
        mark_q[i] <= mark_d[i];
      end
    if (rst_i) begin
      valid_q <= '0;
      count_q <= '0;
    end else begin
      valid_q <= push_i ? (valid_d << 1) | DEPTH'(1) : valid_d;
      count_q <= count_q + $bits(count_q)'(push_i) - $bits(count_q)'(go_i);
    end
  end

  `VL_ASSERT(no_push_when_full, !push_i || !full_o)
  `VL_ASSERT(goes_one, !go_i || ($countones(sel) == 1 && (sel & ~valid_q) == '0))
  `VL_ASSERT(count_is_right, 32'(count_q) == $countones(valid_q))
endmodule
