/* Twin of rtl/mmu/itlb.sv: translations of instruction fetch (docs/blocks/itlb.md). Step numbers are the page's. */
#include "itlb_ports.h"
#include <string.h>

enum { FILLS = 2, NONE = 0, LOOK, MISS, ASKED, WAIT };

typedef struct {
    bool valid;
    uint64_t vpn;
    uint16_t asid;
    leaf_t leaf;
    uint64_t used; /* greater is younger */
} entry_t;

struct itlb {
    entry_t entry[MAX_ITLB_ENTRIES];
    uint64_t uses;
    struct {
        uint8_t state, walk, warp;
        uint64_t vpn;
    } asker[FILLS];
    uint8_t found_valid;
    ifound_t found[FILLS];
    bool done;
    ev_itlb_t ev;
};

size_t itlb_size(void)
{
    return sizeof(struct itlb);
}

void itlb_reset(itlb_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < ITLB_ENTRIES; k++)
        s->entry[k].used = ITLB_ENTRIES - k;
    s->uses = ITLB_ENTRIES;
}

void itlb_out(const itlb_t *s, itlb_out_t *o)
{
    o->found_valid = s->found_valid;
    memcpy(o->found, s->found, sizeof o->found);
    o->miss_valid = false;
    for (unsigned f = 0; f < FILLS && !o->miss_valid; f++)
        if (s->asker[f].state == MISS) {
            o->miss_valid = true;
            o->miss = (miss_t){.vpn = s->asker[f].vpn, .access = ACC_FETCH, .warp = s->asker[f].warp};
        }
    o->inv_done = s->done;
    o->idle = s->asker[0].state == NONE && s->asker[1].state == NONE;
    o->ev = s->ev;
}

static bool same_page(uint64_t a, uint64_t b, unsigned level)
{
    return !((a ^ b) >> 9 * level);
}

static uint64_t splice(uint64_t vpn, const leaf_t *leaf)
{
    uint64_t low = (1ull << 9 * leaf->level) - 1;
    return (leaf->ppn & ~low) | (vpn & low);
}

static void use(itlb_t *s, entry_t *e)
{
    e->used = ++s->uses;
}

/* Step 2. */
static void look_up(itlb_t *s, unsigned f, uint16_t asid)
{
    s->ev.itlb_lookups = true;
    for (unsigned k = 0; k < ITLB_ENTRIES; k++) {
        entry_t *e = &s->entry[k];
        if (!e->valid || !(e->leaf.glob || e->asid == asid) || !same_page(e->vpn, s->asker[f].vpn, e->leaf.level))
            continue;
        s->ev.itlb_hits = true;
        s->found_valid |= (uint8_t)(1u << f);
        s->found[f] = (ifound_t){.result = WALK_OK, .ppn = splice(s->asker[f].vpn, &e->leaf)};
        s->asker[f].state = NONE;
        use(s, e);
        return;
    }
    s->asker[f].state = MISS;
}

/* Step 4. */
static void answer(itlb_t *s, unsigned f, const walked_t *w)
{
    ifound_t *found = &s->found[f];
    s->asker[f].state = NONE;
    s->found_valid |= (uint8_t)(1u << f);
    found->result = w->result != WALK_PAGE && !w->leaf.x ? WALK_PAGE : w->result;
    found->ppn = found->result == WALK_OK ? splice(s->asker[f].vpn, &w->leaf) : 0;
    s->ev.itlb_faults += found->result != WALK_OK;
}

static bool covers(const inv_t *i, uint64_t vpn, uint16_t asid, const leaf_t *leaf)
{
    switch (i->scope) {
    case INV_ALL: return true;
    case INV_ASID: return i->asid == asid && !leaf->glob;
    default: return (i->asid == asid || leaf->glob) && same_page(i->vpn, vpn, leaf->level);
    }
}

/* Step 5: where it goes, by the entries before the edge. */
static entry_t *place(itlb_t *s, const walked_t *w, uint64_t *same)
{
    entry_t *invalid = NULL, *oldest = s->entry;
    *same = 0;
    for (unsigned k = ITLB_ENTRIES; k-- > 0;) {
        entry_t *e = &s->entry[k];
        unsigned level = e->leaf.level > w->leaf.level ? e->leaf.level : w->leaf.level;
        if (!e->valid)
            invalid = e;
        else if ((e->leaf.glob || w->leaf.glob || e->asid == w->asid) && same_page(e->vpn, w->vpn, level))
            *same |= 1ull << k;
        if (e->used < oldest->used)
            oldest = e;
    }
    return *same ? &s->entry[__builtin_ctzll(*same)] : invalid ? invalid : oldest;
}

void itlb_tick(itlb_t *s, const itlb_in_t *in)
{
    const walked_t *w = &in->walked;
    bool fills = in->walked_valid && w->result == WALK_OK && w->leaf.x
                 && !(in->inv_valid && covers(&in->inv, w->vpn, w->asid, &w->leaf)),
         asks = true;
    uint64_t same = 0;
    entry_t *to = fills ? place(s, w, &same) : NULL;
    uint8_t state[FILLS];
    s->ev = (ev_itlb_t){0};
    s->found_valid = 0;
    memset(s->found, 0, sizeof s->found);
    for (unsigned f = 0; f < FILLS; f++) {
        state[f] = s->asker[f].state;
        asks &= state[f] != MISS && state[f] != ASKED;
    }
    if (asks && (state[0] == LOOK || state[1] == LOOK)) /* step 2 */
        look_up(s, state[0] != LOOK, in->asid);
    for (unsigned f = 0; f < FILLS; f++) {
        if (state[f] == MISS) { /* step 3 */
            if (in->miss_ready)
                s->asker[f].state = ASKED;
            else
                s->ev.itlb_stall = true;
        } else if (state[f] == ASKED) {
            s->asker[f].state = WAIT;
            s->asker[f].walk = in->walk;
        } else if (state[f] == WAIT && in->walked_valid && w->walk == s->asker[f].walk) { /* step 4 */
            if (in->inv_valid)
                s->asker[f].state = LOOK;
            else
                answer(s, f, w);
        }
    }
    if (in->look_valid) { /* step 1 */
        s->asker[in->look.fill].state = LOOK;
        s->asker[in->look.fill].vpn = in->look.vpn;
        s->asker[in->look.fill].warp = in->look.warp;
    }
    if (in->inv_valid) /* step 6 */
        for (unsigned k = 0; k < ITLB_ENTRIES; k++)
            s->entry[k].valid &= !covers(&in->inv, s->entry[k].vpn, s->entry[k].asid, &s->entry[k].leaf);
    s->done = in->inv_valid;
    if (fills) {
        for (unsigned k = 0; k < ITLB_ENTRIES; k++)
            if (same >> k & 1)
                s->entry[k].valid = false;
        *to = (entry_t){.valid = true, .vpn = w->vpn, .asid = w->asid, .leaf = w->leaf};
        use(s, to);
        s->ev.itlb_fills = true;
    }
}

/* Until an input says something every tick does the same. */
bool itlb_idle(const itlb_t *s)
{
    static const ev_itlb_t none;
    for (unsigned f = 0; f < FILLS; f++)
        if (s->asker[f].state != NONE && s->asker[f].state != WAIT)
            return false;
    return !s->found_valid && !s->done && !memcmp(&s->ev, &none, sizeof none);
}
