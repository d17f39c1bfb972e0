/* Bench of ctrl: register traffic at every address, kernels that start, end, fault and are reset. */
#define BENCH_SEEDS 6
#include "verif/common/bench.h"
#include "ctrl_ports.h"

enum { COV_READ, COV_RESTART, COV_RESET, COV_STALL, COV_END, COV_FAULT, COV_RECONV, COV_PERF, COV_READS, COV_WRITES, COV_FAULTS, COV_N };
static const char *const cover[] = {"reads", "start while running", "reset while running", "response held back", "a kernel ends",
                                    "a fault is read", "reconvergence table written", "a counter is read", "every register read in one run",
                                    "every register written in one run", "a fault of each core first, in one run"};
typedef struct {
    bool holding, running;
    ctl_req_t req;
    unsigned calm;
    uint64_t reads, writes, faults; /* registers, cores seen in this run */
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

static void drive(bench_t *b, env_t *e, const ctrl_out_t *out, ctrl_in_t *in)
{
    ctrl_in_random(&b->rng, in);
    if (!e->holding && vl_chance(&b->rng, 100)) { /* a request stays until it is taken */
        e->holding = true;
        e->req.write = vl_chance(&b->rng, 128);
        e->req.addr = (uint16_t)(8 * vl_below(&b->rng, 0x30) + (vl_chance(&b->rng, 16) ? vl_below(&b->rng, 8) : 0));
        e->req.data = vl_random(&b->rng);
        if (e->req.addr >> 3 == 1)
            e->req.data &= vl_chance(&b->rng, 32) ? 3 : 1;
        if (e->req.addr >> 3 == 0x20)
            e->req.data = vl_below(&b->rng, 4) | (uint64_t)vl_below(&b->rng, CORES + 1) << 16;
        if (vl_chance(&b->rng, 2))
            e->req.addr = (uint16_t)vl_random(&b->rng);
    }
    in->ctl_req_valid = e->holding;
    if (e->holding)
        in->ctl_req = e->req;
    if (e->holding && out->ctl_req_ready) {
        e->holding = false;
        BENCH_COVER(b, COV_READ, !e->req.write);
        if (e->req.addr < 8 * 0x30)
            *(e->req.write ? &e->writes : &e->reads) |= 1ull << (e->req.addr >> 3);
        BENCH_COVER(b, COV_READS, e->reads == (1ull << 0x30) - 1);
        BENCH_COVER(b, COV_WRITES, e->writes == (1ull << 0x30) - 1);
        BENCH_COVER(b, COV_RESTART, e->running && e->req.write && e->req.addr >> 3 == 1 && e->req.data & 1);
        BENCH_COVER(b, COV_RESET, e->running && e->req.write && e->req.addr >> 3 == 1 && e->req.data == 2);
        BENCH_COVER(b, COV_PERF, !e->req.write && e->req.addr == 0x108);
    }
    in->ctl_rsp_ready = vl_chance(&b->rng, b->mode == 1 ? 40 : 220);
    /* Stretches of rest, so that kernels can end. */
    if (e->calm)
        e->calm--;
    else if (vl_chance(&b->rng, 8))
        e->calm = 20;
    in->faulted = b->mode >= 2 && b->cycle % 1024 > 600 ? in->faulted : 0;
    if (e->calm) {
        in->quiet = (bool)1 * ((2ull << (CORES - 1)) - 1);
        in->dispatch_done = true;
    }
    BENCH_COVER(b, COV_STALL, out->ctl_rsp_valid && !in->ctl_rsp_ready);
    BENCH_COVER(b, COV_RECONV, out->reconv_valid);
    BENCH_COVER(b, COV_FAULT, in->ctl_req_valid && out->ctl_req_ready && in->faulted && in->ctl_req.addr >> 3 == 0x28);
    if (in->ctl_req_valid && out->ctl_req_ready && in->faulted && in->ctl_req.addr >> 3 == 0x28 && !in->ctl_req.write)
        e->faults |= (uint64_t)in->faulted & -(uint64_t)in->faulted;
    BENCH_COVER(b, COV_FAULTS, e->faults == (2ull << (CORES - 1)) - 1);
    BENCH_COVER(b, COV_END, e->running && e->calm > 0 && e->calm < 8);
    if (out->kernel_start)
        e->running = true;
}

BENCH_MAIN(ctrl, env_t, start, drive, cover, COV_N)
