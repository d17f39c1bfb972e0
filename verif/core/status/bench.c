/* Bench of status: faults from every source, levels at random. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 4000
#include "verif/common/bench.h"
#include "status_ports.h"
#include "verif/core/status/page.h"

enum {
    COV_SIMT,
    COV_LSU,
    COV_BARRIER,
    COV_FPU,
    COV_TWO,
    COV_LATER,
    COV_QUIET_HALT,
    COV_QUIET,
    COV_LAST,
    COV_TWO_LAST = COV_LAST + 4,
    COV_ALL_LAST,
    COV_N
};
static const char *const cover[] = {"simt fault first",
                                    "lsu fault first",
                                    "barrier fault first",
                                    "fpu fault first",
                                    "two faults in one cycle",
                                    "a later fault",
                                    "quiet under halt",
                                    "quiet without halt",
                                    "tlb is the last of a shootdown",
                                    "itlb is",
                                    "ptw is",
                                    "lsu is",
                                    "two are",
                                    "all are"};
typedef struct {
    unsigned rate, pending, began, latency, cycles;
    bool ended, done;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    e->rate = b->seed % 2 ? 1 : 0;
}

static void stimulate(bench_t *b, env_t *e, const status_out_t *out, status_in_t *in)
{
    status_in_random(&b->rng, in);
    unsigned rate = b->cycle > 1000 ? 1 + 16 * e->rate : 0;
    bool *fault[4] = {(bool *)&in->simt_fault_valid, (bool *)&in->lsu_fault_valid, (bool *)&in->barrier_fault_valid,
                      (bool *)&in->fpu_fault_valid};
    for (unsigned k = 0; k < 4; k++) /* each first in some run; in others in any order */
        *fault[k] = (out->faulted || b->seed % 5 == k || b->seed % 5 == 4)
                    && vl_chance(&b->rng, b->seed % 5 == 4 && b->cycle > 1000 ? 200 : rate);
    in->halt_all = b->cycle > 500 && vl_chance(&b->rng, 1);
    in->lsu_idle |= vl_chance(&b->rng, 128);
    /* shootdown: done one cycle after the last part, and then only */
    BENCH_CHECK(b, out->inv_done == e->done, "inv_done %d, expected %d", out->inv_done, e->done);
    /* the counter: one edge late, so the cycle of inv_done counts in the next one; by then it is as many as have gone by since the command */
    e->cycles += out->ev.shootdown_cycles;
    if (e->ended) {
        BENCH_CHECK(b, e->cycles == e->latency, "a shootdown of %u cycles is counted as %u", e->latency, e->cycles);
        e->cycles = 0;
        e->ended = false;
    }
    if (out->inv_done) {
        e->latency = (unsigned)b->cycle - e->began + 1;
        e->ended = true;
    }
    unsigned parts = e->pending;
    for (unsigned k = 0; k < 4; k++)
        if (!vl_chance(&b->rng, b->seed % 2 ? 200 : 40))
            parts &= ~(1u << k);
    in->inv_valid = !e->pending && !e->done && vl_chance(&b->rng, 60);
    if (in->inv_valid)
        e->began = (unsigned)b->cycle;
    in->tlb_done = parts & 1, in->itlb_done = parts >> 1 & 1, in->ptw_done = parts >> 2 & 1,
    in->lsu_done = parts >> 3 & 1;
    e->done = parts && parts == e->pending;
    if (e->done) {
        BENCH_COVER(b, COV_LAST + (unsigned)__builtin_ctz(parts), !(parts & (parts - 1)));
        BENCH_COVER(b, COV_TWO_LAST, __builtin_popcount(parts) == 2);
        BENCH_COVER(b, COV_ALL_LAST, parts == 15);
    }
    e->pending = in->inv_valid ? 15 : e->pending & ~parts;
    in->itlb_idle |= vl_chance(&b->rng, 128);
    in->tlb_mshr_idle |= vl_chance(&b->rng, 128);
    in->ptw_idle |= vl_chance(&b->rng, 128);
    int n = in->simt_fault_valid + in->lsu_fault_valid + in->barrier_fault_valid + in->fpu_fault_valid;
    BENCH_COVER(b, COV_SIMT, !out->faulted && in->simt_fault_valid);
    BENCH_COVER(b, COV_LSU, !out->faulted && !in->simt_fault_valid && in->lsu_fault_valid);
    BENCH_COVER(b, COV_BARRIER,
                !out->faulted && !in->simt_fault_valid && !in->lsu_fault_valid && in->barrier_fault_valid);
    BENCH_COVER(b, COV_FPU, !out->faulted && n == 1 && in->fpu_fault_valid);
    BENCH_COVER(b, COV_TWO, !out->faulted && n > 1);
    BENCH_COVER(b, COV_LATER, out->faulted && n);
    BENCH_COVER(b, COV_QUIET_HALT, out->halt && out->quiet);
    BENCH_COVER(b, COV_QUIET, !out->halt && out->quiet);
}

SCOREBOARD_DRIVE(status, env_t, stimulate)
BENCH_MAIN(status, env_t, start, drive, cover, COV_N)
