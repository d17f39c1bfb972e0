/* Functional coverage of hmd, read off the state of its page (page.h): the points that the page lists. With one device a block has one holder. */
#ifndef VERIF_COHERENCE_HMD_COVER_H
#define VERIF_COHERENCE_HMD_COVER_H
#include "verif/coherence/hmd/page.h"

enum { C_OPS = 6, C_ENTRIES = 7, C_QUEUES = 8, C_STATES = 3 };
enum {
    COV_ENTRY, /* by operation, by entry */
    COV_PEERS = COV_ENTRY + C_OPS * C_ENTRIES,
    COV_WIDE = COV_PEERS + 4,
    COV_SENT = COV_WIDE + 14,
    COV_OSTATE = COV_SENT + 2,
    COV_SEVERAL = COV_OSTATE + C_STATES,
    COV_ACK = COV_SEVERAL + 2,
    COV_LHELD = COV_ACK + 2,
    COV_OFF = COV_LHELD + 2,
    COV_SAME = COV_OFF + 3,
    COV_OTHER,
    COV_ALL_X,
    COV_POOL,
    COV_SLOTS,
    COV_FULL,
    COV_GIVE = COV_FULL + C_QUEUES,
    COV_GIVE_DURING = COV_GIVE + 2,
    COV_OLDER,
    COV_YOUNGER,
    COV_CLEAR,
    COV_IDLE = COV_CLEAR + 2,
    COV_THIN, /* READ, OWN; by entry */
    COV_GET_BEHIND = COV_THIN + 2 * C_ENTRIES,
    COV_GET_BEFORE,
    COV_GET_SLOT,
    COV_GET_FULL,
    COV_GET_LINES,
    COV_GET_DURING,
    COV_GET_SEVERAL,
    COV_POLICY,
    COV_STACK = COV_POLICY
                + 4, /* read for a GET, for the last-level cache; bytes of a device, an acknowledgement, a write-back */
    COV_STACK_PART = COV_STACK + 5,
    COV_STACK_WHOLE,
    COV_STACK_OTHER,
    COV_STACK_SECOND,
    COV_STACK_FULL,
    COV_STACK_EMIT,
    COV_STACK_GRANT,
    COV_STACK_ALL,
    COV_STACK_RSP,
    COV_STACK_SLOTS,
    COV_STACK_BEHIND,
    COV_STACK_ORDER,
    COV_N
};
#define ENTRIES(x) \
    x " of a block that nobody holds", x ", a sharer asks", x ", another is a sharer", x ", the owner asks", x ", another is the owner", x ", an owner and sharers", \
        x ", the last-level cache may hold it"
static const char *const cover[] = {ENTRIES("READ"),
                                    ENTRIES("OWN"),
                                    ENTRIES("EVICT"),
                                    ENTRIES("FLUSH"),
                                    ENTRIES("read of the last-level cache"),
                                    ENTRIES("own of the last-level cache"),
                                    "READ of an owner without peers",
                                    "READ of an owner with peers",
                                    "OWN of another owner alone without peers",
                                    "OWN of another owner alone with peers",
                                    "EVICT with bytes, and another is the owner",
                                    "EVICT with bytes, and another is a sharer",
                                    "EVICT with bytes, and the last-level cache may hold the block",
                                    "EVICT with bytes of who holds the block alone",
                                    "EVICT without bytes, and others hold the block",
                                    "EVICT or FLUSH of who holds the block no longer, and others do",
                                    "FLUSH, and another is the owner",
                                    "FLUSH, and another is a sharer",
                                    "FLUSH, and the last-level cache may hold the block",
                                    "FLUSH of who holds the block alone",
                                    "READ of an owner beside sharers without peers",
                                    "READ of an owner beside sharers with peers",
                                    "read of the last-level cache of an owner beside sharers",
                                    "own of the last-level cache beside its own lines and sharers",
                                    "an owner sends nothing",
                                    "an owner sends its lines to a peer",
                                    "an owner in E",
                                    "an owner in O",
                                    "an owner in M",
                                    "several sharers are probed",
                                    "sharers and the last-level cache are probed",
                                    "an acknowledgement without bytes",
                                    "an acknowledgement with bytes",
                                    "the last-level cache does not hold what is read",
                                    "the last-level cache holds what is read",
                                    "the first line is asked for",
                                    "a line in the middle is asked for",
                                    "the last line is asked for",
                                    "two wait for one block",
                                    "two blocks at once",
                                    "all transactions are in use",
                                    "the pool is full",
                                    "all slots are in use",
                                    "requests are full",
                                    "acknowledgements are full",
                                    "requests of the last-level cache are full",
                                    "acknowledgements of the last-level cache are full",
                                    "probes are full",
                                    "lines are full",
                                    "probes of the last-level cache are full",
                                    "requests to memory are full",
                                    "a write-back without bytes",
                                    "a write-back with bytes",
                                    "a write-back during a transaction of its block",
                                    "a write-back is here when the acknowledgement of its line is offered",
                                    "a write-back behind an acknowledgement of its line that waits",
                                    "a request of a device while clearing",
                                    "a request of the last-level cache while clearing",
                                    "idle again",
                                    ENTRIES("thin READ"),
                                    ENTRIES("thin OWN"),
                                    "a GET behind BYTES of its line",
                                    "BYTES of a line behind its GET",
                                    "a GET waits for a slot, and one is free",
                                    "a GET waits for memory",
                                    "a GET beside lines of a transaction",
                                    "a GET during a transaction of its block",
                                    "GETs of several devices under way",
                                    "memory is umh",
                                    "memory is zerocopy",
                                    "memory is memcpy",
                                    "memory is managed",
                                    "a stack is read for a GET",
                                    "a stack is read for the last-level cache",
                                    "a stack is written with BYTES",
                                    "a stack is written with bytes of an acknowledgement of the last-level cache",
                                    "a stack is written with bytes of a write-back of the last-level cache",
                                    "a part of a line of a stack is written",
                                    "a line of a stack is written",
                                    "a stack is read for another device",
                                    "the stack of a second device is read",
                                    "a request of a stack finds lines full",
                                    "a request of a stack waits for an emit",
                                    "a request of a stack waits for a grant",
                                    "emit, grant and a request of a stack at one edge",
                                    "a request of a stack beside an answer to the last-level cache",
                                    "all slots in use for stacks",
                                    "a grant directly behind a write of its block",
                                    "stacks answer out of order"};

/* What cannot be with few devices, or two lines a block. */
#define COVER_IF(b, can, point, cond) BENCH_COVER(b, point, (cond) || !(can))

/* Of which entries the operation is. */
static void cover_entry(bench_t *b, const page_x_t *x, const page_entry_t *e, unsigned at, bool other)
{
    const unsigned i = x->job.device, op = x->job.op, o = e->owner;
    const bool cache = page_llc(x->job.op), mine = !cache && o == i + 1, others = DEVICES > 1 || cache,
               holds = op != PO_READ && !cache, thin = at >= COV_THIN;
    /* the requester held the block: it still does, or the agent that took it */
    const bool gone = op == PO_EVICT || op == PO_FLUSH;
    COVER_IF(b, !gone, at, !o && !other && !(!cache && e->sharer[i]) && !e->llc);
    COVER_IF(b, holds, at + 1, !cache && e->sharer[i]);
    COVER_IF(b, others, at + 2, other && !o);
    COVER_IF(b, holds && (op != PO_OWN || (DEVICES > 1 && !thin)), at + 3, mine);
    COVER_IF(b, others, at + 4, o && !mine);
    COVER_IF(b, !thin && DEVICES > (op == PO_READ ? 2 : 1), at + 5, /* an owner beside sharers has sent them lines */
             o && (other || (!cache && e->sharer[i])));
    BENCH_COVER(b, at + 6, e->llc);
}

static void cover_look(bench_t *b, const page_x_t *x, const page_entry_t *e, bool peers)
{
    const unsigned i = x->job.device, op = x->job.op, at = COV_ENTRY + op * C_ENTRIES, o = e->owner;
    const bool cache = page_llc(x->job.op), mine = !cache && o == i + 1;
    bool other = false;
    for (unsigned d = 0; d < DEVICES; d++)
        other |= e->sharer[d] && (cache || d != i);
    cover_entry(b, x, e, at, other);
    if (x->job.thin)
        cover_entry(b, x, e, COV_THIN + op * C_ENTRIES, other);
    const bool gone = op == PO_EVICT || op == PO_FLUSH;
    if (gone) {
        const bool i_holds = mine || e->sharer[i], bytes = x->job.bytes && i_holds, flush = op == PO_FLUSH,
                   alone = !other && !e->llc && (!o || mine);
        const unsigned at_bytes = COV_WIDE + (flush ? 6 : 0);
        COVER_IF(b, DEVICES > 1, at_bytes, bytes && o && !mine);
        COVER_IF(b, DEVICES > 1, at_bytes + 1, bytes && other);
        BENCH_COVER(b, at_bytes + 2, bytes && e->llc);
        BENCH_COVER(b, at_bytes + 3, bytes && alone);
        BENCH_COVER(b, COV_WIDE + 4, !x->job.bytes && i_holds && !alone);
        COVER_IF(b, DEVICES > 1, COV_WIDE + 5, !i_holds && !alone);
    }
    COVER_IF(b, DEVICES > 2, COV_WIDE + 10 + peers, op == PO_READ && o && other);
    BENCH_COVER(b, COV_WIDE + 13, op == PO_L_OWN && e->llc && other);
    COVER_IF(b, DEVICES > 1, COV_WIDE + 12, op == PO_L_READ && o && other);
    const bool read = op == PO_READ && o, own = op == PO_OWN && o && !mine && !other && !e->sharer[i];
    COVER_IF(b, DEVICES > 1, COV_PEERS + peers, read);
    COVER_IF(b, DEVICES > 1, COV_PEERS + 2 + peers, own);
    if (!cache && op <= PO_OWN) {
        const unsigned off = (unsigned)(x->job.line % PG_LPB);
        BENCH_COVER(b, COV_OFF, off == 0);
        COVER_IF(b, PG_LPB > 2, COV_OFF + 1, off != 0 && off != PG_LPB - 1);
        BENCH_COVER(b, COV_OFF + 2, off == PG_LPB - 1);
    }
}

static void cover_second(bench_t *b, const page_x_t *was, const page_x_t *x)
{
    unsigned n = 0;
    for (unsigned d = 0; d < DEVICES; d++)
        n += x->probe[d];
    if (was->stage != PX_SECOND && x->stage == PX_SECOND) {
        COVER_IF(b, DEVICES > 1, COV_SEVERAL, n > 1);
        BENCH_COVER(b, COV_SEVERAL + 1, n && x->lprobe[0]);
    }
    if (was->stage == PX_SECOND && x->stage > PX_SECOND && was->job.op == PO_READ && was->e.llc)
        BENCH_COVER(b, COV_LHELD + was->lheld, true);
}

static void cover_bytes(bench_t *b, const page_state_t *s, const page_state_t *now)
{
    const hmd_ack_t *k = &s->kin.w[0];
    const unsigned x = s->kin.n ? page_of(s, k->ack.line) : HMD_TRANSACTIONS;
    if (x < HMD_TRANSACTIONS && k->ack.kind == SMD_DONE && s->x[x].e.owner == k->device + 1u) {
        COVER_IF(b, DEVICES > 1, COV_SENT + k->ack.sent, true);
        BENCH_COVER(b, COV_OSTATE, k->ack.state == NMOESI_E);
        BENCH_COVER(b, COV_OSTATE + 1, k->ack.state == NMOESI_O || DEVICES == 1);
        BENCH_COVER(b, COV_OSTATE + 2, k->ack.state == NMOESI_M);
        BENCH_COVER(b, COV_SENT + 1, DEVICES == 1);
    }
    const home_ack_t *a = &s->ain.w[0];
    if (s->ain.n && now->ain.n < s->ain.n)
        BENCH_COVER(b, COV_ACK + page_masked(a->be), true);
    const home_req_t *l = &s->lin.w[0];
    if (s->lin.n && l->op == HOME_WRITE_BACK && now->lin.n < s->lin.n) {
        BENCH_COVER(b, COV_GIVE + page_masked(l->be), true);
        BENCH_COVER(b, COV_GIVE_DURING, page_of(s, l->line) < HMD_TRANSACTIONS);
    }
    for (unsigned i = 0; i < s->ain.n; i++)
        for (unsigned n = 0; n < s->lin.n; n++)
            BENCH_COVER(b, COV_YOUNGER, s->lin.w[n].op == HOME_WRITE_BACK && s->lin.w[n].line == s->ain.w[i].line);
}

static void cover_get(bench_t *b, const page_state_t *s)
{
    const hmd_ack_t *k = s->kin.w;
    unsigned free = 0, devices = 0;
    bool lines = false, seen[DEVICES] = {false};
    for (unsigned r = 0; r < PG_SLOTS; r++) {
        free += s->r[r].state == PS_FREE;
        if (s->r[r].state != PS_FREE && s->r[r].get && !seen[s->r[r].x]) {
            seen[s->r[r].x] = true;
            devices++;
        }
    }
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++)
        lines |= s->x[x].valid && s->x[x].stage == PX_LINES;
    COVER_IF(b, DEVICES > 1, COV_GET_SEVERAL, devices > 1);
    const bool two = s->kin.n == 2 && k[0].ack.line == k[1].ack.line;
    BENCH_COVER(b, COV_GET_BEHIND, two && k[0].ack.kind == SMD_BYTES && k[1].ack.kind == SMD_GET);
    COVER_IF(b, DEVICES > 1, COV_GET_BEFORE, two && k[0].ack.kind == SMD_GET && k[1].ack.kind == SMD_BYTES);
    if (!s->kin.n || k[0].ack.kind != SMD_GET)
        return;
    BENCH_COVER(b, COV_GET_SLOT, s->mq.n < 2 && free == 1);
    BENCH_COVER(b, COV_GET_FULL, s->mq.n == 2 && free >= 2);
    BENCH_COVER(b, COV_GET_LINES, s->mq.n < 2 && free >= 2 && lines);
    BENCH_COVER(b, COV_GET_DURING, page_of(s, k[0].ack.line) < HMD_TRANSACTIONS);
}

/* memory = memcpy, managed. */
static void cover_stacks(bench_t *b, const page_state_t *s, const page_t *p, const hmd_in_t *in)
{
    const ev_hmd_t *v = &p->out.ev;
    const hmd_data_t *d = &p->s.dq.w[p->s.dq.n ? p->s.dq.n - 1 : 0];
    const hmd_ack_t *k = s->kin.w;
    unsigned free = 0, here = PG_SLOTS, busy = 0;
    bool asks = false, emits = false, rsp = false, grants = false;
    BENCH_COVER(b, COV_POLICY + in->memory, true);
    if (!page_stacks(&p->s))
        return;
    for (unsigned r = 0; r < PG_SLOTS; r++) {
        free += s->r[r].state == PS_FREE;
        busy += s->r[r].state != PS_FREE;
        here = here == PG_SLOTS && s->r[r].state == PS_HERE ? r : here;
    }
    if (here < PG_SLOTS) {
        rsp = !s->r[here].get && page_llc(s->x[s->r[here].x].job.op);
        emits = !rsp;
    }
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++) {
        grants |= s->x[x].valid && s->x[x].stage == PX_GRANT;
        asks |= s->x[x].valid && s->x[x].stage == PX_LINES && !s->x[x].next && free;
    }
    asks |= s->kin.n && (k->ack.kind == SMD_BYTES || (k->ack.kind == SMD_GET && free >= 2));
    asks |= s->ain.n && page_masked(s->ain.w[0].be);
    const bool room = s->dq.n < 2;
    BENCH_COVER(b, COV_STACK_FULL, asks && !room);
    COVER_IF(b, DEVICES > 1, COV_STACK_EMIT, asks && room && emits && !grants);
    BENCH_COVER(b, COV_STACK_GRANT, asks && room && grants && !emits);
    COVER_IF(b, DEVICES > 1, COV_STACK_ALL, asks && room && grants && emits);
    BENCH_COVER(b, COV_STACK_RSP, v->hmd_stack && rsp);
    BENCH_COVER(b, COV_STACK_SLOTS, busy == PG_SLOTS || DEVICES == 1);
    /* the slot that was asked first is not answered */
    for (unsigned r = 0; in->smd_mem_valid && r < in->smd_mem.id; r++)
        BENCH_COVER(b, COV_STACK_ORDER, s->r[r].state == PS_READ);
    BENCH_COVER(b, COV_STACK_BEHIND,
                v->hmd_grant && s->dq.n && p->s.dq.n == 2 && p->s.dq.w[0].data.mem == SMD_MEM_WRITE
                    && page_block(p->s.dq.w[0].data.line) == page_block(d->data.line));
    if (!v->hmd_stack)
        return;
    const bool read = d->data.mem == SMD_MEM_READ;
    unsigned kind = v->hmd_get ? 0 : 1;
    if (!read)
        kind = s->kin.n && k->ack.kind == SMD_BYTES && p->s.kin.n < s->kin.n + 1u && k->ack.line == d->data.line ? 2
               : p->s.lin.n < s->lin.n && s->lin.w[0].op == HOME_WRITE_BACK && page_masked(s->lin.w[0].be)       ? 4
                                                                                                                 : 3;
    COVER_IF(b, DEVICES > 1, COV_STACK, kind == 0);
    BENCH_COVER(b, COV_STACK + kind, true);
    BENCH_COVER(b, COV_STACK + 2, DEVICES == 1);
    BENCH_COVER(b, mask_any(&d->data.mask) ? COV_STACK_PART : COV_STACK_WHOLE, !read);
    COVER_IF(b, DEVICES > 1, COV_STACK_OTHER, v->hmd_get && k->device != d->device);
    COVER_IF(b, DEVICES > 1, COV_STACK_SECOND, d->device == 1);
}

static void cover_state(bench_t *b, const page_state_t *s, const hmd_in_t *in)
{
    const unsigned full[C_QUEUES] = {s->qin.n, s->kin.n, s->lin.n, s->ain.n, s->pq.n, s->dq.n, s->lq.n, s->mq.n};
    unsigned xs = 0, slots = 0;
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++)
        xs += s->x[x].valid;
    for (unsigned r = 0; r < PG_SLOTS; r++)
        slots += s->r[r].state != PS_FREE;
    for (unsigned q = 0; q < C_QUEUES; q++)
        BENCH_COVER(b, COV_FULL + q, full[q] == 2);
    for (unsigned i = 0; i < s->pool_n; i++)
        for (unsigned n = 0; n < i; n++)
            BENCH_COVER(b, COV_SAME, page_block(s->pool[i].line) == page_block(s->pool[n].line));
    BENCH_COVER(b, COV_OTHER, xs > 1);
    BENCH_COVER(b, COV_ALL_X, xs == HMD_TRANSACTIONS);
    /* Of eight blocks: a request of each device for each, one of the last-level cache for each line; those that have begun are in the pool no more. */
    COVER_IF(b, 8 * (DEVICES + PG_LPB) >= PG_POOL + HMD_TRANSACTIONS, COV_POOL, s->pool_n == PG_POOL);
    BENCH_COVER(b, COV_SLOTS, slots == PG_SLOTS);
    for (unsigned n = 0; n < s->lin.n; n++)
        BENCH_COVER(b, COV_OLDER,
                    in->home_ack_valid && s->lin.w[n].op == HOME_WRITE_BACK && s->lin.w[n].line == in->home_ack.line);
    BENCH_COVER(b, COV_CLEAR, s->init < PG_ENTRIES && in->smd_req_valid);
    BENCH_COVER(b, COV_CLEAR + 1, s->init < PG_ENTRIES && in->home_req_valid);
}

static void cover_expect(bench_t *b, page_t *p, const hmd_in_t *in)
{
    static page_state_t was;
    was = p->s;
    const bool idle = p->out.idle;
    cover_state(b, &was, in);
    cover_get(b, &was);
    if (was.s1_valid && !was.s1_set)
        cover_look(b, &was.x[was.s1_x], page_entry(p, was.x[was.s1_x].job.line), in->peers && in->memory == MEMORY_UMH);
    page_expect(p, in);
    cover_stacks(b, &was, p, in);
    cover_bytes(b, &was, &p->s);
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++)
        if (was.x[x].valid)
            cover_second(b, &was.x[x], &p->s.x[x]);
    BENCH_COVER(b, COV_IDLE, !idle && p->out.idle);
}
#endif
