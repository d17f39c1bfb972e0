// True LRU of every set of a cache: WAYS ages a set, a permutation of 0 (youngest) .. WAYS-1. Asynchronous read of one set, which is announced a cycle ahead; touching a way
// of that set makes it the youngest. A set that was never touched since reset has age w in way w (so no reset of the memory is needed).
// victim_o: the oldest way not in keep_i (0 when all are kept). Page: docs/blocks/l1d.md (step 10).
`include "vl_assert.svh"
module l1d_lru #(
    parameter int unsigned SETS = 32,
    parameter int unsigned WAYS = 8,
    localparam int unsigned SET_W = (SETS <= 1) ? 1 : $clog2(SETS),
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             advance_i,  // set_i changes to
    input  logic [SET_W-1:0] next_set_i,
    input  logic [SET_W-1:0] set_i,
    input  logic [WAYS-1:0]  keep_i,
    output logic [WAY_W-1:0] victim_o,
    input  logic             touch_i,    // only with advance_i
    input  logic [WAY_W-1:0] way_i
);
  typedef logic [WAYS-1:0][WAY_W-1:0] ages_t;
  logic [SETS-1:0] known_q;
  logic set_known_q;       // a copy of known_q[set_i]: the choice of one set out of all would come before everything else
  ages_t stored, age, touched;

  ram_lut #(.DEPTH(SETS), .WIDTH($bits(ages_t))) u_ages (
      .clk_i, .we_i(touch_i), .waddr_i(set_i), .wdata_i(touched), .raddr_i(set_i), .rdata_o(stored)
  );

  always_comb
    for (int unsigned w = 0; w < WAYS; w++) age[w] = set_known_q ? stored[w] : WAY_W'(w);
  always_comb
    for (int unsigned w = 0; w < WAYS; w++)
      touched[w] = (WAY_W'(w) == way_i) ? '0 : age[w] + WAY_W'(age[w] < age[way_i]);

  always_comb begin
    // A way is the victim when no other eligible one is older: compares in parallel, then picks.
    victim_o = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      logic oldest;
      oldest = !keep_i[w];
      for (int unsigned v = 0; v < WAYS; v++) if (!keep_i[v] && age[v] > age[w]) oldest = 1'b0;
      if (oldest) victim_o |= WAY_W'(w);
    end
  end

  always_ff @(posedge clk_i)
    if (rst_i) begin
      known_q <= '0;
      set_known_q <= 1'b0;
    end else begin
      if (touch_i) known_q[set_i] <= 1'b1;
      if (advance_i) set_known_q <= known_q[next_set_i] || (touch_i && next_set_i == set_i);
    end

  `VL_ASSERT(touch_is_the_last_use, !touch_i || advance_i)
endmodule
