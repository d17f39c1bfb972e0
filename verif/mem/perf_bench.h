/* Shared by the benches of the memory side's counters: inputs are held for stretches of cycles, between which events, clear and the index
 * that is read change apart from each other. */
#ifndef VERIF_MEM_PERF_BENCH_H
#define VERIF_MEM_PERF_BENCH_H
#include "verif/common/bench.h"

/* The kinds of events: at random, mostly none, all at once; mode 3 of a bench mixes them. */
enum { NOISE, SPARSE, ALL };
enum { LOW_END = 128 }; /* where the low bits of the RTL's counters have gone once around */

typedef struct {
    unsigned length, done; /* cycles of the present inputs, of these over */
    unsigned equal; /* cycles of the present events */
    unsigned age; /* cycles since another counter was chosen, at least */
} stretch_t;

static inline unsigned perf_style(bench_t *b)
{
    return b->mode == 3 ? vl_below(&b->rng, 3) : b->mode;
}

/* The next stretch begins: does it clear? */
static inline bool perf_clears(bench_t *b)
{
    return vl_below(&b->rng, b->mode ? 600 : 60) == 0;
}

/* ... has it other events? */
static inline bool perf_changes(bench_t *b)
{
    return !b->cycle || vl_chance(&b->rng, b->mode == NOISE ? 200 : 20);
}

/* ... which one of `counters` does it read, and how long is it? */
static inline void perf_begin(bench_t *b, stretch_t *s, bool clear, uint8_t *rd_idx, unsigned counters)
{
    s->age += s->done;
    if (s->age > 3 && vl_chance(&b->rng, 64)) { /* at most in every fourth cycle */
        s->age = 0;
        *rd_idx = (uint8_t)(vl_chance(&b->rng, 2) ? vl_random(&b->rng) : vl_below(&b->rng, counters + 2));
    }
    s->done = 0;
    s->length = clear || vl_chance(&b->rng, 240) ? 1 : 1 + vl_below(&b->rng, 8u << vl_below(&b->rng, 7));
}

/* A cycle of a bench's drive(): the counter that is read is right; where a stretch is over the next one begins, after `over`; its inputs, e->held, are this cycle's. The bench has new_events(), e->stretch,
 * e->want.read and the points COV_COUNTER, COV_LONG, COV_BEYOND. The low bits of the counter that is read have gone once around at `end`. */
#define PERF_STRETCH(b, e, out, in, counters, end, over)                                                                \
    do {                                                                                                                \
        const unsigned idx_ = (e)->held.rd_idx;                                                                         \
        BENCH_CHECK(b, (out)->rd_data == (e)->want.read, "counter %u is %" PRIu64 ", not %" PRIu64, idx_,               \
                    (out)->rd_data, (e)->want.read);                                                                    \
        if (idx_ < (counters))                                                                                          \
            BENCH_COVER(b, COV_COUNTER + idx_, (out)->rd_data > (uint64_t)(end));                                       \
        if ((e)->stretch.done == (e)->stretch.length) {                                                                 \
            over;                                                                                                       \
            const bool clear_ = perf_clears(b);                                                                         \
            uint8_t next_ = (uint8_t)idx_; /* new events are new inputs */                                              \
            if (perf_changes(b))                                                                                        \
                new_events(b, e, &(e)->held);                                                                           \
            perf_begin(b, &(e)->stretch, clear_, &next_, counters);                                                     \
            (e)->held.rd_idx = next_;                                                                                   \
            (e)->held.clear = clear_;                                                                                   \
        }                                                                                                               \
        *(in) = (e)->held;                                                                                              \
        (e)->stretch.done++;                                                                                            \
        (e)->stretch.equal++;                                                                                           \
        BENCH_COVER(b, COV_LONG, (e)->stretch.equal > (counters) + 2);                                                  \
        BENCH_COVER(b, COV_BEYOND, (in)->rd_idx >= (counters));                                                         \
    } while (0)
#endif
