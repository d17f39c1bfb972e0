/* Kernels and their arguments: wrong ones are refused before anything runs. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void wrong_arguments_are_refused(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k;
    vl_error err;
    uint64_t v = 0;
    assert_int_equal(vl_kernel_open(&k, img, "third", &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "first, second"));
    assert_int_equal(vl_kernel_open(&k, img, "", &err), VL_ENOENT);
    assert_int_equal(vl_kernel_open(NULL, img, "first", &err), VL_EINVAL);
    assert_int_equal(vl_kernel_open(&k, img, "first", &err), 0);
    assert_int_equal(vl_kernel_set(k, 4, &v, 8, &err), VL_EINVAL);
    assert_int_equal(vl_kernel_set(k, 1, &v, 8, &err), VL_EARG);
    assert_non_null(strstr(err.text, "argument 1 (int n) has 4 bytes, not 8"));
    assert_int_equal(vl_kernel_set(k, 1, NULL, 4, &err), VL_EINVAL);
    assert_int_equal(vl_kernel_set(k, 2, &v, 8, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_ptr(k, 1, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_ptr(k, 2, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 0, 4, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, 65537, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, UINT64_MAX, &err), VL_EARG);
    assert_int_equal(vl_kernel_set(NULL, 0, &v, 8, &err), VL_EINVAL);
    const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE); /* nothing loaded */
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_EARG);
    assert_non_null(strstr(vl_detail(d), "argument 0 (float* x) is not set"));
    vl_image *other = image();
    assert_int_equal(vl_load(d, other), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE);
    assert_int_equal(vl_launch(d, NULL, &range, NULL), VL_EINVAL);
    assert_int_equal(vl_launch(d, k, NULL, NULL), VL_EINVAL);
    assert_int_equal(vl_launch(NULL, k, &range, NULL), VL_EINVAL);
    assert_int_equal(last->runs, 0);
    vl_kernel_close(k);
    vl_kernel_close(NULL);
    vl_close(d);
    vl_close(NULL);
    vl_image_free(img);
    vl_image_free(other);
    vl_image_free(NULL);
}

int argument_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
