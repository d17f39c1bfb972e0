// Workgroups to cores: a group_source a kernel slot, each for the cores of its slot. Page: docs/blocks/dispatcher.md.
module dispatcher
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import core_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    // from ctrl
    input  kernel_t [KERNELS-1:0] kernel_i,
    input  kslot_t [CORES-1:0]    owner_i,
    input  logic [KERNELS-1:0]    kernel_start_i,
    input  logic [KERNELS-1:0]    kernel_rst_i,
    input  logic [KERNELS-1:0]    halt_i,
    output logic [KERNELS-1:0]    done_o,
    // to and from the cores
    output logic   [CORES-1:0]    group_valid_o,
    output group_t [CORES-1:0]    group_o,
    input  logic   [CORES-1:0]    group_ready_i,
    input  logic   [CORES-1:0]    group_done_i
);
  kslot_t [CORES-1:0] owner_q;
  always_ff @(posedge clk_i) owner_q <= rst_i ? '0 : owner_i;

  logic [KERNELS-1:0][CORES-1:0] offer;
  group_t [KERNELS-1:0] group;
  for (genvar k = 0; k < KERNELS; k++) begin : g_kernel
    logic [CORES-1:0] cores;
    for (genvar c = 0; c < CORES; c++) begin : g_core
      assign cores[c] = owner_q[c] == kslot_t'(k);
    end
    group_source u_source (
        .clk_i, .rst_i(rst_i || kernel_rst_i[k]), .kernel_i(kernel_i[k]), .kernel_start_i(kernel_start_i[k]), .halt_i(halt_i[k]), .done_o(done_o[k]),
        .offer_o(offer[k]), .group_o(group[k]), .group_ready_i(group_ready_i & cores), .group_done_i(group_done_i & cores)
    );
  end
  for (genvar c = 0; c < CORES; c++) begin : g_to
    assign group_valid_o[c] = offer[owner_q[c][KSLOT_W-1:0]][c];
    assign group_o[c] = group[owner_q[c][KSLOT_W-1:0]];
  end
endmodule
