// Single-precision pieces shared by fpu and fdiv: operand classes, rounding, packing. Included inside a module.

typedef struct packed {
  logic nan;
  logic snan;
  logic inf;
  logic zero;
  logic sub;    // exponent field 0 (zero included): no hidden bit, exponent as if the field were 1
} fp_class_t;

typedef struct packed {
  logic nv;
  logic dz;
  logic of;
  logic uf;
  logic nx;
} fp_flags_t;

typedef struct packed {
  logic [31:0] value;
  logic        too_large;    // too large before it was rounded: value is not yet the infinity (away) or largest number that it should be
  logic        away;
  fp_flags_t   flags;
} fp_rounded_t;

localparam logic [2:0] RM_RNE = 3'd0, RM_RTZ = 3'd1, RM_RDN = 3'd2, RM_RUP = 3'd3, RM_RMM = 3'd4, RM_DYN = 3'd7;
localparam logic [31:0] FP_NAN = 32'h7fc00000;

function automatic fp_class_t fp_classify(input logic [31:0] x);
  fp_class_t c;
  logic ones, none;
  ones = x[30:23] == 8'hff;
  none = x[22:0] == '0;
  c.sub = x[30:23] == 8'h00;
  c.zero = c.sub && none;
  c.inf = ones && none;
  c.nan = ones && !none;
  c.snan = ones && !none && !x[22];
  return c;
endfunction

// The magnitude is rounded up: lsb, first bit below it, whether anything is below that.
function automatic logic fp_up(input logic [2:0] rm, input logic sign, input logic lsb, input logic guard, input logic rest);
  case (rm)
    RM_RTZ:  return 1'b0;
    RM_RDN:  return sign && (guard || rest);
    RM_RUP:  return !sign && (guard || rest);
    RM_RMM:  return guard;
    default: return guard && (rest || lsb);
  endcase
endfunction

// Rounds sig (1.23 with its leading one at bit 23, or less when the exponent is at its minimum), two bits below it, and whether anything
// is below those; exp is the biased exponent of bit 23, less 1: the leading one is added to it, and without one it is 0. A result is tiny if, rounded with
// unbounded exponent, it is below the smallest normal number: a leading zero, unless 24 bits from bit 22 on would round up to that number.
function automatic fp_rounded_t fp_round(
    input logic sign, input logic [8:0] exp, input logic [23:0] sig, input logic guard, input logic below, input logic sticky,
    input logic [2:0] rm
);
  fp_rounded_t r;
  logic [32:0] sum;     // with a place below for the carry
  logic inexact, tiny;
  inexact = guard || below || sticky;
  sum = {exp, sig[22:0], 1'b1} + {8'd0, sig[23], 23'd0, fp_up(rm, sign, sig[0], guard, below || sticky)};
  tiny = !sig[23] && !(sig[22:0] == '1 && guard && fp_up(rm, sign, 1'b1, below, sticky));
  r.value = {sign, sum[31:1]};
  r.too_large = exp >= 9'd254;
  r.away = rm == RM_RNE || rm == RM_RMM || (rm == RM_RUP && !sign) || (rm == RM_RDN && sign);
  r.flags = '0;
  r.flags.of = r.too_large || (&sum[31:24]);
  r.flags.uf = tiny && inexact;
  r.flags.nx = inexact || r.too_large;
  return r;
endfunction

// The result of one that was too large.
function automatic logic [31:0] fp_largest(input logic sign, input logic away);
  return {sign, away ? {8'hff, 23'd0} : {8'hfe, 23'h7fffff}};
endfunction
