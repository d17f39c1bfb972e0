/* The judge's rules of visibility (judge_views.h), and of the longest time without progress, without a machine, one at a time. Configuration `umh2`: core 0 is in device 0, core 1 in device 1, the host is
 * behind them. */
#include "sim_c/ref/judge.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_requests.h"
#include "sim_c/ref/judge_views.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "verif/ref/judge/setup.h"

enum {
    HOST = CORES,
    X = 0x10001000,
    Y = X + 8,
    SAME_BLOCK = X + INTERLEAVE_BYTES - LINE_BYTES,
    OTHER_BLOCK = X + INTERLEAVE_BYTES
};
_Static_assert(X % INTERLEAVE_BYTES == 0 && CORES == 2 && DEVICES == 2, "two devices of a core");

/* A word is stored: plainly, or coherently. */
static void store_as(unsigned op, unsigned source, uint64_t addr, uint32_t value)
{
    mem_req_t q = {.op = op, .line = addr / LINE_BYTES};
    const unsigned at = addr % LINE_BYTES;
    q.be.w[at / 64] = 0xfull << (at % 64);
    memcpy((uint8_t *)q.data.w + at, &value, 4);
    judge_written(j, source, &q);
}

static void store(unsigned source, uint64_t addr, uint32_t value)
{
    store_as(source == HOST ? MEM_STORE : MEM_WRITE, source, addr, value);
}

/* The host's store of no bytes. */
static void bring_home(uint64_t addr)
{
    judge_written(j, HOST, &(mem_req_t){.op = MEM_STORE, .line = addr / LINE_BYTES});
}

/* May it read that there? All else in the line is as it sees it. */
static bool reads(unsigned source, uint64_t addr, uint32_t value)
{
    line_data_t line;
    uint64_t at;
    uint8_t want;
    (void)ref_mem_read(j->view[source], addr - addr % LINE_BYTES, line.w, sizeof line.w);
    memcpy((uint8_t *)line.w + addr % LINE_BYTES, &value, 4);
    return judge_holds(j, source, addr / LINE_BYTES, &line, &at, &want);
}

/* An atomic with this reported answer; returns the answer that it must have. */
static uint64_t atomic(unsigned amo, unsigned source, uint64_t addr, uint32_t operand, uint32_t said)
{
    mem_req_t q = {.op = MEM_AMO,
                   .amo = amo,
                   .line = addr / LINE_BYTES,
                   .amo_off = addr % LINE_BYTES,
                   .hart = source * WARPS * THREADS};
    q.data.w[0] = operand;
    return judge_atomic(j, source, &q, NULL, 0, said);
}

static void own_stores_are_seen(void **s)
{
    (void)s;
    store(0, X, 5);
    assert_false(reads(0, X, 0));
    assert_true(reads(0, X, 5));
}

static void what_others_store_may_be_seen_or_not_and_does_not_go_away(void **s)
{
    (void)s;
    store(0, X, 5);
    store(0, X, 6);
    assert_true(reads(1, X, 0));
    assert_false(reads(1, X, 7));
    assert_true(reads(1, X, 5)); /* its stack has fetched the block in between */
    assert_false(reads(1, X, 0));
    assert_true(reads(1, X, 6));
    assert_true(reads(HOST, X, 0));
    assert_false(reads(HOST, Y, 6)); /* stored elsewhere */
}

static void a_coherent_access_shows_all_of_its_block(void **s)
{
    (void)s;
    for (unsigned who = 0; who < 4; who++) {
        store(0, X, 10 + who);
        store(0, OTHER_BLOCK, 20 + who);
        if (who == HOST)
            bring_home(SAME_BLOCK);
        else if (who == 3)
            store(HOST, SAME_BLOCK, 1);
        else
            assert_int_equal(atomic(AMO_ADD, who, SAME_BLOCK, 1, who), who);
        for (unsigned v = 0; v <= HOST; v++) {
            assert_true(reads(v, X, 10 + who));
            assert_false(reads(v, X, 9 + who));
        }
        assert_true(who ? reads(1, OTHER_BLOCK, 19 + who) || reads(1, OTHER_BLOCK, 0) : reads(1, OTHER_BLOCK, 0));
    }
}

static void a_plain_store_of_the_host_shows_nothing(void **s)
{
    (void)s;
    store(0, X, 5);
    store_as(MEM_WRITE, HOST, SAME_BLOCK, 1);
    assert_true(reads(1, X, 0));
    assert_true(reads(1, SAME_BLOCK, 0));
    assert_true(reads(HOST, SAME_BLOCK, 1));
}

static void a_coherent_store_comes_after_plain_ones(void **s)
{
    (void)s;
    store(0, X, 5);
    store(HOST, X, 7);
    for (unsigned v = 0; v <= HOST; v++) {
        assert_false(reads(v, X, 5));
        assert_false(reads(v, X, 0));
        assert_true(reads(v, X, 7));
    }
    assert_int_equal(atomic(AMO_SWAP, 1, X, 8, 7), 7);
    assert_false(reads(0, X, 7));
    assert_true(reads(0, X, 8));
}

static void bytes_of_different_devices_are_put_together(void **s)
{
    (void)s;
    store(0, X, 5);
    store(1, X + 4, 6);
    bring_home(SAME_BLOCK);
    for (unsigned v = 0; v <= HOST; v++) {
        assert_false(reads(v, X, 0));
        assert_false(reads(v, X + 4, 0));
        assert_true(reads(v, X, 5));
        assert_true(reads(v, X + 4, 6));
    }
}

static void bytes_that_two_store_are_in_no_order(void **s)
{
    (void)s;
    store(0, X, 5);
    store(1, X, 6);
    bring_home(SAME_BLOCK);
    assert_true(reads(HOST, X, 5));
    assert_true(reads(HOST, X, 6));
    assert_false(reads(HOST, X, 7));
    assert_int_equal(atomic(AMO_ADD, 0, X, 1, 6), 6); /* the atomic shows that memory had 6 */
    for (unsigned v = 0; v <= HOST; v++) {
        assert_false(reads(v, X, 5));
        assert_false(reads(v, X, 6));
        assert_true(reads(v, X, 7));
    }
    assert_int_equal(atomic(AMO_ADD, 1, X, 1, 9), 7); /* reported wrongly */
    store(0, Y, 5);
    store(1, Y, 6);
    assert_int_equal(atomic(AMO_LR, 0, Y, 0, 5), 5); /* known from now on */
    for (unsigned v = 0; v <= HOST; v++) {
        assert_false(reads(v, Y, 6));
        assert_true(reads(v, Y, 5));
    }
}

static void bytes_in_no_order_end_with_a_coherent_store_and_not_with_a_kernel(void **s)
{
    (void)s;
    store(0, X, 5);
    store(1, X, 6);
    sim_launch_t l = {.groups = {1, 1, 1}, .local = {1, 1, 1}};
    sim_job_t job = {.launch = &l, .cores = 3};
    bring_home(X);
    assert_int_equal(judge_begin(j, 0, &job, 1, &report), 0);
    assert_true(reads(HOST, X, 5));
    assert_true(reads(HOST, X, 6));
    store(0, X, 8);
    store(HOST, X + 4, 3);
    assert_true(reads(1, X, 8));
    assert_false(reads(1, X + 4, 0)); /* the next bytes are in order */
    store(HOST, X, 9);
    for (unsigned v = 0; v <= HOST; v++) {
        assert_false(reads(v, X, 8));
        assert_false(reads(v, X, 6));
        assert_true(reads(v, X, 9));
    }
}

static void an_atomic_answers_what_was_stored_in_another_device(void **s)
{
    (void)s;
    store(0, X, 5);
    assert_int_equal(atomic(AMO_ADD, 1, X, 1, 0), 5);
}

static void an_sc_may_lose_its_line_and_never_succeeds_across_a_coherent_store(void **s)
{
    (void)s;
    assert_int_equal(atomic(AMO_LR, 0, X, 0, 0), 0);
    assert_int_equal(atomic(AMO_SC, 0, X, 3, 0), 0);
    assert_true(reads(1, X, 3));
    assert_int_equal(judge_waived(j, WAIVED_SCS), 0);
    assert_int_equal(atomic(AMO_LR, 0, X, 0, 3), 3);
    assert_int_equal(atomic(AMO_SC, 0, X, 4, 1), 1); /* it has failed: its line was taken */
    assert_true(reads(0, X, 3));
    assert_int_equal(judge_waived(j, WAIVED_SCS), 1);
    assert_int_equal(atomic(AMO_LR, 0, X, 0, 3), 3);
    assert_int_equal(atomic(AMO_ADD, 1, Y, 1, 0), 0);
    assert_int_equal(atomic(AMO_SC, 0, X, 4, 0), 1);
    assert_int_equal(judge_waived(j, WAIVED_SCS), 1);
}

/* Of a core: an LR, then an SC, of one line; the second one is answered first. */
static bool answered_first(unsigned amo, uint64_t said)
{
    const uint64_t line = X / LINE_BYTES;
    for (unsigned k = 0; k < 2; k++) {
        request_t *at = judge_room(j, j->source[0].at, j->source[0].n, &j->source[0].room, sizeof *at);
        j->source[0].at = at;
        at[j->source[0].n++] = (request_t){.q = {.op = MEM_AMO, .amo = k ? amo : AMO_LR, .line = line, .id = k}};
    }
    net_rsp_t a = {.src = 0, .rsp = {.id = 1}};
    a.rsp.data.w[0] = said | said << 32;
    judge_answered(j, judge_slice(0, X), &a, line);
    const bool right = !j->verdict;
    j->verdict = 0;
    j->source[0].n = 0;
    return right;
}

static void an_sc_that_fails_at_once_passes_its_lr(void **s)
{
    (void)s;
    j->err = &report;
    assert_true(answered_first(AMO_SC, 1));
    assert_int_equal(judge_waived(j, WAIVED_SCS), 0); /* it had no reservation */
    assert_false(answered_first(AMO_SC, 0));
    store(HOST, X, 1);
    assert_false(answered_first(AMO_ADD, 1)); /* right, but out of order */
    assert_int_equal(atomic(AMO_LR, 0, X, 0, 1), 1);
    /* an SC that succeeds is never answered before its turn, with or without a reservation */
    assert_false(answered_first(AMO_SC, 0));
    assert_int_equal(atomic(AMO_LR, 0, X, 0, 1), 1);
    assert_true(answered_first(AMO_SC, 1)); /* it had one, and its line was taken */
    assert_int_equal(judge_waived(j, WAIVED_SCS), 1);
}

/* ---- the final flush ------------------------------------------------------------------------------------------------- */

static void put(unsigned addr, uint64_t data, unsigned running)
{
    vellum_out_t o = {.ctl_req_ready = true, .running = running};
    vellum_in_t in = {.ctl_req_valid = true, .ctl_req = {.write = true, .addr = (uint16_t)addr, .data = data}};
    judge_views_register(j, &o, &in);
}

static void look(unsigned addr, uint64_t answer)
{
    vellum_out_t o = {.ctl_req_ready = true};
    vellum_in_t in = {.ctl_req_valid = true, .ctl_req = {.addr = (uint16_t)addr}};
    judge_views_register(j, &o, &in);
    vellum_out_t a = {.ctl_req_ready = true, .ctl_rsp_valid = true, .ctl_rsp = {.data = answer}};
    judge_views_register(j, &a, &(vellum_in_t){0});
}

static void maintain(unsigned op, unsigned running)
{
    put(REG_MAINT, reg_maint_put((reg_maint_t){.op = op}), running);
}

static void after_a_final_flush_all_see_the_same(void **s)
{
    (void)s;
    static const unsigned ops[] = {MAINT_OP_FLUSH_ALL, MAINT_OP_INVAL_ALL, MAINT_OP_FLUSH_LINE};
    for (unsigned k = 0; k < 3; k++) {
        store(0, X, 5 + k);
        store(1, OTHER_BLOCK, 6 + k);
        maintain(ops[k], 0);
        assert_true(reads(HOST, X, k ? 4 + k : 0));
        look(REG_STATUS, reg_status_put((reg_status_t){.maint = true}));
        look(REG_CYCLES, 0);
        assert_true(reads(HOST, X, k ? 4 + k : 0));
        look(REG_STATUS, reg_status_put((reg_status_t){.rest = true}));
        assert_int_equal(reads(HOST, X, k ? 4 + k : 0), k == 2);
        assert_true(reads(HOST, X, 5 + k));
        assert_int_equal(reads(0, OTHER_BLOCK, k ? 5 + k : 0), k == 2);
    }
}

static void a_flush_beside_a_kernel_shows_nothing(void **s)
{
    (void)s;
    store(0, X, 5);
    maintain(MAINT_OP_FLUSH_ALL, 1);
    look(REG_STATUS, 0);
    assert_true(reads(HOST, X, 0));
    maintain(MAINT_OP_FLUSH_ALL, 0);
    put(REG_CMD, reg_cmd_put((reg_cmd_t){.start = true}), 0);
    look(REG_STATUS, 0);
    assert_true(reads(HOST, X, 0));
}

static void the_back_door_is_seen_by_all(void **s)
{
    (void)s;
    const uint32_t word = 9;
    judge_write(j, X, &word, 4);
    judge_fill(j, X + 4, 1, 4);
    for (unsigned v = 0; v <= HOST; v++) {
        assert_true(reads(v, X, 9));
        assert_true(reads(v, X + 4, 0x01010101));
    }
}

/* The cycle in which the judge reports no progress of a kernel that has begun in this one. */
static uint64_t stuck(uint64_t begins)
{
    static const vellum_out_t still = {.running = 1};
    static const vellum_in_t none;
    sim_launch_t l = {.groups = {1, 1, 1}, .local = {1, 1, 1}};
    sim_job_t job = {.launch = &l, .cores = 3};
    uint64_t cycle = begins;
    assert_int_equal(judge_begin(j, begins, &job, 1, &report), 0);
    while (!judge_cycle(j, cycle, &still, &none, &report) && cycle < begins + 100000)
        cycle++;
    assert_non_null(strstr(report.text, "no progress for 20000 cycles"));
    return cycle;
}

static void nothing_need_move_until_directories_are_cleared(void **s)
{
    (void)s;
    enum { ENTRIES = HOST_BYTES / INTERLEAVE_BYTES, STILL = 20000 };
    assert_int_equal(stuck(0), ENTRIES + STILL);
    assert_int_equal(stuck(ENTRIES / 2), ENTRIES + STILL);
    assert_int_equal(stuck(ENTRIES), ENTRIES + STILL);
    assert_int_equal(stuck(3 * ENTRIES), 3 * ENTRIES + STILL);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(own_stores_are_seen),
        TEST(what_others_store_may_be_seen_or_not_and_does_not_go_away),
        TEST(a_coherent_access_shows_all_of_its_block),
        TEST(a_plain_store_of_the_host_shows_nothing),
        TEST(a_coherent_store_comes_after_plain_ones),
        TEST(bytes_of_different_devices_are_put_together),
        TEST(bytes_that_two_store_are_in_no_order),
        TEST(bytes_in_no_order_end_with_a_coherent_store_and_not_with_a_kernel),
        TEST(an_atomic_answers_what_was_stored_in_another_device),
        TEST(an_sc_may_lose_its_line_and_never_succeeds_across_a_coherent_store),
        TEST(an_sc_that_fails_at_once_passes_its_lr),
        TEST(after_a_final_flush_all_see_the_same),
        TEST(a_flush_beside_a_kernel_shows_nothing),
        TEST(the_back_door_is_seen_by_all),
        TEST(nothing_need_move_until_directories_are_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
