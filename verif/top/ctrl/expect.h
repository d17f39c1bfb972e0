/* Expected in the next cycle: a read, an access passed on, counters, kernels that end, pulses and maintenance */
#ifndef VERIF_CTRL_EXPECT_H
#define VERIF_CTRL_EXPECT_H
#include "verif/top/ctrl/cover.h"
#include "verif/top/ctrl/env.h"
#include "verif/top/ctrl/reads.h"
#include "verif/top/ctrl/writes.h"

/* Brings the expected state from this cycle to the next. */
static void expect(bench_t *b, env_t *e, const ctrl_out_t *out, const ctrl_in_t *in)
{
    const env_t was = *e;
    bool any = in->ctl_req_valid && out->ctl_req_ready,
         far = any && in->ctl_req.addr >= REG_FIRST_VM_CTL && in->ctl_req.addr < REG_KERNEL_STRIDE, take = any && !far;
    unsigned reg = in->ctl_req.addr >> 3;
    uint64_t ends = 0, starts = 0;
    if (e->rsp && in->ctl_rsp_ready)
        e->rsp = false;
    if (in->vm_rsp_valid) {
        e->rsp = true;
        e->rsp_data = in->vm_rsp;
        e->vm_wait = false;
    }
    e->vm = far;
    if (far) {
        e->vm_want = in->ctl_req;
        e->vm_wait = !in->ctl_req.write;
        BENCH_COVER(b, COV_VM_READ, !in->ctl_req.write);
        BENCH_COVER(b, COV_VM_WRITE, in->ctl_req.write);
    }
    if (take && !in->ctl_req.write) {
        e->rsp = true;
        e->rsp_data = expected(&was, in, reg);
    }
    e->counter = in->perf_data;
    e->wait -= e->wait != 0;
    for (unsigned q = 0; q < KERNELS; q++) {
        kernel_env_t *k = &e->kernel[q];
        const uint64_t cores = cores_of(&was, q);
        const bool quiet = (in->quiet & cores) == cores, faulted = in->faulted & cores;
        const bool rest = quiet && !k->start
                          && (k->stop ? k->halt : k->running && ((in->dispatch_done >> q & 1) || faulted)),
                   end = rest && k->settle == 7;
        bool beside = false;
        for (unsigned o = 0; o < KERNELS; o++)
            beside |= KERNELS == 1 || (o != q && was.kernel[o].running);
        ends |= (uint64_t)end << q;
        starts |= (uint64_t)k->start << q;
        k->halt = (faulted || k->stop) && !k->rst;
        k->settle = rest ? k->settle + !end : 0;
        k->rst -= k->rst != 0;
        k->cycles += k->running;
        k->waited += k->stop && !quiet;
        k->start = false;
        BENCH_COVER(b, COV_STOP_FAULT, k->stop && faulted);
        BENCH_COVER(b, COV_STOP_LONG, end && k->stop && k->waited > 40);
        BENCH_COVER(b, COV_END, end && !k->stop);
        BENCH_COVER(b, COV_END_BESIDE, end && !k->stop && !faulted && beside);
        BENCH_COVER(b, COV_FAULT_BESIDE, end && !k->stop && faulted && beside);
        BENCH_COVER(b, COV_STOP_BESIDE, end && k->stop && beside);
        if (end) {
            k->running = false;
            k->rst = k->stop ? 3 : k->rst;
            k->stop = false;
        }
    }
    BENCH_COVER(b, COV_VM_LATE, was.vm_wait && (ends || starts));
    e->clear = false;
    e->reconv = 0;
    e->maint = false;
    if (b->cycle == e->pulse) {
        BENCH_COVER(b, COV_EPOCH_0, e->period == 0);
        BENCH_COVER(b, COV_EPOCH_1, e->period == 1);
        BENCH_COVER(b, COV_EPOCH_FEW, e->period > 1 && e->period < 8);
        BENCH_COVER(b, COV_EPOCH_MANY, e->period > 200 && e->period < 2000);
        e->pulse = e->period ? b->cycle + e->period : NEVER;
    }
    e->pending &= ~(uint64_t)in->maint_done;
    BENCH_COVER(b, COV_MAINT_ONCE, was.pending == LOW(SLICES) && !e->pending);
    BENCH_COVER(b, COV_MAINT_APART, SLICES == 1 || (was.pending && was.pending != LOW(SLICES) && !e->pending));
    if (take && in->ctl_req.write) {
        const unsigned slot = reg / SLOT_REGS;
        cover_write(b, &was, in, slot, reg % SLOT_REGS, in->ctl_req.data, ends);
        if (slot < KERNELS)
            expect_kernel_write(b, e, &was, slot, reg % SLOT_REGS, in->ctl_req.data);
        if (!slot)
            expect_write(b, e, &was, reg, in->ctl_req.data);
    }
    BENCH_COVER(b, COV_MAINT, e->maint);
    BENCH_COVER(b, COV_MAINT_OPS, e->ops == OPS);
    BENCH_COVER(b, COV_REST, take && !in->ctl_req.write && reg == R_STATUS && reg_status_get(e->rsp_data).rest);
    if (take && !in->ctl_req.write && reg == R_PERF_DATA) {
        BENCH_COVER(b, COV_COUNTER, e->rsp_data);
        BENCH_COVER(b, COV_NO_COUNTER, !e->rsp_data);
    }
}
#endif
