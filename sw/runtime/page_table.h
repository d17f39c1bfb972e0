/*
 * Sv48 page tables in device memory (docs/host-memory.md, Page tables): their contents, and the order in which they are written so that a
 * walker may read at any time. The caller takes care of frames, rights of ranges and shootdowns.
 *
 * Addresses are canonical, and a range lies in one half of the address space. A call that fails may have done a part of its work; the
 * tables are consistent nevertheless, and unmapping the range undoes it.
 */
#ifndef VELLUM_PAGE_TABLE_H
#define VELLUM_PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PT_V = 1 << 0,
    PT_R = 1 << 1,
    PT_W = 1 << 2,
    PT_X = 1 << 3,
    PT_U = 1 << 4,
    PT_G = 1 << 5,
    PT_A = 1 << 6,
    PT_D = 1 << 7
};
enum { PT_FLAGS = 0xff, PT_LEVELS = 4, PT_LEAF_LEVELS = 3, PT_ENTRIES = 512 };

static inline uint64_t pt_page_bytes(unsigned level)
{
    return 4096ull << 9 * level;
}
static inline uint64_t pt_frame(uint64_t pte)
{
    return pte >> 10 << 12;
}

/* Where tables live. Functions return 0 or a VL_E* code, which the failing call then returns. */
typedef struct pt_memory {
    void *user;
    int (*take)(void *user, uint64_t *ppn); /* a frame for a table, with anything in it */
    /* A table that nothing points to any more. A walker may still read it: not to be used again before a shootdown. */
    void (*give)(void *user, uint64_t ppn);
    int (*write)(void *user, uint64_t addr, const uint64_t *pte, unsigned n); /* n PTEs in a row */
} pt_memory;

typedef struct page_table page_table;

int page_table_new(page_table **out, const pt_memory *memory);
/* Gives every table back. NULL is allowed. */
void page_table_free(page_table *t);
uint64_t page_table_root(const page_table *t); /* physical page number */

/* Leaves of `level` (0, 1, 2) with these flags for [va, va + bytes), to physical addresses from `frame` on, in place of the earlier ones.
 * All three are multiples of the page. V is added. VL_EINVAL. */
int page_table_map(page_table *t, uint64_t va, uint64_t bytes, uint64_t frame, unsigned level, unsigned flags);
/* Nothing is mapped there any more. Multiples of 4 KB; larger leaves are split where they are cut. */
int page_table_unmap(page_table *t, uint64_t va, uint64_t bytes);
/* Other flags for the pages mapped there. */
int page_table_protect(page_table *t, uint64_t va, uint64_t bytes, unsigned flags);

/* The leaf that maps va: false if none does. */
bool page_table_walk(const page_table *t, uint64_t va, uint64_t *pte, unsigned *level);
/* How many tables there are. */
uint64_t page_table_tables(const page_table *t);

#endif
