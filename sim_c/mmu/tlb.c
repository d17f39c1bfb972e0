/* Twin of rtl/mmu/tlb.sv: translations of loads and stores (docs/blocks/tlb.md). Step numbers are the page's. */
#include "tlb_ports.h"
#include <string.h>

enum { SETS = TLB_ENTRIES / TLB_WAYS };
#define NOWHERE UINT64_MAX /* vpn of an entry that is not valid: no page of any size is there */

typedef struct {
    uint64_t vpn, ppn;
    uint16_t asid;
    uint8_t level;
    bool glob, r, w;
} kept_t;

struct tlb {
    kept_t main[SETS][TLB_WAYS], super[TLB_SUPER];
    uint8_t age[SETS][TLB_WAYS], sage[TLB_SUPER];
    bool supers; /* false: no super is valid, and none need be looked at */
    bool scanning, done, shown; /* shown: found or ev is not 0 */
    unsigned scan_set;
    uint16_t scan_asid;
    uint32_t found_valid;
    found_t found[TLB_PORTS];
    ev_tlb_t ev;
};

size_t tlb_size(void)
{
    return sizeof(struct tlb);
}

static void forget(kept_t *e, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        e[k].vpn = NOWHERE;
}

void tlb_reset(tlb_t *s)
{
    memset(s, 0, sizeof *s);
    forget(s->main[0], TLB_ENTRIES);
    forget(s->super, TLB_SUPER);
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned w = 0; w < TLB_WAYS; w++)
            s->age[set][w] = (uint8_t)w;
    for (unsigned k = 0; k < TLB_SUPER; k++)
        s->sage[k] = (uint8_t)k;
}

void tlb_out(const tlb_t *s, tlb_out_t *o)
{
    o->look_ready = !s->scanning;
    o->found_valid = s->found_valid;
    if (s->found_valid)
        memcpy(o->found, s->found, sizeof o->found);
    o->inv_done = s->done;
    o->ev = s->ev;
}

static bool same_page(uint64_t a, uint64_t b, unsigned level)
{
    return !((a ^ b) >> 9 * level);
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

static void touch(uint8_t *age, unsigned n, unsigned k)
{
    uint8_t was = age[k];
    if (!was)
        return;
    for (unsigned j = 0; j < n; j++)
        age[j] += age[j] < was;
    age[k] = 0;
}

/* Step 1, of one port. */
static void look_up(tlb_t *s, const look_t *look, uint16_t asid, found_t *found)
{
    unsigned set = (unsigned)(look->vpn % SETS);
    kept_t *e = find(s->main[set], TLB_WAYS, look->vpn, asid);
    bool super = !e && s->supers && (e = find(s->super, TLB_SUPER, look->vpn, asid));
    s->ev.tlb_lookups++;
    if (!e || !(look->store ? e->w : e->r)) {
        s->ev.tlb_misses++;
        s->ev.tlb_denied += e != NULL;
        return;
    }
    uint64_t low = (1ull << 9 * e->level) - 1;
    found->hit = true;
    found->ppn = (e->ppn & ~low) | (look->vpn & low);
    s->ev.tlb_hits++;
    s->ev.tlb_hits_super += super;
    if (super)
        touch(s->sage, TLB_SUPER, (unsigned)(e - s->super));
    else
        touch(s->age[set], TLB_WAYS, (unsigned)(e - s->main[set]));
}

static void forget_page(kept_t *e, unsigned n, uint64_t vpn, uint16_t asid)
{
    for (unsigned k = 0; k < n; k++)
        if (matches(&e[k], vpn, asid))
            e[k].vpn = NOWHERE;
}

static void forget_asid(kept_t *e, unsigned n, uint16_t asid)
{
    for (unsigned k = 0; k < n; k++)
        if (e[k].asid == asid && !e[k].glob)
            e[k].vpn = NOWHERE;
}

/* Step 3. */
static void invalidate(tlb_t *s, const inv_t *inv)
{
    switch (inv->scope) {
    case INV_ALL:
        forget(s->main[0], TLB_ENTRIES);
        forget(s->super, TLB_SUPER);
        s->supers = false;
        break;
    case INV_ASID:
        forget_asid(s->super, TLB_SUPER, inv->asid);
        s->scanning = true;
        s->scan_set = 0;
        s->scan_asid = inv->asid;
        return;
    default:
        forget_page(s->main[inv->vpn % SETS], TLB_WAYS, inv->vpn, inv->asid);
        forget_page(s->super, TLB_SUPER, inv->vpn, inv->asid);
    }
    s->done = true;
}

static bool covers(const inv_t *inv, const kept_t *e)
{
    switch (inv->scope) {
    case INV_ALL: return true;
    case INV_ASID: return inv->asid == e->asid && !e->glob;
    default: return matches(e, inv->vpn, inv->asid);
    }
}

/* Would both answer for one page of one address space? */
static bool same(const kept_t *a, const kept_t *b)
{
    return same_page(a->vpn, b->vpn, a->level > b->level ? a->level : b->level) && (a->glob || b->glob || a->asid == b->asid);
}

/* Step 4, into a set or the supers. True if it takes the place of another. */
static bool keep(kept_t *e, uint8_t *age, unsigned n, const kept_t *leaf)
{
    unsigned way = n, invalid = n, oldest = 0;
    for (unsigned k = n; k-- > 0;) { /* downwards: the lowest is what stays */
        if (e[k].vpn == NOWHERE) {
            invalid = k;
        } else if (same(&e[k], leaf)) {
            e[k].vpn = NOWHERE;
            way = k;
        }
        if (age[k] == n - 1)
            oldest = k;
    }
    bool evicts = way == n && invalid == n;
    if (way == n)
        way = evicts ? oldest : invalid;
    e[way] = *leaf;
    touch(age, n, way);
    return evicts;
}

void tlb_tick(tlb_t *s, const tlb_in_t *in)
{
    bool scanned = s->scanning;
    if (s->shown) {
        s->found_valid = 0;
        s->ev = (ev_tlb_t){0};
        s->shown = false;
    }
    s->done = false;
    if (in->look_valid && !scanned) { /* step 1 */
        memset(s->found, 0, sizeof s->found);
        s->found_valid = in->look_valid;
        s->shown = true;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            if (in->look_valid >> p & 1)
                look_up(s, &in->look[p], in->asid, &s->found[p]);
    }
    if (scanned) { /* step 2 */
        forget_asid(s->main[s->scan_set], TLB_WAYS, s->scan_asid);
        s->done = ++s->scan_set == SETS;
        s->scanning = !s->done;
    }
    if (in->inv_valid) {
        s->ev.tlb_invs = s->shown = true;
        invalidate(s, &in->inv);
    }
    if (in->fill_valid && in->fill.result == WALK_OK && (in->fill.leaf.r || in->fill.leaf.w)) { /* step 4 */
        const leaf_t *l = &in->fill.leaf;
        kept_t e = {.vpn = in->fill.vpn, .ppn = l->ppn, .asid = in->fill.asid, .level = l->level, .glob = l->glob, .r = l->r, .w = l->w};
        if ((in->inv_valid && covers(&in->inv, &e)) || (scanned && e.asid == s->scan_asid && !e.glob))
            return;
        unsigned set = (unsigned)(e.vpn % SETS);
        s->ev.tlb_fills = s->shown = true;
        s->supers |= e.level > 0;
        s->ev.tlb_evicts = e.level ? keep(s->super, s->sage, TLB_SUPER, &e) : keep(s->main[set], s->age[set], TLB_WAYS, &e);
    }
}

bool tlb_idle(const tlb_t *s)
{
    return !s->scanning && !s->done && !s->shown;
}
