// The devices' end of the wires: connects them with the directories of the stacks. Page: docs/blocks/smd_net.md. Latency: two cycles.
`include "vl_assert.svh"
module smd_net
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic clk_i,
    input  logic rst_i,
    // the directories of the stacks
    input  logic       [SMDS-1:0] smd_req_valid_i,
    input  smd_req_t   [SMDS-1:0] smd_req_i,
    output logic       [SMDS-1:0] smd_req_ready_o,
    input  logic       [SMDS-1:0] smd_ack_valid_i,
    input  smd_ack_t   [SMDS-1:0] smd_ack_i,
    output logic       [SMDS-1:0] smd_ack_ready_o,
    input  logic       [SMDS-1:0] smd_peer_valid_i,
    input  smd_peer_t  [SMDS-1:0] smd_peer_i,
    output logic       [SMDS-1:0] smd_peer_ready_o,
    output logic       [SMDS-1:0] smd_probe_valid_o,
    output smd_probe_t [SMDS-1:0] smd_probe_o,
    input  logic       [SMDS-1:0] smd_probe_ready_i,
    output logic       [SMDS-1:0] smd_data_valid_o,
    output smd_data_t  [SMDS-1:0] smd_data_o,
    input  logic       [SMDS-1:0] smd_data_ready_i,
    // wires
    output logic       [WIRES-1:0] up_req_valid_o,
    output hmd_req_t   [WIRES-1:0] up_req_o,
    input  logic       [WIRES-1:0] up_req_ready_i,
    output logic       [WIRES-1:0] up_ack_valid_o,
    output hmd_ack_t   [WIRES-1:0] up_ack_o,
    input  logic       [WIRES-1:0] up_ack_ready_i,
    output logic       [WIRES-1:0] up_data_valid_o,
    output hmd_data_t  [WIRES-1:0] up_data_o,
    input  logic       [WIRES-1:0] up_data_ready_i,
    input  logic       [WIRES-1:0] down_probe_valid_i,
    input  hmd_probe_t [WIRES-1:0] down_probe_i,
    output logic       [WIRES-1:0] down_probe_ready_o,
    input  logic       [WIRES-1:0] down_data_valid_i,
    input  hmd_data_t  [WIRES-1:0] down_data_i,
    output logic       [WIRES-1:0] down_data_ready_o,
    output logic                   idle_o
);
  typedef logic [idx_w(SMDS)-1:0] smd_no_t;
  // Which wires an SMD sends to, which SMDs a wire has: those of its devices.
  function automatic logic [SMDS-1:0][WIRES-1:0] up_reach();
    logic [SMDS-1:0][WIRES-1:0] r;
    for (int unsigned k = 0; k < SMDS; k++) for (int unsigned w = 0; w < WIRES; w++) r[k][w] = 32'(wire_of(device_t'(k / CHANNELS))) == w;
    return r;
  endfunction
  function automatic logic [WIRES-1:0][SMDS-1:0] down_reach();
    logic [WIRES-1:0][SMDS-1:0] r;
    for (int unsigned w = 0; w < WIRES; w++) for (int unsigned k = 0; k < SMDS; k++) r[w][k] = 32'(wire_of(device_t'(k / CHANNELS))) == w;
    return r;
  endfunction
  function automatic smd_no_t smd_of(input device_t device, input line_addr_t line);
    return smd_no_t'(32'(device) * CHANNELS + 32'(channel_of(line)));
  endfunction

  logic [4:0] idle;
  assign idle_o = idle == '1;

  // ---- up ------------------------------------------------------------------------------------------------------------
  wire_t [SMDS-1:0] up_dest;
  for (genvar k = 0; k < int'(SMDS); k++) begin : gen_smd
    assign up_dest[k] = wire_of(device_t'(k / CHANNELS));
    `VL_ASSERT(peer_is_another_device, !smd_peer_valid_i[k] || smd_peer_i[k].mem == SMD_MEM_LINE || (32'(smd_peer_i[k].device) < DEVICES && 32'(smd_peer_i[k].device) != k / CHANNELS))
  end
  smd_no_t   [WIRES-1:0] req_from, ack_from;
  smd_req_t  [WIRES-1:0] req;
  smd_ack_t  [WIRES-1:0] ack;
  smd_peer_t [WIRES-1:0] peer;
  xbar #(.T(smd_req_t), .SOURCES(SMDS), .DESTS(WIRES), .REACH(up_reach())) u_req (
      .clk_i, .rst_i, .valid_i(smd_req_valid_i), .dest_i(up_dest), .data_i(smd_req_i), .ready_o(smd_req_ready_o),
      .valid_o(up_req_valid_o), .src_o(req_from), .data_o(req), .ready_i(up_req_ready_i), .idle_o(idle[0])
  );
  xbar #(.T(smd_ack_t), .SOURCES(SMDS), .DESTS(WIRES), .REACH(up_reach())) u_ack (
      .clk_i, .rst_i, .valid_i(smd_ack_valid_i), .dest_i(up_dest), .data_i(smd_ack_i), .ready_o(smd_ack_ready_o),
      .valid_o(up_ack_valid_o), .src_o(ack_from), .data_o(ack), .ready_i(up_ack_ready_i), .idle_o(idle[1])
  );
  xbar #(.T(smd_peer_t), .SOURCES(SMDS), .DESTS(WIRES), .REACH(up_reach())) u_peer (
      .clk_i, .rst_i, .valid_i(smd_peer_valid_i), .dest_i(up_dest), .data_i(smd_peer_i), .ready_o(smd_peer_ready_o),
      .valid_o(up_data_valid_o), .src_o(), .data_o(peer), .ready_i(up_data_ready_i), .idle_o(idle[3])
  );
  for (genvar w = 0; w < int'(WIRES); w++) begin : gen_up
    assign up_req_o[w] = '{device: device_t'(32'(req_from[w]) / CHANNELS), req: req[w]};
    assign up_ack_o[w] = '{device: device_t'(32'(ack_from[w]) / CHANNELS), ack: ack[w]};
    assign up_data_o[w] = '{
        device: peer[w].device,
        data: '{grant: 1'b0, line: peer[w].line, state: NMOESI_I, mask: peer[w].mask, data: peer[w].data, mem: peer[w].mem, id: peer[w].id}
    };
  end

  // ---- down ----------------------------------------------------------------------------------------------------------
  smd_no_t    [WIRES-1:0] probe_dest, data_dest;
  smd_probe_t [WIRES-1:0] probe;
  smd_data_t  [WIRES-1:0] data;
  for (genvar w = 0; w < int'(WIRES); w++) begin : gen_down
    assign probe_dest[w] = smd_of(down_probe_i[w].device, down_probe_i[w].probe.line);
    assign probe[w] = down_probe_i[w].probe;
    assign data_dest[w] = smd_of(down_data_i[w].device, down_data_i[w].data.line);
    assign data[w] = down_data_i[w].data;
    `VL_ASSERT(probe_is_for_this_wire, !down_probe_valid_i[w] || (32'(down_probe_i[w].device) < DEVICES && 32'(wire_of(down_probe_i[w].device)) == w))
    `VL_ASSERT(data_are_for_this_wire, !down_data_valid_i[w] || (32'(down_data_i[w].device) < DEVICES && 32'(wire_of(down_data_i[w].device)) == w))
  end
  xbar #(.T(smd_probe_t), .SOURCES(WIRES), .DESTS(SMDS), .REACH(down_reach())) u_probe (
      .clk_i, .rst_i, .valid_i(down_probe_valid_i), .dest_i(probe_dest), .data_i(probe), .ready_o(down_probe_ready_o),
      .valid_o(smd_probe_valid_o), .src_o(), .data_o(smd_probe_o), .ready_i(smd_probe_ready_i), .idle_o(idle[2])
  );
  xbar #(.T(smd_data_t), .SOURCES(WIRES), .DESTS(SMDS), .REACH(down_reach())) u_data (
      .clk_i, .rst_i, .valid_i(down_data_valid_i), .dest_i(data_dest), .data_i(data), .ready_o(down_data_ready_o),
      .valid_o(smd_data_valid_o), .src_o(), .data_o(smd_data_o), .ready_i(smd_data_ready_i), .idle_o(idle[4])
  );
endmodule
