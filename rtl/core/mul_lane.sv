// One lane of the multiplier: 64 x 64 bits, three stages. Both factors become 65-bit signed numbers in four pieces, 17 bits each, the top
// one signed: sixteen products of the size of an FPGA multiplier. Products (i, j) with the same i - j do not overlap: they stand side by side in one of seven vectors.
`include "vl_skip.svh"
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
  localparam int unsigned D = 2 * P;
  logic [64:0] a_q, b_q;

  // Piece k of a 65-bit number, as an 18-bit signed one.
  function automatic logic signed [17:0] piece(input logic [64:0] x, input int unsigned k);
    logic [67:0] y;
    y = {{3{x[64]}}, x};
    return {(k == 3) & y[67], y[P*k+:P]};
  endfunction

  // Product of piece i of a and piece j of b.
  logic [3:0][3:0][35:0] p;
  always_comb begin
    p = '0;
    `VL_WHEN(en2_i)
      for (int unsigned i = 0; i < 4; i++)
        for (int unsigned j = 0; j < 4; j++) p[i][j] = piece(a_q, i) * piece(b_q, j);
  end

  // Sums of the products with indices that differ by 1, 2, 3; a vector of difference d begins at bit 17 * d. A piece of index 3 has 14 bits, so what
  // it makes at the top of a vector has 31, or 28.
  typedef logic signed [98:0] by1_t;
  typedef logic signed [64:0] by2_t;
  typedef logic signed [30:0] by3_t;
  logic signed [129:0] by0_q;
  logic signed [99:0] by1_q;
  logic signed [65:0] by2_q;
  logic signed [31:0] by3_q;

  // Bits below the next sum go past it.
  logic signed [66:0] by23;     // from bit 34
  logic signed [100:0] by123;   // from bit 17
  logic signed [127:0] product;
  always_comb begin
    by23 = '0;
    by123 = '0;
    product = '0;
    `VL_WHEN(en3_i) begin
      by23 = {50'(signed'(by2_q[65:P])) + 50'(by3_q), by2_q[P-1:0]};
      by123 = {84'(signed'(by1_q[99:P])) + 84'(by23), by1_q[P-1:0]};
      product = {by0_q[127:P] + 111'(by123), by0_q[P-1:0]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      a_q <= {a_signed_i && a_i[63], a_i};
      b_q <= {b_signed_i && b_i[63], b_i};
    end
    if (en2_i) begin
      by0_q <= {p[3][3][27:0], p[2][2][D-1:0], p[1][1][D-1:0], p[0][0][D-1:0]};
      by1_q <= 100'(by1_t'({p[2][3][30:0], p[1][2][D-1:0], p[0][1][D-1:0]})) + 100'(by1_t'({p[3][2][30:0], p[2][1][D-1:0], p[1][0][D-1:0]}));
      by2_q <= 66'(by2_t'({p[1][3][30:0], p[0][2][D-1:0]})) + 66'(by2_t'({p[3][1][30:0], p[2][0][D-1:0]}));
      by3_q <= 32'(by3_t'(p[0][3][30:0])) + 32'(by3_t'(p[3][0][30:0]));
    end
    if (en3_i) result_o <= pick(product, high_i, word_i);
  end

  function automatic logic [63:0] pick(input logic [127:0] s, input logic high, input logic word);
    return high ? s[127:64] : {word ? {32{s[31]}} : s[63:32], s[31:0]};
  endfunction
endmodule
