// Requests of the L2 slice that the directory of its stack has not taken up: a queue of two, which tells whether it has a write-back of a given block. The part of its
// head that s1 needs is in a register, the bytes are in a queue beside it. Page: docs/blocks/smd.md (`in`, step 7).
module smd_input
  import vellum_pkg::*, coherence_pkg::*;
#(
    parameter type HDR = logic,
    parameter type PAY = logic
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  HDR         hdr_i,
    input  PAY         pay_i,
    input  logic       write_i,      // it is a write-back,
    input  line_addr_t line_i,       // of this line
    output logic       valid_o,
    input  logic       ready_i,
    output HDR         hdr_o,
    output PAY         pay_o,
    // write-backs
    input  line_addr_t block_i,      // a line of the block
    output logic       has_o
);
  logic push, pop, wptr_q, rptr_q;   // pointers as those of the queue
  logic [1:0] write_q;
  line_addr_t line_q[2];
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;
  fifo #(.T(PAY)) u_fifo (.clk_i, .rst_i, .valid_i, .ready_o, .data_i(pay_i), .valid_o, .ready_i, .data_o(pay_o));
  fifo_head #(.T(HDR)) u_head (.clk_i, .rst_i, .push_i(push), .data_i(hdr_i), .pop_i(pop), .some_o(), .head_o(hdr_o));
  always_comb begin
    has_o = 1'b0;
    for (int unsigned k = 0; k < 2; k++) has_o |= write_q[k] && block_of(line_q[k]) == block_of(block_i);
  end
  always_ff @(posedge clk_i) begin
    if (push) line_q[wptr_q] <= line_i;
    if (rst_i) begin
      wptr_q <= 1'b0;
      rptr_q <= 1'b0;
      write_q <= '0;
    end else begin
      if (push) begin
        wptr_q <= !wptr_q;
        write_q[wptr_q] <= write_i;
      end
      if (pop) begin
        rptr_q <= !rptr_q;
        write_q[rptr_q] <= 1'b0;
      end
    end
  end
endmodule
