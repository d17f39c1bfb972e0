/* Twin of rtl/core/launch.sv: workgroups become warps (docs/blocks/launch.md). */
#include "launch_ports.h"
#include <string.h>

typedef struct {
    uint16_t d[3];
} digits_t;

struct launch {
    /* the kernel */
    uint64_t entry_pc, last_mask;
    uint32_t x, y, warps_per_group, slots, spad_bytes;
    /* local ids without dividing */
    bool setup;
    uint32_t cnt;
    digits_t digit, first[LANES], step;
    /* warps and slots */
    bool free[WARPS], busy[GROUPS];
    uint32_t nfree, left[GROUPS];
    uint8_t wslot[WARPS];
    bool ready, send, have, done;
    /* The group being sent; have: a free warp has been found for its next threads. */
    uint32_t slot, base, idx, warp, beat;
    group_t group;
    digits_t id[LANES];
    ev_launch_t ev;
};

size_t launch_size(void)
{
    return sizeof(struct launch);
}

void launch_reset(launch_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned w = 0; w < WARPS; w++)
        s->free[w] = true;
    s->nfree = WARPS;
}

static bool none_here(const launch_t *s)
{
    for (unsigned g = 0; g < GROUPS; g++)
        if (s->busy[g])
            return false;
    return true;
}

void launch_out(const launch_t *s, launch_out_t *o)
{
    o->group_ready = s->ready;
    o->lids_valid = s->send && s->have;
    if (o->lids_valid) {
        o->lids.warp = (uint8_t)s->warp;
        o->lids.beat = s->beat;
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned d = 0; d < 3; d++)
                o->lids.lid[l][d] = s->id[l].d[d];
    }
    o->start_valid = o->lids_valid && s->beat == BEATS - 1;
    if (o->start_valid) {
        start_t *t = &o->start;
        t->warp = (uint8_t)s->warp;
        t->slot = (uint8_t)s->slot;
        t->group_warps = (uint8_t)s->warps_per_group;
        t->pc = s->entry_pc;
        t->tmask = s->idx + 1 == s->warps_per_group ? s->last_mask : ~0ull >> (64 - THREADS);
        t->spad_base = s->base;
        memcpy(t->grp, s->group.grp, sizeof t->grp);
        memcpy(t->gbase, s->group.gbase, sizeof t->gbase);
    }
    o->group_done = s->done;
    o->idle = none_here(s);
    o->ev = s->ev;
}

/* The lowest slot that may be used and is free, or GROUPS. */
static unsigned free_slot(const launch_t *s)
{
    for (unsigned g = 0; g < GROUPS && g < s->slots; g++)
        if (!s->busy[g])
            return g;
    return GROUPS;
}

/* The lowest free warp for the next threads of the group, if there is one. */
static void take_warp(launch_t *s)
{
    unsigned w = 0;
    s->have = s->nfree != 0;
    if (!s->have)
        return;
    while (w < WARPS && !s->free[w])
        w++;
    s->warp = w;
    s->free[w] = false;
    s->nfree--;
    s->wslot[w] = (uint8_t)s->slot;
}

enum { LID_MASK = (1 << LID_W) - 1 };

/* The next thread's digits (step 2). */
static void count_on(const launch_t *s, digits_t *g)
{
    g->d[0] = (g->d[0] + 1) & LID_MASK;
    if (g->d[0] != s->x)
        return;
    g->d[0] = 0;
    g->d[1] = (g->d[1] + 1) & LID_MASK;
    if (g->d[1] != s->y)
        return;
    g->d[1] = 0;
    g->d[2] = (g->d[2] + 1) & LID_MASK;
}

/* LANES threads on (step 5). */
static void step_on(const launch_t *s, digits_t *g)
{
    uint32_t x = g->d[0] + s->step.d[0], carry = x >= s->x;
    uint32_t y = g->d[1] + s->step.d[1] + carry;
    g->d[0] = (uint16_t)((carry ? x - s->x : x) & LID_MASK);
    carry = y >= s->y;
    g->d[1] = (uint16_t)((carry ? y - s->y : y) & LID_MASK);
    g->d[2] = (uint16_t)((g->d[2] + s->step.d[2] + carry) & LID_MASK);
}

static void new_kernel(launch_t *s, const kernel_t *k) /* step 1 */
{
    uint8_t wslot[WARPS];
    memcpy(wslot, s->wslot, sizeof wslot);
    launch_reset(s);
    memcpy(s->wslot, wslot, sizeof wslot);
    s->entry_pc = k->entry_pc;
    s->last_mask = k->last_mask;
    s->x = k->local_size[0];
    s->y = k->local_size[1];
    s->warps_per_group = k->warps_per_group;
    s->slots = k->slots;
    s->spad_bytes = k->spad_bytes;
    s->setup = true;
}

static bool next_ready(const launch_t *s, bool transfer, bool halt) /* step 3 */
{
    return !s->setup && !s->send && !transfer && !halt && free_slot(s) < GROUPS && s->nfree != 0;
}

void launch_tick(launch_t *s, const launch_in_t *in)
{
    if (in->kernel_start) {
        new_kernel(s, &in->kernel);
        return;
    }
    bool transfer = in->group_valid && s->ready, sending = s->send, has = s->send && s->have, halt = in->halt;
    bool started = has && s->beat == BEATS - 1 && !halt;
    bool ready = next_ready(s, transfer, halt);
    unsigned slot = free_slot(s);
    ev_launch_t ev = {
        .groups_started = transfer, .warps_started = started, .warps_resident = (uint8_t)(WARPS - s->nfree)};

    if (s->setup) { /* step 2 */
        if (s->cnt < LANES) {
            s->first[s->cnt] = s->digit;
        } else {
            s->step = s->digit;
            s->setup = false;
        }
        s->cnt++;
        count_on(s, &s->digit);
    }
    s->ready = ready;
    if (transfer) { /* step 4 */
        s->slot = slot;
        s->busy[slot] = true;
        s->left[slot] = s->warps_per_group;
        s->base = slot * s->spad_bytes;
        s->group = in->group;
        s->idx = s->beat = 0;
        memcpy(s->id, s->first, sizeof s->id);
        take_warp(s);
        s->send = !halt;
    }
    if (sending && halt) { /* step 5 */
        s->send = false;
    } else if (sending && !has) {
        take_warp(s);
    } else if (sending) {
        for (unsigned l = 0; l < LANES; l++)
            step_on(s, &s->id[l]);
        if (s->beat < BEATS - 1) {
            s->beat++;
        } else {
            s->beat = 0;
            if (s->idx + 1 == s->warps_per_group) {
                s->send = false;
            } else {
                s->idx++;
                take_warp(s);
            }
        }
    }
    s->done = false;
    if (in->warp_done_valid) { /* step 6 */
        unsigned w = in->warp_done, g = s->wslot[w];
        s->free[w] = true;
        s->nfree++;
        if (s->left[g]-- == 1) {
            s->busy[g] = false;
            s->done = true;
        }
    }
    s->ev = ev; /* step 7 */
}

bool launch_idle(const launch_t *s)
{
    bool waits = s->send && !s->have && !s->nfree; /* the group waits for a free warp */
    return !s->setup && (!s->send || waits) && !s->done && !s->ev.groups_started && !s->ev.warps_started
           && s->ev.warps_resident == WARPS - s->nfree && s->ready == next_ready(s, false, false);
}
