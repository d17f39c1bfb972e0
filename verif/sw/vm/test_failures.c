/* Each allocation and each mapping of libvellum fails once, in turn: the call returns a documented error, nothing is lost, and the next one works. */
#define FAILING_HERE
#include "verif/common/failing.h"

#include <stdlib.h>

#include "verif/sw/vm/lib.h"

enum { PAGES = 24 }; /* more than there are frames */

/* Every failure in long runs and for planted bugs, else each eleventh. */
static uint64_t step(void)
{
    return getenv("VELLUM_REGRESS") || getenv("failures") ? 1 : 11;
}

/* A program's use of a device, up to the first error. */
static int use(vl_device *d, vl_space **space, vl_ptr *p, vl_ptr *sum, void *own)
{
    vl_result r;
    vl_ptr more = 0;
    int e = vl_malloc(d, PAGES * 4096, p);
    if (!e)
        e = vl_malloc(d, 4, sum);
    if (!e)
        e = vl_register(d, own, 3 * 4096);
    if (!e)
        e = LAUNCH(d, "sweep", 1, 1, &r, *p, PAGES, 2, 1, *sum);
    if (!e)
        e = vl_unregister(d, own);
    if (!e)
        e = vl_space_new(d, space);
    if (!e)
        e = vl_use_space(d, *space);
    if (!e)
        e = vl_malloc(d, 2 * 4096, &more);
    if (!e)
        e = vl_free(d, more);
    return e;
}

/* Gives everything back; errors for absent objects do not count. */
static void leave(vl_device *d, vl_space *space, vl_ptr p, vl_ptr sum, void *own)
{
    (void)vl_use_space(d, NULL);
    (void)vl_unregister(d, own);
    if (space)
        assert_int_equal(vl_space_free(d, space), 0);
    if (p)
        assert_int_equal(vl_free(d, p), 0);
    if (sum)
        assert_int_equal(vl_free(d, sum), 0);
}

static void every_failure(const char *memory)
{
    void *own = aligned_alloc(4096, 3 * 4096);
    assert_non_null(own);
    memset(own, 1, 3 * 4096);
    vl_device *d = open_device(memory, 0);
    bool failed = true;
    for (uint64_t n = 0; failed; n += step()) {
        vl_space *space = NULL;
        vl_ptr p = 0, sum = 0;
        assert_true(n < 2000);
        failing_from(n);
        const int e = use(d, &space, &p, &sum, own);
        failed = failing_stop();
        if (e && (!failed || (e != VL_ENOMEM && e != VL_EDEVMEM)))
            fail_msg("%s, failure %llu: %d (%s)", memory, (unsigned long long)n, e, vl_detail(d));
        check_consistent(d);
        if (d->dead) { /* a launch did not end: the device is to be opened anew */
            leave(d, space, p, sum, own);
            close_device(d);
            d = open_device(memory, 0);
            continue;
        }
        leave(d, space, p, sum, own);
        check_consistent(d);
    }
    close_device(d);
    free(own);
}

static void of_what_a_program_does(void **state)
{
    (void)state;
    every_failure("paged");
    every_failure("demand,frames=12");
    every_failure("demand,frames=12,evict=fifo,order=random:5");
}

static void of_an_opening(void **state)
{
    (void)state;
    static const char *const modes[] = {"bare", "demand,frames=16"};
    for (unsigned m = 0; m < 2; m++) {
        bool failed = true;
        for (uint64_t n = 0; failed; n += step()) {
            vl_options opt = {0};
            vl_error err = {0};
            vl_device *d = NULL;
            assert_true(n < 2000 && !vl_memory_parse(&opt.memory, modes[m], &err));
            failing_from(n);
            const int e = vl_open(&d, config_name, machine_name, &opt, &err);
            failed = failing_stop();
            if (e && (!failed || d || !*err.text))
                fail_msg("%s, failure %llu: %d (%s)", modes[m], (unsigned long long)n, e, err.text);
            vl_close(e ? NULL : d);
        }
    }
}

const struct CMUnitTest failure_tests[] = {cmocka_unit_test(of_what_a_program_does), cmocka_unit_test(of_an_opening)};
const size_t n_failure_tests = sizeof failure_tests / sizeof *failure_tests;
