/* Bench of mem_sched. A run goes through phases: requests at random against a dram_ctrl that is fast, slow, stuck in some banks or in all; then nothing
 * new, until memory holds everything; then a scene (scene.h), or endless hits to a row and one miss. Beside the twin stand a scoreboard of the
 * requests' results (scoreboard.h) and, in scenes, the order in which they must go. Coverage (cover.h) is read off the page's state. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 100000
#include "verif/common/bench.h"
#include "verif/common/halves.h"
#include "verif/mem/mem_sched/cover.h"
#include "verif/mem/mem_sched/page.h"
#include "verif/mem/mem_sched/scene.h"

enum phase { RANDOM, DRAIN, SCENE, FLOOD };
enum { DRAIN_LIMIT = 6000, FLOOD_CYCLES = 900, FLOOD_VICTIM = 40, FLOOD_READS = 6, FLOOD_PAUSE = 9 };
typedef struct {
    dram_t dram;
    scoreboard_t scoreboard;
    scene_t scene;
    enum phase phase;
    uint64_t since, until;
    unsigned round, channel;
    bool offered[L2_SLICES];
    home_req_t req[L2_SLICES];
    unsigned line[L2_SLICES];
    sched_policy_t policy;
    uint16_t thresh[APPS];
    /* style of RANDOM */
    uint64_t style_until;
    unsigned rate, writes, walks, whole, span, base;
    bool one, pure; /* mostly of one application, nothing else */
    uint16_t app;
    /* FLOOD */
    bool victim, victim_done;
    bool was_old; /* requests have waited for a large bound in this run */
    uint64_t opens; /* banks go on */
    page_t page;
} env_t;

static uint64_t line_of(unsigned channel, const place_t *p)
{
    return address_of(
        channel, local_at(&(where_t){
                     .group = p->bank / DRAM_BANKS, .bank = p->bank % DRAM_BANKS, .row = p->row, .line = p->line}));
}

static unsigned slice_of_line(const dram_t *d, unsigned k)
{
    return where(d->addr[k]).slice % L2_SLICES;
}

static void start(bench_t *b, env_t *e)
{
    dram_t *d = &e->dram;
    page_begin(&e->page);
    e->channel = vl_below(&b->rng, CHANNELS);
    unsigned bank = vl_below(&b->rng, CH_BANKS), row = vl_below(&b->rng, DRAM_ROWS - 8) + 4;
    for (unsigned k = 0; k < POOL; k++) {
        place_t p;
        do {
            p = (place_t){(uint8_t)vl_below(&b->rng, CH_BANKS), (uint16_t)(row + vl_below(&b->rng, 3)),
                          (uint8_t)vl_below(&b->rng, CH_LINES)};
            if (b->mode == 1 && k % 4) /* mostly one bank, rows that fight */
                p.bank = (uint8_t)bank, p.row = (uint16_t)(row + 2 + vl_below(&b->rng, 6));
            if (b->mode == 2) /* anywhere */
                p.row = (uint16_t)vl_below(&b->rng, DRAM_ROWS);
            if (b->mode == 3) /* two rows in few banks */
                p.bank &= 5, p.row = (uint16_t)(row + (p.row & 1));
            if (k >= HIT_LINE)
                p = (place_t){(uint8_t)bank, (uint16_t)(row - 2), (uint8_t)(k - HIT_LINE)};
            if (k >= MISS_LINE)
                p.row = (uint16_t)(row - 3), p.line = (uint8_t)(k - MISS_LINE);
        } while (dram_find(d, p.bank, p.row, p.line) < k);
        d->place[k] = p;
        d->addr[k] = line_of(e->channel, &p);
        vl_random_wide(&b->rng, LINE_BITS, d->mem[k].w);
        e->scoreboard.prog[k] = d->mem[k];
    }
    e->round = vl_below(&b->rng, 4);
    e->until = 3000;
}

/* Ranges: requests inside wait until they are about as old as the bound, whatever that is. Large bounds take long: one a run. */
static void grow_old(bench_t *b, env_t *e)
{
    static const uint64_t bounds[] = {1, 31, 32, 256, 1024}; /* 1024: after reset */
    sched_policy_t *p = &e->policy;
    p->bound = (uint16_t)near(&b->rng, e->was_old ? 64 : 2047, bounds, e->was_old ? 3 : 5);
    if (!e->was_old && b->seed % 4 < 2)
        p->bound = (uint16_t)(b->seed % 4 ? 258 + vl_below(&b->rng, 1790)
                                          : (b->seed & 4 ? 1023u : 255u) + vl_below(&b->rng, 3));
    e->was_old |= p->bound > 64;
    e->dram.stuck = ~0ull;
    e->opens = b->cycle + 16 * p->bound + vl_below(&b->rng, 64) - (p->bound > 2 ? 24 : 0);
    e->style_until = e->opens + 200;
    e->until = e->until < e->style_until ? e->style_until : e->until;
}

/* Ranges: turns that end after hundreds of requests of others, or never; quotas that last as long. */
static void long_turn(bench_t *b, env_t *e)
{
    sched_policy_t *p = &e->policy;
    const unsigned holder = vl_below(&b->rng, APPS);
    p->mode = SCHED_MASK;
    scoreboard_mode(&e->scoreboard);
    p->bound = 0;
    p->app_valid = 15;
    static const uint64_t skips[] = {0, 1023};
    p->turn_skip = (uint16_t)near(&b->rng, 1023, skips, 2);
    for (unsigned a = 0; a < APPS; a++) {
        p->app_asid[a] = (uint16_t)(100 + a);
        e->thresh[a] = (uint16_t)(a == holder ? 1 + near(&b->rng, 1022, NULL, 0) : 0);
    }
    e->rate = 256;
    e->writes = e->walks = 0;
    e->one = e->pure = true;
    e->app = (uint16_t)(100 + (holder + 1) % APPS);
    e->span = POOL;
    e->dram.serve = e->dram.answer_rate = 256;
    e->dram.stuck = e->dram.pause = 0;
    e->style_until = b->cycle + 3500;
    e->until = e->until < e->style_until ? e->style_until : e->until;
}

static void style(bench_t *b, env_t *e)
{
    dram_t *d = &e->dram;
    sched_policy_t *p = &e->policy;
    e->style_until = b->cycle + 60 + vl_below(&b->rng, 400);
    e->rate = vl_below(&b->rng, 3) ? 256 : 20 + vl_below(&b->rng, 200);
    unsigned kind = vl_below(&b->rng, 6);
    e->writes = kind == 0 ? 0 : kind == 1 ? 220 : 40 + vl_below(&b->rng, 120);
    e->walks = kind == 2 ? 200 : vl_below(&b->rng, 3) * 40;
    e->whole = vl_below(&b->rng, 3) * 100;
    e->span = vl_below(&b->rng, 3) ? POOL : 1 + vl_below(&b->rng, 6);
    e->base = vl_below(&b->rng, POOL);
    d->serve = vl_below(&b->rng, 2) ? 256 : 4 + vl_below(&b->rng, 100);
    d->answer_rate = vl_below(&b->rng, 3) ? 256 : 20 + vl_below(&b->rng, 100);
    d->close = vl_below(&b->rng, 2) * vl_below(&b->rng, 60);
    d->pause = vl_below(&b->rng, 3) ? 0 : vl_below(&b->rng, 40);
    unsigned stuck = vl_below(&b->rng, 6);
    d->stuck = stuck == 0   ? ~0ull
               : stuck == 1 ? vl_random(&b->rng)
               : stuck == 2 ? vl_random(&b->rng) & vl_random(&b->rng)
                            : 0;
    if (vl_below(&b->rng, 3) == 0) {
        p->mode = !p->mode;
        scoreboard_mode(&e->scoreboard);
    }
    static const uint16_t bounds[] = {0, 0, 1, 1, 3, 8, 20, 2047};
    static const uint64_t marks[] = {0, SCHED_WRITES, SCHED_WRITES / 2};
    p->bound = bounds[vl_below(&b->rng, 8)];
    p->write_high =
        (uint16_t)(vl_below(&b->rng, 4) ? vl_below(&b->rng, SCHED_WRITES + 4) : near(&b->rng, 511, marks, 3));
    p->write_low =
        (uint16_t)(vl_below(&b->rng, 3) ? vl_below(&b->rng, p->write_high + 1u)
                                        : near(&b->rng, vl_below(&b->rng, 4) ? SCHED_WRITES : 511, marks, 3));
    p->app_valid = (uint8_t)(vl_below(&b->rng, 3) ? 15 : vl_below(&b->rng, 16));
    for (unsigned a = 0; a < APPS; a++) {
        p->app_asid[a] = (uint16_t)(vl_below(&b->rng, 8) ? 100 + a : 100 + vl_below(&b->rng, 4));
        e->thresh[a] = (uint16_t)(vl_below(&b->rng, 4) ? vl_below(&b->rng, 8) : near(&b->rng, 1023, NULL, 0));
    }
    e->one = vl_below(&b->rng, 2);
    e->pure = false;
    e->app = (uint16_t)(100 + vl_below(&b->rng, APPS));
    p->turn_skip = (uint16_t)(vl_below(&b->rng, 2) ? 0 : 1 + vl_below(&b->rng, 12));
    p->thresh_max = (uint16_t)vl_below(&b->rng, 1024);
    if (b->cycles < 50000)
        return;
    if (vl_below(&b->rng, 48) == 0 || (!e->was_old && b->cycle > b->cycles / 2))
        grow_old(b, e);
    else if (vl_below(&b->rng, 24) == 0)
        long_turn(b, e);
}

static bool free_id(bench_t *b, env_t *e, unsigned slice, uint8_t *id)
{
    unsigned first = vl_below(&b->rng, IDS);
    for (unsigned i = 0; i < IDS; i++)
        if (!e->scoreboard.awaited[slice][(first + i) % IDS].busy) {
            *id = (uint8_t)((first + i) % IDS);
            return true;
        }
    return false;
}

/* Completes a request to line k and offers it to its slice; false: no id is free. */
static bool offer(bench_t *b, env_t *e, unsigned k, home_req_t *r)
{
    unsigned s = slice_of_line(&e->dram, k);
    bool write = r->op == HOME_WRITE_BACK;
    if (e->offered[s] || (!write && !free_id(b, e, s, &r->id)))
        return false;
    r->line = e->dram.addr[k];
    r->src = vl_below(&b->rng, SOURCES);
    r->state = (uint8_t)vl_below(&b->rng, NMOESI_M + 1);
    r->keep = write && vl_below(&b->rng, 2);
    if (write) {
        vl_random_wide(&b->rng, LINE_BITS, r->data.w);
        vl_random_wide(&b->rng, LINE_BYTES, r->be.w);
        bool whole = vl_chance(&b->rng, e->whole), half = vl_below(&b->rng, 2);
        if (whole)
            r->be = be_all();
        else if (half)
            r->be = be_halves(vl_below(&b->rng, 2) | vl_below(&b->rng, 2) << 1);
    }
    e->req[s] = *r;
    e->line[s] = k;
    return e->offered[s] = true;
}

static void drive_random(bench_t *b, env_t *e)
{
    if (b->cycle >= e->style_until)
        style(b, e);
    if (b->cycle == e->opens)
        e->dram.stuck = 0;
    for (unsigned s = 0; s < L2_SLICES; s++) {
        unsigned k = (e->base + vl_below(&b->rng, e->span)) % POOL;
        home_req_t r = {.op = vl_chance(&b->rng, e->writes) ? HOME_WRITE_BACK : some_read(b),
                        .asid = (uint16_t)(99 + vl_below(&b->rng, 5))};
        if (e->one && (e->pure || vl_below(&b->rng, 16)))
            r.asid = e->app;
        if (vl_chance(&b->rng, e->walks))
            r.cls = (uint8_t)(1 + vl_below(&b->rng, 7));
        if (vl_chance(&b->rng, e->rate))
            offer(b, e, k, &r);
    }
    if (vl_below(&b->rng, 512) == 0)
        e->policy.app_valid &= (uint8_t)vl_below(&b->rng, 16);
}

/* Hits of one row without end, and one miss: with a bound it goes in time, without one never. */
static void drive_flood(bench_t *b, env_t *e, const mem_sched_out_t *out)
{
    uint64_t t = b->cycle - e->since;
    bool ended = t > FLOOD_CYCLES || e->victim_done;
    unsigned inside = e->scoreboard.reads - (e->victim && !e->victim_done);
    if (out->txn_valid && out->txn.row == e->dram.place[MISS_LINE].row) {
        e->victim_done = true;
        BENCH_CHECK(b, e->policy.bound || t > FLOOD_CYCLES, "a row miss goes before hits, and nothing bids it to");
        BENCH_CHECK(b, !e->policy.bound || out->ev.sched_late, "the miss goes, and not because it is late");
        BENCH_CHECK(b, !e->policy.bound || t >= FLOOD_VICTIM + 16u * (e->policy.bound - 1), "late too early");
    }
    BENCH_CHECK(b,
                !e->policy.bound || e->victim_done || t < FLOOD_VICTIM + 16u * (e->policy.bound + 1) + 8 * FLOOD_PAUSE,
                "the bound is not kept");
    if (ended)
        return;
    if (t >= FLOOD_VICTIM && !e->victim) {
        home_req_t r = {.asid = 5};
        e->victim = offer(b, e, MISS_LINE, &r);
    } else if (inside < FLOOD_READS) {
        home_req_t r = {.asid = 5};
        offer(b, e, HIT_LINE + (unsigned)(b->cycle % ROW_LINES), &r);
    }
}

/* Step 3's turn, as the page has it: where later requests go shows whether the block agrees. Without the page this cannot be checked. */
static bool turn_is(const bench_t *b, const page_t *p, unsigned turn, unsigned left, unsigned skipped)
{
    return b->no_page || (p->turn == turn && p->left == left && p->skipped == skipped);
}

static void drive_scene(bench_t *b, env_t *e, const mem_sched_out_t *out)
{
    scene_t *s = &e->scene;
    const ev_mem_sched_t *v = &out->ev;
    s->seen[Q_GOLDEN] += v->sched_golden;
    s->seen[Q_SILVER] += v->sched_silver;
    s->seen[Q_NORMAL] += v->sched_normal;
    s->seen[Q_WRITES] += v->sched_writes;
    s->seen_turns += v->sched_turns;
    if (s->release) {
        unsigned queue;
        if (out->txn_valid)
            scene_txn(b, s, &e->dram, out);
        if (++s->quiet == SETTLE) {
            BENCH_CHECK(b, scene_goes(s, &e->dram, &queue) < 0, "scene: nothing goes, and queue %u could", queue);
            s->blocked = e->dram.blocked = 0;
            s->quiet = 0;
        }
        return;
    }
    if (s->wait) {
        s->wait--;
        return;
    }
    bool sync = s->step <= SYNC_READS;
    if (sync && (!out->idle || e->offered[0] || e->offered[L2_SLICES - 1]))
        return;
    if (!sync) {
        BENCH_CHECK(b, !memcmp(s->seen, s->expect, sizeof s->seen) && s->seen_turns == s->turns,
                    "scene: request %u goes into another queue, or the turn passes", s->step);
        if (s->kind == SCENE_TURNS) {
            unsigned k = s->step - SYNC_READS - 1;
            BENCH_CHECK(b, s->seen[worked_turns[k].queue == 'S' ? Q_SILVER : Q_NORMAL] == 1,
                        "turns, worked: request %u", k);
            BENCH_CHECK(b, turn_is(b, &e->page, worked_turns[k].turn, worked_turns[k].left, worked_turns[k].skipped),
                        "turns, worked: state after request %u", k);
        }
    }
    if (s->step == SYNC_READS) {
        BENCH_CHECK(b, turn_is(b, &e->page, 0, 0, 0), "three reads do not take the turn back");
        e->policy = s->policy;
        memcpy(e->thresh, s->thresh, sizeof e->thresh);
        e->dram.blocked = ~0ull;
    }
    home_req_t r;
    unsigned k;
    uint8_t id;
    bool full = false;
    for (unsigned i = 0; i < L2_SLICES; i++)
        full |= !free_id(b, e, i, &id);
    if (full || !scene_next(b, s, &r, &k)) {
        s->release = true;
        if (s->kind == SCENE_RANDOM && vl_below(&b->rng, 2))
            s->blocked = vl_random(&b->rng) & vl_random(&b->rng);
        e->dram.blocked = s->blocked;
        for (unsigned q = 0; q < Q_N; q++)
            BENCH_COVER(b, COV_SCENE_FULL + q, s->n[q] == scene_depth[q]);
        for (unsigned i = 0; i < CH_BANKS; i++) {
            s->open[i] = e->dram.bank[i].open;
            s->row[i] = e->dram.bank[i].row;
        }
        return;
    }
    if (s->step > SYNC_READS) {
        scene_enter(s, &r, k);
        scene_drain(s);
    }
    offer(b, e, k, &r);
    s->wait = SETTLE;
}

/* The next phase, when idle with an empty dram_ctrl. */
static void next_phase(bench_t *b, env_t *e)
{
    dram_t *d = &e->dram;
    scoreboard_memory(b, &e->scoreboard, d);
    e->since = b->cycle;
    d->blocked = 0;
    d->instant = false;
    d->stuck = d->close = d->pause = 0;
    d->serve = d->answer_rate = 256;
    switch (e->round++ % 8) {
    case 0:
    case 3:
    case 5:
        e->phase = RANDOM;
        e->until = b->cycle + 1000 + vl_below(&b->rng, 3000);
        style(b, e);
        break;
    case 6:
        e->phase = FLOOD;
        e->until = b->cycle + FLOOD_CYCLES + 200;
        e->victim = e->victim_done = false;
        e->policy = (sched_policy_t){.mode = vl_below(&b->rng, 2),
                                     .bound = (uint16_t)(vl_below(&b->rng, 2) ? 2 + vl_below(&b->rng, 30) : 0),
                                     .write_high = 8};
        d->pause = FLOOD_PAUSE;
        d->instant = false;
        break;
    default:
        e->phase = SCENE;
        e->until = b->cycle + 2000;
        scene_start(b, &e->scene, e->round % 8 == 2 ? SCENE_TURNS : e->round % 8 == 5 ? SCENE_HITS : SCENE_RANDOM);
        d->instant = true;
        e->whole = 60;
        break;
    }
}

static void stimulate(bench_t *b, env_t *e, const mem_sched_out_t *out, mem_sched_in_t *in)
{
    dram_t *d = &e->dram;
    BENCH_COVER(b, COV_OLD_DEFAULT, out->ev.sched_late && e->policy.bound >= 255 && e->policy.bound <= 257);
    BENCH_COVER(b, COV_OLD, out->ev.sched_late && e->policy.bound > 257);
    BENCH_COVER(b, COV_SKIPPED, e->page.skipped == 1023);
    scoreboard_outputs(b, &e->scoreboard, d, out);
    bool over = e->phase == SCENE && e->scene.release && out->idle && dram_empty(d);
    if (b->cycle == 0)
        style(b, e);
    if (e->phase != DRAIN && (b->cycle >= e->until || over)) {
        BENCH_CHECK(b, e->phase != SCENE || over, "the scene does not end");
        BENCH_COVER(b, COV_SCENE + e->scene.kind, over);
        BENCH_COVER(b, e->policy.bound ? COV_BOUND : COV_NO_BOUND, e->phase == FLOOD && e->victim);
        e->phase = DRAIN;
        e->since = b->cycle;
        d->blocked = 0;
        d->stuck = d->pause = 0;
        d->serve = d->answer_rate = 256;
    }
    if (e->phase == DRAIN) {
        bool offered = false;
        for (unsigned s = 0; s < L2_SLICES; s++)
            offered |= e->offered[s];
        BENCH_CHECK(b, b->cycle < e->since + DRAIN_LIMIT, "not idle after %u cycles without a request", DRAIN_LIMIT);
        if (!offered && out->idle && dram_empty(d))
            next_phase(b, e);
    }
    if (e->phase == RANDOM)
        drive_random(b, e);
    else if (e->phase == SCENE)
        drive_scene(b, e, out);
    else if (e->phase == FLOOD)
        drive_flood(b, e, out);
    if (e->phase != SCENE || e->scene.step > SYNC_READS) {
        in->policy = e->policy;
        memcpy(in->thresh, e->thresh, sizeof in->thresh);
    } else {
        scene_sync(&e->scene, in);
    }
    dram_cycle(b, d, out, in);
    for (unsigned s = 0; s < L2_SLICES; s++) {
        if (!e->offered[s])
            continue;
        in->home_req_valid |= 1u << s;
        in->home_req[s] = e->req[s];
        if (out->home_req_ready >> s & 1) {
            scoreboard_take(b, &e->scoreboard, d, s, &e->req[s], e->line[s], in->policy.mode == SCHED_MASK);
            e->offered[s] = false;
        }
    }
}

SCOREBOARD_DRIVE_COVERED(mem_sched, env_t, stimulate, cover_expect)
BENCH_MAIN(mem_sched, env_t, start, drive, cover, COV_N)
