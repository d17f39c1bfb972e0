// True LRU of one set: from the ages of its ways (a permutation of 0, the youngest, .. WAYS-1) the way to give up, and the ages after a touch.
// victim_o: the lowest way that is not valid, else the oldest that is not kept; none when all are kept. Page: docs/blocks/l2.md (step 5).
module l2_lru #(
    parameter int unsigned WAYS = 8,
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS)
) (
    input  logic [WAYS-1:0][WAY_W-1:0] age_i,
    input  logic [WAYS-1:0]            valid_i,
    input  logic [WAYS-1:0]            keep_i,
    output logic [WAYS-1:0]            victim_o,   // one-hot
    input  logic [WAYS-1:0]            touch_i,    // one-hot
    output logic [WAYS-1:0][WAY_W-1:0] touched_o
);
  // All pairs are compared in parallel with the lookup of the tags; the way, which is late, only selects.
  logic [WAYS-1:0][WAYS-1:0] older;   // [w][v]: v is older than w
  logic [WAYS-1:0] empty, oldest;
  assign empty = ~valid_i;
  always_comb
    for (int unsigned w = 0; w < WAYS; w++) begin
      for (int unsigned v = 0; v < WAYS; v++) older[w][v] = age_i[v] > age_i[w];
      oldest[w] = !keep_i[w] && (older[w] & ~keep_i) == '0;
    end
  always_comb
    for (int unsigned w = 0; w < WAYS; w++)
      touched_o[w] = touch_i[w] ? '0 : age_i[w] + WAY_W'((touch_i & older[w]) != '0);
  assign victim_o = (empty != '0) ? empty & (~empty + 1'b1) : oldest;
endmodule
