/* Steps 6, FORM, ADMIT and BACK: warps that are formed anew. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_FORM_H
#define VERIF_CORE_COMPACTOR_PAGE_FORM_H
#include "verif/core/compactor/page_state.h"

static bool page_to_form(const page_t *p)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (p->warp[h].thread[t].form)
                return true;
    return false;
}

static int page_first_todo(page_t *p)
{
    int w = 0;
    while (!p->todo[w])
        w++;
    p->todo[w] = false;
    bool more = false;
    for (int k = 0; k < WARPS; k++)
        more |= p->todo[k];
    if (!more)
        p->engine = E_IDLE;
    return w;
}

static void page_formed(const page_t *p, compactor_out_t *o, int w, uint64_t mask, bool nested)
{
    int homes[THREADS], n = 0;
    o->formed_valid = true;
    o->formed.warp = (uint8_t)w;
    o->formed.mask = mask;
    o->formed.nested = nested;
    for (int t = 0; t < THREADS; t++) {
        o->formed.homes[t] = p->warp[w].home[t];
        if (mask >> t & 1)
            homes[n++] = p->warp[w].home[t];
    }
    o->ev.compact_warps = true;
    o->ev.compact_threads = n;
    for (int k = 1; k < n; k++)
        o->ev.compact_mixed |= homes[k] != homes[0];
}

static void page_go(compactor_out_t *o, go_t go)
{
    o->go_valid = true;
    o->go = go;
}

/* Steps 6, FORM and ADMIT: the next warp has a thread of this home at each place. */
static void page_make(page_t *p, compactor_out_t *o, const int *place)
{
    int w = 0;
    bool nested = p->group[p->g].level != 0;
    uint64_t mask = 0;
    while (!p->todo[w])
        w++;
    p->todo[w] = false;
    for (int k = 0; k < WARPS; k++)
        nested |= page_of(p, k, p->g) && page_waits(p, k);
    for (int t = 0; t < THREADS; t++) {
        p->warp[w].home[t] = place[t] == NOBODY ? w : place[t];
        mask |= (uint64_t)(place[t] != NOBODY) << t;
    }
    const group_s *q = &p->group[p->g];
    p->warp[w].state = RUNS;
    page_go(o, (go_t){.kind = GO_FORM,
                      .warp = (uint8_t)w,
                      .pc = p->fpc,
                      .rpc_valid = q->rpc_valid,
                      .rpc = q->rpc,
                      .tmask = mask});
    page_formed(p, o, w, mask, nested);
    p->engine = page_to_form(p) ? E_FORM : E_IDLE;
}

/* FORM, not aware. Each place is filled on its own. */
static void page_form(page_t *p, compactor_out_t *o)
{
    int place[THREADS];
    for (int t = 0; t < THREADS; t++) {
        int h = 0;
        while (h < WARPS && !p->warp[h].thread[t].form)
            h++;
        place[t] = h < WARPS ? h : NOBODY;
        if (h < WARPS)
            p->warp[h].thread[t].form = false;
    }
    page_make(p, o, place);
}

/* Places that only this home could fill: it alone has a thread for the place. */
static int page_fits(const page_t *p, int h)
{
    int n = 0;
    for (int t = 0; t < THREADS; t++)
        n += p->warp[h].thread[t].form && p->place[t] == NOBODY;
    return n;
}

static void page_join(page_t *p, int h)
{
    p->member[h] = true;
    for (int t = 0; t < THREADS; t++)
        if (p->warp[h].thread[t].form && p->place[t] == NOBODY) {
            p->place[t] = h;
            p->warp[h].thread[t].form = false;
        }
}

/* Has this home touched the pages of all that are in the warp? */
static bool page_common(const page_t *p, const compactor_in_t *in, int h)
{
    bool all = true;
    for (int m = 0; m < WARPS; m++)
        all &= !p->member[m] || (uint64_t)in->common[h] >> m & 1;
    return all;
}

/* FORM, aware. */
static void page_leads(page_t *p)
{
    for (int t = 0; t < THREADS; t++)
        p->place[t] = NOBODY;
    memset(p->member, 0, sizeof p->member);
    int leader = 0;
    while (!page_fits(p, leader))
        leader++;
    page_join(p, leader);
    p->engine = E_ADMIT;
}

static void page_admit(page_t *p, const compactor_in_t *in, compactor_out_t *o, bool room)
{
    bool apart = false;
    for (int h = 0; h < WARPS; h++) {
        if (p->member[h] || !page_fits(p, h))
            continue;
        if (page_common(p, in, h)) {
            page_join(p, h);
            p->did.joined = h;
            return;
        }
        apart = true;
    }
    if (!room)
        return;
    page_make(p, o, p->place);
    o->ev.compact_apart = apart;
}

static void page_back(page_t *p, compactor_out_t *o)
{
    const int h = page_first_todo(p);
    warp_s *v = &p->warp[h];
    uint64_t live = 0;
    for (int t = 0; t < THREADS; t++) {
        v->home[t] = h;
        live |= (uint64_t)v->thread[t].live << t;
    }
    v->state = RUNS;
    page_go(o, (go_t){.kind = GO_FORM, .warp = (uint8_t)h, .pc = v->wpc, .tmask = live});
    page_formed(p, o, h, live, false);
    if (p->engine == E_IDLE)
        p->group[p->g].rpc_valid = false, p->group[p->g].rpc = 0;
}
#endif
