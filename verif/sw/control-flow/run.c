/*
 * Runs generated kernels on a machine and on the host, and compares every word they leave behind.
 *
 *     control-flow [--backend B] [--config C] [--max-cycles N] [--memory M] [--set POLICY=VALUE]... KERNELS.elf HOST.so
 *
 * The host runs one thread after the other: the same text compiled for the host, each thread on a stack of its own, so that a
 * barrier is a change of stacks. A kernel with a name that begins with bad_ must be refused with the barrier fault instead; there
 * is no host run of it (HOST.so may then be `-`).
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "sw/runtime/vellum.h"

enum { WORDS = 64, COUNTERS = 8, STACK = 256 * 1024, POLICIES = 16 };

typedef void kernel_fn(const uint32_t *in, uint32_t *out, uint32_t *count, uint32_t *share, uint32_t n, uint32_t mask);

/* ---- the host: who is running, and barriers ---- */

uint32_t flow_lid, flow_group, flow_local; /* read by the generated code */
void flow_barrier(void);

typedef struct thread {
    ucontext_t context;
    bool started, ended;
    char *stack;
} thread;

static thread *threads;
static ucontext_t scheduler;
static struct {
    kernel_fn *kernel;
    const uint32_t *in;
    uint32_t *out, *count, *share, n, mask;
} job;

void flow_barrier(void)
{
    swapcontext(&threads[flow_lid].context, &scheduler);
}

static void thread_main(void)
{
    job.kernel(job.in, job.out, job.count, job.share, job.n, job.mask);
    threads[flow_lid].ended = true;
    swapcontext(&threads[flow_lid].context, &scheduler);
}

/* One group: every thread in turn up to its next barrier or its end, until all have ended. */
static void run_group(uint32_t group, uint32_t local)
{
    uint32_t left = local;
    flow_group = group;
    flow_local = local;
    for (uint32_t t = 0; t < local; t++)
        threads[t].started = threads[t].ended = false;
    while (left > 0)
        for (uint32_t t = 0; t < local; t++) {
            if (threads[t].ended)
                continue;
            flow_lid = t;
            if (!threads[t].started) {
                threads[t].started = true;
                getcontext(&threads[t].context);
                threads[t].context.uc_stack.ss_sp = threads[t].stack;
                threads[t].context.uc_stack.ss_size = STACK;
                threads[t].context.uc_link = NULL;
                makecontext(&threads[t].context, thread_main, 0);
            }
            swapcontext(&scheduler, &threads[t].context);
            left -= threads[t].ended;
        }
}

/* ---- the machine ---- */

typedef struct options {
    const char *backend, *config, *elf, *host, *set[POLICIES];
    unsigned sets;
    uint64_t max_cycles;
    vl_memory memory;
} options;

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

__attribute__((noreturn)) static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "control-flow: %s: %s\n", what, why);
    exit(2);
}

static void open_device(const options *o, vl_device **dev, const vl_image *image)
{
    vl_error err;
    const vl_options opt = {.memory = o->memory};
    if (vl_open(dev, o->config, o->backend, &opt, &err))
        give_up("vl_open", err.text);
    for (unsigned i = 0; i < o->sets; i++)
        if (vl_set_policy_word(*dev, o->set[i]))
            give_up(o->set[i], vl_detail(*dev));
    if (vl_load(*dev, image) || vl_set_max_cycles(*dev, o->max_cycles))
        give_up("device", vl_detail(*dev));
}

static bool stopped; /* the last launch did not end: the machine is not used again */

/* Launches and returns the code; out and count hold the kernel's results. */
static int launch(vl_device *dev, const vl_image *image, const char *name, uint32_t groups, uint32_t local,
                  uint32_t mask, const uint32_t *in, uint32_t *out, uint32_t *count, vl_result *result)
{
    vl_kernel *k;
    vl_error err;
    vl_ptr din, dout, dcount;
    const uint32_t n = groups * local;
    if (vl_kernel_open(&k, image, name, &err))
        give_up(name, err.text);
    if (vl_malloc(dev, WORDS * 4, &din) || vl_malloc(dev, n * 16, &dout) || vl_malloc(dev, COUNTERS * 4, &dcount)
        || vl_write(dev, din, in, WORDS * 4) || vl_write(dev, dout, out, n * 16)
        || vl_write(dev, dcount, count, COUNTERS * 4))
        give_up(name, vl_detail(dev));
    if (vl_kernel_set_ptr(k, 0, din, &err) || vl_kernel_set_ptr(k, 1, dout, &err)
        || vl_kernel_set_ptr(k, 2, dcount, &err) || vl_kernel_set_local(k, 3, local * 4, &err)
        || vl_kernel_set(k, 4, &n, 4, &err) || vl_kernel_set(k, 5, &mask, 4, &err))
        give_up(name, err.text);
    vl_range range = {.dims = 1, .global = {n}, .local = {local}};
    int code = vl_launch(dev, k, &range, result);
    stopped = code != 0;
    if (vl_read(dev, dout, out, n * 16) || vl_read(dev, dcount, count, COUNTERS * 4) || vl_free(dev, din)
        || vl_free(dev, dout) || vl_free(dev, dcount))
        give_up(name, vl_detail(dev));
    vl_kernel_close(k);
    return code;
}

/* Compares; says what differs first. */
static bool same(const char *name, uint32_t local, const char *what, const uint32_t *got, const uint32_t *want,
                 uint32_t n, uint32_t per_thread)
{
    for (uint32_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            printf("%s FAILED, groups of %u: %s word %u (thread %u) is 0x%08x, the scalar run has 0x%08x\n", name,
                   local, what, i, per_thread ? i / per_thread : 0, got[i], want[i]);
            return false;
        }
    return true;
}

static bool run_good(vl_device *dev, const vl_image *image, const char *name, kernel_fn *host, uint32_t groups,
                     uint32_t local)
{
    const uint32_t n = groups * local;
    uint32_t in[WORDS], count[COUNTERS] = {0}, want_count[COUNTERS] = {0};
    uint32_t *out = malloc(n * 16), *want = malloc(n * 16), *share = calloc(local, 4);
    vl_result result = {0};
    if (!out || !want || !share)
        give_up(name, "out of memory");
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = mix(i + local * 1000 + 1) >> (i % 4 == 0 ? 24 : 0);
    for (uint32_t i = 0; i < n * 4; i++)
        out[i] = want[i] = 0xabcd0000u + i;

    job = (__typeof__(job)){host, in, want, want_count, share, n, WORDS - 1};
    for (uint32_t g = 0; g < groups; g++)
        run_group(g, local);

    int code = launch(dev, image, name, groups, local, WORDS - 1, in, out, count, &result);
    bool ok = code == 0;
    if (!ok)
        printf("%s FAILED, groups of %u: %s %s (fault %s, value 0x%llx, pc 0x%llx)\n", name, local, vl_strerror(code),
               vl_detail(dev), vl_fault_name(result.fault.cause), (unsigned long long)result.fault.value,
               (unsigned long long)result.fault.pc);
    ok = ok && same(name, local, "out", out, want, n * 4, 4)
         && same(name, local, "count", count, want_count, COUNTERS, 0);
    free(out);
    free(want);
    free(share);
    return ok;
}

static bool run_bad(vl_device *dev, const vl_image *image, const char *name, uint32_t warp, uint32_t local)
{
    const uint32_t groups = 2, n = groups * local, ended = strstr(name, "bad_ended") == name;
    uint32_t in[WORDS], count[COUNTERS] = {0};
    uint32_t *out = calloc(n, 16);
    vl_result result = {0};
    if (!out)
        give_up(name, "out of memory");
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = mix(i);
  /* bad_ended kernels take the last thread of the first warp as `mask`. */
    int code = launch(dev, image, name, groups, local, ended ? warp - 1 : WORDS - 1, in, out, count, &result);
    free(out);
    /* Which is seen first where several warps go wrong, a divergent barrier or the end of another warp, is a matter of time. */
    const bool value_ok =
        ended ? result.fault.value == 1 : result.fault.value == 0 || (local > warp && result.fault.value == 1);
    if (code == VL_EFAULT && result.fault.cause == VL_FAULT_BARRIER && value_ok && result.fault.pc != 0)
        return true;
    printf("%s FAILED, groups of %u: it should fault (barrier, %u), but %s (%s, value %llu)\n", name, local, ended,
           code ? vl_strerror(code) : "it ended", vl_fault_name(result.fault.cause),
           (unsigned long long)result.fault.value);
    return false;
}

int main(int argc, char **argv)
{
    options o = {.backend = "ref", .config = "small", .max_cycles = 200000000};
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-' && argv[i][1] == '-'; i += 2) {
        if (strcmp(argv[i], "--backend") == 0)
            o.backend = argv[i + 1];
        else if (strcmp(argv[i], "--config") == 0)
            o.config = argv[i + 1];
        else if (strcmp(argv[i], "--max-cycles") == 0)
            o.max_cycles = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--set") == 0 && o.sets < POLICIES)
            o.set[o.sets++] = argv[i + 1];
        else if (strcmp(argv[i], "--memory") == 0 && !vl_memory_parse(&o.memory, argv[i + 1], NULL))
            ;
        else
            give_up("no such option", argv[i]);
    }
    if (argc - i != 2)
        give_up("usage", "control-flow [--backend B] [--config C] [--max-cycles N] [--memory M] [--set "
                         "POLICY=VALUE]... KERNELS.elf HOST.so");
    o.elf = argv[i];
    o.host = argv[i + 1];

    vl_error err;
    vl_image *image;
    vl_device *dev;
    if (vl_image_read(&image, o.elf, &err))
        give_up(o.elf, err.text);
    void *host = strcmp(o.host, "-") == 0 ? NULL : dlopen(o.host, RTLD_NOW);
    if (!host && strcmp(o.host, "-") != 0)
        give_up(o.host, dlerror());
    open_device(&o, &dev, image);
    const uint32_t warp = (uint32_t)vl_config_value(dev, "threads", 1);
    const uint32_t core = warp * (uint32_t)vl_config_value(dev, "warps", 1);
    threads = calloc(core, sizeof *threads);
    if (!threads)
        give_up("threads", "out of memory");
    for (uint32_t t = 0; t < core; t++)
        if (!(threads[t].stack = malloc(STACK)))
            give_up("stacks", "out of memory");

    /* A group that fills the core, one with a last warp that is not full, one smaller than a warp; for barriers also a single warp. */
    const uint32_t locals[] = {core, core > 2 * warp - 1 ? 2 * warp - 1 : core, warp > 2 ? warp - 1 : 1};
    const uint32_t bad_locals[] = {core, locals[1], warp};
    unsigned passed = 0, failed = 0;
    for (size_t k = 0; k < vl_image_kernels(image); k++) {
        const char *name = vl_image_kernel(image, k)->name;
        const bool bad = strncmp(name, "bad_", 4) == 0;
        kernel_fn *fn = NULL;
        if (!bad) {
            void *symbol = host ? dlsym(host, name) : NULL;
            if (!symbol)
                give_up(name, "not in the host's library");
            memcpy(&fn, &symbol, sizeof fn);
        }
        const bool ended = strncmp(name, "bad_ended", 9) == 0; /* takes a second warp */
        for (unsigned l = 0; l < (ended ? 2 : 3); l++) {
            bool ok = bad ? run_bad(dev, image, name, warp, bad_locals[l])
                          : run_good(dev, image, name, fn, l == 0 ? 3 : 5, locals[l]);
            if (ok)
                passed++;
            else
                failed++;
            if (stopped) {
                vl_close(dev);
                open_device(&o, &dev, image);
            }
        }
    }
    vl_close(dev);
    vl_image_free(image);
    for (uint32_t t = 0; t < core; t++)
        free(threads[t].stack);
    free(threads);
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
