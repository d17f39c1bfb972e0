// Performance counters of the translation that cores share. Page: docs/blocks/perf_shared.md (steps 1, 2).
module perf_shared
  import perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  ev_shared_t           ev_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  logic [SHARED_COUNTERS-1:0][SHARED_INC_W-1:0] inc;
  assign inc = shared_increments(ev_i);
  counter_bank #(.COUNTERS(SHARED_COUNTERS), .INC_W(SHARED_INC_W), .INCREMENT_W(SHARED_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
