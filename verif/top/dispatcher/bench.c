/* Bench of dispatcher: grids of every shape, cores ready in every pattern. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 60000
/* compute leaps over time in which all of its blocks rest, and asks this one by dispatcher_waiting: of the cores that are ready, when nothing has begun, ended or been reset in the cycle before. */
#define BENCH_RESTS(B, twin) \
    (dispatcher_idle(twin) || (!before.kernel_start && !before.kernel_rst && !before.group_done && dispatcher_waiting(twin, in.group_ready)))
#include "verif/common/bench.h"
#include "dispatcher_ports.h"
#include "sim_c/top/dispatcher.h"
#include "verif/top/dispatcher/page.h"

enum {
    COV_TAKEN,
    COV_NONE,
    COV_WRAP_Y,
    COV_DONE,
    COV_HALT,
    COV_RESTART,
    COV_TOGETHER,
    COV_STAYS,
    COV_ONE_READY,
    COV_ALL_READY,
    COV_THIN,
    COV_WRAP_X,
    COV_ENDS,
    COV_HALT_BARE,
    COV_OFFSET,
    COV_TWO,
    COV_MOVE,
    COV_RST_ONE,
    COV_LEFT,
    COV_FULL,
    COV_N
};
static const char *const cover[] = {"a group is taken",
                                    "a grid without groups",
                                    "y wraps",
                                    "a kernel ends",
                                    "halt with an offer",
                                    "kernel_start in the middle",
                                    "end and transfer in one cycle",
                                    "an offer that waits",
                                    "one core alone is ready",
                                    "all cores are ready",
                                    "a dimension of size 1",
                                    "x wraps",
                                    "as many ends in one cycle as there are cores, up to two",
                                    "halt without an offer",
                                    "an offset that wraps",
                                    "two kernels give groups in one cycle",
                                    "a core changes its kernel",
                                    "reset of one kernel while another has groups out",
                                    "an offer that is left over when its core goes to another kernel",
                                    "a kernel has a group in every place of every core"};
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

/* A kernel; all of them at once. */
typedef struct {
    kernel_t k;
    unsigned held[CORES], total, taken, ended;
    uint64_t until;
    bool running, halt;
    bool fills; /* no group ends until all places of its cores have one */
} run_t;

typedef struct {
    run_t run[KERNELS];
    unsigned owner[CORES], was_owner[CORES];
    uint64_t left; /* cores to which an offer was made and not taken */
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    BENCH_COVER(b, COV_MOVE, KERNELS == 1);
    BENCH_COVER(b, COV_RST_ONE, KERNELS == 1);
    BENCH_COVER(b, COV_LEFT, KERNELS == 1);
    page_begin(&e->page);
    for (unsigned k = 0; k < KERNELS; k++)
        e->run[k].until = b->seed % 3 * 30
                          + 7 * k; // some runs: a while without a kernel after the reset, and nothing may be done then
}

static uint64_t cores_of(const env_t *e, unsigned k)
{
    uint64_t cores = 0;
    for (unsigned c = 0; c < CORES; c++)
        cores |= (uint64_t)(e->owner[c] == k) << c;
    return cores;
}

/* Takes cores from kernels that have ended, or are about to begin, as ctrl does. */
static void take_cores(bench_t *b, env_t *e, unsigned k, uint64_t offered)
{
    for (unsigned c = 0; c < CORES; c++) {
        const run_t *from = &e->run[e->owner[c]];
        if (e->owner[c] == k || from->running || !vl_chance(&b->rng, 160))
            continue;
        BENCH_COVER(b, COV_LEFT, offered >> c & 1);
        e->owner[c] = k;
    }
}

static void begin(bench_t *b, run_t *e)
{
    kernel_t_random(&b->rng, &e->k);
    e->total = 1;
    for (unsigned d = 0; d < 3; d++) {
        e->k.groups[d] = vl_chance(&b->rng, 20) ? 0 : 1 + vl_below(&b->rng, vl_chance(&b->rng, 100) ? 1 : 12);
        e->total *= e->k.groups[d];
        if (vl_chance(&b->rng, 40))
            e->k.offset[d] = ~0u - vl_below(&b->rng, 64);
    }
    BENCH_COVER(b, COV_THIN, e->total > 1 && (e->k.groups[0] == 1 || e->k.groups[1] == 1 || e->k.groups[2] == 1));
    BENCH_COVER(b, COV_NONE, e->total == 0);
    BENCH_COVER(b, COV_RESTART, e->running && e->taken < e->total);
    memset(e->held, 0, sizeof e->held);
    e->taken = e->ended = 0;
    e->running = true;
    e->halt = false;
    e->fills = vl_chance(&b->rng, 64);
    e->until = b->cycle + 20 + vl_below(&b->rng, KERNELS > 1 && vl_chance(&b->rng, 160) ? 120 : 2000);
}

/* The steps of a kernel's cores in this cycle. */
static void follow(bench_t *b, run_t *e, uint64_t cores, const dispatcher_out_t *out, uint64_t *ready, uint64_t *done)
{
    const unsigned places = GROUPS * (unsigned)__builtin_popcountll(cores), held = e->taken - e->ended;
    e->fills &= held < places && e->taken < e->total && !e->halt;
    BENCH_COVER(b, COV_FULL, cores == LOW(CORES) && held == places);
    for (unsigned c = 0; c < CORES; c++) {
        if (!(cores >> c & 1))
            continue;
        if (vl_chance(&b->rng, b->mode == 0 ? 250 : b->mode == 1 ? 20 : 128) && e->held[c] < GROUPS)
            *ready |= 1ull << c;
        if (e->held[c] && !e->fills && vl_chance(&b->rng, 40)) {
            *done |= 1ull << c;
            e->held[c]--;
            e->ended++;
        }
        if (((uint64_t)out->group_valid & *ready) >> c & 1) {
            e->held[c]++;
            e->taken++;
            BENCH_COVER(b, COV_TAKEN, true);
            BENCH_COVER(b, COV_TOGETHER, *done != 0);
            BENCH_COVER(b, COV_WRAP_X, out->group[c].grp[1] > 0 && out->group[c].grp[0] == 0 && e->k.groups[0] > 1);
            for (unsigned d = 0; d < 3; d++) {
                BENCH_COVER(b, COV_OFFSET, out->group[c].gbase[d] < e->k.offset[d]);
                BENCH_CHECK(b,
                            out->group[c].grp[d] < e->k.groups[d]
                                && out->group[c].gbase[d] == e->k.offset[d] + out->group[c].grp[d] * e->k.local_size[d],
                            "core %u is given a group that its kernel has not", c);
            }
            BENCH_COVER(b, COV_WRAP_Y, out->group[c].grp[2] > 0 && out->group[c].grp[1] == 0 && e->k.groups[1] > 1);
        }
    }
    e->halt |= b->seed % 4 == 3 && vl_chance(&b->rng, 1);
    BENCH_CHECK(b, e->taken <= e->total, "%u groups given of %u", e->taken, e->total);
}

static void stimulate(bench_t *b, env_t *e, const dispatcher_out_t *out, dispatcher_in_t *in)
{
    uint64_t ready = 0, done = 0, begins = 0, resets = 0;
    BENCH_COVER(b, COV_TWO, KERNELS == 1 || __builtin_popcountll(out->group_valid) > 1);
    for (unsigned k = 0; k < KERNELS; k++) {
        run_t *r = &e->run[k];
        const uint64_t cores = cores_of(e, k);
        const bool says = (uint64_t)out->done >> k & 1;
        BENCH_CHECK(b, !says || !r->running || r->total == 0 || (r->taken == r->total && r->ended == r->total),
                    "kernel %u is done after %u of %u groups (%u ended)", k, r->taken, r->total, r->ended);
        BENCH_COVER(b, COV_DONE, says && r->running);
        if (b->cycle >= r->until && (r->running || vl_chance(&b->rng, 40))
            && (!r->running || KERNELS == 1 || says || vl_chance(&b->rng, 40))) {
            if (r->running && KERNELS > 1 && vl_chance(&b->rng, 128)) { /* it ends, or is reset: its cores may go */
                if (vl_chance(&b->rng, 128)) {
                    BENCH_COVER(b, COV_RST_ONE, r->taken > r->ended);
                    resets |= 1ull << k;
                }
                memset(r->held, 0, sizeof r->held);
                r->running = false;
                r->total = r->taken;
                r->until = b->cycle + 3 + vl_below(&b->rng, vl_chance(&b->rng, 100) ? 900 : 1);
                continue;
            }
            if (!r->running)
                take_cores(b, e, k, (uint64_t)out->group_valid);
            if (!memcmp(e->owner, e->was_owner, sizeof e->owner)
                || r->running) { /* the owner is known a cycle before the kernel starts */
                begin(b, r);
                begins |= 1ull << k;
                ready |= vl_random(&b->rng) & cores;
                in->kernel[k] = r->k;
                continue;
            }
            BENCH_COVER(b, COV_MOVE, true);
        }
        in->kernel[k] = r->k;
        if (r->running)
            follow(b, r, cores, out, &ready, &done);
        in->halt |= (uint64_t)r->halt << k;
        BENCH_COVER(b, COV_HALT_BARE, r->halt && !(out->group_valid & cores) && r->taken < r->total);
        BENCH_COVER(b, COV_HALT, r->halt && out->group_valid & cores);
    }
    in->kernel_start = begins;
    in->kernel_rst = resets;
    for (unsigned c = 0; c < CORES; c++)
        in->owner[c] = (uint8_t)e->owner[c];
    memcpy(e->was_owner, e->owner, sizeof e->owner);
    in->group_ready = ready;
    in->group_done = done;
    BENCH_COVER(b, COV_ONE_READY, __builtin_popcountll(ready) == 1);
    BENCH_COVER(b, COV_ALL_READY, ready == LOW(CORES));
    BENCH_COVER(b, COV_ENDS, __builtin_popcountll(done) >= (CORES < 2 ? CORES : 2));
    BENCH_COVER(b, COV_STAYS, out->group_valid && !((uint64_t)out->group_valid & ready));
}

SCOREBOARD_DRIVE(dispatcher, env_t, stimulate)
BENCH_MAIN(dispatcher, env_t, start, drive, cover, COV_N)
