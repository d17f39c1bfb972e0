/* Bench of hmd. Besides the twin it is held against its page (page.h), and against a scoreboard without directories (scoreboard.h): the legal holders of a block,
 * the agents that must be probed, and the place of every byte. Devices, last-level cache and memory are in neighbours.h; coverage (cover.h) is read off the page's state. */
#define BENCH_SEEDS 6
#define BENCH_CYCLES 120000
#include "verif/common/bench.h"
#include "verif/coherence/hmd/cover.h"
#include "verif/coherence/hmd/page.h"
#include "verif/coherence/hmd/scoreboard.h"
#include "verif/coherence/hmd/neighbours.h"

enum { WINDOW = 400, PATIENCE = 6000 + 32 * SB_LPB * HMD_POOL };
typedef struct {
    world_t world;
    uint64_t drain_since;
    bool withheld; /* some stream was withheld in this window */
    page_t page;
} env_t;

/* Blocks at the ends of the table, and neighbours, of a window that begins anywhere. */
static void start(bench_t *b, env_t *e)
{
    sb_t *s = &e->world.sb;
    page_begin(&e->page);
    static const uint8_t policy[] = {MEMORY_UMH,     MEMORY_ZEROCOPY, MEMORY_MEMCPY,
                                     MEMORY_MANAGED, MEMORY_UMH,      MEMORY_ZEROCOPY};
    s->policy = policy[b->seed % sizeof policy];
    s->far = s->policy != MEMORY_UMH;
    s->stacks = s->policy == MEMORY_MEMCPY || s->policy == MEMORY_MANAGED;
    const unsigned entries = HOST_BYTES / INTERLEAVE_BYTES, channel = vl_below(&b->rng, HOST_CHANNELS),
                   near_ = vl_below(&b->rng, entries);
    const unsigned at[SB_BLOCKS] = {
        0,           entries - 1,           near_, (near_ + 1) % entries, near_ ^ 1u << vl_below(&b->rng, 6),
        entries / 2, (near_ + 2) % entries, 1};
    const unsigned bits = LINE_ADDR_W - (unsigned)__builtin_ctz(SB_LPB * HOST_CHANNELS);
    const uint64_t last = (1ull << bits) - entries, begin = vl_below(&b->rng, 2) ? 0 : vl_random(&b->rng) % (last + 1);
    unsigned entry[SB_BLOCKS];
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        sb_block_t *x = &s->block[k];
        bool again = true;
        entry[k] = at[k] % entries;
        while (again) {
            again = false;
            for (unsigned i = 0; i < k; i++)
                again |= entry[i] == entry[k];
            entry[k] = again ? (entry[k] + 1) % entries : entry[k];
        }
        const uint64_t n = begin + (entry[k] + entries - begin % entries) % entries;
        x->first = (n * HOST_CHANNELS + channel) * SB_LPB;
        x->first_answer = ~0ull;
        for (unsigned l = 0; l < SB_LPB; l++)
            for (unsigned i = 0; i < LINE_BYTES; i++)
                s->truth[k][l].byte[i] = s->home[k][l].byte[i] = s->memory[k][l][i] = (uint8_t)vl_random(&b->rng);
    }
}

/* Mostly at once, else often, else not at all for this window. */
static unsigned chance(bench_t *b, env_t *e)
{
    const unsigned kind = vl_below(&b->rng, 16);
    e->withheld |= kind == 0;
    return kind == 0 ? 0 : kind < 5 ? 40 + vl_below(&b->rng, 160) : 256;
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 4, 20, 80};
    vl_rng_t *r = &b->rng;
    e->withheld = false;
    e->world.style = (style_t){
        .ask = 30 + vl_below(r, 226),
        .own = vl_below(r, 3) ? vl_below(r, 160) : 0,
        .evict = vl_below(r, 2) ? vl_below(r, 256) : 8,
        .flush = vl_below(r, 2) ? vl_below(r, 256) : 0,
        .store = vl_below(r, 3) ? 20 + vl_below(r, 236) : 0,
        .get = vl_below(r, 4) ? 20 + vl_below(r, 236) : 0,
        .put = vl_below(r, 3) ? 10 + vl_below(r, 246) : 0,
        .cache_ask = vl_below(r, 3) ? 10 + vl_below(r, 246) : 0,
        .cache_own = vl_below(r, 3) ? vl_below(r, 200) : 0,
        .give = vl_below(r, 256),
        .keep = vl_below(r, 256),
        .drop = vl_below(r, 2) ? vl_below(r, 120) : 4,
        .cache_store = vl_below(r, 3) ? 40 + vl_below(r, 216) : 0,
        .probe = chance(b, e),
        .data = chance(b, e),
        .ack = chance(b, e),
        .cache_probe = chance(b, e),
        .cache_ack = chance(b, e),
        .memory = chance(b, e),
        .answers = chance(b, e),
        .latency = latency[vl_below(r, 4)],
        .memory_latency = latency[vl_below(r, 4)],
        .peers = vl_below(r, 3) * 128,
        .base = vl_below(r, SB_BLOCKS),
        .span = vl_below(r, 2) ? 1 + vl_below(r, SB_BLOCKS) : 1 + vl_below(r, 2),
        .drain = vl_below(r, 6) == 0,
    };
    style_t *y = &e->world.style;
    const unsigned jam = y->drain ? 0 : vl_below(r, 16);
    if (jam == 1) { /* all agents request, and no transaction ends */
        y->ask = y->cache_ask = 256;
        y->ack = y->cache_own = 0;
        y->span = SB_BLOCKS;
        e->withheld = true;
    } else if (jam == 2 || jam == 3) { /* the last-level cache makes progress, and memory does not */
        y->cache_ask = y->cache_store = y->give = y->cache_ack = y->cache_probe = 256;
        y->latency = 4;
        y->span = 1 + vl_below(r, 3);
        y->memory = 0;
        e->withheld = true;
    } else if (jam >= 4 && jam < 6) { /* lines go up and down, and memory is slow */
        y->get = y->put = y->store = y->ack = 256;
        y->memory = y->memory ? 40 : 0;
        y->span = 1;
    }
    if (e->world.sb.stacks && jam >= 2 && jam < 6)
        y->data = y->memory;
    if (e->world.style.drain)
        e->drain_since = b->cycle;
}

/* Finds requests that wait for ever, and bytes that are lost when nothing is under way. */
static void watch(bench_t *b, env_t *e, const hmd_out_t *out)
{
    world_t *w = &e->world;
    const sb_t *s = &w->sb;
    w->sb.awake += !e->withheld;
    const uint64_t now = w->sb.awake;
    bool inside = false, quiet = !w->req_valid && !w->home_valid && !w->cack_valid && !w->jobs && !w->peers;
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        for (unsigned d = 0; d < DEVICES; d++) {
            const sb_held_t *h = &s->held[d][k];
            BENCH_CHECK(b, !h->taken || now - h->since < PATIENCE,
                        "device %u: a request for block %u is not answered for %u cycles", d, k, PATIENCE);
            inside |= h->taken || h->probed;
            for (unsigned l = 0; l < SB_LPB; l++) {
                BENCH_CHECK(b, !h->get[l].taken || now - h->get[l].since < PATIENCE,
                            "device %u: a GET of block %u is not answered for %u cycles", d, k, PATIENCE);
                inside |= h->get[l].taken;
            }
        }
        inside |= s->block[k].arriving;
        for (unsigned l = 0; l < SB_LPB; l++) {
            const sb_line_t *c = &s->cache[k][l];
            BENCH_CHECK(b, !c->taken || now - c->since < PATIENCE,
                        "a read of the last-level cache is not answered for %u cycles", PATIENCE);
            inside |= c->taken || c->probed;
        }
    }
    for (unsigned d = 0; d < DEVICES; d++)
        quiet &= !w->acks[d];
    BENCH_CHECK(b, !out->idle || !inside, "idle although something is under way");
    if (w->style.drain && out->idle && quiet) {
        sb_at_rest(b, s);
        style(b, e);
        return;
    }
    BENCH_CHECK(b, !w->style.drain || b->cycle - e->drain_since < PATIENCE,
                "not at rest %u cycles after the last request", PATIENCE);
    if (b->cycle % WINDOW == 0 && !w->style.drain)
        style(b, e);
}

static void stimulate(bench_t *b, env_t *e, const hmd_out_t *out, hmd_in_t *in)
{
    world_t *w = &e->world;
    w->sb.now = b->cycle;
    hmd_in_random(&b->rng, in);
    watch(b, e, out);
    in->peers = vl_chance(&b->rng, w->style.peers);
    in->memory = w->sb.policy;
    memory(b, w, out, in);
    if (!b->failed)
        cache(b, w, out, in);
    if (!b->failed)
        devices(b, w, out, in);
}

SCOREBOARD_DRIVE_COVERED(hmd, env_t, stimulate, cover_expect)
BENCH_MAIN(hmd, env_t, start, drive, cover, COV_N)
