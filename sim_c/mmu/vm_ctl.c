/* Twin of rtl/mmu/vm_ctl.sv: control of virtual memory (docs/blocks/vm_ctl.md). Step numbers are the page's. */
#include "vl_policies.h"
#include "vm_ctl_ports.h"
#include <string.h>

enum { SHARED = TRANSLATION == TRANSLATION_SHARED };
_Static_assert(FAULTERS <= 128, "a set holds a bit of each");

typedef __typeof__(((vm_ctl_out_t *)0)->pf_ready) faulters_t;

typedef struct {
    uint8_t core;
    bool cancelled;
    page_fault_t what;
} queued_t;

struct vm_ctl {
    root_t want[CORES], root[CORES];
    uint64_t deferred, pending, resume_valid, fetch_resume_valid, ran;
    uint8_t mode, resume, turn;
    bool deny;
    walk_policy_t walk;
    shared_policy_t shared;
    uint64_t walk_word, tokens, bypass; /* WALK, TOKENS, WALK_BYPASS, from which `walk` and `shared` come */
    uint64_t page;
    bool inv_valid, rsp_valid;
    uint64_t cores, inv_core; /* INV_CORES; the cores of `inv` */
    bool waits; /* `shared`: the L2 TLB has not done its part */
    inv_t inv;
    uint32_t latency;
    queued_t queue[PF_DEPTH];
    unsigned first, count;
    bool held; /* the host has read the head by PF_WHAT */
    uint64_t rsp;
    bool still; /* every edge does the same until an input is active */
};

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static void set_policies(vm_ctl_t *s, uint64_t walk, uint64_t tokens, uint64_t bypass)
{
    s->walk_word = walk, s->tokens = tokens, s->bypass = bypass;
    s->walk = walk_policy_of(walk);
    s->shared = shared_policy_of(walk, tokens, bypass);
}

/* The core of this ROOT register; none: CORES or more. */
static unsigned root_core(unsigned addr)
{
    return addr >= REG_ROOT ? (addr - REG_ROOT) / REG_CORE_STRIDE : CORES;
}

size_t vm_ctl_size(void)
{
    return sizeof(struct vm_ctl);
}

void vm_ctl_reset(vm_ctl_t *s)
{
    memset(s, 0, sizeof *s);
    s->mode = reg_tlb_mode_get(RESET_TLB_MODE).mode;
    set_policies(s, RESET_WALK, RESET_TOKENS, RESET_WALK_BYPASS);
    s->page = reg_inv_page_get(RESET_INV_PAGE).vpn;
}

/* The queue has a head that some warp waits for, or that the host has begun to read. */
static bool shown(const vm_ctl_t *s)
{
    return s->count && (s->held || !s->queue[s->first].cancelled);
}

void vm_ctl_out(const vm_ctl_t *s, vm_ctl_out_t *o)
{
    o->reg_rsp_valid = s->rsp_valid;
    o->reg_rsp = s->rsp;
    memcpy(o->root, s->root, sizeof o->root);
    o->tlb_mode = s->mode;
    o->walk_policy = s->walk;
    o->shared_policy = s->shared;
    o->inv_valid = s->inv_valid;
    o->inv = s->inv;
    o->inv_core_valid = s->inv_core;
    o->pf_ready = s->count < PF_DEPTH ? (faulters_t)((faulters_t)1 << s->turn) : 0;
    o->resume_valid = s->resume_valid;
    o->resume = s->resume;
    o->fetch_resume_valid = s->fetch_resume_valid;
    o->deny = s->deny;
    o->attention = shown(s);
}

static uint64_t read_reg(const vm_ctl_t *s, unsigned addr) /* step 1 */
{
    const queued_t *q = shown(s) ? &s->queue[s->first] : NULL;
    const unsigned core = root_core(addr);
    if (core < CORES)
        return reg_root_put((reg_root_t){.ppn = s->want[core].ppn,
                                         .asid = s->want[core].asid,
                                         .pending = s->deferred >> core & 1,
                                         .sv48 = s->want[core].sv48});
    switch (addr) {
    case REG_TLB_MODE: return reg_tlb_mode_put((reg_tlb_mode_t){.mode = s->mode});
    case REG_WALK: return s->walk_word;
    case REG_TOKENS: return s->tokens;
    case REG_WALK_BYPASS: return s->bypass;
    case REG_INV_PAGE: return reg_inv_page_put((reg_inv_page_t){.vpn = s->page});
    case REG_INV: return reg_inv_read_put((reg_inv_read_t){.busy = s->pending || s->waits, .cycles = s->latency});
    case REG_PF_WHAT:
        return q ? reg_pf_what_put((reg_pf_what_t){.valid = true,
                                                   .queued = (uint8_t)s->count,
                                                   .core = q->core,
                                                   .warp = q->what.warp,
                                                   .store = q->what.store,
                                                   .access = q->what.access,
                                                   .fetch = q->what.fetch})
                 : 0;
    case REG_PF_VALUE: return q ? q->what.value : 0;
    case REG_PF_PC: return q ? q->what.pc : 0;
    case REG_PF_THREADS: return q ? q->what.threads : 0;
    default: return 0;
    }
}

/* Step 4. */
static void shoot(vm_ctl_t *s, const reg_inv_t *r, bool busy)
{
    const uint64_t cores = SHARED && r->some ? s->cores : low(CORES);
    if (busy || !cores || (r->scope != INV_ALL && r->scope != INV_ASID && r->scope != INV_PAGE))
        return;
    s->inv_valid = true;
    s->inv_core = SHARED ? cores : 0;
    s->pending = cores;
    s->waits = SHARED;
    s->latency = 0;
}

/* `busy`: a shootdown is under way. */
static void write_reg(vm_ctl_t *s, unsigned addr, uint64_t d, bool busy) /* steps 2, 4, 6 */
{
    const unsigned core = root_core(addr);
    if (core < CORES) {
        const reg_root_t r = reg_root_get(d);
        s->want[core] = (root_t){.sv48 = r.sv48, .asid = r.asid, .ppn = r.ppn};
        s->deferred |= 1ull << core;
        return;
    }
    switch (addr) {
    case REG_TLB_MODE: {
        const unsigned mode = reg_tlb_mode_get(d).mode;
        s->mode = mode == TLB_BLOCKING || mode == TLB_UNDER_MISS ? mode : TLB_OVERLAP;
        break;
    }
    case REG_WALK: set_policies(s, d & MASK_WALK, s->tokens, s->bypass); break;
    case REG_TOKENS: set_policies(s, s->walk_word, d & MASK_TOKENS, s->bypass); break;
    case REG_WALK_BYPASS: set_policies(s, s->walk_word, s->tokens, d & MASK_WALK_BYPASS); break;
    case REG_INV_PAGE: s->page = reg_inv_page_get(d & MASK_INV_PAGE).vpn; break;
    case REG_INV_CORES: s->cores = SHARED ? d & low(CORES) : 0; break;
    case REG_INV: {
        const reg_inv_t r = reg_inv_get(d);
        shoot(s, &r, busy);
        break;
    }
    case REG_RESUME: {
        const reg_resume_t r = reg_resume_get(d);
        s->resume = r.warp & low(WARP_W);
        s->deny = r.deny;
        if (r.core < CORES)
            *(r.fetch ? &s->fetch_resume_valid : &s->resume_valid) = 1ull << r.core;
        break;
    }
    default: break;
    }
}

/* Step 5. `room`, `some`: before the edge. */
static void faults(vm_ctl_t *s, const vm_ctl_in_t *in, bool pops)
{
    bool shows = in->pf_valid >> s->turn & 1, pushes = shows && s->count < PF_DEPTH;
    if (pushes)
        s->queue[(s->first + s->count) % PF_DEPTH] = (queued_t){.core = s->turn % CORES, .what = in->pf[s->turn]};
    if (pops) {
        s->first = (s->first + 1) % PF_DEPTH;
        s->held = false;
    }
    s->count += (unsigned)pushes - (unsigned)pops;
    if (pushes || (!shows && in->pf_valid))
        s->turn = s->turn == FAULTERS - 1 ? 0 : (uint8_t)(s->turn + 1);
}

void vm_ctl_tick(vm_ctl_t *s, const vm_ctl_in_t *in)
{
    const vm_reg_t *r = &in->reg;
    const unsigned addr = r->addr * 8u;
    const bool write = in->reg_valid && r->write, pending = s->pending, busy = pending || s->waits;
    const uint64_t takes = s->deferred & in->quiet & ~(uint64_t)in->running; /* step 3 */
    s->rsp_valid = in->reg_valid && !r->write;
    s->rsp = read_reg(s, addr);
    for (unsigned c = 0; c < CORES; c++)
        if (takes >> c & 1)
            s->root[c] = s->want[c];
    s->deferred &= ~takes;
    const reg_inv_t inv = reg_inv_get(r->data);
    s->inv = (inv_t){.scope = inv.scope, .asid = inv.asid, .vpn = s->page};
    s->inv_valid = false;
    s->inv_core = 0;
    s->waits = s->waits && !in->shared_done;
    s->resume_valid = s->fetch_resume_valid = 0;
    s->pending &= ~(uint64_t)in->inv_done;
    s->latency += pending && s->latency != UINT32_MAX;
    s->held |= shown(s) && in->reg_valid && !write && addr == REG_PF_WHAT;
    faults(s, in, s->count && (!shown(s) || (write && addr == REG_PF_POP)));
    if (write)
        write_reg(s, addr, r->data, busy);
    s->pending &= ~(uint64_t)in->core_rst; /* step 7 */
    const uint64_t gone = in->core_rst | ~(in->running & s->ran);
    for (unsigned k = 0; k < s->count; k++) {
        queued_t *q = &s->queue[(s->first + k) % PF_DEPTH];
        q->cancelled |= gone >> q->core & 1;
    }
    s->still = in->running == s->ran;
    s->ran = in->running;
    s->still = s->still && !in->reg_valid && !s->rsp_valid && !s->inv_valid && !s->resume_valid
               && !s->fetch_resume_valid && !s->pending && !s->waits && !s->deferred && !s->count && !in->pf_valid;
}

bool vm_ctl_idle(const vm_ctl_t *s)
{
    return s->still;
}
