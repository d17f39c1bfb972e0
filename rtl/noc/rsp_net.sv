// Response network: the L2 slices to the cores and the host port. Page: docs/blocks/rsp_net.md. Latency: two cycles.
module rsp_net
  import vellum_pkg::*, map_pkg::*, mem_pkg::*, memside_pkg::*;
(
    input  logic                     clk_i,
    input  logic                     rst_i,
    // slices
    input  logic     [SLICES-1:0]    slice_rsp_valid_i,
    input  net_rsp_t [SLICES-1:0]    slice_rsp_i,
    output logic     [SLICES-1:0]    slice_rsp_ready_o,
    // sources of requests: cores (and the walker), then the host port
    output logic     [SOURCES-1:0]   rsp_valid_o,
    output mem_rsp_t [SOURCES-1:0]   rsp_o,
    // events of the last edge
    output logic     [SLICES-1:0]    ev_stalled_o
);
  function automatic logic [SLICES-1:0][SOURCES-1:0] reach();
    logic [SLICES-1:0][SOURCES-1:0] r;
    for (int unsigned k = 0; k < SLICES; k++) for (int unsigned s = 0; s < SOURCES; s++) r[k][s] = k / DEVICE_SLICES == net_device(s);
    return r;
  endfunction

  src_t     [SLICES-1:0] dest;
  mem_rsp_t [SLICES-1:0] offered;
  for (genvar s = 0; s < int'(SLICES); s++) begin : gen_slice
    assign dest[s] = slice_rsp_i[s].src;
    assign offered[s] = slice_rsp_i[s].rsp;
  end
  xbar #(.T(mem_rsp_t), .SOURCES(SLICES), .DESTS(SOURCES), .REACH(reach())) u_xbar (
      .clk_i, .rst_i,
      .valid_i(slice_rsp_valid_i), .dest_i(dest), .data_i(offered), .ready_o(slice_rsp_ready_o),
      .valid_o(rsp_valid_o), .src_o(), .data_o(rsp_o), .ready_i({SOURCES{1'b1}}), .idle_o()
  );

  // 3
  always_ff @(posedge clk_i)
    if (rst_i) ev_stalled_o <= '0;
    else ev_stalled_o <= slice_rsp_valid_i & ~slice_rsp_ready_o;
endmodule
