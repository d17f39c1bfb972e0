// A bank of counters in little area. In registers are only the low bits of a counter, in block RAM its value when a scan of one counter a cycle
// last came by. The scan comes again before the low bits have gone once around, so what was counted since is their difference.
// A read adds it up like the scan: rd_data_o is the value that counter rd_idx_i had before the last edge, 0 beyond the list.
module counter_bank #(
    parameter int unsigned COUNTERS = 2,
    parameter int unsigned INC_W = 1,                                        // of the widest increment
    parameter logic [COUNTERS-1:0][3:0] INCREMENT_W = {COUNTERS{4'd1}},      // of each
    parameter int unsigned VALUE_W = 48
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    input  logic [COUNTERS-1:0][INC_W-1:0] inc_i,
    input  logic                           clear_i,    // wins over counting
    input  logic [7:0]                     rd_idx_i,
    output logic [VALUE_W-1:0]             rd_data_o
);
  localparam int unsigned IDX_W = $clog2(COUNTERS + 2);   // a scan takes COUNTERS cycles, two more until its value is written
  localparam int unsigned LOW_W = INC_W + IDX_W;
  typedef logic [IDX_W-1:0] idx_t;
  typedef logic [LOW_W-1:0] low_t;
  typedef logic [VALUE_W-1:0] value_t;

  // ---- low bits: as many more than an increment has as a scan needs
  low_t [COUNTERS-1:0] low, mask;
  for (genvar k = 0; k < int'(COUNTERS); k++) begin : gen_low
    localparam int unsigned W = 32'(INCREMENT_W[k]) + IDX_W;
    logic [W-1:0] low_q;
    always_ff @(posedge clk_i) low_q <= (rst_i || clear_i) ? '0 : low_q + W'(inc_i[k]);
    assign low[k] = low_t'(low_q);
    assign mask[k] = low_t'({W{1'b1}});
  end

  function automatic value_t value_of(input logic known, input value_t stored, input low_t now, input low_t valid);
    value_t base;
    low_t since;
    base = known ? stored : '0;
    since = (now - base[LOW_W-1:0]) & valid;
    return base + value_t'(since);
  endfunction

  // ---- the scan: a counter a cycle is read, and written a cycle later
  idx_t scan_q, at_q;
  logic at_valid_q, at_known_q;
  low_t at_low_q, at_mask_q;
  logic [COUNTERS-1:0] known_q;       // written since the last clear
  value_t at_stored, at_value;
  assign at_value = value_of(at_known_q, at_stored, at_low_q, at_mask_q);
  ram_1r1w #(.DEPTH(COUNTERS), .WIDTH(VALUE_W)) u_scan (
      .clk_i, .we_i(at_valid_q), .waddr_i(at_q), .wdata_i(at_value), .re_i(1'b1), .raddr_i(scan_q), .rdata_o(at_stored)
  );
  always_ff @(posedge clk_i) begin
    at_q <= scan_q;
    at_known_q <= known_q[scan_q];
    at_low_q <= low[scan_q];
    at_mask_q <= mask[scan_q];
    at_valid_q <= !clear_i;
    if (rst_i) begin
      scan_q <= '0;
      known_q <= '0;
    end else begin
      scan_q <= (scan_q == idx_t'(COUNTERS - 1)) ? '0 : scan_q + 1'b1;
      if (at_valid_q) known_q[at_q] <= 1'b1;
      if (clear_i) known_q <= '0;
    end
  end

  // ---- a read. What is written at the same edge is taken from there. (Right after a clear nothing is written, but nothing is known either; and
  // a counter's first value, being its low bits, is the same known or not.)
  logic there, rd_known_q, rd_written_q;
  idx_t rd_idx;
  low_t rd_low_q, rd_mask_q;
  value_t rd_stored, rd_written_value_q;
  assign there = 32'(rd_idx_i) < COUNTERS;
  assign rd_idx = there ? idx_t'(rd_idx_i) : '0;
  ram_1r1w #(.DEPTH(COUNTERS), .WIDTH(VALUE_W)) u_read (
      .clk_i, .we_i(at_valid_q), .waddr_i(at_q), .wdata_i(at_value), .re_i(1'b1), .raddr_i(rd_idx), .rdata_o(rd_stored)
  );
  always_ff @(posedge clk_i) begin
    rd_written_value_q <= at_value;
    rd_written_q <= at_q == rd_idx;
    rd_mask_q <= mask[rd_idx];
    rd_known_q <= there && known_q[rd_idx];
    rd_low_q <= there ? low[rd_idx] : '0;
  end
  assign rd_data_o = value_of(rd_known_q, rd_written_q ? rd_written_value_q : rd_stored, rd_low_q, rd_mask_q);
endmodule
