/* Counters after the end of a launch. */
#include "verif/sw/driver/mock.h"
#include "vl_perf.h"

static vl_error err;
static vl_fault fault;

static uint64_t counter(const char *name)
{
    size_t n;
    const vl_counter *c = vl_driver.counters(d, &n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(c[i].name, name))
            return c[i].value;
    fail_msg("no counter %s", name);
    return 0;
}

static void counters_are_sums_over_units(void **s)
{
    (void)s;
    m.takes[0] = 77;
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(counter("cycles"), 77);
    /* The mock's value: PERF_SEL + 1. Counter 1 of a core is thread_instructions; of each of four cores. */
    assert_int_equal(counter("warp_instructions"), 4 * 1 + (1 + 2 + 3) * 65536ull);
    assert_int_equal(counter("thread_instructions"), 4 * 2 + (1 + 2 + 3) * 65536ull);
    size_t n;
    const vl_counter *c = vl_driver.counters(d, &n);
    const size_t of_core = m.facts.counters[0] - absent_rows();
    const size_t of_channel = m.facts.counters[2] - absent_channel_rows();
    assert_int_equal(n, 1 + of_core + m.facts.counters[1] + of_channel);
    assert_int_equal(c[1 + of_core].value,
                     2 * (1 + reg_perf_sel_put((reg_perf_sel_t){.kind = PERF_SEL_KIND_SLICE}))
                         + reg_perf_sel_put((reg_perf_sel_t){.unit = 1})); /* the first of a slice, of two */
    assert_int_equal(c[n - 1].value, of_channel
                                         + reg_perf_sel_put((reg_perf_sel_t){
                                             .kind = PERF_SEL_KIND_CHANNEL})); /* the last of a channel, of one */
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(counter("warp_instructions"), 4 * 1 + (1 + 2 + 3) * 65536ull); /* of the last launch alone */
}

static void counters_of_several_kernels_are_of_their_cores(void **s)
{
    (void)s;
    vl_backend_launch l = launch(1);
    vl_backend_job job = {.launch = &l, .cores = 6};
    m.takes[0] = 50;
    assert_int_equal(driver_run_jobs(d, &job, 1, &err), 0);
    assert_int_equal(counter("warp_instructions"), 2 * 1 + (1 + 2) * 65536ull);
    vl_backend_job both[2];
    m.takes[0] = 500;
    m.takes[1] = 200;
    assert_int_equal(run_two_jobs(8, 7, both, &err), 0);
    assert_int_equal(counter("warp_instructions"), 4 * 1 + (1 + 2 + 3) * 65536ull);
    assert_int_equal(counter("cycles"), 500);
    assert_int_equal(both[0].cycles, 500);
    assert_int_equal(both[1].cycles, 200);
}

/* Of PERF_SEL and more: the mock's value of the counter of that name, of all units of a kind. */
#define ROW(k, name, block, help) #name,
static const char *const stack_names[] = {VL_STACK_COUNTERS(ROW)}, *const home_names[] = {VL_HOME_COUNTERS(ROW)},
                         *const wire_names[] = {VL_WIRE_COUNTERS(ROW)}, *const core_names[] = {VL_COUNTERS(ROW)};

static uint64_t mock_value(const char *const *names, const char *name, unsigned kind, unsigned unit)
{
    unsigned k = 0;
    while (strcmp(names[k], name))
        k++;
    return 1 + reg_perf_sel_put((reg_perf_sel_t){.counter = (uint8_t)k, .unit = (uint8_t)unit, .kind = (uint8_t)kind});
}

static void counters_of_directories_are_sums_over_stacks_homes_and_wires(void **s)
{
    (void)s;
    assert_int_equal(run_groups(1, &fault, &err), 0);
    uint64_t stacks = 0, homes = 0, wires = 0;
    for (unsigned u = 0; u < 3; u++)
        stacks += mock_value(stack_names, "smd_e_to_o", PERF_SEL_KIND_STACK, u);
    for (unsigned u = 0; u < 2; u++) {
        homes += mock_value(home_names, "hmd_grant_m", PERF_SEL_KIND_HOME, u);
        wires += mock_value(wire_names, "link_line_flits", PERF_SEL_KIND_WIRE, u);
    }
    assert_int_equal(counter("smd_e_to_o"), stacks);
    assert_int_equal(counter("hmd_grant_m"), homes);
    assert_int_equal(counter("link_line_flits"), wires);
    assert_true(counter("flush_cycles") > 0);
    assert_true(counter("flush_cycles") < 1000);
    /* Bytes are of one wire and class: number 0 goes up, 1 down. */
    const struct {
        const char *row, *flits;
        unsigned wire;
    } bytes[] = {{"link_up_line_bytes", "link_line_flits", 0},   {"link_up_merge_bytes", "link_merge_flits", 0},
                 {"link_up_ack_bytes", "link_acks", 0},          {"link_up_request_bytes", "link_requests", 0},
                 {"link_down_line_bytes", "link_line_flits", 1}, {"link_down_grant_bytes", "link_grants", 1},
                 {"link_down_probe_bytes", "link_probes", 1}};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
        assert_int_equal(counter(bytes[i].row),
                         32 * mock_value(wire_names, bytes[i].flits, PERF_SEL_KIND_WIRE, bytes[i].wire));
    size_t n, most = 1;
    const vl_counter *c = vl_driver.counters(d, &n);
    for (unsigned i = 0; i < 6; i++)
        most += m.facts.counters[i];
    most -= absent_rows() + absent_channel_rows();
    assert_int_equal(n, most + 2 + sizeof bytes / sizeof *bytes);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(c[i].name, c[j].name);
}

/* The driver is closed, for a machine with other facts. Returns how many rows it had. */
static size_t close_it(void)
{
    size_t n;
    vl_driver.counters(d, &n);
    vl_driver.close(d);
    d = NULL;
    m.closed = 0;
    return n;
}

/* It is opened again, and a kernel runs. Returns how many rows it has. */
static size_t open_again(void)
{
    size_t n;
    assert_int_equal(mock_open(&err), 0);
    assert_int_equal(vl_driver.set_window(d, 0x10000000, 0x20000000, &err), 0);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    vl_driver.counters(d, &n);
    return n;
}

/* A machine that has what `fact` says has `rows`, and `more`, beside the others. */
#define WITH(fact, value, rows, more) \
  do { \
    const size_t before_ = close_it(); \
    m.facts.fact = (value); \
    assert_true((rows) > 0); \
    assert_int_equal(open_again(), before_ + (rows) + (more)); \
  } while (0)

static void is_the_sum_over_cores(const char *name)
{
    uint64_t sum = 0;
    for (unsigned u = 0; u < m.facts.cores; u++)
        sum += mock_value(core_names, name, PERF_SEL_KIND_CORE, u);
    assert_int_equal(counter(name), sum);
}

/* Without directories it has the rows behind those of a channel, and with them behind those of wires. */
static void counters_of_a_shared_translation_are_there_where_it_is(void **s)
{
    (void)s;
    static const char *const names[] = {VL_SHARED_COUNTERS(ROW)};
    WITH(shared, 1, rows_of("seam_port"), sizeof names / sizeof *names);
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        assert_int_equal(counter(names[k]), mock_value(names, names[k], PERF_SEL_KIND_SHARED, 0));
}

/* Reads of DRAM told apart are the last rows of a channel. */
static void counters_of_reads_are_there_where_they_are_told_apart(void **s)
{
    (void)s;
    static const char *const names[] = {VL_CHANNEL_COUNTERS(ROW)};
    WITH(dram_detail, 1, channel_rows_of("perf_channel"), 0);
    assert_int_equal(counter("dram_reads_app3"), mock_value(names, "dram_reads_app3", PERF_SEL_KIND_CHANNEL, 0));
}

static void counters_of_a_compactor_are_there_where_it_is(void **s)
{
    (void)s;
    WITH(compaction, true, rows_of("compactor"), 0);
    is_the_sum_over_cores("compact_threads");
}

static void counters_of_a_common_page_matrix_are_there_where_it_is(void **s)
{
    (void)s;
    const size_t before = close_it();
    m.facts.compaction = true;
    m.facts.cpm_bits = 3;
    assert_true(rows_of("common_page") > 0);
    assert_int_equal(open_again(), before + rows_of("compactor") + rows_of("common_page"));
    is_the_sum_over_cores("cpm_raised");
}

static void counters_of_victim_tags_are_there_where_these_are(void **s)
{
    (void)s;
    WITH(locality, 16, rows_of("warp_locality"), 0);
    is_the_sum_over_cores("loc_held");
    is_the_sum_over_cores("shootdown_cycles"); /* what stands behind them in the list is still read by its own number */
}

static void what_the_host_does_beside_a_kernel_is_counted(void **s)
{
    (void)s;
    uint32_t word = 0;
    bool running;
    const vl_backend_launch l = launch(1);
    m.cost = 7;
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(driver_read(d, 0x10000000, &word, sizeof word, &err), 0);
    assert_int_equal(counter("host_cycles"), 0);
    assert_int_equal(vl_driver.begin(d, &l, &err), 0);
    assert_int_equal(driver_sync(d, 0x10000000, sizeof word, &err), 0);
    assert_int_equal(driver_read(d, 0x10000000, &word, sizeof word, &err), 0);
    assert_int_equal(driver_write(d, 0x10000000, &word, sizeof word, &err), 0);
    assert_int_equal(driver_fill(d, 0x10000000, 0, sizeof word, &err), 0);
    assert_int_equal(vl_driver.pass(d, 10, &running, &err), 0);
    assert_int_equal(vl_driver.end(d, &fault, &err), 0);
    assert_int_equal(counter("host_cycles"), 4 * m.cost);
    assert_int_equal(run_groups(1, &fault, &err), 0);
    assert_int_equal(counter("host_cycles"), 0);
}

static void wires_of_several_pairs_have_numbers(void **s)
{
    (void)s;
    close_it();
    m.facts.wires = 4;
    open_again();
    assert_int_equal(counter("link_up1_line_bytes"),
                     32 * mock_value(wire_names, "link_line_flits", PERF_SEL_KIND_WIRE, 2));
    assert_int_equal(counter("link_down1_probe_bytes"),
                     32 * mock_value(wire_names, "link_probes", PERF_SEL_KIND_WIRE, 3));
    assert_int_equal(counter("link_down0_grant_bytes"),
                     32 * mock_value(wire_names, "link_grants", PERF_SEL_KIND_WIRE, 1));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
#define DIRECTORY_TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup_directory, mock_teardown)
const struct CMUnitTest counter_tests[] = {
    TEST(counters_are_sums_over_units),
    TEST(counters_of_several_kernels_are_of_their_cores),
    DIRECTORY_TEST(counters_of_directories_are_sums_over_stacks_homes_and_wires),
    TEST(counters_of_a_shared_translation_are_there_where_it_is),
    DIRECTORY_TEST(counters_of_a_shared_translation_are_there_where_it_is),
    TEST(counters_of_victim_tags_are_there_where_these_are),
    TEST(counters_of_reads_are_there_where_they_are_told_apart),
    TEST(counters_of_a_compactor_are_there_where_it_is),
    TEST(counters_of_a_common_page_matrix_are_there_where_it_is),
    DIRECTORY_TEST(what_the_host_does_beside_a_kernel_is_counted),
    DIRECTORY_TEST(wires_of_several_pairs_have_numbers),
};
const size_t n_counter_tests = sizeof counter_tests / sizeof *counter_tests;
