/* Bench of ptw: it plays the requester of the translate seam (docs/translate-seam.md), with ids in any order. Besides the twin ptw is held against a scoreboard (scoreboard.h) that walks random,
 * broken, changing page tables (tables.h) itself, and the worked example (T10) is a scene at the start of each long run. Coverage comes from inputs, outputs and the scoreboard. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 60000
#include "verif/common/bench.h"
#include "verif/mmu/ptw/page.h"
#include "verif/mmu/ptw/scoreboard.h"
#include "verif/mmu/ptw/view_cover.h"

enum {
    COV_FETCH_ONLY = COV_OF_VIEW,
    COV_CLEAN,
    COV_BOTH_PORTS,
    COV_SAME_BOTH,
    COV_SAME_PAGE,
    COV_IDS,
    COV_ID_AGAIN,
    COV_CLOSED_MANY,
    COV_FULL,
    COV_LAST_ID,
    COV_FULL_READS,
    COV_WALKERS,
    COV_WALKERS_0,
    COV_WALKERS_OVER,
    COV_LIMIT,
    COV_LIMIT_0,
    COV_WAITS,
    COV_SHARED,
    COV_SHARED_MANY,
    COV_LINE,
    COV_LINE_TWO = COV_LINE + 4,
    COV_NAIVE_SAME,
    COV_INV_READS,
    COV_INV_RSP = COV_INV_READS + 3,
    COV_INV_ENDED,
    COV_INV_ENDED_OTHER,
    COV_INV_CLOSED,
    COV_INV_REQ,
    COV_INV_OUT,
    COV_INV_IDLE,
    COV_INV_OTHER,
    COV_INV_OTHER_RSP,
    COV_INV_BACK,
    COV_DROPPED,
    COV_OUT_DROPPED,
    COV_STALL,
    COV_ORDER,
    COV_BURST,
    COV_ROOT_DROPPED,
    COV_ROOT_WALKED,
    COV_POLICY,
    COV_IDLE,
    COV_SCENE,
    COV_INV_CHANGED = COV_SCENE + 6,
    COV_FLOOD_NAIVE,
    COV_FLOOD,
    COV_KEPT,
    COV_KEPT_FOR_MANY = COV_KEPT + 3,
    COV_KEPT_AT_LIMIT,
    COV_KEPT_HELD_BACK,
    COV_KEPT_NOT_AT_0,
    COV_KEPT_AGAIN,
    COV_KEPT_AROUND,
    COV_KEPT_LOST,
    COV_KEPT_NOT_KEPT = COV_KEPT_LOST + 5,
    COV_KEPT_OLD = COV_KEPT_NOT_KEPT + 4,
    COV_KEPT_ANEW,
    COV_KEPT_BLINK,
    COV_TOLD,
    COV_MAPPED = COV_TOLD + 6,
    COV_MAPPED_LAST,
    COV_TWIN,
    COV_N = COV_TWIN + 6
};
static const char *const cover[] = {COVER_OF_VIEW,
                                    "leaf for fetch alone",
                                    "leaf with W and without D",
                                    "requests for two pages in one cycle",
                                    "requests for one page in one cycle",
                                    "two ids of one page",
                                    "the lower id at port 1",
                                    "an id is asked with in the cycle after its response",
                                    "three ids closed",
                                    "all ids open",
                                    "one id left",
                                    "all reads awaited",
                                    "each number of walkers",
                                    "no walkers",
                                    "more walkers than there are",
                                    "the limit of reads reached",
                                    "no limit of reads",
                                    "one waits for an awaited read",
                                    "a read for two",
                                    "a read for three or more",
                                    AT_LEVELS("a read on the line of the last"),
                                    "two awaited reads of one line",
                                    "naive: two awaited reads of one line",
                                    "INV_ALL with reads awaited",
                                    "INV_ASID with reads awaited",
                                    "INV_PAGE with reads awaited",
                                    "an answer at the edge of an invalidation",
                                    "a response in the cycle of an invalidation",
                                    "a response in the cycle of an INV_ASID of another address space",
                                    "an invalidation opens two closed ids",
                                    "a request in the cycle of an invalidation",
                                    "an invalidation while a read stalls",
                                    "an invalidation with nothing under way",
                                    "INV_ASID of another address space with reads awaited",
                                    "an answer at the edge of an INV_ASID of another address space",
                                    "inv in the cycle of done",
                                    "an answer to a dropped read",
                                    "a dropped read stalls",
                                    "a read stalls for long",
                                    "answers out of order",
                                    "answers to half of the reads in a row",
                                    "the root changes with dropped reads awaited",
                                    "the root changes in the cycle after the last response",
                                    "coalesced and naive in one run",
                                    "idle",
                                    "T10, naive",
                                    "T10, coalesced",
                                    "pages of different lines, naive",
                                    "level by level",
                                    "pages of two lines, naive",
                                    "line by line",
                                    "an entry changes under a walk, and is invalidated at once",
                                    "naive: a walk ends in a flood of shorter ones",
                                    "coalesced: a walk ends in a flood of shorter ones",
                                    "a kept pointer of level 1",
                                    "a kept pointer of level 2",
                                    "a kept pointer of level 3",
                                    "a kept pointer for several walks",
                                    "a kept pointer, and no more reads allowed",
                                    "a kept pointer that waits for memory's answer",
                                    "a kept pointer where level 0 is read",
                                    "a pointer that is kept already",
                                    "each of the kept pointers is replaced",
                                    "INV_ALL with kept pointers",
                                    "INV_ASID with kept pointers",
                                    "INV_PAGE with kept pointers",
                                    "INV_ASID of another address space with kept pointers",
                                    "another root with kept pointers",
                                    "INV_ALL as a pointer would be kept",
                                    "INV_ASID as a pointer would be kept",
                                    "INV_PAGE as a pointer would be kept",
                                    "INV_ASID of another address space as a pointer would be kept",
                                    "a walk by a kept pointer that has changed, before the invalidation",
                                    "a pointer that is kept already, with another value",
                                    "the root goes to another space and back with kept pointers, and nobody asks",
                                    "a kept pointer has changed: INV_ALL",
                                    "a kept pointer has changed: INV_ASID",
                                    "a kept pointer has changed: INV_PAGE",
                                    "a kept pointer has changed: INV_ASID of another address space",
                                    "a kept pointer has changed: another address space has the table",
                                    "a kept pointer has changed: another address space for a cycle",
                                    "a PTE above that was not valid is now a pointer, and nobody is told",
                                    "a kept pointer of level 0 is now a leaf, and nobody is told",
                                    "beside a kept pointer a PTE whose address differs in bit 11, 10, ... or 3",
                                    "beside a kept pointer a PTE whose address differs in bit 20, 19, ... or 12",
                                    "beside a kept pointer a PTE whose address differs in bit 29, 28, ... or 21",
                                    "beside a kept pointer a PTE whose address differs in bit 38, 37, ... or 30",
                                    "beside a kept pointer a PTE whose address differs in bit 47, 46, ... or 39",
                                    "a kept pointer is read at level 0 of another page"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum {
    ROOTS = 3,
    RECENT = 16,
    PATIENCE = 4000,
    SPREAD = 64,
    SCENES = 12,
    FLOODS = 4,
    FAIR = 64 /* leaders chosen by nearness before the oldest one leads */
};
typedef struct {
    bool valid;
    uint64_t due, order;
    vl_bits_1024 data;
    mem_rsp_t rsp;
    bool late;
    uint64_t line;
} flight_t;
typedef struct {
    page_t page;
    scoreboard_t scoreboard;
    tables_t tables;
    root_t root, roots[ROOTS];
    walk_policy_t policy;
    window_t window;
    bool asked[2]; /* in this cycle, with `req` */
    translate_req_t req[2];
    bool answered; /* the response of the cycle before was taken */
    unsigned last_id;
    uint64_t requests;
    uint32_t closed; /* in the cycle before, and still */
    uint64_t recent[RECENT];
    unsigned recents;
    flight_t flight[TLB_MSHRS];
    uint64_t sent, last_walked /* or all begun again */, in_a_row, stalled;
    bool release, drain, inv_busy, put_back /* by an invalidation in the cycle before */;
    bool out_held, out_drop; /* mem_req was shown in the cycle before and not taken; no walk needs it any more */
    mem_req_t out;
    ev_ptw_t ev; /* what the scoreboard knows of it */
    /* since all was idle */
    struct {
        uint64_t reads, saved, kept, need, addrs[SPREAD];
        int64_t left[4];
        uint8_t levels[SPREAD];
        unsigned distinct;
        bool vague, mixed;
    } period; /* left: references less reads and saved ones; mixed: a PTE at two levels */
    bool was_coalesced, was_naive;
    bool blinked;
    bool keeps, stale; /* pointers may be kept that are older than what is under way; some are not what memory has */
    /* an entry changes between two walks for a page (visit) */
    struct {
        unsigned step, tell, level;
        uint64_t vpn, addr;
        bool twin; /* another page is walked for at last, whose PTE differs in a bit from the first one's pointer */
        unsigned bit;
        uint64_t then, kept;
    } visit;
    unsigned twins /* the bit that is next */;
    uint64_t walkers_seen;
    /* style */
    unsigned miss_rate[2], ready, latency, hold, merge, change, quiet, span[4], base[4], burst, burst_left, other;
    /* the scenes at the start */
    /* the events, by level */
    unsigned scene, scene_kind, scene_latency, scene_step, scene_reads, scene_sent[4], scene_saved[4];
    bool scene_fetch;
    unsigned flood, flood_walks; /* floods to come, this one among them; walks that ended in it */
    uint64_t flood_began;
} env_t;

/* Scenes: three misses while nothing else goes on, and the reads in their order. Pages and tables by level, reads as {table, index, level}. */
enum { T10, BY_LEVEL, BY_LINE };
typedef struct {
    uint16_t page[3][4];
    uint8_t table[3][4];
    unsigned reads;
    struct {
        uint8_t table;
        uint16_t index;
        uint8_t level;
    } read[10];
} scene_t;
static const scene_t scenes[] = {
    /* Figure 3.5 of the paper. */
    [T10] = {{{0x03, 0xac, 0x0c, 0xb9}, {0x04, 0xac, 0x0c, 0xb9}, {0x05, 0xad, 0x0c, 0xb9}},
             {{0, 1, 2, 3}, {0, 1, 2, 3}, {4, 1, 2, 3}},
             7,
             {{3, 0xb9, 3}, {2, 0x0c, 2}, {1, 0xac, 1}, {1, 0xad, 1}, {0, 0x03, 0}, {0, 0x04, 0}, {4, 0x05, 0}}},
    /* With one read at a time: no walk goes on to a level before all have done with the one above (T9). */
    [BY_LEVEL] = {{{0x03, 0xad, 0x0c, 0xb9}, {0x03, 0xad, 0xac, 0xb9}, {0x03, 0xad, 511, 0xb9}},
                  {{0, 1, 2, 3}, {4, 5, 2, 3}, {8, 9, 2, 3}},
                  10,
                  {{3, 0xb9, 3},
                   {2, 0x0c, 2},
                   {2, 0xac, 2},
                   {2, 511, 2},
                   {1, 0xad, 1},
                   {5, 0xad, 1},
                   {9, 0xad, 1},
                   {0, 0x03, 0},
                   {4, 0x03, 0},
                   {8, 0x03, 0}}},
    /* The third is on the line of the first, and goes before the second (T9). */
    [BY_LINE] = {{{0x03, 0xac, 0x0c, 0xb9}, {0x03, 511, 0x0c, 0xb9}, {0x03, 0xad, 0x0c, 0xb9}},
                 {{0, 1, 2, 3}, {8, 1, 2, 3}, {4, 1, 2, 3}},
                 8,
                 {{3, 0xb9, 3},
                  {2, 0x0c, 2},
                  {1, 0xac, 1},
                  {1, 0xad, 1},
                  {1, 511, 1},
                  {0, 0x03, 0},
                  {4, 0x03, 0},
                  {8, 0x03, 0}}}};
static const char *const scene_name[] = {"T10", "level by level", "line by line"};

/* Read n: naive one walk after the other. */
static bool scene_read(const env_t *e, unsigned n, const mem_req_t *r)
{
    const scene_t *s = &scenes[e->scene_kind];
    unsigned k = n / 4, level = 3 - n % 4, table, index;
    if (e->policy.coalesce) {
        if (n >= s->reads)
            return false;
        level = s->read[n].level, table = s->read[n].table, index = s->read[n].index;
    } else {
        if (n >= 12)
            return false;
        if (e->policy.walkers > 1)
            return true; /* several at a time: only their number is checked, not the order */
        table = s->table[k][level], index = s->page[k][level];
    }
    return r->cls == 4 - level && r->line == e->tables.frame[table] * 32 + index / PTE_LINE;
}

static bool staged(const env_t *e)
{
    return e->scene || e->flood;
}

/* The tables of a scene, with nothing else in them. */
static void set_tables(env_t *e, const scene_t *s)
{
    tables_t *t = &e->tables;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 4; l++)
            t->pte[s->table[k][l]][(int)t->slot[s->page[k][l]]] =
                (pte_t){.now = l ? t->frame[s->table[k][l - 1]] << 10 | PTE_V
                                 : t->frame[k] << 10 | PTE_V | PTE_R | PTE_U | PTE_A};
    e->root = (root_t){.sv48 = true, .asid = e->root.asid, .ppn = t->frame[3]};
}

static uint64_t vpn_of(const uint16_t *index)
{
    return index[0] | (uint64_t)index[1] << 9 | (uint64_t)index[2] << 18 | (uint64_t)index[3] << 27;
}

/* One walk of four references, and as many walks as can be that end above it, at many entries that are not valid: coalesced, those have their turn first (T9), so
 * the one ends only if the oldest has a turn as well. */
static void start_flood(bench_t *b, env_t *e)
{
    e->policy = (walk_policy_t){.coalesce = e->flood & 1, .walkers = WALKERS, .reads = 1};
    set_tables(e, &scenes[T10]);
    for (unsigned s = 0; s < SLOTS; s++)
        if (e->tables.index[s] != scenes[T10].page[0][3])
            e->tables.pte[3][s] = (pte_t){0};
    e->scene_latency = 12 + vl_below(&b->rng, 20);
    e->flood_walks = 0;
    e->flood_began = b->cycle;
}

static void start_scene(bench_t *b, env_t *e)
{
    const scene_t *s = &scenes[e->scene_kind = e->scene % 3];
    e->policy = (walk_policy_t){.coalesce = e->scene <= SCENES / 2,
                                .walkers = (uint8_t)(vl_below(&b->rng, 2) ? 1 : vl_below(&b->rng, WALKERS + 1)),
                                .reads = (uint8_t)(e->scene_kind == BY_LEVEL  ? 1
                                                   : e->scene_kind == BY_LINE ? 0
                                                                              : vl_below(&b->rng, 4))};
    set_tables(e, s);
    e->scene_latency = 12 + vl_below(&b->rng, 60);
    e->scene_fetch = vl_below(&b->rng, 2);
    e->scene_step = e->scene_reads = 0;
    memset(e->scene_sent, 0, sizeof e->scene_sent);
    memset(e->scene_saved, 0, sizeof e->scene_saved);
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    tables_start(&e->tables, &b->rng);
    e->twins = (unsigned)b->seed * 7;
    e->window = e->tables.window;
    BENCH_COVER(b, COV_KEPT_AROUND, PLACES > 16); /* seldom as many between two invalidations */
    for (unsigned k = COV_TWIN; k < COV_N; k++) /* with fewer the other page's pointers take the place of the first's */
        BENCH_COVER(b, k, PLACES < 3);
    for (unsigned k = 0; k < COV_N; k++) /* what no level can have */
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
        e->quiet = vl_below(&b->rng, 2) ? 100000 : 50; /* what is dropped is awaited as well */
        e->latency = 150;
        e->drain = false;
        for (unsigned l = 0; l < 4; l++)
            e->span[l] = SLOTS;
    }
}

static uint64_t page(bench_t *b, env_t *e)
{
    if (e->recents && vl_chance(&b->rng, e->merge))
        return e->recent[vl_below(&b->rng, e->recents)];
    uint64_t vpn = 0;
    for (unsigned l = 0; l < 4; l++)
        vpn |= (uint64_t)e->tables.index[(e->base[l] + vl_below(&b->rng, e->span[l])) % SLOTS] << 9 * l;
    unsigned k = e->recents < RECENT ? e->recents++ : vl_below(&b->rng, RECENT);
    return e->recent[k] = vpn;
}

/* What is answered, and what may not be joined. */
static void check_walks(bench_t *b, env_t *e, const ptw_out_t *out)
{
    scoreboard_t *sb = &e->scoreboard;
    unsigned open = 0, oldest = TLB_MSHRS;
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        waiting_t *w = &sb->walk[k];
        const bool closed = out->closed >> k & 1;
        BENCH_CHECK(b, !closed || w->valid, "id %u is closed, and not open", k);
        BENCH_CHECK(b, closed || !(e->closed >> k & 1), "id %u was closed, and is not", k);
        BENCH_CHECK(b, !closed || !e->put_back, "id %u is closed behind an invalidation", k);
        if (closed && (oldest == TLB_MSHRS || w->order < sb->walk[oldest].order))
            oldest = k;
        if (!closed)
            w->by = UINT64_MAX;
        else if (w->by == UINT64_MAX)
            w->by = b->cycle + TLB_MSHRS;
        BENCH_CHECK(b, b->cycle < w->by, "id %u is closed, and not answered", k);
        for (unsigned i = 0; i < k; i++)
            BENCH_COVER(b, COV_SAME_PAGE, w->valid && sb->walk[i].valid && w->vpn == sb->walk[i].vpn);
        open += w->valid;
    }
    BENCH_CHECK(b, open == sb->walks, "the bench has lost count");
    BENCH_CHECK(b, out->rsp_valid == (out->closed != 0),
                out->rsp_valid ? "a response whose id can be joined" : "ids are closed, and none is answered");
    BENCH_COVER(b, COV_CLOSED_MANY, __builtin_popcount((unsigned)out->closed) > 2);
    if (out->rsp_valid) {
        const translate_rsp_t *w = &out->rsp;
        BENCH_CHECK(b, w->id < TLB_MSHRS && sb->walk[w->id % TLB_MSHRS].valid,
                    "a response with id %u, which is not open", w->id);
        BENCH_CHECK(b, w->id == oldest, "a response to id %u, and %u is closed and older", w->id, oldest);
        if (b->failed)
            return;
        const uint64_t vpn = sb->walk[w->id].vpn;
        view_t v = scoreboard_view(&e->tables, e->root.ppn, vpn);
        int n = scoreboard_outcome(&v, w);
        BENCH_CHECK(b, n >= 0,
                    "page 0x%" PRIx64 ": what the tables do not say: result %u, ppn 0x%" PRIx64
                    " level %u%s%s%s%s; they say %u (why %u, level %u)",
                    vpn, w->result, (uint64_t)w->leaf.ppn, w->leaf.level, w->leaf.r ? " r" : "", w->leaf.w ? " w" : "",
                    w->leaf.x ? " x" : "", w->leaf.glob ? " g" : "", v.o[0].result, v.o[0].why, v.o[0].level);
        e->last_walked = b->cycle;
        if (n < 0)
            return;
        BENCH_COVER(b, COV_KEPT_OLD, e->stale && v.n > 1 && n == (int)v.n - 1);
        const outcome_t *o = &v.o[n];
        cover_view(b, &v, n);
        BENCH_COVER(b, COV_FETCH_ONLY, v.n == 1 && !o->why && !o->leaf.r && o->leaf.x);
        BENCH_COVER(b, COV_CLEAN, v.n == 1 && !o->why && o->leaf.r && !o->leaf.w);
        e->period.vague |= v.n > 1;
        e->period.need += o->reads;
        for (unsigned i = 0; i < v.refs; i++) {
            unsigned s = 0;
            while (s < e->period.distinct && e->period.addrs[s] != v.ref[i].addr)
                s++;
            if (s == e->period.distinct && s < SPREAD) {
                e->period.levels[s] = v.ref[i].level;
                e->period.addrs[e->period.distinct++] = v.ref[i].addr;
            }
            e->period.mixed |= s == SPREAD || e->period.levels[s] != v.ref[i].level;
            e->period.left[v.ref[i].level]++;
        }
    }
}

/* A read that is seen for the first time. */
static void check_read(bench_t *b, env_t *e, const mem_req_t *r)
{
    scoreboard_t *sb = &e->scoreboard;
    unsigned level = 4u - r->cls;
    mem_req_t plain = {.op = MEM_READ, .id = r->id, .cls = r->cls, .asid = e->root.asid, .line = r->line};
    vl_diff_t d;
    BENCH_CHECK(b, !mem_req_t_diff(r, &plain, &d), "a read's %s is %s", d.field, d.a);
    BENCH_CHECK(b, r->cls >= 1 && r->cls <= 4, "a read of class %u", r->cls);
    BENCH_CHECK(b, r->id < TLB_MSHRS && !sb->read[r->id].valid, "a read with id %u, which is not free", r->id);
    if (b->failed)
        return;
    bool at_level;
    unsigned needs = scoreboard_needs(sb, &e->tables, e->root.ppn, r->line, level, &at_level);
    BENCH_CHECK(b, at_level, "a read of line 0x%" PRIx64 " at level %u, which no walk needs", (uint64_t)r->line, level);
    unsigned same = 0, wanted = 0;
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        same += sb->read[i].valid && !sb->read[i].drop && sb->read[i].line == r->line,
            wanted += sb->read[i].valid && !sb->read[i].drop;
    unsigned walkers = e->policy.walkers ? e->policy.walkers < WALKERS ? e->policy.walkers : WALKERS : 1;
    if (e->policy.coalesce) {
        BENCH_CHECK(b, same < needs, "coalesced: a PTE is read that is being read");
        BENCH_CHECK(b, !e->policy.reads || sb->reads < e->policy.reads, "more reads than the limit");
        BENCH_COVER(b, COV_LIMIT, sb->reads + 1u == e->policy.reads && sb->walks > sb->reads + 1);
        BENCH_COVER(b, COV_LIMIT_0, !e->policy.reads && sb->reads > 2);
    } else {
        BENCH_CHECK(b, wanted < walkers, "more reads than walkers");
        if (wanted + 1 == walkers)
            e->walkers_seen |= 1u << walkers;
        BENCH_COVER(b, COV_WALKERS, e->walkers_seen == (2ull << WALKERS) - 2);
        BENCH_COVER(b, COV_WALKERS_0, !e->policy.walkers);
        BENCH_COVER(b, COV_WALKERS_OVER, e->policy.walkers > WALKERS);
    }
    BENCH_COVER(b, e->policy.coalesce ? COV_LINE_TWO : COV_NAIVE_SAME, same);
    /* With one walker there is one read of any line. */
    BENCH_COVER(b, COV_NAIVE_SAME, WALKERS == 1);
    sb->read[r->id] = (awaited_t){.valid = true, .line = r->line, .level = (uint8_t)level};
    sb->reads++;
    BENCH_COVER(b, COV_FULL_READS, sb->reads == TLB_MSHRS);
    e->period.reads++;
    *(level == 0   ? &e->ev.ptw_reads_l0
      : level == 1 ? &e->ev.ptw_reads_l1
      : level == 2 ? &e->ev.ptw_reads_l2
                   : &e->ev.ptw_reads_l3) = true;
    if (e->scene) {
        BENCH_CHECK(b, scene_read(e, e->scene_reads, r), "%s, %s: reference %u is another one",
                    scene_name[e->scene_kind], e->policy.coalesce ? "coalesced" : "naive", e->scene_reads + 1);
        e->scene_reads++;
    }
}

/* References that were not sent, by level: of one level at an edge, that of the read that goes if one does; how many is looked at when all is idle. */
static void check_saved(bench_t *b, env_t *e, const ev_ptw_t *ev, bool read)
{
    const unsigned above = ev->ptw_shared_l3 + ev->ptw_shared_l2 + ev->ptw_shared_l1,
                   saved[4] = {ev->ptw_shared - above, ev->ptw_shared_l1, ev->ptw_shared_l2, ev->ptw_shared_l3};
    const bool sent[4] = {ev->ptw_reads_l0, ev->ptw_reads_l1, ev->ptw_reads_l2, ev->ptw_reads_l3};
    BENCH_CHECK(b, above <= ev->ptw_shared, "more references are saved at a level than in all");
    e->period.saved += ev->ptw_shared;
    for (unsigned l = 0; l < 4; l++) {
        BENCH_CHECK(b, !saved[l] || (saved[l] == ev->ptw_shared && (sent[l] || !read)),
                    "references are saved at level %u, which is not the leader's", l);
        e->period.left[l] -= (int64_t)saved[l] + sent[l];
        e->scene_sent[l] += sent[l];
        e->scene_saved[l] += saved[l];
    }
}

static bool tables_changed(const tables_t *t)
{
    bool any = false;
    for (unsigned k = 0; k < TABLES; k++)
        for (unsigned s = 0; s < SLOTS; s++)
            any |= t->pte[k][s].changed;
    return any;
}

/* What the scoreboard knows of the events, and all is idle. */
static void check_rest(bench_t *b, env_t *e, const ptw_out_t *out)
{
    scoreboard_t *sb = &e->scoreboard;
    ev_ptw_t *ev = &e->ev;
    bool read = ev->ptw_reads_l0 || ev->ptw_reads_l1 || ev->ptw_reads_l2 || ev->ptw_reads_l3;
    BENCH_CHECK(b, e->policy.coalesce || !out->ev.ptw_shared, "naive walks share");
    BENCH_CHECK(b, read || !out->ev.ptw_same_line, "on the line of the last, without a read");
    BENCH_CHECK(b, !out->ev.ptw_kept || (e->policy.pointers && !read), "a kept pointer where %s",
                read ? "a PTE is read" : "none is kept");
    e->period.kept += out->ev.ptw_kept;
    ev->ptw_kept = out->ev.ptw_kept;
    BENCH_COVER(b, COV_WAITS, out->ev.ptw_shared && !read && !out->ev.ptw_kept);
    BENCH_COVER(b, COV_SHARED, out->ev.ptw_shared == 1 && read);
    BENCH_COVER(b, COV_SHARED_MANY, out->ev.ptw_shared > 1 && read);
    BENCH_COVER(b,
                COV_LINE
                    + (ev->ptw_reads_l0   ? 0
                       : ev->ptw_reads_l1 ? 1
                       : ev->ptw_reads_l2 ? 2
                                          : 3),
                out->ev.ptw_same_line);
    check_saved(b, e, &out->ev, read);
    ev->ptw_shared = out->ev.ptw_shared;
    ev->ptw_shared_l3 = out->ev.ptw_shared_l3;
    ev->ptw_shared_l2 = out->ev.ptw_shared_l2;
    ev->ptw_shared_l1 = out->ev.ptw_shared_l1;
    ev->ptw_same_line = out->ev.ptw_same_line;
    vl_diff_t d;
    BENCH_CHECK(b, !ev_ptw_t_diff(&out->ev, ev, &d), "event %s: %s, by the scoreboard %s", d.field, d.a, d.b);
    BENCH_CHECK(b, out->inv_done == e->inv_busy,
                out->inv_done ? "done that nobody asked for" : "an invalidation is not done");
    /* An answer counts one edge after it came (in_a_row is still that of the cycle before). */
    BENCH_CHECK(b, !out->idle || (!sb->walks && !sb->reads && !e->in_a_row && !out->mem_req_valid),
                "idle with something under way");
    BENCH_CHECK(b, out->idle || sb->walks || sb->reads || e->in_a_row, "not idle with nothing under way");
    if (!sb->walks)
        e->last_walked = b->cycle;
    BENCH_CHECK(b, b->cycle - e->last_walked < PATIENCE, "%u walks, and none ends for %u cycles", sb->walks, PATIENCE);
    BENCH_COVER(b, COV_FULL, sb->walks == TLB_MSHRS);
    BENCH_COVER(b, COV_LAST_ID, sb->walks == TLB_MSHRS - 1);
    BENCH_COVER(b, COV_IDLE, out->idle);
    if (!out->idle)
        return;
    if (!e->period.vague) {
        const uint64_t used = e->period.reads + e->period.kept;
        BENCH_CHECK(
            b, e->policy.coalesce ? used <= e->period.need && used >= e->period.distinct : used == e->period.need,
            "%s: %" PRIu64 " reads, %" PRIu64 " of kept pointers, for walks of %" PRIu64 " entries, %u different ones",
            e->policy.coalesce ? "coalesced" : "naive", used, e->period.kept, e->period.need, e->period.distinct);
        BENCH_CHECK(b, used + e->period.saved == e->period.need,
                    "%" PRIu64 " reads and %" PRIu64 " saved, for walks of %" PRIu64 " entries", used, e->period.saved,
                    e->period.need);
        /* Which level a kept pointer had is not told; never the last. */
        int64_t left = (int64_t)e->period.kept;
        for (unsigned l = 0; l < 4; l++) {
            BENCH_CHECK(b, e->period.mixed || !e->period.left[l] || (l && e->period.left[l] > 0 && e->period.kept),
                        "level %u: %" PRId64 " references are neither read nor saved", l, e->period.left[l]);
            left -= e->period.left[l];
        }
        BENCH_CHECK(b, e->period.mixed || !left, "%" PRId64 " kept pointers more than references", left);
    }
    memset(&e->period, 0, sizeof e->period);
    tables_settle(&e->tables, e->keeps);
    e->stale = tables_changed(&e->tables);
}

/* All that has been kept is forgotten. */
static void forgotten(env_t *e)
{
    tables_settle(&e->tables, false);
    e->keeps = WALK_POINTERS > 0 && e->policy.pointers;
}

/* Asks for this page, with an id that is not open: any, or for a scene the lowest, as tlb_mshr does. False if there is none. */
static bool ask(bench_t *b, env_t *e, unsigned p, uint64_t vpn)
{
    scoreboard_t *sb = &e->scoreboard;
    if (sb->walks + e->asked[!p] >= TLB_MSHRS)
        return false;
    unsigned k = staged(e) ? 0 : vl_below(&b->rng, TLB_MSHRS);
    while (sb->walk[k].valid || (e->asked[!p] && e->req[!p].id == k))
        k = (k + 1) % TLB_MSHRS;
    e->asked[p] = true;
    e->req[p] = (translate_req_t){.core = (uint8_t)vl_random_bits(&b->rng, CORE_W),
                                  .id = (uint8_t)k,
                                  .asid = e->root.asid,
                                  .vpn = vpn,
                                  .access = p ? ACC_FETCH : (uint8_t)vl_below(&b->rng, 2),
                                  .warp = (uint8_t)vl_random_bits(&b->rng, WARP_W)};
    return true;
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

/* The host lets a pointer on this line point to another table. */
static bool tables_repoint(tables_t *t, struct vl_rng *rng, uint64_t line)
{
    const unsigned first = vl_below(rng, PTE_LINE);
    for (unsigned i = 0; i < PTE_LINE; i++) {
        pte_t *p = tables_at(t, line * LINE_BYTES + 8 * ((first + i) % PTE_LINE));
        if (!p || p->changed || !tables_points(p->now))
            continue;
        *p = (pte_t){.now = (p->now & 1023) | t->frame[vl_below(rng, TABLES)] << 10, .old = p->now, .changed = true};
        return true;
    }
    return false;
}

/* Memory: takes reads, answers in any order; what it reads it sees when the read comes, or when the answer goes. */
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
        /* Another walk reads it as well: it may find what this one has not. */
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

/* How a change is told, beside the scopes of an invalidation: INV_ASID of another address space, another space from
 * now on, another one for a cycle. */
enum { TELL_OTHER = 3, TELL_SPACE, TELL_BLINK, TELLS };

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
        /* All that is kept goes; what is under way may have been read before. */
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
    if (vl_below(&b->rng, 3)) /* or another window alone: what is kept stays */
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
    uint64_t line = t->frame[vl_below(&b->rng, TABLES)] * 32 + vl_below(&b->rng, 33);
    if (vl_below(&b->rng, 4) == 0)
        *(vl_below(&b->rng, 2) ? &t->window.base : &t->window.limit) = line;
    if (t->window.base >= t->window.limit)
        t->window = e->window;
}

static void scene(bench_t *b, env_t *e, const ptw_out_t *out)
{
    static const unsigned port[2][4] = {{1, 1, 1, 0}, {3, 1, 0, 0}}; /* ports used, by step */
    unsigned steps = port[e->scene_fetch][e->scene_step < 4 ? e->scene_step : 3];
    unsigned first = e->scene_fetch ? e->scene_step * 2 : e->scene_step;
    for (unsigned p = 0; p < 2; p++)
        if (steps >> p & 1) {
            ask(b, e, p, vpn_of(scenes[e->scene_kind].page[first + p]));
        }
    e->scene_step++;
    if (e->scene_step < 5 || !out->idle)
        return;
    BENCH_CHECK(b, e->scene_reads == (e->policy.coalesce ? scenes[e->scene_kind].reads : 12), "%s, %s: %u references",
                scene_name[e->scene_kind], e->policy.coalesce ? "coalesced" : "naive", e->scene_reads);
    unsigned list[4] = {0}; /* coalesced reads, by level; three walks need three */
    for (unsigned n = 0; n < scenes[e->scene_kind].reads; n++)
        list[scenes[e->scene_kind].read[n].level]++;
    for (unsigned l = 0; l < 4; l++) {
        unsigned sent = e->policy.coalesce ? list[l] : 3;
        BENCH_CHECK(b, e->scene_sent[l] == sent && e->scene_saved[l] == 3 - sent,
                    "%s, %s: the counters of level %u say %u read, %u saved, and not %u, %u", scene_name[e->scene_kind],
                    e->policy.coalesce ? "coalesced" : "naive", l, e->scene_sent[l], e->scene_saved[l], sent, 3 - sent);
    }
    BENCH_COVER(b, COV_SCENE + 2 * e->scene_kind + e->policy.coalesce, true);
    e->scene--;
    if (e->scene)
        start_scene(b, e);
    else
        start_flood(b, e);
}

static void flood(bench_t *b, env_t *e, const ptw_out_t *out)
{
    const uint64_t vpn = vpn_of(scenes[T10].page[0]), cycles = b->cycle - e->flood_began;
    e->flood_walks += out->rsp_valid;
    if (out->rsp_valid && e->scoreboard.walk[out->rsp.id].vpn == vpn) {
        BENCH_CHECK(b, !e->policy.coalesce || e->flood_walks > FAIR / 2, "the flood is none: %u walks", e->flood_walks);
        BENCH_COVER(b, COV_FLOOD_NAIVE + e->policy.coalesce, true);
        e->flood_began = 0;
    }
    /* Each of the four references waits for FAIR leaders, one after the other as there is one read at a time. */
    BENCH_CHECK(b, !e->flood_began || cycles < 4 * (FAIR + 1) * (e->scene_latency + 12),
                "%s: a walk does not end while others come: %" PRIu64 " cycles, %u walks",
                e->policy.coalesce ? "coalesced" : "naive", cycles, e->flood_walks);
    if (!e->flood_began) {
        if (out->idle && --e->flood)
            start_flood(b, e);
        else if (!e->flood)
            style(b, e);
        return;
    }
    uint16_t index[4];
    bool shares = true;
    for (unsigned l = 0; l < 4; l++)
        index[l] = e->tables.index[vl_below(&b->rng, SLOTS)];
    /* No PTE that another one reads, if there is any: walks that share one end together, and leave a gap. */
    for (unsigned n = 0; shares && (n < SPREAD || index[3] == scenes[T10].page[0][3]); n++) {
        index[3] = e->tables.index[vl_below(&b->rng, SLOTS)];
        shares = index[3] == scenes[T10].page[0][3];
        for (unsigned k = 0; k < TLB_MSHRS; k++)
            shares |= e->scoreboard.walk[k].valid && e->scoreboard.walk[k].vpn >> 27 == index[3];
    }
    ask(b, e, 0, cycles == 1 ? vpn : vpn_of(index));
}

/* What is next in a visit; nobody asks in the cycle after the change, so that all is as it is. */
enum {
    VISIT_NONE,
    VISIT_FIRST /* walk */,
    VISIT_CHANGE,
    VISIT_PAUSE,
    VISIT_SECOND /* walk */,
    VISIT_SEEN,
    VISIT_TWIN /* the walk for the other page (visit_twin) */,
    VISIT_END
};
enum { TWIN_LAST = 9 + VPN_W /* in the place of a bit: it is the pointer itself, at level 0 */ };

/* Any page, or one with the same index at the two highest levels or at all: a table that points to itself there is
 * read by one PTE at these levels, and there is a place for each pointer of the walk, even if there are few. */
static uint64_t visit_page(bench_t *b, env_t *e)
{
    const uint64_t index = e->tables.index[vl_below(&b->rng, SLOTS)], vpn = page(b, e);
    switch (vl_below(&b->rng, 8)) {
    case 0: return index << 27 | index << 18 | index << 9 | index;
    case 1:
    case 2: return index << 27 | index << 18 | vpn % (1 << 18);
    default: return vpn;
    }
}

/* Between two walks for a page an entry changes that the first has read. Pointers above level 0 may be kept, so that
 * it is told: by an invalidation of each scope, of another address space, or by another address space which has the
 * tables from now on, or for a cycle. Of any other entry nobody is told. In each case the second walk has to find
 * what is there now. Or the entry stays as it is, other ones change, and another page is walked for behind the
 * second walk (visit_twin). */
static void visit_begin(bench_t *b, env_t *e)
{
    const bool told = vl_below(&b->rng, 3);
    const bool twin = told && WALK_POINTERS > 0 && e->policy.pointers && vl_below(&b->rng, 2);
    for (unsigned n = 0; n < 16; n++) {
        const uint64_t vpn = visit_page(b, e);
        const view_t v = scoreboard_view(&e->tables, e->root.ppn, vpn);
        const unsigned r = told ? vl_below(&b->rng, v.refs + 1) : v.refs - 1;
        if (v.n != 1 || r >= v.refs || (twin && v.ref[r].level < 2))
            continue;
        const uint64_t addr = v.ref[r].addr;
        const pte_t *pte = tables_at(&e->tables, addr);
        const bool points = pte && tables_points(pte->now), keeps = points && v.ref[r].level;
        /* First of all what would be a pointer if it was valid or at another level. */
        if (!pte || pte->changed || keeps != told || (!told && n < 12 && pte->now & PTE_V && !points))
            continue;
        e->visit.step = VISIT_FIRST;
        e->visit.tell = told ? vl_below(&b->rng, TELLS) : TELLS;
        e->visit.level = v.ref[r].level;
        e->visit.twin = twin;
        e->visit.vpn = vpn;
        e->visit.addr = addr;
        return;
    }
}

/* The host moves table k to the frame that differs in this bit from that of table m. False where another table is,
 * or no memory. */
static bool table_moves(tables_t *t, unsigned k, unsigned m, unsigned bit)
{
    const uint64_t was = t->frame[k], is = t->frame[m] ^ 1ull << bit;
    bool free = is * 32 >= t->window.base && is * 32 + 32 <= t->window.limit;
    for (unsigned i = 0; i < TABLES; i++)
        free &= i == k || t->frame[i] != is;
    if (!free)
        return false;
    t->frame[k] = is;
    for (unsigned i = 0; i < TABLES; i++)
        for (unsigned s = 0; s < SLOTS; s++) {
            pte_t *p = &t->pte[i][s];
            if (tables_points(p->now) && p->now >> 10 == was)
                p->now = (p->now & 1023) | is << 10;
        }
    return true;
}

/* From now on the tables have entries at this index, instead of one of those at which no walk for this page reads.
 * False where there is none. */
static bool index_moves(tables_t *t, uint64_t vpn, unsigned index)
{
    unsigned s = SLOTS;
    bool used = true;
    while (used && s-- > ALWAYS) {
        used = false;
        for (unsigned l = 0; l < 4; l++)
            used |= t->index[s] == (vpn >> 9 * l & 511);
    }
    if (used)
        return false;
    t->slot[t->index[s]] = -1;
    t->index[s] = (uint16_t)index;
    for (unsigned k = 0; k < SLOTS; k++)
        t->slot[t->index[k]] = (int8_t)k;
    return true;
}

/* A table that may be moved or filled anew: not this one, not the one above, none of level 3, for the roots stay where
 * they are, and none of the last ones. */
static unsigned twin_choose(bench_t *b, const env_t *e, unsigned m)
{
    unsigned k = m;
    while (k == m || e->tables.frame[k] == e->visit.addr / 4096)
        k = 4 + 4 * vl_below(&b->rng, 3) + vl_below(&b->rng, 3);
    return k;
}

/* The page that has this index at the level of the entry, and else those of the visit's page: at it there is now a
 * pointer to table k. */
static uint64_t twin_points(env_t *e, unsigned index, unsigned k)
{
    const unsigned up = 9 * e->visit.level;
    pte_t *pte = tables_at(&e->tables, (e->visit.addr & ~(uint64_t)4095) + index * 8u);
    *pte = (pte_t){.now = e->tables.frame[k] << 10 | PTE_V};
    return (e->visit.vpn & ~(511ull << up)) | (uint64_t)index << up;
}

/* Another page, whose walk reads a table whose frame differs in this bit from that of table m, at the same index. The
 * visit's page itself where there is none. */
static uint64_t twin_table(bench_t *b, env_t *e, unsigned m, unsigned index, unsigned bit)
{
    const unsigned k = twin_choose(b, e, m);
    return table_moves(&e->tables, k, m, bit) ? twin_points(e, index, k) : e->visit.vpn;
}

/* Another page, whose walk reads the pointer in table m at level 0, where a kept one is of no use. */
static uint64_t twin_last(bench_t *b, env_t *e, unsigned m, unsigned index)
{
    tables_t *t = &e->tables;
    const unsigned k = twin_choose(b, e, m), s = vl_below(&b->rng, SLOTS), low = e->visit.vpn >> 9 & 511;
    t->pte[k][(int)t->slot[t->index[s]]] = (pte_t){.now = t->frame[m] << 10 | PTE_V};
    return twin_points(e, index, k) >> 18 << 18 | (uint64_t)t->index[s] << 9 | low;
}

/* Another page, whose walk reads the same table as the visit's, at an index that differs in this bit. */
static uint64_t twin_index(env_t *e, unsigned bit)
{
    const uint64_t then = e->visit.vpn ^ 1ull << (9 * e->visit.level - 9 + bit);
    const unsigned index = then >> (9 * e->visit.level - 9) & 511;
    return e->tables.slot[index] >= 0 || index_moves(&e->tables, e->visit.vpn, index) ? then : e->visit.vpn;
}

/* Another page, whose walk reads a leaf with an address that differs from that of the kept pointer in one bit: each in
 * turn, and between them the highest, which few runs can have. */
static void twin_beside(bench_t *b, env_t *e, unsigned m, unsigned index)
{
    const uint64_t leaf = PTE_V | PTE_R | PTE_U | PTE_A | PTE_D,
                   ppn = tables_page(&e->tables, &b->rng, e->visit.level - 1);
    for (unsigned n = 0; n < TWIN_LAST && e->visit.then == e->visit.vpn; n++) {
        const unsigned turn = e->twins++, bit = turn % 3 ? turn * 2 / 3 % TWIN_LAST : TWIN_LAST - 1 - turn / 3 % 9;
        e->visit.bit = bit;
        e->visit.then = bit < 9 ? twin_index(e, bit) : twin_table(b, e, m, index, bit - 9);
    }
    if (e->visit.then != e->visit.vpn)
        *tables_at(&e->tables, 8 * (e->visit.kept ^ 1ull << e->visit.bit)) = (pte_t){.now = leaf | ppn << 10};
}

/* A kept pointer is found by the whole address of its PTE, and where a pointer may be. The entry is one, and so is the
 * next that the visit's page reads: this is kept. There comes to be another page that a walk would find by it,
 * if it left a bit out of account, or took it at level 0. */
static void visit_twin(bench_t *b, env_t *e, const pte_t *pte)
{
    tables_t *t = &e->tables;
    const unsigned low = e->visit.vpn >> (9 * e->visit.level - 9) & 511, other = t->index[vl_below(&b->rng, SLOTS)];
    unsigned m = 0;
    while (m < TABLES && t->frame[m] != pte->now >> 10)
        m++;
    if (m == TABLES || t->slot[low] < 0 || !tables_points(t->pte[m][(int)t->slot[low]].now)
        || other == (e->visit.vpn >> 9 * e->visit.level & 511))
        return;
    e->visit.kept = t->frame[m] * 512 + low;
    e->visit.bit = TWIN_LAST;
    if (e->visit.level == 2 && vl_below(&b->rng, 4) == 0)
        e->visit.then = twin_last(b, e, m, other);
    else
        twin_beside(b, e, m, other);
}

/* The entry itself has another value: a pointer leads elsewhere, or to its own table. */
static void visit_other(bench_t *b, env_t *e, pte_t *pte)
{
    const unsigned tell = e->visit.tell, level = e->visit.level;
    const bool kept = page_shelf(&e->page, e->visit.addr / 8) < PLACES, told = tell < TELLS;
    const unsigned table = vl_below(&b->rng, TABLES);
    const uint64_t frame = vl_below(&b->rng, 3) ? e->tables.frame[table] : e->visit.addr / 4096;
    *pte = (pte_t){.old = pte->now, .changed = true};
    pte->now = told ? (pte->old & 1023) | frame << 10 : tables_pte(&e->tables, &b->rng, level);
    BENCH_COVER(b, COV_TOLD + tell, told && kept);
    BENCH_COVER(b, COV_MAPPED, !told && level && !(pte->old & PTE_V) && tables_points(pte->now));
    BENCH_COVER(b, COV_MAPPED_LAST, !told && !level && kept && pte->now & (PTE_R | PTE_X));
}

static void visit_change(bench_t *b, env_t *e)
{
    pte_t *pte = tables_at(&e->tables, e->visit.addr);
    e->visit.then = e->visit.vpn;
    if (pte->changed) /* somebody has been here */
        return;
    e->period.vague = true;
    if (e->visit.twin)
        visit_twin(b, e, pte);
    else
        visit_other(b, e, pte);
    if (e->visit.tell == TELL_SPACE) {
        e->root.asid ^= (uint16_t)(1u << vl_below(&b->rng, ASID_W));
        forgotten(e);
    }
}

/* All is at rest, and may have been so for a while: the next step of a visit. */
static unsigned visit_rested(bench_t *b, env_t *e)
{
    switch (e->visit.step) {
    case VISIT_CHANGE: visit_change(b, e); return VISIT_PAUSE;
    case VISIT_SEEN: return e->visit.then != e->visit.vpn ? VISIT_TWIN : VISIT_NONE;
    default: return vl_below(&b->rng, 16) ? VISIT_CHANGE : VISIT_NONE; /* mostly with the next bit at once */
    }
}

/* True in the cycle in which the entry changes. */
static bool visit(bench_t *b, env_t *e, const ptw_out_t *out)
{
    const unsigned step = e->visit.step;
    switch (step) {
    case VISIT_NONE:
        if (out->idle && !e->drain && e->hold < TLB_MSHRS && vl_below(&b->rng, 2))
            visit_begin(b, e);
        return false;
    case VISIT_TWIN:
        BENCH_COVER(b, COV_TWIN + e->visit.bit / 9, page_shelf(&e->page, e->visit.kept) < PLACES);
        /* fall through */
    case VISIT_FIRST:
    case VISIT_SECOND: ask(b, e, vl_below(&b->rng, 2), step == VISIT_TWIN ? e->visit.then : e->visit.vpn); break;
    case VISIT_PAUSE: break;
    default:
        if (!out->idle || vl_below(&b->rng, 2))
            return false;
        e->visit.step = visit_rested(b, e);
        return step == VISIT_CHANGE;
    }
    e->visit.step++;
    return false;
}

static void cover_kept(bench_t *b, unsigned kept)
{
    static const struct {
        unsigned what, point;
    } of[] = {{KEPT_USED << 1, COV_KEPT},
              {KEPT_USED << 2, COV_KEPT + 1},
              {KEPT_USED << 3, COV_KEPT + 2},
              {KEPT_FOR_MANY, COV_KEPT_FOR_MANY},
              {KEPT_AT_LIMIT, COV_KEPT_AT_LIMIT},
              {KEPT_HELD_BACK, COV_KEPT_HELD_BACK},
              {KEPT_NOT_AT_0, COV_KEPT_NOT_AT_0},
              {KEPT_AGAIN, COV_KEPT_AGAIN},
              {KEPT_AROUND, COV_KEPT_AROUND},
              {KEPT_LOST, COV_KEPT_LOST},
              {KEPT_LOST << 1, COV_KEPT_LOST + 1},
              {KEPT_LOST << 2, COV_KEPT_LOST + 2},
              {KEPT_LOST << 3, COV_KEPT_LOST + 3},
              {KEPT_LOST << 4, COV_KEPT_LOST + 4},
              {KEPT_NOT_KEPT, COV_KEPT_NOT_KEPT},
              {KEPT_NOT_KEPT << 1, COV_KEPT_NOT_KEPT + 1},
              {KEPT_NOT_KEPT << 2, COV_KEPT_NOT_KEPT + 2},
              {KEPT_NOT_KEPT << 3, COV_KEPT_NOT_KEPT + 3},
              {KEPT_ANEW, COV_KEPT_ANEW}};
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++)
        BENCH_COVER(b, of[k].point, kept & of[k].what);
}

static void stimulate(bench_t *b, env_t *e, const ptw_out_t *out, ptw_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (b->cycle % 512 == 0)
        style(b, e);

    cover_kept(b, e->page.kept);
    /* What this cycle shows. */
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
    else if (e->flood)
        flood(b, e, out);
    else if (e->drain && !sb->walks && !e->visit.step)
        settings(b, e);
    e->drain |= vl_below(&b->rng, 256) == 0;
    if (!staged(e) && vl_below(&b->rng, e->change) == 0 && tables_change(&e->tables, &b->rng))
        e->period.vague = true;

    const bool changes = !staged(e) && visit(b, e, out);
    /* Now and then all is told at the edge at which the last answer would be kept. */
    const bool edge = WALK_POINTERS > 0 && !staged(e) && !e->visit.step && e->in_a_row && e->quiet < 100000
                      && vl_below(&b->rng, 32) == 0;
    const unsigned tell = changes ? e->visit.tell : edge ? vl_below(&b->rng, TELL_OTHER + 1) : TELLS;
    ptw_in_random(&b->rng, in);
    in->root = e->root;
    /* And back: nobody asks meanwhile. */
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
