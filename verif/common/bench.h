/* Block bench: the verilated RTL and its C twin side by side under one stimulus; every output, every cycle.
 *
 * A bench is verif/UNIT/BLOCK/bench.c:
 *
 *     #include "verif/common/bench.h"
 *     #include "foo_ports.h"
 *     enum { COV_FULL, COV_HIT, COV_N };
 *     static const char *const cover[] = {"queue full", "hit"};
 *     typedef struct { ...the state of the stimulus... } env_t;
 *     static void start(bench_t *b, env_t *e) { ... }                     // once a run, e is zeroed before
 *     static void drive(bench_t *b, env_t *e, const foo_out_t *out, foo_in_t *in) { ... }   // `in` is all zero at entry
 *     BENCH_MAIN(foo, env_t, start, drive, cover, COV_N)
 *
 * drive() sees this cycle's outputs and sets this cycle's inputs (foo_in_random fills them with noise to begin with, if wanted). b->rng is
 * the run's random generator, b->cycle the cycle, b->seed the seed, b->mode a number that rotates stimulus styles (0..3).
 * BENCH_COVER(b, COV_X, condition) notes coverage; a point that no run reached fails the bench. BENCH_CHECK(b, condition, "text") is for conditions beyond equality.
 *
 * Besides equality the bench checks the boundary rule (no output moves with an input before the edge) and foo_idle's promise (an idle
 * twin with quiet inputs does not change). Inputs come to the twin, and are quiet, by the rules of the compositions (sim_c/wiring.toml). A cycle in which
 * levels move or something is taken is never quiet: in one of BENCH_HUSH of them a twin at rest is clocked as if it were (foo_in_hush), and nothing may come of it.
 *
 * Arguments: --seed N (that seed only), --seeds N (0..N-1), --fresh N (then N new ones, others each time), --cycles N, --fst FILE, --coverage (shows every
 * point with how often it was reached), --no-page (without the scoreboard of the page, and without demanding coverage, which may be read off it: negative controls of a bench's other scoreboards). Prints `seed N`; last line `N passed, N failed`. A run that fails or crashes prints its seed and the command again;
 * points that were not reached are reported only where nothing else is wrong, and only of a whole run: with fewer seeds than the bench's own number coverage is judged
 * with --demand-coverage alone, which tests use that choose the number.
 */
#ifndef VL_BENCH_H
#define VL_BENCH_H
#include <stdlib.h>
#include <time.h>
#include "sim_c/common/vl_bits.h"
#include "verif/common/crash.h"

/* A bench may define these before it includes this file. */
#ifndef BENCH_SEEDS
#define BENCH_SEEDS 4
#endif
#ifndef BENCH_FRESH /* with VELLUM_REGRESS */
#define BENCH_FRESH 8
#endif
#ifndef BENCH_CYCLES
#define BENCH_CYCLES 20000
#endif
#ifndef BENCH_RESTS /* when its composition does not clock the twin: `rests` of sim_c/wiring.toml, where there is one */
#define BENCH_RESTS(B, twin) B##_idle(twin)
#endif

typedef struct bench {
    struct vl_rng rng;
    uint64_t seed, cycle, cycles;
    unsigned mode;
    bool failed, no_page;
    uint64_t *cover;
} bench_t;

#define BENCH_COVER(b, point, cond) do { if (cond) (b)->cover[point]++; } while (0)
#define BENCH_CHECK(b, cond, ...) do { if (!(cond) && !(b)->failed) { (b)->failed = true; \
    printf("seed %" PRIu64 " cycle %" PRIu64 ": check failed: ", (b)->seed, (b)->cycle); printf(__VA_ARGS__); printf("\n"); } } while (0)

typedef struct {
    uint64_t seed, seeds, fresh, cycles;
    bool one, coverage, demand, no_page;
    const char *fst;
} bench_args_t;

static inline int bench_parse(int argc, char **argv, bench_args_t *a)
{
    a->fresh = getenv("VELLUM_REGRESS") ? BENCH_FRESH : 0;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--seed"))
            a->seed = strtoull(argv[++i], NULL, 0), a->one = true;
        else if (i + 1 < argc && !strcmp(argv[i], "--seeds"))
            a->seeds = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--fresh"))
            a->fresh = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--cycles"))
            a->cycles = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--fst"))
            a->fst = argv[++i];
        else if (!strcmp(argv[i], "--coverage"))
            a->coverage = true;
        else if (!strcmp(argv[i], "--demand-coverage"))
            a->demand = true;
        else if (!strcmp(argv[i], "--no-page"))
            a->no_page = true;
        else {
            fprintf(stderr,
                    "usage: %s [--seed N | --seeds N] [--fresh N] [--cycles N] [--coverage] [--demand-coverage] "
                    "[--no-page] [--fst FILE]\n",
                    argv[0]);
            return 2;
        }
    }
    return 0;
}

/* Seed number n of a run: 0, 1, ..., then fresh ones, of no pattern that a bench could lean on. */
static inline uint64_t bench_seed(const bench_args_t *a, uint64_t n)
{
    static uint64_t drawn;
    if (a->one || n < a->seeds)
        return a->one ? a->seed : n;
    drawn = drawn ? drawn : (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid() * 0x9e3779b97f4a7c15u;
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return drawn >> 40 | 1 << 24;
}

/* Short runs of a seed before the long one, each ended by a reset. */
#define BENCH_RESETS 16
#define BENCH_HUSH 4 /* each costs a clock, a copy and a comparison of the whole state */

#define BENCH_MAIN(B, ENV, START, DRIVE, COVER, NCOVER)                                                                 \
    int main(int argc, char **argv)                                                                                     \
    {                                                                                                                   \
        bench_args_t a = {.seeds = BENCH_SEEDS, .cycles = BENCH_CYCLES};                                                               \
        if (bench_parse(argc, argv, &a))                                                                                \
            return 2;                                                                                                   \
        static uint64_t covered[(NCOVER) + 1];                                                                          \
        unsigned passed = 0, failed = 0;                                                                                \
        size_t size = B##_size();                                                                                       \
        B##_t *twin = malloc(size);                                                                                     \
        unsigned char *copy = malloc(size);                                                                             \
        static B##_out_t ro, to;                                                                                        \
        static B##_in_t in, before;                                                                                     \
        static ENV env;                                                                                                 \
        for (uint64_t n = 0; n < (a.one ? 1 : a.seeds + a.fresh); n++) {                                                \
            const uint64_t s = bench_seed(&a, n);                                                                       \
            char again[2048];                                                                                           \
            snprintf(again, sizeof again, "    again: BENCH_CONFIGS=" VL_CFG_NAME " scripts/bench " #B " --seed %" PRIu64 " --cycles %" PRIu64 " --fst build/bench.fst\n", s, a.cycles); \
            char crashed[2200];                                                                                         \
            snprintf(crashed, sizeof crashed, "seed %" PRIu64 " FAILED: it crashed\n%s", s, again);                     \
            crash_command(crashed);                                                                                     \
            bench_t b = {.rng = {s * 7919 + 17}, .seed = s, .cycles = a.cycles, .mode = (unsigned)(s % 4), .cover = covered, .no_page = a.no_page}; \
            void *rtl = B##_rtl_new(s + 1);                                                                                 \
            if (a.fst)                                                                                                  \
                B##_rtl_trace(rtl, a.fst);                                                                              \
            memset(&in, 0, sizeof in);                                                                                  \
            B##_rtl_tick(rtl, &in, false);                                                                              \
            /* Short runs before the long one: a reset must take back whatever the run before has left. */              \
            for (unsigned part = 0; part <= BENCH_RESETS && !b.failed; part++) {                                        \
                b.rng.s = s * 7919 + 17 + (part + 1) % (BENCH_RESETS + 1) * 1000003;                                \
                b.cycles = part < BENCH_RESETS ? 20 + vl_below(&b.rng, 60u << part % 4) : a.cycles;                     \
                memset(&in, 0, sizeof in);                                                                              \
                memset(&env, 0, sizeof env);                                                                            \
                memset(twin, 0, size);                                                                                  \
                B##_rtl_reset(rtl);                                                                                     \
                B##_reset(twin);                                                                                        \
                START(&b, &env);                                                                                        \
                for (b.cycle = 0; b.cycle < b.cycles && !b.failed; b.cycle++) {                                           \
                    vl_diff_t d;                                                                                        \
                    B##_rtl_out(rtl, &ro);                                                                              \
                    memset(&to, 0, sizeof to);                                                                          \
                    B##_out(twin, &to);                                                                                 \
                    if (B##_out_diff(&ro, &to, &d)) {                                                                   \
                        printf("seed %" PRIu64 " run %u cycle %" PRIu64 ": " #B " %s: rtl %s twin %s\n", s, part, b.cycle, d.field, d.a, d.b);\
                        b.failed = true;                                                                                \
                        break;                                                                                          \
                    }                                                                                                   \
                    before = in;                                                                                        \
                    memset(&in, 0, sizeof in);                                                                          \
                    DRIVE(&b, &env, &to, &in);                                                                          \
                    bool still = b.cycle && BENCH_RESTS(B, twin) && B##_in_quiet(&in, &before, &to);                    \
                    if (still)                                                                                          \
                        memcpy(copy, twin, size);                                                                       \
                    B##_in_t hushed = in;                                                                               \
                    if (!still && b.cycle % BENCH_HUSH == 1 && BENCH_RESTS(B, twin) && B##_in_hush(&hushed, &before, &to)) { \
                        memcpy(copy, twin, size);                                                                       \
                        B##_in_wired(&hushed, &to);                                                                     \
                        B##_tick(twin, &hushed);                                                                        \
                        BENCH_CHECK(&b, !memcmp(copy, twin, size), #B " rests with quiet inputs, but its state changes"); \
                    }                                                                                                   \
                    B##_in_t wired = in;                                                                                \
                    B##_in_wired(&wired, &to);                                                                          \
                    B##_tick(twin, &wired);                                                                             \
                    BENCH_CHECK(&b, !(still && memcmp(copy, twin, size)), #B " rests with quiet inputs, but its state changes");\
                    if (!B##_rtl_tick(rtl, &in, true)) {                                                                \
                        printf("seed %" PRIu64 " cycle %" PRIu64 ": " #B ": an output depends on an input in the same cycle\n", s, b.cycle);\
                        b.failed = true;                                                                                \
                    }                                                                                                   \
                }                                                                                                       \
            }                                                                                                           \
            B##_rtl_free(rtl);                                                                                          \
            printf("seed %" PRIu64 " %s (%" PRIu64 " cycles)%s\n", s, b.failed ? "FAILED" : "ok", b.cycle, "");           \
            if (b.failed)                                                                                               \
                printf("%s", again);                                                                                    \
            b.failed ? failed++ : passed++;                                                                             \
            crash_command(NULL);                                                                                        \
        }                                                                                                               \
        for (unsigned i = 0; a.coverage && i < (NCOVER); i++)                                                           \
            printf("coverage: %12" PRIu64 "  %s\n", covered[i], (COVER)[i]);                                            \
        const bool all = a.seeds + a.fresh >= BENCH_SEEDS || a.demand;                                                  \
        if (!a.one && !a.no_page && !all)                                                                               \
            printf("coverage is not judged: %" PRIu64 " of %u seeds (--demand-coverage)\n", a.seeds + a.fresh, (unsigned)BENCH_SEEDS);\
        if (!a.one && !a.no_page && all && !failed)                                                                     \
            for (unsigned i = 0; i < (NCOVER); i++) {                                                                   \
                if (!covered[i])                                                                                        \
                    printf("coverage: '%s' was never reached\n", (COVER)[i]), failed++;                                 \
                else                                                                                                    \
                    passed++;                                                                                           \
            }                                                                                                           \
        free(twin);                                                                                                     \
        free(copy);                                                                                                     \
        printf("%u passed, %u failed\n", passed, failed);                                                               \
        return failed != 0;                                                                                             \
    }
#endif
