// Assertions: `VL_ASSERT(name, expr) must hold at every rising clk_i outside of reset. Simulation only.
// Immediate, not concurrent: a concurrent one makes Verilator copy every port that the expression reads, each cycle, and 5.006 writes
// uncompilable code for the wide ones.
`ifndef VL_ASSERT_SVH
`define VL_ASSERT_SVH
`ifdef SYNTHESIS
`define VL_ASSERT(name, expr)
`else
`define VL_ASSERT(name, expr) \
  always @(posedge clk_i) if (!rst_i) name: assert (expr) else $error("%m: %s", `"expr`");
`endif
`endif
