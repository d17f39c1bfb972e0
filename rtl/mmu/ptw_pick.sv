// Who may lead: of the walks that are ready those highest in the tree; of these, if there are any, those whose PTE is on the line of the leader
// before. So a level is read as a whole before the next one, and lines are read once while they are at hand. Combinational. Page: docs/blocks/ptw.md (step 3).
module ptw_pick
  import vl_cfg_pkg::*, mmu_pkg::*;
(
    input  logic   [TLB_MSHRS-1:0] ready_i,
    input  level_t [TLB_MSHRS-1:0] level_i,
    input  logic   [TLB_MSHRS-1:0] near_i,     // line and level of the leader before
    output logic   [TLB_MSHRS-1:0] pick_o
);
  logic [3:0][TLB_MSHRS-1:0] at;
  logic [TLB_MSHRS-1:0] highest, close;
  always_comb begin
    for (int unsigned l = 0; l < 4; l++)
      for (int unsigned k = 0; k < TLB_MSHRS; k++) at[l][k] = ready_i[k] && level_i[k] == level_t'(l);
    highest = at[3] != '0 ? at[3] : at[2] != '0 ? at[2] : at[1] != '0 ? at[1] : at[0];
    close = highest & near_i;
    pick_o = close != '0 ? close : highest;
  end
endmodule
