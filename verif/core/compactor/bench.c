/* Bench of compactor: groups whose warps come to branches, to the end of their path, to barriers and to their end at random, by a program of a few branches with meeting points; what
 * is in flight, when a go is taken and when a barrier releases are random, too. Besides RTL, twin and page: by the threads alone, that none is lost, doubled, or moved from its place. */
#define BENCH_CYCLES 40000
#define BENCH_SEEDS 12
#include "verif/common/bench.h"
#include "compactor_ports.h"
#include "verif/core/compactor/page.h"

enum {
    COV_ALONE_BAR,
    COV_ALONE_MIXED,
    COV_ALONE_PASS,
    COV_ALONE_TAKE,
    COV_ALONE_FULL,
    COV_FRESH,
    COV_SAME,
    COV_AT_TARGET,
    COV_AT_NEXT,
    COV_BOTH,
    COV_LAST_ENTRY,
    COV_FORM_ONE,
    COV_FORM_ALL,
    COV_MIXED,
    COV_PURE,
    COV_POP_EMPTY,
    COV_POP_SEVERAL,
    COV_BACK,
    COV_DONE,
    COV_PARTS_WAIT,
    COV_OTHER_PC,
    COV_ENDED_PART,
    COV_ENDED_ALL,
    COV_FAULT_LEFT,
    COV_FAULT_GONE,
    COV_FAULT_APART,
    COV_FAULT_ENDED,
    COV_FAULT_BAR,
    COV_STIRS_ROW,
    COV_STIRS_FLY,
    COV_TWO,
    COV_TURNED,
    COV_STALL_ALONE,
    COV_STALL_FORM,
    COV_STALL_BACK,
    COV_STALL_DONE,
    COV_OFF,
    COV_ON_OFF,
    COV_OFF_ON,
    COV_START_LATE,
    COV_RELEASE,
    COV_NONE_JOINS,
    COV_ONE_JOINS,
    COV_TWO_JOIN,
    COV_NOT_TO_ALL,
    COV_JOINS_PART,
    COV_NO_PLACE,
    COV_LEADER_FULL,
    COV_STALL_ADMIT,
    COV_LATE_WELCOME,
    COV_NO_MORE_WELCOME,
    COV_AWARE_BESIDE_TBC,
    COV_AWARE_BESIDE_OFF,
    COV_FOURTH,
    COV_AWARE_NESTED,
    COV_AWARE_POPPED,
    COV_PAGES_TBC,
    COV_PAGES_TLB,
    COV_PAGES_NONE,
    COV_N
};
static const char *const cover[] = {"alone: another waits at a barrier",
                                    "alone: they stand at several branches",
                                    "alone: nobody takes the branch",
                                    "alone: everybody takes the branch",
                                    "alone: the stack has no room for two entries",
                                    "division with a new meeting point",
                                    "division at the meeting point that there is",
                                    "the target is the meeting point",
                                    "the next instruction is the meeting point",
                                    "neither is",
                                    "the last entry that fits",
                                    "one warp formed",
                                    "as many warps formed as the group has homes",
                                    "a warp of several homes",
                                    "a warp of one home",
                                    "an entry of which no thread is left",
                                    "several entries popped",
                                    "all wait: each in its home again",
                                    "a group ends",
                                    "parts of two homes wait",
                                    "homes wait at different barriers",
                                    "a part of a warp ends",
                                    "a whole warp ends",
                                    "fault: a barrier behind another home's end",
                                    "fault: a barrier behind the end of the same home",
                                    "fault: threads of a home at two barriers",
                                    "fault: an end while others wait",
                                    "fault: an end while a warp is at a barrier",
                                    "not still for a row",
                                    "not still for an instruction",
                                    "two groups ready",
                                    "two groups ready, the higher has its turn",
                                    "go not taken in ALONE",
                                    "go not taken in FORM",
                                    "go not taken in BACK",
                                    "go not taken in DONE",
                                    "a group with the policy off beside one with it on",
                                    "slot used again: on, then off",
                                    "slot used again: off, then on",
                                    "the last warp starts while others stand at a branch",
                                    "release with warps of another group",
                                    "aware: a leader that nobody joins",
                                    "aware: one home joins",
                                    "aware: two join or more",
                                    "aware: welcome to the leader, and not to another that has joined",
                                    "aware: a home joins with a part of its threads",
                                    "aware: a home is welcome and its places are taken",
                                    "aware: a leader that fills all places",
                                    "aware: go not taken in ADMIT",
                                    "aware: a home becomes welcome while go is not taken",
                                    "aware: a home that is welcome, and is not at the next edge",
                                    "an aware group beside one that is not",
                                    "an aware group beside one with the policy off",
                                    "the fourth policy is off",
                                    "aware: formed in a group with entries on its stack",
                                    "aware: formed of a popped entry",
                                    "the page's example of pages, COMPACT_TBC",
                                    "the page's example of pages, COMPACT_TLB",
                                    "the page's example of pages, COMPACT_TLB and no pages in common"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum { POOL = 12 };
enum { FREE, PLAIN, GOES, STANDING, ENDED_PATH, BARRED }; /* a warp: none; of a group that is not compacted; ... */
enum { T_NONE, T_RUNS, T_AWAY, T_WAITS, T_ENDED }; /* a thread */
typedef struct {
    int state, slot, fly, row;
    uint64_t mask, last_issue;
    bool rpc_valid;
    meet_t met;
} warp_env_t;
typedef struct {
    int size, to_start, left, used, barriers;
    bool on, aware, was_on, frozen, ended;
    unsigned plan, bar_pc; /* the branch and the barrier that its warps come to next */
} group_env_t;
typedef struct {
    warp_env_t warp[WARPS];
    group_env_t group[GROUPS];
    int thread[WARPS][THREADS];
    uint64_t pool[POOL];
    unsigned target[POOL], meeting[POOL];
    uint64_t bar_pc[WARPS];
    unsigned formed, stall;
    unsigned asks, pages; /* how many groups ask for pages, in 256; how `common` looks */
    uint64_t common[WARPS], group_of[WARPS];
    struct {
        bool plays;
        unsigned policy, made;
        uint64_t since[WARPS]; /* the cycles in which warps were formed */
        formed_t formed[WARPS];
    } example;
    page_t page;
} env_t;

/* The page's example of pages: where each home has threads on the side that is formed, and their page. */
enum { EXAMPLE_HOMES = 5, EXAMPLE_PLACES = 4 };
static const struct {
    unsigned places, page;
} example_home[EXAMPLE_HOMES] = {{0x9, 6}, {0x6, 1}, {0x1, 5}, {0x6, 6}, {0x9, 1}};

/* Homes that have a page in common with this one; in every third run none. */
static uint64_t example_common(const bench_t *b, unsigned home)
{
    uint64_t some = 0;
    for (unsigned h = 0; h < EXAMPLE_HOMES && b->seed % 3 < 2; h++)
        some |= (uint64_t)(h != home && example_home[h].page == example_home[home].page) << h;
    return some;
}

static void start(bench_t *b, env_t *e)
{
    const uint64_t base = vl_random(&b->rng) & PAGE_PC_MASK & ~0xfffull;
    static const unsigned policies[] = {COMPACT_TBC, COMPACT_TLB, COMPACT_TLB};
    page_begin(&e->page);
    e->asks = b->seed % 5 == 4 ? 256 * (b->seed / 5 % 2) : 140;
    e->example.plays = b->cycles >= 1000 && WARPS >= EXAMPLE_HOMES && THREADS == EXAMPLE_PLACES;
    e->example.policy = policies[b->seed % 3];
    for (unsigned k = 0; k < POOL; k++) { /* neighbours, so that the next instruction is in the pool */
        e->pool[k] = (base + 4 * k) & PAGE_PC_MASK;
        e->meeting[k] = vl_chance(&b->rng, 50) ? (k + 1) % POOL : vl_below(&b->rng, b->mode == 1 ? POOL : 4);
        e->target[k] = vl_chance(&b->rng, 50) ? e->meeting[k] : vl_below(&b->rng, POOL);
    }
}

/* ---------------- the page's example of pages ---------------- */

/* Misses of a TLB of one entry when these warps ask for their pages one after the other: each for each of its pages once, by its lowest place. */
static unsigned misses(const formed_t *f, unsigned n)
{
    unsigned kept = 0, misses = 0; /* page 0: none */
    for (unsigned k = 0; k < n; k++)
        for (unsigned t = 0; t < EXAMPLE_PLACES; t++) {
            const unsigned page = example_home[f[k].homes[t] % EXAMPLE_HOMES].page;
            bool asks = (uint64_t)f[k].mask >> t & 1;
            for (unsigned u = 0; u < t; u++)
                asks &= !((uint64_t)f[k].mask >> u & 1) || example_home[f[k].homes[u] % EXAMPLE_HOMES].page != page;
            misses += asks && kept != page;
            kept = asks ? page : kept;
        }
    return misses;
}

/* What has been formed, when all are in a warp: the numbers of the paper's figure 5.1. */
static void judge_example(bench_t *b, env_t *e)
{
    const formed_t *f = e->example.formed;
    const uint64_t *t = e->example.since, all = (1ull << EXAMPLE_PLACES) - 1;
    const bool asks = e->example.policy == COMPACT_TLB, none = !example_common(b, 0);
    const unsigned first = misses(f, 2);
    if (none) {
        BENCH_CHECK(b, e->example.made == EXAMPLE_HOMES, "the example: %u warps of homes that have no pages in common",
                    e->example.made);
        BENCH_COVER(b, COV_PAGES_NONE, true);
        return;
    }
    BENCH_CHECK(b, e->example.made == 3, "the example: %u warps", e->example.made);
    BENCH_CHECK(b, f[0].mask == all && f[1].mask == all, "the example: places %x and %x of the first two are taken",
                (unsigned)f[0].mask, (unsigned)f[1].mask);
    BENCH_CHECK(b, first == (asks ? 2 : 5), "the example: %u misses of the first two warps", first);
    BENCH_CHECK(b, misses(f, 3) == first + asks, "the example: %u misses of all three", misses(f, 3));
    BENCH_CHECK(b, t[1] - t[0] == (asks ? 3 : 1) && t[2] - t[1] == (asks ? 2 : 1),
                "the example: %u and %u edges between warps", (unsigned)(t[1] - t[0]), (unsigned)(t[2] - t[1]));
    BENCH_COVER(b, asks ? COV_PAGES_TLB : COV_PAGES_TBC, true);
}

static void play(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    const uint64_t all = (1ull << EXAMPLE_PLACES) - 1;
    in->policy = (uint8_t)e->example.policy;
    in->go_ready = true;
    for (unsigned h = 0; h < EXAMPLE_HOMES; h++)
        in->common[h] = (__typeof__(in->common[0]))example_common(b, h);
    if (out->formed_valid && e->example.made < WARPS) {
        e->example.since[e->example.made] = b->cycle;
        e->example.formed[e->example.made++] = out->formed;
    }
    if (b->cycle < EXAMPLE_HOMES) { /* the warps start in 0.. */
        const unsigned w = (unsigned)b->cycle;
        in->start_valid = true;
        in->start.warp = (uint8_t)w;
        in->start.slot = 0;
        in->start.group_warps = EXAMPLE_HOMES;
        in->start.tmask = (__typeof__(in->start.tmask))all;
        e->warp[w] = (warp_env_t){.state = GOES, .mask = all};
        for (int t = 0; t < THREADS; t++)
            e->thread[w][t] = T_RUNS;
        e->group[0] = (group_env_t){.size = EXAMPLE_HOMES,
                                    .left = EXAMPLE_HOMES,
                                    .to_start = (int)(EXAMPLE_HOMES - 1 - w),
                                    .used = 1,
                                    .on = true,
                                    .aware = e->example.policy == COMPACT_TLB};
    } else if (b->cycle < 2 * EXAMPLE_HOMES) { /* and reach a branch that is not taken by the warps of the example */
        const unsigned w = (unsigned)b->cycle - EXAMPLE_HOMES;
        const meet_t m = {.warp = (uint8_t)w,
                          .branch = true,
                          .pc = e->pool[0],
                          .target = e->pool[4],
                          .meeting = e->pool[8],
                          .tmask = (__typeof__(m.tmask))all,
                          .taken = (__typeof__(m.taken))(all & ~example_home[w].places)};
        in->meet_valid = true;
        in->meet = m;
        e->warp[w].state = STANDING;
        e->warp[w].met = m;
        for (int t = 0; t < THREADS; t++)
            e->thread[w][t] = T_AWAY;
        e->warp[w].mask = 0;
    }
    unsigned placed = 0, wanted = 0;
    for (unsigned k = 0; k < e->example.made; k++)
        placed += (unsigned)__builtin_popcountll(e->example.formed[k].mask);
    for (unsigned h = 0; h < EXAMPLE_HOMES; h++)
        wanted += (unsigned)__builtin_popcount(example_home[h].places);
    BENCH_CHECK(b, b->cycle < 100, "the example: %u threads are formed of %u", placed, wanted);
    if (placed == wanted) {
        judge_example(b, e);
        e->example.plays = false;
    }
}

static uint64_t part_of(bench_t *b, uint64_t m)
{
    const uint64_t some = vl_random(&b->rng) & m;
    return some ? some : m & -m;
}

static bool some_in(const env_t *e, int g, int state)
{
    for (int w = 0; w < WARPS; w++)
        for (int t = 0; t < THREADS; t++)
            if (e->warp[w].state > PLAIN && e->warp[w].slot == g && e->thread[w][t] == state)
                return true;
    return false;
}

static int warps_in(const env_t *e, int g, int state)
{
    int n = 0;
    for (int w = 0; w < WARPS; w++)
        n += e->warp[w].state == state && e->warp[w].slot == g;
    return n;
}

/* Threads of warp w go from where they run to `state`. */
static void put(env_t *e, const compactor_out_t *out, int w, uint64_t mask, int state)
{
    for (int t = 0; t < THREADS; t++)
        if (mask >> t & 1)
            e->thread[out->homes[w % HOME_WARPS][t % HOME_PLACES]][t] = state;
    e->warp[w].mask &= ~mask;
}

/* The threads that are left have come to the meeting point, or go on. */
static void rest(bench_t *b, env_t *e, const compactor_out_t *out, int w, meet_t *m)
{
    warp_env_t *v = &e->warp[w];
    m->done = !v->mask || (v->rpc_valid && vl_chance(&b->rng, 100));
    if (!m->done)
        return;
    put(e, out, w, v->mask, T_AWAY);
    v->state = ENDED_PATH;
}

static void meet(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    const int w = (int)vl_below(&b->rng, WARPS);
    warp_env_t *v = &e->warp[w];
    group_env_t *g = &e->group[v->slot];
    if (v->state != GOES || g->frozen || b->cycle < v->last_issue + 2 || (in->start_valid && in->start.warp == w)
        || !vl_chance(&b->rng, b->mode == 1 ? 90 : 220))
        return;
    /* wild warps cause faults, late in the run only, since a fault stops its group for good */
    const bool nested = (uint64_t)out->nested >> w & 1, late = b->cycles < 1000 || b->cycle > b->cycles - 2000,
               wild = late && vl_chance(&b->rng, nested ? 120 : 16);
    const bool others = some_in(e, v->slot, T_WAITS) || warps_in(e, v->slot, BARRED);
    meet_t m = {.warp = (uint8_t)w};
    const bool waits = nested && (wild || (!g->ended && g->barriers))
                       && vl_chance(&b->rng, 90); /* of this group a barrier is awaited */
    const unsigned what = waits ? 13 : vl_below(&b->rng, 16);
    if (what < 7) {
        const unsigned k = vl_chance(&b->rng, b->mode == 2 ? 100 : 230) ? g->plan : vl_below(&b->rng, POOL);
        const unsigned how = vl_below(&b->rng, 8);
        m.branch = true;
        m.pc = e->pool[k];
        m.target = e->pool[e->target[k]];
        m.meeting = e->pool[e->meeting[k]];
        m.tmask = v->mask;
        m.taken = how == 0 ? 0 : how == 1 ? v->mask : part_of(b, v->mask);
        v->state = STANDING;
        put(e, out, w, v->mask, T_AWAY);
        v->met = m;
    } else if (what < 11 && nested && v->rpc_valid) {
        m.done = true;
        put(e, out, w, v->mask, T_AWAY);
        v->state = ENDED_PATH;
    } else if (what < 14 && (wild || (!g->ended && g->barriers))) {
        m.pc = e->pool[vl_chance(&b->rng, 240) ? g->bar_pc : vl_below(&b->rng, POOL)];
        m.tmask = nested ? part_of(b, v->mask) : v->mask;
        for (int t = 0; t < THREADS; t++) { /* threads of one home wait at one barrier */
            const int h = out->homes[w % HOME_WARPS][t % HOME_PLACES];
            for (int u = 0; u < THREADS; u++)
                if ((uint64_t)m.tmask >> t & 1 && e->thread[h][u] == T_WAITS && !wild) {
                    m.pc = e->bar_pc[h];
                    if (u != t) /* then one home at a time */
                        m.tmask = 1ull << t;
                }
        }
        BENCH_COVER(b, COV_PARTS_WAIT, nested && m.tmask != v->mask);
        if (nested) {
            m.waits = true;
            for (int t = 0; t < THREADS; t++)
                if ((uint64_t)m.tmask >> t & 1)
                    e->bar_pc[out->homes[w % HOME_WARPS][t % HOME_PLACES]] = m.pc;
            for (int h = 0; h < WARPS; h++)
                for (int t = 0; t < THREADS; t++)
                    BENCH_COVER(b, COV_OTHER_PC,
                                e->warp[h].slot == v->slot && e->thread[h][t] == T_WAITS && e->bar_pc[h] != m.pc);
            put(e, out, w, m.tmask, T_WAITS);
            rest(b, e, out, w, &m);
        } else {
            m.barrier = true;
            v->state = BARRED;
        }
    } else if (what >= 12 && (wild || (!others && !g->barriers))) {
        m.ended = true;
        m.pc = e->pool[vl_below(&b->rng, POOL)];
        m.tmask = vl_chance(&b->rng, 100) ? v->mask : part_of(b, v->mask);
        BENCH_COVER(b, COV_ENDED_ALL, m.tmask == v->mask);
        BENCH_COVER(b, COV_ENDED_PART, m.tmask != v->mask);
        g->ended = true;
        put(e, out, w, m.tmask, T_ENDED);
        rest(b, e, out, w, &m);
    } else {
        return;
    }
    in->meet_valid = true;
    in->meet = m;
}

static void launch(bench_t *b, env_t *e, compactor_in_t *in)
{
    int g = 0, w = (int)vl_below(&b->rng, WARPS);
    in->policy = (uint8_t)(!vl_chance(&b->rng, b->mode == 3 ? 128 : 230) ? (vl_below(&b->rng, 4) ? COMPACT_OFF : 3)
                           : vl_chance(&b->rng, e->asks)                 ? COMPACT_TLB
                                                                         : COMPACT_TBC);
    if (e->warp[w].state != FREE || !vl_chance(&b->rng, 120))
        return;
    while (g < GROUPS && !e->group[g].to_start)
        g++;
    if (g == GROUPS) { /* a new group */
        g = (int)vl_below(&b->rng, GROUPS);
        group_env_t *q = &e->group[g];
        if (q->left || q->to_start)
            return;
        const bool was = q->on;
        const int used = q->used;
        *q = (group_env_t){.on = in->policy == COMPACT_TBC || in->policy == COMPACT_TLB,
                           .aware = in->policy == COMPACT_TLB,
                           .was_on = was,
                           .used = used + 1,
                           .plan = vl_below(&b->rng, POOL),
                           .bar_pc = vl_below(&b->rng, POOL)};
        q->size = q->left = q->to_start = 1 + (int)vl_below(&b->rng, WARPS);
        q->barriers = (int)vl_below(&b->rng, 4);
        BENCH_COVER(b, COV_ON_OFF, used && was && !q->on);
        BENCH_COVER(b, COV_OFF_ON, used && !was && q->on);
        for (int k = 0; k < GROUPS; k++)
            if (k != g && e->group[k].left) {
                const group_env_t *o = &e->group[k];
                BENCH_COVER(b, COV_OFF, o->on != q->on);
                BENCH_COVER(b, COV_AWARE_BESIDE_TBC, o->on && q->on && o->aware != q->aware);
                BENCH_COVER(b, COV_AWARE_BESIDE_OFF, o->on != q->on && (o->aware || q->aware));
            }
        BENCH_COVER(b, COV_FOURTH, in->policy > COMPACT_TLB);
    }
    group_env_t *q = &e->group[g];
    BENCH_COVER(b, COV_START_LATE, q->on && q->to_start == 1 && warps_in(e, g, STANDING));
    q->to_start--;
    in->start_valid = true;
    start_t_random(&b->rng, &in->start);
    const uint64_t all = ~0ull >> (64 - THREADS);
    in->start.warp = (uint8_t)w;
    in->start.slot = (__typeof__(in->start.slot))g;
    in->start.group_warps = (uint8_t)q->size;
    in->start.tmask = q->to_start ? all : all >> vl_below(&b->rng, THREADS); /* of the last warp the first threads */
    e->warp[w] = (warp_env_t){.state = q->on ? GOES : PLAIN,
                              .slot = g,
                              .mask = in->start.tmask,
                              .fly = e->warp[w].fly,
                              .last_issue = b->cycle};
    for (int t = 0; t < THREADS; t++)
        e->thread[w][t] = (uint64_t)in->start.tmask >> t & 1 ? T_RUNS : T_NONE;
}

/* Instructions begin and end, rows of lsu come and go. */
static void fly(bench_t *b, env_t *e, compactor_in_t *in)
{
    const int w = (int)vl_below(&b->rng, WARPS), k = (int)vl_below(&b->rng, WARPS);
    warp_env_t *v = &e->warp[w];
    int begun = 0; /* threads of k that begin at this edge; those that end have begun before */
    const bool starting = in->start_valid && in->start.warp == w, meeting = in->meet_valid && in->meet.warp == w;
    if ((v->state == PLAIN || v->state == GOES) && !starting && !meeting
        && vl_chance(&b->rng, b->mode == 2 ? 20 : 80)) {
        in->issue_valid = true;
        issued_t_random(&b->rng, &in->issue);
        in->issue.warp = (uint8_t)w;
        in->issue.first = vl_chance(&b->rng, 128);
        in->issue.pipe = (__typeof__(in->issue.pipe))vl_below(&b->rng, PIPE_CTL + 1);
        if (vl_chance(&b->rng, 100))
            in->issue.instr = (in->issue.instr & ~127u) | 0x23;
        const bool counts = in->issue.first && in->issue.pipe != PIPE_ALU && in->issue.pipe != PIPE_CTL
                            && (in->issue.instr & 127) != 0x23;
        if (counts && v->fly > 40)
            in->issue.first = false;
        else
            v->fly += counts, begun = k == w && counts;
        v->last_issue = b->cycle;
    }
    if (vl_chance(&b->rng, 200)) {
        in->wb_valid = true;
        wb_t_random(&b->rng, &in->wb);
        in->wb.res.warp = (uint8_t)k;
        in->wb.pipe = (__typeof__(in->wb.pipe))vl_below(&b->rng, PIPE_CTL);
        const bool counts = in->wb.res.last && in->wb.pipe != PIPE_ALU;
        if (counts && e->warp[k].fly == begun)
            in->wb.pipe = PIPE_ALU;
        else
            e->warp[k].fly -= counts;
    }
    uint64_t rows = 0;
    for (int n = 0; n < WARPS; n++) {
        warp_env_t *x = &e->warp[n];
        const bool may = (x->state == GOES || x->state == PLAIN) && !(in->meet_valid && in->meet.warp == n);
        if (x->row)
            x->row = !vl_chance(&b->rng, 60);
        else
            x->row = may && b->seed % 4 && vl_chance(&b->rng, 10);
        rows |= (uint64_t)x->row << n;
    }
    in->rows = (__typeof__(in->rows))rows;
}

static void barrier(bench_t *b, env_t *e, compactor_in_t *in)
{
    const int g = (int)vl_below(&b->rng, GROUPS);
    group_env_t *q = &e->group[g];
    if (q->on && !q->frozen && !q->to_start && q->left && warps_in(e, g, BARRED) == q->size && vl_chance(&b->rng, 60)) {
        uint64_t others = 0;
        in->release_valid = true;
        for (int w = 0; w < WARPS; w++) {
            if (e->warp[w].state == BARRED && e->warp[w].slot == g) {
                in->release |= (__typeof__(in->release))(1ull << w);
                e->warp[w].state = GOES;
                e->warp[w].last_issue = b->cycle;
            } else if (vl_chance(&b->rng, 60) && e->warp[w].state != BARRED) {
                others |= 1ull << w;
            }
        }
        BENCH_COVER(b, COV_RELEASE, others);
        in->release |= (__typeof__(in->release))others;
        q->barriers -= q->barriers > 0;
        q->bar_pc = vl_below(&b->rng, POOL);
    }
    for (int w = 0; w < WARPS; w++) /* warps that are not compacted end by themselves */
        if (e->warp[w].state == PLAIN && !e->warp[w].fly && !(in->start_valid && in->start.warp == w)
            && vl_chance(&b->rng, 4)) {
            e->warp[w].state = FREE;
            e->group[e->warp[w].slot].left--;
        }
}

/* A go that is taken in this cycle. */
static void take(bench_t *b, env_t *e, const compactor_out_t *out)
{
    const go_t *q = &out->go;
    warp_env_t *v = &e->warp[q->warp];
    group_env_t *g = &e->group[v->slot];
    BENCH_CHECK(b, v->state > PLAIN, "a go for warp %u, which is of no compacted group", q->warp);
    switch (q->kind) {
    case GO_FORM:
        BENCH_CHECK(b, v->state != GOES, "warp %u is formed anew while it runs", q->warp);
        BENCH_CHECK(b, q->tmask || g->frozen, "a warp without threads"); /* after a fault a home may have none */
        for (int t = 0; t < THREADS; t++) {
            if (!((uint64_t)q->tmask >> t & 1))
                continue;
            const int h = out->homes[q->warp % HOME_WARPS][t % HOME_PLACES];
            int *x = &e->thread[h][t];
            BENCH_CHECK(b, e->warp[h].slot == v->slot, "thread %d of home %d is in warp %u of another group", t, h,
                        q->warp);
            BENCH_CHECK(b, *x == T_AWAY || *x == T_WAITS, "thread %d of home %d goes on in warp %u, and %s", t, h,
                        q->warp, *x == T_RUNS ? "runs already" : "has ended");
            *x = T_RUNS;
        }
        v->state = GOES;
        v->mask = q->tmask;
        v->rpc_valid = q->rpc_valid;
        v->last_issue = b->cycle;
        if (!e->formed++)
            g->plan = vl_below(&b->rng, POOL);
        break;
    case GO_ALONE:
        BENCH_CHECK(b,
                    v->state == STANDING && v->met.pc == q->pc && v->met.tmask == q->tmask && v->met.taken == q->taken
                        && v->met.target == q->target,
                    "warp %u goes on alone, and does not stand at that branch", q->warp);
        v->state = GOES;
        v->mask = q->tmask;
        v->last_issue = b->cycle;
        for (int t = 0; t < THREADS; t++)
            if ((uint64_t)q->tmask >> t & 1)
                e->thread[out->homes[q->warp % HOME_WARPS][t % HOME_PLACES]][t] = T_RUNS;
        g->plan = vl_below(&b->rng, POOL);
        break;
    case GO_DONE:
        for (int w = 0; w < WARPS; w++)
            for (int t = 0; t < THREADS && e->warp[w].state > PLAIN && e->warp[w].slot == v->slot; t++)
                BENCH_CHECK(b, e->thread[w][t] <= T_NONE || e->thread[w][t] == T_ENDED,
                            "the group of warp %u ends without thread %d of home %d", q->warp, t, w);
        v->state = FREE;
        g->left--;
        break;
    default: g->frozen = true;
    }
}

/* Which homes touch one another's pages: none, all, those of a few sets, such that it does not go both ways, any; it changes now and then, or in every cycle, as a whole or in one bit. */
static void common(bench_t *b, env_t *e, compactor_in_t *in)
{
    vl_rng_t *r = &b->rng;
    if (b->cycle % 64 == 0 || vl_chance(r, 2)) {
        e->pages = vl_below(r, 16);
        for (int h = 0; h < WARPS; h++)
            e->group_of[h] = vl_below(r, 1 + (unsigned)e->pages % 4);
        for (int h = 0; h < WARPS; h++)
            for (int k = 0; k < WARPS; k++) {
                const bool one = e->pages == 0   ? false
                                 : e->pages == 1 ? true
                                 : e->pages < 9  ? e->group_of[h] == e->group_of[k]
                                 : e->pages < 11 ? vl_below(r, 2)
                                                 : vl_below(r, 4) != 0;
                e->common[h] = (e->common[h] & ~(1ull << k)) | (uint64_t)one << k;
            }
    }
    if (e->pages % 4 == 3)
        e->common[vl_below(r, WARPS)] ^= 1ull << vl_below(r, WARPS);
    for (int h = 0; h < WARPS; h++)
        in->common[h % HOME_WARPS] =
            (__typeof__(in->common[0]))(e->pages == 14 ? vl_random_bits(r, WARPS) : e->common[h]);
}

static void stimulate(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    if (e->example.plays) {
        play(b, e, out, in);
        if (out->go_valid)
            take(b, e, out);
        return;
    }
    e->stall = e->stall ? e->stall - 1 : vl_chance(&b->rng, b->mode == 1 ? 60 : 10) ? vl_below(&b->rng, 12) : 0;
    in->go_ready = !e->stall;
    common(b, e, in);
    if (!out->go_valid)
        e->formed = 0;
    launch(b, e, in);
    barrier(b, e, in); /* before meet: arrivals of this cycle are released later */
    meet(b, e, out, in);
    fly(b, e, in);
    if (out->go_valid && in->go_ready) /* it acts from the next cycle on */
        take(b, e, out);
}

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

SCOREBOARD_DRIVE_COVERED(compactor, env_t, stimulate, expect)
BENCH_MAIN(compactor, env_t, start, drive, cover, COV_N)
