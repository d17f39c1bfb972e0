/* Settings between launches, by name or by suffix: policies, traces, watched buffers, the back door. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void policies_go_by_name(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_set_policy_word(d, "warp_sched=gto"), 0);
    assert_int_equal(last->policy, VL_POLICY_WARP_SCHED);
    assert_int_equal(last->policy_value, 1);
    assert_int_equal(vl_set_policy(d, "warp_sched", "lrr"), 0);
    assert_int_equal(last->policy_value, 0);
    const struct {
        const char *word;
        unsigned policy, value;
    } numbers[] = {{"mem_bound=2047", VL_POLICY_MEM_BOUND, 2047},
                   {"mem_bound=0", VL_POLICY_MEM_BOUND, 0},
                   {"mem_bound=0x7fF", VL_POLICY_MEM_BOUND, 0x7ff},
                   {"mem_bound=007", VL_POLICY_MEM_BOUND, 7},
                   {"mem_epoch=4294967295", VL_POLICY_MEM_EPOCH, 4294967295u},
                   {"mem_app3_asid=0xffff", VL_POLICY_MEM_APP3_ASID, 65535}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(vl_set_policy_word(d, numbers[i].word), 0);
        assert_int_equal(last->policy, numbers[i].policy);
        assert_int_equal(last->policy_value, numbers[i].value);
    }
    const char *const no_numbers[] = {
        "mem_bound=2048",       "mem_bound=",   "mem_bound=-1",    "mem_bound=+1",  "mem_bound= 1",
        "mem_bound=1 ",         "mem_bound=0x", "mem_bound=0x800", "mem_bound=1e3", "mem_bound=18446744073709551617",
        "mem_epoch=4294967296", "mem_bound=lrr"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        assert_int_equal(vl_set_policy_word(d, no_numbers[i]), VL_EINVAL);
        assert_non_null(strstr(vl_detail(d), "a number from 0 to"));
        assert_int_equal(last->policy_value, 65535);
    }
    assert_int_equal(vl_set_policy(d, "warp_sched", "lrr"), 0);
    const struct {
        const char *word;
        int code;
    } bad[] = {{"warp_sched", VL_EINVAL},         {"=gto", VL_EINVAL},         {"", VL_EINVAL},
               {"warp_sched=", VL_EINVAL},        {"warp_sched=g", VL_EINVAL}, {"warp_sched=gtoo", VL_EINVAL},
               {"warp_sched=lrr,gto", VL_EINVAL}, {"warp_sched=1", VL_EINVAL}, {"warp=gto", VL_ENOENT},
               {"warp_sched =gto", VL_ENOENT}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(vl_set_policy_word(d, bad[i].word), bad[i].code);
    assert_int_equal(vl_set_policy_word(d, NULL), VL_EINVAL);
    assert_int_equal(vl_set_policy(d, NULL, "gto"), VL_EINVAL);
    assert_int_equal(last->policy_value, 0);
    vl_close(d);
}

static void traces_go_by_suffix(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_trace_begin(d, "x"), VL_EINVAL);
    assert_int_equal(vl_trace_begin(d, "x.vcd"), VL_EINVAL);
    assert_int_equal(vl_trace_begin(d, NULL), VL_EINVAL);
    assert_int_equal(last->traces, 0);
    assert_int_equal(vl_trace_begin(d, "x.json"), VL_ENOTSUP);
    assert_non_null(strstr(vl_detail(d), "records no json trace"));
    assert_int_equal(vl_trace_end(d), VL_ESTATE);
    assert_int_equal(vl_trace_begin(d, "x.fst"), 0);
    assert_int_equal(vl_trace_begin(d, "y.fst"), VL_ESTATE);
    assert_int_equal(vl_trace_end(d), 0);
    assert_int_equal(last->traces, 102);
    assert_int_equal(vl_trace_begin_as(d, "z", "fst"), 0);
    vl_close(d); /* ends it */
}

static void traces_have_parts(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.from = 5, .to = 5}), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "from cycle 5 to cycle 5 is empty"));
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.cores = 1ull << 63}), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "no core 63"));
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", NULL), VL_EINVAL);
    assert_int_equal(last->traces, 0);
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.from = 5}), 0);
    vl_close(d);
}

static void buffers_are_watched_where_the_backend_can(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_buffer_use use[2] = {{.name = "a", .at = 0x20000000, .bytes = 128}};
    assert_int_equal(vl_watched(d, use, 1), VL_ESTATE);
    assert_int_equal(vl_watch(d, use, 1), VL_ENOTSUP);
    assert_non_null(strstr(vl_detail(d), "does not know buffers"));
    assert_int_equal(vl_watched(d, use, 1), VL_ESTATE);
    assert_non_null(strstr(vl_detail(d), "does not know buffers")); /* it leaves that as it is */
    assert_int_equal(vl_watch(d, NULL, 1), VL_EINVAL);
    assert_string_equal(vl_buffer_count_name(VL_BUFFER_TLB_MISSES), "tlb_misses");
    assert_null(vl_buffer_count_name(VL_BUFFER_COUNTS));
    vl_close(d);
}

static void the_back_door_is_the_backends(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_false(last->back_door);
    assert_int_equal(vl_set_back_door(d, true), 0);
    assert_true(last->back_door);
    assert_int_equal(vl_set_back_door(d, false), 0);
    assert_false(last->back_door);
    assert_int_equal(vl_set_back_door(NULL, true), VL_EINVAL);
    vl_close(d);
}

int setting_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_go_by_name),
        cmocka_unit_test(traces_go_by_suffix),
        cmocka_unit_test(traces_have_parts),
        cmocka_unit_test(buffers_are_watched_where_the_backend_can),
        cmocka_unit_test(the_back_door_is_the_backends),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
