/* The page of l2 (docs/blocks/l2.md) as a program: hit or miss, the victim by true LRU, every wait, read, write-back, answer and event. The step numbers and the
 * letters of the cases are the page's. The order of the steps of an edge stands here; each step in the header of its part. */
#ifndef VERIF_CACHE_L2_PAGE_H
#define VERIF_CACHE_L2_PAGE_H
#include "verif/cache/l2/page_maint.h"
#include "verif/cache/l2/page_request.h"
#include "verif/cache/l2/page_s2.h"
#include "verif/cache/l2/page_show.h"
#include "verif/common/scoreboard.h"

static void page_begin(page_t *p)
{
    for (unsigned s = 0; s < PG_SETS; s++)
        for (unsigned w = 0; w < L2_WAYS; w++)
            p->cache[s][w].used = L2_WAYS - w; /* way 0 counts as the youngest */
    p->touches = L2_WAYS;
    page_show(p);
}

/* Step 6, at leaving. */
static void page_left_s3(page_t *p, const page_s3_t *s)
{
    uint64_t image, stored;
    if (s->kind == PG_WRITE || s->kind == PG_AMO)
        page_reserve(p->resv, &s->n, s->kind == PG_WRITE || page_atomic(p, s, &image, &stored));
}

/* Step 2. Returns whether s3 leaves; *next is its next state otherwise. */
static bool page_s3(const page_t *p, const l2_in_t *in, bool fill_now, page_s3_t *next, bool *store, uint64_t *stored)
{
    const page_s3_t *s = &p->s3;
    *next = *s;
    if (!s->valid)
        return false;
    if (s->kind == PG_WB)
        return !p->rq_n && in->home_req_ready;
    if (s->kind != PG_AMO)
        return in->net_rsp_ready;
    uint64_t image;
    const bool stores = s->phase && page_atomic(p, s, &image, stored);
    *store = stores && !s->wrote && !fill_now;
    if (!s->phase)
        memcpy(&next->old, s->data.b + (s->n.req.amo_off & ~7u), 8);
    next->phase = true;
    next->sent |= p->out.net_rsp_valid && in->net_rsp_ready;
    next->wrote |= *store;
    return s->phase && (s->sent || in->net_rsp_ready) && (!stores || s->wrote || !fill_now);
}

/* Step 4. */
static void page_replay(page_t *p, unsigned k, page_s2_t *s2)
{
    page_mshr_t *m = &p->mshr[k];
    const net_req_t n = m->list[0];
    *s2 = (page_s2_t){.valid = true,
                      .kind = n.req.op == MEM_READ    ? PG_READ
                              : n.req.op == MEM_WRITE ? PG_WRITE
                                                      : PG_AMO,
                      .frombyp = m->byp,
                      .way = m->way,
                      .k = k,
                      .n = n};
    memmove(m->list, m->list + 1, --m->n * sizeof *m->list);
    p->targets--;
}

/* Step 1. mshr: those before the edge. */
static void page_arrives(page_t *p, const l2_in_t *in, const page_mshr_t *mshr)
{
    const unsigned k = in->home_rsp.id & (PG_TOP - 1);
    const uint8_t *line = (const uint8_t *)in->home_rsp.data.w;
    page_mshr_t *m = &p->mshr[k];
    if (in->home_rsp.id & PG_TOP) {
        page_way_t *v = &p->cache[page_set(mshr[k].line)][mshr[k].way];
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (!mshr[k].fetched[i])
                v->data.b[i] = line[i];
        m->done = true;
    } else if (mshr[k].byp) {
        memcpy(m->data.b, line, LINE_BYTES);
        m->done = true;
    } else {
        m->drop = false;
    }
}

static void page_expect(page_t *p, const l2_in_t *in)
{
    static page_mshr_t before[L2_MSHRS];
    memcpy(before, p->mshr, sizeof before);
    const l2_out_t was = p->out;
    const bool top = in->home_rsp.id & PG_TOP, fill_now = in->home_rsp_valid && top,
               byp_now = in->home_rsp_valid && !top;
    const unsigned rsp_k = in->home_rsp.id & (PG_TOP - 1), targets = p->targets;
    const bool clear = p->cleared == PG_SETS;
    l2_out_t o = {0};
    ev_l2_t *ev = &o.ev;
    p->slice = in->slice;

    /* 2. s3. */
    page_s3_t s3 = p->s3, next;
    const bool amo_hold = s3.valid && s3.kind == PG_AMO && !s3.wrote;
    bool store = false;
    uint64_t stored = 0;
    const bool leaves = page_s3(p, in, fill_now, &next, &store, &stored);
    const bool s3_free = !s3.valid || leaves;
    if (leaves)
        page_left_s3(p, &s3);
    if (s3_free)
        next = (page_s3_t){0};

    /* What memory took. */
    const bool sent = was.home_req_valid && in->home_req_ready;
    ev->l2_read = sent && !page_writes(&was);
    ev->l2_write = sent && page_writes(&was);
    if (ev->l2_read)
        memmove(p->rq, p->rq + 1, --p->rq_n * sizeof *p->rq);

    /* 3, 4, 5. */
    page_s2_t s2 = {0};
    const bool s2_leaves = page_s2(p, &next, s3_free, amo_hold, s3.row, fill_now), s2_free = !p->s2.valid || s2_leaves;
    int replay = -1, appended = -1;
    for (int k = L2_MSHRS - 1; k >= 0; k--)
        if (before[k].valid && before[k].done && before[k].n)
            replay = k;
    bool s1_leaves = false;
    if (s2_free && replay >= 0) {
        page_replay(p, (unsigned)replay, &s2);
        ev->l2_replay = true;
    }
    if (p->s1_valid && !p->s1_step && (!s2_free || replay >= 0)) {
        ev->l2_stall_pipe = true;
    } else if (p->s1_valid && s2_free && replay < 0) {
        if (p->s1_step) {
            page_maintain(p, &s2);
            s1_leaves = true;
        } else {
            const char c = page_request(p, &s2, before, targets, byp_now, rsp_k, ev, &appended);
            s1_leaves = c != 0;
            if (c) {
                ev->l2_access = true;
                ev->l2_hit = c == 'c';
                ev->l2_merge = c == 'a' || c == 'b';
                ev->l2_upgrade = c == 'b';
                ev->l2_probe = c == 'd';
                ev->l2_atomic = p->s1.req.op == MEM_AMO;
                ev->l2_cls = p->s1.req.cls;
                ev->l2_asid = p->s1.req.asid;
            }
        }
    }
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (before[k].valid && before[k].done && !before[k].n && !before[k].drop && appended != (int)k)
            p->mshr[k].valid = false;

    /* 1, and the store of step 6. */
    ev->l2_fill = fill_now;
    if (in->home_rsp_valid)
        page_arrives(p, in, before);
    if (store)
        memcpy(s3.row->data.b + s3.n.req.amo_off, &stored, s3.n.req.amo_dword ? 8 : 4);

    /* 7, 8. */
    const bool s1_free = !p->s1_valid || s1_leaves, quiet = !p->s1_valid && !p->s2.valid && !s3.valid;
    bool awaited = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited |= before[k].valid;
    if (s1_free)
        p->s1_valid = false;
    if (s1_free && clear && p->maint == PG_NONE && p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3) {
        p->s1_valid = true;
        p->s1_step = false;
        p->s1 = p->q[0].n;
        memmove(p->q, p->q + 1, --p->q_n * sizeof *p->q);
    }
    if (was.net_req_ready && in->net_req_valid) {
        p->q[p->q_n].n = in->net_req;
        p->q[p->q_n++].since = p->now;
    }
    o.maint_done = page_walk(p, in, s1_free, quiet, awaited);
    p->s3 = next;
    if (s2_free)
        p->s2 = s2;
    p->cleared += !clear;
    p->now++;
    p->out = o;
    page_show(p);
}
#endif
