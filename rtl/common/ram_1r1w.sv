// Memory with one synchronous read port and one write port: the only way to a block RAM.
// The word is made of PARTS equal parts, each with its own write enable. rdata_o holds the word of the last edge with re_i high.
// A read of the address written at the same edge gives the old word in simulation. In block RAMs the result is undefined, so a user
// either never does it or takes the new word from a bypass of its own (no_rw_check: synthesis adds no logic for it).
module ram_1r1w #(
    parameter int unsigned DEPTH = 16,
    parameter int unsigned WIDTH = 8,
    parameter int unsigned PARTS = 1,
    localparam int unsigned ADDR_W = (DEPTH <= 1) ? 1 : $clog2(DEPTH)
) (
    input  logic              clk_i,
    input  logic [PARTS-1:0]  we_i,
    input  logic [ADDR_W-1:0] waddr_i,
    input  logic [WIDTH-1:0]  wdata_i,
    input  logic              re_i,
    input  logic [ADDR_W-1:0] raddr_i,
    output logic [WIDTH-1:0]  rdata_o
);
  localparam int unsigned PART_W = WIDTH / PARTS;
  // One memory for all parts: block RAMs are wide, and the parts become byte enables.
  (* no_rw_check *) logic [WIDTH-1:0] mem[DEPTH];
`ifdef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
    for (int unsigned p = 0; p < PARTS; p++) if (we_i[p]) mem[waddr_i][p*PART_W+:PART_W] <= wdata_i[p*PART_W+:PART_W];
  end
`else
  // The same for Verilator, which refuses a nonblocking assignment in a loop that it does not unroll: a blocking one, after the read. Nothing else reads mem.
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
    if (we_i == '1) mem[waddr_i] = wdata_i;
    else if (we_i != '0)
      for (int unsigned p = 0; p < PARTS; p++) if (we_i[p]) mem[waddr_i][p*PART_W+:PART_W] = wdata_i[p*PART_W+:PART_W];
  end
  // verilator lint_on BLKSEQ
`endif
endmodule
