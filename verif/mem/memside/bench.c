/* Bench of memside: the whole memory side between sources at random and chips that check every command. Besides the twin stand a scoreboard of bytes (scoreboard.h) and a
 * second twin that leaps over dead time (leap.h). A run alternates between load and rest; at rest some maintenance, after which the chips must hold all
 * writes. Every long run ends with INVAL_ALL. */
#define BENCH_SEEDS 4
#define BENCH_CYCLES 80000
#include "verif/common/bench.h"
#include "verif/mem/memside/chips.h"
#include "verif/mem/memside/counters.h"
#include "verif/mem/memside/cover.h"

static void maintains(bench_t *b, bool at_rest, unsigned op)
{
    cover_maint(b, at_rest ? COV_MAINT_REST : COV_MAINT_LOAD, op);
}
#define PHASES_MAINTAINS maintains
#include "verif/mem/memside/phases.h"

typedef struct {
    scoreboard_t scoreboard;
    coherent_t coherent; /* home = directory */
    traffic_t traffic;
    counters_t counters;
    phases_t phases;
    uint16_t unit; /* the counter that is read, for how many cycles */
    uint8_t counter, counter_age;
} env_t;

static void start(bench_t *b, env_t *e)
{
    chips_start();
    leap_start();
    e->phases.linger = 16;
    e->phases.pause = 6000;
    e->phases.maintains = 400;
    phases_begin(b, &e->phases, &e->scoreboard, &e->coherent, &e->traffic);
}

static void control(bench_t *b, env_t *e, memside_in_t *in)
{
    traffic_t *t = &e->traffic;
    phases_style(b, &e->phases, t);
    in->epoch = e->phases.phase == PAUSE ? vl_below(&b->rng, 4000) == 0 : vl_below(&b->rng, 80) == 0;
    if (in->epoch || (e->phases.phase == LOAD && t->churn))
        for (unsigned a = 0; a < APPS; a++) {
            t->ctl.con_ptw[a] = (uint8_t)(vl_below(&b->rng, 3) ? vl_below(&b->rng, 64) : 0);
            t->ctl.warps[a] = (uint8_t)vl_below(&b->rng, 64);
        }
    in->ctl = t->ctl;
    in->perf_clear = vl_below(&b->rng, e->phases.phase == PAUSE ? 1000 : 500) == 0;
    if (++e->counter_age >= 4 && vl_below(&b->rng, e->phases.phase == PAUSE ? 1000 : 16) == 0) {
        e->counter_age = 0;
        const uint64_t any = vl_random(&b->rng);
        const unsigned which = any % (DIRECTORIES ? 5 : 2),
                       units = counted[which].number + !(any >> 8 & 7); /* now and then one that is not there */
        e->unit = (uint16_t)(counted[which].kind << 8 | (any >> 16) % units);
        e->counter = (uint8_t)vl_below(&b->rng, counted[which].counters + 2);
        if (e->phases.phase >= SETTLE && vl_below(&b->rng, 2)) {
            /* likely to be the last that counts before the next rest, too; or clocks, which count at rest */
            e->unit = (uint16_t)(KIND_CHANNEL << 8 | (any >> 24 & 3 ? 0 : (any >> 32) % MEM_CHANNELS));
            e->counter = any >> 24 & 3 ? e->counters.latest : N_dram_ticks;
        }
    }
    in->perf_unit = e->unit;
    in->perf_idx = e->counter;
}

static void drive(bench_t *b, env_t *e, const memside_out_t *out, memside_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    traffic_t *t = &e->traffic;
    counters_check(b, &e->counters, out);
    memside_in_random(&b->rng, in);
    in->maint_valid = false;
    phases_answers(b, &e->phases, sb, &e->coherent, out);
    uint64_t rd_valid = 0;
    for (unsigned c = 0; c < MEM_CHANNELS; c++) {
        const uint8_t *burst = dram_phy_read(chips[c].phy);
        if (burst) {
            rd_valid |= 1ull << c;
            memcpy(&in->rd[c], burst, dram_burst_bytes(dram_set(chips[c].device)));
        }
        chips_cycle(b, c, &out->pins[c]);
        chips_refresh(b, c, &out->pins[c], (uint64_t)out->dram_idle >> c & 1);
    }
    in->rd_valid = rd_valid;
    control(b, e, in);
    phases_cycle(b, &e->phases, sb, &e->coherent, t, out, in);
    traffic_drive(b, t, sb, &e->coherent, e->phases.phase == LOAD, out->req_ready, in);
    const uint64_t pending = leap.pending, due = memside_due(leap.twin);
    counters_edge(&e->counters, out, in);
    cover_cycle(b, sb, &e->coherent, out, in);
    leap_tick(b, out, in);
    cover_leap(b, pending, due);
}

BENCH_MAIN(memside, env_t, start, drive, cover, COV_N)
