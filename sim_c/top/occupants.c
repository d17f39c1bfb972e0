/* The work-item of a fault. A warp waits at its end for all answers, so a load, an atomic, a barrier or an illegal instruction is of the group that runs there. A store has no
 * answer: its group may have ended, and others may have begun on the warp, before the host reads of the fault. So the stores of the last groups are kept: the fault is of the
 * only one that has stored there, with these threads, not too long ago.
 *
 * Where warps are formed anew (docs/compaction.md), a warp has threads of several homes, and others whenever it is formed. It is formed only when nothing
 * of its group is in flight, so a load is of the threads formed last, too. */
#include "sim_c/top/occupants.h"
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = COMPACTION == COMPACTION_BLOCK ? 32 : 8, /* groups and formations of a warp that are kept */
    STORES = 4, /* last stores that are kept for a group */
    OLD = 50000, /* after so many cycles a store has been translated */
    PLAIN_STORE = 0x23 /* opcode */
};

typedef struct {
    uint64_t pc, cycle, threads;
} store_t;

typedef struct {
    uint32_t group[3];
    uint32_t number[THREADS]; /* for each thread the number of its home in the group */
    store_t store[STORES];
    unsigned stores; /* number of stores so far: the next one replaces the oldest */
} occupant_t;

struct occupants {
    occupant_t kept[CORES][WARPS][KEPT];
    unsigned begun[CORES][WARPS]; /* since the kernel began */
    uint32_t home[CORES][WARPS]; /* the warp's number in its group, as a home */
    uint32_t started[CORES][GROUPS]; /* warps of the group in a slot */
};

occupants_t *occupants_new(void)
{
    return calloc(1, sizeof(occupants_t));
}

void occupants_free(occupants_t *o)
{
    free(o);
}

void occupants_clear(occupants_t *o)
{
    memset(o, 0, sizeof *o);
}

static occupant_t *newest(occupants_t *o, unsigned core, unsigned warp)
{
    return &o->kept[core][warp][(o->begun[core][warp] - 1) % KEPT];
}

/* The warps of a group start in their order; a slot is another group's when all of them have. */
static void on_start(occupants_t *o, unsigned core, const start_t *s)
{
    uint32_t *started = &o->started[core][s->slot];
    o->begun[core][s->warp]++;
    occupant_t *k = newest(o, core, s->warp);
    *k = (occupant_t){0};
    for (unsigned t = 0; t < THREADS; t++)
        k->number[t] = *started;
    o->home[core][s->warp] = *started;
    memcpy(k->group, s->grp, sizeof k->group);
    *started = *started + 1 == s->group_warps ? 0 : *started + 1;
}

/* The slot of each home had its group from the start. */
static void on_formed(occupants_t *o, unsigned core, const formed_t *f)
{
    occupant_t k = {0};
    for (uint64_t m = f->mask; m; m &= m - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(m), home = f->homes[t];
        if (!o->begun[core][home])
            return;
        k.number[t] = o->home[core][home];
        memcpy(k.group, newest(o, core, home)->group, sizeof k.group);
    }
    o->begun[core][f->warp]++;
    *newest(o, core, f->warp) = k;
}

static void on_issue(occupants_t *o, unsigned core, uint64_t cycle, const issued_t *i)
{
    if (!o->begun[core][i->warp] || !i->first || i->pipe != PIPE_LSU || (i->instr & 0x7f) != PLAIN_STORE)
        return;
    occupant_t *k = newest(o, core, i->warp);
    store_t *to = NULL;
    for (unsigned n = 0; n < STORES && n < k->stores; n++)
        if (k->store[n].pc == i->pc && k->store[n].threads == i->tmask)
            to = &k->store[n];
    if (!to)
        to = &k->store[k->stores++ % STORES];
    *to = (store_t){.pc = i->pc, .cycle = cycle, .threads = i->tmask};
}

void occupants_cycle(occupants_t *o, uint64_t cycle, const vellum_out_t *out)
{
    for (uint64_t m = out->trace_start_valid; m; m &= m - 1)
        on_start(o, (unsigned)__builtin_ctzll(m), &out->trace_start[__builtin_ctzll(m)]);
    for (uint64_t m = out->trace_formed_valid; m; m &= m - 1)
        on_formed(o, (unsigned)__builtin_ctzll(m), &out->trace_formed[__builtin_ctzll(m)]);
    for (uint64_t m = out->trace_issue_valid; m; m &= m - 1)
        on_issue(o, (unsigned)__builtin_ctzll(m), cycle, &out->trace_issue[__builtin_ctzll(m)]);
}

static bool stored(const occupant_t *k, uint64_t cycle, uint64_t pc, uint64_t threads)
{
    for (unsigned n = 0; n < STORES && n < k->stores; n++)
        if (k->store[n].pc == pc && !(threads & ~k->store[n].threads) && cycle - k->store[n].cycle < OLD)
            return true;
    return false;
}

bool occupants_find(const occupants_t *o, uint64_t cycle, uint32_t core, uint32_t warp, uint64_t pc, uint64_t threads,
                    uint32_t group[3], uint32_t *number)
{
    if (core >= CORES || warp >= WARPS || !o->begun[core][warp])
        return false;
    const unsigned begun = o->begun[core][warp], first = threads ? (unsigned)__builtin_ctzll(threads) : 0;
    const occupant_t *whose = &o->kept[core][warp][(begun - 1) % KEPT];
    bool any = false;
    for (unsigned k = 1; k <= KEPT && k <= begun; k++) {
        const occupant_t *other = &o->kept[core][warp][(begun - k) % KEPT];
        if (!stored(other, cycle, pc, threads))
            continue;
        if (any
            && (memcmp(other->group, whose->group, sizeof whose->group) != 0
                || other->number[first] != whose->number[first]))
            return false;
        whose = other;
        any = true;
    }
    memcpy(group, whose->group, sizeof whose->group);
    *number = whose->number[first];
    return true;
}
