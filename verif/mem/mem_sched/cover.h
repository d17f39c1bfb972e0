/* Functional coverage of mem_sched, read off the twin's state: what the page lists. cover_tick stands before the twin's tick. */
#ifndef VERIF_MEM_SCHED_COVER_H
#define VERIF_MEM_SCHED_COVER_H
#include "sim_c/mem/mem_sched_state.h"
#include "verif/common/bench.h"

enum {
    COV_FULL,
    COV_POP = COV_FULL + SQ_N,
    COV_POP_GOLDEN = COV_POP + 9,
    COV_HIT_OVER,
    COV_GOLDEN_BLOCKED = COV_HIT_OVER + 3,
    COV_LATE,
    COV_LATE_TWO = COV_LATE + SQ_N,
    COV_LATE_EQUAL,
    COV_URGENT_G,
    COV_URGENT_D,
    COV_URGENT_BOTH,
    COV_COVERED_G,
    COV_COVERED_D,
    COV_PART,
    COV_PART_THEN,
    COV_BEHIND_G,
    COV_BEHIND_D,
    COV_W_BEHIND_G,
    COV_W_BEHIND_D,
    COV_W_BEHIND_QUEUE,
    COV_MERGE,
    COV_MERGE_GOES,
    COV_ANSWER_RSP,
    COV_ANSWER_WRITE,
    COV_ANSWER_BOTH,
    COV_UP,
    COV_DOWN,
    COV_FULL_DRAIN,
    COV_LOW_HIGH,
    COV_BOTH_0,
    COV_TURN_QUOTA,
    COV_TURN_SKIP,
    COV_TURN_INVALID,
    COV_TURN_SELF,
    COV_TURN_NOBODY,
    COV_MODE,
    COV_TIME,
    COV_STAMP,
    COV_ALL_ASK,
    COV_CLASS_NORMAL,
    COV_NONE,
    COV_SLOTS,
    COV_TXN_ROOM,
    COV_TXN_ROW,
    COV_IDLE,
    COV_SCENE,
    COV_BOUND = COV_SCENE + 3,
    COV_NO_BOUND,
    COV_SCENE_FULL,
    COV_OLD_DEFAULT = COV_SCENE_FULL + SQ_N,
    COV_OLD,
    COV_SKIPPED,
    COV_N
};
static const char *const cover[] = {"GOLDEN full, others move",
                                    "SILVER full, others move",
                                    "NORMAL full, others move",
                                    "WRITES full, others move",
                                    "pop of the first and push, SILVER",
                                    "pop of the last and push, SILVER",
                                    "pop from the middle and push, SILVER",
                                    "pop of the first and push, NORMAL",
                                    "pop of the last and push, NORMAL",
                                    "pop from the middle and push, NORMAL",
                                    "pop of the first and push, WRITES",
                                    "pop of the last and push, WRITES",
                                    "pop from the middle and push, WRITES",
                                    "pop and push, GOLDEN",
                                    "row hit over an older miss, SILVER",
                                    "row hit over an older miss, NORMAL",
                                    "row hit over an older miss, WRITES",
                                    "GOLDEN behind a full bank, another goes",
                                    "late head, GOLDEN",
                                    "late head, SILVER",
                                    "late head, NORMAL",
                                    "late head, WRITES",
                                    "two late heads",
                                    "two late heads of one age",
                                    "urgent by g",
                                    "urgent by d",
                                    "urgent by both",
                                    "g answered from WRITES",
                                    "d answered from WRITES",
                                    "a read waits for an entry that lacks bytes",
                                    "and is answered after a merge",
                                    "g behind w",
                                    "d behind w",
                                    "w behind g",
                                    "w behind d",
                                    "w behind a queue",
                                    "merge",
                                    "merge waits for a write that goes",
                                    "answer from WRITES against txn_rsp",
                                    "answer from WRITES against a write that goes",
                                    "g and d answered at once",
                                    "write_high crossed",
                                    "write_low crossed",
                                    "drain of full WRITES below write_high",
                                    "write_low >= write_high",
                                    "both watermarks 0",
                                    "turn passes by quota",
                                    "turn passes by turn_skip",
                                    "turn passes by app_valid falling",
                                    "turn passes to itself",
                                    "turn passes to nobody",
                                    "mode switched, all queues in use",
                                    "time wraps",
                                    "age over the wrap of time",
                                    "all slices ask",
                                    "a walk in mode FR-FCFS",
                                    "entries, and no bank has room",
                                    "a slot used again out of order",
                                    "the transaction shown takes the last room",
                                    "the transaction shown opens the row that is hit",
                                    "idle",
                                    "scene of random requests",
                                    "worked turns",
                                    "worked row hits",
                                    "an endless row with a bound",
                                    "an endless row without",
                                    "scene with GOLDEN full",
                                    "scene with SILVER full",
                                    "scene with NORMAL full",
                                    "scene with WRITES full",
                                    "late by a bound of 255 to 257",
                                    "late by a larger bound",
                                    "1023 requests of others in a turn"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

static bench_t *cover_bench;
static const mem_sched_t *cover_twin;

static bool cover_turn(unsigned turn, unsigned left, unsigned skipped)
{
    return cover_twin->turn == turn && cover_twin->left == left && cover_twin->skipped == skipped;
}

static bool cover_can(const mem_sched_t *s, const mem_sched_in_t *in, const sq_entry_t *e)
{
    return in->status[e->place.bank].room > (s->txn_valid && s->txn.bank == e->place.bank);
}

static bool cover_same(const place_t *a, const place_t *b)
{
    return a->bank == b->bank && a->row == b->row && a->line == b->line;
}

/* Index in WRITES of a line, or -1. */
static int cover_found(const mem_sched_t *s, const place_t *p)
{
    for (unsigned i = 0; i < s->q[SQ_WRITES].count; i++)
        if (cover_same(&s->q[SQ_WRITES].e[i].place, p))
            return (int)i;
    return -1;
}

static void cover_queues(bench_t *b, const mem_sched_t *p, const mem_sched_t *s)
{
    const ev_mem_sched_t *v = &s->ev;
    const bool push[SQ_N] = {v->sched_golden, v->sched_silver, v->sched_normal, v->sched_writes};
    static const unsigned depth[SQ_N] = {SCHED_GOLDEN, SCHED_SILVER, SCHED_NORMAL, SCHED_WRITES};
    for (unsigned k = 0; k < SQ_N; k++)
        BENCH_COVER(b, COV_FULL + k, p->q[k].count == depth[k] && push[0] + push[1] + push[2] + push[3] > push[k]);
    if (!p->choice.valid)
        return;
    unsigned k = p->choice.queue, i = p->choice.entry, n = p->q[k].count;
    BENCH_COVER(b, COV_POP_GOLDEN, k == SQ_GOLDEN && push[k]);
    for (unsigned at = 0; k != SQ_GOLDEN && push[k] && at < 3; at++)
        BENCH_COVER(b, COV_POP + 3 * (k - 1) + at,
                    n > 1
                        && (at == 0   ? i == 0
                            : at == 1 ? i == n - 1
                                      : i > 0 && i < n - 1));
    BENCH_COVER(b, COV_SLOTS, k == SQ_WRITES && i && p->used[0] >> 1);
}

static void cover_look(bench_t *b, const mem_sched_t *p, const mem_sched_t *s, const mem_sched_in_t *in)
{
    bool waits = p->q[0].count || p->q[1].count || p->q[2].count || p->q[3].count;
    if (p->choice.valid || !waits)
        return;
    unsigned k = s->choice.queue, late = 0, ages[SQ_N];
    bool plain = s->choice.valid && !s->choice.late && !s->choice.urgent;
    BENCH_COVER(b, COV_NONE, !s->choice.valid);
    for (unsigned i = 0; i < SQ_N; i++) {
        const sched_queue_t *q = &p->q[i];
        if (!q->count)
            continue;
        unsigned now = p->time >> 4, age = (now - q->e[0].stamp) & 4095;
        if (cover_can(p, in, &q->e[0]) && in->policy.bound && age >= in->policy.bound) {
            for (unsigned j = 0; j < late; j++)
                BENCH_COVER(b, COV_LATE_EQUAL, ages[j] == age);
            ages[late++] = age;
            BENCH_COVER(b, COV_STAMP, now < q->e[0].stamp);
        }
    }
    BENCH_COVER(b, COV_LATE_TWO, late > 1);
    if (!s->choice.valid)
        return;
    const sq_entry_t *e = &p->q[k].e[s->choice.entry];
    BENCH_COVER(b, COV_LATE + k, s->choice.late);
    if (s->choice.urgent) {
        bool g = p->r[0].valid && cover_same(&p->r[0].place, &e->place),
             d = p->r[1].valid && cover_same(&p->r[1].place, &e->place);
        bool g_any = p->r[0].valid && cover_found(p, &p->r[0].place) >= 0,
             d_any = p->r[1].valid && cover_found(p, &p->r[1].place) >= 0;
        BENCH_COVER(b, COV_URGENT_G, g);
        BENCH_COVER(b, COV_URGENT_D, d);
        BENCH_COVER(b, COV_URGENT_BOTH, g_any && d_any);
    }
    BENCH_COVER(b, COV_HIT_OVER + k - 1,
                plain && k != SQ_GOLDEN && s->choice.hit && s->choice.entry && cover_can(p, in, &p->q[k].e[0]));
    BENCH_COVER(b, COV_GOLDEN_BLOCKED,
                plain && p->q[SQ_GOLDEN].count && !cover_can(p, in, &p->q[SQ_GOLDEN].e[0]) && k != SQ_GOLDEN);
    BENCH_COVER(b, COV_TXN_ROW,
                s->choice.hit && p->txn_valid && p->txn.bank == e->place.bank && p->row[e->place.bank] != e->place.row);
    for (unsigned i = 0; i < SQ_N; i++)
        BENCH_COVER(b, COV_TXN_ROOM,
                    p->q[i].count && p->txn_valid && in->status[p->txn.bank].room == 1
                        && p->q[i].e[0].place.bank == p->txn.bank);
}

static void cover_inputs(bench_t *b, const mem_sched_t *p, const mem_sched_t *s, const mem_sched_in_t *in)
{
    static bool part[2];
    bool write_goes = p->choice.valid && p->choice.queue == SQ_WRITES, covered[2] = {false, false};
    for (unsigned k = 0; k < 2; k++) {
        const sched_read_t *r = &p->r[k];
        if (!r->valid) {
            part[k] = false;
            continue;
        }
        bool behind = p->w.valid && r->first && cover_same(&r->place, &p->w.place);
        int found = cover_found(p, &r->place);
        const vl_bits_128 *be = found < 0 ? NULL : &p->slot_be[p->q[SQ_WRITES].e[found].slot];
        bool whole = be && !~(be->w[0] & be->w[1]);
        covered[k] = whole && !behind;
        bool answered = covered[k] && !s->r[k].valid;
        part[k] |= be && !whole;
        BENCH_COVER(b, COV_PART, be && !whole && !behind);
        BENCH_COVER(b, COV_PART_THEN, answered && part[k]);
        BENCH_COVER(b, COV_COVERED_G + k, answered);
        BENCH_COVER(b, COV_BEHIND_G + k, behind);
        BENCH_COVER(b, COV_W_BEHIND_G + k, p->w.valid && !r->first && cover_same(&r->place, &p->w.place));
        BENCH_COVER(b, COV_ANSWER_RSP, covered[k] && in->txn_rsp_valid);
        BENCH_COVER(b, COV_ANSWER_WRITE, covered[k] && write_goes);
    }
    BENCH_COVER(b, COV_ANSWER_BOTH, covered[0] && covered[1] && s->ev.sched_forwards);
    BENCH_COVER(b, COV_MERGE, s->ev.sched_merges);
    BENCH_COVER(b, COV_MERGE_GOES,
                p->w.waited && s->w.valid && write_goes && !s->ev.sched_order && cover_found(p, &p->w.place) >= 0);
    bool queued = false;
    for (unsigned k = SQ_GOLDEN; k < SQ_WRITES; k++)
        for (unsigned i = 0; i < p->q[k].count; i++)
            queued |= p->w.valid && cover_same(&p->q[k].e[i].place, &p->w.place);
    BENCH_COVER(b, COV_W_BEHIND_QUEUE, queued);
    unsigned ask = 0;
    for (unsigned k = 0; k < L2_SLICES; k++) {
        const home_req_t *r = &p->in[k][0];
        ask += p->in_count[k]
               && (r->op == HOME_WRITE_BACK ? !p->w.valid : !p->r[!(r->cls && in->policy.mode == SCHED_MASK)].valid);
        BENCH_COVER(b, COV_CLASS_NORMAL,
                    p->in_count[k] && r->op != HOME_WRITE_BACK && r->cls && in->policy.mode == SCHED_FRFCFS);
    }
    BENCH_COVER(b, COV_ALL_ASK, ask == L2_SLICES);
}

static void cover_policy(bench_t *b, const mem_sched_t *p, const mem_sched_t *s, const mem_sched_in_t *in)
{
    const sched_policy_t *y = &in->policy;
    static bool mode;
    BENCH_COVER(b, COV_MODE, mode != y->mode && p->q[0].count && p->q[1].count && p->q[2].count && p->q[3].count);
    mode = y->mode;
    unsigned writes = p->q[SQ_WRITES].count;
    BENCH_COVER(b, COV_UP, !p->drain && s->drain);
    BENCH_COVER(b, COV_DOWN, p->drain && !s->drain);
    BENCH_COVER(b, COV_FULL_DRAIN, !p->drain && s->drain && writes < y->write_high);
    BENCH_COVER(b, COV_LOW_HIGH, y->write_low >= y->write_high && y->write_low && writes);
    BENCH_COVER(b, COV_BOTH_0, !y->write_low && !y->write_high && writes);
    BENCH_COVER(b, COV_TIME, !s->time && p->time);
    BENCH_COVER(b, COV_IDLE, mem_sched_idle(p));
    bool d_entered = y->mode == SCHED_MASK && (s->ev.sched_silver || s->ev.sched_normal);
    if (!d_entered)
        return;
    bool valid = y->app_valid >> p->turn & 1, silver = s->ev.sched_silver;
    if (s->ev.sched_turns) {
        BENCH_COVER(b, COV_TURN_QUOTA, valid && silver && p->left == 1);
        BENCH_COVER(b, COV_TURN_SKIP,
                    valid && !silver && p->left && y->turn_skip > 1 && p->skipped + 1 >= y->turn_skip);
        BENCH_COVER(b, COV_TURN_INVALID, !valid && p->left);
        BENCH_COVER(b, COV_TURN_SELF, s->turn == p->turn);
    }
    BENCH_COVER(b, COV_TURN_NOBODY, p->left && !s->left);
}

static void cover_tick(mem_sched_t *s, const mem_sched_in_t *in)
{
    static mem_sched_t p;
    bench_t *b = cover_bench;
    cover_twin = s;
    p = *s;
    mem_sched_tick(s, in);
    cover_queues(b, &p, s);
    cover_look(b, &p, s, in);
    cover_inputs(b, &p, s, in);
    cover_policy(b, &p, s, in);
}
#endif
