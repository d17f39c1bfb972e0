// Who leads: of the walks that are ready those highest in the tree; of these, if there are any, those whose PTE is on the line of the leader
// before; of these the oldest. So a level is read as a whole before the next one, and lines are read once while they are at hand. Every pair is compared, for
// each way in which the two may lie to that line, before it is known which of them do. Combinational. Page: docs/blocks/ptw.md (step 3).
module ptw_pick
  import vl_cfg_pkg::*, mmu_pkg::*;
(
    input  logic                                  plain_i,    // the oldest, wherever it is
    input  logic   [TLB_MSHRS-1:0]                ready_i,
    input  level_t [TLB_MSHRS-1:0]                level_i,
    input  logic   [TLB_MSHRS-1:0]                near_i,     // line and level of the leader before
    input  logic   [TLB_MSHRS-1:0][TLB_MSHRS-1:0] older_i,    // [k][j]: j is older than k
    output logic   [TLB_MSHRS-1:0]                pick_o      // one-hot, or 0 if none is ready
);
  // [k][j]: j goes before k, if both or neither are on the line, if j alone is, if k alone is.
  logic [TLB_MSHRS-1:0][TLB_MSHRS-1:0] alike, ahead, behind;
  always_comb
    for (int unsigned k = 0; k < TLB_MSHRS; k++) begin
      pick_o[k] = ready_i[k];
      for (int unsigned j = 0; j < TLB_MSHRS; j++) begin
        behind[k][j] = plain_i ? older_i[k][j] : level_i[j] > level_i[k];
        ahead[k][j] = plain_i ? older_i[k][j] : level_i[j] >= level_i[k];
        alike[k][j] = behind[k][j] || (ahead[k][j] && older_i[k][j]);
        if (j != k && ready_i[j] && (near_i[j] == near_i[k] ? alike[k][j] : near_i[j] ? ahead[k][j] : behind[k][j])) pick_o[k] = 1'b0;
      end
    end
endmodule
