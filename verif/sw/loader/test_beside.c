/* A host that goes on beside its kernel: calls allowed meanwhile, and calls that must wait. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void a_host_goes_on_beside_its_kernel(void **s)
{
    (void)s;
    const int ends[] = {0, VL_EFAULT};
    for (size_t i = 0; i < 2; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        vl_ptr p;
        bool running = false;
        char bytes[8] = {0};
        const vl_range range = {.dims = 1, .global = {8}, .local = {4}};
        assert_int_equal(vl_malloc(d, 256, &p), 0);
        assert_int_equal(vl_set_max_cycles(d, 77), 0);
        assert_int_equal(vl_launch_pass(d, 1, NULL), VL_ESTATE); /* none runs */
        assert_int_equal(vl_launch_end(d, &r), VL_ESTATE);
        assert_int_equal(r.code, VL_ESTATE);
        assert_int_equal(vl_sync(d, p, 8), VL_ESTATE);
        assert_int_equal(vl_launch_begin(NULL, k, &range), VL_EINVAL);
        assert_int_equal(vl_launch_begin(d, NULL, &range), VL_EINVAL);
        recorder_ops.begin = NULL;
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ENOTSUP);
        assert_string_equal(vl_detail(d), "recorder runs a kernel in one piece");
        recorder_ops.begin = rec_begin;
        const vl_memory bare = d->memory.options;
        d->memory.options.mode = VL_PAGED;
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ENOTSUP);
        assert_non_null(strstr(vl_detail(d), "the host cannot use it while kernels run"));
        d->memory.options = bare;
        assert_int_equal(vl_launch_begin(d, k, &range), 0);
        assert_string_equal(vl_detail(d), ""); /* what succeeds leaves nothing of an error before it */
        assert_int_equal(last->launch.groups[0], 2);
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ESTATE); /* one runs */
        assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE);
        assert_int_equal(vl_load(d, img), VL_ESTATE);
        assert_int_equal(vl_launch_pass(d, 400, &running), 0);
        assert_true(running);
        assert_string_equal(vl_detail(d), "");
        assert_int_equal(vl_write(d, p, bytes, 8), 0);
        assert_int_equal(vl_read(d, p, bytes, 8), 0);
        assert_int_equal(last->synced, 0);
        assert_int_equal(vl_sync(d, p, 8), 0);
        assert_int_equal(last->synced, p + 8);
        assert_int_equal(vl_launch_pass(d, 100, &running), 0);
        assert_false(running);
        assert_int_equal(vl_sync(d, 0x1000, 8), VL_EACCESS);
        last->outcome = ends[i];
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        assert_int_equal(vl_launch_end(d, &r), ends[i]);
        if (!ends[i])
            assert_string_equal(vl_detail(d), "");
        assert_int_equal(last->launch.max_cycles, 77); /* calls refused meanwhile have changed nothing */
        assert_int_equal(r.code, ends[i]);
        assert_int_equal(r.cycles, 100);
        assert_int_equal(last->runs, 1);
        assert_int_equal(vl_launch_end(d, &r), VL_ESTATE);
        last->outcome = 0;
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i] ? VL_EDEAD : 0);
        if (!ends[i]) { /* a start that fails is final */
            last->begin_fails = VL_EIO;
            assert_int_equal(vl_launch_begin(d, k, &range), VL_EIO);
            assert_int_equal(vl_launch_pass(d, 1, NULL), VL_ESTATE);
            assert_int_equal(vl_launch(d, k, &range, &r), VL_EDEAD);
        }
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

int beside_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_goes_on_beside_its_kernel),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
