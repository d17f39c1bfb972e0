// The assertions of the RTL, in the form that Yosys takes: the proofs show them, too.
`define VL_ASSERT(name, expr) \
  always_comb if (!rst_i) name: assert (expr);
