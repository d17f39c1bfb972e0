// Requests of the cores to the ports of the shared L2 TLB: a core has one port. Page: docs/blocks/ask_net.md. Latency: two cycles.
module ask_net
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*;
(
    input  logic                              clk_i,
    input  logic                              rst_i,
    // seam_port of each core
    input  logic           [CORES-1:0]        ask_valid_i,
    input  translate_req_t [CORES-1:0]        ask_i,
    output logic           [CORES-1:0]        ask_ready_o,
    // l2_tlb
    output logic           [L2_TLB_PORTS-1:0] req_valid_o,
    output translate_req_t [L2_TLB_PORTS-1:0] req_o,
    input  logic           [L2_TLB_PORTS-1:0] req_ready_i
);
  localparam int unsigned PORT_W = idx_w(L2_TLB_PORTS);
  function automatic logic [CORES-1:0][L2_TLB_PORTS-1:0] reach();
    logic [CORES-1:0][L2_TLB_PORTS-1:0] r;
    for (int unsigned c = 0; c < CORES; c++) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) r[c][p] = c % L2_TLB_PORTS == p;
    return r;
  endfunction

  logic [CORES-1:0][PORT_W-1:0] dest;
  for (genvar c = 0; c < int'(CORES); c++) begin : gen_core
    assign dest[c] = PORT_W'(c % L2_TLB_PORTS);
  end
  xbar #(.T(translate_req_t), .SOURCES(CORES), .DESTS(L2_TLB_PORTS), .REACH(reach())) u_xbar (
      .clk_i, .rst_i, .valid_i(ask_valid_i), .dest_i(dest), .data_i(ask_i), .ready_o(ask_ready_o),
      .valid_o(req_valid_o), .src_o(), .data_o(req_o), .ready_i(req_ready_i), .idle_o()
  );
endmodule
