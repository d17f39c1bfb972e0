/* Ordered accesses stay in order while pages come (docs/memory-model.md). */
#include "verif/sw/vm/lib.h"

/* A barrier orders memory whatever the host takes its time for. */
static void a_barrier_waits_for_the_pager(void **state)
{
    (void)state;
    static const char *const modes[] = {"tlb=overlap", "tlb=under_miss", "tlb=blocking"};
    for (unsigned m = 0; m < 3; m++) {
        vl_device *d = open_device("demand", 0);
        const uint64_t half = (uint64_t)vl_config_value(d, "threads", 0);
        vl_ptr near = buffer(d, 4096), far = buffer(d, 4096), out = buffer(d, 4096);
        uint32_t *h = vl_host(d, out);
        if (strcmp(machine_name, "ref"))
            assert_int_equal(vl_set_policy_word(d, modes[m]), 0);
        assert_int_equal(LAUNCH(d, "publish", 2 * half, 2 * half, NULL, near, far, out), 0);
        for (uint32_t l = 0; l < half; l++)
            if (h[l] != l + 1)
                fail_msg("%s: behind the barrier thread %u finds %u, stored was %u", modes[m], l, h[l], l + 1);
        close_device(d);
    }
}

const struct CMUnitTest order_tests[] = {
    cmocka_unit_test(a_barrier_waits_for_the_pager),
};
const size_t n_order_tests = sizeof order_tests / sizeof *order_tests;
