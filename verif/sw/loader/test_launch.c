/* A launch as the machine gets it: the launch block, scratchpad and stacks. */
#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void a_launch_block_goes_by_no_back_door(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    const vl_range range = {.dims = 1, .global = {8}, .local = {4}};
    assert_int_equal(vl_set_back_door(d, true), 0);
    vl_kernel *k = ready(d, img);
    const unsigned data = last->past;
    assert_true(data > 0); /* of the image */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(vl_launch(d, k, &range, NULL), 0);
        assert_int_equal(last->past, data);
        assert_true(last->back_door);
    }
    assert_int_equal(vl_set_back_door(d, false), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_false(last->back_door);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void launch_block_is_as_the_abi_says(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    vl_result r;
    const vl_range range = {.dims = 2, .global = {12, 6}, .local = {4, 3}, .offset = {100, 0x1234}};
    if (vl_launch(d, k, &range, &r))
        fail_msg("%s", vl_detail(d));
    const vl_backend_launch *l = &last->launch;
    assert_int_equal(l->entry, MAKER_TEXT);
    assert_int_equal(l->arg % 128, 0);
    assert_int_equal(l->spad_bytes, 128);
    const uint32_t groups[3] = {3, 2, 1}, local[3] = {4, 3, 1}, offset[3] = {100, 0x1234, 0};
    assert_memory_equal(l->groups, groups, 12);
    assert_memory_equal(l->local, local, 12);
    assert_memory_equal(l->offset, offset, 12);
    assert_int_equal(l->group_threads, 12);
    assert_int_equal(l->group_warps, 3);
    const unsigned char *b = at(last, l->arg, 0xb0);
    assert_int_equal(word(b, 4), 2);
    assert_int_equal(word(b + 4, 4), 128);
    const uint64_t want[12] = {12, 6, 1, 100, 0x1234, 0, 3, 2, 1, 4, 3, 1};
    for (int i = 0; i < 12; i++)
        assert_int_equal(word(b + 8 + 8 * i, 8), want[i]);
    assert_int_equal(word(b + 0x80, 8), 0x40000080);
    assert_int_equal((int32_t)word(b + 0x88, 4), -7);
    assert_int_equal(word(b + 0x90, 8), 0x30000000);
    assert_int_equal(word(b + 0xa0, 4), 0x3f800000);
    assert_int_equal(r.cycles, 100);
    assert_int_equal(vl_result_value(&r, "warp_instructions", 0), 50);
    assert_string_equal(r.stats[0].name, "cycles");
    bool ipc = false, simd = false;
    for (size_t i = 0; i < r.n_stats; i++) {
        if (!strcmp(r.stats[i].name, "ipc"))
            ipc = r.stats[i].is_ratio && r.stats[i].ratio == 0.5;
        if (!strcmp(r.stats[i].name, "simd_utilisation"))
            simd = r.stats[i].ratio == 75.0;
    }
    assert_true(ipc && simd);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void static_and_dynamic_scratchpad_share_a_group(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    img->kernels[0].local_bytes = 130;
    vl_kernel *k = ready(d, img);
    const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.spad_bytes, 384); /* 130, at 256 another 100 */
    assert_int_equal(word(at(last, last->launch.arg + 0x90, 8), 8), 0x30000100);
    assert_int_equal(vl_kernel_set_local(k, 2, 1024 - 256, NULL), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(vl_kernel_set_local(k, 2, 1024 - 255, NULL), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ETOOBIG);
    assert_non_null(strstr(vl_detail(d), "scratchpad"));
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void stacks_are_a_power_of_two_a_thread(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k;
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    const vl_range range = {.dims = 3, .global = {8, 2, 1}, .local = {4, 2, 1}};
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.stack_log2, 6); /* 48 bytes */
    assert_int_equal(last->launch.stack_base % (32 << 6), 0); /* all of them are aligned to their size */
    assert_true(last->launch.stack_base + (32 << 6) <= last->launch.arg
                || last->launch.arg + 128 <= last->launch.stack_base);
    vl_ptr stack = last->launch.stack_base, block = last->launch.arg;
    /* 4 threads a warp, 64 bytes a stack: doubleword 2 of thread 6 is the tenth of the second warp's rows of four. */
    assert_int_equal(vl_private_place(d, stack + 6 * 64 + 2 * 8 + 5), stack + 256 + (2 * 4 + 2) * 8 + 5);
    for (vl_ptr a = stack - 8; a < stack + 32 * 64 + 8; a++)
        assert_int_equal(vl_private_address(d, vl_private_place(d, a)), a);
    assert_int_equal(vl_private_place(d, stack - 1), stack - 1);
    assert_int_equal(vl_private_place(d, stack + 32 * 64 + 8), stack + 32 * 64 + 8);
    assert_int_equal(vl_free(d, stack), VL_EINVAL); /* not the caller's */
    assert_int_equal(vl_free(d, block), VL_EINVAL);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0); /* and they are kept */
    assert_int_equal(last->launch.stack_base, stack);
    assert_int_equal(last->launch.arg, block);
    img->kernels[1].stack_bytes = 1 << 17; /* 32 threads: 4 MB */
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_EDEVMEM);
    assert_non_null(strstr(vl_detail(d), "stacks"));
    img->kernels[1].stack_bytes = 0;
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.stack_base, 0);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

int launch_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_block_goes_by_no_back_door),
        cmocka_unit_test(launch_block_is_as_the_abi_says),
        cmocka_unit_test(static_and_dynamic_scratchpad_share_a_group),
        cmocka_unit_test(stacks_are_a_power_of_two_a_thread),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
