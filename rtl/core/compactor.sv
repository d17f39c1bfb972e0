// The stack of a group, and the warps that are formed of its threads. Page: docs/blocks/compactor.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module compactor
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    input  compact_e      policy_i,
    // launch
    input  logic          start_valid_i,
    input  start_t        start_i,
    // simt
    input  logic          meet_valid_i,
    input  meet_t         meet_i,
    output logic          go_valid_o,
    output go_t           go_o,
    input  logic          go_ready_i,
    output warp_mask_t    grouped_o,
    output warp_mask_t    nested_o,
    // barrier
    input  logic          release_valid_i,
    input  warp_mask_t    release_i,
    // what is in flight: issue, regfile, lsu
    input  logic          issue_valid_i,
    input  issued_t       issue_i,
    input  logic          wb_valid_i,
    input  wb_t           wb_i,
    input  warp_mask_t    rows_i,
    // regfile, fpu, fdiv, lsu
    output homes_t        homes_o,
    // trace
    output logic          formed_valid_o,
    output formed_t       formed_o,
    // counters
    output ev_compactor_t ev_o
);
  assign go_valid_o = 1'b0;
  assign go_o = '0;
  assign grouped_o = '0;
  assign nested_o = '0;
  assign homes_o = '0;
  assign formed_valid_o = 1'b0;
  assign formed_o = '0;
  assign ev_o = '0;
endmodule
