/* Step 5 for a request: the cases by their letters, and every wait. */
#ifndef VERIF_CACHE_L2_PAGE_REQUEST_H
#define VERIF_CACHE_L2_PAGE_REQUEST_H
#include "verif/cache/l2/page_state.h"

/* Step 5 for a request: the case, by its letter; 0: it stays, and the event says why. mshr: those before the edge. */
static char page_request(page_t *p, page_s2_t *to, const page_mshr_t *mshr, unsigned targets, bool byp_now,
                         unsigned byp_k, ev_l2_t *ev, int *appended)
{
    const net_req_t *n = &p->s1;
    const mem_req_t *r = &n->req;
    const unsigned set = page_set(r->line);
    page_way_t *ways = p->cache[set];
    const bool nb = r->op == MEM_READ && n->bypass, st = r->op == MEM_WRITE || (r->op == MEM_AMO && r->amo != AMO_LR);
    bool whole = r->op == MEM_WRITE;
    int hit = -1, m = -1, fresh = -1, victim = -1;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        whole &= page_be(r, i);
    for (int w = L2_WAYS - 1; w >= 0; w--)
        if (ways[w].valid && ways[w].line == r->line)
            hit = w;
    for (int k = L2_MSHRS - 1; k >= 0; k--) {
        if (!mshr[k].valid)
            fresh = k;
        else if (mshr[k].line == r->line)
            m = k;
    }
    for (int w = L2_WAYS - 1; w >= 0; w--)
        if (!ways[w].valid)
            victim = w;
    for (int w = 0; w < L2_WAYS && (victim < 0 || ways[victim].valid); w++) {
        bool reserved = false;
        for (unsigned k = 0; k < L2_MSHRS; k++)
            reserved |= mshr[k].valid && !mshr[k].byp && page_set(mshr[k].line) == set && mshr[k].way == (unsigned)w;
        if (!reserved && (victim < 0 || ways[w].used < ways[victim].used))
            victim = w;
    }

    const char c = m >= 0               ? (r->op == MEM_READ || !mshr[m].byp ? 'a' : 'b')
                   : hit >= 0           ? (ways[hit].filled || r->op == MEM_WRITE ? 'c' : 'd')
                   : nb                 ? 'e'
                   : r->op == MEM_WRITE ? 'g'
                                        : 'f';
    const bool listed = c == 'a' || c == 'b' || c == 'd' || c == 'e' || c == 'f',
               opens = c == 'd' || c == 'e' || c == 'f', places = c == 'b' || c == 'f' || c == 'g';
    if (c == 'b' && (mshr[m].done || (byp_now && byp_k == (unsigned)m))) {
        ev->l2_stall_drain = true;
        return 0;
    }
    if ((listed && targets == L2_TARGETS) || (opens && fresh < 0)) {
        ev->l2_stall_mshr = true;
        return 0;
    }
    if (places && victim < 0) {
        ev->l2_stall_way = true;
        return 0;
    }

    const unsigned k = (unsigned)(m >= 0 ? m : opens ? fresh : 0);
    *to = (page_s2_t){.valid = c != 'a', .n = *n, .k = k, .way = (unsigned)(places ? victim : hit >= 0 ? hit : 0)};
    if (opens)
        p->mshr[k] = (page_mshr_t){.valid = true, .byp = c == 'e', .line = r->line, .way = c == 'e' ? 0 : to->way};
    if (listed) {
        p->mshr[k].list[p->mshr[k].n++] = *n;
        p->targets++;
        *appended = (int)k;
    }
    switch (c) {
    case 'a':
        if (!mshr[m].byp) {
            ways[hit].dirty |= st;
            if (!nb)
                ways[hit].used = ++p->touches;
        }
        break;
    case 'b':
        p->mshr[k].byp = false;
        p->mshr[k].drop = true;
        p->mshr[k].way = to->way;
        to->kind = PG_ALLOC;
        break;
    case 'c':
    case 'd':
        ways[hit].filled |= c == 'd' || whole;
        ways[hit].dirty |= st;
        if (!nb)
            ways[hit].used = ++p->touches;
        to->kind = c == 'd' ? PG_PROBE : r->op == MEM_READ ? PG_READ : r->op == MEM_WRITE ? PG_WRITE : PG_AMO;
        break;
    case 'e': to->kind = PG_BYPASS; break;
    case 'f': to->kind = PG_ALLOC; break;
    default: to->kind = PG_WRITE; to->fresh = true;
    }
    if (places) { /* install */
        page_way_t *v = &ways[victim];
        to->wb = v->valid && v->dirty;
        to->victim = v->line;
        v->valid = true;
        v->filled = c == 'g' ? whole : true;
        v->dirty = st;
        v->line = r->line;
        v->used = ++p->touches;
    }
    ev->l2_bypass = nb;
    ev->l2_evict = places && to->wb;
    return c;
}
#endif
