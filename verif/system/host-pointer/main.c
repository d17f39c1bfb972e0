/* The host's pointers beside a kernel (docs/host-memory.md, S3): they show the last exchange and nothing else; an exchange shows the stores of kernels, in their order, and stores
 * the program's changes. The kernel's threads store words, and report their progress by atomics.
 *
 *     host-pointer IMAGE BACKEND CONFIG SEED THREADS STEPS [first]      last line: N passed, N failed
 */
#include "verif/common/check.h"
#include "verif/ref/lib/rng.h"
#include "verif/system/host-pointer/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 0xee };
#define WORD (UNTOUCHED * 0x01010101u)

/* One of many that are one check together. */
#define demand(ok, ...) ((ok) ? (void)0 : check(false, __VA_ARGS__))

typedef struct {
    vl_device *dev;
    vl_ptr words, done;
    volatile uint32_t *shown, *says; /* by pointer */
    uint32_t *last, *read; /* words shown last; by vl_read */
    uint32_t *mine; /* the host's odd words */
    uint32_t n, steps, n_words;
    rng random;
} test_t;

static const vl_error none = {0};

static void store(test_t *t, uint32_t w)
{
    t->shown[w] = t->last[w] = t->mine[w] = rng_below(&t->random, UINT32_MAX);
}

/* Nothing has changed since the last exchange, except the program's own changes. */
static void check_still(test_t *t)
{
    for (uint32_t w = 0; w < t->n_words; w++)
        demand(t->shown[w] == t->last[w], "word %u was 0x%08x at the last exchange and is 0x%08x", w, t->last[w],
               t->shown[w]);
}

/* Behind an exchange of `done`, then of the words. How many steps were said to be done. */
static uint64_t check_shown(test_t *t, bool whole)
{
    uint64_t said = 0;
    for (uint32_t id = 0; id < t->n; id++) {
        const uint32_t s = whole ? t->steps : t->says[id];
        said += s;
        demand(s <= t->steps, "thread %u says %u", id, s);
        for (uint32_t i = 0; i < t->steps; i++) {
            const uint32_t w = PLACE(i, id, t->n), is = t->shown[w];
            demand(is == VALUE(i, id) || (i >= s && is == WORD),
                   "thread %u has said %u, and its word of step %u shows 0x%08x", id, s, i, is);
            demand(is != WORD || t->last[w] == is, "a word that was seen is gone");
        }
    }
    for (uint32_t w = 1; w < t->n_words; w += 2)
        demand(t->shown[w] == t->mine[w], "the host's word %u shows 0x%08x, not 0x%08x", w, t->shown[w], t->mine[w]);
    memcpy(t->last, (const void *)t->shown, 4ull * t->n_words);
    return said;
}

/* What kernels see: the host's words, and no older ones of a kernel than are shown. */
static void check_stored(test_t *t)
{
    check_call(t->dev, &none, vl_read(t->dev, t->words, t->read, 4ull * t->n_words), "a load of the host");
    for (uint32_t w = 0; w < t->n_words; w++)
        demand(t->read[w] == t->shown[w] || (w % 2 == 0 && t->shown[w] == WORD),
               "word %u is stored as 0x%08x and shown as 0x%08x", w, t->read[w], t->shown[w]);
}

static void beside(test_t *t, vl_kernel *k, const vl_range *range)
{
    bool running = true;
    unsigned within = 0;
    uint64_t said = 0;
    vl_result r;
    check_call(t->dev, &none, vl_launch_begin(t->dev, k, range), "a launch");
    while (running) {
        check_call(t->dev, &none, vl_launch_pass(t->dev, 1500, &running), "time");
        check_still(t);
        const bool stores = rng_below(&t->random, 2); /* a store of the host brings its block home by itself */
        for (unsigned i = 0; stores && i < 4; i++)
            store(t, rng_below(&t->random, t->n_words) | 1);
        if (stores && rng_below(&t->random, 2)) { /* by a call: shown at once */
            const uint32_t w = rng_below(&t->random, t->n_words) | 1, value = rng_below(&t->random, UINT32_MAX);
            t->last[w] = t->mine[w] = value;
            check_call(t->dev, &none, vl_write(t->dev, t->words + 4ull * w, &value, 4), "a store of the host");
        }
        check_still(t);
        check_call(t->dev, &none, vl_sync(t->dev, t->done, 4ull * (t->n + 1)), "an exchange");
        check_still(t);
        check_call(t->dev, &none, vl_sync(t->dev, t->words, 4ull * t->n_words), "an exchange of all words");
        said = check_shown(t, false);
        within += said > 0 && said < (uint64_t)t->n * t->steps;
        check_stored(t);
    }
    store(t, 2 * rng_below(&t->random, t->n_words / 2) + 1); /* not exchanged */
    check_call(t->dev, &none, vl_launch_end(t->dev, &r), "the end");
    (void)check_shown(t, true);
    check_stored(t);
    t->shown[1] = 7; /* the store again, without a call */
    t->mine[1] = t->last[1] = 7;
    check_stored(t);
    check(within > 1, "%u exchanges were in the middle", within);
    printf("%s: %" PRIu64 " cycles, %u exchanges in the middle\n", check_name, r.cycles, within);
}

static void test(test_t *t, const char *const *argv, vl_home home)
{
    vl_error err = {0};
    vl_image *image;
    vl_kernel *k;
    static const char *const names[] = {"", "umh", "zerocopy", "memcpy", "managed"};
    const vl_options opt = {.memory = {.mode = VL_BARE, .shared = true, .home = home}};
    snprintf(check_name, sizeof check_name, "%s %s %s", argv[2], argv[3], names[home - VL_HOME_UNSAID]);
    check_call(NULL, &err, vl_open(&t->dev, argv[3], argv[2], &opt, &err), "a device");
    check_call(NULL, &err, vl_image_read(&image, argv[1], &err), "an image");
    check_call(t->dev, &err, vl_load(t->dev, image), "its load");
    check_call(NULL, &err, vl_kernel_open(&k, image, "work", &err), "the kernel");
    check_call(t->dev, &err, vl_malloc(t->dev, 4ull * t->n_words, &t->words), "a buffer");
    check_call(t->dev, &err, vl_malloc(t->dev, 4ull * (t->n + 1), &t->done), "a buffer");
    t->shown = vl_host(t->dev, t->words), t->says = vl_host(t->dev, t->done);
    const uint32_t delay = 100;
    int e = vl_kernel_set_ptr(k, 0, t->words, &err);
    e = e ? e : vl_kernel_set_ptr(k, 1, t->done, &err);
    e = e ? e : vl_kernel_set(k, 2, &t->steps, 4, &err);
    e = e ? e : vl_kernel_set(k, 3, &delay, 4, &err);
    check_call(NULL, &err, e, "arguments");
    const vl_range range = {.dims = 1, .global = {t->n}, .local = {4}};
    for (unsigned round = 0; round < 2; round++) {
        memset((void *)t->shown, UNTOUCHED, 4ull * t->n_words);
        memset((void *)t->says, 0, 4ull * (t->n + 1));
        memcpy(t->last, (const void *)t->shown, 4ull * t->n_words);
        memcpy(t->mine, (const void *)t->shown, 4ull * t->n_words);
        beside(t, k, &range);
    }
    vl_close(t->dev);
    vl_kernel_close(k);
    vl_image_free(image);
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "usage: host-pointer IMAGE BACKEND CONFIG SEED THREADS STEPS [first]\n");
        return 2;
    }
    check_first = argc == 8;
    test_t t = {.random = {strtoull(argv[4], NULL, 0)}, .n = (uint32_t)atoi(argv[5]), .steps = (uint32_t)atoi(argv[6])};
    t.n_words = 2 * t.n * t.steps;
    t.last = malloc(4ull * t.n_words), t.read = malloc(4ull * t.n_words), t.mine = malloc(4ull * t.n_words);
    if (!t.last || !t.read || !t.mine)
        return 2;
    const bool flat = strncmp(argv[3], "umh", 3) != 0, stacks = !strcmp(argv[3], "umh2m");
    for (vl_home home = flat     ? VL_HOME_UNSAID
                        : stacks ? VL_HOME_MEMCPY
                                 : VL_HOME_UMH;
         home <= (flat     ? VL_HOME_UNSAID
                  : stacks ? VL_HOME_MANAGED
                           : VL_HOME_ZEROCOPY);
         home++)
        test(&t, (const char *const *)argv, home);
    free(t.last), free(t.read), free(t.mine);
    return check_verdict();
}
