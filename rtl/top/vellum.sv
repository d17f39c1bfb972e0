// The device: compute side and memory side, and the nets between them, no logic. Page: docs/blocks/vellum.md.
module vellum
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, core_pkg::*, memside_pkg::*, coherence_pkg::*, top_pkg::*, perf_pkg::*;
(
    input  logic                        clk_i,
    input  logic                        rst_i,
    // host: registers
    input  logic                        ctl_req_valid_i,
    input  ctl_req_t                    ctl_req_i,
    output logic                        ctl_req_ready_o,
    output logic                        ctl_rsp_valid_o,
    output ctl_rsp_t                    ctl_rsp_o,
    input  logic                        ctl_rsp_ready_i,
    output logic [KERNELS-1:0]          running_o,
    output logic                        attention_o,
    // host: memory
    input  logic                        host_req_valid_i,
    input  mem_req_t                    host_req_i,
    output logic                        host_req_ready_o,
    output logic                        host_rsp_valid_o,
    output mem_rsp_t                    host_rsp_o,
    // memory chips, one set of pins a channel
    output dram_pins_t [MEM_CHANNELS-1:0]  pins_o,
    input  logic [MEM_CHANNELS-1:0]        rd_valid_i,
    input  burst_data_t [MEM_CHANNELS-1:0] rd_i,
    // trace, one of each a core
    output logic [CORES-1:0]            trace_start_valid_o,
    output start_t [CORES-1:0]          trace_start_o,
    output logic [CORES-1:0]            trace_redirect_valid_o,
    output redirect_t [CORES-1:0]       trace_redirect_o,
    output logic [CORES-1:0]            trace_push_valid_o,
    output push_t [CORES-1:0]           trace_push_o,
    output logic [CORES-1:0]            trace_issue_valid_o,
    output issued_t [CORES-1:0]         trace_issue_o,
    output logic [CORES-1:0]            trace_wb_valid_o,
    output wb_t [CORES-1:0]             trace_wb_o,
    output logic [CORES-1:0]            trace_mem_valid_o,
    output memtrace_t [CORES-1:0]       trace_mem_o,
    output logic [CORES-1:0]            trace_sent_valid_o,
    output sent_t [CORES-1:0]           trace_sent_o,
    output logic [CORES-1:0]            trace_formed_valid_o,
    output formed_t [CORES-1:0]         trace_formed_o,
    // ... the cores' requests (with translation = shared the walker's behind them) as they are handed over, and responses as the slices hand them over
    output logic [HOST_SOURCE-1:0]      trace_req_valid_o,
    output mem_req_t [HOST_SOURCE-1:0]  trace_req_o,
    output logic [SLICES-1:0]           trace_rsp_valid_o,
    output net_rsp_t [SLICES-1:0]       trace_rsp_o,
    output line_addr_t [SLICES-1:0]     trace_rsp_line_o,
    // ... and the wires of links, up w is number 2 w, down w number 2 w + 1
    output ev_link_t [2*WIRES-1:0]      trace_link_o
);
  mem_ctl_t mem_ctl;
  logic epoch, maint_valid, perf_clear;
  maint_t maint;
  logic [10:0] perf_unit;
  logic [7:0] perf_idx;
  logic [SLICES-1:0] maint_done, slice_idle;
  logic [MEM_CHANNELS-1:0] sched_idle, dram_idle;
  logic [COUNTER_W-1:0] perf_data;
  logic [SOURCES-1:0] req_valid, req_ready, rsp_valid, bypass;
  ev_l2_t [SLICES-1:0] ev_l2;
  mem_req_t [SOURCES-1:0] req;
  mem_rsp_t [SOURCES-1:0] rsp;

  compute u_compute (
      .clk_i, .rst_i, .ctl_req_valid_i, .ctl_req_i, .ctl_req_ready_o, .ctl_rsp_valid_o, .ctl_rsp_o, .ctl_rsp_ready_i, .running_o, .attention_o,
      .mem_ctl_o(mem_ctl), .epoch_o(epoch), .maint_valid_o(maint_valid), .maint_o(maint), .maint_done_i(maint_done),
      .slice_idle_i(slice_idle), .sched_idle_i(sched_idle), .dram_idle_i(dram_idle), .ev_l2_i(ev_l2),
      .perf_clear_o(perf_clear), .perf_unit_o(perf_unit), .perf_idx_o(perf_idx), .perf_data_i(perf_data),
      .mem_req_valid_o(req_valid[HOST_SOURCE-1:0]), .mem_req_o(req[HOST_SOURCE-1:0]), .mem_bypass_o(bypass[HOST_SOURCE-1:0]), .mem_req_ready_i(req_ready[HOST_SOURCE-1:0]),
      .mem_rsp_valid_i(rsp_valid[HOST_SOURCE-1:0]), .mem_rsp_i(rsp[HOST_SOURCE-1:0]),
      .trace_start_valid_o, .trace_start_o, .trace_redirect_valid_o, .trace_redirect_o, .trace_push_valid_o, .trace_push_o,
      .trace_issue_valid_o, .trace_issue_o, .trace_wb_valid_o, .trace_wb_o, .trace_mem_valid_o, .trace_mem_o, .trace_sent_valid_o, .trace_sent_o,
      .trace_formed_valid_o, .trace_formed_o
  );
  assign req_valid[HOST_SOURCE] = host_req_valid_i;
  assign req[HOST_SOURCE] = host_req_i;
  assign bypass[HOST_SOURCE] = 1'b0;
  assign host_req_ready_o = req_ready[HOST_SOURCE];
  assign host_rsp_valid_o = rsp_valid[HOST_SOURCE];
  assign host_rsp_o = rsp[HOST_SOURCE];
  memside u_memside (
      .clk_i, .rst_i, .req_valid_i(req_valid), .req_i(req), .bypass_i(bypass), .req_ready_o(req_ready), .rsp_valid_o(rsp_valid), .rsp_o(rsp),
      .pins_o, .rd_valid_i, .rd_i,
      .ctl_i(mem_ctl), .epoch_i(epoch), .maint_valid_i(maint_valid), .maint_i(maint), .maint_done_o(maint_done),
      .perf_clear_i(perf_clear), .perf_unit_i(perf_unit), .perf_idx_i(perf_idx), .perf_data_o(perf_data),
      .quota_idle_o(), .l2_idle_o(slice_idle), .sched_idle_o(sched_idle), .dram_idle_o(dram_idle),
      .ev_req_stalled_o(), .ev_req_taken_o(), .ev_req_blocked_o(), .ev_rsp_stalled_o(), .ev_l2_o(ev_l2), .ev_sched_o(), .ev_dram_o(),
      .ev_l2c_o(), .ev_smd_o(), .ev_hmd_o(), .ev_link_o(trace_link_o),
      .trace_rsp_valid_o, .trace_rsp_o, .trace_rsp_line_o
  );
  assign trace_req_valid_o = req_valid[HOST_SOURCE-1:0] & req_ready[HOST_SOURCE-1:0];
  assign trace_req_o = req[HOST_SOURCE-1:0];
endmodule
