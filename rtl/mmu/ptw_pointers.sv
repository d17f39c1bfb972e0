// Kept pointers to page tables: N entries, fully associative, known by the address of their PTE; replaced in turn. Leaf of ptw. Page: docs/blocks/ptw.md, 2 (Keeping), 3.3 and 5.
// Latency: none from at_i to hit_o; a pointer kept at an edge is found after it.
`include "vl_assert.svh"
`include "vl_skip.svh"
module ptw_pointers
  import vellum_pkg::*, mmu_pkg::*;
#(
    parameter int unsigned N = 4
) (
    input  logic      clk_i,
    input  logic      rst_i,
    input  logic      clear_i,          // 5: all become invalid
    // 3.3: the leader's PTE
    input  logic      look_i,           // for the simulator: 0 without a look-up
    input  pte_addr_t at_i,
    output logic      hit_o,
    output ppn_t      ppn_o,
    output logic      glob_o,
    // 2: a pointer to keep; without effect with clear_i
    input  logic      keep_i,
    input  pte_addr_t keep_at_i,
    input  ppn_t      keep_ppn_i,
    input  logic      keep_glob_i
);
  typedef logic [N-1:0] set_t;
  typedef logic [idx_w(N)-1:0] place_t;
  typedef struct packed {
    ppn_t ppn;
    logic glob;
  } pointer_t;

  set_t valid_q, match, same;
  pte_addr_t [N-1:0] at_q;
  pointer_t [N-1:0] pointer_q;
  place_t next_q;
  pointer_t found;

  always_comb begin
    match = '0;
    found = '0;
    `VL_WHEN(look_i) for (int unsigned e = 0; e < N; e++) begin
      match[e] = valid_q[e] && at_q[e] == at_i;
      if (match[e]) found |= pointer_q[e];
    end
  end
  always_comb begin
    same = '0;
    `VL_WHEN(keep_i) for (int unsigned e = 0; e < N; e++) same[e] = valid_q[e] && at_q[e] == keep_at_i;
  end
  assign hit_o = match != '0;
  assign ppn_o = found.ppn;
  assign glob_o = found.glob;

  always_ff @(posedge clk_i) begin
    `VL_WHEN(keep_i) for (int unsigned e = 0; e < N; e++)
      if (same != '0 ? same[e] : next_q == place_t'(e)) begin
        at_q[e] <= keep_at_i;
        pointer_q[e] <= '{ppn: keep_ppn_i, glob: keep_glob_i};
      end
    if (rst_i) begin
      valid_q <= '0;
      next_q <= '0;
    end else if (clear_i) begin
      valid_q <= '0;
    end else if (keep_i && same == '0) begin
      valid_q[next_q] <= 1'b1;
      next_q <= (32'(next_q) == N - 1) ? '0 : next_q + 1'b1;
    end
  end
  `VL_ASSERT(one_entry_an_address, $countones(match) <= 1 && $countones(same) <= 1)
endmodule
