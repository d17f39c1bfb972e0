/* Lies about results and instructions. */
#ifndef VERIF_SYSTEM_LOCKSTEP_LIES_RESULT_H
#define VERIF_SYSTEM_LOCKSTEP_LIES_RESULT_H
#include "verif/system/lockstep/machine.h"

PLANT(result)
{
    return written() && (WB.res.data[__builtin_ctz(WB.res.mask)] ^= 1, true);
}
PLANT(result_high)
{
    return written() && (WB.res.data[__builtin_ctz(WB.res.mask)] ^= 1ull << 63, true);
}
PLANT(result_register)
{
    return written() && (WB.res.rd ^= 1, true);
}
PLANT(result_unknown)
{
    return written() && (WB.res.seq += 100, true);
}
PLANT(result_inactive)
{
    return written() && WB.res.mask != ALL && (WB.res.mask = ALL, true);
}
PLANT(result_lost)
{
    return written() && WB.pipe == PIPE_ALU && WB.res.warp == 0 && (o.trace_wb_valid = false, true);
}
PLANT(result_twice) /* atomics answer thread by thread */
{
    static result_t kept;
    if (state && written() && WB.res.warp == kept.warp && WB.res.seq == kept.seq) {
        WB.res = kept;
        return true;
    }
    if (written() && WB.pipe == PIPE_LSU && !WB.res.last && !state)
        kept = WB.res, state = 1;
    return false;
}
PLANT(result_jump) /* a jump that not all threads take writes its result for all of them */
{
    const issued_t *i = &known[WB.res.warp][WB.res.seq];
    if (!written() || i->op != OP_JALR || WB.res.mask == i->tmask)
        return false;
    WB.res.mask = i->tmask;
    return true;
}
PLANT(threads_elsewhere)
{
    return alu() && ISSUE.tmask != ALL && known[ISSUE.warp][(uint8_t)(ISSUE.seq - 1)].tmask == ALL
           && (ISSUE.tmask = ALL, true);
}
PLANT(threads_ended)
{
    return alu() && ISSUE.warp == 1 && !(ISSUE.tmask >> (THREADS - 1)) && (ISSUE.tmask = ALL, true);
}
PLANT(threads_none)
{
    return alu() && (ISSUE.tmask = 0, true);
}
PLANT(instruction)
{
    return alu() && (ISSUE.instr ^= 1u << 20, true);
}
PLANT(pc)
{
    return alu() && (ISSUE.pc += 4, true);
}
PLANT(push_word)
{
    return starts && o.trace_push_valid && (PUSH.instr[PUSH.n - 1] ^= 1u << 20, true);
}
PLANT(push_many)
{
    return starts && o.trace_push_valid && (PUSH.n += FETCH_W, true);
}
PLANT(push_lost)
{
    return starts && o.trace_push_valid && (o.trace_push_valid = false, true);
}
PLANT(push_fault)
{
    return starts && o.trace_push_valid && (PUSH.fault = true, PUSH.n = 1, PUSH.instr[0] = 0, true);
}
PLANT(operation)
{
    return alu() && ISSUE.op != OP_ADD && (ISSUE.op = OP_ADD, true);
}
PLANT(sequence)
{
    return alu() && (ISSUE.seq++, true);
}
PLANT(illegal)
{
    return alu() && (ISSUE.op = OP_ILLEGAL, true);
}
PLANT(fetch_fault)
{
    return first_issue() && ISSUE.op == OP_ILLEGAL && (ISSUE.fetch_fault = !ISSUE.fetch_fault, true);
}
#endif
