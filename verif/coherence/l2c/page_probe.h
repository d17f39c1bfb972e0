/* Step 5: a probe is looked up. */
#ifndef VERIF_COHERENCE_L2C_PAGE_PROBE_H
#define VERIF_COHERENCE_L2C_PAGE_PROBE_H
#include "verif/coherence/l2c/page_addresses.h"
#include "verif/coherence/l2c/page_needs.h"

/* Step 5. */
static void page_probed(page_t *p, page_s2_t *to, ev_l2c_t *ev)
{
    const int w = page_way(p, p->p1.line);
    page_way_t *v = w < 0 ? NULL : &p->cache[page_set(p->p1.line)][w];
    const char st = v ? v->state : 'I';
    const page_what_t e = page_asks(p->p1.kind);
    *to = (page_s2_t){.valid = true,
                      .kind = PG_PROBE,
                      .probe = p->p1.kind,
                      .way = w < 0 ? 0 : (unsigned)w,
                      .lost = p->p1.kind == PROBE_WRITE && st != 'I',
                      .victim = p->p1.line,
                      .vstate = st,
                      .gives = page_gives(st, e)};
    ev->l2_probe = true;
    ev->l2_probe_hit = st != 'I';
    ev->l2_probe_gives = to->gives;
    page_moved(ev, st, page_next(st, e));
    if (v)
        v->state = page_next(st, e);
}
#endif
