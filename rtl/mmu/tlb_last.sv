// The warp that touched each main entry of the TLB last, for warp_locality (locality_entries above 0). A touch comes a cycle later, out of registers, and is
// written then, away from the compare of tags, as in tlb_lru. Page: docs/blocks/tlb.md (steps 1, 4).
module tlb_last
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*;
#(
    localparam int unsigned SETS = TLB_ENTRIES / TLB_WAYS,
    localparam int unsigned SET_W = idx_w(SETS)
) (
    input  logic                                clk_i,
    // touches of the last edge, one-hot ways or 0
    input  logic [TLB_PORTS-1:0][SET_W-1:0]     set_i,
    input  logic [TLB_PORTS-1:0][TLB_WAYS-1:0]  hit_i,
    input  warp_t                               warp_i,
    input  logic [SET_W-1:0]                    filled_set_i,
    input  logic [TLB_WAYS-1:0]                 filled_i,
    // a fill at this edge
    input  logic [SET_W-1:0]                    fill_set_i,
    input  logic [TLB_WAYS-1:0]                 fill_i,      // 0: none
    input  warp_t                               fill_warp_i,
    output warp_t                               of_o         // the warp that last touched the taken entry, before this edge
);
  typedef warp_t [TLB_WAYS-1:0] set_t;
  set_t [SETS-1:0] last_q, last_d;
  warp_t fill_warp_q;

  always_comb begin
    set_t last;
    last = last_q[fill_set_i];
    for (int unsigned w = 0; w < TLB_WAYS; w++) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) if (hit_i[p][w] && set_i[p] == fill_set_i) last[w] = warp_i;
      if (filled_i[w] && filled_set_i == fill_set_i) last[w] = fill_warp_q;
    end
    of_o = '0;
    for (int unsigned w = 0; w < TLB_WAYS; w++) if (fill_i[w]) of_o |= last[w];
  end

  always_comb begin
    last_d = last_q;
    for (int unsigned w = 0; w < TLB_WAYS; w++) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) if (hit_i[p][w]) last_d[set_i[p]][w] = warp_i;
      if (filled_i[w]) last_d[filled_set_i][w] = fill_warp_q;
    end
  end

  always_ff @(posedge clk_i) begin
    fill_warp_q <= fill_warp_i;
    last_q <= last_d;
  end
endmodule
