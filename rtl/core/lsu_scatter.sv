// Puts the data of the lanes of one beat at their places in a sector of a line. The data of a lane stand at their place in a doubleword already; of lanes
// that write the same byte the highest wins. Combinational. Page: docs/blocks/lsu.md, "Stores and atomics into sectors".
`include "vl_skip.svh"
module lsu_scatter
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  lane_mask_t              take_i,
    input  logic [LANES-1:0][SECTOR_OFF_W-4:0] dword_i,  // doubleword of the sector
    input  logic [LANES-1:0][7:0]   be_i,      // bytes in it
    input  lane_data_t              data_i,
    output sector_be_t              be_o,
    output sector_data_t            data_o     // 0 where be_o is 0
);
  // Lanes lose the bytes that a higher lane writes: then every byte has one source, and the sector is an OR.
  logic [LANES-1:0][7:0] be;
  lane_data_t data;
  always_comb begin
    be = '0;
    data = '0;
    `VL_WHEN(take_i != '0) for (int unsigned l = 0; l < LANES; l++) begin
      be[l] = take_i[l] ? be_i[l] : '0;
      for (int unsigned h = l + 1; h < LANES; h++) if (take_i[h] && dword_i[h] == dword_i[l]) be[l] &= ~be_i[h];
      for (int unsigned b = 0; b < 8; b++) data[l][b*8+:8] = be[l][b] ? data_i[l][b*8+:8] : '0;
    end
  end

  for (genvar d = 0; d < SECTOR_BYTES / 8; d++) begin : gen_dword
    always_comb begin
      be_o[d*8+:8] = '0;
      data_o[d*64+:64] = '0;
      `VL_WHEN(take_i != '0) for (int unsigned l = 0; l < LANES; l++)
        if (32'(dword_i[l]) == d) begin
          be_o[d*8+:8] |= be[l];
          data_o[d*64+:64] |= data[l];
        end
    end
  end
endmodule
