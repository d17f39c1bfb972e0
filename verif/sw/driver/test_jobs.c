/* From the start of kernels to their end: limits, interruptions, jobs that end independently, memory that is shared, and accesses that fail. */
#include "verif/sw/driver/mock.h"

static vl_error err;
static vl_fault fault;
static vl_backend_launch l[2];
static vl_backend_job job[2];

static void two_jobs(void)
{
    l[0] = launch(3), l[1] = launch(5);
    job[0] = (vl_backend_job){.launch = &l[0], .cores = 3};
    job[1] = (vl_backend_job){.launch = &l[1], .cores = 12};
}

/* ---- ends ---- */

static void a_kernel_ends_by_itself(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 20000; /* more than one wait */
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(writes(REG_CMD), 1);
    assert_int_equal(count(END), 1);
    assert_int_equal(m.seen_end[0].code, 0);
    assert_false(m.seen_end[0].cut);
    assert_int_equal(m.seen_end[0].cycles, 20000);
    assert_in_range(m.waits, 4, 10);
}

static void a_kernel_reaches_its_limit(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = NEVER;
    l[0].max_cycles = 9000;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_ELIMIT);
    assert_int_equal(writes(REG_CMD), 2);
    assert_int_equal(nth_write(REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_in_range(m.seen_end[0].cycles, 9000, 9000 + 2 * m.cost + 2);
    assert_true(m.seen_end[0].cut);
    assert_int_equal(m.seen_end[0].code, VL_ELIMIT);
    /* Its cores' counters were read before the reset, which clears them; and once. */
    unsigned selects = 0;
    const int reset = place_of(READ_REG, REG_KERNEL_STATUS) - 1;
    for (unsigned i = 0; i < m.n_log; i++)
        if (m.log[i].what == WRITE_REG && m.log[i].addr == REG_PERF_SEL
            && reg_perf_sel_get(m.log[i].value).kind == PERF_SEL_KIND_CORE) {
            assert_true((int)i < reset);
            selects++;
        }
    assert_int_equal(selects, 4 * (m.facts.counters[0] - absent_rows()));
    assert_int_equal(m.log[reset].addr, REG_CMD);
}

static void no_wait_goes_beyond_a_limit(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = NEVER;
    l[0].max_cycles = 300;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_ELIMIT);
    assert_int_equal(m.most_asked, 299); /* after the first, of one cycle */
}

static void the_nearest_limit_counts(void **s)
{
    (void)s;
    for (unsigned near = 0; near < 2; near++) {
        two_jobs();
        m.takes[0] = NEVER, m.takes[1] = NEVER;
        l[near].max_cycles = 700;
        l[!near].max_cycles = 30000;
        assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(job[k].code, VL_ELIMIT);
            assert_true(job[k].cut);
            assert_in_range(job[k].cycles, l[k].max_cycles, l[k].max_cycles + 100);
        }
    }
}

static void jobs_end_independently(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 1000;
    m.takes[1] = NEVER;
    l[1].max_cycles = 6000;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, 0);
    assert_false(job[0].cut);
    assert_int_equal(job[0].cycles, 1000);
    assert_int_equal(job[1].code, VL_ELIMIT);
    assert_true(job[1].cut);
    assert_int_equal(writes(REG_CMD), 1); /* never stopped */
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 2); /* stopped */
    forget();
    m.takes[1] = 10; /* both start again, the stopped one is not stopped twice */
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 1);
    assert_int_equal(job[1].code, 0);
    assert_false(job[1].cut);
    assert_int_equal(writes(REG_RECONV_TARGET), 0);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_RECONV_TARGET), 8);
}

static void a_kernel_ends_by_a_fault_of_its_own(void **s)
{
    (void)s;
    two_jobs();
    m.reg[(REG_KERNEL_STRIDE + REG_FAULT_CAUSE) / 8] =
        reg_fault_cause_put((reg_fault_cause_t){.warp = 3, .core = 2, .cause = VL_FAULT_ILLEGAL});
    m.reg[(REG_KERNEL_STRIDE + REG_FAULT_VALUE) / 8] = 0xdead;
    m.reg[(REG_KERNEL_STRIDE + REG_FAULT_PC) / 8] = 0x10000040;
    m.reg[(REG_KERNEL_STRIDE + REG_FAULT_MASK) / 8] = 9;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(job[0].code, 0);
    assert_int_equal(job[1].code, VL_EFAULT);
    assert_false(job[1].cut);
    assert_int_equal(job[1].fault.cause, VL_FAULT_ILLEGAL);
    assert_int_equal(job[1].fault.core, 2);
    assert_int_equal(job[1].fault.warp, 3);
    assert_int_equal(job[1].fault.value, 0xdead);
    assert_int_equal(job[1].fault.pc, 0x10000040);
    assert_int_equal(job[1].fault.mask, 9);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 1);
    assert_int_equal(m.seen_end[1].code, VL_EFAULT);
    /* The rest of it in its cores is stopped before the next launch. */
    m.reg[(REG_KERNEL_STRIDE + REG_FAULT_CAUSE) / 8] = 0;
    forget();
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CMD, 0)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_int_equal(writes(REG_CMD), 1);
    assert_int_equal(job[1].code, 0);
}

static void a_stop_that_never_ends(void **s)
{
    (void)s;
    two_jobs();
    m.cost = 5000;
    m.stop = NEVER;
    m.takes[0] = NEVER;
    l[0].max_cycles = 100;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EBACKEND);
    assert_string_equal(err.text, "the stop of the cores has not ended after 10000000 cycles");
    assert_int_equal(count(END), 0);
}

/* ---- people ---- */

static unsigned shows;
static vl_progress last_shown;

static int show(void *user, const vl_progress *p)
{
    shows++;
    last_shown = *p;
    return user != NULL;
}

static void progress_is_shown_and_an_interruption_cuts_all(void **s)
{
    (void)s;
    two_jobs();
    shows = 0;
    m.sleep_ms = 60;
    m.takes[0] = 500, m.takes[1] = NEVER; /* one of 3 + 5 warps has ended */
    l[0].progress = show;
    l[0].progress_user = &shows;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), VL_EINTR);
    assert_int_equal(shows, 1);
    assert_int_equal(last_shown.groups_total, 8);
    assert_int_equal(last_shown.groups_done, 1);
    assert_true(last_shown.cycles >= 4096);
    assert_int_equal(job[0].code, 0);
    assert_int_equal(job[1].code, VL_EINTR);
    assert_true(job[1].cut);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_int_equal(count(END), 1);
}

/* ---- interrupts ---- */

static unsigned interrupts, interrupt_cost;
static uint64_t interrupted_at[64];
static int interrupt_code;

static int interrupt(void *user, vl_error *e)
{
    (void)user, (void)e;
    interrupted_at[interrupts % 64] = m.now;
    interrupts++;
    m.now += interrupt_cost;
    return interrupts == 7 ? interrupt_code : 0;
}

static void interrupts_come_at_their_time(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 5000;
    l[0].interrupt = interrupt;
    l[0].interrupt_every = 400;
    interrupts = interrupt_cost = 0;
    interrupt_code = 0;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(interrupts, 12);
    for (unsigned i = 1; i < interrupts; i++)
        assert_int_equal(interrupted_at[i] - interrupted_at[i - 1], 400);
}

static void an_interrupt_longer_than_its_period_is_followed_by_the_next(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 10000;
    l[0].interrupt = interrupt;
    l[0].interrupt_every = 100;
    interrupts = 0;
    interrupt_cost = 250;
    interrupt_code = 0;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    for (unsigned i = 1; i < 20; i++)
        assert_int_equal(interrupted_at[i] - interrupted_at[i - 1], 251);
}

static void an_interrupt_that_fails_ends_the_run(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = NEVER;
    l[0].interrupt = interrupt;
    l[0].interrupt_every = 100;
    interrupts = interrupt_cost = 0;
    interrupt_code = VL_ENOMEM;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_ENOMEM);
    assert_int_equal(interrupts, 7);
    assert_int_equal(nth_write(REG_CMD, 1)->value, reg_cmd_put((reg_cmd_t){.stop = true}));
    assert_int_equal(m.seen_end[0].code, VL_ENOMEM);
}

/* ---- memory while kernels run, and memory that is shared ---- */

static int copy(void *user, vl_error *e)
{
    (void)user;
    char bytes[8];
    return driver_write(d, 0x10000000, bytes, 8, e) || driver_read(d, 0x10000000, bytes, 8, e)
           || driver_fill(d, 0x10000000, 0, 8, e);
}

static void the_back_door_is_shut_while_kernels_run(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 250;
    l[0].interrupt = copy;
    l[0].interrupt_every = 100;
    vl_driver.back_door(d, true);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(count(MEM_LOAD) + count(MEM_DUMP) + count(MEM_CLEAR), 0);
    assert_true(count(MEM_WRITE) && count(MEM_READ) && count(MEM_FILL));
    forget();
    assert_int_equal(copy(NULL, &err), 0); /* the kernel's lines first */
    assert_int_equal(writes(REG_MAINT), 1);
    assert_int_equal(count(MEM_LOAD) + count(MEM_DUMP) + count(MEM_CLEAR), 3);
}

static void shared_memory_is_whole_before_and_after(void **s)
{
    (void)s;
    two_jobs();
    l[0].shared = true;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(count(SHARE), 1);
    assert_int_equal(writes(REG_MAINT), 1); /* after: before, nothing was in the caches */
    assert_true(place_of(WRITE_REG, REG_MAINT) > place_of(END, 0));
    forget();
    assert_int_equal(driver_write(d, 0x10000000, "x", 1, &err), 0);
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(writes(REG_MAINT), 2);
    assert_true(place_of(WRITE_REG, REG_MAINT) < place_of(SHARE, 0));
    assert_true(place_of(SHARE, 0) < place_of(WRITE_REG, REG_CMD));
}

/* The row of the final flush; NULL without one. */
static const vl_counter *flush_cycles(void)
{
    size_t n;
    const vl_counter *c = vl_driver.counters(d, &n);
    while (n && strcmp(c[n - 1].name, "flush_cycles"))
        n--;
    return n ? &c[n - 1] : NULL;
}

static void without_directories_there_is_no_final_flush(void **s)
{
    (void)s;
    two_jobs();
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(writes(REG_MAINT), 0);
    assert_null(flush_cycles());
}

static const uint64_t flush_all = MAINT_OP_FLUSH_ALL, inval_all = MAINT_OP_INVAL_ALL;

/* After the last read of counters of cores, slices and channels, the kernels' caches were flushed to the end; the counters of coherence,
 * which have the flush as well, were read behind it. */
static void was_flushed(void)
{
    const int flush = place_of(WRITE_REG, REG_MAINT);
    int last = -1, first = -1;
    for (int i = 0; i < (int)m.n_log; i++)
        if (m.log[i].addr == REG_PERF_SEL && m.log[i].what == WRITE_REG) {
            if (reg_perf_sel_get(m.log[i].value).kind <= PERF_SEL_KIND_CHANNEL)
                last = i + 1;
            else if (first < 0)
                first = i;
        }
    assert_true(first > flush + 5);
    assert_int_equal(reg_maint_get(m.log[flush].value).op, flush_all);
    assert_in_range(last, 1, flush - 1);
    assert_int_equal(m.log[flush + 5].what, READ_REG); /* four times it is not over, then it is */
    assert_int_equal(m.log[flush + 5].addr, REG_STATUS);
    assert_int_equal(m.left_maintenance, 0);
    assert_int_equal(flush_cycles()->value, 6 * m.cost);
}

static void kernels_end_with_a_final_flush(void **s)
{
    (void)s;
    two_jobs();
    m.maintenance = 4;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    was_flushed();
    assert_int_equal(writes(REG_MAINT), 1);
    assert_true(place_of(WRITE_REG, REG_MAINT) < place_of(END, 0));
    assert_string_equal(flush_cycles()->section, "run");
    size_t n;
    assert_int_equal(vl_driver.counters(d, &n)->value, 100); /* the kernel's own cycles */
    forget();
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0); /* once for all */
    assert_int_equal(writes(REG_MAINT), 1);
    was_flushed();
    forget();
    l[0].shared = true; /* shared memory: caches are emptied as well, behind it */
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_int_equal(writes(REG_MAINT), 3);
    assert_int_equal(reg_maint_get(nth_write(REG_MAINT, 1)->value).op, flush_all);
    assert_int_equal(reg_maint_get(nth_write(REG_MAINT, 2)->value).op, inval_all);
}

static void a_kernel_that_is_cut_or_faults_is_flushed(void **s)
{
    (void)s;
    two_jobs();
    m.maintenance = 4;
    m.takes[0] = NEVER;
    l[0].max_cycles = 500;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_ELIMIT);
    was_flushed();
    forget();
    m.takes[0] = 100;
    m.reg[REG_FAULT_CAUSE / 8] = reg_fault_cause_put((reg_fault_cause_t){.cause = VL_FAULT_ILLEGAL});
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EFAULT);
    was_flushed();
}

static void a_final_flush_that_never_ends(void **s)
{
    (void)s;
    two_jobs();
    m.cost = 5000;
    m.maintenance = NEVER;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EBACKEND);
    assert_string_equal(err.text, "the final flush has not ended after 10000000 cycles");
    assert_int_equal(count(END), 0);
}

static int look(void *user, vl_error *e)
{
    char c;
    (void)user;
    return driver_read(d, 0x10000080, &c, 1, e);
}

static void reads_while_kernels_run_are_synchronised(void **s)
{
    (void)s;
    two_jobs();
    l[0].interrupt = look;
    l[0].interrupt_every = 30;
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_true(count(MEM_READ) > 1);
    assert_int_equal(count(MEM_SYNC), count(MEM_READ));
    for (unsigned i = 1; i < m.n_log; i++)
        if (m.log[i].what == MEM_READ) {
            assert_int_equal(m.log[i - 1].what, MEM_SYNC);
            assert_int_equal(m.log[i - 1].addr, m.log[i].addr);
            assert_int_equal(m.log[i - 1].value, m.log[i].value);
        }
    forget();
    assert_int_equal(look(NULL, &err), 0); /* after a final flush there is nothing to bring home */
    assert_int_equal(count(MEM_READ), 1);
    assert_int_equal(count(MEM_SYNC), 0);
    mock_ops.sync = NULL; /* memory that has one holder */
    forget();
    assert_int_equal(driver_run(d, &l[0], &fault, &err), 0);
    assert_true(count(MEM_READ) > 1);
}

static void a_host_goes_on_beside_its_kernel(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 5000;
    bool running = false;
    assert_int_equal(driver_begin(d, &l[0], &err), 0);
    const uint64_t begin = m.now;
    l[0] = (vl_backend_launch){0}; /* the driver has its own */
    assert_int_equal(driver_pass(d, 1000, &running, &err), 0);
    assert_true(running);
    assert_in_range(m.now, begin + 1000, begin + 1001);
    assert_int_equal(look(NULL, &err), 0); /* looks at memory without a flush */
    assert_int_equal(count(MEM_SYNC), 0);
    assert_int_equal(driver_sync(d, 0x10000080, 7, &err), 0);
    assert_int_equal(count(MEM_SYNC), 1);
    assert_int_equal(m.log[m.n_log - 1].addr, 0x10000080);
    assert_int_equal(m.log[m.n_log - 1].value, 7);
    assert_int_equal(writes(REG_MAINT), 0);
    assert_int_equal(driver_pass(d, 100000, &running, &err), 0);
    assert_false(running);
    assert_true(m.now < begin + 6000);
    assert_int_equal(driver_end(d, &fault, &err), 0);
    assert_int_equal(count(END), 1);
    assert_int_equal(m.seen_end[0].cycles, 5000);
    assert_int_equal(writes(REG_MAINT), 1);
    forget();
    assert_int_equal(driver_sync(d, 0x10000080, 7, &err), 0); /* the flush has done it */
    assert_int_equal(count(MEM_SYNC), 0);
    reads_while_kernels_run_are_synchronised(NULL); /* of a launch in one piece, again */
}

static void a_limit_holds_beside_the_host(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = NEVER;
    l[0].max_cycles = 3000;
    bool running = true;
    assert_int_equal(driver_begin(d, &l[0], &err), 0);
    assert_int_equal(driver_pass(d, 1000, &running, &err), 0);
    assert_true(running);
    assert_int_equal(driver_pass(d, 10000, &running, &err), 0);
    assert_false(running);
    assert_int_equal(driver_end(d, &fault, &err), VL_ELIMIT);
    assert_true(m.seen_end[0].cut);
}

static void what_goes_wrong_beside_the_host_is_the_end(void **s)
{
    (void)s;
    two_jobs();
    m.takes[0] = 5000;
    bool running = true;
    assert_int_equal(driver_begin(d, &l[0], &err), 0);
    m.fail_code = VL_EDIFF;
    m.fail_at = (int)m.accesses + 1;
    assert_int_equal(driver_pass(d, 1000, &running, &err), VL_EDIFF);
    assert_false(running);
    const unsigned seen = m.accesses;
    vl_error again = {0}, end = {0};
    assert_int_equal(driver_pass(d, 1000, &running, &again), VL_EDIFF);
    assert_string_equal(again.text, "the wire is cut");
    assert_int_equal(driver_end(d, &fault, &end), VL_EDIFF);
    assert_string_equal(end.text, "the wire is cut");
    assert_int_equal(m.accesses, seen);
}

static void a_device_that_was_found_wrong_is_not_touched_again(void **s)
{
    (void)s;
    two_jobs();
    l[0].shared = true;
    m.takes[0] = NEVER;
    m.accesses = 0;
    mock_ops.begin = NULL; /* counts no access */
    m.fail_code = VL_EDIFF;
    m.fail_at = 1 + 16 + 5 + 16 + 6 + 1 + 1; /* share, registers, policies, table, page faults, start; the first wait */
    assert_int_equal(driver_run(d, &l[0], &fault, &err), VL_EDIFF);
    assert_int_equal(m.waits, 1);
    assert_int_equal(m.log[m.n_log - 1].addr, REG_CMD);
    assert_int_equal(count(END), 0);
    assert_int_equal(writes(REG_MAINT), 0);
}

/* ---- accesses that fail ---- */

static void every_access_may_fail(void **s)
{
    (void)s;
    two_jobs();
    l[0].shared = true;
    l[0].max_cycles = 150;
    m.takes[0] = NEVER;
    m.accesses = 0;
    assert_int_equal(driver_run_jobs(d, job, 2, &err), 0);
    const unsigned all = m.accesses;
    for (unsigned n = 1; n <= all; n++) {
        if (mock_teardown(NULL) || mock_setup(NULL))
            fail();
        two_jobs();
        l[0].shared = true;
        l[0].max_cycles = 150;
        m.takes[0] = NEVER;
        m.accesses = 0;
        m.fail_at = (int)n;
        m.fail_code = VL_EIO;
        err.text[0] = 0;
        if (driver_run_jobs(d, job, 2, &err) != VL_EIO)
            fail_msg("access %u of %u fails, and the run does not", n, all);
        assert_string_equal(err.text, "the wire is cut");
        /* And it goes on when the wire is whole again: nothing is left from before. */
        m.takes[0] = 90;
        l[0].max_cycles = 0;
        forget();
        if (driver_run_jobs(d, job, 2, &err))
            fail_msg("after access %u had failed: %s", n, err.text);
        assert_int_equal(job[0].code, 0);
        assert_int_equal(job[0].cycles, 90);
        assert_int_equal(m.reg[REG_CMD / 8], reg_cmd_put((reg_cmd_t){.start = true}));
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
#define DIRECTORY_TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup_directory, mock_teardown)
const struct CMUnitTest job_tests[] = {
    TEST(a_kernel_ends_by_itself),
    TEST(a_kernel_reaches_its_limit),
    TEST(no_wait_goes_beyond_a_limit),
    TEST(the_nearest_limit_counts),
    TEST(jobs_end_independently),
    TEST(a_kernel_ends_by_a_fault_of_its_own),
    TEST(a_stop_that_never_ends),
    TEST(progress_is_shown_and_an_interruption_cuts_all),
    TEST(interrupts_come_at_their_time),
    TEST(an_interrupt_longer_than_its_period_is_followed_by_the_next),
    TEST(an_interrupt_that_fails_ends_the_run),
    TEST(the_back_door_is_shut_while_kernels_run),
    TEST(shared_memory_is_whole_before_and_after),
    TEST(without_directories_there_is_no_final_flush),
    DIRECTORY_TEST(kernels_end_with_a_final_flush),
    DIRECTORY_TEST(a_kernel_that_is_cut_or_faults_is_flushed),
    DIRECTORY_TEST(a_final_flush_that_never_ends),
    DIRECTORY_TEST(reads_while_kernels_run_are_synchronised),
    DIRECTORY_TEST(a_host_goes_on_beside_its_kernel),
    TEST(a_limit_holds_beside_the_host),
    TEST(what_goes_wrong_beside_the_host_is_the_end),
    TEST(a_device_that_was_found_wrong_is_not_touched_again),
    TEST(every_access_may_fail),
};
const size_t n_job_tests = sizeof job_tests / sizeof *job_tests;
