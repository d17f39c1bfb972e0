/* Jobs that are launched again until every job has ended once (docs/several-programs.md). */
#include "verif/sw/driver/mock.h"

static vl_error err;
static vl_backend_launch l[2];
static vl_backend_job job[2];
static const uint64_t blocks[] = {0xa1000, 0xa2000};
static uint64_t counts[2][256];

static const uint64_t start = 1, stop = 2; /* of CMD, by the page */

static void short_and_long(int64_t first, int64_t second)
{
    l[0] = launch(3), l[1] = launch(5);
    job[0] = (vl_backend_job){.launch = &l[0], .cores = 3, .again = blocks, .n_again = 2, .counts = counts[0]};
    job[1] = (vl_backend_job){.launch = &l[1], .cores = 12, .counts = counts[1]};
    m.takes[0] = first, m.takes[1] = second;
}

static void the_short_one_is_launched_until_the_long_one_has_ended(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, 0);
    assert_int_equal(job[1].code, 0);
    assert_int_equal(job[0].cycles, 3000);
    assert_int_equal(job[1].cycles, 20000);
    assert_in_range(job[0].launches, 5, 6);
    assert_int_equal(job[1].launches, 1);
    /* One start more than it has ended, and then it is stopped; the other starts once. */
    const unsigned n = job[0].launches;
    assert_int_equal(writes(REG_CMD), n + 2);
    for (unsigned i = 0; i <= n; i++)
        assert_int_equal(nth_write(REG_CMD, i)->value, start);
    assert_int_equal(nth_write(REG_CMD, n + 1)->value, stop);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 1);
    assert_true(job[0].cut);
    assert_false(job[1].cut);
    /* Each with its block, and then with the last one; nothing else of the slot is set up anew. */
    assert_int_equal(writes(REG_ARG), n + 1);
    assert_int_equal(nth_write(REG_ARG, 0)->value, 0x12345000);
    assert_int_equal(nth_write(REG_ARG, 1)->value, blocks[0]);
    for (unsigned i = 2; i <= n; i++)
        assert_int_equal(nth_write(REG_ARG, i)->value, blocks[1]);
    assert_int_equal(writes(REG_ENTRY_PC), 1);
    assert_int_equal(writes(REG_CORES), 0);
    /* The judge gets each launch before it starts, and the end of the last one, which was stopped. */
    assert_int_equal(count(AGAIN), n);
    assert_int_equal(m.seen_again.launch_arg, blocks[1]);
    assert_int_equal(m.seen_again.slot, 0);
    assert_true(m.seen_end[0].cut && !m.seen_end[0].code);
    unsigned begun = 0;
    for (unsigned i = 0; i < m.n_log; i++) {
        begun += m.log[i].what == AGAIN;
        if (m.log[i].what == WRITE_REG && m.log[i].addr == REG_CMD && m.log[i].value == start) {
            assert_true(begun == 0 || m.log[i - 1].addr == REG_ARG);
            assert_true(begun == 0 || m.log[i - 2].what == AGAIN);
        }
    }
}

/* A start clears them. Those of later launches count for no job. */
static void the_counters_are_those_of_the_first_launch(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    unsigned selects[4] = {0}, starts = 0;
    uint8_t counter[256]; /* in the order in which they are read */
    for (unsigned i = 0; i < m.n_log; i++) {
        starts += m.log[i].what == WRITE_REG && m.log[i].addr == REG_CMD && m.log[i].value == start;
        if (m.log[i].what != WRITE_REG || m.log[i].addr != REG_PERF_SEL)
            continue;
        const reg_perf_sel_t sel = reg_perf_sel_get(m.log[i].value);
        if (sel.kind != PERF_SEL_KIND_CORE)
            continue;
        assert_true(sel.unit >= 2 || starts == 1);
        if (!sel.unit)
            counter[selects[0] & 255] = sel.counter;
        selects[sel.unit]++;
    }
    for (unsigned c = 0; c < 4; c++)
        assert_int_equal(selects[c], job[0].counted);
    /* Every unit's every counter is another (mock.c). */
    for (unsigned k = 0; k < 2; k++) {
        assert_true(job[k].counted);
        for (unsigned c = 0; c < job[k].counted; c++) {
            uint64_t sum = 0;
            for (unsigned core = 2 * k; core < 2 * k + 2; core++)
                sum += 1
                       + reg_perf_sel_put(
                           (reg_perf_sel_t){.counter = counter[c], .unit = (uint8_t)core, .kind = PERF_SEL_KIND_CORE});
            assert_int_equal(counts[k][c], sum);
        }
    }
}

static void jobs_that_end_together_are_not_launched_again(void **s)
{
    (void)s;
    short_and_long(3000, 3000 - 3); /* it starts an access later */
    job[1].again = blocks, job[1].n_again = 1;
    m.cost = 3;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(job[k].launches, 1);
        assert_false(job[k].cut);
        assert_true(job[k].counted);
        assert_int_equal(writes(k * REG_KERNEL_STRIDE + REG_CMD), 1);
    }
    assert_int_equal(count(AGAIN), 0);
}

/* A start beside which nothing runs would clear the counters of what all share. */
static void what_ends_while_counters_are_read_is_the_end(void **s)
{
    (void)s;
    short_and_long(3000, 3400);
    m.cost = 3;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].launches, 1);
    assert_int_equal(job[0].cycles, 3000);
    assert_int_equal(job[1].cycles, 3400);
    assert_false(job[0].cut);
    assert_true(job[0].counted && job[1].counted);
    assert_int_equal(writes(REG_CMD), 1);
    assert_int_equal(count(AGAIN), 0);
}

static void a_brief_job_has_its_instructions_alone(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    job[0].brief = true;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    unsigned selects[4] = {0}, number[4] = {0};
    for (unsigned i = 0; i < m.n_log; i++) {
        const reg_perf_sel_t sel = reg_perf_sel_get(m.log[i].value);
        if (m.log[i].what != WRITE_REG || m.log[i].addr != REG_PERF_SEL || sel.kind != PERF_SEL_KIND_CORE)
            continue;
        selects[sel.unit]++;
        number[sel.unit] = sel.counter;
    }
    assert_int_equal(selects[0], 1);
    assert_int_equal(selects[1], 1);
    assert_int_equal(number[0], number[1]);
    assert_true(selects[2] > 1);
    unsigned there = 0;
    for (unsigned c = 0; c < job[0].counted; c++)
        there += counts[0][c] != 0;
    assert_int_equal(there, 1);
    assert_true(counts[0][number[0]] != 0); /* no earlier counter belongs to a part that this machine does not have */
}

static void a_limit_is_one_of_the_first_launch(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    l[0].max_cycles = l[1].max_cycles = 9000;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, 0);
    assert_in_range(job[0].launches, 2, 3);
    assert_int_equal(job[0].cycles, 3000);
    assert_int_equal(job[1].code, VL_ELIMIT);
    assert_true(job[0].cut && job[1].cut);
    assert_true(job[1].counted);
}

static void a_fault_of_a_later_launch_ends_the_job(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    m.fault_at = 7000;
    m.fault_cause = reg_fault_cause_put((reg_fault_cause_t){.warp = 3, .core = 1, .cause = VL_FAULT_ILLEGAL});
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, VL_EFAULT);
    assert_int_equal(job[0].fault.warp, 3);
    assert_in_range(job[0].launches, 2, 3);
    assert_int_equal(writes(REG_CMD), job[0].launches);
    assert_int_equal(job[1].code, 0);
    assert_int_equal(job[1].cycles, 20000);
    /* It is stopped before the next launch. */
    m.fault_cause = 0, m.reg[REG_FAULT_CAUSE / 8] = 0;
    forget();
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(nth_write(REG_CMD, 0)->value, stop);
}

static int never(void *user, const vl_page_fault *f, vl_error *e)
{
    (void)user, (void)f, (void)e;
    return VL_EFAULT;
}

/* A page that was fetched ahead of an end, and is not there, must not be denied to the next launch. */
static void a_fault_that_an_end_has_left_is_dropped(void **s)
{
    (void)s;
    short_and_long(3000, 20000);
    l[0].page_fault = l[1].page_fault = never;
    m.late_fault = true; /* shows with the end of slot 0 */
    raise_fault(NEVER, 0, 5, true, false, false, 0x7000);
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, 0);
    assert_true(job[0].launches >= 4);
    assert_int_equal(writes(REG_RESUME), 0);
    const asked_for *pop = nth_write(REG_PF_POP, m.facts.page_faults + 1), *second = nth_write(REG_CMD, 1);
    assert_non_null(pop);
    assert_true(pop < second);
}

static void every_access_of_a_launch_again_may_fail(void **s)
{
    (void)s;
    short_and_long(300, 3000);
    job[1].again = blocks, job[1].n_again = 1;
    m.accesses = 0;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_true(job[0].launches > 1);
    const unsigned all = m.accesses;
    for (unsigned n = 1; n <= all; n++) {
        if (mock_teardown(NULL) || mock_setup(NULL))
            fail();
        short_and_long(300, 3000);
        job[1].again = blocks, job[1].n_again = 1;
        m.accesses = 0;
        m.fail_at = (int)n;
        m.fail_code = VL_EIO;
        if (driver_run_jobs(d, job, 2, &err) != VL_EIO)
            fail_msg("access %u of %u fails, and the run does not", n, all);
        if (driver_run_jobs(d, job, 2, &err))
            fail_msg("after access %u had failed: %s", n, err.text);
        assert_int_equal(job[0].code, 0);
        assert_true(job[0].launches > 1);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
const struct CMUnitTest again_tests[] = {
    TEST(the_short_one_is_launched_until_the_long_one_has_ended),
    TEST(the_counters_are_those_of_the_first_launch),
    TEST(jobs_that_end_together_are_not_launched_again),
    TEST(what_ends_while_counters_are_read_is_the_end),
    TEST(a_brief_job_has_its_instructions_alone),
    TEST(a_limit_is_one_of_the_first_launch),
    TEST(a_fault_of_a_later_launch_ends_the_job),
    TEST(a_fault_that_an_end_has_left_is_dropped),
    TEST(every_access_of_a_launch_again_may_fail),
};
const size_t n_again_tests = sizeof again_tests / sizeof *again_tests;
