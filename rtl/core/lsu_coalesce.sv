// The leader of a set of threads (the lowest) and the threads that share its sector, its line and its page. Combinational. Page: docs/blocks/lsu.md, "Global".
`include "vl_skip.svh"
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
    output thread_mask_t                 same_page_o,
    output logic                         one_sector_o,   // all of from_i
    output logic                         one_place_o     // all of from_i are in the same sector of their pages
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
  end

  typedef logic [PA_W-1:SECTOR_OFF_W] sector_addr_t;
  function automatic logic [2:0] same(input sector_addr_t a, input sector_addr_t b);   // page, line, sector
    logic page, line;
    page = a[PA_W-1:12] == b[PA_W-1:12];
    line = a[11:LINE_OFF_W] == b[11:LINE_OFF_W];
    return {page, page && line, a == b};
  endfunction
  localparam int unsigned PLACE_W = 12 - SECTOR_OFF_W;
  if (THREADS <= 8) begin : gen_pairs
    // All pairs are compared at once, so that no comparison waits for the leader's address: four gates fewer on the longest path.
    sector_addr_t addr[THREADS];
    for (genvar t = 0; t < THREADS; t++) assign addr[t] = sector_i[t];
    always_comb begin
      logic page, line, sector;
      {page, line, sector} = '0;
      same_page_o = leader_o;
      same_line_o = leader_o;
      same_sector_o = leader_o;
      one_sector_o = 1'b1;
      one_place_o = 1'b1;
      `VL_WHEN(from_i != '0)             // there is a leader
      for (int unsigned t = 1; t < THREADS; t++) begin
        for (int unsigned j = 0; j < t; j++) begin
          {page, line, sector} = same(addr[t], addr[j]);
          if (from_i[t] && from_i[j] && !sector) one_sector_o = 1'b0;
          if (from_i[t] && from_i[j] && PLACE_W'(addr[t]) != PLACE_W'(addr[j])) one_place_o = 1'b0;
          if (leader_o[j]) begin
            same_page_o[t] |= page;
            same_line_o[t] |= line;
            same_sector_o[t] |= sector;
          end
          if (leader_o[t]) begin
            same_page_o[j] |= page;
            same_line_o[j] |= line;
            same_sector_o[j] |= sector;
          end
        end
      end
    end
  end else begin : gen_leader
    always_comb
      for (int unsigned t = 0; t < THREADS; t++) {same_page_o[t], same_line_o[t], same_sector_o[t]} = same(sector_i[t], at);
    assign one_sector_o = (from_i & ~same_sector_o) == '0;
    always_comb begin
      one_place_o = 1'b1;
      for (int unsigned t = 0; t < THREADS; t++) if (from_i[t] && PLACE_W'(sector_i[t]) != PLACE_W'(at)) one_place_o = 1'b0;
    end
  end
endmodule
