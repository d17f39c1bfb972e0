/* Launches that fail: each is reported with its own code, and the device is dead afterwards. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void failed_launch_is_reported_and_final(void **s)
{
    (void)s;
    const struct {
        int code;
        const char *says;
    } ends[] = {
        {VL_EFAULT, "store outside memory, address 0x1234: in no buffer, pc 0x10000010, core 1, warp 3, threads 0x5"},
        {VL_ELIMIT, "within 77 cycles"},
        {VL_EINTR, "interrupted"},
        {VL_EDIFF, "lockstep"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
        assert_int_equal(vl_set_max_cycles(d, 77), 0);
        assert_int_equal(vl_set_progress(d, NULL, NULL), 0);
        assert_int_equal(vl_set_max_cycles(NULL, 77), VL_EINVAL);
        assert_int_equal(vl_config_value(d, "lanes", 0), 4);
        assert_int_equal(vl_config_value(d, "wheels", -3), -3);
        last->outcome = ends[i].code;
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i].code);
        assert_int_equal(last->launch.max_cycles, 77);
        assert_int_equal(r.code, ends[i].code);
        assert_int_equal(r.cycles, 100);
        assert_non_null(strstr(vl_detail(d), ends[i].says));
        if (ends[i].code == VL_EFAULT)
            assert_int_equal(r.fault.warp, 3);
        last->outcome = 0;
        assert_int_equal(vl_launch(d, k, &range, &r), VL_EDEAD);
        assert_int_equal(last->runs, 1);
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

static int read_fails(void *self, uint64_t addr, void *to, uint64_t bytes, vl_error *err)
{
    (void)self, (void)addr, (void)to, (void)bytes;
    strcpy(err->text, "the wire is cut");
    return err->code = last->read_fails;
}

static void no_text(void *user, const char *text, size_t bytes)
{
    (void)user, (void)text, (void)bytes;
}

/* Its printed output cannot be read any more: the fault is reported all the same. A machine found wrong then has precedence, and is reported first. */
static void a_fault_is_told_though_nothing_can_be_read_behind_it(void **s)
{
    (void)s;
    static const struct {
        int fails, code;
        const char *says;
    } ends[] = {{VL_EIO, VL_EFAULT, "threads 0x5; then: the wire is cut"},
                {VL_EDIFF, VL_EDIFF, "the wire is cut; before that: store outside memory, address 0x1234"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
        for (size_t n = 0; n < img->n_kernels; n++)
            img->kernels[n].prints = true;
        assert_int_equal(vl_set_print(d, no_text, NULL, 4096), 0);
        last->outcome = VL_EFAULT;
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        last->read_fails = ends[i].fails;
        recorder_ops.read = read_fails;
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i].code);
        recorder_ops.read = rec_read;
        assert_int_equal(r.code, ends[i].code);
        assert_non_null(strstr(vl_detail(d), ends[i].says));
        assert_int_equal(r.fault.warp, 3);
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

int fault_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_launch_is_reported_and_final),
        cmocka_unit_test(a_fault_is_told_though_nothing_can_be_read_behind_it),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
