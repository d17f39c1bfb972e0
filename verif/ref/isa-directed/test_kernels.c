/* Kernels of several threads: identity, barriers, limits. */
#include "kernels.h"
#include "verif/ref/isa-directed/lib.h"

static void identity_of_every_thread(void **state)
{
    ref_launch l = launch(K_identity, 2, 0);
    l.groups[0] = 2, l.groups[1] = 3, l.groups[2] = 1;
    l.local[0] = 3, l.local[1] = 2, l.local[2] = 2;
    l.offset[0] = 100, l.offset[1] = 0xffffffff, l.offset[2] = 7;
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(r.groups, 6);
    assert_int_equal(r.instructions, 6 * 12 * 60);
    for (uint32_t gx = 0; gx < 2; gx++)
        for (uint32_t i = 0; i < 12; i++) /* the last group in y has written these words */
            expect(*state, DATA + 160 * (64 * gx + 4 * (i / 4) + i % 4),
                   (uint64_t[]){i % 3, i / 3 % 2, i / 6, 100 + 3 * gx, 3, 7, gx, 2, 0, DATA,
                                0x48000000 + 1024 * (i + 1), i % 2, i % 4, i / 4, 0, i},
                   16);
}

static void registers_are_zero_at_entry(void **state)
{
    ref_launch l = launch(K_zeros, 3, 5);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(load(*state, DATA), 77);
}

static void barriers_and_scratchpad(void **state)
{
    ref_launch l = launch(K_reduce, 5, 64);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(r.barriers, 5 * 7);
    for (uint64_t g = 0; g < 5; g++)
        assert_int_equal(load(*state, DATA + 8 * g), 64 * 64 * g + 63 * 32);
    assert_int_equal(load(*state, REF_SPAD_BASE), 0); /* memory under the aperture is not touched */
    l.spad_bytes = 504;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
    assert_int_equal(r.cause, REF_FAULT_LOAD_ACCESS);
    assert_int_equal(r.local[0], 63);
    assert_int_equal(r.warp, 15);
    assert_int_equal(r.thread, 3);
}

static void threads_that_wait_for_others_get_there(void **state)
{
    ref_launch l = launch(K_flag, 1, 8);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(load(*state, DATA), 7ull << 32 | 7);
}

static void barriers_that_cannot_complete(void **state)
{
    static const struct {
        uint64_t entry, pc;
        uint64_t value;
        uint32_t thread;
    } c[] = {{K_divergent, K_divergent_pc, 0, 1},
             {K_two_barriers, K_two_barriers_pc, 0, 0},
             {K_early_exit, K_early_exit_pc, 0, 0},
             {K_warp_ended, K_warp_ended_pc, 1, 0}};
    for (unsigned i = 0; i < 4; i++) {
        ref_launch l = launch(c[i].entry, 2, 8);
        ref_result r;
        assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_BARRIER);
        assert_int_equal(r.value, c[i].value);
        assert_int_equal(r.pc, c[i].pc);
        assert_int_equal(r.thread, c[i].thread);
        assert_int_equal(r.groups, 0);
    }
}

static bool stop_after_three(void *user, uint64_t done, uint64_t all)
{
    *(uint64_t *)user = all;
    return done == 3;
}

static void limits_and_wrong_arguments(void **state)
{
    ref_result r;
    ref_launch l = launch(K_counting, 1, 3);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_ELIMIT);
    assert_in_range(r.instructions, 1000000, 1000010);
    l = launch(K_forever, 2, 3); /* one group is resident: no number of cores is given */
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_ESTUCK);
    assert_int_equal(r.resident, 1);
    l = launch(K_zeros, 4, 4);
    uint64_t all = 0;
    l.poll = stop_after_three, l.user = &all;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINTR);
    assert_int_equal(r.groups, 3);
    assert_int_equal(all, 4);
    assert_int_equal(ref_run_kernel(*state, &(ref_launch){0}, &r), REF_EINVAL);
    l = launch(K_zeros, 0, 4);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
    l = launch(K_zeros, 1, 1);
    l.spad_bytes = REF_SPAD_MAX + 1;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
    l = launch(BASE + 2, 1, 1);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
}

const struct CMUnitTest kernel_tests[] = {
    TEST(identity_of_every_thread),      TEST(registers_are_zero_at_entry),
    TEST(barriers_and_scratchpad),       TEST(threads_that_wait_for_others_get_there),
    TEST(barriers_that_cannot_complete), TEST(limits_and_wrong_arguments)};
const size_t n_kernel_tests = sizeof kernel_tests / sizeof *kernel_tests;
