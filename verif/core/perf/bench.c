/* Bench of the counters of a unit (-DBLOCK=module): inputs are held for stretches of cycles, between which events, clear and the selection change apart from each other. The scoreboard is rows.h. A second twin jumps over
 * every stretch of equal events in which nothing of state begins or ends, and must then show the same. Some counters are known beforehand (spots.h), whatever the description says. */
#define BENCH_SEEDS 8
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(x) JOIN(BLOCK, x)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define FILE_OF(x) TEXT(perf/NAME(x))
#include FILE_OF(_twin.h)
#include "verif/core/perf/reads.h"
#include FILE_OF(_rows.h)
#define perf_KIND 0
#define perf_slice_KIND 1
#define perf_channel_KIND 2
#define perf_stack_KIND 3
#define perf_home_KIND 4
#define perf_wire_KIND 5
#define perf_shared_KIND 6
#define KIND NAME(_KIND)

typedef NAME(_t) twin_t;
typedef NAME(_in_t) in_t;
typedef NAME(_out_t) out_t;
#define ROWS_OF(module, kind) UNIT_OF(module, kind)
static const unit_t unit = ROWS_OF(BLOCK, KIND);
#include "verif/core/perf/stimulus.h"
#include "verif/core/perf/spots.h"

enum { ROWS = sizeof NAME(_rows) / sizeof *NAME(_rows) };
enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_NUMBER,
    COV_KIND,
    COV_LONG,
    COV_JUMP,
    COV_ALONE,
    COV_SPAN,
    COV_READ = COV_SPAN + (KIND == KIND_STACK ? 4 : 0),
    COV_ROW = COV_READ + (KIND == KIND_CHANNEL ? READ_COVER : 0),
    COV_N = COV_ROW + ROWS
};
static const char *cover[COV_N] = {"clear while counting",
                                   "number beyond the list",
                                   "another unit of its kind",
                                   "another kind with its number",
                                   "equal events for longer than a scan",
                                   "jump",
                                   "each condition has failed by each of its parts alone"};
static const char *const span_cover[] = {"clear inside a span", "a span of one cycle", "of a hundred",
                                         "one begins when another ends"};

/* The kinds of events: at random, mostly none, all at once; mode 3 of a bench mixes them. */
enum { NOISE, SPARSE, ALL };
typedef struct {
    sums_t want;
    in_t held;
    reads_t reads;
    unsigned length, done; /* cycles of the present inputs, of these over */
    unsigned equal; /* cycles of the present events */
    unsigned age; /* cycles since the last selection, at least */
    unsigned span; /* cycles of the present span */
    bool live; /* in this stretch spans begin and end, or reads: the second twin computes each of its cycles */
    uint64_t ticks; /* of DRAM in the stretch, before its last cycle */
} env_t;

static twin_t *jumper;

/* Steps 1 and 3 of the scoreboard. */
static void expect(env_t *e, const in_t *in)
{
#if perf_stack_KIND == KIND
    sums_span(&e->want, in->maint_valid, in->maint_done);
#elif perf_channel_KIND == KIND
    if (DRAM_DETAIL)
        reads_edge(&e->reads, &e->want.extra, &in->ev_mem_sched);
#endif
    sums_edge(&e->want, &unit, in, in->clear, in->number, in->rd_unit, in->rd_idx);
}

static uint64_t value_of(const twin_t *t)
{
    out_t o;
    NAME(_out)(t, &o);
    return o.rd_data;
}

/* A counter has COUNTER_W bits, however far it is carried at once; the value is known before the jump. */
static void go_around(bench_t *b)
{
    const uint64_t cycles = (1ull << (COUNTER_W - 1)) + 5 + vl_below(&b->rng, 1000);
    static env_t e;
    memset(&e, 0, sizeof e);
    in_t all = {0}, none = {0};
    all_at_once(&all);
#if perf_stack_KIND == KIND
    sums_span(&e.want, all.maint_valid, false);
#endif
    none.rd_unit = all.rd_unit = KIND << 8;
    for (unsigned k = 0; k < ROWS; k++) {
        const uint64_t once = rows_increment(&unit, k, &all, &e.want.extra);
        all.rd_idx = (uint8_t)k;
        BENCH_CHECK(b, NAME(_step)(jumper, &all) == once, "counter %u counts %" PRIu64 " in a cycle, not %" PRIu64, k,
                    NAME(_step)(jumper, &all), once);
        out_t o;
        NAME(_peek)(jumper, &all, cycles, &o);
        e.want.counter[k] = 3 * cycles * once & ((1ull << COUNTER_W) - 1);
        BENCH_CHECK(b, o.rd_data == (cycles * once & ((1ull << COUNTER_W) - 1)), "counter %u is foretold as 0x%" PRIx64,
                    k, o.rd_data);
    }
    for (unsigned i = 0; i < 3; i++)
        NAME(_count)(jumper, &all, cycles);
    for (unsigned k = 0; k < ROWS; k++) {
        none.rd_idx = (uint8_t)k;
        expect(&e, &none);
        NAME(_tick)(jumper, &none);
        BENCH_CHECK(b, value_of(jumper) == e.want.read,
                    "counter %u is 0x%" PRIx64 " after three jumps that carry it around, not 0x%" PRIx64, k,
                    value_of(jumper), e.want.read);
    }
}

static void start(bench_t *b, env_t *e)
{
    if (!jumper && !(jumper = malloc(NAME(_size)())))
        exit(2);
    static char names[ROWS][80];
    static const char *const listed[] = NAME(_LISTED);
    for (unsigned k = 0; k < ROWS; k++) {
        BENCH_CHECK(b, !strcmp(unit.row[k].name, listed[k]), "counter %u is %s, not %s", k, listed[k],
                    unit.row[k].name);
        snprintf(names[k], sizeof names[k], "%s beyond its low bits", unit.row[k].name);
        cover[COV_ROW + k] = names[k];
    }
    for (unsigned k = 0; COV_SPAN + k < COV_READ; k++)
        cover[COV_SPAN + k] = span_cover[k];
    for (unsigned k = 0; COV_READ + k < COV_ROW; k++)
        cover[COV_READ + k] = read_cover[k];
    if (!b->seed)
        spots(b, jumper);
    NAME(_reset)(jumper);
    go_around(b);
    NAME(_reset)(jumper);
    e->reads.calm = b->mode == 1 || b->mode == 2;
    e->held.number = (uint8_t)vl_random(&b->rng);
}

static void new_events(bench_t *b, env_t *e, in_t *in)
{
    const unsigned style = b->mode == 3 ? vl_below(&b->rng, 3) : b->mode;
    const in_t was = *in;
    NAME(_in_random)(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(in, 0, sizeof *in);
    if (style == ALL)
        all_at_once(in);
    if (was.rd_idx < ROWS && vl_chance(&b->rng, 160)) /* the counter that is read goes up often */
        favour(b, in, was.rd_idx);
    else
        favour(b, in, vl_below(&b->rng, ROWS));
    BENCH_COVER(b, COV_ALONE, near_miss(b, in));
    legal(b, in);
    in->clear = was.clear, in->rd_idx = was.rd_idx, in->rd_unit = was.rd_unit, in->number = was.number;
    e->equal = 0;
}

/* The stretch is over: the second twin takes it in one step. */
static void jump(bench_t *b, env_t *e, const out_t *out)
{
    if (!b->cycle)
        return;
    if (!e->live && e->held.clear)
        NAME(_tick)(jumper, &e->held);
    else if (!e->live) {
#if perf_channel_KIND == KIND
#define NUMBER(k, name, block, help) N_##name = k,
        enum { VL_CHANNEL_COUNTERS(NUMBER) };
        const uint8_t last = e->held.ticks;
        NAME(_add)(jumper, N_dram_ticks, e->ticks - last);
        e->held.ticks = 0;
        NAME(_count)(jumper, &e->held, e->length - 1);
        e->held.ticks = last;
        NAME(_tick)(jumper, &e->held);
#else
        NAME(_skip)(jumper, &e->held, e->length);
#endif
        BENCH_COVER(b, COV_JUMP, e->length > 1);
    }
    BENCH_CHECK(b, value_of(jumper) == out->rd_data,
                "after a jump of %u cycles counter %u is %" PRIu64 ", not %" PRIu64, e->length, e->held.rd_idx,
                value_of(jumper), out->rd_data);
}

/* Mostly this unit; or one that differs from it in a bit, or another kind. */
static void select_one(bench_t *b, in_t *in)
{
    in->rd_idx = (uint8_t)(vl_chance(&b->rng, 4) ? vl_random(&b->rng) : vl_below(&b->rng, ROWS + 2));
    in->rd_unit = (uint16_t)(KIND << 8 | in->number);
    if (vl_chance(&b->rng, 40))
        in->rd_unit = (uint16_t)(in->rd_unit ^ 1u << vl_below(&b->rng, 11));
}

static void next_stretch(bench_t *b, env_t *e)
{
    e->held.clear = vl_below(&b->rng, b->mode ? 600 : 60) == 0;
    if (!b->cycle || vl_chance(&b->rng, b->mode == NOISE ? 200 : 20))
        new_events(b, e, &e->held);
    e->age += e->done;
    if (!b->cycle || (e->age > 3 && vl_chance(&b->rng, 64))) { /* at most in every fourth cycle */
        e->age = 0;
        select_one(b, &e->held);
    }
    e->done = 0;
    e->length = e->held.clear || vl_chance(&b->rng, 240) ? 1 : 1 + vl_below(&b->rng, 8u << vl_below(&b->rng, 7));
    e->ticks = 0;
    reads_stretch(b, &e->reads);
    e->live = KIND == KIND_CHANNEL ? e->reads.any : KIND == KIND_STACK && vl_below(&b->rng, 3) != 0;
}

/* What changes in each cycle, and where it is covered. */
static void vary(bench_t *b, env_t *e, in_t *in)
{
#if perf_channel_KIND == KIND
    in->ticks = e->held.ticks = (uint8_t)vl_below(&b->rng, 4);
    e->ticks += in->ticks;
    if (!e->live)
        return;
    reads_some(b, &e->reads, &in->ev_mem_sched);
    reads_cover(b, &e->reads, &in->ev_mem_sched, COV_READ);
#elif perf_stack_KIND == KIND
    const bool kept = e->want.extra.sync_kept;
    in->maint_valid = e->live && vl_chance(&b->rng, b->mode == ALL ? 200 : kept ? 2 : 12);
    in->maint_done = e->live && vl_chance(&b->rng, b->mode == ALL ? 200 : b->mode == NOISE ? 100 : 2);
    e->span = kept || in->maint_valid ? e->span + 1 : 0;
    BENCH_COVER(b, COV_SPAN, kept && in->clear);
    BENCH_COVER(b, COV_SPAN + 1, !kept && in->maint_valid && in->maint_done);
    BENCH_COVER(b, COV_SPAN + 2, e->span == 100);
    BENCH_COVER(b, COV_SPAN + 3, kept && in->maint_valid && in->maint_done);
    e->held.maint_valid = e->held.maint_done = false;
    e->span = in->maint_done ? 0 : e->span;
#endif
    if (e->live)
        NAME(_tick)(jumper, in);
    (void)b;
}

static void drive(bench_t *b, env_t *e, const out_t *out, in_t *in)
{
    const unsigned idx = e->held.rd_idx, other = e->held.rd_unit ^ (KIND << 8 | e->held.number);
    BENCH_CHECK(b, b->no_page || out->rd_data == e->want.read, "counter %u is %" PRIu64 ", not %" PRIu64, idx,
                out->rd_data, e->want.read);
    if (idx < ROWS && !other)
        BENCH_COVER(b, COV_ROW + idx, out->rd_data > low_end(idx));
    if (e->done == e->length) {
        jump(b, e, out);
        next_stretch(b, e);
    }
    *in = e->held;
    e->done++;
    e->equal++;
    vary(b, e, in);
    const unsigned now = in->rd_unit ^ (KIND << 8 | in->number);
    BENCH_COVER(b, COV_LONG, e->equal > ROWS + 2);
    BENCH_COVER(b, COV_BEYOND, !now && in->rd_idx >= ROWS);
    BENCH_COVER(b, COV_NUMBER, now && now < 256);
    BENCH_COVER(b, COV_KIND, now && !(now & 255));
    BENCH_COVER(b, COV_CLEAR,
                in->clear && !now && in->rd_idx < ROWS && rows_increment(&unit, in->rd_idx, in, &e->want.extra));
    expect(e, in);
}

#define MAIN_OF(block) BENCH_MAIN(block, env_t, start, drive, cover, COV_N)
MAIN_OF(BLOCK)
