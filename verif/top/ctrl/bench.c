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
       COV_FAULTS, COV_VM_READ, COV_VM_WRITE, COV_VM_LATE, COV_N };
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
    "read of vm_ctl", "write of vm_ctl", "a kernel starts, ends or is stopped while vm_ctl is read"};

enum { R_ID = 0x00, R_CMD, R_STATUS, R_CYCLES, R_RECONV_TARGET = 0x19, R_PERF_SEL = 0x20, R_PERF_DATA, R_FAULT = 0x28, R_SCHED = 0x30,
       R_QUOTA, R_APP_ASIDS, R_QUOTA_IN, R_EPOCH, R_PAGE, R_MAINT, REGS };
enum { OPS = 1 << L2_FLUSH_LINE | 1 << L2_FLUSH_PAGE | 1 << L2_FLUSH_ALL | 1 << L2_INVAL_LINE | 1 << L2_INVAL_PAGE | 1 << L2_INVAL_ALL };
#define NEVER UINT64_MAX
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

typedef struct {
    /* stimulus */
    bool holding;
    ctl_req_t req;
    unsigned calm, busy;      /* cycles for which all cores are quiet yet, one is not */
    uint8_t answer;           /* how readily slices answer */
    uint64_t reads, writes, faults, ops; /* seen in this run */
    /* what must be, of this cycle */
    uint64_t reg[REGS];       /* what the RW registers read */
    uint64_t cycles, counter; /* CYCLES, PERF_DATA */
    uint64_t pulse, period;   /* cycle of the next epoch pulse */
    uint64_t owed;
    bool running, start, stop, halt, rsp, maint;
    unsigned rst, settle, wait, waited;
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

static bool stopping(const env_t *e)
{
    return e->stop || e->rst;
}

static uint64_t expected(const env_t *e, const ctrl_in_t *in, unsigned reg)
{
    unsigned core = 0;
    while (in->faulted && !((uint64_t)in->faulted >> core & 1))
        core++;
    const fault_t *f = &in->fault[core];
    bool at_rest = in->slice_idle == LOW(SLICES) && in->sched_idle == LOW(CHANNELS) && in->dram_idle == LOW(CHANNELS);
    if (reg >= R_FAULT && reg < R_FAULT + 4 && !in->faulted)
        return 0;
    switch (reg) {
    case R_ID: return 0x004d554c4c455601;
    case R_STATUS: return (unsigned)e->running | (in->faulted != 0) << 1 | (e->owed != 0) << 2 | stopping(e) << 3 | at_rest << 4;
    case R_CYCLES: return e->cycles;
    case R_PERF_DATA: return e->counter;
    case R_FAULT: return f->cause | core << 16 | (uint64_t)f->warp << 32;
    case R_FAULT + 1: return f->value;
    case R_FAULT + 2: return f->pc;
    case R_FAULT + 3: return f->mask;
    case R_MAINT: return e->owed != 0;
    default: return reg < REGS ? e->reg[reg] : 0;
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
    BENCH_CHECK(b, o->running == e->running, "running %d, expected %d", o->running, e->running);
    BENCH_CHECK(b, o->kernel_start == e->start, "kernel_start %d, expected %d", o->kernel_start, e->start);
    BENCH_CHECK(b, o->halt == e->halt, "halt %d, expected %d", o->halt, e->halt);
    BENCH_CHECK(b, o->core_rst == (e->rst != 0), "core_rst %d, expected %d", o->core_rst, e->rst != 0);
    BENCH_CHECK(b, o->epoch == (b->cycle == e->pulse), "epoch %d in a cycle that has %d", o->epoch, b->cycle == e->pulse);
    BENCH_CHECK(b, o->maint_valid == e->maint, "maintenance %d, expected %d", o->maint_valid, e->maint);
    BENCH_CHECK(b, !e->maint || (o->maint.op == e->maint_want.op && o->maint.line == e->maint_want.line), "another maintenance than written");
    BENCH_CHECK(b, o->vm_reg_valid == e->vm, "access of vm_ctl %d, expected %d", o->vm_reg_valid, e->vm);
    BENCH_CHECK(b, !e->vm || (o->vm_reg.write == e->vm_want.write && o->vm_reg.addr == e->vm_want.addr >> 3 && o->vm_reg.data == e->vm_want.data), "another access than asked for");
    check_levels(b, e, &o->mem_ctl);
}

static void cover_write(bench_t *b, const env_t *e, const ctrl_in_t *in, unsigned reg, uint64_t d, bool ends)
{
    BENCH_COVER(b, COV_RESTART, e->running && reg == R_CMD && d & 1 && !(d & 2) && !stopping(e));
    BENCH_COVER(b, COV_STOP, e->running && reg == R_CMD && d & 2 && !stopping(e) && !ends);
    BENCH_COVER(b, COV_STOP_IDLE, !e->running && reg == R_CMD && d & 2 && !stopping(e));
    BENCH_COVER(b, COV_STOP_END, ends && !e->stop && reg == R_CMD && d & 2);
    BENCH_COVER(b, COV_STOP_AGAIN, reg == R_CMD && d & 2 && e->stop);
    BENCH_COVER(b, COV_START_STOPPING, reg == R_CMD && d & 1 && e->stop);
    BENCH_COVER(b, COV_START_RESET, reg == R_CMD && d & 1 && e->rst);
    BENCH_COVER(b, COV_START_END, ends && !e->stop && reg == R_CMD && (d & 3) == 1);
    BENCH_COVER(b, COV_BOTH, reg == R_CMD && (d & 3) == 3 && !stopping(e));
    BENCH_COVER(b, COV_EPOCH_EDGE, reg == R_EPOCH && e->pulse == b->cycle + 1);
    BENCH_COVER(b, COV_MAINT_BUSY, reg == R_MAINT && e->owed);
    BENCH_COVER(b, COV_MAINT_NONE, reg == R_MAINT && !e->owed && !(OPS >> (d & 7) & 1));
    BENCH_COVER(b, COV_MAINT_EDGE, reg == R_MAINT && e->owed && !(e->owed & ~(uint64_t)in->maint_done));
}

/* A write taken in this cycle; `e` has been brought to the next cycle without it, `was` is this one. */
static void expect_write(bench_t *b, env_t *e, const env_t *was, unsigned reg, uint64_t d)
{
    if (reg < REGS && kept(reg))
        e->reg[reg] = d & kept(reg);
    if (reg == R_CMD && !stopping(was)) {
        e->settle = d & 3 ? 0 : e->settle;
        if (d & 2) {
            e->stop = true;
            e->waited = 0;
        } else if (d & 1) {
            e->start = e->running = true;
            e->cycles = 0;
        }
    }
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
    bool any = in->ctl_req_valid && out->ctl_req_ready, far = any && in->ctl_req.addr >= 0x200, take = any && !far;
    unsigned reg = in->ctl_req.addr >> 3;
    bool quiet = in->quiet == LOW(CORES);
    bool rest = quiet && !e->start && (e->stop ? e->halt : e->running && (in->dispatch_done || in->faulted));
    bool ends = rest && e->settle == 7;

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
    BENCH_COVER(b, COV_VM_LATE, was.vm_wait && (ends || was.start));
    if (take && !in->ctl_req.write) {
        e->rsp = true;
        e->rsp_data = expected(&was, in, reg);
    }
    unsigned unit = e->reg[R_PERF_SEL] >> 16 & 255, kind = e->reg[R_PERF_SEL] >> 24 & 3;
    e->counter = kind == 0 && unit < CORES ? in->perf_data[unit] : kind == 1 && unit < SLICES ? in->slice_perf[unit]
                 : kind == 2 && unit < CHANNELS ? in->channel_perf[unit] : 0;
    e->halt = (in->faulted || e->stop) && !e->rst;
    e->settle = rest ? e->settle + !ends : 0;
    e->rst -= e->rst != 0;
    e->wait -= e->wait != 0;
    e->cycles += e->running;
    e->waited += e->stop && !quiet;
    BENCH_COVER(b, COV_STOP_FAULT, e->stop && in->faulted);
    BENCH_COVER(b, COV_STOP_LONG, ends && e->stop && e->waited > 40);
    BENCH_COVER(b, COV_END, ends && !e->stop);
    if (ends) {
        e->running = false;
        e->rst = e->stop ? 3 : e->rst;
        e->stop = false;
    }
    e->start = e->maint = false;
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
        cover_write(b, &was, in, reg, in->ctl_req.data, ends);
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
    e->rst = 3;
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
    static const uint8_t favourites[] = {R_CMD, R_CMD, R_STATUS, R_PERF_SEL, R_PERF_DATA, R_EPOCH, R_MAINT, R_MAINT};
    unsigned reg = vl_chance(&b->rng, 100) ? favourites[vl_below(&b->rng, sizeof favourites)] : vl_below(&b->rng, REGS + 1);
    if (vl_chance(&b->rng, 20))
        reg = 0x40 + vl_below(&b->rng, 0x60);
    e->holding = true;
    e->req.write = vl_chance(&b->rng, 128);
    /* At the edge of a kernel's end, of a pulse, of the last answer. */
    if (e->running && !e->stop && e->settle == 7 && vl_chance(&b->rng, 128))
        reg = R_CMD, e->req.write = true;
    else if (e->pulse == b->cycle + 1 && e->period > 1 && vl_chance(&b->rng, 128))
        reg = R_EPOCH, e->req.write = true;
    else if (e->owed && vl_chance(&b->rng, 32))
        reg = R_MAINT, e->req.write = true;
    e->req.addr = (uint16_t)(8 * reg + (vl_chance(&b->rng, 16) ? vl_below(&b->rng, 8) : 0));
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
        e->calm = 5 + vl_below(&b->rng, 30);
    else if (vl_chance(&b->rng, 1))
        e->busy = 50 + vl_below(&b->rng, 100);
    if (e->calm) {
        in->quiet = LOW(CORES);
        in->dispatch_done = true;
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
        bool fault = in->faulted && in->ctl_req.addr >> 3 == R_FAULT && !in->ctl_req.write;
        BENCH_COVER(b, COV_FAULT, fault);
        if (fault)
            e->faults |= (uint64_t)in->faulted & -(uint64_t)in->faulted;
        BENCH_COVER(b, COV_FAULTS, e->faults == LOW(CORES));
    }
    BENCH_COVER(b, COV_STALL, out->ctl_rsp_valid && !in->ctl_rsp_ready);
    BENCH_COVER(b, COV_RECONV, out->reconv_valid);
    expect(b, e, out, in);
    check_due(b, in);
}

BENCH_MAIN(ctrl, env_t, start, drive, cover, COV_N)
