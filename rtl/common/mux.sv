// One of N words, N a power of two. Four words take two four-input LUTs a bit instead of three: with sel[1] clear the first LUT chooses between words 0
// and 1, and the second passes its output on; with sel[1] set the first LUT outputs sel[0], with which the second chooses between words 2 and 3.
module mux #(
    parameter int unsigned N = 2,
    parameter int unsigned WIDTH = 1,
    localparam int unsigned SEL_W = (N <= 1) ? 1 : $clog2(N)
) (
    input  logic [N-1:0][WIDTH-1:0] data_i,
    input  logic [SEL_W-1:0]        sel_i,
    output logic [WIDTH-1:0]        data_o
);
  typedef logic [WIDTH-1:0] word_t;

  function automatic word_t one_of_two(input word_t a, input word_t b, input logic sel);
    return sel ? b : a;
  endfunction

  if (N == 1) begin : gen_one
    assign data_o = data_i[0];
  end else if (N == 2) begin : gen_two
    assign data_o = one_of_two(data_i[0], data_i[1], sel_i[0]);
  end else if (N == 4) begin : gen_four
    word_t first;
    assign first = sel_i[1] ? {WIDTH{sel_i[0]}} : one_of_two(data_i[0], data_i[1], sel_i[0]);
    assign data_o = sel_i[1] ? (first & data_i[3]) | (~first & data_i[2]) : first;
  end else begin : gen_more
    localparam int unsigned M = N / 4;
    logic [M-1:0][WIDTH-1:0] quarter;
    for (genvar k = 0; k < int'(M); k++) begin : gen_quarter
      mux #(.N(4), .WIDTH(WIDTH)) u_mux (.data_i(data_i[4*k+:4]), .sel_i(sel_i[1:0]), .data_o(quarter[k]));
    end
    mux #(.N(M), .WIDTH(WIDTH)) u_last (.data_i(quarter), .sel_i(sel_i[SEL_W-1:2]), .data_o);
  end
endmodule
