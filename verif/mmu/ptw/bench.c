/* Bench of ptw: it plays the requester of the translate seam (docs/translate-seam.md), with ids in any order. Besides the twin ptw is checked against a scoreboard (scoreboard.h) that walks random,
 * broken, changing page tables (tables.h) itself, and the worked example (T10) is a scene at the start of each long run. Coverage comes from inputs, outputs and the scoreboard. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 60000
#include "verif/common/bench.h"
#include "verif/mmu/ptw/checks.h"
#include "verif/mmu/ptw/moves.h"
#include "verif/mmu/ptw/scenes.h"
#include "verif/mmu/ptw/visits.h"

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    tables_start(&e->tables, &b->rng);
    e->twins = (unsigned)b->seed * 7;
    e->window = e->tables.window;
    BENCH_COVER(b, COV_KEPT_AROUND, PLACES > 16); /* seldom as many between two invalidations */
    for (unsigned k = COV_TWIN; k < COV_N; k++) /* with fewer the other page's pointers take the place of the first's */
        BENCH_COVER(b, k, PLACES < 3);
    for (unsigned k = 0; k < COV_N; k++) /* points that no level can reach */
        BENCH_COVER(b, k, cover[k][0] == '-' || (WALK_POINTERS == 0 && k >= COV_KEPT));
    uint16_t asid = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    for (unsigned k = 0; k < ROOTS; k++) /* tables of the highest level; one of them is across a limit */
        e->roots[k] = (root_t){
            .sv48 = true,
            .asid = (uint16_t)(k < 2 ? asid ^ k << vl_below(&b->rng, ASID_W) : ~asid),
            .ppn = e->tables.frame[k == 2 && vl_below(&b->rng, 2) ? TABLES - 1 - vl_below(&b->rng, 4) : 4 * k + 3]};
    e->root = e->roots[0];
    e->policy.coalesce = b->mode & 1;
    if (b->cycles > 4000 && TLB_MSHRS > 3) {
        e->scene = SCENES;
        e->flood = FLOODS;
        start_scene(b, e);
    }
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 6, 40, 150};
    for (unsigned p = 0; p < 2; p++)
        e->miss_rate[p] = vl_below(&b->rng, 3) ? 10 + vl_below(&b->rng, 200) : vl_below(&b->rng, 2) ? 256 : p ? 0 : 3;
    e->ready = vl_below(&b->rng, 3) ? 256 : 6 + vl_below(&b->rng, 200);
    e->latency = latency[vl_below(&b->rng, 4)];
    e->hold = vl_below(&b->rng, 4) ? 0 : 2 + vl_below(&b->rng, TLB_MSHRS - 1);
    e->merge = vl_below(&b->rng, 3) ? 20 : 160;
    e->change = vl_below(&b->rng, 3) ? 200 : vl_below(&b->rng, 2) ? 4 : 100000;
    e->quiet = vl_below(&b->rng, 3) ? 300 : vl_below(&b->rng, 2) ? 100000 : 1 + vl_below(&b->rng, 20);
    e->other = vl_below(&b->rng, 4);
    e->burst = vl_below(&b->rng, 3) ? 0 : 1 + vl_below(&b->rng, 2 * TLB_MSHRS);
    for (unsigned l = 0; l < 4; l++) {
        e->span[l] = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, l ? 3 : SLOTS) : SLOTS;
        e->base[l] = vl_below(&b->rng, SLOTS);
    }
    e->drain = vl_below(&b->rng, 2);
    if (vl_below(&b->rng, 8) == 0) { /* as many reads as there can be */
        e->miss_rate[0] = e->miss_rate[1] = e->ready = 256;
        e->hold = TLB_MSHRS;
        e->merge = e->burst = 0;
        e->quiet = vl_below(&b->rng, 2) ? 100000 : 50; /* dropped reads are awaited as well */
        e->latency = 150;
        e->drain = false;
        for (unsigned l = 0; l < 4; l++)
            e->span[l] = SLOTS;
    }
}

/* At the end of a cycle: which ids are open in the next one. */
static void open_and_close(bench_t *b, env_t *e, const ptw_out_t *out)
{
    scoreboard_t *sb = &e->scoreboard;
    const bool both = e->asked[0] && e->asked[1];
    BENCH_COVER(b, COV_BOTH_PORTS, both && e->req[0].vpn != e->req[1].vpn);
    BENCH_COVER(b, COV_SAME_BOTH, both && e->req[0].vpn == e->req[1].vpn);
    BENCH_COVER(b, COV_IDS, both && e->req[1].id < e->req[0].id);
    for (unsigned p = 0; p < 2; p++)
        if (e->asked[p]) {
            /* of two in a cycle the lower id is the older */
            sb->walk[e->req[p].id] = (waiting_t){.valid = true,
                                                 .vpn = e->req[p].vpn,
                                                 .by = UINT64_MAX,
                                                 .order = e->requests + (both && e->req[p].id > e->req[!p].id)};
            sb->walks++;
            BENCH_COVER(b, COV_ID_AGAIN, e->answered && e->last_id == e->req[p].id);
        }
    e->requests += 2;
    e->answered = out->rsp_valid && !e->put_back;
    e->closed = e->put_back ? 0 : out->closed;
    if (e->answered) {
        e->last_id = out->rsp.id;
        e->closed &= ~(1u << e->last_id);
        sb->walk[e->last_id].valid = false;
        sb->walks--;
    }
}

/* Memory: takes reads, answers in any order, with the contents at the time of the read or of the answer. */
static void memory(bench_t *b, env_t *e, const ptw_out_t *out, ptw_in_t *in, unsigned *answered)
{
    *answered = TLB_MSHRS;
    if (!e->hold || e->scoreboard.reads >= e->hold || e->visit.step)
        e->release = true;
    if (vl_below(&b->rng, 400) == 0)
        e->release = true;
    in->mem_rsp_valid = false;
    unsigned k = vl_below(&b->rng, TLB_MSHRS), flights = 0, oldest = TLB_MSHRS;
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        if (e->flight[i].valid) {
            flights++;
            if (oldest == TLB_MSHRS || e->flight[i].order < e->flight[oldest].order)
                oldest = i;
        }
    if (staged(e))
        k = oldest;
    else
        while (flights && !e->flight[k].valid)
            k = (k + 1) % TLB_MSHRS;
    if (flights && (staged(e) || e->release) && e->flight[k].due <= b->cycle) {
        flight_t *f = &e->flight[k];
        if (f->late)
            tables_line(&e->tables, f->line, &f->rsp.data);
        /* Another walk reads it as well: it may find another PTE than this one. */
        for (unsigned i = 0; i < TLB_MSHRS && e->policy.pointers && !staged(e); i++)
            if (i != k && e->flight[i].valid && e->flight[i].late && e->flight[i].line == f->line
                && tables_repoint(&e->tables, &b->rng, f->line))
                e->period.vague = true;
        in->mem_rsp_valid = true;
        in->mem_rsp = f->rsp;
        f->valid = false;
        *answered = k;
        BENCH_COVER(b, COV_ORDER, k != oldest);
        BENCH_COVER(b, COV_DROPPED, e->scoreboard.read[k].drop);
    }
    e->in_a_row = in->mem_rsp_valid ? e->in_a_row + 1 : 0;
    BENCH_COVER(b, COV_BURST, e->in_a_row > TLB_MSHRS / 2);
    if (e->hold && !flights)
        e->release = false;
    bool go = out->mem_req_valid && in->mem_req_ready;
    if (go) {
        const mem_req_t *r = &out->mem_req;
        flight_t *f = &e->flight[r->id % TLB_MSHRS];
        *f = (flight_t){.valid = true,
                        .due = b->cycle + 1 + (staged(e) ? e->scene_latency : vl_below(&b->rng, e->latency)),
                        .order = e->sent++,
                        .late = vl_below(&b->rng, 2),
                        .line = r->line};
        f->rsp.id = r->id;
        tables_line(&e->tables, r->line, &f->rsp.data);
    }
    e->stalled = out->mem_req_valid && !go ? e->stalled + 1 : 0;
    BENCH_COVER(b, COV_STALL, e->stalled > 20);
    BENCH_COVER(b, COV_OUT_DROPPED, e->stalled && e->scoreboard.read[out->mem_req.id % TLB_MSHRS].drop);
}

static void invalidation(bench_t *b, env_t *e, const ptw_out_t *out, ptw_in_t *in, unsigned answered, unsigned tell)
{
    scoreboard_t *sb = &e->scoreboard;
    e->put_back = false;
    const bool told = tell <= TELL_OTHER;
    in->inv_valid = told || (!staged(e) && !e->visit.step && vl_below(&b->rng, e->quiet) == 0);
    if (!in->inv_valid)
        return;
    const bool foreign = told && tell != INV_PAGE ? tell == TELL_OTHER : vl_below(&b->rng, 4) < e->other;
    const unsigned any = vl_below(&b->rng, 4) ? 1 + vl_below(&b->rng, 2) : INV_ALL;
    in->inv = (inv_t){.scope = (uint8_t)(tell == TELL_OTHER ? INV_ASID
                                         : told             ? tell
                                                            : any),
                      .asid = foreign ? e->root.asid ^ 1u << vl_below(&b->rng, ASID_W) : e->root.asid,
                      .vpn = page(b, e)};
    bool concerns = in->inv.scope != INV_ASID || in->inv.asid == e->root.asid;
    BENCH_COVER(b, COV_INV_BACK, out->inv_done);
    BENCH_COVER(b, COV_INV_OTHER, !concerns && sb->reads);
    BENCH_COVER(b, COV_INV_ENDED_OTHER, !concerns && out->rsp_valid);
    BENCH_COVER(b, COV_INV_OTHER_RSP, !concerns && answered < TLB_MSHRS && !sb->read[answered].drop);
    if (!concerns) {
        /* All kept pointers go; walks under way may have read before it. */
        if (out->idle && !e->asked[0] && !e->asked[1])
            forgotten(e);
        return;
    }
    BENCH_COVER(b, COV_INV_READS + in->inv.scope, sb->reads && sb->walks);
    BENCH_COVER(b, COV_INV_RSP, answered < TLB_MSHRS && !sb->read[answered].drop);
    BENCH_COVER(b, COV_INV_ENDED, out->rsp_valid);
    BENCH_COVER(b, COV_INV_CLOSED, out->closed & (out->closed - 1u));
    BENCH_COVER(b, COV_INV_REQ, e->asked[0] || e->asked[1]);
    BENCH_COVER(b, COV_INV_OUT, e->stalled);
    BENCH_COVER(b, COV_INV_IDLE, out->idle);
    for (unsigned n = vl_below(&b->rng, 4); n && sb->walks; n--) {
        unsigned k = vl_below(&b->rng, TLB_MSHRS);
        while (!sb->walk[k].valid)
            k = (k + 1) % TLB_MSHRS;
        view_t v = scoreboard_view(&e->tables, e->root.ppn, sb->walk[k].vpn);
        pte_t *pte = v.refs ? tables_at(&e->tables, v.ref[vl_below(&b->rng, v.refs)].addr) : NULL;
        if (!pte)
            continue;
        pte->now = vl_below(&b->rng, 2) ? pte->now ^ 1ull << vl_below(&b->rng, 8)
                                        : tables_pte(&e->tables, &b->rng, vl_below(&b->rng, 4));
        BENCH_COVER(b, COV_INV_CHANGED, true);
    }
    e->drain |= vl_below(&b->rng, 4) == 0;
    e->put_back = true;
    e->last_walked = b->cycle;
    forgotten(e);
    e->period.vague = true;
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        sb->read[k].drop = true;
}

/* The root, the window and the policy change while nothing is under way but reads that no walk needs. */
static void settings(bench_t *b, env_t *e)
{
    e->drain = false;
    e->period.vague = true;
    const uint16_t space = e->root.asid;
    if (vl_below(&b->rng, 3)) /* or another window alone: kept pointers stay */
        e->root = e->roots[vl_below(&b->rng, ROOTS)];
    if (e->root.asid != space) {
        e->keeps = false;
        tables_settle(&e->tables, false);
    }
    BENCH_COVER(b, COV_ROOT_DROPPED, e->scoreboard.reads);
    BENCH_COVER(b, COV_ROOT_WALKED, e->answered);
    e->policy = (walk_policy_t){
        .coalesce = vl_below(&b->rng, 2),
        .walkers = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 4) ? WALKERS + 1 : 16),
        .reads = (uint8_t)(vl_below(&b->rng, 2) ? 0 : vl_below(&b->rng, vl_below(&b->rng, 8) ? TLB_MSHRS + 2 : 128)),
        .pointers = vl_below(&b->rng, 4) != 0};
    e->policy.pointers &= WALK_POINTERS > 0 || vl_below(&b->rng, 2);
    e->keeps |= WALK_POINTERS > 0 && e->policy.pointers;
    *(e->policy.coalesce ? &e->was_coalesced : &e->was_naive) = true;
    BENCH_COVER(b, COV_POLICY, e->was_coalesced && e->was_naive);
    /* Now and then a limit of memory goes through a table. */
    tables_t *t = &e->tables;
    t->window = e->window;
    uint64_t line = t->frame[vl_below(&b->rng, TABLES)] * PAGE_LINES + vl_below(&b->rng, PAGE_LINES + 1);
    if (vl_below(&b->rng, 4) == 0)
        *(vl_below(&b->rng, 2) ? &t->window.base : &t->window.limit) = line;
    if (t->window.base >= t->window.limit)
        t->window = e->window;
}

static void stimulate(bench_t *b, env_t *e, const ptw_out_t *out, ptw_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (b->cycle % 512 == 0)
        style(b, e);

    cover_kept(b, e->page.kept);
    /* Checks of this cycle's outputs. */
    if (b->cycle) {
        check_walks(b, e, out);
        BENCH_CHECK(b, !e->out_held || out->mem_req_valid, "a read is taken back");
        if (out->mem_req_valid && !e->out_held)
            check_read(b, e, &out->mem_req);
        vl_diff_t d;
        BENCH_CHECK(b, !e->out_held || !mem_req_t_diff(&out->mem_req, &e->out, &d), "a read changes while it waits");
        check_rest(b, e, out);
    }
    if (b->failed)
        return;
    e->ev = (ev_ptw_t){0};
    e->asked[0] = e->asked[1] = false;

    if (e->scene)
        scene(b, e, out);
    else if (e->flood) {
        flood(b, e, out);
        if (!e->flood)
            style(b, e);
    } else if (e->drain && !sb->walks && !e->visit.step)
        settings(b, e);
    e->drain |= vl_below(&b->rng, 256) == 0;
    if (!staged(e) && vl_below(&b->rng, e->change) == 0 && tables_change(&e->tables, &b->rng))
        e->period.vague = true;

    const bool changes = !staged(e) && visit(b, e, out);
    /* Now and then an invalidation comes at the edge at which the last answer would be kept. */
    const bool edge = WALK_POINTERS > 0 && !staged(e) && !e->visit.step && e->in_a_row && e->quiet < 100000
                      && vl_below(&b->rng, 32) == 0;
    const unsigned tell = changes ? e->visit.tell : edge ? vl_below(&b->rng, TELL_OTHER + 1) : TELLS;
    ptw_in_random(&b->rng, in);
    in->root = e->root;
    /* Another address space for one cycle, without a request. */
    const bool blink = e->visit.step ? tell == TELL_BLINK : !staged(e) && !sb->walks && vl_below(&b->rng, 16) == 0;
    BENCH_COVER(b, COV_KEPT_BLINK, e->blinked && e->page.kept & KEPT_LOST << 4);
    e->blinked = blink;
    if (blink) {
        in->root.asid ^= (uint16_t)(1u << vl_below(&b->rng, ASID_W));
        forgotten(e);
    }
    in->window = e->tables.window;
    in->policy = e->policy;
    in->mem_req_ready = staged(e) || vl_chance(&b->rng, e->ready);
    bool rest = out->idle;
    if (rest)
        e->burst_left = e->burst;
    for (unsigned p = 0; p < 2; p++) {
        bool more = !e->burst || e->burst_left;
        if (!staged(e) && !blink && !e->drain && !e->visit.step && more && vl_chance(&b->rng, e->miss_rate[p])
            && ask(b, e, p, p && e->asked[0] && vl_below(&b->rng, 4) == 0 ? e->req[0].vpn : page(b, e)))
            e->burst_left -= e->burst_left != 0;
        in->req[p] = e->req[p];
    }
    in->req_valid = (uint8_t)(e->asked[0] | e->asked[1] << 1);
    unsigned answered;
    memory(b, e, out, in, &answered);
    e->ev.ptw_stall_mem = out->mem_req_valid && !in->mem_req_ready;
    e->out_held = out->mem_req_valid && !in->mem_req_ready;
    e->out = out->mem_req;
    e->put_back = in->inv_valid = false;
    if (!blink)
        invalidation(b, e, out, in, answered, tell);
    e->inv_busy = in->inv_valid;
    if (answered < TLB_MSHRS) {
        sb->read[answered].valid = sb->read[answered].drop = false;
        sb->reads--;
    }
    open_and_close(b, e, out);
}

SCOREBOARD_DRIVE(ptw, env_t, stimulate)
BENCH_MAIN(ptw, env_t, start, drive, cover, COV_N)
