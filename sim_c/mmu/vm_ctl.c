/* Twin of rtl/mmu/vm_ctl.sv: control of virtual memory (docs/blocks/vm_ctl.md). Step numbers are the page's. */
#include "vm_ctl_ports.h"
#include <string.h>

enum { ROOT = 0x200, TLB_MODE = 0x400, WALK = 0x408, INV_PAGE_OF = 0x410, INV = 0x418, PF_WHAT = 0x420, PF_VALUE = 0x428, PF_PC = 0x430, PF_THREADS = 0x438, PF_POP = 0x440, RESUME = 0x448 };

_Static_assert(FAULTERS <= 64, "a word holds a bit of each");

typedef struct {
    uint8_t core;
    bool gone;
    page_fault_t what;
} queued_t;

struct vm_ctl {
    root_t want[CORES], root[CORES];
    uint64_t late, owed, resume_valid, fetch_resume_valid;
    uint8_t mode, resume, turn;
    bool deny;
    walk_policy_t walk;
    uint64_t page;
    bool inv_valid, rsp_valid;
    inv_t inv;
    uint32_t took;
    queued_t queue[PF_DEPTH];
    unsigned first, count;
    uint64_t rsp;
    bool still; /* until an input says something every tick does the same */
};

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

size_t vm_ctl_size(void)
{
    return sizeof(struct vm_ctl);
}

void vm_ctl_reset(vm_ctl_t *s)
{
    memset(s, 0, sizeof *s);
    s->mode = TLB_OVERLAP;
    s->walk = (walk_policy_t){.coalesce = true, .walkers = 1};
}

/* The queue has a head that is not gone. */
static bool shown(const vm_ctl_t *s)
{
    return s->count && !s->queue[s->first].gone;
}

void vm_ctl_out(const vm_ctl_t *s, vm_ctl_out_t *o)
{
    o->reg_rsp_valid = s->rsp_valid;
    o->reg_rsp = s->rsp;
    memcpy(o->root, s->root, sizeof o->root);
    o->tlb_mode = s->mode;
    o->walk_policy = s->walk;
    o->inv_valid = s->inv_valid;
    o->inv = s->inv;
    o->pf_ready = s->count < PF_DEPTH ? 1ull << s->turn : 0;
    o->resume_valid = s->resume_valid;
    o->resume = s->resume;
    o->fetch_resume_valid = s->fetch_resume_valid;
    o->deny = s->deny;
    o->attention = shown(s);
}

static uint64_t read_reg(const vm_ctl_t *s, unsigned addr) /* step 1 */
{
    const queued_t *q = shown(s) ? &s->queue[s->first] : NULL;
    unsigned core = (addr - ROOT) / 8;
    if (addr >= ROOT && core < CORES)
        return s->want[core].ppn | (uint64_t)s->want[core].asid << 36 | (s->late >> core & 1) << 62 | (uint64_t)s->want[core].sv48 << 63;
    switch (addr) {
    case TLB_MODE: return s->mode;
    case WALK: return s->walk.coalesce | (uint64_t)s->walk.walkers << 4 | (uint64_t)s->walk.reads << 8;
    case INV_PAGE_OF: return s->page << 12;
    case INV: return (s->owed != 0) | (uint64_t)s->took << 32;
    case PF_WHAT:
        return q ? 1ull << 63 | (uint64_t)s->count << 24 | (uint64_t)q->core << 16 | (uint64_t)q->what.warp << 8 | (uint64_t)q->what.store << 2
                       | (uint64_t)q->what.access << 1 | q->what.fetch
                 : 0;
    case PF_VALUE: return q ? q->what.value : 0;
    case PF_PC: return q ? q->what.pc : 0;
    case PF_THREADS: return q ? q->what.threads : 0;
    default: return 0;
    }
}

static void write_reg(vm_ctl_t *s, unsigned addr, uint64_t d, bool owed) /* steps 2, 4, 6 */
{
    unsigned core = (addr - ROOT) / 8;
    if (addr >= ROOT && core < CORES) {
        s->want[core] = (root_t){.sv48 = d >> 63, .asid = d >> 36 & low(ASID_W), .ppn = d & low(VPN_W)};
        s->late |= 1ull << core;
        return;
    }
    switch (addr) {
    case TLB_MODE: s->mode = d & 2 ? TLB_OVERLAP : d & 1; break;
    case WALK: s->walk = (walk_policy_t){.coalesce = d & 1, .walkers = d >> 4 & 15, .reads = d >> 8 & 127}; break;
    case INV_PAGE_OF: s->page = d >> 12 & low(VPN_W); break;
    case INV:
        if (owed || (d & 3) == 3)
            break;
        s->inv_valid = true;
        s->owed = low(CORES);
        s->took = 0;
        break;
    case RESUME:
        s->resume = d >> 8 & low(WARP_W);
        s->deny = d >> 1 & 1;
        if ((d >> 16 & 255) < CORES)
            *(d & 1 ? &s->fetch_resume_valid : &s->resume_valid) = 1ull << (d >> 16 & 255);
        break;
    default: break;
    }
}

/* Step 5. `room`, `some`: before the edge. */
static void faults(vm_ctl_t *s, const vm_ctl_in_t *in, bool pops)
{
    bool shows = (uint64_t)in->pf_valid >> s->turn & 1, pushes = shows && s->count < PF_DEPTH;
    if (pushes)
        s->queue[(s->first + s->count) % PF_DEPTH] = (queued_t){.core = s->turn % CORES, .what = in->pf[s->turn]};
    if (pops)
        s->first = (s->first + 1) % PF_DEPTH;
    s->count += (unsigned)pushes - (unsigned)pops;
    if (pushes || (!shows && in->pf_valid))
        s->turn = s->turn == FAULTERS - 1 ? 0 : (uint8_t)(s->turn + 1);
}

void vm_ctl_tick(vm_ctl_t *s, const vm_ctl_in_t *in)
{
    const vm_reg_t *r = &in->reg;
    const unsigned addr = r->addr * 8u;
    const bool write = in->reg_valid && r->write, owed = s->owed;
    const uint64_t takes = s->late & in->quiet & ~(uint64_t)in->running; /* step 3 */
    s->rsp_valid = in->reg_valid && !r->write;
    s->rsp = read_reg(s, addr);
    for (unsigned c = 0; c < CORES; c++)
        if (takes >> c & 1)
            s->root[c] = s->want[c];
    s->late &= ~takes;
    s->inv = (inv_t){.scope = r->data & 3, .asid = r->data >> 16 & low(ASID_W), .vpn = s->page};
    s->inv_valid = false;
    s->resume_valid = s->fetch_resume_valid = 0;
    s->owed &= ~(uint64_t)in->inv_done;
    s->took += owed && s->took != UINT32_MAX;
    faults(s, in, s->count && (s->queue[s->first].gone || (write && addr == PF_POP)));
    if (write)
        write_reg(s, addr, r->data, owed);
    s->owed &= ~(uint64_t)in->core_rst; /* step 7 */
    for (unsigned k = 0; in->core_rst && k < s->count; k++) {
        queued_t *q = &s->queue[(s->first + k) % PF_DEPTH];
        q->gone |= (uint64_t)in->core_rst >> q->core & 1;
    }
    s->still = !in->reg_valid && !s->rsp_valid && !s->inv_valid && !s->resume_valid && !s->fetch_resume_valid && !s->owed && !s->late && !s->count && !in->pf_valid;
}

bool vm_ctl_idle(const vm_ctl_t *s)
{
    return s->still;
}
