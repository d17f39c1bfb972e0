// Memory that is written in rows of WORDS words and read a word at a time, synchronously: a block RAM with a write port wider than its read
// port, so no gates choose the word. A word is made of PARTS equal parts, each with its own write enable. rdata_o holds the word of the last edge with
// re_i high, and becomes 0 at an edge with clear_i. A row that is read at the edge at which it is written gives
// the old word in simulation, and anything in a block RAM: a user never does it, or does not use the word.
module ram_row #(
    parameter int unsigned ROWS = 16,
    parameter int unsigned WORDS = 4,   // a power of two
    parameter int unsigned WIDTH = 8,
    parameter int unsigned PARTS = 1,
    localparam int unsigned ROW_W = (ROWS <= 1) ? 1 : $clog2(ROWS),
    localparam int unsigned WORD_W = (WORDS <= 1) ? 1 : $clog2(WORDS)
) (
    input  logic                        clk_i,
    input  logic [WORDS-1:0][PARTS-1:0] we_i,
    input  logic [ROW_W-1:0]            wrow_i,
    input  logic [WORDS-1:0][WIDTH-1:0] wdata_i,
    input  logic                        re_i,
    input  logic                        clear_i,
    input  logic [ROW_W-1:0]            rrow_i,
    input  logic [WORD_W-1:0]           rword_i,
    output logic [WIDTH-1:0]            rdata_o
);
  localparam int unsigned PART_W = WIDTH / PARTS;
  localparam int unsigned BITS = $clog2(WORDS);
  localparam int unsigned ADDR_W = (ROWS * WORDS <= 1) ? 1 : $clog2(ROWS * WORDS);
  function automatic logic [ADDR_W-1:0] at(input logic [ROW_W-1:0] row, input int unsigned word);
    return (ADDR_W'(row) << BITS) | ADDR_W'(word);
  endfunction
`ifdef SYNTHESIS
  // Slices of a word, of which all WORDS fit the 32 bits of a block RAM's write port: left to itself, Yosys would make them wider and choose by gates.
  // A slice is part of a part of the word (its write enable), or consists of whole parts.
  localparam int unsigned FITS = (WORDS >= 32) ? 1 : 32 / WORDS;
  localparam int unsigned SLICE = (WORDS > 1 && FITS < WIDTH) ? FITS : WIDTH;
  localparam int unsigned UNIT = (PART_W < SLICE) ? PART_W : SLICE;
  for (genvar s = 0; s < WIDTH / SLICE; s++) begin : gen_slice
    (* no_rw_check, ram_style = "block" *) logic [SLICE-1:0] mem[ROWS*WORDS];
    always_ff @(posedge clk_i) begin
      if (clear_i) rdata_o[s*SLICE+:SLICE] <= '0;
      else if (re_i) rdata_o[s*SLICE+:SLICE] <= mem[at(rrow_i, 32'(rword_i))];
      for (int unsigned w = 0; w < WORDS; w++)
        for (int unsigned u = 0; u < SLICE / UNIT; u++)
          if (we_i[w][(s*SLICE+u*UNIT)/PART_W]) mem[at(wrow_i, w)][u*UNIT+:UNIT] <= wdata_i[w][s*SLICE+u*UNIT+:UNIT];
    end
  end
`else
  // Blocking, behind the read, for the reason given in ram_1r1w.
  logic [WIDTH-1:0] mem[ROWS*WORDS];
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk_i) begin
    if (clear_i) rdata_o <= '0;
    else if (re_i) rdata_o <= mem[at(rrow_i, 32'(rword_i))];
    for (int unsigned w = 0; w < WORDS; w++)
      for (int unsigned p = 0; p < PARTS; p++) if (we_i[w][p]) mem[at(wrow_i, w)][p*PART_W+:PART_W] = wdata_i[w][p*PART_W+:PART_W];
  end
  // verilator lint_on BLKSEQ
`endif
endmodule
