// Performance counters of a core: one 48-bit counter for each row of rtl/common/counters.toml.
// Page: docs/blocks/perf.md (steps 1-3). Latency of a read: one cycle.
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
  logic [COUNTERS-1:0][COUNTER_W-1:0] count_q;
  logic [COUNTERS-1:0][6:0] inc;
  assign inc = ev_increments(ev_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rd_data_o <= '0;
      count_q <= '0;
    end else begin
      rd_data_o <= (32'(rd_idx_i) < COUNTERS) ? count_q[rd_idx_i[$clog2(COUNTERS)-1:0]] : '0;  // step 2
      for (int unsigned k = 0; k < COUNTERS; k++)                                             // step 3
        count_q[k] <= clear_i ? '0 : count_q[k] + COUNTER_W'(inc[k]);
    end
  end
endmodule
