// True LRU of every set of a TLB. The order is kept as a matrix: for each pair of ways, whether the lower one is younger. So a touch is one
// gate a pair. The touches of the last edge wait in registers (pend) and enter the order a cycle later, away from the compare of tags;
// oldest_o takes them into account. After reset way 0 is the youngest. Pages: docs/blocks/tlb.md (steps 1, 4), docs/blocks/l2_tlb.md (steps 2, 7).
module tlb_lru #(
    parameter int unsigned SETS = 8,
    parameter int unsigned WAYS = 4,
    parameter int unsigned TOUCHES = 5,
    parameter bit WORDS = 1'b0,                         // for many sets: the order of a set is one word, written by masks
    parameter bit AGES = 1'b0,                          // age_o is used
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS)
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    input  logic [TOUCHES-1:0][SET_W-1:0] touch_set_i,
    input  logic [TOUCHES-1:0][WAYS-1:0]  touch_i,      // one-hot, or 0; the last one is the youngest
    input  logic [SET_W-1:0]              set_i,
    output logic [WAYS-1:0]               oldest_o,     // of that set, before this edge: one-hot
    output logic [TOUCHES-1:0][1:0]       age_o         // of the entry touched at the last edge, before it: at most 3
);
  localparam int unsigned PAIRS = (WAYS <= 1) ? 1 : WAYS * (WAYS - 1) / 2;
  typedef logic [PAIRS-1:0] order_t;

  // The pair (v, w), v < w.
  function automatic int unsigned pair(input int unsigned v, input int unsigned w);
    return w * (w - 1) / 2 + v;
  endfunction

  logic [TOUCHES-1:0][SET_W-1:0] pend_set_q;
  logic [TOUCHES-1:0][WAYS-1:0] pend_q;
  order_t chosen;
  always_ff @(posedge clk_i) begin
    pend_set_q <= touch_set_i;
    pend_q <= rst_i ? '0 : touch_i;
  end

  if (WORDS) begin : gen_words
    // With many sets and ways, a comparison for each pair of each set would be most of the block.
    order_t younger_q[1 << SET_W];
    order_t after[TOUCHES];       // the order of a touch's set with that touch and those before it

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
    always_ff @(posedge clk_i)
      if (rst_i) for (int unsigned s = 0; s < (1 << SET_W); s++) younger_q[s] <= '1;
      // If two touches are of the same set, the later one's order contains both.
      else for (int unsigned t = 0; t < TOUCHES; t++) if (pend_q[t] != '0) younger_q[pend_set_q[t]] <= after[t];
    assign age_o = '0;
  end else begin : gen_bits
    order_t [SETS-1:0] younger_q, younger;

    always_comb begin
      younger = younger_q;
      for (int unsigned t = 0; t < TOUCHES; t++)
        if (pend_q[t] != '0)
          for (int unsigned s = 0; s < SETS; s++)
            if (32'(pend_set_q[t]) == s)
              for (int unsigned w = 1; w < WAYS; w++)
                for (int unsigned v = 0; v < w; v++) begin
                  if (pend_q[t][v]) younger[s][pair(v, w)] = 1'b1;
                  else if (pend_q[t][w]) younger[s][pair(v, w)] = 1'b0;
                end
    end
    always_ff @(posedge clk_i) younger_q <= rst_i ? '1 : younger;

    if (SETS == 1) begin : gen_one
      assign chosen = younger[0];
    end else begin : gen_choose
      assign chosen = younger[set_i];
    end

    // The order does not contain the touches of the last edge yet.
    if (AGES) begin : gen_ages
      for (genvar t = 0; t < TOUCHES; t++) begin : gen_touch
        order_t was;
        logic [WAYS-1:0] younger_ways;             // than the one that was touched
        if (SETS == 1) begin : gen_one
          assign was = younger_q[0];
        end else begin : gen_choose
          assign was = younger_q[pend_set_q[t]];
        end
        always_comb begin
          younger_ways = '0;
          for (int unsigned w = 1; w < WAYS; w++)
            for (int unsigned v = 0; v < w; v++)
              if (pend_q[t][v] && !was[pair(v, w)]) younger_ways[w] = 1'b1;
              else if (pend_q[t][w] && was[pair(v, w)]) younger_ways[v] = 1'b1;
          age_o[t] = ($countones(younger_ways) > 3) ? 2'd3 : 2'($countones(younger_ways));
        end
      end
    end else begin : gen_no_ages
      assign age_o = '0;
    end
  end

  always_comb begin
    oldest_o = '1;
    for (int unsigned w = 1; w < WAYS; w++)
      for (int unsigned v = 0; v < w; v++)
        if (chosen[pair(v, w)]) oldest_o[v] = 1'b0;
        else oldest_o[w] = 1'b0;
  end
endmodule
