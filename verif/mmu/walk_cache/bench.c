/* Bench of walk_cache: it plays the walker, whose reads are of few lines of a few address spaces again and again, memory, which answers after any time, in any order and at times every cycle, and
 * shootdowns at every edge of a read's way. Besides the twin it is held against the page as a program (page.h), off whose state coverage is read; and against what it promises: a read that was sent
 * after an invalidation gets a line that memory gave after it. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/mmu/walk_cache/page.h"

#define OF_SCOPES(text) "INV_ALL" text, "INV_ASID" text, "INV_PAGE" text
static const char *const cover[] = {"a hit of the root's level",
                                    "a hit of level 2",
                                    "a hit of level 1",
                                    "a hit of level 0",
                                    "a hit of the oldest of a full set",
                                    "a hit of the youngest",
                                    "a miss",
                                    "a fill holds a hit back",
                                    "a fill holds a miss back",
                                    "a hit holds a hit back",
                                    "a miss holds a miss back",
                                    "a fill that is covered holds nothing back",
                                    "a hit follows a hit at once",
                                    "a miss follows a miss at once",
                                    "memory's line while a hit waits",
                                    "memory's lines while a hit waits for long",
                                    "a read a cycle for long",
                                    "misses alone, one after the other, for long",
                                    "fill over the same line",
                                    "fill where there is room",
                                    "fill over the oldest",
                                    "fill over the line of a hit that is on its way",
                                    "two reads of one line under way",
                                    "two fills of one line that has changed between",
                                    "a hit while another address space has the line, too",
                                    "a miss while another address space has the line",
                                    OF_SCOPES(" takes lines"),
                                    "INV_ASID takes some and leaves others",
                                    "INV_PAGE takes those of other address spaces",
                                    "INV_ASID takes none",
                                    OF_SCOPES(" with reads awaited"),
                                    "INV_ASID with reads of another address space awaited",
                                    "the line of a read that an invalidation has taken",
                                    OF_SCOPES(" at the edge of the answer"),
                                    OF_SCOPES(" at the edge of the fill"),
                                    OF_SCOPES(" at the edge of the look-up, a miss"),
                                    "INV_ASID of another address space at the edge of the fill",
                                    "INV_ASID of another address space at the edge of the look-up, a miss",
                                    "an invalidation at the edge of the look-up, a hit that goes",
                                    "INV_ASID of another address space at the edge of the look-up, a hit",
                                    "an invalidation while a hit's line is on its way",
                                    "an invalidation while reads wait for their look-up",
                                    "invalidations at two edges in a row",
                                    "a read while it is off",
                                    "an invalidation takes lines while it is off",
                                    "a hit of what was kept before it was off",
                                    "all ids under way",
                                    "a read is not taken",
                                    "memory's answers out of order",
                                    "a hit passes reads that are awaited",
                                    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { POOL = 4 * LINES < 64 ? 64 : 4 * LINES, SPACES = 3, RECENT = 8 };
typedef struct {
    page_t page;
    mem_req_t offer;
    bool offered, on;
    struct {
        bool open;
        mem_req_t req;
        uint64_t taken;
    } walker[READS]; /* of each id */
    struct {
        bool open;
        uint64_t line, asked;
    } memory[READS];
    uint64_t pool[POOL], recent[RECENT], now;
    uint16_t space[SPACES];
    struct {
        uint64_t all, space[SPACES];
    } swept; /* cycle of the last invalidation */
    /* style */
    unsigned rate, takes, answers, quiet, base, span, fresh, one_space, cls, most;
    bool rest;
} env_t;

static void start(bench_t *b, env_t *e)
{
    const uint64_t all = ((uint64_t)1 << LINE_ADDR_W) - 1, far = vl_random_bits(&b->rng, LINE_ADDR_W);
    uint64_t lonely = far;
    for (unsigned k = 0; k < POOL; k++)
        switch (b->mode) {
        case 0: e->pool[k] = (far + k) & all; break; /* over all sets */
        case 1: e->pool[k] = (far + (uint64_t)k * SETS) & all; break; /* many tags over one set */
        case 2: e->pool[k] = (far + (uint64_t)(k / 2) * SETS + k % 2) & all; break;
        default: /* neighbours differ in one bit */
            lonely ^= k ? (uint64_t)1 << k % LINE_ADDR_W : 0;
            e->pool[k] = lonely & all;
            break;
        }
    e->space[0] = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->space[1] = (uint16_t)(e->space[0] ^ 1u << vl_below(&b->rng, ASID_W));
    e->space[2] = (uint16_t)(~e->space[0] & ((1u << ASID_W) - 1));
    e->on = vl_below(&b->rng, 4) != 0;
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    e->rate = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 3) ? 4 + vl_below(&b->rng, 200) : 0;
    e->takes = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 20 + vl_below(&b->rng, 230) : 4;
    e->answers = vl_below(&b->rng, 3) ? 4 + vl_below(&b->rng, 120) : vl_below(&b->rng, 2) ? 256 : 2;
    e->quiet = vl_below(&b->rng, 4) ? 600 : vl_below(&b->rng, 2) ? 30 : 3;
    e->base = vl_below(&b->rng, POOL);
    e->span = vl_below(&b->rng, 4) ? 1 + vl_below(&b->rng, vl_below(&b->rng, 2) ? LINES + LINES / 4 + 1 : 4) : POOL;
    e->fresh = vl_below(&b->rng, 3) ? 200 : 60;
    e->one_space = vl_below(&b->rng, SPACES + 2);
    e->cls = vl_below(&b->rng, 8);
    e->most = vl_below(&b->rng, 3) ? READS : 1 + vl_below(&b->rng, READS);
    e->rest = vl_below(&b->rng, 5) == 0; /* so that it can be turned on or off */
}

static unsigned space(bench_t *b, const env_t *e)
{
    return e->one_space < SPACES && vl_below(&b->rng, 8) ? e->one_space : vl_below(&b->rng, SPACES);
}

/* The walker's next read, of an id that is free. */
static void offer(bench_t *b, env_t *e)
{
    unsigned k = vl_below(&b->rng, READS), n = 0, open = 0;
    for (unsigned i = 0; i < READS; i++)
        open += e->walker[i].open;
    while (n < READS && e->walker[k].open)
        k = (k + 1) % READS, n++;
    if (n == READS || open >= e->most)
        return;
    e->offer = (mem_req_t){.op = MEM_READ, .id = (uint16_t)k};
    e->offer.cls = (uint8_t)(1 + (e->cls < 4 ? e->cls : vl_below(&b->rng, 4)));
    e->offer.asid = e->space[space(b, e)];
    e->offer.line = vl_chance(&b->rng, e->fresh) ? e->pool[(e->base + vl_below(&b->rng, e->span)) % POOL]
                                                 : e->recent[vl_below(&b->rng, RECENT)];
    memmove(e->recent + 1, e->recent, (RECENT - 1) * sizeof *e->recent);
    e->recent[0] = e->offer.line;
    e->offered = e->walker[k].open = true;
}

/* Memory's line tells which it is and when it was asked for. */
static void answer(bench_t *b, env_t *e, walk_cache_in_t *in)
{
    in->mem_rsp_valid = false;
    if (!vl_chance(&b->rng, e->answers))
        return;
    for (unsigned n = 0, k = vl_below(&b->rng, READS); n < READS && !in->mem_rsp_valid; n++, k = (k + 1) % READS)
        if (e->memory[k].open) {
            in->mem_rsp_valid = true;
            in->mem_rsp.id = (uint16_t)k;
            in->mem_rsp.data.w[0] = e->memory[k].line;
            in->mem_rsp.data.w[1] = e->memory[k].asked;
            e->memory[k].open = false;
        }
}

static void check(bench_t *b, env_t *e, const mem_rsp_t *rsp)
{
    const unsigned k = rsp->id;
    BENCH_CHECK(b, k < READS && e->walker[k].open && !(e->offered && e->offer.id == k), "an answer to nobody's read %u", k);
    if (b->failed)
        return;
    const mem_req_t *r = &e->walker[k].req;
    uint64_t swept = e->swept.all;
    for (unsigned i = 0; i < SPACES; i++)
        if (e->space[i] == r->asid && e->swept.space[i] > swept)
            swept = e->swept.space[i];
    BENCH_CHECK(b, rsp->data.w[0] == r->line, "a read of line %" PRIx64 " gets line %" PRIx64, r->line, rsp->data.w[0]);
    BENCH_CHECK(b, e->walker[k].taken <= swept || rsp->data.w[1] > swept,
                "a read sent after an invalidation (%" PRIu64 ") gets a line of before (%" PRIu64 ")", swept, rsp->data.w[1]);
}

static void stimulate(bench_t *b, env_t *e, const walk_cache_out_t *out, walk_cache_in_t *in)
{
    e->now++; /* from 1: cycle 0 is `never` */
    if (b->cycle % 256 == 0)
        style(b, e);
    if (e->rest && out->idle && !e->offered) {
        e->on = !e->on;
        e->rest = false;
    }
    walk_cache_in_random(&b->rng, in);
    in->on = e->on;
    answer(b, e, in);
    in->mem_req_ready = vl_chance(&b->rng, e->takes);
    if (out->mem_req_valid && in->mem_req_ready) {
        const unsigned k = out->mem_req.id;
        BENCH_CHECK(b, k < READS && !e->memory[k].open, "memory is asked with id %u again", k);
        if (b->failed)
            return;
        e->memory[k].open = true;
        e->memory[k].line = out->mem_req.line;
        e->memory[k].asked = e->now;
    }
    if (!e->offered && !e->rest && vl_chance(&b->rng, e->rate))
        offer(b, e);
    in->req_valid = e->offered;
    in->req = e->offer;
    if (out->rsp_valid)
        check(b, e, &out->rsp);
    if (b->failed)
        return;
    if (out->rsp_valid)
        e->walker[out->rsp.id].open = false;
    if (e->offered && out->req_ready) {
        e->walker[e->offer.id].req = e->offer;
        e->walker[e->offer.id].taken = e->now;
        e->offered = false;
    }
    in->inv_valid = vl_below(&b->rng, e->quiet) == 0;
    if (!in->inv_valid)
        return;
    const unsigned who = vl_below(&b->rng, SPACES), scope = vl_below(&b->rng, 16);
    in->inv.scope = scope == 0 ? INV_ALL : scope < 12 ? INV_ASID : INV_PAGE;
    in->inv.asid = e->space[who];
    *(in->inv.scope == INV_ASID ? &e->swept.space[who] : &e->swept.all) = e->now;
}

static void expect(bench_t *b, page_t *page, const walk_cache_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    BENCH_COVER(b, NOTE_EVICT_HIT, WALK_CACHE_WAYS > 2); /* a hit is the youngest */
}

SCOREBOARD_DRIVE_COVERED(walk_cache, env_t, stimulate, expect)
BENCH_MAIN(walk_cache, env_t, start, drive, cover, NOTES)
