/* Memory that the program had before, at its own addresses on the device (docs/host-memory.md, Registered memory). */
#include <stdlib.h>
#include <sys/mman.h>

#include "verif/sw/vm/lib.h"

typedef struct node {
    struct node *next;
    uint32_t value, visits;
} node;

static const char *const modes[] = {"paged", "paged,order=random:2", "demand", "demand,frames=12,disturb=5",
                                    "demand,frames=10,evict=fifo"};
enum { MODES = sizeof modes / sizeof *modes };
/* Of them all on ref, the first and the most adverse one on a cycle machine, which takes its time. */
static unsigned next(unsigned m)
{
    return strcmp(machine_name, "ref") ? m + 3 : m + 1;
}

static void refused(vl_device *d, int e, int code, const char *says)
{
    if (e != code || !strstr(vl_detail(d), says) || strchr(vl_detail(d), '\n'))
        fail_msg("%d (%s), wanted %d with '%s'", e, vl_detail(d), code, says);
}

static void take(vl_device *d, void *p, uint64_t bytes)
{
    refused(d, vl_register(d, p, bytes), 0, "");
}

/* A list of malloc's, of which several are in a page; from launch to launch it grows, and its pointers change. */
static void a_list_from_malloc_is_walked(void **state)
{
    (void)state;
    enum { MOST = 60, THREADS = 4 };
    const unsigned n_nodes = strcmp(machine_name, "ref") ? MOST / 3 : MOST;
    for (unsigned m = 0; m < MODES; m = next(m)) {
        vl_device *d = open_device(modes[m], 0);
        vl_ptr sums = buffer(d, 4 * THREADS);
        const uint64_t free_frames = d->memory.frames.free;
        node *nodes[MOST], *head = NULL;
        void *between[MOST];
        uint32_t sum = 0, visits = 0;
        for (unsigned i = 0; i < n_nodes; i++) {
            between[i] = malloc(8 + 97 * i); /* so that they lie in several pages */
            nodes[i] = malloc(sizeof(node));
            *nodes[i] = (node){head, i * i + 1, 0};
            head = nodes[i];
            sum += i * i + 1;
            take(d, nodes[i], sizeof(node));
            if (i % 20 != 19)
                continue;
            check_consistent(d);
            nodes[i]->value += 5, sum += 5; /* the host goes on between launches */
            assert_int_equal(LAUNCH(d, "walk", THREADS, THREADS, NULL, (uintptr_t)head, sums), 0);
            for (unsigned t = 0; t < THREADS; t++)
                assert_int_equal(((uint32_t *)vl_host(d, sums))[t], sum);
            visits += THREADS;
            assert_int_equal(nodes[0]->visits, visits);
            assert_int_equal(nodes[i]->visits, THREADS);
        }
        uint32_t word;
        assert_int_equal(vl_read(d, (uintptr_t)&nodes[3]->value, &word, 4), 0); /* as any of the device's memory */
        assert_int_equal(word, 10);
        assert_int_equal(vl_write(d, (uintptr_t)&nodes[3]->value, &(uint32_t){11}, 4), 0);
        assert_int_equal(nodes[3]->value, 11);
        assert_ptr_equal(vl_host(d, (uintptr_t)&nodes[3]->value), &nodes[3]->value);
        for (unsigned i = 0; i < n_nodes; i++) {
            assert_int_equal(vl_unregister(d, nodes[i]), 0);
            free(nodes[i]);
            free(between[i]);
        }
        check_consistent(d);
        assert_true(d->memory.frames.free + 24 >= free_frames); /* launch block, text and tables have frames by now */
        close_device(d);
    }
}

/* Only bytes that a kernel has changed are written, and no byte beside registered memory: not of the page, not in another space. */
static void only_what_changed_is_written(void **state)
{
    (void)state;
    for (unsigned m = 0; m < MODES; m = next(m)) {
        uint8_t *p = aligned_alloc(4096, 3 * 4096);
        for (unsigned i = 0; i < 3 * 4096; i++)
            p[i] = (uint8_t)(i * 7 + 1);
        vl_device *d = open_device(modes[m], 0);
        vl_space *other;
        assert_int_equal(vl_space_new(d, &other), 0);
        assert_int_equal(vl_use_space(d, other), 0);
        load_image(d);
        take(d, p + 4096 - 2, 10); /* any address, over the end of a page */
        take(d, p + 5001, 3);
        take(d, p + 5004, 4);
        access_one(d, (uintptr_t)p + 4096, STORE, 0x01020304, 0, NULL);
        assert_int_equal(access_one(d, (uintptr_t)p + 5004, ADD, 0, 0, NULL), *(uint32_t *)(void *)(p + 5004));
        /* in the page, but not registered: the store is not seen */
        access_one(d, (uintptr_t)p + 4104, STORE, 99, 0, NULL);
        for (unsigned i = 0; i < 3 * 4096; i++)
            assert_int_equal(p[i], i >= 4096 && i < 4100 ? 4 - (i - 4096) : (uint8_t)(i * 7 + 1));
        /* In both spaces: a change by one is not lost when the other, which has read the page before, is done. */
        assert_int_equal(vl_use_space(d, NULL), 0);
        take(d, p, 3 * 4096);
        access_one(d, (uintptr_t)p + 5004, STORE, 5, 0, NULL);
        assert_int_equal(vl_use_space(d, other), 0);
        access_one(d, (uintptr_t)p + 4096, STORE, 6, 0, NULL);
        assert_int_equal(p[5004], 5);
        assert_int_equal(p[4096], 6);
        assert_int_equal(vl_unregister(d, p + 5001), 0); /* its page has another registration still */
        assert_int_equal(access_one(d, (uintptr_t)p + 5004, LOAD, 0, 0, NULL), 5);
        close_device(d); /* registered memory stays the program's */
        assert_int_equal(p[5004], 5);
        free(p);
    }
}

/* More than the device has frames for, and the stack of this function. */
static void registered_pages_are_evicted(void **state)
{
    (void)state;
    enum { MOST = 40 };
    const unsigned pages = strcmp(machine_name, "ref") ? MOST / 2 : MOST;
    for (unsigned m = 0; m < MODES; m = next(m)) {
        vl_device *d = open_device(modes[m], 0);
        uint32_t *p = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        uint32_t result = 0, want[MOST], s = 0;
        for (uint32_t i = 0; i < pages; i++)
            p[i * 1024] = want[i] = i * i + 3;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned i = 1; i < pages; i++) {
                s += want[i];
                want[i] = s;
                s += want[0];
            }
        take(d, p, pages * 4096);
        take(d, &result, sizeof result);
        assert_int_equal(LAUNCH(d, "sweep", 1, 1, NULL, (uintptr_t)p, pages, 2, 1, (uintptr_t)&result), 0);
        assert_int_equal(result, s);
        for (unsigned i = 0; i < pages; i++)
            assert_int_equal(p[i * 1024], want[i]);
        close_device(d);
        munmap(p, pages * 4096);
    }
}

static const uint32_t constant[4] = {1, 2, 3, 4};

static void wrong_use_is_refused(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0), *e;
    vl_ptr b = buffer(d, 8192);
    uint32_t *p = malloc(4096), local = 7;
    char *gone = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    vl_result r;
    refused(d, vl_register(d, NULL, 4), VL_EINVAL, "null");
    refused(d, vl_register(d, p, 0), VL_EINVAL, "0 bytes");
    refused(d, vl_register(d, p, UINT64_MAX), VL_EINVAL, "no such memory");
    refused(d, vl_register(d, (void *)(uintptr_t)b, 8), VL_EINVAL, "buffers of this device");
    refused(d, vl_register(d, (void *)(uintptr_t)(b - 4), 8), VL_EINVAL, "buffers of this device");
    refused(d, vl_register(d, (void *)0x10001000, 8), VL_EINVAL, "images"); // NOLINT
    refused(d, vl_register(d, (void *)16, 8), VL_EACCESS, "not memory of this process"); // NOLINT
    mprotect(gone + 4096, 4096, PROT_NONE); /* as good as unmapped, but that nothing else comes there meanwhile */
    refused(d, vl_register(d, gone, 4097), VL_EACCESS, "not all of it");
    refused(d, vl_unregister(d, p), VL_EINVAL, "not what was registered");
    take(d, p, 100);
    take(d, (char *)p + 100, 1);
    refused(d, vl_register(d, p, 100), VL_EINVAL, "registered already");
    refused(d, vl_register(d, (char *)p + 96, 2), VL_EINVAL, "registered already");
    refused(d, vl_unregister(d, (char *)p + 4), VL_EINVAL, "not what was registered");
    refused(d, vl_free(d, (uintptr_t)p), VL_EINVAL, "not a buffer");
    refused(d, vl_protect(d, (uintptr_t)p & ~4095ull, 4096, VL_READ), VL_EACCESS, "one buffer");
    refused(d, vl_read(d, (uintptr_t)p + 98, &local, 4), VL_EACCESS, "outside");
    check_consistent(d);
    take(d, (void *)(uintptr_t)constant, sizeof constant); /* read-only for the program: for a kernel as well */
    assert_int_equal(access_one(d, (uintptr_t)&constant[2], LOAD, 0, 0, NULL), 3);
    refused(d, vl_write(d, (uintptr_t)constant, &local, 4), VL_EACCESS, "");
    take(d, gone, 4096);
    mprotect(gone, 4096, PROT_NONE);
    access_one(d, (uintptr_t)p, LOAD, 0, VL_EACCESS, NULL); /* nothing has run */
    refused(d, vl_unregister(d, gone), 0, "");
    access_one(d, (uintptr_t)p, STORE, 41, 0, NULL);
    assert_int_equal(p[0], 41);
    access_one(d, (uintptr_t)constant, STORE, 0, VL_EFAULT, &r);
    assert_int_equal(r.fault.cause, VL_FAULT_STORE_PAGE);
    close_device(d);

    /* Freed while a kernel runs: its changes have no place, and that is reported when the launch is over. */
    d = open_device("demand", 0);
    gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    take(d, gone, 8);
    access_one(d, (uintptr_t)gone, ADD, 3, 0, NULL);
    assert_int_equal(vl_registered_begin(d->space), 0);
    d->memory.running = true;
    refused(d, vl_register(d, p, 8), VL_ESTATE, "a kernel runs");
    refused(d, vl_unregister(d, gone), VL_ESTATE, "a kernel runs");
    d->memory.running = false;
    d->memory.store.bytes[vl_space_page(d->space, (uintptr_t)gone, NULL)->frame - d->memory.store.base] = 77;
    mprotect(gone, 4096, PROT_NONE);
    refused(d, vl_memory_end(d), VL_EACCESS, "freed before vl_unregister");
    close_device(d);

    e = open_device("bare", 0);
    refused(e, vl_register(e, p, 8), VL_ENOTSUP, "bare");
    refused(e, vl_unregister(e, p), VL_ENOTSUP, "bare");
    vl_close(e);
    assert_int_equal(vl_register(NULL, p, 8), VL_EINVAL);
    assert_int_equal(vl_unregister(NULL, p), VL_EINVAL);
    free(p);
}

const struct CMUnitTest register_tests[] = {
    cmocka_unit_test(a_list_from_malloc_is_walked),
    cmocka_unit_test(only_what_changed_is_written),
    cmocka_unit_test(registered_pages_are_evicted),
    cmocka_unit_test(wrong_use_is_refused),
};
const size_t n_register_tests = sizeof register_tests / sizeof *register_tests;
