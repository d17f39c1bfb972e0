# The packages in order of use. {cfg} is the folder of a configuration, build/cfg/NAME. (Units and blocks need no list: scripts/gen/sources.py.)
{cfg}/vl_cfg_pkg.sv
{cfg}/vl_dram_pkg.sv
rtl/common/vellum_pkg.sv
build/gen/policy_pkg.sv
build/gen/isa_pkg.sv
rtl/common/map_pkg.sv
rtl/common/mem_pkg.sv
rtl/mmu/mmu_pkg.sv
rtl/core/core_pkg.sv
rtl/core/lsu_pkg.sv
build/gen/nmoesi_pkg.sv
rtl/mem/home_pkg.sv
rtl/mem/memside_pkg.sv
rtl/coherence/coherence_pkg.sv
build/gen/regs_pkg.sv
build/gen/perf_pkg.sv
rtl/top/top_pkg.sv
