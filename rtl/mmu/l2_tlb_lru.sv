// Order of use of the entries of each set: for each pair of ways, is the lower one younger? What was touched at the last edge waits in registers and goes into
// the order a cycle later, away from the compare of tags; oldest_o knows of it. Each set's order is one word, written by masks: with many sets and ways a test
// for every pair of every set would be most of the block. After reset way 0 is the youngest. Page: docs/blocks/l2_tlb.md (steps 2, 7).
module l2_tlb_lru #(
    parameter int unsigned SETS = 8,
    parameter int unsigned WAYS = 4,
    parameter int unsigned TOUCHES = 3,
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS)
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    input  logic [TOUCHES-1:0][SET_W-1:0] touch_set_i,
    input  logic [TOUCHES-1:0][WAYS-1:0]  touch_i,      // one-hot, or 0; the last one is the youngest
    input  logic [SET_W-1:0]              set_i,
    output logic [WAYS-1:0]               oldest_o      // of that set, before this edge: one-hot
);
  localparam int unsigned PAIRS = (WAYS <= 1) ? 1 : WAYS * (WAYS - 1) / 2;
  typedef logic [PAIRS-1:0] order_t;

  // The pair (v, w), v < w.
  function automatic int unsigned pair(input int unsigned v, input int unsigned w);
    return w * (w - 1) / 2 + v;
  endfunction

  logic [TOUCHES-1:0][SET_W-1:0] pend_set_q;
  logic [TOUCHES-1:0][WAYS-1:0] pend_q;
  order_t younger_q[1 << SET_W];
  order_t after[TOUCHES];       // the order of a touch's set with that touch and those before it
  order_t chosen;

  // The pairs in which one of these ways is the lower one, or the upper one.
  function automatic order_t lower(input logic [WAYS-1:0] ways);
    order_t pairs = '0;
    for (int unsigned w = 1; w < WAYS; w++) for (int unsigned v = 0; v < w; v++) pairs[pair(v, w)] = ways[v];
    return pairs;
  endfunction
  function automatic order_t upper(input logic [WAYS-1:0] ways);
    order_t pairs = '0;
    for (int unsigned w = 1; w < WAYS; w++) for (int unsigned v = 0; v < w; v++) pairs[pair(v, w)] = ways[w];
    return pairs;
  endfunction

  always_comb begin
    for (int unsigned t = 0; t < TOUCHES; t++) after[t] = younger_q[pend_set_q[t]];
    for (int unsigned t = 0; t < TOUCHES; t++) begin
      for (int unsigned u = 0; u < TOUCHES; u++) if (u < t && pend_q[u] != '0 && pend_set_q[u] == pend_set_q[t]) after[t] = after[u];
      after[t] = (after[t] | lower(pend_q[t])) & ~upper(pend_q[t]);
    end
    chosen = younger_q[set_i];
    for (int unsigned t = 0; t < TOUCHES; t++) if (pend_q[t] != '0 && pend_set_q[t] == set_i) chosen = after[t];
  end
  always_comb begin
    oldest_o = '1;
    for (int unsigned w = 1; w < WAYS; w++)
      for (int unsigned v = 0; v < w; v++)
        if (chosen[pair(v, w)]) oldest_o[v] = 1'b0;
        else oldest_o[w] = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    pend_set_q <= touch_set_i;
    if (rst_i) begin
      pend_q <= '0;
      for (int unsigned s = 0; s < (1 << SET_W); s++) younger_q[s] <= '1;
    end else begin
      pend_q <= touch_i;
      // Of two touches of a set the later one has both.
      for (int unsigned t = 0; t < TOUCHES; t++) if (pend_q[t] != '0) younger_q[pend_set_q[t]] <= after[t];
    end
  end
endmodule
