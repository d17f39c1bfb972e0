/* A device that is shut down in mid-run: a core of it faults, its kernel comes to its limit or is interrupted, the program closes all. What its threads had stored is in memory, in
 * the order of each thread, and so is what other devices and the host had.
 *
 *     shutdown IMAGE BACKEND CONFIG SEED THREADS STEPS [all | umh | first]      last line: N passed, N failed
 *
 * all: a fault on each device, and each end on each side of two kernels; else one of each. umh: with memory = umh alone.
 * first: ends at the first check that fails.
 */
#include "verif/common/check.h"
#include "verif/ref/lib/rng.h"
#include "verif/system/shutdown/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNTOUCHED = 0xee, NOBODY = UINT32_MAX };
#define NOTHING_THERE 0x20u /* an address outside of memory */

typedef struct {
    const char *image, *backend, *config;
    uint32_t n, steps;
    unsigned devices, cores, threads;
    uint64_t cycles, rounds; /* of a run to the end, and of the host's work beside it */
    rng random;
} machine_t;

/* A kernel in a space of its own, and the memory expected behind it. */
typedef struct {
    vl_device *dev;
    vl_space *space;
    vl_image *image;
    vl_kernel *kernel;
    vl_ptr words, done;
    uint32_t n, n_words, culprit, at;
    uint32_t *mine, *got, *says; /* stored by the host; read back */
    bool *seen; /* by the host, after it had synchronised */
} kernel_t;

/* One of many that are one check together. */
#define demand(ok, ...) ((ok) ? (void)0 : check(false, __VA_ARGS__))

static vl_range range_of(const machine_t *m)
{
    return (vl_range){.dims = 1, .global = {m->n}, .local = {m->threads}};
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------- */

static vl_device *open_device(const machine_t *m, vl_home home, vl_memory_mode mode, uint64_t frames)
{
    vl_device *dev;
    vl_error err = {0};
    const vl_options opt = {.memory = {.mode = mode, .home = home, .frames = frames, .random_frames = mode != VL_BARE}};
    check_call(NULL, &err, vl_open(&dev, m->config, m->backend, &opt, &err), "a device");
    return dev;
}

static void fresh(kernel_t *k)
{
    const vl_error none = {0};
    check_call(k->dev, &none, vl_fill(k->dev, k->words, UNTOUCHED, 4ull * k->n_words), "words");
    check_call(k->dev, &none, vl_fill(k->dev, k->done, 0, 4ull * (k->n + 1)), "who has come how far");
    memset(k->mine, UNTOUCHED, 4ull * k->n_words);
    memset(k->seen, 0, k->n_words);
}

static void make_kernel(const machine_t *m, kernel_t *k, vl_device *dev, bool space)
{
    vl_error err = {0};
    *k = (kernel_t){.dev = dev, .n = m->n, .n_words = 2 * m->n * m->steps};
    if (space) {
        check_call(dev, &err, vl_space_new(dev, &k->space), "a space");
        check_call(dev, &err, vl_use_space(dev, k->space), "its use");
    }
    check_call(NULL, &err, vl_image_read(&k->image, m->image, &err), "an image");
    check_call(dev, &err, vl_load(dev, k->image), "its load");
    check_call(NULL, &err, vl_kernel_open(&k->kernel, k->image, "work", &err), "the kernel");
    check_call(dev, &err, vl_malloc(dev, 4ull * k->n_words, &k->words), "a buffer");
    check_call(dev, &err, vl_malloc(dev, 4ull * (k->n + 1), &k->done), "a buffer");
    k->mine = malloc(4ull * k->n_words), k->got = malloc(4ull * k->n_words), k->says = malloc(4ull * (k->n + 1));
    k->seen = malloc(k->n_words);
    if (!k->mine || !k->got || !k->says || !k->seen)
        exit(2);
    fresh(k);
}

static void drop_kernel(kernel_t *k)
{
    vl_kernel_close(k->kernel);
    vl_image_free(k->image);
    free(k->mine), free(k->got), free(k->says), free(k->seen);
}

/* Which group stops at which step, and how; NOBODY: none. */
static void arguments(const machine_t *m, kernel_t *k, uint32_t culprit, uint32_t at, uint64_t bad, uint32_t delay)
{
    vl_error err = {0};
    k->culprit = culprit, k->at = at;
    int e = vl_kernel_set_ptr(k->kernel, 0, k->words, &err);
    e = e ? e : vl_kernel_set_ptr(k->kernel, 1, k->done, &err);
    e = e ? e : vl_kernel_set(k->kernel, 2, &m->steps, 4, &err);
    e = e ? e : vl_kernel_set(k->kernel, 3, &culprit, 4, &err);
    e = e ? e : vl_kernel_set(k->kernel, 4, &at, 4, &err);
    e = e ? e : vl_kernel_set(k->kernel, 5, &bad, 8, &err);
    e = e ? e : vl_kernel_set(k->kernel, 6, &delay, 4, &err);
    check_call(NULL, &err, e, "arguments");
}

/* ---- expected memory ------------------------------------------------------------------------------------------------------ */

/* Steps of thread id that are in memory; what follows them is untouched. */
static uint32_t steps_of(const machine_t *m, const kernel_t *k, uint32_t id)
{
    uint32_t i = 0;
    while (i < m->steps && k->got[PLACE(i, id, k->n)] == VALUE(i, id))
        i++;
    for (uint32_t r = i; r < m->steps; r++)
        if (k->got[PLACE(r, id, k->n)] != UNTOUCHED * 0x01010101u) {
            check(false, "thread %u: word of step %u is 0x%08x, that of step %u was not stored (0x%08x)", id, r,
                  k->got[PLACE(r, id, k->n)], i, k->got[PLACE(i, id, k->n)]);
            break;
        }
    return i;
}

/* All that was stored is there. Steps in all. */
static uint64_t check_memory(const machine_t *m, kernel_t *k, bool whole, const char *when)
{
    const vl_error none = {0};
    uint64_t all = 0, said = 0;
    const unsigned before = failed;
    if (k->space)
        check_call(k->dev, &none, vl_use_space(k->dev, k->space), "a space");
    check_call(k->dev, &none, vl_read(k->dev, k->words, k->got, 4ull * k->n_words), "words");
    check_call(k->dev, &none, vl_read(k->dev, k->done, k->says, 4ull * (k->n + 1)), "who has come how far");
    for (uint32_t id = 0; id < k->n && failed < before + 5; id++) {
        const uint32_t steps = steps_of(m, k, id);
        const bool culprit = id / m->threads == k->culprit;
        all += steps;
        said += k->says[id] / SAYS;
        demand(k->says[id] <= steps && k->says[id] % SAYS == 0, "%s: thread %u has stored %u words and said %u", when,
               id, steps, k->says[id]);
        demand(steps == (culprit ? k->at + 1 : m->steps) || (!whole && !culprit), "%s: thread %u has stored %u words",
               when, id, steps);
    }
    demand(failed > before || (k->says[k->n] >= said && k->says[k->n] <= said + k->n),
           "%s: %u times was said something, by %" PRIu64, when, k->says[k->n], said);
    for (uint32_t w = 0; w < k->n_words && failed < before + 5; w++) {
        demand(w % 2 == 0 || k->got[w] == k->mine[w], "%s: the host's word %u is 0x%08x, not 0x%08x", when, w,
               k->got[w], k->mine[w]);
        demand(!k->seen[w] || k->got[w] != UNTOUCHED * 0x01010101u, "%s: word %u, which the host had seen, is gone",
               when, w);
    }
    passed += failed == before;
    return all;
}

/* ---- the host beside a kernel -------------------------------------------------------------------------------------------- */

/* Stores some of its words, and looks at some of the kernel's. */
static void host_works(machine_t *m, kernel_t *k)
{
    const vl_error none = {0};
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t w = rng_below(&m->random, k->n_words) | 1;
        k->mine[w] = rng_below(&m->random, UINT32_MAX);
        check_call(k->dev, &none, vl_write(k->dev, k->words + 4ull * w, &k->mine[w], 4), "a store of the host");
    }
    const uint32_t from = rng_below(&m->random, k->n_words - 16) & ~1u;
    uint32_t some[16];
    check_call(k->dev, &none, vl_sync(k->dev, k->words + 4ull * from, sizeof some), "a synchronisation");
    check_call(k->dev, &none, vl_read(k->dev, k->words + 4ull * from, some, sizeof some), "a load of the host");
    for (unsigned i = 0; i < 16; i += 2)
        k->seen[from + i] |= some[i] != UNTOUCHED * 0x01010101u;
}

/* Works beside the kernel until it has ended, or `rounds` times. Returns how often. */
static uint64_t host_beside(machine_t *m, kernel_t *k, uint64_t rounds, bool *running)
{
    const vl_error none = {0};
    uint64_t n = 0;
    for (*running = true; *running && n < rounds; n++) {
        check_call(k->dev, &none, vl_launch_pass(k->dev, 300, running), "time");
        host_works(m, k);
    }
    return n;
}

/* ---- the tests ------------------------------------------------------------------------------------------------------------ */

static int enough(void *user, const vl_progress *p)
{
    (void)p;
    return *(const bool *)user;
}

enum { FAULTS, LIMIT, INTERRUPT, CLOSE, NO_WAY, WAYS };
static const char *const ways[] = {"faults", "comes to its limit", "is interrupted", "is closed", "ends"};
static const int code_of[] = {VL_EFAULT, VL_ELIMIT, VL_EINTR, 0, 0};

/* The host works beside a kernel that ends so; device: that of the core that faults. */
static void test_beside(machine_t *m, vl_home home, unsigned way, unsigned device)
{
    snprintf(check_name, sizeof check_name, "%s, memory %s: a kernel that %s, device %u", m->config,
             home == VL_HOME_ZEROCOPY ? "zerocopy" : "umh", ways[way], device);
    vl_device *dev = open_device(m, home, VL_BARE, 0);
    const vl_error none = {0};
    const vl_range range = range_of(m);
    kernel_t k;
    vl_result r;
    bool asked = false;
    make_kernel(m, &k, dev, false);
    arguments(m, &k, way == FAULTS ? device : NOBODY, m->steps / 4, NOTHING_THERE,
              way == FAULTS || way == NO_WAY ? 0 : 400);
    check_call(dev, &none, vl_set_max_cycles(dev, way == LIMIT ? 8000 : 0), "a limit");
    check_call(dev, &none, way == INTERRUPT ? vl_set_progress(dev, enough, &asked) : 0, "progress");
    check_call(dev, &none, vl_launch_begin(dev, k.kernel, &range), "a launch");
    bool running;
    const uint64_t rounds = host_beside(m, &k,
                                        way == LIMIT                       ? 1
                                        : way == INTERRUPT || way == CLOSE ? m->rounds / 3
                                                                           : UINT64_MAX,
                                        &running);
    check(running == (way != FAULTS && way != NO_WAY), "it runs: %d", running);
    if (way == CLOSE) {
        vl_close(dev);
        drop_kernel(&k);
        return;
    }
    if (way == FAULTS && device == m->devices - 1) { /* all is quiet: it can be brought home at once, too */
        check_call(dev, &none, vl_sync(dev, k.words, 4ull * k.n_words), "a synchronisation of all words");
        check_call(dev, &none, vl_sync(dev, k.done, 4ull * (k.n + 1)), "a synchronisation");
        (void)check_memory(m, &k, false, "before the end of the launch");
    }
    asked = way == INTERRUPT;
    if (asked)
        usleep(110000); /* progress is shown ten times a second at most */
    const int e = vl_launch_end(dev, &r);
    check(e == code_of[way], "it ends by: %s (%s)", vl_strerror(e), vl_detail(dev));
    check(way != FAULTS
              || (r.fault.cause == VL_FAULT_STORE_ACCESS && r.fault.value == NOTHING_THERE
                  && r.fault.core / (m->cores / m->devices) == device),
          "fault %u of core %u, value 0x%" PRIx64, r.fault.cause, r.fault.core, r.fault.value);
    const uint64_t all = check_memory(m, &k, way == NO_WAY, "after the launch");
    printf("%s: %" PRIu64 " of %u words, %" PRIu64 " cycles\n", check_name, all, m->n * m->steps, r.cycles);
    check(way == NO_WAY || all < (uint64_t)m->n * m->steps, "nothing was cut short");
    if (way == NO_WAY)
        m->cycles = r.cycles, m->rounds = rounds;
    check(way == NO_WAY || vl_launch(dev, k.kernel, &range, NULL) == VL_EDEAD, "the device runs another kernel");
    vl_close(dev);
    drop_kernel(&k);
}

/* With pages that come and go: those in frames and those at home. */
static void test_pages(machine_t *m, vl_home home)
{
    snprintf(check_name, sizeof check_name, "%s, memory %s, pages on demand: a kernel that faults", m->config,
             home == VL_HOME_ZEROCOPY ? "zerocopy" : "umh");
    vl_device *dev = open_device(m, home, VL_DEMAND, m->threads + 4);
    const vl_range range = range_of(m);
    kernel_t k;
    vl_result r;
    make_kernel(m, &k, dev, false);
    arguments(m, &k, 1, m->steps / 4, NOTHING_THERE, 0);
    const int e = vl_launch(dev, k.kernel, &range, &r);
    check(e == VL_EFAULT && r.fault.cause == VL_FAULT_STORE_PAGE, "it ends by: %s, %u", vl_detail(dev), r.fault.cause);
    const uint64_t all = check_memory(m, &k, false, "after the launch");
    printf("%s: %" PRIu64 " of %u words, %" PRIu64 " pages out\n", check_name, all, m->n * m->steps,
           vl_result_value(&r, "pages_out", 0));
    check(all < (uint64_t)m->n * m->steps, "nothing was cut short");
    vl_close(dev);
    drop_kernel(&k);
}

/* A kernel on the cores of the first device, one on those of the others: one is shut down, the other goes on to its end; then both run whole, on the same device. */
static void test_jobs(machine_t *m, vl_home home, unsigned who, unsigned way)
{
    snprintf(check_name, sizeof check_name, "%s, memory %s: beside a kernel that %s on %s", m->config,
             home == VL_HOME_ZEROCOPY ? "zerocopy" : "umh", ways[way], who ? "the other devices" : "the first device");
    vl_device *dev = open_device(m, home, VL_PAGED, 0);
    const vl_error none = {0};
    const uint64_t first = ~0ull >> (64 - m->cores / m->devices), all_cores = ~0ull >> (64 - m->cores);
    kernel_t k[2];
    vl_job j[2];
    for (unsigned i = 0; i < 2; i++) {
        make_kernel(m, &k[i], dev, true);
        j[i] = (vl_job){
            .space = k[i].space, .kernel = k[i].kernel, .range = range_of(m), .cores = i ? all_cores & ~first : first};
        arguments(m, &k[i], i == who ? 0 : NOBODY, m->steps / 4, way == FAULTS ? NOTHING_THERE : 0, 0);
    }
    check_call(dev, &none, vl_set_max_cycles(dev, way == LIMIT ? 9 * m->cycles : 0), "a limit");
    check_call(dev, &none, vl_launch_jobs(dev, j, 2), "two kernels");
    check(j[who].result.code == code_of[way], "it ends by: %s", vl_strerror(j[who].result.code));
    check(j[!who].result.code == 0, "the other one: %s", vl_strerror(j[!who].result.code));
    const uint64_t cut = check_memory(m, &k[who], false, "its own");
    (void)check_memory(m, &k[!who], true, "the other's");
    printf("%s: %" PRIu64 " of %u words; the other has ended in cycle %" PRIu64 "\n", check_name, cut, m->n * m->steps,
           j[!who].result.cycles);
    check_call(dev, &none, vl_set_max_cycles(dev, 0), "no limit");
    for (unsigned i = 0; i < 2; i++) {
        check_call(dev, &none, vl_use_space(dev, k[i].space), "a space");
        fresh(&k[i]);
        arguments(m, &k[i], NOBODY, 0, 0, 0);
    }
    check_call(dev, &none, vl_launch_jobs(dev, j, 2), "two kernels");
    for (unsigned i = 0; i < 2; i++) {
        check(j[i].result.code == 0, "kernel %u, again: %s", i, vl_strerror(j[i].result.code));
        (void)check_memory(m, &k[i], true, "again");
    }
    vl_close(dev);
    for (unsigned i = 0; i < 2; i++)
        drop_kernel(&k[i]);
}

int main(int argc, char **argv)
{
    machine_t m;
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "usage: shutdown IMAGE BACKEND CONFIG SEED THREADS STEPS [all | umh | first]\n");
        return 2;
    }
    check_first = argc == 8 && !strcmp(argv[7], "first");
    const bool umh_alone = argc == 8 && !strcmp(argv[7], "umh"), all = argc == 8 && !umh_alone;
    m = (machine_t){.image = argv[1],
                    .backend = argv[2],
                    .config = argv[3],
                    .random = {strtoull(argv[4], NULL, 0)},
                    .n = (uint32_t)atoi(argv[5]),
                    .steps = (uint32_t)atoi(argv[6])};
    vl_device *dev = open_device(&m, VL_HOME_UNSAID, VL_BARE, 0);
    m.devices = (unsigned)vl_config_value(dev, "devices", 1);
    m.cores = (unsigned)vl_config_value(dev, "cores", 1);
    m.threads = (unsigned)vl_config_value(dev, "threads", 1);
    vl_close(dev);
    for (vl_home home = VL_HOME_UMH; home <= (umh_alone ? VL_HOME_UMH : VL_HOME_ZEROCOPY); home++) {
        test_beside(&m, home, NO_WAY, 0);
        for (unsigned d = all ? 0 : m.devices - 1; d < m.devices; d++)
            test_beside(&m, home, FAULTS, d);
        for (unsigned way = LIMIT; way <= CLOSE; way++)
            test_beside(&m, home, way, 0);
        test_pages(&m, home);
        for (unsigned who = 0; who < 2; who++)
            for (unsigned way = FAULTS; way <= LIMIT; way++)
                if (all || way == who)
                    test_jobs(&m, home, who, way);
    }
    return check_verdict();
}
