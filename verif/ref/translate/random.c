/* The expected translation comes from a list, not from tables: of PTEs that end a walk, each with the part of the address space that it
 * maps. The tables are made from that list, with correct pointers on the way. */
#include "verif/ref/translate/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim_c/ref/translate.h"
#include "verif/ref/lib/rng.h"

enum { ENDS = 24, TABLES = 1 + 3 * ENDS, LOOKS = 200, FIRST = 0x7a5000 /* page of the tables */ };

typedef struct {
    uint64_t prefix, pte; /* prefix: the address above the page of this level */
    unsigned level;
} end;

/* Table n lies in page FIRST + n: it holds the PTEs of `level` for the addresses with this prefix. */
typedef struct {
    uint64_t prefix, pte[512];
    unsigned level;
    bool global;
} table;

typedef struct {
    ref_space space;
    end ends[ENDS];
    unsigned n_ends, n_tables;
    table tables[TABLES];
    uint64_t came[3][REF_LEVELS + 1]; /* counts of each verdict, by reads of its walk */
} world;

static uint64_t above(uint64_t va, unsigned level)
{
    return (va & 0xffffffffffff) >> (12 + 9 * level);
}

static const table *table_for(const world *w, uint64_t va, unsigned level)
{
    for (unsigned k = 0; k < w->n_tables; k++)
        if (w->tables[k].level == level && w->tables[k].prefix == (level == 3 ? 0 : above(va, level + 1)))
            return &w->tables[k];
    return NULL;
}

static const end *end_for(const world *w, uint64_t va)
{
    for (unsigned k = 0; k < w->n_ends; k++)
        if (above(va, w->ends[k].level) == w->ends[k].prefix)
            return &w->ends[k];
    return NULL;
}

/* Memory: the tables, and nothing but zeros. */
static uint64_t read_pte(void *user, uint64_t addr)
{
    const world *w = user;
    uint64_t page = addr >> 12;
    return page - FIRST < w->n_tables ? w->tables[page - FIRST].pte[addr >> 3 & 511] : 0;
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static uint64_t table_page(world *w, uint64_t va, unsigned level, rng *r)
{
    const table *old = table_for(w, va, level);
    if (old)
        return FIRST + (uint64_t)(old - w->tables);
    table *t = &w->tables[w->n_tables++];
    memset(t, 0, sizeof *t);
    t->level = level;
    if (level < 3) {
        uint64_t upper = table_page(w, va, level + 1, r);
        t->global = rng_below(r, 8) == 0;
        t->prefix = above(va, level + 1);
        w->tables[upper - FIRST].pte[t->prefix & 511] =
            (FIRST + (uint64_t)(t - w->tables)) << 10 | (rng_u64(r) & 3 << 8) | (t->global ? 0x20 : 0) | 1;
    }
    return FIRST + (uint64_t)(t - w->tables);
}

/* An address that often shares tables with others, in either half. */
static uint64_t some_va(rng *r)
{
    uint64_t va = rng_u64(r) & 0xfff;
    for (unsigned level = 0; level < REF_LEVELS; level++)
        va |= (uint64_t)(rng_below(r, 3) ? rng_below(r, 2) * 511 : rng_below(r, 512)) << (12 + 9 * level);
    return (uint64_t)((int64_t)(va << 16) >> 16);
}

/* Mostly a good leaf, or one with a bit changed; or anything. */
static uint64_t some_pte(rng *r, unsigned level, const ref_space *space)
{
    static const uint8_t low[] = {0xdf, 0xd7, 0xd3, 0x5b, 0x59, 0xd9, 0x57, 0xff, 0x53, 0x01, 0x21};
    uint64_t near_end = (rng_below(r, 2) ? space->limit : space->base) >> 12, page;
    page = rng_below(r, 3) ? rng_u64(r) & 0xfffffffff
                           : near_end - (3ull << 9 * level) + (rng_u64(r) & 7) * (1ull << 9 * level);
    page &= rng_below(r, 8) ? ~0ull << 9 * level : ~0ull;
    uint64_t pte = (page & 0xfffffffff) << 10 | (rng_u64(r) & 3 << 8) | low[rng_below(r, sizeof low)];
    if (rng_below(r, 3) == 0)
        pte ^= 1ull << rng_below(r, rng_below(r, 2) ? 8 : 64);
    if (rng_below(r, 16) == 0)
        pte = rng_u64(r) & ~(rng_below(r, 2) ? 0xffffull << 46 | 7ull << 61 : 0);
    return pte;
}

static bool points_to_a_table(uint64_t pte)
{
    return (pte >> 10 & 0xfffffffff) - FIRST < TABLES;
}

static void make(world *w, rng *r)
{
    w->n_ends = w->n_tables = 0;
    w->space = (ref_space){.root = FIRST, .base = (uint64_t)FIRST << 12, .limit = (uint64_t)(FIRST + TABLES) << 12};
    w->space.limit += (rng_u64(r) >> rng_below(r, 40)) % ((1ull << 48) - w->space.limit) & ~127ull;
    if (rng_below(r, 4) == 0) /* some of the tables outside */
        w->space.limit = (uint64_t)(FIRST + rng_below(r, 20)) << 12 | (rng_u64(r) & 0xf80);
    if (rng_below(r, 16) == 0)
        w->space.base += rng_u64(r) % (TABLES << 12) & ~127ull;
    table_page(w, 0, 3, r);
    for (unsigned k = 0; k < ENDS; k++) {
        uint64_t va = some_va(r);
        static const unsigned how_often[] = {0, 0, 0, 1, 1, 2, 2, 3};
        unsigned level = how_often[rng_below(r, 8)];
        end e = {.prefix = above(va, level), .pte = some_pte(r, level, &w->space), .level = level};
        /* No two ends may map the same address. */
        bool clear = !points_to_a_table(e.pte) && !(level > 0 && table_for(w, va, level - 1));
        if (!clear || end_for(w, va))
            continue;
        w->tables[table_page(w, va, level, r) - FIRST].pte[e.prefix & 511] = e.pte;
        w->ends[w->n_ends++] = e;
    }
}

/* ---- the expected result ------------------------------------------------------------------------------------------ */

static bool whole(const ref_space *s, uint64_t first, uint64_t last)
{
    return s->base <= first && last < s->limit;
}

static bool one_of(uint8_t low, const uint8_t *list)
{
    for (; *list; list++)
        if (low == *list)
            return true;
    return false;
}

static ref_translation wanted(const world *w, uint64_t va, ref_use use)
{
    /* V R U A, and with it W, X, W and X; the same of X alone; D where the use asks for it (it is ignored elsewhere), G never matters. */
    static const uint8_t good[3][6] = {{0xd3, 0xd7, 0xdb, 0xdf}, {0xd7, 0xdf}, {0xd9, 0xdb, 0xdf}};
    ref_translation t = {.verdict = REF_PAGE_FAULT};
    if (va + (1ull << 47) >= 1ull << 48)
        return t;
    for (int level = 3; level >= 0; level--) { /* the tables on the way to it, as far as they lie in memory */
        const table *at = table_for(w, va, (unsigned)level);
        if (!at)
            break;
        uint64_t addr = (FIRST + (uint64_t)(at - w->tables)) * 4096 + (above(va, (unsigned)level) & 511) * 8;
        if (!whole(&w->space, addr, addr + 7)) {
            t.verdict = REF_ACCESS_FAULT;
            return t;
        }
        t.read[t.reads].addr = addr;
        t.read[t.reads++].value = at->pte[above(va, (unsigned)level) & 511];
        t.global |= at->global;
    }
    const end *e = end_for(w, va);
    if (!e || e->pte >> 46)
        return t;
    uint8_t low = e->pte & 0xdf;
    uint64_t first = (e->pte >> 10) * 4096, offset = (0x1000ull << 9 * e->level) - 1;
    t.global |= e->pte >> 5 & 1;
    if (low == 1 && e->level > 0) { /* to a table of zeros, if there is memory */
        uint64_t addr = first + (above(va, e->level - 1) & 511) * 8;
        if (!whole(&w->space, addr, addr + 7))
            t.verdict = REF_ACCESS_FAULT;
        else
            t.read[t.reads++].addr = addr;
        return t;
    }
    if (!one_of(use == REF_USE_STORE ? low : low | 0x80, good[use]) || first & offset)
        return t;
    t.verdict = REF_ACCESS_FAULT;
    if (!whole(&w->space, first, first | offset))
        return t;
    t.verdict = REF_TRANSLATED;
    t.level = e->level;
    t.pa = first | (va & offset);
    return t;
}

static bool same(const ref_translation *a, const ref_translation *b)
{
    if (a->verdict != b->verdict || a->reads != b->reads)
        return false;
    for (unsigned k = 0; k < a->reads; k++)
        if (a->read[k].addr != b->read[k].addr || a->read[k].value != b->read[k].value)
            return false;
    return a->verdict != REF_TRANSLATED || (a->pa == b->pa && a->level == b->level && a->global == b->global);
}

static void tell(const char *who, const ref_translation *t)
{
    printf("  %s: verdict %d, pa %" PRIx64 ", level %u, global %d;", who, t->verdict, t->pa, t->level, t->global);
    for (unsigned k = 0; k < t->reads; k++)
        printf(" [%" PRIx64 "] = %" PRIx64, t->read[k].addr, t->read[k].value);
    printf("\n");
}

bool random_tables(uint64_t seed, uint64_t rounds)
{
    static world w;
    rng r = {seed};
    memset(w.came, 0, sizeof w.came);
    for (uint64_t round = 0; round < rounds; round++) {
        make(&w, &r);
        for (unsigned k = 0; k < LOOKS; k++) {
            uint64_t va = some_va(&r);
            if (w.n_ends && rng_below(&r, 8)) { /* in a part that the list maps, or next to it */
                const end *e = &w.ends[rng_below(&r, w.n_ends)];
                unsigned shift = 12 + 9 * e->level;
                va = (uint64_t)((int64_t)(e->prefix << shift << 16) >> 16) | (rng_u64(&r) & ((1ull << shift) - 1));
                if (rng_below(&r, 4) == 0)
                    va ^= 1ull << rng_below(&r, 64);
            }
            ref_use use = rng_below(&r, 3);
            ref_translation is = ref_translate(&w.space, va, use, read_pte, &w), must = wanted(&w, va, use);
            if (!same(&is, &must)) {
                printf("seed %" PRIu64 " round %" PRIu64 ": va %" PRIx64 ", use %d, window %" PRIx64 "..%" PRIx64 "\n",
                       seed, round, va, use, w.space.base, w.space.limit);
                tell("reference", &is);
                tell("list", &must);
                printf("  again: verif/ref/translate/run %" PRIu64 " %" PRIu64 "\n", seed, round + 1);
                return false;
            }
            w.came[is.verdict][is.reads]++;
        }
    }
    bool all = true;
    for (unsigned reads = 0; reads <= REF_LEVELS; reads++)
        for (unsigned verdict = 0; verdict < 3; verdict++)
            if (!w.came[verdict][reads] && !(verdict == REF_TRANSLATED && !reads)) {
                printf("seed %" PRIu64 ": verdict %u after %u reads never came\n", seed, verdict, reads);
                all = false;
            }
    return all;
}
