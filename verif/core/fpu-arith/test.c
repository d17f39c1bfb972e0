/* Floating-point arithmetic of the RTL blocks fpu and fdiv: every operation and rounding mode, random and corner operands, result and flags.
 *
 *   test [SEED [BEATS]]      BEATS: beats of LANES operand sets for each operation
 *
 * The expected values come from exact.h, and exact.h is first held against the host's own arithmetic in its four modes. Flags of fpu are read as a
 * program would: a CSR instruction after each operation, which also sets the rounding mode of the next. */
#include "exact.h"
#include "fdiv_ports.h"
#include "fpu_ports.h"
#include "isa_gen.h"
#include "sim_c/common/vl_bits.h"
#include <fenv.h>
#include <stdlib.h>

static vl_rng_t rng;
static unsigned passed, failed;
static uint64_t seed;

/* ---- operands --------------------------------------------------------------------------------------------------- */

static const uint32_t corners[] = {0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00400000, 0x007ffffe, 0x007fffff,
                                   0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x33800000, 0x33800001, 0x34000000,
                                   0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fbfffff,
                                   0x3fc00000, 0x3fffffff, 0x40000000, 0x40200000, 0x4b000000, 0x4b7fffff, 0x4b800000,
                                   0x4effffff, 0x4f000000, 0x4f000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000,
                                   0x5f000001, 0x5f7fffff, 0x5f800000, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f7ffffe,
                                   0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fc00001, 0x7fffffff};

static uint32_t operand(void)
{
    uint32_t r = (uint32_t)vl_random(&rng), m = r & 0x7fffff;

    switch (vl_below(&rng, 10)) {
    case 0: return corners[vl_below(&rng, sizeof corners / sizeof *corners)] | (r & 0x80000000);
    case 1: return (r & 0x80000000) | (uint32_t)(m >> vl_below(&rng, 24)); /* subnormal */
    case 2: return (r & 0x80000000) | (vl_below(&rng, 40) << 23) | m; /* small */
    case 3: return (r & 0x80000000) | ((254 - vl_below(&rng, 40)) << 23) | m; /* large */
    case 4:
    case 5: return (r & 0x80000000) | ((107 + vl_below(&rng, 40)) << 23) | m; /* about 1 */
    case 6: m = 1u << vl_below(&rng, 24); return (r & 0x80000000) | (vl_below(&rng, 255) << 23) | (m & 0x7fffff);
    case 7: m = -(1u << vl_below(&rng, 24)); return (r & 0x80000000) | (vl_below(&rng, 255) << 23) | (m & 0x7fffff);
    case 8:
        m = (0x7fffffu << vl_below(&rng, 24)) ^ (1u << vl_below(&rng, 24));
        return (r & 0x80000000) | (vl_below(&rng, 255) << 23) | (m & 0x7fffff);
    default: return r;
    }
}

static uint32_t near(uint32_t x)
{
    return vl_chance(&rng, 128) ? x : x + vl_below(&rng, 9) - 4;
}

static uint32_t special(void)
{
    static const uint32_t list[] = {0,          1,          0x007fffff, 0x00800000, 0x3f800000,
                                    0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};

    return list[vl_below(&rng, sizeof list / sizeof *list)] | (uint32_t)vl_below(&rng, 2) << 31;
}

/* Gives x the exponent that makes its product with a nonzero y have about that biased exponent. */
static uint32_t scale(uint32_t x, uint32_t y, int exp)
{
    int e = exp + 127 - (int)(y >> 23 & 0xff);

    return (x & 0x807fffff) | (e < 0 ? 0u : e > 254 ? 254u << 23 : (uint32_t)e << 23);
}

static void operands(op_e op, uint64_t v[3])
{
    uint32_t a = operand(), b = operand(), c = operand();

    if (vl_chance(&rng, 20)) { /* every pair and triple of special values */
        a = special();
        b = special();
        c = special();
    } else
        switch (op) {
        case OP_FADD_S:
        case OP_FSUB_S:
            if (vl_chance(&rng, 100)) /* exponents that meet */
                b = (b & 0x807fffff) | ((a + (vl_below(&rng, 53) << 23) - (26u << 23)) & 0x7f800000);
            else if (vl_chance(&rng, 60))
                b = near(a) ^ ((uint32_t)vl_below(&rng, 2) << 31);
            break;
        case OP_FMADD_S:
        case OP_FMSUB_S:
        case OP_FNMADD_S:
        case OP_FNMSUB_S: {
            uint32_t p = (uint32_t)exact_mul(a, b, RNE).value;
            if (vl_chance(&rng, 80)) {
                c = near(p) ^ ((uint32_t)vl_below(&rng, 2) << 31);
            } else if (vl_chance(
                           &rng,
                           80)) { /* a power of two or its neighbour, and a product about the bits that round it */
                c = (vl_chance(&rng, 100) ? 0x00800000 : vl_below(&rng, 255) << 23) + vl_below(&rng, 3) - 1;
                c ^= (uint32_t)vl_below(&rng, 2) << 31;
                b = scale(b, a, (int)(c >> 23 & 0xff) - 22 - (int)vl_below(&rng, 6));
            } else if (vl_chance(&rng, 100))
                c = (c & 0x807fffff) | ((p + (vl_below(&rng, 107) << 23) - (53u << 23)) & 0x7f800000);
            break;
        }
        case OP_FMUL_S:
            if (vl_chance(&rng, 40)) { /* (1 - d)(1 + d), just below a power of two */
                unsigned j = vl_below(&rng, 22);
                a = (a & 0xff800000) | (0x7fffff & -(2u << j));
                b = (b & 0xff800000) | 1u << j;
            }
            if (vl_chance(&rng, 120)) /* products about the ends of the range */
                b = scale(b, a, vl_chance(&rng, 128) ? -28 + (int)vl_below(&rng, 60) : 220 + (int)vl_below(&rng, 40));
            else if (vl_chance(&rng, 40))
                b = scale(b, a, (int)vl_below(&rng, 3) - 1);
            break;
        case OP_FDIV_S:
            if (vl_chance(&rng, 60))
                a = near((uint32_t)exact_mul(b, c, RNE).value);
            else if (vl_chance(&rng, 80))
                b = (b & 0x807fffff)
                    | (((a >> 23 & 0xff)
                        + (vl_chance(&rng, 128) ? 100 + vl_below(&rng, 60) : 255 - 140 + vl_below(&rng, 40)))
                           << 23
                       & 0x7f800000);
            break;
        case OP_FSQRT_S:
            if (vl_chance(&rng, 200))
                a &= 0x7fffffff;
            if (vl_chance(&rng, 60))
                a = near((uint32_t)exact_mul(b, b, vl_below(&rng, 4)).value);
            break;
        case OP_FCVT_W_S:
        case OP_FCVT_WU_S:
        case OP_FCVT_L_S:
        case OP_FCVT_LU_S:
            if (vl_chance(&rng, 160))
                a = (a & 0x807fffff) | ((126 - 3 + vl_below(&rng, 72)) << 23);
            if (vl_chance(&rng, 80)) /* halves of small integers */
                a = (uint32_t)exact_from_int(vl_random(&rng) >> (40 + vl_below(&rng, 24)), true, 64, RNE).value
                    - (1u << 23);
            break;
        case OP_FMIN_S:
        case OP_FMAX_S:
        case OP_FLE_S:
        case OP_FLT_S:
        case OP_FEQ_S:
        case OP_FSGNJ_S:
        case OP_FSGNJN_S:
        case OP_FSGNJX_S:
            if (vl_chance(&rng, 100))
                b = near(a) ^ ((uint32_t)vl_below(&rng, 2) << 31);
            break;
        default: break;
        }
    v[0] = a | vl_random(&rng) << 32; /* upper halves must not matter */
    v[1] = b | vl_random(&rng) << 32;
    v[2] = c | vl_random(&rng) << 32;
    if (op == OP_FCVT_S_W || op == OP_FCVT_S_WU || op == OP_FCVT_S_L || op == OP_FCVT_S_LU) {
        v[0] = vl_random(&rng) >> vl_below(&rng, 64);
        if (vl_chance(&rng, 80))
            v[0] = (1ull << vl_below(&rng, 64)) + vl_below(&rng, 5) - 2;
        else if (vl_chance(&rng, 80))
            v[0] = (((1ull << vl_below(&rng, 24)) | vl_random_bits(&rng, 24)) * 2 + 1) << vl_below(&rng, 40); /* ties */
        if (vl_chance(&rng, 100))
            v[0] = -v[0];
    }
}

static exact_t expected(op_e op, const uint64_t v[3], int rm)
{
    uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], c = (uint32_t)v[2];
    const uint32_t s = 0x80000000;

    switch (op) {
    case OP_FMADD_S: return exact_fma(a, b, c, rm);
    case OP_FMSUB_S: return exact_fma(a, b, c ^ s, rm);
    case OP_FNMSUB_S: return exact_fma(a ^ s, b, c, rm);
    case OP_FNMADD_S: return exact_fma(a ^ s, b, c ^ s, rm);
    case OP_FADD_S: return exact_add(a, b, rm);
    case OP_FSUB_S: return exact_add(a, b ^ s, rm);
    case OP_FMUL_S: return exact_mul(a, b, rm);
    case OP_FDIV_S: return exact_div(a, b, rm);
    case OP_FSQRT_S: return exact_sqrt(a, rm);
    case OP_FSGNJ_S: return result32((a & ~s) | (b & s), 0);
    case OP_FSGNJN_S: return result32((a & ~s) | (~b & s), 0);
    case OP_FSGNJX_S: return result32(a ^ (b & s), 0);
    case OP_FMIN_S: return exact_minmax(a, b, false);
    case OP_FMAX_S: return exact_minmax(a, b, true);
    case OP_FLE_S: return exact_cmp(a, b, 0);
    case OP_FLT_S: return exact_cmp(a, b, 1);
    case OP_FEQ_S: return exact_cmp(a, b, 2);
    case OP_FCLASS_S: return exact_class(a);
    case OP_FCVT_W_S: return exact_to_int(a, false, 32, rm);
    case OP_FCVT_WU_S: return exact_to_int(a, true, 32, rm);
    case OP_FCVT_L_S: return exact_to_int(a, false, 64, rm);
    case OP_FCVT_LU_S: return exact_to_int(a, true, 64, rm);
    case OP_FCVT_S_W: return exact_from_int(v[0], false, 32, rm);
    case OP_FCVT_S_WU: return exact_from_int(v[0], true, 32, rm);
    case OP_FCVT_S_L: return exact_from_int(v[0], false, 64, rm);
    default: return exact_from_int(v[0], true, 64, rm);
    }
}

/* ---- exact.h against the host ----------------------------------------------------------------------------------- */

static float u2f(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static uint32_t f2u(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return (u & 0x7fffffff) > 0x7f800000 ? QNAN : u;
}

static bool host(op_e op, const uint64_t v[3], int rm, exact_t *r)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    volatile float a = u2f((uint32_t)v[0]), b = u2f((uint32_t)v[1]), c = u2f((uint32_t)v[2]), f;
    int raised;

    if (is_snan((uint32_t)v[0]) || is_snan((uint32_t)v[1]) || is_snan((uint32_t)v[2]))
        return false; /* a call may quieten them on the way */
    fesetround(modes[rm]);
    feclearexcept(FE_ALL_EXCEPT);
    switch (op) {
    case OP_FADD_S: f = a + b; break;
    case OP_FSUB_S: f = a - b; break;
    case OP_FMUL_S: f = a * b; break;
    case OP_FMADD_S: f = fmaf(a, b, c); break;
    case OP_FDIV_S: f = a / b; break;
    case OP_FSQRT_S: f = sqrtf(a); break;
    case OP_FCVT_S_W: f = (float)(int32_t)v[0]; break;
    case OP_FCVT_S_L: f = (float)(int64_t)v[0]; break;
    case OP_FCVT_L_S: {
        volatile float t = rintf(a);
        bool fits = t >= -0x1p63f && t < 0x1p63f;
        raised = fetestexcept(FE_ALL_EXCEPT);
        fesetround(FE_TONEAREST);
        if (!fits)
            return false;
        *r = (exact_t){(uint64_t)(int64_t)t, raised & FE_INEXACT ? NX : 0};
        return true;
    }
    default: fesetround(FE_TONEAREST); return false;
    }
    raised = fetestexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    *r = result32(f2u(f), (raised & FE_INEXACT ? NX : 0) | (raised & FE_UNDERFLOW ? UF : 0)
                              | (raised & FE_OVERFLOW ? OF : 0) | (raised & FE_DIVBYZERO ? DZ : 0)
                              | (raised & FE_INVALID ? NV : 0));
#ifndef __x86_64__
    return false; /* elsewhere underflow may be judged before rounding */
#endif
    return !(op == OP_FMADD_S && is_nan((uint32_t)v[2])); /* inf * 0 + NaN: IEEE leaves the flag open */
}

static void verdict(const char *what, uint64_t checks, uint64_t wrong)
{
    if (wrong == 0 && checks) {
        passed++;
        printf("ok     %-34s %10" PRIu64 " checks\n", what, checks);
    } else {
        failed++;
        printf("FAILED %-34s %10" PRIu64 " checks, %" PRIu64 " wrong; again: verif/core/fpu-arith/run %" PRIu64 "\n",
               what, checks, wrong, seed);
    }
}

static void check_reference(uint64_t n)
{
    static const op_e ops[] = {OP_FADD_S,  OP_FSUB_S,   OP_FMUL_S,   OP_FMADD_S, OP_FDIV_S,
                               OP_FSQRT_S, OP_FCVT_S_W, OP_FCVT_S_L, OP_FCVT_L_S};
    uint64_t wrong = 0, checks = 0;

    for (uint64_t i = 0; i < n; i++) {
        op_e op = ops[i % (sizeof ops / sizeof *ops)];
        int rm = (int)vl_below(&rng, 4);
        uint64_t v[3];
        exact_t h, e;

        operands(op, v);
        if (!host(op, v, rm, &h))
            continue;
        e = expected(op, v, rm);
        checks++;
        if ((h.value != e.value || h.flags != e.flags) && wrong++ < 5)
            printf("  reference: %s rm %d %08x %08x %08x: host %016" PRIx64 " %02x, exact %016" PRIx64 " %02x\n",
                   isa_rows[op].mnemonic, rm, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], h.value, h.flags, e.value,
                   e.flags);
    }
    verdict("reference equals the host", checks, wrong);
}

/* ---- fpu -------------------------------------------------------------------------------------------------------- */

static bool has_rm(op_e op)
{
    return isa_rows[op].format == FMT_R4 || isa_rows[op].format == FMT_RM1 || isa_rows[op].format == FMT_RM2;
}

static bool wrong_value(op_e op, const uint64_t v[3], int rm, uint64_t got, unsigned flags, exact_t want,
                        uint64_t *wrong, bool quiet)
{
    if (got == want.value && flags == want.flags)
        return false;
    if ((*wrong)++ < 5 && !quiet)
        printf("  %s rm %d %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": got %016" PRIx64 " %02x, want %016" PRIx64
               " %02x\n",
               isa_rows[op].mnemonic, rm, v[0], v[1], v[2], got, flags, want.value, want.flags);
    return true;
}

/* Rounds: one operation a warp, then one CSR instruction a warp that reads and clears the flags and sets frm for the next. With `plant` the expected
 * value of lane 0 is wrong in that bit, to show that differences are seen. */
static uint64_t run_fpu(op_e op, uint64_t beats, int plant, uint64_t *checks)
{
    static struct {
        uint64_t v[LANES][3];
        int rm[LANES], frm[LANES];
        exact_t want[LANES];
        uint64_t got[LANES];
        uint64_t mask;
    } w[WARPS];
    static fpu_in_t in;
    static fpu_out_t out;
    void *m = fpu_rtl_new(seed);
    uint64_t wrong = 0, rounds = (beats + WARPS - 1) / WARPS;

    memset(w, 0, sizeof w);
    fpu_rtl_reset(m);
    *checks = 0;
    for (uint64_t t = 0; t < rounds * 2 * WARPS + 5; t++) {
        unsigned warp = (unsigned)(t % WARPS);
        bool csr = t / WARPS % 2;

        fpu_rtl_out(m, &out);
        if (out.fpu_res_valid) { /* of the beat five cycles ago */
            uint64_t t0 = t - 5;
            unsigned rw = (unsigned)(t0 % WARPS);
            bool rcsr = t0 / WARPS % 2;

            if (out.fpu_res.warp != rw || out.fpu_res.mask != w[rw].mask || out.fpu_res.rd != (rcsr ? 7 : 5))
                wrong++;
            for (unsigned l = 0; l < LANES; l++) {
                if (!(w[rw].mask >> l & 1))
                    continue;
                if (!rcsr) {
                    w[rw].got[l] = out.fpu_res.data[l];
                } else {
                    unsigned old = (unsigned)out.fpu_res.data[l];
                    ++*checks;
                    if (old >> 5 != (unsigned)w[rw].frm[l])
                        wrong++;
                    wrong_value(op, w[rw].v[l], w[rw].rm[l], w[rw].got[l], old & 31, w[rw].want[l], &wrong, plant >= 0);
                    w[rw].frm[l] = (int)(w[rw].v[l][0] >> 40 & 7); /* the value that the instruction wrote */
                }
            }
        } else if (t >= 5) {
            wrong++;
        }
        memset(&in, 0, sizeof in);
        in.ops_valid = t < rounds * 2 * WARPS;
        if (in.ops_valid) {
            operands_t *o = &in.ops;
            o->pipe = PIPE_FPU;
            o->warp = (__typeof__(o->warp))warp;
            o->first = o->last = true;
            if (!csr) {
                int rm = vl_chance(&rng, 100) ? DYN : (int)vl_below(&rng, 5);
                o->op = op;
                o->rd = 5;
                o->instr = isa_rows[op].match | (has_rm(op) ? (uint32_t)rm << 12 : 0);
                w[warp].mask = vl_chance(&rng, 40) ? vl_random_bits(&rng, LANES)
                                                   : vl_random_bits(&rng, LANES) | vl_random_bits(&rng, LANES) | 1;
                for (unsigned l = 0; l < LANES; l++) {
                    bool dyn = rm == DYN && has_rm(op);
                    operands(op, w[warp].v[l]);
                    o->rs1[l] = w[warp].v[l][0];
                    o->rs2[l] = w[warp].v[l][1];
                    o->rs3[l] = w[warp].v[l][2];
                    w[warp].rm[l] = dyn ? w[warp].frm[l] : rm;
                    if (dyn && w[warp].frm[l] > 4) /* it would fault, which is not the subject here */
                        w[warp].mask &= ~(1ull << l);
                    w[warp].want[l] = expected(op, w[warp].v[l], w[warp].rm[l]);
                    if (plant >= 0 && l == 0)
                        w[warp].want[l].value ^= plant < 64 ? 1ull << plant : 0,
                            w[warp].want[l].flags ^= plant < 64 ? 0 : 1u << (plant - 64);
                }
            } else {
                o->op = OP_CSRRW;
                o->rd = 7;
                o->instr = 0x00301073 | 7 << 7;
                for (unsigned l = 0; l < LANES; l++)
                    o->rs1[l] = (w[warp].v[l][0] >> 40 & 7) << 5 | (vl_random(&rng) << 8);
            }
            o->mask = (__typeof__(o->mask))w[warp].mask;
        }
        fpu_rtl_tick(m, &in, false);
    }
    fpu_rtl_free(m);
    return wrong;
}

/* ---- fdiv ------------------------------------------------------------------------------------------------------- */

static unsigned lead(uint32_t x) /* leading zeros of the significand of a finite nonzero operand */
{
    return (x & 0x7f800000) || is_zero(x) ? 0 : (unsigned)__builtin_clz(x & 0x7fffff) - 8;
}

static uint64_t run_fdiv(op_e op, uint64_t beats, int plant, uint64_t *checks)
{
    static fdiv_in_t in;
    static fdiv_out_t out;
    void *m = fdiv_rtl_new(seed);
    uint64_t wrong = 0;

    fdiv_rtl_reset(m);
    *checks = 0;
    for (uint64_t i = 0; i < beats; i++) {
        uint64_t v[LANES][3], mask = vl_random_bits(&rng, LANES) | vl_random_bits(&rng, LANES) | 1;
        int rm = vl_chance(&rng, 100) ? DYN : (int)vl_below(&rng, 5), frm[LANES];
        unsigned warp = vl_below(&rng, WARPS), cycles = 0, want_cycles = 3;
        int k[LANES / DIV_LANES]; /* of each pass; -1: nothing iterates */
        exact_t want[LANES];

        memset(&in, 0, sizeof in);
        in.frm_valid = true;
        in.frm.warp = (__typeof__(in.frm.warp))warp;
        in.frm.mask = (__typeof__(in.frm.mask))~0ull;
        for (unsigned l = 0; l < LANES; l++)
            in.frm.frm[l] = (uint8_t)(frm[l] = (int)vl_below(&rng, 5));
        fdiv_rtl_tick(m, &in, false);
        memset(k, -1, sizeof k);
        memset(&in, 0, sizeof in);
        in.ops_valid = true;
        in.ops.pipe = PIPE_FDIV;
        in.ops.op = op;
        in.ops.warp = (__typeof__(in.ops.warp))warp;
        in.ops.first = in.ops.last = true;
        in.ops.rd = 9;
        in.ops.instr = isa_rows[op].match | (uint32_t)rm << 12;
        in.ops.mask = (__typeof__(in.ops.mask))mask;
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t a, b;
            operands(op, v[l]);
            in.ops.rs1[l] = v[l][0];
            in.ops.rs2[l] = v[l][1];
            want[l] = expected(op, v[l], rm == DYN ? frm[l] : rm);
            if (plant >= 0 && l == 0)
                want[l].value ^= plant < 64 ? 1ull << plant : 0, want[l].flags ^= plant < 64 ? 0 : 1u << (plant - 64);
            a = (uint32_t)v[l][0];
            b = op == OP_FDIV_S ? (uint32_t)v[l][1] : 0x3f800000;
            if (!(mask >> l & 1) || is_nan(a) || is_inf(a) || is_zero(a) || is_nan(b) || is_inf(b) || is_zero(b)
                || (op == OP_FSQRT_S && a >> 31))
                continue;
            int n = (int)(lead(a) > lead(b) ? lead(a) : lead(b)), *most = &k[l / DIV_LANES];
            *most = n > *most ? n : *most;
        }
        for (unsigned g = 0; g < LANES / DIV_LANES; g++)
            if (mask >> g * DIV_LANES & ((1ull << DIV_LANES) - 1))
                want_cycles += k[g] < 0 ? 2 : 15 + (unsigned)k[g];
        do {
            fdiv_rtl_tick(m, &in, false);
            in.ops_valid = false;
            fdiv_rtl_out(m, &out);
            cycles++;
        } while (!out.fdiv_res_valid && cycles < 50 * LANES);
        if (cycles != want_cycles || out.fdiv_res.mask != mask || out.fdiv_flags.mask != mask || out.fdiv_res.rd != 9
            || out.fdiv_res.warp != warp || out.fdiv_flags.warp != warp || !out.fdiv_flags_valid) {
            if (wrong++ < 5 && plant < 0)
                printf("  %s: %u cycles, want %u\n", isa_rows[op].mnemonic, cycles, want_cycles);
        }
        for (unsigned l = 0; l < LANES; l++) {
            if (!(mask >> l & 1))
                continue;
            ++*checks;
            wrong_value(op, v[l], rm == DYN ? frm[l] : rm, out.fdiv_res.data[l], out.fdiv_flags.flags[l], want[l],
                        &wrong, plant >= 0);
        }
    }
    fdiv_rtl_free(m);
    return wrong;
}

static uint64_t run(op_e op, uint64_t beats, int plant, uint64_t *checks)
{
    return isa_rows[op].pipe == PIPE_FDIV ? run_fdiv(op, beats / 4, plant, checks) : run_fpu(op, beats, plant, checks);
}

int main(int argc, char **argv)
{
    uint64_t beats = argc > 2 ? strtoull(argv[2], NULL, 0) : 60000, checks, wrong, total = 0;

    seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    rng.s = seed;
    printf("seed %" PRIu64 "\n", seed);
    check_reference(beats * 20);
    for (op_e op = OP_FMADD_S; op <= OP_FCLASS_S; op++) {
        wrong = run(op, beats, -1, &checks);
        total += checks;
        verdict(isa_rows[op].mnemonic, checks, wrong);
    }
    /* A wrong expectation in one lane, value or flag, must be noticed. */
    wrong = 0;
    for (int plant = 0; plant < 69; plant++) {
        if (run(OP_FMADD_S, 64, plant, &checks) == 0 || run(OP_FDIV_S, 64, plant, &checks) == 0)
            wrong++;
    }
    verdict("planted differences are seen", 69 * 2, wrong);
    printf("%" PRIu64 " results compared\n%u passed, %u failed\n", total, passed, failed);
    return failed != 0;
}
