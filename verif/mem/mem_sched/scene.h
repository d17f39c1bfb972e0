/* Scenes for mem_sched: known requests, one by one, while no bank has room; then some banks have, in the end all, and every transaction must be the one
 * that the rules pick: Golden in its order, a drain or not, Silver before Normal, row hits before older misses. Turns are counted along. With the worked examples. */
#ifndef VERIF_MEM_SCHED_SCENE_H
#define VERIF_MEM_SCHED_SCENE_H
#include "verif/mem/mem_sched/scoreboard.h"

enum { Q_GOLDEN, Q_SILVER, Q_NORMAL, Q_WRITES, Q_N };
enum { SCENE_RANDOM, SCENE_TURNS, SCENE_HITS, SYNC_READS = 3, SCENE_MAX = 64, SETTLE = 9 };
static const unsigned scene_depth[Q_N] = {SCHED_GOLDEN, SCHED_SILVER, SCHED_NORMAL, SCHED_WRITES};

/* mem_sched.md, turns, worked: application, queue, turn, left, skipped. */
static const struct {
    uint8_t app;
    char queue;
    uint8_t turn, left, skipped;
} worked_turns[] = {{0, 'N', 2, 3, 0}, {2, 'S', 2, 2, 0}, {2, 'S', 2, 1, 0}, {0, 'N', 2, 1, 1}, {2, 'S', 0, 2, 0},
                    {2, 'N', 0, 2, 1}, {0, 'S', 0, 1, 0}, {1, 'N', 0, 1, 1}, {1, 'N', 0, 1, 2}, {1, 'N', 0, 1, 3},
                    {1, 'N', 2, 3, 0}, {2, 'S', 2, 2, 0}, {0, 'N', 2, 2, 1}};
enum { WORKED_TURNS = sizeof worked_turns / sizeof *worked_turns };
/* Behind an open row: a miss, a hit, a miss, a hit. Hits first, by age; then the other row's two. */
static const uint8_t worked_hits[4] = {MISS_LINE, HIT_LINE + 1, MISS_LINE + 1, HIT_LINE + 2},
                     worked_order[4] = {HIT_LINE + 1, HIT_LINE + 2, MISS_LINE, MISS_LINE + 1};

typedef struct {
    unsigned kind, step, count, wait, sent;
    unsigned writes, walks, holder; /* of 256; holder: reads of the application that has its turn */
    bool release;
    uint64_t blocked; /* banks without room after the release, until nothing else can go */
    unsigned quiet; /* cycles since the last transaction */
    sched_policy_t policy;
    uint16_t thresh[APPS];
    uint8_t line[Q_N][SCHED_NORMAL + SCHED_WRITES + SCHED_SILVER + SCHED_GOLDEN]; /* the queues, oldest first */
    unsigned n[Q_N];
    bool drain, open[CH_BANKS];
    uint16_t row[CH_BANKS];
    unsigned turn, left, skipped;
    unsigned expect[Q_N], turns, seen[Q_N], seen_turns; /* events of the last request */
    uint8_t used[POOL];
} scene_t;

/* The queue of a read of this address space, and its effect on the turn. */
static unsigned scene_turn(scene_t *s, uint16_t asid)
{
    const sched_policy_t *p = &s->policy;
    unsigned app = APPS, queue = Q_NORMAL;
    if (p->mode != SCHED_MASK)
        return Q_NORMAL;
    for (unsigned a = APPS; a-- > 0;)
        if (p->app_valid >> a & 1 && p->app_asid[a] == asid)
            app = a;
    if (app == s->turn && s->left) {
        queue = Q_SILVER;
        s->left--;
        s->skipped = 0;
    } else if (s->skipped < 1023) {
        s->skipped++;
    }
    bool ends = !(p->app_valid >> s->turn & 1) || !s->left || (p->turn_skip && s->skipped >= p->turn_skip);
    if (ends) {
        unsigned next = s->turn, tries = 0;
        do
            next = (next + 1) % APPS, tries++;
        while (tries < APPS && !(p->app_valid >> next & 1 && s->thresh[next]));
        bool somebody = p->app_valid >> next & 1 && s->thresh[next];
        s->turn = somebody ? next : s->turn;
        s->left = somebody ? s->thresh[next] : 0;
        s->skipped = 0;
        s->turns += somebody;
    }
    return queue;
}

static void scene_drain(scene_t *s)
{
    unsigned n = s->n[Q_WRITES];
    if (n == SCHED_WRITES || (n && n >= s->policy.write_high))
        s->drain = true;
    else if (n <= s->policy.write_low)
        s->drain = false;
}

static bool scene_free(const scene_t *s, const dram_t *d, unsigned queue, unsigned i)
{
    return !(s->blocked >> d->place[s->line[queue][i]].bank & 1);
}

/* The entry of a queue that goes, -1: none can. */
static int scene_best(const scene_t *s, const dram_t *d, unsigned queue)
{
    int can = -1;
    for (unsigned i = s->n[queue]; i-- > 0;)
        if (scene_free(s, d, queue, i))
            can = (int)i;
    for (unsigned i = 0; i < s->n[queue]; i++) {
        const place_t *p = &d->place[s->line[queue][i]];
        if (scene_free(s, d, queue, i) && s->open[p->bank] && s->row[p->bank] == p->row)
            return (int)i;
    }
    return can;
}

static int scene_pick(const scene_t *s, const dram_t *d, unsigned *queue)
{
    int i;
    *queue = Q_GOLDEN;
    if (s->n[Q_GOLDEN] && scene_free(s, d, Q_GOLDEN, 0))
        return 0;
    *queue = Q_WRITES;
    if (s->drain)
        return scene_best(s, d, Q_WRITES);
    for (*queue = Q_SILVER; *queue <= Q_NORMAL; (*queue)++)
        if ((i = scene_best(s, d, *queue)) >= 0)
            return i;
    return s->n[Q_GOLDEN] + s->n[Q_SILVER] + s->n[Q_NORMAL] ? -1 : scene_best(s, d, Q_WRITES);
}

/* The next request to go. A drain goes by the writes of the previous look, so when no request can go it may end, and then one can. */
static int scene_goes(scene_t *s, const dram_t *d, unsigned *queue)
{
    int i = scene_pick(s, d, queue);
    if (i < 0) {
        scene_drain(s);
        i = scene_pick(s, d, queue);
    }
    return i;
}

/* A transaction: is it the one? */
static void scene_txn(bench_t *b, scene_t *s, const dram_t *d, const mem_sched_out_t *out)
{
    const txn_t *t = &out->txn;
    unsigned queue;
    int best = scene_goes(s, d, &queue);
    BENCH_CHECK(b, best >= 0, "scene: a transaction, and none can go");
    if (best < 0)
        return;
    unsigned entry = (unsigned)best, line = dram_find(d, t->bank, t->row, t->line), want = s->line[queue][entry];
    BENCH_CHECK(b, line == want && t->write == (queue == Q_WRITES), "scene: line %u goes, not line %u of queue %u",
                line, want, queue);
    BENCH_CHECK(b, out->ev.sched_hits == (s->open[t->bank] && s->row[t->bank] == t->row), "scene: sched_hits is %u",
                out->ev.sched_hits);
    if (s->kind == SCENE_HITS && s->sent < 4)
        BENCH_CHECK(b, line == worked_order[s->sent], "row hits, worked: %u. is line %u", s->sent, line);
    s->sent++;
    s->quiet = 0;
    scene_drain(s);
    memmove(s->line[queue] + entry, s->line[queue] + entry + 1, --s->n[queue] - entry);
    s->open[t->bank] = true;
    s->row[t->bank] = t->row;
}

/* The policy of the first three reads, after which turn, left and skipped are 0, whatever they were before. */
static void scene_sync(scene_t *s, mem_sched_in_t *in)
{
    in->policy = (sched_policy_t){.mode = SCHED_MASK, .app_valid = s->step == 2, .app_asid = {1, 2, 3, 4}};
    in->thresh[0] = 1;
}

static void scene_start(bench_t *b, scene_t *s, unsigned kind)
{
    memset(s, 0, sizeof *s);
    s->kind = kind;
    sched_policy_t *p = &s->policy;
    *p = (sched_policy_t){
        .mode = SCHED_MASK, .write_high = SCHED_WRITES, .app_valid = 7, .app_asid = {11, 22, 33, 44}, .turn_skip = 4};
    s->count = kind == SCENE_TURNS ? WORKED_TURNS : 4;
    s->thresh[0] = 2;
    s->thresh[2] = 3;
    if (kind == SCENE_HITS)
        p->mode = SCHED_FRFCFS;
    if (kind != SCENE_RANDOM)
        return;
    p->mode = vl_below(&b->rng, 4) != 0;
    p->write_high = (uint16_t)vl_below(&b->rng, SCHED_WRITES + 2);
    p->write_low = (uint16_t)vl_below(&b->rng, vl_below(&b->rng, 4) ? p->write_high + 1u : SCHED_WRITES);
    p->app_valid = (uint8_t)vl_below(&b->rng, 16);
    p->turn_skip = (uint16_t)vl_below(&b->rng, 6);
    for (unsigned a = 0; a < APPS; a++)
        s->thresh[a] = (uint16_t)vl_below(&b->rng, 6);
    if (vl_below(&b->rng, 3) == 0)
        p->app_asid[1 + vl_below(&b->rng, 3)] = p->app_asid[0];
    s->writes = vl_below(&b->rng, 4) * 60;
    s->walks = vl_below(&b->rng, 3) * 30;
    s->holder = vl_below(&b->rng, 3) * 125;
    s->count = 8 + vl_below(&b->rng, SCENE_MAX - 8);
}

static bool scene_has_room(const scene_t *s, unsigned queue)
{
    return s->n[queue] < scene_depth[queue];
}

/* The next request; false: the end, or its queue is full. */
static bool scene_next(bench_t *b, scene_t *s, home_req_t *r, unsigned *line)
{
    if (s->step == SYNC_READS + s->count)
        return false;
    unsigned k = s->step - SYNC_READS, p = s->kind == SCENE_RANDOM ? vl_below(&b->rng, 256) : 255;
    bool write = p < s->writes, walk = !write && p < s->writes + s->walks;
    write &= scene_has_room(s, Q_WRITES);
    walk &= scene_has_room(s, Q_GOLDEN);
    bool golden = walk && s->policy.mode == SCHED_MASK;
    if (!write && !golden && !(scene_has_room(s, Q_SILVER) && scene_has_room(s, Q_NORMAL)))
        return false;
    memset(r, 0, sizeof *r);
    memset(s->expect, 0, sizeof s->expect);
    memset(s->seen, 0, sizeof s->seen);
    s->turns = s->seen_turns = 0;
    do
        *line = s->step < SYNC_READS || s->kind != SCENE_HITS ? vl_below(&b->rng, RANDOM_LINES) : worked_hits[k];
    while (s->used[*line]);
    if (s->step < SYNC_READS) {
        if (s->step == 2)
            *line = HIT_LINE; /* opens its row */
        r->asid = 9;
        s->step++;
        return true;
    }
    s->step++;
    s->used[*line] = 1;
    if (s->kind == SCENE_TURNS)
        r->asid = s->policy.app_asid[worked_turns[k].app];
    else if (vl_chance(&b->rng, s->holder))
        r->asid = s->policy.app_asid[s->turn];
    else
        r->asid = vl_below(&b->rng, 5) ? s->policy.app_asid[vl_below(&b->rng, APPS)] : 7;
    r->op = write ? HOME_WRITE_BACK : some_read(b);
    r->cls = walk ? 1 + vl_below(&b->rng, 7) : 0;
    return true;
}

/* The request goes in: into which queue? */
static void scene_enter(scene_t *s, const home_req_t *r, unsigned line)
{
    unsigned queue = r->op == HOME_WRITE_BACK                 ? Q_WRITES
                     : r->cls && s->policy.mode == SCHED_MASK ? Q_GOLDEN
                                                              : scene_turn(s, r->asid);
    s->expect[queue]++;
    s->line[queue][s->n[queue]++] = (uint8_t)line;
}

#endif
