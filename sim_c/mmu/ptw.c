/* Twin of rtl/mmu/ptw.sv: page-table walker of a core (docs/blocks/ptw.md). Step numbers are the page's. Sets of walks, reads and walkers
 * are bits of a word. */
#include "ptw_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/mmu/ptw_pointers.h"
#include <string.h>

#define ALL (UINT64_MAX >> (64 - TLB_MSHRS))

struct ptw {
    going_t walk[MAX_TLB_MSHRS];
    uint64_t valid, waiting, done; /* of walks; ready: valid alone */
    uint64_t orders;
    /* sets of reads; waiters: the walks that wait for a read */
    uint64_t reads, drop, read_at[MAX_TLB_MSHRS], waiters[MAX_TLB_MSHRS];
    lead_t lead;
    uint8_t turn;
    uint32_t walkers; /* walkers in use */
    uint8_t walker[MAX_WALKERS];
    uint64_t held; /* set of walks that have a walker */
    bool out_valid, inv_done;
    bool rsp_valid; /* an answer arrived at the last edge */
    uint8_t rsp_read;
    uint64_t rsp_pte;
    bool recalled; /* of the edge that is computed: a kept pointer answers a read */
    uint8_t recall_read;
    uint64_t recall_pte;
    bool settled; /* every edge does the same until an input is active */
    uint16_t out_id, out_asid;
    uint8_t out_cls;
    uint64_t out_line;
    ev_ptw_t ev;
    pointers_t kept;
};

TWIN_STATE(ptw)

void ptw_out(const ptw_t *s, ptw_out_t *o)
{
    o->closed = s->done;
    o->rsp_valid = s->done != 0;
    if (s->done) {
        const uint64_t k = oldest(s->walk, s->done);
        o->rsp = (translate_rsp_t){.id = (uint8_t)k, .result = s->walk[k].result, .leaf = s->walk[k].leaf};
    }
    o->mem_req_valid = s->out_valid;
    if (s->out_valid)
        o->mem_req =
            (mem_req_t){.op = MEM_READ, .id = s->out_id, .cls = s->out_cls, .asid = s->out_asid, .line = s->out_line};
    o->inv_done = s->inv_done;
    o->idle = !s->valid && !s->reads && !s->out_valid;
    o->ev = s->ev;
}

/* Step 1. The lower id of two requests is the older. */
static void requests(ptw_t *s, const ptw_in_t *in)
{
    const unsigned first = in->req_valid == 3 && in->req[1].id < in->req[0].id;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned p = i ^ first;
        if (!(in->req_valid >> p & 1))
            continue;
        going_t *m = &s->walk[in->req[p].id];
        *m = (going_t){.vpn = in->req[p].vpn, .order = s->orders++};
        begin(m, &in->root);
        s->valid |= BIT(in->req[p].id);
    }
}

static void has_ended(ptw_t *s, uint64_t k)
{
    s->done |= BIT(k);
    if (s->held & BIT(k)) {
        s->held &= ~BIT(k);
        for EACH(w, s->walkers)
            if (s->walker[w] == k)
                s->walkers &= ~(1u << w);
    }
}

/* Step 2. */
static void answer(ptw_t *s, const window_t *window)
{
    const unsigned r = s->rsp_read;
    const uint64_t pte = s->rsp_pte, waiters = s->waiters[r];
    s->reads &= ~BIT(r);
    s->waiting &= ~waiters;
    s->waiters[r] = 0; /* no walk waits for a dropped read */
    for EACH(k, waiters)
        if (advance(&s->walk[k], pte, window))
            has_ended(s, k);
}

static unsigned count_walkers(const walk_policy_t *policy)
{
    unsigned n = policy->walkers ? policy->walkers : 1;
    return n < WALKERS ? n : WALKERS;
}

static void wait_for(ptw_t *s, uint64_t r, uint64_t who, unsigned own)
{
    s->waiters[r] |= who;
    s->waiting |= who;
    const uint8_t saved = (uint8_t)((unsigned)__builtin_popcountll(who) - own), level = s->lead.level;
    s->ev.ptw_shared = saved;
    s->ev.ptw_shared_l3 = level == 3 ? saved : 0;
    s->ev.ptw_shared_l2 = level == 2 ? saved : 0;
    s->ev.ptw_shared_l1 = level == 1 ? saved : 0;
}

/* Step 3, the leader, who has room. `who` are the walks that its PTE is read for, `reads` those before the edge, `old` those of them that one may still wait for.
 * False if it does not act. */
static bool act(ptw_t *s, const ptw_in_t *in, uint64_t who, uint64_t reads, uint64_t old)
{
    const uint64_t at = s->lead.at;
    unsigned kept = NO_POINTER;
    if (!inside(&in->window, at / PTES)) {
        finish_outside(&s->walk[s->lead.k]);
        has_ended(s, s->lead.k);
        return true;
    }
    if (in->policy.coalesce) {
        for EACH(r, old)
            if (s->read_at[r] == at) {
                wait_for(s, r, who, 0);
                return true;
            }
    }
    if (WALK_POINTERS > 0 && in->policy.pointers && s->lead.level) {
        kept = pointer_find(&s->kept, at);
        if (kept != NO_POINTER && in->mem_rsp_valid)
            return false;
    }
    if (kept == NO_POINTER && in->policy.coalesce) {
        if (in->policy.reads && __builtin_popcountll(reads) >= in->policy.reads)
            return false;
    }
    unsigned r = (unsigned)__builtin_ctzll(~reads), level = s->lead.level;
    wait_for(s, r, who, 1);
    s->reads |= BIT(r);
    s->drop &= ~BIT(r);
    s->read_at[r] = at;
    if (kept != NO_POINTER) {
        s->recalled = true;
        s->recall_read = (uint8_t)r;
        s->recall_pte = s->kept.entry[kept].pte;
        s->ev.ptw_kept = true;
        return true;
    }
    s->out_valid = true;
    s->out_id = (uint16_t)r;
    s->out_cls = (uint8_t)(4 - level);
    s->out_asid = in->root.asid;
    s->out_line = at / PTES;
    s->ev.ptw_reads_l3 = level == 3;
    s->ev.ptw_reads_l2 = level == 2;
    s->ev.ptw_reads_l1 = level == 1;
    s->ev.ptw_reads_l0 = level == 0;
    s->ev.ptw_same_line = s->lead.near;
    return true;
}

/* Step 3, the next leader of walkers that know nothing of each other. */
static uint64_t pick_naive(uint64_t ready, uint32_t walkers, const uint8_t *walker)
{
    for EACH(w, walkers)
        if (ready >> walker[w] & 1)
            return walker[w];
    return NO_WALK;
}

static uint64_t pick_coalesced(const ptw_t *s, uint64_t ready)
{
    if (!ready)
        return NO_WALK;
    return s->turn == TURNS - 1 ? oldest(s->walk, ready) : pick(s->walk, ready, &s->lead);
}

static void choose(ptw_t *s, const ptw_in_t *in, uint64_t ready, uint64_t reads, uint64_t answered)
{
    const uint32_t used = (1u << count_walkers(&in->policy)) - 1, idle_walkers = used & ~s->walkers;
    const uint64_t unheld = ready & ~s->held;
    uint64_t who = 0;
    bool acts = true;
    if (s->lead.valid && (acts = !s->out_valid && reads != ALL)) {
        who = in->policy.coalesce ? same_pte(s->walk, ready, s->lead.at) : BIT(s->lead.k);
        acts = act(s, in, who, reads, reads & ~s->drop & ~answered);
    }
    if (acts) {
        const uint64_t left = ready & ~who;
        const uint64_t k =
            in->policy.coalesce ? pick_coalesced(s, left) : pick_naive(left, s->walkers & used, s->walker);
        s->lead.valid = k != NO_WALK;
        if (s->lead.valid) {
            const going_t *m = &s->walk[k];
            s->lead.near = near(m, &s->lead);
            s->lead.k = (uint8_t)k;
            s->lead.level = m->level;
            s->lead.at = m->at;
            s->turn = (s->turn + 1) % TURNS;
        }
    }
    if (!in->policy.coalesce && idle_walkers && unheld) {
        unsigned w = (unsigned)__builtin_ctz(idle_walkers);
        s->walker[w] = (uint8_t)oldest(s->walk, unheld);
        s->held |= BIT(s->walker[w]);
        s->walkers |= 1u << w;
    }
}

/* Step 4: the response that is shown is taken. */
static void end(ptw_t *s, uint64_t done)
{
    const uint64_t k = oldest(s->walk, done);
    s->valid &= ~BIT(k);
    s->done &= ~BIT(k);
}

/* Step 5. */
static void restart(ptw_t *s, uint64_t valid, const root_t *root)
{
    for EACH(k, valid)
        begin(&s->walk[k], root);
    s->waiting = s->done = 0;
    s->drop |= s->reads;
    memset(s->waiters, 0, sizeof s->waiters);
    s->lead.valid = false;
}

void ptw_tick(ptw_t *s, const ptw_in_t *in)
{
    const bool other_space = WALK_POINTERS > 0 && in->root.asid != s->kept.space;
    if (s->settled && !in->req_valid && !in->mem_rsp_valid && !in->inv_valid && !other_space)
        return;
    if (in->req_valid)
        requests(s, in);
    const uint64_t valid = s->valid, done = s->done, ready = valid & ~done & ~s->waiting, reads = s->reads;
    if (!valid)
        s->turn = 0;
    s->ev = (ev_ptw_t){.ptw_stall_mem = s->out_valid && !in->mem_req_ready};
    s->out_valid &= !in->mem_req_ready;
    s->inv_done = in->inv_valid;
    s->recalled = false;
    if (in->inv_valid && !(in->inv.scope == INV_ASID && in->inv.asid != in->root.asid))
        restart(s, valid, &in->root);
    else {
        /* Step 3 before 2: it uses the state before the edge, and a walk that step 2 changes is not ready before the next edge. */
        choose(s, in, ready, reads, s->rsp_valid ? BIT(s->rsp_read) : 0);
        if (done)
            end(s, done);
    }
    if (WALK_POINTERS > 0) {
        if (in->inv_valid || other_space)
            s->kept.valid = 0; /* 5 */
        else if (s->rsp_valid && in->policy.pointers && !(s->drop >> s->rsp_read & 1) && is_pointer(s->rsp_pte))
            pointer_keep(&s->kept, s->read_at[s->rsp_read], s->rsp_pte);
        s->kept.space = in->root.asid;
    }
    if (s->rsp_valid)
        answer(s, &in->window);
    s->rsp_valid = in->mem_rsp_valid || s->recalled;
    if (s->recalled) {
        s->rsp_read = s->recall_read;
        s->rsp_pte = s->recall_pte;
    }
    if (in->mem_rsp_valid) {
        s->rsp_read = (uint8_t)(in->mem_rsp.id & (BIT(MEM_IDX_W) - 1));
        s->rsp_pte = in->mem_rsp.data.w[s->read_at[s->rsp_read] % PTES];
    }
    static const ev_ptw_t none;
    s->settled = !memcmp(&s->ev, &none, sizeof none) && !s->inv_done && !s->out_valid && !s->lead.valid && !s->rsp_valid
                 && s->valid == s->waiting && (s->valid || !s->turn);
}

bool ptw_idle(const ptw_t *s)
{
    return s->settled;
}
