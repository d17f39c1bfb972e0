/* Bench of fdiv: divisions and roots of corner operands, up to BEATS beats inside, rounding modes written and warps started while
 * others are at work. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 80000
#include "fdiv_ports.h"
#include "verif/core/fdiv/page.h"
#include "verif/common/bench.h"
#include "verif/core/fp_stimulus.h"
#include "verif/core/stimulus.h"

enum {
    COV_MODES,
    COV_NX,
    COV_UF,
    COV_OF,
    COV_DZ,
    COV_NV,
    COV_SUBNORMAL,
    COV_VANISH,
    COV_EXACT,
    COV_DIV,
    COV_ZERO_ZERO = COV_DIV,
    COV_X_ZERO,
    COV_INF_INF,
    COV_X_INF,
    COV_INF_X,
    COV_ZERO_X,
    COV_DIV_NAN,
    COV_DIV_SNAN,
    COV_ROOT,
    COV_ROOT_MINUS_ZERO = COV_ROOT,
    COV_ROOT_ZERO,
    COV_ROOT_MINUS,
    COV_ROOT_MINUS_INF,
    COV_ROOT_INF,
    COV_ROOT_NAN,
    COV_ROOT_SNAN,
    COV_NONE_ITERATES,
    COV_PASSES,
    COV_SKIP_FIRST,
    COV_SKIP_INNER,
    COV_SKIP_LAST,
    COV_SKIP_FAULT,
    COV_HALF,
    COV_K0,
    COV_K_MIXED,
    COV_K23,
    COV_K_OF_OTHERS,
    COV_PARTIAL,
    COV_EMPTY,
    COV_FAULT_SOME,
    COV_FAULT_ALL,
    COV_FULL,
    COV_FRM,
    COV_START,
    COV_FRM_READ,
    COV_START_READ,
    COV_RD0,
    COV_N
};
static const char *const cover[] = {"both operations with every rounding mode, static and dynamic, in one run",
                                    "NX",
                                    "UF",
                                    "OF",
                                    "DZ",
                                    "NV",
                                    "subnormal result",
                                    "underflow to zero",
                                    "exact result",
                                    "0/0",
                                    "x/0",
                                    "inf/inf",
                                    "x/inf",
                                    "inf/x",
                                    "0/x",
                                    "division with a quiet NaN",
                                    "division with a signalling NaN",
                                    "root of -0",
                                    "root of 0",
                                    "root below 0",
                                    "root of -inf",
                                    "root of inf",
                                    "root of a quiet NaN",
                                    "root of a signalling NaN",
                                    "no lane iterates",
                                    "every number of passes in one run",
                                    "groups skipped before one with a pass",
                                    "between two",
                                    "after one",
                                    "a group skipped because its lanes fault",
                                    "passes with and without iteration in one beat",
                                    "all operands normal",
                                    "subnormal operands with different k",
                                    "k = 23",
                                    "largest k in a lane that does not iterate or is masked",
                                    "partial mask",
                                    "mask 0",
                                    "some lanes fault",
                                    "all lanes fault",
                                    "BEATS beats inside",
                                    "frm written while another warp is at work",
                                    "warp started while another is at work",
                                    "frm written as another warp's beat is taken",
                                    "warp started as another's beat is taken",
                                    "no destination"};

typedef struct {
    operands_t ops;
    unsigned beat, inside;
    bool running, lone; /* lone: the beat of the last cycle found the block empty, and is taken now */
    uint8_t warp[BEATS]; /* of the beats inside, oldest first */
    uint8_t frm[WARPS][BEATS][LANES];
    bool seen[2][2][5];
    uint64_t passes; /* numbers of passes that were seen, a bit each */
    bench_homes_t homes;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b;
    page_begin(&e->page);
    homes_begin(&e->homes);
}

static bool nan_of(uint32_t a)
{
    return (a & 0x7fffffff) > 0x7f800000;
}

static bool snan(uint32_t a)
{
    return nan_of(a) && !(a & 0x400000);
}

/* Leading zeros of the significand of a number that needs the recurrence, else -1. */
static int zeros(uint32_t a)
{
    uint32_t m = a & 0x7fffffff;
    return !m || m >= 0x7f800000 ? -1 : m >> 23 ? 0 : __builtin_clz(m) - 8;
}

static int zeros_of(const operands_t *p, unsigned l)
{
    int x = zeros((uint32_t)p->rs1[l]), y = zeros((uint32_t)p->rs2[l]);
    if (p->op == OP_FSQRT_S)
        return p->rs1[l] & 0x80000000 ? -1 : x;
    return x < 0 || y < 0 ? -1 : x > y ? x : y;
}

static void draw(bench_t *b, env_t *e)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &e->ops;
    memset(p, 0, sizeof *p);
    stim_beat(r, p, stim_mask(r, ALL_THREADS), 0);
    p->pipe = PIPE_FDIV;
    p->op = vl_chance(r, 128) ? OP_FDIV_S : OP_FSQRT_S;
    p->instr = stim_word(r, (op_e)p->op);
    if (vl_chance(r, 100))
        p->instr |= 7 << 12;
    p->rd = vl_chance(r, 20) ? 0 : p->instr >> 7 & 31;
    e->running = true;
    e->beat = 0;
}

static void operands(bench_t *b, operands_t *p)
{
    struct vl_rng *r = &b->rng;
    unsigned style = vl_below(r, 4), longest = vl_below(r, 24);
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t x, y, z;
        stim_floats(r, &x, &y, &z);
        if (vl_chance(r, 60)) { /* an exact quotient, a perfect square */
            uint32_t few = (uint32_t)vl_random(r) >> 20, more = ((uint32_t)vl_random(r) >> 20) + 1;
            float q = (float)(p->op == OP_FSQRT_S ? few * few : few * more) * (vl_chance(r, 128) ? 1.0f : 0x1p-140f),
                  d = (float)more;
            memcpy(&x, &q, 4);
            memcpy(&y, &d, 4);
        }
        if (style == 1) { /* normal numbers */
            x = zeros(x) ? (x & 0x807fffff) | 0x3f800000 : x;
            y = zeros(y) ? (y & 0x807fffff) | 0x40000000 : y;
        } else if (style == 2) { /* subnormal ones, of `longest` zeros at most */
            x = (x & 0x807fffff) | 0x800000 >> vl_below(r, longest + 1);
            x &= zeros(x) > (int)longest ? 0x80000000 : ~0u;
            y = vl_chance(r, 128) ? y & 0x80ffffff : y;
            if (zeros(y) > (int)longest)
                y |= 0x3f800000;
        } else if (style == 3 && vl_chance(r, 200)) { /* no recurrence */
            static const uint32_t special[] = {0, 0x7f800000, 0x7fc00000, 0x7f800123, 0x7fffffff};
            x = special[vl_below(r, 5)] | (x & 0x80000000);
            y = vl_chance(r, 128) ? special[vl_below(r, 5)] | (y & 0x80000000) : y;
        }
        if (p->op == OP_FSQRT_S && vl_chance(r, style == 3 ? 100 : 200))
            x &= 0x7fffffff;
        p->rs1[l] = x | vl_random(r) << 32;
        p->rs2[l] = y | vl_random(r) << 32;
        p->rs3[l] = z | vl_random(r) << 32;
    }
}

static void cover_lane(bench_t *b, const operands_t *p, unsigned l)
{
    uint32_t x = (uint32_t)p->rs1[l], y = (uint32_t)p->rs2[l], mx = x & 0x7fffffff, my = y & 0x7fffffff;
    bool xi = mx == 0x7f800000, yi = my == 0x7f800000;
    if (p->op == OP_FSQRT_S) {
        BENCH_COVER(b, COV_ROOT_ZERO, x == 0);
        BENCH_COVER(b, COV_ROOT_MINUS_ZERO, x == 0x80000000);
        BENCH_COVER(b, COV_ROOT_MINUS, x >> 31 && zeros(x) >= 0);
        BENCH_COVER(b, COV_ROOT_MINUS_INF, x == 0xff800000);
        BENCH_COVER(b, COV_ROOT_INF, x == 0x7f800000);
        BENCH_COVER(b, COV_ROOT_NAN, nan_of(x) && !snan(x));
        BENCH_COVER(b, COV_ROOT_SNAN, snan(x));
        return;
    }
    BENCH_COVER(b, COV_ZERO_ZERO, !mx && !my);
    BENCH_COVER(b, COV_X_ZERO, zeros(x) >= 0 && !my);
    BENCH_COVER(b, COV_INF_INF, xi && yi);
    BENCH_COVER(b, COV_X_INF, zeros(x) >= 0 && yi);
    BENCH_COVER(b, COV_INF_X, xi && zeros(y) >= 0);
    BENCH_COVER(b, COV_ZERO_X, !mx && zeros(y) >= 0);
    BENCH_COVER(b, COV_DIV_NAN, (nan_of(x) || nan_of(y)) && !snan(x) && !snan(y));
    BENCH_COVER(b, COV_DIV_SNAN, snan(x) || snan(y));
}

enum { PASSES = LANES / DIV_LANES };

/* Which groups have a pass; `good` is the reduced mask, `iterates` the lanes of it that iterate. */
static void cover_passes(bench_t *b, env_t *e, uint64_t mask, uint64_t good, uint64_t iterates)
{
    uint64_t groups = 0, work = 0, faulty = 0;
    for (unsigned g = 0; g < PASSES; g++) {
        uint64_t lanes = ((1ull << DIV_LANES) - 1) << g * DIV_LANES;
        groups |= (uint64_t)((good & lanes) != 0) << g;
        work |= (uint64_t)((iterates & lanes) != 0) << g;
        faulty |= (uint64_t)((mask & lanes) && !(good & lanes)) << g;
    }
    uint64_t filled = groups | (groups - 1); /* a zero bit in it is then a gap */
    e->passes |= 1ull << __builtin_popcountll(groups);
    BENCH_COVER(b, COV_PASSES, e->passes >> 1 == (1ull << PASSES) - 1);
    BENCH_COVER(b, COV_SKIP_FIRST, PASSES < 2 || (groups && !(groups & 1)));
    BENCH_COVER(b, COV_SKIP_INNER, PASSES < 3 || (groups && filled & (filled + 1)));
    BENCH_COVER(b, COV_SKIP_LAST, PASSES < 2 || (groups && !(groups >> (PASSES - 1))));
    BENCH_COVER(b, COV_SKIP_FAULT, PASSES < 2 || (groups && faulty));
    BENCH_COVER(b, COV_HALF, PASSES < 2 || (work && work != groups));
}

static void send(bench_t *b, env_t *e, fdiv_in_t *in)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &in->ops;
    in->ops_valid = true;
    stim_beat_of(r, p, &e->ops, e->beat);
    operands(b, p);
    e->lone = !e->inside;
    e->warp[e->inside++] = p->warp;
    if (++e->beat == BEATS)
        e->running = false;

    uint64_t bad = 0, iterates = 0;
    unsigned rm = p->instr >> 12 & 7, mixed = 0;
    int k = -1, other = -1;
    for (unsigned l = 0; l < LANES; l++) {
        unsigned mode = rm == 7 ? e->frm[e->homes.home[p->warp][p->beat * LANES + l]][p->beat][l] : rm;
        int n = zeros_of(p, l), size = zeros((uint32_t)p->rs1[l]);
        if (p->mask >> l & 1 && mode < 5) {
            e->seen[p->op == OP_FSQRT_S][rm == 7][mode] = true;
            cover_lane(b, p, l);
            k = n > k ? n : k;
            iterates |= (uint64_t)(n >= 0) << l;
            other = n < 0 && size > other ? size : other;
            mixed |= n > 0 ? 1u << n : 0;
        } else {
            bad |= (uint64_t)(p->mask >> l & 1) << l;
            other = n > other ? n : other;
        }
    }
    cover_passes(b, e, p->mask, p->mask & ~bad, iterates);
    BENCH_COVER(b, COV_NONE_ITERATES, k < 0);
    BENCH_COVER(b, COV_K0, k == 0);
    BENCH_COVER(b, COV_K23, k == 23);
    BENCH_COVER(b, COV_K_MIXED, mixed & (mixed - 1));
    BENCH_COVER(b, COV_K_OF_OTHERS, k >= 0 && other > k);
    BENCH_COVER(b, COV_PARTIAL, p->mask && p->mask != ALL_LANES);
    BENCH_COVER(b, COV_EMPTY, !p->mask);
    BENCH_COVER(b, COV_FAULT_SOME, bad && bad != p->mask);
    BENCH_COVER(b, COV_FAULT_ALL, bad && bad == p->mask);
    BENCH_COVER(b, COV_RD0, !p->rd);
}

/* A warp with nothing inside and nothing on the way. */
static bool at_rest(const void *env, unsigned w)
{
    const env_t *e = env;
    if (e->running && e->ops.warp == w)
        return false;
    for (unsigned i = 0; i < e->inside; i++)
        if (e->warp[i] == w)
            return false;
    return true;
}

static void stimulate(bench_t *b, env_t *e, const fdiv_out_t *out, fdiv_in_t *in)
{
    struct vl_rng *r = &b->rng;
    homes_move(r, &e->homes, at_rest, e);
    if (out->fdiv_res_valid) {
        BENCH_CHECK(b, e->inside && e->warp[0] == out->fdiv_res.warp, "a result out of order");
        memmove(e->warp, e->warp + 1, --e->inside);
        for (unsigned l = 0; l < LANES; l++)
            if (out->fdiv_res.mask >> l & 1) {
                uint32_t v = (uint32_t)out->fdiv_res.data[l] & 0x7fffffff;
                unsigned f = out->fdiv_flags.flags[l];
                for (unsigned i = 0; i < 5; i++)
                    BENCH_COVER(b, COV_NX + i, f >> i & 1);
                BENCH_COVER(b, COV_SUBNORMAL, v && v < 0x800000);
                BENCH_COVER(b, COV_VANISH, !v && f & 2);
                BENCH_COVER(b, COV_EXACT, zeros(v) == 0 && !f);
            }
    }
    /* A beat is taken when the block is empty, or in the cycle in which the result before it is seen. */
    bool taken = e->lone || (out->fdiv_res_valid && e->inside);
    e->lone = false;
    if (!e->running && vl_chance(r, b->mode == 3 ? 5 : 180))
        draw(b, e);
    if (e->running && e->inside < BEATS && vl_chance(r, b->mode == 2 ? 256 : 120)) {
        send(b, e, in);
    } else {
        operands_t_random(r, &in->ops);
        static const uint8_t others[] = {PIPE_ALU, PIPE_MUL, PIPE_DIV, PIPE_FPU, PIPE_LSU};
        in->ops.pipe = others[vl_below(r, 5)];
        in->ops_valid = vl_chance(r, b->mode == 3 ? 10 : 128);
    }
    BENCH_COVER(b, COV_FULL, e->inside == BEATS);

    unsigned w = vl_below(r, WARPS), v = vl_below(r, WARPS);
    if (vl_chance(r, b->mode == 3 ? 5 : 80) && at_rest(e, w)) {
        frm_t *f = &in->frm;
        in->frm_valid = true;
        frm_t_random(r, f);
        f->warp = (uint8_t)w;
        f->beat = vl_below(r, BEATS);
        unsigned all = vl_chance(r, 128) ? vl_below(r, 5) : vl_below(r, 16);
        for (unsigned l = 0; l < LANES; l++) {
            if (all < 8)
                f->frm[l] = (uint8_t)all;
            if (f->mask >> l & 1)
                e->frm[e->homes.home[w][f->beat * LANES + l]][f->beat][l] = f->frm[l];
        }
        BENCH_COVER(b, COV_FRM, e->inside);
        BENCH_COVER(b, COV_FRM_READ, taken);
    }
    if (vl_chance(r, 8) && !in->frm_valid && at_rest(e, v) && homes_back(&e->homes, v, at_rest, e)) {
        in->start_valid = true;
        start_t_random(r, &in->start);
        in->start.warp = (uint8_t)v;
        memset(e->frm[v], 0, sizeof e->frm[v]);
        BENCH_COVER(b, COV_START, e->inside);
        BENCH_COVER(b, COV_START_READ, taken);
    }
    HOMES_SHOW(&e->homes, in);
    if (b->cycle % 1000 == 999) {
        bool all = true;
        for (unsigned i = 0; i < 20; i++)
            all = all && e->seen[i / 10][i / 5 % 2][i % 5];
        BENCH_COVER(b, COV_MODES, all);
    }
}

SCOREBOARD_DRIVE(fdiv, env_t, stimulate)
BENCH_MAIN(fdiv, env_t, start, drive, cover, COV_N)
