/* Twin of rtl/top/ctrl.sv: the control port (docs/blocks/ctrl.md). */
#include "sim_c/top/ctrl.h"
#include "sim_c/top/kernel_ctl.h"
#include "vl_regs.h"
#include <string.h>

enum { DIRECTORIES = (int)HOME == (int)HOME_DIRECTORY }; /* only these have stacks, homes and wires */

struct ctrl {
    kernel_ctl_t slot[KERNELS];
    uint8_t owner[CORES];
    uint64_t cores[KERNELS]; /* the same, a bit a core */
    policy_t policy;
    mem_ctl_t mem;
    reg_perf_sel_t perf_sel;
    /* taken: cores have just been taken, and no slot has seen their inputs yet */
    bool rsp_valid, epoch, maint_valid, perf_clear, taken;
    uint8_t wait;
    uint32_t period, left;
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
    o->perf_idx = s->perf_sel.counter;
    o->mem_ctl = s->mem;
    o->epoch = s->epoch;
    o->epoch_cycles = s->period;
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

static void keep_locality(locality_policy_t *p, reg_locality_t r)
{
    *p = (locality_policy_t){.mode = r.mode,
                             .tlb_weight = r.tlb_weight,
                             .entries = r.entries,
                             .depths = {r.depth0, r.depth1, r.depth2, r.depth3},
                             .gain = r.gain,
                             .base = r.base,
                             .decay = r.decay,
                             .hold = r.hold,
                             .cutoff = p->cutoff};
}

/* The registers that keep what is written: `w` has no other bits. */
static void keep(ctrl_t *s, unsigned reg, uint64_t w)
{
    sched_policy_t *p = &s->mem.sched;
    switch (reg) {
    case REG_POLICY: {
        const reg_policy_t r = reg_policy_get(w);
        s->policy.sched = r.sched, s->policy.prefetch = r.prefetch, s->policy.compaction = r.compaction;
        s->policy.cpm = (cpm_policy_t){.bits = r.cpm_bits, .period = r.cpm_period};
        break;
    }
    case REG_LOCALITY: keep_locality(&s->policy.locality, reg_locality_get(w)); break;
    case REG_LOCALITY_CUTOFF: s->policy.locality.cutoff = reg_locality_cutoff_get(w).cutoff; break;
    case REG_PERF_SEL: s->perf_sel = reg_perf_sel_get(w); break;
    case REG_SCHED: {
        const reg_sched_t r = reg_sched_get(w);
        p->mode = r.mode, p->bound = r.bound, p->write_high = r.write_high, p->write_low = r.write_low,
        p->turn_skip = r.turn_skip;
        break;
    }
    case REG_QUOTA:
        p->app_valid = reg_quota_get(w).app_valid, p->thresh_max = reg_quota_get(w).thresh_max,
        s->mem.inputs = reg_quota_get(w).inputs;
        break;
    case REG_APP_ASIDS:
        for (unsigned i = 0; i < APPS; i++)
            p->app_asid[i] = reg_app_asids_get(w).app[i].asid;
        break;
    case REG_QUOTA_IN:
        for (unsigned i = 0; i < APPS; i++) {
            s->mem.con_ptw[i] = reg_quota_in_get(w).app[i].con_ptw;
            s->mem.warps[i] = reg_quota_in_get(w).app[i].warps;
        }
        break;
    case REG_EPOCH: s->period = reg_epoch_get(w).cycles; break;
    case REG_PAGE_POLICY: s->mem.page = reg_page_policy_get(w).page; break;
    case REG_HOME_POLICY:
        s->mem.peers = reg_home_policy_get(w).peers;
        s->mem.memory = reg_home_policy_get(w).memory;
        break;
    default: break;
    }
}

void ctrl_reset(ctrl_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < KERNELS; k++)
        kernel_ctl_reset(&s->slot[k]);
    s->cores[0] = low(CORES);
    keep(s, REG_POLICY, RESET_POLICY);
    keep(s, REG_LOCALITY, RESET_LOCALITY);
    keep(s, REG_LOCALITY_CUTOFF, RESET_LOCALITY_CUTOFF);
    keep(s, REG_PERF_SEL, RESET_PERF_SEL);
    keep(s, REG_SCHED, RESET_SCHED);
    keep(s, REG_QUOTA, RESET_QUOTA);
    keep(s, REG_APP_ASIDS, RESET_APP_ASIDS);
    keep(s, REG_QUOTA_IN, RESET_QUOTA_IN);
    keep(s, REG_EPOCH, RESET_EPOCH);
    keep(s, REG_PAGE_POLICY, RESET_PAGE_POLICY);
    keep(s, REG_HOME_POLICY, RESET_HOME_POLICY);
}

static uint64_t read_sched(const sched_policy_t *p)
{
    return reg_sched_put((reg_sched_t){.mode = p->mode,
                                       .bound = p->bound,
                                       .write_high = p->write_high,
                                       .write_low = p->write_low,
                                       .turn_skip = p->turn_skip});
}

static uint64_t read_app_asids(const mem_ctl_t *m)
{
    reg_app_asids_t r;
    for (unsigned i = 0; i < APPS; i++)
        r.app[i].asid = m->sched.app_asid[i];
    return reg_app_asids_put(r);
}

static uint64_t read_quota_in(const mem_ctl_t *m)
{
    reg_quota_in_t r;
    for (unsigned i = 0; i < APPS; i++)
        r.app[i].con_ptw = m->con_ptw[i], r.app[i].warps = m->warps[i];
    return reg_quota_in_put(r);
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
    case REG_POLICY:
        return reg_policy_put((reg_policy_t){.sched = s->policy.sched,
                                             .prefetch = s->policy.prefetch,
                                             .compaction = s->policy.compaction,
                                             .cpm_bits = s->policy.cpm.bits,
                                             .cpm_period = s->policy.cpm.period});
    case REG_LOCALITY: {
        const locality_policy_t *l = &s->policy.locality;
        return reg_locality_put((reg_locality_t){.mode = l->mode,
                                                 .tlb_weight = l->tlb_weight,
                                                 .entries = l->entries,
                                                 .depth0 = l->depths[0],
                                                 .depth1 = l->depths[1],
                                                 .depth2 = l->depths[2],
                                                 .depth3 = l->depths[3],
                                                 .gain = l->gain,
                                                 .base = l->base,
                                                 .decay = l->decay,
                                                 .hold = l->hold});
    }
    case REG_LOCALITY_CUTOFF:
        return reg_locality_cutoff_put((reg_locality_cutoff_t){.cutoff = s->policy.locality.cutoff});
    case REG_PERF_SEL: return reg_perf_sel_put(s->perf_sel);
    case REG_PERF_DATA: return reg_perf_data_put((reg_perf_data_t){.count = s->perf});
    case REG_SCHED: return read_sched(&s->mem.sched);
    case REG_QUOTA:
        return reg_quota_put((reg_quota_t){
            .app_valid = s->mem.sched.app_valid, .inputs = s->mem.inputs, .thresh_max = s->mem.sched.thresh_max});
    case REG_APP_ASIDS: return read_app_asids(&s->mem);
    case REG_QUOTA_IN: return read_quota_in(&s->mem);
    case REG_EPOCH: return reg_epoch_put((reg_epoch_t){.cycles = s->period});
    case REG_PAGE_POLICY: return reg_page_policy_put((reg_page_policy_t){.page = s->mem.page});
    case REG_HOME_POLICY:
        return reg_home_policy_put((reg_home_policy_t){.peers = s->mem.peers, .memory = s->mem.memory});
    case REG_MAINT: return reg_maint_read_put((reg_maint_read_t){.busy = s->pending});
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
    case REG_POLICY: keep(s, reg, d & MASK_POLICY); break;
    case REG_LOCALITY: keep(s, reg, d & MASK_LOCALITY); break;
    case REG_LOCALITY_CUTOFF: keep(s, reg, d & MASK_LOCALITY_CUTOFF); break;
    case REG_PERF_SEL:
        keep(s, reg, d & MASK_PERF_SEL);
        s->wait = 3;
        break;
    case REG_SCHED: keep(s, reg, d & MASK_SCHED); break;
    case REG_QUOTA: keep(s, reg, d & MASK_QUOTA); break;
    case REG_APP_ASIDS: keep(s, reg, d & MASK_APP_ASIDS); break;
    case REG_QUOTA_IN: keep(s, reg, d & MASK_QUOTA_IN); break;
    case REG_EPOCH: /* step 7 */
        keep(s, reg, d & MASK_EPOCH);
        s->left = s->period;
        s->epoch = true;
        break;
    case REG_PAGE_POLICY: keep(s, reg, d & MASK_PAGE_POLICY); break;
    case REG_HOME_POLICY: keep(s, reg, d & MASK_HOME_POLICY); break;
    case REG_MAINT: maintain(s, reg_maint_get(d)); break;
    default: break;
    }
}

static uint64_t selected_counter(const ctrl_t *s, const ctrl_in_t *in)
{
    const unsigned unit = s->perf_sel.unit;
    switch (s->perf_sel.kind) {
    case PERF_SEL_KIND_CORE: return unit < CORES ? in->perf_data[unit] : 0;
    case PERF_SEL_KIND_SLICE: return unit < SLICES ? in->slice_perf[unit] : 0;
    case PERF_SEL_KIND_CHANNEL: return unit < MEM_CHANNELS ? in->channel_perf[unit] : 0;
    case PERF_SEL_KIND_STACK: return DIRECTORIES && unit < SMDS ? in->stack_perf[unit] : 0;
    case PERF_SEL_KIND_HOME: return DIRECTORIES && unit < HMDS ? in->home_perf[unit] : 0;
    case PERF_SEL_KIND_WIRE: return DIRECTORIES && unit < 2 * WIRES ? in->wire_perf[unit] : 0;
    case PERF_SEL_KIND_SHARED: return unit ? 0 : in->shared_perf;
    default: return 0;
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
    s->left = s->epoch ? s->period : s->left - (s->left != 0);
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
    s->perf = selected_counter(s, in);
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
