// Which warp touched each main entry of the TLB last, and how old an entry was when it was hit: what warp_locality hears (locality_entries above 0). What is touched at an edge waits
// in registers and is written a cycle later, away from the compare of tags, as in tlb_lru. Page: docs/blocks/tlb.md (steps 1, 4).
module tlb_last
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*;
#(
    localparam int unsigned SETS = TLB_ENTRIES / TLB_WAYS,
    localparam int unsigned SET_W = idx_w(SETS)
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    // look-ups that hit, one-hot ways
    input  logic [TLB_PORTS-1:0][SET_W-1:0]     set_i,
    input  logic [TLB_PORTS-1:0][TLB_WAYS-1:0]  hit_i,
    input  warp_t                               warp_i,
    // fill
    input  logic [SET_W-1:0]                    fill_set_i,
    input  logic [TLB_WAYS-1:0]                 fill_i,      // 0: none
    input  warp_t                               fill_warp_i,
    output warp_t                               of_o,        // who touched what it takes, before this edge
    output logic [TLB_PORTS-1:0]                touched_o,   // at the last edge
    output warp_t                               warp_o
);
  typedef warp_t [TLB_WAYS-1:0] set_t;
  set_t [SETS-1:0] last_q, last_d;
  logic [TLB_PORTS-1:0][SET_W-1:0] set_q;
  logic [TLB_PORTS-1:0][TLB_WAYS-1:0] hit_q;
  logic [SET_W-1:0] fill_set_q;
  logic [TLB_WAYS-1:0] fill_q;
  warp_t warp_q, fill_warp_q;

  always_comb begin
    set_t last;
    last = last_q[fill_set_i];
    for (int unsigned w = 0; w < TLB_WAYS; w++) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) if (hit_q[p][w] && set_q[p] == fill_set_i) last[w] = warp_q;
      if (fill_q[w] && fill_set_q == fill_set_i) last[w] = fill_warp_q;
    end
    of_o = '0;
    for (int unsigned w = 0; w < TLB_WAYS; w++) if (fill_i[w]) of_o |= last[w];
  end
  always_comb for (int unsigned p = 0; p < TLB_PORTS; p++) touched_o[p] = hit_q[p] != '0;
  assign warp_o = warp_q;

  always_comb begin
    last_d = last_q;
    for (int unsigned w = 0; w < TLB_WAYS; w++) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) if (hit_q[p][w]) last_d[set_q[p]][w] = warp_q;
      if (fill_q[w]) last_d[fill_set_q][w] = fill_warp_q;
    end
  end

  always_ff @(posedge clk_i) begin
    set_q <= set_i;
    hit_q <= rst_i ? '0 : hit_i;
    warp_q <= warp_i;
    fill_set_q <= fill_set_i;
    fill_q <= rst_i ? '0 : fill_i;
    fill_warp_q <= fill_warp_i;
    last_q <= last_d;
  end
endmodule
