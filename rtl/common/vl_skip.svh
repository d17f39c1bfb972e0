// `VL_WHEN(cond) before a statement without observable effect while cond is 0: a simulator skips it then, and synthesis, which
// would make a gate of every `if`, does not see the condition.
`ifndef VL_SKIP_SVH
`define VL_SKIP_SVH
`ifdef SYNTHESIS
`define VL_WHEN(cond)
`else
`define VL_WHEN(cond) if (cond)
`endif
`endif
