/* Bench of walk_cache: it plays the walker, with reads of few lines of a few address spaces again and again, memory, which answers after any time, in any order and at times every cycle, with PTEs
 * that serve or do not by one bit, and shootdowns at every edge of a read's way. Besides the twin it is checked against the page as a program (page.h), the source of its coverage; and against its promises: a read that was sent after an invalidation gets a line
 * that memory gave after it, and no read a kept PTE that does not serve it. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/mmu/walk_cache/page.h"

#define OF_SCOPES(text) "INV_ALL" text, "INV_ASID" text, "INV_PAGE" text
#define AT_LEVELS(text) text ", level 0", text ", level 1", text ", level 2", text ", level 3"
static const char *const cover[] = {"-",
                                    "a pointer serves, level 1",
                                    "a pointer serves, level 2",
                                    "a pointer serves, level 3",
                                    AT_LEVELS("a leaf serves"),
                                    "a leaf serves a load",
                                    "a leaf serves a store",
                                    "a leaf serves a fetch",
                                    "denied: V = 0",
                                    "denied: W without R",
                                    "denied: reserved bit",
                                    "denied: PPN beyond PA_W",
                                    "denied: pointer with D",
                                    "denied: pointer with A",
                                    "denied: pointer with U",
                                    "denied: pointer at the last level",
                                    "denied: leaf without U",
                                    "denied: leaf without A",
                                    "denied: misaligned",
                                    "denied: a load without R",
                                    "denied: a store without W",
                                    "denied: a fetch without X",
                                    "denied: a store without D",
                                    "-",
                                    "denied: misaligned, level 1",
                                    "denied: misaligned, level 2",
                                    "denied: misaligned, level 3",
                                    "denied, renewed, and then it serves",
                                    "what is denied waits for memory to take another",
                                    "what is denied leaves in the cycle of memory's line",
                                    "a PTE at each place",
                                    "a hit of the oldest of a full set",
                                    "a hit of the youngest",
                                    "a fill holds a hit back",
                                    "a fill holds a miss back",
                                    "a fill that is covered holds back, too",
                                    "a hit holds a hit back",
                                    "a miss holds a miss back",
                                    "what is denied holds a miss back",
                                    "a hit follows a hit at once",
                                    "a hit follows what is denied at once",
                                    "a miss follows a miss at once",
                                    "memory's line while a hit waits",
                                    "memory's lines while a hit waits for long",
                                    "a read a cycle for long",
                                    "misses alone, one after the other, for long",
                                    "fill over the same line",
                                    "fill over the same line, of another PTE",
                                    "fill where there is room",
                                    "fill over the oldest",
                                    "two reads of one line under way",
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
                                    OF_SCOPES(" at the edge at which a miss is sent"),
                                    OF_SCOPES(" at the edge at which what is denied is sent"),
                                    "INV_ASID of another address space at the edge of the answer",
                                    "INV_ASID of another address space at the edge of the fill",
                                    "INV_ASID of another address space at the edge at which a miss is sent",
                                    "INV_ASID of another address space at the edge at which what is denied is sent",
                                    "an invalidation at the edge of the look-up, a hit that goes",
                                    "INV_ASID of another address space at the edge of the look-up, a hit",
                                    "an invalidation while a hit waits",
                                    "an invalidation while reads wait for their look-up",
                                    "invalidations at two edges in a row",
                                    "a read while it is off",
                                    "off: one after the other, for long",
                                    "an invalidation takes lines while it is off",
                                    "a hit of what was kept before it was off",
                                    AT_LEVELS("it alone passes by the L2"),
                                    AT_LEVELS("all others pass by the L2"),
                                    "all reads open",
                                    "a read is not taken",
                                    "memory's answers out of order",
                                    "a hit passes reads that are awaited",
                                    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { WORDS = LINE_BYTES / 8, POOL = 4 * LINES < 64 ? 64 : 4 * LINES, SPACES = 3, RECENT = 8 };
typedef struct {
    page_t page;
    pte_read_t offer;
    bool offered, on;
    struct {
        bool open;
        pte_read_t req;
        uint64_t taken;
    } walker[READS];
    struct {
        bool open;
        uint64_t line, asked;
        unsigned level;
    } memory[READS];
    uint8_t bypass;
    uint64_t pool[POOL], recent[RECENT], now;
    uint16_t space[SPACES];
    struct {
        uint64_t all, space[SPACES];
    } swept; /* cycle of the last invalidation */
    /* style */
    unsigned rate, takes, answers, quiet, base, span, fresh, one_space, level, most, broken, place;
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
    e->level = vl_below(&b->rng, 8);
    e->broken = vl_below(&b->rng, 3) ? 40 : vl_below(&b->rng, 2) ? 0 : 200;
    e->place = vl_below(&b->rng, 2 * WORDS);
    const uint8_t one = (uint8_t)(1u << vl_below(&b->rng, 4));
    e->bypass = (uint8_t)(vl_below(&b->rng, 3) == 0 ? vl_below(&b->rng, 16) : vl_below(&b->rng, 2) ? one : 15 ^ one);
    e->most = vl_below(&b->rng, 3) ? READS : 1 + vl_below(&b->rng, READS);
    e->rest = vl_below(&b->rng, e->on ? 5 : 2) == 0; /* so that it can be turned on or off */
}

static unsigned space(bench_t *b, const env_t *e)
{
    return e->one_space < SPACES && vl_below(&b->rng, 8) ? e->one_space : vl_below(&b->rng, SPACES);
}

/* Two words of a line tell which it is and when memory was asked for it: no read is of them. */
static bool stamp_at(uint64_t line, unsigned place)
{
    return (place - line) % WORDS < 2;
}

/* The walker's next read, of a number that is free. */
static void offer(bench_t *b, env_t *e)
{
    unsigned k = vl_below(&b->rng, READS), n = 0, open = 0;
    for (unsigned i = 0; i < READS; i++)
        open += e->walker[i].open;
    while (n < READS && e->walker[k].open)
        k = (k + 1) % READS, n++;
    if (n == READS || open >= e->most)
        return;
    e->offer = (pte_read_t){.read = (uint8_t)k, .access = (uint8_t)vl_below(&b->rng, 3)};
    e->offer.level = (uint8_t)(e->level < 4 ? e->level : vl_below(&b->rng, 4));
    e->offer.asid = e->space[space(b, e)];
    e->offer.line = vl_chance(&b->rng, e->fresh) ? e->pool[(e->base + vl_below(&b->rng, e->span)) % POOL]
                                                 : e->recent[vl_below(&b->rng, RECENT)];
    e->offer.place = (uint8_t)(e->place < WORDS && vl_below(&b->rng, 8) ? e->place : vl_below(&b->rng, WORDS));
    while (stamp_at(e->offer.line, e->offer.place))
        e->offer.place = (uint8_t)vl_below(&b->rng, WORDS);
    memmove(e->recent + 1, e->recent, (RECENT - 1) * sizeof *e->recent);
    e->recent[0] = e->offer.line;
    e->offered = e->walker[k].open = true;
}

/* A PTE that serves some read, or is a bit or two from one that does. */
static uint64_t pte(bench_t *b, const env_t *e, unsigned level)
{
    uint64_t v = vl_random_bits(&b->rng, VPN_W) >> 9 * level << 9 * level << 10;
    if (level && vl_below(&b->rng, 2))
        v = vl_random_bits(&b->rng, VPN_W) << 10 | 1; /* a pointer */
    else
        v |= 0xdf; /* V R W X U A D */
    if (!vl_chance(&b->rng, e->broken))
        return v;
    switch (vl_below(&b->rng, 4)) {
    case 0: return v ^ 1ull << vl_below(&b->rng, 8);
    case 1: return v ^ 1ull << (46 + vl_below(&b->rng, 18));
    case 2: return v ^ 1ull << (10 + vl_below(&b->rng, 27));
    default: return v ^ 6ull << vl_below(&b->rng, 2); /* R and W, W and X */
    }
}

static void answer(bench_t *b, env_t *e, walk_cache_in_t *in)
{
    in->mem_rsp_valid = false;
    if (!vl_chance(&b->rng, e->answers))
        return;
    for (unsigned n = 0, k = vl_below(&b->rng, READS); n < READS && !in->mem_rsp_valid; n++, k = (k + 1) % READS)
        if (e->memory[k].open) {
            in->mem_rsp_valid = true;
            in->mem_rsp.id = (uint16_t)k;
            for (unsigned i = 0; i < WORDS; i++)
                in->mem_rsp.data.w[i] = pte(b, e, e->memory[k].level);
            in->mem_rsp.data.w[e->memory[k].line % WORDS] = e->memory[k].line;
            in->mem_rsp.data.w[(e->memory[k].line + 1) % WORDS] = e->memory[k].asked;
            e->memory[k].open = false;
        }
}

/* The promises to the walker, without the page's latencies. */
static void check(bench_t *b, env_t *e, const mem_rsp_t *rsp)
{
    const unsigned k = rsp->id;
    BENCH_CHECK(b, k < READS && e->walker[k].open && !(e->offered && e->offer.read == k),
                "an answer to nobody's read %u", k);
    if (b->failed)
        return;
    const pte_read_t *r = &e->walker[k].req;
    const uint64_t line = rsp->data.w[r->line % WORDS], asked = rsp->data.w[(r->line + 1) % WORDS],
                   taken = e->walker[k].taken;
    uint64_t swept = e->swept.all;
    for (unsigned i = 0; i < SPACES; i++)
        if (e->space[i] == r->asid && e->swept.space[i] > swept)
            swept = e->swept.space[i];
    BENCH_CHECK(b, line == r->line, "a read of line %" PRIx64 " gets line %" PRIx64, r->line, line);
    BENCH_CHECK(b, taken <= swept || asked > swept,
                "a read sent after an invalidation (%" PRIu64 ") gets a line of before (%" PRIu64 ")", swept, asked);
    BENCH_CHECK(b, asked > taken || !page_reasons(rsp->data.w[r->place], r),
                "a read gets a kept PTE, %" PRIx64 ", which does not serve it", rsp->data.w[r->place]);
}

static void stimulate(bench_t *b, env_t *e, const walk_cache_out_t *out, walk_cache_in_t *in)
{
    e->now++; /* from 1: cycle 0 is `never` */
    if (b->cycle % 256 == 0)
        style(b, e);
    bool open = e->offered;
    for (unsigned k = 0; k < READS; k++)
        open |= e->walker[k].open;
    if (e->rest && !open) {
        e->on = !e->on;
        e->rest = false;
    }
    walk_cache_in_random(&b->rng, in);
    in->on = e->on;
    in->bypass = e->bypass;
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
        e->memory[k].level = 4u - out->mem_req.cls;
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
        e->walker[e->offer.read].req = e->offer;
        e->walker[e->offer.read].taken = e->now;
        e->offered = false;
    }
    in->inv_valid = vl_below(&b->rng, e->quiet) == 0;
    if (!in->inv_valid)
        return;
    const unsigned who = vl_below(&b->rng, SPACES), scope = vl_below(&b->rng, 16);
    in->inv.scope = scope < 3 ? INV_ALL : scope < 12 ? INV_ASID : INV_PAGE;
    in->inv.asid = e->space[who];
    *(in->inv.scope == INV_ASID ? &e->swept.space[who] : &e->swept.all) = e->now;
}

static void expect(bench_t *b, page_t *page, const walk_cache_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* No pointer at the last level, no leaf misaligned there. */
    BENCH_COVER(b, NOTE_SERVES, true);
    BENCH_COVER(b, NOTE_MISALIGNED, true);
    /* With few reads under way none waits long. */
    BENCH_COVER(b, NOTE_FULL, READS <= DEPTH);
    BENCH_COVER(b, NOTE_FLOW, READS <= WALK_CACHE_LATENCY);
    BENCH_COVER(b, NOTE_HIT_WAITS_LONG, READS < 6);
}

SCOREBOARD_DRIVE_COVERED(walk_cache, env_t, stimulate, expect)
BENCH_MAIN(walk_cache, env_t, start, drive, cover, NOTES)
