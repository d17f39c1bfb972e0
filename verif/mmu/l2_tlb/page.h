/* The page of l2_tlb (docs/blocks/l2_tlb.md) as a program. A set is the leaves that are in it with the time of their last use, in no order: the way of a leaf cannot be seen, and true LRU is
 * the least of the times. What is in flight is a list of requests with the cycle in which they were taken. What happened at an edge is noted for the bench's coverage. */
#ifndef VERIF_MMU_L2_TLB_PAGE_H
#define VERIF_MMU_L2_TLB_PAGE_H
#include "l2_tlb_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_HIT_LEVEL, /* four of them */
    NOTE_HIT_OLDEST = NOTE_HIT_LEVEL + 4,
    NOTE_HIT_OLDEST_SUPER,
    NOTE_PORTS_SET,
    NOTE_PORTS_ENTRY,
    NOTE_PORTS_LEVELS,
    NOTE_PORTS_ALL,
    NOTE_DENIED, /* by access */
    NOTE_DENIED_SUPER = NOTE_DENIED + 3,
    NOTE_BOTH = NOTE_DENIED_SUPER + 3,
    NOTE_BOTH_DENIED,
    NOTE_OTHER,
    NOTE_OTHER_GLOBAL,
    NOTE_OTHER_GLOBAL_SUPER,
    NOTE_GLOBAL,
    NOTE_SAME,
    NOTE_SAME_SUPER,
    NOTE_SAME_SUPERS,
    NOTE_SAME_LARGER,
    NOTE_SAME_SMALLER,
    NOTE_LESS_RIGHTS,
    NOTE_ROOM,
    NOTE_ROOM_SUPER,
    NOTE_EVICT,
    NOTE_EVICT_SUPER,
    NOTE_TWINS,
    NOTE_TWINS_GLOBAL,
    NOTE_EVICT_TOUCHED,
    NOTE_EVICT_EMPTIED,
    NOTE_FILL_INV, /* by scope */
    NOTE_FILL_INV_FREE = NOTE_FILL_INV + 3, /* INV_ASID, INV_PAGE */
    NOTE_FILL_INV_SUPER = NOTE_FILL_INV_FREE + 2,
    NOTE_FILL_SCAN,
    NOTE_FILL_SCAN_FREE = NOTE_FILL_SCAN + 2,
    NOTE_FILL_SCAN_LAST = NOTE_FILL_SCAN_FREE + 2,
    NOTE_FILL_AHEAD,
    NOTE_ALL,
    NOTE_ASID_IN, /* of 4 KB, larger */
    NOTE_ASID_OUT = NOTE_ASID_IN + 2,
    NOTE_ASID_GLOBAL = NOTE_ASID_OUT + 2,
    NOTE_ASID_NONE = NOTE_ASID_GLOBAL + 2,
    NOTE_ASID_FIRST,
    NOTE_ASID_LAST,
    NOTE_PAGE_IN,
    NOTE_PAGE_OUT = NOTE_PAGE_IN + 2,
    NOTE_PAGE_OTHER = NOTE_PAGE_OUT + 2,
    NOTE_PAGE_GLOBAL,
    NOTE_PAGE_GLOBAL_SUPER,
    NOTE_PAGE_INSIDE, /* another page of the larger one, by level */
    NOTE_PAGE_BOTH = NOTE_PAGE_INSIDE + 3,
    NOTE_PAGE_SPACES,
    NOTE_TAKEN_INV,
    NOTE_LOOK_SCAN,
    NOTE_FLIGHT_HIT,
    NOTE_FLIGHT_MISS,
    NOTE_MISS_PASSES,
    NOTE_HIT_WAITS,
    NOTE_FULL,
    NOTE_FLOW,
    NOTE_SCAN_WAITED,
    NOTE_BACK,
    NOTE_HIT_BYPASS, /* by level */
    NOTE_HIT_OLDEST_BYPASS = NOTE_HIT_BYPASS + 4,
    NOTE_PORTS_BYPASS,
    NOTE_DENIED_BYPASS, /* by access */
    NOTE_OVER =
        NOTE_DENIED_BYPASS + 3, /* in main and bypass, super and bypass; the first does not serve, the bypass would */
    NOTE_OVER_DENIED = NOTE_OVER + 2,
    NOTE_MAY_ALL = NOTE_OVER_DENIED + 2,
    NOTE_MAY_LAST,
    NOTE_MAY_NOT_FIRST,
    NOTE_MAY_FOR_OTHER, /* it may, and could not for another kernel; the other way round */
    NOTE_MAY_NOT_FOR_OTHER,
    NOTE_MAY_SAME, /* it may not, and its page is in main, in super */
    NOTE_BYPASS_ROOM = NOTE_MAY_SAME + 2,
    NOTE_BYPASS_EVICT,
    NOTE_BYPASS_SAME,
    NOTE_BYPASS_SAMES,
    NOTE_BYPASS_LARGER,
    NOTE_BYPASS_SMALLER,
    NOTE_BYPASS_SPACES,
    NOTE_BYPASS_EVICT_TOUCHED,
    NOTE_BYPASS_EVICT_EMPTIED,
    NOTE_BYPASS_FILL_SCAN,
    NOTE_IN_BYPASS, /* a fill of main, of super, whose page is in the bypass */
    NOTE_BYPASS_ALL = NOTE_IN_BYPASS + 2,
    NOTE_BYPASS_ASID, /* in, out, global */
    NOTE_BYPASS_PAGE = NOTE_BYPASS_ASID + 3,
    NOTE_OFF = NOTE_BYPASS_PAGE + 3,
    NOTE_OFF_FLOW,
    NOTE_OFF_FILL,
    NOTE_OFF_INV,
    NOTE_ON_AGAIN,
    NOTE_IDLE,
    NOTE_SLOT_LOOKS, /* of kernel slots 0 to 3 */
    NOTE_SLOT_HITS = NOTE_SLOT_LOOKS + 4,
    NOTE_SLOT_BYPASS = NOTE_SLOT_HITS + 4,
    NOTES = NOTE_SLOT_BYPASS + 4
};

enum { SETS = L2_TLB_ENTRIES / L2_TLB_WAYS, SUPERS = SETS, BYPASS, SHELVES, DEPTH = L2_TLB_LATENCY + 1 };
enum {
    LARGEST = L2_TLB_WAYS > L2_TLB_SUPER ? L2_TLB_WAYS : L2_TLB_SUPER,
    PLACES = LARGEST > L2_TLB_BYPASS ? LARGEST : L2_TLB_BYPASS
};

typedef struct {
    uint64_t vpn, used, since;
    uint16_t asid;
    leaf_t leaf;
} resident_t;
typedef struct {
    unsigned n;
    resident_t r[PLACES];
} shelf_t;
typedef struct {
    uint64_t taken; /* cycle */
    translate_req_t req;
    bool hit;
    leaf_t leaf;
} flight_t;

typedef struct {
    shelf_t shelf[SHELVES]; /* the sets, the larger leaves, the bypass cache */
    uint64_t time, now, last_off;
    struct {
        flight_t f[DEPTH];
        unsigned n; /* in flight, oldest first */
        translate_ans_t hit[DEPTH];
        unsigned hits;
        unsigned row; /* cycles with a request taken in each */
    } port[L2_TLB_PORTS];
    bool scanning;
    inv_t scan;
    unsigned set;
    bool did[NOTES], busy;
    l2_tlb_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.req_ready = p->out.ans_valid = 0;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++) {
        if (!p->scanning && p->port[k].n + p->port[k].hits < DEPTH)
            p->out.req_ready |= (uint8_t)(1u << k);
        if (p->port[k].hits) {
            p->out.ans_valid |= (uint8_t)(1u << k);
            p->out.ans[k] = p->port[k].hit[0];
        }
    }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static uint64_t page_size(unsigned level)
{
    return 1ull << 9 * level;
}

/* Is page v in the resident leaf, whatever its address space? */
static bool page_in(const resident_t *r, uint64_t v)
{
    return r->vpn / page_size(r->leaf.level) == v / page_size(r->leaf.level);
}

static unsigned page_set(uint64_t vpn)
{
    return (unsigned)(vpn % SETS);
}

static resident_t *page_find(shelf_t *s, uint64_t vpn, uint16_t asid)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->r[i].asid == asid && page_in(&s->r[i], vpn))
            return &s->r[i];
    return NULL;
}

static bool page_serves(const leaf_t *l, unsigned access)
{
    switch (access) {
    case ACC_LOAD: return l->r;
    case ACC_STORE: return l->w;
    default: return l->x;
    }
}

static bool page_covered(const inv_t *v, uint64_t vpn, uint16_t asid, const leaf_t *l)
{
    if (v->scope == INV_ALL)
        return true;
    if (v->scope == INV_ASID)
        return v->asid == asid && !l->glob;
    return (v->asid == asid || l->glob) && vpn / page_size(l->level) == v->vpn / page_size(l->level);
}

static resident_t *page_oldest(shelf_t *s)
{
    resident_t *o = NULL;
    for (unsigned i = 0; i < s->n; i++)
        if (!o || s->r[i].used < o->used)
            o = &s->r[i];
    return o;
}

static bool page_full(const page_t *p, const shelf_t *s)
{
    const long k = s - p->shelf;
    return s->n == (k == SUPERS ? L2_TLB_SUPER : k == BYPASS ? L2_TLB_BYPASS : L2_TLB_WAYS);
}

static void page_drop(shelf_t *s, unsigned i)
{
    s->r[i] = s->r[--s->n];
}

/* Is it a leaf of the bypass cache? */
static bool page_bypasses(const page_t *p, const resident_t *r)
{
    return r >= p->shelf[BYPASS].r && r < p->shelf[BYPASS].r + PLACES;
}

/* 2, one port. */
static resident_t *page_look(page_t *p, flight_t *f, bool on)
{
    shelf_t *at[3] = {&p->shelf[page_set(f->req.vpn)], &p->shelf[SUPERS], &p->shelf[BYPASS]};
    resident_t *in[3] = {0}, *r = NULL;
    unsigned which = 3;
    for (unsigned k = 3; on && k-- > 0;)
        if ((in[k] = page_find(at[k], f->req.vpn, f->req.asid)) != NULL) {
            r = in[k];
            which = k;
        }
    f->hit = r && page_serves(&r->leaf, f->req.access);
    ev_l2_tlb_t *ev = &p->out.ev;
    ev->l2_tlb_lookups++;
    ev->l2_tlb_hits += f->hit;
    ev->l2_tlb_misses += !f->hit;
    ev->l2_tlb_hits_super += f->hit && which == 1;
    ev->l2_tlb_hits_bypass += f->hit && which == 2;
    ev->l2_tlb_denied += r && !f->hit;
    const unsigned access = f->req.access < 3 ? f->req.access : ACC_FETCH;
    static const unsigned denied[3] = {NOTE_DENIED, NOTE_DENIED_SUPER, NOTE_DENIED_BYPASS};
    if (r && !f->hit)
        p->did[denied[which] + access] = true;
    p->did[NOTE_BOTH] |= in[0] && in[1] && f->hit;
    p->did[NOTE_BOTH_DENIED] |= in[0] && in[1] && !f->hit && page_serves(&in[1]->leaf, f->req.access);
    if (which < 2 && in[2]) {
        p->did[NOTE_OVER + which] |= f->hit;
        p->did[NOTE_OVER_DENIED + which] |= !f->hit && page_serves(&in[2]->leaf, f->req.access);
    }
    for (unsigned k = 0; on && !r && k < 3; k++)
        for (unsigned i = 0; i < at[k]->n; i++) {
            const resident_t *o = &at[k]->r[i];
            p->did[NOTE_OTHER] |= page_in(o, f->req.vpn);
            p->did[k ? NOTE_OTHER_GLOBAL_SUPER : NOTE_OTHER_GLOBAL] |= page_in(o, f->req.vpn) && o->leaf.glob;
        }
    p->did[NOTE_OFF] |= !on;
    if (!f->hit)
        return NULL;
    f->leaf = r->leaf;
    p->did[(which == 2 ? NOTE_HIT_BYPASS : NOTE_HIT_LEVEL) + r->leaf.level] = true;
    p->did[NOTE_GLOBAL] |= r->leaf.glob;
    p->did[NOTE_ON_AGAIN] |= r->since < p->last_off;
    static const unsigned oldest[3] = {NOTE_HIT_OLDEST, NOTE_HIT_OLDEST_SUPER, NOTE_HIT_OLDEST_BYPASS};
    p->did[oldest[which]] |= page_full(p, at[which]) && page_oldest(at[which]) == r;
    return r;
}

/* The events of a look-up by kernel slot. */
static void page_count_slot(page_t *p, unsigned slot, bool hit, bool bypass)
{
    ev_l2_tlb_t *ev = &p->out.ev;
#define PAGE_SLOT(k) \
    if (slot == (k)) { \
        ev->l2_tlb_lookups_k##k++; \
        ev->l2_tlb_hits_k##k += hit; \
        ev->l2_tlb_bypass_k##k += hit && bypass; \
        p->did[NOTE_SLOT_LOOKS + (k)] = true; \
        p->did[NOTE_SLOT_HITS + (k)] |= hit; \
        p->did[NOTE_SLOT_BYPASS + (k)] |= hit && bypass; \
    }
    PAGE_SLOT(0)
    PAGE_SLOT(1)
    PAGE_SLOT(2)
    PAGE_SLOT(3)
#undef PAGE_SLOT
}

/* 2 to 4, and 1 behind them. Returns whether something was looked up. */
static bool page_ports(page_t *p, const l2_tlb_in_t *in, const resident_t *victim)
{
    resident_t *hit[L2_TLB_PORTS] = {0};
    bool looked = false, all = true;
    p->out.miss_valid = p->out.look_valid = 0;
    const uint8_t ready = p->out.req_ready, answers = p->out.ans_valid & in->ans_ready;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++) {
        __typeof__(p->port[k]) *t = &p->port[k];
        for (unsigned i = 0; i < t->n; i++)
            if (t->f[i].taken + 1 == p->now) {
                const translate_req_t *q = &t->f[i].req;
                hit[k] = page_look(p, &t->f[i], in->on);
                looked = true;
                p->out.look_valid |= (uint8_t)(1u << k);
                page_count_slot(p, in->owner[q->core], t->f[i].hit, page_bypasses(p, hit[k]));
                p->out.look[k] = (l2_look_t){.core = q->core, .warp = q->warp, .asid = q->asid, .hit = t->f[i].hit};
            }
        all &= hit[k] != NULL;
        p->did[page_bypasses(p, victim) ? NOTE_BYPASS_EVICT_TOUCHED : NOTE_EVICT_TOUCHED] |= victim && hit[k] == victim;
        for (unsigned q = 0; q < k; q++) {
            if (!hit[k] || !hit[q])
                continue;
            p->did[NOTE_PORTS_ENTRY] |= hit[k] == hit[q];
            p->did[NOTE_PORTS_BYPASS] |= hit[k] != hit[q] && page_bypasses(p, hit[k]) && page_bypasses(p, hit[q]);
            p->did[NOTE_PORTS_LEVELS] |= !hit[k]->leaf.level != !hit[q]->leaf.level;
            p->did[NOTE_PORTS_SET] |= hit[k] != hit[q] && !hit[k]->leaf.level && !hit[q]->leaf.level
                                      && page_set(hit[k]->vpn) == page_set(hit[q]->vpn);
        }
    }
    p->did[NOTE_PORTS_ALL] |= all;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        if (hit[k])
            hit[k]->used = ++p->time;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++) {
        __typeof__(p->port[k]) *t = &p->port[k];
        p->did[NOTE_HIT_WAITS] |= t->hits && !(answers >> k & 1);
        if (answers >> k & 1)
            memmove(t->hit, t->hit + 1, --t->hits * sizeof *t->hit);
        if (t->n && t->f[0].taken + (in->on ? L2_TLB_LATENCY - 1 : 1) == p->now) {
            const flight_t *f = &t->f[0];
            if (f->hit) {
                t->hit[t->hits++] = (translate_ans_t){.core = f->req.core,
                                                      .rsp = {.id = f->req.id, .result = WALK_OK, .leaf = f->leaf}};
            } else {
                p->out.miss_valid |= (uint8_t)(1u << k);
                p->out.miss[k] = f->req;
                p->did[NOTE_MISS_PASSES] |= t->hits != 0;
            }
            memmove(t->f, t->f + 1, --t->n * sizeof *t->f);
        }
        const bool asked = in->req_valid >> k & 1, takes = asked && ready >> k & 1;
        if (takes)
            t->f[t->n++] = (flight_t){.taken = p->now, .req = in->req[k]};
        p->out.ev.l2_tlb_stalls += asked && !takes;
        t->row = takes ? t->row + 1 : 0;
        p->did[in->on ? NOTE_FLOW : NOTE_OFF_FLOW] |= t->row > 4 * DEPTH;
        p->did[NOTE_FULL] |= t->hits == DEPTH;
        p->did[NOTE_SCAN_WAITED] |= asked && p->scanning;
        p->did[NOTE_TAKEN_INV] |= takes && in->inv_valid;
    }
    return looked;
}

static unsigned page_forget(shelf_t *s, const inv_t *v)
{
    unsigned gone = 0;
    for (unsigned i = s->n; i-- > 0;)
        if (page_covered(v, s->r[i].vpn, s->r[i].asid, &s->r[i].leaf)) {
            page_drop(s, i);
            gone++;
        }
    return gone;
}

/* 5. */
static void page_scan(page_t *p)
{
    const bool one = p->scan.scope == INV_PAGE;
    page_forget(&p->shelf[SUPERS], &p->scan);
    page_forget(&p->shelf[BYPASS], &p->scan);
    page_forget(&p->shelf[one ? page_set(p->scan.vpn) : p->set], &p->scan);
    p->out.inv_done = one || ++p->set == SETS;
    p->scanning = !p->out.inv_done;
}

static void page_note_inv(page_t *p, const inv_t *v)
{
    bool in[3] = {0}, out[3] = {0}, global[3] = {0}, first = false, last = false; /* main, super, bypass */
    unsigned spaces = 0;
    for (unsigned s = 0; s < SHELVES; s++)
        for (unsigned i = 0; i < p->shelf[s].n; i++) {
            const resident_t *r = &p->shelf[s].r[i];
            const bool c = page_covered(v, r->vpn, r->asid, &r->leaf);
            const unsigned kind = s < SUPERS ? 0 : s == SUPERS ? 1 : 2;
            in[kind] |= c;
            out[kind] |= !c && (v->scope != INV_PAGE || kind || s == page_set(v->vpn));
            global[kind] |= v->scope == INV_PAGE ? c && r->asid != v->asid : !c && r->asid == v->asid;
            first |= c && s == 0;
            last |= c && s == SETS - 1;
            if (v->scope != INV_PAGE)
                continue;
            spaces += c && !kind;
            p->did[NOTE_PAGE_OTHER] |= !c && page_in(r, v->vpn);
            if (kind == 1 && c && r->vpn != v->vpn)
                p->did[NOTE_PAGE_INSIDE + r->leaf.level - 1] = true;
        }
    for (unsigned k = 0; k < 2; k++) {
        p->did[NOTE_ASID_IN + k] |= v->scope == INV_ASID && in[k];
        p->did[NOTE_ASID_OUT + k] |= v->scope == INV_ASID && out[k];
        p->did[NOTE_ASID_GLOBAL + k] |= v->scope == INV_ASID && global[k];
        p->did[NOTE_PAGE_IN + k] |= v->scope == INV_PAGE && in[k];
        p->did[NOTE_PAGE_OUT + k] |= v->scope == INV_PAGE && out[k];
        p->did[NOTE_PAGE_GLOBAL + k] |= v->scope == INV_PAGE && global[k];
    }
    if (v->scope != INV_ALL) {
        const unsigned note = v->scope == INV_ASID ? NOTE_BYPASS_ASID : NOTE_BYPASS_PAGE;
        p->did[note] |= in[2];
        p->did[note + 1] |= out[2];
        p->did[note + 2] |= global[2];
    }
    p->did[NOTE_ALL] |= v->scope == INV_ALL && in[0] && in[1];
    p->did[NOTE_BYPASS_ALL] |= v->scope == INV_ALL && in[2];
    p->did[NOTE_ASID_NONE] |= v->scope == INV_ASID && !in[0] && !in[1] && !in[2];
    p->did[NOTE_ASID_FIRST] |= v->scope == INV_ASID && first;
    p->did[NOTE_ASID_LAST] |= v->scope == INV_ASID && last;
    p->did[NOTE_PAGE_BOTH] |= v->scope == INV_PAGE && in[0] && in[1];
    p->did[NOTE_PAGE_SPACES] |= spaces > 1;
}

/* Requests that were looked up before an invalidation and are in flight: they continue. */
static void page_note_flight(page_t *p, const inv_t *v)
{
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        for (unsigned i = 0; i < p->port[k].n; i++) {
            const flight_t *f = &p->port[k].f[i];
            if (f->taken + 1 >= p->now) /* not looked up */
                continue;
            p->did[NOTE_FLIGHT_HIT] |= f->hit && page_covered(v, f->req.vpn, f->req.asid, &f->leaf);
            p->did[NOTE_FLIGHT_MISS] |= !f->hit && f->req.asid == v->asid;
        }
}

/* 6. */
static void page_invalidate(page_t *p, const inv_t *v)
{
    p->out.ev.l2_tlb_invs++;
    page_note_inv(p, v);
    if (v->scope != INV_ALL) {
        p->scanning = true;
        p->scan = *v;
        p->set = 0;
        return;
    }
    for (unsigned s = 0; s < SHELVES; s++)
        p->shelf[s].n = 0;
    p->out.inv_done = true;
}

static bool page_same(const resident_t *r, const l2_fill_t *f)
{
    const uint64_t size = page_size(r->leaf.level > f->leaf.level ? r->leaf.level : f->leaf.level);
    return r->asid == f->asid && r->vpn / size == f->vpn / size;
}

static bool page_has(const shelf_t *s, const l2_fill_t *f)
{
    for (unsigned i = 0; i < s->n; i++)
        if (page_same(&s->r[i], f))
            return true;
    return false;
}

static bool page_may(const tokens_t *t, const l2_fill_t *f)
{
    return t->all || f->warp < t->tokens;
}

/* 7: where it goes, by what is there before the edge. */
static shelf_t *page_shelf(page_t *p, const l2_tlb_in_t *in)
{
    const l2_fill_t *f = &in->fill;
    shelf_t *s = &p->shelf[f->leaf.level ? (unsigned)SUPERS : page_set(f->vpn)];
    const tokens_t *t = &in->tokens[in->owner[f->core]];
    const bool may = page_may(t, f), has = page_has(s, f);
    p->did[NOTE_MAY_ALL] |= t->all;
    p->did[NOTE_MAY_LAST] |= !t->all && f->warp + 1 == t->tokens;
    p->did[NOTE_MAY_NOT_FIRST] |= !t->all && f->warp == t->tokens;
    for (unsigned k = 0; k < KERNELS; k++) {
        p->did[NOTE_MAY_FOR_OTHER] |= may && !page_may(&in->tokens[k], f);
        p->did[NOTE_MAY_NOT_FOR_OTHER] |= !may && page_may(&in->tokens[k], f);
    }
    p->did[NOTE_MAY_SAME + (f->leaf.level != 0)] |= !may && has;
    p->did[NOTE_IN_BYPASS + (f->leaf.level != 0)] |= (may || has) && page_has(&p->shelf[BYPASS], f);
    return may || has ? s : &p->shelf[BYPASS];
}

/* 7, before the edge: the leaf that has to go for this one, or NULL. */
static resident_t *page_victim(page_t *p, const l2_fill_t *f, shelf_t *s)
{
    return !page_has(s, f) && page_full(p, s) ? page_oldest(s) : NULL;
}

static void page_note_bypass(page_t *p, const l2_fill_t *f, const shelf_t *s, bool evicts)
{
    unsigned same = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const resident_t *r = &s->r[i];
        same += page_same(r, f);
        p->did[NOTE_BYPASS_LARGER] |= page_same(r, f) && r->leaf.level > f->leaf.level;
        p->did[NOTE_BYPASS_SMALLER] |= page_same(r, f) && r->leaf.level < f->leaf.level;
        p->did[NOTE_BYPASS_SPACES] |= r->vpn == f->vpn && r->asid != f->asid;
    }
    p->did[NOTE_BYPASS_SAME] |= same == 1;
    p->did[NOTE_BYPASS_SAMES] |= same > 1;
    p->did[NOTE_BYPASS_EVICT] |= evicts;
    p->did[NOTE_BYPASS_ROOM] |= !same && !evicts;
}

static void page_note_fill(page_t *p, const l2_fill_t *f, const shelf_t *s, bool evicts)
{
    if (s == &p->shelf[BYPASS]) {
        page_note_bypass(p, f, s, evicts);
        return;
    }
    const bool large = f->leaf.level != 0;
    unsigned same = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const resident_t *r = &s->r[i];
        same += page_same(r, f);
        p->did[NOTE_SAME_LARGER] |= page_same(r, f) && r->leaf.level > f->leaf.level;
        p->did[NOTE_SAME_SMALLER] |= page_same(r, f) && r->leaf.level < f->leaf.level;
        p->did[NOTE_LESS_RIGHTS] |= page_same(r, f) && r->leaf.w && !f->leaf.w;
        p->did[NOTE_TWINS] |= !large && r->vpn == f->vpn && r->asid != f->asid;
        p->did[NOTE_TWINS_GLOBAL] |= !large && r->vpn == f->vpn && r->asid != f->asid && r->leaf.glob;
    }
    p->did[NOTE_SAME] |= !large && same;
    p->did[NOTE_SAME_SUPER] |= large && same;
    p->did[NOTE_SAME_SUPERS] |= large && same > 1;
    p->did[large ? NOTE_EVICT_SUPER : NOTE_EVICT] |= evicts;
    p->did[large ? NOTE_ROOM_SUPER : NOTE_ROOM] |= !same && !evicts;
}

/* The numbered edge. */
static void page_expect(page_t *p, const l2_tlb_in_t *in)
{
    const bool scanning = p->scanning, done = p->out.inv_done;
    const unsigned set = p->set;
    memset(p->did, 0, sizeof p->did);
    const l2_fill_t *f = in->fill_valid ? &in->fill : NULL;
    const bool by_inv = f && in->inv_valid && page_covered(&in->inv, f->vpn, f->asid, &f->leaf),
               by_scan = f && scanning && page_covered(&p->scan, f->vpn, f->asid, &f->leaf);
    const bool kept = f && in->on && !by_inv && !by_scan;
    shelf_t *home = kept ? page_shelf(p, in) : NULL;
    resident_t *victim = kept ? page_victim(p, f, home) : NULL;
    const resident_t was = victim ? *victim : (resident_t){0};
    if (kept)
        page_note_fill(p, f, home, victim != NULL);
    if (in->inv_valid)
        page_note_flight(p, &in->inv);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    p->out.inv_done = false;
    const bool looked = page_ports(p, in, victim);
    p->did[NOTE_LOOK_SCAN] |= scanning && looked;
    const bool scans = scanning && !looked;
    if (f && in->on) {
        const bool one = p->scan.scope == INV_PAGE, large = f->leaf.level;
        if (in->inv_valid) {
            p->did[NOTE_FILL_INV + in->inv.scope] |= by_inv;
            if (in->inv.scope != INV_ALL)
                p->did[NOTE_FILL_INV_FREE + (in->inv.scope == INV_PAGE)] |= !by_inv;
            p->did[NOTE_FILL_INV_SUPER] |= by_inv && large && in->inv.scope == INV_PAGE && in->inv.vpn != f->vpn;
        }
        if (scanning) {
            p->did[NOTE_FILL_SCAN + one] |= by_scan;
            p->did[NOTE_FILL_SCAN_FREE + one] |= kept;
            p->did[NOTE_FILL_SCAN_LAST] |= by_scan && scans && (one || set == SETS - 1);
            p->did[NOTE_FILL_AHEAD] |= by_scan && !one && !large && page_set(f->vpn) > set;
        }
        const bool bypass = home == &p->shelf[BYPASS];
        p->did[bypass ? NOTE_BYPASS_EVICT_EMPTIED : NOTE_EVICT_EMPTIED] |=
            scans && victim && page_covered(&p->scan, was.vpn, was.asid, &was.leaf)
            && (bypass || large || one || page_set(f->vpn) == set);
        p->did[NOTE_BYPASS_FILL_SCAN] |= bypass && scanning;
    }
    if (scans)
        page_scan(p);
    p->did[NOTE_OFF_FILL] |= f && !in->on;
    if (in->inv_valid) {
        p->did[NOTE_BACK] |= done;
        for (unsigned s = 0; s < SHELVES && !in->on; s++)
            p->did[NOTE_OFF_INV] |= p->shelf[s].n != 0;
        page_invalidate(p, &in->inv);
    }
    if (kept) {
        shelf_t *s = home;
        for (unsigned i = s->n; i-- > 0;)
            if (page_same(&s->r[i], f) || (victim && s->r[i].vpn == was.vpn && s->r[i].asid == was.asid))
                page_drop(s, i);
        s->r[s->n++] =
            (resident_t){.vpn = f->vpn, .used = ++p->time, .since = p->now, .asid = f->asid, .leaf = f->leaf};
        p->out.ev.l2_tlb_fills++;
        p->out.ev.l2_tlb_fills_bypass += s == &p->shelf[BYPASS];
        p->out.ev.l2_tlb_evicts += victim != NULL;
    }
    bool busy = p->scanning || p->out.inv_done || p->out.miss_valid;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        busy |= p->port[k].n || p->port[k].hits;
    p->did[NOTE_IDLE] |= p->busy && !busy;
    p->busy = busy;
    p->last_off = in->on ? p->last_off : p->now;
    p->now++;
    page_show(p);
}
#endif
