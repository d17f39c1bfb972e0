/* Tests: faults of loads and fetches, denials, kept pointers. */
#ifndef VERIF_REF_JUDGE_FAULTS_H
#define VERIF_REF_JUDGE_FAULTS_H
#include "verif/ref/judge/machine.h"

static bool faults(uint64_t va, uint64_t after)
{
    return judge_fault_legal(j, 0, va, REF_USE_LOAD, REF_PAGE_FAULT, UINT64_MAX, after);
}

static void a_fault_is_that_of_what_was_read(void **state)
{
    (void)state;
    map(VA, 0, F1, 0);
    assert_false(faults(VA, 0));
    walk(VA, 0);
    assert_true(faults(VA, 0));
    assert_false(faults(VA, cycle)); /* not of a walk since then */
    map(VA, 0, F1, DATA);
    walk(VA, 0);
    assert_true(faults(VA, 0)); /* its report may wait */
    shoot(INV_PAGE, 1, VA);
    assert_false(faults(VA, 0));
    walk(VA, 0);
    assert_false(faults(VA, 0));
    assert_true(faults(1ull << 47, 0)); /* not canonical: without any walk */
}

/* The host reads a fetch's page fault, and answers. */
static void serve(unsigned fill, uint64_t pc, bool deny)
{
    const uint64_t said[] = {reg_pf_what_put((reg_pf_what_t){.valid = true, .queued = 1, .warp = fill, .fetch = true}),
                             pc};
    for (unsigned k = 0; k < 2; k++) {
        vellum_out_t o = {.ctl_req_ready = true};
        vellum_in_t in = {.ctl_req_valid = true, .ctl_req = {.addr = (uint16_t)(k ? REG_PF_VALUE : REG_PF_WHAT)}};
        tick(&o, &in);
        o = (vellum_out_t){.ctl_req_ready = true, .ctl_rsp_valid = true, .ctl_rsp = {.data = said[k]}};
        in = (vellum_in_t){0};
        tick(&o, &in);
    }
    put(REG_PF_POP, 0);
    put(REG_RESUME, reg_resume_put((reg_resume_t){.fetch = true, .deny = deny, .warp = fill}));
    assert_false(j->verdict);
}

static bool fetch_faults(uint64_t pc)
{
    redirect(pc);
    vellum_out_t o = {.trace_push_valid = 1, .trace_push = {{.fault = true, .n = 1, .instr = {1}}}};
    vellum_in_t in = {0};
    tick(&o, &in);
    const bool right = !j->verdict;
    j->verdict = 0;
    return right;
}

static void a_fetch_faults_if_the_host_has_denied_it(void **state)
{
    (void)state;
    map(VA, 0, F1, 0);
    walk(VA, 0);
    assert_false(fetch_faults(VA)); /* no page is there, but the host has not denied it */
    serve(0, VA, false);
    assert_false(fetch_faults(VA));
    serve(1, VA, true);
    assert_true(fetch_faults(VA + 124));
    assert_false(fetch_faults(VA + 128)); /* another line */
    serve(0, VA + 128, true);
    assert_true(fetch_faults(VA));
    assert_true(fetch_faults(VA + 128));
    serve(1, VA + 256, true); /* the fill has another line now */
    assert_false(fetch_faults(VA));
    assert_true(fetch_faults(1ull << 47)); /* not canonical: no request */
    begin();
    assert_false(fetch_faults(VA + 128));
}

/* Cores that keep pointers: a fault may be by pointers of before, but not by such a last PTE. */
static void a_fault_may_be_by_kept_pointers(void **state)
{
    (void)state;
    map(VA, 0, F1, 0);
    walk(VA, 0);
    const uint64_t before = cycle;
    read_line(slot(3, 0, VA), 4); /* the leaf alone */
    assert_false(faults(VA, before));
    judge_reads_keep(j);
    assert_true(faults(VA, before));
    assert_false(faults(VA, cycle));
    map(VA, 0, F1, DATA); /* a leaf that allows it, read since; the one of before does not count */
    const uint64_t mapped = cycle;
    read_line(slot(3, 0, VA), 4);
    assert_false(faults(VA, mapped));
    set(slot(2, 1, VA), 0); /* the pointer goes: a fault by it needs a read of it */
    assert_false(faults(VA, mapped));
    read_line(slot(2, 1, VA), 3);
    assert_true(faults(VA, mapped));
}

/* ... and a walk reads a table to which a pointer of before led: also in the next kernel, unless everything was shot down and nothing read since. */
static void a_walk_may_be_by_kept_pointers(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    judge_reads_keep(j);
    walk(VA, 0);
    begin();
    read_line(slot(3, 0, VA), 4);
    assert_int_equal(j->verdict, 0);
    shoot(INV_ALL, 0, 0);
    walk(VA, 0);
    begin();
    read_line(slot(3, 0, VA), 4);
    assert_int_equal(j->verdict, 0);
    shoot(INV_ALL, 0, 0);
    begin();
    read_line(slot(3, 0, VA), 4);
    assert_int_equal(j->verdict, SIM_EDIFF);
}

static void no_walk_is_by_pointers_of_the_kernel_before(void **state)
{
    (void)state;
    map(VA, 0, F1, DATA);
    walk(VA, 0);
    begin();
    read_line(slot(3, 0, VA), 4);
    assert_int_equal(j->verdict, SIM_EDIFF);
}
#endif
