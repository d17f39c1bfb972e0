// A bank of counters in little area. Registers hold only the low bits of a counter; block RAM holds its value at the last visit of a scan, which visits one
// counter a cycle. The scan comes again before the low bits can wrap, so the events since are the difference of the low bits.
// A new selection (rd_valid_i, rd_idx_i) takes the scan's turn: its counter is added up in the same way, and from then on this one value follows the counter's increments.
// rd_data_o is the value that counter rd_idx_i had before the last edge, 0 beyond the list and without rd_valid_i. The selection changes at most in every fourth cycle.
`include "vl_assert.svh"
`include "vl_skip.svh"
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
    input  logic                           rd_valid_i,
    input  logic [7:0]                     rd_idx_i,
    output logic [VALUE_W-1:0]             rd_data_o
);
  // A scan takes COUNTERS turns; reads use up to every fourth turn; and some cycles pass until a value is written.
  localparam int unsigned SCAN_CYCLES = 4 * COUNTERS / 3 + 8;
  localparam int unsigned IDX_W = $clog2(COUNTERS);
  localparam int unsigned LOW_W = $clog2(((1 << INC_W) - 1) * SCAN_CYCLES + 1);
  localparam int unsigned WORDS = 1 << IDX_W;
  typedef logic [IDX_W-1:0] idx_t;
  typedef logic [LOW_W-1:0] low_t;
  typedef logic [VALUE_W-1:0] value_t;
  typedef logic [INC_W-1:0] inc_t;

  // ---- low bits: wide enough for all increments in the time of a scan
  low_t low[WORDS], mask[WORDS];
  logic [(COUNTERS-1)/8:0] moves;       // one of eight counters counts
  for (genvar g = 0; g <= (int'(COUNTERS) - 1) / 8; g++) begin : gen_eight
    localparam int unsigned SOME = (8 * g + 8 <= int'(COUNTERS)) ? 8 : COUNTERS - 8 * g;
    assign moves[g] = inc_i[8*g+:SOME] != '0;
  end
  for (genvar k = 0; k < int'(WORDS); k++) begin : gen_low
    if (k < int'(COUNTERS)) begin : gen_counter
      localparam int unsigned W = $clog2(((1 << 32'(INCREMENT_W[k])) - 1) * SCAN_CYCLES + 1);
      logic [W-1:0] low_q;
      always_ff @(posedge clk_i) `VL_WHEN(rst_i || clear_i || moves[k/8]) low_q <= (rst_i || clear_i) ? '0 : low_q + W'(inc_i[k]);
      assign low[k] = low_t'(low_q);
      assign mask[k] = low_t'({W{1'b1}});
    end else begin : gen_none
      assign low[k] = '0;
      assign mask[k] = '0;
    end
  end

  // ---- a turn: of the scan, or of a new selection
  idx_t scan_q, wanted, idx, at_q;
  logic [7:0] rd_idx_q;
  logic rd_valid_q, there, steal, at_valid_q, full_q, known_q, fresh_q, written_q;
  low_t low_q, low_d, mask_q, since;
  value_t stored, base, value, written_value_q;
  assign there = rd_valid_i && 32'(rd_idx_i) < COUNTERS;
  assign steal = rd_valid_i != rd_valid_q || (rd_valid_i && rd_idx_i != rd_idx_q);
  assign wanted = there ? idx_t'(rd_idx_i) : '0;
  assign idx = steal ? wanted : scan_q;
  inc_t inc_d;
`ifdef SYNTHESIS
  low_t [WORDS-1:0] lows;
  inc_t [WORDS-1:0] incs;
  for (genvar k = 0; k < int'(WORDS); k++) begin : gen_word
    assign lows[k] = low[k];
    if (k < int'(COUNTERS)) assign incs[k] = inc_i[k];
    else assign incs[k] = '0;
  end
  mux #(.N(WORDS), .WIDTH(LOW_W)) u_low (.data_i(lows), .sel_i(idx), .data_o(low_d));
  mux #(.N(WORDS), .WIDTH(INC_W)) u_inc (.data_i(incs), .sel_i(wanted), .data_o(inc_d));
`else
  // For the simulator: select without concatenating hundreds of counters.
  assign low_d = low[idx];
  assign inc_d = inc_i[wanted];
`endif
  ram_1r1w #(.DEPTH(COUNTERS), .WIDTH(VALUE_W)) u_value (
      .clk_i, .we_i(at_valid_q), .waddr_i(at_q), .wdata_i(value), .re_i(1'b1), .raddr_i(idx), .rdata_o(stored)
  );
  assign base = !known_q ? '0 : written_q ? written_value_q : stored;
  assign since = (low_q - base[LOW_W-1:0]) & mask_q;
  assign value = base + value_t'(since);

  // at_q is the counter that the scan has read last. A value written at the edge of its own read is forwarded (written_value_q).
  always_ff @(posedge clk_i) begin
    low_q <= low_d;
    written_value_q <= value;
    written_q <= at_valid_q && at_q == idx;
    mask_q <= (steal && !there) ? '0 : mask[idx];
    known_q <= (full_q || idx < at_q) && !(steal && !there);      // written since the last clear
    if (rst_i || clear_i) begin
      scan_q <= '0;
      at_q <= '0;
      at_valid_q <= 1'b0;
      full_q <= 1'b0;
    end else begin
      if (!steal) scan_q <= (scan_q == idx_t'(COUNTERS - 1)) ? '0 : scan_q + 1'b1;
      if (!steal) at_q <= scan_q;
      at_valid_q <= !steal;
      if (at_valid_q && at_q == idx_t'(COUNTERS - 1)) full_q <= 1'b1;
    end
  end

  // ---- the counter that is read: fresh_q after its turn; increments are added two edges later
  inc_t inc_q, inc2_q;
  value_t last_q;
  logic clear_q;
  assign rd_data_o = fresh_q ? value : last_q + value_t'(inc2_q);
  always_ff @(posedge clk_i) begin
    rd_valid_q <= !rst_i && rd_valid_i;
    rd_idx_q <= rd_idx_i;
    if (rst_i) begin
      fresh_q <= 1'b0;
      clear_q <= 1'b1;
      inc_q <= '0;
      inc2_q <= '0;
      last_q <= '0;
    end else begin
      fresh_q <= steal;
      clear_q <= clear_i;
      inc_q <= (clear_i || !there) ? '0 : inc_d;
      inc2_q <= inc_q;
      last_q <= clear_q ? '0 : rd_data_o;
    end
  end
  logic [2:0] stolen_q;         // turns that reads took in the last three cycles
  always_ff @(posedge clk_i) stolen_q <= rst_i ? '0 : {stolen_q[1:0], steal};
  `VL_ASSERT(index_rests, !steal || stolen_q == '0)
endmodule
