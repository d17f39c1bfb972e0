// The assertions of the RTL, as Yosys wants them: the proofs show them, too.
`define VL_ASSERT(name, expr) \
  always_comb if (!rst_i) name: assert (expr);
