/* Twin of rtl/top/ctrl.sv: the control port (docs/blocks/ctrl.md). */
#include "sim_c/top/ctrl.h"
#include "sim_c/top/kernel_ctl.h"
#include "vl_policies.h"
#include <string.h>

struct ctrl {
    kernel_ctl_t slot[KERNELS];
    uint8_t owner[CORES];
    uint64_t cores[KERNELS]; /* the same, a bit a core */
    uint64_t kept[REG_FIRST_VM_CTL / 8]; /* the words of the registers in KEPT */
    policy_t policy; /* of POLICY, LOCALITY and LOCALITY_CUTOFF */
    mem_ctl_t mem; /* of SCHED to HOME_POLICY */
    /* taken: cores have just been taken, and no slot has seen their inputs yet */
    bool rsp_valid, epoch, maint_valid, perf_clear, taken;
    uint8_t wait;
    uint32_t left;
    uint64_t rsp, perf, pending, reconv_valid;
    reconv_write_t reconv;
    maint_t maint;
    bool vm_valid, vm_wait;
    vm_reg_t vm;
};

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

size_t ctrl_size(void)
{
    return sizeof(struct ctrl);
}

static uint32_t epoch_cycles(const ctrl_t *s)
{
    return reg_epoch_get(s->kept[REG_EPOCH / 8]).cycles;
}

void ctrl_out(const ctrl_t *s, ctrl_out_t *o) /* step 1 */
{
    uint64_t start = 0, halt = 0, rst = 0, running = 0, core_start = 0, core_halt = 0, core_rst = 0, core_running = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const kernel_ctl_t *q = &s->slot[k];
        o->kernel[k] = q->kernel;
        start |= (uint64_t)q->start << k;
        halt |= (uint64_t)q->halt << k;
        rst |= (uint64_t)(q->rst != 0) << k;
        running |= (uint64_t)q->running << k;
        core_start |= q->start ? s->cores[k] : 0;
        core_halt |= q->halt ? s->cores[k] : 0;
        core_rst |= q->rst ? s->cores[k] : 0;
        core_running |= q->running ? s->cores[k] : 0;
    }
    o->kernel_start = start;
    o->halt = halt;
    o->kernel_rst = rst;
    o->running = running;
    memcpy(o->owner, s->owner, sizeof o->owner);
    o->core_start = core_start;
    o->core_halt = core_halt;
    o->core_rst = core_rst;
    o->core_running = core_running;
    o->perf_clear = s->perf_clear;
    o->policy = s->policy;
    o->ctl_req_ready = s->wait == 0 && !s->rsp_valid && !s->vm_wait;
    o->ctl_rsp_valid = s->rsp_valid;
    o->ctl_rsp.data = s->rsp;
    o->reconv_valid = s->reconv_valid;
    o->reconv = s->reconv;
    const reg_perf_sel_t sel = reg_perf_sel_get(s->kept[REG_PERF_SEL / 8]);
    o->perf_unit = (uint16_t)(sel.kind << 8 | sel.unit);
    o->perf_idx = sel.counter;
    o->mem_ctl = s->mem;
    o->epoch = s->epoch;
    o->epoch_cycles = epoch_cycles(s);
    o->maint_valid = s->maint_valid;
    o->maint = s->maint;
    o->vm_reg_valid = s->vm_valid;
    o->vm_reg = s->vm;
}

static bool any_running(const ctrl_t *s)
{
    bool any = false;
    for (unsigned k = 0; k < KERNELS; k++)
        any |= s->slot[k].running;
    return any;
}

static bool any_stopping(const ctrl_t *s)
{
    bool any = false;
    for (unsigned k = 0; k < KERNELS; k++)
        any |= kernel_ctl_stopping(&s->slot[k]);
    return any;
}

/* X(name) for each register of the machine that keeps the word written, under its mask. */
#define KEPT(X) \
    X(POLICY) X(LOCALITY) X(LOCALITY_CUTOFF) X(PERF_SEL) X(SCHED) X(QUOTA) X(APP_ASIDS) X(QUOTA_IN) X(EPOCH) X(PAGE_POLICY) X(HOME_POLICY)

static void keep(ctrl_t *s, unsigned reg, uint64_t w)
{
    uint64_t *k = s->kept;
    k[reg / 8] = w;
    s->policy = policy_of(k[REG_POLICY / 8], k[REG_LOCALITY / 8], k[REG_LOCALITY_CUTOFF / 8]);
    s->mem = mem_ctl_of(k[REG_SCHED / 8], k[REG_QUOTA / 8], k[REG_APP_ASIDS / 8], k[REG_QUOTA_IN / 8],
                        k[REG_PAGE_POLICY / 8], k[REG_HOME_POLICY / 8]);
}

void ctrl_reset(ctrl_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < KERNELS; k++)
        kernel_ctl_reset(&s->slot[k]);
    s->cores[0] = low(CORES);
#define RESET(name) keep(s, REG_##name, RESET_##name);
    KEPT(RESET)
#undef RESET
}

static uint64_t read_status(const ctrl_t *s, const ctrl_in_t *in)
{
    return reg_status_put((reg_status_t){.running = any_running(s),
                                         .fault = in->faulted,
                                         .maint = s->pending,
                                         .stopping = any_stopping(s),
                                         .rest = in->slice_idle == low(SLICES) && in->sched_idle == low(MEM_CHANNELS)
                                                 && in->dram_idle == low(MEM_CHANNELS)});
}

/* Of those cores the lowest that has one. */
static const fault_t *first_fault(const ctrl_in_t *in, uint64_t cores, unsigned *core)
{
    for (unsigned c = 0; c < CORES; c++)
        if (in->faulted & cores & 1ull << c) {
            *core = c;
            return &in->fault[c];
        }
    return NULL;
}

static uint64_t read_kernel(const ctrl_t *s, const ctrl_in_t *in, unsigned slot, unsigned reg)
{
    unsigned core = 0;
    const fault_t *f = first_fault(in, s->cores[slot], &core);
    switch (reg) {
    case REG_FAULT_CAUSE:
        return f ? reg_fault_cause_put((reg_fault_cause_t){.cause = f->cause, .core = (uint8_t)core, .warp = f->warp})
                 : 0;
    case REG_FAULT_VALUE: return f ? f->value : 0;
    case REG_FAULT_PC: return f ? f->pc : 0;
    case REG_FAULT_MASK: return f ? f->mask : 0;
    default: return kernel_ctl_read(&s->slot[slot], reg, s->cores[slot], f != NULL);
    }
}

static uint64_t read_reg(const ctrl_t *s, const ctrl_in_t *in, unsigned addr)
{
    const unsigned slot = reg_slot(addr), reg = reg_in_slot(addr);
    if (slot)
        return slot < KERNELS ? read_kernel(s, in, slot, reg) : 0;
    switch (reg) {
    case REG_ID: return RESET_ID;
    case REG_STATUS: return read_status(s, in);
    case REG_PERF_DATA: return reg_perf_data_put((reg_perf_data_t){.count = s->perf});
    case REG_MAINT: return reg_maint_read_put((reg_maint_read_t){.busy = s->pending});
#define READ(name) case REG_##name:
        KEPT(READ) return s->kept[reg / 8];
#undef READ
    default: return read_kernel(s, in, 0, reg);
    }
}

static void maintain(ctrl_t *s, reg_maint_t m) /* step 8 */
{
    const bool all = m.op == L2_FLUSH_ALL || m.op == L2_INVAL_ALL;
    if (!all && m.op != L2_FLUSH_LINE && m.op != L2_FLUSH_PAGE && m.op != L2_INVAL_LINE && m.op != L2_INVAL_PAGE)
        return;
    s->maint_valid = true;
    s->maint = (maint_t){.op = m.op, .line = all ? 0 : m.line >> (LINE_OFF_W - 6)};
    s->pending = low(SLICES);
}

/* CORES of a slot. `fixed`: slots that run or are stopping. */
static void take_cores(ctrl_t *s, unsigned slot, uint64_t d, uint64_t fixed)
{
    for (unsigned c = 0; c < CORES && !(fixed >> slot & 1); c++)
        if ((d >> c & 1) && !(fixed >> s->owner[c] & 1)) {
            s->cores[s->owner[c]] &= ~(1ull << c);
            s->cores[slot] |= 1ull << c;
            s->owner[c] = (uint8_t)slot;
            s->taken = true;
        }
}

static void write_kernel(ctrl_t *s, unsigned slot, unsigned reg, uint64_t d, uint64_t stopping,
                         uint64_t running) /* step 3 */
{
    switch (reg) {
    case REG_CORES: take_cores(s, slot, reg_cores_get(d).cores, stopping | running); break;
    case REG_RECONV_TARGET: {
        const reg_reconv_target_t r = reg_reconv_target_get(d);
        s->reconv_valid = s->cores[slot];
        s->reconv = (reconv_write_t){.index = r.index & low(RECONV_SET_W),
                                     .way = r.way,
                                     .valid = r.valid,
                                     .pc = s->slot[slot].reconv_pc,
                                     .target = r.pc};
        break;
    }
    default:
        if (kernel_ctl_write(&s->slot[slot], reg, d, s->cores[slot], stopping >> slot & 1))
            s->perf_clear = !(running & ~(1ull << slot));
        break;
    }
}

static void write_machine(ctrl_t *s, unsigned reg, uint64_t d) /* step 3 */
{
    switch (reg) {
#define WRITE(name) \
    case REG_##name: keep(s, reg, d & MASK_##name); break;
        KEPT(WRITE)
#undef WRITE
    case REG_MAINT: maintain(s, reg_maint_get(d)); break;
    default: break;
    }
    if (reg == REG_PERF_SEL)
        s->wait = 3;
    if (reg == REG_EPOCH) { /* step 7 */
        s->left = epoch_cycles(s);
        s->epoch = true;
    }
}

static void tick_slots(ctrl_t *s, const ctrl_in_t *in)
{
    for (unsigned k = 0; k < KERNELS; k++) {
        kernel_ctl_t *q = &s->slot[k];
        q->faulted = in->faulted & s->cores[k];
        q->quiet = !(s->cores[k] & ~(uint64_t)in->quiet);
        q->done = (uint64_t)in->dispatch_done >> k & 1;
        kernel_ctl_tick(q);
    }
}

static void tick_epoch(ctrl_t *s) /* step 7 */
{
    s->epoch = s->left == 1;
    s->left = s->epoch ? epoch_cycles(s) : s->left - (s->left != 0);
}

void ctrl_tick(ctrl_t *s, const ctrl_in_t *in)
{
    const unsigned addr = in->ctl_req.addr, slot = reg_slot(addr), reg = reg_in_slot(addr);
    const bool any = in->ctl_req_valid && s->wait == 0 && !s->rsp_valid && !s->vm_wait,
               far = any && slot == 0 && reg >= REG_FIRST_VM_CTL, take = any && !far;
    uint64_t stopping = 0, running = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        stopping |= (uint64_t)kernel_ctl_stopping(&s->slot[k]) << k;
        running |= (uint64_t)s->slot[k].running << k;
    }
    if (take && !in->ctl_req.write) { /* step 2 */
        s->rsp_valid = true;
        s->rsp = read_reg(s, in, addr);
    } else if (in->vm_rsp_valid) {
        s->rsp_valid = true;
        s->rsp = in->vm_rsp;
        s->vm_wait = false;
    } else if (in->ctl_rsp_ready) {
        s->rsp_valid = false;
    }
    if ((s->vm_valid = far)) {
        s->vm = (vm_reg_t){.write = in->ctl_req.write, .addr = addr >> 3, .data = in->ctl_req.data};
        s->vm_wait = !in->ctl_req.write;
    }
    s->perf = in->perf_data;
    tick_slots(s, in);
    tick_epoch(s);
    const bool maintained = s->pending;
    s->pending &= ~(uint64_t)in->maint_done; /* step 8 */
    s->perf_clear = s->maint_valid = s->taken = false;
    s->reconv_valid = 0;
    s->wait -= s->wait != 0;
    if (!take || !in->ctl_req.write)
        return;
    if (slot == 0 && !(reg == REG_MAINT && maintained))
        write_machine(s, reg, in->ctl_req.data);
    if (slot < KERNELS && reg < REG_FIRST_VM_CTL)
        write_kernel(s, slot, reg, in->ctl_req.data, stopping, running);
}

/* Something other than `cycles` and the epoch's counter moves at the next edge, or an input is awaited. */
static bool moves(const ctrl_t *s)
{
    bool any = s->taken || s->perf_clear || s->reconv_valid || s->rsp_valid || s->vm_valid || s->vm_wait || s->epoch
               || s->maint_valid || s->wait;
    for (unsigned k = 0; k < KERNELS; k++)
        any |= kernel_ctl_moves(&s->slot[k]);
    return any;
}

bool ctrl_idle(const ctrl_t *s)
{
    return !any_running(s) && !s->left && !moves(s);
}

uint64_t ctrl_due(const ctrl_t *s)
{
    return moves(s) ? 0 : s->left ? s->left - 1 : UINT64_MAX;
}

void ctrl_count(ctrl_t *s, uint64_t cycles)
{
    for (unsigned k = 0; k < KERNELS; k++)
        s->slot[k].cycles += s->slot[k].running ? cycles : 0;
    if (s->left)
        s->left -= (uint32_t)cycles;
}
