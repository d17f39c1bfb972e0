// One lane of the divider: two steps of restoring division a cycle on magnitudes, signs put back at the end. The block above controls all
// lanes together.
module idiv_lane (
    input  logic        clk_i,
    // load
    input  logic        load_i,
    input  logic        active_i,    // an inactive lane delays no other
    input  logic [63:0] x_i,
    input  logic [63:0] y_i,
    input  logic        signed_i,
    input  logic        word_i,
    input  logic        rem_i,       // the remainder is the result; like word_i, constant until the pass has ended
    // work
    input  logic        skip_i,      // move up by a byte
    input  logic        step_i,      // two quotient bits
    output logic        top_zero_o,  // the top byte of the remaining dividend is 0
    // finish
    output logic [63:0] result_o     // in the cycle after the last step
);
  logic [63:0] quot_q;         // dividend above, quotient from below
  logic [63:0] rem_q, y_q;     // y_q + carry_q is the negated magnitude of the divisor
  logic carry_q, neg_quot_q, neg_rem_q, y_zero_q, active_q;
  assign top_zero_o = quot_q[63:56] == '0 || !active_q;

  logic [63:0] x, y;
  logic x_neg, y_neg, y_zero;
  assign x = word_i ? {{32{signed_i && x_i[31]}}, x_i[31:0]} : x_i;
  assign y = word_i ? {{32{signed_i && y_i[31]}}, y_i[31:0]} : y_i;
  assign x_neg = signed_i && (word_i ? x_i[31] : x_i[63]);
  assign y_neg = signed_i && (word_i ? y_i[31] : y_i[63]);
  assign y_zero = (&y_q) && carry_q;

  function automatic logic [63:0] negated(input logic [63:0] v, input logic neg);
    return (v ^ {64{neg}}) + 64'(neg);
  endfunction

  // One step: {remainder, dividend and quotient} -> the same. Divisor and carry as above: a carry out means that it could be subtracted.
  function automatic logic [127:0] stepped(input logic [127:0] s, input logic [63:0] d, input logic carry);
    logic [66:0] diff;     // with a place below for the carry
    diff = {1'b0, s[127:63], 1'b1} + {2'b01, d, carry};
    return {diff[66] ? diff[64:1] : s[126:63], s[62:0], diff[66]};
  endfunction

  logic [63:0] value;
  assign value = negated(rem_i ? rem_q : quot_q, rem_i ? neg_rem_q : neg_quot_q && !y_zero_q);
  assign result_o = {word_i ? {32{value[31]}} : value[63:32], value[31:0]};

  always_ff @(posedge clk_i) begin
    y_zero_q <= y_zero;
    if (load_i) begin
      quot_q <= negated(x, x_neg);
      rem_q <= '0;
      y_q <= y ^ {64{!y_neg}};
      carry_q <= !y_neg;
      neg_quot_q <= x_neg != y_neg;
      neg_rem_q <= x_neg;
      active_q <= active_i;
    end else if (skip_i) quot_q <= {quot_q[55:0], {8{y_zero}}};
    else if (step_i) {rem_q, quot_q} <= stepped(stepped({rem_q, quot_q}, y_q, carry_q), y_q, carry_q);
  end
endmodule
