// State of every set of a cache, except its tags: which ways have a line, which of these were fetched ahead and not asked for yet, and their order of use (true LRU). One set is looked at at a time: the copy of
// its state that stands in registers, and is written back as the next set comes. Page: docs/blocks/l1d.md (valid, age, step 10).
// The order is a bit for each pair of ways: older[a][b] for a < b says that way a was used before way b. To use a way is to set or clear its bits, and the
// victim is found without comparing numbers. A set not written since the last clear_i has no line, and a lower way counts as used later (age w in way w), which is all
// bits 0: so nothing must be written to clear all sets.
`include "vl_assert.svh"
module l1d_sets #(
    parameter int unsigned SETS = 32,
    parameter int unsigned WAYS = 8,
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             clear_i,     // all sets
    // the set in the registers
    input  logic [SET_W-1:0] set_i,
    output logic [WAYS-1:0]  valid_o,
    output logic [WAYS-1:0]  fresh_o,     // fetched ahead
    input  logic [WAYS-1:0]  keep_i,
    output logic [WAYS-1:0]  victim_o,    // one-hot: the way used longest ago that is not in keep_i; 0 without one
    // the next one
    input  logic             advance_i,
    input  logic [SET_W-1:0] next_set_i,
    // what becomes of the old one, with advance_i: ways used, filled and emptied (one-hot or 0)
    input  logic             write_i,
    input  logic [WAYS-1:0]  use_i,
    input  logic [WAYS-1:0]  fill_i,
    input  logic             ahead_i,     // fill_i: fetched ahead
    input  logic [WAYS-1:0]  asked_i,     // not fresh any more
    input  logic [WAYS-1:0]  empty_i
);
  typedef struct packed {
    logic [WAYS-1:0] valid, fresh;
    logic [WAYS-1:0][WAYS-1:0] older;   // [a][b] for a < b; the rest is 0
  } state_t;
  localparam int unsigned PAIRS = WAYS * (WAYS - 1) / 2;
  localparam int unsigned WIDTH = 2 * WAYS + PAIRS;

  function automatic logic [WIDTH-1:0] pack(input state_t s);
    logic [WIDTH-1:0] v;
    int unsigned n;
    v = '0;
    v[WAYS-1:0] = s.valid;
    v[WAYS+:WAYS] = s.fresh;
    n = 2 * WAYS;
    for (int unsigned a = 0; a < WAYS; a++)
      for (int unsigned b = a + 1; b < WAYS; b++) begin
        v[n] = s.older[a][b];
        n++;
      end
    return v;
  endfunction
  function automatic state_t unpack(input logic [WIDTH-1:0] v);
    state_t s;
    int unsigned n;
    s = '0;
    s.valid = v[WAYS-1:0];
    s.fresh = v[WAYS+:WAYS];
    n = 2 * WAYS;
    for (int unsigned a = 0; a < WAYS; a++)
      for (int unsigned b = a + 1; b < WAYS; b++) begin
        s.older[a][b] = v[n];
        n++;
      end
    return s;
  endfunction

  state_t s_q, s_new;
  logic [WIDTH-1:0] next;
  logic [SETS-1:0] known_q;
  ram_lut #(.DEPTH(SETS), .WIDTH(WIDTH)) u_sets (
      .clk_i, .we_i(write_i), .waddr_i(set_i), .wdata_i(pack(s_new)), .raddr_i(next_set_i), .rdata_o(next)
  );

  always_comb begin
    s_new = '0;
    s_new.valid = (s_q.valid | fill_i) & ~empty_i;
    s_new.fresh = (s_q.fresh & ~fill_i & ~asked_i) | (fill_i & {WAYS{ahead_i}});
    for (int unsigned a = 0; a < WAYS; a++)
      for (int unsigned b = a + 1; b < WAYS; b++) s_new.older[a][b] = use_i[b] || (s_q.older[a][b] && !use_i[a]);
  end

  assign valid_o = s_q.valid;
  assign fresh_o = s_q.fresh;
  always_comb
    for (int unsigned w = 0; w < WAYS; w++) begin
      victim_o[w] = !keep_i[w];
      for (int unsigned v = 0; v < WAYS; v++)
        if (v < w && s_q.older[v][w] && !keep_i[v]) victim_o[w] = 1'b0;
        else if (v > w && !s_q.older[w][v] && !keep_i[v]) victim_o[w] = 1'b0;
    end

  always_ff @(posedge clk_i)
    if (rst_i || clear_i) begin
      known_q <= '0;
      s_q <= '0;
    end else begin
      if (write_i) known_q[set_i] <= 1'b1;
      if (advance_i) begin
        if (write_i && next_set_i == set_i) s_q <= s_new;
        else if (known_q[next_set_i]) s_q <= unpack(next);
        else s_q <= '0;
      end
    end

  `VL_ASSERT(write_is_the_last_use, !write_i || advance_i)
endmodule
