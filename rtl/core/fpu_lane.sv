// One lane of the FPU: five register stages, enabled one by one. Every operation uses the same path:
//
//   1 operands unpacked
//   2 multiply a * b, align c  frame of 76 bits: c at its top, shifted right against the product at bits 49:2; lost bits are `sticky`; what
//                              is to be subtracted, complemented
//   3 add                      two sums (carry 0 and 1), magnitude chosen; float to integer rounds here
//   4 leading zeros            normalised by multiples of 16, no further than the smallest exponent allows
//   5 normalised by 0..15, rounded, packed
//
// Additions are a * 1 + c, multiplications a * b + 0. An integer to be converted enters the frame at bits 75:12 in stage 2; a float to be
// converted is shifted until its integer part is there. Results that need no arithmetic enter there too and leave unchanged.
//
// Why 76 bits: c above the product needs two bits between them (one lost to a borrow, one to round); below the product two bits besides
// the sticky one are enough, because a product with leading zeros has a subnormal factor: then it is either exact in its top 24 bits with
// at most one bit lost to a borrow, or so small that c has no bits below the frame.
//
// The stages are functions, called only when enabled, so that an idle lane costs a simulator nothing.
module fpu_lane (
    input  logic           clk_i,
    input  logic [5:1]     en_i,       // stage registers that load
    input  logic [12:0]    ctl1_i,     // fpu_ctl_t of the beat that enters stage 1, and of those in stages 1..4
    input  logic [12:0]    ctl2_i,
    input  logic [12:0]    ctl3_i,
    input  logic [12:0]    ctl4_i,
    input  logic [12:0]    ctl5_i,
    input  logic [63:0]    rs1_i,
    input  logic [31:0]    rs2_i,
    input  logic [31:0]    rs3_i,
    input  logic [2:0]     rm_i,
    // CSR instruction in stage 4: its source and the frm that went in with it; the old value of the csr, for stage 5
    output logic [7:0]     src_o,
    output logic [2:0]     frm_o,
    input  logic [7:0]     csr_old_i,
    // stage 5
    output logic [63:0]    data_o,
    output logic [4:0]     flags_o
);
  `include "fp.svh"
  `include "fpu_ctl.svh"

  localparam int unsigned FRAME_W = 76;
  typedef logic [FRAME_W-1:0] frame_t;

  typedef enum logic [1:0] {VAL_ROUND, VAL_INF, VAL_NAN} special_e;

  typedef struct packed {
    logic [31:0] a;
    logic [31:0] b;
    logic [31:0] c;        // addend; F2I: the operand; I2F: upper half of the integer (a: lower)
    fp_class_t   a_class;
    fp_class_t   b_class;
    fp_class_t   c_class;
    logic [23:0] b_sig;    // multiplier; 0 when nothing is multiplied
    logic [9:0]  p_top;    // of the frame if c fits in: biased exponent of its top bit, less 1; signed
    logic [7:0]  c_top;    // if c is above the product: biased exponent of c, less 1
    logic        p_sign;
    logic [2:0]  rm;
  } s1_t;

  typedef struct packed {
    logic [47:0] product;
    frame_t      c;        // complemented if sub
    logic        sticky;
    logic [8:0]  top;      // biased exponent of the frame's top bit, less 1: as far as it may be shifted left
    logic        sub;      // c is subtracted
    logic        p_sign;
    special_e    special;
    logic        big;      // F2I: beyond 64 bits
    logic        nv;
    logic [2:0]  rm;
  } s2_t;

  typedef struct packed {
    frame_t      frame;
    logic        sticky;
    logic [8:0]  top;
    logic [9:0]  stop_hi;  // top as one-hot eighths and
    logic [7:0]  stop_lo;  // rest, nothing if beyond the frame
    logic        sub;
    logic        sign;
    special_e    special;
    logic        big;
    logic        nv;
    logic        nx;       // F2I
    logic [2:0]  rm;
  } s3_t;

  typedef struct packed {
    logic [40:0] frame;    // top bits, shifted left by 16 * coarse
    logic [22:0] rest;     // of the 64 bits of an integer: below them, not shifted
    logic        sticky;   // of all that is below them
    logic [8:0]  top;
    logic [2:0]  coarse;
    logic [3:0]  fine;     // still to be shifted
    logic        sign;
    special_e    special;
    logic        range;    // F2I: does not fit
    logic        nv;
    logic        nx;
    logic [2:0]  rm;
  } s4_t;

  // One of four, d3 by 3: two four-input LUTs a bit, as in rtl/common/mux.sv.
  typedef logic [40:0] word_t;
  function automatic word_t word_of_4(input word_t d3, input word_t d2, input word_t d1, input word_t d0, input logic [1:0] sel);
    word_t first;
    first = sel[1] ? {41{sel[0]}} : sel[0] ? d1 : d0;
    return sel[1] ? (first & d3) | (~first & d2) : first;
  endfunction
  function automatic logic one_of_4(input logic [3:0] d, input logic [1:0] sel);
    return 1'(word_of_4(word_t'(d[3]), word_t'(d[2]), word_t'(d[1]), word_t'(d[0]), sel));
  endfunction
  // Bit by bit, by {fixed, which}: 0 a, 1 b, 2 zero, 3 one.
  function automatic logic [31:0] compose(input logic [31:0] fixed, input logic [31:0] which, input logic [31:0] b, input logic [31:0] a);
    return (fixed & which) | (~fixed & ((which & b) | (~which & a)));
  endfunction

  // ---- stage 1: unpack -------------------------------------------------------------------------------------------
  function automatic s1_t unpack(input fpu_ctl_t ctl, input logic [63:0] rs1, input logic [31:0] rs2, input logic [31:0] rs3,
                                 input logic [2:0] rm);
    s1_t s;
    logic [7:0] ea, eb;
    logic [1:0] c_from;
    s.a = rs1[31:0];
    s.b = rs2;
    s.a_class = fp_classify(rs1[31:0]);
    s.b_class = fp_classify(rs2);
    s.rm = rm;
    s.p_sign = rs1[31] ^ (rs2[31] && !ctl.one) ^ ctl.neg_p;
    ea = {rs1[30:24], rs1[23] | s.a_class.sub};
    eb = {rs2[30:24], rs2[23] | s.b_class.sub};
    s.b_sig = {!s.b_class.sub, rs2[22:0]};
    if (ctl.one) begin
      eb = 8'd127;
      s.b_sig = 24'h800000;
      s.b_class = '0;
    end
    s.p_top = 10'(ea) + 10'(eb) - 10'd101;
    c_from = (ctl.kind == FPU_I2F) ? 2'd3 : (ctl.kind == FPU_F2I) ? 2'd2 : {1'b0, ctl.one};
    s.c = 32'(word_of_4(word_t'(rs1[63:32]), word_t'(rs1[31:0]), word_t'(rs2), word_t'(rs3), c_from));
    s.c[31] ^= ctl.neg_c;
    s.c_class = fp_classify(s.c);
    s.c_top = s.c_class.sub ? 8'd0 : s.c[30:23] - 8'd1;
    if (ctl.kind != FPU_FMA) begin
      s.b_sig = '0;
      s.p_top = 10'd189;                                                   // the frame's top bit is 2^63
    end
    if (ctl.product) begin
      s.c = {s.p_sign, 31'd0};
      s.c_class = '{zero: 1'b1, sub: 1'b1, default: 1'b0};
      s.c_top = 8'd0;
    end
    return s;
  endfunction

  // ---- results without arithmetic --------------------------------------------------------------------------------
  // 0 for operations that have some; the lower half of an integer to be converted.
  function automatic logic [31:0] pick(input fpu_ctl_t ctl, input s1_t s);
    logic below, eq, lt, a_first, both_nan, hit, normal, tiny;
    logic [1:0] sel_top, sel_low;      // 0: a, 1: b, 2: all 0, 3: all 1; of bits 30:22 and of those below
    logic [31:0] r;
    logic [9:0] classes;
    below = s.a[30:0] < s.b[30:0];
    eq = s.a[30:0] == s.b[30:0];
    lt = (s.a[31] != s.b[31]) ? s.a[31] : s.a[31] ? !below && !eq : below;   // -0 < +0
    a_first = s.b_class.nan || (!s.a_class.nan && (lt != ctl.sel[0]));
    both_nan = s.a_class.nan && s.b_class.nan;
    r[31] = 1'b0;
    sel_top = 2'd2;
    unique case (ctl.kind)
      FPU_SGNJ: begin
        r[31] = (ctl.sel[1] && s.a[31]) ^ s.b[31] ^ ctl.sel[0];
        sel_top = 2'd0;
      end
      FPU_MINMAX: begin
        r[31] = !both_nan && (a_first ? s.a[31] : s.b[31]);
        sel_top = both_nan ? 2'd3 : {1'b0, !a_first};
      end
      FPU_I2F, FPU_CSR: begin
        r[31] = s.a[31];
        sel_top = 2'd0;
      end
      default: ;
    endcase
    sel_low = {sel_top[1], sel_top[0] && !sel_top[1]};
    r[30:0] = 31'(compose({1'b0, {9{sel_top[1]}}, {22{sel_low[1]}}}, {1'b0, {9{sel_top[0]}}, {22{sel_low[0]}}}, s.b, s.a));
    if (s.a_class.nan || s.b_class.nan) hit = 1'b0;
    else if (s.a_class.zero && s.b_class.zero) hit = ctl.sel != 2'd1;
    else hit = (lt && ctl.sel != 2'd2) || (eq && s.a[31] == s.b[31] && ctl.sel != 2'd1);
    r[0] |= ctl.kind == FPU_CMP && hit;
    normal = !s.a_class.nan && !s.a_class.inf && !s.a_class.sub;
    tiny = s.a_class.sub && !s.a_class.zero;
    classes = {s.a_class.nan && !s.a_class.snan, s.a_class.snan,
               !s.a[31] && s.a_class.inf, !s.a[31] && normal, !s.a[31] && tiny, !s.a[31] && s.a_class.zero,
               s.a[31] && s.a_class.zero, s.a[31] && tiny, s.a[31] && normal, s.a[31] && s.a_class.inf};
    r[9:0] |= (ctl.kind == FPU_CLASS) ? classes : '0;
    return r;
  endfunction

  // ---- stage 2: multiply and align -------------------------------------------------------------------------------
  function automatic s2_t align(input fpu_ctl_t ctl, input s1_t s);
    s2_t r;
    logic [10:0] shift;             // frame position of c below the top, signed
    logic above, shifted, gone, pzero, inf_p, any_nan, snan, inv, half, word;
    logic [1:0] sh_hi, sh_lo;
    logic [23:0] sig;
    logic [26:0] by3;               // sig shifted right by 0..3, then
    logic [38:0] by15;              // by 0..15
    logic [4:0] at;                 // and by this number times 16
    frame_t c;
    r.product = {!s.a_class.sub, s.a[22:0]} * s.b_sig;
    // Where c goes. If it is above the product, or there is no product, it stays at the top, and bits below the product's do not matter.
    shifted = ctl.kind == FPU_FMA || ctl.kind == FPU_F2I;
    pzero = s.a_class.zero || s.b_class.zero;
    shift = {s.p_top[9], s.p_top} - {3'd0, s.c_top};
    above = shift[10] || (pzero && ctl.kind == FPU_FMA);
    for (int unsigned k = 0; k < 5; k++) at[k] = shifted && !above && shift[10:4] == 7'(k);
    at[0] |= shifted && above;
    gone = shifted && !above && (shift[9:7] != '0 || (shift[6] && shift[5:4] != '0));
    {sh_hi, sh_lo} = above ? 4'd0 : shift[3:0];
    sig = {!s.c_class.sub, s.c[22:0]};
    by3 = 27'(word_of_4(word_t'(sig), word_t'({sig, 1'd0}), word_t'({sig, 2'd0}), word_t'({sig, 3'd0}), sh_lo));
    by15 = 39'(word_of_4(word_t'(by3), word_t'({by3, 4'd0}), word_t'({by3, 8'd0}), word_t'({by3, 12'd0}), sh_hi));
    c = '0;
    for (int unsigned k = 0; k < 5; k++) c |= ({by15, {FRAME_W - 39{1'b0}}} >> 16 * k) & {FRAME_W{at[k]}};
    r.sticky = (at[3] && by15[10:0] != '0) || (at[4] && by15[26:0] != '0) || (gone && !s.c_class.zero);
    r.top = above ? {1'b0, s.c_top} : s.p_top[8:0];
    if (ctl.kind != FPU_FMA && ctl.kind != FPU_I2F) r.top = '0;
    if (ctl.kind == FPU_I2F) r.top = 9'd189;
    // What needs no shift.
    word = ctl.kind == FPU_I2F && !ctl.dword;
    c[43:12] |= pick(ctl, s);
    if (ctl.kind == FPU_I2F && ctl.dword) c[75:44] |= s.c;
    r.p_sign = s.p_sign;
    r.sub = s.p_sign ^ s.c[31];
    r.big = shift[10];
    r.rm = s.rm;
    // Operands that need no sum.
    inf_p = s.a_class.inf || s.b_class.inf;
    snan = s.a_class.snan || s.b_class.snan || s.c_class.snan;
    any_nan = s.a_class.nan || s.b_class.nan || s.c_class.nan;
    inv = (s.a_class.inf && s.b_class.zero) || (s.b_class.inf && s.a_class.zero);
    half = inf_p && s.c_class.inf && r.sub;
    r.special = VAL_ROUND;
    r.nv = 1'b0;
    unique case (ctl.kind)
      FPU_FMA: begin
        if (any_nan || inv || half) r.special = VAL_NAN;
        else if (inf_p || s.c_class.inf) r.special = VAL_INF;
        r.nv = snan || inv || (half && !any_nan);
        if (r.special == VAL_INF && !inf_p) r.p_sign = s.c[31];
      end
      FPU_I2F: begin
        r.sub = (ctl.dword ? s.c[31] : s.a[31]) && !ctl.uns;
        r.p_sign = r.sub;
      end
      FPU_F2I: begin
        r.sub = s.c[31];
        r.p_sign = s.c[31] && !s.c_class.nan;
        if (s.c_class.nan) r.special = VAL_NAN;
      end
      default: begin
        r.sub = 1'b0;
        r.nv = (ctl.kind == FPU_MINMAX || ctl.kind == FPU_CMP)
            && (s.a_class.snan || s.b_class.snan || (ctl.kind == FPU_CMP && ctl.sel != 2'd2 && (s.a_class.nan || s.b_class.nan)));
      end
    endcase
    r.c = c ^ {{32{r.sub && !word}}, {44{r.sub}}};          // a negative word: its upper half is 0 already
    return r;
  endfunction

  // ---- stage 3: add ----------------------------------------------------------------------------------------------
  function automatic s3_t add(input fpu_ctl_t ctl, input s2_t s);
    s3_t r;
    logic [49:0] x, y;
    logic [50:0] sum0;             // up to the product's top
    logic [51:0] sum1;             // with a carry in: one bit more at the bottom
    logic [25:0] high;             // above it there is only c
    logic [26:0] high1;
    logic cut, less, plus, carry, guard, rest;
    cut = ctl.kind == FPU_F2I;
    x = {s.product, 2'd0};
    y = s.c[49:0] | {38'd0, {12{cut}}};
    high = s.c[75:50];
    sum0 = {1'b0, x} + {1'b0, y};
    sum1 = {1'b0, x, 1'b1} + {1'b0, y, 1'b1};
    high1 = {1'b0, high} + 27'd1;
    less = ctl.kind == FPU_FMA && s.sub && !(sum1[51] && high1[26]);        // product < c: the difference changes sign
    guard = s.c[11] ^ s.sub;
    rest = s.c[10:0] != {11{s.sub}} || s.sticky;
    unique case (ctl.kind)
      FPU_F2I: plus = fp_up(s.rm, s.sub, s.c[12] ^ s.sub, guard, rest) ^ s.sub;
      FPU_FMA: plus = s.sub && !s.sticky;                                   // lost bits borrow one
      default: plus = s.sub;
    endcase
    carry = (less || !plus) ? sum0[50] : sum1[51];
    r.frame[49:0] = less ? ~sum0[49:0] : plus ? sum1[50:1] : sum0[49:0];
    r.frame[75:50] = (carry ? high1[25:0] : high) ^ {26{less}};
    r.sign = s.p_sign ^ (less && s.special == VAL_ROUND);
    r.nx = cut && (guard || rest);
    r.sticky = s.sticky;
    r.top = s.top;
    for (int unsigned i = 0; i < 10; i++) r.stop_hi[i] = s.top[8:3] == 6'(i);
    for (int unsigned i = 0; i < 8; i++) r.stop_lo[i] = s.top[2:0] == 3'(i);
    r.sub = s.sub;
    r.special = s.special;
    r.big = s.big;
    r.nv = s.nv;
    r.rm = s.rm;
    return r;
  endfunction

  // ---- stage 4: leading zeros, shift by multiples of 16 ----------------------------------------------------------
  function automatic logic [3:0] lead16(input logic [15:0] x);              // leading zeros of a nonzero x
    logic [3:0] n, any, hi, lo;     // nibbles, first one at 3; leading zeros within each
    for (int unsigned g = 0; g < 4; g++) begin
      any[g] = x[4*g+:4] != '0;
      hi[g] = x[4*g+2+:2] == '0;
      lo[g] = hi[g] ? !x[4*g+1] : !x[4*g+3];
    end
    n[3] = !any[3] && !any[2];
    n[2] = !any[3] && (any[2] || !any[1]);
    n[1] = one_of_4({hi[0], hi[1], hi[2], hi[3]}, n[3:2]);
    n[0] = one_of_4({lo[0], lo[1], lo[2], lo[3]}, n[3:2]);
    return n;
  endfunction

  function automatic s4_t normalise(input fpu_ctl_t ctl, input s3_t s);
    s4_t r;
    logic [79:0] x;                // the frame with four zeros below
    logic [4:0] any, some;         // in a sixteen: a one; that, or the place where the shift must stop
    logic [1:0] stop_hi;
    logic none;
    logic [63:0] value;
    x = {s.frame, 4'd0};
    for (int unsigned g = 0; g < 5; g++) begin
      any[g] = x[79-16*g-:16] != '0;
      some[g] = any[g] || s.stop_hi[2*g+:2] != '0;
    end
    r.coarse = some[0] ? 3'd0 : some[1] ? 3'd1 : some[2] ? 3'd2 : some[3] ? 3'd3 : 3'd4;
    stop_hi = '0;
    for (int unsigned g = 0; g < 5; g++) if (r.coarse == 3'(g)) stop_hi |= s.stop_hi[2*g+:2];
    r.frame = r.coarse[2] ? {x[15:0], 25'd0} : word_of_4({x[31:0], 9'd0}, x[47:7], x[63:23], x[79:39], r.coarse[1:0]);
    begin
      logic [15:0] stop;
      for (int unsigned i = 0; i < 16; i++) stop[15-i] = stop_hi[i/8] && s.stop_lo[i%8];
      r.fine = lead16(r.frame[40:25] | stop);
    end
    r.rest = s.frame[34:12];
    r.sticky = s.sticky || (s.frame[34:19] != '0 && r.coarse == 3'd0) || (s.frame[18:3] != '0 && r.coarse[2:1] == '0)
            || (s.frame[2:0] != '0 && !(r.coarse[2] || (&r.coarse[1:0])));
    r.top = s.top;
    none = any == '0;
    if (none) begin                // then the exponent is 0
      r.top = '0;
      r.coarse = '0;
      r.fine = '0;
    end
    r.special = s.special;
    r.nx = s.nx;
    r.rm = s.rm;
    // An exact zero of opposite signs is positive, in RDN negative.
    r.sign = (ctl.kind == FPU_FMA && none && !s.sticky && s.sub && s.special == VAL_ROUND) ? s.rm == RM_RDN : s.sign;
    // Does the rounded integer fit? value is in two's complement; negative ones were made so by subtracting from 0.
    value = s.frame[75:12];
    if (ctl.uns) r.range = s.sub ? value != '0 : !ctl.dword && value[63:32] != '0;
    else if (ctl.dword) r.range = s.sub ? !value[63] && value != '0 : value[63];
    else r.range = !(value[63:31] == '0 || (s.sub && value[63:31] == '1));
    r.range |= s.big || s.special == VAL_NAN;
    r.nv = s.nv;
    return r;
  endfunction

  // ---- stage 5: shift by the rest, round, pack -------------------------------------------------------------------
  // The value of one field of the result.
  typedef enum logic [1:0] {OUT_SUM, OUT_FRAME, OUT_0, OUT_1} out_e;

  function automatic logic [68:0] finish(input fpu_ctl_t ctl, input s4_t s, input logic [7:0] csr_old);
    logic [29:0] by12;             // shifted by multiples of 4
    logic [25:0] sig;              // and by 0..3: the significand and two bits below
    logic [3:0] low;               // the lost part of the four bits below by12's last
    logic sticky, is_float, keep, fill, fill_top, away;
    fp_rounded_t r;
    fp_flags_t flags;
    out_e sign, exp, exp_lsb, quiet, frac;
    logic [63:0] data, whole;
    by12 = 30'(word_of_4(word_t'({s.frame[28:0], 1'b0}), word_t'(s.frame[32:3]), word_t'(s.frame[36:7]), word_t'(s.frame[40:11]), s.fine[3:2]));
    sig = 26'(word_of_4(word_t'(by12[26:1]), word_t'(by12[27:2]), word_t'(by12[28:3]), word_t'(by12[29:4]), s.fine[1:0]));
    low = by12[3:0] & ~(4'(8'hf0 >> s.fine[1:0]));
    sticky = s.sticky || low != '0 || (s.frame[10:7] != '0 && s.fine[3:2] == 2'd0) || (s.frame[6:3] != '0 && !s.fine[3])
          || (s.frame[2:0] != '0 && s.fine[3:2] != 2'd3);
    r = fp_round(s.sign, 9'(s.top - 9'({s.coarse, s.fine})), sig[25:2], sig[1], sig[0], sticky, s.rm);

    is_float = ctl.kind == FPU_FMA || ctl.kind == FPU_I2F;
    whole = {s.frame, s.rest};
    flags = '0;
    {sign, exp, exp_lsb, quiet, frac} = {5{OUT_FRAME}};
    keep = 1'b0;
    fill = whole[31];
    fill_top = whole[31];
    unique case (ctl.kind)
      FPU_FMA, FPU_I2F: begin
        sign = (s.special != VAL_NAN && s.sign) ? OUT_1 : OUT_0;
        fill = s.special != VAL_NAN && s.sign;
        fill_top = fill;
        {exp, exp_lsb, quiet, frac} = {4{OUT_SUM}};
        if (s.special == VAL_NAN) {exp, exp_lsb, quiet, frac} = {OUT_1, OUT_1, OUT_1, OUT_0};
        else if (s.special == VAL_INF || (r.too_large && r.away)) {exp, exp_lsb, quiet, frac} = {OUT_1, OUT_1, OUT_0, OUT_0};
        else if (r.too_large) {exp, exp_lsb, quiet, frac} = {OUT_1, OUT_0, OUT_1, OUT_1};
        if (s.special == VAL_ROUND) flags = r.flags;
        flags.nv = s.nv;
      end
      FPU_F2I: begin
        keep = ctl.dword;
        if (s.range) begin
          {sign, exp, exp_lsb, quiet, frac} = {5{s.sign ? OUT_0 : OUT_1}};
          if (!ctl.uns && !ctl.dword) sign = s.sign ? OUT_1 : OUT_0;
          keep = 1'b0;
          fill = s.sign ^ (ctl.uns || ctl.dword);
          fill_top = s.sign ^ ctl.uns;
        end
        flags.nv = s.range;
        flags.nx = s.nx && !s.range;
      end
      FPU_CSR: begin
        {sign, exp, exp_lsb, quiet, frac} = {5{OUT_0}};
        fill = 1'b0;
        fill_top = 1'b0;
      end
      default: flags.nv = s.nv;
    endcase
    data[31:0] = compose({sign[1], {7{exp[1]}}, exp_lsb[1], quiet[1], {22{frac[1]}}}, {sign[0], {7{exp[0]}}, exp_lsb[0], quiet[0], {22{frac[0]}}}, whole[31:0], r.value);
    data[63:32] = keep ? whole[63:32] : {fill_top, {31{fill}}};
    if (ctl.kind == FPU_CSR) data[7:0] |= csr_old;
    return {flags, data};
  endfunction

  s1_t s1_q;
  s2_t s2_q;
  s3_t s3_q;
  s4_t s4_q;
  always_ff @(posedge clk_i) begin
    if (en_i[1]) s1_q <= unpack(fpu_ctl_t'(ctl1_i), rs1_i, rs2_i, rs3_i, rm_i);
    if (en_i[2]) s2_q <= align(fpu_ctl_t'(ctl2_i), s1_q);
    if (en_i[3]) s3_q <= add(fpu_ctl_t'(ctl3_i), s2_q);
    if (en_i[4]) s4_q <= normalise(fpu_ctl_t'(ctl4_i), s3_q);
    if (en_i[5]) {flags_o, data_o} <= finish(fpu_ctl_t'(ctl5_i), s4_q, csr_old_i);
  end

  assign src_o = s4_q.rest[7:0];
  assign frm_o = s4_q.rm;
endmodule
