// One lane of the FPU: five register stages, enabled one by one. Every operation uses the same path:
//
//   1 operands unpacked
//   2 multiply a * b, align c  frame of 76 bits: c at its top, shifted right against the product at bits 49:2; lost bits are `sticky`
//   3 add or subtract          two sums (carry 0 and 1), magnitude chosen; float to integer rounds here
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
    input  logic [12:0]    ctl1_i,     // fpu_ctl_t of what enters stage 1, and of what is in stages 1..4
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
    logic [31:0] c;        // addend; I2F: upper half of the integer (a: lower)
    fp_class_t   a_class;
    fp_class_t   b_class;
    fp_class_t   c_class;
    logic [23:0] b_sig;    // multiplier; 0 when nothing is multiplied
    logic [8:0]  exp;      // biased exponents of a and b added
    logic        p_sign;
    logic [2:0]  rm;
  } s1_t;

  typedef struct packed {
    logic [47:0] product;
    frame_t      c;
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
    frame_t      frame;
    logic        sticky;
    logic [8:0]  top;
    logic [2:0]  coarse;   // shifted left by 16 * coarse
    logic [3:0]  fine;     // still to be shifted
    logic        sign;
    special_e    special;
    logic        range;    // F2I: does not fit
    logic        nv;
    logic        nx;
    logic [2:0]  rm;
  } s4_t;

  // ---- stage 1: unpack -------------------------------------------------------------------------------------------
  function automatic s1_t unpack(input fpu_ctl_t ctl, input logic [63:0] rs1, input logic [31:0] rs2, input logic [31:0] rs3,
                                 input logic [2:0] rm);
    s1_t s;
    fp_class_t k1, k2, k3;
    logic [7:0] ea, eb;
    k1 = fp_classify(rs1[31:0]);
    k2 = fp_classify(rs2);
    k3 = fp_classify(rs3);
    s.a = rs1[31:0];
    s.b = rs2;
    s.a_class = k1;
    s.b_class = k2;
    s.rm = rm;
    s.p_sign = rs1[31] ^ (rs2[31] && !ctl.one) ^ ctl.neg_p;
    ea = {rs1[30:24], rs1[23] | k1.sub};
    eb = {rs2[30:24], rs2[23] | k2.sub};
    s.b_sig = {!k2.sub, rs2[22:0]};
    if (ctl.one) begin
      eb = 8'd127;
      s.b_sig = 24'h800000;
      s.b_class = '0;
    end
    s.exp = 9'(ea) + 9'(eb);
    unique case (ctl.kind)
      FPU_FMA: begin
        if (ctl.product) begin
          s.c = {s.p_sign, 31'd0};
          s.c_class = '{zero: 1'b1, sub: 1'b1, default: 1'b0};
        end else if (ctl.one) begin
          s.c = {rs2[31] ^ ctl.neg_c, rs2[30:0]};
          s.c_class = k2;
        end else begin
          s.c = {rs3[31] ^ ctl.neg_c, rs3[30:0]};
          s.c_class = k3;
        end
      end
      FPU_I2F: begin
        s.b_sig = '0;
        s.exp = 9'd290;                                                    // the frame's top bit is 2^63
        s.c = ctl.dword ? rs1[63:32] : {32{rs1[31] && !ctl.uns}};
        s.c_class = '0;
      end
      default: begin
        s.b_sig = '0;
        s.exp = 9'd290;
        s.c = rs1[31:0];
        s.c_class = k1;
      end
    endcase
    return s;
  endfunction

  // ---- results without arithmetic --------------------------------------------------------------------------------
  function automatic logic [31:0] pick(input fpu_ctl_t ctl, input s1_t s);
    logic below, lt, eq, a_first;
    below = s.a[30:0] < s.b[30:0];
    eq = s.a[30:0] == s.b[30:0];
    lt = (s.a[31] != s.b[31]) ? s.a[31] : s.a[31] ? !below && !eq : below;   // -0 < +0
    a_first = s.b_class.nan || (!s.a_class.nan && (lt != ctl.sel[0]));
    unique case (ctl.kind)
      FPU_SGNJ:   return {(ctl.sel[1] && s.a[31]) ^ s.b[31] ^ ctl.sel[0], s.a[30:0]};
      FPU_MINMAX: return (s.a_class.nan && s.b_class.nan) ? FP_NAN : a_first ? s.a : s.b;
      FPU_CMP: begin
        if (s.a_class.nan || s.b_class.nan) return 32'd0;
        if (s.a_class.zero && s.b_class.zero) return {31'd0, ctl.sel != 2'd1};
        eq = eq && s.a[31] == s.b[31];
        return {31'd0, (lt && ctl.sel != 2'd2) || (eq && ctl.sel != 2'd1)};
      end
      FPU_CLASS: begin
        logic normal, tiny;
        normal = !s.a_class.nan && !s.a_class.inf && !s.a_class.sub;
        tiny = s.a_class.sub && !s.a_class.zero;
        return {22'd0, s.a_class.nan && !s.a_class.snan, s.a_class.snan,
                !s.a[31] && s.a_class.inf, !s.a[31] && normal, !s.a[31] && tiny, !s.a[31] && s.a_class.zero,
                s.a[31] && s.a_class.zero, s.a[31] && tiny, s.a[31] && normal, s.a[31] && s.a_class.inf};
      end
      default:    return s.a;
    endcase
  endfunction

  // ---- stage 2: multiply and align -------------------------------------------------------------------------------
  function automatic s2_t align(input fpu_ctl_t ctl, input s1_t s);
    s2_t r;
    logic [7:0] ec;
    logic [10:0] shift;             // frame position of c below the top, signed
    logic above, pzero, inf_p, snan, any_nan, inv, half;
    logic [99:0] wide;
    logic [31:0] low;
    ec = {s.c[30:24], s.c[23] | s.c_class.sub};
    pzero = s.a_class.zero || s.b_class.zero;
    shift = 11'(s.exp) - 11'(ec) - 11'd100;
    above = shift[10] || (pzero && ctl.kind == FPU_FMA);
    r.product = {!s.a_class.sub, s.a[22:0]} * s.b_sig;
    wide = {!s.c_class.sub, s.c[22:0], 76'd0};
    if (!above) wide = (shift[9:0] > 10'd76) ? {99'd0, !s.c_class.zero} : wide >> shift[6:0];
    r.c = wide[99:24];
    r.sticky = wide[23:0] != '0;
    r.top = above ? 9'(ec) - 9'd1 : s.exp - 9'd101;
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
    low = pick(ctl, s);
    unique case (ctl.kind)
      FPU_FMA: begin
        if (any_nan || inv || half) r.special = VAL_NAN;
        else if (inf_p || s.c_class.inf) r.special = VAL_INF;
        r.nv = snan || inv || (half && !any_nan);
        if (r.special == VAL_INF && !inf_p) r.p_sign = s.c[31];
      end
      FPU_I2F: begin
        r.c = {s.c, s.a, 12'd0};
        r.sticky = 1'b0;
        r.sub = s.c[31] && !ctl.uns;
        r.p_sign = r.sub;
        r.top = 9'd189;
      end
      FPU_F2I: begin
        r.sub = s.c[31];
        r.p_sign = s.c[31] && !s.c_class.nan;
        if (s.c_class.nan) r.special = VAL_NAN;
        r.top = '0;
      end
      default: begin
        r.c = {{32{low[31]}}, low, 12'd0};
        r.sticky = 1'b0;
        r.sub = 1'b0;
        r.top = '0;
        r.nv = (ctl.kind == FPU_MINMAX || ctl.kind == FPU_CMP)
            && (s.a_class.snan || s.b_class.snan || (ctl.kind == FPU_CMP && ctl.sel != 2'd2 && (s.a_class.nan || s.b_class.nan)));
      end
    endcase
    return r;
  endfunction

  // ---- stage 3: add ----------------------------------------------------------------------------------------------
  function automatic s3_t add(input fpu_ctl_t ctl, input s2_t s);
    s3_t r;
    frame_t x, y;
    logic [FRAME_W:0] sum0;
    logic [FRAME_W+1:0] sum1;      // with a carry in: one bit more at the bottom
    logic cut, less, plus;
    cut = ctl.kind == FPU_F2I;
    x = {26'd0, s.product, 2'd0};
    y = (s.c ^ {FRAME_W{s.sub}}) | {64'd0, {12{cut}}};
    sum0 = {1'b0, x} + {1'b0, y};
    sum1 = {1'b0, x, 1'b1} + {1'b0, y, 1'b1};
    less = ctl.kind == FPU_FMA && s.sub && !sum1[FRAME_W+1];                // product < c: the difference changes sign
    unique case (ctl.kind)
      FPU_F2I: plus = fp_up(s.rm, s.sub, s.c[12], s.c[11], s.c[10:0] != '0 || s.sticky) ^ s.sub;
      FPU_FMA: plus = s.sub && !s.sticky;                                   // lost bits borrow one
      default: plus = s.sub;
    endcase
    r.frame = less ? ~sum0[FRAME_W-1:0] : plus ? sum1[FRAME_W:1] : sum0[FRAME_W-1:0];
    r.sign = s.p_sign ^ (less && s.special == VAL_ROUND);
    r.nx = cut && (s.c[11:0] != '0 || s.sticky);
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
    logic [3:0] n;
    logic [7:0] x8;
    logic [3:0] x4;
    n[3] = x[15:8] == '0;
    x8 = n[3] ? x[7:0] : x[15:8];
    n[2] = x8[7:4] == '0;
    x4 = n[2] ? x8[3:0] : x8[7:4];
    n[1] = x4[3:2] == '0;
    n[0] = n[1] ? !x4[1] : !x4[3];
    return n;
  endfunction

  function automatic s4_t normalise(input fpu_ctl_t ctl, input s3_t s);
    s4_t r;
    logic [79:0] stops;            // the frame with four zeros below, and a one where the shift must stop
    logic [4:0] some;
    logic none;
    logic [63:0] value;
    stops = {s.frame, 4'd0};
    for (int unsigned i = 0; i < FRAME_W; i++) stops[79-i] |= s.stop_hi[i/8] && s.stop_lo[i%8];
    for (int unsigned g = 0; g < 5; g++) some[g] = stops[79-16*g-:16] != '0;
    if (some[0]) begin
      r.coarse = 3'd0;
      r.fine = lead16(stops[79-:16]);
      r.frame = s.frame;
    end else if (some[1]) begin
      r.coarse = 3'd1;
      r.fine = lead16(stops[63-:16]);
      r.frame = {s.frame[59:0], 16'd0};
    end else if (some[2]) begin
      r.coarse = 3'd2;
      r.fine = lead16(stops[47-:16]);
      r.frame = {s.frame[43:0], 32'd0};
    end else if (some[3]) begin
      r.coarse = 3'd3;
      r.fine = lead16(stops[31-:16]);
      r.frame = {s.frame[27:0], 48'd0};
    end else begin
      r.coarse = 3'd4;
      r.fine = lead16(stops[15-:16]);
      r.frame = {s.frame[11:0], 64'd0};
    end
    none = s.frame == '0;
    r.sticky = s.sticky;
    r.top = s.top;
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
  function automatic logic [68:0] finish(input fpu_ctl_t ctl, input s4_t s, input logic [7:0] csr_old);
    logic [40:0] top;
    logic [9:0] exp;
    fp_rounded_t r;
    logic [63:0] data;
    fp_flags_t flags;
    top = s.frame[75:35] << s.fine;
    exp = 10'(s.top) + 10'd1 - 10'({s.coarse, s.fine});
    r = fp_round(s.sign, exp, top[40:17], top[16], top[15], top[14:0] != '0 || s.frame[34:0] != '0 || s.sticky, s.rm);
    flags = '0;
    unique case (ctl.kind)
      FPU_FMA, FPU_I2F: begin
        if (s.special == VAL_NAN) r.value = FP_NAN;
        if (s.special == VAL_INF) r.value = {s.sign, 8'hff, 23'd0};
        if (s.special == VAL_ROUND) flags = r.flags;
        flags.nv = s.nv;
        data = {{32{r.value[31]}}, r.value};
      end
      FPU_F2I: begin
        data = ctl.dword ? s.frame[75:12] : {{32{s.frame[43]}}, s.frame[43:12]};
        if (s.range) begin
          data = ctl.uns ? 64'hffffffff_ffffffff : ctl.dword ? 64'h7fffffff_ffffffff : 64'h00000000_7fffffff;
          if (s.sign) data = ctl.uns ? 64'd0 : ~data;
        end
        flags.nv = s.range;
        flags.nx = s.nx && !s.range;
      end
      FPU_CSR: data = {56'd0, csr_old};
      default: begin
        data = s.frame[75:12];
        flags.nv = s.nv;
      end
    endcase
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

  assign src_o = s4_q.frame[19:12];
  assign frm_o = s4_q.rm;
endmodule
