// The memory side: networks, L2 slices, the homes of their lines, and a scheduler and a controller a channel; nets between them, no logic. Page: docs/blocks/memside.md.
module memside
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*, coherence_pkg::*, perf_pkg::*;
(
    input  logic                              clk_i,
    input  logic                              rst_i,
    // cores (and the walker), then the host port
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
    input  logic          [10:0]              perf_unit_i,
    input  logic          [7:0]               perf_idx_i,
    output logic          [COUNTER_W-1:0]     perf_data_o,
    // events of the last edge
    output logic          [SOURCES-1:0]       ev_req_stalled_o,
    output logic          [SLICES-1:0]        ev_req_taken_o,
    output logic          [SLICES-1:0]        ev_req_blocked_o,
    output logic          [SLICES-1:0]        ev_rsp_stalled_o,
    output ev_l2_t        [SLICES-1:0]        ev_l2_o,
    output ev_mem_sched_t [MEM_CHANNELS-1:0]  ev_sched_o,
    output ev_dram_ctrl_t [MEM_CHANNELS-1:0]  ev_dram_o,
    output ev_l2c_t       [SLICES-1:0]        ev_l2c_o,
    output ev_smd_t       [SMDS-1:0]          ev_smd_o,
    output ev_hmd_t       [HMDS-1:0]          ev_hmd_o,
    output ev_link_t      [2*WIRES-1:0]       ev_link_o,
    // trace: answers that slices hand over in this cycle, and the line of each
    output logic          [SLICES-1:0]        trace_rsp_valid_o,
    output net_rsp_t      [SLICES-1:0]        trace_rsp_o,
    output line_addr_t    [SLICES-1:0]        trace_rsp_line_o
);
  // Slices are numbered channel * L2_SLICES + sub-slice: a channel's are neighbours. (home = directory: device by device, then the last-level cache's.)
  logic      [SLICES-1:0] net_req_valid, net_req_ready, net_rsp_valid, net_rsp_ready;
  net_req_t  [SLICES-1:0] net_req;
  net_rsp_t  [SLICES-1:0] net_rsp;
  // The seam *home* below the slices (docs/home-seam.md), and the same types at the schedulers, L2_SLICES a channel.
  localparam int unsigned PORTS = MEM_CHANNELS * L2_SLICES;
  logic      [SLICES-1:0] home_req_valid, home_req_ready, home_rsp_valid, home_probe_valid, home_probe_ready, home_ack_valid, home_ack_ready;
  home_req_t [SLICES-1:0] home_req;
  home_rsp_t [SLICES-1:0] home_rsp;
  home_probe_t [SLICES-1:0] home_probe;
  home_ack_t [SLICES-1:0] home_ack;
  logic      [PORTS-1:0]  mem_req_valid, mem_req_ready, mem_rsp_valid;
  home_req_t [PORTS-1:0]  mem_req;
  home_rsp_t [PORTS-1:0]  mem_rsp;
  logic      [MEM_CHANNELS-1:0] sched_idle;
  quota_t    [APPS-1:0]   thresh;

  // Answers of the counters.
  logic [SLICES-1:0][COUNTER_W-1:0] slice_perf;
  logic [MEM_CHANNELS-1:0][COUNTER_W-1:0] channel_perf;
  logic [SMDS-1:0][COUNTER_W-1:0] stack_perf;
  logic [HMDS-1:0][COUNTER_W-1:0] home_perf;
  logic [2*WIRES-1:0][COUNTER_W-1:0] wire_perf;
  or_words #(.N(SLICES + MEM_CHANNELS + SMDS + HMDS + 2 * WIRES), .WIDTH(COUNTER_W)) u_perf_data (
      .data_i({slice_perf, channel_perf, stack_perf, home_perf, wire_perf}), .data_o(perf_data_o)
  );

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

  // The slices and what owns their lines.
  if (HOME == HOME_FLAT) begin : g_flat
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
    end
    // The channel's memory. It never probes.
    assign mem_req_valid = home_req_valid;
    assign mem_req = home_req;
    assign home_req_ready = mem_req_ready;
    assign home_rsp_valid = mem_rsp_valid;
    assign home_rsp = mem_rsp;
    assign home_probe_valid = '0;
    assign home_probe = '0;
    assign home_ack_ready = '0;
    assign stack_perf = '0;
    assign home_perf = '0;
    assign wire_perf = '0;
    assign ev_l2c_o = '0;
    assign ev_smd_o = '0;
    assign ev_hmd_o = '0;
    assign ev_link_o = '0;
    assign sched_idle_o = sched_idle;
  end else begin : g_directory
    // Directories: of the stacks those of the devices' slices, of the host's channels those of the last-level cache; messages between them over wires.
    logic       [SLICES-1:0] l2_done, l2_idle;
    logic       [SMDS-1:0]   smd_idle, port_idle;
    logic       [HMDS-1:0]   hmd_idle, home_idle;
    logic       [WIRES-1:0]  up_idle, down_idle;
    logic       [3:0]        wire_idle;              // there are four devices at most
    logic                    smd_net_idle, hmd_net_idle, nets_idle;
    logic       [SMDS-1:0]   stack_req_valid, stack_req_ready, stack_rsp_valid;
    stack_req_t [SMDS-1:0]   stack_req;
    stack_rsp_t [SMDS-1:0]   stack_rsp;
    // at the devices
    logic       [SMDS-1:0]   smd_req_valid, smd_req_ready, smd_ack_valid, smd_ack_ready, smd_peer_valid, smd_peer_ready, smd_probe_valid, smd_probe_ready, smd_data_valid,
                             smd_data_ready;
    smd_req_t   [SMDS-1:0]   smd_req;
    smd_ack_t   [SMDS-1:0]   smd_ack;
    smd_peer_t  [SMDS-1:0]   smd_peer;
    smd_probe_t [SMDS-1:0]   smd_probe;
    smd_data_t  [SMDS-1:0]   smd_data;
    // into and out of the wires
    logic       [WIRES-1:0]  up_req_in_valid, up_req_in_ready, up_ack_in_valid, up_ack_in_ready, up_data_in_valid, up_data_in_ready, up_req_valid, up_req_ready, up_ack_valid,
                             up_ack_ready, up_data_valid, up_data_ready, down_probe_in_valid, down_probe_in_ready, down_data_in_valid, down_data_in_ready, down_probe_valid,
                             down_probe_ready, down_data_valid, down_data_ready;
    hmd_req_t   [WIRES-1:0]  up_req_in, up_req;
    hmd_ack_t   [WIRES-1:0]  up_ack_in, up_ack;
    hmd_data_t  [WIRES-1:0]  up_data_in, up_data, down_data_in, down_data;
    hmd_probe_t [WIRES-1:0]  down_probe_in, down_probe;
    // at the host
    logic       [HMDS-1:0]   hmd_req_valid, hmd_req_ready, hmd_ack_valid, hmd_ack_ready, hmd_probe_valid, hmd_probe_ready, hmd_data_valid, hmd_data_ready;
    hmd_req_t   [HMDS-1:0]   hmd_req;
    hmd_ack_t   [HMDS-1:0]   hmd_ack;
    hmd_probe_t [HMDS-1:0]   hmd_probe;
    hmd_data_t  [HMDS-1:0]   hmd_data;
    logic       [HMDS-1:0]   hmd_mem_valid;
    smd_mem_t   [HMDS-1:0]   hmd_mem;

    for (genvar s = 0; s < SLICES; s++) begin : g_slice
      l2c #(.BYTES((s < SMDS) ? L2_BYTES : LLC_BYTES / HOST_CHANNELS), .BITS((s < SMDS) ? CHANNEL_BITS : HOST_BITS)) u_l2 (
          .clk_i, .rst_i, .slice_i(slice_t'(s % DEVICE_SLICES)), .host_i(s >= SMDS),
          .net_req_valid_i(net_req_valid[s]), .net_req_i(net_req[s]), .net_req_ready_o(net_req_ready[s]),
          .net_rsp_valid_o(net_rsp_valid[s]), .net_rsp_o(net_rsp[s]), .net_rsp_ready_i(net_rsp_ready[s]),
          .home_req_valid_o(home_req_valid[s]), .home_req_o(home_req[s]), .home_req_ready_i(home_req_ready[s]),
          .home_rsp_valid_i(home_rsp_valid[s]), .home_rsp_i(home_rsp[s]),
          .home_probe_valid_i(home_probe_valid[s]), .home_probe_i(home_probe[s]), .home_probe_ready_o(home_probe_ready[s]),
          .home_ack_valid_o(home_ack_valid[s]), .home_ack_o(home_ack[s]), .home_ack_ready_i(home_ack_ready[s]),
          .maint_valid_i, .maint_i, .maint_done_o(l2_done[s]), .idle_o(l2_idle[s]), .ev_o(ev_l2c_o[s]),
          .trace_line_o(trace_rsp_line_o[s])
      );
      assign ev_l2_o[s] = l2_events(ev_l2c_o[s]);
    end
    for (genvar k = 0; k < SMDS; k++) begin : g_stack
      // Maintenance begins here when the slice is done.
      smd u_smd (
          .clk_i, .rst_i, .channel_i(slice_t'(k % CHANNELS)), .device_i(device_t'(k / CHANNELS)),
          .home_req_valid_i(home_req_valid[k]), .home_req_i(home_req[k]), .home_req_ready_o(home_req_ready[k]),
          .home_rsp_valid_o(home_rsp_valid[k]), .home_rsp_o(home_rsp[k]),
          .home_probe_valid_o(home_probe_valid[k]), .home_probe_o(home_probe[k]), .home_probe_ready_i(home_probe_ready[k]),
          .home_ack_valid_i(home_ack_valid[k]), .home_ack_i(home_ack[k]), .home_ack_ready_o(home_ack_ready[k]),
          .stack_req_valid_o(stack_req_valid[k]), .stack_req_o(stack_req[k]), .stack_req_ready_i(stack_req_ready[k]),
          .stack_rsp_valid_i(stack_rsp_valid[k]), .stack_rsp_i(stack_rsp[k]),
          .smd_req_valid_o(smd_req_valid[k]), .smd_req_o(smd_req[k]), .smd_req_ready_i(smd_req_ready[k]),
          .smd_probe_valid_i(smd_probe_valid[k]), .smd_probe_i(smd_probe[k]), .smd_probe_ready_o(smd_probe_ready[k]),
          .smd_ack_valid_o(smd_ack_valid[k]), .smd_ack_o(smd_ack[k]), .smd_ack_ready_i(smd_ack_ready[k]),
          .smd_data_valid_i(smd_data_valid[k]), .smd_data_i(smd_data[k]), .smd_data_ready_o(smd_data_ready[k]),
          .smd_peer_valid_o(smd_peer_valid[k]), .smd_peer_o(smd_peer[k]), .smd_peer_ready_i(smd_peer_ready[k]),
          .memory_i(ctl_i.memory), .maint_valid_i(l2_done[k]), .maint_i, .maint_done_o(maint_done_o[k]), .idle_o(smd_idle[k]), .ev_o(ev_smd_o[k])
      );
      perf_stack u_perf (
          .clk_i, .rst_i, .ev_l2c_i(ev_l2c_o[k]), .ev_smd_i(ev_smd_o[k]), .maint_valid_i, .maint_done_i(maint_done_o[k]), .number_i(8'(k)),
          .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(stack_perf[k])
      );
      stack_port u_port (
          .clk_i, .rst_i,
          .stack_req_valid_i(stack_req_valid[k]), .stack_req_i(stack_req[k]), .stack_req_ready_o(stack_req_ready[k]),
          .stack_rsp_valid_o(stack_rsp_valid[k]), .stack_rsp_o(stack_rsp[k]),
          .home_req_valid_o(mem_req_valid[k]), .home_req_o(mem_req[k]), .home_req_ready_i(mem_req_ready[k]),
          .home_rsp_valid_i(mem_rsp_valid[k]), .home_rsp_i(mem_rsp[k]), .idle_o(port_idle[k])
      );
    end
    for (genvar h = 0; h < HMDS; h++) begin : g_host
      hmd u_hmd (
          .clk_i, .rst_i,
          .smd_req_valid_i(hmd_req_valid[h]), .smd_req_i(hmd_req[h]), .smd_req_ready_o(hmd_req_ready[h]),
          .smd_probe_valid_o(hmd_probe_valid[h]), .smd_probe_o(hmd_probe[h]), .smd_probe_ready_i(hmd_probe_ready[h]),
          .smd_ack_valid_i(hmd_ack_valid[h]), .smd_ack_i(hmd_ack[h]), .smd_ack_ready_o(hmd_ack_ready[h]),
          .smd_data_valid_o(hmd_data_valid[h]), .smd_data_o(hmd_data[h]), .smd_data_ready_i(hmd_data_ready[h]),
          .home_req_valid_i(home_req_valid[SMDS+h]), .home_req_i(home_req[SMDS+h]), .home_req_ready_o(home_req_ready[SMDS+h]),
          .home_rsp_valid_o(home_rsp_valid[SMDS+h]), .home_rsp_o(home_rsp[SMDS+h]),
          .home_probe_valid_o(home_probe_valid[SMDS+h]), .home_probe_o(home_probe[SMDS+h]), .home_probe_ready_i(home_probe_ready[SMDS+h]),
          .home_ack_valid_i(home_ack_valid[SMDS+h]), .home_ack_i(home_ack[SMDS+h]), .home_ack_ready_o(home_ack_ready[SMDS+h]),
          .host_req_valid_o(mem_req_valid[SMDS+h]), .host_req_o(mem_req[SMDS+h]), .host_req_ready_i(mem_req_ready[SMDS+h]),
          .host_rsp_valid_i(mem_rsp_valid[SMDS+h]), .host_rsp_i(mem_rsp[SMDS+h]),
          .smd_mem_valid_i(hmd_mem_valid[h]), .smd_mem_i(hmd_mem[h]), .peers_i(ctl_i.peers), .memory_i(ctl_i.memory), .idle_o(hmd_idle[h]),
          .dir_valid_o(), .dir_o(), .ev_o(ev_hmd_o[h])
      );
      perf_home u_perf (
          .clk_i, .rst_i, .ev_hmd_i(ev_hmd_o[h]), .ev_l2c_i(ev_l2c_o[SMDS+h]), .number_i(8'(h)),
          .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(home_perf[h])
      );
      assign maint_done_o[SMDS+h] = l2_done[SMDS+h];
    end
    assign l2_idle_o[SMDS-1:0] = l2_idle[SMDS-1:0] & smd_idle;
    assign l2_idle_o[SLICES-1:SMDS] = l2_idle[SLICES-1:SMDS];
    // Writes of a home into stacks may be on a wire while no block waits for anything, so wires must be idle as well.
    for (genvar w = 0; w < 4; w++) begin : g_wire_idle
      if (w < WIRES) begin : g_there
        assign wire_idle[w] = up_idle[w] & down_idle[w];
      end else begin : g_none
        assign wire_idle[w] = 1'b1;
      end
    end
    assign nets_idle = smd_net_idle & hmd_net_idle & wire_idle[0] & wire_idle[1] & wire_idle[2] & wire_idle[3];
    for (genvar h = 0; h < HMDS; h++) begin : g_home_idle
      assign home_idle[h] = hmd_idle[h] & nets_idle;
    end
    assign sched_idle_o = sched_idle & {home_idle, port_idle};

    smd_net u_smd_net (
        .clk_i, .rst_i,
        .smd_req_valid_i(smd_req_valid), .smd_req_i(smd_req), .smd_req_ready_o(smd_req_ready),
        .smd_ack_valid_i(smd_ack_valid), .smd_ack_i(smd_ack), .smd_ack_ready_o(smd_ack_ready),
        .smd_peer_valid_i(smd_peer_valid), .smd_peer_i(smd_peer), .smd_peer_ready_o(smd_peer_ready),
        .smd_probe_valid_o(smd_probe_valid), .smd_probe_o(smd_probe), .smd_probe_ready_i(smd_probe_ready),
        .smd_data_valid_o(smd_data_valid), .smd_data_o(smd_data), .smd_data_ready_i(smd_data_ready),
        .up_req_valid_o(up_req_in_valid), .up_req_o(up_req_in), .up_req_ready_i(up_req_in_ready),
        .up_ack_valid_o(up_ack_in_valid), .up_ack_o(up_ack_in), .up_ack_ready_i(up_ack_in_ready),
        .up_data_valid_o(up_data_in_valid), .up_data_o(up_data_in), .up_data_ready_i(up_data_in_ready),
        .down_probe_valid_i(down_probe_valid), .down_probe_i(down_probe), .down_probe_ready_o(down_probe_ready),
        .down_data_valid_i(down_data_valid), .down_data_i(down_data), .down_data_ready_o(down_data_ready),
        .idle_o(smd_net_idle)
    );
    for (genvar w = 0; w < WIRES; w++) begin : g_wire
      link u_up (
          .clk_i, .rst_i,
          .data_in_valid_i(up_data_in_valid[w]), .data_in_i(up_data_in[w]), .data_in_ready_o(up_data_in_ready[w]),
          .ack_in_valid_i(up_ack_in_valid[w]), .ack_in_i(up_ack_in[w]), .ack_in_ready_o(up_ack_in_ready[w]),
          .probe_in_valid_i(1'b0), .probe_in_i('0), .probe_in_ready_o(),
          .req_in_valid_i(up_req_in_valid[w]), .req_in_i(up_req_in[w]), .req_in_ready_o(up_req_in_ready[w]),
          .data_out_valid_o(up_data_valid[w]), .data_out_o(up_data[w]), .data_out_ready_i(up_data_ready[w]),
          .ack_out_valid_o(up_ack_valid[w]), .ack_out_o(up_ack[w]), .ack_out_ready_i(up_ack_ready[w]),
          .probe_out_valid_o(), .probe_out_o(), .probe_out_ready_i(1'b0),
          .req_out_valid_o(up_req_valid[w]), .req_out_o(up_req[w]), .req_out_ready_i(up_req_ready[w]),
          .idle_o(up_idle[w]), .ev_o(ev_link_o[2*w])
      );
      link u_down (
          .clk_i, .rst_i,
          .data_in_valid_i(down_data_in_valid[w]), .data_in_i(down_data_in[w]), .data_in_ready_o(down_data_in_ready[w]),
          .ack_in_valid_i(1'b0), .ack_in_i('0), .ack_in_ready_o(),
          .probe_in_valid_i(down_probe_in_valid[w]), .probe_in_i(down_probe_in[w]), .probe_in_ready_o(down_probe_in_ready[w]),
          .req_in_valid_i(1'b0), .req_in_i('0), .req_in_ready_o(),
          .data_out_valid_o(down_data_valid[w]), .data_out_o(down_data[w]), .data_out_ready_i(down_data_ready[w]),
          .ack_out_valid_o(), .ack_out_o(), .ack_out_ready_i(1'b0),
          .probe_out_valid_o(down_probe_valid[w]), .probe_out_o(down_probe[w]), .probe_out_ready_i(down_probe_ready[w]),
          .req_out_valid_o(), .req_out_o(), .req_out_ready_i(1'b0),
          .idle_o(down_idle[w]), .ev_o(ev_link_o[2*w+1])
      );
      perf_wire u_up_perf (
          .clk_i, .rst_i, .ev_link_i(ev_link_o[2*w]), .number_i(8'(2 * w)),
          .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(wire_perf[2*w])
      );
      perf_wire u_down_perf (
          .clk_i, .rst_i, .ev_link_i(ev_link_o[2*w+1]), .number_i(8'(2 * w + 1)),
          .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(wire_perf[2*w+1])
      );
    end
    hmd_net u_hmd_net (
        .clk_i, .rst_i,
        .up_req_valid_i(up_req_valid), .up_req_i(up_req), .up_req_ready_o(up_req_ready),
        .up_ack_valid_i(up_ack_valid), .up_ack_i(up_ack), .up_ack_ready_o(up_ack_ready),
        .up_data_valid_i(up_data_valid), .up_data_i(up_data), .up_data_ready_o(up_data_ready),
        .down_probe_valid_o(down_probe_in_valid), .down_probe_o(down_probe_in), .down_probe_ready_i(down_probe_in_ready),
        .down_data_valid_o(down_data_in_valid), .down_data_o(down_data_in), .down_data_ready_i(down_data_in_ready),
        .hmd_req_valid_o(hmd_req_valid), .hmd_req_o(hmd_req), .hmd_req_ready_i(hmd_req_ready),
        .hmd_ack_valid_o(hmd_ack_valid), .hmd_ack_o(hmd_ack), .hmd_ack_ready_i(hmd_ack_ready),
        .hmd_probe_valid_i(hmd_probe_valid), .hmd_probe_i(hmd_probe), .hmd_probe_ready_o(hmd_probe_ready),
        .hmd_data_valid_i(hmd_data_valid), .hmd_data_i(hmd_data), .hmd_data_ready_o(hmd_data_ready),
        .hmd_mem_valid_o(hmd_mem_valid), .hmd_mem_o(hmd_mem), .idle_o(hmd_net_idle)
    );
  end

  for (genvar s = 0; s < SLICES; s++) begin : g_slice
    perf_slice u_perf (
        .clk_i, .rst_i, .ev_l2_i(ev_l2_o[s]), .taken_i(ev_req_taken_o[s]), .blocked_i(ev_req_blocked_o[s]), .stalled_i(ev_rsp_stalled_o[s]), .ctl_i,
        .number_i(8'(s)), .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(slice_perf[s])
    );
  end
  // The channels' memories.
  for (genvar c = 0; c < MEM_CHANNELS; c++) begin : g_channel
    logic txn_valid, txn_rsp_valid;
    txn_t txn;
    txn_rsp_t txn_rsp;
    bank_status_t [CH_BANKS-1:0] status;
    mem_sched #(.KIND(chip_kind(c))) u_sched (
        .clk_i, .rst_i,
        .home_req_valid_i(mem_req_valid[c*L2_SLICES+:L2_SLICES]), .home_req_i(mem_req[c*L2_SLICES+:L2_SLICES]),
        .home_req_ready_o(mem_req_ready[c*L2_SLICES+:L2_SLICES]),
        .home_rsp_valid_o(mem_rsp_valid[c*L2_SLICES+:L2_SLICES]), .home_rsp_o(mem_rsp[c*L2_SLICES+:L2_SLICES]),
        .txn_valid_o(txn_valid), .txn_o(txn), .txn_rsp_valid_i(txn_rsp_valid), .txn_rsp_i(txn_rsp), .status_i(status),
        .policy_i(ctl_i.sched), .thresh_i(thresh), .idle_o(sched_idle[c]), .ev_o(ev_sched_o[c])
    );
    dram_ctrl #(.KIND(chip_kind(c))) u_ctrl (
        .clk_i, .rst_i, .txn_valid_i(txn_valid), .txn_i(txn), .status_o(status), .rsp_valid_o(txn_rsp_valid), .rsp_o(txn_rsp),
        .pins_o(pins_o[c]), .rd_valid_i(rd_valid_i[c]), .rd_i(rd_i[c]), .page_i(ctl_i.page), .idle_o(dram_idle_o[c]), .ev_o(ev_dram_o[c])
    );
    perf_channel u_perf (
        .clk_i, .rst_i, .ev_mem_sched_i(ev_sched_o[c]), .ev_dram_ctrl_i(ev_dram_o[c]), .ticks_i(pins_o[c].ticks), .thresh_i(thresh),
        .number_i(8'(c)), .clear_i(perf_clear_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(channel_perf[c])
    );
  end
endmodule
