// The banks from oldest to youngest, as a matrix: older_q[i][j] says that i is older than j. Picks the oldest of several sets at once.
// Page: docs/blocks/dram_ctrl.md, `order`.
module dram_order #(
    parameter int unsigned N = 4,
    parameter int unsigned SETS = 1
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic [N-1:0]             first_i,    // at most one: becomes the youngest,
    input  logic [N-1:0]             then_i,     // and then this one (another, at most one)
    input  logic [SETS-1:0][N-1:0]   set_i,
    output logic [SETS-1:0][N-1:0]   oldest_o    // one-hot, 0 for an empty set
);
  logic [N-1:0][N-1:0] older_q;

  always_comb
    for (int unsigned s = 0; s < SETS; s++)
      for (int unsigned i = 0; i < N; i++) begin
        logic beaten;
        beaten = 1'b0;
        for (int unsigned j = 0; j < N; j++) if (j != i) beaten |= set_i[s][j] & older_q[j][i];
        oldest_o[s][i] = set_i[s][i] & ~beaten;
      end

  always_ff @(posedge clk_i)
    for (int unsigned i = 0; i < N; i++)
      for (int unsigned j = 0; j < N; j++)
        if (rst_i) older_q[i][j] <= i < j;
        else if (i == j || then_i[i]) older_q[i][j] <= 1'b0;
        else if (then_i[j]) older_q[i][j] <= 1'b1;
        else if (first_i[i]) older_q[i][j] <= 1'b0;
        else if (first_i[j]) older_q[i][j] <= 1'b1;
endmodule
