/* Twin of rtl/top/ctrl.sv: the control port (docs/blocks/ctrl.md). */
#include "sim_c/top/ctrl.h"
#include <string.h>

#define ID 0x004d554c4c455601ull

struct ctrl {
    kernel_t kernel;
    policy_t policy;
    uint64_t reconv_pc;
    uint8_t perf_idx, perf_core;
    bool running, start, halt, rsp_valid, reconv_valid;
    uint8_t rst, wait, settle;
    uint64_t cycles, rsp;
    reconv_write_t reconv;
};

size_t ctrl_size(void)
{
    return sizeof(struct ctrl);
}

void ctrl_reset(ctrl_t *s)
{
    memset(s, 0, sizeof *s);
    s->rst = 3;
}

void ctrl_out(const ctrl_t *s, ctrl_out_t *o) /* step 1 */
{
    o->kernel = s->kernel;
    o->policy = s->policy;
    o->kernel_start = s->start;
    o->core_rst = s->rst != 0;
    o->halt = s->halt;
    o->running = s->running;
    o->ctl_req_ready = s->wait == 0 && !s->rsp_valid;
    o->ctl_rsp_valid = s->rsp_valid;
    o->ctl_rsp.data = s->rsp;
    o->reconv_valid = s->reconv_valid;
    o->reconv = s->reconv;
    o->perf_idx = s->perf_idx;
}

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
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
    case 0x010: return (uint64_t)s->running | (uint64_t)(f != NULL) << 1;
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
    case 0x100: return s->perf_idx | (uint64_t)s->perf_core << 16;
    case 0x108: return s->perf_core < CORES ? in->perf_data[s->perf_core] : 0;
    case 0x140: return f ? f->cause | (uint64_t)core << 16 | (uint64_t)f->warp << 32 : 0;
    case 0x148: return f ? f->value : 0;
    case 0x150: return f ? f->pc : 0;
    case 0x158: return f ? f->mask : 0;
    default: return 0;
    }
}

static void write_reg(ctrl_t *s, unsigned addr, uint64_t d) /* step 3 */
{
    kernel_t *k = &s->kernel;
    switch (addr & ~7u) {
    case 0x008:
        if (d & 2) {
            s->rst = 3;
            s->running = false;
        }
        if (d & 1) { /* step 6 */
            s->start = s->running = true;
            s->cycles = 0;
            s->settle = 0;
        }
        break;
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
        s->perf_core = (uint8_t)(d >> 16);
        s->wait = 3;
        break;
    default: break;
    }
}

void ctrl_tick(ctrl_t *s, const ctrl_in_t *in)
{
    bool take = in->ctl_req_valid && s->wait == 0 && !s->rsp_valid;
    bool rest = in->quiet == low(CORES) && (in->dispatch_done || in->faulted);
    uint64_t data = take && !in->ctl_req.write ? read_reg(s, in, in->ctl_req.addr) : 0;
    if (take && !in->ctl_req.write) { /* step 2 */
        s->rsp_valid = true;
        s->rsp = data;
    } else if (in->ctl_rsp_ready) {
        s->rsp_valid = false;
    }
    s->halt = in->faulted && s->rst == 0; /* step 4 */
    bool resting = s->running && rest && !s->start;
    if (s->running)
        s->cycles++;
    if (resting && s->settle == 7) /* step 5 */
        s->running = false;
    s->settle = resting ? (uint8_t)(s->settle == 7 ? 7 : s->settle + 1) : 0;
    s->start = s->reconv_valid = false;
    s->rst -= s->rst != 0;
    s->wait -= s->wait != 0;
    if (take && in->ctl_req.write)
        write_reg(s, in->ctl_req.addr, in->ctl_req.data);
}

bool ctrl_idle(const ctrl_t *s)
{
    return !s->running && !s->start && !s->reconv_valid && !s->rsp_valid && s->rst == 0 && s->wait == 0 && !s->halt
           && s->settle == 0;
}

void ctrl_count(ctrl_t *s, uint64_t cycles)
{
    s->cycles += cycles;
}
