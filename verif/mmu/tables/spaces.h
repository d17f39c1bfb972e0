/* Random address spaces with every kind of broken PTE, in a sparse memory; and the valid translations, by sim_c/ref/translate alone.
 *
 * A space is seven tables in frames of its own, each with entries at a few indices; anything else in memory is noise. Spaces are written anew and
 * invalidated while the machine runs: old versions are kept as long as something of them may still be in a TLB (global leaves outlive INV_ASID, and
 * other pages outlive INV_PAGE). */
#ifndef VERIF_TABLES_SPACES_H
#define VERIF_TABLES_SPACES_H
#include "ptw_ports.h"
#include "sim_c/ref/translate.h"
#include "sim_c/common/vl_bits.h"

enum { LEVELS = 4, TABLES = 7, SLOTS = 9, SPACES = 3, VERSIONS = 6, PAGE_INVS = 6, LINE_PTES = LINE_BYTES / 8 };
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16, PTE_G = 32, PTE_A = 64, PTE_D = 128 };

/* Kinds of broken PTEs. The generator makes each; kind_of() names the kind that a walk met. */
typedef enum {
    K_V,
    K_W_NO_R,
    K_RESERVED,
    K_PBMT,
    K_NAPOT,
    K_WIDE,
    K_PTR_D,
    K_PTR_A,
    K_PTR_U,
    K_LAST,
    K_U,
    K_R,
    K_W,
    K_X,
    K_ALIGN0,
    K_ALIGN1,
    K_ALIGN2,
    K_A,
    K_D,
    K_FRAME,
    K_TABLE,
    K_LOOP,
    KINDS
} kind_t;
static const char *const kind_name[KINDS] = {"V = 0",
                                             "W without R",
                                             "a reserved bit",
                                             "PBMT",
                                             "NAPOT",
                                             "PPN beyond PA_W",
                                             "a pointer with D",
                                             "a pointer with A",
                                             "a pointer with U",
                                             "a pointer at the last level",
                                             "U = 0",
                                             "no R for a load",
                                             "no W for a store",
                                             "no X for a fetch",
                                             "misaligned in 8:0",
                                             "misaligned in 17:9",
                                             "misaligned in 26:18",
                                             "A = 0",
                                             "D = 0 for a store",
                                             "a frame that is not memory",
                                             "a table that is not memory",
                                             "a pointer to a table on the way"};

typedef struct {
    uint16_t asid;
    uint64_t root; /* frame[0], or a page that is not memory */
    uint64_t frame[TABLES], pte[TABLES][SLOTS];
} space_t;

typedef struct {
    space_t space;
    unsigned of; /* which space it was */
    bool globals_only; /* INV_ASID has taken the rest */
    unsigned invs;
    inv_t inv[PAGE_INVS]; /* that have come since */
} version_t;

typedef struct {
    window_t window;
    uint16_t index[SLOTS]; /* of entries in every table, and its inverse */
    int8_t slot[512];
    space_t space[SPACES];
    unsigned now; /* the core's */
    version_t old[VERSIONS];
    unsigned olds;
    unsigned broken, globals; /* of 256 */
} spaces_t;

static const uint8_t table_level[TABLES] = {3, 2, 2, 1, 1, 0, 0};

/* ---- contents of memory ------------------------------------------------------------------------------------------ */
static bool space_pte(const spaces_t *s, const space_t *a, uint64_t addr, uint64_t *pte)
{
    int slot = s->slot[addr / 8 % 512];
    for (unsigned t = 0; slot >= 0 && t < TABLES; t++)
        if (a->frame[t] == addr / 4096) {
            *pte = a->pte[t][slot];
            return true;
        }
    return false;
}

static uint64_t noise(uint64_t addr)
{
    struct vl_rng rng = {addr};
    return vl_random(&rng);
}

static uint64_t memory_pte(const spaces_t *s, uint64_t addr)
{
    uint64_t pte = 0;
    for (unsigned k = 0; k < SPACES; k++)
        if (space_pte(s, &s->space[k], addr, &pte))
            return pte;
    return noise(addr);
}

/* ---- translations by the tables -------------------------------------------------------------------------------------------------- */
typedef struct {
    const spaces_t *s;
    const space_t *a;
} reader_t;

static uint64_t read_pte(void *user, uint64_t addr)
{
    const reader_t *r = user;
    uint64_t pte;
    return space_pte(r->s, r->a, addr, &pte) ? pte : noise(addr);
}

static ref_translation by_the_tables(const spaces_t *s, const space_t *a, uint64_t vpn, ref_use use)
{
    reader_t r = {s, a};
    ref_space in = {.root = a->root, .base = s->window.base * LINE_BYTES, .limit = s->window.limit * LINE_BYTES};
    return ref_translate(&in, (uint64_t)((int64_t)(vpn << 28) >> 16), use, read_pte, &r);
}

/* May an entry of an older version, or a global one of another space, still give this frame? */
static bool may_be_kept(const spaces_t *s, uint64_t vpn, ref_use use, uint64_t ppn)
{
    for (unsigned k = 0; k < SPACES; k++) {
        if (k == s->now)
            continue;
        ref_translation t = by_the_tables(s, &s->space[k], vpn, use);
        if (t.verdict == REF_TRANSLATED && t.global && t.pa >> 12 == ppn)
            return true;
    }
    for (unsigned k = 0; k < s->olds; k++) {
        const version_t *v = &s->old[k];
        ref_translation t = by_the_tables(s, &v->space, vpn, use);
        bool may =
            t.verdict == REF_TRANSLATED && t.pa >> 12 == ppn && (t.global || (v->of == s->now && !v->globals_only));
        for (unsigned i = 0; i < v->invs && may; i++)
            may = !((t.global || v->inv[i].asid == v->space.asid) && (v->inv[i].vpn ^ vpn) >> 9 * t.level == 0);
        if (may)
            return true;
    }
    return false;
}

/* Why a walk ends in a fault, by its last PTE (its level: `level`). K_TABLE: the PTE that points to nowhere; of the root: level 4. */
static kind_t kind_of(const ref_translation *t, ref_use use, unsigned *level)
{
    *level = LEVELS - t->reads;
    if (!t->reads)
        return K_TABLE;
    uint64_t p = t->read[t->reads - 1].value, low = (p >> 10) & ((1ull << 9 * *level) - 1);
    if (t->verdict == REF_ACCESS_FAULT)
        return p & (PTE_R | PTE_X) ? K_FRAME : K_TABLE;
    if (!(p & PTE_V))
        return K_V;
    if (p & PTE_W && !(p & PTE_R))
        return K_W_NO_R;
    if (p >> 63)
        return K_NAPOT;
    if (p >> 61)
        return K_PBMT;
    if (p >> 54)
        return K_RESERVED;
    if (p >> (10 + VPN_W))
        return K_WIDE;
    if (!(p & (PTE_R | PTE_X)))
        return p & PTE_D ? K_PTR_D : p & PTE_A ? K_PTR_A : p & PTE_U ? K_PTR_U : K_LAST;
    if (!(p & PTE_U))
        return K_U;
    if (use == REF_USE_LOAD && !(p & PTE_R))
        return K_R;
    if (use == REF_USE_STORE && !(p & PTE_W))
        return K_W;
    if (use == REF_USE_FETCH && !(p & PTE_X))
        return K_X;
    if (low)
        return low % 512 ? K_ALIGN0 : low >> 9 & 511 ? K_ALIGN1 : K_ALIGN2;
    return p & PTE_A ? K_D : K_A;
}

/* Can there be this kind at this level? */
static bool kind_has_level(kind_t k, unsigned level)
{
    switch (k) {
    case K_LAST: return level == 0;
    case K_TABLE:
    case K_LOOP: return level > 0;
    case K_ALIGN0: return level > 0;
    case K_ALIGN1: return level > 1;
    case K_ALIGN2: return level > 2;
    default: return true;
    }
}

/* ---- the generator ---------------------------------------------------------------------------------------------- */
/* A page of a level: in memory; or, with `wrong`, not all of it. */
static uint64_t page_at(const spaces_t *s, struct vl_rng *rng, unsigned level, bool wrong)
{
    uint64_t size = 1ull << 9 * level, first = (s->window.base + PAGE_LINES - 1) / PAGE_LINES,
             last = s->window.limit / PAGE_LINES; /* whole pages */
    first = (first + size - 1) / size;
    last = last / size;
    if (!wrong && last > first)
        return (first + vl_random(rng) % (last - first)) * size;
    switch (vl_below(rng, 4)) {
    case 0: return (first ? first - 1 : last) * size & ((1ull << VPN_W) - 1);
    case 1: return last * size & ((1ull << VPN_W) - 1);
    default: return vl_random_bits(rng, VPN_W) / size * size;
    }
}

static uint64_t random_pte(const spaces_t *s, const space_t *a, struct vl_rng *rng, unsigned t)
{
    static const uint8_t rights[] = {
        PTE_R,         PTE_R | PTE_W,         PTE_R | PTE_W,         PTE_X,
        PTE_R | PTE_X, PTE_R | PTE_W | PTE_X, PTE_R | PTE_W | PTE_X, PTE_R | PTE_W | PTE_X};
    unsigned level = table_level[t], next = level == 3   ? 1 + vl_below(rng, 2)
                                            : level == 2 ? 3 + vl_below(rng, 2)
                                                         : 5 + vl_below(rng, 2);
    uint64_t common = PTE_V | (vl_chance(rng, s->globals) ? PTE_G : 0) | (uint64_t)vl_below(rng, 4) << 8;
    uint64_t pointer = common | a->frame[next] << 10;
    uint64_t plain = common | PTE_U | PTE_A | (vl_below(rng, 3) ? PTE_D : 0) | rights[vl_below(rng, 8)],
             leaf = plain | page_at(s, rng, level, false) << 10;
    bool points = level && vl_below(rng, 8) < (level == 3 ? 6u : 5u);
    uint64_t good = points ? pointer : leaf;
    if (!vl_chance(rng, level == 3 ? s->broken / 2 : s->broken))
        return good;
    switch ((kind_t)vl_below(rng, KINDS + 1)) {
    case K_V: return good & ~(uint64_t)PTE_V;
    case K_W_NO_R: return (leaf & ~(uint64_t)PTE_R) | PTE_W;
    case K_RESERVED: return good | 1ull << (54 + vl_below(rng, 7));
    case K_PBMT: return good | (1 + (uint64_t)vl_below(rng, 3)) << 61;
    case K_NAPOT: return good | 1ull << 63;
    case K_WIDE: return good | 1ull << (10 + VPN_W + vl_below(rng, 8));
    case K_PTR_D: return pointer | PTE_D;
    case K_PTR_A: return pointer | PTE_A;
    case K_PTR_U: return pointer | PTE_U;
    case K_LAST: return level ? leaf : common | a->frame[vl_below(rng, TABLES)] << 10;
    case K_U: return leaf & ~(uint64_t)PTE_U;
    case K_R: return (leaf & ~(uint64_t)(PTE_R | PTE_W)) | PTE_X;
    case K_W: return (leaf & ~(uint64_t)PTE_W) | PTE_R;
    case K_X: return (leaf & ~(uint64_t)PTE_X) | PTE_R;
    case K_ALIGN0: return leaf ^ (level ? 1ull << (10 + vl_below(rng, 9)) : 0);
    case K_ALIGN1: return leaf ^ (level > 1 ? 1ull << (19 + vl_below(rng, 9)) : 0);
    case K_ALIGN2: return leaf ^ (level > 2 ? 1ull << (28 + vl_below(rng, 9)) : 0);
    case K_A: return leaf & ~(uint64_t)PTE_A;
    case K_D: return (leaf & ~(uint64_t)PTE_D) | PTE_R | PTE_W;
    case K_FRAME: return plain | page_at(s, rng, level, true) << 10;
    case K_TABLE: return common | page_at(s, rng, 0, true) << 10;
    case K_LOOP: return common | a->frame[vl_below(rng, 3) ? t : vl_below(rng, t + 1)] << 10;
    default: return vl_below(rng, 2) ? vl_random(rng) : good ^ 1ull << vl_below(rng, 64);
    }
}

/* The space with other tables (at the same places). */
static void space_renew(spaces_t *s, struct vl_rng *rng, unsigned k)
{
    space_t *a = &s->space[k];
    a->root = vl_below(rng, 64) ? a->frame[0] : page_at(s, rng, 0, true);
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned i = 0; i < SLOTS; i++)
            a->pte[t][i] = random_pte(s, a, rng, t);
}

/* Is the frame of table t of space k that of one before it? */
static bool is_table(const spaces_t *s, unsigned k, unsigned t)
{
    for (unsigned i = 0; i < k * TABLES + t; i++)
        if (s->space[i / TABLES].frame[i % TABLES] == s->space[k].frame[t])
            return true;
    return false;
}

/* Another memory, other indices, other spaces. */
static void spaces_start(spaces_t *s, struct vl_rng *rng)
{
    *s = (spaces_t){0};
    memset(s->slot, -1, sizeof s->slot);
    unsigned near = vl_below(rng, 512);
    for (unsigned i = 0; i < SLOTS; i++) { /* some on one line, and both ends */
        unsigned at = i == 0 ? 0 : i == 1 ? 511 : i < 5 ? near ^ (i - 2) : vl_below(rng, 512);
        while (s->slot[at] >= 0)
            at = (at + 1) % 512;
        s->index[i] = (uint16_t)at;
        s->slot[at] = (int8_t)i;
    }
    uint64_t size = 1ull << (vl_below(rng, 2) ? 34 : 26 + vl_below(rng, 8)); /* lines: 2 TB, or 8 GB up */
    s->window.base = (1ull << 32) * (1 + vl_below(rng, 100)) + (vl_below(rng, 2) ? vl_below(rng, 64) : 0);
    s->window.limit = s->window.base + size - (vl_below(rng, 2) ? vl_below(rng, 64) : 0);
    s->broken = vl_below(rng, 4) ? 60 + vl_below(rng, 120) : 0;
    s->globals = vl_below(rng, 3) ? 0 : 60;
    uint16_t asid = (uint16_t)vl_random_bits(rng, ASID_W);
    for (unsigned k = 0; k < SPACES; k++) {
        s->space[k].asid = k == 0 ? asid : k == 1 ? asid ^ (uint16_t)(1u << vl_below(rng, ASID_W)) : (uint16_t)~asid;
        for (unsigned t = 0; t < TABLES; t++)
            do
                s->space[k].frame[t] = page_at(s, rng, 0, false);
            while (is_table(s, k, t));
    }
}

/* A page number that has entries at all levels. */
static uint64_t random_page(const spaces_t *s, struct vl_rng *rng, unsigned span)
{
    uint64_t vpn = 0;
    for (unsigned l = 0; l < LEVELS; l++)
        vpn |= (uint64_t)s->index[vl_below(rng, span)] << 9 * l;
    return vpn;
}

/* ---- versions --------------------------------------------------------------------------------------------------- */
/* A space is about to change: its old version may stay in the TLBs until an invalidation takes it. */
static void spaces_keep(spaces_t *s, unsigned k)
{
    s->old[s->olds++] = (version_t){.space = s->space[k], .of = k};
}

static void spaces_invalidated(spaces_t *s, const inv_t *inv)
{
    if (inv->scope == INV_ALL)
        s->olds = 0;
    for (unsigned k = 0; k < s->olds; k++) {
        version_t *v = &s->old[k];
        if (inv->scope == INV_PAGE)
            v->inv[v->invs++] = *inv;
        else
            v->globals_only |= inv->asid == v->space.asid;
    }
}

static bool spaces_full(const spaces_t *s)
{
    for (unsigned k = 0; k < s->olds; k++)
        if (s->old[k].invs == PAGE_INVS)
            return true;
    return s->olds == VERSIONS;
}
#endif
