// Request network: the cores and the host port to the L2 slices. Page: docs/blocks/req_net.md. Latency: two cycles.
`include "vl_assert.svh"
module req_net
  import vellum_pkg::*, map_pkg::*, mem_pkg::*, memside_pkg::*;
(
    input  logic                     clk_i,
    input  logic                     rst_i,
    // sources: cores (and the walker), then the host port
    input  logic     [SOURCES-1:0]   req_valid_i,
    input  mem_req_t [SOURCES-1:0]   req_i,
    input  logic     [SOURCES-1:0]   bypass_i,
    output logic     [SOURCES-1:0]   req_ready_o,
    // slices
    output logic     [SLICES-1:0]    slice_req_valid_o,
    output net_req_t [SLICES-1:0]    slice_req_o,
    input  logic     [SLICES-1:0]    slice_req_ready_i,
    // events of the last edge
    output logic     [SOURCES-1:0]   ev_stalled_o,
    output logic     [SLICES-1:0]    ev_taken_o,
    output logic     [SLICES-1:0]    ev_blocked_o
);
  // A source's request: the network has the source from the port.
  typedef struct packed {
    logic bypass;
    mem_req_t req;
  } request_t;

  function automatic logic [SOURCES-1:0][SLICES-1:0] reach();
    logic [SOURCES-1:0][SLICES-1:0] r;
    for (int unsigned s = 0; s < SOURCES; s++) for (int unsigned d = 0; d < SLICES; d++) r[s][d] = d / DEVICE_SLICES == net_device(s);
    return r;
  endfunction

  net_slice_t [SOURCES-1:0] dest;
  request_t      [SOURCES-1:0] offered;
  src_t       [SLICES-1:0]  src;
  request_t      [SLICES-1:0]  heard;

  for (genvar s = 0; s < int'(SOURCES); s++) begin : gen_source
    assign dest[s] = net_slice(src_t'(s), req_i[s].line);
    assign offered[s].bypass = bypass_i[s];
    assign offered[s].req = req_i[s];
  end
  xbar #(.T(request_t), .SOURCES(SOURCES), .DESTS(SLICES), .REACH(reach())) u_xbar (
      .clk_i, .rst_i,
      .valid_i(req_valid_i), .dest_i(dest), .data_i(offered), .ready_o(req_ready_o),
      .valid_o(slice_req_valid_o), .src_o(src), .data_o(heard), .ready_i(slice_req_ready_i), .idle_o()
  );
  for (genvar d = 0; d < int'(SLICES); d++) begin : gen_slice
    assign slice_req_o[d].src = src[d];
    assign slice_req_o[d].bypass = heard[d].bypass;
    assign slice_req_o[d].req = heard[d].req;
    `VL_ASSERT(at_its_slice, !slice_req_valid_o[d] || 32'(net_slice(src[d], heard[d].req.line)) == d)
  end

  // 3
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ev_stalled_o <= '0;
      ev_taken_o <= '0;
      ev_blocked_o <= '0;
    end else begin
      ev_stalled_o <= req_valid_i & ~req_ready_o;
      ev_taken_o <= slice_req_valid_o & slice_req_ready_i;
      ev_blocked_o <= slice_req_valid_o & ~slice_req_ready_i;
    end
  end
endmodule
