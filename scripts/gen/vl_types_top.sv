// Uses every package, so that Verilator lists their types and constants for scripts/gen/ports.py (it drops a package of which
// nothing is used).
module vl_types_top
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, isa_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, vl_dram_pkg::*, home_pkg::*, memside_pkg::*, perf_pkg::*, top_pkg::*;
(
    input logic     clk_i,
    input ctl_req_t ctl_req_i,
    input txn_t     txn_i
);
endmodule
