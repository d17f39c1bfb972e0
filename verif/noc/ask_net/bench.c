/* Bench of ask_net: cores at random rates, ports that block for long. Besides the twin, the page as a program (page.h) says which request is shown where. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "verif/noc/ask_net/page.h"

enum { COV_FULL, COV_ALL, COV_TAKE, COV_PAST, COV_FLOW, COV_IDLE, COV_N };
static const char *const cover[] = {"queue full",
                                    "all cores of a port ask",
                                    "every port that has cores takes at once",
                                    "a port takes while another one blocks",
                                    "a core asks in every cycle",
                                    "idle again"};
typedef struct {
    translate_req_t offer[CORES];
    bool offered[CORES], busy;
    unsigned rate[CORES], ready[L2_TLB_PORTS], streak[CORES];
    page_t page;
} env_t;

enum { USED = CORES < L2_TLB_PORTS ? CORES : L2_TLB_PORTS }; /* ports that have cores */

SCOREBOARD_START(env_t)

static void style(bench_t *b, env_t *e)
{
    const bool open = vl_below(&b->rng, 3) == 0;
    const unsigned all = vl_below(&b->rng, 6);
    for (unsigned c = 0; c < CORES; c++) {
        const unsigned p = vl_below(&b->rng, 4);
        e->rate[c] = all == 0 ? 0 : all == 1 || p > 1 ? 256 : p ? vl_below(&b->rng, 200) : 0;
    }
    for (unsigned d = 0; d < L2_TLB_PORTS; d++) {
        const unsigned p = vl_below(&b->rng, 4);
        e->ready[d] = open || p > 1 ? 256 : p ? 20 + vl_below(&b->rng, 230) : 0;
    }
}

static void stimulate(bench_t *b, env_t *e, const ask_net_out_t *out, ask_net_in_t *in)
{
    if (b->cycle % 400 == 0)
        style(b, e);
    unsigned takes = 0, blocks = 0, asks = 0, busy = 0;
    for (unsigned d = 0; d < L2_TLB_PORTS; d++) {
        const bool valid = out->req_valid >> d & 1, ready = vl_chance(&b->rng, e->ready[d]);
        in->req_ready |= (uint8_t)(ready << d);
        takes += valid && ready;
        blocks += valid && !ready;
        BENCH_CHECK(b, !valid || out->req[d].core % L2_TLB_PORTS == d, "port %u is asked by core %u", d,
                    out->req[d].core);
        busy += valid;
    }
    for (unsigned c = 0; c < CORES; c++) {
        if (!e->offered[c] && vl_chance(&b->rng, e->rate[c])) {
            translate_req_t_random(&b->rng, &e->offer[c]);
            e->offer[c].core = (uint8_t)c;
            e->offered[c] = true;
        }
        const bool ready = (uint64_t)out->ask_ready >> c & 1;
        in->ask_valid |= (__typeof__(in->ask_valid))((uint64_t)e->offered[c] << c);
        in->ask[c] = e->offer[c];
        asks += e->offered[c] && c % L2_TLB_PORTS == 0;
        BENCH_COVER(b, COV_FULL, !ready);
        e->streak[c] = e->offered[c] && ready ? e->streak[c] + 1 : 0;
        BENCH_COVER(b, COV_FLOW, e->streak[c] > 50);
        busy += e->offered[c] || e->page.x.n[c];
        e->offered[c] &= !ready;
    }
    BENCH_COVER(b, COV_ALL, asks == (CORES + L2_TLB_PORTS - 1) / L2_TLB_PORTS);
    BENCH_COVER(b, COV_TAKE, takes == USED);
    BENCH_COVER(b, COV_PAST, USED == 1 || (takes && blocks));
    BENCH_COVER(b, COV_IDLE, !busy && e->busy);
    e->busy = busy;
}

SCOREBOARD_DRIVE(ask_net, env_t, stimulate)
BENCH_MAIN(ask_net, env_t, start, drive, cover, COV_N)
