/* Twin of rtl/mmu/l2_tlb.sv: shared L2 TLB (docs/blocks/l2_tlb.md). Step numbers are the page's. */
#include "l2_tlb_ports.h"
#include "sim_c/mmu/tlb_lru.h"
#include <string.h>

enum { SETS = L2_TLB_ENTRIES / L2_TLB_WAYS, LINE = L2_TLB_LATENCY - 2, QUEUE = L2_TLB_LATENCY + 1 };

/* A request that is looked up, on its way through the line. */
typedef struct {
    bool valid, hit;
    translate_req_t req;
    leaf_t leaf;
} stage_t;

typedef struct {
    bool look_valid, miss_valid;
    translate_req_t look, miss;
    stage_t line[LINE];
    unsigned lined; /* valid ones of line: none need be moved while it is 0 */
    translate_ans_t hits[QUEUE];
    unsigned first, queued, count;
} port_t;

struct l2_tlb {
    kept_t main[SETS][L2_TLB_WAYS], super[L2_TLB_SUPER];
    uint8_t age[SETS][L2_TLB_WAYS], sage[L2_TLB_SUPER];
    bool supers; /* false: no super is valid, and none need be looked at */
    bool scanning, done, shown; /* shown: ev is not 0 */
    unsigned scan_set;
    inv_t scan;
    port_t port[L2_TLB_PORTS];
    ev_l2_tlb_t ev;
};

size_t l2_tlb_size(void)
{
    return sizeof(struct l2_tlb);
}

void l2_tlb_reset(l2_tlb_t *s)
{
    memset(s, 0, sizeof *s);
    forget(s->main[0], L2_TLB_ENTRIES);
    forget(s->super, L2_TLB_SUPER);
    for (unsigned set = 0; set < SETS; set++)
        reset_ages(s->age[set], L2_TLB_WAYS);
    reset_ages(s->sage, L2_TLB_SUPER);
}

void l2_tlb_out(const l2_tlb_t *s, l2_tlb_out_t *o)
{
    o->req_ready = o->ans_valid = o->miss_valid = 0;
    for (unsigned p = 0; p < L2_TLB_PORTS; p++) {
        const port_t *t = &s->port[p];
        o->req_ready |= (uint8_t)((!s->scanning && t->count < QUEUE) << p);
        o->ans_valid |= (uint8_t)((t->queued != 0) << p);
        o->miss_valid |= (uint8_t)(t->miss_valid << p);
        if (t->queued)
            o->ans[p] = t->hits[t->first];
        if (t->miss_valid)
            o->miss[p] = t->miss;
    }
    o->inv_done = s->done;
    o->ev = s->ev;
}

/* Is the page in the entry, whose it may be? */
static bool holds(const kept_t *e, uint64_t vpn)
{
    return same_page(e->vpn, vpn, e->level);
}

static kept_t *find(kept_t *e, unsigned n, const translate_req_t *r)
{
    for (unsigned k = 0; k < n; k++)
        if (e[k].asid == r->asid && holds(&e[k], r->vpn))
            return &e[k];
    return NULL;
}

static bool serves(const kept_t *l, unsigned access)
{
    return access == ACC_LOAD ? l->r : access == ACC_STORE ? l->w : l->x;
}

/* Step 2, of one port. */
static void look_up(l2_tlb_t *s, const translate_req_t *r, stage_t *to)
{
    const unsigned set = (unsigned)(r->vpn % SETS);
    kept_t *e = find(s->main[set], L2_TLB_WAYS, r);
    const bool super = !e && s->supers && (e = find(s->super, L2_TLB_SUPER, r));
    *to = (stage_t){.valid = true, .req = *r};
    s->ev.l2_tlb_lookups++;
    s->shown = true;
    if (!e || !serves(e, r->access)) {
        s->ev.l2_tlb_misses++;
        s->ev.l2_tlb_denied += e != NULL;
        return;
    }
    to->hit = true;
    to->leaf = (leaf_t){.ppn = e->ppn, .level = e->level, .glob = e->glob, .r = e->r, .w = e->w, .x = e->x};
    s->ev.l2_tlb_hits++;
    s->ev.l2_tlb_hits_super += super;
    if (super)
        touch(s->sage, L2_TLB_SUPER, (unsigned)(e - s->super));
    else
        touch(s->age[set], L2_TLB_WAYS, (unsigned)(e - s->main[set]));
}

/* Steps 3 and 4: what leaves the line, and an answer that is taken. */
static void leave(port_t *t, bool answered)
{
    const stage_t *last = &t->line[LINE - 1];
    if (answered) {
        t->first = (t->first + 1) % QUEUE;
        t->queued--;
        t->count--;
    }
    t->miss_valid = last->valid && !last->hit;
    if (t->miss_valid) {
        t->miss = last->req;
        t->count--;
    } else if (last->valid) {
        t->hits[(t->first + t->queued++) % QUEUE] = (translate_ans_t){
            .core = last->req.core, .rsp = {.id = last->req.id, .result = WALK_OK, .leaf = last->leaf}};
    }
    t->lined -= last->valid;
}

static void move(l2_tlb_t *s, port_t *t, bool answered)
{
    if (t->lined || answered || t->miss_valid)
        leave(t, answered);
    if (t->lined || t->line[LINE - 1].valid)
        memmove(t->line + 1, t->line, (LINE - 1) * sizeof *t->line);
    t->line[0].valid = false;
    if (t->look_valid) {
        look_up(s, &t->look, &t->line[0]);
        t->lined++;
    }
}

/* Step 5. */
static void forget_page(kept_t *e, unsigned n, const inv_t *inv)
{
    for (unsigned k = 0; k < n; k++)
        if (holds(&e[k], inv->vpn) && (e[k].glob || e[k].asid == inv->asid))
            e[k].vpn = NOWHERE;
}

static void scan(l2_tlb_t *s)
{
    const inv_t *inv = &s->scan;
    if (inv->scope == INV_PAGE) {
        forget_page(s->main[inv->vpn % SETS], L2_TLB_WAYS, inv);
        forget_page(s->super, L2_TLB_SUPER, inv);
        s->done = true;
    } else {
        forget_asid(s->super, L2_TLB_SUPER, inv->asid);
        forget_asid(s->main[s->scan_set], L2_TLB_WAYS, inv->asid);
        s->done = ++s->scan_set == SETS;
    }
    s->scanning = !s->done;
}

/* Step 6. */
static void invalidate(l2_tlb_t *s, const inv_t *inv)
{
    s->ev.l2_tlb_invs = s->shown = true;
    if (inv->scope == INV_ALL) {
        forget(s->main[0], L2_TLB_ENTRIES);
        forget(s->super, L2_TLB_SUPER);
        s->supers = false;
        s->done = true;
    } else {
        s->scanning = true;
        s->scan = *inv;
        s->scan_set = 0;
    }
}

static bool covers(const inv_t *inv, const kept_t *e)
{
    switch (inv->scope) {
    case INV_ALL: return true;
    case INV_ASID: return inv->asid == e->asid && !e->glob;
    default: return holds(e, inv->vpn) && (e->glob || e->asid == inv->asid);
    }
}

/* Would both answer for one page of one address space? */
static bool same(const kept_t *a, const kept_t *b)
{
    return a->asid == b->asid && overlap(a, b);
}

/* Step 7. */
static fill_t choose(l2_tlb_t *s, const l2_fill_t *from)
{
    const unsigned set = (unsigned)(from->vpn % SETS), large = from->leaf.level != 0;
    fill_t f = {.leaf = keeps(from->vpn, from->asid, &from->leaf)};
    f.in = large ? s->super : s->main[set];
    f.age = large ? s->sage : s->age[set];
    f.n = large ? L2_TLB_SUPER : L2_TLB_WAYS;
    for (unsigned k = 0; k < f.n; k++)
        if (f.in[k].vpn != NOWHERE && same(&f.in[k], &f.leaf))
            f.same |= BIT(k);
    choose_way(&f);
    return f;
}

static void keep(l2_tlb_t *s, const fill_t *f)
{
    put_leaf(f);
    s->supers |= f->leaf.level > 0;
    s->ev.l2_tlb_fills = s->shown = true;
    s->ev.l2_tlb_evicts = f->evicts;
}

void l2_tlb_tick(l2_tlb_t *s, const l2_tlb_in_t *in)
{
    const bool scanning = s->scanning;
    bool looks = false, fills = in->fill_valid;
    fill_t fill;
    if (fills) { /* what it replaces is chosen before anything changes */
        fill = choose(s, &in->fill);
        fills = !(in->inv_valid && covers(&in->inv, &fill.leaf)) && !(scanning && covers(&s->scan, &fill.leaf));
    }
    if (s->shown) {
        s->ev = (ev_l2_tlb_t){0};
        s->shown = false;
    }
    s->done = false;
    for (unsigned p = 0; p < L2_TLB_PORTS; p++) {
        port_t *t = &s->port[p];
        const bool ready = !scanning && t->count < QUEUE, asked = in->req_valid >> p & 1;
        looks |= t->look_valid;
        move(s, t, t->queued && in->ans_ready >> p & 1);
        t->look_valid = asked && ready; /* step 1 */
        if (t->look_valid) {
            t->look = in->req[p];
            t->count++;
        } else if (asked) {
            s->ev.l2_tlb_stalls++;
            s->shown = true;
        }
    }
    if (scanning && !looks)
        scan(s);
    if (in->inv_valid)
        invalidate(s, &in->inv);
    if (fills)
        keep(s, &fill);
}

bool l2_tlb_idle(const l2_tlb_t *s)
{
    for (unsigned p = 0; p < L2_TLB_PORTS; p++)
        if (s->port[p].count || s->port[p].miss_valid)
            return false;
    return !s->scanning && !s->done && !s->shown;
}
