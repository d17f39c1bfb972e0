/* Checks of each answer against the tables: hits, walks that end, names of walks, fetches. */
#ifndef VERIF_MMU_TABLES_ANSWERS_H
#define VERIF_MMU_TABLES_ANSWERS_H
#include "verif/mmu/tables/env.h"

/* An access has its answer. `kept`: it may be of an entry that was kept, not of a walk. */
static void check(env_t *e, const access_t *a, ref_verdict verdict, uint64_t ppn, bool kept)
{
    static const char *const verdicts[] = {"translated", "page fault", "access fault"}, *const uses[] = {
                                                                                            "load", "store", "fetch"};
    const space_t *now = &e->spaces.space[e->spaces.now];
    ref_translation t = by_the_tables(&e->spaces, now, a->vpn, a->use);
    e->last = e->cycle;
    if (t.verdict == verdict && (verdict != REF_TRANSLATED || t.pa >> 12 == ppn)) {
        unsigned level;
        if (verdict == REF_TRANSLATED) {
            COVER(e, COV_OK + a->use * LEVELS + t.level, true);
            COVER(e, COV_HIT + t.level, kept && a->use != REF_USE_FETCH);
        } else {
            kind_t k = kind_of(&t, a->use, &level);
            COVER(e, COV_KIND + k * (LEVELS + 1) + level, true);
            COVER(e, COV_KIND_FETCH + k, a->use == REF_USE_FETCH);
        }
        for (unsigned i = 1; i < t.reads; i++)
            for (unsigned j = 0; j < i; j++)
                COVER(e, COV_KIND + K_LOOP * (LEVELS + 1) + LEVELS - i, t.read[i].addr / 4096 == t.read[j].addr / 4096);
        return;
    }
    /* Of before the invalidation, or not covered by it. */
    if (verdict == REF_TRANSLATED && kept) {
        if (may_be_kept(&e->spaces, a->vpn, a->use, ppn)) {
            COVER(e, COV_KEPT, true);
            return;
        }
        if (e->cycle == e->inv_cycle + 1) {
            ref_translation was = by_the_tables(&e->before, &e->before.space[e->before.now], a->vpn, a->use);
            if ((was.verdict == REF_TRANSLATED && was.pa >> 12 == ppn) || may_be_kept(&e->before, a->vpn, a->use, ppn))
                return;
        }
    }
    fail(e,
         "%s of page 0x%" PRIx64 ": %s 0x%" PRIx64 ", the tables say %s 0x%" PRIx64 " (%u PTEs, the last 0x%" PRIx64
         ")",
         uses[a->use], a->vpn, verdicts[verdict], ppn, verdicts[t.verdict],
         t.verdict == REF_TRANSLATED ? t.pa >> 12 : 0, t.reads, t.reads ? t.read[t.reads - 1].value : 0);
}

static void got(env_t *e, access_t *a)
{
    a->state = e->mode == TLB_OVERLAP ? NONE : GOT;
}

static void found(env_t *e)
{
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        access_t *a = e->port[p];
        if ((e->to.found_valid >> p & 1) != (a != NULL))
            fail(e, "port %u: %s", p, a ? "no answer" : "an answer to nothing");
        if (a && e->to.found[p].hit) {
            check(e, a, REF_TRANSLATED, e->to.found[p].ppn, true);
            got(e, a);
        } else if (a) {
            a->state = MISSED;
        }
        if (a && e->cycle == e->inv_cycle + 1) { /* found at the edge of an invalidation: not used */
            COVER(e, COV_AGAIN, true);
            a->state = TODO;
        }
        e->port[p] = NULL;
    }
}

/* The requester checks the result (docs/translation.md, its section on translations). */
static void walked(env_t *e)
{
    const walked_t *w = &e->mo.walked;
    if (!e->mo.walked_valid)
        return;
    if (!(e->walks >> w->walk & 1))
        fail(e, "walk %u ended, and nobody waits for it", w->walk);
    e->walks &= ~(1u << w->walk);
    for (unsigned k = 0; k < INSNS * PAGES; k++) {
        access_t *a = &e->access[k];
        if (a->state != WAITS || a->walk != w->walk)
            continue;
        bool allows = a->use == REF_USE_STORE ? w->leaf.w : w->leaf.r;
        uint64_t low = (1ull << 9 * w->leaf.level) - 1;
        if (w->vpn != a->vpn)
            fail(e, "walk %u is of page 0x%" PRIx64 ", 0x%" PRIx64 " waits for it", w->walk, w->vpn, a->vpn);
        if (w->result == WALK_PAGE || !allows) {
            check(e, a, REF_PAGE_FAULT, 0, false);
            a->state = NONE;
        } else if (w->result == WALK_ACCESS) {
            check(e, a, REF_ACCESS_FAULT, 0, false);
            a->state = NONE;
        } else {
            check(e, a, REF_TRANSLATED, (w->leaf.ppn & ~low) | (a->vpn & low), false);
            got(e, a);
        }
    }
}

static void named(env_t *e)
{
    const bool taken[2] = {e->asked != NULL, e->fetch_taken};
    for (unsigned p = 0; p < 2; p++) {
        if ((e->mo.walk_valid >> p & 1) != taken[p])
            fail(e, "miss port %u: %s", p,
                 taken[p] ? "a miss was taken, and no walk is named" : "a walk is named for nothing");
        if (!taken[p])
            continue;
        unsigned k = e->mo.walk[p];
        if (k >= TLB_MSHRS) {
            fail(e, "walk %u", k);
            return;
        }
        if (!(e->walks >> k & 1))
            e->walk_ports[k] = 0;
        e->walks |= 1u << k;
        e->walk_ports[k] |= 1u << p;
        COVER(e, COV_SHARED, e->walk_ports[k] == 3);
        if (p == 0) {
            e->asked->state = WAITS;
            e->asked->walk = (uint8_t)k;
            e->asked = NULL;
        }
    }
    COVER(e, COV_FULL, e->walks == (1u << TLB_MSHRS) - 1);
}

static void fetched(env_t *e)
{
    for (unsigned f = 0; f < 2; f++) {
        if (!(e->io.found_valid >> f & 1))
            continue;
        static const ref_verdict verdict[] = {
            [WALK_OK] = REF_TRANSLATED, [WALK_PAGE] = REF_PAGE_FAULT, [WALK_ACCESS] = REF_ACCESS_FAULT};
        if (e->fetch[f].state != LOOKED)
            fail(e, "fetch %u: an answer to nothing", f);
        else
            check(e, &e->fetch[f], verdict[e->io.found[f].result % 3], e->io.found[f].ppn, true);
        e->fetch[f].state = NONE;
    }
}
#endif
