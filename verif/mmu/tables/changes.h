/* Between questions: another style of them, other tables, pages and memory, invalidations. */
#ifndef VERIF_MMU_TABLES_CHANGES_H
#define VERIF_MMU_TABLES_CHANGES_H
#include "verif/mmu/tables/questions.h"

static void style(env_t *e)
{
    vl_rng_t *r = &e->rng;
    e->left = vl_below(r, 8) ? 4 + vl_below(r, 12) : 60;
    e->next = vl_below(r, 19);
    e->ready = vl_below(r, 4) ? 256 : 100;
    e->rate = vl_below(r, 4) ? 256 : 60;
    e->fetch_rate = vl_below(r, 3) ? 60 : vl_below(r, 2) ? 0 : 256;
    e->latency = vl_below(r, 16) ? 1 + vl_below(r, 8) : 80;
    e->span = vl_below(r, 3) ? SLOTS : 1 + vl_below(r, SLOTS);
}

/* The host has written tables, and invalidates. Accesses that are not sent are looked up again. */
static void invalidate(env_t *e, inv_t inv)
{
    e->ti.inv_valid = e->ii.inv_valid = e->mi.inv_valid = e->pi.inv_valid = true;
    e->ti.inv = e->ii.inv = e->mi.inv = e->pi.inv = inv;
    e->inv_busy = true;
    e->inv_cycle = e->cycle;
    spaces_invalidated(&e->spaces, &inv);
    COVER(e, COV_INV + inv.scope, any(e, WAITS, WAITS));
    COVER(e, COV_INV_FETCH, e->fetch[0].state == LOOKED && e->fetch[1].state == LOOKED);
    for (unsigned k = 0; k < INSNS * PAGES; k++)
        if (e->access[k].state == GOT)
            e->access[k].state = TODO;
}

/* Space k with other tables. */
static void renew(env_t *e, unsigned k, bool all)
{
    spaces_t *s = &e->spaces;
    all |= spaces_full(s);
    e->before = *s;
    if (!all)
        spaces_keep(s, k);
    space_renew(s, &e->rng, k);
    e->tables++;
    invalidate(
        e, (inv_t){.scope = all ? INV_ALL : INV_ASID, .asid = s->space[k].asid, .vpn = vl_random_bits(&e->rng, VPN_W)});
}

/* The PTE that was read at this address for a page of this space, or NULL. */
static uint64_t *pte_at(space_t *a, const spaces_t *s, uint64_t addr, unsigned *table)
{
    for (*table = 0; *table < TABLES; ++*table)
        if (a->frame[*table] == addr / 4096)
            return &a->pte[*table][(int)s->slot[addr / 8 % 512]];
    return NULL;
}

/* One PTE with another value, the last or a pointer on the way; then the page that was found by it is invalidated. */
static void change_page(env_t *e)
{
    spaces_t *s = &e->spaces;
    space_t *a = &s->space[s->now];
    uint64_t vpn = random_page(s, &e->rng, e->span);
    ref_translation t = by_the_tables(s, a, vpn, REF_USE_LOAD);
    if (!t.reads || spaces_full(s))
        return;
    const unsigned r = vl_below(&e->rng, 2) ? t.reads - 1 : vl_below(&e->rng, t.reads);
    unsigned table;
    uint64_t *pte = pte_at(a, s, t.read[r].addr, &table);
    if (!pte)
        return;
    e->before = *s;
    spaces_keep(s, s->now);
    *pte = random_pte(s, a, &e->rng, table);
    COVER(e, COV_POINTER_INV, r + 1 < t.reads);
    invalidate(e, (inv_t){.scope = INV_PAGE, .asid = a->asid, .vpn = vpn});
}

/* A PTE that was not valid, perhaps of a requested page: no block keeps it, and no invalidation follows. */
static void map_page(env_t *e)
{
    spaces_t *s = &e->spaces;
    space_t *a = &s->space[s->now];
    ref_translation t = by_the_tables(s, a, random_page(s, &e->rng, e->span), REF_USE_LOAD);
    unsigned table;
    uint64_t *pte = t.reads ? pte_at(a, s, t.read[t.reads - 1].addr, &table) : NULL;
    if (!pte || *pte & PTE_V)
        return;
    *pte = random_pte(s, a, &e->rng, table);
    COVER(e, COV_MAPPED, *pte & PTE_V);
}

static void another_memory(env_t *e)
{
    e->before = e->spaces;
    spaces_start(&e->spaces, &e->rng);
    for (unsigned k = 0; k < SPACES; k++)
        space_renew(&e->spaces, &e->rng, k);
    e->tables += SPACES;
    invalidate(e, (inv_t){.scope = INV_ALL});
}

/* Once the questions of this space have been asked: some changes come at once, some wait until all is answered. */
static void change(env_t *e)
{
    bool drained = quiet(e) && e->mo.idle && e->po.idle && e->io.idle && !e->inv_busy;
    spaces_t *s = &e->spaces;
    if (!e->cycle) {
        another_memory(e);
        return;
    }
    if (e->left || e->inv_busy)
        return;
    if (e->next >= 8 && !drained)
        return;
    switch (e->next) {
    case 0:
    case 1: renew(e, s->now, true); break;
    case 2:
    case 3:
    case 4: renew(e, s->now, false); break;
    case 5:
    case 6: change_page(e); break;
    case 7:
        COVER(e, COV_OTHER, any(e, WAITS, WAITS));
        renew(e, (s->now + 1 + vl_below(&e->rng, SPACES - 1)) % SPACES, false);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
    case 12: /* to another space, new or as it was */
        s->now = (s->now + 1 + vl_below(&e->rng, SPACES - 1)) % SPACES;
        if (e->next < 11)
            renew(e, s->now, e->next == 8);
        else
            COVER(e, COV_BACK, true);
        break;
    case 13:
    case 14: /* other policies */
        e->policy = (walk_policy_t){.coalesce = vl_below(&e->rng, 3) != 0,
                                    .walkers = (uint8_t)vl_below(&e->rng, WALKERS + 2),
                                    .reads = (uint8_t)(vl_below(&e->rng, 2) ? 0 : 1 + vl_below(&e->rng, TLB_MSHRS)),
                                    .pointers = vl_below(&e->rng, 2)};
        e->mode = (uint8_t)vl_below(&e->rng, 3);
        COVER(e, COV_NAIVE, !e->policy.coalesce);
        COVER(e, COV_WALKERS + (e->policy.walkers ? e->policy.walkers > WALKERS ? WALKERS : e->policy.walkers : 1) - 1,
              !e->policy.coalesce);
        COVER(e, COV_LIMIT, e->policy.coalesce && e->policy.reads);
        break;
    case 15:
    case 16:
    case 17: map_page(e); break;
    default: another_memory(e); break;
    }
    COVER(e, COV_ROOT, s->space[s->now].root != s->space[s->now].frame[0]);
    style(e);
}
#endif
