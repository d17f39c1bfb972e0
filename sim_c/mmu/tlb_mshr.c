/* Twin of rtl/mmu/tlb_mshr.sv: misses of a core's TLBs, merged by page (docs/blocks/tlb_mshr.md). Step numbers are the page's. Sets of MSHRs are bits of
 * a word. */
#include "tlb_mshr_ports.h"
#include "sim_c/common/bits.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum { MOST_WARPS = 63 }; /* that are counted */
#define ALL (UINT64_MAX >> (64 - TLB_MSHRS))

struct tlb_mshr {
    uint64_t valid, vpn[MAX_TLB_MSHRS];
    uint8_t warp[MAX_TLB_MSHRS], warps[MAX_TLB_MSHRS];
    uint8_t walk_valid, walk[2], req_valid;
    translate_req_t req[2];
    bool missed_valid, ended_valid;
    miss_t missed;
    walked_t ended;
    stalled_t stalled; /* valid with it */
    ev_tlb_mshr_t ev;
    bool settled; /* every edge does the same until an input is active */
};

TWIN_STATE(tlb_mshr)

void tlb_mshr_out(const tlb_mshr_t *s, tlb_mshr_out_t *o)
{
    const uint64_t left = ALL & ~s->valid;
    o->miss_ready = (left != 0) | (left & (left - 1) ? 2 : 0);
    o->walk_valid = s->walk_valid;
    memcpy(o->walk, s->walk, sizeof s->walk);
    o->req_valid = s->req_valid;
    memcpy(o->req, s->req, sizeof s->req);
    o->missed_valid = s->missed_valid;
    o->missed = s->missed;
    o->walked_valid = s->ended_valid;
    o->walked = s->ended;
    o->stalled_valid = s->ended_valid;
    o->stalled = s->stalled;
    o->idle = !s->valid && !s->ended_valid && !s->walk_valid;
    o->ev = s->ev;
}

/* Step 1: `joins` are the MSHRs that it may wait for, the lowest of `left` is allocated otherwise. */
static void miss(tlb_mshr_t *s, const tlb_mshr_in_t *in, unsigned port, uint64_t joins, uint64_t left)
{
    const miss_t *m = &in->miss[port];
    s->walk_valid |= 1u << port;
    s->ev.ptw_misses++;
    for EACH(k, joins)
        if (s->vpn[k] == m->vpn) {
            s->walk[port] = (uint8_t)k;
            s->warps[k] += s->warps[k] < MOST_WARPS;
            s->ev.ptw_merges++;
            return;
        }
    const unsigned k = (unsigned)__builtin_ctzll(left);
    s->valid |= BIT(k);
    s->vpn[k] = m->vpn;
    s->warp[k] = LOCALITY_ENTRIES > 0 ? m->warp : 0;
    s->warps[k] = 1;
    s->walk[port] = (uint8_t)k;
    s->req_valid |= 1u << port;
    s->req[port] = (translate_req_t){
        .core = in->core, .id = (uint8_t)k, .asid = in->asid, .vpn = m->vpn, .access = m->access, .warp = m->warp};
    s->ev.ptw_walks++;
}

static void misses(tlb_mshr_t *s, const tlb_mshr_in_t *in)
{
    const uint64_t before = s->valid, left = ALL & ~before, joins = before & ~in->closed;
    if (in->miss_valid & 1 && left) {
        miss(s, in, 0, joins, left);
        s->missed_valid = true;
        s->missed = in->miss[0];
    }
    if (in->miss_valid & 2 && left & (left - 1))
        miss(s, in, 1, joins | (s->valid & ~before), left & (left - 1));
}

/* Step 2. */
static void end(tlb_mshr_t *s, const translate_rsp_t *r, uint16_t asid)
{
    s->ended_valid = true;
    s->ended = (walked_t){.walk = r->id,
                          .result = r->result,
                          .vpn = s->vpn[r->id],
                          .asid = asid,
                          .leaf = r->leaf,
                          .warp = s->warp[r->id]};
    s->stalled = (stalled_t){.asid = asid, .warps = s->warps[r->id]};
    s->valid &= ~BIT(r->id);
    s->ev.ptw_ends = true;
    s->ev.ptw_page_faults = r->result == WALK_PAGE;
    s->ev.ptw_access_faults = r->result == WALK_ACCESS;
    s->ev.ptw_super = r->result == WALK_OK && r->leaf.level > 0;
}

void tlb_mshr_tick(tlb_mshr_t *s, const tlb_mshr_in_t *in)
{
    if (s->settled && !in->miss_valid && !in->rsp_valid && !in->inv_valid)
        return;
    const uint8_t busy = (uint8_t)__builtin_popcountll(s->valid);
    const bool concerns = in->inv_valid && !(in->inv.scope == INV_ASID && in->inv.asid != in->asid);
    s->ev = (ev_tlb_mshr_t){0};
    s->walk_valid = s->req_valid = 0;
    s->missed_valid = s->ended_valid = false;
    if (in->miss_valid)
        misses(s, in);
    if (in->rsp_valid && !concerns)
        end(s, &in->rsp, in->asid);
    if (concerns)
        s->ev.ptw_restarts = busy;
    static const ev_tlb_mshr_t none;
    s->settled = !memcmp(&s->ev, &none, sizeof none);
    s->ev.ptw_busy = busy;
}

bool tlb_mshr_idle(const tlb_mshr_t *s)
{
    return s->settled;
}
