/* Bench of mem_arb: both sources at random rates, a stalling port, answers in any order; LR and SC of few harts on few lines. Besides the twin,
 * every SC is held against the core's last LR as a list of what l1d has asked tells it. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "mem_arb_ports.h"

enum { COV_FULL, COV_STALL_I, COV_STALL_D, COV_I, COV_D, COV_TWO_ONE, COV_IDLE, COV_ALTERNATE, COV_ARRIVES, COV_ANSWERS, COV_SC, COV_N = COV_SC + 6 };
enum { SC_OK, SC_NEVER, SC_HART, SC_LINE, SC_USED, SC_LOST };
static const char *const cover[] = {"both queues full", "an l1i request stalls", "an l1d request stalls", "answer to l1i", "answer to l1d",
                                    "two taken and one answered", "idle again", "sources alternate in four cycles",
                                    "a request of the other source arrives at one that stalls", "answers to both in consecutive cycles",
                                    "SC of the last LR", "SC without an LR", "SC of another hart than the last LR", "SC of another line", "SC after an SC",
                                    "SC after an SC to another line"};
enum { MOST = 64, PAST = 256 };
typedef struct {
    bool hold_i, hold_d;
    mem_req_t i, d;
    uint16_t waiting[MOST];
    unsigned n;
    bool was_busy, answered_i, answered_d;
    struct { uint64_t line; uint32_t hart; bool sc; } past[PAST]; /* LRs and SCs of l1d, the newest first */
    unsigned npast;
    bool fails[4]; /* what those at l1d's queue must carry, oldest first */
    unsigned nfails;
    uint8_t sent; /* sources of the last cycles' requests, two bits each: 1 D, 2 I, 0 none */
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

/* l1d asks for r: must it carry sc_fail? */
static bool reservation(bench_t *b, env_t *e, const mem_req_t *r)
{
    if (r->op != MEM_AMO || (r->amo != AMO_LR && r->amo != AMO_SC))
        return false;
    unsigned lr = 0, why = SC_OK;
    while (lr < e->npast && e->past[lr].sc)
        lr++;
    if (lr == e->npast)
        why = SC_NEVER;
    for (unsigned k = 0; lr < e->npast && k < lr; k++)
        if (e->past[k].hart == e->past[lr].hart)
            why = e->past[k].line == e->past[lr].line ? SC_USED : SC_LOST;
    if (!why)
        why = e->past[lr].hart != r->hart ? SC_HART : e->past[lr].line != r->line ? SC_LINE : SC_OK;
    e->npast -= e->npast == PAST;
    memmove(e->past + 1, e->past, e->npast++ * sizeof *e->past);
    e->past[0].line = r->line;
    e->past[0].hart = r->hart;
    e->past[0].sc = r->amo == AMO_SC;
    if (r->amo == AMO_LR)
        return false;
    BENCH_COVER(b, COV_SC + why, true);
    return why != SC_OK;
}

static void drive(bench_t *b, env_t *e, const mem_arb_out_t *out, mem_arb_in_t *in)
{
    const unsigned source = 1u << (MEM_IDX_W + 2);
    unsigned rate = b->cycle == 0 && b->cycles % 2 ? 256 : b->cycle / 1000 % 3 == 0 ? 10 : b->cycle / 1000 % 3 == 1 ? 128 : 250;
    if (!e->hold_i && vl_chance(&b->rng, b->mode == 1 && b->cycle ? 20 : rate)) {
        mem_req_t_random(&b->rng, &e->i);
        e->i.op = MEM_READ;
        e->i.id &= source - 1;
        e->hold_i = true;
    }
    if (!e->hold_d && vl_chance(&b->rng, b->mode == 2 && b->cycle ? 20 : rate)) {
        mem_req_t_random(&b->rng, &e->d);
        for (unsigned k = SECTOR_BYTES / 8; k < LINE_BYTES / 8; k++)
            e->d.data.w[k] = e->d.data.w[k - SECTOR_BYTES / 8];
        e->d.op = vl_below(&b->rng, 3);
        e->d.id &= source - 1;
        e->d.sc_fail &= e->d.op == MEM_AMO; /* what l1d says there is of no account */
        if (e->d.op == MEM_AMO && vl_below(&b->rng, 4)) {
            e->d.amo = AMO_LR + vl_below(&b->rng, 2);
            e->d.hart = vl_below(&b->rng, 3) ? 0 : 1u << vl_below(&b->rng, HART_W);
            e->d.line = vl_below(&b->rng, 3) ? 5 : 5 ^ 1ull << vl_below(&b->rng, LINE_ADDR_W); /* every bit counts */
        }
        e->hold_d = true;
    }
    in->l1i_req_valid = e->hold_i;
    in->l1d_req_valid = e->hold_d;
    if (e->hold_i)
        in->l1i_req = e->i;
    if (e->hold_d)
        in->l1d_req = e->d;
    bool ti = e->hold_i && out->l1i_req_ready, td = e->hold_d && out->l1d_req_ready;
    e->hold_i &= !ti;
    e->hold_d &= !td;
    in->mem_req_ready = e->n < MOST - 1 && vl_chance(&b->rng, b->mode == 3 ? 60 : 220);
    if (e->n && vl_chance(&b->rng, 100)) {
        unsigned k = vl_below(&b->rng, e->n);
        in->mem_rsp_valid = true;
        mem_rsp_t_random(&b->rng, &in->mem_rsp);
        in->mem_rsp.id = e->waiting[k];
        e->waiting[k] = e->waiting[--e->n];
    }
    bool from_i = out->mem_req_valid && (out->mem_req.id & source), sent = out->mem_req_valid && in->mem_req_ready;
    e->sent = (uint8_t)(e->sent << 2 | (sent ? 1 + from_i : 0));
    BENCH_COVER(b, COV_ALTERNATE, e->sent == 0x66 || e->sent == 0x99);
    BENCH_COVER(b, COV_ARRIVES, out->mem_req_valid && !sent && (from_i ? td : ti));
    BENCH_COVER(b, COV_ANSWERS, (out->l1i_rsp_valid && e->answered_d) || (out->l1d_rsp_valid && e->answered_i));
    e->answered_i = out->l1i_rsp_valid;
    e->answered_d = out->l1d_rsp_valid;
    if (sent && !from_i) {
        BENCH_CHECK(b, e->nfails && out->mem_req.sc_fail == e->fails[0], "sc_fail is %u", out->mem_req.sc_fail);
        memmove(e->fails, e->fails + 1, --e->nfails * sizeof *e->fails);
    } else if (sent) {
        BENCH_CHECK(b, !out->mem_req.sc_fail, "sc_fail of a fetch");
    }
    if (td)
        e->fails[e->nfails++] = reservation(b, e, &e->d);
    if (sent)
        e->waiting[e->n++] = out->mem_req.id;
    BENCH_COVER(b, COV_FULL, !out->l1i_req_ready && !out->l1d_req_ready);
    BENCH_COVER(b, COV_STALL_I, out->mem_req_valid && !in->mem_req_ready && (out->mem_req.id & source));
    BENCH_COVER(b, COV_STALL_D, out->mem_req_valid && !in->mem_req_ready && !(out->mem_req.id & source));
    BENCH_COVER(b, COV_I, out->l1i_rsp_valid);
    BENCH_COVER(b, COV_D, out->l1d_rsp_valid);
    BENCH_COVER(b, COV_TWO_ONE, ti && td && (out->l1i_rsp_valid || out->l1d_rsp_valid));
    BENCH_COVER(b, COV_IDLE, out->idle && e->was_busy);
    e->was_busy |= !out->idle;
}

BENCH_MAIN(mem_arb, env_t, start, drive, cover, COV_N)
