/* Step 6 for a request: its case, by its letter, and the way that a miss takes. */
#ifndef VERIF_COHERENCE_L2C_PAGE_REQUEST_H
#define VERIF_COHERENCE_L2C_PAGE_REQUEST_H
#include "verif/coherence/l2c/page_addresses.h"
#include "verif/coherence/l2c/page_needs.h"

/* State for the look-up of a request: MSHRs and targets before the edge. */
typedef struct {
    const page_mshr_t *mshr;
    unsigned targets;
} page_before_t;

/* The way that a miss takes: -1, none. */
static int page_victim(const page_t *p, const page_before_t *was, unsigned set)
{
    const page_way_t *ways = p->cache[set];
    bool reserved[L2_WAYS] = {false};
    int victim = -1;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (was->mshr[k].valid && !was->mshr[k].done && page_set(was->mshr[k].line) == set)
            reserved[was->mshr[k].way] = true;
    for (int w = 0; w < L2_WAYS; w++)
        if (!reserved[w] && !page_held(&ways[w]))
            return w;
    for (int w = 0; w < L2_WAYS; w++)
        if (!reserved[w] && (victim < 0 || ways[w].used < ways[victim].used))
            victim = w;
    return victim;
}

/* Step 6 for a request: the case, by its letter; 0: it stays, for the reason in the event. */
static char page_request(page_t *p, page_s2_t *to, const page_before_t *was, ev_l2c_t *ev)
{
    const net_req_t *n = &p->s1;
    const mem_req_t *r = &n->req;
    const page_what_t what = page_what(r);
    const unsigned set = page_set(r->line);
    page_way_t *ways = p->cache[set];
    const int hit = page_way(p, r->line);
    const char st = hit < 0 ? 'I' : ways[hit].state;
    const bool sc = r->op == MEM_AMO && r->amo == AMO_SC;
    int m = -1, fresh = -1;
    for (int k = L2_MSHRS - 1; k >= 0; k--) {
        if (!was->mshr[k].valid)
            fresh = k;
        else if (!was->mshr[k].done && was->mshr[k].line == r->line)
            m = k;
    }
    const char c = m < 0 && page_hit(st, what)                     ? 'c'
                   : sc                                            ? 'd'
                   : m >= 0 && what == PG_STORE && !p->mshr[m].own ? 'b'
                   : m >= 0                                        ? 'a'
                   : st != 'I'                                     ? 'e'
                                                                   : 'f';
    const int victim = c == 'f' ? page_victim(p, was, set) : c == 'e' ? hit : 0;
    if (c == 'b') {
        ev->l2_stall_own = true;
        return 0;
    }
    if (((c == 'e' || c == 'f') && fresh < 0) || (c != 'c' && c != 'd' && was->targets == L2_TARGETS)) {
        ev->l2_stall_mshr = true;
        return 0;
    }
    if (victim < 0) {
        ev->l2_stall_way = true;
        return 0;
    }

    *to = (page_s2_t){.valid = c != 'a', .n = *n};
    if (c == 'a') {
        p->mshr[m].stored |= what == PG_N_STORE;
        p->list[m][p->mshr[m].n++] = *n;
        p->targets++;
    } else if (c == 'c' || c == 'd') {
        to->kind = page_kind(r);
        to->fail = c == 'd';
        to->way = hit < 0 ? 0 : (unsigned)hit;
        if (c == 'd')
            return c;
        const bool lr = r->op == MEM_AMO && r->amo == AMO_LR;
        ways[hit].used = ++p->touches;
        if (!lr) {
            ways[hit].state = page_next(st, what);
            page_moved(ev, st, ways[hit].state);
        }
    } else {
        page_way_t *v = &ways[victim];
        const char vstate = page_held(v) ? v->state : 'I';
        p->mshr[fresh] = (page_mshr_t){.valid = true,
                                       .own = what == PG_STORE,
                                       .stored = what == PG_N_STORE,
                                       .line = r->line,
                                       .way = (unsigned)victim,
                                       .n = 1};
        p->list[fresh][0] = *n;
        p->targets++;
        to->kind = PG_ALLOC;
        to->way = (unsigned)victim;
        to->k = (unsigned)fresh;
        to->wb = page_gives(vstate, PG_EVICT);
        to->lost = vstate != 'I';
        to->victim = v->line;
        to->vstate = vstate;
        page_moved(ev, vstate, 'I');
        v->state = 'I';
        v->line = r->line;
        v->used = ++p->touches;
        ev->l2_own = what == PG_STORE;
        ev->l2_evict = c == 'f' && to->wb;
        ev->l2_n_read = c == 'f' && what == PG_N_STORE;
    }
    return c;
}
#endif
