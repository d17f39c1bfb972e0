// One lane of the multiplier: 64 x 64 bits, three stages. Both factors become 65-bit signed numbers in four pieces, 17 bits each, the top
// one signed: sixteen products of the size of an FPGA multiplier. Products (i, j) with the same i - j do not overlap: they stand side by side in one of seven vectors.
module mul_lane (
    input  logic        clk_i,
    input  logic        en1_i,      // stage 1 takes the factors
    input  logic [63:0] a_i,
    input  logic [63:0] b_i,
    input  logic        a_signed_i,
    input  logic        b_signed_i,
    input  logic        en2_i,
    input  logic        en3_i,
    input  logic        high_i,     // for stage 3: the high half, the low word sign-extended, else the low half
    input  logic        word_i,
    output logic [63:0] result_o
);
  localparam int unsigned P = 17;
  localparam int unsigned W = 130;
  typedef logic signed [W-1:0] sum_t;
  logic [64:0] a_q, b_q;
  sum_t even_q, odd_q;

  // Piece k of a 65-bit number, as an 18-bit signed one.
  function automatic logic signed [17:0] piece(input logic [64:0] x, input int unsigned k);
    logic [67:0] y;
    y = {{3{x[64]}}, x};
    return {(k == 3) & y[67], y[P*k+:P]};
  endfunction

  // The products (i, i + d) of a and b side by side; the top one is signed.
  function automatic sum_t diagonal(input logic [64:0] a, input logic [64:0] b, input int unsigned d);
    logic [3:0][2*P-1:0] v;
    logic sign;
    v = '0;
    sign = 1'b0;
    for (int unsigned i = 0; i + d < 4; i++) begin
      logic signed [35:0] p;
      p = piece(a, i) * piece(b, i + d);
      v[i] = p[2*P-1:0];
      sign = p[35];
    end
    for (int unsigned i = 4 - d; i < 4; i++) v[i] = {2 * P{sign}};
    return W'({v} << (P * d));
  endfunction

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      a_q <= {a_signed_i && a_i[63], a_i};
      b_q <= {b_signed_i && b_i[63], b_i};
    end
    if (en2_i) begin
      even_q <= diagonal(a_q, b_q, 0) + (diagonal(a_q, b_q, 2) + diagonal(b_q, a_q, 2));
      odd_q <= (diagonal(a_q, b_q, 1) + diagonal(b_q, a_q, 1)) + (diagonal(a_q, b_q, 3) + diagonal(b_q, a_q, 3));
    end
    if (en3_i) result_o <= pick(even_q + odd_q, high_i, word_i);
  end

  function automatic logic [63:0] pick(input sum_t s, input logic high, input logic word);
    return high ? s[127:64] : {word ? {32{s[31]}} : s[63:32], s[31:0]};
  endfunction
endmodule
