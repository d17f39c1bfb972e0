#include "sw/runtime/page_table.h"

#include <stdlib.h>
#include <string.h>

#include "sw/runtime/vellum.h"

/* A table and our copy of it. While it is new, nothing points to it on the device and nothing of it is written. */
typedef struct node {
    uint64_t pte[PT_ENTRIES];
    struct node **child; /* NULL on the last level */
    uint64_t ppn;
    unsigned used;        /* entries that are not 0 */
    unsigned first, last; /* entries [first, last) are yet to be written */
    bool fresh;
} node;

struct page_table {
    pt_memory memory;
    node *root;
    uint64_t tables;
};

#define PAGE 4096ull
#define VA_MASK ((1ull << 48) - 1)

static uint64_t pte_of(uint64_t frame, unsigned flags)
{
    return frame >> 12 << 10 | flags;
}
static bool is_leaf(uint64_t pte)
{
    return pte & (PT_R | PT_X);
}

/* ---- tables ---- */

static int node_new(page_table *t, unsigned level, node **out)
{
    node *n = calloc(1, sizeof *n);
    *out = NULL;
    if (!n)
        return VL_ENOMEM;
    if (level && !(n->child = calloc(PT_ENTRIES, sizeof *n->child))) {
        free(n);
        return VL_ENOMEM;
    }
    int e = t->memory.take(t->memory.user, &n->ppn);
    if (e) {
        free(n->child);
        free(n);
        return e;
    }
    n->fresh = true;
    t->tables++;
    *out = n;
    return 0;
}

static void node_free(page_table *t, node *n)
{
    for (unsigned i = 0; n->child && i < PT_ENTRIES; i++)
        if (n->child[i])
            node_free(t, n->child[i]);
    t->memory.give(t->memory.user, n->ppn);
    t->tables--;
    free(n->child);
    free(n);
}

static int flush(page_table *t, node *n)
{
    unsigned first = n->first, count = n->last - first;
    n->first = n->last = 0;
    return count && !n->fresh ? t->memory.write(t->memory.user, n->ppn * PAGE + first * 8, n->pte + first, count) : 0;
}

/* Entries change in ascending order, and those of one call are written together. */
static void set(node *n, unsigned i, uint64_t pte)
{
    n->used += (pte != 0) - (n->pte[i] != 0);
    n->pte[i] = pte;
    if (n->first == n->last)
        n->first = i;
    n->last = i + 1;
}

/* Hangs a new table in: all of it is written before the pointer to it. */
static int hang(page_table *t, node *n, unsigned i, node *child)
{
    int e = 0;
    if (!n->fresh) { /* below a new table, all is written with that one */
        node *stack[PT_LEVELS] = {child};
        unsigned at[PT_LEVELS] = {0}, depth = 1;
        while (depth && !e) { /* children first */
            node *c = stack[depth - 1];
            while (c->child && at[depth - 1] < PT_ENTRIES && !c->child[at[depth - 1]])
                at[depth - 1]++;
            if (c->child && at[depth - 1] < PT_ENTRIES) {
                stack[depth] = c->child[at[depth - 1]++];
                at[depth++] = 0;
                continue;
            }
            e = t->memory.write(t->memory.user, c->ppn * PAGE, c->pte, PT_ENTRIES);
            c->fresh = false;
            c->first = c->last = 0;
            depth--;
        }
    }
    if (e) {
        node_free(t, child);
        return e;
    }
    n->child[i] = child;
    set(n, i, pte_of(child->ppn * PAGE, PT_V));
    return flush(t, n);
}

/* Writes entry i, and then gives back what hung there. */
static int replace(page_table *t, node *n, unsigned i, uint64_t pte)
{
    node *child = n->child ? n->child[i] : NULL;
    set(n, i, pte);
    if (!child)
        return 0;
    int e = flush(t, n);
    n->child[i] = NULL;
    node_free(t, child);
    return e;
}

/* The same mapping by leaves of the next smaller size. */
static int split(page_table *t, node *n, unsigned i, unsigned level)
{
    node *child;
    int e = node_new(t, level - 1, &child);
    if (e)
        return e;
    for (unsigned k = 0; k < PT_ENTRIES; k++)
        child->pte[k] = pte_of(pt_frame(n->pte[i]) + k * pt_page_bytes(level - 1), n->pte[i] & PT_FLAGS);
    child->used = PT_ENTRIES;
    return hang(t, n, i, child);
}

/* ---- ranges ---- */

typedef struct job {
    enum { MAP, UNMAP, PROTECT } what;
    uint64_t low, high, frame; /* frame: of low */
    unsigned level, flags;
} job;

static int update(page_table *t, node *n, unsigned level, uint64_t base, const job *j);

/* MAP where no table is yet: made whole before anything points to it. */
static int grow(page_table *t, node *n, unsigned i, unsigned level, uint64_t base, const job *j)
{
    node *child;
    int e = node_new(t, level - 1, &child);
    if (e)
        return e;
    e = update(t, child, level - 1, base, j);
    int h = child->used ? hang(t, n, i, child) : 0;
    if (!child->used)
        node_free(t, child);
    return e ? e : h;
}

static int update_entry(page_table *t, node *n, unsigned i, unsigned level, uint64_t base, const job *j)
{
    uint64_t size = pt_page_bytes(level), pte = n->pte[i];
    bool whole = j->low <= base && base + size <= j->high;
    int e = 0;
    if (j->what == MAP && level == j->level)
        return replace(t, n, i, pte_of(j->frame + (base - j->low), j->flags));
    if (pte == 0)
        return j->what == MAP ? grow(t, n, i, level, base, j) : 0;
    if (j->what == UNMAP && whole)
        return replace(t, n, i, 0);
    if (is_leaf(pte)) {
        if (j->what == PROTECT && whole) {
            set(n, i, (pte & ~(uint64_t)PT_FLAGS) | j->flags);
            return 0;
        }
        if ((e = split(t, n, i, level)))
            return e;
    }
    node *child = n->child[i];
    e = update(t, child, level - 1, base, j);
    return child->used ? e : e ? e : replace(t, n, i, 0);
}

static int update(page_table *t, node *n, unsigned level, uint64_t base, const job *j)
{
    uint64_t size = pt_page_bytes(level);
    unsigned i = j->low > base ? (unsigned)((j->low - base) / size) : 0;
    int e = 0;
    for (; i < PT_ENTRIES && base + i * size < j->high && !e; i++)
        e = update_entry(t, n, i, level, base + i * size, j);
    int f = flush(t, n);
    return e ? e : f;
}

static int change(page_table *t, uint64_t va, uint64_t bytes, job j, unsigned level)
{
    uint64_t page = pt_page_bytes(level), top = va >> 47;
    if ((top && top != ~0ull >> 47) || va % page || bytes % page || bytes > 1ull << 47)
        return VL_EINVAL;
    j.low = va & VA_MASK;
    j.high = j.low + bytes;
    if (bytes && (j.high - 1) >> 47 != (top & 1))
        return VL_EINVAL;
    return bytes ? update(t, t->root, PT_LEVELS - 1, 0, &j) : 0;
}

int page_table_map(page_table *t, uint64_t va, uint64_t bytes, uint64_t frame, unsigned level, unsigned flags)
{
    if (level >= PT_LEAF_LEVELS || frame % pt_page_bytes(level) || !(flags & (PT_R | PT_X))
        || flags & ~(unsigned)PT_FLAGS)
        return VL_EINVAL;
    return change(t, va, bytes, (job){.what = MAP, .frame = frame, .level = level, .flags = flags | PT_V}, level);
}

int page_table_unmap(page_table *t, uint64_t va, uint64_t bytes)
{
    return change(t, va, bytes, (job){.what = UNMAP}, 0);
}

int page_table_protect(page_table *t, uint64_t va, uint64_t bytes, unsigned flags)
{
    if (!(flags & (PT_R | PT_X)) || flags & ~(unsigned)PT_FLAGS)
        return VL_EINVAL;
    return change(t, va, bytes, (job){.what = PROTECT, .flags = flags | PT_V}, 0);
}

/* ---- the whole ---- */

int page_table_new(page_table **out, const pt_memory *memory)
{
    page_table *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return VL_ENOMEM;
    t->memory = *memory;
    int e = node_new(t, PT_LEVELS - 1, &t->root);
    if (!e) {
        e = memory->write(memory->user, t->root->ppn * PAGE, t->root->pte, PT_ENTRIES);
        t->root->fresh = false;
    }
    if (e)
        page_table_free(t);
    else
        *out = t;
    return e;
}

void page_table_free(page_table *t)
{
    if (!t)
        return;
    if (t->root)
        node_free(t, t->root);
    free(t);
}

uint64_t page_table_root(const page_table *t)
{
    return t->root->ppn;
}
uint64_t page_table_tables(const page_table *t)
{
    return t->tables;
}

bool page_table_walk(const page_table *t, uint64_t va, uint64_t *pte, unsigned *level)
{
    const node *n = t->root;
    for (unsigned l = PT_LEVELS - 1;; l--) {
        unsigned i = va / pt_page_bytes(l) % PT_ENTRIES;
        if (!n->pte[i])
            return false;
        if (is_leaf(n->pte[i])) {
            *pte = n->pte[i];
            *level = l;
            return true;
        }
        n = n->child[i];
    }
}
