/* Floating point beside its instructions: CSRs, and the host's arithmetic, which computes them. */
#include <fenv.h>

#include "kernels.h"
#include "sim_c/ref/fp.h"
#include "verif/ref/isa-directed/lib.h"

static void float_csrs(void **state)
{
    ref_launch l = launch(K_fcsrs, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
    expect(*state, DATA, (uint64_t[]){0, 0xff, 7, 0x1f, 0x1f, 7, 7, 0x4e, 0x6f, 0x4e, 0x3f7fffff, 1, 0, 0x3f800000},
           14);
    assert_int_equal(r.cause, REF_FAULT_ILLEGAL);
    assert_int_equal(r.pc, K_fcsrs_bad);
    uint32_t word;
    ref_mem_read(*state, K_fcsrs_bad, &word, 4);
    assert_int_equal(r.value, word);
}

/* An operation does not report flags that the host's own arithmetic has raised, and leaves the host neither its flags nor its rounding mode. */
static void host_arithmetic_is_left_as_it_was(void **state)
{
    (void)state;
    fp_saved host;
    uint32_t flags = 0;
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_DOWNWARD);
    volatile float third = 1.0f, three = 3.0f;
    third = third / three; /* leaves "inexact" behind */
    fp_enter(&host);
    assert_int_equal(fp_add(0x3f800000, 0x3f800000, FP_RNE, &flags), 0x40000000);
    fp_collect(&flags);
    assert_int_equal(flags, 0);
    assert_int_equal(fp_div(0x3f800000, 0, FP_RUP, &flags), 0x7f800000);
    fp_collect(&flags);
    assert_int_equal(flags, FP_DZ);
    fp_leave(&host);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), FE_INEXACT);
    assert_int_equal(fegetround(), FE_DOWNWARD);
    fp_enter(&host);
    flags = 0;
    fp_collect(&flags);
    assert_int_equal(flags, 0);
    fp_leave(&host);
    fesetround(FE_TONEAREST);
}

const struct CMUnitTest float_tests[] = {TEST(float_csrs), TEST(host_arithmetic_is_left_as_it_was)};
const size_t n_float_tests = sizeof float_tests / sizeof *float_tests;
