// Addresses of one beat of a memory instruction, and their checks. Combinational. Page: docs/blocks/lsu.md, "Addresses".
`include "vl_skip.svh"
module lsu_agu
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*;
(
    input  lane_data_t  meant_i,       // addresses of the program: they are checked in parallel with the permutation
    input  lane_mask_t  mask_i,        // lanes to check
    input  logic [1:0]  size_i,        // log2 of the bytes
    input  kernel_t     kernel_i,
    input  logic        sv48_i,
    output lane_data_t  addr_o,        // where the accesses lie (docs/private-memory.md)
    output lane_mask_t  spad_o,        // in the scratchpad aperture, and allowed
    output lane_mask_t  global_o,      // in the memory window, or translated
    output lane_mask_t  misaligned_o,
    output lane_mask_t  access_o,      // outside
    output lane_mask_t  page_o         // not canonical
);
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    lsu_private u_private (
        .addr_i(meant_i[l]), .stack_base_i(kernel_i.stack_base), .stack_log2_i(kernel_i.stack_log2), .addr_o(addr_o[l])
    );
  end

  always_comb begin
    {misaligned_o, spad_o, global_o, access_o, page_o} = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      logic aperture, inside_spad, window, canonical, bad;
      `VL_WHEN(mask_i[l]) begin
        unique case (size_i)
          2'd0: bad = 1'b0;
          2'd1: bad = meant_i[l][0];
          2'd2: bad = meant_i[l][1:0] != 2'd0;
          default: bad = meant_i[l][2:0] != 3'd0;
        endcase
        aperture = meant_i[l][63:16] == SPAD_BASE[63:16];
        inside_spad = 17'(meant_i[l][15:0]) < 17'(kernel_i.spad_bytes);
        window = in_memory(kernel_i, meant_i[l]);
        canonical = meant_i[l][63:47] == '0 || meant_i[l][63:47] == '1;
        misaligned_o[l] = mask_i[l] && bad;
        spad_o[l] = mask_i[l] && !bad && aperture && inside_spad;
        global_o[l] = mask_i[l] && !bad && !aperture && (sv48_i ? canonical : window);
        access_o[l] = mask_i[l] && !bad && (aperture ? !inside_spad : !sv48_i && !window);
        page_o[l] = mask_i[l] && !bad && !aperture && sv48_i && !canonical;
      end
    end
  end
endmodule
