// Each network of hmd_net keeps net_promises, whatever the other three are offered and whether theirs is taken; lines from device to device, and those that HMDs read in stacks, are sources of the data network, the
// HMDs' ports for the latter destinations of it, which always take. Words are followed by the highest bits of their lines, which nothing else reads: they carry the source and a number. In the data
// network those of the data carry them, and the device.
module hmd_net_proof
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, coherence_pkg::*;
#(
    localparam int unsigned HMD_W = idx_w(HMDS),
    localparam int unsigned WIRE_W = idx_w(WIRES),
    localparam int unsigned DATA = HMDS + WIRES,
    localparam int unsigned DATA_W = idx_w(DATA),
    localparam int unsigned DATA_DESTS = WIRES + HMDS,
    localparam int unsigned DATA_DEST_W = idx_w(DATA_DESTS),
    localparam int unsigned TAG = 1
) (
    input logic                    clk_i,
    input logic       [WIRES-1:0]  up_req_valid, up_ack_valid, up_data_valid, down_probe_ready, down_data_ready,
    input hmd_req_t   [WIRES-1:0]  up_req_in,
    input hmd_ack_t   [WIRES-1:0]  up_ack_in,
    input hmd_data_t  [WIRES-1:0]  up_data_in,
    input logic       [HMDS-1:0]   req_ready, ack_ready, probe_valid, data_valid,
    input hmd_probe_t [HMDS-1:0]   probe_in,
    input hmd_data_t  [HMDS-1:0]   data_in,
    input logic       [WIRE_W-1:0] pick_req, pick_ack,
    input logic       [HMD_W-1:0]  pick_probe,
    input logic       [DATA_W-1:0] pick_data
);
  localparam int unsigned MARK_W = DATA_W;
`include "net_marks.svh"
  function automatic line_data_t carrying(input line_data_t data, input int unsigned source, input device_t device);
    carrying = data;
    carrying[LINE_BITS-1-:DATA_W] = DATA_W'(source);
    carrying[LINE_BITS-DATA_W-1-:DEVICE_W] = device;
    return carrying;
  endfunction
  function automatic logic [DATA_W-1:0] carried_by(input line_data_t data);
    return data[LINE_BITS-1-:DATA_W];
  endfunction
  function automatic logic [DEVICE_W+TAG-1:0] carried(input line_data_t data);
    return data[LINE_BITS-DATA_W-1-:DEVICE_W+TAG];
  endfunction
  function automatic logic [WIRE_W-1:0] wire_to(input device_t device);
    return (WIRES == 1) ? '0 : WIRE_W'(device);
  endfunction

  hmd_req_t   [WIRES-1:0] up_req;
  hmd_ack_t   [WIRES-1:0] up_ack;
  hmd_data_t  [WIRES-1:0] up_data;
  hmd_probe_t [HMDS-1:0]  probe;
  hmd_data_t  [HMDS-1:0]  data;
  always_comb begin
    up_req = up_req_in;
    up_ack = up_ack_in;
    up_data = up_data_in;
    probe = probe_in;
    data = data_in;
    for (int unsigned w = 0; w < WIRES; w++) begin
      up_req[w].req.line = marked(up_req_in[w].req.line, w);
      up_ack[w].ack.line = marked(up_ack_in[w].ack.line, w);
      up_data[w].data.data = carrying(up_data_in[w].data.data, HMDS + w, up_data_in[w].device);
    end
    for (int unsigned h = 0; h < HMDS; h++) begin
      probe[h].probe.line = marked(probe_in[h].probe.line, h);
      data[h].data.data = carrying(data_in[h].data.data, h, data_in[h].device);
      if (data_in[h].data.mem == SMD_MEM_LINE) data[h].data.mem = SMD_MEM_NONE;  // devices alone send them
    end
  end

  logic [WIRES-1:0] up_req_ready, up_ack_ready, up_data_ready, down_probe_valid, down_data_valid;
  logic [HMDS-1:0] req_valid, ack_valid, probe_ready, data_ready, mem_valid;
  smd_mem_t [HMDS-1:0] mem;
  hmd_req_t [HMDS-1:0] req;
  hmd_ack_t [HMDS-1:0] ack;
  hmd_probe_t [WIRES-1:0] down_probe;
  hmd_data_t [WIRES-1:0] down_data;
  hmd_net dut (
      .clk_i, .rst_i(rst),
      .up_req_valid_i(up_req_valid), .up_req_i(up_req), .up_req_ready_o(up_req_ready), .up_ack_valid_i(up_ack_valid), .up_ack_i(up_ack), .up_ack_ready_o(up_ack_ready),
      .up_data_valid_i(up_data_valid), .up_data_i(up_data), .up_data_ready_o(up_data_ready),
      .down_probe_valid_o(down_probe_valid), .down_probe_o(down_probe), .down_probe_ready_i(down_probe_ready),
      .down_data_valid_o(down_data_valid), .down_data_o(down_data), .down_data_ready_i(down_data_ready),
      .hmd_req_valid_o(req_valid), .hmd_req_o(req), .hmd_req_ready_i(req_ready), .hmd_ack_valid_o(ack_valid), .hmd_ack_o(ack), .hmd_ack_ready_i(ack_ready),
      .hmd_probe_valid_i(probe_valid), .hmd_probe_i(probe), .hmd_probe_ready_o(probe_ready), .hmd_data_valid_i(data_valid), .hmd_data_i(data),
      .hmd_data_ready_o(data_ready), .hmd_mem_valid_o(mem_valid), .hmd_mem_o(mem), .idle_o()
  );

  localparam int unsigned WORD = DEVICE_W + TAG;
  logic [WIRES-1:0][HMD_W-1:0] req_dest, ack_dest;
  logic [WIRES-1:0][WORD-1:0] up_req_word, up_ack_word, down_probe_word;
  logic [DATA_DESTS-1:0][WORD-1:0] went_word;
  logic [DATA_DESTS-1:0][DATA_W-1:0] went_by;
  logic [HMDS-1:0][WORD-1:0] req_word, ack_word, probe_word;
  logic [HMDS-1:0][WIRE_W-1:0] req_by, ack_by, probe_dest;
  logic [WIRES-1:0][HMD_W-1:0] down_probe_by;
  logic [DATA-1:0][WORD-1:0] data_word;
  logic [DATA-1:0][DATA_DEST_W-1:0] data_dest;
  hmd_data_t [DATA-1:0] all_data;
  assign all_data = {up_data, data};
  always_comb begin
    for (int unsigned w = 0; w < WIRES; w++) begin
      req_dest[w] = HMD_W'(32'(up_req[w].req.line >> ILV_W) % HMDS);
      ack_dest[w] = HMD_W'(32'(up_ack[w].ack.line >> ILV_W) % HMDS);
      up_req_word[w] = {up_req[w].device, tag(up_req[w].req.line)};
      up_ack_word[w] = {up_ack[w].device, tag(up_ack[w].ack.line)};
      down_probe_by[w] = HMD_W'(by(down_probe[w].probe.line));
      down_probe_word[w] = {down_probe[w].device, tag(down_probe[w].probe.line)};
      went_by[w] = carried_by(down_data[w].data.data);
      went_word[w] = {down_data[w].device, TAG'(carried(down_data[w].data.data))};
    end
    for (int unsigned h = 0; h < HMDS; h++) begin
      req_by[h] = WIRE_W'(by(req[h].req.line));
      ack_by[h] = WIRE_W'(by(ack[h].ack.line));
      req_word[h] = {req[h].device, tag(req[h].req.line)};
      ack_word[h] = {ack[h].device, tag(ack[h].ack.line)};
      went_by[WIRES+h] = carried_by(mem[h].data);
      went_word[WIRES+h] = carried(mem[h].data);
      probe_dest[h] = wire_to(probe[h].device);
      probe_word[h] = {probe[h].device, tag(probe[h].probe.line)};
    end
    for (int unsigned s = 0; s < DATA; s++) begin
      data_dest[s] = (all_data[s].data.mem == SMD_MEM_LINE) ? DATA_DEST_W'(WIRES + 32'(all_data[s].data.line >> ILV_W) % HMDS) : DATA_DEST_W'(wire_to(all_data[s].device));
      data_word[s] = carried(all_data[s].data.data);
    end
  end
  net_promises #(.SOURCES(WIRES), .DESTS(HMDS), .WORD(WORD)) u_req (
      .clk_i, .rst, .valid_i(up_req_valid), .dest_i(req_dest), .data_i(up_req_word), .ready(up_req_ready), .valid(req_valid), .src(req_by), .data(req_word),
      .ready_i(req_ready), .pick_i(pick_req)
  );
  net_promises #(.SOURCES(WIRES), .DESTS(HMDS), .WORD(WORD)) u_ack (
      .clk_i, .rst, .valid_i(up_ack_valid), .dest_i(ack_dest), .data_i(up_ack_word), .ready(up_ack_ready), .valid(ack_valid), .src(ack_by), .data(ack_word),
      .ready_i(ack_ready), .pick_i(pick_ack)
  );
  net_promises #(.SOURCES(HMDS), .DESTS(WIRES), .WORD(WORD)) u_probe (
      .clk_i, .rst, .valid_i(probe_valid), .dest_i(probe_dest), .data_i(probe_word), .ready(probe_ready), .valid(down_probe_valid), .src(down_probe_by),
      .data(down_probe_word), .ready_i(down_probe_ready), .pick_i(pick_probe)
  );
  net_promises #(.SOURCES(DATA), .DESTS(DATA_DESTS), .WORD(WORD)) u_data (
      .clk_i, .rst, .valid_i({up_data_valid, data_valid}), .dest_i(data_dest), .data_i(data_word), .ready({up_data_ready, data_ready}), .valid({mem_valid, down_data_valid}),
      .src(went_by), .data(went_word), .ready_i({{HMDS{1'b1}}, down_data_ready}), .pick_i(pick_data)
  );
endmodule
