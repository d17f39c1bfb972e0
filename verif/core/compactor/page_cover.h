/* Functional coverage that is read off the state of the page */
#ifndef VERIF_COMPACTOR_PAGE_COVER_H
#define VERIF_COMPACTOR_PAGE_COVER_H
#include "verif/core/compactor/cover.h"
#include "verif/core/compactor/page.h"

/* ADMIT, before and after the edge. */
static void cover_admit(bench_t *b, const page_t *was, const page_t *p, const compactor_in_t *in, bool held)
{
    static bool open[WARPS]; /* could have joined at the edge before, and did not */
    static uint64_t last;
    int members = 0, leader = NOBODY, place = 0;
    for (int h = WARPS - 1; h >= 0; h--)
        members += was->member[h];
    for (int t = 0; t < THREADS; t++)
        place += was->place[t] != NOBODY;
    for (int h = 0; h < WARPS && leader == NOBODY; h++) /* the first to be placed is the lowest */
        leader = was->member[h] ? h : leader;
    const bool made = p->engine != E_ADMIT;
    BENCH_COVER(b, COV_STALL_ADMIT, held && p->did.joined == NOBODY);
    BENCH_COVER(b, COV_NONE_JOINS, made && members == 1 && p->out.ev.compact_apart);
    BENCH_COVER(b, COV_ONE_JOINS, made && members == 2);
    BENCH_COVER(b, COV_TWO_JOIN, made && members > 2);
    BENCH_COVER(b, COV_LEADER_FULL, members == 1 && place == THREADS);
    BENCH_COVER(b, COV_AWARE_NESTED, made && p->group[p->g].level > 1);
    for (int h = 0; h < WARPS; h++) {
        bool threads = false;
        for (int t = 0; t < THREADS; t++)
            threads |= was->warp[h].thread[t].form;
        const bool fits = page_fits(was, h) != 0, all = page_common(was, in, h),
                   stood = last + 1 == b->cycle && open[h];
        open[h] = !was->member[h] && fits && all && p->did.joined != h && !made;
        if (was->member[h] || !threads)
            continue;
        BENCH_COVER(b, COV_NOT_TO_ALL, fits && !all && members > 1 && (uint64_t)in->common[h] >> leader & 1);
        BENCH_COVER(b, COV_NO_PLACE, !fits && all);
        BENCH_COVER(b, COV_LATE_WELCOME, p->did.joined == h && was->stalled);
        BENCH_COVER(b, COV_NO_MORE_WELCOME, stood && fits && !all);
    }
    if (p->did.joined != NOBODY)
        for (int t = 0; t < THREADS; t++)
            BENCH_COVER(b, COV_JOINS_PART, p->warp[p->did.joined].thread[t].form);
    last = b->cycle;
}

static void expect(bench_t *b, page_t *p, const compactor_in_t *in)
{
    static page_t was;
    if (p->engine == E_ADMIT)
        was = *p;
    const int engine = p->engine, level = p->group[p->g].level, turn = p->turn;
    const bool held = p->out.go_valid && !in->go_ready, flt = p->flt_valid;
    bool rows = false, flies = false;
    for (int h = 0; h < WARPS; h++)
        BENCH_COVER(b, COV_BACK_NEVER, engine == E_BACK && p->todo[h] && !p->warp[h].wpc);
    if (p->engine == E_IDLE)
        for (int g = 0; g < GROUPS; g++) {
            int why;
            if (page_ready(p, in, g, &why) == P_STIRS)
                for (int w = 0; w < WARPS; w++)
                    if (page_of(p, w, g))
                        rows |= (uint64_t)in->rows >> w & 1, flies |= p->warp[w].fly != 0;
        }
    page_expect(p, in);
    for (int why = 1; why <= 5; why++)
        BENCH_COVER(b, COV_ALONE_BAR + why - 1, p->did.alone_for == why);
    BENCH_COVER(b, COV_FRESH, engine == E_DIV && p->did.fresh);
    BENCH_COVER(b, COV_SAME, engine == E_DIV && !p->did.fresh);
    BENCH_COVER(b, COV_AT_TARGET, engine == E_SIDE && p->did.at_target);
    BENCH_COVER(b, COV_AT_NEXT, engine == E_SIDE && p->did.at_next);
    BENCH_COVER(b, COV_BOTH, engine == E_SIDE && p->did.both);
    BENCH_COVER(b, COV_LAST_ENTRY, engine == E_SIDE && p->group[p->g].level == BLOCK_STACK);
    const bool forms = engine == E_FORM || engine == E_ADMIT;
    BENCH_COVER(b, COV_MIXED, forms && p->out.ev.compact_mixed);
    BENCH_COVER(b, COV_PURE, forms && p->out.formed_valid && !p->out.ev.compact_mixed);
    if (forms && p->engine == E_IDLE) {
        const int n = page_count(p, p->g, RUNS);
        BENCH_COVER(b, COV_FORM_ONE, n == 1);
        BENCH_COVER(b, COV_FORM_ALL, n > 1 && n == p->group[p->g].size);
    }
    BENCH_COVER(b, COV_POP_EMPTY, engine == E_POP && level && p->engine == E_POP);
    BENCH_COVER(b, COV_POP_SEVERAL, engine == E_POP && level > 1 && p->engine == E_POP);
    BENCH_COVER(b, COV_BACK, engine == E_BACK);
    BENCH_COVER(b, COV_DONE, engine == E_DONE);
    const meet_t *m = &in->meet;
    BENCH_COVER(b, COV_FAULT_LEFT, !flt && p->did.fault == 2 && !m->ended);
    BENCH_COVER(b, COV_FAULT_GONE, !flt && p->did.fault == 1 && !m->ended && p->group[p->warp[m->warp].slot].left);
    BENCH_COVER(b, COV_FAULT_APART, !flt && p->did.fault == 1 && !m->ended && !p->group[p->warp[m->warp].slot].left);
    BENCH_COVER(b, COV_FAULT_ENDED, !flt && p->did.fault && m->ended && p->did.fault == 1);
    BENCH_COVER(b, COV_FAULT_BAR, !flt && p->did.fault == 2 && m->ended);
    BENCH_COVER(b, COV_STIRS_ROW, rows);
    BENCH_COVER(b, COV_STIRS_FLY, flies);
    BENCH_COVER(b, COV_TWO, p->did.ready > 1);
    BENCH_COVER(b, COV_TURNED, p->did.ready > 1 && p->g >= turn && turn);
    BENCH_COVER(b, COV_STALL_ALONE, held && engine == E_ALONE);
    BENCH_COVER(b, COV_STALL_FORM, held && engine == E_FORM && !p->group[p->g].aware);
    BENCH_COVER(b, COV_STALL_BACK, held && engine == E_BACK);
    BENCH_COVER(b, COV_STALL_DONE, held && engine == E_DONE);
    BENCH_COVER(b, COV_AWARE_POPPED, engine == E_POP && p->engine == E_FORM && p->group[p->g].aware);
    if (engine == E_ADMIT)
        cover_admit(b, &was, p, in, held);
    p->stalled = engine == E_ADMIT && held && p->did.joined == NOBODY;
}
#endif
