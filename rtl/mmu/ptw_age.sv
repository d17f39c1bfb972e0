// Which MSHR was allocated first: for each pair, is the lower one the older? Two may be allocated at an edge, then the lower one counts as the older.
// Two questions a cycle: the oldest of a set. Page: docs/blocks/ptw.md (`age`).
module ptw_age #(
    parameter int unsigned N = 8
) (
    input  logic              clk_i,
    input  logic [N-1:0]      alloc_i,
    input  logic [1:0][N-1:0] of_i,
    output logic [1:0][N-1:0] oldest_o      // one-hot, or 0 of an empty set
);
  // older_q[k][j], j < k: j is older. Undefined until both have been allocated.
  logic [N-1:0][N-1:0] older_q;
  always_ff @(posedge clk_i)
    for (int unsigned k = 0; k < N; k++)
      for (int unsigned j = 0; j < N; j++)
        if (j >= k) older_q[k][j] <= 1'b0;
        else if (alloc_i[k]) older_q[k][j] <= 1'b1;
        else if (alloc_i[j]) older_q[k][j] <= 1'b0;

  always_comb
    for (int unsigned q = 0; q < 2; q++)
      for (int unsigned k = 0; k < N; k++) begin
        oldest_o[q][k] = of_i[q][k];
        for (int unsigned j = 0; j < N; j++)
          if (j != k && of_i[q][j] && (j < k ? older_q[k][j] : !older_q[j][k])) oldest_o[q][k] = 1'b0;
      end
endmodule
