// Assertions: `VL_ASSERT(name, expr) must hold at every rising clk_i outside of reset. Simulation only.
`ifndef VL_ASSERT_SVH
`define VL_ASSERT_SVH
`ifdef SYNTHESIS
`define VL_ASSERT(name, expr)
`else
`define VL_ASSERT(name, expr) \
  name: assert property (@(posedge clk_i) disable iff (rst_i) (expr)) else $error("%m: %s", `"expr`");
`endif
`endif
