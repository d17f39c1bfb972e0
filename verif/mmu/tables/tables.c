/* The verilated tlb, itlb, tlb_mshr and ptw, wired as in a core, and their twins beside them, under random address spaces with every kind of broken PTE (spaces.h): every
 * answer to a load, a store or a fetch is the translation of sim_c/ref/translate, every question is answered, and RTL and twins are equal in every output of every cycle.
 *
 *   tables [--seed N | --seeds N] [--tables N] [--coverage] [--fst FILE]      --tables: spaces a seed; --fst: waves of ptw
 *
 * The load/store unit's part (docs/translation.md, "Who waits") is played here: instructions of several pages, misses one a cycle, answers to all that wait, the three modes, new
 * look-ups after a shootdown. So is l1i's: two questions at a time. Memory answers late and out of order. */
#include <stdlib.h>
#include "verif/common/crash.h"
#include "verif/mmu/tables/answers.h"
#include "verif/mmu/tables/changes.h"
#include "verif/mmu/tables/cover.h"

#define OUT(B, o)                                                                                                                                       \
    do {                                                                                                                                                \
        static B##_out_t rtl;                                                                                                                           \
        vl_diff_t d;                                                                                                                                    \
        B##_rtl_out(e->B, &rtl);                                                                                                                        \
        memset(&(o), 0, sizeof (o));                                                                                                                    \
        B##_out(e->B##_twin, &(o));                                                                                                                     \
        if (!e->failed && B##_out_diff(&rtl, &(o), &d)) {                                                                                               \
            printf("seed %" PRIu64 " cycle %" PRIu64 ": " #B " %s: rtl %s twin %s\n", e->seed, e->cycle, d.field, d.a, d.b);                            \
            e->failed = true;                                                                                                                           \
        }                                                                                                                                               \
    } while (0)

static void cycle(env_t *e)
{
    OUT(tlb, e->to);
    OUT(itlb, e->io);
    OUT(tlb_mshr, e->mo);
    OUT(ptw, e->po);
    if (e->failed)
        return;
    COVER(e, COV_POINTER, e->po.ev.ptw_kept);
    e->inv_busy &= !e->to.inv_done; /* the others are done after one cycle */
    walked(e);
    named(e);
    found(e);
    fetched(e);
    memset(&e->ti, 0, sizeof e->ti);
    memset(&e->ii, 0, sizeof e->ii);
    memset(&e->mi, 0, sizeof e->mi);
    memset(&e->pi, 0, sizeof e->pi);
    load_store(e);
    fetch(e);
    memory(e);
    change(e);
    if (quiet(e) && e->mo.idle && e->po.idle)
        e->last = e->cycle;
    if (e->cycle - e->last > PATIENCE)
        fail(e, "nothing goes on (walks under way: 0x%x)", e->walks);
    /* Between the blocks. */
    const space_t *now = &e->spaces.space[e->spaces.now];
    e->pi.root = (root_t){.sv48 = true, .asid = now->asid, .ppn = now->root};
    e->pi.window = e->spaces.window;
    e->pi.policy = e->policy;
    e->ti.asid = e->ii.asid = e->mi.asid = now->asid;
    e->ti.fill_valid = e->ii.walked_valid = e->mo.walked_valid;
    e->ti.fill = e->ii.walked = e->mo.walked;
    e->mi.miss_valid |= (uint8_t)(e->io.miss_valid << 1);
    e->mi.miss[1] = e->io.miss;
    e->mi.rsp_valid = e->po.rsp_valid;
    e->mi.rsp = e->po.rsp;
    e->mi.closed = e->po.closed;
    e->pi.req_valid = e->mo.req_valid;
    memcpy(e->pi.req, e->mo.req, sizeof e->pi.req);
    e->ii.miss_ready = e->mo.miss_ready >> 1 & 1;
    e->fetch_taken = e->io.miss_valid && e->ii.miss_ready;
    e->ii.walk_valid = e->mo.walk_valid >> 1 & 1;
    e->ii.walk = e->mo.walk[1];
    tlb_rtl_tick(e->tlb, &e->ti, false);
    itlb_rtl_tick(e->itlb, &e->ii, false);
    tlb_mshr_rtl_tick(e->tlb_mshr, &e->mi, false);
    ptw_rtl_tick(e->ptw, &e->pi, false);
    tlb_tick(e->tlb_twin, &e->ti);
    itlb_tick(e->itlb_twin, &e->ii);
    tlb_mshr_tick(e->tlb_mshr_twin, &e->mi);
    ptw_tick(e->ptw_twin, &e->pi);
}

#define OPEN(B)                                                                                                                                         \
    do {                                                                                                                                                \
        static const B##_in_t none;                                                                                                                     \
        e->B = B##_rtl_new(e->seed + 1);                                                                                                                \
        B##_rtl_tick(e->B, &none, false);                                                                                                               \
        B##_rtl_reset(e->B);                                                                                                                            \
        e->B##_twin = malloc(B##_size());                                                                                                               \
        if (!e->B##_twin)                                                                                                                               \
            abort();                                                                                                                                    \
        B##_reset(e->B##_twin);                                                                                                                         \
    } while (0)
#define CLOSE(B) (B##_rtl_free(e->B), free(e->B##_twin))

static bool run(env_t *e, uint64_t tables, const char *fst)
{
    OPEN(tlb);
    OPEN(itlb);
    OPEN(tlb_mshr);
    OPEN(ptw);
    if (fst)
        ptw_rtl_trace(e->ptw, fst);
    e->policy = (walk_policy_t){.coalesce = true, .pointers = true};
    e->mode = TLB_OVERLAP;
    style(e);
    for (e->cycle = 0; e->tables < tables && !e->failed; e->cycle++)
        cycle(e);
    printf("seed %" PRIu64 " %s (%" PRIu64 " spaces, %" PRIu64 " cycles)\n", e->seed, e->failed ? "FAILED" : "ok",
           e->tables, e->cycle);
    CLOSE(tlb);
    CLOSE(itlb);
    CLOSE(tlb_mshr);
    CLOSE(ptw);
    return !e->failed;
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, seeds = 4, tables = 5000;
    bool one = false, coverage = false;
    const char *fst = NULL;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--seed"))
            seed = strtoull(argv[++i], NULL, 0), one = true;
        else if (i + 1 < argc && !strcmp(argv[i], "--seeds"))
            seeds = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--tables"))
            tables = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--fst"))
            fst = argv[++i];
        else if (!strcmp(argv[i], "--coverage"))
            coverage = true;
        else {
            fprintf(stderr, "usage: %s [--seed N | --seeds N] [--tables N] [--coverage] [--fst FILE]\n", argv[0]);
            return 2;
        }
    }
    static uint64_t cover[COV_N];
    unsigned passed = 0, failed = 0;
    for (uint64_t s = one ? seed : 0; s < (one ? seed + 1 : seeds); s++) {
        static env_t env;
        env = (env_t){.rng = {s * 7919 + 31}, .seed = s, .cover = cover, .inv_cycle = UINT64_MAX - 1};
        char crashed[2048];
        snprintf(crashed, sizeof crashed,
                 "seed %" PRIu64 " FAILED: it crashed\n    again: %s --seed %" PRIu64 " --tables %" PRIu64 "\n", s,
                 argv[0], s, tables);
        crash_command(crashed);
        if (run(&env, tables, fst)) {
            passed++;
        } else {
            failed++;
            printf("    again: BENCH_CONFIGS=" VL_CFG_NAME " scripts/bench tables --seed %" PRIu64 " --tables %" PRIu64
                   "\n",
                   s, tables);
        }
        crash_command(NULL);
    }
    for (unsigned k = 0; k < COV_N; k++) {
        char text[128];
        name(k, text, sizeof text);
        if (coverage)
            printf("coverage: %12" PRIu64 "  %s%s\n", cover[k], text, impossible(k) ? " (cannot be)" : "");
        if (one || failed)
            continue;
        if (impossible(k) ? cover[k] != 0 : !cover[k])
            printf("coverage: '%s' was %s\n", text, impossible(k) ? "reached, and cannot be" : "never reached"),
                failed++;
        else
            passed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
