/* Bench of mul: all operations with corner operands, back to back and with gaps. */
#include "mul_ports.h"
#include "verif/core/mul/page.h"
#include "verif/common/bench.h"
#include "verif/core/stimulus.h"

enum { COV_ALL, COV_RUN, COV_RD0, COV_CORNER, COV_LONE, COV_N };
static const char *const cover[] = {"every operation in one run", "eight beats back to back", "no destination",
                                    "extreme operands in both places", "a beat alone in the pipe"};
typedef struct {
    bool seen[ISA_OPS];
    unsigned run, quiet;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void stimulate(bench_t *b, env_t *e, const mul_out_t *out, mul_in_t *in)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &in->ops;
    (void)out;
    operands_t_random(r, p);
    in->ops_valid = vl_chance(r, b->mode == 0 ? 250 : b->mode == 1 ? 128 : 30);
    if (vl_chance(r, 230)) {
        p->op = stim_op(r, PIPE_MUL);
        p->pipe = PIPE_MUL;
    } else {
        p->pipe = vl_below(r, 6);
        if (p->pipe == PIPE_MUL)
            p->pipe = PIPE_LSU;
    }
    p->instr = stim_word(r, OP_MUL);
    p->rd = vl_chance(r, 32) ? 0 : p->instr >> 7 & 31;
    for (unsigned l = 0; l < LANES; l++) {
        p->rs1[l] = stim_value(r);
        p->rs2[l] = stim_value(r);
        BENCH_COVER(b, COV_CORNER,
                    in->ops_valid && p->op == OP_MULH && p->rs1[l] == 1ull << 63 && p->rs2[l] == 1ull << 63);
    }
    bool take = in->ops_valid && p->pipe == PIPE_MUL;
    BENCH_COVER(b, COV_LONE, take && e->quiet > 4);
    e->run = take ? e->run + 1 : 0;
    e->quiet = take ? 0 : e->quiet + 1;
    if (take)
        e->seen[p->op] = true;
    BENCH_COVER(b, COV_RUN, e->run >= 8);
    BENCH_COVER(b, COV_RD0, take && !p->rd);
    BENCH_COVER(b, COV_ALL,
                e->seen[OP_MUL] && e->seen[OP_MULH] && e->seen[OP_MULHSU] && e->seen[OP_MULHU] && e->seen[OP_MULW]);
}

SCOREBOARD_DRIVE(mul, env_t, stimulate)
BENCH_MAIN(mul, env_t, start, drive, cover, COV_N)
