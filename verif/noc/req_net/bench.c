/* Bench of req_net: sources and slices at random rates, on lines that spread over the slices or all fall into one; slices that block for long.
 * Besides the twin, every request is held against those that its source has sent: none lost, none twice, in order, at its slice, within bounds. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "verif/common/places.h"
#include "verif/noc/req_net/page.h"
#include "req_net_ports.h"

enum { COV_FULL, COV_ALL_ONE, COV_ALL_TAKE, COV_AROUND, COV_RELOAD, COV_FLOW, COV_ALONE, COV_IDLE, COV_N };
static const char *const cover[] = {"queue full",
                                    "all sources that reach it send to one slice",
                                    "all slices take at once, or as many as there are sources",
                                    "a source gets past a slice that is blocked for others",
                                    "a register is taken and loaded",
                                    "a source sends in every cycle",
                                    "one source has a slice for itself",
                                    "idle again"};

/* Between being taken by the network and being shown there are two queue places; before each, every other source may go once. */
enum { INSIDE = 3, BOUND = 2 * SOURCES + 2 };
typedef struct {
    net_req_t r;
    uint64_t since;
} inside_t;
typedef struct {
    net_req_t offer[SOURCES];
    bool offered[SOURCES];
    inside_t inside[SOURCES][SLICES][INSIDE + 1]; /* taken by the network, not yet by the slice, oldest first */
    unsigned n[SOURCES][SLICES];
    unsigned rate[SOURCES], ready[SLICES], spread, streak[SOURCES];
    uint64_t open[SLICES]; /* cycles for which the slice has been ready */
    uint64_t free[SOURCES]; /* cycles for which no request of this source waits for a slice that blocks */
    bool was[SLICES], busy;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void style(bench_t *b, env_t *e)
{
    for (unsigned k = 0; k < SOURCES; k++) {
        unsigned p = b->mode == 3 ? 3 : vl_below(&b->rng, 4);
        e->rate[k] = p == 0 ? 0 : p == 1 ? vl_below(&b->rng, 200) : 256;
    }
    for (unsigned d = 0; d < SLICES; d++) {
        unsigned p = b->mode == 1 ? 3 : vl_below(&b->rng, 4);
        e->ready[d] = p == 0 && b->mode == 2 ? 0 : p == 1 ? 20 + vl_below(&b->rng, 230) : 256;
    }
    e->spread = vl_below(&b->rng, 4);
    if (vl_below(&b->rng, 4))
        return;
    memset(e->rate, 0, sizeof e->rate); /* no source, or one alone */
    if (vl_below(&b->rng, 2)) {
        e->rate[vl_below(&b->rng, SOURCES)] = 256;
        for (unsigned d = 0; d < SLICES; d++)
            e->ready[d] = 256;
    }
}

static void make(bench_t *b, const env_t *e, net_req_t *r)
{
    net_req_t_random(&b->rng, r);
    switch (e->spread) {
    case 0: r->req.line = (uint64_t)vl_below(&b->rng, 16) * CHANNELS * L2_SLICES << ILV_W; break; /* one slice */
    case 1: r->req.line &= 31; break;
    default: break;
    }
}

static void stimulate(bench_t *b, env_t *e, const req_net_out_t *out, req_net_in_t *in)
{
    if (b->cycle % 400 == 0)
        style(b, e);
    unsigned taken = 0, total = 0, senders = 0;
    for (unsigned d = 0; d < SLICES; d++) {
        bool ready = vl_chance(&b->rng, e->ready[d]), valid = out->slice_req_valid >> d & 1;
        in->slice_req_ready |= (uint64_t)ready << d;
        e->open[d] = ready ? e->open[d] + 1 : 0;
        BENCH_COVER(b, COV_RELOAD, valid && e->was[d]);
        e->was[d] = valid && ready;
        if (!valid)
            continue;
        const net_req_t *r = &out->slice_req[d];
        unsigned src = r->src;
        BENCH_CHECK(b, src < SOURCES && e->n[src][d], "slice %u: source %u has nothing on its way", d, src);
        if (b->failed)
            return;
        inside_t *q = e->inside[src][d];
        vl_diff_t diff;
        BENCH_CHECK(b, !net_req_t_diff(r, &q[0].r, &diff), "slice %u, source %u: %s is %s, sent was %s", d, src,
                    diff.field, diff.a, diff.b);
        if (ready) {
            memmove(q, q + 1, INSIDE * sizeof *q);
            e->n[src][d]--;
            taken++;
        }
    }
    for (unsigned k = 0; k < SOURCES; k++) {
        /* A source with requests only to slices that have long been ready is served within the bound, whatever blocks the others. */
        bool waits = false;
        for (unsigned d = 0; d < SLICES; d++)
            waits |= e->n[k][d] && e->open[d] < 4 * BOUND;
        e->free[k] = waits ? 0 : e->free[k] + 1;
        for (unsigned d = 0; d < SLICES; d++) {
            uint64_t since = e->n[k][d] ? e->inside[k][d][0].since : b->cycle;
            BENCH_CHECK(b, b->cycle - since <= BOUND || e->free[k] <= BOUND,
                        "source %u has waited %" PRIu64 " cycles for slice %u", k, b->cycle - since, d);
            total += e->n[k][d];
            for (unsigned o = 0; o < SLICES; o++)
                BENCH_COVER(b, COV_AROUND,
                            SLICES == 1
                                || (o != d && !(in->slice_req_ready >> o & 1) && (out->slice_req_valid >> o & 1)
                                    && e->was[d] && out->slice_req[d].src == k && out->slice_req[o].src != k));
        }
    }
    unsigned to_zero = 0, can_zero = 0;
    for (unsigned k = 0; k < SOURCES; k++) {
        if (!e->offered[k] && vl_chance(&b->rng, e->rate[k])) {
            make(b, e, &e->offer[k]);
            e->offered[k] = true;
        }
        if (!e->offered[k]) {
            e->streak[k] = 0;
            continue;
        }
        in->req_valid |= (uint64_t)1 << k;
        in->req[k] = e->offer[k].req;
        in->bypass |= (uint64_t)e->offer[k].bypass << k;
        unsigned d = slice_asked(k, e->offer[k].req.line);
        to_zero += d == 0;
        can_zero += agent_of(k) == 0;
        senders++;
        if (!(out->req_ready >> k & 1)) {
            e->streak[k] = 0;
            continue;
        }
        BENCH_CHECK(b, e->n[k][d] < INSIDE, "source %u: more inside than there is room", k);
        if (b->failed)
            return;
        inside_t *t = &e->inside[k][d][e->n[k][d]++];
        t->r = e->offer[k];
        t->r.src = (uint8_t)k;
        t->since = b->cycle;
        e->offered[k] = false;
        BENCH_COVER(b, COV_FLOW, ++e->streak[k] > 50);
    }
    /* A source alone before open slices is never stalled. */
    uint64_t open = ~0ull;
    for (unsigned d = 0; d < SLICES; d++)
        open = e->open[d] < open ? e->open[d] : open;
    bool alone = senders == 1 && total <= 2 && open > 4 * BOUND;
    BENCH_COVER(b, COV_ALONE, alone);
    BENCH_CHECK(b, !alone || in->req_valid == (in->req_valid & out->req_ready) || total > 1,
                "the only source is stalled");
    BENCH_COVER(b, COV_FULL, (out->req_ready & 1) == 0);
    BENCH_COVER(b, COV_ALL_ONE, to_zero == can_zero && senders == SOURCES);
    BENCH_COVER(b, COV_ALL_TAKE, taken == (SLICES < SOURCES ? SLICES : SOURCES));
    BENCH_COVER(b, COV_IDLE, !total && e->busy);
    e->busy = total != 0;
}

SCOREBOARD_DRIVE(req_net, env_t, stimulate)
BENCH_MAIN(req_net, env_t, start, drive, cover, COV_N)
