/* State of the page of l2_tlb: leaves and requests in flight, and the outputs. */
#ifndef VERIF_MMU_L2_TLB_PAGE_STATE_H
#define VERIF_MMU_L2_TLB_PAGE_STATE_H
#include "l2_tlb_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/mmu/l2_tlb/page_notes.h"

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
#endif
