/* Translations of a page by the tables, in the order of docs/translation.md: every outcome of a walk for it, several while a walk may still read the old value of a changed entry. */
#ifndef VERIF_PTW_VIEW_H
#define VERIF_PTW_VIEW_H
#include "verif/mmu/ptw/tables.h"

/* Why a walk ended; each at each level. */
enum {
    WHY_OK,
    WHY_V,
    WHY_WR,
    WHY_RESERVED,
    WHY_WIDE,
    WHY_PTR_D,
    WHY_PTR_A,
    WHY_PTR_U,
    WHY_LAST,
    WHY_U,
    WHY_A,
    WHY_ALIGN0,
    WHY_ALIGN1,
    WHY_ALIGN2,
    WHY_PTE_BELOW,
    WHY_PTE_ABOVE,
    WHY_BELOW,
    WHY_ABOVE,
    WHY_ACROSS,
    WHYS
};
enum { OUTCOMES = 16, REFS = 16 };
typedef struct {
    uint8_t result, why, level, reads;
    uint8_t globs; /* pointers and leaf that had G, by level */
    bool twice; /* a table was read at two levels */
    leaf_t leaf;
} outcome_t;
typedef struct {
    unsigned n, refs;
    outcome_t o[OUTCOMES];
    struct {
        uint64_t addr;
        uint8_t level;
    } ref[REFS];
} view_t;

static void scoreboard_step(const tables_t *t, uint64_t vpn, unsigned level, const uint64_t *base, outcome_t so_far,
                            view_t *v);

/* One version of an entry. */
static void scoreboard_pte(const tables_t *t, uint64_t vpn, unsigned level, const uint64_t *bases, uint64_t pte,
                           outcome_t o, view_t *v)
{
    bool r = pte & PTE_R, w = pte & PTE_W, x = pte & PTE_X;
    uint64_t ppn = pte >> 10 & ((1ull << 44) - 1);
    o.reads++;
    o.level = (uint8_t)level;
    o.why = !(pte & PTE_V) ? WHY_V : w && !r ? WHY_WR : pte >> 54 ? WHY_RESERVED : ppn >> VPN_W ? WHY_WIDE : WHY_OK;
    if (pte & PTE_G)
        o.globs |= (uint8_t)(1u << level);
    if (!o.why && !r && !x) {
        o.why = pte & PTE_D   ? WHY_PTR_D
                : pte & PTE_A ? WHY_PTR_A
                : pte & PTE_U ? WHY_PTR_U
                : !level      ? WHY_LAST
                              : WHY_OK;
        if (!o.why) {
            uint64_t below[4] = {0};
            memcpy(below, bases, sizeof below);
            below[level - 1] = ppn;
            for (unsigned l = level; l < 4; l++)
                o.twice |= bases[l] == ppn;
            scoreboard_step(t, vpn, level - 1, below, o, v);
            return;
        }
    } else if (!o.why) {
        uint64_t pages = 1ull << 9 * level, low = ppn % pages, first = ppn * PAGE_LINES,
                 last = first + pages * PAGE_LINES - 1;
        o.why = !(pte & PTE_U)   ? WHY_U
                : !(pte & PTE_A) ? WHY_A
                : low % 512      ? WHY_ALIGN0
                : low >> 9 & 511 ? WHY_ALIGN1
                : low >> 18      ? WHY_ALIGN2
                                 : WHY_OK;
        if (!o.why) {
            bool first_in = first >= t->window.base && first < t->window.limit,
                 last_in = last >= t->window.base && last < t->window.limit;
            o.why = first_in && last_in        ? WHY_OK
                    : last < t->window.base    ? WHY_BELOW
                    : first >= t->window.limit ? WHY_ABOVE
                                               : WHY_ACROSS;
            o.result = o.why ? WALK_ACCESS : WALK_OK;
            o.leaf =
                (leaf_t){.ppn = ppn, .level = (uint8_t)level, .glob = o.globs, .r = r, .w = w && pte & PTE_D, .x = x};
            v->o[v->n++] = o;
            return;
        }
    }
    o.result = WALK_PAGE;
    v->o[v->n++] = o;
}

static void scoreboard_step(const tables_t *t, uint64_t vpn, unsigned level, const uint64_t *bases, outcome_t o,
                            view_t *v)
{
    uint64_t addr = bases[level] * 4096 + (vpn >> 9 * level & 511) * 8, line = addr / LINE_BYTES;
    if (line < t->window.base || line >= t->window.limit) {
        o.why = line < t->window.base ? WHY_PTE_BELOW : WHY_PTE_ABOVE;
        o.level = (uint8_t)level;
        o.result = WALK_ACCESS;
        o.leaf = (leaf_t){.r = true, .w = true, .x = true};
        v->o[v->n++] = o;
        return;
    }
    v->ref[v->refs].addr = addr;
    v->ref[v->refs++].level = (uint8_t)level;
    const uint64_t *was;
    uint64_t now = tables_get(t, addr, &was);
    scoreboard_pte(t, vpn, level, bases, now, o, v);
    if (was && (level || !tables_at((tables_t *)t, addr)->stale)) /* the last level is always read */
        scoreboard_pte(t, vpn, level, bases, *was, o, v);
}

/* All that a walk for this page may find. */
static view_t scoreboard_view(const tables_t *t, uint64_t root, uint64_t vpn)
{
    view_t v = {0};
    scoreboard_step(t, vpn, 3, (uint64_t[4]){0, 0, 0, root}, (outcome_t){0}, &v);
    return v;
}

/* The outcome that this is, or -1. */
static int scoreboard_outcome(const view_t *v, const translate_rsp_t *w)
{
    vl_diff_t d;
    for (unsigned i = 0; i < v->n; i++)
        if (v->o[i].result == w->result && !leaf_t_diff(&v->o[i].leaf, &w->leaf, &d))
            return (int)i;
    return -1;
}
#endif
