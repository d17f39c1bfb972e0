/* Operations outside of launches: opening, memory, the back door, address spaces, shootdowns; and operations that never end. */
#include "verif/sw/driver/mock.h"

static vl_error err;

/* ---- opening ---- */

static void another_configuration_is_refused(void **s)
{
    (void)s;
    static const size_t fields[] = {offsetof(vl_host_facts, cores),      offsetof(vl_host_facts, warps),
                                    offsetof(vl_host_facts, threads),    offsetof(vl_host_facts, lanes),
                                    offsetof(vl_host_facts, spad_bytes), offsetof(vl_host_facts, reconv_entries)};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        mock_reset();
        ++*(uint32_t *)(void *)((char *)&m.facts + fields[i]);
        assert_int_equal(mock_open(&err), VL_EBACKEND);
        assert_string_equal(err.text, "mock was built for another configuration than 'mock' is now: run make clean");
        assert_int_equal(m.closed, 1);
    }
    mock_reset();
    m.facts.config = "other";
    assert_int_equal(mock_open(&err), VL_EBACKEND);
    assert_int_equal(m.closed, 1);
}

static void other_counters_are_refused(void **s)
{
    (void)s;
    for (unsigned i = 0; i < 6; i++) {
        mock_reset();
        m.facts.counters[i]++;
        assert_int_equal(mock_open(&err), VL_EBACKEND);
        assert_string_equal(err.text, "mock has other counters than this program knows: run make clean");
        assert_int_equal(m.closed, 1);
    }
}

static int no_host(vl_host_if *host, const vl_backend_env *e, vl_error *why)
{
    (void)host, (void)e;
    strcpy(why->text, "no answer");
    return VL_EIO;
}

static void a_host_that_is_not_there(void **s)
{
    (void)s;
    mock_reset();
    env.connect = no_host;
    assert_int_equal(mock_open(&err), VL_EIO);
    assert_string_equal(err.text, "no answer");
    assert_int_equal(m.closed, 0);
}

/* ---- memory ---- */

static char bytes[16];

static void memory_goes_through_the_host_port(void **s)
{
    (void)s;
    assert_int_equal(driver_write(d, 0x10000001, bytes, 3, &err), 0);
    assert_int_equal(driver_read(d, 0x10000002, bytes, 4, &err), 0);
    assert_int_equal(driver_fill(d, 0x10000003, 9, 5, &err), 0);
    assert_int_equal(m.n_log, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(m.log[i].what, MEM_WRITE + i);
        assert_int_equal(m.log[i].addr, 0x10000001 + i);
        assert_int_equal(m.log[i].value, 3 + i);
    }
}

static void no_window_is_larger_than_memory(void **s)
{
    (void)s;
    for (unsigned directory = 0; directory < 2; directory++) {
        mock_reset();
        m.facts.block_bytes = directory ? 4096 : 0;
        m.facts.memory_bytes = 0x1000000;
        assert_int_equal(mock_open(&err), 0);
        assert_int_equal(vl_driver.set_window(d, 0x10000000, 0x11000000, &err), 0);
        assert_int_equal(vl_driver.set_window(d, 0x10000000, 0x11000080, &err), VL_EINVAL);
        assert_string_equal(err.text, directory ? "a window of 16777344 bytes: mock has 16777216 bytes of host memory"
                                                : "a window of 16777344 bytes: mock has 16777216 bytes of memory");
        mock_teardown(NULL);
    }
}

static void the_back_door_is_behind_empty_caches(void **s)
{
    (void)s;
    vl_driver.back_door(d, true);
    assert_int_equal(driver_write(d, 0x10000000, bytes, 8, &err), 0);
    assert_int_equal(m.n_log, 1); /* nothing is in the caches yet */
    assert_int_equal(m.log[0].what, MEM_LOAD);
    vl_driver.back_door(d, false);
    assert_int_equal(driver_read(d, 0x10000000, bytes, 8, &err), 0);
    vl_driver.back_door(d, true);
    forget();
    assert_int_equal(driver_read(d, 0x10000000, bytes, 8, &err), 0);
    assert_int_equal(nth_write(REG_MAINT, 0)->value, reg_maint_put((reg_maint_t){.op = MAINT_OP_INVAL_ALL}));
    assert_int_equal(m.log[m.n_log - 1].what, MEM_DUMP);
    assert_int_equal(m.log[m.n_log - 2].what, PASS); /* the last beats */
    assert_true(m.log[m.n_log - 2].value >= 64);
    assert_int_equal(m.left_maintenance, 0);
    assert_int_equal(m.left_rest, 0);
    forget();
    assert_int_equal(driver_fill(d, 0x10000000, 1, 8, &err), 0);
    assert_int_equal(m.n_log, 1);
    assert_int_equal(m.log[0].what, MEM_CLEAR);
}

static void caches_that_did_not_empty_are_emptied_again(void **s)
{
    (void)s;
    assert_int_equal(driver_write(d, 0x10000000, bytes, 8, &err), 0);
    vl_driver.back_door(d, true);
    m.fail_at = (int)m.accesses + 2;
    m.fail_code = VL_EIO;
    assert_int_equal(driver_read(d, 0x10000000, bytes, 8, &err), VL_EIO);
    assert_int_equal(count(MEM_DUMP), 0);
    forget();
    assert_int_equal(driver_read(d, 0x10000000, bytes, 8, &err), 0);
    assert_int_equal(writes(REG_MAINT), 1);
    assert_int_equal(count(MEM_DUMP), 1);
}

static void a_host_without_a_back_door(void **s)
{
    (void)s;
    mock_ops.load = NULL;
    vl_driver.back_door(d, true);
    assert_int_equal(driver_write(d, 0x10000000, bytes, 8, &err), 0);
    assert_int_equal(count(MEM_WRITE), 1);
    assert_int_equal(vl_driver.trace_begin(d, "fst", "x", &(vl_trace_part){0}, &err), VL_ENOTSUP);
    assert_int_equal(vl_driver.trace_end(d, &err), 0);
    assert_int_equal(vl_driver.use_store(d, &(vl_store){0}, &err), VL_ENOTSUP);
}

/* ---- address spaces ---- */

static void a_root_is_written_and_waited_for(void **s)
{
    (void)s;
    m.root = 3;
    assert_int_equal(driver_set_root(d, 2, &(vl_root){.sv48 = true, .asid = 0x123, .ppn = 0x45678}, &err), 0);
    assert_int_equal(m.log[0].what, WRITE_REG);
    assert_int_equal(m.log[0].addr, REG_ROOT + 16);
    assert_int_equal(m.log[0].value, reg_root_put((reg_root_t){.sv48 = true, .asid = 0x123, .ppn = 0x45678}));
    assert_int_equal(m.n_log, 5); /* three reads find it busy, the fourth at rest */
    assert_int_equal(m.log[4].addr, REG_ROOT + 16);
}

static void a_shootdown_is_written_and_waited_for(void **s)
{
    (void)s;
    m.shootdown = 4;
    assert_int_equal(driver_invalidate(d, VL_INV_PAGE, 0x77, 0xffff812345678abc, &err), 0);
    assert_int_equal(m.log[0].addr, REG_INV_PAGE);
    assert_int_equal(m.log[0].value, 0x812345678000);
    assert_int_equal(m.log[1].addr, REG_INV);
    assert_int_equal(m.log[1].value, reg_inv_put((reg_inv_t){.scope = INV_SCOPE_PAGE, .asid = 0x77}));
    assert_int_equal(m.n_log, 2 + 5);
    forget();
    assert_int_equal(driver_invalidate(d, VL_INV_ASID, 0x78, 0, &err), 0);
    assert_int_equal(nth_write(REG_INV, 0)->value, reg_inv_put((reg_inv_t){.scope = INV_SCOPE_ASID, .asid = 0x78}));
    assert_int_equal(driver_invalidate(d, VL_INV_ALL, 0, 0, &err), 0);
    assert_int_equal(nth_write(REG_INV, 1)->value, 0);
}

static void a_flush_names_its_cores(void **s)
{
    (void)s;
    m.shootdown = 4;
    assert_int_equal(driver_flush_cores(d, 0x5, 0x79, &err), 0);
    assert_int_equal(m.log[0].addr, REG_INV_CORES);
    assert_int_equal(m.log[0].value, 0x5);
    assert_int_equal(m.log[1].addr, REG_INV);
    assert_int_equal(m.log[1].value, reg_inv_put((reg_inv_t){.scope = INV_SCOPE_ASID, .asid = 0x79, .some = true}));
    assert_int_equal(m.n_log, 2 + 5);
}

/* ---- what never ends ---- */

static void gives_up(int e, const char *sentence)
{
    assert_int_equal(e, VL_EBACKEND);
    assert_string_equal(err.text, sentence);
    assert_true(m.now > DRIVER_PATIENCE && m.now < 2 * DRIVER_PATIENCE);
}

static void a_core_that_never_comes_to_rest(void **s)
{
    (void)s;
    m.cost = 5000;
    m.root = NEVER;
    gives_up(driver_set_root(d, 3, &(vl_root){0}, &err), "core 3 has not come to rest after 10000000 cycles");
}

static void a_shootdown_that_never_ends(void **s)
{
    (void)s;
    m.cost = 5000;
    m.shootdown = NEVER;
    gives_up(driver_invalidate(d, VL_INV_ALL, 0, 0, &err), "a shootdown has not ended after 10000000 cycles");
}

static void maintenance_that_never_ends(void **s)
{
    (void)s;
    m.cost = 5000;
    m.maintenance = NEVER;
    assert_int_equal(driver_write(d, 0x10000000, bytes, 8, &err), 0);
    vl_driver.back_door(d, true);
    gives_up(driver_read(d, 0x10000000, bytes, 8, &err), "maintenance of the L2 has not ended after 10000000 cycles");
    assert_int_equal(count(MEM_DUMP), 0);
}

static void a_machine_that_never_comes_to_rest(void **s)
{
    (void)s;
    m.cost = 5000;
    m.rest = NEVER;
    assert_int_equal(driver_write(d, 0x10000000, bytes, 8, &err), 0);
    vl_driver.back_door(d, true);
    gives_up(driver_read(d, 0x10000000, bytes, 8, &err),
             "the write-back to the chips has not ended after 10000000 cycles");
    assert_int_equal(count(MEM_DUMP), 0);
}

static void what_ends_late_is_waited_for(void **s)
{
    (void)s;
    m.cost = 4999;
    m.shootdown = 1990;
    assert_int_equal(driver_invalidate(d, VL_INV_ALL, 0, 0, &err), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
const struct CMUnitTest access_tests[] = {
    cmocka_unit_test(another_configuration_is_refused),
    cmocka_unit_test(other_counters_are_refused),
    cmocka_unit_test(a_host_that_is_not_there),
    TEST(memory_goes_through_the_host_port),
    cmocka_unit_test(no_window_is_larger_than_memory),
    TEST(the_back_door_is_behind_empty_caches),
    TEST(caches_that_did_not_empty_are_emptied_again),
    TEST(a_host_without_a_back_door),
    TEST(a_root_is_written_and_waited_for),
    TEST(a_shootdown_is_written_and_waited_for),
    TEST(a_flush_names_its_cores),
    TEST(a_core_that_never_comes_to_rest),
    TEST(a_shootdown_that_never_ends),
    TEST(maintenance_that_never_ends),
    TEST(a_machine_that_never_comes_to_rest),
    TEST(what_ends_late_is_waited_for),
};
const size_t n_access_tests = sizeof access_tests / sizeof *access_tests;
