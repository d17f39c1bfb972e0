/* The page of stall_count (docs/blocks/stall_count.md) as a program: of each application the values that were seen in this epoch, as sets of numbers 0..63; the page keeps the greatest
 * of a set. Events of an edge are noted for the bench's coverage. */
#ifndef VERIF_MMU_STALL_COUNT_PAGE_H
#define VERIF_MMU_STALL_COUNT_PAGE_H
#include "stall_count_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_INVALID, /* walks, misses of an application that is not valid */
    NOTE_INVALID_STALL,
    NOTE_STRANGER, /* of an address space that is no application's */
    NOTE_STRANGER_STALL,
    NOTE_TWINS, /* two valid applications of one address space */
    NOTE_TWINS_STALL,
    NOTE_LOWER_INVALID,
    NOTE_SLOTS,
    NOTE_SLOTS_APART,
    NOTE_CORES,
    NOTE_CORES_APART,
    NOTE_LATER_LESS, /* the greatest came first, last, at the very edge of the epoch's end */
    NOTE_LATER_MORE,
    NOTE_AT_END,
    NOTE_AT_END_STALL,
    NOTE_62,
    NOTE_63,
    NOTE_SUM_63,
    NOTE_MORE,
    NOTE_STALL_62,
    NOTE_STALL_63,
    NOTE_NOTHING, /* an epoch without walks after one with some */
    NOTE_NEXT, /* epochs end at two edges in a row */
    NOTE_NEXT_SEES, /* ... and the second one sees only events of its own edge */
    NOTE_LONG,
    NOTE_MANUAL,
    NOTE_MANUAL_END,
    NOTE_MANUAL_COUNTS,
    NOTE_MANUAL_OFF,
    NOTE_MANUAL_OFF_END,
    NOTE_APPS_MOVE,
    NOTE_SPACE_MOVES,
    NOTE_LOWEST_CORE,
    NOTE_FULL_HOUSE,
    NOTES
};

typedef struct {
    uint64_t walks[APPS], warps[APPS]; /* sets: bit v for a value v */
    uint8_t most_walks[APPS], most_warps[APPS]; /* of the last epoch */
    stall_count_in_t before;
    bool ended, first, manual, counted, any[APPS];
    unsigned since;
    bool did[NOTES];
    stall_count_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->first = true;
}

static unsigned page_greatest(uint64_t set)
{
    unsigned v = 0;
    for (; set >> 1; set >>= 1)
        v++;
    return v;
}

static bool page_valid(const stall_count_in_t *in, unsigned a)
{
    return in->ctl.sched.app_valid >> a & 1;
}

/* The address space of a slot with a core. */
static uint16_t page_space(const stall_count_in_t *in, unsigned slot)
{
    unsigned c = 0;
    while (c + 1 < CORES && in->owner[c] != slot)
        c++;
    return in->root[c].asid;
}

/* The application of this address space; APPS: none. */
static unsigned page_owner(const stall_count_in_t *in, uint64_t asid)
{
    unsigned a = 0;
    while (a < APPS && !(page_valid(in, a) && in->ctl.sched.app_asid[a] == asid))
        a++;
    return a;
}

static void page_note_space(page_t *p, const stall_count_in_t *in, uint64_t asid, bool stall)
{
    unsigned valid = 0, others = 0, lower = APPS;
    for (unsigned a = APPS; a-- > 0;)
        if (in->ctl.sched.app_asid[a] == asid) {
            valid += page_valid(in, a);
            others += !page_valid(in, a);
            lower = a;
        }
    p->did[stall ? NOTE_INVALID_STALL : NOTE_INVALID] |= others && !valid;
    p->did[stall ? NOTE_STRANGER_STALL : NOTE_STRANGER] |= !others && !valid;
    p->did[stall ? NOTE_TWINS_STALL : NOTE_TWINS] |= valid > 1;
    p->did[NOTE_LOWER_INVALID] |= valid && !page_valid(in, lower);
}

/* 1. */
static void page_count(page_t *p, const stall_count_in_t *in)
{
    unsigned sum[APPS + 1] = {0}, slots[APPS + 1] = {0}, ends[APPS + 1] = {0}, homes = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const unsigned a = page_owner(in, page_space(in, k));
        sum[a] += in->walks[k];
        slots[a] += in->walks[k] != 0;
        if (!in->walks[k])
            continue;
        page_note_space(p, in, page_space(in, k), false);
        for (unsigned c = 0; c < CORES; c++)
            p->did[NOTE_LOWEST_CORE] |= in->owner[c] == k && in->root[c].asid != page_space(in, k);
    }
    for (unsigned a = 0; a < APPS; a++) {
        const unsigned v = sum[a] < 63 ? sum[a] : 63, so_far = page_greatest(p->walks[a]);
        p->did[NOTE_LATER_LESS] |= v && v < so_far;
        p->did[NOTE_LATER_MORE] |= so_far && v > so_far;
        p->did[NOTE_AT_END] |= in->epoch && v > so_far;
        p->did[NOTE_62] |= sum[a] == 62;
        p->did[NOTE_63] |= sum[a] == 63;
        p->did[NOTE_SUM_63] |= sum[a] == 63 && slots[a] > 1;
        p->did[NOTE_MORE] |= sum[a] > 63;
        p->did[NOTE_SLOTS] |= slots[a] > 1;
        homes += slots[a] != 0;
        p->walks[a] |= 1ull << v;
    }
    p->did[NOTE_SLOTS_APART] = homes > 1;
    homes = 0;
    unsigned all = 0;
    for (unsigned c = 0; c < CORES; c++) {
        if (!(in->stalled_valid >> c & 1))
            continue;
        const unsigned a = page_owner(in, in->stalled[c].asid), v = in->stalled[c].warps;
        page_note_space(p, in, in->stalled[c].asid, true);
        all++;
        if (a == APPS)
            continue;
        homes += !ends[a]++;
        p->did[NOTE_AT_END_STALL] |= in->epoch && v > page_greatest(p->warps[a]);
        p->did[NOTE_STALL_62] |= v == 62;
        p->did[NOTE_STALL_63] |= v == 63;
        p->did[NOTE_CORES] |= ends[a] > 1;
        p->warps[a] |= 1ull << v;
    }
    p->did[NOTE_CORES_APART] = homes > 1;
    p->did[NOTE_FULL_HOUSE] = all == CORES && homes;
}

static void page_note(page_t *p, const stall_count_in_t *in)
{
    const stall_count_in_t *was = &p->before;
    p->did[NOTE_NEXT] = in->epoch && p->ended;
    p->did[NOTE_LONG] = in->epoch && p->since > 500;
    const bool manual = in->ctl.inputs == INPUTS_REGISTERS;
    p->did[NOTE_MANUAL] = manual;
    p->did[NOTE_MANUAL_END] = manual && in->epoch;
    p->did[NOTE_MANUAL_OFF] = p->manual && !manual && !in->epoch;
    p->did[NOTE_MANUAL_OFF_END] = p->manual && !manual && in->epoch;
    for (unsigned a = 0; a < APPS && !p->first; a++)
        p->did[NOTE_APPS_MOVE] |=
            page_valid(in, a) != page_valid(was, a) || in->ctl.sched.app_asid[a] != was->ctl.sched.app_asid[a];
    for (unsigned c = 0; c < CORES && !p->first; c++)
        p->did[NOTE_SPACE_MOVES] |= in->root[c].asid != was->root[c].asid;
}

/* The numbered edge. */
static void page_expect(page_t *p, const stall_count_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    page_note(p, in);
    page_count(p, in);
    const bool manual = in->ctl.inputs == INPUTS_REGISTERS;
    p->out.ctl = in->ctl;
    for (unsigned a = 0; a < APPS; a++) {
        const unsigned con = page_greatest(p->walks[a]), warps = page_greatest(p->warps[a]);
        if (in->epoch) { /* 2 */
            p->did[NOTE_NOTHING] |= !con && !warps && p->any[a];
            p->did[NOTE_NEXT_SEES] |= p->ended && (con || warps);
            p->any[a] = con || warps;
            p->walks[a] = p->warps[a] = 0;
            p->most_walks[a] = (uint8_t)con;
            p->most_warps[a] = (uint8_t)warps;
            p->counted |= manual && con;
        }
        p->did[NOTE_MANUAL_COUNTS] |= p->counted && !manual && !in->epoch;
        if (!manual) { /* 3 */
            p->out.ctl.con_ptw[a] = p->most_walks[a];
            p->out.ctl.warps[a] = p->most_warps[a];
        }
    }
    p->counted &= manual;
    p->out.epoch = in->epoch;
    p->since = in->epoch ? 0 : p->since + 1;
    p->ended = in->epoch;
    p->manual = manual;
    p->before = *in;
    p->first = false;
}
#endif
