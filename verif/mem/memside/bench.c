/* Bench of memside: the whole memory side between sources at random and chips that check every command. Besides the twin stand a scoreboard of bytes (scoreboard.h) and a
 * second twin that leaps over dead time (leap.h). A run alternates between load and rest; at rest some maintenance, after which the chips must hold what
 * was written. Every long run ends with INVAL_ALL. */
#define BENCH_SEEDS 4
#define BENCH_CYCLES 80000
#include "verif/common/bench.h"
#include "verif/mem/memside/counters.h"
#include "verif/mem/memside/cover.h"

enum { LOAD, EMPTY, MAINTAIN, SETTLE, PAUSE };
enum { COUNTERS_READ = 2 * (SLICE_COUNTERS > CHANNEL_COUNTERS ? SLICE_COUNTERS : CHANNEL_COUNTERS) };
enum {
    PATIENCE = HOME == HOME_FLAT ? 20000 : 80000,
    STYLE = 300,
    LONG = 20000,
    LAST = (HOME == HOME_FLAT ? 3000 : 25000) + 2 * SETS * L2_WAYS
}; /* LAST: cycles kept for the last check */
typedef struct {
    scoreboard_t scoreboard;
    coherent_t coherent; /* home = directory */
    traffic_t traffic;
    counters_t counters;
    unsigned phase, round;
    uint64_t until;
    bool last, checked;
    uint64_t busy; /* slices that maintain */
    uint8_t counter, counter_age; /* that is read, for how many cycles */
    maint_t maint;
} env_t;
static const uint64_t all_slices = ~0ull >> (64 - SLICES);

static void start(bench_t *b, env_t *e)
{
    chips_start();
    leap_start();
    for (unsigned k = 0; k < SLICES; k++)
        for (unsigned s = 0; s < SOURCES; s++)
            e->scoreboard.resv[k][s].ended = SC_NEVER;
    traffic_places(b, &e->scoreboard);
    coherent_begin(&e->coherent, &e->scoreboard);
    traffic_writers(b, &e->traffic);
    e->until = 1500;
}

static void maintenance(bench_t *b, env_t *e, unsigned op, memside_in_t *in)
{
    in->maint_valid = true;
    in->maint.op = (uint8_t)op;
    in->maint.line = 0;
    if (op % 4 != L2_FLUSH_ALL)
        in->maint.line = e->scoreboard.line[vl_below(&b->rng, 2) ? e->traffic.last : vl_below(&b->rng, LINES)].addr;
    e->maint = in->maint;
    e->busy = all_slices;
    e->coherent.changed = b->cycle;
    e->coherent.maintains = true;
}

static unsigned some_op(bench_t *b, unsigned one_in_all)
{
    return vl_below(&b->rng, one_in_all) ? vl_below(&b->rng, 2) + 4 * vl_below(&b->rng, 2)
                                         : L2_FLUSH_ALL + 4 * vl_below(&b->rng, 2);
}

static void done(bench_t *b, env_t *e, const memside_out_t *out)
{
    BENCH_CHECK(b, !(out->maint_done & ~e->busy), "maintenance done that nobody asked for");
    for (unsigned k = 0; k < SLICES; k++)
        if ((uint64_t)out->maint_done >> k & 1)
            coherent_slice_done(&e->coherent, k, &e->maint);
    e->busy &= ~(uint64_t)out->maint_done;
    e->coherent.maintains = e->busy != 0;
}

static bool rests(const memside_out_t *out)
{
    return out->l2_idle == all_slices && out->sched_idle == ~0ull >> (64 - MEM_CHANNELS)
           && out->dram_idle == ~0ull >> (64 - MEM_CHANNELS) && chips_rest();
}

static void watch_for_loss(bench_t *b, const scoreboard_t *sb)
{
    for (unsigned s = 0; s < SOURCES; s++)
        BENCH_CHECK(b, !sb->count[s] || b->cycle - sb->asked[s][sb->inside[s][0]].since < PATIENCE,
                    "source %u: a request is not answered", s);
}

static void phases(bench_t *b, env_t *e, const memside_out_t *out, memside_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    bool nothing = !scoreboard_inside(sb) && !e->busy;
    for (unsigned s = 0; s < SOURCES; s++)
        nothing &= !e->traffic.offered[s];
    if (b->cycles >= LONG && !e->last && b->cycle + LAST >= b->cycles) {
        e->last = true;
        e->until = b->cycle;
    }
    switch (e->phase) {
    case LOAD:
        if (!e->busy && vl_below(&b->rng, 400) == 0) {
            maintenance(b, e, some_op(b, 8), in);
            cover_maint(b, COV_MAINT_LOAD, in->maint.op);
        }
        if (b->cycle >= e->until)
            e->phase = EMPTY;
        break;
    case EMPTY:
        if (!nothing)
            break;
        maintenance(b, e, e->last ? L2_INVAL_ALL : some_op(b, 4), in);
        e->phase = MAINTAIN;
        break;
    case MAINTAIN:
        if (e->busy)
            break;
        e->phase = SETTLE;
        if (HOME == HOME_FLAT)
            break;
        coherent_flushed(&e->coherent, sb, &e->maint);
        traffic_writers(b, &e->traffic);
        if (!e->last && vl_below(&b->rng, 2)) { /* on with it, at once */
            e->until = b->cycle;
            e->phase = PAUSE;
        }
        break;
    case SETTLE:
        if (!rests(out))
            break;
        if (HOME == HOME_DIRECTORY)
            coherent_maintained(b, &e->coherent, sb, &e->maint);
        else
            scoreboard_maintained(b, sb, &e->maint);
        cover_maint(b, COV_MAINT_REST, e->maint.op);
        e->checked |= e->last && e->maint.op == L2_INVAL_ALL;
        e->until = b->cycle
                   + (e->checked             ? b->cycles
                      : vl_below(&b->rng, 4) ? vl_below(&b->rng, 60)
                                             : vl_below(&b->rng, 6000));
        e->phase = PAUSE;
        break;
    default:
        if (e->last && !e->checked)
            e->phase = EMPTY;
        if (b->cycle < e->until || e->last)
            break;
        if (vl_below(&b->rng, 4) == 0) { /* maintenance that nothing precedes */
            e->phase = EMPTY;
            break;
        }
        e->until = b->cycle + 600
                   + vl_below(&b->rng,
                              b->mode == GENERAL ? 40000 : 3000); /* long enough for refreshes to be forced, and many */
        e->phase = LOAD;
        break;
    }
    BENCH_CHECK(b, b->cycles < LONG || b->cycle + 1 < b->cycles || e->checked, "no rest for the last check");
}

static void control(bench_t *b, env_t *e, memside_in_t *in)
{
    traffic_t *t = &e->traffic;
    if (b->cycle % STYLE == 0 && e->phase != PAUSE
        && !(t->alone && vl_below(&b->rng, 16))) /* one at a time takes long */
        traffic_style(b, t);
    else if (vl_chance(&b->rng, t->churn) && e->phase < SETTLE)
        traffic_policy(b, t);
    in->epoch = e->phase == PAUSE ? vl_below(&b->rng, 4000) == 0 : vl_below(&b->rng, 80) == 0;
    if (in->epoch || (e->phase == LOAD && t->churn))
        for (unsigned a = 0; a < APPS; a++) {
            t->ctl.con_ptw[a] = (uint8_t)(vl_below(&b->rng, 3) ? vl_below(&b->rng, 64) : 0);
            t->ctl.warps[a] = (uint8_t)vl_below(&b->rng, 64);
        }
    in->ctl = t->ctl;
    in->perf_clear = vl_below(&b->rng, e->phase == PAUSE ? 1000 : 500) == 0;
    if (++e->counter_age >= 4 && vl_below(&b->rng, e->phase == PAUSE ? 1000 : 16) == 0) {
        e->counter_age = 0;
        e->counter = vl_below(&b->rng, 100) ? (uint8_t)vl_below(&b->rng, COUNTERS_READ)
                                            : CHANNEL_COUNTERS - 1; /* the clocks: the one that goes on at rest */
        if (e->phase >= SETTLE && vl_below(&b->rng, 2))
            e->counter = e->counters.latest; /* the last one that counts before a rest is likely to be it again */
    }
    in->perf_idx = e->counter;
    if (HOME == HOME_DIRECTORY && e->busy) /* stays until all slices have answered */
        in->maint = e->maint;
}

static void drive(bench_t *b, env_t *e, const memside_out_t *out, memside_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    counters_check(b, &e->counters, out);
    memside_in_random(&b->rng, in);
    in->maint_valid = false;
    for (unsigned s = 0; s < SOURCES; s++)
        if ((uint64_t)out->rsp_valid >> s & 1) {
            if (HOME == HOME_DIRECTORY)
                coherent_answer(b, sb, s, &out->rsp[s]);
            else
                scoreboard_answer(b, sb, s, &out->rsp[s]);
        }
    for (unsigned k = 0; k < SLICES && HOME == HOME_DIRECTORY && !b->failed; k++)
        if ((uint64_t)out->trace_rsp_valid >> k & 1)
            coherent_performs(b, &e->coherent, sb, k, &out->trace_rsp[k], out->trace_rsp_line[k]);
    done(b, e, out);
    uint64_t rd_valid = 0;
    for (unsigned c = 0; c < MEM_CHANNELS; c++) {
        const uint8_t *burst = dram_phy_read(chips[c].phy);
        if (burst) {
            rd_valid |= 1ull << c;
            memcpy(&in->rd[c], burst, DRAM_BURST_BYTES);
        }
        chips_cycle(b, c, &out->pins[c]);
        chips_refresh(b, c, &out->pins[c], (uint64_t)out->dram_idle >> c & 1);
    }
    in->rd_valid = rd_valid;
    control(b, e, in);
    phases(b, e, out, in);
    traffic_drive(b, &e->traffic, sb, &e->coherent, e->phase == LOAD, out->req_ready, in);
    if (b->cycle % 256 == 0)
        watch_for_loss(b, sb);
    const uint64_t pending = leap.pending, due = memside_due(leap.twin);
    counters_edge(&e->counters, out, in);
    cover_cycle(b, sb, &e->coherent, out, in);
    leap_tick(b, out, in);
    cover_leap(b, pending, due);
}

BENCH_MAIN(memside, env_t, start, drive, cover, COV_N)
