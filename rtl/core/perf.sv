// Performance counters of a core: one for each row of rtl/common/counters.toml that is a core's. Page: docs/blocks/perf.md (steps 1-3).
module perf
  import perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  ev_core_t             ev_i,
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  logic [COUNTERS-1:0][INC_W-1:0] inc;
  assign inc = ev_increments(ev_i);
  counter_bank #(.COUNTERS(COUNTERS), .INC_W(INC_W), .INCREMENT_W(INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
