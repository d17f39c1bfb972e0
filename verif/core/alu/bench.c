/* Bench of alu: every operation of its pipe with corner operands, beats with gaps and with beats of other pipes between them. */
#define BENCH_CYCLES 40000
#include "alu_ports.h"
#include "verif/core/alu/page.h"
#include "verif/common/bench.h"
#include "verif/core/stimulus.h"

enum {
    COV_ALL,
    COV_SHIFT0,
    COV_SHIFT31,
    COV_SHIFT32,
    COV_SHIFT63,
    COV_B_ALL,
    COV_B_NONE,
    COV_B_SOME,
    COV_J_LATE,
    COV_J_SPLIT,
    COV_J_SPLIT_BEATS,
    COV_MIS_TAKEN,
    COV_MIS_NOT,
    COV_MIS_JAL,
    COV_MIS_JALR,
    COV_RD0,
    COV_GAP,
    COV_N
};
static const char *const cover[] = {"every operation of the pipe in one run",
                                    "shift by 0",
                                    "shift by 31",
                                    "shift by 32",
                                    "shift by 63",
                                    "branch taken by all",
                                    "branch taken by none",
                                    "branch taken by some",
                                    "jalr whose first beat has no active lane",
                                    "jalr with two targets",
                                    "jalr with two targets in different beats",
                                    "misaligned branch taken",
                                    "misaligned branch not taken",
                                    "misaligned jal",
                                    "misaligned jalr",
                                    "no destination",
                                    "gap inside an instruction"};

typedef struct {
    operands_t ops; /* the instruction under way */
    unsigned beat; /* its next beat */
    bool running, gap, split, seen[ISA_OPS];
    uint64_t base, other; /* jalr */
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void begin(bench_t *b, env_t *e)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &e->ops;
    memset(p, 0, sizeof *p);
    op_e op = stim_op(r, PIPE_ALU);
    if (vl_chance(r, 64))
        op = (op_e)(OP_JAL + vl_below(r, OP_BGEU - OP_JAL + 1));
    p->op = op;
    p->pipe = PIPE_ALU;
    p->instr = stim_word(r, op);
    p->imm = (uint64_t)isa_imm(p->instr, op);
    if (op >= OP_JAL && op <= OP_BGEU && vl_chance(r, 200))
        p->imm &= ~2ull;
    p->pc = vl_random_bits(r, PA_W) & ~3ull;
    if (vl_chance(r, 16))
        p->pc = vl_chance(r, 128) ? 0 : (1ull << PA_W) - 4;
    bool rd = isa_rows[op].format != FMT_B;
    p->rd = rd && !vl_chance(r, 24) ? p->instr >> 7 & 31 : 0;
    stim_beat(r, p, stim_mask(r, ALL_THREADS), 0);
    if (BEATS > 1 && vl_chance(r, 64) && (p->tmask & ~ALL_LANES))
        p->tmask &= ~ALL_LANES;
    e->base = stim_value(r);
    if (vl_chance(r, 200))
        e->base &= ~3ull, e->base -= p->imm & 3;
    e->other = vl_chance(r, 128) ? e->base : e->base + 8;
    e->beat = 0;
    e->running = true;
    e->gap = e->split = false;
    e->seen[op] = true;
}

/* The beat's operands. */
static void beat(bench_t *b, env_t *e, operands_t *p)
{
    struct vl_rng *r = &b->rng;
    *p = e->ops;
    p->beat = e->beat;
    p->first = e->beat == 0;
    p->last = e->beat == BEATS - 1;
    p->mask = p->tmask >> e->beat * LANES & ALL_LANES;
    unsigned alike = vl_below(r, 4);
    for (unsigned l = 0; l < LANES; l++) {
        p->rs1[l] = stim_value(r);
        p->rs2[l] = alike == 0 || (alike == 1 && vl_chance(r, 128)) ? p->rs1[l] : stim_value(r);
        if (p->op == OP_JALR)
            p->rs1[l] = vl_chance(r, 160) ? e->base : vl_chance(r, 200) ? e->other : stim_value(r);
        unsigned format = isa_rows[p->op].format;
        bool reg = format == FMT_R;
        if (format == FMT_U || format == FMT_J)
            p->rs1[l] = p->op == OP_AUIPC ? p->pc : 0;
        bool csr = format == FMT_CSR || format == FMT_CSRI;
        if (!reg && !csr && format != FMT_B)
            p->rs2[l] = 0;
        unsigned n = (unsigned)(reg ? p->rs2[l] : p->imm) & 63;
        if (p->op == OP_SLL || p->op == OP_SRA || p->op == OP_SRLI || p->op == OP_ROR || p->op == OP_BSET) {
            BENCH_COVER(b, COV_SHIFT0, n == 0);
            BENCH_COVER(b, COV_SHIFT31, n == 31);
            BENCH_COVER(b, COV_SHIFT32, n == 32);
            BENCH_COVER(b, COV_SHIFT63, n == 63);
        }
    }
}

static void stimulate(bench_t *b, env_t *e, const alu_out_t *out, alu_in_t *in)
{
    struct vl_rng *r = &b->rng;
    if (out->cf_valid) {
        bool cond = !out->cf.indirect && e->ops.op != OP_JAL;
        uint64_t taken = out->cf.taken;
        BENCH_COVER(b, COV_B_ALL, cond && taken == out->cf.tmask);
        BENCH_COVER(b, COV_B_NONE, cond && !taken);
        BENCH_COVER(b, COV_B_SOME, cond && taken && taken != out->cf.tmask);
        BENCH_COVER(b, COV_J_SPLIT, out->cf.indirect && taken != out->cf.tmask);
        /* Threads of another beat than the leader's went elsewhere, too, while its own beat agreed. */
        BENCH_COVER(b, COV_J_SPLIT_BEATS,
                    out->cf.indirect && taken != out->cf.tmask
                        && (BEATS == 1 || ((out->cf.tmask & ~taken) & ~ALL_LANES)));
        BENCH_COVER(b, COV_MIS_TAKEN, cond && out->cf.misaligned);
        BENCH_COVER(b, COV_MIS_NOT, cond && !taken && out->cf.target & 2);
        BENCH_COVER(b, COV_MIS_JAL, !out->cf.indirect && !cond && out->cf.misaligned);
        BENCH_COVER(b, COV_MIS_JALR, out->cf.indirect && out->cf.misaligned);
        BENCH_CHECK(b, (out->cf.taken & ~out->cf.tmask) == 0, "taken has threads that do not execute");
    }
    if (!e->running && !vl_chance(r, 40))
        begin(b, e);
    bool gap = vl_chance(r, b->mode == 0 ? 0 : 80);
    if (e->running && !gap) {
        in->ops_valid = true;
        beat(b, e, &in->ops);
        BENCH_COVER(b, COV_RD0, !in->ops.rd);
        BENCH_COVER(b, COV_GAP, BEATS == 1 || (e->gap && e->beat));
        BENCH_COVER(b, COV_J_LATE, in->ops.op == OP_JALR && (BEATS == 1 || (e->beat && !(in->ops.tmask & ALL_LANES))));
        e->gap = false;
        if (++e->beat == BEATS)
            e->running = false;
    } else {
        e->gap = e->running;
        in->ops_valid = vl_chance(r, 128); /* another pipe's beat */
        operands_t_random(r, &in->ops);
        in->ops.pipe = 1 + vl_below(r, 5);
    }
    if (b->cycle + 1 == b->cycles) {
        bool all = true;
        for (unsigned op = 1; op < ISA_OPS; op++)
            if (isa_rows[op].mask && isa_rows[op].pipe == PIPE_ALU)
                all = all && e->seen[op];
        BENCH_COVER(b, COV_ALL, all);
    }
}

SCOREBOARD_DRIVE(alu, env_t, stimulate)
BENCH_MAIN(alu, env_t, start, drive, cover, COV_N)
