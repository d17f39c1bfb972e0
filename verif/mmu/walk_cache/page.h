/* The page of walk_cache (docs/blocks/walk_cache.md) as a program: every read is a traveller with the cycle in which it was taken and where it is; a set is the lines that are in it with the time of
 * their last use, in no order. What happened at an edge is noted for the bench's coverage. */
#ifndef VERIF_MMU_WALK_CACHE_PAGE_H
#define VERIF_MMU_WALK_CACHE_PAGE_H
#include "verif/common/scoreboard.h"
#include "walk_cache_ports.h"

enum {
    NOTE_HIT_LEVEL, /* four of them, by class: the root's first */
    NOTE_HIT_OLDEST = NOTE_HIT_LEVEL + 4,
    NOTE_HIT_YOUNGEST,
    NOTE_MISS,
    NOTE_HELD_FILL,
    NOTE_HELD_FILL_MISS,
    NOTE_HELD_HIT,
    NOTE_HELD_MISS,
    NOTE_HELD_NOT_FILL, /* the fill is covered by an invalidation of this edge: the look-up acts */
    NOTE_HIT_BEHIND_HIT,
    NOTE_MISS_BEHIND_MISS,
    NOTE_HIT_WAITS,
    NOTE_HIT_WAITS_LONG,
    NOTE_FLOW,
    NOTE_FLOW_MISSES,
    NOTE_SAME,
    NOTE_ROOM,
    NOTE_EVICT,
    NOTE_EVICT_HIT, /* the line of a hit that is on its way */
    NOTE_TWO_READS,
    NOTE_TWO_FILLS,
    NOTE_SPACES,
    NOTE_SPACES_MISS,
    NOTE_INV, /* by scope: takes some */
    NOTE_INV_LEAVES = NOTE_INV + 3,
    NOTE_INV_PAGE_OTHER,
    NOTE_INV_NOTHING,
    NOTE_INV_READS, /* by scope: with reads awaited that it takes */
    NOTE_INV_READS_LEFT = NOTE_INV_READS + 3,
    NOTE_INV_LATE_READ, /* an answer of a read that an earlier one has taken */
    NOTE_INV_ANSWER, /* by scope: the answer comes at the edge; the fill is at the edge; the read goes out at the edge */
    NOTE_INV_FILL = NOTE_INV_ANSWER + 3,
    NOTE_INV_SENT = NOTE_INV_FILL + 3,
    NOTE_INV_FILL_LEFT = NOTE_INV_SENT + 3,
    NOTE_INV_SENT_LEFT,
    NOTE_INV_LOOK,
    NOTE_INV_LOOK_LEFT,
    NOTE_INV_HIT,
    NOTE_INV_WAITS,
    NOTE_INV_NEXT,
    NOTE_OFF_MISS,
    NOTE_OFF_INV,
    NOTE_ON_AGAIN,
    NOTE_ALL_OPEN,
    NOTE_FULL,
    NOTE_ORDER,
    NOTE_PASSES,
    NOTE_IDLE,
    NOTES
};

enum {
    LINES = WALK_CACHE_BYTES / LINE_BYTES,
    SETS = LINES / WALK_CACHE_WAYS,
    DEPTH = WALK_CACHE_LATENCY - 1,
    READS = WALKS
};

/* Taken and not looked up; a hit whose line waits; shown to memory; awaited; its line is shown. */
typedef enum { T_WAITS, T_HIT, T_SHOWN, T_AWAITED, T_ANSWERED } where_e;
typedef struct {
    mem_req_t req;
    uint64_t taken, since;
    where_e where;
    bool keep, was_taken;
    vl_bits_1024 data;
} traveller_t;
typedef struct {
    uint64_t line, used, since;
    uint16_t asid;
    vl_bits_1024 data;
} resident_t;

typedef struct {
    traveller_t t[READS + 1]; /* in the order in which they came */
    unsigned n;
    struct {
        unsigned n;
        resident_t r[WALK_CACHE_WAYS];
    } set[SETS];
    uint64_t now, time, last_off;
    unsigned row, missed;
    bool was_inv;
    bool did[NOTES];
    walk_cache_out_t out;
} page_t;

static unsigned page_waiting(const page_t *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++)
        n += p->t[i].where == T_WAITS;
    return n;
}

static traveller_t *page_at(page_t *p, where_e where)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->t[i].where == where)
            return &p->t[i];
    return NULL;
}

static void page_show(page_t *p)
{
    p->out.req_ready = page_waiting(p) < DEPTH;
    p->out.idle = p->n == 0;
    const traveller_t *miss = page_at(p, T_SHOWN), *rsp = page_at(p, T_ANSWERED);
    p->out.mem_req_valid = miss != NULL;
    if (miss)
        p->out.mem_req = miss->req;
    p->out.rsp_valid = rsp != NULL;
    if (rsp)
        p->out.rsp = (mem_rsp_t){.id = rsp->req.id, .data = rsp->data};
}

static void page_begin(page_t *p)
{
    page_show(p);
}

/* 5: whose lines go. */
static bool page_takes(const walk_cache_in_t *in, uint16_t asid)
{
    return in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == asid);
}

static resident_t *page_find(page_t *p, const mem_req_t *r)
{
    __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    for (unsigned i = 0; i < s->n; i++)
        if (s->r[i].line == r->line && s->r[i].asid == r->asid)
            return &s->r[i];
    return NULL;
}

static void page_note_hit(page_t *p, const mem_req_t *r, const resident_t *hit)
{
    const __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    unsigned older = 0, younger = 0;
    for (unsigned i = 0; i < s->n; i++) {
        older += s->r[i].used < hit->used;
        younger += s->r[i].used > hit->used;
        p->did[NOTE_SPACES] |= s->r[i].line == r->line && s->r[i].asid != r->asid;
    }
    p->did[NOTE_HIT_OLDEST] |= s->n == WALK_CACHE_WAYS && !older && younger + 1 == WALK_CACHE_WAYS;
    p->did[NOTE_HIT_YOUNGEST] |= !younger;
    p->did[NOTE_HIT_LEVEL + r->cls - 1] = true;
}

static void page_note_miss(page_t *p, const mem_req_t *r)
{
    const __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    p->did[NOTE_MISS] = true;
    for (unsigned i = 0; i < s->n; i++)
        p->did[NOTE_SPACES_MISS] |= s->r[i].line == r->line && s->r[i].asid != r->asid;
    for (unsigned i = 0; i < p->n; i++)
        p->did[NOTE_TWO_READS] |=
            p->t[i].where == T_AWAITED && p->t[i].req.line == r->line && p->t[i].req.asid == r->asid;
}

/* 2. What the fill of this edge leaves to it; the traveller in front whose time has come. */
static void page_look(page_t *p, const walk_cache_in_t *in, bool fills, bool unmade)
{
    traveller_t *t = page_at(p, T_WAITS), *hit = page_at(p, T_HIT), *miss = page_at(p, T_SHOWN);
    if (!t || (in->on && t->taken + WALK_CACHE_LATENCY - 2 > p->now))
        return;
    resident_t *r = in->on ? page_find(p, &t->req) : NULL;
    const bool blocked = r ? hit && in->mem_rsp_valid : miss && !in->mem_req_ready;
    p->did[NOTE_HELD_FILL] |= fills && !blocked && r;
    p->did[NOTE_HELD_FILL_MISS] |= fills && !blocked && !r;
    p->did[NOTE_HELD_HIT] |= !fills && blocked && r;
    p->did[NOTE_HELD_MISS] |= !fills && blocked && !r;
    if (fills || blocked)
        return;
    p->did[NOTE_HELD_NOT_FILL] |= unmade;
    const bool goes = page_takes(in, t->req.asid);
    if (in->on) {
        p->out.ev.wc_lookups = true;
        p->out.ev.wc_hits = r != NULL;
    }
    t->since = p->now;
    if (r) {
        page_note_hit(p, &t->req, r);
        p->did[NOTE_HIT_BEHIND_HIT] |= hit != NULL;
        p->did[NOTE_INV_LOOK] |= goes;
        p->did[NOTE_INV_LOOK_LEFT] |= in->inv_valid && !goes;
        p->did[NOTE_ON_AGAIN] |= r->since < p->last_off;
        p->out.ev.wc_hits_l3 = t->req.cls == 1;
        p->out.ev.wc_hits_l2 = t->req.cls == 2;
        p->out.ev.wc_hits_l1 = t->req.cls == 3;
        p->out.ev.wc_hits_l0 = t->req.cls == 4;
        t->data = r->data;
        t->where = T_HIT;
        r->used = ++p->time;
        p->missed = 0;
        return;
    }
    if (in->on)
        page_note_miss(p, &t->req);
    p->did[NOTE_OFF_MISS] |= !in->on;
    p->did[NOTE_MISS_BEHIND_MISS] |= miss != NULL;
    p->did[NOTE_INV_SENT + in->inv.scope] |= goes && in->on;
    p->did[NOTE_INV_SENT_LEFT] |= in->inv_valid && !goes && in->on;
    t->keep = in->on && !goes;
    t->was_taken = false;
    t->where = T_SHOWN;
    p->did[NOTE_FLOW_MISSES] |= ++p->missed > 2 * DEPTH;
}

/* 4: the place, and the line into it. */
static void page_fill(page_t *p, const traveller_t *t)
{
    __typeof__(p->set[0]) *s = &p->set[t->req.line % SETS];
    resident_t *place = page_find(p, &t->req);
    p->out.ev.wc_fills = true;
    p->did[NOTE_SAME] |= place != NULL;
    p->did[NOTE_TWO_FILLS] |= place && memcmp(&place->data, &t->data, sizeof t->data);
    if (!place && s->n < WALK_CACHE_WAYS) {
        p->did[NOTE_ROOM] = true;
        place = &s->r[s->n++];
    } else if (!place) {
        place = &s->r[0];
        for (unsigned i = 1; i < s->n; i++)
            if (s->r[i].used < place->used)
                place = &s->r[i];
        p->out.ev.wc_evicts = true;
        p->did[NOTE_EVICT] = true;
        const traveller_t *h = page_at(p, T_HIT);
        p->did[NOTE_EVICT_HIT] |= h && h->req.line == place->line && h->req.asid == place->asid;
    }
    *place = (resident_t){.line = t->req.line, .asid = t->req.asid, .data = t->data, .used = ++p->time, .since = p->now};
}

/* 5, but for what 2 and 4 do. */
static void page_invalidate(page_t *p, const walk_cache_in_t *in, const traveller_t *rsp)
{
    const unsigned scope = in->inv.scope;
    unsigned gone = 0, left = 0;
    for (unsigned s = 0; s < SETS; s++)
        for (unsigned i = p->set[s].n; i-- > 0;) {
            if (!page_takes(in, p->set[s].r[i].asid)) {
                left++;
                continue;
            }
            p->did[NOTE_INV_PAGE_OTHER] |= scope == INV_PAGE && p->set[s].r[i].asid != in->inv.asid;
            p->set[s].r[i] = p->set[s].r[--p->set[s].n];
            gone++;
        }
    p->did[NOTE_INV + scope] |= gone != 0;
    p->did[NOTE_INV_LEAVES] |= gone && left;
    p->did[NOTE_INV_NOTHING] |= !gone && left;
    p->did[NOTE_OFF_INV] |= !in->on && gone;
    p->did[NOTE_INV_NEXT] |= p->was_inv;
    for (unsigned i = 0; i < p->n; i++) {
        traveller_t *t = &p->t[i];
        const bool goes = page_takes(in, t->req.asid);
        if (t->where == T_WAITS || t->where == T_HIT) {
            p->did[NOTE_INV_WAITS] |= goes && t->where == T_WAITS;
            p->did[NOTE_INV_HIT] |= goes && t->where == T_HIT;
            continue;
        }
        if (t != rsp) {
            p->did[NOTE_INV_READS + scope] |= goes && t->keep;
            p->did[NOTE_INV_READS_LEFT] |= !goes && t->keep;
            p->did[NOTE_INV_ANSWER + scope] |= goes && t->keep && in->mem_rsp_valid && in->mem_rsp.id == t->req.id;
        }
        t->was_taken |= goes && t->keep;
        t->keep &= !goes;
    }
}

/* The numbered edge. */
static void page_expect(page_t *p, const walk_cache_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    const bool ready = p->out.req_ready, busy = p->n != 0;
    p->out.ev.wc_busy = (uint8_t)p->n;
    p->out.ev.wc_stalls = in->req_valid && !ready;
    p->did[NOTE_FULL] |= in->req_valid && !ready;
    p->did[NOTE_ALL_OPEN] |= p->n == READS;
    /* Values before the edge. */
    traveller_t *rsp = page_at(p, T_ANSWERED), *hit = page_at(p, T_HIT), *shown = page_at(p, T_SHOWN), *answered = NULL;
    for (unsigned i = 0; in->mem_rsp_valid && i < p->n; i++)
        if (p->t[i].where == T_AWAITED && p->t[i].req.id == in->mem_rsp.id)
            answered = &p->t[i];
    const bool kept = rsp && rsp->keep, fills = kept && !page_takes(in, rsp->req.asid);
    if (kept && in->inv_valid) {
        p->did[NOTE_INV_FILL + in->inv.scope] |= !fills;
        p->did[NOTE_INV_FILL_LEFT] |= fills;
    }
    p->did[NOTE_INV_LATE_READ] |= rsp && rsp->was_taken && !rsp->keep;
    page_look(p, in, fills, kept && !fills);
    if (in->inv_valid)
        page_invalidate(p, in, rsp);
    if (shown && in->mem_req_ready)
        shown->where = T_AWAITED;
    /* 3. */
    if (answered) {
        answered->where = T_ANSWERED;
        answered->data = in->mem_rsp.data;
        for (const traveller_t *t = p->t; t != answered; t++)
            p->did[NOTE_ORDER] |= t->where == T_AWAITED;
        p->did[NOTE_HIT_WAITS] |= hit != NULL;
        p->did[NOTE_HIT_WAITS_LONG] |= hit && hit->since + 3 < p->now;
    } else if (hit) {
        hit->where = T_ANSWERED;
        hit->keep = false;
        for (const traveller_t *t = p->t; t != hit; t++)
            p->did[NOTE_PASSES] |= t->where == T_AWAITED;
    }
    if (fills)
        page_fill(p, rsp);
    if (rsp) { /* gone */
        const unsigned at = (unsigned)(rsp - p->t);
        memmove(p->t + at, p->t + at + 1, (--p->n - at) * sizeof *p->t);
    }
    /* 1. */
    const bool takes = in->req_valid && ready;
    if (takes)
        p->t[p->n++] = (traveller_t){.req = in->req, .taken = p->now, .where = T_WAITS};
    p->row = takes ? p->row + 1 : 0;
    p->did[NOTE_FLOW] |= p->row > 3 * DEPTH;
    p->did[NOTE_IDLE] |= busy && !p->n;
    p->was_inv = in->inv_valid;
    p->last_off = in->on ? p->last_off : p->now;
    p->now++;
    page_show(p);
}
#endif
