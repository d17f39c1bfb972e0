/* Bench of rsp_net: slices at random rates, answering sources at random or all the same one. Besides the twin, every response is held against
 * those that its slice has sent: none lost, none twice, in order, at its source, within the bound. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "rsp_net_ports.h"
#include "verif/common/places.h"
#include "verif/noc/rsp_net/page.h"

enum { COV_FULL, COV_ALL_ONE, COV_ALL_ANSWERED, COV_FLOW, COV_IDLE, COV_N };
static const char *const cover[] = {"queue full", "all slices answer one source", "all sources answered at once",
                                    "a slice sends in every cycle", "idle again"};

/* Two queue places, before each every other slice may go once, and the register. */
enum { INSIDE = 3, BOUND = 2 * SLICES + 1, OWN_SLICES = CHANNELS * L2_SLICES }; /* OWN_SLICES: that reach one source */
typedef struct {
    mem_rsp_t r;
    uint64_t since;
} inside_t;
typedef struct {
    net_rsp_t offer[SLICES];
    bool offered[SLICES];
    inside_t inside[SLICES][SOURCES][INSIDE + 1]; /* oldest first */
    unsigned n[SLICES][SOURCES];
    unsigned rate[SLICES], who, streak[SLICES], turn[SLICES];
    bool busy;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static unsigned agent_of_slice(unsigned k)
{
    return k / OWN_SLICES;
}

static void style(bench_t *b, env_t *e)
{
    for (unsigned k = 0; k < SLICES; k++) {
        unsigned p = vl_below(&b->rng, 4);
        e->rate[k] = p == 0 ? 0 : p == 1 ? vl_below(&b->rng, 200) : 256;
        e->turn[k] = vl_below(&b->rng, SOURCES);
    }
    e->who = vl_below(&b->rng, SOURCES + 3);
    for (unsigned k = 0, all = vl_below(&b->rng, 8); k < SLICES && all < 2; k++)
        e->rate[k] = all ? 256 : 0;
}

/* The slice that sent the response shown to source d, by the response itself; SLICES: none. */
static unsigned sender(const env_t *e, unsigned d, const mem_rsp_t *r)
{
    vl_diff_t diff;
    for (unsigned k = 0; k < SLICES; k++)
        if (e->n[k][d] && !mem_rsp_t_diff(r, &e->inside[k][d][0].r, &diff))
            return k;
    return SLICES;
}

static void stimulate(bench_t *b, env_t *e, const rsp_net_out_t *out, rsp_net_in_t *in)
{
    if (b->cycle % 400 == 0)
        style(b, e);
    unsigned total = 0, answered = 0, to_zero = 0;
    for (unsigned d = 0; d < SOURCES; d++) {
        if (!(out->rsp_valid >> d & 1))
            continue;
        answered++;
        unsigned k = sender(e, d, &out->rsp[d]);
        BENCH_CHECK(b, k < SLICES, "source %u hears what is no slice's oldest response to it", d);
        if (b->failed)
            return;
        memmove(e->inside[k][d], e->inside[k][d] + 1, INSIDE * sizeof(inside_t));
        e->n[k][d]--;
    }
    for (unsigned k = 0; k < SLICES; k++) {
        for (unsigned d = 0; d < SOURCES; d++) {
            total += e->n[k][d];
            BENCH_CHECK(b, !e->n[k][d] || b->cycle - e->inside[k][d][0].since <= BOUND,
                        "slice %u has waited too long for source %u", k, d);
        }
        if (!e->offered[k] && vl_chance(&b->rng, e->rate[k])) {
            net_rsp_t_random(&b->rng, &e->offer[k]);
            do
                e->offer[k].src = (uint8_t)(e->who < SOURCES && agent_of(e->who) == agent_of_slice(k) ? e->who
                                            : e->who == SOURCES ? e->turn[k]++ % SOURCES
                                                                : vl_below(&b->rng, SOURCES));
            while (agent_of(e->offer[k].src) != agent_of_slice(k));
            e->offered[k] = true;
        }
        if (!e->offered[k]) {
            e->streak[k] = 0;
            continue;
        }
        in->slice_rsp_valid |= (uint64_t)1 << k;
        in->slice_rsp[k] = e->offer[k];
        unsigned d = e->offer[k].src;
        to_zero += d == 0;
        BENCH_CHECK(b, OWN_SLICES > 1 || (out->slice_rsp_ready & 1), "the only slice is stalled");
        if (!(out->slice_rsp_ready >> k & 1)) {
            e->streak[k] = 0;
            continue;
        }
        BENCH_CHECK(b, e->n[k][d] < INSIDE, "slice %u: more inside than there is room", k);
        if (b->failed)
            return;
        e->inside[k][d][e->n[k][d]++] = (inside_t){e->offer[k].rsp, b->cycle};
        e->offered[k] = false;
        BENCH_COVER(b, COV_FLOW, ++e->streak[k] > 50);
    }
    BENCH_COVER(b, COV_FULL, OWN_SLICES == 1 || !(out->slice_rsp_ready & 1));
    BENCH_COVER(b, COV_ALL_ONE, to_zero == OWN_SLICES);
    BENCH_COVER(b, COV_ALL_ANSWERED, answered == (SOURCES < SLICES ? SOURCES : SLICES));
    BENCH_COVER(b, COV_IDLE, !total && e->busy);
    e->busy = total != 0;
}

SCOREBOARD_DRIVE(rsp_net, env_t, stimulate)
BENCH_MAIN(rsp_net, env_t, start, drive, cover, COV_N)
