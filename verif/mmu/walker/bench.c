/* Bench of walker: it plays l2_tlb_mshr, with walks of several kernels and address spaces over tables that they share (verif/mmu/ptw/tables.h: random, broken, changing), memory, and control, which
 * gives cores to kernels and kernels other roots. Besides the twin it is checked against the page as a program (page.h), the source of its coverage; against the tables of each page
 * (verif/mmu/ptw/view.h); and in scenes against the page's promises: the worked example (T10), and the bound between kernels, where one walks now and then and the others flood, at their limit
 * of reads and in a storm of their own shootdowns as well. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 50000
#include "verif/mmu/walker/scenes.h"

static void start(bench_t *b, env_t *e)
{
    tables_start(&e->tables, &b->rng);
    e->whole = e->tables.window;
    for (unsigned k = 0; k < COV_N; k++) /* points that no level can reach */
        BENCH_COVER(b, k, cover[k][0] == '-');
    for (unsigned k = 0; k < KERNELS; k++)
        give_space(b, e, k);
    for (unsigned c = 0; c < CORES; c++)
        e->owner[c] = (uint8_t)(c % KERNELS);
    give_cores(e);
    e->policy.coalesce = b->mode & 1;
    page_begin(&e->page);
    if (b->cycles > 4000 && WALKS > 2) {
        e->scene = SCENES;
        e->flood = KERNELS > 1 ? FLOODS : 0;
        start_scene(b, e);
    }
}

static view_t view_of(env_t *e, const walk_t_ *w)
{
    e->tables.window = e->window[e->owner[w->core]];
    const view_t v = scoreboard_view(&e->tables, e->root[w->core].ppn, w->vpn);
    e->tables.window = e->whole;
    return v;
}

/* A walk must end with an outcome of the tables. */
static void check_walk(bench_t *b, env_t *e, const walk_rsp_t *r)
{
    const walk_t_ *w = &e->walk[r->walk % WALKS];
    BENCH_CHECK(b, (unsigned)r->walk < WALKS && w->valid, "a response to walk %u, which is not under way", r->walk);
    if (b->failed)
        return;
    const view_t v = view_of(e, w);
    const translate_rsp_t t = {.result = r->result, .leaf = r->leaf};
    const int n = scoreboard_outcome(&v, &t);
    BENCH_CHECK(b, n >= 0,
                "page 0x%" PRIx64 ": what the tables do not say: result %u, ppn 0x%" PRIx64
                " level %u; they say %u (why %u, level %u)",
                w->vpn, r->result, (uint64_t)r->leaf.ppn, r->leaf.level, v.o[0].result, v.o[0].why, v.o[0].level);
    if (n >= 0)
        cover_view(b, &v, n);
}

/* The address space of a walk that has ended behind one of another address space: its result is forgotten, while that one's is given. */
static bool ended_behind(const env_t *e, uint16_t *asid)
{
    const person_t *first = NULL;
    for (unsigned i = 0; i < e->page.n; i++) {
        const person_t *w = &e->page.line[i];
        if (w->phase != P_DONE)
            continue;
        first = first ? first : w;
        *asid = w->req.asid;
        if (*asid != first->req.asid)
            return true;
    }
    return false;
}

static void invalidation(bench_t *b, env_t *e, walker_in_t *in)
{
    if (e->flood) { /* of the address spaces of those who flood */
        in->inv_valid = flood_storm(e) && e->step < FLOOD_WALKS && vl_below(&b->rng, e->step % 7 ? 3 : 40) == 0;
        in->inv = (inv_t){.scope = INV_ASID, .asid = e->space[1 % KERNELS].asid};
        return;
    }
    uint16_t behind;
    const bool seldom = ended_behind(e, &behind) && vl_below(&b->rng, 4) == 0;
    in->inv_valid = !e->scene && (seldom || vl_below(&b->rng, e->quiet) == 0);
    if (!in->inv_valid)
        return;
    const bool foreign = vl_below(&b->rng, 6) < e->other;
    const uint16_t asid = e->space[vl_below(&b->rng, KERNELS)].asid;
    in->inv = (inv_t){.scope = (uint8_t)(vl_below(&b->rng, 4) ? 1 + (vl_below(&b->rng, 3) == 0) : INV_ALL),
                      .asid = (uint16_t)(foreign ? asid ^ 1u << vl_below(&b->rng, ASID_W) : asid),
                      .vpn = any_page(b, e)};
    if (seldom)
        in->inv = (inv_t){.scope = INV_ASID, .asid = behind};
    bool all = true;
    unsigned some = 0;
    for (unsigned w = 0; w < WALKS; w++)
        if (e->walk[w].valid) {
            all &= in->inv.scope != INV_ASID || in->inv.asid == e->walk[w].asid;
            some++;
        }
    if (in->req_valid)
        all &= in->inv.scope != INV_ASID || in->inv.asid == in->req.asid;
    /* Entries on the way of walks change, and this is their shootdown. Walks that it begins again find the new entries. */
    for (unsigned n = vl_below(&b->rng, 4); n && some; n--) {
        unsigned w = vl_below(&b->rng, WALKS);
        while (!e->walk[w].valid)
            w = (w + 1) % WALKS;
        const view_t v = view_of(e, &e->walk[w]);
        pte_t *pte = v.refs ? tables_at(&e->tables, v.ref[vl_below(&b->rng, v.refs)].addr) : NULL;
        if (!pte || pte->changed)
            continue;
        const uint64_t was = pte->now, flipped = was ^ 1ull << vl_below(&b->rng, 8);
        *pte = (pte_t){.now = vl_below(&b->rng, 2) ? flipped : tables_pte(&e->tables, &b->rng, vl_below(&b->rng, 4)),
                       .old = was,
                       .changed = true};
    }
    if (all)
        tables_settle(&e->tables, false);
}

/* What control changes, while no walk that it concerns is under way. */
static void settings(bench_t *b, env_t *e)
{
    const unsigned k = vl_below(&b->rng, KERNELS), c = vl_below(&b->rng, CORES);
    bool busy = false;
    for (unsigned w = 0; w < WALKS; w++)
        busy |= e->walk[w].valid && e->walk[w].core == c;
    if (vl_below(&b->rng, 60) == 0 && !walks_of(e, k))
        give_space(b, e, k);
    if (vl_below(&b->rng, 40) == 0 && !busy)
        e->owner[c] = (uint8_t)vl_below(&b->rng, KERNELS);
    give_cores(e);
    if (!e->drain || e->walks)
        return;
    e->drain = false;
    e->policy = (walk_policy_t){
        .coalesce = vl_below(&b->rng, 3) != 0,
        .walkers = (uint8_t)vl_below(&b->rng, 16),
        .reads = (uint8_t)(vl_below(&b->rng, 2) ? 0 : vl_below(&b->rng, vl_below(&b->rng, 8) ? 1 + WALKS / 2 : 128))};
    e->was[e->policy.coalesce] = true;
    BENCH_COVER(b, COV_POLICY, e->was[0] && e->was[1]);
}

static void stimulate(bench_t *b, env_t *e, const walker_out_t *out, walker_in_t *in)
{
    if (b->cycle % 512 == 0 && !staged(e))
        style(b, e);
    if (out->rsp_valid)
        check_walk(b, e, &out->rsp);
    if (b->failed)
        return;
    walker_in_random(&b->rng, in);
    in->req_valid = false;
    if (e->scene) {
        scene(b, e, out, in);
    } else if (e->flood) {
        flood(b, e, out, in);
    } else {
        e->drain |= vl_below(&b->rng, 400) == 0;
        settings(b, e);
        const unsigned c = vl_below(&b->rng, CORES);
        if (!e->drain && vl_chance(&b->rng, e->rate[e->owner[c]]))
            ask(b, e, in, c, any_page(b, e), 0);
        if (vl_below(&b->rng, e->change) == 0)
            tables_change(&e->tables, &b->rng);
    }
    memcpy(in->owner, e->owner, sizeof e->owner);
    memcpy(in->root, e->root, sizeof e->root);
    memcpy(in->window, e->window, sizeof e->window);
    in->policy = e->policy;
    memory(b, e, out, in);
    invalidation(b, e, in);
    if (out->rsp_valid) { /* void, if its walk begins again */
        walk_t_ *w = &e->walk[out->rsp.walk];
        if (!in->inv_valid || (in->inv.scope == INV_ASID && in->inv.asid != w->asid)) {
            w->valid = false;
            e->walks--;
        }
    }
    if (in->req_valid) {
        e->walk[in->req.walk] = (walk_t_){true, in->req.vpn, in->req.core, in->req.asid};
        e->walks++;
    }
    if (!e->walks)
        tables_settle(&e->tables, false);
}

static void expect(bench_t *b, page_t *page, const walker_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, COV_NOTES + k, page->did[k]);
    for (unsigned k = 0; k < KERNELS; k++)
        BENCH_CHECK(b, page->passed[k] < KERNELS, "kernel %u is passed over %u times", k, page->passed[k]);
    if (KERNELS > 1)
        return;
    for (unsigned k = 0; k < 8; k++)
        BENCH_COVER(b, COV_FLOOD + k, true);
    static const uint8_t needs_two[] = {
        NOTE_PTE_SPACES,  NOTE_PTE_KERNELS, NOTE_PTE_LEAD, NOTE_TURN, NOTE_PASSED, NOTE_LINE_KEPT,     NOTE_LINE_LOST,
        NOTE_LIMIT_OTHER, NOTE_GIVEN_NEXT,  NOTE_INV_BOTH, NOTE_ROOT, NOTE_OWNER,  NOTE_INV_DONE_OTHER};
    for (unsigned k = 0; k < sizeof needs_two; k++)
        BENCH_COVER(b, COV_NOTES + needs_two[k], true);
}

SCOREBOARD_DRIVE_COVERED(walker, env_t, stimulate, expect)
BENCH_MAIN(walker, env_t, start, drive, cover, COV_N)
