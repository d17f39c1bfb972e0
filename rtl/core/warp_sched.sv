// Warp scheduler (inside issue): picks one of the ready warps. Loose round robin: the next ready one after the last chosen. Greedy then
// oldest: the last chosen while it is ready, else the one that started first.
module warp_sched
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    input  sched_e     policy_i,
    input  warp_mask_t ready_i,     // none: nothing is chosen
    input  warp_mask_t start_i,     // at most one: becomes the youngest
    output warp_mask_t grant_o      // one-hot, or 0 without a ready warp
);
  warp_mask_t last_q;               // one-hot
  warp_mask_t after_q;              // the warps above the last one
  logic [WARPS-1:0][WARPS-1:0] older_q;   // [w][k]: k has started before w

  // The warps that precede each warp are known from registers, so only one comparison follows ready_i, which is late.
  logic [WARPS-1:0][WARPS-1:0] ahead;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      warp_mask_t below;
      below = warp_mask_t'((64'd1 << w) - 64'd1);
      if (policy_i == SCHED_LRR) ahead[w] = after_q[w] ? after_q & below : after_q | below;
      else ahead[w] = last_q[w] ? '0 : last_q | older_q[w];
      grant_o[w] = ready_i[w] && (ready_i & ahead[w]) == '0;
    end

  warp_mask_t above;
  assign above = ~(grant_o | (grant_o - warp_mask_t'(1)));
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      last_q <= '0;
      last_q[WARPS-1] <= 1'b1;
      after_q <= '0;
      older_q <= '0;
    end else begin
      if (grant_o != '0) begin
        last_q <= grant_o;
        after_q <= above;
      end
      // All other warps are older than the one that starts.
      for (int unsigned w = 0; w < WARPS; w++)
        for (int unsigned k = 0; k < WARPS; k++)
          if (w != k)
            if (start_i[w]) older_q[w][k] <= 1'b1;
            else if (start_i[k]) older_q[w][k] <= 1'b0;
    end
  end
endmodule
