/* Twin of rtl/top/ctrl.sv: the control port (docs/blocks/ctrl.md). */
#include "sim_c/top/ctrl.h"
#include <string.h>

#define ID 0x004d554c4c455601ull
enum { BOUND = 256, TURN_SKIP = 500, THRESH_MAX = 500 };

struct ctrl {
    kernel_t kernel;
    policy_t policy;
    uint64_t reconv_pc;
    mem_ctl_t mem;
    uint8_t perf_idx, perf_unit, perf_of;
    bool running, start, stop, halt, rsp_valid, reconv_valid, epoch, maint_valid;
    bool faulted, quiet, done; /* inputs as of the last edge: what they still bring about by themselves */
    uint8_t rst, wait, settle;
    uint32_t period, left;
    uint64_t cycles, rsp, perf, owed;
    reconv_write_t reconv;
    maint_t maint;
    bool vm_valid, vm_wait;
    vm_reg_t vm;
};

size_t ctrl_size(void)
{
    return sizeof(struct ctrl);
}

void ctrl_reset(ctrl_t *s)
{
    memset(s, 0, sizeof *s);
    s->rst = 3;
    s->mem.sched.bound = BOUND;
    s->mem.sched.write_high = 3 * SCHED_WRITES / 4;
    s->mem.sched.write_low = SCHED_WRITES / 4;
    s->mem.sched.turn_skip = TURN_SKIP;
    s->mem.sched.thresh_max = THRESH_MAX;
}

void ctrl_out(const ctrl_t *s, ctrl_out_t *o) /* step 1 */
{
    o->kernel = s->kernel;
    o->policy = s->policy;
    o->kernel_start = s->start;
    o->core_rst = s->rst != 0;
    o->halt = s->halt;
    o->running = s->running;
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

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static bool stopping(const ctrl_t *s)
{
    return s->stop || s->rst;
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

static const fault_t *first_fault(const ctrl_in_t *in, unsigned *core)
{
    for (unsigned c = 0; c < CORES; c++)
        if (in->faulted >> c & 1) {
            *core = c;
            return &in->fault[c];
        }
    return NULL;
}

static uint64_t read_reg(const ctrl_t *s, const ctrl_in_t *in, unsigned addr)
{
    const kernel_t *k = &s->kernel;
    unsigned core = 0;
    const fault_t *f = first_fault(in, &core);
    switch (addr & ~7u) {
    case 0x000: return ID;
    case 0x010: return (uint64_t)s->running | (uint64_t)(f != NULL) << 1 | (uint64_t)(s->owed != 0) << 2 | (uint64_t)stopping(s) << 3
                       | (uint64_t)(in->slice_idle == low(SLICES) && in->sched_idle == low(CHANNELS) && in->dram_idle == low(CHANNELS)) << 4;
    case 0x018: return s->cycles;
    case 0x020: return s->policy.sched;
    case 0x040: return k->entry_pc;
    case 0x048: return k->arg;
    case 0x050: return k->groups[0] | (uint64_t)k->groups[1] << 32;
    case 0x058: return k->groups[2];
    case 0x060: return k->local_size[0] | (uint64_t)k->local_size[1] << 16 | (uint64_t)k->local_size[2] << 32;
    case 0x068: return k->offset[0] | (uint64_t)k->offset[1] << 32;
    case 0x070: return k->offset[2];
    case 0x078: return k->warps_per_group;
    case 0x080: return k->last_mask;
    case 0x088: return k->slots;
    case 0x090: return k->spad_bytes;
    case 0x098: return k->stack_base;
    case 0x0a0: return k->stack_log2;
    case 0x0a8: return k->mem_base;
    case 0x0b0: return k->mem_limit;
    case 0x0c0: return s->reconv_pc;
    case 0x100: return s->perf_idx | (uint64_t)s->perf_unit << 16 | (uint64_t)s->perf_of << 24;
    case 0x108: return s->perf;
    case 0x140: return f ? f->cause | (uint64_t)core << 16 | (uint64_t)f->warp << 32 : 0;
    case 0x148: return f ? f->value : 0;
    case 0x150: return f ? f->pc : 0;
    case 0x158: return f ? f->mask : 0;
    case 0x180: return read_sched(&s->mem.sched);
    case 0x188: return s->mem.sched.app_valid | (uint64_t)s->mem.sched.thresh_max << 16;
    case 0x190: return read_apps(&s->mem, true);
    case 0x198: return read_apps(&s->mem, false);
    case 0x1a0: return s->period;
    case 0x1a8: return s->mem.page;
    case 0x1b0: return s->owed != 0;
    default: return 0;
    }
}

static void command(ctrl_t *s, uint64_t d)
{
    if (d & 2) {
        s->stop = true;
        s->settle = 0;
    } else if (d & 1) { /* step 6 */
        s->start = s->running = true;
        s->cycles = 0;
        s->settle = 0;
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

static void write_reg(ctrl_t *s, unsigned addr, uint64_t d) /* step 3 */
{
    kernel_t *k = &s->kernel;
    switch (addr & ~7u) {
    case 0x008: command(s, d); break;
    case 0x020: s->policy.sched = d & 1; break;
    case 0x040: k->entry_pc = d & low(PA_W); break;
    case 0x048: k->arg = d; break;
    case 0x050: k->groups[0] = (uint32_t)d, k->groups[1] = (uint32_t)(d >> 32); break;
    case 0x058: k->groups[2] = (uint32_t)d; break;
    case 0x060:
        for (unsigned i = 0; i < 3; i++)
            k->local_size[i] = (uint16_t)(d >> (16 * i) & low(LID_W));
        break;
    case 0x068: k->offset[0] = (uint32_t)d, k->offset[1] = (uint32_t)(d >> 32); break;
    case 0x070: k->offset[2] = (uint32_t)d; break;
    case 0x078: k->warps_per_group = d & low(WARP_W + 1); break;
    case 0x080: k->last_mask = d & low(THREADS); break;
    case 0x088: k->slots = d & low(SLOT_W + 1); break;
    case 0x090: k->spad_bytes = d & low(SPAD_W + 1); break;
    case 0x098: k->stack_base = d; break;
    case 0x0a0: k->stack_log2 = d & 63; break;
    case 0x0a8: k->mem_base = d; break;
    case 0x0b0: k->mem_limit = d; break;
    case 0x0c0: s->reconv_pc = d & low(PA_W); break;
    case 0x0c8:
        s->reconv_valid = true;
        s->reconv.index = d >> 49 & low(RECONV_SET_W);
        s->reconv.way = d >> 48 & 1;
        s->reconv.valid = d >> 63 & 1;
        s->reconv.pc = s->reconv_pc;
        s->reconv.target = d & low(PA_W);
        break;
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

/* CMD while the cores are being stopped, MAINT while one is under way. */
static bool refused(const ctrl_t *s, unsigned addr)
{
    return (addr & ~7u) == 0x008 ? stopping(s) : (addr & ~7u) == 0x1b0 && s->owed;
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

static bool resting(const ctrl_t *s)
{
    return !s->start && s->quiet && (s->stop ? s->halt : s->running && (s->done || s->faulted));
}

static bool next_halt(const ctrl_t *s) /* step 4 */
{
    return (s->faulted || s->stop) && s->rst == 0;
}

static void tick_stop(ctrl_t *s, const ctrl_in_t *in) /* steps 4, 5 */
{
    s->faulted = in->faulted;
    s->quiet = in->quiet == low(CORES);
    s->done = in->dispatch_done;
    bool rest = resting(s), ended = rest && s->settle == 7;
    s->halt = next_halt(s);
    s->settle = !rest ? 0 : ended ? 7 : (uint8_t)(s->settle + 1);
    s->rst -= s->rst != 0;
    if (s->running)
        s->cycles++;
    if (ended) {
        s->running = false;
        if (s->stop)
            s->rst = 3;
        s->stop = false;
    }
}

static void tick_epoch(ctrl_t *s) /* step 7 */
{
    s->epoch = s->left == 1;
    s->left = s->epoch ? s->period : s->left - (s->left != 0);
}

void ctrl_tick(ctrl_t *s, const ctrl_in_t *in)
{
    bool any = in->ctl_req_valid && s->wait == 0 && !s->rsp_valid && !s->vm_wait, far = any && in->ctl_req.addr >= 0x200, take = any && !far;
    bool write = take && in->ctl_req.write && !refused(s, in->ctl_req.addr);
    if (take && !in->ctl_req.write) { /* step 2 */
        s->rsp_valid = true;
        s->rsp = read_reg(s, in, in->ctl_req.addr);
    } else if (in->vm_rsp_valid) {
        s->rsp_valid = true;
        s->rsp = in->vm_rsp;
        s->vm_wait = false;
    } else if (in->ctl_rsp_ready) {
        s->rsp_valid = false;
    }
    if ((s->vm_valid = far)) {
        s->vm = (vm_reg_t){.write = in->ctl_req.write, .addr = in->ctl_req.addr >> 3, .data = in->ctl_req.data};
        s->vm_wait = !in->ctl_req.write;
    }
    s->perf = selected_counter(s, in);
    tick_stop(s, in);
    tick_epoch(s);
    s->owed &= ~(uint64_t)in->maint_done; /* step 8 */
    s->start = s->reconv_valid = s->maint_valid = false;
    s->wait -= s->wait != 0;
    if (write)
        write_reg(s, in->ctl_req.addr, in->ctl_req.data);
}

/* Something other than `cycles` and the epoch's counter moves at the next edge, or an input is awaited. */
static bool moves(const ctrl_t *s)
{
    return s->start || s->reconv_valid || s->rsp_valid || s->vm_valid || s->vm_wait || s->epoch || s->maint_valid || s->rst || s->wait || s->settle
           || resting(s) || s->halt != next_halt(s);
}

bool ctrl_idle(const ctrl_t *s)
{
    return !s->running && !s->left && !moves(s);
}

uint64_t ctrl_due(const ctrl_t *s)
{
    return moves(s) ? 0 : s->left ? s->left - 1 : UINT64_MAX;
}

void ctrl_count(ctrl_t *s, uint64_t cycles)
{
    if (s->running)
        s->cycles += cycles;
    if (s->left)
        s->left -= (uint32_t)cycles;
}
