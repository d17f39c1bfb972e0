// One lane of the floating-point divider: restoring recurrence, one result bit a step, two steps a cycle, division and square root alike.
//
// Everything is scaled by 2^25: bit 25 is 1.0. With R the partial remainder and Q the result so far, step i = 0..25 forms
//   T = 2R - S,   S = divisor, or for a root 2Q + 2^-i
// and if T >= 0 takes R = T and sets bit 2^-i of Q; else R = 2R. Division starts with R = dividend / 2 (the dividend doubled when it is
// less than the divisor, so that the first bit is 1), a root with R = radicand / 2, radicand in [1, 4).
// A quotient below the normal range skips its first `delay` steps: so its bits land where a subnormal has them, and no shifter is needed.
module fdiv_lane (
    input  logic        clk_i,
    // load
    input  logic        load_i,
    input  logic        sqrt_i,       // with load_i: of the operands; constant until the next
    input  logic        active_i,     // with load_i: the lane takes part
    input  logic [2:0]  rm_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    // work
    input  logic        prep_i,
    input  logic        iter_i,
    input  logic [25:0] pos_i,        // bit of the first step of this cycle
    output logic        shift_o,      // a subnormal operand is not normalised yet
    input  logic        any_shift_i,  // of any lane
    output logic        iterates_o,
    output logic [31:0] value_o,
    output logic [4:0]  flags_o
);
  `include "fp.svh"

  typedef enum logic [1:0] {VAL_ROUND, VAL_ZERO, VAL_INF, VAL_NAN} special_e;

  typedef struct packed {
    logic [26:0] rem;        // before PREP ends: significand of a
    logic [25:0] quo;
    logic [25:0] den;        // before PREP ends: significand of b
    logic [9:0]  exp;        // biased, signed
    logic [4:0]  delay;
    logic        sign;
    logic        iterates;
    special_e    special;
    logic        nv;
    logic        dz;
    logic [2:0]  rm;
    logic        sqrt;
  } state_t;

  function automatic state_t load(input logic sqrt, input logic active, input logic [2:0] rm, input logic [31:0] a, input logic [31:0] b);
    state_t s;
    fp_class_t ka, kb;
    logic [7:0] ea, eb;
    ka = fp_classify(a);
    kb = fp_classify(b);
    ea = {a[30:24], a[23] | ka.sub};
    eb = {b[30:24], b[23] | kb.sub};
    s = '0;
    s.rem = {3'd0, !ka.sub, a[22:0]};
    s.den = {2'd0, !kb.sub, b[22:0]};
    s.exp = sqrt ? 10'(ea) : 10'(ea) - 10'(eb) + 10'd127;
    s.sign = a[31] ^ (b[31] && !sqrt);
    s.rm = rm;
    s.sqrt = sqrt;
    if (sqrt) begin
      if (ka.nan || (a[31] && !ka.zero)) s.special = VAL_NAN;
      else if (ka.zero) s.special = VAL_ZERO;
      else if (ka.inf) s.special = VAL_INF;
      s.nv = ka.snan || (a[31] && !ka.nan && !ka.zero);
    end else begin
      if (ka.nan || kb.nan || (ka.inf && kb.inf) || (ka.zero && kb.zero)) s.special = VAL_NAN;
      else if (ka.inf || kb.zero) s.special = VAL_INF;
      else if (ka.zero || kb.inf) s.special = VAL_ZERO;
      s.nv = ka.snan || kb.snan || (ka.inf && kb.inf) || (ka.zero && kb.zero);
      s.dz = kb.zero && !ka.nan && !ka.inf && !ka.zero;
    end
    s.iterates = active && s.special == VAL_ROUND;
    return s;
  endfunction

  function automatic logic unnormal(input state_t s);
    return s.iterates && (!s.rem[23] || (!s.sqrt && !s.den[23]));
  endfunction

  // One place to the left for what needs it.
  function automatic state_t shift(input state_t s);
    state_t r;
    r = s;
    if (!s.rem[23]) begin
      r.rem = s.rem << 1;
      r.exp = s.exp - 10'd1;
    end
    if (!s.sqrt && !s.den[23]) begin
      r.den = s.den << 1;
      if (s.rem[23]) r.exp = s.exp + 10'd1;
      else r.exp = s.exp;
    end
    return r;
  endfunction

  // Both operands are normalised: exponent of the result, first remainder, delay.
  function automatic state_t prepare(input state_t s);
    state_t r;
    logic twice;
    logic [9:0] exp, under;
    r = s;
    twice = s.sqrt ? !s.exp[0] : s.rem[23:0] < s.den[23:0];
    exp = s.sqrt ? (s.exp + 10'd127) >> 1 : s.exp - 10'(twice);
    under = 10'd1 - exp;
    r.rem = twice ? s.rem << 2 : s.rem << 1;
    r.den = s.den << 2;
    r.delay = (s.sqrt || under[9]) ? 5'd0 : (under[8:5] != '0) ? 5'd31 : under[4:0];
    r.exp = (!s.sqrt && !under[9]) ? 10'd1 : exp;
    return r;
  endfunction

  function automatic state_t step(input state_t s, input logic run, input logic [25:0] pos);
    state_t r;
    logic [27:0] twice, sub;
    logic [28:0] t;
    r = s;
    twice = {s.rem, 1'b0};
    sub = s.sqrt ? {1'b0, s.quo, 1'b0} | {2'd0, pos} : {2'd0, s.den};
    t = {1'b0, twice} - {1'b0, sub};
    if (run) begin
      r.rem = t[28] ? twice[26:0] : t[26:0];
      if (!t[28]) r.quo = s.quo | pos;
    end
    return r;
  endfunction

  function automatic state_t two_steps(input state_t s, input logic [25:0] pos);
    state_t r;
    r = step(s, s.delay == 5'd0, pos);
    r = step(r, s.delay <= 5'd1, pos >> 1);
    r.delay = (s.delay <= 5'd1) ? 5'd0 : s.delay - 5'd2;
    return r;
  endfunction

  state_t s_q;
  always_ff @(posedge clk_i) begin
    if (load_i) s_q <= load(sqrt_i, active_i, rm_i, a_i, b_i);
    else if (prep_i && any_shift_i) begin
      if (shift_o) s_q <= shift(s_q);
    end else if (prep_i) s_q <= prepare(s_q);
    else if (iter_i) s_q <= two_steps(s_q, pos_i);
  end
  assign shift_o = unnormal(s_q);
  assign iterates_o = s_q.iterates;

  fp_rounded_t rounded;
  always_comb begin
    rounded = fp_round(s_q.sign, s_q.exp, s_q.quo[25:2], s_q.quo[1], s_q.quo[0], s_q.rem != '0, s_q.rm);
    if (s_q.special != VAL_ROUND) rounded.flags = '0;
    unique case (s_q.special)
      VAL_ZERO: rounded.value = {s_q.sign, 31'd0};
      VAL_INF:  rounded.value = {s_q.sign, 8'hff, 23'd0};
      VAL_NAN:  rounded.value = FP_NAN;
      default:  ;
    endcase
    rounded.flags.nv = s_q.nv;
    rounded.flags.dz = s_q.dz;
  end
  assign value_o = rounded.value;
  assign flags_o = rounded.flags;
endmodule
