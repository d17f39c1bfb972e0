/* Twin of rtl/mmu/walker.sv: the shared page-table walker (docs/blocks/walker.md). Step numbers are the page's. Sets of walks and reads are bits of a word. */
#include "walker_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/mmu/ptw_walk.h"
#include <string.h>

#define ALL (UINT64_MAX >> (64 - WALKS))

typedef struct {
    uint64_t walks, reads; /* valid, with the walks of this cycle */
    uint8_t turn;
    lead_t line; /* the kernel's last leader, for nearness: address and level of its PTE */
} share_t;

struct walker {
    going_t walk[MAX_WALKS];
    uint16_t asid[MAX_WALKS];
    uint8_t core[MAX_WALKS], kernel[MAX_WALKS], access[MAX_WALKS];
    uint64_t valid, waiting, done; /* of walks; ready: valid alone */
    uint64_t orders;
    uint64_t reads, drop, read_at[MAX_WALKS],
        waiters[MAX_WALKS]; /* sets of reads; waiters: the walks that wait for a read */
    uint16_t read_asid[MAX_WALKS];
    uint8_t read_kernel[MAX_WALKS];
    lead_t lead;
    share_t of[KERNELS];
    uint8_t first;
    uint32_t turned; /* kernels with a turn above 0 */
    bool out_valid, inv_done;
    bool rsp_valid; /* an answer arrived at the last edge */
    uint8_t rsp_read;
    uint64_t rsp_pte;
    bool settled; /* every edge does the same until an input is active */
    pte_read_t out;
    ev_walker_t ev;
};

TWIN_STATE(walker)

static uint8_t busy(const walker_t *s)
{
    return (uint8_t)__builtin_popcountll(s->valid);
}

void walker_out(const walker_t *s, walker_out_t *o)
{
    o->rsp_valid = s->done != 0;
    if (s->done) {
        const uint64_t k = oldest(s->walk, s->done);
        o->rsp = (walk_rsp_t){.walk = (uint8_t)k, .result = s->walk[k].result, .leaf = s->walk[k].leaf};
    }
    o->mem_req_valid = s->out_valid;
    if (s->out_valid)
        o->mem_req = s->out;
    o->inv_done = s->inv_done;
    o->ev = s->ev;
}

/* Step 1. */
static void request(walker_t *s, const walker_in_t *in)
{
    const walk_req_t *r = &in->req;
    s->walk[r->walk] = (going_t){.vpn = r->vpn, .order = s->orders++};
    begin(&s->walk[r->walk], &in->root[r->core]);
    s->asid[r->walk] = r->asid;
    s->core[r->walk] = r->core;
    s->access[r->walk] = r->access;
    s->kernel[r->walk] = in->owner[r->core];
    s->valid |= BIT(r->walk);
    s->of[s->kernel[r->walk]].walks |= BIT(r->walk);
}

/* Step 2. */
static void answer(walker_t *s, const walker_in_t *in)
{
    const unsigned r = s->rsp_read, kernel = s->read_kernel[r];
    const uint64_t waiters = s->waiters[r];
    s->reads &= ~BIT(r);
    s->of[kernel].reads &= ~BIT(r);
    s->waiting &= ~waiters;
    s->waiters[r] = 0; /* no walk waits for a dropped read */
    for EACH(k, waiters)
        if (advance(&s->walk[k], s->rsp_pte, &in->window[kernel]))
            s->done |= BIT(k);
}

/* The ready walks that share the PTE of the leader, which is one of them. */
static uint64_t sharers(const walker_t *s, uint64_t ready)
{
    return same_pte(s->walk, ready & s->of[s->kernel[s->lead.k]].walks, s->lead.at);
}

static void wait_for(walker_t *s, uint64_t r, uint64_t who, unsigned own)
{
    s->waiters[r] |= who;
    s->waiting |= who;
    const uint8_t saved = (uint8_t)((unsigned)__builtin_popcountll(who) - own), level = s->lead.level;
    s->ev.walker_shared = saved;
    s->ev.walker_shared_l3 = level == 3 ? saved : 0;
    s->ev.walker_shared_l2 = level == 2 ? saved : 0;
    s->ev.walker_shared_l1 = level == 1 ? saved : 0;
}

static void read_pte(walker_t *s, uint64_t r, uint64_t who)
{
    const unsigned k = s->lead.k, kernel = s->kernel[k], level = s->lead.level;
    wait_for(s, r, who, 1);
    s->reads |= BIT(r);
    s->drop &= ~BIT(r);
    s->of[kernel].reads |= BIT(r);
    s->read_at[r] = s->lead.at;
    s->read_asid[r] = s->asid[k];
    s->read_kernel[r] = (uint8_t)kernel;
    s->out_valid = true;
    s->out = (pte_read_t){.read = (uint8_t)r,
                          .level = (uint8_t)level,
                          .asid = s->asid[k],
                          .access = s->access[k],
                          .line = s->lead.at / PTES,
                          .place = s->lead.at % PTES};
    s->ev.walker_reads_l3 = level == 3;
    s->ev.walker_reads_l2 = level == 2;
    s->ev.walker_reads_l1 = level == 1;
    s->ev.walker_reads_l0 = level == 0;
    s->ev.walker_same_line = s->lead.near;
}

/* Step 3, the leader, who has room. `who` are the walks that its PTE is read for, `old` the reads that one may still wait for. False: it is given up. */
static bool act(walker_t *s, const walker_in_t *in, uint64_t who, uint64_t old)
{
    const unsigned k = s->lead.k, kernel = s->kernel[k];
    const uint64_t at = s->lead.at, reads = s->of[kernel].reads;
    if (!inside(&in->window[kernel], at / PTES)) {
        finish_outside(&s->walk[k]);
        s->done |= BIT(k);
        return true;
    }
    if (in->policy.coalesce) {
        for EACH(r, reads & old)
            if (s->read_at[r] == at) {
                wait_for(s, r, who, 0);
                return true;
            }
        if (in->policy.reads && __builtin_popcountll(reads) >= in->policy.reads)
            return false;
    }
    read_pte(s, (uint64_t)__builtin_ctzll(~s->reads), who);
    return true;
}

/* Step 3, the next leader among the candidates; `restarts` are walks that do not become it (5). */
static void next_leader(walker_t *s, const walker_in_t *in, uint64_t candidates, uint64_t restarts)
{
    s->lead.valid = false;
    if (!candidates)
        return;
    unsigned kernel = s->first;
    while (!(candidates & s->of[kernel].walks))
        kernel = (kernel + 1) % KERNELS;
    share_t *of = &s->of[kernel];
    const uint64_t own = candidates & of->walks;
    s->first = (uint8_t)((kernel + 1) % KERNELS);
    const uint64_t k =
        in->policy.coalesce && of->turn != TURNS - 1 ? pick(s->walk, own, &of->line) : oldest(s->walk, own);
    if (restarts >> k & 1)
        return;
    const going_t *m = &s->walk[k];
    s->lead = (lead_t){.valid = true, .near = near(m, &of->line), .k = (uint8_t)k, .level = m->level, .at = m->at};
    of->turn = (of->turn + 1) % TURNS;
    s->turned |= 1u << kernel;
}

/* Step 3. `answered` is the read of 2, `restarts` are the walks of 5. */
static void choose(walker_t *s, const walker_in_t *in, uint64_t answered, uint64_t restarts)
{
    uint64_t candidates = s->valid & ~s->done & ~s->waiting;
    if (s->lead.valid) {
        share_t *of = &s->of[s->kernel[s->lead.k]];
        if (restarts >> s->lead.k & 1) {
            of->line = s->lead;
            s->lead.valid = false;
            return;
        }
        if (s->out_valid || s->reads == ALL)
            return;
        const uint64_t who = in->policy.coalesce ? sharers(s, candidates) : BIT(s->lead.k);
        if (act(s, in, who, s->reads & ~s->drop & ~answered)) {
            of->line = s->lead;
            candidates &= ~who;
        } else {
            of->turn = (of->turn + TURNS - 1) % TURNS;
            s->turned |= 1u << s->kernel[s->lead.k];
            candidates &= ~of->walks;
        }
    }
    next_leader(s, in, candidates, restarts);
}

/* Step 4: the response that is shown is taken. */
static void end(walker_t *s, uint64_t k)
{
    s->valid &= ~BIT(k);
    s->done &= ~BIT(k);
    s->of[s->kernel[k]].walks &= ~BIT(k);
}

/* Step 5: the walks that an invalidation begins again. */
static uint64_t concerned(const walker_t *s, const inv_t *inv)
{
    uint64_t of = inv->scope == INV_ASID ? 0 : s->valid;
    for EACH(k, s->valid & ~of)
        if (s->asid[k] == inv->asid)
            of |= BIT(k);
    return of;
}

static void restart(walker_t *s, const walker_in_t *in, uint64_t walks)
{
    for EACH(k, walks)
        begin(&s->walk[k], &in->root[s->core[k]]);
    s->waiting &= ~walks;
    s->done &= ~walks;
    for EACH(r, s->reads)
        if (in->inv.scope != INV_ASID || s->read_asid[r] == in->inv.asid) {
            s->drop |= BIT(r);
            s->waiters[r] = 0;
        }
}

void walker_tick(walker_t *s, const walker_in_t *in)
{
    if (s->settled && !in->req_valid && !in->mem_rsp_valid && !in->inv_valid)
        return;
    const uint64_t shown = s->done ? oldest(s->walk, s->done) : NO_WALK;
    if (in->req_valid)
        request(s, in);
    for EACH(k, s->turned)
        if (!s->of[k].walks) {
            s->of[k].turn = 0;
            s->turned &= ~(1u << k);
        }
    const uint64_t restarts = in->inv_valid ? concerned(s, &in->inv) : 0;
    s->ev = (ev_walker_t){.walker_stall_mem = s->out_valid && !in->mem_req_ready, .walker_busy = busy(s)};
    s->out_valid &= !in->mem_req_ready;
    s->inv_done = in->inv_valid;
    /* Step 3 before 2: it uses the state before the edge, and a walk that step 2 changes is not ready before the next edge. */
    choose(s, in, s->rsp_valid ? BIT(s->rsp_read) : 0, restarts);
    if (shown != NO_WALK && !(restarts >> shown & 1))
        end(s, shown);
    if (in->inv_valid)
        restart(s, in, restarts);
    if (s->rsp_valid)
        answer(s, in);
    s->rsp_valid = in->mem_rsp_valid;
    if (in->mem_rsp_valid) {
        s->rsp_read = (uint8_t)(in->mem_rsp.id & (BIT(MEM_IDX_W) - 1));
        s->rsp_pte = in->mem_rsp.data.w[s->read_at[s->rsp_read] % PTES];
    }
    const ev_walker_t still = {.walker_busy = busy(s)};
    s->settled = !memcmp(&s->ev, &still, sizeof still) && !s->inv_done && !s->out_valid && !s->lead.valid
                 && !s->rsp_valid && s->valid == s->waiting;
    for EACH(k, s->settled ? s->turned : 0)
        s->settled &= s->of[k].walks != 0;
}

bool walker_idle(const walker_t *s)
{
    return s->settled;
}
