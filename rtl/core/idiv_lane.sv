// One lane of the divider: magnitudes, two steps of restoring division a cycle, signs put back at the end. The block above
// leads all lanes in step.
module idiv_lane (
    input  logic        clk_i,
    // load
    input  logic        load_i,
    input  logic        active_i,    // an inactive lane divides 0, so that it holds up nobody
    input  logic [63:0] x_i,
    input  logic [63:0] y_i,
    input  logic        signed_i,
    input  logic        word_i,
    // work
    input  logic        skip_i,      // move up by a byte
    input  logic        step_i,      // two quotient bits
    output logic        top_zero_o,  // the top byte of what is left of the dividend is 0
    // finish
    input  logic        fin_i,
    input  logic        rem_i,       // the remainder is wanted
    input  logic        fin_word_i,
    output logic [63:0] result_o
);
  logic [63:0] quot_q;     // dividend above, quotient from below
  logic [63:0] rem_q, y_q;
  logic neg_quot_q, neg_rem_q, y_zero_q;
  assign top_zero_o = quot_q[63:56] == '0;

  logic [63:0] x, y;
  logic x_neg, y_neg;
  assign x = word_i ? {{32{signed_i && x_i[31]}}, x_i[31:0]} : x_i;
  assign y = word_i ? {{32{signed_i && y_i[31]}}, y_i[31:0]} : y_i;
  assign x_neg = signed_i && x[63];
  assign y_neg = signed_i && y[63];

  function automatic logic [63:0] negated(input logic [63:0] v, input logic neg);
    return (v ^ {64{neg}}) + 64'(neg);
  endfunction

  // One step: {remainder, dividend and quotient} -> the same.
  function automatic logic [127:0] stepped(input logic [127:0] s, input logic [63:0] d);
    logic [64:0] top, diff;
    top = s[127:63];
    diff = top - {1'b0, d};
    return {diff[64] ? top[63:0] : diff[63:0], s[62:0], !diff[64]};
  endfunction

  function automatic logic [63:0] finished(input logic rem, input logic word, input logic [63:0] q, input logic [63:0] r,
                                           input logic neg_q, input logic neg_r, input logic all_ones);
    logic [63:0] v;
    v = negated(rem ? r : q, rem ? neg_r : neg_q) | {64{all_ones && !rem}};
    return {word ? {32{v[31]}} : v[63:32], v[31:0]};
  endfunction

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      quot_q <= negated(x, x_neg) & {64{active_i}};
      rem_q <= '0;
      y_q <= negated(y, y_neg);
      neg_quot_q <= x_neg != y_neg;
      neg_rem_q <= x_neg;
      y_zero_q <= y == '0;
    end else if (skip_i) quot_q <= quot_q << 8;
    else if (step_i) {rem_q, quot_q} <= stepped(stepped({rem_q, quot_q}, y_q), y_q);
    if (fin_i) result_o <= finished(rem_i, fin_word_i, quot_q, rem_q, neg_quot_q, neg_rem_q, y_zero_q);
  end
endmodule
