/* The page of walk_cache (docs/blocks/walk_cache.md) as a program: every read is a traveller with the cycle in which it was taken and where it is; a set is the lines that are in it with the time of
 * their last use, in no order. What happened at an edge is noted for the bench's coverage. */
#ifndef VERIF_MMU_WALK_CACHE_PAGE_H
#define VERIF_MMU_WALK_CACHE_PAGE_H
#include "verif/common/scoreboard.h"
#include "walk_cache_ports.h"

enum {
    NOTE_SERVES, /* by level: pointers, leaves; leaves by access */
    NOTE_SERVES_LEAF = NOTE_SERVES + 4,
    NOTE_SERVES_ACCESS = NOTE_SERVES_LEAF + 4,
    NOTE_DENIED = NOTE_SERVES_ACCESS + 3, /* by the only reason there is */
    NOTE_MISALIGNED = NOTE_DENIED + 15, /* by level */
    NOTE_RENEWED = NOTE_MISALIGNED + 4,
    NOTE_DENIED_WAITS,
    NOTE_DENIED_WITH_ANSWER,
    NOTE_PLACES,
    NOTE_HIT_OLDEST,
    NOTE_HIT_YOUNGEST,
    NOTE_HELD_FILL,
    NOTE_HELD_FILL_MISS,
    NOTE_HELD_FILL_GONE, /* that an invalidation of this edge takes */
    NOTE_HELD_HIT,
    NOTE_HELD_MISS,
    NOTE_HELD_DENIED,
    NOTE_HIT_BEHIND_HIT,
    NOTE_HIT_BEHIND_DENIED,
    NOTE_MISS_BEHIND_MISS,
    NOTE_HIT_WAITS,
    NOTE_HIT_WAITS_LONG,
    NOTE_FLOW,
    NOTE_FLOW_MISSES,
    NOTE_SAME,
    NOTE_SAME_NEW,
    NOTE_ROOM,
    NOTE_EVICT,
    NOTE_TWO_READS,
    NOTE_SPACES,
    NOTE_SPACES_MISS,
    NOTE_INV, /* by scope: takes some */
    NOTE_INV_LEAVES = NOTE_INV + 3,
    NOTE_INV_PAGE_OTHER,
    NOTE_INV_NOTHING,
    NOTE_INV_READS, /* by scope: with reads awaited that it takes */
    NOTE_INV_READS_LEFT = NOTE_INV_READS + 3,
    NOTE_INV_LATE_READ, /* an answer of a read that an earlier one has taken */
    NOTE_INV_ANSWER, /* by scope: the answer comes at the edge; the fill; a miss is sent; a denied hit is sent */
    NOTE_INV_FILL = NOTE_INV_ANSWER + 3,
    NOTE_INV_SENT = NOTE_INV_FILL + 3,
    NOTE_INV_DENIED = NOTE_INV_SENT + 3,
    NOTE_INV_ANSWER_LEFT = NOTE_INV_DENIED + 3,
    NOTE_INV_FILL_LEFT,
    NOTE_INV_SENT_LEFT,
    NOTE_INV_DENIED_LEFT,
    NOTE_INV_LOOK,
    NOTE_INV_LOOK_LEFT,
    NOTE_INV_HIT,
    NOTE_INV_WAITS,
    NOTE_INV_NEXT,
    NOTE_OFF,
    NOTE_OFF_FLOW,
    NOTE_OFF_INV,
    NOTE_ON_AGAIN,
    NOTE_BYPASS, /* by level: passes by; does not while all others do */
    NOTE_NO_BYPASS = NOTE_BYPASS + 4,
    NOTE_ALL_OPEN = NOTE_NO_BYPASS + 4,
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

/* Why a PTE does not serve. */
enum {
    WHY_V,
    WHY_W,
    WHY_RESERVED,
    WHY_HIGH,
    WHY_POINTER_D,
    WHY_POINTER_A,
    WHY_POINTER_U,
    WHY_POINTER_LAST,
    WHY_U,
    WHY_A,
    WHY_ALIGN,
    WHY_LOAD,
    WHY_STORE,
    WHY_FETCH,
    WHY_D
};

/* Taken and not looked up; a hit with its line waiting; shown to memory; awaited; its line is shown. */
typedef enum { T_WAITS, T_HIT, T_SHOWN, T_AWAITED, T_ANSWERED } where_e;
typedef struct {
    pte_read_t req;
    uint64_t taken, since;
    where_e where;
    bool fresh, keep, was_taken, denied, renewed;
    line_data_t data;
} traveller_t;
typedef struct {
    uint64_t line, used, since;
    uint16_t asid;
    bool renewed; /* filled by a read that was made because the former contents denied the access */
    line_data_t data;
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
    uint16_t places;
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
    const traveller_t *miss = page_at(p, T_SHOWN), *rsp = page_at(p, T_ANSWERED);
    p->out.mem_req_valid = miss != NULL;
    if (miss)
        p->out.mem_req = (mem_req_t){.op = MEM_READ,
                                     .id = miss->req.read,
                                     .cls = (uint8_t)(4 - miss->req.level),
                                     .asid = miss->req.asid,
                                     .line = miss->req.line};
    p->out.rsp_valid = rsp != NULL;
    if (rsp)
        p->out.rsp = (mem_rsp_t){.id = rsp->req.read, .data = rsp->data};
}

static void page_begin(page_t *p)
{
    page_show(p);
}

/* 5: the address spaces that lose their lines. */
static bool page_takes(const walk_cache_in_t *in, uint16_t asid)
{
    return in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == asid);
}

/* The reasons, a bit each, for which this PTE does not serve this read. 0: it does. */
static unsigned page_reasons(uint64_t pte, const pte_read_t *r)
{
    const bool R = pte >> 1 & 1, W = pte >> 2 & 1, X = pte >> 3 & 1, U = pte >> 4 & 1, A = pte >> 6 & 1,
               D = pte >> 7 & 1;
    const uint64_t low = (pte >> 10) % (1ull << 9 * r->level);
    unsigned why = !(pte & 1) << WHY_V | (W && !R) << WHY_W | (pte >> 54 != 0) << WHY_RESERVED
                   | ((pte >> 46 & 255) != 0) << WHY_HIGH;
    if (!R && !X)
        return why | D << WHY_POINTER_D | A << WHY_POINTER_A | U << WHY_POINTER_U | (r->level == 0) << WHY_POINTER_LAST;
    why |= !U << WHY_U | !A << WHY_A | (low != 0) << WHY_ALIGN;
    if (r->access == ACC_LOAD)
        return why | !R << WHY_LOAD;
    if (r->access == ACC_STORE)
        return why | !W << WHY_STORE | !D << WHY_D;
    return why | !X << WHY_FETCH;
}

static uint64_t page_pte(const traveller_t *t)
{
    return t->data.w[t->req.place];
}

static resident_t *page_find(page_t *p, const pte_read_t *r)
{
    __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    for (unsigned i = 0; i < s->n; i++)
        if (s->r[i].line == r->line && s->r[i].asid == r->asid)
            return &s->r[i];
    return NULL;
}

static void page_note_match(page_t *p, const pte_read_t *r, const resident_t *hit)
{
    const __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    unsigned older = 0, younger = 0;
    for (unsigned i = 0; i < s->n; i++) {
        older += s->r[i].used < hit->used;
        younger += s->r[i].used > hit->used;
        p->did[NOTE_SPACES] |= s->r[i].line == r->line && s->r[i].asid != r->asid;
    }
    p->did[NOTE_HIT_OLDEST] |= !older && younger + 1 == WALK_CACHE_WAYS;
    p->did[NOTE_HIT_YOUNGEST] |= !younger;
    p->did[NOTE_ON_AGAIN] |= hit->since < p->last_off;
}

static void page_note_miss(page_t *p, const pte_read_t *r)
{
    const __typeof__(p->set[0]) *s = &p->set[r->line % SETS];
    for (unsigned i = 0; i < s->n; i++)
        p->did[NOTE_SPACES_MISS] |= s->r[i].line == r->line && s->r[i].asid != r->asid;
    for (unsigned i = 0; i < p->n; i++)
        p->did[NOTE_TWO_READS] |=
            p->t[i].where == T_AWAITED && p->t[i].req.line == r->line && p->t[i].req.asid == r->asid;
}

/* A read goes to memory. */
static void page_send(page_t *p, const walk_cache_in_t *in, traveller_t *t)
{
    const bool goes = page_takes(in, t->req.asid), passes = in->bypass >> (3 - t->req.level) & 1;
    if (in->inv_valid && in->on) {
        p->did[(t->denied ? NOTE_INV_DENIED : NOTE_INV_SENT) + in->inv.scope] |= goes;
        p->did[t->denied ? NOTE_INV_DENIED_LEFT : NOTE_INV_SENT_LEFT] |= !goes;
    }
    p->did[NOTE_BYPASS + t->req.level] |= in->bypass == 1u << (3 - t->req.level);
    p->did[NOTE_NO_BYPASS + t->req.level] |= in->bypass == (15u ^ 1u << (3 - t->req.level));
    t->keep = in->on && !goes;
    t->where = T_SHOWN;
    p->out.mem_bypass = passes;
}

static void page_note_verdict(page_t *p, const traveller_t *t, unsigned why)
{
    const uint64_t pte = page_pte(t);
    p->places |= (uint16_t)(1u << t->req.place);
    p->did[NOTE_PLACES] |= p->places == (uint16_t)((1u << LINE_BYTES / 8) - 1);
    if (why) {
        for (unsigned k = 0; k <= WHY_D; k++)
            p->did[NOTE_DENIED + k] |= why == 1u << k;
        p->did[NOTE_MISALIGNED + t->req.level] |= why == 1u << WHY_ALIGN;
    } else {
        const bool leaf = (pte >> 1 & 5) != 0;
        p->did[(leaf ? NOTE_SERVES_LEAF : NOTE_SERVES) + t->req.level] = true;
        if (leaf)
            p->did[NOTE_SERVES_ACCESS + (t->req.access < 3 ? t->req.access : ACC_FETCH)] = true;
        p->did[NOTE_RENEWED] |= t->renewed;
    }
}

/* 3: does the hit of before this edge leave, and for memory? */
static bool page_hit(page_t *p, const walk_cache_in_t *in, traveller_t *t, bool free)
{
    const unsigned why = page_reasons(page_pte(t), &t->req);
    p->did[NOTE_DENIED_WAITS] |= why && !free;
    p->did[NOTE_HIT_WAITS] |= !why && in->mem_rsp_valid;
    p->did[NOTE_HIT_WAITS_LONG] |= !why && in->mem_rsp_valid && t->since + 3 < p->now;
    if (why ? !free : in->mem_rsp_valid)
        return false;
    page_note_verdict(p, t, why);
    if (why) {
        p->out.ev.wc_denied = true;
        p->did[NOTE_DENIED_WITH_ANSWER] |= in->mem_rsp_valid;
        t->denied = true;
        page_send(p, in, t);
        return true;
    }
    *(t->req.level == 3   ? &p->out.ev.wc_hits_l3
      : t->req.level == 2 ? &p->out.ev.wc_hits_l2
      : t->req.level == 1 ? &p->out.ev.wc_hits_l1
                          : &p->out.ev.wc_hits_l0) = true;
    for (const traveller_t *o = p->t; o != t; o++)
        p->did[NOTE_PASSES] |= o->where == T_AWAITED;
    t->where = T_ANSWERED;
    t->fresh = false;
    return true;
}

/* 2: the one in front, t, if its time has come. `stands`: a fill does; `busy`: a hit stays; `miss`: memory takes no further one now; `denied`: a denied hit goes to memory. */
static void page_look(page_t *p, const walk_cache_in_t *in, traveller_t *t, bool stands, bool busy, bool miss,
                      bool denied)
{
    if (in->on && t->taken + WALK_CACHE_LATENCY - 2 > p->now)
        return;
    resident_t *r = in->on ? page_find(p, &t->req) : NULL;
    const bool blocked = r ? busy : miss || denied;
    p->did[NOTE_HELD_FILL] |= stands && !blocked && r;
    p->did[NOTE_HELD_FILL_MISS] |= stands && !blocked && !r;
    p->did[NOTE_HELD_FILL_GONE] |= stands && !blocked && in->inv_valid && in->inv.scope != INV_ASID;
    p->did[NOTE_HELD_HIT] |= !stands && r && busy;
    p->did[NOTE_HELD_MISS] |= !stands && !r && miss;
    p->did[NOTE_HELD_DENIED] |= !stands && !r && !miss && denied;
    if (stands || blocked)
        return;
    p->out.ev.wc_lookups = true;
    p->out.ev.wc_misses = !r;
    t->since = p->now;
    p->missed = r ? 0 : p->missed + 1;
    p->did[in->on ? NOTE_FLOW_MISSES : NOTE_OFF_FLOW] |= p->missed > 2 * DEPTH;
    if (!r) {
        if (in->on)
            page_note_miss(p, &t->req);
        p->did[NOTE_OFF] |= !in->on;
        p->did[NOTE_MISS_BEHIND_MISS] |= p->out.mem_req_valid;
        page_send(p, in, t);
        return;
    }
    page_note_match(p, &t->req, r);
    p->did[NOTE_INV_LOOK] |= page_takes(in, t->req.asid);
    p->did[NOTE_INV_LOOK_LEFT] |= in->inv_valid && !page_takes(in, t->req.asid);
    p->did[NOTE_HIT_BEHIND_DENIED] |= denied;
    t->data = r->data;
    t->renewed = r->renewed;
    t->where = T_HIT;
    r->used = ++p->time;
}

/* 4: the place, and the line into it. */
static void page_fill(page_t *p, const traveller_t *t)
{
    __typeof__(p->set[0]) *s = &p->set[t->req.line % SETS];
    resident_t *place = page_find(p, &t->req);
    p->out.ev.wc_fills = true;
    p->did[NOTE_SAME] |= place != NULL;
    p->did[NOTE_SAME_NEW] |= place && place->data.w[t->req.place] != page_pte(t);
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
    }
    *place = (resident_t){.line = t->req.line,
                          .asid = t->req.asid,
                          .data = t->data,
                          .used = ++p->time,
                          .since = p->now,
                          .renewed = t->denied};
}

/* 5, except the parts in 2, 3 and 4. */
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
            const bool now = in->mem_rsp_valid && in->mem_rsp.id == t->req.read;
            p->did[NOTE_INV_ANSWER + scope] |= goes && t->keep && now;
            p->did[NOTE_INV_ANSWER_LEFT] |= !goes && t->keep && now;
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
    p->did[NOTE_FULL] = in->req_valid && !ready;
    p->did[NOTE_ALL_OPEN] = p->n == READS;
    /* Who is where before the edge. */
    traveller_t *rsp = page_at(p, T_ANSWERED), *hit = page_at(p, T_HIT), *shown = page_at(p, T_SHOWN),
                *next = page_at(p, T_WAITS), *answered = NULL;
    for (unsigned i = 0; in->mem_rsp_valid && i < p->n; i++)
        if (p->t[i].where == T_AWAITED && p->t[i].req.read == in->mem_rsp.id)
            answered = &p->t[i];
    const bool stands = rsp && rsp->fresh && rsp->keep, fills = stands && !page_takes(in, rsp->req.asid);
    if (stands && in->inv_valid) {
        p->did[NOTE_INV_FILL + in->inv.scope] |= !fills;
        p->did[NOTE_INV_FILL_LEFT] |= fills;
    }
    p->did[NOTE_INV_LATE_READ] |= rsp && rsp->was_taken && !rsp->keep;
    const bool free = !shown || in->mem_req_ready, leaves = hit && page_hit(p, in, hit, free);
    if (next)
        page_look(p, in, next, stands, hit && !leaves, !free, leaves && hit->where == T_SHOWN);
    p->did[NOTE_HIT_BEHIND_HIT] |= leaves && hit->where == T_ANSWERED && next && next->where == T_HIT;
    if (fills) /* with the places before the edge, of which an invalidation may take others */
        page_fill(p, rsp);
    if (in->inv_valid)
        page_invalidate(p, in, rsp);
    if (shown && in->mem_req_ready)
        shown->where = T_AWAITED;
    if (answered) { /* 3 */
        answered->where = T_ANSWERED;
        answered->fresh = true;
        answered->data = in->mem_rsp.data;
        for (const traveller_t *t = p->t; t != answered; t++)
            p->did[NOTE_ORDER] |= t->where == T_AWAITED;
    }
    if (rsp) { /* gone */
        const unsigned at = (unsigned)(rsp - p->t);
        memmove(p->t + at, p->t + at + 1, (--p->n - at) * sizeof *p->t);
    }
    const bool takes = in->req_valid && ready;
    if (takes) /* 1 */
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
