/* The test is machine and host at once: it shoots translations down, reads lines, maps pages, fetches. */
#ifndef VERIF_REF_JUDGE_MACHINE_H
#define VERIF_REF_JUDGE_MACHINE_H
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

/* Memory: the judge's, and the one that answers the core. */
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
#endif
