/* Bench of smd. Besides the twin it is held against its page (page.h), and against a scoreboard without directories (scoreboard.h): the bytes of each line,
 * its holders, the bytes that a probe must bring. Slice, stack, HMD and other devices are in neighbours.h; coverage (cover.h) is read off the page's state. */
#define BENCH_SEEDS 6
#define BENCH_CYCLES 200000
#include "verif/common/bench.h"
#include "verif/coherence/smd/cover.h"
#include "verif/coherence/smd/scoreboard.h"
#include "verif/coherence/smd/neighbours.h"
#include "verif/coherence/smd/page.h"

enum { JOB_PATIENCE = 3000 + 400 * SB_LPB, DRAIN_PATIENCE = 6000 + 3000 * SB_LPB, WINDOW = 512 };
typedef struct {
    world_t world;
    uint64_t drain_since, gave; /* cycle of the last bytes */
    enum { KEEP, TAKE_ALL, TAKEN } flip; /* switch to the other policy once no block is held */
    page_t page;
} env_t;

static uint8_t some_policy(bench_t *b)
{
    static const uint8_t often[] = {MEMORY_UMH,      MEMORY_UMH,    MEMORY_UMH,    MEMORY_UMH,
                                    MEMORY_ZEROCOPY, MEMORY_MEMCPY, MEMORY_MANAGED};
    return often[vl_below(&b->rng, sizeof often)];
}

/* Blocks of few places, so that they put each other out: at the ends of groups of 64, neighbours, one place with all tags. */
static void start(bench_t *b, env_t *e)
{
    sb_t *s = &e->world.sb;
    page_begin(&e->page);
    s->device = vl_below(&b->rng, DEVICES);
    s->channel = vl_below(&b->rng, CHANNELS);
    static const unsigned places[4] = {6, 3, 12, 8};
    const unsigned n = places[b->mode], places_bits = (unsigned)__builtin_ctz(PG_PLACES),
                   tag_bits = LINE_ADDR_W - (unsigned)__builtin_ctz(SB_LPB * CHANNELS) - places_bits;
    const unsigned edge[] = {0, PG_PLACES - 1, 63 % PG_PLACES, 64 % PG_PLACES,
                             1, PG_PLACES / 2, PG_PLACES - 2,  65 % PG_PLACES};
    const unsigned near_ = vl_below(&b->rng, 2) ? vl_below(&b->rng, PG_PLACES) : edge[vl_below(&b->rng, 8)];
    uint64_t tag = vl_below(&b->rng, 2) ? 0 : vl_random_bits(&b->rng, tag_bits);
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        sb_block_t *x = &s->block[k];
        if (k && k % n == 0) /* the next tag differs in one bit, or by one */
            tag = (vl_below(&b->rng, 2) ? tag ^ 1ull << (k / n * 7 % tag_bits) : tag + k) & ((1ull << tag_bits) - 1);
        x->place = b->mode == 3 ? edge[k % n] : (near_ + k % n) % PG_PLACES;
        x->block = tag * PG_PLACES + x->place;
        for (unsigned again = 0; again < k; again++)
            if (s->block[again].block == x->block) {
                tag = (tag + 1) & ((1ull << tag_bits) - 1);
                x->block = tag * PG_PLACES + x->place;
                again = ~0u; /* from the first */
            }
        for (unsigned i = 0; i < SB_LPB; i++) {
            sb_line_t *l = &s->line[k * SB_LPB + i];
            l->addr = (x->block * CHANNELS + s->channel) * SB_LPB + i;
            l->block = k;
            vl_random_wide(&b->rng, LINE_BITS, l->home.w);
            l->truth = l->home;
        }
    }
    for (unsigned i = 0; i < SB_LINES; i++) {
        vl_random_wide(&b->rng, LINE_BITS, e->world.held[i].w),
            vl_random_wide(&b->rng, LINE_BYTES, e->world.marks[i].w);
        e->world.marks[i] = whole_grains(e->world.marks[i]);
    }
    policy(&e->world, some_policy(b));
}

/* Often all, else some. */
static unsigned chance(bench_t *b)
{
    return vl_below(&b->rng, 3) ? 256 : 4 + vl_below(&b->rng, 160);
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 4, 20, 80};
    style_t *y = &e->world.style;
    struct vl_rng *r = &b->rng;
    *y = (style_t){
        .ask = 30 + vl_below(r, 226),
        .store = vl_below(r, 3) ? 40 + vl_below(r, 216) : 0,
        .drop = vl_below(r, 2) ? vl_below(r, 120) : 4,
        .write = 20 + vl_below(r, 236),
        .keep = vl_below(r, 256),
        .own = vl_below(r, 3) ? vl_below(r, 100) : 0,
        .n_read = vl_below(r, 256),
        .reads = vl_below(r, 3) ? L2_MSHRS : 1 + vl_below(r, 4),
        .rsp_ready = chance(b),
        .ack = chance(b),
        .ack_latency = latency[vl_below(r, 4)],
        .stack_ready = chance(b),
        .stack_depth = vl_below(r, 2) ? STACK_DEPTH : 1 + vl_below(r, 4),
        .stack_latency = latency[vl_below(r, 4)],
        .rq = chance(b),
        .kq = chance(b),
        .eq = chance(b),
        .begin = 10 + vl_below(r, 246),
        .data = chance(b),
        .first = vl_below(r, 2) ? 230 : 60,
        .probe = vl_below(r, 3) ? vl_below(r, 60) : 2,
        .wild = vl_below(r, 2) ? 0 : 100,
        .peers = vl_below(r, 256),
        .others = vl_below(r, 256),
        .mem = vl_below(r, 3) ? 4 + vl_below(r, 252) : 0,
        .mem_reads = vl_below(r, 3) * 128,
        .base = vl_below(r, SB_BLOCKS),
        .span = vl_below(r, 2) ? 1 + vl_below(r, SB_BLOCKS) : 1 + vl_below(r, 4),
        .maint = vl_below(r, 2)   ? 0
                 : vl_below(r, 2) ? 15
                                  : 200,
        .walks = vl_below(r, 4) ? 12 : 2,
        .no_grants = vl_below(r, 12) == 0,
        .drain = vl_below(r, 8) == 0,
        .chain = vl_below(r, 2) == 0,
        .eager = vl_below(r, 3) == 0,
    };
    if (vl_below(r, 8) == 0) { /* one block is fetched and evicted; walks skip the others */
        y->span = 1 + vl_below(r, 2);
        y->base = vl_below(r, 2) ? 0 : y->base;
        y->eager = vl_below(r, 2);
        y->store = 200;
        y->write = vl_below(r, 2) ? 10 : 250;
        y->drain = y->no_grants = false;
        y->probe = 2 + vl_below(r, 30);
        y->wild = 0;
        y->ack = y->rq = 256;
        y->ack_latency = 20;
        y->maint = 25;
        y->walks = 1;
        y->data = 20 + vl_below(r, 236);
    }
    if (y->drain)
        e->drain_since = b->cycle;
}

static void maintenance(bench_t *b, env_t *e, smd_in_t *in, bool done)
{
    static const uint8_t often[] = {L2_FLUSH_LINE, L2_FLUSH_LINE, L2_FLUSH_PAGE,
                                    L2_INVAL_LINE, L2_INVAL_LINE, L2_INVAL_PAGE};
    world_t *w = &e->world;
    if (done) {
        e->flip = e->flip == TAKE_ALL ? TAKEN : e->flip;
        const char *why = sb_maintained(&w->sb);
        BENCH_CHECK(b, !why, "%s", why);
    }
    const bool early = b->cycle == 3 && b->seed % 2;
    e->gave = w->gave ? b->cycle : e->gave;
    const bool hot = w->style.maint && b->cycle - e->gave < 8;
    const unsigned wait = hot ? 4 : w->style.maint;
    in->maint_valid =
        !w->sb.maint && !done
        && (e->flip == TAKE_ALL || (!w->style.drain && (early || (wait && vl_below(&b->rng, wait) == 0))));
    if (!in->maint_valid)
        return;
    const bool all = hot || e->flip == TAKE_ALL || vl_below(&b->rng, w->style.walks) == 0;
    in->maint.op = e->flip == TAKE_ALL ? L2_INVAL_ALL
                   : all               ? hot || vl_below(&b->rng, 3) ? L2_FLUSH_ALL : L2_INVAL_ALL
                                       : often[vl_below(&b->rng, 6)];
    const sb_line_t *l = some_line(b, w);
    for (unsigned i = 0; i < 8 && w->sb.block[l->block].held == HELD_NONE && vl_below(&b->rng, 8); i++)
        l = some_line(b, w);
    in->maint.line = all ? 0 : l->addr;
    if (!all && vl_below(&b->rng, 6) == 0)
        in->maint.line ^= vl_below(&b->rng, 4096 / LINE_BYTES); /* perhaps of another channel */
    sb_maintain(&w->sb, &in->maint);
}

/* Finds requests and probes that wait for ever. */
static void watch(bench_t *b, env_t *e, const smd_out_t *out)
{
    sb_t *s = &e->world.sb;
    bool inside = s->peers || s->maint || s->mems;
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        const sb_block_t *x = &s->block[k];
        BENCH_CHECK(b, !x->job || b->cycle - x->job_since < JOB_PATIENCE, "a probe is not answered for %u cycles",
                    JOB_PATIENCE);
        inside |= x->job || x->tx != TX_NONE;
    }
    for (unsigned i = 0; i < SB_LINES; i++) {
        const sb_line_t *l = &s->line[i];
        const bool offered = e->world.req_valid && e->world.req.line == l->addr; /* not taken yet */
        inside |= (l->awaited && !offered) || l->probed || l->count || !mask_none(l->to_clear);
    }
    BENCH_CHECK(b, !out->idle || !inside, "idle although something is under way");
    if (!e->world.style.drain)
        return;
    const bool quiet = !e->world.req_valid && !e->world.ack_valid && !e->world.asks && !e->world.to_probe
                       && !e->world.probe_valid && !e->world.mems && !e->world.data_valid;
    if (out->idle && quiet && e->flip != TAKE_ALL) {
        if (e->flip == TAKEN) {
            policy(&e->world, some_policy(b));
            e->flip = KEEP;
        } else if (vl_below(&b->rng, 2)) {
            e->flip = TAKE_ALL;
            e->drain_since = b->cycle;
            return;
        }
        style(b, e);
    }
    BENCH_CHECK(b, !e->world.style.drain || b->cycle - e->drain_since < DRAIN_PATIENCE,
                "not idle %u cycles after the last request", DRAIN_PATIENCE);
}

static void stimulate(bench_t *b, env_t *e, const smd_out_t *out, smd_in_t *in)
{
    world_t *w = &e->world;
    w->sb.now = b->cycle;
    watch(b, e, out);
    if (b->cycle % WINDOW == 0 && !w->style.drain)
        style(b, e);
    smd_in_random(&b->rng, in);
    in->channel = (__typeof__(in->channel))w->sb.channel;
    in->device = (__typeof__(in->device))w->sb.device;
    in->memory = w->sb.memory;
    stack(b, w, out, in);
    slice(b, w, out, in);
    hmd(b, w, out, in);
    maintenance(b, e, in, out->maint_done);
}

SCOREBOARD_DRIVE_COVERED(smd, env_t, stimulate, cover_expect)
BENCH_MAIN(smd, env_t, start, drive, cover, COV_N)
