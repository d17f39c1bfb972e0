// Part of a queue with a head that is needed at the very start of a cycle: the head is in a register. It is used beside a fifo of the
// same depth, which has the flags: push_i comes only with room, pop_i only with a head.
module fifo_head #(
    parameter type T = logic,
    parameter int unsigned DEPTH = 2
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic push_i,
    input  T     data_i,
    input  logic pop_i,
    output logic some_o,                 // there is a head
    output T     head_o
);
  localparam int unsigned PTR_W = (DEPTH <= 1) ? 1 : $clog2(DEPTH);
  logic [PTR_W-1:0] wptr_q, rptr_q;    // rptr: the word behind the head
  logic some_q, many;                  // many: there is a word behind the head
  logic [$clog2(DEPTH+1)-1:0] count_q;
  T behind, head_q;
  assign head_o = head_q;

  function automatic logic [PTR_W-1:0] next(input logic [PTR_W-1:0] p);
    return (32'(p) == DEPTH - 1) ? '0 : p + PTR_W'(1);
  endfunction

  ram_lut #(.DEPTH(DEPTH), .WIDTH($bits(T))) u_mem (
      .clk_i, .we_i(push_i), .waddr_i(wptr_q), .wdata_i(data_i), .raddr_i(rptr_q), .rdata_o(behind)
  );

  assign some_o = some_q;
  assign many = 32'(count_q) > 1;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wptr_q <= '0;
      rptr_q <= next('0);
      count_q <= '0;
      some_q <= 1'b0;
    end else begin
      if (push_i) wptr_q <= next(wptr_q);
      if (pop_i) rptr_q <= next(rptr_q);
      some_q <= push_i || (pop_i ? many : some_q);
      if (push_i != pop_i) count_q <= push_i ? count_q + 1'b1 : count_q - 1'b1;
    end
    if (pop_i || !some_q) head_q <= many ? behind : data_i;
  end
endmodule
