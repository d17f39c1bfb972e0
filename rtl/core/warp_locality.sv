// Stub.
module warp_locality
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic clk_i,
    input  logic rst_i,
    input  locality_policy_t policy_i,
    input  logic start_valid_i,
    input  start_t start_i,
    input  logic warp_done_valid_i,
    input  warp_t warp_done_i,
    input  logic issue_valid_i,
    input  issued_t issue_i,
    input  logic line_valid_i,
    input  line_event_t line_i,
    input  logic [TLB_PORTS-1:0] touch_valid_i,
    input  page_touch_t [TLB_PORTS-1:0] touch_i,
    input  logic missed_valid_i,
    input  miss_t missed_i,
    input  logic page_out_valid_i,
    input  page_out_t page_out_i,
    output warp_mask_t eligible_o,
    output ev_warp_locality_t ev_o
);
  assign eligible_o = '1;
  assign ev_o = '0;
endmodule
