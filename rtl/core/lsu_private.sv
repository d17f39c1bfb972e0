// Where a thread's private address lies: doubleword k of all threads of a warp side by side. Combinational, one lane.
// Page: docs/private-memory.md, "The permutation".
module lsu_private
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  xlen_t      addr_i,         // as the program means it
    input  xlen_t      stack_base_i,
    input  logic [5:0] stack_log2_i,
    output xlen_t      addr_o          // where it lies
);
  localparam int unsigned T = $clog2(THREADS);
  localparam int unsigned SPAN_W = STACK_LOG2_MAX + T;    // at most this number of low bits takes part

  logic mine;                            // it is in the private aperture
  logic [SPAN_W-1:0] span, stack, low, thread, slot;
  always_comb begin
    mine = stack_log2_i >= 6'(STACK_LOG2_MIN) && stack_log2_i <= 6'(STACK_LOG2_MAX)
        && ((addr_i ^ stack_base_i) & ((~64'd0 << HART_W) << stack_log2_i)) == '0;
    // Bits of a warp's stacks, of a thread's.
    span = ~(({SPAN_W{1'b1}} << T) << stack_log2_i);
    stack = ~({SPAN_W{1'b1}} << stack_log2_i);
    low = addr_i[SPAN_W-1:0];
    thread = ((low & span) >> stack_log2_i) << 3;
    slot = (low & stack & ~SPAN_W'(7)) << T;
    addr_o = addr_i;
    if (mine) addr_o[SPAN_W-1:0] = (low & ~span) | slot | thread | (low & SPAN_W'(7));
  end
endmodule
