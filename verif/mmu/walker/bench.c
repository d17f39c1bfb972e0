/* Bench of walker: it plays l2_tlb_mshr, with walks of several kernels and address spaces over tables that they share (verif/mmu/ptw/tables.h: random, broken, changing), memory, and control, which
 * gives cores to kernels and kernels other roots. Besides the twin it is held against the page as a program (page.h), off whose state coverage is read; against what the tables say of each page
 * (verif/mmu/ptw/view.h); and in scenes against what the page promises: the worked example (T10), and the bound between kernels, where one walks now and then and the others flood, at their limit
 * of reads and in a storm of their own shootdowns as well. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 50000
#include "verif/common/bench.h"
#include "verif/mmu/ptw/view_cover.h"
#include "verif/mmu/walker/page.h"

enum {
    COV_ORDER = COV_OF_VIEW,
    COV_BURST,
    COV_STALL,
    COV_POLICY,
    COV_SCENE,
    COV_FLOOD = COV_SCENE + 2,
    COV_NOTES = COV_FLOOD + 8,
    COV_N = COV_NOTES + NOTES
};
static const char *const cover[] = {
    COVER_OF_VIEW,
    "answers out of order",
    "answers in a row",
    "a read stalls for long",
    "coalesced and not in one run",
    "T10, not coalesced",
    "T10, coalesced",
    "not coalesced: a walk ends in a flood of others",
    "coalesced: a walk ends in a flood of others",
    "not coalesced, a read a kernel: a walk ends in a flood of others",
    "coalesced, a read a kernel: a walk ends in a flood of others",
    "not coalesced: a walk ends in a flood and a storm of shootdowns",
    "coalesced: a walk ends in a flood and a storm of shootdowns",
    "not coalesced, a read a kernel: a walk ends in a flood and a storm of shootdowns",
    "coalesced, a read a kernel: a walk ends in a flood and a storm of shootdowns",
    "one PTE awaited in two address spaces",
    "one PTE awaited for two kernels in one address space",
    "the leader's PTE in another address space or for another kernel is picked behind it",
    "each kernel alone",
    "walks of all kernels",
    "all walks under way",
    "all reads awaited",
    "kernels take turns",
    "a kernel whose turn it is has nothing to read",
    "one waits for an awaited read",
    "several wait for an awaited read",
    "a read for two",
    "a read for three or more",
    "a read for walks of several accesses",
    AT_LEVELS("a read on the line of the last"),
    "a line is kept over leaders of another kernel",
    "the line of another kernel's leader does not count",
    "the oldest, and not by level or line, after 63 others of its kernel",
    "not coalesced: one PTE is read for two walks",
    "not coalesced: the limit of reads does not count",
    "a kernel at its limit of reads",
    "reads of another kernel do not count towards the limit",
    "at the limit a walk waits for an awaited read",
    "at the limit a PTE outside of the window",
    "a leader is given up, and nobody else has one",
    "a leader is given up for another kernel's",
    "no read is free",
    "the leader waits for memory",
    "INV_ALL with reads awaited",
    "INV_ASID with reads awaited",
    "INV_PAGE with reads awaited",
    "INV_ASID with walks of that address space and of others waiting",
    "an answer at the edge of an invalidation that concerns it",
    "an answer at the edge of an INV_ASID of another address space",
    "a response in the cycle of an invalidation that concerns it",
    "a response in the cycle of an INV_ASID of another address space",
    "... while one that has ended is concerned",
    "the leader is restarted",
    "the leader acts at the edge of an INV_ASID of another address space",
    "the leader is given up at the edge of an INV_ASID of another address space",
    "who is picked is restarted",
    "a leader is picked at the edge of an INV_ASID of another address space",
    "an invalidation while a read stalls that it concerns",
    "an INV_ASID of another address space while a read stalls",
    "a request in the cycle of an invalidation",
    "an invalidation with nothing under way",
    "inv in the cycle of done",
    "an answer to a dropped read",
    "an answer to a dropped read, while its PTE is read anew",
    "three walks have ended",
    "a walk is begun in the cycle after its response",
    "a root changes between others' walks",
    "a core changes its kernel between others' walks",
    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum { RECENT = 16, SCENES = 4, FLOODS = 8, FLOOD_WALKS = 10 };
typedef struct {
    bool valid, late;
    uint64_t due, order, line;
    mem_rsp_t rsp;
} flight_t;
typedef struct {
    bool valid;
    uint64_t vpn;
    unsigned core;
    uint16_t asid;
} walk_t_;
typedef struct {
    page_t page;
    tables_t tables;
    window_t whole; /* of memory: what tables.window was made as */
    root_t space[KERNELS];
    window_t window[KERNELS];
    uint8_t owner[CORES];
    root_t root[CORES];
    walk_policy_t policy;
    walk_t_ walk[WALKS];
    unsigned walks;
    uint64_t recent[RECENT];
    unsigned recents;
    flight_t flight[WALKS];
    uint64_t sent, in_a_row, stalled;
    bool release, drain, was[2];
    /* style */
    unsigned rate[KERNELS], ready, latency, hold, merge, change, quiet, other, span[4], base[4];
    /* scenes at the start of a long run */
    unsigned scene, flood, step, reads, delay;
    uint64_t began;
    unsigned lone_reads;
} env_t;

static uint64_t vpn_of(const uint16_t *index)
{
    return index[0] | (uint64_t)index[1] << 9 | (uint64_t)index[2] << 18 | (uint64_t)index[3] << 27;
}

static bool staged(const env_t *e)
{
    return e->scene || e->flood;
}

static unsigned walks_of(const env_t *e, unsigned kernel)
{
    unsigned n = 0;
    for (unsigned w = 0; w < WALKS; w++)
        n += e->walk[w].valid && e->owner[e->walk[w].core] == kernel;
    return n;
}

/* A kernel's address space: a root, perhaps that of another kernel, under a number that is near to or that of another one's; and its memory, perhaps with a limit that goes through a table. */
static void give_space(bench_t *b, env_t *e, unsigned k)
{
    const unsigned o = vl_below(&b->rng, KERNELS), frame = vl_below(&b->rng, 4);
    root_t *r = &e->space[k];
    *r = (root_t){.sv48 = true, .asid = (uint16_t)vl_random_bits(&b->rng, ASID_W)};
    r->ppn = e->tables.frame[frame == 3 && vl_below(&b->rng, 2) ? TABLES - 1 - vl_below(&b->rng, 4) : 4 * frame + 3];
    if (o != k && e->space[o].sv48) {
        if (vl_below(&b->rng, 2))
            r->ppn = e->space[o].ppn;
        r->asid =
            (uint16_t)(vl_below(&b->rng, 4) ? e->space[o].asid ^ 1u << vl_below(&b->rng, ASID_W) : ~e->space[o].asid);
        if (vl_below(&b->rng, 6) == 0)
            *r = e->space[o];
    }
    window_t *m = &e->window[k];
    *m = e->whole;
    const uint64_t line = e->tables.frame[vl_below(&b->rng, TABLES)] * 32 + vl_below(&b->rng, 33);
    if (vl_below(&b->rng, 2))
        *(vl_below(&b->rng, 2) ? &m->base : &m->limit) = line;
    if (m->base >= m->limit)
        *m = e->whole;
}

static void give_cores(env_t *e)
{
    for (unsigned c = 0; c < CORES; c++)
        e->root[c] = e->space[e->owner[c]];
}

/* T10's tables (docs/blocks/ptw.md): the path of three pages, and nothing valid beside it in the root. The lone walk of a flood takes the first. */
static const uint16_t t10[3][4] = {{0x03, 0xac, 0x0c, 0xb9}, {0x04, 0xac, 0x0c, 0xb9}, {0x05, 0xad, 0x0c, 0xb9}};
static void set_tables(env_t *e)
{
    static const uint8_t table[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {4, 1, 2, 3}};
    tables_t *t = &e->tables;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 4; l++)
            t->pte[table[k][l]][(int)t->slot[t10[k][l]]] = (pte_t){
                .now = l ? t->frame[table[k][l - 1]] << 10 | PTE_V : t->frame[k] << 10 | PTE_V | PTE_R | PTE_U | PTE_A};
    for (unsigned k = 0; k < KERNELS; k++) {
        e->window[k] = e->whole;
        e->space[k].ppn = t->frame[3];
        e->space[k].asid = (uint16_t)(e->space[0].asid ^ k);
    }
    for (unsigned c = 0; c < CORES; c++) /* one core to kernel 0 */
        e->owner[c] = (uint8_t)(c == 0 || KERNELS == 1 ? 0 : 1 + c % (KERNELS - 1));
    give_cores(e);
}

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

static void start(bench_t *b, env_t *e)
{
    tables_start(&e->tables, &b->rng);
    e->whole = e->tables.window;
    for (unsigned k = 0; k < COV_N; k++) /* what no level can have */
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

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 6, 40, 150};
    const unsigned alone = vl_below(&b->rng, 3 * KERNELS);
    for (unsigned k = 0; k < KERNELS; k++) {
        e->rate[k] = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 6 + vl_below(&b->rng, 200) : 3;
        if (alone < KERNELS && alone != k)
            e->rate[k] = 0;
    }
    e->ready = vl_below(&b->rng, 3) ? 256 : 6 + vl_below(&b->rng, 200);
    e->latency = latency[vl_below(&b->rng, 4)];
    e->hold = vl_below(&b->rng, 4) ? 0 : 2 + vl_below(&b->rng, WALKS - 1);
    e->merge = vl_below(&b->rng, 3) ? 20 : 160;
    e->change = vl_below(&b->rng, 3) ? 200 : vl_below(&b->rng, 2) ? 4 : 100000;
    e->quiet = vl_below(&b->rng, 3) ? 300 : vl_below(&b->rng, 2) ? 100000 : 1 + vl_below(&b->rng, 20);
    e->other = vl_below(&b->rng, 3);
    for (unsigned l = 0; l < 4; l++) {
        e->span[l] = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, l ? 3 : SLOTS) : SLOTS;
        e->base[l] = vl_below(&b->rng, SLOTS);
    }
    e->drain = vl_below(&b->rng, 2);
    if (vl_below(&b->rng, 8) == 0) { /* as many reads as there can be */
        for (unsigned k = 0; k < KERNELS; k++)
            e->rate[k] = 256;
        e->ready = 256;
        e->hold = WALKS;
        e->merge = 0;
        e->quiet = vl_below(&b->rng, 2) ? 100000 : 60;
        e->drain = false;
        for (unsigned l = 0; l < 4; l++)
            e->span[l] = SLOTS;
    }
}

static uint64_t any_page(bench_t *b, env_t *e)
{
    if (e->recents && vl_chance(&b->rng, e->merge))
        return e->recent[vl_below(&b->rng, e->recents)];
    uint64_t vpn = 0;
    for (unsigned l = 0; l < 4; l++)
        vpn |= (uint64_t)e->tables.index[(e->base[l] + vl_below(&b->rng, e->span[l])) % SLOTS] << 9 * l;
    const unsigned k = e->recents < RECENT ? e->recents++ : vl_below(&b->rng, RECENT);
    return e->recent[k] = vpn;
}

/* Begins a walk; `least` walks are left free. */
static bool ask(bench_t *b, env_t *e, walker_in_t *in, unsigned core, uint64_t vpn, unsigned least)
{
    if (e->walks + least >= WALKS)
        return false;
    unsigned w = e->scene ? 0 : vl_below(&b->rng, WALKS);
    while (e->walk[w].valid)
        w = (w + 1) % WALKS;
    in->req_valid = true;
    in->req = (walk_req_t){.walk = (uint8_t)w,
                           .core = (uint8_t)core,
                           .asid = e->root[core].asid,
                           .vpn = vpn,
                           .access = (uint8_t)vl_below(&b->rng, 3)};
    return true;
}

static view_t view_of(env_t *e, const walk_t_ *w)
{
    e->tables.window = e->window[e->owner[w->core]];
    const view_t v = scoreboard_view(&e->tables, e->root[w->core].ppn, w->vpn);
    e->tables.window = e->whole;
    return v;
}

/* What has ended is what the tables say. */
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

/* Memory: takes reads, answers in any order; what it reads it sees when the read comes, or when the answer goes. In a scene each answer comes as many cycles after its read was taken. */
static void memory(bench_t *b, env_t *e, const walker_out_t *out, walker_in_t *in)
{
    unsigned flights = 0, oldest = WALKS, k = vl_below(&b->rng, WALKS);
    for (unsigned i = 0; i < WALKS; i++)
        if (e->flight[i].valid) {
            flights++;
            if (oldest == WALKS || e->flight[i].order < e->flight[oldest].order)
                oldest = i;
        }
    e->release |= !e->hold || flights >= e->hold || vl_below(&b->rng, 400) == 0;
    while (flights && !e->flight[k].valid)
        k = (k + 1) % WALKS;
    if (staged(e))
        k = oldest;
    in->mem_rsp_valid = flights && (staged(e) || e->release) && e->flight[k].due <= b->cycle;
    if (in->mem_rsp_valid) {
        flight_t *f = &e->flight[k];
        if (f->late)
            tables_line(&e->tables, f->line, &f->rsp.data);
        in->mem_rsp = f->rsp;
        f->valid = false;
        BENCH_COVER(b, COV_ORDER, k != oldest);
    }
    e->in_a_row = in->mem_rsp_valid ? e->in_a_row + 1 : 0;
    BENCH_COVER(b, COV_BURST, e->in_a_row > 2 && e->in_a_row > WALKS / 4);
    if (e->hold && !flights)
        e->release = false;
    in->mem_req_ready = staged(e) || vl_chance(&b->rng, e->ready);
    const bool go = out->mem_req_valid && in->mem_req_ready;
    e->stalled = out->mem_req_valid && !go ? e->stalled + 1 : 0;
    BENCH_COVER(b, COV_STALL, e->stalled > 20);
    if (!go)
        return;
    const pte_read_t *r = &out->mem_req;
    flight_t *f = &e->flight[r->read % WALKS];
    BENCH_CHECK(b, r->read < WALKS && !f->valid, "a read with number %u, which is not free", r->read);
    *f = (flight_t){.valid = true,
                    .due = b->cycle + (staged(e) ? e->delay : 1 + vl_below(&b->rng, e->latency)),
                    .order = e->sent++,
                    .late = vl_below(&b->rng, 2),
                    .line = r->line};
    f->rsp.id = r->read;
    tables_line(&e->tables, r->line, &f->rsp.data);
    if (e->scene) {
        /* {table, index, level}, in their order */
        static const uint16_t read[7][3] = {{3, 0xb9, 3}, {2, 0x0c, 2}, {1, 0xac, 1}, {1, 0xad, 1},
                                            {0, 0x03, 0}, {0, 0x04, 0}, {4, 0x05, 0}};
        const uint16_t *n = read[e->reads % 7];
        BENCH_CHECK(
            b,
            !e->policy.coalesce
                || (e->reads < 7 && r->level == n[2] && r->line == e->tables.frame[n[0]] * 32 + n[1] / PTE_LINE),
            "T10: reference %u is another one", e->reads + 1);
        e->reads++;
    }
    e->lone_reads += e->flood && r->asid == e->space[0].asid;
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
    /* Entries on the way of walks change, and this is their shootdown. Whose walks it begins again find what is. */
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
