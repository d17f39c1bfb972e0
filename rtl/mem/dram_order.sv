// The banks from oldest to youngest, as a matrix: row i has a 1 for every bank that is older than i. Picks the oldest of several sets at once.
// Page: docs/blocks/dram_ctrl.md, `order`.
`include "vl_skip.svh"
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
  logic [N-1:0] older[N];
  always_comb begin
    oldest_o = '0;
    `VL_WHEN(set_i != '0)
    for (int unsigned s = 0; s < SETS; s++)
      for (int unsigned i = 0; i < N; i++) oldest_o[s][i] = set_i[s][i] && (set_i[s] & older[i]) == '0;
  end
  for (genvar i = 0; i < int'(N); i++) begin : gen_bank
    localparam logic [N-1:0] SELF = N'(1) << i;
    logic [N-1:0] older_q;
    assign older[i] = older_q;
    always_ff @(posedge clk_i)
      if (rst_i) older_q <= SELF - 1'b1;
      else `VL_WHEN((first_i | then_i) != '0)
        older_q <= (then_i[i] || first_i[i] ? '1 : older_q & ~first_i) & ~then_i & ~SELF;
  end
endmodule
