/* Page tables in a sparse memory, broken in every way: tables in a few frames, each with entries at a few indices (some on one line, some not), which point to one another without
 * regard for level, so that subtables are shared, and some are their own. An entry may have been changed since the last invalidation: then the walker may have seen either. */
#ifndef VERIF_PTW_TABLES_H
#define VERIF_PTW_TABLES_H
#include "sim_c/common/vl_bits.h"
#include "vl_cfg.h"
#include "vl_types.h"

enum { TABLES = 20, SLOTS = 12, ALWAYS = 9 /* slots with a fixed index */, PTE_LINE = LINE_BYTES / 8 };
typedef struct {
    uint64_t now, old;
    bool changed, stale /* for so long that only a kept pointer can be the old one */;
} pte_t;
typedef struct {
    uint64_t frame[TABLES];
    uint16_t index[SLOTS];
    int8_t slot[512];
    pte_t pte[TABLES][SLOTS];
    window_t window;
    unsigned broken, pointers; /* of 256 */
} tables_t;

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16, PTE_G = 32, PTE_A = 64, PTE_D = 128 };

/* A good pointer: V, and of the other bits but G, a frame and those of software. */
static bool tables_points(uint64_t pte)
{
    return (pte & ~(PTE_G | 3u << 8 | ((1ull << VPN_W) - 1) << 10)) == PTE_V;
}

static pte_t *tables_at(tables_t *t, uint64_t addr)
{
    int slot = t->slot[addr / 8 % 512];
    for (unsigned k = 0; slot >= 0 && k < TABLES; k++)
        if (t->frame[k] == addr / 4096)
            return &t->pte[k][slot];
    return NULL;
}

/* The entry at this address; `was` is NULL, or its value before the last change. Outside tables there is always the same noise. */
static uint64_t tables_get(const tables_t *t, uint64_t addr, const uint64_t **was)
{
    const pte_t *p = tables_at((tables_t *)t, addr);
    *was = p && p->changed ? &p->old : NULL;
    if (p)
        return p->now;
    struct vl_rng noise = {addr};
    return vl_random(&noise);
}

static void tables_line(const tables_t *t, uint64_t line, line_data_t *data)
{
    const uint64_t *was;
    for (unsigned i = 0; i < PTE_LINE; i++)
        data->w[i] = tables_get(t, line * LINE_BYTES + 8 * i, &was);
}

/* A page of this size: in the window, across its limits, outside. */
static uint64_t tables_page(const tables_t *t, struct vl_rng *rng, unsigned level)
{
    uint64_t lines = t->window.limit - t->window.base, line;
    switch (vl_below(rng, 24)) {
    case 0: line = t->window.base; break;
    case 1: line = t->window.limit - 1; break;
    case 2: line = t->window.limit; break;
    case 3: line = t->window.base - 1; break;
    case 4: line = vl_random_bits(rng, LINE_ADDR_W); break;
    default: line = t->window.base + vl_random(rng) % lines; break;
    }
    return (line & ((1ull << LINE_ADDR_W) - 1)) / PAGE_LINES >> 9 * level << 9 * level;
}

static uint64_t tables_pte(const tables_t *t, struct vl_rng *rng, unsigned level)
{
    static const uint8_t rights[] = {PTE_R, PTE_R | PTE_W, PTE_X, PTE_R | PTE_X, PTE_R | PTE_W | PTE_X};
    /* Of the next level mostly; frames k % 4 == l are tables of level l. */
    unsigned next = vl_below(rng, 10) ? vl_below(rng, TABLES / 4) * 4 + (level + 3) % 4 : vl_below(rng, TABLES);
    unsigned size = vl_below(rng, 20) ? level : vl_below(rng, 4);
    uint64_t common = PTE_V | (vl_below(rng, 8) ? 0 : PTE_G) | (uint64_t)vl_below(rng, 4) << 8;
    uint64_t pointer = common | t->frame[next] << 10;
    uint64_t leaf = common | PTE_U | PTE_A | rights[vl_below(rng, 5)] | (vl_below(rng, 2) ? PTE_D : 0)
                    | tables_page(t, rng, size) << 10;
    uint64_t good = level && vl_chance(rng, t->pointers) ? pointer : leaf;
    if (!vl_chance(rng, level ? t->broken : 160))
        return good;
    switch (vl_below(rng, 15)) {
    case 0: return good & ~(uint64_t)PTE_V;
    case 1: return (leaf & ~(uint64_t)PTE_R) | PTE_W;
    case 2: return good | 1ull << (54 + vl_below(rng, 10));
    case 3: return good | 1ull << (46 + vl_below(rng, 8));
    case 4: return pointer | PTE_D;
    case 5: return pointer | PTE_A;
    case 6: return pointer | PTE_U;
    case 7: return leaf & ~(uint64_t)PTE_U;
    case 8: return leaf & ~(uint64_t)PTE_A;
    case 9: return leaf | 1ull << (10 + vl_below(rng, 9 * level + 1));
    case 10: return common | PTE_U | PTE_A | PTE_R | vl_random_bits(rng, VPN_W) >> 9 * level << 9 * level << 10;
    case 11: return common | vl_random_bits(rng, VPN_W) << 10;
    case 12: return pointer;
    case 13: return good ^ 1ull << vl_below(rng, 64);
    default: return vl_random(rng);
    }
}

static void tables_start(tables_t *t, struct vl_rng *rng)
{
    static const uint16_t always[ALWAYS] = {0xb9, 0x0c, 0xac, 0xad, 0x03, 0x04, 0x05, 0, 511}; /* T10's, and the ends */
    memset(t->slot, -1, sizeof t->slot);
    uint16_t far = (uint16_t)vl_below(rng, 512);
    for (unsigned k = 0; k < SLOTS; k++) {
        t->index[k] = k < ALWAYS ? always[k] : k == ALWAYS ? far : far ^ 1u << vl_below(rng, 9);
        t->slot[t->index[k]] = (int8_t)k;
    }
    /* Twelve different slots, or some stand twice: then the last is the entry. */
    /* Of the size of the window in lines: 2 TB ... 512 MB. In every other run it is nearly all that an address can
     * name: only there can two tables differ in a high bit alone. */
    static const uint8_t bits[] = {34, 33, 30, 22};
    const bool wide = vl_below(rng, 2);
    unsigned w = vl_below(rng, 4);
    uint64_t page = 1ull << 32, edge = vl_below(rng, 2) ? vl_below(rng, 128) : 0;
    uint64_t size = wide ? (1ull << LINE_ADDR_W) - 8 * page : 1ull << bits[w];
    uint64_t at = page * (1 + vl_below(rng, wide ? 4 : 500));
    t->window = (window_t){.base = at + edge,
                           .limit = at + size + page * (w == 0) - (vl_below(rng, 2) ? vl_below(rng, 128) : 0)};
    t->broken = vl_below(rng, 3) ? 8 + vl_below(rng, 40) : 128;
    t->pointers = vl_below(rng, 4) ? 230 : 128;
    for (unsigned k = 0; k < TABLES; k++) {
        /* The last ones at the limits and outside. */
        uint64_t line = t->window.base + 4096 + vl_random(rng) % (size - 8192);
        line = k == TABLES - 1   ? t->window.limit - 40
               : k == TABLES - 2 ? t->window.base + 20
               : k == TABLES - 3 ? t->window.limit
               : k == TABLES - 4 ? t->window.base - 32
                                 : line;
        t->frame[k] = line / PAGE_LINES;
        for (unsigned i = 0; i < k; i++)
            if (t->frame[i] == t->frame[k])
                t->frame[k]++, i = 0;
    }
    for (unsigned k = 0; k < TABLES; k++)
        for (unsigned s = 0; s < SLOTS; s++)
            t->pte[k][s] = (pte_t){.now = tables_pte(t, rng, k % 4)};
}

/* The host changes an entry. */
static bool tables_change(tables_t *t, struct vl_rng *rng)
{
    unsigned k = vl_below(rng, TABLES);
    pte_t *p = &t->pte[k][vl_below(rng, SLOTS)];
    if (p->changed)
        return false;
    *p = (pte_t){.now = tables_pte(t, rng, k % 4), .old = p->now, .changed = true};
    return true;
}

/* No walk can have seen the old value; but `kept`: a pointer that a walker keeps may be one until the next invalidation. */
static void tables_settle(tables_t *t, bool kept)
{
    for (unsigned k = 0; k < TABLES; k++)
        for (unsigned s = 0; s < SLOTS; s++) {
            pte_t *p = &t->pte[k][s];
            p->changed &= kept && tables_points(p->old);
            p->stale = p->changed;
        }
}
#endif
