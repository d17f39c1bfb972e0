/* Effects of a write: on a kernel slot, on the machine */
#ifndef VERIF_CTRL_WRITES_H
#define VERIF_CTRL_WRITES_H
#include "verif/top/ctrl/cover.h"
#include "verif/top/ctrl/env.h"

static void cover_write(bench_t *b, const env_t *e, const ctrl_in_t *in, unsigned slot, unsigned reg, uint64_t d,
                        uint64_t ends)
{
    if (slot < KERNELS) {
        const kernel_env_t *k = &e->kernel[slot];
        const reg_cmd_t cmd = reg_cmd_get(d);
        BENCH_COVER(b, COV_RESTART, k->running && reg == R_CMD && cmd.start && !cmd.stop && !stopping(k));
        BENCH_COVER(b, COV_STOP, k->running && reg == R_CMD && cmd.stop && !stopping(k) && !(ends >> slot & 1));
        BENCH_COVER(b, COV_STOP_IDLE, !k->running && reg == R_CMD && cmd.stop && !stopping(k));
        BENCH_COVER(b, COV_STOP_END, ends >> slot & 1 && !k->stop && reg == R_CMD && cmd.stop);
        BENCH_COVER(b, COV_STOP_AGAIN, reg == R_CMD && cmd.stop && k->stop);
        BENCH_COVER(b, COV_START_STOPPING, reg == R_CMD && cmd.start && k->stop);
        BENCH_COVER(b, COV_START_RESET, reg == R_CMD && cmd.start && k->rst);
        BENCH_COVER(b, COV_START_END, ends >> slot & 1 && !k->stop && reg == R_CMD && cmd.start && !cmd.stop);
        BENCH_COVER(b, COV_BOTH, reg == R_CMD && cmd.start && cmd.stop && !stopping(k));
        BENCH_COVER(b, COV_NO_CORE,
                    KERNELS == 1 || (reg == R_CMD && cmd.start && !cmd.stop && !stopping(k) && !cores_of(e, slot)));
        BENCH_COVER(b, COV_REFUSED_SELF, reg == R_CORES && (k->running || stopping(k)));
    }
    if (slot)
        return;
    BENCH_COVER(b, COV_EPOCH_EDGE, reg == R_EPOCH && e->pulse == b->cycle + 1);
    BENCH_COVER(b, COV_MAINT_BUSY, reg == R_MAINT && e->pending);
    BENCH_COVER(b, COV_MAINT_NONE, reg == R_MAINT && !e->pending && !(OPS >> reg_maint_get(d).op & 1));
    BENCH_COVER(b, COV_MAINT_EDGE, reg == R_MAINT && e->pending && !(e->pending & ~(uint64_t)in->maint_done));
}

/* A write taken in this cycle; `e` has been brought to the next cycle without it, `was` is this one. */
static void expect_kernel_write(bench_t *b, env_t *e, const env_t *was, unsigned slot, unsigned reg, uint64_t d)
{
    kernel_env_t *k = &e->kernel[slot];
    const kernel_env_t *then = &was->kernel[slot];
    const uint64_t cores = cores_of(was, slot);
    if (reg < REGS && known[reg].of_kernel && kept(reg))
        k->reg[reg] = d & kept(reg);
    if (reg == R_RECONV_TARGET) {
        const reg_reconv_target_t r = reg_reconv_target_get(d);
        e->reconv = cores;
        e->reconv_want = (reconv_write_t){.index = r.index & LOW(RECONV_SET_W),
                                          .way = r.way,
                                          .valid = r.valid,
                                          .pc = reg_reconv_pc_get(then->reg[REG_RECONV_PC / 8]).pc,
                                          .target = r.pc};
    }
    if (reg == R_CORES && !then->running && !stopping(then))
        for (unsigned c = 0; c < CORES; c++) {
            const kernel_env_t *from = &was->kernel[was->owner[c]];
            BENCH_COVER(b, COV_REFUSED_RUNNING, KERNELS == 1 || (d >> c & 1 && from->running));
            BENCH_COVER(b, COV_REFUSED_STOPPING, KERNELS == 1 || (d >> c & 1 && stopping(from)));
            if (!(d >> c & 1) || from->running || stopping(from))
                continue;
            e->owner[c] = slot;
            k->taken |= 1ull << c;
        }
    bool all = true;
    for (unsigned q = 0; q < KERNELS; q++)
        all &= e->kernel[q].taken == LOW(CORES);
    BENCH_COVER(b, COV_TAKEN, all);
    if (reg != R_CMD || stopping(then))
        return;
    if (reg_cmd_get(d).stop) {
        k->stop = true;
        k->settle = k->waited = 0;
    } else if (reg_cmd_get(d).start && cores) {
        bool beside = false;
        for (unsigned q = 0; q < KERNELS; q++)
            beside |= q != slot && was->kernel[q].running;
        k->start = k->running = true;
        k->cycles = k->settle = 0;
        e->clear = !beside;
        BENCH_COVER(b, COV_CLEAR, !beside);
        BENCH_COVER(b, COV_NO_CLEAR, KERNELS == 1 || beside);
    }
}

static void expect_write(bench_t *b, env_t *e, const env_t *was, unsigned reg, uint64_t d)
{
    if (of_machine(reg) && kept(reg))
        e->reg[reg] = d & kept(reg);
    if (reg == R_PERF_SEL)
        e->wait = 3;
    if (reg == R_EPOCH) {
        e->pulse = b->cycle + 1;
        e->period = reg_epoch_get(d).cycles;
    }
    const reg_maint_t m = reg_maint_get(d);
    if (reg == R_MAINT && !was->pending && OPS >> m.op & 1) {
        bool all = m.op == L2_FLUSH_ALL || m.op == L2_INVAL_ALL;
        e->maint = true;
        e->maint_want = (maint_t){.op = m.op, .line = all ? 0 : m.line * 64 / LINE_BYTES};
        e->pending = LOW(SLICES);
        e->ops |= 1u << m.op;
    }
}
#endif
