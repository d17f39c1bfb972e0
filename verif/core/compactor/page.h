/* The page of compactor (docs/blocks/compactor.md) as a program. A group is a list of threads: each has its home and place, the warp it runs in, and its state; an entry of a stack is a
 * list of its threads. The position of a warp, and waits between threads, are computed from the threads. Blocks without compaction have no bench of it. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_H
#define VERIF_CORE_COMPACTOR_PAGE_H
#include "verif/core/compactor/page_decide.h"
#include "verif/core/compactor/page_form.h"
#include "verif/core/compactor/page_meet.h"
#include "verif/core/compactor/page_sides.h"

static void page_expect(page_t *p, const compactor_in_t *in)
{
    compactor_out_t o = {0};
    const compactor_out_t *was = &p->out;
    const int wrong = in->meet_valid && !p->flt_valid ? page_wrong(p, &in->meet) : 0;
    const go_t flt = {
        .kind = GO_FAULT, .warp = in->meet.warp, .pc = in->meet.pc, .value = wrong == 2, .tmask = in->meet.tmask};
    const bool open = !was->go_valid || in->go_ready;
    memset(&p->did, 0, sizeof p->did);
    p->did.joined = NOBODY;
    p->did.fault = wrong;
    if (!open)
        page_go(&o, was->go);
    bool room = open;
    if (open && p->flt_valid) {
        page_go(&o, p->flt);
        p->flt_valid = room = false;
    }
    switch (p->engine) { /* steps 5, 6 */
    case E_IDLE: page_decide(p, in, &o); break;
    case E_DIV: page_divide(p, &o); break;
    case E_SIDE: page_sides(p); break;
    case E_POP: page_pop(p); break;
    case E_ALONE:
        if (room) {
            const int w = page_first_todo(p);
            const meet_t *a = &p->warp[w].at;
            p->warp[w].state = RUNS;
            o.ev.compact_alone = true;
            page_go(&o, (go_t){.kind = GO_ALONE,
                               .warp = (uint8_t)w,
                               .pc = a->pc,
                               .target = a->target,
                               .tmask = a->tmask,
                               .taken = a->taken});
        }
        break;
    case E_FORM:
        if (p->group[p->g].aware)
            page_leads(p);
        else if (room)
            page_form(p, &o);
        break;
    case E_ADMIT: page_admit(p, in, &o, room); break;
    case E_BACK:
        if (room)
            page_back(p, &o);
        break;
    case E_DONE:
        if (room) {
            const int w = page_first_todo(p);
            p->warp[w].in = false;
            page_go(&o, (go_t){.kind = GO_DONE, .warp = (uint8_t)w});
        }
        break;
    }
    for (int w = 0; w < WARPS; w++)
        if (in->release_valid && (uint64_t)in->release >> w & 1 && p->warp[w].state == ARRIVED)
            p->warp[w].state = RUNS;
    if (in->meet_valid)
        page_meet(p, &in->meet);
    if (wrong)
        p->flt_valid = true, p->flt = flt;
    for (int w = 0; w < WARPS; w++) { /* step 4 */
        const issued_t *i = &in->issue;
        p->warp[w].fly += in->issue_valid && i->warp == w && i->first && i->pipe != PIPE_ALU && i->pipe != PIPE_CTL
                          && i->instr % 128 != 35;
        p->warp[w].fly -= in->wb_valid && in->wb.res.warp == w && in->wb.res.last && in->wb.pipe != PIPE_ALU;
    }
    if (in->start_valid)
        page_start(p, in);
    for (int w = 0; w < WARPS; w++) {
        o.grouped |= (__typeof__(o.grouped))((uint64_t)p->warp[w].in << w);
        bool waits = false;
        for (int h = 0; h < WARPS; h++)
            waits |= page_of(p, h, p->warp[w].slot) && page_waits(p, h);
        o.nested |=
            (__typeof__(o.nested))((uint64_t)(p->warp[w].in && (p->group[p->warp[w].slot].level || waits)) << w);
        for (int t = 0; t < THREADS && w < HOME_WARPS; t++)
            o.homes[w % HOME_WARPS][t % HOME_PLACES] = (uint8_t)p->warp[w].home[t];
    }
    p->out = o;
}
#endif
