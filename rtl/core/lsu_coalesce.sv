// The leader of a set of threads (the lowest) and who shares its line and its page. Combinational. Page: docs/blocks/lsu.md, "Global".
module lsu_coalesce
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  thread_mask_t                 from_i,     // the leader is the lowest of these
    input  line_addr_t [THREADS-1:0]     line_i,
    output thread_mask_t                 leader_o,   // one-hot, or 0
    output line_addr_t                   line_o,     // of the leader
    output thread_mask_t                 same_line_o,  // any thread, active or not
    output thread_mask_t                 same_page_o
);
  assign leader_o = from_i & (~from_i + 1'b1);
  always_comb begin
    line_o = '0;
    for (int unsigned t = 0; t < THREADS; t++) if (leader_o[t]) line_o |= line_i[t];
    for (int unsigned t = 0; t < THREADS; t++) begin
      same_page_o[t] = line_i[t][LINE_ADDR_W-1:5] == line_o[LINE_ADDR_W-1:5];
      same_line_o[t] = same_page_o[t] && line_i[t][4:0] == line_o[4:0];
    end
  end
endmodule
