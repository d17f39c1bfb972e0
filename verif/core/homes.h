/* Homes for benches of blocks that have `homes` (docs/compaction.md): the home of the thread at each place of a warp. With compaction = none it is always the warp itself. */
#ifndef VERIF_CORE_HOMES_H
#define VERIF_CORE_HOMES_H
#include "sim_c/common/vl_bits.h"
#include "vl_types.h"

/* in: the inputs of a block of this cycle. */
#define HOME_AT(in, w, t) (COMPACTS ? (unsigned)(in)->homes[(w) % HOME_WARPS][(t) % HOME_PLACES] : (unsigned)(w))

/* Of each place the warps have the homes in some order: a thread is in one warp. */
typedef struct {
    uint8_t home[WARPS][THREADS];
} bench_homes_t;
typedef bool homes_rests_t(const void *env, unsigned warp); /* nothing of the warp is in flight */

static inline void homes_begin(bench_homes_t *h)
{
    for (unsigned w = 0; w < WARPS; w++)
        memset(h->home[w], (int)w, sizeof h->home[w]);
}

static inline void homes_swap(bench_homes_t *h, unsigned w, unsigned x, unsigned t)
{
    const uint8_t was = h->home[w][t];
    h->home[w][t] = h->home[x][t];
    h->home[x][t] = was;
}

/* Two warps with nothing in flight exchange a place. */
static inline void homes_move(vl_rng_t *r, bench_homes_t *h, homes_rests_t *rests, const void *env)
{
    if (!COMPACTS)
        return;
    const unsigned w = vl_below(r, WARPS), x = vl_below(r, WARPS);
    if (rests(env, w) && rests(env, x))
        homes_swap(h, w, x, vl_below(r, THREADS));
}

/* Before a start of w its threads are in w again. False: some of them are in flight. */
static inline bool homes_back(bench_homes_t *h, unsigned w, homes_rests_t *rests, const void *env)
{
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned x = 0; x < WARPS; x++)
            if (h->home[x][t] == w && !rests(env, x))
                return false;
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned x = 0; x < WARPS; x++)
            if (x != w && h->home[x][t] == w)
                homes_swap(h, w, x, t);
    return true;
}

#define HOMES_SHOW(h, in)                                                                                             \
    do {                                                                                                              \
        for (unsigned w_ = 0; COMPACTS && w_ < WARPS; w_++)                                                           \
            for (unsigned t_ = 0; t_ < THREADS; t_++)                                                                 \
                (in)->homes[w_ % HOME_WARPS][t_ % HOME_PLACES] = (h)->home[w_][t_];                                   \
    } while (0)
#endif
