/* See judge_homes.h. */
#include "sim_c/ref/judge_homes.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <string.h>

unsigned judge_seat(core_state_t *c, unsigned home, unsigned t)
{
    for (unsigned w = 0; COMPACTS && w < WARPS; w++) {
        const warp_state_t *s = &c->warp[w];
        for (uint8_t k = s->head; s->active && s->seat[t] == home && k != s->tail; k++)
            if (is_atomic(&s->ring[k]) && s->ring[k].tmask >> t & 1)
                return w;
    }
    return home;
}

/* The seat of a thread: a warp of that group, or NULL. */
static warp_state_t *seat_of(core_state_t *c, unsigned slot, unsigned home, unsigned t)
{
    for (unsigned w = 0; w < WARPS; w++)
        if (c->warp[w].active && c->warp[w].slot == slot && c->warp[w].seat[t] == home)
            return &c->warp[w];
    return NULL;
}

static void swap_bit(uint64_t *a, uint64_t *b, unsigned t)
{
    const uint64_t differs = (*a ^ *b) & 1ull << t;
    *a ^= differs;
    *b ^= differs;
}

/* Memory values that the thread at that place may no longer see: fences are those of the threads that run there. */
static void note_since(warp_state_t *w, unsigned t)
{
    if (w->runs >> t & 1 && w->since > w->seat_since[t])
        w->seat_since[t] = w->since;
}

static void change_seats(judge_t *j, warp_state_t *a, warp_state_t *b, unsigned t)
{
    void *x = judge_thread(j, a, t), *y = judge_thread(j, b, t);
    memcpy(j->scratch, x, j->thread_size);
    memcpy(x, y, j->thread_size);
    memcpy(y, j->scratch, j->thread_size);
    swap_bit(&a->live, &b->live, t);
    swap_bit(&a->running, &b->running, t);
    swap_bit(&a->began, &b->began, t);
    swap_bit(&a->early, &b->early, t);
    const uint8_t home = a->seat[t];
    a->seat[t] = b->seat[t];
    b->seat[t] = home;
    const uint64_t since = a->seat_since[t];
    a->seat_since[t] = b->seat_since[t];
    b->seat_since[t] = since;
    const uint64_t pc = a->seat_pc[t];
    a->seat_pc[t] = b->seat_pc[t];
    b->seat_pc[t] = pc;
}

/* Nothing of a warp may be under way when its threads change: it would belong to other threads. */
static bool under_way(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const char *what)
{
    for (unsigned k = 0; k < RING; k++)
        if (w->ring[k].used) {
            judge_differ(j, core, warp, &w->ring[k], "%s while this instruction is not complete", what);
            return true;
        }
    return false;
}

/* Threads that wait at a barrier go on together, when all of their group wait. */
static void come_back(judge_t *j, unsigned core, unsigned warp, uint64_t returning, uint64_t mask)
{
    core_state_t *c = &j->core[core];
    const unsigned slot = c->warp[warp].slot;
    group_state_t *g = &c->group[slot];
    uint64_t missing = 0;
    unsigned all = 0;
    for (unsigned w = 0; w < WARPS && !g->back; w++)
        if (c->warp[w].active && c->warp[w].slot == slot) {
            missing |= c->warp[w].running & ~c->warp[w].early;
            all += (unsigned)__builtin_popcountll(c->warp[w].running);
        }
    if (missing)
        judge_differ(j, core, warp, NULL,
                     "threads 0x%" PRIx64 " leave a barrier that other threads of their group have not reached",
                     returning);
    g->back += all - (unsigned)__builtin_popcountll(mask);
}

void judge_formed(judge_t *j, unsigned core, const formed_t *f)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[f->warp];
    uint64_t returning = 0;
    if (w->active && c->group[w->slot].broken) /* its fault is on its way: nothing that is formed now will issue */
        return;
    if (!w->active || !f->mask) {
        judge_differ(j, core, f->warp, NULL, "a warp is formed of no thread, or before it has begun");
        return;
    }
    if (under_way(j, core, f->warp, w, "a warp is formed"))
        return;
    c->group[w->slot].formed = true;
    for (unsigned t = 0; t < THREADS; t++)
        note_since(w, t);
    for (uint64_t m = f->mask; m; m &= m - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(m), home = f->homes[t];
        warp_state_t *from = seat_of(c, w->slot, home, t);
        if (!from || !(from->running >> t & 1)) {
            judge_differ(j, core, f->warp, NULL, "a warp is formed with thread %u of warp %u, which %s", t, home,
                         from ? "has ended" : "is of another group");
            return;
        }
        returning |= (from->early >> t & 1) << t;
        if (from == w)
            continue;
        /* A warp that was formed a few cycles before may have issued already; whoever only has a seat there has no part in that. */
        if (from->runs >> t & 1 && under_way(j, core, (unsigned)(from - c->warp), from, "a thread leaves its warp"))
            return;
        note_since(from, t);
        from->runs &= ~(1ull << t);
        change_seats(j, w, from, t);
    }
    if (returning || c->group[w->slot].back)
        come_back(j, core, f->warp, returning, f->mask);
    w->runs = f->mask;
    w->nested = f->nested;
    w->early &= ~f->mask;
    w->since = UINT64_MAX;
    for (uint64_t m = f->mask; m; m &= m - 1) {
        const uint64_t since = w->seat_since[__builtin_ctzll(m)];
        w->since = since < w->since ? since : w->since;
    }
}

/* Do threads of a home of these wait at another barrier? */
static bool apart(const warp_state_t *w, const warp_state_t *o, const insn_t *i)
{
    for (uint64_t m = o->early; m; m &= m - 1)
        for (uint64_t n = i->tmask; n; n &= n - 1) {
            const unsigned t = (unsigned)__builtin_ctzll(m);
            if (o->seat[t] == w->seat[__builtin_ctzll(n)] && o->seat_pc[t] != i->pc)
                return true;
        }
    return false;
}

void judge_barrier_meets(core_state_t *c, const warp_state_t *w, const insn_t *i)
{
    group_state_t *g = &c->group[w->slot];
    const bool ends = i->op == OP_VL_EXIT;
    g->broken |= !ends && g->gone;
    for (unsigned k = 0; k < WARPS && COMPACTS; k++) {
        const warp_state_t *o = &c->warp[k];
        if (o->active && o->slot == w->slot)
            g->broken |= ends ? o->waiting || o->early : apart(w, o, i);
    }
}

bool judge_barrier_fails(const core_state_t *c, const warp_state_t *w, const sim_fault_t *f)
{
    const insn_t *last = &w->ring[(uint8_t)(w->tail - 1)];
    return COMPACTS && w->active && f->cause == FAULT_BARRIER && f->value <= 1 && c->group[w->slot].broken
           && (last->op == OP_VL_BARRIER || last->op == OP_VL_EXIT) && last->pc == f->pc && last->tmask == f->mask;
}
