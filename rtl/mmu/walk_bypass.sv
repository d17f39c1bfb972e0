// Which levels of a walk bypass the L2: those that hit there less often than data do, as counted in the first part of each epoch, which has no bypass.
// Page: docs/blocks/walk_bypass.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module walk_bypass
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, memside_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    // ctrl
    input  walk_bypass_policy_t        policy_i,
    input  logic                  epoch_i,
    input  logic [31:0]           epoch_cycles_i,
    // slices
    input  ev_l2_t [SLICES-1:0]   l2_i,
    // walk_cache
    output logic [3:0]            bypass_o,
    // counters
    output ev_walk_bypass_t       ev_o
);
  localparam int unsigned CLASSES = 5;           // data, then the levels from the root on
  typedef logic [15:0] count_t;

  // ---- the sample (2) ---------------------------------------------------------------------------------------------
  count_t access_q[CLASSES], hits_q[CLASSES], access[CLASSES], hits[CLASSES];
  logic [31:0] left_q, first;
  logic samples, full;
  assign samples = left_q != '0;
  assign first = epoch_cycles_i >> policy_i.sample;
  always_comb begin
    full = 1'b0;
    for (int unsigned c = 0; c < CLASSES; c++) full |= access_q[c][15];
    for (int unsigned c = 0; c < CLASSES; c++) begin
      access[c] = full ? access_q[c] >> 1 : access_q[c];
      hits[c] = full ? hits_q[c] >> 1 : hits_q[c];
    end
    `VL_WHEN(samples) for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned s = 0; s < SLICES; s++)
        if (l2_i[s].l2_access && 32'(l2_i[s].l2_cls) == c) begin
          access[c] += 16'd1;
          hits[c] += 16'(l2_i[s].l2_hit);
        end
  end

  // ---- the comparison (3): both products of a class side by side, a bit an edge ---------------------------------------
  logic busy_q, last_bit, ends;
  logic [2:0] class_q;
  logic [3:0] bit_q, decided_q, decided, bypass_q, bypass;
  logic [31:0] a_q, b_q, a, b;
  assign a = a_q + (access_q[0][bit_q] ? 32'(hits_q[class_q]) << bit_q : '0);
  assign b = b_q + (access_q[class_q][bit_q] ? 32'(hits_q[0]) << bit_q : '0);
  assign last_bit = bit_q == '1;
  assign ends = busy_q && last_bit && class_q == 3'd4;
  always_comb begin
    decided = decided_q;
    if (busy_q && last_bit && access_q[0] != '0 && access_q[class_q] != '0) decided[2'(class_q - 3'd1)] = a < b;
  end
  assign bypass = (policy_i.on && !samples && !busy_q && !epoch_i) ? decided_q : '0;   // 4

  // ---- registers ------------------------------------------------------------------------------------------------
  ev_walk_bypass_t ev_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned c = 0; c < CLASSES; c++) begin
        access_q[c] <= '0;
        hits_q[c] <= '0;
      end
      left_q <= '0;
      busy_q <= 1'b0;
      class_q <= 3'd1;
      bit_q <= '0;
      decided_q <= '0;
      a_q <= '0;
      b_q <= '0;
      bypass_q <= '0;
      ev_q <= '0;
    end else begin
      bypass_q <= bypass;
      ev_q <= '{bypass_l3: bypass[0], bypass_l2: bypass[1], bypass_l1: bypass[2], bypass_l0: bypass[3], bypass_decided: ends && !epoch_i};
      if (epoch_i) begin  // 1
        for (int unsigned c = 0; c < CLASSES; c++) begin
          access_q[c] <= '0;
          hits_q[c] <= '0;
        end
        left_q <= (first == '0) ? 32'd1 : first;
        busy_q <= 1'b0;
      end else if (samples) begin
        for (int unsigned c = 0; c < CLASSES; c++) begin
          access_q[c] <= access[c];
          hits_q[c] <= hits[c];
        end
        left_q <= left_q - 32'd1;
        if (left_q == 32'd1) begin
          busy_q <= 1'b1;
          class_q <= 3'd1;
          bit_q <= '0;
          a_q <= '0;
          b_q <= '0;
        end
      end else if (busy_q) begin
        decided_q <= decided;
        bit_q <= bit_q + 4'd1;
        a_q <= last_bit ? '0 : a;
        b_q <= last_bit ? '0 : b;
        if (last_bit) class_q <= class_q + 3'd1;
        if (ends) busy_q <= 1'b0;
      end
    end
  end
  assign bypass_o = bypass_q;
  assign ev_o = ev_q;

  `VL_ASSERT(classes_have_counts, !busy_q || (class_q >= 3'd1 && class_q <= 3'd4))
  `VL_ASSERT(compares_behind_the_sample, !busy_q || !samples)
endmodule
