/* Functional coverage of smd, read off the state of its page (page.h): what the page lists. */
#ifndef VERIF_COHERENCE_SMD_COVER_H
#define VERIF_COHERENCE_SMD_COVER_H
#include "verif/coherence/smd/page.h"

enum { C_OPS = 3, C_STATES = 6, C_KINDS = 3, C_HELD = 5 };
enum {
    COV_WHAT,
    COV_CASE = COV_WHAT + 8, /* by case a to e, by op */
    COV_B_IS = COV_CASE + 5 * C_OPS,
    COV_B_NOT = COV_B_IS + 5,
    COV_C = COV_B_NOT + 6,
    COV_C_OWN = COV_C + 2 * C_HELD,
    COV_D_EMPTY = COV_C_OWN + 2,
    COV_D_SAME,
    COV_D_OTHER,
    COV_SAYS = COV_D_OTHER + C_HELD,
    COV_CONFLICT = COV_SAYS + 4,
    COV_ALL_X,
    COV_LINE_BEFORE,
    COV_LINE_AFTER,
    COV_LINE_ORDER,
    COV_LINE_LAST,
    COV_WOKEN_LINE,
    COV_WOKEN_END,
    COV_WOKEN_TWICE,
    COV_WRITE,
    COV_WRITE_NONE = COV_WRITE + 2 * C_STATES,
    COV_TOUCHED_WAIT,
    COV_TOUCHED_END,
    COV_STALL,
    COV_PROBE,
    COV_ABSENT = COV_PROBE + C_KINDS * C_HELD,
    COV_PROBE_FETCHED = COV_ABSENT + C_KINDS,
    COV_PROBE_EVICTED,
    COV_PROBE_FLUSHED,
    COV_OWNERS,
    COV_SENT = COV_OWNERS + 3,
    COV_DRAIN_IN,
    COV_DRAIN_S1,
    COV_ACK_WAITS,
    COV_ACK_LINE,
    COV_GIVEN_S,
    COV_GIVEN_E,
    COV_TO_PEER,
    COV_NO_MARKS = COV_TO_PEER + C_KINDS * C_HELD,
    COV_KEEP,
    COV_KEEP_NOT,
    COV_FULL,
    COV_STEP = COV_FULL + 7, /* by operation, by state */
    COV_STEP_X = COV_STEP + 6 * C_STATES,
    COV_STEP_JOB,
    COV_STEP_FULL,
    COV_STEP_OTHER,
    COV_STEP_FIRST,
    COV_MAINT_TOUCHED,
    COV_MAINT_GIVEN,
    COV_MAINT_IN,
    COV_MAINT_S1,
    COV_SKIP,
    COV_SKIP_JOB,
    COV_SKIP_FETCH,
    COV_CLEAR_REQ,
    COV_CLEAR_PROBE,
    COV_CLEAR_MAINT,
    COV_IDLE,
    COV_GET, /* zerocopy: by operation, by state */
    COV_FAR_PROBE = COV_GET + 10,
    COV_FAR_GIVEN = COV_FAR_PROBE + 8,
    COV_FAR_BEFORE = COV_FAR_GIVEN + 2,
    COV_FAR_BEHIND,
    COV_FAR_GET_FULL,
    COV_FAR_WRITE_FULL,
    COV_FAR_NONE_FULL,
    COV_FAR_ACK_FULL,
    COV_FAR_DONE,
    COV_FAR_ORDER,
    COV_FAR_STEP,
    COV_FAR_STALL = COV_FAR_STEP + 2,
    COV_FAR_AGAIN,
    COV_NEAR_READ = COV_FAR_AGAIN + 4, /* by operation, by state */
    COV_NEAR_WRITE = COV_NEAR_READ + 10,
    COV_NEAR_NONE = COV_NEAR_WRITE + 2,
    COV_NEAR_ACK,
    COV_NEAR_FULL,
    COV_NEAR_BETWEEN = COV_NEAR_FULL + 3,
    COV_NEAR_BEFORE = COV_NEAR_BETWEEN + 3,
    COV_NEAR_STEP,
    COV_NEAR_FAR = COV_NEAR_STEP + 2,
    COV_MEM_PART,
    COV_MEM_WHOLE,
    COV_MEM_LAST,
    COV_MEM_WAITS,
    COV_MEM_HERE,
    COV_MEM_FULL,
    COV_MEM_BESIDE,
    COV_MEM_BLOCK = COV_MEM_BESIDE + 5,
    COV_MEM_JOB,
    COV_MEM_GRANT,
    COV_MEM_CLEAR,
    COV_MEM_FAR,
    COV_N
};
#define OPS(x) x ", READ", x ", READ_OWN", x ", N_READ"
#define HELD(x) x " in N", x " in S", x " in E", x " in O", x " in M"
#define FAR_HELD(x) x " in N", x " in S", x " in E", x " in M"
#define STATES(x) x " in I", HELD(x)
static const char *const cover[] = {
    "LOOK",
    "LOOK2",
    "SET",
    "CLEAR",
    "READ",
    "END",
    "WRITE",
    "STEP",
    OPS("its place is probed"),
    OPS("its place has a transaction"),
    OPS("held"),
    OPS("fetched"),
    OPS("no transaction is free"),
    "a line that has come, READ",
    "a line that has come, N_READ",
    "a line that has come to be owned, READ",
    "a line that has come to be owned, N_READ",
    "a line that has come to be owned, READ_OWN",
    OPS("a line that has not come"),
    OPS("a line that has not come and is to be owned"),
    HELD("READ of a block"),
    HELD("N_READ of a block"),
    "READ_OWN of a block in E",
    "READ_OWN of a block in M",
    "a fetch into an empty place",
    "an upgrade",
    HELD("a fetch puts out a block"),
    "a block in S is put out, of which the slice has no line",
    "a block in S is put out, of which the slice may have a line",
    "a block in E is put out, of which the slice has no line",
    "a block in E is put out, of which the slice may have a line",
    "reads of two blocks of one place wait",
    "all transactions are in use",
    "a line before the grant",
    "a line after the grant",
    "lines out of order",
    "the line asked for comes last",
    "a read woken by its line",
    "a read woken by the end of a transaction or a probe",
    "a read sleeps again",
    STATES("a write-back"),
    STATES("a write-back that keeps the line"),
    "a write-back without bytes",
    "a write-back during the fetch",
    "a write-back before the fetch is entered",
    "a write-back waits for a probe of its block",
    HELD("PROBE_READ"),
    HELD("PROBE_WRITE"),
    HELD("PROBE_CLEAN"),
    "PROBE_READ of a block that is not here",
    "PROBE_WRITE of a block that is not here",
    "PROBE_CLEAN of a block that is not here",
    "a probe of a block that is to be owned",
    "a probe of a block that is evicted",
    "a probe of a block that is flushed",
    "a probe, and the slice has no line",
    "a probe, and the slice may have one line",
    "a probe, and the slice may have all lines",
    "a probe waits for a read of its block",
    "a probe waits for a write-back in the queue",
    "a probe waits for a write-back in s1",
    "bytes of an acknowledgement wait for a write-back",
    "bytes of an acknowledgement wait for a write-back of the same line with the same bytes",
    "bytes given in S",
    "bytes given in E",
    HELD("PROBE_READ for a peer"),
    HELD("PROBE_WRITE for a peer"),
    HELD("PROBE_CLEAN for a peer"),
    "a line without marks",
    "cleaned, and stays exclusive",
    "cleaned, and does not stay exclusive",
    "home_req queue full",
    "home_ack queue full",
    "stack queue full",
    "home_probe queue full",
    "smd_req queue full",
    "smd_ack queue full",
    "smd_peer queue full",
    STATES("FLUSH_LINE"),
    STATES("FLUSH_PAGE"),
    STATES("FLUSH_ALL"),
    STATES("INVAL_LINE"),
    STATES("INVAL_PAGE"),
    STATES("INVAL_ALL"),
    "a step waits for a transaction of its place",
    "a step waits for a probe of its place",
    "a step waits for a free transaction",
    "a step on a block that is not here",
    "the first of 64 steps is not done",
    "FLUSH_ALL comes during a fetch that has been written into",
    "FLUSH_ALL comes when a probe of a block in E has been given bytes",
    "FLUSH_ALL comes when a write-back is in the queue",
    "FLUSH_ALL comes when a write-back is in s1",
    "64 places are left out",
    "64 places are not left out during a probe",
    "64 places are not left out during a fetch",
    "request while clearing",
    "probe while clearing",
    "maintenance while clearing",
    "idle",
    FAR_HELD("READ far of a block"),
    FAR_HELD("N_READ far of a block"),
    "READ_OWN far of a block in E",
    "READ_OWN far of a block in M",
    FAR_HELD("PROBE_WRITE far"),
    FAR_HELD("PROBE_CLEAN far"),
    "bytes given far in S",
    "bytes given far in E",
    "a probe waits for the answer to a GET of its block",
    "a read far waits for a probe of its block",
    "a GET finds acknowledgements full",
    "a write-back far finds acknowledgements full",
    "a write-back far without bytes finds acknowledgements full",
    "an acknowledgement far with bytes finds acknowledgements full",
    "DONE or ARRIVED beside a GET",
    "an answer to GET, and others are awaited",
    "FLUSH far of a block in N",
    "FLUSH far of a block in M",
    "a write-back far waits for a probe of its block",
    "memory is umh",
    "memory is zerocopy",
    "memory is memcpy",
    "memory is managed",
    FAR_HELD("READ near of a block"),
    FAR_HELD("N_READ near of a block"),
    "READ_OWN near of a block in E",
    "READ_OWN near of a block in M",
    "a write-back near",
    "a write-back near that keeps the line",
    "a write-back near without bytes",
    "an acknowledgement near with bytes",
    "a read near finds the stack queue full",
    "a write-back near finds the stack queue full",
    "an acknowledgement near with bytes finds the stack queue full",
    "a write of the HMD between two reads near of a line",
    "a write of the HMD between a write-back and a read near of a line",
    "a read of the HMD between a write-back and a read near of a line",
    "a probe waits for a read near of its block",
    "FLUSH near of a block in N",
    "FLUSH near of a block in M",
    "a far line beside a near one",
    "the HMD writes a part of a line",
    "the HMD writes a line",
    "the HMD reads with one slot free",
    "lines wait for a slot",
    "two lines for the HMD are here",
    "a line for the HMD finds smd_peer full",
    "a line for the HMD beside DONE or ARRIVED",
    "a line for the HMD beside BYTES or GET",
    "a line for the HMD beside a response to the slice",
    "a line for the HMD beside a request",
    "a line for the HMD beside a read of the HMD",
    "the HMD reads a line of a block that is held",
    "the HMD reads a line of a block that is probed",
    "a grant behind a write of its block",
    "the HMD reads while clearing",
    "the HMD reads a line of a block that is not in the table"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

/* A READ in s1 that leaves. */
static void cover_read(bench_t *b, const page_t *p, const ev_smd_t *v)
{
    const page_wait_t *w = &p->w[p->s1.number];
    const page_entry_t *t = &p->table[page_place(w->line)];
    const char c = page_case(p);
    const unsigned op = w->op, least = op == HOME_N_READ; /* 0 READ, 1 N_READ */
    if (c == 'c' && v->smd_near) {
        const unsigned st = t->state == NMOESI_M ? 3 : t->state - 1u;
        BENCH_COVER(b, op == HOME_READ_OWN ? COV_NEAR_READ + 8 + (st == 3) : COV_NEAR_READ + 4 * least + st, true);
    }
    if (p->far && c == 'c' && v->smd_get) {
        const unsigned st = t->state == NMOESI_M ? 3 : t->state - 1u;
        BENCH_COVER(b, op == HOME_READ_OWN ? COV_GET + 8 + (st == 3) : COV_GET + 4 * least + st, true);
    }
    BENCH_COVER(b, COV_FAR_BEHIND, p->far && c == 'a' && page_together(w->line, p->job.probe.line));
    BENCH_COVER(b, COV_CASE + (unsigned)(c - 'a') * C_OPS + op, v->smd_read || !p->s1.first);
    if (c == 'b') {
        const page_x_t *x = &p->x[page_has(p, w->line)];
        if (page_case_b(p))
            BENCH_COVER(b, COV_B_IS + 2 * x->own + (op == HOME_READ_OWN ? 2 : least), true);
        else if (page_together(x->line, w->line))
            BENCH_COVER(b, COV_B_NOT + C_OPS * x->own + op, x->kind == PX_FETCH);
    } else if (c == 'c') {
        BENCH_COVER(
            b, op == HOME_READ_OWN ? COV_C_OWN + (t->state == NMOESI_M) : COV_C + C_HELD * least + t->state - 1u, true);
    } else if (c == 'd') {
        BENCH_COVER(b,
                    t->state == NMOESI_I    ? COV_D_EMPTY
                    : page_here(t, w->line) ? COV_D_SAME
                                            : COV_D_OTHER + t->state - 1u,
                    true);
        if (t->state == NMOESI_S || t->state == NMOESI_E)
            BENCH_COVER(b, COV_SAYS + 2 * (t->state == NMOESI_E) + page_gives(t), !page_here(t, w->line));
    }
    bool conflict = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        conflict |= p->w[k].state == PW_WAIT && page_place(p->w[k].line) == page_place(w->line)
                    && !page_together(p->w[k].line, w->line);
    BENCH_COVER(b, COV_CONFLICT, conflict);
    BENCH_COVER(b, COV_ALL_X, page_free_x(p) == SMD_TRANSACTIONS);
}

/* LOOK and LOOK2 of the probe that is being answered. */
static void cover_job(bench_t *b, const page_t *p)
{
    const page_job_t *j = &p->job;
    const page_entry_t *t = &p->table[page_place(j->probe.line)];
    const unsigned kind = j->probe.kind, x = page_has(p, j->probe.line);
    if (p->s1.what == P1_LOOK) {
        const bool here = t->state != NMOESI_I && page_here(t, j->probe.line);
        unsigned owners = 0;
        for (unsigned l = 0; l < PG_LPB; l++)
            owners += t->owner[l];
        if (p->far && here && kind != PROBE_READ)
            BENCH_COVER(b, COV_FAR_PROBE + 4 * (kind == PROBE_CLEAN) + (t->state == NMOESI_M ? 3 : t->state - 1u),
                        true);
        BENCH_COVER(b, here ? COV_PROBE + C_HELD * kind + t->state - 1u : COV_ABSENT + kind, true);
        if (here) {
            BENCH_COVER(b, COV_OWNERS, !owners);
            BENCH_COVER(b, COV_OWNERS + 1, owners == 1);
            BENCH_COVER(b, COV_OWNERS + 2, owners == PG_LPB);
        }
        if (here && x < SMD_TRANSACTIONS) {
            BENCH_COVER(b, COV_PROBE_FETCHED, p->x[x].kind == PX_FETCH && page_together(p->x[x].line, j->probe.line));
            BENCH_COVER(b, COV_PROBE_EVICTED, p->x[x].kind != PX_FLUSH && page_together(p->x[x].victim, j->probe.line));
            BENCH_COVER(b, COV_PROBE_FLUSHED, p->x[x].kind == PX_FLUSH);
        }
        return;
    }
    const uint8_t st = j->given ? page_touched(t->state) : t->state;
    BENCH_COVER(b, COV_FAR_GIVEN, p->far && j->given && t->state == NMOESI_S);
    BENCH_COVER(b, COV_FAR_GIVEN + 1, p->far && j->given && t->state == NMOESI_E);
    BENCH_COVER(b, COV_GIVEN_S, j->given && t->state == NMOESI_S);
    BENCH_COVER(b, COV_GIVEN_E, j->given && t->state == NMOESI_E);
    BENCH_COVER(b, COV_TO_PEER + C_HELD * kind + st - 1u, j->probe.to_peer);
    BENCH_COVER(b, j->probe.keep ? COV_KEEP : COV_KEEP_NOT, kind == PROBE_CLEAN && (st == NMOESI_E || st == NMOESI_M));
}

static void cover_write(bench_t *b, const page_t *p)
{
    const home_req_t *r = &p->s1.write;
    const page_entry_t *t = &p->table[page_place(r->line)];
    const unsigned x = page_has(p, r->line);
    BENCH_COVER(b, COV_WRITE_NONE, page_none(r->be));
    BENCH_COVER(b, page_none(r->be) ? COV_NEAR_NONE : COV_NEAR_WRITE + r->keep, page_near(p, r->line));
    if (page_none(r->be))
        return;
    BENCH_COVER(b, COV_WRITE + C_STATES * r->keep + t->state, true);
    if (x < SMD_TRANSACTIONS && p->x[x].kind == PX_FETCH && page_together(p->x[x].line, r->line)) {
        BENCH_COVER(b, COV_TOUCHED_WAIT, p->x[x].stage == PX_WAIT);
        BENCH_COVER(b, COV_TOUCHED_END, p->x[x].stage == PX_END);
    }
}

static void cover_step(bench_t *b, const page_t *p)
{
    const page_step_e is = page_step_is(p);
    const unsigned op = p->order.op - p->order.op / 4; /* 0 to 5 */
    BENCH_COVER(b, COV_STEP + C_STATES * op + p->table[page_place(p->s1.line)].state, is == PT_PASS || is == PT_MAKES);
    if (p->far && is == PT_MAKES && page_order_flush(p))
        BENCH_COVER(b,
                    (page_near(p, p->s1.line) ? COV_NEAR_STEP : COV_FAR_STEP)
                        + (p->table[page_place(p->s1.line)].state == NMOESI_M),
                    true);
    BENCH_COVER(b, COV_STEP_X, is == PT_BUSY && page_has(p, p->s1.line) < SMD_TRANSACTIONS);
    BENCH_COVER(b, COV_STEP_JOB, is == PT_BUSY && page_job_at(p, p->s1.line));
    BENCH_COVER(b, COV_STEP_FULL, is == PT_FULL);
    BENCH_COVER(b, COV_STEP_OTHER, is == PT_OTHER);
    BENCH_COVER(b, COV_STEP_FIRST, (is == PT_BUSY || is == PT_FULL) && page_order_all(p) && p->step % 64 == 0);
}

/* FLUSH_ALL comes, and what will have to be flushed is not in the table yet. */
static void cover_flush(bench_t *b, const page_t *p)
{
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        BENCH_COVER(b, COV_MAINT_TOUCHED, p->x[i].valid && p->x[i].touched && p->x[i].stage <= PX_END);
    BENCH_COVER(b, COV_MAINT_GIVEN,
                p->job.phase != PJ_NONE && p->job.given && p->table[page_place(p->job.probe.line)].state == NMOESI_E);
    for (unsigned i = 0; i < p->in_n; i++)
        BENCH_COVER(b, COV_MAINT_IN, p->in[i].op == HOME_WRITE_BACK);
    BENCH_COVER(b, COV_MAINT_S1, p->s1.valid && p->s1.what == P1_WRITE);
}

static void cover_data(bench_t *b, const page_t *p, const smd_data_t *d)
{
    for (unsigned i = 0; i < SMD_TRANSACTIONS && !d->grant; i++) {
        const page_x_t *x = &p->x[i];
        if (!x->valid || x->kind != PX_FETCH || x->stage != PX_WAIT || !page_together(x->line, d->line))
            continue;
        unsigned count = 0;
        for (unsigned l = 0; l < PG_LPB; l++)
            count += x->come[l];
        BENCH_COVER(b, x->granted ? COV_LINE_AFTER : COV_LINE_BEFORE, true);
        BENCH_COVER(b, COV_LINE_ORDER, page_off(d->line) && !x->come[page_off(d->line) - 1]);
        BENCH_COVER(b, COV_LINE_LAST, d->line == x->line && count == PG_LPB - 1);
    }
}

/* memory = zerocopy, in any edge. */
static void cover_far(bench_t *b, const page_t *was, const page_t *p, const smd_in_t *in)
{
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was->s1;
    const page_job_t *j = &was->job;
    bool waits = false, order = false;
    BENCH_COVER(b, COV_FAR_AGAIN + in->memory, true);
    if (!p->far)
        return;
    const bool reads = s->valid && s->what == P1_READ && page_case(was) == 'c',
               near_ = page_near(was, reads ? was->w[s->number].line : s->write.line), full = was->kq_n == 2,
               get = reads && !near_ && !v->smd_get, write = s->valid && s->what == P1_WRITE && !near_;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        waits |= was->w[k].state == PW_FAR && page_together(was->w[k].line, j->probe.line);
    BENCH_COVER(b, COV_FAR_BEFORE, j->phase == PJ_ASK && waits && was->pq_n < 2 && !v->smd_ask);
    BENCH_COVER(b, COV_FAR_GET_FULL, full && get);
    BENCH_COVER(b, COV_FAR_DONE, !full && get);
    BENCH_COVER(b, COV_FAR_WRITE_FULL, full && write && !page_none(s->write.be));
    BENCH_COVER(b, COV_FAR_NONE_FULL, full && write && page_none(s->write.be));
    BENCH_COVER(b, COV_FAR_ACK_FULL,
                full && was->aq_n && !was->older[0] && !page_none(was->aq[0].be) && !page_near(was, was->aq[0].line));
    BENCH_COVER(b, COV_FAR_STALL, v->smd_stall);
    /* others have been asked for as well */
    for (unsigned k = 0; k < L2_MSHRS && in->smd_data_valid && !in->smd_data.grant; k++)
        order |= was->w[k].state == PW_FAR && was->w[k].line != in->smd_data.line;
    BENCH_COVER(b, COV_FAR_ORDER, order);
}

/* Near lines: who was last at one, and whether the HMD was since then. */
typedef enum { CN_NONE, CN_READ, CN_WRITE } cover_near_e;
static struct {
    uint64_t line;
    cover_near_e was;
    bool read, written;
} cover_last[8];

static void cover_access(bench_t *b, uint64_t line, cover_near_e is)
{
    static unsigned next;
    unsigned i = 0;
    while (i < 8 && !(cover_last[i].was && cover_last[i].line == line))
        i++;
    if (i < 8 && is == CN_READ) {
        BENCH_COVER(b, COV_NEAR_BETWEEN, cover_last[i].was == CN_READ && cover_last[i].written);
        BENCH_COVER(b, COV_NEAR_BETWEEN + 1, cover_last[i].was == CN_WRITE && cover_last[i].written);
        BENCH_COVER(b, COV_NEAR_BETWEEN + 2, cover_last[i].was == CN_WRITE && cover_last[i].read);
    }
    i = i < 8 ? i : next++ % 8;
    memset(&cover_last[i], 0, sizeof cover_last[i]);
    cover_last[i].line = line;
    cover_last[i].was = is;
}

static void cover_home(bench_t *b, const page_t *was, const page_t *p, const smd_in_t *in)
{
    const page_job_t *j = &was->job;
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was->s1;
    const smd_data_t *d = &in->smd_data;
    static uint64_t written;
    unsigned free = 0, here = 0;
    bool waits = false, near_ = false, far = false;
    if (!was->cleared) { /* a run begins */
        memset(cover_last, 0, sizeof cover_last);
        written = ~0ull;
    }
    for (unsigned i = 0; i < PG_SLOTS; i++) {
        free += j->slot[i].state == PS_FREE;
        here += j->slot[i].state == PS_HERE && j->slot[i].mem;
    }
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        near_ |= was->w[k].state == PW_SENT;
        far |= was->w[k].state == PW_FAR;
        waits |= was->w[k].state == PW_SENT && page_together(was->w[k].line, j->probe.line);
    }
    BENCH_COVER(b, COV_NEAR_FAR, (near_ && far) || DEVICES == 1);
    BENCH_COVER(b, COV_NEAR_BEFORE, j->phase == PJ_ASK && waits && was->pq_n < 2 && !v->smd_ask);
    BENCH_COVER(b, COV_NEAR_FULL,
                was->sq_n == 2 && s->valid && s->what == P1_READ && page_case(was) == 'c'
                    && page_near(was, was->w[s->number].line));
    BENCH_COVER(b, COV_NEAR_FULL + 1,
                was->sq_n == 2 && s->valid && s->what == P1_WRITE && page_near(was, s->write.line));
    if (was->aq_n && !page_none(was->aq[0].be) && page_near(was, was->aq[0].line)) {
        BENCH_COVER(b, COV_NEAR_ACK, p->aq_n < was->aq_n || !was->older[0]);
        BENCH_COVER(b, COV_NEAR_FULL + 2, was->sq_n == 2 && !was->older[0]);
    }
    if (v->smd_near)
        cover_access(b, s->what == P1_WRITE ? s->write.line : was->w[s->number].line,
                     s->what == P1_WRITE ? CN_WRITE : CN_READ);
    BENCH_COVER(b, COV_MEM_WAITS, in->smd_data_valid && !free && was->sq_n < 2 && was->fq_n < 2);
    BENCH_COVER(b, COV_MEM_HERE, here > 1);
    BENCH_COVER(b, COV_MEM_FULL, here && was->eq_n == 2);
    if (here && was->eq_n < 2) {
        const bool ack = p->kq_n && memcmp(&p->kq[p->kq_n - 1], &was->kq[was->kq_n ? was->kq_n - 1 : 0], sizeof *p->kq);
        const unsigned kind = p->kq[p->kq_n ? p->kq_n - 1 : 0].kind;
        BENCH_COVER(b, COV_MEM_BESIDE, ack && (kind == SMD_DONE || kind == SMD_ARRIVED));
        BENCH_COVER(b, COV_MEM_BESIDE + 1, v->smd_get || v->smd_put || DEVICES == 1);
        BENCH_COVER(b, COV_MEM_BESIDE + 2, p->rsp_valid);
        BENCH_COVER(b, COV_MEM_BESIDE + 3, v->smd_fetch || v->smd_own || v->smd_evict || v->smd_flush);
        BENCH_COVER(b, COV_MEM_BESIDE + 4, v->smd_mem_read);
    }
    if (!in->smd_data_valid || !was->out.smd_data_ready)
        return;
    BENCH_COVER(b, COV_MEM_GRANT, d->grant && page_together(written, d->line));
    if (d->mem == SMD_MEM_NONE)
        return;
    const page_entry_t *t = &was->table[page_place(d->line)];
    const bool read = d->mem == SMD_MEM_READ, held = t->state != NMOESI_I && page_here(t, d->line);
    written = read ? written : d->line;
    for (unsigned i = 0; i < 8; i++)
        if (cover_last[i].line == d->line) {
            cover_last[i].read |= read;
            cover_last[i].written |= !read;
        }
    BENCH_COVER(b, mask_any(&d->mask) ? COV_MEM_PART : COV_MEM_WHOLE, !read);
    BENCH_COVER(b, COV_MEM_LAST, read && free == 1);
    BENCH_COVER(b, COV_MEM_BLOCK, read && held);
    BENCH_COVER(b, COV_MEM_JOB, read && j->phase != PJ_NONE && page_together(j->probe.line, d->line));
    BENCH_COVER(b, COV_MEM_CLEAR, read && was->cleared < PG_PLACES);
    BENCH_COVER(b, COV_MEM_FAR, read && !held);
}

/* page_expect, and what is worth noting in that edge. */
static void cover_expect(bench_t *b, page_t *p, const smd_in_t *in)
{
    static page_t was;
    was = *p;
    page_expect(p, in);
    cover_far(b, &was, p, in);
    cover_home(b, &was, p, in);
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was.s1;
    const page_job_t *j = &was.job;
    const bool clearing = was.cleared < PG_PLACES, left = s->valid && memcmp(s, &p->s1, sizeof *s);
    if (s->valid && left) {
        BENCH_COVER(b, COV_WHAT + s->what, true);
        switch (s->what) {
        case P1_LOOK:
        case P1_LOOK2: cover_job(b, &was); break;
        case P1_READ: cover_read(b, &was, v); break;
        case P1_WRITE: cover_write(b, &was); break;
        case P1_STEP: cover_step(b, &was); break;
        default: break;
        }
        BENCH_COVER(b, COV_WOKEN_TWICE, s->what == P1_READ && !s->first && p->w[s->number].state == PW_WAIT);
    }
    if (in->smd_data_valid && was.out.smd_data_ready)
        cover_data(b, &was, &in->smd_data);
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        const bool woken = was.w[k].state == PW_WAIT && !was.w[k].wake && p->w[k].wake;
        BENCH_COVER(b, COV_WOKEN_LINE, woken && v->smd_line && in->smd_data.line == was.w[k].line);
        BENCH_COVER(b, COV_WOKEN_END, woken && !v->smd_line);
    }
    bool sent = false, fetch = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        sent |= was.w[k].state == PW_SENT && page_together(was.w[k].line, j->probe.line);
    for (unsigned x = 0; x < SMD_TRANSACTIONS; x++)
        fetch |= was.x[x].valid && was.x[x].kind == PX_FETCH;
    BENCH_COVER(b, COV_SENT, j->phase == PJ_ASK && sent && was.pq_n < 2 && p->job.phase == PJ_ASK && !v->smd_ask);
    if (j->phase == PJ_DRAIN && !j->out && p->job.phase == PJ_DRAIN) {
        const bool s1 = s->valid && s->what == P1_WRITE && page_together(s->write.line, j->probe.line);
        BENCH_COVER(b, s1 ? COV_DRAIN_S1 : COV_DRAIN_IN, true);
    }
    BENCH_COVER(b, COV_ACK_WAITS,
                !was.far && was.aq_n && !page_none(was.aq[0].be) && was.older[0] && was.sq_n < 2 && !v->smd_line);
    for (unsigned i = 0; i <= was.in_n && was.aq_n && was.older[0]; i++) {
        const home_req_t *r = i < was.in_n ? &was.in[i] : &s->write;
        const home_ack_t *a = &was.aq[0];
        const bool writes = i < was.in_n ? r->op == HOME_WRITE_BACK : s->valid && s->what == P1_WRITE;
        BENCH_COVER(b, COV_ACK_LINE,
                    writes && r->line == a->line && ((r->be.w[0] & a->be.w[0]) || (r->be.w[1] & a->be.w[1])));
    }
    BENCH_COVER(b, COV_STALL, v->smd_stall);
    for (unsigned i = 0; i < PG_SLOTS; i++)
        BENCH_COVER(b, COV_NO_MARKS, j->phase == PJ_SEND && j->slot[i].state == PS_HERE && !mask_any(&j->slot[i].mask));
    if (in->maint_valid && in->maint.op == L2_FLUSH_ALL)
        cover_flush(b, &was);
    const unsigned full[] = {was.in_n, was.aq_n, was.sq_n, was.pq_n, was.rq_n, was.kq_n, was.eq_n};
    for (unsigned i = 0; i < 7; i++)
        BENCH_COVER(b, COV_FULL + i, full[i] == 2);
    const bool begins = was.maint == PM_WALK && p->s1.valid && p->s1.what == P1_STEP && !s->valid
                        && page_order_all(&was) && page_order_flush(&was) && was.step % 64 == 0
                        && !was.some[was.step / 64 % PG_GROUPS];
    BENCH_COVER(b, COV_SKIP, p->maint == PM_WALK && was.maint == PM_WALK && p->step == was.step + 64);
    BENCH_COVER(b, COV_SKIP_JOB, begins && j->phase != PJ_NONE);
    BENCH_COVER(b, COV_SKIP_FETCH, begins && fetch);
    BENCH_COVER(b, COV_CLEAR_REQ, clearing && in->home_req_valid);
    BENCH_COVER(b, COV_CLEAR_PROBE, clearing && in->smd_probe_valid);
    BENCH_COVER(b, COV_CLEAR_MAINT, clearing && was.maint != PM_NONE);
    BENCH_COVER(b, COV_IDLE, was.out.idle);
}
#endif
