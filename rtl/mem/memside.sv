// The memory side: networks, L2 slices, and below the seam *home* a scheduler and a controller a channel; nets between them, no logic. Page: docs/blocks/memside.md.
module memside
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*, perf_pkg::*;
(
    input  logic                              clk_i,
    input  logic                              rst_i,
    // cores, then the host port
    input  logic          [SOURCES-1:0]       req_valid_i,
    input  mem_req_t      [SOURCES-1:0]       req_i,
    input  logic          [SOURCES-1:0]       bypass_i,
    output logic          [SOURCES-1:0]       req_ready_o,
    output logic          [SOURCES-1:0]       rsp_valid_o,
    output mem_rsp_t      [SOURCES-1:0]       rsp_o,
    // chips, one a channel
    output dram_pins_t    [MEM_CHANNELS-1:0]  pins_o,
    input  logic          [MEM_CHANNELS-1:0]  rd_valid_i,
    input  burst_data_t   [MEM_CHANNELS-1:0]  rd_i,
    // control
    input  mem_ctl_t                          ctl_i,
    input  logic                              epoch_i,
    input  logic                              maint_valid_i,
    input  maint_t                            maint_i,
    output logic          [SLICES-1:0]        maint_done_o,
    output logic                              quota_idle_o,
    output logic          [SLICES-1:0]        l2_idle_o,
    output logic          [MEM_CHANNELS-1:0]  sched_idle_o,
    output logic          [MEM_CHANNELS-1:0]  dram_idle_o,
    // counters
    input  logic                              perf_clear_i,
    input  logic          [7:0]               perf_idx_i,
    output logic [SLICES-1:0][COUNTER_W-1:0]       slice_perf_o,
    output logic [MEM_CHANNELS-1:0][COUNTER_W-1:0] channel_perf_o,
    // events of the last edge
    output logic          [SOURCES-1:0]       ev_req_stalled_o,
    output logic          [SLICES-1:0]        ev_req_taken_o,
    output logic          [SLICES-1:0]        ev_req_blocked_o,
    output logic          [SLICES-1:0]        ev_rsp_stalled_o,
    output ev_l2_t        [SLICES-1:0]        ev_l2_o,
    output ev_mem_sched_t [MEM_CHANNELS-1:0]  ev_sched_o,
    output ev_dram_ctrl_t [MEM_CHANNELS-1:0]  ev_dram_o,
    // trace: answers that slices hand over in this cycle, and the line of each
    output logic          [SLICES-1:0]        trace_rsp_valid_o,
    output net_rsp_t      [SLICES-1:0]        trace_rsp_o,
    output line_addr_t    [SLICES-1:0]        trace_rsp_line_o
);
  // Slices are numbered channel * L2_SLICES + sub-slice: a channel's are neighbours.
  logic      [SLICES-1:0] net_req_valid, net_req_ready, net_rsp_valid, net_rsp_ready;
  net_req_t  [SLICES-1:0] net_req;
  net_rsp_t  [SLICES-1:0] net_rsp;
  logic      [SLICES-1:0] home_req_valid, home_req_ready, home_rsp_valid, home_probe_valid, home_probe_ready, home_ack_valid, home_ack_ready;
  home_req_t [SLICES-1:0] home_req;
  home_rsp_t [SLICES-1:0] home_rsp;
  home_probe_t [SLICES-1:0] home_probe;
  home_ack_t [SLICES-1:0] home_ack;
  quota_t    [APPS-1:0]   thresh;

  assign trace_rsp_valid_o = net_rsp_valid & net_rsp_ready;
  assign trace_rsp_o = net_rsp;

  req_net u_req_net (
      .clk_i, .rst_i, .req_valid_i, .req_i, .bypass_i, .req_ready_o,
      .slice_req_valid_o(net_req_valid), .slice_req_o(net_req), .slice_req_ready_i(net_req_ready),
      .ev_stalled_o(ev_req_stalled_o), .ev_taken_o(ev_req_taken_o), .ev_blocked_o(ev_req_blocked_o)
  );
  rsp_net u_rsp_net (
      .clk_i, .rst_i,
      .slice_rsp_valid_i(net_rsp_valid), .slice_rsp_i(net_rsp), .slice_rsp_ready_o(net_rsp_ready),
      .rsp_valid_o, .rsp_o, .ev_stalled_o(ev_rsp_stalled_o)
  );
  mem_quota u_quota (
      .clk_i, .rst_i, .epoch_i, .con_ptw_i(ctl_i.con_ptw), .warps_i(ctl_i.warps), .policy_i(ctl_i.sched), .thresh_o(thresh), .idle_o(quota_idle_o)
  );
  for (genvar s = 0; s < SLICES; s++) begin : g_slice
    l2 u_l2 (
        .clk_i, .rst_i, .slice_i(slice_t'(s)),
        .net_req_valid_i(net_req_valid[s]), .net_req_i(net_req[s]), .net_req_ready_o(net_req_ready[s]),
        .net_rsp_valid_o(net_rsp_valid[s]), .net_rsp_o(net_rsp[s]), .net_rsp_ready_i(net_rsp_ready[s]),
        .home_req_valid_o(home_req_valid[s]), .home_req_o(home_req[s]), .home_req_ready_i(home_req_ready[s]),
        .home_rsp_valid_i(home_rsp_valid[s]), .home_rsp_i(home_rsp[s]),
        .home_probe_valid_i(home_probe_valid[s]), .home_probe_i(home_probe[s]), .home_probe_ready_o(home_probe_ready[s]),
        .home_ack_valid_o(home_ack_valid[s]), .home_ack_o(home_ack[s]), .home_ack_ready_i(home_ack_ready[s]),
        .maint_valid_i, .maint_i, .maint_done_o(maint_done_o[s]), .idle_o(l2_idle_o[s]), .ev_o(ev_l2_o[s]),
        .trace_line_o(trace_rsp_line_o[s])
    );
    perf_slice u_perf (
        .clk_i, .rst_i, .ev_i(ev_l2_o[s]), .ev_taken_i(ev_req_taken_o[s]), .ev_blocked_i(ev_req_blocked_o[s]),
        .ev_rsp_stalled_i(ev_rsp_stalled_o[s]), .ctl_i, .clear_i(perf_clear_i), .rd_idx_i(perf_idx_i), .rd_data_o(slice_perf_o[s])
    );
  end
  // What owns the lines of the slices: the home (docs/home-seam.md).
  if (HOME == HOME_FLAT) begin : g_flat
    // The channel's memory. It never probes.
    assign home_probe_valid = '0;
    assign home_probe = '0;
    assign home_ack_ready = '0;
    for (genvar c = 0; c < CHANNELS; c++) begin : g_channel
      logic txn_valid, txn_rsp_valid;
      txn_t txn;
      txn_rsp_t txn_rsp;
      bank_status_t [CH_BANKS-1:0] status;
      mem_sched u_sched (
          .clk_i, .rst_i,
          .home_req_valid_i(home_req_valid[c*L2_SLICES+:L2_SLICES]), .home_req_i(home_req[c*L2_SLICES+:L2_SLICES]),
          .home_req_ready_o(home_req_ready[c*L2_SLICES+:L2_SLICES]),
          .home_rsp_valid_o(home_rsp_valid[c*L2_SLICES+:L2_SLICES]), .home_rsp_o(home_rsp[c*L2_SLICES+:L2_SLICES]),
          .txn_valid_o(txn_valid), .txn_o(txn), .txn_rsp_valid_i(txn_rsp_valid), .txn_rsp_i(txn_rsp), .status_i(status),
          .policy_i(ctl_i.sched), .thresh_i(thresh), .idle_o(sched_idle_o[c]), .ev_o(ev_sched_o[c])
      );
      dram_ctrl u_ctrl (
          .clk_i, .rst_i, .txn_valid_i(txn_valid), .txn_i(txn), .status_o(status), .rsp_valid_o(txn_rsp_valid), .rsp_o(txn_rsp),
          .pins_o(pins_o[c]), .rd_valid_i(rd_valid_i[c]), .rd_i(rd_i[c]), .page_i(ctl_i.page), .idle_o(dram_idle_o[c]), .ev_o(ev_dram_o[c])
      );
      perf_channel u_perf (
          .clk_i, .rst_i, .ev_sched_i(ev_sched_o[c]), .ev_dram_i(ev_dram_o[c]), .ticks_i(pins_o[c].ticks), .clear_i(perf_clear_i),
          .rd_idx_i(perf_idx_i), .rd_data_o(channel_perf_o[c])
      );
    end
  end else $error("no home of this kind");
endmodule
