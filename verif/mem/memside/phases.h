/* A run of the memory side: load and rest alternate; at rest some maintenance, after which memory must hold all writes. Every long run ends with INVAL_ALL. Shared by the bench of
 * memside and the random tester (verif/mem/random). An includer defines PHASES_MAINTAINS(b, at rest, operation) beforehand, which notes a maintenance. */
#ifndef VERIF_MEMSIDE_PHASES_H
#define VERIF_MEMSIDE_PHASES_H
#include "verif/mem/memside/traffic.h"

enum { LOAD, EMPTY, MAINTAIN, SETTLE, PAUSE };
enum {
    PATIENCE = HOME == HOME_FLAT ? 20000 : 80000,
    STYLE = 300,
    LONG = 20000,
    LAST = (HOME == HOME_FLAT ? 3000 : 25000) + 2 * SETS * L2_WAYS
}; /* LAST: cycles kept for the last check */
typedef struct {
    unsigned phase;
    uint64_t until;
    bool last, checked;
    uint64_t busy; /* slices that maintain */
    maint_t maint;
    /* styles for which one request at a time goes on, about; cycles of rest, at most; cycles between maintenances under load, about */
    unsigned linger, pause, maintains;
} phases_t;
static const uint64_t all_slices = ~0ull >> (64 - SLICES);

/* Where the bytes of blocks are, for as long as any is held: nowhere where there is no room. What memory has goes with it. */
static void phases_memory(bench_t *b, const scoreboard_t *sb, traffic_t *t)
{
    static uint8_t have[LINES][LINE_BYTES];
    static const uint8_t often[] = {MEMORY_UMH, MEMORY_UMH, MEMORY_ZEROCOPY, MEMORY_MEMCPY, MEMORY_MANAGED};
    unsigned memory;
    if (HOME != HOME_DIRECTORY)
        return;
    do
        memory = often[vl_below(&b->rng, sizeof often)];
    while (!home_fits(memory));
    for (unsigned k = 0; k < LINES; k++)
        chips_read(sb->line[k].addr, have[k]);
    t->ctl.memory = (uint8_t)(chips_memory = memory);
    for (unsigned k = 0; k < LINES; k++)
        chips_load(sb->line[k].addr, have[k]);
}

static void phases_begin(bench_t *b, phases_t *e, scoreboard_t *sb, coherent_t *c, traffic_t *t)
{
    for (unsigned k = 0; k < SLICES; k++)
        for (unsigned s = 0; s < SOURCES; s++)
            sb->resv[k][s].ended = SC_NEVER;
    traffic_places(b, sb);
    coherent_begin(c, sb);
    traffic_writers(b, t);
    phases_memory(b, sb, t);
    e->until = 1500;
}

static void maintenance(bench_t *b, phases_t *e, const scoreboard_t *sb, coherent_t *c, const traffic_t *t, unsigned op,
                        memside_in_t *in)
{
    in->maint_valid = true;
    in->maint.op = (uint8_t)op;
    in->maint.line = 0;
    if (op % 4 != L2_FLUSH_ALL)
        in->maint.line = sb->line[vl_below(&b->rng, 2) ? t->last : vl_below(&b->rng, LINES)].addr;
    e->maint = in->maint;
    e->busy = all_slices;
    c->changed = b->cycle;
    c->maintains = true;
}

static unsigned some_op(bench_t *b, unsigned one_in_all)
{
    return vl_below(&b->rng, one_in_all) ? vl_below(&b->rng, 2) + 4 * vl_below(&b->rng, 2)
                                         : L2_FLUSH_ALL + 4 * vl_below(&b->rng, 2);
}

static void done(bench_t *b, phases_t *e, coherent_t *c, const memside_out_t *out)
{
    BENCH_CHECK(b, !(out->maint_done & ~e->busy), "maintenance done that nobody asked for");
    for (unsigned k = 0; k < SLICES; k++)
        if ((uint64_t)out->maint_done >> k & 1)
            coherent_slice_done(c, k, &e->maint);
    e->busy &= ~(uint64_t)out->maint_done;
    c->maintains = e->busy != 0;
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

static void phases_cycle(bench_t *b, phases_t *e, scoreboard_t *sb, coherent_t *c, traffic_t *t,
                         const memside_out_t *out, memside_in_t *in)
{
    if (b->cycle % 256 == 0)
        watch_for_loss(b, sb);
    bool nothing = !scoreboard_inside(sb) && !e->busy;
    for (unsigned s = 0; s < SOURCES; s++)
        nothing &= !t->offered[s];
    if (b->cycles >= LONG && !e->last && b->cycle + LAST >= b->cycles) {
        e->last = true;
        e->until = b->cycle;
    }
    switch (e->phase) {
    case LOAD:
        if (!e->busy && vl_below(&b->rng, e->maintains) == 0) {
            maintenance(b, e, sb, c, t, some_op(b, 8), in);
            PHASES_MAINTAINS(b, false, in->maint.op);
        }
        if (b->cycle >= e->until)
            e->phase = EMPTY;
        break;
    case EMPTY:
        if (!nothing)
            break;
        maintenance(b, e, sb, c, t, e->last ? L2_INVAL_ALL : some_op(b, HOME == HOME_FLAT ? 4 : 2), in);
        e->phase = MAINTAIN;
        break;
    case MAINTAIN:
        if (e->busy)
            break;
        e->phase = SETTLE;
        if (HOME == HOME_FLAT)
            break;
        coherent_flushed(c, sb, &e->maint);
        traffic_writers(b, t);
        if (!e->last && vl_below(&b->rng, 2)) { /* continue at once */
            e->until = b->cycle;
            e->phase = PAUSE;
        }
        break;
    case SETTLE:
        if (!rests(out))
            break;
        if (HOME == HOME_DIRECTORY)
            coherent_maintained(b, c, sb, &e->maint);
        else
            scoreboard_maintained(b, sb, &e->maint);
        PHASES_MAINTAINS(b, true, e->maint.op);
        if (e->maint.op == L2_INVAL_ALL)
            phases_memory(b, sb, t);
        e->checked |= e->last && e->maint.op == L2_INVAL_ALL;
        e->until = b->cycle
                   + (e->checked             ? b->cycles
                      : vl_below(&b->rng, 4) ? vl_below(&b->rng, 60)
                                             : vl_below(&b->rng, e->pause));
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
    if (HOME == HOME_DIRECTORY && e->busy) /* stays until all slices have answered */
        in->maint = e->maint;
    BENCH_CHECK(b, b->cycles < LONG || b->cycle + 1 < b->cycles || e->checked, "no rest for the last check");
}

static void phases_style(bench_t *b, const phases_t *e, traffic_t *t)
{
    if (b->cycle % STYLE == 0 && e->phase != PAUSE
        && !(t->alone && vl_below(&b->rng, e->linger))) /* one request at a time takes long */
        traffic_style(b, t);
    else if (vl_chance(&b->rng, t->churn) && e->phase < SETTLE)
        traffic_policy(b, t);
}

/* Answers of this cycle, at the sources' ports and out of slices. */
static void phases_answers(bench_t *b, phases_t *e, scoreboard_t *sb, coherent_t *c, const memside_out_t *out)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if ((uint64_t)out->rsp_valid >> s & 1) {
            if (HOME == HOME_DIRECTORY)
                coherent_answer(b, sb, s, &out->rsp[s]);
            else
                scoreboard_answer(b, sb, s, &out->rsp[s]);
        }
    for (unsigned k = 0; k < SLICES && HOME == HOME_DIRECTORY && !b->failed; k++)
        if ((uint64_t)out->trace_rsp_valid >> k & 1)
            coherent_performs(b, c, sb, k, &out->trace_rsp[k], out->trace_rsp_line[k]);
    done(b, e, c, out);
}
#endif
