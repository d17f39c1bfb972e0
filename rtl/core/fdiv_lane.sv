// One lane of the floating-point divider: restoring recurrence, one result bit a step, two steps a cycle, division and square root alike.
//
// Everything is scaled by 2^25: bit 25 is 1.0. With R the partial remainder and Q the result so far, step i = 0..25 forms
//   T = 2R - S,   S = divisor, or for a root 2Q + 2^-i
// and if T >= 0 takes R = T and sets bit 2^-i of Q; else R = 2R. Division starts with R = dividend / 2 (the dividend doubled when it is
// less than the divisor, so that the first bit is 1), a root with R = radicand / 2, radicand in [1, 4).
// A quotient below the normal range begins some steps later: so its bits land where a subnormal has them, and no shifter is needed. It waits for half as
// many cycles; if a step is left over, R starts at half its value, which makes one step more that gives a 0.
`include "vl_skip.svh"
module fdiv_lane (
    input  logic        clk_i,
    // load
    input  logic        load_i,
    input  logic        sqrt_i,       // constant while the lane is at work
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
    logic [23:0] den;        // significand of b
    logic [9:0]  exp;        // biased, signed; of the result: less 1
    logic [3:0]  wait_for;   // cycles without steps
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
    s.den = {!kb.sub, b[22:0]};
    s.exp = sqrt ? 10'(ea) : 10'(ea) - 10'(eb) + 10'd126;
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

  // A shift by one for operands that still need it: here the divisor.
  function automatic state_t shift(input state_t s, input logic rem_too);
    state_t r;
    logic den_too;
    den_too = !s.sqrt && !s.den[23];
    r = s;
    if (den_too) r.den = s.den << 1;
    if (rem_too && !den_too) r.exp = s.exp - 10'd1;
    if (!rem_too && den_too) r.exp = s.exp + 10'd1;
    return r;
  endfunction

  // Both operands are normalised: exponent of the result, how many steps it begins late.
  function automatic state_t prepare(input state_t s, input logic twice, output logic odd);
    state_t r;
    logic [9:0] exp, under;
    r = s;
    exp = s.sqrt ? (s.exp + 10'd125) >> 1 : s.exp - 10'(twice);
    under = -exp;
    odd = !s.sqrt && !under[9] && under[0];
    r.wait_for = (s.sqrt || under[9]) ? 4'd0 : (under[8:5] != '0) ? 4'd15 : under[4:1];
    r.exp = (!s.sqrt && !under[9]) ? 10'd0 : exp;
    return r;
  endfunction

  // One step; `ok` becomes the bit of the result.
  function automatic logic [26:0] step(input logic [26:0] rem, input logic [26:0] sub, output logic ok);
    logic [28:0] t;
    t = {1'b0, rem, 1'b0} - {2'd0, sub};
    ok = !t[28];
    return t[28] ? {rem[25:0], 1'b0} : t[26:0];
  endfunction

  state_t s_q, prepared;
  logic [26:0] rem_q;            // before PREP ends: significand of a
  logic [25:0] quo_q, below;     // below: bit of the second step
  logic [26:0] rem1, rem2, start;
  logic ok1, ok2, go, twice, odd;
  assign below = pos_i >> 1;
  assign go = iter_i && s_q.wait_for == '0;
  assign twice = s_q.sqrt ? !s_q.exp[0] : rem_q[23:0] < s_q.den;
  // The operand of the second step's subtraction is chosen by `sqrt_i`, which equals s_q.sqrt: two sources keep both wires short.
  always_comb begin
    rem1 = step(rem_q, s_q.sqrt ? {quo_q, 1'b0} | {1'b0, pos_i} : {1'b0, s_q.den, 2'd0}, ok1);
    rem2 = step(rem1, sqrt_i ? {quo_q | (pos_i & {26{ok1}}), 1'b0} | {1'b0, below} : {1'b0, s_q.den, 2'd0}, ok2);
    prepared = prepare(s_q, twice, odd);
    start = {3'd0, a_i[30:23] != '0, a_i[22:0]};
  end

  // The remainder: 0 loaded, 1 and 2 moved by so much, 3 two steps done; or as it is.
  typedef enum logic [1:0] {REM_LOAD, REM_BY_1, REM_BY_2, REM_STEP} rem_e;
  rem_e rem_sel;
  logic rem_we, unnormal_rem;
  logic [26:0] rem;
  assign unnormal_rem = !rem_q[23];
  always_comb begin
    rem_we = load_i || go || (prep_i && (any_shift_i ? shift_o && unnormal_rem : twice || !odd));
    rem_sel = load_i ? REM_LOAD : iter_i ? REM_STEP : (!any_shift_i && twice && !odd) ? REM_BY_2 : REM_BY_1;
  end
  mux #(.N(4), .WIDTH(27)) u_rem (.data_i({rem2, {rem_q[24:0], 2'd0}, {rem_q[25:0], 1'b0}, start}), .sel_i(rem_sel), .data_o(rem));

  always_ff @(posedge clk_i) begin
    if (rem_we) rem_q <= rem;
    `VL_WHEN(load_i || go) for (int unsigned i = 0; i < 26; i++) begin
      if (load_i) quo_q[i] <= 1'b0;
      else if (go && pos_i[i]) quo_q[i] <= ok1;
      else if (go && below[i]) quo_q[i] <= ok2;
    end
    if (load_i) s_q <= load(sqrt_i, active_i, rm_i, a_i, b_i);
    else if (prep_i && any_shift_i) begin
      if (shift_o) s_q <= shift(s_q, unnormal_rem);
    end else if (prep_i) s_q <= prepared;
    else if (iter_i && s_q.wait_for != '0) s_q.wait_for <= s_q.wait_for - 4'd1;
  end
  assign shift_o = s_q.iterates && (unnormal_rem || (!s_q.sqrt && !s_q.den[23]));
  assign iterates_o = s_q.iterates;

  fp_rounded_t rounded;
  always_comb begin
    rounded = fp_round(s_q.sign, s_q.exp[8:0], quo_q[25:2], quo_q[1], quo_q[0], rem_q != '0, s_q.rm);
    if (rounded.too_large) rounded.value = fp_largest(s_q.sign, rounded.away);
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
