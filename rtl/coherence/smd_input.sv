// Requests of the L2 slice that the directory of its stack has not looked at: a queue of two that says whether it has a write-back of a block.
// Page: docs/blocks/smd.md (`in`, step 7).
module smd_input
  import vellum_pkg::*, home_pkg::*, coherence_pkg::*;
#(
    parameter type T = logic
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  T           data_i,
    input  logic       write_i,      // it is a write-back,
    input  line_addr_t line_i,       // of this line
    output logic       valid_o,
    input  logic       ready_i,
    output T           data_o,
    // write-backs
    input  line_addr_t block_i,      // a line of the block
    output logic       has_o
);
  logic wptr_q, rptr_q;              // as those of the queue
  logic [1:0] write_q;
  line_addr_t line_q[2];
  fifo #(.T(T)) u_fifo (.clk_i, .rst_i, .valid_i, .ready_o, .data_i, .valid_o, .ready_i, .data_o);
  always_comb begin
    has_o = 1'b0;
    for (int unsigned k = 0; k < 2; k++) has_o |= write_q[k] && block_of(line_q[k]) == block_of(block_i);
  end
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) line_q[wptr_q] <= line_i;
    if (rst_i) begin
      wptr_q <= 1'b0;
      rptr_q <= 1'b0;
      write_q <= '0;
    end else begin
      if (valid_i && ready_o) begin
        wptr_q <= !wptr_q;
        write_q[wptr_q] <= write_i;
      end
      if (valid_o && ready_i) begin
        rptr_q <= !rptr_q;
        write_q[rptr_q] <= 1'b0;
      end
    end
  end
endmodule
