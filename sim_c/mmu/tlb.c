/* Twin of rtl/mmu/tlb.sv: translations of loads and stores (docs/blocks/tlb.md). Step numbers are the page's. */
#include "tlb_ports.h"
#include "sim_c/mmu/tlb_lru.h"
#include <string.h>

#define SETS (TLB_ENTRIES / TLB_WAYS)
enum { DEEPEST = 3 };

struct tlb {
    kept_t main[MAX_TLB_ENTRIES], super[MAX_TLB_SUPER];
    uint8_t age[MAX_TLB_ENTRIES], sage[MAX_TLB_SUPER];
    uint8_t last[MAX_TLB_ENTRIES]; /* the warp that touched an entry last */
    bool supers; /* false: no larger page is valid, so none has to be searched */
    bool scanning, done, shown; /* shown: found or ev is not 0 */
    unsigned scan_set;
    inv_t scan;
    uint32_t found_valid;
    found_t found[TLB_PORTS];
    uint32_t touch_valid;
    page_touch_t touch[TLB_PORTS];
    bool out_valid, kept_valid;
    page_out_t out;
    uint16_t kept; /* an entry of the main array */
    uint16_t random;
    ev_tlb_t ev;
};

size_t tlb_size(void)
{
    return sizeof(struct tlb);
}

void tlb_reset(tlb_t *s)
{
    memset(s, 0, sizeof *s);
    forget(s->main, TLB_ENTRIES);
    forget(s->super, TLB_SUPER);
    for (unsigned set = 0; set < SETS; set++)
        reset_ages(&s->age[set * TLB_WAYS], TLB_WAYS);
    reset_ages(s->sage, TLB_SUPER);
    s->random = 1;
}

void tlb_out(const tlb_t *s, tlb_out_t *o)
{
    o->look_ready = !s->scanning;
    o->found_valid = s->found_valid;
    if (s->found_valid)
        memcpy(o->found, s->found, sizeof o->found);
    o->inv_done = s->done;
    o->touch_valid = s->touch_valid;
    if (s->touch_valid)
        memcpy(o->touch, s->touch, sizeof o->touch);
    o->page_out_valid = s->out_valid;
    if (s->out_valid)
        o->page_out = s->out;
    if ((o->kept_valid = s->kept_valid))
        o->kept = s->kept;
    o->ev = s->ev;
}

/* Valid, of the address space, and with the page in it. */
static bool matches(const kept_t *e, uint64_t vpn, uint16_t asid)
{
    return same_page(e->vpn, vpn, e->level) && (e->glob || e->asid == asid);
}

static kept_t *find(kept_t *e, unsigned n, uint64_t vpn, uint16_t asid)
{
    for (unsigned k = 0; k < n; k++)
        if (matches(&e[k], vpn, asid))
            return &e[k];
    return NULL;
}

/* The entry that a look-up has hit, of n with ages: it is touched when all ports have seen these. */
typedef struct {
    uint8_t *age;
    unsigned n, k;
} touched_t;

/* Step 1, of port p. */
static touched_t look_up(tlb_t *s, const tlb_in_t *in, unsigned p)
{
    const look_t *look = &in->look[p];
    const uint16_t asid = in->asid;
    found_t *found = &s->found[p];
    unsigned set = (unsigned)(look->vpn & (SETS - 1));
    kept_t *e = find(&s->main[set * TLB_WAYS], TLB_WAYS, look->vpn, asid);
    bool super = !e && s->supers && (e = find(s->super, TLB_SUPER, look->vpn, asid));
    s->ev.tlb_lookups++;
    if (!e || !(look->store ? e->w : e->r)) {
        s->ev.tlb_misses++;
        s->ev.tlb_denied += e != NULL;
        return (touched_t){0};
    }
    uint64_t low = (1ull << 9 * e->level) - 1;
    found->hit = true;
    found->ppn = (e->ppn & ~low) | (look->vpn & low);
    s->ev.tlb_hits++;
    s->ev.tlb_hits_super += super;
    if (super)
        return (touched_t){s->sage, TLB_SUPER, (unsigned)(e - s->super)};
    const unsigned way = (unsigned)(e - &s->main[set * TLB_WAYS]), age = s->age[set * TLB_WAYS + way];
    if (LOCALITY_ENTRIES > 0 || CPM_BITS > 0) {
        s->touch_valid |= 1u << p;
        s->touch[p] =
            (page_touch_t){.warp = look->warp, .depth = age < DEEPEST ? age : DEEPEST, .entry = set * TLB_WAYS + way};
    }
    s->last[set * TLB_WAYS + way] = look->warp;
    return (touched_t){&s->age[set * TLB_WAYS], TLB_WAYS, way};
}

static void look_ups(tlb_t *s, const tlb_in_t *in)
{
    touched_t t[TLB_PORTS];
    memset(s->found, 0, sizeof s->found);
    s->found_valid = in->look_valid;
    s->shown = true;
    for (unsigned p = 0; p < TLB_PORTS; p++)
        if (in->look_valid >> p & 1)
            t[p] = look_up(s, in, p);
    for (unsigned p = 0; p < TLB_PORTS; p++)
        if (in->look_valid >> p & 1 && t[p].n)
            touch(t[p].age, t[p].n, t[p].k);
}

static void forget_page(kept_t *e, unsigned n, uint64_t vpn, uint16_t asid)
{
    for (unsigned k = 0; k < n; k++)
        if (matches(&e[k], vpn, asid))
            e[k].vpn = NOWHERE;
}

/* Step 2. */
static void scan(tlb_t *s)
{
    const inv_t *inv = &s->scan;
    if (inv->scope == INV_PAGE) {
        forget_page(&s->main[(inv->vpn & (SETS - 1)) * TLB_WAYS], TLB_WAYS, inv->vpn, inv->asid);
        forget_page(s->super, TLB_SUPER, inv->vpn, inv->asid);
        s->done = true;
    } else {
        forget_asid(s->super, TLB_SUPER, inv->asid);
        forget_asid(&s->main[s->scan_set * TLB_WAYS], TLB_WAYS, inv->asid);
        s->done = ++s->scan_set == SETS;
    }
    s->scanning = !s->done;
}

/* Step 3. */
static void invalidate(tlb_t *s, const inv_t *inv)
{
    if (inv->scope == INV_ALL) {
        forget(s->main, TLB_ENTRIES);
        forget(s->super, TLB_SUPER);
        s->supers = false;
        s->done = true;
    } else {
        s->scanning = true;
        s->scan = *inv;
        s->scan_set = 0;
    }
}

/* Step 4. */
static fill_t choose(tlb_t *s, const walked_t *walked, uint8_t replace)
{
    const leaf_t *l = &walked->leaf;
    unsigned set = (unsigned)(walked->vpn & (SETS - 1));
    fill_t f = {.leaf = keeps(walked->vpn, walked->asid, l)};
    f.in = l->level ? s->super : &s->main[set * TLB_WAYS];
    f.age = l->level ? s->sage : &s->age[set * TLB_WAYS];
    f.n = l->level ? TLB_SUPER : TLB_WAYS;
    f.same = rivals(f.in, f.n, &f.leaf, true);
    choose_way(&f);
    if (f.evicts && replace == REPLACE_RANDOM)
        f.way = (unsigned)s->random * f.n >> 16;
    return f;
}

/* The page that a fill takes the place of, and who touched it last. */
static page_out_t evicted(const tlb_t *s, const fill_t *f)
{
    return (page_out_t){.of = s->last[(f->leaf.vpn & (SETS - 1)) * TLB_WAYS + f->way], .vpn = f->in[f->way].vpn};
}

static uint16_t next_random(uint16_t x)
{
    x ^= (uint16_t)(x << 7);
    x ^= x >> 9;
    return x ^ (uint16_t)(x << 8);
}

static void keep(tlb_t *s, const fill_t *f, uint8_t warp)
{
    put_leaf(f);
    s->random = next_random(s->random);
    s->supers |= f->leaf.level > 0;
    if (!f->leaf.level) {
        const unsigned set = (unsigned)(f->leaf.vpn & (SETS - 1));
        s->last[set * TLB_WAYS + f->way] = warp;
        s->kept_valid = CPM_BITS > 0;
        s->kept = (uint16_t)(set * TLB_WAYS + f->way);
    }
    s->out_valid = LOCALITY_ENTRIES > 0 && f->evicts && !f->leaf.level;
    s->ev.tlb_fills = s->shown = true;
    s->ev.tlb_evicts = f->evicts;
}

void tlb_tick(tlb_t *s, const tlb_in_t *in)
{
    const bool scanning = s->scanning;
    bool fills = in->fill_valid && in->fill.result == WALK_OK && (in->fill.leaf.r || in->fill.leaf.w);
    fill_t fill;
    if (fills) { /* the entry that it replaces is chosen before look-ups change the order */
        fill = choose(s, &in->fill, in->policy.tlb_replace);
        fills = !(in->inv_valid && covers(&in->inv, &fill.leaf)) && !(scanning && covers(&s->scan, &fill.leaf));
        if (fill.evicts && !fill.leaf.level)
            s->out = evicted(s, &fill);
    }
    if (s->shown) {
        s->found_valid = s->touch_valid = 0;
        s->out_valid = s->kept_valid = false;
        s->ev = (ev_tlb_t){0};
        s->shown = false;
    }
    s->done = false;
    if (in->look_valid && !scanning)
        look_ups(s, in);
    if (scanning)
        scan(s);
    if (in->inv_valid) {
        s->ev.tlb_invs = s->shown = true;
        invalidate(s, &in->inv);
    }
    if (fills)
        keep(s, &fill, in->fill.warp);
}

bool tlb_idle(const tlb_t *s)
{
    return !s->scanning && !s->done && !s->shown;
}
