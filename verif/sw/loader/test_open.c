/* Opening a device: a failure names its cause, and a device has the memory of its chips. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void open_reports_why_not(void **s)
{
    (void)s;
    struct vl_config_value values[] = {{.key = "cores", .value = 2}};
    vl_config c = {.name = "test", .n = 1, .values = values};
    vl_device *d;
    vl_error err;
    fail_open = 1;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0, &err), VL_EBACKEND);
    assert_string_equal(err.text, "recorder: cannot start: backend unavailable");
    assert_null(d);
    fail_open = 2;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0, &err), VL_EBACKEND);
    assert_string_equal(err.text, "recorder: no such luck");
    fail_open = 0;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0x40000000, &err), VL_EINVAL);
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0x40000001, &err), VL_EINVAL);
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, UINT64_MAX - 127, &err), VL_EINVAL);
    assert_int_equal(vl_open(NULL, NULL, NULL, NULL, &err), VL_EINVAL);
    assert_int_equal(vl_open(&d, "small", "abacus", NULL, &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "no backend 'abacus'"));
    assert_int_equal(vl_open(&d, "nowhere", "ref", NULL, &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "nowhere"));
    assert_int_equal(vl_open(&d, "../small", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "--help", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "small", "ref", &(vl_options){.root = "/proc"}, &err), VL_ECONFIG);
}

/* Chips smaller than the usual window: it ends with them, the heap comes after a quarter of them where 0x40000000 is beyond. */
static void the_window_ends_with_the_chips(void **s)
{
    (void)s;
    static struct vl_config_value values[] = {
        {.key = "cores", .value = 2},         {.key = "warps", .value = 4},
        {.key = "threads", .value = 4},       {.key = "lanes", .value = 4},
        {.key = "spad_bytes", .value = 1024}, {.key = "reconv_entries", .value = ENTRIES},
        {.key = "memory_bytes", .value = 0}};
    static const struct {
        uint64_t chips, limit, heap;
    } cases[] = {{1ull << 25, 0x12000000, 0x10800000},
                 {1ull << 29, 0x30000000, 0x18000000},
                 {1ull << 30, 0x50000000, 0x40000000},
                 {1ull << 31, 0x80000000, 0x40000000},
                 {1ull << 33, 0x80000000, 0x40000000}};
    vl_config c = {.name = "test", .n = 7, .values = values};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vl_device *d;
        vl_error err;
        vl_ptr p;
        values[6].value = (int64_t)cases[i].chips;
        want_limit = cases[i].limit;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0, &err), 0);
        assert_int_equal(vl_malloc(d, 128, &p), 0);
        assert_int_equal(p, cases[i].heap);
        assert_int_equal(vl_write(d, cases[i].heap < 0x30000000 ? cases[i].heap - 1 : 0x30000000, &p, 2), VL_EACCESS);
        vl_close(d);
        if (cases[i].chips >= 1ull << 32)
            continue;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0x10000000 + cases[i].chips + 128, &err),
                         VL_EINVAL);
        assert_non_null(strstr(err.text, "the memory of configuration test ends at"));
        assert_null(d);
        want_limit = 0x10000000 + cases[i].chips;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &recorder_ops, want_limit, &err), 0);
        vl_close(d);
    }
    want_limit = 0x40000000 + HEAP_BYTES;
}

int open_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_reports_why_not),
        cmocka_unit_test(the_window_ends_with_the_chips),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
