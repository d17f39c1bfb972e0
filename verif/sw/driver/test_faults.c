/* Page faults: answered, refused, of kernels that have ended or are being stopped. */
#include "verif/sw/driver/mock.h"

static vl_error err;
static vl_fault fault;
static vl_backend_launch l[2];
static vl_backend_job job[2];

static vl_page_fault asked[64];
static unsigned n_asked;
static int answers[64];

static int page_fault(void *user, const vl_page_fault *f, vl_error *e)
{
    (void)user, (void)e;
    assert_true(n_asked < 64);
    asked[n_asked] = *f;
    return answers[n_asked++];
}

static int setup(void **s)
{
    n_asked = 0;
    memset(answers, 0, sizeof answers);
    for (unsigned k = 0; k < 2; k++) {
        l[k] = launch(2);
        l[k].page_fault = page_fault;
        job[k] = (vl_backend_job){.launch = &l[k], .cores = k ? 12 : 3};
    }
    int e = mock_setup(s);
    m.takes[0] = m.takes[1] = 30000; /* much longer than a stop */
    return e;
}

static uint64_t soon(void)
{
    return m.now + 2000;
} /* after all that comes before a start */

static void a_fault_that_is_mapped_is_resumed(void **s)
{
    (void)s;
    raise_fault(soon(), 1, 5, false, false, true, 0x800000001234);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(n_asked, 1);
    assert_int_equal(asked[0].cause, VL_FAULT_STORE_PAGE);
    assert_int_equal(asked[0].access, VL_ACCESS_STORE);
    assert_int_equal(asked[0].address, 0xffff800000001234);
    assert_int_equal(asked[0].core, 1);
    assert_int_equal(asked[0].warp, 5);
    assert_int_equal(asked[0].threads, 5);
    assert_int_equal(asked[0].pc, 4096 + 0x800000001234);
    assert_int_equal(writes(REG_RESUME), 1);
    assert_int_equal(nth_write(REG_RESUME, 0)->value, reg_resume_put((reg_resume_t){.core = 1, .warp = 5}));
    assert_int_equal(writes(REG_CMD), 1);
  /* Taken from the queue before it is answered: the warp may fault again at once. */
    assert_true(place_of(WRITE_REG, REG_RESUME) > place_of(READ_REG, REG_PF_THREADS));
    assert_int_equal(writes(REG_PF_POP), m.facts.page_faults + 2);
}

static void kinds_of_faults(void **s)
{
    (void)s;
    raise_fault(soon(), 0, 0, false, false, false, 4096);
    raise_fault(soon() + 50, 2, 1, true, false, false, 0x2000);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(asked[0].cause, VL_FAULT_LOAD_PAGE);
    assert_int_equal(asked[0].access, VL_ACCESS_LOAD);
    assert_int_equal(asked[1].cause, VL_FAULT_FETCH_PAGE);
    assert_int_equal(asked[1].access, VL_ACCESS_FETCH);
    assert_int_equal(nth_write(REG_RESUME, 1)->value,
                     reg_resume_put((reg_resume_t){.core = 2, .warp = 1, .fetch = true}));
}

static void a_load_that_is_refused_ends_its_kernel(void **s)
{
    (void)s;
    raise_fault(soon(), 1, 5, false, false, false, 0x7000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EFAULT);
    assert_int_equal(fault.cause, VL_FAULT_LOAD_PAGE);
    assert_int_equal(fault.value, 0x7000);
    assert_int_equal(fault.pc, 0x8000);
    assert_int_equal(fault.core, 1);
    assert_int_equal(fault.warp, 5);
    assert_int_equal(fault.mask, 5);
    assert_int_equal(writes(REG_RESUME), 0);
    assert_int_equal(nth_write(REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_true(m.seen_end[0].cut);
}

static void an_access_that_no_page_allows_is_not_asked_about(void **s)
{
    (void)s;
    raise_fault(soon(), 0, 0, false, true, true, 0x7000);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EFAULT);
    assert_int_equal(n_asked, 0);
    assert_int_equal(fault.cause, VL_FAULT_STORE_ACCESS);
}

static void a_launch_without_a_pager(void **s)
{
    (void)s;
    l[0].page_fault = NULL;
    raise_fault(soon(), 0, 0, false, false, false, 0x7000);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EFAULT);
    assert_int_equal(fault.cause, VL_FAULT_LOAD_PAGE);
}

static void a_fetch_that_is_refused_may_have_run_ahead(void **s)
{
    (void)s;
    raise_fault(soon(), 3, 2, true, false, false, 0x7000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(nth_write(REG_RESUME, 0)->value,
                     reg_resume_put((reg_resume_t){.core = 3, .warp = 2, .deny = true, .fetch = true}));
    assert_int_equal(writes(REG_CMD), 1);
}

static void a_pager_that_fails_ends_the_run(void **s)
{
    (void)s;
    raise_fault(soon(), 3, 2, false, false, false, 0x7000);
    answers[0] = VL_EDEVMEM;
    m.facts.block_bytes = 4096;
    l[0].shared = true;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EDEVMEM);
    assert_int_equal(writes(REG_RESUME), 0);
    /* Its cores are stopped, and their stores are in memory. */
    assert_int_equal(nth_write(REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_int_equal(count(END), 1);
    assert_true(m.seen_end[0].cut);
    assert_int_equal(m.seen_end[0].code, VL_EDEVMEM);
    assert_int_equal(nth_write(REG_MAINT, 0)->value, reg_maint_put((reg_maint_t){.op = MAINT_OP_FLUSH_ALL}));
    assert_int_equal(nth_write(REG_MAINT, 1)->value, reg_maint_put((reg_maint_t){.op = MAINT_OP_INVAL_ALL}));
}

/* The cause of its end is reported, although it cannot be stopped either; a machine found wrong meanwhile has precedence. */
static void of_several_errors_the_first_is_told(void **s)
{
    for (unsigned k = 0; k < 2; k++) {
        if (k && (mock_teardown(s) || setup(s)))
            fail();
        raise_fault(soon(), 3, 2, false, false, false, 0x7000);
        answers[0] = VL_EDEVMEM;
        m.fail_code = k ? VL_EDIFF : VL_EIO;
        m.fail_on_stop = true;
        strcpy(err.text, "no frame"); /* as a pager says */
        assert_int_equal(driver_run(d, &l[0], &fault, &err), k ? VL_EDIFF : VL_EDEVMEM);
        assert_string_equal(err.text, k ? "the wire is cut; before that: no frame" : "no frame");
        assert_int_equal(count(END), 0);
        err.text[0] = 0;
    }
}

static void a_fault_goes_to_the_kernel_of_its_core(void **s)
{
    (void)s;
    raise_fault(soon(), 3, 0, false, false, false, 0x3000);
    raise_fault(soon(), 0, 0, false, false, false, 0x4000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[1].code, VL_EFAULT);
    assert_int_equal(job[1].fault.value, 0x3000);
    assert_true(job[1].cut);
    assert_int_equal(job[0].code, 0);
    assert_int_equal(n_asked, 2);
    assert_int_equal(asked[1].address, 0x4000);
    assert_int_equal(nth_write(REG_RESUME, 0)->value, 0);
    assert_int_equal(writes(REG_CMD), 1);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
}

static void faults_of_a_kernel_that_was_stopped_are_taken_and_not_answered(void **s)
{
    (void)s;
    for (unsigned i = 0; i < 4; i++)
        /* they stand in the queue together with the fault that ends the kernel */
        raise_fault(soon(), 2, i, false, false, false, 0x3000 + i);
    raise_fault(soon() + 800, 1, 0, false, false, true, 0x4000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(n_asked, 2);
    assert_int_equal(asked[1].address, 0x4000);
    assert_int_equal(job[1].fault.value, 0x3000);
    assert_int_equal(m.first_fault, 5);
    assert_int_equal(writes(REG_RESUME), 1);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 2);
    assert_int_equal(job[0].code, 0);
}

static void a_fault_raised_while_its_kernel_is_being_stopped(void **s)
{
    (void)s;
    m.stop = 200;
    raise_fault(soon(), 2, 0, false, false, false, 0x3000);
    raise_fault(soon() + 300, 2, 1, false, false, false,
                0x3001); /* the stop takes 600 cycles and more, counters before */
    raise_fault(soon() + 301, 0, 1, false, false, false, 0x4000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(n_asked, 2);
    assert_int_equal(asked[1].address, 0x4000);
    assert_int_equal(job[0].code, 0);
}

static void a_stop_after_a_fault_that_never_ends(void **s)
{
    (void)s;
    m.cost = 5000;
    m.stop = NEVER;
    m.takes[0] = m.takes[1] = NEVER;
    raise_fault(m.now + 5000 * 100, 2, 0, false, false, false, 0x3000);
    answers[0] = VL_EFAULT;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), VL_EBACKEND);
    assert_string_equal(err.text, "the stop of the cores has not ended after 10000000 cycles");
}

static void a_fault_left_from_the_last_kernel_is_dropped(void **s)
{
    (void)s;
    for (unsigned i = 0; i < 5; i++)
        raise_fault(0, 0, i, true, false, false, 0x9000);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(n_asked, 0);
    assert_int_equal(writes(REG_RESUME), 0);
}

/* Attention falls a moment after the last fault has been taken: a read after that gives no fault of core 0. And a fault that comes meanwhile is not dropped, in any cycle. */
static void attention_without_a_fault_is_nobodys(void **s)
{
    (void)s;
    const uint64_t at = soon() + 600;
    for (unsigned later = 0; later < 40; later++) {
        assert_true(!later || (mock_teardown(s), !setup(s)));
        m.takes[1] = 100; /* has ended when its fault comes: a line that was fetched ahead */
        raise_fault(at, 2, 0, true, false, false, 0x3000);
        if (later)
            raise_fault(at + later, 1, 3, false, false, true, 0x4000);
        assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
        assert_int_equal(job[0].code, 0);
        assert_int_equal(job[1].code, 0);
        assert_int_equal(n_asked, later != 0);
        assert_true(!later || asked[0].address == 0x4000);
        assert_int_equal(m.first_fault, m.n_faults);
    }
}

static void a_fault_of_a_core_that_there_is_not(void **s)
{
    (void)s;
    raise_fault(soon(), 200, 0, false, false, false, 0x9000);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(n_asked, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, mock_teardown)
const struct CMUnitTest fault_tests[] = {
    TEST(a_fault_that_is_mapped_is_resumed),
    TEST(kinds_of_faults),
    TEST(a_load_that_is_refused_ends_its_kernel),
    TEST(an_access_that_no_page_allows_is_not_asked_about),
    TEST(a_launch_without_a_pager),
    TEST(a_fetch_that_is_refused_may_have_run_ahead),
    TEST(a_pager_that_fails_ends_the_run),
    TEST(of_several_errors_the_first_is_told),
    TEST(a_fault_goes_to_the_kernel_of_its_core),
    TEST(faults_of_a_kernel_that_was_stopped_are_taken_and_not_answered),
    TEST(a_fault_raised_while_its_kernel_is_being_stopped),
    TEST(a_stop_after_a_fault_that_never_ends),
    TEST(a_fault_left_from_the_last_kernel_is_dropped),
    TEST(attention_without_a_fault_is_nobodys),
    TEST(a_fault_of_a_core_that_there_is_not),
};
const size_t n_fault_tests = sizeof fault_tests / sizeof *fault_tests;
