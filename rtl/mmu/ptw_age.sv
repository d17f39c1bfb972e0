// Which MSHR was allocated first: for each pair, is the lower one the older? Two may be allocated at an edge, then the lower one counts as the older.
// Whether one is allocated is known late, so the order follows what is free: a pair of which both are free is as if the lower one came first, until one of
// them alone is free, which shall be the younger. Page: docs/blocks/ptw.md (`age`).
module ptw_age #(
    parameter int unsigned N = 8
) (
    input  logic                clk_i,
    input  logic [N-1:0]        free_i,
    input  logic [N-1:0]        of_i,
    output logic [N-1:0]        oldest_o,     // of of_i: one-hot, or 0 of an empty set
    output logic [N-1:0][N-1:0] older_o       // [k][j]: j is older than k, if neither is free
);
  logic [N-1:0][N-1:0] older_q;               // j < k alone
  always_ff @(posedge clk_i)
    for (int unsigned k = 0; k < N; k++)
      for (int unsigned j = 0; j < N; j++)
        if (j >= k) older_q[k][j] <= 1'b0;
        else if (free_i[k]) older_q[k][j] <= 1'b1;
        else if (free_i[j]) older_q[k][j] <= 1'b0;

  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      for (int unsigned j = 0; j < N; j++) older_o[k][j] = (j < k) ? older_q[k][j] : j != k && !older_q[j][k];
      oldest_o[k] = of_i[k] && (of_i & older_o[k]) == '0;
    end
endmodule
