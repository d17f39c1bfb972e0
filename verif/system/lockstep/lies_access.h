/* Lies about accesses: their addresses, threads, data, and those that are kept silent or told twice. */
#ifndef VERIF_SYSTEM_LOCKSTEP_LIES_ACCESS_H
#define VERIF_SYSTEM_LOCKSTEP_LIES_ACCESS_H
#include "verif/system/lockstep/machine.h"

PLANT(none)
{
    return false;
}
PLANT(address)
{
    return access_of(LOAD, false) && (MEM.addr[__builtin_ctz(MEM.mask)] ^= 64, true);
}
PLANT(address_outside)
{
    return access_of(LOAD, false) && (MEM.addr[__builtin_ctz(MEM.mask)] = 8, true);
}
PLANT(address_misaligned)
{
    return access_of(LOAD, false) && known[MEM.warp][MEM.seq].instr >> 12 & 3
           && (MEM.addr[__builtin_ctz(MEM.mask)] ^= 1, true);
}
PLANT(sent_elsewhere)
{
    return o.trace_sent_valid && (SENT.line ^= 1 << 5, true);
}
PLANT(sent_inactive)
{
    return o.trace_sent_valid && known[SENT.warp][SENT.seq].tmask != ALL && (SENT.threads = ALL, true);
}
PLANT(sent_unknown)
{
    return o.trace_sent_valid && (SENT.seq += 100, true);
}
PLANT(sent_twice) /* an atomic stays incomplete for long */
{
    static sent_t kept;
    if (state) {
        o.trace_sent_valid = true;
        SENT = kept;
        return true;
    }
    if (o.trace_sent_valid && (known[SENT.warp][SENT.seq].instr & 0x7f) == ATOMIC)
        kept = SENT, state = 1;
    return false;
}
PLANT(datum)
{
    return access_of(STORE, false) && (MEM.data[__builtin_ctz(MEM.mask)] ^= 1, true);
}
PLANT(datum_spad)
{
    return access_of(STORE, true) && (MEM.data[__builtin_ctz(MEM.mask)] ^= 1, true);
}
PLANT(operand_spad)
{
    return access_of(ATOMIC, true) && (MEM.data[__builtin_ctz(MEM.mask)] ^= 1, true);
}
PLANT(access_inactive)
{
    return o.trace_mem_valid && MEM.mask && MEM.mask != ALL && (MEM.mask = ALL, true);
}
PLANT(access_unknown)
{
    return o.trace_mem_valid && (MEM.seq += 100, true);
}
PLANT(access_twice) /* an atomic stays incomplete for long */
{
    static memtrace_t kept;
    if (state) {
        o.trace_mem_valid = true;
        MEM = kept;
        return true;
    }
    if (access_of(ATOMIC, false))
        kept = MEM, state = 1;
    return false;
}
PLANT(access_good) /* an access that faults is reported as performed */
{
    static issued_t bad;
    if (state == 1 && !o.trace_mem_valid && !o.trace_sent_valid) {
        o.trace_mem_valid = true;
        MEM = (memtrace_t){.warp = bad.warp, .seq = bad.seq, .mask = bad.tmask};
        for (unsigned l = 0; l < LANES; l++)
            MEM.addr[l] = 0x18000000;
        o.trace_sent_valid = true;
        SENT = (sent_t){.warp = bad.warp, .seq = bad.seq, .threads = bad.tmask, .line = 0x18000000 / LINE_BYTES};
        return true;
    }
    if (first_issue() && (ISSUE.instr & 0x707f) == LOAD) /* lb */
        bad = ISSUE, state = 1;
    return false;
}
PLANT(access_lost)
{
    return o.trace_mem_valid && MEM.warp == 0 && opcode() == LOAD && (o.trace_mem_valid = false, true);
}
PLANT(fence_lost) /* warp 0's fences never end */
{
    return o.trace_wb_valid && WB.res.warp == 0 && (known[0][WB.res.seq].instr & 0x7f) == 0x0f
           && (o.trace_wb_valid = false, true);
}
#endif
