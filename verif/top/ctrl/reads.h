/* The expected value of a read, by the bench's state and the inputs of this cycle */
#ifndef VERIF_CTRL_READS_H
#define VERIF_CTRL_READS_H
#include "verif/top/ctrl/env.h"

static uint64_t expected_kernel(const env_t *e, const ctrl_in_t *in, unsigned slot, unsigned reg)
{
    const kernel_env_t *k = &e->kernel[slot];
    const uint64_t faulted = in->faulted & cores_of(e, slot);
    unsigned core = 0;
    while (faulted && !(faulted >> core & 1))
        core++;
    const fault_t *f = &in->fault[core];
    switch (reg * 8) {
    case REG_CYCLES: return k->cycles;
    case REG_CORES: return cores_of(e, slot);
    case REG_KERNEL_STATUS:
        return reg_kernel_status_put(
            (reg_kernel_status_t){.running = k->running, .fault = faulted, .stopping = stopping(k)});
    case REG_FAULT_CAUSE:
        return faulted
                   ? reg_fault_cause_put((reg_fault_cause_t){.cause = f->cause, .core = (uint8_t)core, .warp = f->warp})
                   : 0;
    case REG_FAULT_VALUE: return faulted ? f->value : 0;
    case REG_FAULT_PC: return faulted ? f->pc : 0;
    case REG_FAULT_MASK: return faulted ? f->mask : 0;
    default: return reg < REGS && known[reg].of_kernel ? k->reg[reg] : 0;
    }
}

/* `reg`: the whole address, by registers. */
static uint64_t expected(const env_t *e, const ctrl_in_t *in, unsigned reg)
{
    bool running = false, stops = false;
    for (unsigned k = 0; k < KERNELS; k++) {
        running |= e->kernel[k].running;
        stops |= stopping(&e->kernel[k]);
    }
    if (reg >= SLOT_REGS)
        return reg / SLOT_REGS < KERNELS ? expected_kernel(e, in, reg / SLOT_REGS, reg % SLOT_REGS) : 0;
    bool at_rest =
        in->slice_idle == LOW(SLICES) && in->sched_idle == LOW(MEM_CHANNELS) && in->dram_idle == LOW(MEM_CHANNELS);
    switch (reg * 8) {
    case REG_STATUS:
        return reg_status_put((reg_status_t){
            .running = running, .fault = in->faulted, .maint = e->pending, .stopping = stops, .rest = at_rest});
    case REG_PERF_DATA: return e->counter;
    case REG_MAINT: return reg_maint_read_put((reg_maint_read_t){.busy = e->pending});
    default: return of_machine(reg) ? e->reg[reg] : expected_kernel(e, in, 0, reg);
    }
}
#endif
