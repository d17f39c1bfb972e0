/* Coverage of l2c: requests that were looked up. */
#ifndef VERIF_COHERENCE_L2C_COVER_REQUEST_H
#define VERIF_COHERENCE_L2C_COVER_REQUEST_H
#include "verif/coherence/l2c/cover_stages.h"

/* The look-up of a request in s1. */
typedef struct {
    char state;
    int way, m;
    bool own, n_read;
    net_req_t n;
} cover_request_t;

static void cover_performed(bench_t *b, const page_t *p, const cover_request_t *r, const ev_l2c_t *v)
{
    static uint64_t ways[PG_SETS];
    const mem_req_t *q = &r->n.req;
    const page_what_t what = page_what(q);
    const bool amo = q->op == MEM_AMO, sc = amo && q->amo == AMO_SC, lr = amo && q->amo == AMO_LR;
    if (!b->cycle)
        memset(ways, 0, sizeof ways);
    if (v->l2_merge)
        BENCH_COVER(
            b, what == PG_STORE ? COV_JOIN + 6 + amo : COV_JOIN + (what == PG_LOAD ? 0 : 3) + (r->own ? 2 : r->n_read),
            true);
    BENCH_COVER(b, COV_WAIT_HIT, cover_waited >> WAIT_OWN & 1 && v->l2_hit);
    BENCH_COVER(b, COV_WAIT_UPGRADE, cover_waited >> WAIT_OWN & 1 && v->l2_upgrade);
    BENCH_COVER(b, COV_WAIT_MISS,
                cover_waited >> WAIT_OWN & 1 && !v->l2_hit && !v->l2_upgrade && !v->l2_sc_lost && !v->l2_merge);
    if (!v->l2_merge && !sc)
        BENCH_COVER(b, COV_LOOKED + what * STATES + page_place(r->state), true);
    BENCH_COVER(b, COV_LR, lr && v->l2_hit && r->state == 'E');
    BENCH_COVER(b, COV_LR + 1, lr && v->l2_hit && r->state == 'M');
    if (v->l2_sc_lost) {
        static const unsigned at[] = {0, 1, 2, 0, 3, 0};
        BENCH_COVER(b, r->m >= 0 ? COV_SC_AWAITED : COV_SC_LOST + at[page_place(r->state)], true);
    }
    if (v->l2_upgrade)
        BENCH_COVER(b, COV_UPGRADED + (r->state == 'N' ? 0 : r->state == 'S' ? 1 : 2), true);
    if (p->s2.valid && p->s2.kind == PG_ALLOC && !v->l2_upgrade && p->s2.vstate != 'I')
        BENCH_COVER(b, COV_EVICTED + page_place(p->s2.vstate) - 1, true);
    if (v->l2_hit) {
        ways[page_set(q->line)] |= 1ull << r->way;
        BENCH_COVER(b, COV_WAYS, ways[page_set(q->line)] == (1ull << L2_WAYS) - 1);
    }
}

/* A WRITE that is in s1 and was looked up: the line and bytes of the one before it stay. */
static void cover_grains(bench_t *b, const cover_request_t *r, const ev_l2c_t *v, bool host)
{
    static mem_req_t before;
    const mem_req_t *q = &r->n.req;
    if (!b->cycle || MASK_GRAIN == 1)
        before = (mem_req_t){0};
    for (unsigned k = COV_PART; k < COV_N; k++)
        BENCH_COVER(b, k, MASK_GRAIN == 1);
    if (q->op != MEM_WRITE)
        return;
    const bool part = be_partial(&q->be);
    /* again: grains stored in part that the write before stored whole; grains stored whole that it stored in part */
    unsigned grains = 0, whole = 0, again[2] = {0};
    for (unsigned g = 0; g < GRAINS; g++) {
        const unsigned n = grain_bytes(&q->be, g), was = before.line == q->line ? grain_bytes(&before.be, g) : 0;
        grains += n != 0;
        whole += n == MASK_GRAIN;
        again[0] += n && n < MASK_GRAIN && was == MASK_GRAIN;
        again[1] += n == MASK_GRAIN && was && was < MASK_GRAIN;
    }
    BENCH_COVER(b, COV_PART + 1, part && v->l2_stall_own);
    if (!v->l2_access)
        return;
    BENCH_COVER(b,
                part ? COV_PART
                           + (v->l2_merge     ? 0
                              : v->l2_hit     ? 2
                              : v->l2_upgrade ? 3
                                              : 4)
                     : COV_WHOLE,
                part || !grains);
    BENCH_COVER(b, COV_PART_IN + page_place(r->state), part && !v->l2_merge);
    BENCH_COVER(b, COV_PART_HOST, part && host);
    BENCH_COVER(b, COV_PART_BESIDE, part && whole);
    BENCH_COVER(b, COV_WHOLE + 1, !part && grains == 1);
    BENCH_COVER(b, COV_WHOLE + 2, !part && grains > 1 && grains < GRAINS);
    BENCH_COVER(b, COV_PART_BEHIND, again[0] && !be_partial(&before.be));
    BENCH_COVER(b, COV_PART_BEFORE, again[1] && !part);
    before = *q;
}
#endif
