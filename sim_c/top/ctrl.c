/* Twin of rtl/top/ctrl.sv: the control port (docs/blocks/ctrl.md). */
#include "sim_c/top/ctrl.h"
#include "sim_c/top/kernel_ctl.h"
#include <string.h>

#define ID 0x004d554c4c455601ull
enum { BOUND = 256, TURN_SKIP = 500, THRESH_MAX = 500 };

struct ctrl {
    kernel_ctl_t slot[KERNELS];
    uint8_t owner[CORES];
    uint64_t cores[KERNELS]; /* the same, a bit a core */
    policy_t policy;
    mem_ctl_t mem;
    uint8_t perf_idx, perf_unit, perf_of;
    bool rsp_valid, epoch, maint_valid, perf_clear, taken; /* taken: cores have just been, whose inputs no slot has heard */
    uint8_t wait;
    uint32_t period, left;
    uint64_t rsp, perf, owed, reconv_valid;
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

void ctrl_reset(ctrl_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < KERNELS; k++)
        kernel_ctl_reset(&s->slot[k]);
    s->cores[0] = low(CORES);
    s->mem.sched.bound = BOUND;
    s->mem.sched.write_high = 3 * SCHED_WRITES / 4;
    s->mem.sched.write_low = SCHED_WRITES / 4;
    s->mem.sched.turn_skip = TURN_SKIP;
    s->mem.sched.thresh_max = THRESH_MAX;
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
    o->perf_idx = s->perf_idx;
    o->mem_ctl = s->mem;
    o->epoch = s->epoch;
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

static uint64_t read_sched(const sched_policy_t *p)
{
    return p->mode | (uint64_t)p->bound << 4 | (uint64_t)p->write_high << 16 | (uint64_t)p->write_low << 32
           | (uint64_t)p->turn_skip << 48;
}

static uint64_t read_apps(const mem_ctl_t *m, bool asids)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < APPS; i++)
        v |= (uint64_t)(asids ? m->sched.app_asid[i] : m->con_ptw[i] | (unsigned)m->warps[i] << 8) << (16 * i);
    return v;
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
    case 0x140: return f ? f->cause | (uint64_t)core << 16 | (uint64_t)f->warp << 32 : 0;
    case 0x148: return f ? f->value : 0;
    case 0x150: return f ? f->pc : 0;
    case 0x158: return f ? f->mask : 0;
    default: return kernel_ctl_read(&s->slot[slot], reg, s->cores[slot], f != NULL);
    }
}

static uint64_t read_reg(const ctrl_t *s, const ctrl_in_t *in, unsigned addr)
{
    const unsigned slot = addr >> 12, reg = addr & 0xff8;
    if (slot)
        return slot < KERNELS ? read_kernel(s, in, slot, reg) : 0;
    switch (reg) {
    case 0x000: return ID;
    case 0x010: return (uint64_t)any_running(s) | (uint64_t)(in->faulted != 0) << 1 | (uint64_t)(s->owed != 0) << 2 | (uint64_t)any_stopping(s) << 3
                       | (uint64_t)(in->slice_idle == low(SLICES) && in->sched_idle == low(CHANNELS) && in->dram_idle == low(CHANNELS)) << 4;
    case 0x020: return s->policy.sched;
    case 0x100: return s->perf_idx | (uint64_t)s->perf_unit << 16 | (uint64_t)s->perf_of << 24;
    case 0x108: return s->perf;
    case 0x180: return read_sched(&s->mem.sched);
    case 0x188: return s->mem.sched.app_valid | (uint64_t)s->mem.sched.thresh_max << 16;
    case 0x190: return read_apps(&s->mem, true);
    case 0x198: return read_apps(&s->mem, false);
    case 0x1a0: return s->period;
    case 0x1a8: return s->mem.page;
    case 0x1b0: return s->owed != 0;
    default: return read_kernel(s, in, 0, reg);
    }
}

static void maintain(ctrl_t *s, uint64_t d) /* step 8 */
{
    if ((d & 3) == 3)
        return;
    s->maint_valid = true;
    s->maint.op = d & 7;
    s->maint.line = (d & 3) == (L2_FLUSH_ALL & 3) ? 0 : d >> LINE_OFF_W & low(LINE_ADDR_W);
    s->owed = low(SLICES);
}

static void write_sched(sched_policy_t *p, uint64_t d)
{
    p->mode = d & 1;
    p->bound = d >> 4 & low(11);
    p->write_high = d >> 16 & low(9);
    p->write_low = d >> 32 & low(9);
    p->turn_skip = d >> 48 & low(10);
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

static void write_kernel(ctrl_t *s, unsigned slot, unsigned reg, uint64_t d, uint64_t stopping, uint64_t running) /* step 3 */
{
    switch (reg) {
    case 0x0b8: take_cores(s, slot, d, stopping | running); break;
    case 0x0c8:
        s->reconv_valid = s->cores[slot];
        s->reconv.index = d >> 49 & low(RECONV_SET_W);
        s->reconv.way = d >> 48 & 1;
        s->reconv.valid = d >> 63 & 1;
        s->reconv.pc = s->slot[slot].reconv_pc;
        s->reconv.target = d & low(PA_W);
        break;
    default:
        if (kernel_ctl_write(&s->slot[slot], reg, d, s->cores[slot], stopping >> slot & 1))
            s->perf_clear = !(running & ~(1ull << slot));
        break;
    }
}

static void write_machine(ctrl_t *s, unsigned reg, uint64_t d) /* step 3 */
{
    switch (reg) {
    case 0x020: s->policy.sched = d & 1; break;
    case 0x100:
        s->perf_idx = (uint8_t)d;
        s->perf_unit = (uint8_t)(d >> 16);
        s->perf_of = d >> 24 & 3;
        s->wait = 3;
        break;
    case 0x180: write_sched(&s->mem.sched, d); break;
    case 0x188:
        s->mem.sched.app_valid = d & low(APPS);
        s->mem.sched.thresh_max = d >> 16 & low(10);
        break;
    case 0x190:
        for (unsigned i = 0; i < APPS; i++)
            s->mem.sched.app_asid[i] = d >> (16 * i) & low(ASID_W);
        break;
    case 0x198:
        for (unsigned i = 0; i < APPS; i++) {
            s->mem.con_ptw[i] = d >> (16 * i) & 63;
            s->mem.warps[i] = d >> (16 * i + 8) & 63;
        }
        break;
    case 0x1a0: /* step 7 */
        s->period = s->left = (uint32_t)d;
        s->epoch = true;
        break;
    case 0x1a8: s->mem.page = d & 1; break;
    case 0x1b0: maintain(s, d); break;
    default: break;
    }
}

static uint64_t selected_counter(const ctrl_t *s, const ctrl_in_t *in)
{
    switch (s->perf_of) {
    case 0: return s->perf_unit < CORES ? in->perf_data[s->perf_unit] : 0;
    case 1: return s->perf_unit < SLICES ? in->slice_perf[s->perf_unit] : 0;
    case 2: return s->perf_unit < CHANNELS ? in->channel_perf[s->perf_unit] : 0;
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
    const unsigned addr = in->ctl_req.addr, slot = addr >> 12, reg = addr & 0xff8;
    const bool any = in->ctl_req_valid && s->wait == 0 && !s->rsp_valid && !s->vm_wait, far = any && slot == 0 && reg >= 0x200, take = any && !far;
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
    const bool maintained = s->owed;
    s->owed &= ~(uint64_t)in->maint_done; /* step 8 */
    s->perf_clear = s->maint_valid = s->taken = false;
    s->reconv_valid = 0;
    s->wait -= s->wait != 0;
    if (!take || !in->ctl_req.write)
        return;
    if (slot == 0 && !(reg == 0x1b0 && maintained))
        write_machine(s, reg, in->ctl_req.data);
    if (slot < KERNELS && reg < 0x200)
        write_kernel(s, slot, reg, in->ctl_req.data, stopping, running);
}

/* Something other than `cycles` and the epoch's counter moves at the next edge, or an input is awaited. */
static bool moves(const ctrl_t *s)
{
    bool any = s->taken || s->perf_clear || s->reconv_valid || s->rsp_valid || s->vm_valid || s->vm_wait || s->epoch || s->maint_valid || s->wait;
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
