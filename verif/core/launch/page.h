/* The page of launch (docs/blocks/launch.md) as a program: which slot and which warps a group gets, the local ids of every thread, every event. A thread is known by
 * its number in the group; its ids are worked out from that. */
#ifndef VERIF_CORE_LAUNCH_PAGE_H
#define VERIF_CORE_LAUNCH_PAGE_H
#include "launch_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    kernel_t k;
    unsigned setup; /* cycles of it that are left */
    bool taken[WARPS], busy[GROUPS];
    unsigned left[GROUPS], slot_of[WARPS];
    bool send, have; /* have: a warp for the next threads */
    group_t group;
    unsigned slot, base, idx, warp, beat;
    launch_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->out.idle = true;
}

/* The lowest of the warps that were free before the edge becomes that of the next threads. */
static void page_choose(page_t *p, const bool *taken)
{
    unsigned w = 0;
    while (w < WARPS && taken[w])
        w++;
    p->have = w < WARPS;
    if (!p->have)
        return;
    p->taken[w] = true;
    p->slot_of[w] = p->slot;
    p->warp = w;
}

static void page_show(page_t *p)
{
    launch_out_t *o = &p->out;
    const uint32_t X = p->k.local_size[0], Y = p->k.local_size[1];
    o->idle = true;
    for (unsigned g = 0; g < GROUPS; g++)
        o->idle &= !p->busy[g];
    o->lids_valid = p->send && p->have;
    o->start_valid = o->lids_valid && p->beat == BEATS - 1;
    if (!o->lids_valid)
        return;
    o->lids.warp = (uint8_t)p->warp;
    o->lids.beat = p->beat;
    for (unsigned l = 0; l < LANES; l++) {
        const unsigned n = p->idx * THREADS + p->beat * LANES + l;
        o->lids.lid[l][0] = n % X & ((1u << LID_W) - 1);
        o->lids.lid[l][1] = n / X % Y & ((1u << LID_W) - 1);
        o->lids.lid[l][2] = n / X / Y & ((1u << LID_W) - 1);
    }
    const uint64_t all = ~0ull >> (64 - THREADS);
    o->start = (start_t){.warp = (uint8_t)p->warp,
                         .slot = (uint8_t)p->slot,
                         .group_warps = p->k.warps_per_group,
                         .pc = p->k.entry_pc,
                         .tmask = p->idx + 1 == p->k.warps_per_group ? p->k.last_mask : all,
                         .spad_base = (uint16_t)p->base};
    memcpy(o->start.grp, p->group.grp, sizeof o->start.grp);
    memcpy(o->start.gbase, p->group.gbase, sizeof o->start.gbase);
}

static void page_expect(page_t *p, const launch_in_t *in)
{
    launch_out_t *o = &p->out;
    const bool transfer = in->group_valid && o->group_ready, setup = p->setup != 0;
    unsigned resident = 0, slot = 0;
    if (in->kernel_start) {
        *p = (page_t){.k = in->kernel, .setup = LANES + 1};
        page_show(p);
        return;
    }
    for (unsigned w = 0; w < WARPS; w++)
        resident += p->taken[w];
    while (slot < p->k.slots && slot < GROUPS && p->busy[slot])
        slot++;
    const bool ready = !setup && !p->send && !transfer && !in->halt && slot < p->k.slots && resident < WARPS;
    o->ev = (ev_launch_t){
        .groups_started = transfer, .warps_started = o->start_valid && !in->halt, .warps_resident = (uint8_t)resident};
    bool before[WARPS];
    memcpy(before, p->taken, sizeof before);
    p->setup -= setup;
    if (p->send && in->halt) {
        p->send = false;
    } else if (p->send && !p->have) {
        page_choose(p, before);
    } else if (p->send && ++p->beat == BEATS) {
        p->beat = 0;
        p->send = ++p->idx != p->k.warps_per_group;
        if (p->send)
            page_choose(p, before);
    }
    if (transfer) {
        p->busy[slot] = true;
        p->left[slot] = p->k.warps_per_group;
        p->slot = slot;
        p->base = slot * p->k.spad_bytes;
        p->group = in->group;
        p->idx = p->beat = 0;
        page_choose(p, before);
        p->send = !in->halt;
    }
    o->group_done = false;
    if (in->warp_done_valid) {
        const unsigned s = p->slot_of[in->warp_done];
        p->taken[in->warp_done] = false;
        o->group_done = --p->left[s] == 0;
        p->busy[s] &= !o->group_done;
    }
    o->group_ready = ready;
    page_show(p);
}
#endif
