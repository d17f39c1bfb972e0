/* The random tester of coherent memory (docs/random.md): the twin of memside, as wired, between sources at random, with memories of any delay in place of schedulers and chips, and every stream
 * inside held up at random. The sources' requests and their legal answers are those of the bench of memside.
 *
 *     random [--seed N | --seeds N] [--fresh N] [--cycles N]          as a bench; the last lines are the accesses of all seeds, and `N passed, N failed` */
#include "sim_c/mem/memside.c"
#include "verif/mem/random/memory.h"
#include "verif/mem/random/holds.h"

static uint64_t maintained[8];

static void maintains(bench_t *b, bool at_rest, unsigned op)
{
    (void)b, (void)at_rest;
    maintained[op % 8]++;
}
#define PHASES_MAINTAINS maintains
#include "verif/mem/memside/phases.h"

enum { HOLD_STYLE = 700, PARTS = 4 };
typedef struct {
    scoreboard_t scoreboard;
    coherent_t coherent;
    traffic_t traffic;
    phases_t phases;
    memside_t *twin;
    memside_in_t in;
    memside_out_t out;
    memside_wires_t wires;
} env_t;

static void cycle_of(bench_t *b, env_t *e)
{
    memside_t *m = e->twin;
    memside_in_t *in = &e->in;
    in->maint_valid = in->epoch = false;
    if (b->cycle % HOLD_STYLE == 0)
        holds_style();
    holds.none = e->phases.last;
    memside_out(m, &e->out);
    holds_begin(m, b->cycle);
    e->out.trace_rsp_valid = (__typeof__(e->out.trace_rsp_valid))(e->out.trace_rsp_valid & ~holds.trace);
    phases_answers(b, &e->phases, &e->scoreboard, &e->coherent, &e->out);
    phases_style(b, &e->phases, &e->traffic);
    phases_cycle(b, &e->phases, &e->scoreboard, &e->coherent, &e->traffic, &e->out, in);
    traffic_drive(b, &e->traffic, &e->scoreboard, &e->coherent, e->phases.phase == LOAD, e->out.req_ready, in);
    in->ctl = e->traffic.ctl;
    memside_wires_of(in, &e->wires);
    memside_control(m, &in->ctl);
    memside_clock(m, &e->wires);
    holds_end();
    memside_publish(m);
}

static void run(bench_t *b, env_t *e)
{
    memside_t *twin = e->twin;
    memset(e, 0, sizeof *e);
    e->twin = twin;
    memory_start(vl_random(&b->rng));
    holds_start(vl_random(&b->rng));
    memside_reset(twin);
    e->phases.linger = 2;
    e->phases.pause = 600;
    e->phases.maintains = 20u << vl_below(&b->rng, 6);
    phases_begin(b, &e->phases, &e->scoreboard, &e->coherent, &e->traffic);
    for (b->cycle = 0; b->cycle < b->cycles && !b->failed; b->cycle++)
        cycle_of(b, e);
}

int main(int argc, char **argv)
{
    bench_args_t a = {.seeds = 4, .cycles = 200000};
    if (bench_parse(argc, argv, &a))
        return 2;
    static env_t env;
    static uint64_t cover[1], seen[COHERENT_N];
    const char *again = getenv("RANDOM_AGAIN");
    uint64_t accesses = 0, cycles = 0;
    unsigned passed = 0, failed = 0;
    if (!(env.twin = malloc(memside_size())))
        abort();
    for (uint64_t n = 0; n < (a.one ? 1 : a.seeds + a.fresh); n++) {
        const uint64_t s = bench_seed(&a, n), before = accesses;
        char command[400], crashed[500];
        snprintf(command, sizeof command, "    again: %s --seed %" PRIu64 " --cycles %" PRIu64 "\n",
                 again ? again : argv[0], s, a.cycles);
        snprintf(crashed, sizeof crashed, "seed %" PRIu64 " FAILED: it crashed\n%s", s, command);
        crash_command(crashed);
        bench_t b = {.rng = {s * 7919 + 17}, .seed = s, .cycles = a.cycles, .mode = (unsigned)(s % 4), .cover = cover};
        run(&b, &env);
        for (unsigned k = 0; k < SOURCES; k++)
            accesses += env.scoreboard.answers[k];
        for (unsigned k = 0; k < COHERENT_N; k++)
            seen[k] += env.coherent.seen[k];
        cycles += b.cycle;
        printf("seed %" PRIu64 " %s (%" PRIu64 " accesses, %" PRIu64 " cycles)\n", s, b.failed ? "FAILED" : "ok",
               accesses - before, b.cycle);
        if (b.failed)
            printf("%s", command);
        b.failed ? failed++ : passed++;
        crash_command(NULL);
        fflush(stdout);
    }
    printf("%" PRIu64 " accesses, %" PRIu64 " cycles, %" PRIu64 " times a stream was held\n", accesses, cycles,
           holds.held);
    for (unsigned k = 0; k < COHERENT_N && a.coverage; k++)
        printf("coverage: %12" PRIu64 "  of COHERENT %u\n", seen[k], k);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
