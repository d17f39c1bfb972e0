// Each network of smd_net keeps net_promises, whatever the other four are offered and whether theirs is taken. Words are followed by the highest bits of their lines, which
// nothing else reads: they carry the source and a number. An SMD's lines are of its channel, a wire's messages for its devices.
module smd_net_proof
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, coherence_pkg::*;
#(
    localparam int unsigned SMD_W = idx_w(SMDS),
    localparam int unsigned WIRE_W = idx_w(WIRES),
    localparam int unsigned TAG = 1
) (
    input logic                    clk_i,
    input logic       [SMDS-1:0]   req_valid, ack_valid, peer_valid, probe_ready, data_ready,
    input smd_req_t   [SMDS-1:0]   req_in,
    input smd_ack_t   [SMDS-1:0]   ack_in,
    input smd_peer_t  [SMDS-1:0]   peer_in,
    input logic       [WIRES-1:0]  up_req_ready, up_ack_ready, up_data_ready, down_probe_valid, down_data_valid,
    input hmd_probe_t [WIRES-1:0]  probe_in,
    input hmd_data_t  [WIRES-1:0]  data_in,
    input logic       [SMD_W-1:0]  pick_req, pick_ack, pick_peer,
    input logic       [WIRE_W-1:0] pick_probe, pick_data
);
  localparam int unsigned MARK_W = SMD_W;
`include "net_marks.svh"
  function automatic line_addr_t of_channel(input line_addr_t line, input int unsigned channel);
    return (line & ~(line_addr_t'(CHANNELS - 1) << ILV_W)) | (line_addr_t'(channel) << ILV_W);
  endfunction
  function automatic device_t on_wire(input device_t device, input int unsigned wire_no);
    return (WIRES == 1) ? device_t'(32'(device) % DEVICES) : device_t'(wire_no);
  endfunction

  smd_req_t   [SMDS-1:0]  req;
  smd_ack_t   [SMDS-1:0]  ack;
  smd_peer_t  [SMDS-1:0]  peer;
  hmd_probe_t [WIRES-1:0] down_probe;
  hmd_data_t  [WIRES-1:0] down_data;
  always_comb begin
    req = req_in;
    ack = ack_in;
    peer = peer_in;
    down_probe = probe_in;
    down_data = data_in;
    for (int unsigned k = 0; k < SMDS; k++) begin
      req[k].line = of_channel(marked(req_in[k].line, k), k % CHANNELS);
      ack[k].line = of_channel(marked(ack_in[k].line, k), k % CHANNELS);
      peer[k].line = of_channel(marked(peer_in[k].line, k), k % CHANNELS);
      peer[k].device = device_t'((k / CHANNELS + 1) % DEVICES);
    end
    for (int unsigned w = 0; w < WIRES; w++) begin
      down_probe[w].device = on_wire(probe_in[w].device, w);
      down_probe[w].probe.line = marked(probe_in[w].probe.line, w);
      down_data[w].device = on_wire(data_in[w].device, w);
      down_data[w].data.line = marked(data_in[w].data.line, w);
    end
  end

  logic [SMDS-1:0] req_ready, ack_ready, peer_ready, probe_valid, data_valid;
  logic [WIRES-1:0] up_req_valid, up_ack_valid, up_data_valid, down_probe_ready, down_data_ready;
  smd_probe_t [SMDS-1:0] probe;
  smd_data_t [SMDS-1:0] data;
  hmd_req_t [WIRES-1:0] up_req;
  hmd_ack_t [WIRES-1:0] up_ack;
  hmd_data_t [WIRES-1:0] up_data;
  smd_net dut (
      .clk_i, .rst_i(rst),
      .smd_req_valid_i(req_valid), .smd_req_i(req), .smd_req_ready_o(req_ready), .smd_ack_valid_i(ack_valid), .smd_ack_i(ack), .smd_ack_ready_o(ack_ready),
      .smd_peer_valid_i(peer_valid), .smd_peer_i(peer), .smd_peer_ready_o(peer_ready), .smd_probe_valid_o(probe_valid), .smd_probe_o(probe),
      .smd_probe_ready_i(probe_ready), .smd_data_valid_o(data_valid), .smd_data_o(data), .smd_data_ready_i(data_ready),
      .up_req_valid_o(up_req_valid), .up_req_o(up_req), .up_req_ready_i(up_req_ready), .up_ack_valid_o(up_ack_valid), .up_ack_o(up_ack), .up_ack_ready_i(up_ack_ready),
      .up_data_valid_o(up_data_valid), .up_data_o(up_data), .up_data_ready_i(up_data_ready),
      .down_probe_valid_i(down_probe_valid), .down_probe_i(down_probe), .down_probe_ready_o(down_probe_ready),
      .down_data_valid_i(down_data_valid), .down_data_i(down_data), .down_data_ready_o(down_data_ready), .idle_o()
  );

  // Up: a message carries the device that sends, a line to a peer the device that it goes to.
  localparam int unsigned UP = DEVICE_W + TAG;
  logic [SMDS-1:0][WIRE_W-1:0] up_dest;
  logic [SMDS-1:0][UP-1:0] req_word, ack_word, peer_word;
  logic [WIRES-1:0][UP-1:0] up_req_word, up_ack_word, up_data_word;
  logic [WIRES-1:0][SMD_W-1:0] up_req_by, up_ack_by, up_data_by;
  always_comb begin
    for (int unsigned k = 0; k < SMDS; k++) begin
      up_dest[k] = (WIRES == 1) ? '0 : WIRE_W'(k / CHANNELS);
      req_word[k] = {device_t'(k / CHANNELS), tag(req[k].line)};
      ack_word[k] = {device_t'(k / CHANNELS), tag(ack[k].line)};
      peer_word[k] = {peer[k].device, tag(peer[k].line)};
    end
    for (int unsigned w = 0; w < WIRES; w++) begin
      up_req_by[w] = by(up_req[w].req.line);
      up_ack_by[w] = by(up_ack[w].ack.line);
      up_data_by[w] = by(up_data[w].data.line);
      up_req_word[w] = {up_req[w].device, tag(up_req[w].req.line)};
      up_ack_word[w] = {up_ack[w].device, tag(up_ack[w].ack.line)};
      up_data_word[w] = {up_data[w].device, tag(up_data[w].data.line)};
    end
  end
  net_promises #(.SOURCES(SMDS), .DESTS(WIRES), .WORD(UP)) u_req (
      .clk_i, .rst, .valid_i(req_valid), .dest_i(up_dest), .data_i(req_word), .ready(req_ready), .valid(up_req_valid), .src(up_req_by), .data(up_req_word),
      .ready_i(up_req_ready), .pick_i(pick_req)
  );
  net_promises #(.SOURCES(SMDS), .DESTS(WIRES), .WORD(UP)) u_ack (
      .clk_i, .rst, .valid_i(ack_valid), .dest_i(up_dest), .data_i(ack_word), .ready(ack_ready), .valid(up_ack_valid), .src(up_ack_by), .data(up_ack_word),
      .ready_i(up_ack_ready), .pick_i(pick_ack)
  );
  net_promises #(.SOURCES(SMDS), .DESTS(WIRES), .WORD(UP)) u_peer (
      .clk_i, .rst, .valid_i(peer_valid), .dest_i(up_dest), .data_i(peer_word), .ready(peer_ready), .valid(up_data_valid), .src(up_data_by), .data(up_data_word),
      .ready_i(up_data_ready), .pick_i(pick_peer)
  );

  // Down: to the SMD of the line's channel in the device.
  logic [WIRES-1:0][SMD_W-1:0] probe_dest, data_dest;
  logic [WIRES-1:0][TAG-1:0] down_probe_word, down_data_word;
  logic [SMDS-1:0][TAG-1:0] probe_word, data_word;
  logic [SMDS-1:0][WIRE_W-1:0] probe_by, data_by;
  always_comb begin
    for (int unsigned w = 0; w < WIRES; w++) begin
      probe_dest[w] = SMD_W'(32'(down_probe[w].device) * CHANNELS + 32'(down_probe[w].probe.line >> ILV_W) % CHANNELS);
      data_dest[w] = SMD_W'(32'(down_data[w].device) * CHANNELS + 32'(down_data[w].data.line >> ILV_W) % CHANNELS);
      down_probe_word[w] = tag(down_probe[w].probe.line);
      down_data_word[w] = tag(down_data[w].data.line);
    end
    for (int unsigned k = 0; k < SMDS; k++) begin
      probe_by[k] = WIRE_W'(by(probe[k].line));
      data_by[k] = WIRE_W'(by(data[k].line));
      probe_word[k] = tag(probe[k].line);
      data_word[k] = tag(data[k].line);
    end
  end
  net_promises #(.SOURCES(WIRES), .DESTS(SMDS), .WORD(TAG)) u_probe (
      .clk_i, .rst, .valid_i(down_probe_valid), .dest_i(probe_dest), .data_i(down_probe_word), .ready(down_probe_ready), .valid(probe_valid), .src(probe_by),
      .data(probe_word), .ready_i(probe_ready), .pick_i(pick_probe)
  );
  net_promises #(.SOURCES(WIRES), .DESTS(SMDS), .WORD(TAG)) u_data (
      .clk_i, .rst, .valid_i(down_data_valid), .dest_i(data_dest), .data_i(down_data_word), .ready(down_data_ready), .valid(data_valid), .src(data_by),
      .data(data_word), .ready_i(data_ready), .pick_i(pick_data)
  );
endmodule
