#include "sw/runtime/frames.h"

#include <stdlib.h>

#include "sw/runtime/vellum.h"

#define PAGE 4096ull

static bool bit(const uint64_t *map, uint64_t i)
{
    return map[i / 64] >> (i % 64) & 1;
}
static void set(uint64_t *map, uint64_t i)
{
    map[i / 64] |= 1ull << (i % 64);
}

int vl_frames_init(vl_frames *f, uint64_t base, uint64_t limit, uint64_t hole, uint64_t hole_bytes)
{
    *f = (vl_frames){.first = (base + PAGE - 1) / PAGE};
    f->n = limit / PAGE > f->first ? limit / PAGE - f->first : 0;
    f->taken = calloc(f->n / 64 + 1, 8);
    f->written = calloc(f->n / 64 + 1, 8);
    if (!f->taken || !f->written) {
        vl_frames_done(f);
        return VL_ENOMEM;
    }
    f->free = f->n;
    for (uint64_t i = hole / PAGE; i < (hole + hole_bytes + PAGE - 1) / PAGE; i++)
        if (i - f->first < f->n) {
            set(f->taken, i - f->first);
            f->free--;
        }
    return 0;
}

void vl_frames_done(vl_frames *f)
{
    free(f->taken);
    free(f->written);
    *f = (vl_frames){0};
}

static bool all_free(const vl_frames *f, uint64_t i, uint64_t count)
{
    for (uint64_t k = i; k < i + count; k++)
        if (bit(f->taken, k))
            return false;
    return true;
}

/* The first run of free frames at or after block `from` of `blocks`, around the end; `skip` makes block 0 aligned. */
static bool search(const vl_frames *f, uint64_t from, uint64_t blocks, uint64_t skip, uint64_t count, uint64_t *at)
{
    for (uint64_t k = 0; k < blocks; k++) {
        uint64_t i = skip + (from + k) % blocks * count;
        if (count == 1 && i % 64 == 0 && i + 64 <= f->n && f->taken[i / 64] == ~0ull
            && (from + k) % blocks + 64 <= blocks) {
            k += 63;
            continue;
        }
        if (all_free(f, i, count)) {
            *at = i;
            return true;
        }
    }
    return false;
}

static void take(vl_frames *f, uint64_t i, uint64_t count, uint64_t *addr, bool *zero)
{
    bool fresh = true;
    for (uint64_t k = i; k < i + count; k++) {
        fresh &= !bit(f->written, k);
        set(f->taken, k);
        set(f->written, k);
    }
    f->free -= count;
    *addr = (f->first + i) * PAGE;
    if (zero)
        *zero = fresh;
}

bool vl_frames_take(vl_frames *f, unsigned level, uint64_t *addr, bool *zero)
{
    uint64_t count = 1ull << 9 * level, skip = (count - f->first % count) % count, i, from = 0;
    uint64_t blocks = f->n > skip ? (f->n - skip) / count : 0;
    if (f->free < count || !blocks)
        return false;
    if (f->random) {
        from = vl_random(&f->state) % blocks;
        for (int tries = 0; tries < 16 && !all_free(f, skip + from * count, count); tries++)
            from = vl_random(&f->state) % blocks;
    } else if (level == 0) {
        from = f->lowest;
    }
    if (!search(f, from, blocks, skip, count, &i))
        return false;
    if (level == 0 && !f->random)
        f->lowest = i + 1 < f->n ? i + 1 : 0;
    take(f, i, count, addr, zero);
    return true;
}

static uint32_t colour(const vl_frames *f, uint64_t i)
{
    return (uint32_t)((f->first + i) / f->run % f->colours);
}

/* The lowest free frame of a colour at or above `from`; f->n: all are in use. */
static uint64_t next_of(const vl_frames *f, uint32_t c, uint64_t from)
{
    while (from < f->n && (colour(f, from) != c || bit(f->taken, from)))
        from++;
    return from;
}

bool vl_frames_take_of(vl_frames *f, uint64_t colours, uint64_t *addr, bool *zero)
{
    uint64_t best = f->n;
    const uint64_t from = f->random && f->n ? vl_random(&f->state) % f->n : 0;
    for (uint32_t c = 0; c < f->colours; c++) {
        if (!(colours >> c & 1))
            continue;
        uint64_t i = f->lowest_of[c] = next_of(f, c, f->lowest_of[c]);
        if (i < from) { /* at or after a random place, around the end */
            const uint64_t after = next_of(f, c, from);
            i = after < f->n ? after : i;
        }
        if (i < f->n && (best == f->n || (i < from) < (best < from) || ((i < from) == (best < from) && i < best)))
            best = i;
    }
    if (best == f->n)
        return false;
    take(f, best, 1, addr, zero);
    return true;
}

void vl_frames_give(vl_frames *f, uint64_t addr)
{
    uint64_t i = addr / PAGE - f->first;
    f->taken[i / 64] &= ~(1ull << (i % 64));
    if (i < f->lowest)
        f->lowest = i;
    if (f->colours && i < f->lowest_of[colour(f, i)])
        f->lowest_of[colour(f, i)] = i;
    f->free++;
}
