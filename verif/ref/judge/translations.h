/* Tests: the PTEs that a core may use, after shootdowns and without. */
#ifndef VERIF_REF_JUDGE_TRANSLATIONS_H
#define VERIF_REF_JUDGE_TRANSLATIONS_H
#include "verif/ref/judge/machine.h"

static void a_translation_must_have_been_read(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    assert_false(load(VA, F1));
    walk(VA, 1); /* but not the leaf */
    assert_false(load(VA, F1));
    walk(VA, 0);
    assert_true(load(VA, F1));
    assert_false(load(VA, F2));
    assert_true(judge_frame_legal(j, 0, VA, REF_USE_STORE, F1 >> 12));
    assert_false(judge_frame_legal(j, 0, VA, REF_USE_FETCH, F1 >> 12));
}

static void an_old_pte_serves_until_the_acknowledgement(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    walk(VA, 0);
    map(VA, 0, F2, DATA);
    assert_true(load(VA, F1));
    assert_false(load(VA, F2)); /* not read yet */
    walk(VA, 0);
    assert_true(load(VA, F1));
    assert_true(load(VA, F2));
    ask(INV_PAGE, 1, VA);
    assert_true(load(VA, F1));
    acknowledge();
    assert_false(load(VA, F1));
    assert_false(load(VA, F2)); /* PTEs read before are forgotten, changed or not */
    walk(VA, 0);
    assert_true(load(VA, F2));
}

static void a_shootdown_covers_what_it_says(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    walk(VA, 0);
    shoot(INV_PAGE, 1, VA + PAGE);
    shoot(INV_PAGE, 2, VA);
    shoot(INV_ASID, 2, 0);
    assert_true(load(VA, F1));
    shoot(INV_ASID, 1, 0);
    assert_false(load(VA, F1));
    walk(VA, 0);
    shoot(INV_ALL, 0, 0);
    assert_false(load(VA, F1));
}

static void a_page_of_a_superpage_covers_all_of_it(void **state)
{
    (void)state;
    for (unsigned level = 1; level < 3; level++) {
        const uint64_t size = PAGE << 9 * level, va = 0x4000000000ull * level;
        map(va, level, level == 1 ? F1 : 0x40000000ull, DATA);
        walk(va, level);
        assert_true(load(va + size / 2, (level == 1 ? F1 : 0x40000000ull) + size / 2));
        shoot(INV_PAGE, 1, va + size); /* the next one */
        assert_true(load(va + size / 2, (level == 1 ? F1 : 0x40000000ull) + size / 2));
        shoot(INV_PAGE, 1, va + size - PAGE);
        assert_false(load(va + size / 2, (level == 1 ? F1 : 0x40000000ull) + size / 2));
        walk(va, level);
        assert_true(load(va + size / 2, (level == 1 ? F1 : 0x40000000ull) + size / 2));
    }
}

static void a_global_page_is_every_address_space_s(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA | G);
    walk(VA, 0);
    shoot(INV_ASID, 1, 0);
    assert_true(load(VA, F1));
    shoot(INV_PAGE, 2, VA);
    assert_false(load(VA, F1));
}

static void nothing_is_forgotten_for_want_of_room(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    walk(VA, 0);
    shoot(INV_PAGE, 1, VA);
    for (unsigned k = 1; k < 2000; k++)
        shoot(INV_PAGE, 1, VA + k * PAGE);
    assert_false(load(VA, F1));
    assert_int_equal(judge_epoch(j), 2000);
    /* More tables than a small list holds: a read of one to which nothing leads is noticed after them. */
    vellum_out_t o = {
        .trace_req_valid = 1,
        .trace_req = {
            {.op = MEM_READ, .id = 5 << MEM_IDX_W, .cls = 2, .asid = 1, .line = (BASE + 0x5000000) / LINE_BYTES}}};
    vellum_in_t in = {0};
    const mem_req_t q = {.op = MEM_READ, .cls = 1, .asid = 1, .line = TABLE(0) / LINE_BYTES};
    for (uint64_t n = 0; n < 20000; n += LINE_BYTES / 8) {
        line_data_t line = {{0}};
        for (unsigned k = 0; k < LINE_BYTES / 8; k++)
            line.w[k] = pte(0x60000000ull + (n + k) * PAGE, V);
        judge_walk_answered(j, 0, &q, &line);
    }
    assert_int_equal(j->verdict, 0);
    tick(&o, &in);
    assert_int_equal(j->verdict, SIM_EDIFF);
}

static void a_tlb_outlives_a_kernel(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    map(VA + 16 * PAGE, 0, F2, DATA);
    walk(VA, 0);
    shoot(INV_ALL, 0, 0);
    walk(VA + 16 * PAGE, 0);
    begin();
    assert_false(load(VA, F1));
    assert_true(load(VA + 16 * PAGE, F2));
    shoot(INV_ALL, 0, 0);
    begin();
    assert_false(load(VA + 16 * PAGE, F2));
}

static void an_unread_acknowledgement_is_counted(void **state)
{
    (void)state;
    ask(INV_PAGE, 1, VA);
    assert_int_equal(judge_waived(j, WAIVED_SHOOTDOWNS), 0);
    ask(INV_PAGE, 1, VA + PAGE);
    assert_int_equal(judge_waived(j, WAIVED_SHOOTDOWNS), 1);
    acknowledge();
    shoot(INV_PAGE, 1, VA);
    assert_int_equal(judge_waived(j, WAIVED_SHOOTDOWNS), 1);
}
#endif
