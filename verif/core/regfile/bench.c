/* Bench of regfile: random issue and results over few warps and registers, under the credits of issue; starts of warps that have nothing
 * under way. */
#define BENCH_CYCLES 40000
#include "regfile_ports.h"
#include "verif/core/regfile/page.h"
#include "verif/common/bench.h"
#include "verif/core/stimulus.h"

enum { Q_LSU, Q_FPU, Q_DIV, Q_FDIV, QUEUES };
static const uint8_t pipe_of[QUEUES] = {PIPE_LSU, PIPE_FPU, PIPE_DIV, PIPE_FDIV};
static const unsigned places[QUEUES] = {2, FPU_RESULT_DEPTH, BEATS, BEATS};
enum {
    COV_BYPASS1,
    COV_BYPASS2,
    COV_BYPASS3,
    COV_BYPASS_OUT,
    COV_UNWRITTEN,
    COV_AFTER_START,
    COV_FULL,
    COV_CHOSEN = COV_FULL + QUEUES,
    COV_ALU_WAITS = COV_CHOSEN + QUEUES,
    COV_HOLD,
    COV_RD0,
    COV_CSRS,
    COV_ZIMM,
    COV_CAS,
    COV_AUIPC,
    COV_MUL,
    COV_HOMES_READ,
    COV_HOMES_WRITE,
    COV_HOMES_PART,
    COV_HOMES_CSR,
    COV_N
};
static const char *const cover[] = {"bypass to rs1",
                                    "bypass to rs2",
                                    "bypass to rs3",
                                    "bypass to a lane outside the first mask",
                                    "read of an unwritten register",
                                    "read right after a start of a register that had a value",
                                    "lsu queue full",
                                    "fpu queue full",
                                    "div queue full",
                                    "fdiv queue full",
                                    "lsu chosen while another waits",
                                    "fpu chosen while another waits",
                                    "div chosen while another waits",
                                    "fdiv chosen while another waits",
                                    "ALU result while a queue waits",
                                    "wb_hold",
                                    "record without destination",
                                    "every identity CSR in one run",
                                    "zimm of a floating-point CSR",
                                    "amocas",
                                    "auipc",
                                    "mul result",
                                    "a read of several homes",
                                    "a write of several homes",
                                    "a register that a lane of a home has written and another has not",
                                    "an identity of several homes"};

typedef struct {
    unsigned held[QUEUES]; /* records sent and not given back */
    unsigned pending[WARPS]; /* records of a warp that have not been written */
    unsigned warps, regs; /* how many of each are in use */
    int frozen; /* warp that is to be started, or -1 */
    unsigned burst; /* cycles of ALU results to come */
    uint32_t written[WARPS][BEATS], before[WARPS][BEATS];
    int started; /* warp started one edge ago, or -1 */
    bool lsu_valid;
    result_t lsu;
    kernel_t kernel;
    uint8_t core;
    uint32_t csrs;
    bench_homes_t homes;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    homes_begin(&e->homes);
    e->frozen = e->started = -1;
    e->core = (uint8_t)vl_below(&b->rng, CORES);
    kernel_t_random(&b->rng, &e->kernel);
    e->warps = WARPS > 2 && b->mode != 3 ? 3 : WARPS;
    e->regs = b->mode == 1 ? 32 : 6;
}

/* A record of a warp that is not about to be started; false if there is no such warp. */
static bool record(bench_t *b, env_t *e, result_t *p)
{
    struct vl_rng *r = &b->rng;
    p->warp = (uint8_t)vl_below(r, e->warps);
    if (p->warp == e->frozen)
        return false;
    p->seq = (uint8_t)vl_random(r);
    p->beat = vl_below(r, BEATS);
    p->rd = (uint8_t)vl_below(r, e->regs);
    p->last = vl_chance(r, 128);
    p->mask = vl_chance(r, 10) ? 0 : stim_mask(r, ALL_LANES);
    for (unsigned l = 0; l < LANES; l++)
        p->data[l] = vl_random(r);
    return true;
}

static void note(bench_t *b, env_t *e, const result_t *p)
{
    e->pending[p->warp]++;
    BENCH_COVER(b, COV_RD0, !p->rd);
}

static void issue(bench_t *b, env_t *e, issued_t *p)
{
    struct vl_rng *r = &b->rng;
    static const pipe_e pipes[] = {PIPE_ALU, PIPE_ALU, PIPE_ALU,  PIPE_MUL, PIPE_DIV,
                                   PIPE_FPU, PIPE_FPU, PIPE_FDIV, PIPE_LSU, PIPE_LSU};
    pipe_e pipe = pipes[vl_below(r, sizeof pipes / sizeof *pipes)];
    op_e op = stim_op(r, pipe);
    if (vl_chance(r, 32)) {
        static const op_e rare[] = {OP_CSRRS, OP_CSRRSI, OP_CSRRWI, OP_AMOCAS_W, OP_AMOCAS_D, OP_FMADD_S, OP_FNMSUB_S};
        op = rare[vl_below(r, sizeof rare / sizeof *rare)];
    }
    uint32_t w = stim_word(r, op);
    unsigned fmt = isa_rows[op].format;
    bool csr = fmt == FMT_CSR || fmt == FMT_CSRI;
    if (csr && vl_chance(r, 64))
        w = (w & 0xfffff) | (CSR_FFLAGS + vl_below(r, 3)) << 20;
    else if (csr && vl_chance(r, 20))
        w = (w & 0xfffff) | (uint32_t)CSR_MHARTID << 20;
    /* Registers in use. */
    if (fmt != FMT_R1 && fmt != FMT_RM1 && fmt != FMT_LR && !csr && fmt != FMT_SH5 && fmt != FMT_SH6 && fmt != FMT_NONE)
        w = (w & ~(31u << 20)) | (isa_rows[op].mask >> 20 & 31 ? w & 31u << 20 : vl_below(r, e->regs) << 20);
    if (fmt != FMT_U && fmt != FMT_J && fmt != FMT_NONE)
        w = (w & ~(31u << 15)) | vl_below(r, e->regs) << 15;
    if (fmt == FMT_R4)
        w = (w & ~(31u << 27)) | vl_below(r, e->regs) << 27;
    if (fmt == FMT_CAS)
        w = (w & ~(31u << 7)) | vl_below(r, e->regs) << 7;
    p->warp = (uint8_t)vl_below(r, e->warps);
    p->seq = (uint8_t)vl_random(r);
    p->pc = vl_random_bits(r, PA_W) & ~3ull;
    p->instr = w;
    p->op = op;
    p->pipe = csr && w >> 20 <= CSR_FCSR ? PIPE_FPU : isa_rows[op].pipe;
    p->beat = vl_below(r, BEATS);
    p->first = vl_chance(r, 128);
    p->last = vl_chance(r, 128);
    p->rd_we = vl_chance(r, 128);
    p->tmask = stim_mask(r, ALL_THREADS);
    p->mask = p->tmask >> p->beat * LANES & ALL_LANES;
    if (csr && p->pipe == PIPE_ALU)
        for (unsigned k = 0; k < 20; k++)
            e->csrs |= (w >> 20 == CSR_VL_LID_X + k) << k;
    if (csr && w >> 20 == CSR_MHARTID)
        e->csrs |= 1u << 20;
    BENCH_COVER(b, COV_ZIMM, p->pipe == PIPE_FPU && fmt == FMT_CSRI);
    BENCH_COVER(b, COV_CAS, fmt == FMT_CAS);
    BENCH_COVER(b, COV_AUIPC, op == OP_AUIPC);
}

/* Outputs of this cycle were read and written at the last edge, by the homes of that edge (no longer in the page's inputs): the current homes, which seldom differ, serve for coverage. */
static void cover_homes(bench_t *b, const env_t *e, const regfile_out_t *out, const regfile_in_t *in)
{
    bool read = !COMPACTS, write = !COMPACTS, part = !COMPACTS, csr = !COMPACTS;
    for (unsigned l = 1; COMPACTS && l < LANES; l++) {
        const operands_t *o = &out->ops;
        const result_t *w = &out->wb.res;
        const unsigned t = o->beat * LANES, u = w->beat * LANES;
        const bool apart = out->ops_valid && HOME_AT(in, o->warp, t) != HOME_AT(in, o->warp, t + l);
        read |= apart;
        csr |= apart && o->pipe == PIPE_ALU && o->instr >> 20 == CSR_MHARTID && isa_rows[o->op].format == FMT_CSR;
        write |= out->wb_valid && w->rd && (w->mask & 1) && (w->mask >> l & 1)
                 && HOME_AT(in, w->warp, u) != HOME_AT(in, w->warp, u + l);
        part |= e->page.written[0][0][0][1] != e->page.written[0][0][l][1];
    }
    BENCH_COVER(b, COV_HOMES_READ, read);
    BENCH_COVER(b, COV_HOMES_WRITE, write);
    BENCH_COVER(b, COV_HOMES_PART, part);
    BENCH_COVER(b, COV_HOMES_CSR, csr);
}

static void stimulate(bench_t *b, env_t *e, const regfile_out_t *out, regfile_in_t *in)
{
    struct vl_rng *r = &b->rng;
    /* Check the outputs. */
    if (out->wb_valid) {
        const result_t *p = &out->wb.res;
        BENCH_CHECK(b, e->pending[p->warp] > 0, "a write that nobody sent");
        e->pending[p->warp]--;
        if (p->rd)
            e->written[p->warp][p->beat] |= 1u << p->rd;
        for (unsigned i = 0; i < QUEUES; i++)
            BENCH_COVER(b, COV_CHOSEN + i, out->wb.pipe == pipe_of[i] && out->ev.writeback_waits);
        BENCH_COVER(b, COV_MUL, out->wb.pipe == PIPE_MUL);
        BENCH_COVER(b, COV_ALU_WAITS, out->wb.pipe == PIPE_ALU && out->ev.writeback_waits);
    }
    e->held[Q_FPU] -= out->credit.fpu;
    e->held[Q_DIV] -= out->credit.div;
    e->held[Q_FDIV] -= out->credit.fdiv;
    BENCH_COVER(b, COV_HOLD, out->wb_hold);
    BENCH_COVER(b, COV_FULL + Q_LSU, e->lsu_valid && !out->lsu_res_ready);

    in->core = e->core;
    in->kernel = e->kernel;
    if (COMPACTS && vl_chance(&b->rng, 60)) /* by the page, homes may be any, and change in any cycle */
        e->homes.home[vl_below(&b->rng, WARPS)][vl_below(&b->rng, THREADS)] = (uint8_t)vl_below(&b->rng, WARPS);
    HOMES_SHOW(&e->homes, in);
    cover_homes(b, e, out, in);
    if (b->cycle < WARPS * BEATS) { /* identities are defined before anything is read */
        in->start_valid = in->lids_valid = true;
        start_t_random(r, &in->start);
        lids_t_random(r, &in->lids);
        in->start.warp = in->lids.warp = (uint8_t)(b->cycle / BEATS);
        in->lids.beat = b->cycle % BEATS;
        return;
    }

    /* A start, when the chosen warp has nothing under way. */
    in->start_valid = e->frozen >= 0 && !e->pending[e->frozen];
    start_t_random(r, &in->start);
    if (in->start_valid) {
        in->start.warp = (uint8_t)e->frozen;
        memcpy(e->before, e->written, sizeof e->before);
        memset(e->written[e->frozen], 0, sizeof e->written[0]);
        e->frozen = -1;
    } else {
        in->start.warp = 0;
        if (e->frozen < 0 && WARPS > 1 && vl_chance(r, 3))
            e->frozen = (int)vl_below(r, e->warps);
    }
    in->lids_valid = vl_chance(r, 20);
    lids_t_random(r, &in->lids);
    in->lids.warp = (uint8_t)vl_below(r, e->warps);
    in->lids.beat = vl_below(r, BEATS);

    /* Results. */
    if (!e->burst && vl_chance(r, 4))
        e->burst = 1 + vl_below(r, 40);
    bool alu = e->burst ? (e->burst--, true) : vl_chance(r, b->mode == 2 ? 20 : 100);
    in->alu_res_valid = alu && record(b, e, &in->alu_res);
    if (in->alu_res_valid)
        note(b, e, &in->alu_res);
    struct {
        bool *valid;
        result_t *res;
    } q[QUEUES] = {{NULL, NULL},
                   {&in->fpu_res_valid, &in->fpu_res},
                   {&in->div_res_valid, &in->div_res},
                   {&in->fdiv_res_valid, &in->fdiv_res}};
    if (vl_chance(r, 100)) /* MUL and FPU share a queue; issue ensures that they do not finish together */
        q[Q_FPU].valid = &in->mul_res_valid, q[Q_FPU].res = &in->mul_res;
    for (unsigned i = Q_FPU; i < QUEUES; i++)
        if (e->held[i] < places[i] && vl_chance(r, e->burst ? 160 : 60) && record(b, e, q[i].res)) {
            *q[i].valid = true;
            e->held[i]++;
            note(b, e, q[i].res);
            BENCH_COVER(b, COV_FULL + i, e->held[i] == places[i] && e->burst > 1);
        }
    if (!e->lsu_valid && vl_chance(r, 100))
        if ((e->lsu_valid = record(b, e, &e->lsu)))
            note(b, e, &e->lsu);
    in->lsu_res_valid = e->lsu_valid;
    in->lsu_res = e->lsu;
    if (out->lsu_res_ready)
        e->lsu_valid = false;

    /* Issue. */
    in->issue_valid = vl_chance(r, b->mode == 3 ? 60 : 230);
    issue(b, e, &in->issue);
    issued_t *p = &in->issue;
    if (in->issue_valid && vl_chance(r, 16))
        p->pipe = PIPE_CTL;
    if (in->issue_valid && p->pipe != PIPE_CTL) {
        const result_t *w = in->alu_res_valid ? &in->alu_res : NULL;
        unsigned fmt = isa_rows[p->op].format, rs1 = p->instr >> 15 & 31, rs2 = p->instr >> 20 & 31;
        bool here = w && w->rd && w->warp == p->warp && w->beat == p->beat;
        bool has1 = fmt == FMT_R || fmt == FMT_I || fmt == FMT_S, has2 = fmt == FMT_R || fmt == FMT_S;
        BENCH_COVER(b, COV_BYPASS1, here && has1 && w->rd == rs1);
        BENCH_COVER(b, COV_BYPASS2, here && has2 && w->rd == rs2);
        BENCH_COVER(b, COV_BYPASS3, here && fmt == FMT_R4 && w->rd == p->instr >> 27);
        BENCH_COVER(b, COV_BYPASS_OUT,
                    here && has1 && w->rd == rs1 && w->mask != ALL_LANES && !(e->written[p->warp][p->beat] >> rs1 & 1));
        BENCH_COVER(b, COV_UNWRITTEN, has1 && rs1 && !(e->written[p->warp][p->beat] >> rs1 & 1));
        BENCH_COVER(b, COV_AFTER_START, has1 && rs1 && e->started == p->warp && e->before[p->warp][p->beat] >> rs1 & 1);
    }
    e->started = in->start_valid ? in->start.warp : -1;
    /* 0xCC3, 0xCC7, 0xCCB, 0xCCE, 0xCCF are no CSRs: the rest of bits 0..20 of the list is. */
    const uint32_t all = 0x1fffff & ~(1u << 3 | 1u << 7 | 1u << 11 | 1u << 14 | 1u << 15);
    BENCH_COVER(b, COV_CSRS, (e->csrs & all) == all);
}

SCOREBOARD_DRIVE(regfile, env_t, stimulate)
BENCH_MAIN(regfile, env_t, start, drive, cover, COV_N)
