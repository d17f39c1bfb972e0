/* Reads of a channel, for the bench of the counters: requests of slices and answers (docs/blocks/perf.md, Times of reads), their times, and their stimulus. A read's time is the difference of two cycles, of which a multiple
 * of 2^14 does not show. */
#ifndef VERIF_CORE_PERF_READS_H
#define VERIF_CORE_PERF_READS_H
#include "verif/core/perf/rows.h"

enum { READ_IDS = L2_SLICES << HOME_ID_W, READ_COVER = 17 };
static const char *const read_cover[READ_COVER] = {"answer of class 0",
                                                   "of class 1",
                                                   "of class 2",
                                                   "of class 3",
                                                   "of class 4",
                                                   "of class 5",
                                                   "of class 6",
                                                   "of class 7",
                                                   "answer of no application",
                                                   "of one",
                                                   "of all",
                                                   "after 8190 cycles",
                                                   "after 8191",
                                                   "after 8192",
                                                   "after 16383",
                                                   "an id is answered and asked for at one edge",
                                                   "after more than 2^14 cycles"};

typedef struct {
    uint64_t now; /* cycles since reset */
    struct {
        uint64_t at; /* the cycle after it; 0: this id was not asked for yet */
        uint8_t cls, app;
    } asked[READ_IDS];
    bool calm; /* slices read seldom, so that reads grow old */
    bool any; /* this stretch has reads, so that the second twin computes each of its cycles */
    unsigned seldom; /* the mean of cycles between requests of a slice */
} reads_t;

static inline void reads_none(ev_mem_sched_t *s)
{
    s->read_in = s->read_done = s->read_done_id = 0;
    memset(s->read_id, 0, sizeof s->read_id);
    memset(s->read_cls, 0, sizeof s->read_cls);
    memset(s->read_app, 0, sizeof s->read_app);
}

static inline void reads_stretch(bench_t *b, reads_t *r)
{
    r->any = DRAM_DETAIL && vl_below(&b->rng, 3) != 0;
    r->seldom = r->calm ? 1024 : 2u << vl_below(&b->rng, 13);
}

/* The event that the page expects of this cycle's inputs, and the state after it. */
static inline void reads_edge(reads_t *r, extra_t *x, const ev_mem_sched_t *s)
{
    memset(&x->read, 0, sizeof x->read);
    if (s->read_done) {
        const uint64_t time = (r->now + 1 - r->asked[s->read_done_id].at) % 16384;
        x->read.done = true;
        x->read.cls = r->asked[s->read_done_id].cls;
        x->read.app = r->asked[s->read_done_id].app;
        x->read.latency = (uint16_t)(time > 8191 ? 8191 : time);
    }
    r->now++;
    for (unsigned k = 0; k < L2_SLICES; k++)
        if (s->read_in >> k & 1) {
            const unsigned id = k << HOME_ID_W | s->read_id[k];
            r->asked[id].at = r->now, r->asked[id].cls = s->read_cls[k], r->asked[id].app = s->read_app[k];
        }
}

/* A cycle of a stretch with reads: ids that were asked for at any time, now and then one with a time near an end. */
static inline void reads_some(bench_t *b, const reads_t *r, ev_mem_sched_t *s)
{
    static const unsigned ends[] = {8190, 8191, 8192, 16383, 16384, 1};
    unsigned id = vl_below(&b->rng, READ_IDS);
    for (unsigned k = 0; k < L2_SLICES; k++) {
        if (vl_below(&b->rng, r->seldom))
            continue;
        s->read_in |= (uint8_t)(1u << k);
        s->read_id[k] = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 3) ? 2 : 1u << HOME_ID_W); /* not all: ages grow */
        s->read_cls[k] = (uint8_t)vl_below(&b->rng, r->calm ? 5 : 8);
        s->read_app[k] = (uint8_t)(vl_below(&b->rng, 3) ? 1u << vl_below(&b->rng, APPS) : vl_below(&b->rng, 16));
    }
    for (unsigned k = 0; k < READ_IDS && !r->asked[id].at; k++)
        id = (id + 1) % READ_IDS;
    for (unsigned k = 0; k < READ_IDS; k++)
        for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
            if (r->asked[k].at && r->now + 1 - r->asked[k].at == ends[i])
                id = k;
    if (s->read_in && vl_below(&b->rng, 4) == 0) {
        const unsigned slice = (unsigned)__builtin_ctz(s->read_in);
        id = slice << HOME_ID_W | s->read_id[slice];
    }
    if (r->asked[id].at && vl_below(&b->rng, 4)) {
        s->read_done = true;
        s->read_done_id = (uint8_t)id;
    }
}

static inline void reads_cover(bench_t *b, const reads_t *r, const ev_mem_sched_t *s, unsigned at)
{
    static const unsigned ends[] = {8190, 8191, 8192, 16383};
    if (!s->read_done)
        return;
    const uint64_t time = r->now + 1 - r->asked[s->read_done_id].at;
    const unsigned app = r->asked[s->read_done_id].app, slice = s->read_done_id >> HOME_ID_W;
    BENCH_COVER(b, at + r->asked[s->read_done_id].cls, true);
    BENCH_COVER(b, at + 8, !app);
    BENCH_COVER(b, at + 9, app && !(app & (app - 1)));
    BENCH_COVER(b, at + 10, app == 15);
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        BENCH_COVER(b, at + 11 + i, time == ends[i]);
    BENCH_COVER(b, at + 15, s->read_in >> slice & 1 && s->read_id[slice] == s->read_done_id % (1 << HOME_ID_W));
    BENCH_COVER(b, at + 16, time > 16383);
}
#endif
