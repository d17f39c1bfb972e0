/* Tests: atomics that leave the core before their beat is shown, with many beats. */
#ifndef VERIF_REF_JUDGE_ATOMICS_H
#define VERIF_REF_JUDGE_ATOMICS_H
#include "verif/ref/judge/machine.h"

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
    assert_false(fast_atomic(ATOMIC_AT, 5, 8, true)); /* not the value in memory */
    assert_false(fast_atomic(ATOMIC_AT, 5, 7, false)); /* the LSU has not sent it */
}
#endif
