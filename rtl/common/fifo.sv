// First-in first-out queue of DEPTH words. ready_o (not full) and valid_o (not empty) are functions of registers; data_o is the head, read
// from a small memory. A word put in at an edge can be taken out at the next one. A word is put in when valid_i and ready_o are high.
`include "vl_assert.svh"
module fifo #(
    parameter type T = logic,
    parameter int unsigned DEPTH = 2
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic valid_i,
    output logic ready_o,
    input  T     data_i,
    output logic valid_o,
    input  logic ready_i,
    output T     data_o
);
  localparam int unsigned PTR_W = (DEPTH <= 1) ? 1 : $clog2(DEPTH);
  logic [PTR_W-1:0] wptr_q, rptr_q;
  logic [$clog2(DEPTH+1)-1:0] count_q;
  logic some_q, full_q;          // count_q is not 0; is DEPTH: registers, since a comparison would be too late for their readers
  logic push, pop;

  assign ready_o = !full_q;
  assign valid_o = some_q;
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;

  ram_lut #(.DEPTH(DEPTH), .WIDTH($bits(T))) u_mem (
      .clk_i, .we_i(push), .waddr_i(wptr_q), .wdata_i(data_i), .raddr_i(rptr_q), .rdata_o(data_o)
  );

  function automatic logic [PTR_W-1:0] next(input logic [PTR_W-1:0] p);
    return (32'(p) == DEPTH - 1) ? '0 : p + PTR_W'(1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
      count_q <= '0;
      some_q <= 1'b0;
      full_q <= 1'b0;
    end else begin
      if (push) wptr_q <= next(wptr_q);
      if (pop) rptr_q <= next(rptr_q);
      if (push != pop) begin
        count_q <= push ? count_q + 1'b1 : count_q - 1'b1;
        some_q <= push || 32'(count_q) != 1;
        full_q <= push && 32'(count_q) == DEPTH - 1;
      end
    end
  end
  `VL_ASSERT(count_in_range, 32'(count_q) <= DEPTH)
  `VL_ASSERT(flags_fit, some_q == (count_q != '0) && full_q == (32'(count_q) == DEPTH))
endmodule
