/* Refresh: the time when it is overdue, the limits of postponing and pulling in. */
#include "verif/dram/device/tests.h"
#include <string.h>

/* The first clock that is too late for the next REF must be `deadline` + 1, ticked and skipped. */
static void expect_deadline(driver_t *v, uint64_t deadline)
{
    assert_int_equal(dram_skip(v->d, deadline - dram_clock(v->d)), 0);
    assert_int_equal(driver_tick(v, NOP), 0); /* the deadline itself: the last chance for REF */
    assert_int_equal(driver_tick(v, REF), DRAM_EVIOLATION);
    assert_int_equal(dram_violation(v->d)->rule, DRAM_RULE_TREFI);
    assert_int_equal(dram_violation(v->d)->clock, deadline + 1);
    assert_int_equal(dram_violation(v->d)->actual, dram_violation(v->d)->required + 1);
    assert_int_equal(driver_tick(v, NOP), DRAM_EVIOLATION); /* and so for ever */
    assert_int_equal(dram_clock(v->d), deadline + 1);
}

static void each_set_with_refresh(void (*test)(driver_t *v, const dram_set_t *s))
{
    unsigned tried = 0;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        if (!s.trefi)
            continue;
        driver_t v;
        driver_open(&v, &s);
        test(&v, &s);
        driver_close(&v);
        tried++;
    }
    assert_int_equal(tried, 4);
}

/* REF at `clock`, by way of a skip. */
static void refresh_at(driver_t *v, uint64_t clock)
{
    assert_int_equal(dram_skip(v->d, clock - dram_clock(v->d)), 0);
    driver_at(v, clock, REF);
}

static void no_refresh(driver_t *v, const dram_set_t *s)
{
    expect_deadline(v, 9 * (uint64_t)s->trefi);
}
static void without_any_refresh_the_ninth_interval_ends_it(void **state)
{
    (void)state;
    each_set_with_refresh(no_refresh);
}

static void at_the_deadline(driver_t *v, const dram_set_t *s)
{
    refresh_at(v, 9 * (uint64_t)s->trefi);
    expect_deadline(v, 10 * (uint64_t)s->trefi); /* eight are still pending */
}
static void refresh_at_the_deadline_is_accepted_and_pays_one(void **state)
{
    (void)state;
    each_set_with_refresh(at_the_deadline);
}

static void pays_all(driver_t *v, const dram_set_t *s)
{
    for (unsigned i = 0; i < 9; i++)
        refresh_at(v, 9 * (uint64_t)s->trefi + i * (uint64_t)s->trfc);
    /* Nothing is pending; the last REF was 8 tRFC after 9 tREFI, and from the count follows 18 tREFI. */
    expect_deadline(v, 18 * (uint64_t)s->trefi);
}
static void postponed_refreshes_are_paid_one_by_one(void **state)
{
    (void)state;
    each_set_with_refresh(pays_all);
}

static void on_time(driver_t *v, const dram_set_t *s)
{
    for (unsigned i = 1; i <= 20; i++)
        refresh_at(v, i * (uint64_t)s->trefi);
    expect_deadline(v, 29 * (uint64_t)s->trefi);
    dram_stats_t t;
    dram_stats(v->d, &t);
    assert_int_equal(t.commands[DRAM_CMD_REF], 20);
    assert_int_equal(t.refresh_late, 9);
}
static void refreshes_on_time_leave_eight_to_postpone(void **state)
{
    (void)state;
    each_set_with_refresh(on_time);
}

/* Eight ahead: the count would last to 17 tREFI, but two REFs may be nine intervals apart at most. */
static void pulled_in(driver_t *v, const dram_set_t *s)
{
    for (unsigned i = 0; i < 8; i++)
        refresh_at(v, i * (uint64_t)s->trfc);
    expect_deadline(v, 7 * (uint64_t)s->trfc + 9 * (uint64_t)s->trefi);
}
static void no_two_refreshes_are_ten_intervals_apart(void **state)
{
    (void)state;
    each_set_with_refresh(pulled_in);
}

/* More than eight ahead count for nothing: after nine at the start, one at 9 tREFI and no more, the count (8 + 1) ends at 18 tREFI. */
static void pulled_in_too_many(driver_t *v, const dram_set_t *s)
{
    for (unsigned i = 0; i < 12; i++)
        refresh_at(v, i * (uint64_t)s->trfc);
    for (unsigned i = 0; i < 2; i++)
        refresh_at(v, 16 * (uint64_t)s->trefi / 2 + i * (uint64_t)s->trfc);
    /* Ten count, so by the count 19 tREFI; by the distance 17 tREFI and tRFC. */
    expect_deadline(v, 17 * (uint64_t)s->trefi + s->trfc);
}
static void deadline_after_pulling_in_is_by_distance(void **state)
{
    (void)state;
    each_set_with_refresh(pulled_in_too_many);
}

/* Twelve at the start count as eight. One at 8.5 and one at 17 intervals make ten: the next is due by 19 tREFI, not 23, while by
 * distance there would be time until 26. */
static void surplus(driver_t *v, const dram_set_t *s)
{
    uint64_t half = s->trefi / 2;
    for (unsigned i = 0; i < 12; i++)
        refresh_at(v, i * (uint64_t)s->trfc);
    refresh_at(v, 17 * half);
    refresh_at(v, 34 * half);
    expect_deadline(v, 19 * (uint64_t)s->trefi);
}
static void refreshes_far_ahead_of_time_count_for_nothing(void **state)
{
    (void)state;
    each_set_with_refresh(surplus);
}

/* The last clock of a skip may be the deadline, as the last of many ticks may. */
static void skipped(driver_t *v, const dram_set_t *s)
{
    assert_int_equal(dram_skip(v->d, 9 * (uint64_t)s->trefi + 1), 0);
    assert_int_equal(dram_skip(v->d, 0), 0);
    assert_int_equal(dram_skip(v->d, 1), DRAM_EVIOLATION);
    assert_int_equal(dram_clock(v->d), 9 * (uint64_t)s->trefi + 1);
    assert_int_equal(dram_violation(v->d)->rule, DRAM_RULE_TREFI);
    assert_int_equal(dram_violation(v->d)->clock, 9 * (uint64_t)s->trefi + 1);
}
static void skip_reaches_past_the_deadline_by_no_clock(void **state)
{
    (void)state;
    each_set_with_refresh(skipped);
}

static void a_part_without_refresh_needs_none(void **state)
{
    (void)state;
    dram_set_t s = set_of("gtx480");
    driver_t v;
    driver_open(&v, &s);
    assert_int_equal(dram_skip(v.d, 1ull << 40), 0);
    assert_int_equal(driver_tick(&v, REF), DRAM_EVIOLATION);
    assert_int_equal(dram_violation(v.d)->rule, DRAM_RULE_REF_NONE);
    driver_at(&v, 1ull << 40, ACT(0, 0));
    driver_close(&v);
}

int refresh_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_any_refresh_the_ninth_interval_ends_it),
        cmocka_unit_test(refresh_at_the_deadline_is_accepted_and_pays_one),
        cmocka_unit_test(postponed_refreshes_are_paid_one_by_one),
        cmocka_unit_test(refreshes_on_time_leave_eight_to_postpone),
        cmocka_unit_test(no_two_refreshes_are_ten_intervals_apart),
        cmocka_unit_test(deadline_after_pulling_in_is_by_distance),
        cmocka_unit_test(refreshes_far_ahead_of_time_count_for_nothing),
        cmocka_unit_test(skip_reaches_past_the_deadline_by_no_clock),
        cmocka_unit_test(a_part_without_refresh_needs_none),
    };
    return RUN_TESTS("refresh", tests, count);
}
