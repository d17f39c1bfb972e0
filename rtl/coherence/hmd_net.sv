// The host's end of the wires: connects them with the directories of the host's channels, and device with device. Page: docs/blocks/hmd_net.md. Latency: two cycles.
`include "vl_assert.svh"
module hmd_net
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, coherence_pkg::*;
(
    input  logic clk_i,
    input  logic rst_i,
    // wires
    input  logic       [WIRES-1:0] up_req_valid_i,
    input  hmd_req_t   [WIRES-1:0] up_req_i,
    output logic       [WIRES-1:0] up_req_ready_o,
    input  logic       [WIRES-1:0] up_ack_valid_i,
    input  hmd_ack_t   [WIRES-1:0] up_ack_i,
    output logic       [WIRES-1:0] up_ack_ready_o,
    input  logic       [WIRES-1:0] up_data_valid_i,
    input  hmd_data_t  [WIRES-1:0] up_data_i,
    output logic       [WIRES-1:0] up_data_ready_o,
    output logic       [WIRES-1:0] down_probe_valid_o,
    output hmd_probe_t [WIRES-1:0] down_probe_o,
    input  logic       [WIRES-1:0] down_probe_ready_i,
    output logic       [WIRES-1:0] down_data_valid_o,
    output hmd_data_t  [WIRES-1:0] down_data_o,
    input  logic       [WIRES-1:0] down_data_ready_i,
    // the directories of the host's channels
    output logic       [HMDS-1:0] hmd_req_valid_o,
    output hmd_req_t   [HMDS-1:0] hmd_req_o,
    input  logic       [HMDS-1:0] hmd_req_ready_i,
    output logic       [HMDS-1:0] hmd_ack_valid_o,
    output hmd_ack_t   [HMDS-1:0] hmd_ack_o,
    input  logic       [HMDS-1:0] hmd_ack_ready_i,
    input  logic       [HMDS-1:0] hmd_probe_valid_i,
    input  hmd_probe_t [HMDS-1:0] hmd_probe_i,
    output logic       [HMDS-1:0] hmd_probe_ready_o,
    input  logic       [HMDS-1:0] hmd_data_valid_i,
    input  hmd_data_t  [HMDS-1:0] hmd_data_i,
    output logic       [HMDS-1:0] hmd_data_ready_o,
    output logic       [HMDS-1:0] hmd_mem_valid_o,
    output smd_mem_t   [HMDS-1:0] hmd_mem_o,
    output logic                  idle_o
);
  typedef logic [idx_w(HMDS)-1:0] hmd_no_t;

  logic [3:0] idle;
  assign idle_o = idle == '1;

  // ---- from the wires to the directories -------------------------------------------------------------------------------
  hmd_no_t [WIRES-1:0] req_dest, ack_dest;
  for (genvar w = 0; w < int'(WIRES); w++) begin : gen_wire
    assign req_dest[w] = hmd_no_t'(host_channel_of(up_req_i[w].req.line));
    assign ack_dest[w] = hmd_no_t'(host_channel_of(up_ack_i[w].ack.line));
  end
  xbar #(.T(hmd_req_t), .SOURCES(WIRES), .DESTS(HMDS)) u_req (
      .clk_i, .rst_i, .valid_i(up_req_valid_i), .dest_i(req_dest), .data_i(up_req_i), .ready_o(up_req_ready_o),
      .valid_o(hmd_req_valid_o), .src_o(), .data_o(hmd_req_o), .ready_i(hmd_req_ready_i), .idle_o(idle[0])
  );
  xbar #(.T(hmd_ack_t), .SOURCES(WIRES), .DESTS(HMDS)) u_ack (
      .clk_i, .rst_i, .valid_i(up_ack_valid_i), .dest_i(ack_dest), .data_i(up_ack_i), .ready_o(up_ack_ready_o),
      .valid_o(hmd_ack_valid_o), .src_o(), .data_o(hmd_ack_o), .ready_i(hmd_ack_ready_i), .idle_o(idle[1])
  );

  // ---- to the wires: from the directories, and lines from other devices; to the directories: lines that they have read in stacks ------
  localparam int unsigned DATA = HMDS + WIRES;
  localparam int unsigned DATA_DESTS = WIRES + HMDS;
  typedef logic [idx_w(DATA_DESTS)-1:0] data_dest_t;
  function automatic logic [DATA-1:0][DATA_DESTS-1:0] data_reach();
    logic [DATA-1:0][DATA_DESTS-1:0] r;
    for (int unsigned s = 0; s < DATA; s++) for (int unsigned d = 0; d < DATA_DESTS; d++) r[s][d] = s >= HMDS || d < WIRES;
    return r;
  endfunction
  wire_t [HMDS-1:0] probe_dest;
  data_dest_t [DATA-1:0] data_dest;
  logic [DATA-1:0] data_valid;
  hmd_data_t [DATA-1:0] data;
  hmd_data_t [HMDS-1:0] mem;
  assign data_valid = {up_data_valid_i, hmd_data_valid_i};
  assign data = {up_data_i, hmd_data_i};
  for (genvar h = 0; h < int'(HMDS); h++) begin : gen_hmd
    assign probe_dest[h] = wire_of(hmd_probe_i[h].device);
    assign hmd_mem_o[h] = '{id: mem[h].data.id, data: mem[h].data.data};
    `VL_ASSERT(only_devices_have_read_lines, !hmd_data_valid_i[h] || hmd_data_i[h].data.mem != SMD_MEM_LINE)
    `VL_ASSERT(probe_is_for_a_device, !hmd_probe_valid_i[h] || 32'(hmd_probe_i[h].device) < DEVICES)
  end
  for (genvar s = 0; s < int'(DATA); s++) begin : gen_data
    logic is_mem;
    assign is_mem = s >= int'(HMDS) && data[s].data.mem == SMD_MEM_LINE;
    assign data_dest[s] = is_mem ? data_dest_t'(WIRES + 32'(host_channel_of(data[s].data.line))) : data_dest_t'(wire_of(data[s].device));
    `VL_ASSERT(data_are_for_a_device, !data_valid[s] || 32'(data[s].device) < DEVICES)
  end
  xbar #(.T(hmd_probe_t), .SOURCES(HMDS), .DESTS(WIRES)) u_probe (
      .clk_i, .rst_i, .valid_i(hmd_probe_valid_i), .dest_i(probe_dest), .data_i(hmd_probe_i), .ready_o(hmd_probe_ready_o),
      .valid_o(down_probe_valid_o), .src_o(), .data_o(down_probe_o), .ready_i(down_probe_ready_i), .idle_o(idle[2])
  );
  xbar #(.T(hmd_data_t), .SOURCES(DATA), .DESTS(DATA_DESTS), .REACH(data_reach())) u_data (
      .clk_i, .rst_i, .valid_i(data_valid), .dest_i(data_dest), .data_i(data), .ready_o({up_data_ready_o, hmd_data_ready_o}),
      .valid_o({hmd_mem_valid_o, down_data_valid_o}), .src_o(), .data_o({mem, down_data_o}), .ready_i({{HMDS{1'b1}}, down_data_ready_i}), .idle_o(idle[3])
  );
endmodule
