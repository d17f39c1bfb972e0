// Warps by their scores, and which of them fit under the cutoff (inside warp_locality): rounds of a pass up, in which the warp with the greatest score comes to the top, and a pass down
// that adds scores up; one warp an edge each. Page: docs/blocks/warp_locality.md, step 5.
`include "vl_assert.svh"
module warp_order
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   rst_i,         // for assertions alone: clear_i comes with it
    input  logic                   clear_i,
    input  logic                   run_i,         // a step is made
    input  warp_mask_t             active_i,
    input  logic [WARPS-1:0][11:0] extra_i,       // score above base
    input  logic [7:0]             base_i,
    input  logic [15:0]            cutoff_i,
    output logic                   between_o,     // no round is under way
    output logic                   end_o,         // this step is the last one of its round
    output warp_mask_t             next_o         // then: who fits
);
  logic down_q, some_q;
  warp_t at_q;                                    // the place: of a pass up `a` stands above it
  warp_t [WARPS-1:0] order_q;
  warp_t carry_q;
  logic [15:0] limit_q, sum_q;
  warp_mask_t next_q;
  logic top, bottom;
  assign bottom = 32'(at_q) == WARPS - 1;
  assign top = at_q == '0;

  // ---- up ---------------------------------------------------------------------------------------------------------------
  warp_t above, c, a, counted;
  logic a_goes_on;
  logic [15:0] limit;
  assign above = top ? '0 : at_q - 1'b1;
  assign c = bottom ? order_q[WARPS-1] : carry_q;
  assign a = order_q[above];
  assign a_goes_on = {active_i[a], extra_i[a]} >= {active_i[c], extra_i[c]};
  assign counted = warp_t'(WARPS - 1) - at_q;     // the warp of the base that is added (`step` on the page)
  assign limit = (bottom ? '0 : limit_q) + (active_i[counted] ? 16'(base_i) : 16'd0);

  // ---- down -------------------------------------------------------------------------------------------------------------
  warp_t w;
  logic some;
  logic [16:0] sum;
  logic fits;
  assign w = order_q[at_q];
  assign some = !top && some_q;
  always_comb begin
    sum = (top ? 17'd0 : {1'b0, sum_q}) + (active_i[w] ? 17'(extra_i[w]) + 17'(base_i) : 17'd0);
    if (sum[16]) sum = 17'h0ffff;
  end
  assign fits = !active_i[w] || !some || sum[15:0] <= ((cutoff_i != '0) ? cutoff_i : limit_q);
  always_comb begin
    next_o = next_q;
    next_o[w] = fits;
  end
  assign between_o = !down_q && bottom;
  assign end_o = down_q && bottom;

  always_ff @(posedge clk_i)
    if (clear_i) begin
      down_q <= 1'b0;
      at_q <= warp_t'(WARPS - 1);
      for (int unsigned k = 0; k < WARPS; k++) order_q[k] <= warp_t'(k);
    end else if (run_i) begin
      if (!down_q) begin
        order_q[at_q] <= (top || a_goes_on) ? c : a;
        carry_q <= a_goes_on ? a : c;
        limit_q <= limit;
        if (top) down_q <= 1'b1;
        else at_q <= above;
      end else begin
        sum_q <= sum[15:0];
        some_q <= some || active_i[w];
        next_q <= next_o;
        if (bottom) down_q <= 1'b0;
        else at_q <= at_q + 1'b1;
      end
    end

  `VL_ASSERT(place_exists, 32'(at_q) < WARPS)
endmodule
