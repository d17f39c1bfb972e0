// The order of walks: for each walk, which others are older. Two may begin in a cycle, then the lower one counts as the older. A walk has its place in the order in the cycle in which
// it begins, so the order is kept for free walks as well: of two that are free the lower one counts as older; if one of them alone is free, it counts as the younger.
// Page: docs/blocks/ptw.md (`age`).
`include "vl_skip.svh"
module ptw_age #(
    parameter int unsigned N = 8
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic [N-1:0]        free_i,
    input  logic [N-1:0]        of_i,
    output logic [N-1:0]        oldest_o,     // of of_i: one-hot, or 0 of an empty set
    output logic [N-1:0][N-1:0] older_o       // [k][j]: j is older than k, if neither is free
);
  function automatic logic [N-1:0] below(input int unsigned k);
    return N'((64'd1 << k) - 64'd1);
  endfunction

  logic [N-1:0] older_q[N];
  always_ff @(posedge clk_i)
    for (int unsigned k = 0; k < N; k++)
      older_q[k] <= rst_i ? below(k) : (free_i[k] ? ~free_i | below(k) : older_q[k] & ~free_i) & ~(N'(1) << k);

  always_comb begin
    for (int unsigned k = 0; k < N; k++) older_o[k] = older_q[k];
    oldest_o = '0;
    `VL_WHEN(of_i != '0) for (int unsigned k = 0; k < N; k++) oldest_o[k] = of_i[k] && (of_i & older_q[k]) == '0;
  end
endmodule
