/* The worked example (T10), and the bound between kernels: their beginning, and each cycle. */
#ifndef VERIF_MMU_WALKER_SCENES_H
#define VERIF_MMU_WALKER_SCENES_H
#include "verif/mmu/walker/asks.h"

static void start_scene(bench_t *b, env_t *e)
{
    set_tables(e);
    e->policy = (walk_policy_t){.coalesce = e->scene & 1, .reads = (uint8_t)(e->scene > 2 ? 1 : 0)};
    e->step = e->reads = 0;
    e->delay = 12 + vl_below(&b->rng, 30);
}

static bool flood_storm(const env_t *e)
{
    return (e->flood - 1) >> 2 & 1;
}

static void start_flood(bench_t *b, env_t *e)
{
    set_tables(e);
    const unsigned kind = e->flood - 1;
    e->policy = (walk_policy_t){.coalesce = kind & 1, .reads = (uint8_t)(kind >> 1 & 1)};
    e->delay = 1 + vl_below(&b->rng, vl_below(&b->rng, 2) ? 4 : 40);
    e->step = e->lone_reads = 0;
    e->began = 0;
}

/* T10: three misses of one core in three cycles, and nothing else. */
static void scene(bench_t *b, env_t *e, const walker_out_t *out, walker_in_t *in)
{
    if (e->step < 3)
        ask(b, e, in, 0, vpn_of(t10[e->step]), 0);
    e->step++;
    const bool last = e->step > 4 && !e->walks;
    (void)out;
    if (!last)
        return;
    BENCH_CHECK(b, e->reads == (e->policy.coalesce ? 7 : 12), "T10, %s: %u references",
                e->policy.coalesce ? "coalesced" : "not coalesced", e->reads);
    BENCH_COVER(b, COV_SCENE + e->policy.coalesce, true);
    if (--e->scene)
        start_scene(b, e);
    else if (e->flood)
        start_flood(b, e);
    else
        style(b, e);
}

/* The bound between kernels (page, Why it is right): with a ready walk a kernel's is picked after at most KERNELS - 1 leaders of others, each of which acts or is given up as soon as `out` and a read
 * register are free. Memory takes a read in the cycle in which it is shown and answers it in `delay` cycles, so from choice to the next choice are R = delay + 3 edges; a register is free within R if
 * the dropped reads of a storm hold all of them. An answer waits for those of older walks at the most. */
static uint64_t flood_bound(const env_t *e)
{
    const uint64_t r = e->delay + 3, choice = flood_storm(e) ? KERNELS * (r + 1) : KERNELS;
    return 4 * (r + choice) + WALKS;
}

/* Kernel 0 has one walk of four references at a time; the others as many as the reserve of l2_tlb_mshr leaves them, at random pages. */
static void flood(bench_t *b, env_t *e, const walker_out_t *out, walker_in_t *in)
{
    const uint64_t lone = vpn_of(t10[0]);
    if (e->began && out->rsp_valid && e->owner[e->walk[out->rsp.walk].core] == 0) {
        BENCH_CHECK(b, e->lone_reads == 4, "a walk of four references has read %u, by no shootdown of its own",
                    e->lone_reads);
        BENCH_COVER(b, COV_FLOOD + (e->flood - 1), true);
        e->began = 0;
        e->step++;
    }
    BENCH_CHECK(b, !e->began || b->cycle - e->began <= flood_bound(e),
                "%s%s%s: a kernel's only walk does not end in %" PRIu64 " cycles",
                e->policy.coalesce ? "coalesced" : "not coalesced", e->policy.reads ? ", a read a kernel" : "",
                flood_storm(e) ? ", storm" : "", flood_bound(e));
    if (e->step == FLOOD_WALKS) {
        if (!e->walks && --e->flood)
            start_flood(b, e);
        else if (!e->flood)
            style(b, e);
        return;
    }
    if (!e->began && !walks_of(e, 0) && vl_below(&b->rng, e->step ? 10 : 100) == 0 && ask(b, e, in, 0, lone, 0)) {
        e->began = b->cycle;
        e->lone_reads = 0;
        return;
    }
    if (CORES == 1)
        return;
    uint16_t index[4];
    for (unsigned l = 0; l < 4; l++)
        index[l] = vl_below(&b->rng, 3) ? t10[vl_below(&b->rng, 3)][l] : e->tables.index[vl_below(&b->rng, SLOTS)];
    ask(b, e, in, 1 + vl_below(&b->rng, CORES - 1), vpn_of(index), !walks_of(e, 0));
}
#endif
