/* The work-item of a fault. A warp waits at its end for all answers, so a load, an atomic, a barrier or an illegal instruction is of the group that runs there. A store has no
 * answer: its group may have ended, and others may have begun on the warp, before the host reads of the fault. So the stores of the last groups are kept: the fault is of the
 * only one that has stored there, with these threads, not too long ago.
 *
 * Where warps are formed anew (docs/compaction.md), a warp has threads of several homes, and others whenever it is formed. It is formed only when nothing
 * of its group is in flight, so a load is of the threads formed last, too. */
#include "sim_c/top/occupants.h"
#include "sim_c/top/trace_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = COMPACTION == COMPACTION_BLOCK ? 32 : 8, /* groups and formations of a warp that are kept */
    STORES = 4, /* last stores that are kept for a group */
    OLD = 50000, /* cycles after which a store has been translated */
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

/* A warp as it is now. */
typedef struct {
    bool runs;
    uint64_t pc, threads, cycle; /* of the last instruction */
    bool at_barrier;
    unsigned buffered; /* instructions fetched and not issued */
    uint64_t answers[4],
        unsent
            [4]; /* instructions of the load/store unit, by sequence number: not answered; of which no line was asked for */
} present_t;

struct occupants {
    present_t now[CORES][WARPS];
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
static void on_start(occupants_t *o, unsigned core, uint64_t cycle, const start_t *s)
{
    uint32_t *started = &o->started[core][s->slot];
    o->begun[core][s->warp]++;
    occupant_t *k = newest(o, core, s->warp);
    *k = (occupant_t){0};
    for (unsigned t = 0; t < THREADS; t++)
        k->number[t] = *started;
    o->home[core][s->warp] = *started;
    memcpy(k->group, s->grp, sizeof k->group);
    o->now[core][s->warp] = (present_t){.runs = true, .pc = s->pc, .threads = s->tmask, .cycle = cycle};
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

/* ---- where a warp is ---- */

static void put_seq(uint64_t set[4], unsigned seq, bool in)
{
    set[seq / 64] = (set[seq / 64] & ~(1ull << seq % 64)) | (uint64_t)in << seq % 64;
}

static void see_issue(present_t *p, uint64_t cycle, const issued_t *i)
{
    if (!i->first || i->op == OP_JOIN)
        return;
    const bool asks = i->pipe == PIPE_LSU && trace_answers(i);
    p->pc = i->pc, p->threads = i->tmask, p->cycle = cycle;
    p->at_barrier = i->op == OP_VL_BARRIER;
    p->buffered -= p->buffered != 0;
    put_seq(p->answers, i->seq, asks);
    put_seq(p->unsent, i->seq, asks);
}

/* The scratchpad is not translated, and no line is asked for. */
static void see_address(present_t *p, const memtrace_t *t)
{
    for (uint64_t m = t->mask; m; m &= m - 1)
        if (t->addr[__builtin_ctzll(m)] >> 16 == SPAD_BASE >> 16)
            put_seq(p->unsent, t->seq, false);
}

static void see_core(occupants_t *o, unsigned c, uint64_t cycle, const vellum_out_t *out)
{
    present_t *now = o->now[c];
    const sent_t *sent = &out->trace_sent[c];
    const redirect_t *r = &out->trace_redirect[c];
    if ((uint64_t)out->trace_wb_valid >> c & 1 && out->trace_wb[c].res.last)
        put_seq(now[out->trace_wb[c].res.warp].answers, out->trace_wb[c].res.seq, false);
    if ((uint64_t)out->trace_mem_valid >> c & 1)
        see_address(&now[out->trace_mem[c].warp], &out->trace_mem[c]);
    if ((uint64_t)out->trace_sent_valid >> c & 1) {
        put_seq(now[sent->warp].unsent, sent->seq, false);
        if (sent->with_threads)
            put_seq(now[sent->with_warp].unsent, sent->with_seq, false);
    }
    if ((uint64_t)out->trace_issue_valid >> c & 1)
        see_issue(&now[out->trace_issue[c].warp], cycle, &out->trace_issue[c]);
    if ((uint64_t)out->trace_push_valid >> c & 1)
        now[out->trace_push[c].warp].buffered += out->trace_push[c].n;
    if ((uint64_t)out->trace_redirect_valid >> c & 1) { /* it discards a push of its cycle */
        now[r->warp].buffered = r->flush || r->stop ? 0 : now[r->warp].buffered;
        now[r->warp].runs &= !r->stop;
    }
}

bool occupants_now(const occupants_t *o, uint64_t cycle, uint32_t core, uint32_t warp, machine_warp_t *to)
{
    if (core >= CORES || warp >= WARPS || !o->now[core][warp].runs)
        return false;
    const present_t *p = &o->now[core][warp];
    uint64_t answers = 0, unsent = 0;
    for (unsigned k = 0; k < 4; k++) {
        answers |= p->answers[k];
        unsent |= p->answers[k] & p->unsent[k];
    }
    *to = (machine_warp_t){.pc = p->pc, .threads = p->threads, .cycles = cycle - p->cycle};
    to->wait = p->at_barrier  ? MACHINE_BARRIER
               : unsent       ? MACHINE_UNSENT
               : answers      ? MACHINE_MEMORY
               : !p->buffered ? MACHINE_FETCH
                              : MACHINE_ISSUE;
    memcpy(to->group, o->kept[core][warp][(o->begun[core][warp] - 1) % KEPT].group, sizeof to->group);
    return true;
}

/* ---- stores ---- */

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
        on_start(o, (unsigned)__builtin_ctzll(m), cycle, &out->trace_start[__builtin_ctzll(m)]);
    for (uint64_t m = out->trace_formed_valid; m; m &= m - 1)
        on_formed(o, (unsigned)__builtin_ctzll(m), &out->trace_formed[__builtin_ctzll(m)]);
    for (uint64_t m = out->trace_issue_valid; m; m &= m - 1)
        on_issue(o, (unsigned)__builtin_ctzll(m), cycle, &out->trace_issue[__builtin_ctzll(m)]);
    const uint64_t any = (uint64_t)out->trace_wb_valid | out->trace_mem_valid | out->trace_sent_valid
                         | out->trace_issue_valid | out->trace_push_valid | out->trace_redirect_valid;
    for (uint64_t m = any; m; m &= m - 1)
        see_core(o, (unsigned)__builtin_ctzll(m), cycle, out);
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
