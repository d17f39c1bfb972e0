// The device: cores, dispatcher and control port, and the nets between them, no logic. Page: docs/blocks/vellum.md.
module vellum
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, core_pkg::*, memside_pkg::*, top_pkg::*, perf_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    // host
    input  logic                  ctl_req_valid_i,
    input  ctl_req_t              ctl_req_i,
    output logic                  ctl_req_ready_o,
    output logic                  ctl_rsp_valid_o,
    output ctl_rsp_t              ctl_rsp_o,
    input  logic                  ctl_rsp_ready_i,
    output logic                  running_o,
    // memory side, one port a core
    output logic [CORES-1:0]      mem_req_valid_o,
    output mem_req_t [CORES-1:0]  mem_req_o,
    input  logic [CORES-1:0]      mem_req_ready_i,
    input  logic [CORES-1:0]      mem_rsp_valid_i,
    input  mem_rsp_t [CORES-1:0]  mem_rsp_i,
    // trace, one of each a core
    output logic [CORES-1:0]      trace_start_valid_o,
    output start_t [CORES-1:0]    trace_start_o,
    output logic [CORES-1:0]      trace_redirect_valid_o,
    output redirect_t [CORES-1:0] trace_redirect_o,
    output logic [CORES-1:0]      trace_push_valid_o,
    output push_t [CORES-1:0]     trace_push_o,
    output logic [CORES-1:0]      trace_issue_valid_o,
    output issued_t [CORES-1:0]    trace_issue_o,
    output logic [CORES-1:0]      trace_wb_valid_o,
    output wb_t [CORES-1:0]       trace_wb_o,
    output logic [CORES-1:0]      trace_mem_valid_o,
    output memtrace_t [CORES-1:0] trace_mem_o
);
  vl_cfg_check u_cfg_check ();

  kernel_t kernel;
  policy_t policy;
  logic kernel_start, core_rst, halt, reconv_valid, dispatch_done;
  reconv_write_t reconv;
  logic [7:0] perf_idx;
  logic [CORES-1:0][COUNTER_W-1:0] perf_data;
  logic [CORES-1:0] faulted, quiet, group_valid, group_ready, group_done;
  fault_t [CORES-1:0] fault;
  group_t [CORES-1:0] group;

  ctrl u_ctrl (
      .clk_i, .rst_i,
      .ctl_req_valid_i, .ctl_req_i, .ctl_req_ready_o, .ctl_rsp_valid_o, .ctl_rsp_o, .ctl_rsp_ready_i,
      .kernel_o(kernel), .policy_o(policy), .kernel_start_o(kernel_start), .core_rst_o(core_rst), .halt_o(halt), .running_o,
      .reconv_valid_o(reconv_valid), .reconv_o(reconv), .perf_idx_o(perf_idx), .perf_data_i(perf_data),
      .faulted_i(faulted), .fault_i(fault), .quiet_i(quiet), .dispatch_done_i(dispatch_done),
      .mem_ctl_o(), .epoch_o(), .maint_valid_o(), .maint_o(), .maint_done_i('1), .slice_perf_i('0), .channel_perf_i('0)
  );
  dispatcher u_dispatcher (
      .clk_i, .rst_i(core_rst), .kernel_i(kernel), .kernel_start_i(kernel_start), .halt_i(halt),
      .group_valid_o(group_valid), .group_o(group), .group_ready_i(group_ready), .group_done_i(group_done),
      .done_o(dispatch_done)
  );
  for (genvar c = 0; c < CORES; c++) begin : g_core
    core u_core (
        .clk_i, .rst_i(core_rst), .core_i(core_t'(c)),
        .kernel_i(kernel), .policy_i(policy), .kernel_start_i(kernel_start), .halt_all_i(halt),
        .reconv_valid_i(reconv_valid), .reconv_i(reconv), .perf_idx_i(perf_idx), .perf_data_o(perf_data[c]),
        .faulted_o(faulted[c]), .fault_o(fault[c]), .quiet_o(quiet[c]),
        .group_valid_i(group_valid[c]), .group_i(group[c]), .group_ready_o(group_ready[c]), .group_done_o(group_done[c]),
        .mem_req_valid_o(mem_req_valid_o[c]), .mem_req_o(mem_req_o[c]), .mem_req_ready_i(mem_req_ready_i[c]),
        .mem_rsp_valid_i(mem_rsp_valid_i[c]), .mem_rsp_i(mem_rsp_i[c]),
        .trace_start_valid_o(trace_start_valid_o[c]), .trace_start_o(trace_start_o[c]),
        .trace_redirect_valid_o(trace_redirect_valid_o[c]), .trace_redirect_o(trace_redirect_o[c]),
        .trace_push_valid_o(trace_push_valid_o[c]), .trace_push_o(trace_push_o[c]),
        .trace_issue_valid_o(trace_issue_valid_o[c]), .trace_issue_o(trace_issue_o[c]),
        .trace_wb_valid_o(trace_wb_valid_o[c]), .trace_wb_o(trace_wb_o[c]),
        .trace_mem_valid_o(trace_mem_valid_o[c]), .trace_mem_o(trace_mem_o[c])
    );
  end
endmodule
