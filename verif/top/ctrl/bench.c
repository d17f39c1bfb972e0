/* Bench of ctrl: register traffic at every address; kernels that start, end and fault; cores that are stopped; epochs and maintenance.
 * What a read must give and when each signal must rise is also worked out here, from docs/blocks/ctrl.md and apart from the twin. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "ctrl_ports.h"
#include "sim_c/top/ctrl.h"

enum { COV_READ, COV_RESTART, COV_STOP, COV_STOP_IDLE, COV_STOP_END, COV_STOP_AGAIN, COV_STOP_LONG, COV_STOP_FAULT, COV_START_STOPPING,
       COV_START_RESET, COV_START_END, COV_BOTH, COV_STALL, COV_END, COV_FAULT, COV_RECONV, COV_CORE, COV_SLICE, COV_CHANNEL, COV_BEYOND,
       COV_KIND3, COV_REST, COV_EPOCH_1, COV_EPOCH_FEW, COV_EPOCH_MANY, COV_EPOCH_0, COV_EPOCH_EDGE, COV_MAINT, COV_MAINT_OPS,
       COV_MAINT_BUSY, COV_MAINT_NONE, COV_MAINT_ONCE, COV_MAINT_APART, COV_MAINT_EDGE, COV_DUE, COV_DUE_EPOCH, COV_READS, COV_WRITES,
       COV_FAULTS, COV_VM_READ, COV_VM_WRITE, COV_VM_LATE, COV_TAKEN, COV_REFUSED_RUNNING, COV_REFUSED_STOPPING,
       COV_REFUSED_SELF, COV_NO_CORE, COV_BOTH_RUN, COV_END_BESIDE, COV_FAULT_BESIDE, COV_STOP_BESIDE, COV_CLEAR, COV_NO_CLEAR, COV_N };
static const char *const cover[] = {
    "reads", "start while running", "stop of a running kernel", "stop without a kernel", "stop at the edge of a kernel's end",
    "stop while stopping", "a core is long not quiet under stop", "a fault while stopping", "start while stopping", "start in reset",
    "start at the edge of a kernel's end", "start and stop in one write", "response held back", "a kernel ends by itself", "a fault is read",
    "reconvergence table written", "counter of a core", "counter of a slice", "counter of a channel", "counter of nobody",
    "counter of no kind", "memory side at rest", "epoch of one cycle", "epoch of a few cycles", "epoch of many cycles",
    "the only pulse of EPOCH 0", "EPOCH written at the edge of a pulse", "maintenance", "every operation in one run",
    "MAINT written while one is under way", "an operation that is none", "all slices answer at once", "slices answer apart",
    "MAINT written at the edge of the last answer", "dead time", "dead time up to a pulse", "every register read in one run",
    "every register written in one run", "a fault of each core first, in one run",
    "read of vm_ctl", "write of vm_ctl", "a kernel starts, ends or is stopped while vm_ctl is read", "every core taken by every slot in one run",
    "a core of a kernel that runs is asked for", "a core of a kernel that is stopping is asked for", "a kernel that runs or is stopping asks for cores",
    "start without a core", "all kernels run", "a kernel ends while another runs", "a kernel halts by a fault while another runs", "a kernel is reset while another runs",
    "a kernel starts alone", "a kernel starts beside another"};

enum { R_ID = 0x00, R_CMD, R_STATUS, R_CYCLES, R_CORES = 0x17, R_RECONV_TARGET = 0x19, R_KERNEL_STATUS, R_PERF_SEL = 0x20, R_PERF_DATA, R_FAULT = 0x28, R_SCHED = 0x30,
       R_QUOTA, R_APP_ASIDS, R_QUOTA_IN, R_EPOCH, R_PAGE, R_MAINT, REGS };
enum { OPS = 1 << L2_FLUSH_LINE | 1 << L2_FLUSH_PAGE | 1 << L2_FLUSH_ALL | 1 << L2_INVAL_LINE | 1 << L2_INVAL_PAGE | 1 << L2_INVAL_ALL };
#define NEVER UINT64_MAX
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

/* What must be of a kernel slot, of this cycle. */
typedef struct {
    uint64_t reg[R_PERF_SEL]; /* what the RW registers read */
    uint64_t cycles, taken;   /* taken: cores that it took */
    bool running, start, stop, halt;
    unsigned rst, settle, waited;
} kernel_env_t;

typedef struct {
    /* stimulus */
    bool holding;
    ctl_req_t req;
    unsigned calm, busy, rests; /* cycles for which the cores of one kernel, or of all, are quiet yet, or one is not; which: KERNELS: all */
    uint8_t answer;           /* how readily slices answer */
    uint64_t reads, writes, faults, ops; /* seen in this run */
    /* what must be, of this cycle */
    uint64_t reg[REGS];       /* what the RW registers read */
    kernel_env_t kernel[KERNELS];
    unsigned owner[CORES];
    bool clear;
    uint64_t reconv;          /* cores whose table is written */
    uint64_t counter;         /* PERF_DATA */
    uint64_t pulse, period;   /* cycle of the next epoch pulse */
    uint64_t owed;
    bool rsp, maint;
    unsigned wait;
    uint64_t rsp_data;
    maint_t maint_want;
    bool vm, vm_wait;         /* an access is passed on in this cycle; a read has not been answered */
    ctl_req_t vm_want;
} env_t;

/* Bits that a register keeps; 0 where nothing is kept. */
static uint64_t kept(unsigned reg)
{
    const uint64_t three = LOW(LID_W) | LOW(LID_W) << 16 | LOW(LID_W) << 32;
    switch (reg) {
    case 0x04: return 1;
    case 0x08: case 0x18: return LOW(PA_W);
    case 0x09: case 0x0a: case 0x0d: case 0x13: case 0x15: case 0x16: return ~0ull;
    case 0x0b: case 0x0e: case R_EPOCH: return LOW(32);
    case 0x0c: return three;
    case 0x0f: return LOW(WARP_W + 1);
    case 0x10: return LOW(THREADS);
    case 0x11: return LOW(SLOT_W + 1);
    case 0x12: return LOW(SPAD_W + 1);
    case 0x14: return 63;
    case R_PERF_SEL: return 0x03ff00ff;
    case R_SCHED: return 0x03ff01ff01ff7ff1;
    case R_QUOTA: return 0x03ff000f;
    case R_APP_ASIDS: return ~0ull;
    case R_QUOTA_IN: return 0x3f3f3f3f3f3f3f3f;
    case R_PAGE: return 1;
    default: return 0;
    }
}

static bool stopping(const kernel_env_t *k)
{
    return k->stop || k->rst;
}

static uint64_t cores_of(const env_t *e, unsigned slot)
{
    uint64_t cores = 0;
    for (unsigned c = 0; c < CORES; c++)
        cores |= (uint64_t)(e->owner[c] == slot) << c;
    return cores;
}

static uint64_t expected_kernel(const env_t *e, const ctrl_in_t *in, unsigned slot, unsigned reg)
{
    const kernel_env_t *k = &e->kernel[slot];
    const uint64_t faulted = in->faulted & cores_of(e, slot);
    unsigned core = 0;
    while (faulted && !(faulted >> core & 1))
        core++;
    const fault_t *f = &in->fault[core];
    if (reg >= R_FAULT && reg < R_FAULT + 4 && !faulted)
        return 0;
    switch (reg) {
    case R_CYCLES: return k->cycles;
    case R_CORES: return cores_of(e, slot);
    case R_KERNEL_STATUS: return k->running | (faulted != 0) << 1 | stopping(k) << 3;
    case R_FAULT: return f->cause | core << 16 | (uint64_t)f->warp << 32;
    case R_FAULT + 1: return f->value;
    case R_FAULT + 2: return f->pc;
    case R_FAULT + 3: return f->mask;
    default: return reg >= 0x08 && reg < R_PERF_SEL ? k->reg[reg] : 0;
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
    if (reg >> 9)
        return reg >> 9 < KERNELS ? expected_kernel(e, in, reg >> 9, reg & 511) : 0;
    bool at_rest = in->slice_idle == LOW(SLICES) && in->sched_idle == LOW(CHANNELS) && in->dram_idle == LOW(CHANNELS);
    switch (reg) {
    case R_ID: return 0x004d554c4c455601;
    case R_STATUS: return (unsigned)running | (in->faulted != 0) << 1 | (e->owed != 0) << 2 | stops << 3 | at_rest << 4;
    case R_PERF_DATA: return e->counter;
    case R_MAINT: return e->owed != 0;
    case 0x04: case R_PERF_SEL: case R_SCHED: case R_QUOTA: case R_APP_ASIDS: case R_QUOTA_IN: case R_EPOCH: case R_PAGE: return e->reg[reg];
    default: return expected_kernel(e, in, 0, reg);
    }
}

/* The levels of the memory side show their registers. */
static void check_levels(bench_t *b, const env_t *e, const mem_ctl_t *m)
{
    const sched_policy_t *p = &m->sched;
    uint64_t sched = p->mode | (uint64_t)p->bound << 4 | (uint64_t)p->write_high << 16 | (uint64_t)p->write_low << 32
                     | (uint64_t)p->turn_skip << 48;
    BENCH_CHECK(b, sched == e->reg[R_SCHED], "SCHED and its levels differ");
    BENCH_CHECK(b, (p->app_valid | (uint64_t)p->thresh_max << 16) == e->reg[R_QUOTA], "QUOTA and its levels differ");
    for (unsigned i = 0; i < APPS; i++) {
        BENCH_CHECK(b, p->app_asid[i] == (uint16_t)(e->reg[R_APP_ASIDS] >> (16 * i)), "address space of application %u", i);
        BENCH_CHECK(b, (m->con_ptw[i] | m->warps[i] << 8) == (uint16_t)(e->reg[R_QUOTA_IN] >> (16 * i)), "walks of application %u", i);
    }
    BENCH_CHECK(b, m->page == e->reg[R_PAGE], "PAGE_POLICY and its level differ");
}

static void check_outputs(bench_t *b, const env_t *e, const ctrl_out_t *o)
{
    BENCH_CHECK(b, o->ctl_req_ready == (!e->wait && !e->rsp && !e->vm_wait), "ready %d", o->ctl_req_ready);
    BENCH_CHECK(b, o->perf_idx == (e->reg[R_PERF_SEL] & 255), "PERF_SEL and its level differ");
    BENCH_CHECK(b, o->ctl_rsp_valid == e->rsp, "a read is answered when it was asked, and until the answer is taken");
    BENCH_CHECK(b, !e->rsp || o->ctl_rsp.data == e->rsp_data, "read 0x%" PRIx64 ", expected 0x%" PRIx64, o->ctl_rsp.data, e->rsp_data);
    uint64_t running = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const kernel_env_t *q = &e->kernel[k];
        const uint64_t cores = cores_of(e, k);
        running |= (uint64_t)q->running << k;
        BENCH_CHECK(b, (o->running >> k & 1) == q->running, "running of kernel %u %d, expected %d", k, o->running >> k & 1, q->running);
        BENCH_CHECK(b, (o->kernel_start >> k & 1) == q->start, "kernel_start of kernel %u, expected %d", k, q->start);
        BENCH_CHECK(b, (o->halt >> k & 1) == q->halt, "halt of kernel %u, expected %d", k, q->halt);
        BENCH_CHECK(b, (o->kernel_rst >> k & 1) == (q->rst != 0), "reset of kernel %u, expected %d", k, q->rst != 0);
        BENCH_CHECK(b, (o->core_running & cores) == (q->running ? cores : 0) && (o->core_start & cores) == (q->start ? cores : 0)
                    && (o->core_halt & cores) == (q->halt ? cores : 0) && (o->core_rst & cores) == (q->rst ? cores : 0), "a core of kernel %u hears another's", k);
        BENCH_CHECK(b, o->kernel[k].arg == q->reg[0x09] && o->kernel[k].entry_pc == q->reg[0x08] && o->kernel[k].mem_limit == q->reg[0x16], "registers of kernel %u and their levels differ", k);
    }
    for (unsigned c = 0; c < CORES; c++)
        BENCH_CHECK(b, o->owner[c] == e->owner[c], "core %u belongs to kernel %u, expected %u", c, o->owner[c], e->owner[c]);
    BENCH_CHECK(b, o->perf_clear == e->clear, "perf_clear %d, expected %d", o->perf_clear, e->clear);
    BENCH_CHECK(b, o->reconv_valid == e->reconv, "tables of cores 0x%x are written", (unsigned)o->reconv_valid);
    BENCH_COVER(b, COV_BOTH_RUN, running == LOW(KERNELS));
    BENCH_CHECK(b, o->epoch == (b->cycle == e->pulse), "epoch %d in a cycle that has %d", o->epoch, b->cycle == e->pulse);
    BENCH_CHECK(b, o->maint_valid == e->maint, "maintenance %d, expected %d", o->maint_valid, e->maint);
    BENCH_CHECK(b, !e->maint || (o->maint.op == e->maint_want.op && o->maint.line == e->maint_want.line), "another maintenance than written");
    BENCH_CHECK(b, o->vm_reg_valid == e->vm, "access of vm_ctl %d, expected %d", o->vm_reg_valid, e->vm);
    BENCH_CHECK(b, !e->vm || (o->vm_reg.write == e->vm_want.write && o->vm_reg.addr == e->vm_want.addr >> 3 && o->vm_reg.data == e->vm_want.data), "another access than asked for");
    check_levels(b, e, &o->mem_ctl);
}

static void cover_write(bench_t *b, const env_t *e, const ctrl_in_t *in, unsigned slot, unsigned reg, uint64_t d, uint64_t ends)
{
    if (slot < KERNELS) {
        const kernel_env_t *k = &e->kernel[slot];
        BENCH_COVER(b, COV_RESTART, k->running && reg == R_CMD && d & 1 && !(d & 2) && !stopping(k));
        BENCH_COVER(b, COV_STOP, k->running && reg == R_CMD && d & 2 && !stopping(k) && !(ends >> slot & 1));
        BENCH_COVER(b, COV_STOP_IDLE, !k->running && reg == R_CMD && d & 2 && !stopping(k));
        BENCH_COVER(b, COV_STOP_END, ends >> slot & 1 && !k->stop && reg == R_CMD && d & 2);
        BENCH_COVER(b, COV_STOP_AGAIN, reg == R_CMD && d & 2 && k->stop);
        BENCH_COVER(b, COV_START_STOPPING, reg == R_CMD && d & 1 && k->stop);
        BENCH_COVER(b, COV_START_RESET, reg == R_CMD && d & 1 && k->rst);
        BENCH_COVER(b, COV_START_END, ends >> slot & 1 && !k->stop && reg == R_CMD && (d & 3) == 1);
        BENCH_COVER(b, COV_BOTH, reg == R_CMD && (d & 3) == 3 && !stopping(k));
        BENCH_COVER(b, COV_NO_CORE, KERNELS == 1 || (reg == R_CMD && (d & 3) == 1 && !stopping(k) && !cores_of(e, slot)));
        BENCH_COVER(b, COV_REFUSED_SELF, reg == R_CORES && (k->running || stopping(k)));
    }
    if (slot)
        return;
    BENCH_COVER(b, COV_EPOCH_EDGE, reg == R_EPOCH && e->pulse == b->cycle + 1);
    BENCH_COVER(b, COV_MAINT_BUSY, reg == R_MAINT && e->owed);
    BENCH_COVER(b, COV_MAINT_NONE, reg == R_MAINT && !e->owed && !(OPS >> (d & 7) & 1));
    BENCH_COVER(b, COV_MAINT_EDGE, reg == R_MAINT && e->owed && !(e->owed & ~(uint64_t)in->maint_done));
}

/* A write taken in this cycle; `e` has been brought to the next cycle without it, `was` is this one. */
static void expect_kernel_write(bench_t *b, env_t *e, const env_t *was, unsigned slot, unsigned reg, uint64_t d)
{
    kernel_env_t *k = &e->kernel[slot];
    const kernel_env_t *then = &was->kernel[slot];
    const uint64_t cores = cores_of(was, slot);
    if (reg >= 0x08 && reg < R_PERF_SEL && kept(reg))
        k->reg[reg] = d & kept(reg);
    if (reg == R_RECONV_TARGET)
        e->reconv = cores;
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
    if (d & 2) {
        k->stop = true;
        k->settle = k->waited = 0;
    } else if (d & 1 && cores) {
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
    if (reg < REGS && (reg == 0x04 || reg >= R_PERF_SEL) && kept(reg))
        e->reg[reg] = d & kept(reg);
    if (reg == R_PERF_SEL)
        e->wait = 3;
    if (reg == R_EPOCH) {
        e->pulse = b->cycle + 1;
        e->period = (uint32_t)d;
    }
    if (reg == R_MAINT && !was->owed && OPS >> (d & 7) & 1) {
        bool all = (d & 7) == L2_FLUSH_ALL || (d & 7) == L2_INVAL_ALL;
        e->maint = true;
        e->maint_want = (maint_t){.op = d & 7, .line = all ? 0 : (d & LOW(PA_W)) >> LINE_OFF_W};
        e->owed = LOW(SLICES);
        e->ops |= 1u << (d & 7);
    }
}

/* Brings what must be from this cycle to the next. */
static void expect(bench_t *b, env_t *e, const ctrl_out_t *out, const ctrl_in_t *in)
{
    const env_t was = *e;
    bool any = in->ctl_req_valid && out->ctl_req_ready, far = any && in->ctl_req.addr >= 0x200 && in->ctl_req.addr < 0x1000, take = any && !far;
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
    unsigned unit = e->reg[R_PERF_SEL] >> 16 & 255, kind = e->reg[R_PERF_SEL] >> 24 & 3;
    e->counter = kind == 0 && unit < CORES ? in->perf_data[unit] : kind == 1 && unit < SLICES ? in->slice_perf[unit]
                 : kind == 2 && unit < CHANNELS ? in->channel_perf[unit] : 0;
    e->wait -= e->wait != 0;
    for (unsigned q = 0; q < KERNELS; q++) {
        kernel_env_t *k = &e->kernel[q];
        const uint64_t cores = cores_of(&was, q);
        const bool quiet = (in->quiet & cores) == cores, faulted = in->faulted & cores;
        const bool rest = quiet && !k->start && (k->stop ? k->halt : k->running && ((in->dispatch_done >> q & 1) || faulted)), end = rest && k->settle == 7;
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
    e->owed &= ~(uint64_t)in->maint_done;
    BENCH_COVER(b, COV_MAINT_ONCE, was.owed == LOW(SLICES) && !e->owed);
    BENCH_COVER(b, COV_MAINT_APART, SLICES == 1 || (was.owed && was.owed != LOW(SLICES) && !e->owed));
    if (take && in->ctl_req.write) {
        const unsigned slot = reg >> 9;
        cover_write(b, &was, in, slot, reg & 511, in->ctl_req.data, ends);
        if (slot < KERNELS)
            expect_kernel_write(b, e, &was, slot, reg & 511, in->ctl_req.data);
        if (!slot)
            expect_write(b, e, &was, reg, in->ctl_req.data);
    }
    BENCH_COVER(b, COV_MAINT, e->maint);
    BENCH_COVER(b, COV_MAINT_OPS, e->ops == OPS);
    BENCH_COVER(b, COV_REST, take && !in->ctl_req.write && reg == R_STATUS && e->rsp_data & 16);
    if (take && !in->ctl_req.write && reg == R_PERF_DATA) {
        BENCH_COVER(b, COV_CORE, kind == 0 && unit < CORES && e->rsp_data);
        BENCH_COVER(b, COV_SLICE, kind == 1 && unit < SLICES && e->rsp_data);
        BENCH_COVER(b, COV_CHANNEL, kind == 2 && unit < CHANNELS && e->rsp_data);
        BENCH_COVER(b, COV_BEYOND, kind < 3 && !e->rsp_data);
        BENCH_COVER(b, COV_KIND3, kind == 3 && !e->rsp_data);
    }
}

/* ctrl_due, ctrl_count and ctrl_idle: a second twin with the same past, clocked through dead time and brought over it. */
static union { max_align_t align; unsigned char bytes[4096]; } shadow, clocked, counted;

static void check_due(bench_t *b, const ctrl_in_t *in)
{
    ctrl_t *s = (ctrl_t *)shadow.bytes, *t = (ctrl_t *)clocked.bytes, *u = (ctrl_t *)counted.bytes;
    ctrl_tick(s, in);
    uint64_t due = ctrl_due(s), n = 1 + vl_below(&b->rng, 40);
    if (n > due || due < 60)
        n = due;
    memcpy(t, s, ctrl_size());
    memcpy(u, s, ctrl_size());
    ctrl_in_t same = *in;
    same.ctl_req_valid = false;
    same.maint_done = 0;
    same.vm_rsp_valid = false;
    for (uint64_t i = 0; i < n; i++)
        ctrl_tick(t, &same);
    ctrl_count(u, n);
    BENCH_CHECK(b, !memcmp(t, u, ctrl_size()), "%" PRIu64 " cycles counted, %" PRIu64 " clocked: they differ", n, n);
    BENCH_CHECK(b, !ctrl_idle(s) || !memcmp(t, s, ctrl_size()), "not idle");
    BENCH_COVER(b, COV_DUE, n > 1);
    if (n && n == due) {
        ctrl_out_t o = {0};
        ctrl_tick(t, &same);
        ctrl_out(t, &o);
        BENCH_CHECK(b, o.epoch, "no pulse after %" PRIu64 " cycles", due);
        BENCH_COVER(b, COV_DUE_EPOCH, true);
    }
}

static void start(bench_t *b, env_t *e)
{
    BENCH_CHECK(b, ctrl_size() <= sizeof shadow, "a larger twin than the bench has room for");
    memset(&shadow, 0, sizeof shadow);
    ctrl_reset((ctrl_t *)shadow.bytes);
    for (unsigned k = 0; k < KERNELS; k++)
        e->kernel[k].rst = 3;
    e->pulse = NEVER;
    e->reg[R_SCHED] = 256 << 4 | (3ull * SCHED_WRITES / 4) << 16 | (SCHED_WRITES / 4ull) << 32 | 500ull << 48;
    e->reg[R_QUOTA] = 500 << 16;
    e->answer = (uint8_t[]){255, 40, 4}[vl_below(&b->rng, 3)];
}

static uint64_t command(bench_t *b)
{
    unsigned r = vl_below(&b->rng, 16);
    return (vl_random(&b->rng) & ~3ull) | (r < 10 ? 1 : r < 13 ? 2 : r < 15 ? 3 : 0);
}

static void new_request(bench_t *b, env_t *e)
{
    static const uint8_t favourites[] = {R_CMD, R_CMD, R_STATUS, R_PERF_SEL, R_PERF_DATA, R_EPOCH, R_MAINT, R_MAINT, R_CORES, R_CORES};
    unsigned slot = vl_below(&b->rng, KERNELS + 1) % KERNELS;
    unsigned reg = vl_chance(&b->rng, 100) ? favourites[vl_below(&b->rng, sizeof favourites)] : vl_below(&b->rng, REGS + 1);
    if (vl_chance(&b->rng, 20))
        reg = 0x40 + vl_below(&b->rng, 0x60);
    e->holding = true;
    e->req.write = vl_chance(&b->rng, 128);
    /* At the edge of a kernel's end, of a pulse, of the last answer. */
    for (unsigned k = 0; k < KERNELS; k++)
        if (e->kernel[k].running && !e->kernel[k].stop && e->kernel[k].settle == 7 && vl_chance(&b->rng, 128))
            reg = R_CMD, e->req.write = true, slot = k;
    if (e->pulse == b->cycle + 1 && e->period > 1 && vl_chance(&b->rng, 128))
        reg = R_EPOCH, e->req.write = true;
    else if (e->owed && vl_chance(&b->rng, 32))
        reg = R_MAINT, e->req.write = true;
    /* CMD, CORES and the other kernel registers of each slot; those of the machine in slot 0's range, but now and then */
    if (!kept(reg) ? reg != R_CMD && reg != R_CORES && reg != R_KERNEL_STATUS && reg != R_CYCLES && reg != R_RECONV_TARGET && (reg < R_FAULT || reg >= R_SCHED) : reg == 0x04 || reg >= R_PERF_SEL)
        slot = vl_chance(&b->rng, 240) ? 0 : vl_below(&b->rng, 16);
    e->req.addr = (uint16_t)(0x1000 * slot + 8 * reg + (vl_chance(&b->rng, 16) ? vl_below(&b->rng, 8) : 0));
    e->req.data = vl_random(&b->rng);
    if (reg == R_CMD)
        e->req.data = command(b);
    if (reg == R_PERF_SEL) /* near the numbers that exist */
        e->req.data = vl_below(&b->rng, 256) | (uint64_t)vl_below(&b->rng, (CORES > SLICES ? CORES : SLICES) + 2) << 16
                      | (uint64_t)vl_below(&b->rng, 4) << 24 | (e->req.data & ~LOW(26));
    if (reg == R_EPOCH && vl_chance(&b->rng, 230))
        e->req.data = (e->req.data & ~LOW(32)) | vl_below(&b->rng, vl_chance(&b->rng, 128) ? 6 : 900);
    if (vl_chance(&b->rng, 2))
        e->req.addr = (uint16_t)vl_random(&b->rng);
}

static void drive(bench_t *b, env_t *e, const ctrl_out_t *out, ctrl_in_t *in)
{
    check_outputs(b, e, out);
    ctrl_in_random(&b->rng, in);
    in->vm_rsp_valid = e->vm_wait && !e->vm && vl_chance(&b->rng, 100);
    if (!e->holding && vl_chance(&b->rng, 100)) /* a request stays until it is taken */
        new_request(b, e);
    in->ctl_req_valid = e->holding;
    if (e->holding)
        in->ctl_req = e->req;
    in->ctl_rsp_ready = vl_chance(&b->rng, b->mode == 1 ? 40 : 220);
    in->faulted = b->mode >= 2 && b->cycle % 1024 > 600 ? in->faulted : 0;
    if (vl_chance(&b->rng, 100)) /* of one core alone */
        in->faulted &= 1ull << vl_below(&b->rng, CORES);
    for (uint64_t s = 0; s < SLICES; s++)
        if (!vl_chance(&b->rng, e->answer))
            in->maint_done &= ~(1ull << s);
    if (vl_chance(&b->rng, 128)) { /* the memory side is not always busy */
        in->slice_idle = LOW(SLICES);
        in->sched_idle = LOW(CHANNELS);
        in->dram_idle = LOW(CHANNELS);
        if (vl_chance(&b->rng, 128)) /* one block alone is */
            *(uint8_t *[]){(uint8_t *)&in->slice_idle, (uint8_t *)&in->sched_idle, (uint8_t *)&in->dram_idle}[vl_below(&b->rng, 3)] &= ~1;
    }
    /* Stretches of rest, so that kernels and stops can end, and of a core that is not quiet. */
    if (e->calm)
        e->calm--;
    else if (e->busy)
        e->busy--;
    else if (vl_chance(&b->rng, 8))
        e->calm = 5 + vl_below(&b->rng, 30), e->rests = vl_below(&b->rng, KERNELS + 1);
    else if (vl_chance(&b->rng, 1))
        e->busy = 50 + vl_below(&b->rng, 100);
    if (e->calm) {
        const uint64_t cores = e->rests == KERNELS ? LOW(CORES) : cores_of(e, e->rests);
        in->quiet |= cores;
        in->dispatch_done |= e->rests == KERNELS ? LOW(KERNELS) : 1ull << e->rests;
        if (e->rests < KERNELS) /* the others go on */
            in->quiet &= cores | vl_random(&b->rng) << 1;
    } else if (e->busy) {
        in->quiet &= (uint64_t)in->quiet - 1;
    }
    if (in->ctl_req_valid && out->ctl_req_ready) {
        e->holding = false;
        BENCH_COVER(b, COV_READ, !e->req.write);
        if (e->req.addr < 8 * REGS)
            *(e->req.write ? &e->writes : &e->reads) |= 1ull << (e->req.addr >> 3);
        BENCH_COVER(b, COV_READS, e->reads == LOW(REGS));
        BENCH_COVER(b, COV_WRITES, e->writes == LOW(REGS));
        const unsigned slot = in->ctl_req.addr >> 12;
        const uint64_t faulted = slot < KERNELS ? in->faulted & cores_of(e, slot) : 0;
        bool fault = faulted && (in->ctl_req.addr & 0xff8) == 8 * R_FAULT && !in->ctl_req.write;
        BENCH_COVER(b, COV_FAULT, fault);
        if (fault)
            e->faults |= faulted & -faulted;
        BENCH_COVER(b, COV_FAULTS, e->faults == LOW(CORES));
    }
    BENCH_COVER(b, COV_STALL, out->ctl_rsp_valid && !in->ctl_rsp_ready);
    BENCH_COVER(b, COV_RECONV, out->reconv_valid);
    expect(b, e, out, in);
    check_due(b, in);
}

BENCH_MAIN(ctrl, env_t, start, drive, cover, COV_N)
