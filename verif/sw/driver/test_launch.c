/* Steps before a start: registers, policies, reconvergence tables, cores. */
#include "verif/sw/driver/mock.h"

static vl_error err;
static vl_fault fault;

static void everything_is_set_up_before_the_start(void **s)
{
    (void)s;
    vl_driver.set_policy(d, VL_POLICY_WARP_SCHED, 1, &err);
    vl_driver.set_policy(d, VL_POLICY_MEM_SCHED, 1, &err);
    vl_driver.set_policy(d, VL_POLICY_DRAM_PAGE, 1, &err);
    vl_driver.set_policy(d, VL_POLICY_TLB, 2, &err);
    vl_driver.set_policy(d, VL_POLICY_WALKS, 3, &err);
    reg_sched_t sched = {.bound = 0x123, .write_low = 9};
    m.reg[REG_SCHED / 8] = reg_sched_put(sched);
    sched.mode = SCHED_MODE_MASK;
    assert_int_equal(run_groups(10, &fault, &err), 0);
    reg_policy_t policy = reg_policy_get(RESET_POLICY);
    policy.sched = POLICY_SCHED_GTO;
    const uint64_t want[][2] = {
        {REG_POLICY, reg_policy_put(policy)},
        {REG_ENTRY_PC, 0x10000000},
        {REG_ARG, 0x12345000},
        {REG_GROUPS_XY, reg_groups_xy_put((reg_groups_xy_t){.x = 10, .y = 1})},
        {REG_GROUPS_Z, 1},
        {REG_LOCAL, reg_local_put((reg_local_t){.x = 3, .y = 1, .z = 1})},
        {REG_OFFSET_XY, reg_offset_xy_put((reg_offset_xy_t){.x = 7, .y = 8})},
        {REG_OFFSET_Z, 9},
        {REG_WARPS_PER_GROUP, 1},
        {REG_LAST_MASK, 7},
        {REG_SLOTS, 4},
        {REG_SPAD_BYTES, 1024},
        {REG_STACK_BASE, 0x18000000},
        {REG_STACK_LOG2, 9},
        {REG_MEM_BASE, 0x10000000},
        {REG_MEM_LIMIT, 0x20000000},
        {REG_SCHED, reg_sched_put(sched)},
        {REG_PAGE_POLICY, reg_page_policy_put((reg_page_policy_t){.page = PAGE_POLICY_PAGE_CLOSED})},
        {REG_TLB_MODE, reg_tlb_mode_put((reg_tlb_mode_t){.mode = TLB_MODE_MODE_BLOCKING})},
        {REG_WALK, reg_walk_put((reg_walk_t){.walkers = 3, .l2_tlb = true})},
    };
    int start = place_of(WRITE_REG, REG_CMD);
    assert_true(start > 0);
    assert_int_equal(m.log[start].value, reg_cmd_put((reg_cmd_t){.start = true}));
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        int at = place_of(WRITE_REG, want[i][0]);
        if (at < 0 || at > start || m.log[at].value != want[i][1])
            fail_msg("register %#llx: access %d, value %#llx", (unsigned long long)want[i][0], at,
                     at < 0 ? 0 : (unsigned long long)m.log[at].value);
        assert_int_equal(writes((uint32_t)want[i][0]), 1);
    }
    assert_int_equal(writes(REG_PF_POP), m.facts.page_faults + 1); /* and one on its way */
    assert_int_equal(count(BEGIN), 1);
    assert_true(place_of(BEGIN, 0) < start);
    assert_true(place_of(WRITE_REG, REG_PF_POP) < start);
    assert_int_equal(m.seen_begin[0].cores, 15);
}

/* Those that no launch needs are written once, before the next one, in the order of their addresses, and without their neighbours. */
static void policies_are_written_when_they_are_set(void **s)
{
    (void)s;
    assert_int_equal(run_groups(10, &fault, &err), 0);
    assert_int_equal(writes(REG_QUOTA) + writes(REG_APP_ASIDS) + writes(REG_QUOTA_IN) + writes(REG_EPOCH), 0);
    forget();
    const reg_quota_t quota = {.app_valid = 5, .thresh_max = 400};
    m.reg[REG_QUOTA / 8] = reg_quota_put((reg_quota_t){.app_valid = 9, .thresh_max = 500});
    m.reg[REG_APP_ASIDS / 8] = reg_app_asids_put((reg_app_asids_t){.app = {{1}, {2}, {3}, {4}}});
    vl_driver.set_policy(d, VL_POLICY_MEM_EPOCH, 0, &err);
    vl_driver.set_policy(d, VL_POLICY_MEM_APP2_ASID, 77, &err);
    vl_driver.set_policy(d, VL_POLICY_MEM_APPS, 5, &err);
    vl_driver.set_policy(d, VL_POLICY_MEM_THRESH_MAX, 400, &err);
    vl_driver.set_policy(d, VL_POLICY_MEM_BOUND, 2047, &err);
    vl_driver.set_policy(d, VL_POLICY_WALK_READS, 3, &err);
    assert_int_equal(run_groups(10, &fault, &err), 0);
    assert_int_equal(writes(REG_QUOTA), 1); /* both of its policies at once */
    assert_int_equal(nth_write(REG_QUOTA, 0)->value, reg_quota_put(quota));
    assert_int_equal(nth_write(REG_APP_ASIDS, 0)->value,
                     reg_app_asids_put((reg_app_asids_t){.app = {{1}, {2}, {77}, {4}}}));
    assert_int_equal(nth_write(REG_EPOCH, 0)->value, 0);
    assert_int_equal(reg_sched_get(nth_write(REG_SCHED, 0)->value).bound, 2047);
    assert_int_equal(nth_write(REG_WALK, 0)->value,
                     reg_walk_put((reg_walk_t){.coalesce = true, .walkers = 1, .reads = 3, .l2_tlb = true}));
    assert_true(place_of(WRITE_REG, REG_QUOTA) < place_of(WRITE_REG, REG_APP_ASIDS)
                && place_of(WRITE_REG, REG_APP_ASIDS) < place_of(WRITE_REG, REG_EPOCH));
    assert_true(place_of(WRITE_REG, REG_EPOCH) < place_of(WRITE_REG, REG_CMD));
    assert_int_equal(writes(REG_QUOTA_IN), 0);
    forget();
    assert_int_equal(run_groups(10, &fault, &err), 0);
    assert_int_equal(writes(REG_QUOTA) + writes(REG_APP_ASIDS) + writes(REG_QUOTA_IN) + writes(REG_EPOCH), 0);
    assert_int_equal(reg_sched_get(nth_write(REG_SCHED, 0)->value).bound, 2047);
}

/* The place of bytes changes at rest, after all write-backs; no flush for another policy of the register, nor without a change. */
static void directories_are_empty_when_where_bytes_are_changes(void **s)
{
    (void)s;
    m.reg[REG_HOME_POLICY / 8] = reg_home_policy_put((reg_home_policy_t){.peers = 1});
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_HOME_POLICY), 0);
    for (unsigned round = 0; round < 2; round++) {
        forget();
        assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, !round, &err), 0);
        assert_int_equal(run_groups(1, &fault, &err), 0);
        assert_int_equal(writes(REG_HOME_POLICY), 1);
        assert_int_equal(nth_write(REG_HOME_POLICY, 0)->value,
                         reg_home_policy_put((reg_home_policy_t){.peers = 1, .memory = !round}));
        assert_int_equal(nth_write(REG_MAINT, 0)->value, reg_maint_put((reg_maint_t){.op = MAINT_OP_INVAL_ALL}));
        assert_true(place_of(WRITE_REG, REG_MAINT) < place_of(READ_REG, REG_STATUS));
        assert_true(place_of(READ_REG, REG_STATUS) < place_of(WRITE_REG, REG_HOME_POLICY));
        assert_true(place_of(WRITE_REG, REG_HOME_POLICY) < place_of(WRITE_REG, REG_CMD));
        assert_int_equal(m.left_rest, 0);
    }
    forget();
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, 0, &err), 0);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_PEERS, 0, &err), 0);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(nth_write(REG_HOME_POLICY, 0)->value, 0);
    assert_true(place_of(WRITE_REG, REG_MAINT) > place_of(WRITE_REG, REG_CMD)); /* the final flush */
}

/* Where memory is in stacks, it is there before the first byte; stacks without room are refused by name. */
static void memory_is_in_stacks_before_the_first_byte(void **s)
{
    (void)s;
    const uint64_t reset = reg_home_policy_put((reg_home_policy_t){.peers = 1});
    m.facts.devices = 2;
    m.facts.stacks = 4;
    m.facts.stack_bytes = m.facts.memory_bytes / 4 - 1;
    m.reg[REG_HOME_POLICY / 8] = reset;
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MEMCPY, &err), VL_ENOTSUP);
    assert_string_equal(err.text,
                        "policy memory=memcpy: the stacks of all devices of configuration mock have 268435452 "
                        "bytes, host memory has 268435456");
    m.facts.stack_bytes = m.facts.memory_bytes / 4;
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MANAGED, &err), VL_ENOTSUP);
    assert_string_equal(err.text,
                        "policy memory=managed: the stacks of one device of configuration mock have 134217728 "
                        "bytes, host memory has 268435456");
    assert_int_equal(m.n_log, 0);
    m.fail_at = (int)m.accesses + 3; /* PLACE */
    m.fail_code = VL_EIO;
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MEMCPY, &err), VL_EIO);
    m.fail_at = 0;
    forget();
    for (unsigned to = HOME_POLICY_MEMORY_MEMCPY;; to = HOME_POLICY_MEMORY_MANAGED) {
        assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, to, &err), 0);
        assert_int_equal(nth_write(REG_HOME_POLICY, 0)->value,
                         reg_home_policy_put((reg_home_policy_t){.peers = 1, .memory = (uint8_t)to}));
        assert_int_equal(m.log[m.n_log - 1].what, PLACE);
        assert_int_equal(m.log[m.n_log - 1].value, to);
        assert_int_equal(writes(REG_MAINT), 0); /* nothing is in the caches yet */
        forget();
        if (to == HOME_POLICY_MEMORY_MANAGED)
            break;
        m.facts.stack_bytes *= 2;
    }
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MANAGED, &err), 0);
    assert_int_equal(m.n_log, 0);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_UMH, &err), 0);
    assert_int_equal(m.log[m.n_log - 1].what, PLACE);
    assert_int_equal(driver_write(d, 0x10000000, &reset, 8, &err), 0);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MEMCPY, &err), VL_ESTATE);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_ZEROCOPY, &err), 0);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_HOME_POLICY), 1);
}

/* ... except memory that a kernel has run on, or that the host has filled. */
static void memory_in_use_does_not_move(void **s)
{
    (void)s;
    m.facts.stack_bytes = m.facts.memory_bytes;
    assert_int_equal(driver_fill(d, 0x10000000, 1, 8, &err), 0);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MANAGED, &err), VL_ESTATE);
    mock_teardown(NULL);
    assert_int_equal(mock_setup_directory(NULL), 0);
    m.facts.stack_bytes = m.facts.memory_bytes;
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_MANAGED, &err), 0);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, HOME_POLICY_MEMORY_UMH, &err), VL_ESTATE);
    assert_non_null(strstr(err.text, "in use"));
}

static void where_bytes_are_is_a_matter_of_directories(void **s)
{
    (void)s;
    assert_int_equal(vl_driver.set_policy(d, VL_POLICY_MEMORY, 1, &err), VL_ENOTSUP);
    assert_non_null(strstr(err.text, "no directories"));
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_HOME_POLICY), 0);
}

static void as_many_groups_as_fit_a_core(void **s)
{
    (void)s;
    static const struct {
        uint32_t warps, spad, slots;
    } cases[] = {{1, 0, 6},   {2, 0, 6},   {3, 0, 6},    {8, 0, 6},   {1, 512, 6},
                 {8, 512, 6}, {1, 800, 5}, {1, 4096, 1}, {4, 2048, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vl_backend_launch l = launch(2);
        l.group_warps = cases[i].warps;
        l.group_threads = 4 * cases[i].warps;
        l.spad_bytes = cases[i].spad;
        forget();
        assert_int_equal(driver_run(d, &l, &fault, &err), 0);
        assert_int_equal(nth_write(REG_SLOTS, 0)->value, cases[i].slots);
        assert_int_equal(nth_write(REG_LAST_MASK, 0)->value, 15);
    }
}

static void walks_share_unless_told_otherwise(void **s)
{
    (void)s;
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(nth_write(REG_WALK, 0)->value,
                     reg_walk_put((reg_walk_t){.coalesce = true, .walkers = 1, .l2_tlb = true}));
    assert_int_equal(nth_write(REG_TLB_MODE, 0)->value,
                     reg_tlb_mode_put((reg_tlb_mode_t){.mode = TLB_MODE_MODE_OVERLAP}));
}

/* ---- reconvergence tables ---- */

static vl_reconv table[8];

static void fill_table(unsigned seed)
{
    for (unsigned i = 0; i < 8; i++)
        table[i] = (vl_reconv){.pc = i % 3 ? 0x10000000 + 64 * i + seed : 0, .target = 0x10000100 + 8 * i + seed};
}

static void a_table_is_written_once_and_then_what_changes(void **s)
{
    (void)s;
    fill_table(0);
    assert_int_equal(driver_set_reconv(d, 0, table, 8, &err), 0);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(nth_write(REG_RECONV_PC, i)->value, table[i].pc);
        assert_int_equal(
            nth_write(REG_RECONV_TARGET, i)->value,
            reg_reconv_target_put((reg_reconv_target_t){
                .pc = table[i].target, .way = i % 2, .index = (uint16_t)(i / 2), .valid = table[i].pc != 0}));
    }
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 0);
    table[4].target += 4;
    table[7].pc += 4;
    assert_int_equal(driver_set_reconv(d, 0, table, 8, &err), 0);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 2);
    assert_int_equal(nth_write(REG_RECONV_TARGET, 0)->value,
                     reg_reconv_target_put((reg_reconv_target_t){.pc = table[4].target, .index = 2, .valid = true}));
    assert_int_equal(nth_write(REG_RECONV_PC, 1)->value, table[7].pc);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 0);
}

static void a_table_that_was_written_in_part_is_completed(void **s)
{
    (void)s;
    fill_table(0);
    assert_int_equal(driver_set_reconv(d, 0, table, 8, &err), 0);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    fill_table(4);
    assert_int_equal(driver_set_reconv(d, 0, table, 8, &err), 0);
    forget();
    m.accesses = 0;
    m.fail_code = VL_EIO;
    m.fail_at = 16 + 5 + 6; /* registers, policies, three entries, of the last only the pc */
    assert_int_equal(run_groups(1, &fault, &err), VL_EIO);
    assert_string_equal(err.text, "the wire is cut");
    assert_int_equal(m.log[m.n_log - 1].addr, REG_RECONV_TARGET);
    assert_int_equal(writes(REG_RECONV_TARGET), 3);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 6); /* the one that failed, once more */
}

static void a_table_is_unknown_after_a_stop(void **s)
{
    (void)s;
    assert_int_equal(run_groups(1, &fault, &err), 0);
    vl_backend_launch l = launch(1);
    m.takes[0] = NEVER;
    l.max_cycles = 50;
    assert_int_equal(driver_run(d, &l, &fault, &err), VL_ELIMIT);
    m.takes[0] = 10;
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 8);
}

static void a_table_is_unknown_when_cores_change_hands(void **s)
{
    (void)s;
    vl_backend_job job[2];
    assert_int_equal(run_two_jobs(3, 12, job, &err), 0);
    forget();
    assert_int_equal(run_two_jobs(3, 12, job, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 0);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_RECONV_TARGET), 0);
    assert_int_equal(run_two_jobs(7, 8, job, &err), 0);
    assert_int_equal(writes(REG_RECONV_TARGET), 8);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_RECONV_TARGET),
                     0); /* slot 1 has only lost a core: the values that its other cores hold are known */
}

static void tables_of_another_size_are_refused(void **s)
{
    (void)s;
    assert_int_equal(driver_set_reconv(d, 0, table, 4, &err), VL_EINVAL);
    assert_string_equal(err.text, "a reconvergence table of 4 entries for 8");
    assert_int_equal(driver_set_reconv(d, 2, table, 8, &err), VL_EINVAL);
    assert_string_equal(err.text, "kernel 2 of a machine that runs 2 at once");
}

/* ---- cores ---- */

static void cores_go_to_their_kernels(void **s)
{
    (void)s;
    vl_backend_job job[2];
    assert_int_equal(run_two_jobs(3, 12, job, &err), 0);
    assert_int_equal(writes(REG_CORES), 0); /* it had them all */
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CORES), 1);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CORES, 0)->value, 12);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_ENTRY_PC, 0)->value, 0x10008000);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CMD, 0)->value, reg_cmd_put((reg_cmd_t){.start = true}));
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_GROUPS_XY, 0)->value,
                     reg_groups_xy_put((reg_groups_xy_t){.x = 5, .y = 1}));
    forget();
    assert_int_equal(run_two_jobs(3, 12, job, &err), 0);
    assert_int_equal(writes(REG_CORES) + writes(REG_KERNEL_STRIDE + REG_CORES), 0);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(nth_write(REG_CORES, 0)->value, 12);
    forget();
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(writes(REG_CORES), 0);
}

static void cores_of_no_kernel_go_to_a_free_slot(void **s)
{
    (void)s;
    vl_backend_launch l = launch(1);
    vl_backend_job job = {.launch = &l, .cores = 6};
    assert_int_equal(driver_run_jobs(d, &job, 1, &err), 0);
    assert_int_equal(nth_write(REG_KERNEL_STRIDE + REG_CORES, 0)->value, 9);
    assert_int_equal(writes(REG_KERNEL_STRIDE + REG_CMD), 0);
}

static void cores_that_cannot_be_divided(void **s)
{
    (void)s;
    static const struct {
        uint64_t a, b;
        const char *why;
    } cases[] = {
        {0, 15, "kernel 0: its cores 0x0 are none, belong to another kernel, or do not exist"},
        {3, 6, "kernel 1: its cores 0x6 are none, belong to another kernel, or do not exist"},
        {3, 28, "kernel 1: its cores 0x1c are none, belong to another kernel, or do not exist"},
        {3, 4, "cores 0x8 have no kernel: as many kernels as the machine can run share all its cores"},
    };
    vl_backend_job job[3];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run_two_jobs(cases[i].a, cases[i].b, job, &err), VL_EINVAL);
        assert_string_equal(err.text, cases[i].why);
    }
    vl_backend_launch l = launch(1);
    for (unsigned k = 0; k < 3; k++)
        job[k] = (vl_backend_job){.launch = &l, .cores = 1u << k};
    assert_int_equal(driver_run_jobs(d, job, 3, &err), VL_EINVAL);
    assert_string_equal(err.text, "3 kernels for a machine that runs 2 at once");
    assert_int_equal(writes(REG_CMD), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
#define DIRECTORY_TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup_directory, mock_teardown)
const struct CMUnitTest launch_tests[] = {
    TEST(everything_is_set_up_before_the_start),
    TEST(policies_are_written_when_they_are_set),
    DIRECTORY_TEST(directories_are_empty_when_where_bytes_are_changes),
    DIRECTORY_TEST(memory_is_in_stacks_before_the_first_byte),
    DIRECTORY_TEST(memory_in_use_does_not_move),
    TEST(where_bytes_are_is_a_matter_of_directories),
    TEST(as_many_groups_as_fit_a_core),
    TEST(walks_share_unless_told_otherwise),
    TEST(a_table_is_written_once_and_then_what_changes),
    TEST(a_table_that_was_written_in_part_is_completed),
    TEST(a_table_is_unknown_after_a_stop),
    TEST(a_table_is_unknown_when_cores_change_hands),
    TEST(tables_of_another_size_are_refused),
    TEST(cores_go_to_their_kernels),
    TEST(cores_of_no_kernel_go_to_a_free_slot),
    TEST(cores_that_cannot_be_divided),
};
const size_t n_launch_tests = sizeof launch_tests / sizeof *launch_tests;
