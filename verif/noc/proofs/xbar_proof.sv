// The crossbar keeps net_promises, for words of three bits and at most two destinations.
module xbar_proof #(
    parameter int unsigned SOURCES = 3,
    parameter int unsigned DESTS = 2,
    localparam int unsigned SRC_W = (SOURCES <= 1) ? 1 : $clog2(SOURCES),
    localparam int unsigned WORD = 3
) (
    input logic                         clk_i,
    input logic [SOURCES-1:0]           valid_i,
    input logic [SOURCES-1:0]           dest_i,
    input logic [SOURCES-1:0][WORD-1:0] data_i,
    input logic [DESTS-1:0]             ready_i,
    input logic [SRC_W-1:0]             pick_i
);
  logic started_q = 1'b0;
  logic rst;
  logic [SOURCES-1:0] ready;
  logic [DESTS-1:0] valid;
  logic [DESTS-1:0][SRC_W-1:0] src;
  logic [DESTS-1:0][WORD-1:0] data;
  logic [SOURCES-1:0] dest;
  assign rst = !started_q;
  assign dest = (DESTS == 1) ? '0 : dest_i;
  xbar #(.T(logic [WORD-1:0]), .SOURCES(SOURCES), .DESTS(DESTS)) dut (
      .clk_i, .rst_i(rst), .valid_i, .dest_i(dest), .data_i, .ready_o(ready), .valid_o(valid), .src_o(src), .data_o(data), .ready_i, .idle_o()
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;
  net_promises #(.SOURCES(SOURCES), .DESTS(DESTS), .WORD(WORD)) u_promises (
      .clk_i, .rst, .valid_i, .dest_i(dest), .data_i, .ready, .valid, .src, .data, .ready_i, .pick_i
  );
endmodule
