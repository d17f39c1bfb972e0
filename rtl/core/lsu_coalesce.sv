// The leader of a set of threads (the lowest) and who shares its sector, its line and its page. Combinational. Page: docs/blocks/lsu.md, "Global".
module lsu_coalesce
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  thread_mask_t                 from_i,     // the leader is the lowest of these
    input  logic [THREADS-1:0][PA_W-1:SECTOR_OFF_W] sector_i,  // addresses
    output thread_mask_t                 leader_o,   // one-hot, or 0
    output line_addr_t                   line_o,     // of the leader
    output sector_t                      sector_o,
    output thread_mask_t                 same_sector_o,  // any thread, active or not
    output thread_mask_t                 same_line_o,
    output thread_mask_t                 same_page_o
);
  logic [PA_W-1:SECTOR_OFF_W] at;
  assign leader_o = from_i & (~from_i + 1'b1);
  assign line_o = at[PA_W-1:LINE_OFF_W];
  if (SECTORS > 1) begin : gen_sector
    assign sector_o = at[LINE_OFF_W-1:SECTOR_OFF_W];
  end else begin : gen_line
    assign sector_o = '0;
  end
  always_comb begin
    at = '0;
    for (int unsigned t = 0; t < THREADS; t++) if (leader_o[t]) at |= sector_i[t];
    for (int unsigned t = 0; t < THREADS; t++) begin
      same_page_o[t] = sector_i[t][PA_W-1:12] == at[PA_W-1:12];
      same_line_o[t] = same_page_o[t] && sector_i[t][11:LINE_OFF_W] == at[11:LINE_OFF_W];
      same_sector_o[t] = same_line_o[t];
      for (int b = int'(SECTOR_OFF_W); b < int'(LINE_OFF_W); b++) if (sector_i[t][b] != at[b]) same_sector_o[t] = 1'b0;
    end
  end
endmodule
