/* The scoreboard of the bench of l2c: lines as arrays of bytes, and a home with other agents behind it. No cache, no pipeline. Each line has the bytes of
 * the home, those that the slice must have, a mark on bytes that the slice has stored since they were granted or given, and the states in which it may hold the line: the
 * state that follows from grants, answers, write-backs and acknowledgements by docs/coherence.md, and I beside S and E, since those are dropped without a message.
 * A slice performs requests in the order of its answers; its messages to the home come after the answers before them. */
#ifndef VERIF_COHERENCE_L2C_SCOREBOARD_H
#define VERIF_COHERENCE_L2C_SCOREBOARD_H
#include "l2c_ports.h"
#include "verif/cache/l2/requests.h"
#include "verif/coherence/grains.h"

enum { SCOREBOARD_PROBES = 16 };
/* Sets of states. */
enum {
    IN_I = 1 << NMOESI_I,
    IN_N = 1 << NMOESI_N,
    IN_S = 1 << NMOESI_S,
    IN_E = 1 << NMOESI_E,
    IN_O = 1 << NMOESI_O,
    IN_M = 1 << NMOESI_M,
    IN_OWNED = IN_E | IN_M,
    IN_DIRTY = IN_N | IN_O | IN_M
};
typedef struct {
    uint8_t now[LINE_BYTES], home[LINE_BYTES];
    bool own[LINE_BYTES]; /* of a grain that the slice has stored into, and not given */
    bool stored[LINE_BYTES]; /* ... this byte */
    bool may[LINE_BYTES]; /* an atomic that stored nothing has marked it, so that it may be in a write-back */
    unsigned states;
    bool asked; /* a read is outstanding, */
    bool first; /* granted, and no answer has used it yet */
    unsigned probes;
    unsigned oldest, count;
    uint16_t taken[SCOREBOARD_INSIDE]; /* ids, oldest first: a ring */
} scoreboard_line_t;
typedef struct {
    scoreboard_line_t line[SCOREBOARD_LINES];
    requests_t q;
    uint64_t taken_drops[SCOREBOARD_INSIDE];
    home_probe_t probe[SCOREBOARD_PROBES]; /* without an acknowledgement, oldest first */
    unsigned probes;
    uint64_t drops; /* lines that went from E to I, by the events */
    reservation_t resv[SOURCES];
    uint64_t sc[SC_N], sc_lost, sc_early;
    uint64_t lone[2]; /* write-backs, acknowledgements with a grain of which one byte was stored */
} scoreboard_t;

static void scoreboard_line(scoreboard_t *sb, unsigned k, uint64_t addr, struct vl_rng *rng)
{
    sb->q.addr[k] = addr;
    sb->line[k].states = IN_I;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        sb->line[k].home[i] = (uint8_t)vl_random(rng);
    reservations_begin(sb->resv);
}

/* The value that an atomic would find now. */
static uint64_t scoreboard_datum(const scoreboard_t *sb, const mem_req_t *r)
{
    const scoreboard_line_t *l = &sb->line[requests_find(&sb->q, r->line)];
    return datum_get((l->states & IN_I ? l->home : l->now) + r->amo_off, r->amo_dword ? 8 : 4);
}

static void scoreboard_take(scoreboard_t *sb, const net_req_t *n)
{
    const unsigned k = (unsigned)requests_find(&sb->q, n->req.line), id = requests_take(&sb->q, n, k);
    scoreboard_line_t *l = &sb->line[k];
    sb->taken_drops[id] = sb->drops;
    l->taken[(l->oldest + l->count++) % SCOREBOARD_INSIDE] = (uint16_t)id;
}

/* The slice may drop a line in S or E at any time. */
static void scoreboard_becomes(scoreboard_line_t *l, unsigned states)
{
    l->states = states & (IN_S | IN_E) ? states | IN_I : states;
}

/* ---- Bytes that the slice gives -------------------------------------------------------------------------------------- */

static const char *scoreboard_given(scoreboard_line_t *l, const line_be_t *be, const line_data_t *data, bool all)
{
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        const bool given = be_has(be, i);
        const uint8_t b = ((const uint8_t *)data->w)[i];
        if (given && !(all && (l->own[i] || l->may[i])))
            return all ? "a byte is given that the slice has not stored" : "bytes are given in a state that gives none";
        if (!given && all && l->own[i])
            return "a byte that the slice has stored is not given";
        if (b != (given ? l->now[i] : 0))
            return given ? "a byte is given that is not what was stored" : "a byte beside `be` is not 0";
        if (given)
            l->home[i] = b;
    }
    return NULL;
}

/* Some grain that is given, of which the slice has stored one byte alone. */
static bool scoreboard_lone(const scoreboard_line_t *l, const line_be_t *be)
{
    bool any = false;
    for (unsigned g = 0; g < GRAINS; g++) {
        unsigned n = 0;
        for (unsigned i = g * MASK_GRAIN; i < (g + 1) * MASK_GRAIN; i++)
            n += l->stored[i];
        any |= n == 1 && grain_bytes(be, g);
    }
    return any;
}

static void scoreboard_clean(scoreboard_line_t *l)
{
    memset(l->own, 0, sizeof l->own);
    memset(l->stored, 0, sizeof l->stored);
    memset(l->may, 0, sizeof l->may);
}

/* ---- Answers --------------------------------------------------------------------------------------------------------- */

static const char *scoreboard_sc(scoreboard_t *sb, const net_req_t *n, scoreboard_line_t *l, bool first, bool failed)
{
    const mem_req_t *r = &n->req;
    const unsigned owned = l->states & IN_OWNED;
    bool valid = sb->resv[n->src].valid, hart = sb->resv[n->src].hart == r->hart,
         line = sb->resv[n->src].line == r->line;
    const bool stands = valid && hart && line && !r->sc_fail;
    /* Certainly owned: it is in M, or in E and no line in E has been dropped since the LR was taken. */
    const bool sure = first && (l->states == IN_M || (owned && sb->resv[n->src].drops == sb->drops));
    if (!owned)
        sb->sc_lost++;
    else
        sb->sc[!valid ? sb->resv[n->src].ended : !hart ? SC_HART : !line ? SC_LINE : r->sc_fail ? SC_CORE : SC_OK]++;
    if (valid && hart) {
        sb->resv[n->src].valid = false;
        sb->resv[n->src].ended = SC_USED;
    }
    if (failed)
        return stands && sure ? "an SC fails although nothing has happened to its line" : NULL;
    return !stands  ? "an SC succeeds without a reservation that stands"
           : !owned ? "an SC succeeds on a line that is not owned"
           : !first ? "an SC succeeds before an older request to its line"
                    : NULL;
}

/* The value that an atomic makes of `old`; false: it does not store. */
static bool scoreboard_amo(const mem_req_t *r, uint64_t old, uint64_t *now)
{
    *now = amo_value(r->amo, r->amo_dword ? 8 : 4, old, r->data.w[0]);
    return r->amo == AMO_CAS ? old == (r->amo_dword ? r->data.w[1] : (uint32_t)r->data.w[1]) : r->amo != AMO_LR;
}

static const char *scoreboard_atomic(scoreboard_t *sb, const net_req_t *n, scoreboard_line_t *l, bool first,
                                     uint64_t said)
{
    const mem_req_t *r = &n->req;
    const unsigned size = r->amo_dword ? 8 : 4;
    const uint64_t old = datum_get(l->now + r->amo_off, size), mask = r->amo_dword ? ~0ull : 0xffffffffull;
    uint64_t now, want = old;
    bool stores = scoreboard_amo(r, old, &now);
    if (r->amo == AMO_SC) {
        want = said & 1;
        stores = !want;
        const char *why = scoreboard_sc(sb, n, l, first, want);
        if (why)
            return why;
    } else if (!(l->states & IN_OWNED)) {
        return "an atomic on a line that is not owned";
    }
    if (said != (size == 8 ? want : want << 32 | (want & mask)))
        return "an atomic's wrong result";
    if (r->amo == AMO_LR) {
        sb->resv[n->src].valid = true;
        sb->resv[n->src].hart = r->hart;
        sb->resv[n->src].line = r->line;
        sb->resv[n->src].drops = sb->taken_drops[r->id];
        l->states &= IN_OWNED;
        scoreboard_becomes(l, l->states);
        return NULL;
    }
    if (r->amo == AMO_SC && !stores && !first)
        return NULL; /* an atomic of an awaited line: it touches nothing */
    for (unsigned i = 0; i < size; i++) {
        if (stores)
            l->now[r->amo_off + i] = (uint8_t)(now >> 8 * i), l->own[r->amo_off + i] = l->stored[r->amo_off + i] = true;
        else if (l->states & IN_OWNED)
            l->may[r->amo_off + i] = true;
    }
    if (stores)
        reservations_break(sb->resv, r->line);
    if (r->amo != AMO_SC || stores)
        l->states = IN_M;
    else if (l->states & IN_E)
        l->states = IN_M | IN_I; /* an SC that fails, of a line that is owned, or has been dropped */
    return NULL;
}

static const char *scoreboard_stored(scoreboard_t *sb, const mem_req_t *r, scoreboard_line_t *l)
{
    const bool coherent = r->op == MEM_STORE || be_partial(&r->be);
    if (coherent && !(l->states & IN_OWNED))
        return "a coherent store into a line that is not owned";
    if (!(l->states & ~IN_I))
        return "a store into a line that is not held";
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        l->own[i] |= grain_touched(&r->be, i);
        if (!be_has(&r->be, i))
            continue;
        l->now[i] = ((const uint8_t *)r->data.w)[i];
        l->stored[i] = true;
    }
    l->states = coherent ? IN_M : l->states & (IN_N | IN_S | IN_E) ? IN_N : l->states & (IN_O | IN_M);
    reservations_break(sb->resv, r->line);
    return NULL;
}

/* An answer was taken, about the line that the slice names. Returns the error, or NULL. */
static const char *scoreboard_answer(scoreboard_t *sb, const net_rsp_t *a, uint64_t line)
{
    const unsigned id = a->rsp.id;
    const net_req_t *n;
    const char *why = requests_answer(&sb->q, a, line, &n);
    if (why)
        return why;
    const mem_req_t *r = &n->req;
    scoreboard_line_t *l = &sb->line[sb->q.at[id]];
    const bool first = l->taken[l->oldest] == id, sc = r->op == MEM_AMO && r->amo == AMO_SC;
    if (!first && !sc)
        return "an answer before that of an older request to the line";
    /* The requests before it move up by one place. */
    unsigned at = 0;
    while (l->taken[(l->oldest + at) % SCOREBOARD_INSIDE] != id)
        at++;
    for (; at; at--)
        l->taken[(l->oldest + at) % SCOREBOARD_INSIDE] = l->taken[(l->oldest + at - 1) % SCOREBOARD_INSIDE];
    l->oldest = (l->oldest + 1) % SCOREBOARD_INSIDE;
    l->count--;
    sb->q.busy[id] = false;
    sb->q.inside--;
    sb->sc_early += !first;
    if (first)
        l->first = false;
    line_data_t want = {{0}};
    if (r->op == MEM_AMO) {
        want.w[0] = a->rsp.data.w[0];
        why = scoreboard_atomic(sb, n, l, first, a->rsp.data.w[0]);
        if (why)
            return why;
    } else if (r->op == MEM_READ) {
        if (!(l->states & ~IN_I))
            return "a load of a line that is not held";
        memcpy(want.w, l->now, LINE_BYTES);
    } else {
        why = scoreboard_stored(sb, r, l);
        if (why)
            return why;
    }
    if (memcmp(&want, &a->rsp.data, sizeof want))
        return r->op == MEM_READ  ? "a line that is not what was granted and stored"
               : r->op == MEM_AMO ? "an atomic's answer with more than its value"
                                  : "a store answered with data";
    return NULL;
}

/* ---- The home -------------------------------------------------------------------------------------------------------- */

/* Whether a request inside explains this message to the home. */
static bool scoreboard_asked(const scoreboard_t *sb, const home_req_t *h)
{
    static const uint8_t ops[] = {
        [MEM_READ] = HOME_READ, [MEM_WRITE] = HOME_N_READ, [MEM_AMO] = HOME_READ_OWN, [MEM_STORE] = HOME_READ_OWN};
    for (unsigned i = 0; i < SCOREBOARD_INSIDE; i++) {
        const net_req_t *n = &sb->q.req[i];
        const unsigned op = n->req.op == MEM_WRITE && be_partial(&n->req.be) ? MEM_STORE : n->req.op;
        if (sb->q.busy[i] && n->src == h->src && n->req.asid == h->asid
            && (h->op == HOME_WRITE_BACK || (n->req.cls == h->cls && n->req.line == h->line && ops[op] == h->op)))
            return true;
    }
    return false;
}

/* A read was taken. */
static const char *scoreboard_read(scoreboard_t *sb, const home_req_t *h)
{
    int k = requests_find(&sb->q, h->line);
    if (k < 0 || !scoreboard_asked(sb, h))
        return "a read that nobody asked for";
    if (h->state != NMOESI_I || h->keep || !be_none(&h->be))
        return "a read that says more than that";
    for (unsigned i = 0; i < LINE_BYTES / 8; i++)
        if (h->data.w[i])
            return "a read with data";
    scoreboard_line_t *l = &sb->line[k];
    if (l->asked)
        return "a line is asked for twice";
    if (!(l->states & IN_I))
        return "a line is asked for that is held";
    l->states = IN_I;
    l->asked = true;
    scoreboard_clean(l);
    reservations_break(sb->resv, h->line);
    return NULL;
}

/* The home grants a line, in `state`, to a request `op`; the slice has the home's bytes from now on. */
static void scoreboard_granted(scoreboard_line_t *l, unsigned op, unsigned state, line_data_t *data)
{
    l->asked = false;
    l->first = true;
    memcpy(l->now, l->home, LINE_BYTES);
    memcpy(data->w, l->home, LINE_BYTES);
    scoreboard_clean(l);
    scoreboard_becomes(l, op == HOME_READ_OWN ? IN_M : 1u << state);
}

/* Is the line one of those that a maintenance is about? */
static bool scoreboard_within(const maint_t *m, uint64_t line)
{
    switch (m->op) {
    case L2_FLUSH_LINE:
    case L2_INVAL_LINE: return line == m->line;
    case L2_FLUSH_PAGE:
    case L2_INVAL_PAGE: return line / (4096 / LINE_BYTES) == m->line / (4096 / LINE_BYTES);
    default: return true;
    }
}

/* A write-back was taken: everything older has been performed, nothing younger. */
static const char *scoreboard_written(scoreboard_t *sb, const home_req_t *w, const maint_t *maint)
{
    int k = requests_find(&sb->q, w->line);
    if (k < 0)
        return "a write-back of a line that nobody named";
    scoreboard_line_t *l = &sb->line[k];
    if (!(1u << w->state & l->states & IN_DIRTY))
        return "a write-back of a line that is not held so";
    if (w->id || w->cls)
        return "a write-back with an id or a class";
    const bool maintained = maint && scoreboard_within(maint, w->line) && !w->src && !w->asid;
    if (w->keep ? !maintained || maint->op >= L2_INVAL_LINE
                : !scoreboard_asked(sb, w) && !(maintained && maint->op >= L2_INVAL_LINE))
        return "a write-back without a reason";
    sb->lone[0] += scoreboard_lone(l, &w->be);
    const char *why = scoreboard_given(l, &w->be, &w->data, true);
    if (why)
        return why;
    scoreboard_clean(l);
    scoreboard_becomes(l, !w->keep ? IN_I : w->state == NMOESI_M ? IN_E : IN_S);
    if (!w->keep)
        reservations_break(sb->resv, w->line);
    return NULL;
}

/* An acknowledgement was taken: that of the oldest probe. */
static const char *scoreboard_acknowledged(scoreboard_t *sb, const home_ack_t *a)
{
    if (!sb->probes)
        return "an acknowledgement of no probe";
    const home_probe_t p = sb->probe[0];
    if (p.line != a->line)
        return "an acknowledgement of another probe than the oldest";
    memmove(sb->probe, sb->probe + 1, --sb->probes * sizeof *sb->probe);
    scoreboard_line_t *l = &sb->line[requests_find(&sb->q, a->line)];
    l->probes--;
    if (l->first)
        return "a granted line is probed before who waited for it has used it";
    if (!(1u << a->state & l->states))
        return "a line is acknowledged in a state in which it is not held";
    const bool gives = 1u << a->state & (p.kind == PROBE_READ ? IN_O | IN_M : IN_DIRTY);
    sb->lone[1] += scoreboard_lone(l, &a->be);
    const char *why = scoreboard_given(l, &a->be, &a->data, gives);
    if (why)
        return why;
    if (a->state == NMOESI_I) {
        l->states = IN_I;
        return NULL;
    }
    if (p.kind == PROBE_WRITE)
        reservations_break(sb->resv, a->line);
    if (p.kind != PROBE_READ)
        scoreboard_clean(l);
    scoreboard_becomes(l, p.kind == PROBE_WRITE   ? IN_I
                          : p.kind == PROBE_CLEAN ? IN_S
                          : a->state == NMOESI_E  ? IN_S
                          : a->state == NMOESI_M  ? IN_O
                                                  : 1u << a->state);
    return NULL;
}

/* Others store: coherently when the slice does not hold the line; their non-coherent stores are merged when it holds it in N or S. The slice sees none of these bytes
 * before the line is granted again. */
static bool scoreboard_others(scoreboard_line_t *l, struct vl_rng *rng)
{
    if (l->states & (IN_E | IN_O | IN_M))
        return false;
    const unsigned from = vl_below(rng, LINE_BYTES), many = 1 + vl_below(rng, 16);
    for (unsigned i = from; i < from + many; i++)
        l->home[i % LINE_BYTES] = (uint8_t)vl_random(rng);
    return true;
}

/* Maintenance is done: its lines have no bytes that the home does not have, or the slice holds none of them. */
static const char *scoreboard_maintained(scoreboard_t *sb, const maint_t *m)
{
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++) {
        scoreboard_line_t *l = &sb->line[k];
        if (!scoreboard_within(m, sb->q.addr[k]))
            continue;
        l->states &= m->op >= L2_INVAL_LINE ? IN_I : ~IN_DIRTY;
        if (!l->states)
            return m->op >= L2_INVAL_LINE ? "a line is held after its invalidation"
                                          : "a line has bytes of its own after it was flushed";
        if (m->op >= L2_INVAL_LINE)
            reservations_break(sb->resv, sb->q.addr[k]);
    }
    return NULL;
}
#endif
