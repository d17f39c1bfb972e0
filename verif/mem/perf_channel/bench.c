/* Bench of perf_channel: events at random, sparse, all at once, and held for long; clears and reads at any time. The scoreboard adds up the page's list, one
 * plain sum a counter. A second twin jumps over every stretch of equal events, in which no read comes or is answered, and must then show the same, and over enough cycles for its counters to go around. */
#include "verif/mem/perf_bench.h"
#include "verif/mem/perf_sums.h"
#include "sim_c/mem/perf_channel.h"

enum {
    LOW_END_OCC = 1 << 16,
    LOW_END_TIME = 1 << 20,
    LOW_END_QUOTA = 1 << 17
}; /* LOW_END of an occupancy, a time, a quota */
enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_LONG,
    COV_FULL,
    COV_EMPTY,
    COV_JUMP,
    COV_TICKS,
    COV_CLASS = COV_TICKS + 4,
    COV_APP = COV_CLASS + 8,
    COV_APPS_ALL = COV_APP + 2,
    COV_TOOK,
    COV_BOTH = COV_TOOK + 4,
    COV_WRAP,
    COV_QUOTA_0,
    COV_QUOTA_MOST,
    COV_QUOTA_NEW,
    COV_COUNTER,
    COV_N = COV_COUNTER + CHANNEL_COUNTERS
};
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "equal events for longer than a scan",
                                    "occupancies of 511 for longer than a scan",
                                    "of 0",
                                    "jump",
                                    "0 ticks",
                                    "1 tick",
                                    "2 ticks",
                                    "3 ticks",
                                    "answer of class 0",
                                    "of class 1",
                                    "of class 2",
                                    "of class 3",
                                    "of class 4",
                                    "of class 5",
                                    "of class 6",
                                    "of class 7",
                                    "of no application",
                                    "of one",
                                    "of all",
                                    "after 8190 cycles",
                                    "after 8191",
                                    "after 8192",
                                    "after 16383",
                                    "an id is answered and asked for at one edge",
                                    "more than 2^14 cycles",
                                    "quota of 0 for longer than a scan",
                                    "of 1023",
                                    "quotas change",
                                    VL_CHANNEL_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

typedef struct {
    channel_sums_t want;
    uint64_t ticks;
    perf_channel_in_t held;
    stretch_t stretch;
    uint16_t quotas[APPS]; /* of the last cycle */
    bool calm; /* slices read seldom, so that reads grow old */
    bool reads; /* this stretch has reads, so that the second twin computes each of its cycles */
    unsigned seldom; /* the mean of cycles between requests of a slice */
    struct {
        uint64_t at; /* the cycle after it, 0: this id was not asked for yet */
        uint8_t cls, app;
    } asked[L2_SLICES << HOME_ID_W];
} env_t;

static perf_channel_t *jumper;

static void no_reads(ev_mem_sched_t *s)
{
    s->read_in = s->read_done = s->read_done_id = 0;
    memset(s->read_id, 0, sizeof s->read_id);
    memset(s->read_cls, 0, sizeof s->read_cls);
    memset(s->read_app, 0, sizeof s->read_app);
}

static void everything(perf_channel_in_t *in)
{
    memset(&in->ev_sched, true, sizeof in->ev_sched);
    memset(&in->ev_dram, true, sizeof in->ev_dram);
    in->ev_sched.occ_golden = in->ev_sched.occ_silver = in->ev_sched.occ_normal = in->ev_sched.occ_writes = 511;
    for (unsigned a = 0; a < APPS; a++)
        in->thresh[a] = 1023;
}

/* A counter has COUNTER_W bits, however far it is carried at once. */
static void go_around(bench_t *b)
{
    const uint64_t cycles = (1ull << (COUNTER_W - 1)) + 5, ticks = (1ull << (COUNTER_W - 1)) + 7;
    perf_channel_in_t all = {0}, none = {0};
    everything(&all);
    no_reads(&all.ev_sched);
    for (unsigned i = 0; i < 3; i++)
        perf_channel_skip(jumper, &all, cycles, ticks);
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++) {
        const uint64_t once = k == N_dram_ticks                            ? ticks
                              : k >= N_occ_golden && k <= N_occ_writes     ? 511 * cycles
                              : k >= N_dram_reads_cls0 && k < N_quota_app0 ? 0
                              : k >= N_quota_app0 && k <= N_quota_app3     ? 1023 * cycles
                                                                           : cycles;
        perf_channel_out_t o;
        none.rd_idx = (uint8_t)k;
        perf_channel_tick(jumper, &none);
        perf_channel_out(jumper, &o);
        const uint64_t read = k == N_channel_cycles ? k : 0; /* cycles of reading the others */
        BENCH_CHECK(b, o.rd_data == ((3 * once + read) & ((1ull << COUNTER_W) - 1)),
                    "counter %u is 0x%" PRIx64 " after three jumps that carry it around", k, o.rd_data);
    }
}

static void start(bench_t *b, env_t *e)
{
    e->calm = b->mode == 1 || b->mode == 2;
    if (!jumper && !(jumper = malloc(perf_channel_size())))
        exit(2);
    perf_channel_reset(jumper);
    go_around(b);
    perf_channel_reset(jumper);
}

static uint16_t some_occupancy(bench_t *b)
{
    return (uint16_t)(vl_chance(&b->rng, 90) ? 511 : vl_chance(&b->rng, 90) ? 0 : vl_below(&b->rng, 512));
}

static uint16_t some_quota(bench_t *b)
{
    return (uint16_t)(vl_chance(&b->rng, 90) ? 1023 : vl_chance(&b->rng, 90) ? 0 : vl_below(&b->rng, 1024));
}

/* A cycle of a stretch with reads: ids that were asked for at any time, now and then one with a time near an end. */
static void some_reads(bench_t *b, const env_t *e, ev_mem_sched_t *s)
{
    static const unsigned ends[] = {8190, 8191, 8192, 16383, 16384, 1};
    const unsigned ids = L2_SLICES << HOME_ID_W;
    unsigned id = vl_below(&b->rng, ids);
    for (unsigned k = 0; k < L2_SLICES; k++) {
        if (vl_below(&b->rng, e->seldom))
            continue;
        s->read_in |= (uint8_t)(1u << k);
        s->read_id[k] = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 3) ? 2 : 1u << HOME_ID_W); /* not all: ages grow */
        s->read_cls[k] = (uint8_t)vl_below(&b->rng, e->calm ? 5 : 8);
        s->read_app[k] = (uint8_t)(vl_below(&b->rng, 3) ? 1u << vl_below(&b->rng, APPS) : vl_below(&b->rng, 16));
    }
    for (unsigned k = 0; k < ids && !e->asked[id].at; k++)
        id = (id + 1) % ids;
    for (unsigned k = 0; k < ids; k++)
        for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
            if (e->asked[k].at && b->cycle + 1 - e->asked[k].at == ends[i])
                id = k;
    if (s->read_in && vl_below(&b->rng, 4) == 0) {
        const unsigned slice = (unsigned)__builtin_ctz(s->read_in);
        id = slice << HOME_ID_W | s->read_id[slice];
    }
    if (e->asked[id].at && vl_below(&b->rng, 4)) {
        s->read_done = true;
        s->read_done_id = (uint8_t)id;
    }
}

static void new_events(bench_t *b, env_t *e, perf_channel_in_t *in)
{
    unsigned style = perf_style(b);
    perf_channel_in_random(&b->rng, in);
    if (style == SPARSE) {
        if (vl_chance(&b->rng, 200))
            memset(in, 0, sizeof *in);
        if (vl_chance(&b->rng, 200)) {
            in->ev_sched.occ_golden = some_occupancy(b);
            in->ev_sched.occ_silver = some_occupancy(b);
            in->ev_sched.occ_normal = some_occupancy(b);
            in->ev_sched.occ_writes = some_occupancy(b);
        }
    }
    if (style == ALL)
        everything(in);
    for (unsigned a = 0; a < APPS && style != ALL; a++)
        in->thresh[a] = style == NOISE ? in->thresh[a] : vl_chance(&b->rng, 100) ? some_quota(b) : e->held.thresh[a];
    no_reads(&in->ev_sched);
    e->stretch.equal = 0;
}

/* The stretch is over: the second twin takes it in one step. e->held has the ticks of its last cycle. */
static void jump(bench_t *b, env_t *e, const perf_channel_out_t *out)
{
    perf_channel_out_t other;
    const uint64_t ticks = e->ticks;
    e->ticks = 0;
    if (e->reads || !b->cycle)
        ;
    else if (e->held.clear)
        perf_channel_tick(jumper, &e->held);
    else
        perf_channel_skip(jumper, &e->held, e->stretch.length, ticks);
    if (!b->cycle)
        return;
    perf_channel_out(jumper, &other);
    BENCH_COVER(b, COV_JUMP, e->stretch.length > 1);
    BENCH_CHECK(b, other.rd_data == out->rd_data, "after a jump of %u cycles counter %u is %" PRIu64 ", not %" PRIu64,
                e->stretch.length, e->held.rd_idx, other.rd_data, out->rd_data);
    e->reads = vl_below(&b->rng, 3) != 0;
    e->seldom = e->calm ? 1024 : 2u << vl_below(&b->rng, 13);
}

static unsigned low_end(unsigned counter)
{
    const bool time = (counter >= N_dram_time_cls0 && counter <= N_dram_time_cls4)
                      || (counter >= N_dram_time_app0 && counter <= N_dram_time_app3);
    if (counter >= N_occ_golden && counter <= N_occ_writes)
        return LOW_END_OCC;
    return time ? LOW_END_TIME : counter >= N_quota_app0 && counter <= N_quota_app3 ? LOW_END_QUOTA : LOW_END;
}

static void cover_reads(bench_t *b, env_t *e, const ev_mem_sched_t *s)
{
    static const unsigned ends[] = {8190, 8191, 8192, 16383};
    if (s->read_done) {
        const uint64_t latency = b->cycle + 1 - e->asked[s->read_done_id].at;
        const unsigned app = e->asked[s->read_done_id].app, slice = s->read_done_id >> HOME_ID_W;
        BENCH_COVER(b, COV_CLASS + e->asked[s->read_done_id].cls, true);
        BENCH_COVER(b, COV_APP, !app);
        BENCH_COVER(b, COV_APP + 1, app && !(app & (app - 1)));
        BENCH_COVER(b, COV_APPS_ALL, app == 15);
        for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
            BENCH_COVER(b, COV_TOOK + i, latency == ends[i]);
        BENCH_COVER(b, COV_WRAP, latency > 16383);
        BENCH_COVER(b, COV_BOTH, s->read_in >> slice & 1 && s->read_id[slice] == s->read_done_id % (1 << HOME_ID_W));
    }
    for (unsigned k = 0; k < L2_SLICES; k++)
        if (s->read_in >> k & 1) {
            const unsigned id = k << HOME_ID_W | s->read_id[k];
            e->asked[id].at = b->cycle + 1, e->asked[id].cls = s->read_cls[k], e->asked[id].app = s->read_app[k];
        }
}

static void cover_quotas(bench_t *b, const env_t *e, const perf_channel_in_t *in, bool longer)
{
    bool none = longer, most = longer;
    for (unsigned a = 0; a < APPS; a++)
        none &= !in->thresh[a], most &= in->thresh[a] == 1023;
    BENCH_COVER(b, COV_QUOTA_0, none);
    BENCH_COVER(b, COV_QUOTA_MOST, most);
    BENCH_COVER(b, COV_QUOTA_NEW, memcmp(in->thresh, e->quotas, sizeof e->quotas));
}

static void drive(bench_t *b, env_t *e, const perf_channel_out_t *out, perf_channel_in_t *in)
{
    PERF_STRETCH(b, e, out, in, CHANNEL_COUNTERS, low_end(idx_), jump(b, e, out));
    e->held.ticks = in->ticks = (uint8_t)vl_below(&b->rng, 4);
    e->ticks += in->ticks;
    const ev_mem_sched_t *s = &in->ev_sched;
    bool longer = e->stretch.equal > CHANNEL_COUNTERS + 2;
    BENCH_COVER(b, COV_FULL,
                longer && s->occ_golden == 511 && s->occ_silver == 511 && s->occ_normal == 511 && s->occ_writes == 511);
    BENCH_COVER(b, COV_EMPTY, longer && !s->occ_golden && !s->occ_silver && !s->occ_normal && !s->occ_writes);
    BENCH_COVER(b, COV_CLEAR, in->clear && s->sched_hits);
    BENCH_COVER(b, COV_TICKS + in->ticks, true);
    cover_quotas(b, e, in, longer);
    memcpy(e->quotas, in->thresh, sizeof e->quotas);
    if (e->reads) {
        some_reads(b, e, &in->ev_sched);
        cover_reads(b, e, s);
        perf_channel_tick(jumper, in);
    }
    channel_sums(&e->want, in);
}

BENCH_MAIN(perf_channel, env_t, start, drive, cover, COV_N)
