/* The judge's rules of translation and fetch, one at a time: the test is machine and host at once. It hands the judge what a machine's ports would say (registers, reads of page tables
 * and code with their answers, words that are fetched), and asks what is legal. Of the configuration `tiny`. */
#include "sim_c/ref/judge.h"
#include "sim_c/ref/judge_code.h"
#include "sim_c/ref/judge_events.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_requests.h"
#include "sim_c/ref/judge_walks.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum {
    V = 1,
    R = 2,
    W = 4,
    X = 8,
    U = 16,
    G = 32,
    A = 64,
    D = 128,
    DATA = V | R | W | U | A | D,
    CODE = V | R | X | U | A
};
#define BASE 0x10000000ull
#define LIMIT 0x80000000ull
#define PAGE 4096ull
#define TABLE(n) (BASE + (n) * PAGE) /* root: table 0 */

static judge_t *j;
static sim_error_t err;
static uint64_t cycle;
static uint8_t memory[64 * PAGE]; /* from BASE on */

static void tick(vellum_out_t *o, vellum_in_t *in)
{
    (void)judge_cycle(j, cycle++, o, in, &err);
}

static void wait_cycle(void)
{
    vellum_out_t o = {.ctl_req_ready = true};
    vellum_in_t in = {0};
    tick(&o, &in);
}

static void put(unsigned addr, uint64_t data)
{
    vellum_out_t o = {.ctl_req_ready = true};
    vellum_in_t in = {.ctl_req_valid = true, .ctl_req = {.write = true, .addr = (uint16_t)addr, .data = data}};
    tick(&o, &in);
}

/* A read of INV that answers: nothing is under way. */
static void acknowledge(void)
{
    vellum_out_t o = {.ctl_req_ready = true};
    vellum_in_t in = {.ctl_req_valid = true, .ctl_req = {.addr = REG_INV}};
    tick(&o, &in);
    vellum_out_t answer = {.ctl_req_ready = true, .ctl_rsp_valid = true};
    vellum_in_t quiet = {.ctl_rsp_ready = true};
    tick(&answer, &quiet);
}

static void ask(unsigned scope, unsigned asid, uint64_t va)
{
    put(REG_INV_PAGE, va & MASK_INV_PAGE);
    put(REG_INV, reg_inv_put((reg_inv_t){.scope = scope, .asid = asid}));
}

static void shoot(unsigned scope, unsigned asid, uint64_t va)
{
    ask(scope, asid, va);
    acknowledge();
}

static void core_root(unsigned asid)
{
    put(REG_ROOT, reg_root_put((reg_root_t){.sv48 = true, .asid = asid, .ppn = TABLE(0) >> 12}));
}

/* The core reads the line of that address: for its walker (of class `cls`), or its instruction cache. */
static void read_line(uint64_t addr, unsigned cls)
{
    const uint64_t line = addr / LINE_BYTES;
    const uint16_t id = (uint16_t)((4 << MEM_IDX_W) | (cls ? 1 << MEM_IDX_W : 0));
    vellum_out_t o = {
        .trace_req_valid = 1,
        .trace_req = {{.op = MEM_READ, .id = id, .cls = (uint8_t)cls, .asid = judge_root(j, 0)->asid, .line = line}}};
    vellum_in_t in = {0};
    tick(&o, &in);
    vellum_out_t a = {.trace_rsp_valid = 1, .trace_rsp_line = {line}, .trace_rsp = {{.src = 0, .rsp = {.id = id}}}};
    memcpy(a.trace_rsp[0].rsp.data.w, memory + (line * LINE_BYTES - BASE), LINE_BYTES);
    tick(&a, &in);
}

/* Memory, the judge's and what the core is answered with. */
static void set(uint64_t addr, uint64_t value)
{
    memcpy(memory + (addr - BASE), &value, 8);
    judge_write(j, addr, &value, 8);
}

static uint64_t pte(uint64_t frame, unsigned flags)
{
    return frame >> 12 << 10 | flags;
}

static uint64_t slot(unsigned table, unsigned level, uint64_t va)
{
    return TABLE(table) + (va >> (12 + 9 * level) & 511) * 8;
}

/* Tables 0 to 3 lead to a leaf at that level. */
static void map(uint64_t va, unsigned level, uint64_t frame, unsigned flags)
{
    for (unsigned l = 3; l > level; l--)
        set(slot(3 - l, l, va), pte(TABLE(4 - l), V));
    set(slot(3 - level, level, va), pte(frame, flags));
}

static void walk(uint64_t va, unsigned level)
{
    for (unsigned l = 3;; l--) {
        read_line(slot(3 - l, l, va), 4 - l);
        if (l == level)
            return;
    }
}

static void redirect(uint64_t pc)
{
    vellum_out_t o = {.trace_redirect_valid = 1, .trace_redirect = {{.flush = true, .pc = pc}}};
    vellum_in_t in = {0};
    tick(&o, &in);
}

/* A word comes from the instruction cache. True: nothing is wrong with it. */
static bool push(uint32_t word)
{
    vellum_out_t o = {.trace_push_valid = 1, .trace_push = {{.n = 1, .instr = {word}}}};
    vellum_in_t in = {0};
    tick(&o, &in);
    return !j->verdict;
}

static bool fetched(uint64_t pc, uint32_t word)
{
    redirect(pc);
    const bool right = push(word);
    j->verdict = 0;
    return right;
}

static void begin(void)
{
    static const sim_launch_t launch = {.groups = {1, 1, 1}, .local = {1, 1, 1}, .group_threads = 1, .group_warps = 1};
    const sim_job_t job = {.launch = &launch, .cores = 1};
    assert_int_equal(judge_begin(j, cycle, &job, 1, &err), 0);
}

static int set_up(void **state)
{
    (void)state;
    memset(memory, 0, sizeof memory);
    cycle = 0;
    j = judge_new();
    assert_non_null(j);
    assert_int_equal(judge_window(j, BASE, LIMIT), 0);
    begin();
    core_root(1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judge_free(j);
    return 0;
}

static bool load(uint64_t va, uint64_t frame)
{
    return judge_frame_legal(j, 0, va, REF_USE_LOAD, frame >> 12);
}

#define VA 0x40200000ull
#define F1 0x20000000ull
#define F2 0x30000000ull

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
    assert_false(load(VA, F2)); /* what was read before is forgotten, changed or not */
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
        vl_bits_1024 line = {{0}};
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
    assert_false(fetch_faults(VA)); /* no page is there, but the host has not said so */
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
    assert_true(fetch_faults(1ull << 47)); /* not canonical: nobody is asked */
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

/* Code of a page of its own, in memory[32 pages..]. */
#define CODE_FRAME (BASE + 32 * PAGE)
#define CODE_FRAME_2 (BASE + 33 * PAGE)
enum { WORD = 0x0015859b, OTHER = 0x00559593 };

static void code_there(uint64_t frame, uint32_t word)
{
    for (unsigned k = 0; k < LINE_BYTES; k += 8)
        set(frame + k, word | (uint64_t)word << 32);
}

static void code_must_have_been_read_since_its_page_was_shot_down(void **state)
{
    (void)state;
    code_there(CODE_FRAME, WORD);
    code_there(CODE_FRAME_2, WORD);
    map(VA, 0, CODE_FRAME, CODE);
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(VA, WORD));
    assert_false(fetched(VA, OTHER));
    shoot(INV_PAGE, 1, VA + PAGE);
    assert_true(fetched(VA, WORD));
    shoot(INV_PAGE, 1, VA); /* the same word, the same frame */
    assert_false(fetched(VA, WORD));
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(VA, WORD));
    map(VA, 0, CODE_FRAME_2, CODE); /* the same word elsewhere */
    shoot(INV_ALL, 0, 0);
    read_line(CODE_FRAME, 0);
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME_2, 0);
    assert_true(fetched(VA, WORD));
}

static void code_is_read_by_a_translation_of_before(void **state)
{
    (void)state;
    code_there(CODE_FRAME, WORD);
    map(VA, 0, CODE_FRAME, CODE);
    walk(VA, 0);
    ask(INV_PAGE, 1, VA);
    read_line(CODE_FRAME, 0); /* by what is shot down */
    acknowledge();
    walk(VA, 0); /* the page is there again, after that */
    assert_false(fetched(VA, WORD));
}

static void code_needs_every_right(void **state)
{
    (void)state;
    static const unsigned lacks[] = {X, U, A, V};
    code_there(CODE_FRAME, WORD);
    for (unsigned k = 0; k < sizeof lacks / sizeof *lacks; k++) {
        const uint64_t va = VA + k * 16 * PAGE; /* its PTE in a line of its own */
        map(va, 0, CODE_FRAME, CODE & ~lacks[k]);
        walk(va, 0);
        read_line(CODE_FRAME, 0);
        assert_false(fetched(va, WORD));
        map(va, 0, CODE_FRAME, CODE);
        walk(va, 0);
        read_line(CODE_FRAME, 0);
        assert_true(fetched(va, WORD));
    }
}

static void code_is_of_this_kernel(void **state)
{
    (void)state;
    put(REG_ROOT, 0); /* Bare */
    code_there(CODE_FRAME, WORD);
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, WORD));
    shoot(INV_PAGE, 1, CODE_FRAME); /* of no meaning */
    assert_true(fetched(CODE_FRAME, WORD));
    wait_cycle();
    begin();
    assert_false(fetched(CODE_FRAME, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, WORD));
    code_there(CODE_FRAME, OTHER); /* a cache may still have the old */
    assert_true(fetched(CODE_FRAME, WORD));
    assert_false(fetched(CODE_FRAME, OTHER));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, OTHER));
}

/* ---- atomics that leave the core before their beat is shown: with many beats ----------------------------------------- */

enum { ATOMIC_THREAD = THREADS - 1, ATOMIC_AT = 8, AMOADD_W = 0x00c5a52f };

/* An atomic of the last thread: its request, then its answer, then its beat. True: nothing is wrong. */
static bool fast_atomic(unsigned request_at, uint32_t request_operand, unsigned said, bool sent)
{
    const uint64_t line = BASE / LINE_BYTES + 64;
    warp_state_t *w = &j->core[0].warp[0];
    put(REG_ROOT, 0); /* Bare */
    set(line * LINE_BYTES + ATOMIC_AT, 7);
    w->active = true;
    w->tail = 1;
    w->ring[0] = (insn_t){.used = true,
                          .pipe = PIPE_LSU,
                          .op = OP_AMOADD_W,
                          .rd = 10,
                          .instr = AMOADD_W,
                          .number = ++j->instructions,
                          .tmask = 1ull << ATOMIC_THREAD};
    if (sent)
        judge_sent(j, 0, &(sent_t){.threads = 1ull << ATOMIC_THREAD, .line = line});
    mem_req_t q = {.op = MEM_AMO,
                   .amo = AMO_ADD,
                   .line = line,
                   .amo_off = (uint8_t)request_at,
                   .hart = (uint16_t)hart_of(0, 0, ATOMIC_THREAD)};
    q.data.w[0] = request_operand;
    judge_asked(j, 0, &q);
    net_rsp_t a = {.src = 0};
    a.rsp.data.w[0] = said | (uint64_t)said << 32;
    judge_answered(j, judge_slice(0, line * LINE_BYTES), &a, line);
    memtrace_t m = {.beat = ATOMIC_THREAD / LANES, .mask = 1u << ATOMIC_THREAD % LANES};
    m.addr[ATOMIC_THREAD % LANES] = line * LINE_BYTES + ATOMIC_AT;
    m.data[ATOMIC_THREAD % LANES] = 5;
    judge_traced(j, 0, &m);
    const bool right = !j->verdict;
    j->verdict = 0;
    return right;
}

static void an_atomic_may_be_asked_for_before_its_beat(void **state)
{
    (void)state;
    assert_true(fast_atomic(ATOMIC_AT, 5, 7, true));
    uint32_t now = 0;
    (void)ref_mem_read(j->view[0], BASE + 64 * LINE_BYTES + ATOMIC_AT, &now, 4);
    assert_int_equal(now, 12);
    assert_int_equal(j->core[0].warp[0].ring[0].went[ATOMIC_THREAD], 1);
    assert_false(fast_atomic(ATOMIC_AT, 6, 7, true)); /* not its operand */
    assert_false(fast_atomic(ATOMIC_AT + 4, 5, 0, true)); /* not its address */
    assert_false(fast_atomic(ATOMIC_AT, 5, 8, true)); /* not what memory holds */
    assert_false(fast_atomic(ATOMIC_AT, 5, 7, false)); /* the LSU has not sent it */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_translation_must_have_been_read),
        TEST(an_old_pte_serves_until_the_acknowledgement),
        TEST(a_shootdown_covers_what_it_says),
        TEST(a_page_of_a_superpage_covers_all_of_it),
        TEST(a_global_page_is_every_address_space_s),
        TEST(nothing_is_forgotten_for_want_of_room),
        TEST(a_tlb_outlives_a_kernel),
        TEST(a_fault_is_that_of_what_was_read),
        TEST(a_fetch_faults_if_the_host_has_denied_it),
        TEST(a_fault_may_be_by_kept_pointers),
        TEST(a_walk_may_be_by_kept_pointers),
        TEST(no_walk_is_by_pointers_of_the_kernel_before),
        TEST(an_unread_acknowledgement_is_counted),
        TEST(code_must_have_been_read_since_its_page_was_shot_down),
        TEST(code_is_read_by_a_translation_of_before),
        TEST(code_needs_every_right),
        TEST(code_is_of_this_kernel),
        TEST(an_atomic_may_be_asked_for_before_its_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
