/* Bench of simt: every warp runs a random program of branches, jumps, joins, barriers, exits and illegal instructions over a small pool of pcs,
 * so that the reconvergence table, the current reconvergence point and the targets meet in every way. In every third seed warps part one thread
 * at a time, each time with a meeting point of its own, until the stack is as deep as it can be; in every seed those do whose parts have met at a barrier above entries of the stack,
 * for what a barrier leaves there is never popped: it only takes room.
 * With a compactor (tbc) some are of compacted groups: the bench is the compactor, which answers what they meet in any way that there is.
 * The scoreboard follows each thread by itself: where it is, whether it waits at a barrier or has ended. It knows no stack, only how deep one may be. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 16000
#include "verif/common/bench.h"
#include "simt_ports.h"
#include "verif/core/simt/page.h"

enum {
    COV_START_K,
    COV_START_C,
    COV_K_C,
    COV_START_K_C,
    COV_K_FULL,
    COV_C_FULL,
    COV_PUSH0,
    COV_PUSH1,
    COV_PUSH2,
    COV_MISS,
    COV_MET_TAKEN,
    COV_NEXT_IS_TARGET,
    COV_JALR_ALL,
    COV_JALR_SOME,
    COV_FULL,
    COV_FULL_MET,
    COV_JOIN_FLUSH,
    COV_JOIN_STAY,
    COV_POP1,
    COV_POP2,
    COV_POP3,
    COV_EXIT_SOME,
    COV_EXIT_LAST,
    COV_ARRIVE,
    COV_BAR_EARLY,
    COV_BAR_MORE,
    COV_BAR_MEET,
    COV_BAR_AGAIN,
    COV_BAR_OTHER,
    COV_BAR_LEFT,
    COV_BAR_EXIT,
    COV_FETCH_FAULT,
    COV_FETCH_PAGE,
    COV_ILLEGAL,
    COV_MISALIGNED,
    COV_HALT_WAITS,
    COV_WRITE_LOOKUP,
    COV_WAY0,
    COV_WAY1,
    COV_LAST,
    COV_GROUPS, /* of compacted groups */
    COV_MEET_BRANCH = COV_GROUPS,
    COV_MEET_BRANCH_ALL,
    COV_MEET_BARRIER,
    COV_MEET_ENDED,
    COV_MEET_ENDED_PART,
    COV_MEET_ENDED_REST,
    COV_MEET_WAITS,
    COV_MEET_WAITS_PART,
    COV_MEET_DONE,
    COV_MEET_POP,
    COV_MEET_POP_LATER,
    COV_BAR_PARTS,
    COV_BRANCH_WAITS,
    COV_BASE_JALR,
    COV_BASE_MISS,
    COV_BASE_JUMP,
    COV_BASE_NEXT,
    COV_GO_FORM,
    COV_GO_FORM_MEETING,
    COV_ALONE_NONE,
    COV_ALONE_ALL,
    COV_ALONE_SOME,
    COV_GO_DONE,
    COV_GO_FAULT,
    COV_GO_HALT,
    COV_GO_START,
    COV_GO_QUEUES,
    COV_LEFT_NESTED,
    COV_N
};
static const char *const cover[] = {"start with a CTL record",
                                    "start with a cf record",
                                    "CTL and cf record in one cycle",
                                    "start, CTL and cf record in one cycle",
                                    "CTL record behind WARPS/2 others",
                                    "cf record behind WARPS/2 others",
                                    "divergent branch that pushes nothing",
                                    "divergent branch that pushes one",
                                    "divergent branch that pushes two",
                                    "divergent branch without an entry",
                                    "divergent branch whose not-taken side waits: taken goes on",
                                    "divergent branch whose target is the next instruction",
                                    "JALR, one target",
                                    "JALR, two targets",
                                    "stack as deep as it can be",
                                    "the same behind a barrier at which the parts of a warp met above entries",
                                    "JOIN with flush",
                                    "JOIN without flush",
                                    "one entry popped",
                                    "two entries popped",
                                    "three entries popped",
                                    "EXIT of some",
                                    "EXIT of the last",
                                    "barrier",
                                    "barrier before others of the warp",
                                    "more of them come to it",
                                    "the last of them comes to it",
                                    "they arrive together",
                                    "others at another barrier",
                                    "barrier after some have ended",
                                    "EXIT of some while others wait at a barrier",
                                    "fetch access fault",
                                    "fetch page fault",
                                    "illegal instruction",
                                    "misaligned target",
                                    "halt with a record that arrives",
                                    "table entry written in the cycle of its lookup",
                                    "hit in way 0",
                                    "hit in way 1",
                                    "divergent branch without an entry, the last instruction there can be",
                                    "group: a branch that the table knows",
                                    "group: one at which its warp goes one way",
                                    "group: all of a warp at a barrier",
                                    "group: all of a warp ends",
                                    "group: a part ends, and the warp goes on",
                                    "group: a part ends, where the others have come to the meeting point",
                                    "group: all of a warp waits at a barrier",
                                    "group: a part waits, and the warp goes on",
                                    "group: a warp at the meeting point of its group",
                                    "group: nobody is left on the stack, after one entry",
                                    "group: nobody is left on the stack, after several",
                                    "group: a part at a barrier that is not nested",
                                    "group: a branch while threads wait",
                                    "group: JALR, two targets, on an empty stack",
                                    "group: a divergent branch without an entry, on an empty stack",
                                    "group: a jump or a branch without an entry that all take",
                                    "group: a branch without an entry that nobody takes",
                                    "group: GO_FORM",
                                    "group: GO_FORM at its meeting point",
                                    "group: GO_ALONE, nobody takes the branch",
                                    "group: GO_ALONE, all take it",
                                    "group: GO_ALONE, some take it",
                                    "group: GO_DONE",
                                    "group: GO_FAULT",
                                    "group: a go while halt",
                                    "group: a go beside a start",
                                    "group: a go before records in both queues",
                                    "group: a nested barrier after threads have ended"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum {
    POOL = 24,
    FREE = 0,
    THINKS,
    ASKED,
    MET,
    TOLD
}; /* MET: with its group; TOLD: a go is offered, and not taken yet */
#define LAST_PC (((1ull << PA_W) - 1) & ~3ull) /* behind it comes address 0 */
typedef enum { GO, STOP, ARRIVE, MEET, FAULT } answer_e;
typedef struct {
    uint8_t state;
    uint64_t pc, rpc, tmask, live;
    uint64_t waiting, bar_pc; /* threads that wait at the barrier there for others of the warp */
    bool left, met; /* left: threads have ended; met: it is at a barrier that all have reached */
    uint64_t at[THREADS]; /* where each thread is */
    answer_e answer; /* the expected answer to the record */
    unsigned cause; /* of FAULT */
    uint64_t fault_pc, fault_value, fault_mask;
    unsigned pushes, writes; /* entries that the branch asked for pushes, if the table is still the one it was */
    bool rpc_valid, at_rpc;
    unsigned depth; /* of the stack */
    /* Its parts have met at a barrier while its stack had entries, and it parts one thread at a time now: entries that were kept leave no room for the last ones. */
    bool met_above, fills;
    bool exit; /* the requested record was a `vl_exit` */
    bool grouped, nested, begins; /* of a compacted group; a GO_FORM has begun it anew */
    /* It parts one thread at a time, and all but the first one end, which waits at the meeting point: a stack of entries without threads. */
    bool climbs;
    unsigned climbed; /* 1: the first has parted; 2: and has reached the meeting point */
    bool branches; /* it asks by a branch: `met_at` */
    cf_t met_at;
} warp_env_t;
typedef struct {
    bool valid;
    uint64_t pc, target;
} entry_env_t;
typedef struct {
    warp_env_t warp[WARPS];
    entry_env_t table[RECONV_SETS][2];
    uint64_t pool[POOL];
    bool halt;
    unsigned ctl_waiting, cf_waiting, pops, last_warp, writes;
    cf_t last_cf;
    bool last_cf_valid, go_valid;
    go_t go;
    page_t page;
} env_t;

#define ALL (THREADS == 64 ? ~0ull : (1ull << (THREADS % 64)) - 1)

static unsigned set_of(uint64_t pc)
{
    return pc >> 2 & (RECONV_SETS - 1);
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    uint64_t base = vl_random(&b->rng) & ((1ull << PA_W) - 1) & ~0xffffull;
    if (b->mode == 2)
        base = 0x10000000;
    base += 4 * vl_below(&b->rng, RECONV_SETS); /* every set has its turn */
    /* Some neighbours, some in one set. */
    for (unsigned k = 0; k < POOL; k++)
        e->pool[k] = k < 8 ? base + 4 * k
                           : base + 4 * vl_below(&b->rng, 3) + (uint64_t)(1 + vl_below(&b->rng, 3)) * RECONV_SETS * 4;
    if (b->mode != 2)
        e->pool[POOL - 1] = LAST_PC;
}

static uint64_t pool_pc(bench_t *b, env_t *e)
{
    return e->pool[vl_below(&b->rng, POOL)];
}

static unsigned count(uint64_t m)
{
    return (unsigned)__builtin_popcountll(m);
}

static bool peels(const bench_t *b)
{
    return b->seed % 3 == 2;
}

/* Threads of the path go to pc, all of them or those of the mask. */
static void move(warp_env_t *v, uint64_t mask, uint64_t pc)
{
    for (; mask; mask &= mask - 1)
        v->at[__builtin_ctzll(mask)] = pc;
}

static void must_fault(warp_env_t *v, unsigned cause, uint64_t pc, uint64_t value, uint64_t mask)
{
    v->answer = FAULT;
    v->cause = cause, v->fault_pc = pc, v->fault_value = value, v->fault_mask = mask;
}

/* A divergent branch with a meeting point that is new, at neither side: the deepest that a stack grows at once. */
static bool peel(env_t *e, warp_env_t *v, cf_t *q)
{
    for (unsigned k = 0; k < POOL; k++)
        for (unsigned way = 0; way < 2; way++) {
            const uint64_t pc = e->pool[k];
            const entry_env_t *t = e->table[set_of(pc)];
            if (!t[way].valid || t[way].pc != pc || (way && t[0].valid && t[0].pc == pc))
                continue;
            const uint64_t meet = t[way].target;
            if (meet == ((pc + 4) & ((1ull << PA_W) - 1)) || (v->rpc_valid && (meet == v->rpc || pc == v->rpc)))
                continue;
            q->pc = pc;
            q->target = e->pool[(k + 1) % POOL] == meet ? e->pool[(k + 2) % POOL] : e->pool[(k + 1) % POOL];
            return q->target != meet;
        }
    return false;
}

static void table_write(bench_t *b, env_t *e, simt_in_t *in)
{
    in->tw_valid = true;
    reconv_write_t *t = &in->tw;
    if (b->cycle < RECONV_SETS * 2) { /* all of it once */
        t->index = (uint8_t)(b->cycle / 2), t->way = b->cycle & 1, t->valid = false;
        t->pc = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->target = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->index = b->cycle / 2;
    } else {
        uint64_t pc = vl_chance(&b->rng, 60) && e->last_cf_valid ? e->last_cf.pc : pool_pc(b, e);
        t->index = set_of(pc);
        t->way = vl_chance(&b->rng, 128);
        t->valid = !vl_chance(&b->rng, 40);
        t->pc = pc;
        t->target = vl_chance(&b->rng, 60) ? pc + 4 : pool_pc(b, e);
        t->target &= (1ull << PA_W) - 1;
        if (e->table[t->index][!t->way].valid && e->table[t->index][!t->way].pc == pc && t->valid
            && !vl_chance(&b->rng, 20))
            t->valid = false; /* mostly one entry a branch */
    }
    e->table[t->index][t->way] = (entry_env_t){t->valid, t->pc, t->target};
    e->writes++;
}

/* What warp w asks next. */
static void ask(bench_t *b, env_t *e, simt_in_t *in, unsigned w, bool want_cf)
{
    vl_rng_t *r = &b->rng;
    warp_env_t *v = &e->warp[w];
    bool deep = b->mode == 1 || b->mode == 3 || peels(b);
    bool join = v->at_rpc || (v->rpc_valid && vl_chance(r, peels(b) ? 2 : deep ? 20 : 60));
    v->fills &= count(v->tmask) > 1;
    join &= !v->fills || v->at_rpc;
    if ((peels(b) || v->fills) && !v->at_rpc && !v->met && !want_cf && count(v->tmask) > 1)
        return;
    const bool base = v->grouped && v->rpc_valid; /* a meeting point that is not on its own stack */
    v->climbs &= !v->at_rpc && !v->met && (v->rpc_valid || v->climbed != 1); /* the table may have changed */
    if (v->climbs && want_cf != (count(v->tmask) > 1))
        return;
    if (v->climbs && !want_cf)
        join = v->climbed == 1;
    if (want_cf) {
        if (v->at_rpc || v->met)
            return;
        cf_t *q = &in->cf;
        in->cf_valid = true;
        cf_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pc = pool_pc(b, e);
        bool fill = (peels(b) || v->fills) && count(v->tmask) > 1;
        q->tmask = v->tmask;
        q->indirect = vl_chance(r, fill ? 2 : 30);
        q->misaligned = !fill && vl_chance(r, 2);
        uint64_t all = q->tmask, some = vl_random(r) & all;
        unsigned kind = vl_below(r, 8);
        if ((kind < 5 || fill) && (all & (all - 1))) /* divergent */
            while (!some || some == all)
                some = vl_random(r) & all;
        else
            some = kind & 1 ? all : q->indirect || q->misaligned ? all & -all : 0;
        q->taken = some;
        uint64_t meet = pool_pc(b, e);
        for (unsigned k = 0; k < 2; k++) {
            const entry_env_t *t = &e->table[set_of(q->pc)][k];
            if (t->valid && t->pc == q->pc)
                meet = t->target;
        }
        q->target = kind & 2 ? meet : vl_chance(r, 40) ? q->pc + 4 : pool_pc(b, e);
        if (fill && !q->indirect && peel(e, v, q))
            q->taken = q->tmask & -q->tmask;
        if (v->climbs) {
            q->indirect = !v->climbed && base;
            q->misaligned = false;
            v->climbs = q->indirect || peel(e, v, q);
            q->taken = q->indirect ? q->tmask & -q->tmask : q->tmask & (q->tmask - 1);
            v->climbed += !v->climbed;
        }
        q->target &= (1ull << PA_W) - 1;
        if (q->misaligned)
            q->target |= 2;
        v->answer = GO;
        v->writes = e->writes;
        v->pushes = q->taken && q->taken != q->tmask && q->indirect;
        if (q->taken && q->taken != q->tmask && !q->indirect) {
            const entry_env_t *t = e->table[set_of(q->pc)];
            const bool hit[2] = {t[0].valid && t[0].pc == q->pc, t[1].valid && t[1].pc == q->pc};
            const uint64_t r = hit[0] ? t[0].target : t[1].target, next = (q->pc + 4) & ((1ull << PA_W) - 1);
            v->pushes = (hit[0] || hit[1]) ? !(v->rpc_valid && v->rpc == r) + (q->target != r && next != r) : 1;
        }
        v->branches = !q->indirect;
        v->met_at = *q;
        if (q->misaligned)
            must_fault(v, FAULT_FETCH_MISALIGNED, q->pc, q->target, q->taken);
        move(v, q->tmask & ~q->taken, q->indirect ? q->pc : (q->pc + 4) & ((1ull << PA_W) - 1));
        move(v, q->taken, q->target);
    } else {
        issued_t *q = &in->issue;
        in->issue_valid = true;
        v->branches = false;
        v->pushes = 0;
        v->writes = e->writes;
        issued_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pipe = PIPE_CTL;
        q->first = q->last = true;
        q->beat = 0;
        q->mask = 0;
        q->tmask = v->tmask;
        q->fetch_fault = false;
        q->pc = v->at_rpc || v->met ? v->pc : pool_pc(b, e);
        unsigned k = vl_below(r, 64);
        if (v->met) {
            q->op = OP_VL_BARRIER;
        } else if (join) {
            q->op = OP_JOIN;
            q->pc = v->rpc;
            v->climbed += v->climbs;
        } else if (v->climbs) {
            q->op = OP_VL_EXIT;
        } else if (k < (peels(b) ? 1 : deep ? 4 : 24)) {
            q->op = v->waiting && !vl_chance(r, 10) ? OP_VL_BARRIER : OP_VL_EXIT;
        } else if (k < 50) {
            q->op = v->left && !vl_chance(r, v->grouped ? 80 : 10) ? OP_VL_EXIT : OP_VL_BARRIER;
        } else if (k < 51) {
            q->op = OP_ILLEGAL;
            q->fetch_fault = vl_chance(r, 128);
        } else {
            in->issue_valid = false;
            return;
        }
        q->ctl = q->op == OP_JOIN         ? CTL_JOIN
                 : q->op == OP_VL_EXIT    ? CTL_EXIT
                 : q->op == OP_VL_BARRIER ? CTL_BARRIER
                                          : CTL_ILLEGAL;
        if (q->op == OP_VL_BARRIER && v->waiting && !vl_chance(r, 10))
            q->pc = v->bar_pc;
        v->exit = q->op == OP_VL_EXIT;
        v->answer = GO;
        move(v, v->tmask, q->pc);
        if (q->op == OP_ILLEGAL) {
            if (q->fetch_fault)
                must_fault(v, q->instr & 1 ? FAULT_FETCH_PAGE : FAULT_FETCH_ACCESS, q->pc, q->pc, v->tmask);
            else
                must_fault(v, FAULT_ILLEGAL, q->pc, q->instr, v->tmask);
        } else if (v->exit && v->waiting) {
            must_fault(v, FAULT_BARRIER, v->bar_pc, 0, v->waiting);
            BENCH_COVER(b, COV_BAR_EXIT, true);
        } else if (v->exit) {
            v->live &= ~v->tmask;
            v->left = true;
            v->answer = v->live || v->grouped ? GO : STOP;
        } else if (q->op == OP_VL_BARRIER && (v->left || (v->waiting && v->bar_pc != q->pc))) {
            must_fault(v, FAULT_BARRIER, q->pc, 0, v->tmask);
            BENCH_COVER(b, COV_BAR_LEFT, v->left);
            BENCH_COVER(b, COV_BAR_OTHER, !v->left);
            BENCH_COVER(b, COV_LEFT_NESTED, v->left && v->grouped && v->nested);
        } else if (q->op == OP_VL_BARRIER && v->grouped && v->nested) {
            v->live &= ~v->tmask; /* they continue with the group */
        } else if (q->op == OP_VL_BARRIER && v->tmask == v->live) {
            v->answer = ARRIVE;
            BENCH_COVER(b, COV_BAR_AGAIN, v->met);
            v->met = false;
        } else if (q->op == OP_VL_BARRIER) {
            BENCH_COVER(b, COV_BAR_EARLY, !v->waiting);
            BENCH_COVER(b, COV_BAR_PARTS, v->grouped);
            BENCH_COVER(b, COV_BAR_MORE, v->waiting && (v->waiting | v->tmask) != v->live);
            v->waiting |= v->tmask;
            v->bar_pc = q->pc;
            if (v->waiting == v->live) {
                v->answer = MEET;
                v->waiting = 0;
                BENCH_COVER(b, COV_BAR_MEET, true);
            }
        }
    }
    v->state = ASKED;
}

static bool climbs(bench_t *b, const warp_env_t *v)
{
    return HOME_WARPS > 1 && count(v->live) > 3 && vl_chance(&b->rng, peels(b) ? 10 : 40);
}

/* A warp tells its group what it has come to. */
static void meets(bench_t *b, env_t *e, const simt_out_t *out)
{
    const meet_t *m = &out->meet;
    warp_env_t *v = &e->warp[m->warp];
    const cf_t *q = &v->met_at;
    BENCH_CHECK(b, v->state == ASKED && v->grouped, "warp %u meets its group without a question", m->warp);
    BENCH_CHECK(b, !out->redirect_valid || out->redirect.warp != m->warp || !(m->done || m->branch || m->barrier),
                "warp %u meets its group and goes on", m->warp);
    BENCH_CHECK(b, m->branch == v->branches || (!m->branch && out->redirect_valid), "warp %u: branch %u", m->warp,
                m->branch);
    BENCH_CHECK(
        b, !m->branch || (m->pc == q->pc && m->target == q->target && m->tmask == q->tmask && m->taken == q->taken),
        "warp %u meets its group at another branch", m->warp);
    BENCH_CHECK(b, m->barrier == (v->answer == ARRIVE), "warp %u: barrier %u", m->warp, m->barrier);
    BENCH_CHECK(b, !m->ended || v->exit, "warp %u: threads 0x%" PRIx64 " end", m->warp, (uint64_t)m->tmask);
    for (unsigned t = 0; t < THREADS; t++)
        BENCH_CHECK(b, !((m->waits || m->ended) && m->tmask >> t & 1) || v->at[t] == m->pc,
                    "warp %u: thread %u waits or ends at 0x%" PRIx64 ", it was at 0x%" PRIx64, m->warp, t,
                    (uint64_t)m->pc, v->at[t]);
    BENCH_CHECK(b, m->branch || m->barrier || !m->pc || m->tmask == v->tmask,
                "warp %u: other threads than those that asked", m->warp);
    if (m->branch || m->done)
        v->state = MET;
    if (m->done) {
        e->pops = 0;
        v->exit = false;
    }
}

/* What the group answers: anything that a compactor may. */
static void answer(bench_t *b, env_t *e, const simt_out_t *out, simt_in_t *in)
{
    vl_rng_t *r = &b->rng;
    const unsigned w = vl_below(r, WARPS), how = vl_below(r, 32);
    warp_env_t *v = &e->warp[w];
    if (!e->go_valid && v->state == MET && vl_chance(r, b->mode == 3 ? 60 : 200)) {
        const cf_t *q = &v->met_at;
        go_t *g = &e->go;
        *g = (go_t){.warp = (uint8_t)w};
        v->state = TOLD;
        v->pushes = 0;
        v->writes = e->writes;
        v->answer = GO;
        if (v->branches && (how < 18 || v->climbs)) {
            g->kind = GO_ALONE;
            g->pc = q->pc, g->target = q->target, g->tmask = q->tmask, g->taken = q->taken;
            v->writes = e->writes - 1; /* the table's contents at that time are not known */
            BENCH_COVER(b, COV_ALONE_NONE, !q->taken);
            BENCH_COVER(b, COV_ALONE_ALL, q->taken == q->tmask);
            BENCH_COVER(b, COV_ALONE_SOME, q->taken && q->taken != q->tmask);
        } else if (how < 28) {
            g->kind = GO_FORM;
            g->pc = pool_pc(b, e);
            g->tmask = vl_chance(r, 160) ? ALL : (vl_random(r) & ALL) | 1ull << vl_below(r, THREADS);
            v->nested = vl_chance(r, 160);
            g->rpc_valid = v->nested && vl_chance(r, 220); /* without entries there is no meeting point */
            g->rpc = g->rpc_valid ? vl_chance(r, 16) ? g->pc : pool_pc(b, e) : 0;
            v->live = g->tmask;
            v->waiting = 0;
            v->left = v->met = false;
            v->begins = true;
            v->climbs = g->rpc_valid && climbs(b, v);
            v->climbed = 0;
            move(v, v->live, g->pc);
            BENCH_COVER(b, COV_GO_FORM, true);
            BENCH_COVER(b, COV_GO_FORM_MEETING, g->rpc_valid && g->rpc == g->pc);
        } else if (how < 30) {
            g->kind = GO_DONE;
            v->answer = STOP;
            v->live = 0;
            v->grouped = v->nested = false;
            BENCH_COVER(b, COV_GO_DONE, true);
        } else {
            g->kind = GO_FAULT;
            g->pc = pool_pc(b, e);
            g->value = vl_below(r, 2);
            g->tmask = (vl_random(r) & ALL) | 1;
            must_fault(v, FAULT_BARRIER, g->pc, g->value, g->tmask);
            BENCH_COVER(b, COV_GO_FAULT, true);
        }
        v->branches = false;
        e->go_valid = true;
    }
    in->go_valid = e->go_valid;
    in->go = e->go;
    if (e->go_valid && out->go_ready) {
        e->go_valid = false;
        e->warp[e->go.warp].state = ASKED;
    }
}

static void stimulate(bench_t *b, env_t *e, const simt_out_t *out, simt_in_t *in)
{
    vl_rng_t *r = &b->rng;
    unsigned answered = WARPS;
    if (out->meet_valid)
        meets(b, e, out);
    if (out->redirect_valid) {
        const redirect_t *q = &out->redirect;
        warp_env_t *v = &e->warp[answered = q->warp];
        BENCH_CHECK(b, v->state == ASKED, "warp %u answered without a question", q->warp);
        BENCH_CHECK(b, v->answer == GO || v->answer == (q->stop ? STOP : MEET),
                    "warp %u goes on (stop %d), expected %d", q->warp, q->stop, v->answer);
        BENCH_CHECK(b, q->stop == !v->live, "warp %u: stop %d", q->warp, q->stop);
        BENCH_CHECK(b, q->start || v->writes != e->writes || out->ev.simt_pushes == v->pushes,
                    "warp %u: %u entries pushed, not %u", q->warp, out->ev.simt_pushes, v->pushes);
        for (unsigned t = 0; t < THREADS && !q->stop; t++)
            BENCH_CHECK(b, !(q->tmask >> t & 1) || v->at[t] == q->pc,
                        "warp %u: thread %u goes on at 0x%" PRIx64 ", it was at 0x%" PRIx64, q->warp, t,
                        (uint64_t)q->pc, v->at[t]);
        BENCH_CHECK(b, !(q->tmask & v->waiting), "warp %u: threads that wait at a barrier go on", q->warp);
        BENCH_CHECK(b, v->answer != MEET || (q->tmask == v->live && q->flush && !q->rpc_valid && q->pc == v->bar_pc),
                    "warp %u: all have come to the barrier", q->warp);
        v->met = v->answer == MEET;
        if (v->met || q->start || v->begins)
            v->fills = v->met_above = v->met && v->depth;
        v->state = q->stop ? FREE : THINKS;
        v->pc = q->pc, v->tmask = q->tmask, v->rpc = q->rpc, v->rpc_valid = q->rpc_valid, v->at_rpc = q->at_rpc;
        BENCH_CHECK(b, q->stop || (q->tmask && !(q->tmask & ~v->live)), "warp %u: threads that have ended go on",
                    q->warp);
        BENCH_COVER(b, COV_EXIT_LAST, q->stop);
        BENCH_COVER(b, COV_EXIT_SOME, v->exit && !q->stop && !q->start);
        if (out->ev.simt_pops) {
            BENCH_COVER(b, COV_JOIN_FLUSH, !v->exit && q->flush);
            BENCH_COVER(b, COV_JOIN_STAY, !v->exit && !q->flush);
        }
        BENCH_COVER(b, COV_MET_TAKEN, out->ev.simt_divergences && q->flush);
        v->exit = false;
    }
    e->pops += out->ev.simt_pops; /* a start may come between the pops of one JOIN or EXIT */
    unsigned popped = 0;
    if (out->ev.simt_pops && out->redirect_valid) {
        BENCH_COVER(b, COV_POP1, e->pops == 1);
        BENCH_COVER(b, COV_POP2, e->pops == 2);
        BENCH_COVER(b, COV_POP3, e->pops >= 3);
        popped = e->pops;
        e->pops = 0;
    }
    BENCH_COVER(b, COV_PUSH0, out->ev.simt_divergences && out->ev.simt_pushes == 0);
    BENCH_COVER(b, COV_PUSH1, out->ev.simt_divergences && out->ev.simt_pushes == 1);
    BENCH_COVER(b, COV_PUSH2, out->ev.simt_divergences && out->ev.simt_pushes == 2);
    BENCH_COVER(b, COV_MISS, out->ev.reconv_misses);
    if (out->arrive_valid) {
        warp_env_t *v = &e->warp[answered = out->arrive.warp];
        BENCH_CHECK(b, v->state == ASKED && v->answer == ARRIVE && out->arrive.tmask == v->live,
                    "warp %u arrives at a barrier", out->arrive.warp);
        v->state = THINKS;
        BENCH_COVER(b, COV_ARRIVE, true);
    }
    if (out->fault_valid) { /* the warp is abandoned and restarted */
        const fault_t *f = &out->fault;
        warp_env_t *v = &e->warp[answered = f->warp];
        BENCH_CHECK(b,
                    v->state == ASKED && v->answer == FAULT && f->cause == v->cause && f->pc == v->fault_pc
                        && f->value == v->fault_value && f->mask == v->fault_mask,
                    "warp %u: fault %u at 0x%" PRIx64 ", threads 0x%" PRIx64, f->warp, f->cause, (uint64_t)f->pc,
                    (uint64_t)f->mask);
        v->state = FREE;
        v->exit = false;
        BENCH_COVER(b, COV_FETCH_FAULT, out->fault.cause == FAULT_FETCH_ACCESS);
        BENCH_COVER(b, COV_FETCH_PAGE, out->fault.cause == FAULT_FETCH_PAGE);
        BENCH_COVER(b, COV_ILLEGAL, out->fault.cause == FAULT_ILLEGAL);
        BENCH_COVER(b, COV_MISALIGNED, out->fault.cause == FAULT_FETCH_MISALIGNED);
    }
    /* Depth of the stack, from the events (the answer comes in the cycle after the work). */
    unsigned who = out->redirect_valid ? out->redirect.warp : out->fault_valid ? out->fault.warp : WARPS;
    if (who < WARPS) {
        warp_env_t *v = &e->warp[who];
        unsigned depth = v->depth + out->ev.simt_pushes - popped;
        if (out->redirect_valid && (out->redirect.start || v->met || v->begins))
            depth = 0;
        v->begins = false;
        v->depth = depth;
        BENCH_COVER(b, COV_FULL, depth == SIMT_DEPTH);
        BENCH_COVER(b, COV_FULL_MET, depth == SIMT_DEPTH && v->met_above);
        if (out->redirect_valid && !out->redirect.stop) /* docs/blocks/simt.md, the depth of the stack */
            BENCH_CHECK(b, depth <= 2 * (THREADS - count(v->tmask)), "stack of warp %u holds %u, %u threads go on", who,
                        depth, count(v->tmask));
        e->last_warp = who;
    }

    if (vl_chance(r, e->halt ? 40 : 3))
        e->halt = !e->halt;
    in->halt = e->halt && b->mode != 0;
    e->last_cf_valid = false;
    for (unsigned k = 0; k < WARPS; k++) {
        in->grouped |= (__typeof__(in->grouped))((uint64_t)e->warp[k].grouped << k);
        in->nested |= (__typeof__(in->nested))((uint64_t)e->warp[k].nested << k);
    }
    if (HOME_WARPS > 1)
        answer(b, e, out, in);
    if (b->cycle < RECONV_SETS * 2) {
        table_write(b, e, in);
        return;
    }
    /* Records of other pipes pass by on issue. */
    unsigned rate = b->mode == 3 ? 30 : 160;
    unsigned w = vl_below(r, WARPS), w2 = vl_below(r, WARPS), w3 = vl_below(r, WARPS);
    if (in->halt) /* let threads gather at the barrier */
        rate = 255;
    if (e->warp[w].state == THINKS && w != answered && vl_chance(r, rate))
        ask(b, e, in, w, false);
    if (!in->issue_valid && vl_chance(r, 60)) {
        in->issue_valid = true;
        issued_t_random(r, &in->issue);
        in->issue.pipe = vl_below(r, PIPE_CTL);
    }
    if (e->warp[w2].state == THINKS && w2 != answered && vl_chance(r, rate))
        ask(b, e, in, w2, true);
    if (e->warp[w3].state == FREE && w3 != answered && vl_chance(r, 100)) {
        warp_env_t *v = &e->warp[w3];
        in->start_valid = true;
        start_t_random(r, &in->start);
        in->start.warp = (uint8_t)w3;
        in->start.pc = pool_pc(b, e);
        in->start.tmask = vl_chance(r, 200) ? ALL : (vl_random(r) & ALL) | 1;
        v->live = in->start.tmask;
        v->waiting = 0;
        v->left = v->met = v->nested = v->branches = v->begins = false;
        v->grouped = HOME_WARPS > 1 && b->seed % 4 != 3 && vl_chance(r, 170);
        v->climbs = !v->grouped && climbs(b, v);
        v->climbed = 0;
        v->answer = GO;
        move(v, v->live, in->start.pc);
        v->state = ASKED;
        v->exit = false;
    }
    if (vl_chance(r, b->mode == 2 ? 60 : 8)) {
        if (in->cf_valid)
            e->last_cf = in->cf, e->last_cf_valid = true;
        entry_env_t old[2];
        memcpy(old, e->table[set_of(in->cf.pc)], sizeof old);
        table_write(b, e, in);
        BENCH_COVER(b, COV_WRITE_LOOKUP,
                    in->cf_valid && !in->halt && !in->cf.indirect && in->cf.taken && in->cf.taken != in->cf.tmask
                        && in->tw.index == set_of(in->cf.pc));
    }
    bool ctl = in->issue_valid && in->issue.pipe == PIPE_CTL, cf = in->cf_valid;
    if (cf) {
        const cf_t *q = &in->cf;
        const entry_env_t *t = e->table[set_of(q->pc)];
        bool some = q->taken && q->taken != q->tmask && !q->misaligned;
        BENCH_COVER(b, COV_JALR_ALL, q->indirect && q->taken == q->tmask);
        BENCH_COVER(b, COV_JALR_SOME, q->indirect && some);
        BENCH_COVER(b, COV_NEXT_IS_TARGET, !q->indirect && some && q->target == ((q->pc + 4) & ((1ull << PA_W) - 1)));
        BENCH_COVER(b, COV_LAST,
                    !q->indirect && some && q->pc == LAST_PC && !(t[0].valid && t[0].pc == q->pc)
                        && !(t[1].valid && t[1].pc == q->pc));
        BENCH_COVER(b, COV_WAY0, !q->indirect && some && t[0].valid && t[0].pc == q->pc);
        BENCH_COVER(b, COV_WAY1,
                    !q->indirect && some && t[1].valid && t[1].pc == q->pc && !(t[0].valid && t[0].pc == q->pc));
    }
    BENCH_COVER(b, COV_START_K, in->start_valid && ctl && !cf);
    BENCH_COVER(b, COV_START_C, in->start_valid && !ctl && cf);
    BENCH_COVER(b, COV_K_C, !in->start_valid && ctl && cf);
    BENCH_COVER(b, COV_START_K_C, in->start_valid && ctl && cf);
    BENCH_COVER(b, COV_HALT_WAITS, in->halt && (ctl || cf));
    unsigned asked = 0;
    for (unsigned k = 0; k < WARPS; k++)
        asked += e->warp[k].state == ASKED;
    BENCH_COVER(b, COV_K_FULL, ctl && in->halt && asked > WARPS / 2);
    BENCH_COVER(b, COV_C_FULL, cf && in->halt && asked > WARPS / 2);
}

/* What compacted groups do, by the page's state before and after the edge. */
static void expect(bench_t *b, page_t *p, const simt_in_t *in)
{
    const bool div = p->engine == PG_DIV && !in->start_valid, asks = div && p->asks, held = p->held_valid,
               acts = p->engine == PG_IDLE && !in->start_valid && !in->halt;
    const bool pops = p->engine == PG_POP && !in->start_valid;
    const unsigned pop_warp = p->pop_warp, d_warp = p->d.warp;
    const unsigned sp = p->warp[d_warp].sp, queued = p->k_n && p->c_n;
    static unsigned popped; /* entries without threads, popped one after the other */
    const cf_t d = p->d, *c = p->c_n ? &p->c[0] : &in->cf;
    const bool k = p->k_n || (in->issue_valid && in->issue.pipe == PIPE_CTL),
               cf = acts && !held && !k && (p->c_n || in->cf_valid) && (uint64_t)in->grouped >> c->warp & 1,
               waits = cf && p->warp[c->warp].running != p->warp[c->warp].live;
    const bool jalr = cf && c->indirect && !p->warp[c->warp].sp && c->taken != c->tmask;
    BENCH_COVER(b, COV_BASE_JALR, jalr);
    BENCH_COVER(b, COV_BRANCH_WAITS, waits && !c->indirect && !p->warp[c->warp].sp);
    page_expect(p, in);
    const meet_t *m = &p->out.meet;
    const bool meets = p->out.meet_valid;
    popped = p->out.ev.simt_pops && !p->out.redirect_valid ? popped + 1 : pops ? popped : 0;
    BENCH_COVER(b, COV_MEET_BRANCH, meets && m->branch);
    BENCH_COVER(b, COV_MEET_BRANCH_ALL, meets && m->branch && (!m->taken || m->taken == m->tmask));
    BENCH_COVER(b, COV_MEET_BARRIER, meets && m->barrier);
    BENCH_COVER(b, COV_MEET_ENDED, meets && m->ended && !p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_ENDED_PART, meets && m->ended && !m->done);
    BENCH_COVER(b, COV_MEET_ENDED_REST, meets && m->ended && m->done && p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_WAITS, meets && m->waits && !p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_WAITS_PART, meets && m->waits && !m->done);
    BENCH_COVER(b, COV_MEET_DONE, meets && m->done && !m->ended && !m->waits && !pops);
    BENCH_COVER(b, COV_MEET_POP, meets && pops && m->warp == pop_warp && popped == 1);
    BENCH_COVER(b, COV_MEET_POP_LATER, meets && pops && m->warp == pop_warp && popped > 1);
    BENCH_COVER(b, COV_BASE_MISS, asks && !sp && !meets && d.taken && d.taken != d.tmask);
    BENCH_COVER(b, COV_BASE_JUMP, asks && !meets && d.taken == d.tmask);
    BENCH_COVER(b, COV_BASE_NEXT, asks && !meets && !d.taken);
    BENCH_COVER(b, COV_GO_HALT, held && in->halt);
    BENCH_COVER(b, COV_GO_START, held && in->start_valid);
    BENCH_COVER(b, COV_GO_QUEUES, held && acts && queued);
    for (unsigned n = COV_GROUPS; n < COV_N; n++)
        BENCH_COVER(b, n, HOME_WARPS == 1);
}

SCOREBOARD_DRIVE_COVERED(simt, env_t, stimulate, expect)
BENCH_MAIN(simt, env_t, start, drive, cover, COV_N)
