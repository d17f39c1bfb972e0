// The bound of a warp's wait (inside warp_locality): one that is held back for four times `hold` rounds is due, and then eligible until it has sent a memory instruction.
// Page: docs/blocks/warp_locality.md, step 6, "No warp waits for ever"; proof: verif/core/proofs/warp_bound_proof.sv.
`include "vl_assert.svh"
module warp_bound
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,         // for assertions alone: clear_i comes with it
    input  logic       clear_i,
    input  warp_mask_t stays_i,       // active, and still after this edge
    input  logic       run_i,         // the round makes a step
    input  logic       end_i,         // its last one
    input  warp_mask_t next_i,        // then: who fits
    input  warp_mask_t sent_i,        // has a memory instruction decided
    input  logic [7:0] hold_i,
    output warp_mask_t eligible_o,
    output warp_mask_t due_o,
    output logic       waits_o,       // some warp is held back, or due
    output warp_mask_t fresh_o        // becomes due
);
  warp_mask_t sent_q, due_q, held_any, eligible_q, sent, due;
  logic [WARPS-1:0][9:0] held_q, held;
  logic [9:0] hold;  // rounds
  logic ends;
  assign hold = (hold_i == '0) ? 10'd1 : {hold_i, 2'b00};
  assign ends = run_i && end_i;
  assign sent = sent_q | sent_i;
  always_comb begin
    due = due_q;
    held = held_q;
    fresh_o = '0;
    if (ends) for (int unsigned w = 0; w < WARPS; w++) begin
      if (sent[w]) begin
        held[w] = '0;
        due[w] = 1'b0;
      end else if (!due_q[w]) begin
        if (next_i[w]) held[w] = '0;
        else if (held_q[w] >= hold) begin
          due[w] = 1'b1;
          fresh_o[w] = stays_i[w];
        end else held[w] = held_q[w] + 1'b1;
      end
    end
  end
  always_comb for (int unsigned w = 0; w < WARPS; w++) held_any[w] = held_q[w] != '0;

  always_ff @(posedge clk_i)
    if (clear_i) begin
      sent_q <= '0;
      due_q <= '0;
      held_q <= '0;
      eligible_q <= '1;
    end else begin
      sent_q <= (run_i && !end_i) ? sent & stays_i : '0;
      due_q <= due & stays_i;
      for (int unsigned w = 0; w < WARPS; w++) held_q[w] <= stays_i[w] ? held[w] : '0;
      eligible_q <= (ends ? next_i | due : eligible_q) | ~stays_i;
    end
  assign eligible_o = eligible_q;
  assign due_o = due_q;
  assign waits_o = eligible_q != '1 || due_q != '0;

  `VL_ASSERT(who_has_waited_waits_or_is_due, (held_any & eligible_q & ~due_q) == '0)
  `VL_ASSERT(due_are_eligible, (due_q & ~eligible_q) == '0)
endmodule
