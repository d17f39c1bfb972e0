// Puts the data of the lanes of one beat at their places in a line. The data of a lane stand at their place in a doubleword already; of lanes
// that write the same byte the highest wins. Combinational. Page: docs/blocks/lsu.md, "Stores and atomics into lines".
module lsu_scatter
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  lane_mask_t              take_i,
    input  logic [LANES-1:0][3:0]   dword_i,   // doubleword of the line
    input  logic [LANES-1:0][7:0]   be_i,      // bytes in it
    input  lane_data_t              data_i,
    output line_be_t                be_o,
    output line_data_t              data_o     // 0 where be_o is 0
);
  // Lanes lose the bytes that a higher lane writes: then every byte has one source, and the line is an OR.
  logic [LANES-1:0][7:0] be;
  lane_data_t data;
  always_comb
    for (int unsigned l = 0; l < LANES; l++) begin
      be[l] = take_i[l] ? be_i[l] : '0;
      for (int unsigned h = l + 1; h < LANES; h++) if (take_i[h] && dword_i[h] == dword_i[l]) be[l] &= ~be_i[h];
      for (int unsigned b = 0; b < 8; b++) data[l][b*8+:8] = be[l][b] ? data_i[l][b*8+:8] : '0;
    end

  for (genvar d = 0; d < 16; d++) begin : gen_dword
    always_comb begin
      be_o[d*8+:8] = '0;
      data_o[d*64+:64] = '0;
      for (int unsigned l = 0; l < LANES; l++)
        if (dword_i[l] == 4'(d)) begin
          be_o[d*8+:8] |= be[l];
          data_o[d*64+:64] |= data[l];
        end
    end
  end
endmodule
