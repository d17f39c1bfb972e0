// Messages of one kind that are on a wire, or have arrived and wait: a queue with entries that are visible LATENCY cycles after their last flit. A delay line of one bit a
// cycle and a count of the entries that may be seen make the latency. Page: docs/blocks/link.md.
`include "vl_assert.svh"
module link_lane #(
    parameter type T = logic,
    parameter int unsigned DEPTH = 8,
    parameter int unsigned LATENCY = 20
) (
    input  logic clk_i,
    input  logic rst_i,
    output logic room_o,
    input  logic push_i,    // the message begins
    input  T     data_i,
    input  logic last_i,    // its last flit goes in the next cycle
    output logic empty_o,
    output logic valid_o,
    output T     data_o,
    input  logic ready_i
);
  logic [$clog2(DEPTH+1)-1:0] ripe_q;
  logic [LATENCY:0] line;
  logic [LATENCY-1:0] line_q;
  logic some, pop;
  assign empty_o = !some;
  assign valid_o = ripe_q != '0;
  assign pop = valid_o && ready_i;
  fifo #(.T(T), .DEPTH(DEPTH)) u_fifo (
      .clk_i, .rst_i, .valid_i(push_i), .ready_o(room_o), .data_i, .valid_o(some), .ready_i(pop), .data_o
  );

  assign line = {line_q, last_i};
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      line_q <= '0;
      ripe_q <= '0;
    end else begin
      line_q <= line[LATENCY-1:0];
      if (line[LATENCY] != pop) ripe_q <= pop ? ripe_q - 1'b1 : ripe_q + 1'b1;
    end
  end
  `VL_ASSERT(sent_with_credit, !push_i || room_o)
  `VL_ASSERT(ripe_ones_are_here, !valid_o || some)
endmodule
