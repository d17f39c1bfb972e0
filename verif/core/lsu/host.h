/* TLB, walker and host as the ports of lsu show them: look-ups that hit or miss at random as the tables allow, walks of any length that end in any
 * order, pages that the host takes away, moves, protects and gives back. Look-ups and misses are checked here as well. */
#ifndef LSU_BENCH_HOST_H
#define LSU_BENCH_HOST_H
#include "verif/core/lsu/env.h"

enum { NO_PAGE = PAGES };

static uint64_t vpn_of(const env_t *e, unsigned p)
{
    return ((e->phase.window >> 12) + p) & (BIT(VPN_W) - 1);
}

static unsigned page_with(const env_t *e, uint64_t vpn)
{
    uint64_t p = (vpn - (e->phase.window >> 12)) & (BIT(VPN_W) - 1);
    return p < PAGES ? (unsigned)p : NO_PAGE;
}

/* ---- tables ---- */

static bool bound(const page_t *p, uint64_t frame)
{
    return (p->now.mapped && p->now.frame == frame) || (p->change != CALM && p->old.mapped && p->old.frame == frame);
}

/* The page of this frame, by the mappings that may be used now. */
static unsigned page_in_frame(const env_t *e, uint64_t frame)
{
    for (unsigned p = 0; p < PAGES; p++)
        if (bound(&e->page[p], frame))
            return p;
    return NO_PAGE;
}

static map_t new_map(bench_t *b, env_t *e, unsigned p, bool r, bool w)
{
    map_t m = {.mapped = true, .r = r, .w = w, .level = vl_below(&b->rng, 2) ? 0 : (uint8_t)vl_below(&b->rng, 4)};
    const uint64_t low = BIT(9 * m.level) - 1;
    do
        m.frame = (vl_random_bits(&b->rng, vl_below(&b->rng, 2) ? VPN_W : 16 + 9 * m.level) & ~low & (BIT(VPN_W) - 1))
                  | (vpn_of(e, p) & low);
    while (page_in_frame(e, m.frame) != NO_PAGE);
    return m;
}

/* The mapping of a page when a phase begins: mostly present. */
static map_t first_map(bench_t *b, env_t *e, unsigned p)
{
    unsigned chance = e->phase.kill ? 4 + vl_below(&b->rng, 12) : vl_below(&b->rng, 16);
    if (chance < 12)
        return new_map(b, e, p, true, true);
    if (chance < 14)
        return new_map(b, e, p, chance == 12, chance != 12);
    return (map_t){.access = chance == 15};
}

static bool allows(const map_t *m, bool write)
{
    return m->mapped && (write ? m->w : m->r);
}

/* ---- look-ups and walks ---- */

static bool needs_page(const env_t *e, const insn_t *n, unsigned p, bool write, uint64_t threads)
{
    if (!n->busy || n->faulty || n->write != write || n->warp != p / WARP_PAGES)
        return false;
    for EACH(t, threads)
        if (!in_spad(n->addr[t]) && place(e, n->addr[t]) >> 12 == p)
            return true;
    return false;
}

static bool needed_by_any(const env_t *e, unsigned p, bool write)
{
    if (p == NO_PAGE)
        return false;
    if (e->page[p].ghost[write])
        return true;
    for (unsigned i = 0; i < INSNS; i++)
        if (needs_page(e, &e->insn[i], p, write, e->insn[i].unsent))
            return true;
    return false;
}

/* Is there an instruction that all of these pages can be of? The walks under way are among them in blocking mode. */
static const insn_t *one_for_all(bench_t *b, env_t *e, const uint16_t *page, unsigned n, bool write)
{
    for (unsigned i = 0; i < INSNS; i++) {
        const insn_t *in = &e->insn[i];
        bool all = in->busy && in->unsent;
        for (unsigned k = 0; k < n && all; k++)
            all = needs_page(e, in, page[k], write, in->unsent);
        for (unsigned k = 0; k < TLB_MSHRS && all && e->phase.mode == TLB_BLOCKING; k++)
            all = !e->walk[k].valid || !e->walk[k].mine || e->walk[k].orphan
                  || needs_page(e, in, e->walk[k].page, write, in->unsent);
        if (all)
            return in;
    }
    (void)b;
    return NULL;
}

static void cover_look(bench_t *b, env_t *e, const insn_t *n, unsigned ports)
{
    uint64_t pages = 0;
    for EACH(t, n->unsent)
        pages |= BIT(place(e, n->addr[t]) >> 12 & (WARP_PAGES - 1));
    unsigned count = (unsigned)__builtin_popcountll(pages), threads = (unsigned)__builtin_popcountll(n->unsent);
    BENCH_COVER(b, COV_V_ONE, count == 1 && ports == 1 && threads > 1);
    BENCH_COVER(b, COV_V_EACH, count == threads && threads > 1);
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        const walk_slot_t *w = &e->walk[k];
        if (!w->valid || !w->mine || needs_page(e, n, w->page, n->write, n->unsent))
            continue;
        bool same = w->page / WARP_PAGES == n->warp;
        BENCH_COVER(b, same ? COV_V_UNDER_SAME : COV_V_UNDER_OTHER, e->phase.mode == TLB_UNDER_MISS);
        BENCH_COVER(b, same ? COV_V_OVER_SAME : COV_V_OVER_OTHER, e->phase.mode == TLB_OVERLAP);
    }
}

static void look(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    in->look_ready = vl_chance(&b->rng, e->look_ready);
    e->looked = false;
    if (!out->look_valid)
        return;
    uint16_t page[TLB_PORTS];
    unsigned n = 0;
    bool ghosts = false;
    for EACH(p, out->look_valid) {
        unsigned at = page_with(e, out->look[p].vpn);
        const bool store = out->look[p].store;
        BENCH_CHECK(b, e->phase.sv48, "a look-up in Bare");
        BENCH_CHECK(b, needed_by_any(e, at, store), "a look-up of page %" PRIx64 " that nobody needs",
                    (uint64_t)out->look[p].vpn);
        for (unsigned k = 0; k < n; k++)
            BENCH_CHECK(b, page[k] != at, "a page in two ports");
        if (b->failed)
            return;
        ghosts |= e->page[at].ghost[store];
        page[n++] = (uint16_t)at;
    }
    if (!in->look_ready)
        return;
    const bool store = out->look[lowest(out->look_valid)].store;
    if (!ghosts) {
        const insn_t *insn = one_for_all(b, e, page, n, store);
        BENCH_CHECK(b, insn, "a look-up that is not of one instruction, or in blocking mode beside another one's walk");
        if (insn)
            cover_look(b, e, insn, n);
    }
    e->looked = true;
    e->looked_ports = out->look_valid;
    e->looked_store = store;
    e->looked_at = b->cycle;
    for EACH(p, out->look_valid) {
        unsigned at = page_with(e, out->look[p].vpn);
        const page_t *pg = &e->page[at];
        const map_t *m = pg->change == CHANGED && vl_below(&b->rng, 2) ? &pg->old : &pg->now;
        bool hit = allows(m, store) && vl_chance(&b->rng, e->hit);
        e->looked_page[p] = (uint16_t)at;
        e->found[p] = (found_t){.hit = hit, .ppn = hit ? m->frame : 0};
    }
}

/* Answers to the look-ups of the last cycle. */
static void found(bench_t *b, env_t *e, lsu_in_t *in, bool looked)
{
    in->found_valid = 0;
    if (!looked)
        return;
    unsigned hits = 0;
    in->found_valid = e->looked_ports;
    for EACH(p, e->looked_ports) {
        in->found[p] = e->found[p];
        hits += e->found[p].hit;
        if (e->found[p].hit && !(e->inv_at == e->looked_at && e->inv_pending))
            e->page[e->looked_page[p]].granted[e->looked_store] = b->cycle;
    }
    BENCH_COVER(b, COV_V_HIT_SOME, hits && hits < (unsigned)__builtin_popcount(e->looked_ports));
}

/* ---- walks ---- */

static unsigned free_walk(bench_t *b, const env_t *e)
{
    unsigned from = vl_below(&b->rng, TLB_MSHRS);
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        if (!e->walk[(from + i) % TLB_MSHRS].valid)
            return (from + i) % TLB_MSHRS;
    return TLB_MSHRS;
}

static uint64_t walk_end(bench_t *b, const env_t *e, unsigned soonest)
{
    return b->cycle + soonest + vl_below(&b->rng, e->walk_latency);
}

static void miss(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    unsigned k = free_walk(b, e);
    in->miss_ready = k < TLB_MSHRS && vl_chance(&b->rng, e->miss_ready);
    e->asked = out->miss_valid && in->miss_ready;
    if (!out->miss_valid)
        return;
    unsigned at = page_with(e, out->miss.vpn);
    bool store = out->miss.access == ACC_STORE;
    BENCH_CHECK(b, out->miss.access == ACC_STORE || out->miss.access == ACC_LOAD, "a miss of a fetch");
    BENCH_CHECK(b, needed_by_any(e, at, store), "a miss of page %" PRIx64 " that nobody needs",
                (uint64_t)out->miss.vpn);
    BENCH_CHECK(b, b->failed || out->miss.warp == at / WARP_PAGES, "a miss of warp %u, in a page of another one's",
                out->miss.warp);
    if (b->failed || !e->asked)
        return;
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        if (e->walk[i].valid && e->walk[i].page == at && e->walk[i].due >= b->cycle + 2) {
            BENCH_COVER(b, COV_V_MERGE, e->walk[i].mine);
            e->walk[i].orphan = e->page[at].ghost[store] && (e->walk[i].orphan || !e->walk[i].mine);
            e->walk[i].mine = true;
            e->asked_walk = i;
            return;
        }
    e->walk[k] = (walk_slot_t){.valid = true,
                               .mine = true,
                               .orphan = e->page[at].ghost[store] || e->phase.killing,
                               .page = (uint16_t)at,
                               .since = b->cycle,
                               .due = walk_end(b, e, 2)};
    e->asked_walk = k;
}

/* Of a phase of walks: none ends until all are under way, or no more have come for a while; then one ends in each cycle. */
static bool walks_wait(const bench_t *b, env_t *e)
{
    unsigned n = 0;
    uint64_t last = 0;
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        if (e->walk[k].valid) {
            n++;
            last = e->walk[k].since > last ? e->walk[k].since : last;
        }
    e->phase.full = n && (e->phase.full || b->cycle > last + 60);
    return e->phase.limit == ANSWERS && !e->phase.drain && !e->phase.full;
}

/* A walk for fetch, of any page. */
static void foreign_walk(bench_t *b, env_t *e)
{
    unsigned k = free_walk(b, e);
    if (k < TLB_MSHRS && vl_below(&b->rng, 32) == 0)
        e->walk[k] = (walk_slot_t){
            .valid = true, .page = (uint16_t)vl_below(&b->rng, PAGES), .since = b->cycle, .due = walk_end(b, e, 2)};
}

static void note_end(bench_t *b, env_t *e, page_t *p, const walked_t *w)
{
    for (unsigned write = 0; write < 2; write++) {
        bool allowed = write ? w->leaf.w : w->leaf.r;
        if (w->result == WALK_OK && allowed)
            p->granted[write] = b->cycle;
        else
            p->denied[write][w->result == WALK_ACCESS && allowed] = b->cycle;
    }
    BENCH_COVER(b, COV_V_WALK_PAGE, w->result == WALK_PAGE);
    BENCH_COVER(b, COV_V_WALK_ACCESS, w->result == WALK_ACCESS);
    BENCH_COVER(b, COV_V_NO_R, w->result == WALK_OK && !w->leaf.r);
    BENCH_COVER(b, COV_V_NO_W, w->result == WALK_OK && !w->leaf.w);
    for (unsigned level = 1; level < 4; level++)
        BENCH_COVER(b, COV_V_SUPER_1 + level - 1, w->result == WALK_OK && w->leaf.level == level);
    (void)e;
}

static void walked(bench_t *b, env_t *e, lsu_in_t *in)
{
    unsigned from = vl_below(&b->rng, TLB_MSHRS), k = TLB_MSHRS;
    bool older = false;
    const bool wait = walks_wait(b, e);
    for (unsigned i = 0; i < TLB_MSHRS && k == TLB_MSHRS; i++)
        if (!wait && e->walk[(from + i) % TLB_MSHRS].valid && e->walk[(from + i) % TLB_MSHRS].due <= b->cycle)
            k = (from + i) % TLB_MSHRS;
    in->walked_valid = k < TLB_MSHRS;
    if (!in->walked_valid)
        return;
    walk_slot_t *slot = &e->walk[k];
    page_t *p = &e->page[slot->page];
    const map_t *m = p->change == CHANGED && vl_below(&b->rng, 2) ? &p->old : &p->now;
    const uint64_t low = BIT(9 * m->level) - 1;
    in->walked.walk = (uint8_t)k;
    in->walked.vpn = vpn_of(e, slot->page);
    in->walked.result = m->mapped ? WALK_OK : m->access ? WALK_ACCESS : WALK_PAGE;
    if (m->mapped) {
        in->walked.leaf = (leaf_t){.ppn = m->frame & ~low,
                                   .level = m->level,
                                   .glob = vl_below(&b->rng, 2),
                                   .r = m->r,
                                   .w = m->w,
                                   .x = vl_below(&b->rng, 2)};
    } else { /* the rest of the leaf is noise */
        in->walked.leaf.r = vl_below(&b->rng, 4) != 0;
        in->walked.leaf.w = vl_below(&b->rng, 4) != 0;
    }
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        older |= e->walk[i].valid && e->walk[i].mine && e->walk[i].since < slot->since;
    BENCH_COVER(b, COV_V_ORDER, slot->mine && older);
    BENCH_COVER(b, COV_V_ROW, slot->mine && e->walked_at + 1 == b->cycle);
    BENCH_COVER(b, COV_V_END_FOUND, slot->mine && in->found_valid);
    e->walked_at = slot->mine ? b->cycle : 0;
    note_end(b, e, p, &in->walked);
    slot->valid = false;
}

/* Walks for which no thread may wait any more. */
static void orphan_walks(env_t *e, unsigned warp)
{
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        e->walk[k].orphan |= e->walk[k].page / WARP_PAGES == warp;
}

/* ---- the host ---- */

static void change(page_t *p, map_t to)
{
    if (p->change != CALM)
        return;
    p->old = p->now;
    p->now = to;
    p->change = CHANGED;
}

/* Something happens to a page. */
static void disturb(bench_t *b, env_t *e)
{
    unsigned at = vl_below(&b->rng, PAGES);
    page_t *p = &e->page[at];
    if (p->change != CALM || !p->now.mapped)
        return;
    map_t to = p->now;
    switch (vl_below(&b->rng, 4)) {
    case 0: to = (map_t){.access = vl_below(&b->rng, 2)}; break;
    case 1: to.w = !to.w; break;
    case 2: to.r = !to.r; break;
    default: to = new_map(b, e, at, to.r, to.w); break;
    }
    change(p, to);
    e->inv_wanted = true;
}

/* Makes the pages that these threads of an instruction wait for allow it. New mappings and rights need no shootdown. */
static void repair(bench_t *b, env_t *e, const insn_t *n, uint64_t threads)
{
    for EACH(t, threads) {
        unsigned at = (unsigned)(place(e, n->addr[t]) >> 12);
        page_t *p = &e->page[at];
        if (allows(&p->now, n->write))
            continue;
        if (p->now.mapped)
            *(n->write ? &p->now.w : &p->now.r) = true;
        else
            p->now = new_map(b, e, at, true, true);
    }
}

static insn_t *reported(env_t *e, unsigned w)
{
    for (unsigned i = 0; i < e->queued[w]; i++)
        if (e->insn[e->queue[w][i]].reported)
            return &e->insn[e->queue[w][i]];
    return NULL;
}

static void hear_fault(bench_t *b, env_t *e, unsigned w)
{
    e->faulted[w].wait = !e->phase.killing;
    e->faulted[w].due = b->cycle + 1 + vl_below(&b->rng, e->patience);
}

/* The host answers some time later; now and then it has changed nothing, or no instruction waits. */
static void answer_faults(bench_t *b, env_t *e, lsu_in_t *in)
{
    in->resume_valid = false;
    if (e->phase.killing)
        return;
    unsigned w = vl_below(&b->rng, WARPS), waiting = 0;
    for (unsigned i = 0; i < WARPS; i++) {
        unsigned at = (w + i) % WARPS;
        if (!in->resume_valid && e->faulted[at].wait && e->faulted[at].due <= b->cycle) {
            insn_t *n = reported(e, at);
            bool idle = !e->phase.drain && vl_below(&b->rng, 8) == 0;
            if (n && !idle)
                repair(b, e, n, e->faulted[at].threads);
            BENCH_COVER(b, COV_V_AGAIN, idle);
            in->resume_valid = true;
            in->resume = (uint8_t)at;
            e->faulted[at].wait = false;
            if (n) {
                n->reported = false;
                n->resumed = b->cycle;
                n->again = e->faulted[at].threads;
            }
        } else {
            waiting += e->faulted[at].wait;
        }
    }
    BENCH_COVER(b, COV_V_RESUME, in->resume_valid && waiting);
    if (!in->resume_valid && vl_below(&b->rng, 64) == 0 && !e->faulted[w].wait && !reported(e, w)) {
        in->resume_valid = true;
        in->resume = (uint8_t)w;
        BENCH_COVER(b, COV_V_RESUME_NONE, true);
    }
}

static void cover_inv(bench_t *b, env_t *e, const lsu_out_t *out, const lsu_in_t *in)
{
    bool walking = false, fault = false, half = false;
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        walking |= e->walk[k].valid && e->walk[k].mine;
    for (unsigned w = 0; w < WARPS; w++) {
        fault |= reported(e, w) != NULL;
        const insn_t *n = e->queued[w] ? &e->insn[e->queue[w][0]] : NULL;
        if (!n || n->kind != MEMOP_STORE || n->tbeat == 0)
            continue;
        for EACH(t, n->unsent)
            for EACH(u, n->unsent)
                half |= t / LANES != u / LANES
                        && place(e, n->addr[t]) / SECTOR_BYTES == place(e, n->addr[u]) / SECTOR_BYTES;
    }
    BENCH_COVER(b, COV_I_BARE, !e->phase.sv48);
    BENCH_COVER(b, COV_I_REST, out->idle);
    BENCH_COVER(b, COV_I_FENCE, out->ev.lsu_stall_fence);
    if (!e->phase.sv48)
        return;
    BENCH_COVER(b, COV_I_LOOK, out->look_valid);
    BENCH_COVER(b, COV_I_FOUND, in->found_valid);
    BENCH_COVER(b, COV_E_INV_FOUND, out->early && in->found[0].hit);
    BENCH_COVER(b, COV_I_MISS, out->miss_valid);
    BENCH_COVER(b, COV_I_ASKED, in->walk_valid);
    BENCH_COVER(b, COV_I_WALK, walking);
    BENCH_COVER(b, COV_I_WALKED, e->walked_at && e->walked_at == b->cycle);
    BENCH_COVER(b, COV_I_ANSWER, e->walked_at && e->walked_at + 1 == b->cycle);
    BENCH_COVER(b, COV_I_ACT, e->walked_at && e->walked_at + 2 == b->cycle);
    BENCH_COVER(b, COV_I_LOAD, out->l1d_req_valid && out->l1d_req.op == L1D_LOAD && !in->l1d_req_ready);
    BENCH_COVER(b, COV_I_STORE, out->l1d_req_valid && out->l1d_req.op == L1D_STORE && !in->l1d_req_ready);
    BENCH_COVER(b, COV_I_HALF, half && out->ev.lsu_lines && BEATS > 1);
    BENCH_COVER(b, COV_I_FAULTED, fault);
}

/* After everything else of the cycle, which used the old mappings. */
static void shoot_down(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    in->inv_valid =
        !e->inv_pending && (e->inv_wanted ? vl_below(&b->rng, 8) == 0 : e->evict && vl_below(&b->rng, 512) == 0);
    const unsigned odds = out->early                                 ? 3
                          : out->l1d_req_valid && out->l1d_req.early ? 4
                                                                     : 0; /* early requests want some of their own */
    in->inv_valid |= !e->inv_pending && e->evict && odds && vl_below(&b->rng, odds) == 0;
    if (!in->inv_valid)
        return;
    e->inv_wanted = false;
    e->inv_pending = true;
    e->inv_at = b->cycle;
    cover_inv(b, e, out, in);
    for (unsigned p = 0; p < PAGES; p++)
        if (e->page[p].change == CHANGED)
            e->page[p].change = SHOT;
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        if (e->walk[k].valid && !(e->asked && k == e->asked_walk)) /* a shootdown restarts them */
            e->walk[k].due = walk_end(b, e, 3);
        else if (e->walk[k].valid)
            e->walk[k].due = walk_end(b, e, 4);
}

static void shot_down(bench_t *b, env_t *e)
{
    BENCH_CHECK(b, e->inv_pending, "an invalidation done that nobody asked for");
    BENCH_CHECK(b, e->inval_taken, "an invalidation done without one of the L1D");
    BENCH_CHECK(b, !e->inval_loads, "the L1D was emptied while %u loads were awaited", e->inval_loads);
    e->inval_taken = false;
    e->inv_pending = false;
    e->inv_limit = e->inv_at;
    for (unsigned p = 0; p < PAGES; p++)
        if (e->page[p].change == SHOT)
            e->page[p].change = CALM;
}
#endif
