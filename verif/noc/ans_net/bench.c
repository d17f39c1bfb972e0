/* Bench of ans_net: ports and walks answer at random rates, cores at random or all the same one. Besides the twin, the page as a program (page.h) says which answer is received where; a head never waits
 * longer than for the other sources. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "verif/noc/ans_net/page.h"

enum { COV_FULL, COV_ONE, COV_MANY, COV_FLOW, COV_IDLE, COV_N };
static const char *const cover[] = {"queue full", "all sources answer one core",
                                    "as many cores as can be are answered at once", "a source answers in every cycle",
                                    "idle again"};
typedef struct {
    translate_ans_t offer[ANS_SOURCES];
    bool offered[ANS_SOURCES], busy;
    unsigned rate[ANS_SOURCES], streak[ANS_SOURCES], waits[ANS_SOURCES], who;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void style(bench_t *b, env_t *e)
{
    const unsigned all = vl_below(&b->rng, 6);
    for (unsigned k = 0; k < ANS_SOURCES; k++) {
        const unsigned p = vl_below(&b->rng, 4);
        e->rate[k] = all == 0 ? 0 : all == 1 || p > 1 ? 256 : p ? vl_below(&b->rng, 200) : 0;
    }
    e->who = vl_below(&b->rng, CORES + 3);
}

static void stimulate(bench_t *b, env_t *e, const ans_net_out_t *out, ans_net_in_t *in)
{
    if (b->cycle % 400 == 0)
        style(b, e);
    unsigned answered = 0, one = 0, busy = 0;
    for (unsigned c = 0; c < CORES; c++)
        answered += (uint64_t)out->ans_valid >> c & 1;
    for (unsigned k = 0; k < ANS_SOURCES; k++) {
        if (!e->offered[k] && vl_chance(&b->rng, e->rate[k])) {
            translate_ans_t_random(&b->rng, &e->offer[k]);
            e->offer[k].core = (uint8_t)(e->who < CORES    ? e->who
                                         : e->who == CORES ? (b->cycle + k) % CORES
                                                           : vl_below(&b->rng, CORES));
            e->offered[k] = true;
        }
        const bool walked = k == L2_TLB_PORTS, ready = walked ? out->walked_ready : out->hit_ready >> k & 1;
        if (walked) {
            in->walked_valid = e->offered[k];
            in->walked = e->offer[k];
        } else {
            in->hit_valid |= (uint8_t)(e->offered[k] << k);
            in->hit[k] = e->offer[k];
        }
        one += e->offered[k] && e->offer[k].core == e->offer[0].core;
        e->waits[k] = e->offered[k] && !ready ? e->waits[k] + 1 : 0;
        BENCH_CHECK(b, e->waits[k] <= ANS_SOURCES, "source %u waits for more than the others", k);
        BENCH_COVER(b, COV_FULL, !ready);
        e->streak[k] = e->offered[k] && ready ? e->streak[k] + 1 : 0;
        BENCH_COVER(b, COV_FLOW, e->streak[k] > 50);
        busy += e->offered[k] || e->page.x.n[k];
        e->offered[k] &= !ready;
    }
    busy += answered;
    BENCH_COVER(b, COV_ONE, one == ANS_SOURCES);
    BENCH_COVER(b, COV_MANY, answered == (CORES < ANS_SOURCES ? CORES : ANS_SOURCES));
    BENCH_COVER(b, COV_IDLE, !busy && e->busy);
    e->busy = busy;
}

SCOREBOARD_DRIVE(ans_net, env_t, stimulate)
BENCH_MAIN(ans_net, env_t, start, drive, cover, COV_N)
