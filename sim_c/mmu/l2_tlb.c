/* Twin of rtl/mmu/l2_tlb.sv: shared L2 TLB (docs/blocks/l2_tlb.md). Step numbers are the page's. */
#include "l2_tlb_ports.h"
#include "sim_c/mmu/tlb_lru.h"
#include <string.h>

#define SETS (L2_TLB_ENTRIES / L2_TLB_WAYS)
#define LINE (L2_TLB_LATENCY - 2)
#define QUEUE (L2_TLB_LATENCY + 1)

/* A request that is looked up, on its way through the line. */
typedef struct {
    bool valid, hit;
    translate_req_t req;
    leaf_t leaf;
} stage_t;

typedef struct {
    bool look_valid, miss_valid, looked_valid;
    translate_req_t look, miss;
    l2_look_t looked; /* output to fill_tokens */
    stage_t line[MAX_L2_TLB_LATENCY - 2];
    unsigned lined; /* valid stages of `line`; while there are none nothing has to be moved */
    translate_ans_t hits[MAX_L2_TLB_LATENCY + 1];
    unsigned first, queued, count;
} port_t;

struct l2_tlb {
    kept_t main[MAX_L2_TLB_ENTRIES], super[MAX_L2_TLB_SUPER], bypass[MAX_L2_TLB_BYPASS];
    uint8_t age[MAX_L2_TLB_ENTRIES], sage[MAX_L2_TLB_SUPER], bage[MAX_L2_TLB_BYPASS];
    bool supers, bypasses; /* false: no entry is valid, so none has to be searched */
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
    forget(s->main, L2_TLB_ENTRIES);
    forget(s->super, L2_TLB_SUPER);
    forget(s->bypass, L2_TLB_BYPASS);
    for (unsigned set = 0; set < SETS; set++)
        reset_ages(&s->age[set * L2_TLB_WAYS], L2_TLB_WAYS);
    reset_ages(s->sage, L2_TLB_SUPER);
    reset_ages(s->bage, L2_TLB_BYPASS);
}

void l2_tlb_out(const l2_tlb_t *s, l2_tlb_out_t *o)
{
    o->req_ready = o->ans_valid = o->miss_valid = o->look_valid = 0;
    for (unsigned p = 0; p < L2_TLB_PORTS; p++) {
        const port_t *t = &s->port[p];
        o->req_ready |= (uint8_t)((!s->scanning && t->count < QUEUE) << p);
        o->ans_valid |= (uint8_t)((t->queued != 0) << p);
        o->miss_valid |= (uint8_t)(t->miss_valid << p);
        o->look_valid |= (uint8_t)(t->looked_valid << p);
        if (t->looked_valid)
            o->look[p] = t->looked;
        if (t->queued)
            o->ans[p] = t->hits[t->first];
        if (t->miss_valid)
            o->miss[p] = t->miss;
    }
    o->inv_done = s->done;
    o->ev = s->ev;
}

/* Is the page in the entry, of any address space? */
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

/* The counters of a kernel slot, of which the first four have some: a look-up, whether it is a hit, in the bypass cache. */
static void count_slot(ev_l2_tlb_t *ev, unsigned slot, bool hit, bool bypass)
{
    uint8_t *const looks[] = {&ev->l2_tlb_lookups_k0, &ev->l2_tlb_lookups_k1, &ev->l2_tlb_lookups_k2,
                              &ev->l2_tlb_lookups_k3};
    uint8_t *const hits[] = {&ev->l2_tlb_hits_k0, &ev->l2_tlb_hits_k1, &ev->l2_tlb_hits_k2, &ev->l2_tlb_hits_k3};
    uint8_t *const bypasses[] = {&ev->l2_tlb_bypass_k0, &ev->l2_tlb_bypass_k1, &ev->l2_tlb_bypass_k2,
                                 &ev->l2_tlb_bypass_k3};
    if (slot >= sizeof looks / sizeof *looks)
        return;
    *looks[slot] += 1;
    *hits[slot] += hit;
    *bypasses[slot] += bypass;
}

/* Step 2, of one port. */
static void look_up(l2_tlb_t *s, const translate_req_t *r, unsigned slot, stage_t *to)
{
    const unsigned set = (unsigned)(r->vpn & (SETS - 1));
    kept_t *e = find(&s->main[set * L2_TLB_WAYS], L2_TLB_WAYS, r);
    const bool super = !e && s->supers && (e = find(s->super, L2_TLB_SUPER, r)),
               bypass = !e && s->bypasses && (e = find(s->bypass, L2_TLB_BYPASS, r));
    *to = (stage_t){.valid = true, .req = *r};
    s->ev.l2_tlb_lookups++;
    s->shown = true;
    const bool hit = e && serves(e, r->access);
    count_slot(&s->ev, slot, hit, hit && bypass);
    if (!hit) {
        s->ev.l2_tlb_misses++;
        s->ev.l2_tlb_denied += e != NULL;
        return;
    }
    to->hit = true;
    to->leaf = (leaf_t){.ppn = e->ppn, .level = e->level, .glob = e->glob, .r = e->r, .w = e->w, .x = e->x};
    s->ev.l2_tlb_hits++;
    s->ev.l2_tlb_hits_super += super;
    s->ev.l2_tlb_hits_bypass += bypass;
    if (bypass)
        touch(s->bage, L2_TLB_BYPASS, (unsigned)(e - s->bypass));
    else if (super)
        touch(s->sage, L2_TLB_SUPER, (unsigned)(e - s->super));
    else
        touch(&s->age[set * L2_TLB_WAYS], L2_TLB_WAYS, (unsigned)(e - &s->main[set * L2_TLB_WAYS]));
}

/* Steps 3 and 4: the stage that leaves the line, and an answer that is taken. */
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

static void move(l2_tlb_t *s, port_t *t, const l2_tlb_in_t *in, bool answered)
{
    const bool on = in->on;
    if (t->lined || answered || t->miss_valid)
        leave(t, answered);
    if (t->lined || t->line[LINE - 1].valid)
        memmove(t->line + 1, t->line, (LINE - 1) * sizeof *t->line);
    t->line[0].valid = false;
    t->looked_valid = t->look_valid;
    if (!t->look_valid)
        return;
    const unsigned slot = in->owner[t->look.core];
    if (on) {
        look_up(s, &t->look, slot, &t->line[0]);
        t->lined++;
    } else {
        t->miss_valid = true;
        t->miss = t->look;
        t->count--;
        s->ev.l2_tlb_lookups++;
        s->ev.l2_tlb_misses++;
        count_slot(&s->ev, slot, false, false);
        s->shown = true;
    }
    t->looked =
        (l2_look_t){.core = t->look.core, .warp = t->look.warp, .asid = t->look.asid, .hit = on && t->line[0].hit};
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
        forget_page(&s->main[(inv->vpn & (SETS - 1)) * L2_TLB_WAYS], L2_TLB_WAYS, inv);
        forget_page(s->super, L2_TLB_SUPER, inv);
        forget_page(s->bypass, L2_TLB_BYPASS, inv);
        s->done = true;
    } else {
        forget_asid(s->super, L2_TLB_SUPER, inv->asid);
        forget_asid(s->bypass, L2_TLB_BYPASS, inv->asid);
        forget_asid(&s->main[s->scan_set * L2_TLB_WAYS], L2_TLB_WAYS, inv->asid);
        s->done = ++s->scan_set == SETS;
    }
    s->scanning = !s->done;
}

/* Step 6. */
static void invalidate(l2_tlb_t *s, const inv_t *inv)
{
    s->ev.l2_tlb_invs = s->shown = true;
    if (inv->scope == INV_ALL) {
        forget(s->main, L2_TLB_ENTRIES);
        forget(s->super, L2_TLB_SUPER);
        forget(s->bypass, L2_TLB_BYPASS);
        s->supers = s->bypasses = false;
        s->done = true;
    } else {
        s->scanning = true;
        s->scan = *inv;
        s->scan_set = 0;
    }
}

/* Step 7: the entries that answer for the same, and the way, of an array that the leaf may go to. */
static fill_t place(const kept_t *leaf, kept_t *in, uint8_t *age, unsigned n)
{
    fill_t f = {.leaf = *leaf, .in = in, .age = age, .n = n, .same = rivals(in, n, leaf, false)};
    choose_way(&f);
    return f;
}

/* Has the warp a token of its kernel? */
static bool may_fill(const l2_tlb_in_t *in)
{
    const tokens_t *t = &in->tokens[in->owner[in->fill.core]];
    return t->all || in->fill.warp < t->tokens;
}

static fill_t choose(l2_tlb_t *s, const l2_tlb_in_t *in)
{
    const l2_fill_t *from = &in->fill;
    const kept_t leaf = keeps(from->vpn, from->asid, &from->leaf);
    const unsigned set = (unsigned)(from->vpn & (SETS - 1));
    const fill_t f = leaf.level ? place(&leaf, s->super, s->sage, L2_TLB_SUPER)
                                : place(&leaf, &s->main[set * L2_TLB_WAYS], &s->age[set * L2_TLB_WAYS], L2_TLB_WAYS);
    return f.same || may_fill(in) ? f : place(&leaf, s->bypass, s->bage, L2_TLB_BYPASS);
}

static void keep(l2_tlb_t *s, const fill_t *f)
{
    put_leaf(f);
    const bool bypass = f->in == s->bypass;
    s->bypasses |= bypass;
    s->supers |= f->in == s->super;
    s->ev.l2_tlb_fills_bypass = bypass;
    s->ev.l2_tlb_fills = s->shown = true;
    s->ev.l2_tlb_evicts = f->evicts;
}

void l2_tlb_tick(l2_tlb_t *s, const l2_tlb_in_t *in)
{
    const bool scanning = s->scanning;
    bool looks = false, fills = in->fill_valid && in->on;
    fill_t fill;
    if (fills) { /* the entry that it replaces is chosen before look-ups change the order */
        fill = choose(s, in);
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
        move(s, t, in, t->queued && in->ans_ready >> p & 1);
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
        if (s->port[p].count || s->port[p].miss_valid || s->port[p].looked_valid)
            return false;
    return !s->scanning && !s->done && !s->shown;
}
