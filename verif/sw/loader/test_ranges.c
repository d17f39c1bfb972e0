/* Ranges: which are refused before anything runs, and the local size where it is left open. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void impossible_ranges_are_refused(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    const struct {
        vl_range range;
        int code;
        const char *says;
    } bad[] = {
        {{.dims = 0, .global = {4}, .local = {4}}, VL_EINVAL, "dimensions"},
        {{.dims = 4, .global = {4}, .local = {4}}, VL_EINVAL, "dimensions"},
        {{.dims = 1, .global = {0}, .local = {4}}, VL_EINVAL, "global size 0"},
        {{.dims = 2, .global = {4, 0}, .local = {4, 1}}, VL_EINVAL, "dimension 1"},
        {{.dims = 1, .global = {1ull << 32}, .local = {4}}, VL_EINVAL, "global size"},
        {{.dims = 1, .global = {UINT64_MAX}, .local = {4}}, VL_EINVAL, "global size"},
        {{.dims = 1, .global = {10}, .local = {4}}, VL_EINVAL, "no multiple"},
        {{.dims = 2, .global = {8, 4}, .local = {4, 0}}, VL_EINVAL, "local size 0"},
        {{.dims = 1, .global = {17}, .local = {17}}, VL_ETOOBIG, "does not fit"},
        {{.dims = 2, .global = {8, 4}, .local = {8, 4}}, VL_ETOOBIG, "does not fit"},
        {{.dims = 3, .global = {1u << 31, 1u << 31, 1u << 31}, .local = {1u << 31, 1u << 31, 4}},
         VL_ETOOBIG,
         "does not fit"},
        {{.dims = 3, .global = {1u << 31, 1u << 31, 1u << 31}, .local = {1, 1, 1}}, VL_EINVAL, "groups"},
        {{.dims = 1, .global = {8}, .local = {4}, .offset = {0xfffffff9}}, VL_EINVAL, "offset"},
        {{.dims = 1, .global = {8}, .local = {4}, .offset = {UINT64_MAX}}, VL_EINVAL, "offset"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vl_result r;
        int e = vl_launch(d, k, &bad[i].range, &r);
        if (e != bad[i].code || !strstr(vl_detail(d), bad[i].says))
            fail_msg("case %zu: %d \"%s\"", i, e, vl_detail(d));
        assert_int_equal(r.code, e);
    }
    assert_int_equal(last->runs, 0);
    /* at the limits */
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {1u << 31, 1u << 31}, .local = {1, 1}}, NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {0xffffffff}, .local = {1}, .offset = {1}}, NULL),
                     0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {16, 16}, .local = {16, 1}}, NULL), 0);
    vl_kernel_close(k);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {8}, .local = {8}}, NULL), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "requires local size 4,2,1"));
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void local_size_is_chosen_when_left_open(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    const struct {
        uint64_t global;
        uint32_t local;
    } cases[] = {{1000, 10}, {16, 16}, {17, 1}, {1, 1}, {4096, 16}, {39, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {cases[i].global}}, NULL), 0);
        assert_int_equal(last->launch.local[0], cases[i].local);
    }
    vl_kernel_close(k);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {8, 2}}, NULL), 0);
    assert_int_equal(last->launch.local[0], 4);
    assert_int_equal(last->launch.local[1], 2);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

int range_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_ranges_are_refused),
        cmocka_unit_test(local_size_is_chosen_when_left_open),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
