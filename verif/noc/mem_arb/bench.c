/* Bench of mem_arb: all sources at random rates, a stalling port, answers in any order; LR and SC of few harts on few lines. Besides the twin,
 * every SC is held against the core's last LR in a list of l1d's requests. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "mem_arb_ports.h"
#include "verif/noc/mem_arb/page.h"

enum { I, P, D, ASKERS };
enum {
    COV_FULL,
    COV_STALL,
    COV_ANSWER = COV_STALL + ASKERS,
    COV_THREE_ONE = COV_ANSWER + ASKERS,
    COV_IDLE,
    COV_CIRCLE,
    COV_ALTERNATE,
    COV_ARRIVES,
    COV_ANSWERS = COV_ARRIVES + 6,
    COV_ASID,
    COV_SC,
    COV_MOST = COV_SC + 6,
    COV_N
};
enum { SC_OK, SC_NEVER, SC_HART, SC_LINE, SC_USED, SC_LOST };
static const char *const cover[] = {"all queues full",
                                    "an l1i request stalls",
                                    "a ptw request stalls",
                                    "an l1d request stalls",
                                    "answer to l1i",
                                    "answer to ptw",
                                    "answer to l1d",
                                    "three taken and one answered",
                                    "idle again",
                                    "all three in turn in six cycles",
                                    "two alternate in four cycles",
                                    "ptw arrives at an l1i request that stalls",
                                    "l1d arrives at an l1i request that stalls",
                                    "l1i arrives at a ptw request that stalls",
                                    "l1d arrives at a ptw request that stalls",
                                    "l1i arrives at an l1d request that stalls",
                                    "ptw arrives at an l1d request that stalls",
                                    "answers to all in consecutive cycles",
                                    "another address space",
                                    "SC of the last LR",
                                    "SC without an LR",
                                    "SC of another hart than the last LR",
                                    "SC of another line",
                                    "SC after an SC",
                                    "SC after an SC to another line",
                                    "1023 requests outstanding"};
enum {
    USUAL = 63,
    MOST_COUNT = 1023,
    MOST = MOST_COUNT - 2 * ASKERS,
    PAST = 256
}; /* at memory; the largest count has full queues besides */
typedef struct {
    bool hold[ASKERS];
    mem_req_t req[ASKERS];
    unsigned asid;
    uint16_t waiting[MOST];
    unsigned n;
    bool was_busy,
        fills; /* fills: memory answers nothing until the count is at its largest; then nothing is asked until it is as usual */
    unsigned answers; /* destinations of the last answers, two bits each: 1 + source */
    struct {
        uint64_t line;
        uint32_t hart;
        bool sc;
    } past[PAST]; /* LRs and SCs of l1d, the newest first */
    unsigned npast;
    bool fails[4]; /* expected of the SCs in l1d's queue, oldest first */
    unsigned nfails;
    unsigned sent; /* sources of the last cycles' requests, two bits each: 1 + source, 0 none */
    mem_req_t asked[ASKERS][2]; /* at the queues, oldest first */
    unsigned nasked[ASKERS];
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

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

static unsigned source_of(uint16_t id)
{
    return !(id >> (MEM_IDX_W + 2) & 1) ? D : id >> MEM_IDX_W & 1 ? P : I;
}

static void ask(bench_t *b, env_t *e, unsigned x)
{
    const unsigned source = 1u << (MEM_IDX_W + 2), kind = 3u << MEM_IDX_W;
    mem_req_t *r = &e->req[x];
    mem_req_t_random(&b->rng, r);
    r->id &= source - 1;
    e->hold[x] = true;
    if (x != D) {
        r->op = MEM_READ;
        r->id &= (uint16_t)~kind;
        return;
    }
    for (unsigned k = SECTOR_BYTES / 8; k < LINE_BYTES / 8; k++)
        r->data.w[k] = r->data.w[k - SECTOR_BYTES / 8];
    r->op = vl_below(&b->rng, 3);
    r->sc_fail &= r->op == MEM_AMO; /* l1d's value of this field does not matter */
    if (r->op == MEM_AMO && vl_below(&b->rng, 4)) {
        r->amo = AMO_LR + vl_below(&b->rng, 2);
        r->hart = vl_below(&b->rng, 3) ? 0 : 1u << vl_below(&b->rng, HART_W);
        r->line = vl_below(&b->rng, 3) ? 5 : 5 ^ 1ull << vl_below(&b->rng, LINE_ADDR_W); /* every bit counts */
    }
}

static void stimulate(bench_t *b, env_t *e, const mem_arb_out_t *out, mem_arb_in_t *in)
{
    const bool ready[ASKERS] = {out->l1i_req_ready, out->ptw_req_ready, out->l1d_req_ready};
    const bool answer[ASKERS] = {out->l1i_rsp_valid, out->ptw_rsp_valid, out->l1d_rsp_valid};
    unsigned rate = b->cycle == 0 && b->cycles % 2 ? 256
                    : b->cycle / 1000 % 3 == 0     ? 10
                    : b->cycle / 1000 % 3 == 1     ? 128
                                                   : 250,
             taken = 0;
    bool took[ASKERS];
    if (out->idle && !e->n && vl_chance(&b->rng, 8)) {
        BENCH_COVER(b, COV_ASID, e->was_busy);
        e->asid = vl_below(&b->rng, 2) ? e->asid ^ 1u << vl_below(&b->rng, ASID_W) : vl_below(&b->rng, 1u << ASID_W);
    }
    in->asid = (uint16_t)e->asid;
    const bool full = e->page.count == MOST_COUNT, drains = !e->fills && e->n > USUAL;
    BENCH_COVER(b, COV_MOST, full);
    e->fills = (e->fills && !full) || b->cycle == 4000;
    for (unsigned x = 0; x < ASKERS; x++) {
        if (!e->hold[x] && !drains && vl_chance(&b->rng, b->mode == 1 + x && b->cycle ? 20 : rate))
            ask(b, e, x);
        took[x] = e->hold[x] && ready[x];
        taken += took[x];
    }
    in->l1i_req_valid = e->hold[I];
    in->ptw_req_valid = e->hold[P];
    in->l1d_req_valid = e->hold[D];
    if (e->hold[I])
        in->l1i_req = e->req[I];
    if (e->hold[P])
        in->ptw_req = e->req[P];
    if (e->hold[D])
        in->l1d_req = e->req[D];
    in->mem_req_ready =
        e->n < (e->fills ? MOST : USUAL) && vl_chance(&b->rng, b->mode == 0 && b->cycle / 3000 % 2 ? 60 : 220);
    if (e->n && !e->fills && vl_chance(&b->rng, drains ? 250 : 100)) {
        unsigned k = vl_below(&b->rng, e->n);
        in->mem_rsp_valid = true;
        mem_rsp_t_random(&b->rng, &in->mem_rsp);
        in->mem_rsp.id = e->waiting[k];
        e->waiting[k] = e->waiting[--e->n];
    }
    unsigned from = source_of(out->mem_req.id);
    bool sent = out->mem_req_valid && in->mem_req_ready;
    e->sent = (e->sent << 2 | (sent ? 1 + from : 0)) & 0xfff;
    BENCH_COVER(b, COV_ALTERNATE, (e->sent & 0xff) == 0xdd || (e->sent & 0xff) == 0x77);
    BENCH_COVER(b, COV_CIRCLE, e->sent == (1 << 10 | 2 << 8 | 3 << 6 | 1 << 4 | 2 << 2 | 3));
    if (out->mem_req_valid && !sent) {
        BENCH_COVER(b, COV_STALL + from, true);
        for (unsigned x = 0, k = 0; x < ASKERS; x++)
            if (x != from)
                BENCH_COVER(b, COV_ARRIVES + 2 * from + k++, took[x]);
    }
    for (unsigned x = 0; x < ASKERS; x++)
        if (answer[x])
            e->answers = (e->answers << 2 | (1 + x)) & 63;
    if (!answer[I] && !answer[P] && !answer[D])
        e->answers = 0;
    BENCH_COVER(b, COV_ANSWERS,
                e->answers == 0x1b || e->answers == 0x2d || e->answers == 0x36 || e->answers == 0x39
                    || e->answers == 0x27 || e->answers == 0x1e);
    if (sent) { /* in order of each source, as asked for, in the core's address space */
        mem_req_t *first = &e->asked[from][0];
        BENCH_CHECK(b, e->nasked[from], "a request that nobody has made");
        BENCH_CHECK(b,
                    out->mem_req.line == first->line && out->mem_req.cls == first->cls && out->mem_req.op == first->op,
                    "not the oldest of source %u", from);
        BENCH_CHECK(b, out->mem_req.asid == e->asid, "address space %u", out->mem_req.asid);
        e->asked[from][0] = e->asked[from][1];
        e->nasked[from]--;
    }
    if (sent && from == D) {
        BENCH_CHECK(b, e->nfails && out->mem_req.sc_fail == e->fails[0], "sc_fail is %u", out->mem_req.sc_fail);
        memmove(e->fails, e->fails + 1, --e->nfails * sizeof *e->fails);
    } else if (sent) {
        BENCH_CHECK(b, !out->mem_req.sc_fail, "sc_fail of a read");
    }
    if (took[D])
        e->fails[e->nfails++] = reservation(b, e, &e->req[D]);
    for (unsigned x = 0; x < ASKERS; x++)
        if (took[x]) {
            e->hold[x] = false;
            e->asked[x][e->nasked[x]++] = e->req[x];
        }
    if (sent)
        e->waiting[e->n++] = out->mem_req.id;
    BENCH_COVER(b, COV_FULL, !ready[I] && !ready[P] && !ready[D]);
    for (unsigned x = 0; x < ASKERS; x++)
        BENCH_COVER(b, COV_ANSWER + x, answer[x]);
    BENCH_COVER(b, COV_THREE_ONE, taken == 3 && (answer[I] || answer[P] || answer[D]));
    BENCH_COVER(b, COV_IDLE, out->idle && e->was_busy);
    e->was_busy |= !out->idle;
}

SCOREBOARD_DRIVE(mem_arb, env_t, stimulate)
BENCH_MAIN(mem_arb, env_t, start, drive, cover, COV_N)
