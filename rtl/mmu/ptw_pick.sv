// The leader: of the walks that are ready those highest in the tree; of these, if there are any, those with their PTE on the line of the leader
// before; of these the oldest. So a level is read as a whole before the next one, and PTEs of one line are read one after the other. Every pair is compared
// for each case (which of the two is on that line), before it is known which case holds. Combinational. Page: docs/blocks/ptw.md (step 3).
`include "vl_skip.svh"
module ptw_pick
  import mmu_pkg::*;
#(
    parameter int unsigned N = 8
) (
    input  logic                  plain_i,    // the oldest, wherever it is
    input  logic   [N-1:0]        ready_i,
    input  level_t [N-1:0]        level_i,
    input  logic   [N-1:0]        near_i,     // line and level of the leader before
    input  logic   [N-1:0][N-1:0] older_i,    // [k][j]: j is older than k
    output logic   [N-1:0]        pick_o      // one-hot, or 0 without a ready one
);
  // Does j go before k? By whether both or neither are on the line, j alone is, or k alone is.
  function automatic logic precedes(input logic plain, input logic older, input level_t j, input level_t k, input logic near_j, input logic near_k);
    logic alike, ahead, behind;
    behind = plain ? older : j > k;
    ahead = plain ? older : j >= k;
    alike = behind || (ahead && older);
    return near_j == near_k ? alike : near_j ? ahead : behind;
  endfunction

  always_comb begin
    pick_o = ready_i;
    `VL_WHEN((ready_i & (ready_i - 1'b1)) != '0)   // two or more
    for (int unsigned k = 0; k < N; k++)
      `VL_WHEN(ready_i[k])
      for (int unsigned j = 0; j < N; j++)
        if (j != k && ready_i[j] && precedes(plain_i, older_i[k][j], level_i[j], level_i[k], near_i[j], near_i[k])) pick_o[k] = 1'b0;
  end
endmodule
