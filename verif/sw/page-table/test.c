/* Page tables of libvellum, as the device sees them: random changes of mappings, judged by the reference's translation of the tables in
 * memory against a plain list of pages. While a change is under way, every look must find the state before it or after it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_c/ref/translate.h"
#include "sw/runtime/page_table.h"
#include "sw/runtime/vellum.h"
#include "verif/ref/lib/rng.h"

enum { REGIONS = 3, PAGES = 1 << 18, FRAMES = 4096, JUNK = 0x5a, LOOKS = 60 };

/* Where things are mapped: gigabytes in both halves, two next to each other. */
static const uint64_t region[REGIONS] = {0x0000200000000000, 0x0000200040000000, 0xffffffff80000000};

typedef struct {
    uint64_t want[REGIONS][PAGES]; /* frame | flags, 0: nothing */
    uint64_t before[REGIONS][PAGES];
    uint64_t memory[FRAMES][PT_ENTRIES];
    enum { FREE, TAKEN, RETIRED } state[FRAMES];
    unsigned taken, refuse; /* refuse: countdown to the take that fails; 0: none fails */
    page_table *table;
    uint64_t low, high; /* range of the change under way, as region * PAGES + page */
    bool under_way;
    uint64_t looks;
    rng r;
} world;

static world w;
static char failure[400];

#define FAIL(...) (*failure ? (void)0 : (void)snprintf(failure, sizeof failure, __VA_ARGS__))

static uint64_t read_pte(void *user, uint64_t addr)
{
    (void)user;
    uint64_t frame = addr >> 12;
    if (frame >= FRAMES || w.state[frame] == FREE) {
        FAIL("a walk comes to %#" PRIx64 ", which is no table", addr);
        return 0;
    }
    if (w.state[frame] == RETIRED)
        FAIL("a walk comes to a table that was given back, at %#" PRIx64, addr);
    return w.memory[frame][addr >> 3 & 511];
}

static uint64_t va_of(uint64_t page)
{
    return region[page / PAGES] + page % PAGES * 4096;
}

/* Whether a use of a page has the result that its entry demands. */
static bool same(const ref_translation *t, uint64_t entry, ref_use use, uint64_t va)
{
    bool may = use == REF_USE_LOAD    ? entry & PT_R
               : use == REF_USE_STORE ? (entry & PT_W) && (entry & PT_D)
                                      : (entry & PT_X) != 0;
    if (!(entry & PT_U) || !(entry & PT_A))
        may = false;
    if (!may)
        return t->verdict == REF_PAGE_FAULT;
    return t->verdict == REF_TRANSLATED && t->pa == (entry & ~4095ull) + (va & 4095);
}

static void look(uint64_t page)
{
    ref_use use = (ref_use)rng_below(&w.r, 3);
    uint64_t va = va_of(page) + (rng_u64(&w.r) & 4095);
    const ref_space space = {.root = page_table_root(w.table), .base = 0, .limit = 1ull << 48};
    ref_translation t = ref_translate(&space, va, use, read_pte, NULL);
    uint64_t now = w.want[page / PAGES][page % PAGES], old = w.before[page / PAGES][page % PAGES];
    bool either = w.under_way && page >= w.low && page < w.high;
    w.looks++;
    if (!same(&t, now, use, va) && !(either && same(&t, old, use, va)))
        FAIL("%#" PRIx64 ", use %d: verdict %d, address %#" PRIx64 "; wanted entry %#" PRIx64 "%s", va, use, t.verdict,
             t.pa, now, either ? ", or what was there before" : "");
    if (w.under_way)
        return;
    uint64_t pte;
    unsigned level;
    bool found = page_table_walk(w.table, va, &pte, &level);
    if (found != (now != 0)
        || (found
            && (pt_frame(pte) + (va & (pt_page_bytes(level) - 1)) != (now & ~4095ull) + (va & 4095)
                || (pte & PT_FLAGS) != (now & PT_FLAGS))))
        FAIL("%#" PRIx64 ": page_table_walk finds %#" PRIx64 ", wanted %#" PRIx64, va, found ? pte : 0, now);
}

static void looks(unsigned n)
{
    for (unsigned i = 0; i < n && !*failure; i++) {
        uint64_t page = rng_below(&w.r, 3) ? w.low + rng_u64(&w.r) % (w.high - w.low + 16) - 8 : rng_u64(&w.r);
        look(page % (REGIONS * PAGES));
    }
}

static int take(void *user, uint64_t *ppn)
{
    (void)user;
    if (w.refuse && --w.refuse == 0)
        return VL_EDEVMEM;
    unsigned f = (unsigned)rng_below(&w.r, FRAMES);
    for (unsigned n = 0; n < FRAMES && w.state[f] != FREE; n++)
        f = (f + 1) % FRAMES;
    if (w.state[f] != FREE)
        return VL_EDEVMEM;
    w.state[f] = TAKEN;
    w.taken++;
    memset(w.memory[f], JUNK, sizeof w.memory[f]); /* looks like a pointer to somewhere */
    *ppn = f;
    return 0;
}

static void give(void *user, uint64_t ppn)
{
    (void)user;
    if (ppn >= FRAMES || w.state[ppn] != TAKEN)
        FAIL("frame %#" PRIx64 " is given back, but was not taken", ppn);
    else
        w.state[ppn] = RETIRED, w.taken--;
}

static int write_ptes(void *user, uint64_t addr, const uint64_t *pte, unsigned n)
{
    (void)user;
    uint64_t frame = addr >> 12, at = addr >> 3 & 511;
    if (frame >= FRAMES || w.state[frame] != TAKEN || addr & 7 || at + n > PT_ENTRIES) {
        FAIL("a write of %u PTEs to %#" PRIx64, n, addr);
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        w.memory[frame][at + i] = pte[i];
        if (w.under_way && rng_below(&w.r, n) < 4)
            looks(1); /* a walker at any moment */
    }
    return 0;
}

static unsigned some_flags(void)
{
    static const unsigned rights[] = {PT_R, PT_R | PT_W, PT_X, PT_R | PT_X, PT_R | PT_W | PT_X};
    static const unsigned state[] = {PT_U | PT_A | PT_D, PT_U | PT_A | PT_D, PT_U | PT_A, PT_U, PT_A | PT_D};
    return rights[rng_below(&w.r, 5)] | state[rng_below(&w.r, 5)];
}

static void change(void)
{
    unsigned level = rng_below(&w.r, 8) == 0 ? 2 : rng_below(&w.r, 2), what = (unsigned)rng_below(&w.r, 5);
    uint64_t unit = 1ull << 9 * level, k = rng_below(&w.r, REGIONS), flags = some_flags();
    uint64_t at = rng_u64(&w.r) % PAGES;
    if (rng_below(&w.r, 2))
        at = at % 2048 + (rng_below(&w.r, 2) ? PAGES - 2048 : 0); /* close together */
    at -= at % unit;
    uint64_t most = (PAGES - at) / unit, n = 1 + rng_u64(&w.r) % (rng_below(&w.r, 4) ? 4 : 700);
    n = (n < most ? n : most) * unit;
    uint64_t frame = (rng_u64(&w.r) & 0xfffffffff) * 4096 & ~(unit * 4096 - 1);
    frame &= (1ull << 47) - 1;
    if (rng_below(&w.r, 12) == 0)
        w.refuse = 1 + (unsigned)rng_below(&w.r, 4);
    w.low = k * PAGES + at, w.high = w.low + n;
    memcpy(w.before[k] + at, w.want[k] + at, n * sizeof w.want[k][0]);
    for (uint64_t i = at; i < at + n; i++) {
        uint64_t *e = &w.want[k][i];
        if (what < 3)
            *e = frame + (i - at) * 4096 + flags + PT_V;
        else if (what == 3)
            *e = 0;
        else if (*e)
            *e = (*e & ~4095ull) + flags + PT_V;
    }
    w.under_way = true;
    uint64_t va = va_of(w.low), bytes = n * 4096;
    int e = what < 3    ? page_table_map(w.table, va, bytes, frame, level, (unsigned)flags)
            : what == 3 ? page_table_unmap(w.table, va, bytes)
                        : page_table_protect(w.table, va, bytes, (unsigned)flags);
    if (e && !w.refuse && e != VL_EDEVMEM)
        FAIL("call %u of %#" PRIx64 " + %#" PRIx64 " level %u: %d", what, va, bytes, level, e);
    w.refuse = 0;
    if (e) { /* a part of the call may have been done: the whole region is unmapped */
        uint64_t first = w.low & ~(uint64_t)(PAGES - 1);
        w.low = first, w.high = first + PAGES;
        memcpy(w.before[k], w.want[k], sizeof w.want[k]);
        memset(w.want[k], 0, sizeof w.want[k]);
        w.under_way = false;
        if (page_table_unmap(w.table, region[k], (uint64_t)PAGES * 4096))
            FAIL("a whole region is not unmapped");
    }
    w.under_way = false;
    looks(LOOKS);
    for (unsigned f = 0; f < FRAMES; f++) /* a shootdown */
        if (w.state[f] == RETIRED)
            w.state[f] = FREE;
    if (page_table_tables(w.table) != w.taken)
        FAIL("%u tables are taken, page_table_tables says %" PRIu64, w.taken, page_table_tables(w.table));
}

/* No table holds nothing: unmapping all leaves the root alone. */
static void wind_up(void)
{
    for (unsigned k = 0; k < REGIONS; k++)
        if (page_table_unmap(w.table, region[k], (uint64_t)PAGES * 4096))
            FAIL("a region is not unmapped");
    if (w.taken != 1)
        FAIL("%u tables are left when nothing is mapped", w.taken);
    page_table_free(w.table);
    if (w.taken)
        FAIL("%u tables are never given back", w.taken);
}

static bool run_seed(uint64_t seed, unsigned changes)
{
    memset(&w, 0, sizeof w);
    *failure = 0;
    w.r = (rng){seed};
    const pt_memory m = {.take = take, .give = give, .write = write_ptes};
    if (page_table_new(&w.table, &m))
        return false;
    unsigned n = 0;
    for (; n < changes && !*failure; n++)
        change();
    if (!*failure)
        wind_up();
    if (*failure)
        printf("seed %" PRIu64 ", change %u: %s\nagain: build/test/page-table %" PRIu64 " %u\n", seed, n, failure, seed,
               changes);
    return !*failure;
}

static bool refused(const char *what, int e)
{
    if (e != VL_EINVAL)
        printf("%s: %d, not refused\n", what, e);
    return e == VL_EINVAL;
}

static bool wrong_use(void)
{
    memset(&w, 0, sizeof w);
    w.r = (rng){0};
    const pt_memory m = {.take = take, .give = give, .write = write_ptes};
    if (page_table_new(&w.table, &m))
        return false;
    const unsigned rw = PT_R | PT_W | PT_U | PT_A | PT_D;
    bool ok = refused("an address that is not canonical", page_table_map(w.table, 1ull << 47, 4096, 0, 0, rw));
    ok &=
        refused("a range over the end of the lower half", page_table_map(w.table, (1ull << 47) - 4096, 8192, 0, 0, rw));
    ok &= refused("a range over the end of all", page_table_map(w.table, ~0ull << 12, 8192, 0, 0, rw));
    ok &= refused("half a page", page_table_map(w.table, 0x1000, 2048, 0, 0, rw));
    ok &= refused("an address inside a page", page_table_map(w.table, 0x1000, 1 << 21, 0, 1, rw));
    ok &= refused("a frame inside a page", page_table_map(w.table, 1 << 21, 1 << 21, 4096, 1, rw));
    ok &= refused("a leaf of 512 GB", page_table_map(w.table, 0, 1ull << 39, 0, 3, rw));
    ok &= refused("a leaf without rights", page_table_map(w.table, 0, 4096, 0, 0, PT_U | PT_A));
    ok &= refused("half a page taken away", page_table_unmap(w.table, 0x1800, 4096));
    ok &= refused("rights of nothing", page_table_protect(w.table, 0x1000, 4096, PT_U));
    if (page_table_map(w.table, (1ull << 47) - 4096, 4096, 4096, 0, rw)
        || page_table_map(w.table, ~0ull << 12, 4096, 4096, 0, rw))
        ok = false, puts("the last pages cannot be mapped");
    if (page_table_map(w.table, 0x1000, 0, 0, 0, rw))
        ok = false, puts("nothing cannot be mapped");
    page_table_free(w.table);
    return ok && !*failure && w.taken == 0;
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    unsigned changes = argc > 2 ? (unsigned)atoi(argv[2]) : 1500, seeds = argc > 1 ? 1 : 4;
    if (wrong_use())
        passed++;
    else
        failed++;
    for (unsigned i = 0; i < seeds; i++) {
        printf("seed %" PRIu64 "\n", first + i);
        if (run_seed(first + i, changes))
            passed++;
        else
            failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
