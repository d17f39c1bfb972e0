/* Bench of idiv: instructions of BEATS beats under the credits of issue (a beat's credit comes back some cycles after its result). */
#define BENCH_CYCLES 60000
#include "idiv_ports.h"
#include "verif/core/idiv/page.h"
#include "verif/common/bench.h"
#include "verif/core/stimulus.h"

enum {
    COV_PASSES,
    COV_SKIP_FIRST,
    COV_SKIP_INNER,
    COV_SKIP_LAST,
    COV_MIXED,
    COV_ALL,
    COV_ZERO,
    COV_OVER64,
    COV_OVER32,
    COV_SHORT,
    COV_LONG = COV_SHORT + 8,
    COV_INACTIVE,
    COV_EMPTY,
    COV_FULL,
    COV_RD0,
    COV_N
};
static const char *const cover[] = {"every number of passes in one run",
                                    "groups skipped before one with a pass",
                                    "between two",
                                    "after one",
                                    "passes of different B in one beat",
                                    "every operation in one run",
                                    "divisor 0",
                                    "overflow of 64 bits",
                                    "overflow of 32 bits",
                                    "dividends of 0 bytes",
                                    "1 byte",
                                    "2 bytes",
                                    "3 bytes",
                                    "4 bytes",
                                    "5 bytes",
                                    "6 bytes",
                                    "7 bytes",
                                    "8 bytes",
                                    "an inactive lane with the longest dividend of its group",
                                    "no active lane",
                                    "every beat of an instruction inside",
                                    "no destination"};
typedef struct {
    operands_t ops;
    unsigned beat, out, back[64], backs; /* beats on the way; cycles until credits come back */
    bool running, seen[ISA_OPS];
    uint64_t passes; /* numbers of passes that were seen, a bit each */
    page_t page;
} env_t;

enum { PASSES = LANES / DIV_LANES };

/* Coverage of the passes of a beat, by the lengths (bytes) of its dividends. */
static void cover_passes(bench_t *b, env_t *e, uint64_t mask, const unsigned *bytes)
{
    uint64_t groups = 0;
    unsigned shortest = 8, longest = 0;
    for (unsigned g = 0; g < PASSES; g++) {
        unsigned active = 0, inactive = 0;
        uint64_t lanes = mask >> g * DIV_LANES & ((1ull << DIV_LANES) - 1);
        for (unsigned d = 0; d < DIV_LANES; d++) {
            unsigned n = bytes[g * DIV_LANES + d], *most = lanes >> d & 1 ? &active : &inactive;
            *most = n > *most ? n : *most;
        }
        BENCH_COVER(b, COV_INACTIVE, DIV_LANES == 1 || (lanes && inactive > active));
        if (!lanes)
            continue;
        groups |= 1ull << g;
        BENCH_COVER(b, COV_SHORT + active, true);
        shortest = active < shortest ? active : shortest;
        longest = active > longest ? active : longest;
    }
    e->passes |= 1ull << __builtin_popcountll(groups);
    BENCH_COVER(b, COV_PASSES, e->passes >> 1 == (1ull << PASSES) - 1);
    BENCH_COVER(b, COV_SKIP_FIRST, PASSES < 2 || (groups && !(groups & 1)));
    uint64_t filled = groups | (groups - 1); /* a zero bit in it is then a gap */
    BENCH_COVER(b, COV_SKIP_INNER, PASSES < 3 || (groups && filled & (filled + 1)));
    BENCH_COVER(b, COV_SKIP_LAST, PASSES < 2 || (groups && !(groups >> (PASSES - 1))));
    BENCH_COVER(b, COV_MIXED, PASSES < 2 || longest > shortest);
}

SCOREBOARD_START(env_t)

static void stimulate(bench_t *b, env_t *e, const idiv_out_t *out, idiv_in_t *in)
{
    struct vl_rng *r = &b->rng;
    if (out->div_res_valid) {
        BENCH_CHECK(b, e->out > 0, "a result without an operation");
        e->back[e->backs++] = 1 + vl_below(r, b->mode == 0 ? 1 : 12);
    }
    for (unsigned i = 0; i < e->backs;)
        if (--e->back[i] == 0)
            e->back[i] = e->back[--e->backs], e->out--;
        else
            i++;

    if (!e->running && e->out + BEATS <= BEATS && vl_chance(r, b->mode == 3 ? 20 : 200)) {
        memset(&e->ops, 0, sizeof e->ops);
        e->ops.op = stim_op(r, PIPE_DIV);
        e->ops.pipe = PIPE_DIV;
        e->ops.instr = stim_word(r, (op_e)e->ops.op);
        e->ops.rd = vl_chance(r, 20) ? 0 : e->ops.instr >> 7 & 31;
        stim_beat(r, &e->ops, stim_mask(r, ALL_THREADS), 0);
        e->seen[e->ops.op] = true;
        e->running = true;
        e->beat = 0;
        e->out += BEATS;
    }
    operands_t *p = &in->ops;
    if (e->running) {
        in->ops_valid = true;
        stim_beat_of(r, p, &e->ops, e->beat);
        bool word = p->op == OP_DIVW || p->op == OP_DIVUW || p->op == OP_REMW || p->op == OP_REMUW;
        bool is_signed = p->op == OP_DIV || p->op == OP_REM || p->op == OP_DIVW || p->op == OP_REMW;
        unsigned len = vl_below(r, 9), lengths[LANES];
        for (unsigned l = 0; l < LANES; l++) {
            unsigned mylen = vl_chance(r, 60) ? vl_below(r, 9) : len;
            uint64_t m = mylen == 8 ? ~0ull : (1ull << 8 * mylen) - 1;
            uint64_t x = stim_value(r) & m;
            p->rs1[l] = vl_chance(r, 100) ? -x : x;
            p->rs2[l] = vl_chance(r, 40) ? 0 : stim_value(r);
            if (vl_chance(r, 30))
                p->rs1[l] = vl_chance(r, 128) ? 1ull << 63 : 0xffffffff80000000, p->rs2[l] = ~0ull;
            uint64_t v = word ? is_signed ? (uint64_t)(int64_t)(int32_t)p->rs1[l] : (uint32_t)p->rs1[l] : p->rs1[l];
            if (is_signed && (int64_t)v < 0)
                v = -v;
            lengths[l] = v ? (71 - (unsigned)__builtin_clzll(v)) / 8 : 0;
            bool on = p->mask >> l & 1;
            BENCH_COVER(b, COV_ZERO, on && !p->rs2[l]);
            BENCH_COVER(b, COV_OVER64, on && is_signed && !word && p->rs1[l] == 1ull << 63 && p->rs2[l] == ~0ull);
            BENCH_COVER(b, COV_OVER32,
                        on && is_signed && word && (uint32_t)p->rs1[l] == 1u << 31 && (uint32_t)p->rs2[l] == ~0u);
        }
        cover_passes(b, e, p->mask, lengths);
        BENCH_COVER(b, COV_EMPTY, !p->mask);
        BENCH_COVER(b, COV_RD0, !p->rd);
        BENCH_COVER(b, COV_FULL, e->beat == BEATS - 1);
        if (++e->beat == BEATS)
            e->running = false;
    } else {
        operands_t_random(r, p);
        in->ops_valid = vl_chance(r, 60);
        p->pipe = PIPE_FPU + vl_below(r, 3);
    }
    bool all = true;
    for (unsigned op = OP_DIV; op <= OP_REMUW; op++)
        all = all && (e->seen[op] || isa_rows[op].pipe != PIPE_DIV);
    BENCH_COVER(b, COV_ALL, all);
}

SCOREBOARD_DRIVE(idiv, env_t, stimulate)
BENCH_MAIN(idiv, env_t, start, drive, cover, COV_N)
