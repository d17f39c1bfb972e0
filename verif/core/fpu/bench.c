/* Bench of fpu: operations of all kinds with corner operands from several warps, CSR instructions as issue lets them come (their
 * warp has nothing in flight), flags of fdiv, starting warps. */
#define BENCH_CYCLES 40000
#include "fpu_ports.h"
#include "verif/core/fpu/page.h"
#include "verif/common/bench.h"
#include "verif/core/fp_stimulus.h"
#include "verif/core/stimulus.h"

enum {
    COV_ALL,
    COV_NX,
    COV_UF,
    COV_OF,
    COV_DZ,
    COV_NV,
    COV_PARTIAL,
    COV_EMPTY,
    COV_DYN,
    COV_FAULT_FIRST = COV_DYN + 8,
    COV_FAULT_MIDDLE,
    COV_FAULT_LAST,
    COV_FAULT_FDIV,
    COV_FAULT_SOME,
    COV_READ_FPU,
    COV_READ_FDIV,
    COV_READ_BOTH,
    COV_READ_OTHER,
    COV_START_FPU,
    COV_START_FDIV,
    COV_START_CSR,
    COV_FIVE,
    COV_BETWEEN,
    COV_RD0,
    COV_CSRS,
    COV_N
};
static const char *const cover[] = {"every operation with every rounding mode, in one run",
                                    "NX",
                                    "UF",
                                    "OF",
                                    "DZ",
                                    "NV",
                                    "partial mask",
                                    "mask 0",
                                    "dyn with frm 0",
                                    "dyn with frm 1",
                                    "dyn with frm 2",
                                    "dyn with frm 3",
                                    "dyn with frm 4",
                                    "dyn with frm 5",
                                    "dyn with frm 6",
                                    "dyn with frm 7",
                                    "fault in the first beat only",
                                    "fault in a middle beat only",
                                    "fault in the last beat only",
                                    "fault of an operation of fdiv",
                                    "fault of some lanes of a beat",
                                    "CSR read after flags from fpu",
                                    "CSR read after flags from fdiv",
                                    "CSR read after both at one edge",
                                    "CSR read after flags while another warp's came from fdiv",
                                    "start as flags of another warp come",
                                    "start as fdiv's flags for another warp come",
                                    "start as a CSR instruction of another warp writes",
                                    "five beats in flight",
                                    "records of other pipes between beats",
                                    "no destination",
                                    "every CSR instruction on every csr, in one run"};

enum { FROM_FPU = 1, FROM_FDIV = 2, FROM_BOTH = 4, FROM_OTHER = 8, DYN = 7 };
typedef struct {
    operands_t ops;
    unsigned beat, n, csr; /* csr: number, or 0 */
    bool running;
    uint64_t faults; /* beats with a faulting lane */
    /* cycle from which the warp has nothing in flight; cycle from which it may continue */
    uint64_t rest_at[WARPS], open_at[WARPS];
    uint8_t frm[WARPS][BEATS][LANES];
    uint8_t source[WARPS]; /* of the flags since the last CSR read */
    struct {
        bool valid;
        unsigned csr;
    } past[8];
    bool seen[ISA_OPS][8], seen_csr[6][4];
    uint64_t now;
    bench_homes_t homes;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b;
    page_begin(&e->page);
    homes_begin(&e->homes);
}

static bool has_rm(unsigned op)
{
    return isa_rows[op].format == FMT_RM1 || isa_rows[op].format == FMT_RM2 || isa_rows[op].format == FMT_R4;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* An instruction that its warp may send now; none if the warp that was drawn may not. */
static void draw(bench_t *b, env_t *e)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &e->ops;
    memset(p, 0, sizeof *p);
    stim_beat(r, p, stim_mask(r, ALL_THREADS), 0);
    if (b->mode == 1)
        p->warp = (uint8_t)(p->warp & 1);
    if (e->open_at[p->warp] > b->cycle)
        return;
    p->pc = vl_random_bits(r, 48);
    p->imm = vl_random(r);
    e->csr = 0;
    if (vl_chance(r, 60)) {
        if (e->rest_at[p->warp] > b->cycle)
            return;
        unsigned k = vl_below(r, 6);
        p->op = OP_CSRRW + k;
        p->pipe = PIPE_FPU;
        e->csr = CSR_FFLAGS + vl_below(r, 3);
        p->instr = isa_rows[p->op].match | e->csr << 20 | ((uint32_t)vl_random(r) & 0xf8f80);
        e->seen_csr[k][e->csr] = true;
    } else {
        p->pipe = vl_chance(r, 40) ? PIPE_FDIV : PIPE_FPU;
        do
            p->op = stim_op(r, (pipe_e)p->pipe);
        while (p->op >= OP_CSRRW && p->op <= OP_CSRRCI);
        p->instr = stim_word(r, (op_e)p->op);
        if (has_rm(p->op) && vl_chance(r, 80))
            p->instr |= DYN << 12;
        if (has_rm(p->op))
            e->seen[p->op][p->instr >> 12 & 7] = true;
        else
            memset(e->seen[p->op], true, sizeof e->seen[0]);
    }
    p->rd = vl_chance(r, 20) ? 0 : p->instr >> 7 & 31;
    e->running = true;
    e->beat = 0;
    e->faults = 0;
    if (e->csr)
        e->open_at[p->warp] = ~0ull;
}

static void operands(bench_t *b, env_t *e, operands_t *p)
{
    struct vl_rng *r = &b->rng;
    unsigned all = vl_chance(r, 200) ? vl_below(r, 5) : 8; /* the same legal frm for all lanes */
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t x, y, z;
        stim_floats(r, &x, &y, &z);
        p->rs1[l] = x | vl_random(r) << 32;
        p->rs2[l] = y | vl_random(r) << 32;
        p->rs3[l] = z | vl_random(r) << 32;
        if (p->op >= OP_FCVT_S_W && p->op <= OP_FCVT_S_LU) {
            uint64_t v = vl_random(r);
            unsigned n = vl_below(r, 64);
            p->rs1[l] = vl_chance(r, 128)   ? v >> n
                        : vl_chance(r, 128) ? (v & ~0ull << n) + vl_below(r, 3) - 1
                                            : stim_value(r);
        }
        if (e->csr) {
            uint64_t v = vl_random(r);
            unsigned shift = e->csr == CSR_FCSR ? 5 : 0;
            if (e->csr != CSR_FFLAGS && all < 8)
                v = (v & ~(7ull << shift)) | all << shift;
            else if (vl_chance(r, 80))
                v = 0;
            p->rs1[l] = v;
            if (p->op >= OP_CSRRWI)
                p->rs1[l] = p->instr >> 15 & 31;
        }
    }
}

static void send(bench_t *b, env_t *e, fpu_in_t *in)
{
    struct vl_rng *r = &b->rng;
    operands_t *p = &in->ops;
    in->ops_valid = true;
    stim_beat_of(r, p, &e->ops, e->beat);
    operands(b, e, p);

    BENCH_COVER(b, COV_EMPTY, !p->mask);
    BENCH_COVER(b, COV_PARTIAL, p->mask && p->mask != ALL_LANES);
    BENCH_COVER(b, COV_RD0, !p->rd);
    if (has_rm(p->op) && (p->instr >> 12 & 7) == DYN) {
        uint64_t bad = 0;
        for (unsigned l = 0; l < LANES; l++)
            if (p->mask >> l & 1) {
                unsigned frm = e->frm[e->homes.home[p->warp][p->beat * LANES + l]][p->beat][l];
                BENCH_COVER(b, COV_DYN + frm, p->pipe == PIPE_FPU);
                bad |= (uint64_t)(frm >= 5) << l;
            }
        BENCH_COVER(b, COV_FAULT_SOME, bad && bad != p->mask);
        e->faults |= (uint64_t)(bad != 0) << e->beat;
    }
    if (p->last && e->faults) {
        const uint64_t first = 1, last = 1ull << (BEATS - 1);
        BENCH_COVER(b, COV_FAULT_FIRST, e->faults == first);
        BENCH_COVER(b, COV_FAULT_LAST, e->faults == last);
        BENCH_COVER(b, COV_FAULT_MIDDLE, BEATS < 3 || !(e->faults & (first | last)));
        BENCH_COVER(b, COV_FAULT_FDIV, p->pipe == PIPE_FDIV);
    }
    e->rest_at[p->warp] = later(e->rest_at[p->warp], b->cycle + 6);
    if (e->csr && e->csr != CSR_FRM && p->first) {
        unsigned from = e->source[p->warp];
        BENCH_COVER(b, COV_READ_FPU, from & FROM_FPU);
        BENCH_COVER(b, COV_READ_FDIV, from & FROM_FDIV);
        BENCH_COVER(b, COV_READ_BOTH, from & FROM_BOTH);
        BENCH_COVER(b, COV_READ_OTHER, from & FROM_OTHER);
        e->source[p->warp] = 0;
    }
    if (++e->beat == BEATS) {
        e->running = false;
        if (e->csr)
            e->open_at[p->warp] = b->cycle + 6; /* after its result */
    }
}

/* Flags of fdiv: often for the beat that leaves fpu in this cycle. Not for a warp with a CSR instruction in flight. */
static void flags(bench_t *b, env_t *e, const fpu_out_t *out, fpu_in_t *in)
{
    struct vl_rng *r = &b->rng;
    fflags_t *f = &in->fdiv_flags;
    fflags_t_random(r, f);
    f->warp = (uint8_t)vl_below(r, WARPS);
    f->beat = vl_below(r, BEATS);
    if (out->fpu_res_valid && vl_chance(r, 128)) {
        f->warp = out->fpu_res.warp;
        f->beat = out->fpu_res.beat;
    }
    if (vl_chance(r, 100))
        f->mask = vl_chance(r, 30) ? 0 : ALL_LANES;
    for (unsigned l = 0; l < LANES; l++)
        f->flags[l] &= vl_random(r) & 31;
    in->fdiv_flags_valid = e->open_at[f->warp] <= b->cycle;
    if (!in->fdiv_flags_valid)
        return;
    e->rest_at[f->warp] = later(e->rest_at[f->warp], b->cycle + 1);
    e->source[f->warp] |= FROM_FDIV;
}

static bool rests(const void *env, unsigned w)
{
    const env_t *e = env;
    return later(e->rest_at[w], e->open_at[w]) <= e->now && !(e->running && e->ops.warp == w);
}

static void stimulate(bench_t *b, env_t *e, const fpu_out_t *out, fpu_in_t *in)
{
    struct vl_rng *r = &b->rng;
    e->now = b->cycle;
    homes_move(r, &e->homes, rests, e);
    unsigned now = b->cycle % 8, csr = e->past[(now + 3) % 8].csr; /* of the beat sent five cycles ago */
    BENCH_CHECK(b, out->fpu_res_valid == e->past[(now + 3) % 8].valid,
                "a result does not come five cycles after its beat");
    if (out->fpu_res_valid && (csr == CSR_FFLAGS || csr == CSR_FCSR))
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 5; k++)
                BENCH_COVER(b, COV_NX + k, out->fpu_res.mask >> l & out->fpu_res.data[l] >> k & 1);
    if (out->frm_valid)
        for (unsigned l = 0; l < LANES; l++)
            if (out->frm.mask >> l & 1)
                e->frm[e->homes.home[out->frm.warp][out->frm.beat * LANES + l]][out->frm.beat][l] = out->frm.frm[l];

    if (!e->running && vl_chance(r, b->mode == 3 ? 25 : b->mode == 2 ? 256 : 150))
        draw(b, e);
    bool between = e->running && e->beat;
    if (e->running && vl_chance(r, b->mode == 2 ? 250 : 180)) {
        send(b, e, in);
    } else { /* another pipe's, or nothing */
        operands_t_random(r, &in->ops);
        static const uint8_t others[] = {PIPE_ALU, PIPE_MUL, PIPE_DIV, PIPE_LSU};
        in->ops.pipe = others[vl_below(r, 4)];
        in->ops_valid = vl_chance(r, b->mode == 3 ? 20 : 128);
        BENCH_COVER(b, COV_BETWEEN, BEATS == 1 || (between && in->ops_valid));
    }
    if (vl_chance(r, b->mode == 3 ? 10 : 60))
        flags(b, e, out, in);
    if (out->fpu_res_valid && !csr) {
        e->source[out->fpu_res.warp] |= FROM_FPU;
        if (in->fdiv_flags_valid)
            e->source[out->fpu_res.warp] |= in->fdiv_flags.warp == out->fpu_res.warp
                                                ? in->fdiv_flags.beat == out->fpu_res.beat ? FROM_BOTH : 0
                                                : FROM_OTHER;
    }
    unsigned w = vl_below(r, WARPS);
    if (vl_chance(r, 20) && rests(e, w) && homes_back(&e->homes, w, rests, e)) {
        in->start_valid = true;
        start_t_random(r, &in->start);
        in->start.warp = (uint8_t)w;
        memset(e->frm[w], 0, sizeof e->frm[w]);
        e->rest_at[w] = e->open_at[w] = b->cycle + 1;
        e->source[w] = 0;
        BENCH_COVER(b, COV_START_FPU, out->fpu_res_valid && !csr);
        BENCH_COVER(b, COV_START_CSR, out->fpu_res_valid && csr);
        BENCH_COVER(b, COV_START_FDIV, in->fdiv_flags_valid);
    }

    HOMES_SHOW(&e->homes, in);
    e->past[now].valid = in->ops_valid && in->ops.pipe == PIPE_FPU;
    e->past[now].csr = e->past[now].valid ? e->csr : 0;
    unsigned run = 0;
    for (unsigned k = 0; k < 5; k++)
        run += e->past[(now + 8 - k) % 8].valid;
    BENCH_COVER(b, COV_FIVE, run == 5);
    if (b->cycle % 1000 == 999) {
        bool all = true, csrs = true;
        for (unsigned op = 1; op < ISA_OPS; op++)
            for (unsigned rm = 0; rm < 8; rm++)
                all = all && (e->seen[op][rm] || isa_rows[op].pipe != PIPE_FPU || (has_rm(op) && (rm == 5 || rm == 6)));
        for (unsigned k = 0; k < 6; k++)
            csrs = csrs && e->seen_csr[k][CSR_FFLAGS] && e->seen_csr[k][CSR_FRM] && e->seen_csr[k][CSR_FCSR];
        BENCH_COVER(b, COV_ALL, all);
        BENCH_COVER(b, COV_CSRS, csrs);
    }
}

SCOREBOARD_DRIVE(fpu, env_t, stimulate)
BENCH_MAIN(fpu, env_t, start, drive, cover, COV_N)
