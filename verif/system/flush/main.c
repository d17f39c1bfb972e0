/* A flush of one program's translations touches its cores and its address space, and no others (docs/shared-translation.md, A flush of some cores). Each scene is played on two
 * machines that are equal except for the flushes: counters of untouched units are equal on both, to the last event.
 *
 *     flush IMAGE BACKEND CONFIG [once|running|refused]      last line: N passed, N failed
 */
#include "verif/system/contexts/contexts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FEW pages stay in an L1 TLB beside those that a kernel needs for itself. MANY that are APART are all in one set of it, which has room for fewer; and they fit the L2 TLB with the others. */
enum { WARP = 8, FEW = 3, MANY = 5, APART = 4, ROUNDS = 6, EVERY = 400, COUNTS = 256 };
enum { OURS, OTHERS, PROGRAMS };

typedef struct {
    vl_space *space;
    vl_image *image;
    vl_kernel *kernel;
    uint32_t *in, *out, pages, apart, rounds;
} program_t;

typedef struct {
    uint64_t count[COUNTS], l2_hits, l2_misses; /* of the L2 TLB, in the launch */
    size_t n;
} seen_t;

typedef struct {
    const char *const *argv;
    vl_device *dev;
    vl_error err;
    program_t p[PROGRAMS];
    const vl_stat *names; /* of counts */
} test_t;

static void must(test_t *t, int e, const char *what)
{
    check_call(t->dev, &t->err, e, what);
}

static void make_program(test_t *t, unsigned i, uint32_t pages, uint32_t apart, uint32_t rounds)
{
    program_t *p = &t->p[i];
    p->pages = pages;
    p->apart = apart;
    p->rounds = rounds;
    new_space(t->dev, &t->err, t->argv[1], &p->space, &p->image);
    must(t, vl_kernel_open(&p->kernel, p->image, "pages", &t->err), "the kernel");
    p->in = new_buffer(t->dev, &t->err, 4096ull * pages * apart);
    p->out = new_buffer(t->dev, &t->err, 4096);
    for (uint32_t k = 0; k < 1024 * pages * apart; k++)
        p->in[k] = k * 2654435761u + i;
    int e = vl_kernel_set_ptr(p->kernel, 0, as_ptr(p->in), &t->err);
    e = e ? e : vl_kernel_set_ptr(p->kernel, 1, as_ptr(p->out), &t->err);
    e = e ? e : vl_kernel_set(p->kernel, 2, &p->pages, 4, &t->err);
    e = e ? e : vl_kernel_set(p->kernel, 3, &p->apart, 4, &t->err);
    e = e ? e : vl_kernel_set(p->kernel, 4, &p->rounds, 4, &t->err);
    must(t, e, "arguments");
}

static void open_machine(test_t *t, uint32_t ours, uint32_t others)
{
    vl_options opt = {0};
    must(t, vl_memory_parse(&opt.memory, "paged", &t->err), "memory");
    must(t, vl_open(&t->dev, t->argv[3], t->argv[2], &opt, &t->err), "a device");
    make_program(t, OURS, FEW, 1, ours);
    make_program(t, OTHERS, MANY, APART, others);
}

static void close_machine(test_t *t)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        vl_kernel_close(t->p[i].kernel);
    vl_close(t->dev);
    for (unsigned i = 0; i < PROGRAMS; i++)
        vl_image_free(t->p[i].image);
    t->dev = NULL;
}

static void check_result(const program_t *p, int code, const char *when)
{
    bool right = true;
    for (uint32_t id = 0; id < WARP; id++) {
        uint32_t s = id;
        for (uint32_t r = 0; r < p->rounds; r++)
            for (uint32_t k = 0; k < p->pages; k++)
                s = s * 3 + p->in[k * p->apart * 1024 + (r * 8 + id) % 1024];
        right &= p->out[id] == s;
    }
    check(!code && right, "%s: %s", when, code ? vl_strerror(code) : "a wrong result");
}

static vl_job job_of(test_t *t, unsigned i, unsigned core)
{
    memset(t->p[i].out, 0xee, 4096);
    return (vl_job){.space = t->p[i].space,
                    .kernel = t->p[i].kernel,
                    .range = {.dims = 1, .global = {WARP}, .local = {WARP}},
                    .cores = 1ull << core};
}

static void keep(test_t *t, const vl_job *j, seen_t *s)
{
    *s = (seen_t){.n = j->n_own < COUNTS ? j->n_own : COUNTS};
    for (size_t k = 0; k < s->n; k++)
        s->count[k] = j->own[k].value;
    s->l2_hits = vl_result_value(&j->result, "l2_tlb_hits", 0);
    s->l2_misses = vl_result_value(&j->result, "l2_tlb_misses", 0);
    t->names = j->own;
}

static uint64_t count_of(const test_t *t, const seen_t *s, const char *name)
{
    for (size_t k = 0; k < s->n; k++)
        if (!strcmp(t->names[k].name, name))
            return s->count[k];
    check(false, "there is no counter %s", name);
    return 0;
}

/* A program alone on one core. */
static void run(test_t *t, unsigned i, unsigned core, seen_t *s)
{
    vl_job j = job_of(t, i, core);
    must(t, vl_launch_jobs(t->dev, &j, 1), "a launch");
    check_result(&t->p[i], j.result.code, "alone");
    keep(t, &j, s);
}

/* Counters that depend on a program's own accesses alone, whenever the rest of the machine answers them. */
static const char *const decided[] = {"tlb_lookups", "tlb_hits",  "tlb_misses", "tlb_fills", "tlb_evicts",
                                      "tlb_invs",    "l1d_loads", "l1d_invals", "seam_asks", "seam_dropped"};

static void check_same(const test_t *t, const seen_t *a, const seen_t *b, const char *who)
{
    for (size_t k = 0; k < sizeof decided / sizeof *decided; k++)
        check(count_of(t, a, decided[k]) == count_of(t, b, decided[k]),
              "%s: %s is %" PRIu64 ", without a flush %" PRIu64, who, decided[k], count_of(t, b, decided[k]),
              count_of(t, a, decided[k]));
}

/* ---- between launches: one core of two that have the same address space, and the other space on the second ------------------------------------ */

enum { SAME_SPACE, OTHER_SPACE, FLUSHED, LOOKS };

static void play_once(test_t *t, bool flush, seen_t seen[LOOKS])
{
    seen_t warm;
    open_machine(t, ROUNDS, ROUNDS);
    for (unsigned round = 0; round < 2; round++) {
        run(t, OTHERS, 1, &warm);
        run(t, OURS, 0, &warm);
        run(t, OURS, 1, &warm);
    }
    if (flush)
        must(t, vl_flush(t->dev, t->p[OURS].space, 1), "a flush of core 0");
    run(t, OURS, 1, &seen[SAME_SPACE]);
    run(t, OTHERS, 1, &seen[OTHER_SPACE]);
    run(t, OURS, 0, &seen[FLUSHED]);
}

static void test_once(test_t *t)
{
    seen_t without[LOOKS], with[LOOKS];
    play_once(t, false, without);
    check(!count_of(t, &without[SAME_SPACE], "tlb_misses") && !count_of(t, &without[FLUSHED], "tlb_misses"),
          "%" PRIu64 " and %" PRIu64 " misses in TLBs that are warm", count_of(t, &without[SAME_SPACE], "tlb_misses"),
          count_of(t, &without[FLUSHED], "tlb_misses"));
    check(without[OTHER_SPACE].l2_hits > MANY, "the other program hits the L2 TLB %" PRIu64 " times only",
          without[OTHER_SPACE].l2_hits);
    close_machine(t);
    play_once(t, true, with);
    check_same(t, &without[SAME_SPACE], &with[SAME_SPACE], "the same address space on another core");
    check_same(t, &without[OTHER_SPACE], &with[OTHER_SPACE], "another address space");
    check(without[OTHER_SPACE].l2_hits == with[OTHER_SPACE].l2_hits && !with[OTHER_SPACE].l2_misses,
          "another address space: %" PRIu64 " hits and %" PRIu64 " misses in the L2 TLB, without the flush %" PRIu64
          " hits",
          with[OTHER_SPACE].l2_hits, with[OTHER_SPACE].l2_misses, without[OTHER_SPACE].l2_hits);
    const uint64_t misses = count_of(t, &with[FLUSHED], "tlb_misses");
    check(misses > FEW, "%" PRIu64 " misses where the TLB has been flushed", misses);
    check(!with[FLUSHED].l2_hits, "%" PRIu64 " hits in the L2 TLB of what has been flushed", with[FLUSHED].l2_hits);
    printf("once: %" PRIu64 " misses in the TLB of the core that is flushed, and none in that of the other\n", misses);
    close_machine(t);
}

/* ---- while both programs run: one of them is flushed again and again --------------------------------------------------------------------- */

static void play_running(test_t *t, bool flush, seen_t *ours, seen_t *others, uint64_t *l2_hits)
{
    vl_job j[PROGRAMS];
    open_machine(t, 150, 30);
    if (flush)
        must(t, vl_space_flush(t->dev, t->p[OURS].space, EVERY), "flushes");
    for (unsigned i = 0; i < PROGRAMS; i++)
        j[i] = job_of(t, i, i);
    must(t, vl_launch_jobs(t->dev, j, PROGRAMS), "both");
    for (unsigned i = 0; i < PROGRAMS; i++)
        check_result(&t->p[i], j[i].result.code, flush ? "both, one of them flushed" : "both");
    keep(t, &j[OURS], ours);
    keep(t, &j[OTHERS], others);
    *l2_hits = vl_result_value(&j[OTHERS].result, "l2_tlb_hits_k1", 0);
}

static void test_running(test_t *t)
{
    seen_t ours[2], others[2];
    uint64_t l2_hits[2];
    for (unsigned flush = 0; flush < 2; flush++) {
        play_running(t, flush, &ours[flush], &others[flush], &l2_hits[flush]);
        if (!flush)
            close_machine(t);
    }
    check_same(t, &others[0], &others[1], "the other program");
    const uint64_t flushes = count_of(t, &ours[1], "tlb_invs");
    check(l2_hits[0] > MANY && l2_hits[0] == l2_hits[1],
          "the other program hits the L2 TLB %" PRIu64 " times, without flushes %" PRIu64, l2_hits[1], l2_hits[0]);
    check(flushes > 5 && !count_of(t, &others[1], "tlb_invs"), "%" PRIu64 " flushes, and %" PRIu64 " of the other",
          flushes, count_of(t, &others[1], "tlb_invs"));
    check(count_of(t, &ours[1], "tlb_misses") >= count_of(t, &ours[0], "tlb_misses") + flushes,
          "%" PRIu64 " flushes, and %" PRIu64 " misses instead of %" PRIu64, flushes,
          count_of(t, &ours[1], "tlb_misses"), count_of(t, &ours[0], "tlb_misses"));
    printf("running: %" PRIu64 " flushes: misses %" PRIu64 " instead of %" PRIu64 ", of the other %" PRIu64
           " with and without\n",
           flushes, count_of(t, &ours[1], "tlb_misses"), count_of(t, &ours[0], "tlb_misses"),
           count_of(t, &others[1], "tlb_misses"));
    close_machine(t);
}

/* ---- wrong use --------------------------------------------------------------------------------------------------------------------------- */

static void test_refused(test_t *t)
{
    vl_options opt = {0};
    vl_space *s = NULL;
    open_machine(t, 1, 1);
    check(vl_flush(t->dev, t->p[OURS].space, 0) == VL_EINVAL
              && vl_flush(t->dev, t->p[OURS].space, 1ull << 63) == VL_EINVAL
              && strstr(vl_detail(t->dev), "cores 0x8000000000000000: there are 2"),
          "no core, and one that is not there: %s", vl_detail(t->dev));
    check(!vl_flush(t->dev, NULL, 3) && !vl_space_flush(t->dev, NULL, 100), "the device's own space: %s",
          vl_detail(t->dev));
    close_machine(t);
    must(t, vl_memory_parse(&opt.memory, "paged", &t->err), "memory");
    must(t, vl_open(&t->dev, "tiny", "model", &opt, &t->err), "tiny");
    must(t, vl_space_new(t->dev, &s), "a space");
    check(vl_flush(t->dev, s, 1) == VL_ENOTSUP && strstr(vl_detail(t->dev), "here it is 'core'")
              && vl_space_flush(t->dev, s, 100) == VL_ENOTSUP,
          "tiny: %s", vl_detail(t->dev));
    vl_close(t->dev);
    t->dev = NULL;
    must(t, vl_memory_parse(&opt.memory, "paged,flush=500", &t->err), "memory");
    check(vl_open(&t->dev, "tiny", "model", &opt, &t->err) == VL_ENOTSUP && strstr(t->err.text, "translation = shared"),
          "tiny with flush=: %s", t->err.text);
    must(t, vl_memory_parse(&opt.memory, "bare", &t->err), "memory");
    must(t, vl_open(&t->dev, "mask2", "model", &opt, &t->err), "bare memory");
    check(vl_flush(t->dev, NULL, 1) == VL_ENOTSUP, "bare memory");
    vl_close(t->dev);
    t->dev = NULL;
}

int main(int argc, char **argv)
{
    static test_t t;
    const char *only = argc == 5 ? argv[4] : "";
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: flush IMAGE BACKEND CONFIG [once|running|refused]\n");
        return 2;
    }
    t.argv = (const char *const *)argv;
    if (!*only || !strcmp(only, "once"))
        test_once(&t);
    if (!*only || !strcmp(only, "running"))
        test_running(&t);
    if (!*only || !strcmp(only, "refused"))
        test_refused(&t);
    return check_verdict();
}
