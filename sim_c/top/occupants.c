/* Whose a fault is. A warp waits at its end for all that answers, so a load, an atomic, a barrier or an instruction that is none is of the group that runs there. A store does not
 * answer: its group may have ended, and others may have begun on the warp, before the host hears of it. Stores are kept therefore, of the last groups: the fault is of the
 * only one that has stored there, with these threads, not too long ago. */
#include "sim_c/top/occupants.h"
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 8, /* groups of a warp */
    STORES = 4, /* places of a group where its last stores were */
    OLD = 50000, /* cycles after which a store has long been looked up */
    PLAIN_STORE = 0x23 /* opcode */
};

typedef struct {
    uint64_t pc, cycle, threads;
} store_t;

typedef struct {
    uint32_t group[3];
    uint32_t number; /* of the warp in its group */
    store_t store[STORES];
    unsigned stores; /* so many there have been: the next takes the oldest's place */
} occupant_t;

struct occupants {
    occupant_t kept[CORES][WARPS][KEPT];
    unsigned begun[CORES][WARPS]; /* groups since the kernel began */
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

/* The warps of a group start in their order; a slot is another group's when all of them have. */
static void on_start(occupants_t *o, unsigned core, const start_t *s)
{
    uint32_t *started = &o->started[core][s->slot];
    occupant_t *k = &o->kept[core][s->warp][o->begun[core][s->warp]++ % KEPT];
    *k = (occupant_t){.number = *started};
    memcpy(k->group, s->grp, sizeof k->group);
    *started = *started + 1 == s->group_warps ? 0 : *started + 1;
}

static void on_issue(occupants_t *o, unsigned core, uint64_t cycle, const issued_t *i)
{
    const unsigned begun = o->begun[core][i->warp];
    if (!begun || !i->first || i->pipe != PIPE_LSU || (i->instr & 0x7f) != PLAIN_STORE)
        return;
    occupant_t *k = &o->kept[core][i->warp][(begun - 1) % KEPT];
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
    const unsigned begun = o->begun[core][warp];
    const occupant_t *whose = &o->kept[core][warp][(begun - 1) % KEPT];
    unsigned n = 0;
    for (unsigned k = 1; k <= KEPT && k <= begun; k++)
        if (stored(&o->kept[core][warp][(begun - k) % KEPT], cycle, pc, threads))
            whose = &o->kept[core][warp][(begun - k) % KEPT], n++;
    if (n > 1)
        return false;
    memcpy(group, whose->group, sizeof whose->group);
    *number = whose->number;
    return true;
}
