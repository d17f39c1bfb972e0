/* Bench of ctrl: register traffic at every address; kernels that start, end and fault; cores that are stopped; epochs and maintenance.
 * What a read must give and when each signal must rise is also worked out here, from docs/blocks/ctrl.md and apart from the twin. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "ctrl_ports.h"
#include "verif/common/registers.h"
#include "sim_c/top/ctrl.h"

enum { /* units that only home = directory has */
       DIRECTORIES = (int)HOME == (int)HOME_DIRECTORY,
       STACKS = DIRECTORIES * SMDS,
       HOMES = DIRECTORIES * HMDS,
       ENDS = DIRECTORIES * 2 * WIRES
};
enum {
    COV_READ,
    COV_RESTART,
    COV_STOP,
    COV_STOP_IDLE,
    COV_STOP_END,
    COV_STOP_AGAIN,
    COV_STOP_LONG,
    COV_STOP_FAULT,
    COV_START_STOPPING,
    COV_START_RESET,
    COV_START_END,
    COV_BOTH,
    COV_STALL,
    COV_END,
    COV_FAULT,
    COV_RECONV,
    COV_CORE,
    COV_SLICE,
    COV_CHANNEL,
    COV_STACK,
    COV_HOME,
    COV_WIRE,
    COV_BEYOND,
    COV_BEYOND_3,
    COV_NO_KIND,
    COV_REST,
    COV_EPOCH_1,
    COV_EPOCH_FEW,
    COV_EPOCH_MANY,
    COV_EPOCH_0,
    COV_EPOCH_EDGE,
    COV_MAINT,
    COV_MAINT_OPS,
    COV_MAINT_BUSY,
    COV_MAINT_NONE,
    COV_MAINT_ONCE,
    COV_MAINT_APART,
    COV_MAINT_EDGE,
    COV_DUE,
    COV_DUE_EPOCH,
    COV_READS,
    COV_WRITES,
    COV_FAULTS,
    COV_VM_READ,
    COV_VM_WRITE,
    COV_VM_LATE,
    COV_TAKEN,
    COV_REFUSED_RUNNING,
    COV_REFUSED_STOPPING,
    COV_REFUSED_SELF,
    COV_NO_CORE,
    COV_BOTH_RUN,
    COV_END_BESIDE,
    COV_FAULT_BESIDE,
    COV_STOP_BESIDE,
    COV_CLEAR,
    COV_NO_CLEAR,
    COV_FRESH,
    COV_BITS,
    COV_N
};
static const char *const cover[] = {"reads",
                                    "start while running",
                                    "stop of a running kernel",
                                    "stop without a kernel",
                                    "stop at the edge of a kernel's end",
                                    "stop while stopping",
                                    "a core is long not quiet under stop",
                                    "a fault while stopping",
                                    "start while stopping",
                                    "start in reset",
                                    "start at the edge of a kernel's end",
                                    "start and stop in one write",
                                    "response held back",
                                    "a kernel ends by itself",
                                    "a fault is read",
                                    "reconvergence table written",
                                    "counter of a core",
                                    "counter of a slice",
                                    "counter of a channel",
                                    "counter of a stack",
                                    "counter of a home",
                                    "counter of a wire",
                                    "counter of nobody",
                                    "counter of no stack, home or wire",
                                    "counter of no kind",
                                    "memory side at rest",
                                    "epoch of one cycle",
                                    "epoch of a few cycles",
                                    "epoch of many cycles",
                                    "the only pulse of EPOCH 0",
                                    "EPOCH written at the edge of a pulse",
                                    "maintenance",
                                    "every operation in one run",
                                    "MAINT written while one is under way",
                                    "an operation that is none",
                                    "all slices answer at once",
                                    "slices answer apart",
                                    "MAINT written at the edge of the last answer",
                                    "dead time",
                                    "dead time up to a pulse",
                                    "every register read in one run",
                                    "every register written in one run",
                                    "a fault of each core first, in one run",
                                    "read of vm_ctl",
                                    "write of vm_ctl",
                                    "a kernel starts, ends or is stopped while vm_ctl is read",
                                    "every core taken by every slot in one run",
                                    "a core of a kernel that runs is asked for",
                                    "a core of a kernel that is stopping is asked for",
                                    "a kernel that runs or is stopping asks for cores",
                                    "start without a core",
                                    "all kernels run",
                                    "a kernel ends while another runs",
                                    "a kernel halts by a fault while another runs",
                                    "a kernel is reset while another runs",
                                    "a kernel starts alone",
                                    "a kernel starts beside another",
                                    "every register read before it is written",
                                    "every bit that is kept read as 0 and as 1"};

enum {
    R_CMD = REG_CMD / 8,
    R_STATUS = REG_STATUS / 8,
    R_CYCLES = REG_CYCLES / 8,
    R_CORES = REG_CORES / 8,
    R_RECONV_TARGET = REG_RECONV_TARGET / 8,
    R_KERNEL_STATUS = REG_KERNEL_STATUS / 8,
    R_PERF_SEL = REG_PERF_SEL / 8,
    R_PERF_DATA = REG_PERF_DATA / 8,
    R_FAULT_CAUSE = REG_FAULT_CAUSE / 8,
    R_EPOCH = REG_EPOCH / 8,
    R_MAINT = REG_MAINT / 8,
    REGS = REG_FIRST_VM_CTL / 8,
    SLOT_REGS = REG_KERNEL_STRIDE / 8
};
enum {
    OPS = 1 << L2_FLUSH_LINE | 1 << L2_FLUSH_PAGE | 1 << L2_FLUSH_ALL | 1 << L2_INVAL_LINE | 1 << L2_INVAL_PAGE
          | 1 << L2_INVAL_ALL
};
#define NEVER UINT64_MAX
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

/* What must be of a kernel slot, of this cycle. */
typedef struct {
    uint64_t reg[REGS]; /* values of registers that keep what is written */
    uint64_t cycles, taken; /* taken: cores that it took */
    bool running, start, stop, halt;
    unsigned rst, settle, waited;
} kernel_env_t;

typedef struct {
    /* stimulus */
    bool holding;
    ctl_req_t req;
    /* cycles for which the cores of one kernel, or of all, are quiet yet, or one is not; which: KERNELS: all */
    unsigned calm, busy, rests;
    uint8_t answer; /* rate at which slices answer */
    uint64_t reads, writes, faults, ops; /* seen in this run */
    uint64_t fresh[KERNELS]; /* registers that have not been written since the reset, by number */
    /* expected values of this cycle */
    uint64_t reg[REGS]; /* of the machine, likewise */
    kernel_env_t kernel[KERNELS];
    unsigned owner[CORES];
    bool clear;
    uint64_t reconv; /* cores whose table is written, */
    reconv_write_t reconv_want;
    uint64_t counter; /* PERF_DATA */
    uint64_t pulse, period; /* cycle of the next epoch pulse */
    uint64_t pending;
    bool rsp, maint;
    unsigned wait;
    uint64_t rsp_data;
    maint_t maint_want;
    bool vm, vm_wait; /* an access is passed on in this cycle; a read has not been answered */
    ctl_req_t vm_want;
} env_t;

/* By number. */
static known_register_t known[REGS];
static uint64_t there; /* numbers of registers */
/* Over all runs: registers that were read before they were written; bits that were 0, 1 in a read. */
static uint64_t read_fresh, read_as[2][REGS];

static void know(void)
{
    known_register_t all[KNOWN_REGISTERS];
    known_registers(all);
    there = 0;
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        if (!all[i].vm_ctl) {
            known[all[i].addr / 8] = all[i];
            there |= 1ull << all[i].addr / 8;
        }
}

/* Bits that a register keeps; 0 where nothing is kept. */
static uint64_t kept(unsigned reg)
{
    return reg < REGS ? known[reg].kept : 0;
}

static bool of_machine(unsigned reg)
{
    return reg < REGS && known[reg].name && !known[reg].of_kernel;
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

/* The levels of the memory side show their registers. */
static void check_levels(bench_t *b, const env_t *e, const mem_ctl_t *m)
{
    const sched_policy_t *p = &m->sched;
    const reg_sched_t sched = reg_sched_get(e->reg[REG_SCHED / 8]);
    const reg_quota_t quota = reg_quota_get(e->reg[REG_QUOTA / 8]);
    const reg_app_asids_t asids = reg_app_asids_get(e->reg[REG_APP_ASIDS / 8]);
    const reg_quota_in_t in = reg_quota_in_get(e->reg[REG_QUOTA_IN / 8]);
    BENCH_CHECK(b,
                p->mode == sched.mode && p->bound == sched.bound && p->write_high == sched.write_high
                    && p->write_low == sched.write_low && p->turn_skip == sched.turn_skip,
                "SCHED and its levels differ");
    BENCH_CHECK(b, p->app_valid == quota.app_valid && p->thresh_max == quota.thresh_max && m->inputs == quota.inputs,
                "QUOTA and its levels differ");
    for (unsigned i = 0; i < APPS; i++) {
        BENCH_CHECK(b, p->app_asid[i] == asids.app[i].asid, "address space of application %u", i);
        BENCH_CHECK(b, m->con_ptw[i] == in.app[i].con_ptw && m->warps[i] == in.app[i].warps, "walks of application %u",
                    i);
    }
    BENCH_CHECK(b, m->page == reg_page_policy_get(e->reg[REG_PAGE_POLICY / 8]).page,
                "PAGE_POLICY and its level differ");
    const reg_home_policy_t home = reg_home_policy_get(e->reg[REG_HOME_POLICY / 8]);
    BENCH_CHECK(b, m->peers == home.peers && m->memory == home.memory, "HOME_POLICY and its levels differ");
}

/* A kernel slot shows its registers. */
static void check_kernel(bench_t *b, unsigned slot, const uint64_t reg[REGS], const kernel_t *o)
{
    const reg_groups_xy_t groups = reg_groups_xy_get(reg[REG_GROUPS_XY / 8]);
    const reg_offset_xy_t offset = reg_offset_xy_get(reg[REG_OFFSET_XY / 8]);
    const reg_local_t local = reg_local_get(reg[REG_LOCAL / 8]);
    BENCH_CHECK(
        b, o->entry_pc == reg_entry_pc_get(reg[REG_ENTRY_PC / 8]).pc && o->arg == reg_arg_get(reg[REG_ARG / 8]).address,
        "where kernel %u begins", slot);
    BENCH_CHECK(b,
                o->groups[0] == groups.x && o->groups[1] == groups.y
                    && o->groups[2] == reg_groups_z_get(reg[REG_GROUPS_Z / 8]).z,
                "groups of kernel %u", slot);
    BENCH_CHECK(b,
                o->offset[0] == offset.x && o->offset[1] == offset.y
                    && o->offset[2] == reg_offset_z_get(reg[REG_OFFSET_Z / 8]).z,
                "offset of kernel %u", slot);
    BENCH_CHECK(b, o->local_size[0] == local.x && o->local_size[1] == local.y && o->local_size[2] == local.z,
                "threads of a group of kernel %u", slot);
    BENCH_CHECK(b,
                o->warps_per_group == reg_warps_per_group_get(reg[REG_WARPS_PER_GROUP / 8]).warps
                    && o->last_mask == reg_last_mask_get(reg[REG_LAST_MASK / 8]).threads,
                "warps of a group of kernel %u", slot);
    BENCH_CHECK(b,
                o->slots == reg_slots_get(reg[REG_SLOTS / 8]).groups
                    && o->spad_bytes == reg_spad_bytes_get(reg[REG_SPAD_BYTES / 8]).bytes,
                "what a group of kernel %u takes", slot);
    BENCH_CHECK(b,
                o->stack_base == reg_stack_base_get(reg[REG_STACK_BASE / 8]).address
                    && o->stack_log2 == reg_stack_log2_get(reg[REG_STACK_LOG2 / 8]).log2,
                "stacks of kernel %u", slot);
    BENCH_CHECK(b,
                o->mem_base == reg_mem_base_get(reg[REG_MEM_BASE / 8]).address
                    && o->mem_limit == reg_mem_limit_get(reg[REG_MEM_LIMIT / 8]).address,
                "memory window of kernel %u", slot);
}

static void check_outputs(bench_t *b, const env_t *e, const ctrl_out_t *o)
{
    BENCH_CHECK(b, o->ctl_req_ready == (!e->wait && !e->rsp && !e->vm_wait), "ready %d", o->ctl_req_ready);
    BENCH_CHECK(b, o->perf_idx == reg_perf_sel_get(e->reg[R_PERF_SEL]).counter, "PERF_SEL and its level differ");
    const reg_policy_t policy = reg_policy_get(e->reg[REG_POLICY / 8]);
    BENCH_CHECK(b,
                o->policy.sched == policy.sched && o->policy.prefetch == policy.prefetch
                    && o->policy.compaction == policy.compaction,
                "POLICY and its levels differ");
    BENCH_CHECK(b, o->ctl_rsp_valid == e->rsp, "a read is answered when it was asked, and until the answer is taken");
    BENCH_CHECK(b, !e->rsp || o->ctl_rsp.data == e->rsp_data, "read 0x%" PRIx64 ", expected 0x%" PRIx64,
                o->ctl_rsp.data, e->rsp_data);
    uint64_t running = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const kernel_env_t *q = &e->kernel[k];
        const uint64_t cores = cores_of(e, k);
        running |= (uint64_t)q->running << k;
        BENCH_CHECK(b, (o->running >> k & 1) == q->running, "running of kernel %u %d, expected %d", k,
                    o->running >> k & 1, q->running);
        BENCH_CHECK(b, (o->kernel_start >> k & 1) == q->start, "kernel_start of kernel %u, expected %d", k, q->start);
        BENCH_CHECK(b, (o->halt >> k & 1) == q->halt, "halt of kernel %u, expected %d", k, q->halt);
        BENCH_CHECK(b, (o->kernel_rst >> k & 1) == (q->rst != 0), "reset of kernel %u, expected %d", k, q->rst != 0);
        BENCH_CHECK(
            b,
            (o->core_running & cores) == (q->running ? cores : 0) && (o->core_start & cores) == (q->start ? cores : 0)
                && (o->core_halt & cores) == (q->halt ? cores : 0) && (o->core_rst & cores) == (q->rst ? cores : 0),
            "a core of kernel %u hears another's", k);
        check_kernel(b, k, q->reg, &o->kernel[k]);
    }
    for (unsigned c = 0; c < CORES; c++)
        BENCH_CHECK(b, o->owner[c] == e->owner[c], "core %u belongs to kernel %u, expected %u", c, o->owner[c],
                    e->owner[c]);
    BENCH_CHECK(b, o->perf_clear == e->clear, "perf_clear %d, expected %d", o->perf_clear, e->clear);
    BENCH_CHECK(b, o->reconv_valid == e->reconv, "tables of cores 0x%x are written", (unsigned)o->reconv_valid);
    BENCH_CHECK(b,
                !e->reconv
                    || (o->reconv.index == e->reconv_want.index && o->reconv.way == e->reconv_want.way
                        && o->reconv.valid == e->reconv_want.valid && o->reconv.pc == e->reconv_want.pc
                        && o->reconv.target == e->reconv_want.target),
                "another entry of the tables than written");
    BENCH_COVER(b, COV_BOTH_RUN, running == LOW(KERNELS));
    BENCH_CHECK(b, o->epoch == (b->cycle == e->pulse), "epoch %d in a cycle that has %d", o->epoch,
                b->cycle == e->pulse);
    BENCH_CHECK(b, o->epoch_cycles == e->period, "epochs of %u cycles, EPOCH has %" PRIu64, o->epoch_cycles, e->period);
    BENCH_CHECK(b, o->maint_valid == e->maint, "maintenance %d, expected %d", o->maint_valid, e->maint);
    BENCH_CHECK(b, !e->maint || (o->maint.op == e->maint_want.op && o->maint.line == e->maint_want.line),
                "another maintenance than written");
    BENCH_CHECK(b, o->vm_reg_valid == e->vm, "access of vm_ctl %d, expected %d", o->vm_reg_valid, e->vm);
    BENCH_CHECK(b,
                !e->vm
                    || (o->vm_reg.write == e->vm_want.write && o->vm_reg.addr == e->vm_want.addr >> 3
                        && o->vm_reg.data == e->vm_want.data),
                "another access than asked for");
    check_levels(b, e, &o->mem_ctl);
}

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
        e->maint_want = (maint_t){.op = m.op, .line = all ? 0 : m.line};
        e->pending = LOW(SLICES);
        e->ops |= 1u << m.op;
    }
}

/* Brings what must be from this cycle to the next. */
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
    const unsigned unit = reg_perf_sel_get(e->reg[R_PERF_SEL]).unit, kind = reg_perf_sel_get(e->reg[R_PERF_SEL]).kind;
    e->counter = kind == PERF_SEL_KIND_CORE && unit < CORES             ? in->perf_data[unit]
                 : kind == PERF_SEL_KIND_SLICE && unit < SLICES         ? in->slice_perf[unit]
                 : kind == PERF_SEL_KIND_CHANNEL && unit < MEM_CHANNELS ? in->channel_perf[unit]
                 : kind == PERF_SEL_KIND_STACK && unit < STACKS         ? in->stack_perf[unit]
                 : kind == PERF_SEL_KIND_HOME && unit < HOMES           ? in->home_perf[unit]
                 : kind == PERF_SEL_KIND_WIRE && unit < ENDS            ? in->wire_perf[unit]
                 : kind == PERF_SEL_KIND_SHARED && unit == 0            ? in->shared_perf
                                                                        : 0;
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
        BENCH_COVER(b, COV_CORE, kind == 0 && unit < CORES && e->rsp_data);
        BENCH_COVER(b, COV_SLICE, kind == 1 && unit < SLICES && e->rsp_data);
        BENCH_COVER(b, COV_CHANNEL, kind == 2 && unit < MEM_CHANNELS && e->rsp_data);
        BENCH_COVER(b, COV_STACK, (kind == 3 && unit < STACKS && e->rsp_data) || !STACKS);
        BENCH_COVER(b, COV_HOME, (kind == 4 && unit < HOMES && e->rsp_data) || !HOMES);
        BENCH_COVER(b, COV_WIRE, (kind == 5 && unit < ENDS && e->rsp_data) || !ENDS);
        BENCH_COVER(b, COV_BEYOND, kind < 3 && !e->rsp_data);
        BENCH_COVER(b, COV_BEYOND_3, kind >= 3 && kind < 6 && !e->rsp_data);
        BENCH_COVER(b, COV_NO_KIND, kind >= 6 && !e->rsp_data);
    }
}

/* ctrl_due, ctrl_count and ctrl_idle: a second twin with the same past, clocked through dead time and brought over it. */
static union {
    max_align_t align;
    unsigned char bytes[4096];
} shadow, clocked, counted;

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
    know();
    for (unsigned reg = 0; reg < REGS; reg++)
        if (of_machine(reg))
            e->reg[reg] = known[reg].reset;
        else
            for (unsigned k = 0; k < KERNELS; k++)
                e->kernel[k].reg[reg] = known[reg].reset;
    memset(e->fresh, 0xff, sizeof e->fresh);
    e->answer = (uint8_t[]){255, 40, 4}[vl_below(&b->rng, 3)];
}

static uint64_t command(bench_t *b)
{
    unsigned r = vl_below(&b->rng, 16);
    const uint64_t both = reg_cmd_put((reg_cmd_t){.start = true, .stop = true});
    return (vl_random(&b->rng) & ~both)
           | reg_cmd_put((reg_cmd_t){.start = r < 10 || (r >= 13 && r < 15), .stop = r >= 10 && r < 15});
}

static void new_request(bench_t *b, env_t *e)
{
    static const uint8_t favourites[] = {R_CMD,   R_CMD,   R_STATUS, R_PERF_SEL, R_PERF_DATA,
                                         R_EPOCH, R_MAINT, R_MAINT,  R_CORES,    R_CORES};
    unsigned slot = vl_below(&b->rng, KERNELS + 1) % KERNELS;
    unsigned reg = vl_chance(&b->rng, 100) ? favourites[vl_below(&b->rng, sizeof favourites)] : vl_below(&b->rng, REGS);
    if (vl_chance(&b->rng, 20))
        reg = REGS + vl_below(&b->rng, 0x60);
    e->holding = true;
    e->req.write = vl_chance(&b->rng, 128);
    /* At the edge of a kernel's end, of a pulse, of the last answer. */
    for (unsigned k = 0; k < KERNELS; k++)
        if (e->kernel[k].running && !e->kernel[k].stop && e->kernel[k].settle == 7 && vl_chance(&b->rng, 128))
            reg = R_CMD, e->req.write = true, slot = k;
    if (e->pulse == b->cycle + 1 && e->period > 1 && vl_chance(&b->rng, 128))
        reg = R_EPOCH, e->req.write = true;
    else if (e->pending && vl_chance(&b->rng, 32))
        reg = R_MAINT, e->req.write = true;
    /* CMD, CORES and the other kernel registers of each slot; those of the machine in slot 0's range, but now and then */
    if (reg >= REGS || !known[reg].of_kernel)
        slot = vl_chance(&b->rng, 240) ? 0 : vl_below(&b->rng, 16);
    e->req.addr = (uint16_t)(REG_KERNEL_STRIDE * slot + 8 * reg + (vl_chance(&b->rng, 16) ? vl_below(&b->rng, 8) : 0));
    e->req.data = vl_random(&b->rng);
    if (reg == R_CMD)
        e->req.data = command(b);
    if (reg == R_PERF_SEL) /* near the numbers that exist */
        e->req.data =
            reg_perf_sel_put((reg_perf_sel_t){.counter = (uint8_t)vl_random(&b->rng),
                                              .unit = (uint8_t)vl_below(&b->rng, (CORES > SLICES ? CORES : SLICES) + 2),
                                              .kind = (uint8_t)vl_below(&b->rng, 8)})
            | (e->req.data & ~kept(reg));
    if (reg == R_PERF_SEL && vl_chance(&b->rng, 8))
        e->req.data = vl_random(&b->rng);
    if (reg == R_EPOCH && vl_chance(&b->rng, 230))
        e->req.data = (e->req.data & ~kept(reg)) | vl_below(&b->rng, vl_chance(&b->rng, 128) ? 6 : 900);
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
        in->sched_idle = LOW(MEM_CHANNELS);
        in->dram_idle = LOW(MEM_CHANNELS);
        if (vl_chance(&b->rng, 128)) /* one block alone is */
            *(uint8_t *[]){(uint8_t *)&in->slice_idle, (uint8_t *)&in->sched_idle,
                           (uint8_t *)&in->dram_idle}[vl_below(&b->rng, 3)] &= ~1;
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
        const unsigned slot = in->ctl_req.addr / REG_KERNEL_STRIDE, reg = in->ctl_req.addr % REG_KERNEL_STRIDE / 8;
        if (!slot && reg < REGS)
            *(e->req.write ? &e->writes : &e->reads) |= 1ull << reg;
        if (slot < KERNELS && reg < REGS && e->req.write)
            e->fresh[slot] &= ~(1ull << reg);
        if (slot < KERNELS && reg < REGS && !e->req.write && (!slot || known[reg].of_kernel)) {
            const uint64_t reads = expected(e, in, slot * SLOT_REGS + reg);
            read_fresh |= e->fresh[slot] & 1ull << reg;
            read_as[0][reg] |= ~reads;
            read_as[1][reg] |= reads;
        }
        bool all_bits = true;
        for (unsigned r = 0; r < REGS; r++)
            all_bits &= !(kept(r) & ~(read_as[0][r] & read_as[1][r]));
        BENCH_COVER(b, COV_FRESH, (read_fresh & there) == there);
        BENCH_COVER(b, COV_BITS, all_bits);
        BENCH_COVER(b, COV_READS, (e->reads & there) == there);
        BENCH_COVER(b, COV_WRITES, (e->writes & there) == there);
        const uint64_t faulted = slot < KERNELS ? in->faulted & cores_of(e, slot) : 0;
        bool fault = faulted && reg == R_FAULT_CAUSE && !in->ctl_req.write;
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
