/* Functional coverage of mem_sched, read off the state of its page (page.h): the points that the page lists. p: before an edge, s: after it. */
#ifndef VERIF_MEM_SCHED_COVER_H
#define VERIF_MEM_SCHED_COVER_H
#include "verif/mem/mem_sched/page.h"

enum {
    COV_FULL,
    COV_POP = COV_FULL + PG_QUEUES,
    COV_POP_GOLDEN = COV_POP + 9,
    COV_HIT_OVER,
    COV_GOLDEN_BLOCKED = COV_HIT_OVER + 3,
    COV_LATE,
    COV_LATE_TWO = COV_LATE + PG_QUEUES,
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
    COV_OLD_DEFAULT = COV_SCENE_FULL + PG_QUEUES,
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

static void cover_queues(bench_t *b, const page_t *p, const page_t *s)
{
    const ev_mem_sched_t *v = &s->out.ev;
    const bool push[PG_QUEUES] = {v->sched_golden, v->sched_silver, v->sched_normal, v->sched_writes};
    static const unsigned depth[PG_QUEUES] = {SCHED_GOLDEN, SCHED_SILVER, SCHED_NORMAL, SCHED_WRITES};
    for (unsigned k = 0; k < PG_QUEUES; k++)
        BENCH_COVER(b, COV_FULL + k, p->n[k] == depth[k] && push[0] + push[1] + push[2] + push[3] > push[k]);
    if (!p->choice)
        return;
    unsigned k = p->choice_queue, i = p->choice_entry, n = p->n[k];
    BENCH_COVER(b, COV_POP_GOLDEN, k == PG_GOLDEN && push[k]);
    for (unsigned at = 0; k != PG_GOLDEN && push[k] && at < 3; at++)
        BENCH_COVER(b, COV_POP + 3 * (k - 1) + at,
                    n > 1
                        && (at == 0   ? i == 0
                            : at == 1 ? i == n - 1
                                      : i > 0 && i < n - 1));
    BENCH_COVER(b, COV_SLOTS, k == PG_WRITES && i && p->slot_used[1]);
}

static void cover_look(bench_t *b, const page_t *p, const page_t *s, const mem_sched_in_t *in)
{
    bool waits = p->n[0] || p->n[1] || p->n[2] || p->n[3];
    if (p->choice || !waits)
        return;
    unsigned k = s->choice_queue, late = 0, ages[PG_QUEUES];
    bool plain = s->choice && !s->choice_late && !s->choice_urgent;
    BENCH_COVER(b, COV_NONE, !s->choice);
    for (unsigned i = 0; i < PG_QUEUES; i++) {
        const page_entry_t *head = &p->queue[i][0];
        if (!p->n[i])
            continue;
        unsigned now = p->time >> 4, age = (now - head->stamp) & 4095;
        if (page_free(p, in, head->at.bank) && in->policy.bound && age >= in->policy.bound) {
            for (unsigned j = 0; j < late; j++)
                BENCH_COVER(b, COV_LATE_EQUAL, ages[j] == age);
            ages[late++] = age;
            BENCH_COVER(b, COV_STAMP, now < head->stamp);
        }
    }
    BENCH_COVER(b, COV_LATE_TWO, late > 1);
    if (!s->choice)
        return;
    const page_entry_t *e = &p->queue[k][s->choice_entry];
    BENCH_COVER(b, COV_LATE + k, s->choice_late);
    if (s->choice_urgent) {
        bool g = p->g.valid && page_same(p->g.at, e->at), d = p->d.valid && page_same(p->d.at, e->at);
        bool g_any = p->g.valid && page_find(p, PG_WRITES, p->g.at) >= 0,
             d_any = p->d.valid && page_find(p, PG_WRITES, p->d.at) >= 0;
        BENCH_COVER(b, COV_URGENT_G, g);
        BENCH_COVER(b, COV_URGENT_D, d);
        BENCH_COVER(b, COV_URGENT_BOTH, g_any && d_any);
    }
    BENCH_COVER(b, COV_HIT_OVER + k - 1,
                plain && k != PG_GOLDEN && s->choice_hit && s->choice_entry
                    && page_free(p, in, p->queue[k][0].at.bank));
    BENCH_COVER(b, COV_GOLDEN_BLOCKED,
                plain && p->n[PG_GOLDEN] && !page_free(p, in, p->queue[PG_GOLDEN][0].at.bank) && k != PG_GOLDEN);
    BENCH_COVER(b, COV_TXN_ROW,
                s->choice_hit && p->out.txn_valid && p->out.txn.bank == e->at.bank && p->row[e->at.bank] != e->at.row);
    for (unsigned i = 0; i < PG_QUEUES; i++)
        BENCH_COVER(b, COV_TXN_ROOM,
                    p->n[i] && p->out.txn_valid && in->status[p->out.txn.bank].room == 1
                        && p->queue[i][0].at.bank == p->out.txn.bank);
}

static void cover_inputs(bench_t *b, const page_t *p, const page_t *s, const mem_sched_in_t *in)
{
    static bool part[2];
    bool write_goes = p->choice && p->choice_queue == PG_WRITES, covered[2] = {false, false};
    for (unsigned k = 0; k < 2; k++) {
        const page_read_t *r = k ? &p->d : &p->g;
        if (!r->valid) {
            part[k] = false;
            continue;
        }
        bool behind = p->w && r->first && page_same(r->at, p->w_at);
        int found = page_find(p, PG_WRITES, r->at);
        const line_be_t *be = found < 0 ? NULL : &p->slot_be[p->queue[PG_WRITES][found].slot];
        bool whole = be && be_whole(be);
        covered[k] = whole && !behind;
        bool answered = covered[k] && !(k ? s->d : s->g).valid;
        part[k] |= be && !whole;
        BENCH_COVER(b, COV_PART, be && !whole && !behind);
        BENCH_COVER(b, COV_PART_THEN, answered && part[k]);
        BENCH_COVER(b, COV_COVERED_G + k, answered);
        BENCH_COVER(b, COV_BEHIND_G + k, behind);
        BENCH_COVER(b, COV_W_BEHIND_G + k, p->w && !r->first && page_same(r->at, p->w_at));
        BENCH_COVER(b, COV_ANSWER_RSP, covered[k] && in->txn_rsp_valid);
        BENCH_COVER(b, COV_ANSWER_WRITE, covered[k] && write_goes);
    }
    BENCH_COVER(b, COV_ANSWER_BOTH, covered[0] && covered[1] && s->out.ev.sched_forwards);
    BENCH_COVER(b, COV_MERGE, s->out.ev.sched_merges);
    BENCH_COVER(b, COV_MERGE_GOES,
                p->w_known && s->w && write_goes && !s->out.ev.sched_order && page_find(p, PG_WRITES, p->w_at) >= 0);
    bool queued = false;
    for (unsigned k = PG_GOLDEN; k < PG_WRITES; k++)
        for (unsigned i = 0; i < p->n[k]; i++)
            queued |= p->w && page_same(p->queue[k][i].at, p->w_at);
    BENCH_COVER(b, COV_W_BEHIND_QUEUE, queued);
    unsigned ask = 0;
    for (unsigned k = 0; k < L2_SLICES; k++) {
        const home_req_t *r = &p->in[k][0];
        ask += p->in_n[k]
               && (r->op == HOME_WRITE_BACK ? !p->w : !(r->cls && in->policy.mode == SCHED_MASK ? p->g : p->d).valid);
        BENCH_COVER(b, COV_CLASS_NORMAL,
                    p->in_n[k] && r->op != HOME_WRITE_BACK && r->cls && in->policy.mode == SCHED_FRFCFS);
    }
    BENCH_COVER(b, COV_ALL_ASK, ask == L2_SLICES);
}

static void cover_policy(bench_t *b, const page_t *p, const page_t *s, const mem_sched_in_t *in)
{
    const sched_policy_t *y = &in->policy;
    static bool mode;
    BENCH_COVER(b, COV_MODE, mode != y->mode && p->n[0] && p->n[1] && p->n[2] && p->n[3]);
    mode = y->mode;
    unsigned writes = p->n[PG_WRITES];
    BENCH_COVER(b, COV_UP, !p->drain && s->drain);
    BENCH_COVER(b, COV_DOWN, p->drain && !s->drain);
    BENCH_COVER(b, COV_FULL_DRAIN, !p->drain && s->drain && writes < y->write_high);
    BENCH_COVER(b, COV_LOW_HIGH, y->write_low >= y->write_high && y->write_low && writes);
    BENCH_COVER(b, COV_BOTH_0, !y->write_low && !y->write_high && writes);
    BENCH_COVER(b, COV_TIME, !s->time && p->time);
    BENCH_COVER(b, COV_IDLE, p->out.idle);
    bool d_entered = y->mode == SCHED_MASK && (s->out.ev.sched_silver || s->out.ev.sched_normal);
    if (!d_entered)
        return;
    bool valid = y->app_valid >> p->turn & 1, silver = s->out.ev.sched_silver;
    if (s->out.ev.sched_turns) {
        BENCH_COVER(b, COV_TURN_QUOTA, valid && silver && p->left == 1);
        BENCH_COVER(b, COV_TURN_SKIP,
                    valid && !silver && p->left && y->turn_skip > 1 && p->skipped + 1 >= y->turn_skip);
        BENCH_COVER(b, COV_TURN_INVALID, !valid && p->left);
        BENCH_COVER(b, COV_TURN_SELF, s->turn == p->turn);
    }
    BENCH_COVER(b, COV_TURN_NOBODY, p->left && !s->left);
}

/* page_expect, and the coverage of that edge. */
static void cover_expect(bench_t *b, page_t *s, const mem_sched_in_t *in)
{
    static page_t p;
    p = *s;
    page_expect(s, in);
    cover_queues(b, &p, s);
    cover_look(b, &p, s, in);
    cover_inputs(b, &p, s, in);
    cover_policy(b, &p, s, in);
}
#endif
