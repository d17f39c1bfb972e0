// The common page matrix: for each pair of home warps, how often one hit a TLB entry that the other had touched before. Page: docs/blocks/common_page.md; step numbers in
// comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module common_page
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  compact_e                    mode_i,
    input  cpm_policy_t                 policy_i,
    // launch
    input  logic                        start_valid_i,
    input  start_t                      start_i,
    // compactor
    input  logic                        formed_valid_i,
    input  formed_t                     formed_i,
    output common_t                     common_o,
    // tlb
    input  logic [TLB_PORTS-1:0]        touch_valid_i,
    input  page_touch_t [TLB_PORTS-1:0] touch_i,
    input  logic                        kept_valid_i,
    input  tlb_entry_t                  kept_i,
    // counters
    output ev_common_page_t             ev_o
);
  localparam int unsigned BITS = larger(CPM_BITS, 1);   // 1 at least, for lint only: no machine with CPM_BITS 0 has this block
  typedef logic [BITS-1:0] level_t;
  typedef logic [TLB_ENTRIES-1:0] entries_t;

  function automatic warp_mask_t bit_of(input warp_t w);
    return warp_mask_t'(1) << w;
  endfunction

  // ---- state -----------------------------------------------------------------------------------------------------
  warp_t lead_q[WARPS];
  entries_t later_valid_q, earlier_valid_q;             // the history of each entry: its last touch, and the one before
  warp_t [TLB_ENTRIES-1:0] later_q, earlier_q, later, earlier;   // packed, and written as a whole: as arrays, Verilator refuses more than 64
  level_t count_q[WARPS][WARPS];
  level_t limit_q;
  logic some_q;
  logic [15:0] clock_q;
  ev_common_page_t ev_q;
  logic rest;
  assign rest = rst_i || mode_i != COMPACT_TLB;

  // ---- steps 0, 1
  warp_t lowest;                                        // the home of a formed warp's first thread
  always_comb begin
    lowest = '0;
    `VL_WHEN(formed_valid_i) for (int unsigned t = THREADS; t > 0; t--) if (formed_i.mask[t-1]) lowest = formed_i.homes[t-1];
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) limit_q <= '0;
    else limit_q <= (32'(policy_i.bits) >= BITS) ? '1 : ~(level_t'('1) << policy_i.bits);
    if (start_valid_i) lead_q[start_i.warp] <= start_i.warp;
    if (formed_valid_i) lead_q[formed_i.warp] <= lowest;
  end

  // ---- step 3: who touches, the columns that this raises, and what of it counts
  warp_t slot, lead;
  entries_t touched, mine;                              // mine: entries last touched by this home
  warp_mask_t raised, below, up;
  always_comb begin
    slot = '0;
    lead = '0;
    touched = '0;
    mine = '0;
    raised = '0;
    below = '0;
    up = '0;
    `VL_WHEN(touch_valid_i != '0) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) if (touch_valid_i[p]) slot |= touch_i[p].warp;   // one warp
      lead = lead_q[slot];
      for (int unsigned p = 0; p < TLB_PORTS; p++)
        if (touch_valid_i[p]) begin
          touched[touch_i[p].entry] = 1'b1;
          if (later_valid_q[touch_i[p].entry]) raised |= bit_of(later_q[touch_i[p].entry]);
          if (earlier_valid_q[touch_i[p].entry]) raised |= bit_of(earlier_q[touch_i[p].entry]);
          mine[touch_i[p].entry] = later_valid_q[touch_i[p].entry] && later_q[touch_i[p].entry] == lead;
        end
      raised &= ~bit_of(lead);
      for (int unsigned b = 0; b < WARPS; b++) below[b] = count_q[lead][b] < limit_q;
      up = raised & below;
    end
  end

  // ---- step 5
  logic flush;
  assign flush = some_q && policy_i.period != '0 && 17'(clock_q) + 17'd1 >= 17'(policy_i.period);

  always_ff @(posedge clk_i) begin
    ev_q <= '0;
    if (rest) begin
      later_valid_q <= '0;
      earlier_valid_q <= '0;
      `VL_WHEN(rst_i || some_q) for (int unsigned a = 0; a < WARPS; a++) for (int unsigned b = 0; b < WARPS; b++) count_q[a][b] <= '0;
      some_q <= 1'b0;
      clock_q <= '0;
    end else begin
      `VL_WHEN(flush || up != '0) for (int unsigned a = 0; a < WARPS; a++)
        for (int unsigned b = 0; b < WARPS; b++)
          if (flush || a == b) count_q[a][b] <= '0;
          else if (up[b] && lead == WARP_W'(a)) count_q[a][b] <= count_q[a][b] + 1'b1;
      later_valid_q <= later_valid_q | touched;
      earlier_valid_q <= (touched & ~mine & later_valid_q) | (~(touched & ~mine) & earlier_valid_q);
      // Step 4, over 3
      if (kept_valid_i) begin
        later_valid_q[kept_i] <= 1'b0;
        earlier_valid_q[kept_i] <= 1'b0;
      end
      some_q <= !flush && (some_q || up != '0);
      if (!some_q || flush) clock_q <= '0;
      else if (clock_q != '1) clock_q <= clock_q + 16'd1;
      ev_q.cpm_raised <= 7'($countones(up));
      ev_q.cpm_flushes <= flush;
    end
    later_q <= later;
    earlier_q <= earlier;
  end
  always_comb begin
    later = later_q;
    earlier = earlier_q;
    `VL_WHEN(touch_valid_i != '0) for (int unsigned e = 0; e < TLB_ENTRIES; e++)
      if (touched[e] && !mine[e]) begin
        earlier[e] = later_q[e];
        later[e] = lead;
      end
  end

  // ---- outputs
  warp_mask_t [WARPS-1:0] common;
  always_comb begin
    common = '0;
    `VL_WHEN(some_q || limit_q == '0) for (int unsigned a = 0; a < WARPS; a++)
      for (int unsigned b = 0; b < WARPS; b++) common[a][b] = a != b && count_q[a][b] >= limit_q;
  end
  assign common_o = common_t'(common);
  assign ev_o = ev_q;

  logic one_warp;
  always_comb begin
    one_warp = 1'b1;
    for (int unsigned p = 0; p < TLB_PORTS; p++) if (touch_valid_i[p] && touch_i[p].warp != slot) one_warp = 1'b0;
  end
  `VL_ASSERT(touches_are_of_one_warp, one_warp)
  `VL_ASSERT(not_started_and_formed_at_once, !start_valid_i || !formed_valid_i || start_i.warp != formed_i.warp)
endmodule
