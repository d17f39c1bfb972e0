// Answers of the shared L2 TLB to the cores: hits of its ports, and results of walks. Page: docs/blocks/ans_net.md. Latency: two cycles.
module ans_net
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*;
(
    input  logic                              clk_i,
    input  logic                              rst_i,
    // l2_tlb
    input  logic           [L2_TLB_PORTS-1:0] hit_valid_i,
    input  translate_ans_t [L2_TLB_PORTS-1:0] hit_i,
    output logic           [L2_TLB_PORTS-1:0] hit_ready_o,
    // l2_tlb_mshr
    input  logic                              walked_valid_i,
    input  translate_ans_t                    walked_i,
    output logic                              walked_ready_o,
    // seam_port of each core
    output logic           [CORES-1:0]        ans_valid_o,
    output translate_rsp_t [CORES-1:0]        ans_o
);
  localparam int unsigned IN = L2_TLB_PORTS + 1;
  core_t [IN-1:0] dest;
  translate_rsp_t [IN-1:0] rsp;
  for (genvar p = 0; p < int'(L2_TLB_PORTS); p++) begin : gen_port
    assign dest[p] = hit_i[p].core;
    assign rsp[p] = hit_i[p].rsp;
  end
  assign dest[IN-1] = walked_i.core;
  assign rsp[IN-1] = walked_i.rsp;
  xbar #(.T(translate_rsp_t), .SOURCES(IN), .DESTS(CORES)) u_xbar (
      .clk_i, .rst_i, .valid_i({walked_valid_i, hit_valid_i}), .dest_i(dest), .data_i(rsp), .ready_o({walked_ready_o, hit_ready_o}),
      .valid_o(ans_valid_o), .src_o(), .data_o(ans_o), .ready_i({CORES{1'b1}}), .idle_o()
  );
endmodule
