/* Bench of status: faults from every source, levels at random. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 4000
#include "verif/common/bench.h"
#include "status_ports.h"

enum { COV_SIMT, COV_LSU, COV_BARRIER, COV_FPU, COV_TWO, COV_LATER, COV_QUIET_HALT, COV_QUIET, COV_N };
static const char *const cover[] = {"simt fault first", "lsu fault first", "barrier fault first", "fpu fault first",
                                    "two faults in one cycle", "a later fault", "quiet under halt", "quiet without halt"};
typedef struct { unsigned rate; } env_t;

static void start(bench_t *b, env_t *e)
{
    e->rate = b->seed % 2 ? 1 : 0;
}

static void drive(bench_t *b, env_t *e, const status_out_t *out, status_in_t *in)
{
    status_in_random(&b->rng, in);
    unsigned rate = b->cycle > 1000 ? 1 + 16 * e->rate : 0;
    in->simt_fault_valid = b->seed % 4 == 0 ? false : vl_chance(&b->rng, rate);
    in->lsu_fault_valid = b->seed % 4 == 2 ? false : vl_chance(&b->rng, rate);
    in->barrier_fault_valid = vl_chance(&b->rng, b->seed % 8 == 6 ? 200 : rate);
    in->fpu_fault_valid = vl_chance(&b->rng, b->seed % 8 == 4 ? 200 : rate);
    in->halt_all = b->cycle > 500 && vl_chance(&b->rng, 1);
    in->lsu_idle |= vl_chance(&b->rng, 128);
    int n = in->simt_fault_valid + in->lsu_fault_valid + in->barrier_fault_valid + in->fpu_fault_valid;
    BENCH_COVER(b, COV_SIMT, !out->faulted && in->simt_fault_valid);
    BENCH_COVER(b, COV_LSU, !out->faulted && !in->simt_fault_valid && in->lsu_fault_valid);
    BENCH_COVER(b, COV_BARRIER, !out->faulted && !in->simt_fault_valid && !in->lsu_fault_valid && in->barrier_fault_valid);
    BENCH_COVER(b, COV_FPU, !out->faulted && n == 1 && in->fpu_fault_valid);
    BENCH_COVER(b, COV_TWO, !out->faulted && n > 1);
    BENCH_COVER(b, COV_LATER, out->faulted && n);
    BENCH_COVER(b, COV_QUIET_HALT, out->halt && out->quiet);
    BENCH_COVER(b, COV_QUIET, !out->halt && out->quiet);
}

BENCH_MAIN(status, env_t, start, drive, cover, COV_N)
