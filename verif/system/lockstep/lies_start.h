/* Lies about starts of warps, workgroups and their scratchpad; and about page faults and faults. */
#ifndef VERIF_SYSTEM_LOCKSTEP_LIES_START_H
#define VERIF_SYSTEM_LOCKSTEP_LIES_START_H
#include "verif/system/lockstep/machine.h"

PLANT(start_lost)
{
    return begins(0) && (o.trace_start_valid = false, true);
}
PLANT(start_again) /* at once, before anything has issued */
{
    if (!starts || o.trace_start_valid)
        return false;
    o.trace_start_valid = true;
    START = started[0];
    return true;
}
PLANT(start_early) /* the start is reported when a store has been issued and all results before it are there */
{
    if (state && !o.trace_start_valid && !o.trace_mem_valid) {
        o.trace_start_valid = true;
        START = started[0];
        return true;
    }
    state = first_issue() && ISSUE.warp == started[0].warp && (ISSUE.instr & 0x7f) == STORE && !results_due[ISSUE.warp]
            && !accesses_due[ISSUE.warp];
    return false;
}
PLANT(start_threads)
{
    return begins(0) && (START.tmask ^= 1, true);
}
PLANT(group_beyond)
{
    return begins(0) && (START.grp[0] = 1000, true);
}
PLANT(group_twice)
{
    return begins(2) && (START.grp[0] = 0, true);
}
PLANT(group_warps)
{
    return begins(0) && (START.group_warps++, true);
}
PLANT(group_mixed)
{
    return begins(1) && (START.grp[0]++, true);
}
PLANT(group_base)
{
    return begins(0) && (START.gbase[0]++, true);
}
PLANT(slot_busy)
{
    return begins(2) && (START.slot = started[0].slot, true);
}
PLANT(spad_end)
{
    return begins(0) && (START.spad_base = SPAD_BYTES - 8, true);
}
PLANT(spad_overlap)
{
    return begins(2) && (START.spad_base = started[0].spad_base, true);
}

/* The host's reads of page faults. */
static unsigned reading;
static bool page_fault(unsigned reg)
{
    return o.ctl_rsp_valid && reading == reg && o.ctl_rsp.data;
}
PLANT(walk_table)
{
    return o.trace_req_valid & 1 && REQ.cls && (REQ.line ^= 32, true);
}
PLANT(walk_space)
{
    return o.trace_req_valid & 1 && REQ.cls && (REQ.asid ^= 1, true);
}
PLANT(waits_elsewhere)
{
    return page_fault(REG_PF_VALUE) && (o.ctl_rsp.data ^= 4, false);
}
PLANT(waits_unknown)
{
    return page_fault(REG_PF_THREADS) && (o.ctl_rsp.data |= 16, true);
}
/* These lie when the fault is reported. */
PLANT(fault_value)
{
    return false;
}
PLANT(fault_threads)
{
    return false;
}
PLANT(fault_nowhere)
{
    return false;
}
#endif
