/* Twin of rtl/core/barrier.sv: workgroup barriers (docs/blocks/barrier.md). */
#include "barrier_ports.h"
#include "sim_c/common/twin.h"

struct barrier {
    uint8_t wslot[WARPS];
    bool waiting[WARPS];
    uint64_t pc[WARPS], tmask[WARPS];
    uint32_t size[GROUPS], arrived[GROUPS], ended[GROUPS], n_waiting;
    uint64_t full; /* set of groups with all warps at the barrier */
    bool held;     /* each group of `full` has unsent accesses, as of the last edge */
    bool release_valid, fault_valid;
    uint64_t release;
    fault_t fault;
    ev_barrier_t ev;
};

TWIN_STATE(barrier)

void barrier_out(const barrier_t *s, barrier_out_t *o)
{
    o->release_valid = s->release_valid;
    if (s->release_valid)
        o->release = s->release;
    o->fault_valid = s->fault_valid;
    if (s->fault_valid)
        o->fault = s->fault;
    o->ev = s->ev;
}

static void raise(barrier_t *s, unsigned warp, uint64_t pc, uint64_t tmask)
{
    s->fault_valid = true;
    s->fault = (fault_t){.cause = FAULT_BARRIER, .warp = (uint8_t)warp, .pc = pc, .value = 1, .mask = tmask};
}

/* Step 4. */
static void release(barrier_t *s, uint64_t unsent)
{
    for (uint64_t left = s->full; left; left &= left - 1) {
        const unsigned g = (unsigned)__builtin_ctzll(left);
        uint64_t group = 0;
        for (unsigned w = 0; w < WARPS; w++)
            group |= (uint64_t)(s->waiting[w] && s->wslot[w] == g) << w;
        if (group & unsent)
            continue;
        for (unsigned w = 0; w < WARPS; w++)
            s->waiting[w] &= !(group >> w & 1);
        s->n_waiting -= s->arrived[g];
        s->arrived[g] = 0;
        s->full &= ~(1ull << g);
        s->release_valid = s->ev.barriers = true;
        s->release = group;
        return;
    }
}

void barrier_tick(barrier_t *s, const barrier_in_t *in)
{
    s->ev.barrier_wait = (uint8_t)s->n_waiting;
    s->ev.barriers = false;
    s->release_valid = s->fault_valid = false;
    const uint64_t full = s->full;
    release(s, in->unsent);
    unsigned ending = GROUPS;
    uint32_t ended_before = 0;
    if (in->arrive_valid)
        ended_before = s->ended[s->wslot[in->arrive.warp]];
    if (in->warp_done_valid) { /* step 2 */
        unsigned g = ending = s->wslot[in->warp_done];
        s->ended[g] = s->ended[g] + 1 == s->size[g] ? 0 : s->ended[g] + 1;
        for (unsigned w = 0; w < WARPS && !s->fault_valid; w++)
            if (s->waiting[w] && s->wslot[w] == g)
                raise(s, w, s->pc[w], s->tmask[w]);
    }
    if (in->arrive_valid) { /* step 3 */
        unsigned a = in->arrive.warp, g = s->wslot[a];
        if ((ended_before || ending == g) && !s->fault_valid)
            raise(s, a, in->arrive.pc, in->arrive.tmask);
        s->pc[a] = in->arrive.pc;
        s->tmask[a] = in->arrive.tmask;
        s->waiting[a] = true;
        s->n_waiting++;
        if (++s->arrived[g] == s->size[g])
            s->full |= 1ull << g;
    }
    s->held = s->full == full && !s->release_valid;
    if (in->start_valid) { /* step 1; concerns another warp than the others */
        s->wslot[in->start.warp] = in->start.slot;
        s->size[in->start.slot] = in->start.group_warps;
    }
}

bool barrier_idle(const barrier_t *s)
{
    return !s->release_valid && !s->fault_valid && !s->ev.barriers && s->ev.barrier_wait == s->n_waiting
           && (!s->full || s->held);
}
