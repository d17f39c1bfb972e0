// Performance counters of a core: one 48-bit counter for each row of rtl/common/counters.toml.
// Page: docs/blocks/perf.md (steps 1-3). Latency of a read: one cycle.
// In registers are only the low bits of a counter, in block RAM its value when a scan last came by. The scan comes again before the low bits
// have gone once around, so what was counted since is their difference.
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
  localparam int unsigned IDX_W = $clog2(COUNTERS + 2);   // a scan takes COUNTERS cycles, two more until its value is written
  localparam int unsigned LOW_W = 7 + IDX_W;
  typedef logic [IDX_W-1:0] idx_t;
  typedef logic [LOW_W-1:0] low_t;
  typedef logic [COUNTER_W-1:0] value_t;

  // ---- low bits: as many more than an increment has as a scan needs
  logic [COUNTERS-1:0][6:0] inc;
  low_t [COUNTERS-1:0] low, mask;
  assign inc = ev_increments(ev_i);
  for (genvar k = 0; k < COUNTERS; k++) begin : gen_low
    localparam int unsigned W = INCREMENT_W[k] + IDX_W;
    logic [W-1:0] low_q;
    always_ff @(posedge clk_i) low_q <= (rst_i || clear_i) ? '0 : low_q + W'(inc[k]);
    assign low[k] = low_t'(low_q);
    assign mask[k] = low_t'({W{1'b1}});
  end

  function automatic value_t value_of(input logic known, input value_t stored, input low_t now, input low_t valid);
    value_t base;
    base = known ? stored : '0;
    return base + value_t'((now - base[LOW_W-1:0]) & valid);
  endfunction

  // ---- the scan: a counter a cycle is read, and written a cycle later
  idx_t scan_q, at_q;
  logic at_valid_q, at_known_q;
  low_t at_low_q, at_mask_q;
  logic [COUNTERS-1:0] known_q;       // written since the last clear
  value_t at_stored, at_value;
  assign at_value = value_of(at_known_q, at_stored, at_low_q, at_mask_q);
  ram_1r1w #(.DEPTH(COUNTERS), .WIDTH(COUNTER_W)) u_scan (
      .clk_i, .we_i(at_valid_q), .waddr_i(at_q), .wdata_i(at_value), .re_i(1'b1), .raddr_i(scan_q), .rdata_o(at_stored)
  );
  always_ff @(posedge clk_i) begin
    at_q <= scan_q;
    at_known_q <= known_q[scan_q];
    at_low_q <= low[scan_q];
    at_mask_q <= mask[scan_q];
    if (rst_i) begin
      scan_q <= '0;
      at_valid_q <= 1'b0;
      known_q <= '0;
    end else begin
      scan_q <= (scan_q == idx_t'(COUNTERS - 1)) ? '0 : scan_q + 1'b1;
      at_valid_q <= !clear_i;
      if (at_valid_q) known_q[at_q] <= 1'b1;
      if (clear_i) known_q <= '0;
    end
  end

  // ---- step 2: a read. What is written at the same edge is taken from there.
  logic there, rd_known_q, rd_written_q;
  idx_t rd_idx;
  low_t rd_low_q, rd_mask_q;
  value_t rd_stored, rd_written_value_q;
  assign there = 32'(rd_idx_i) < COUNTERS;
  assign rd_idx = there ? idx_t'(rd_idx_i) : '0;
  ram_1r1w #(.DEPTH(COUNTERS), .WIDTH(COUNTER_W)) u_read (
      .clk_i, .we_i(at_valid_q), .waddr_i(at_q), .wdata_i(at_value), .re_i(1'b1), .raddr_i(rd_idx), .rdata_o(rd_stored)
  );
  always_ff @(posedge clk_i) begin
    rd_written_value_q <= at_value;
    rd_mask_q <= mask[rd_idx];
    if (rst_i) begin
      rd_known_q <= 1'b0;
      rd_written_q <= 1'b0;
      rd_low_q <= '0;
    end else begin
      rd_written_q <= at_valid_q && at_q == rd_idx;
      rd_known_q <= there && (known_q[rd_idx] || (at_valid_q && at_q == rd_idx));
      rd_low_q <= there ? low[rd_idx] : '0;
    end
  end
  assign rd_data_o = value_of(rd_known_q, rd_written_q ? rd_written_value_q : rd_stored, rd_low_q, rd_mask_q);
endmodule
