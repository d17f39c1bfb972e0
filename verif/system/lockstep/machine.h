/* The machine's report, the known past, and the list of lies. */
#ifndef VERIF_SYSTEM_LOCKSTEP_MACHINE_H
#define VERIF_SYSTEM_LOCKSTEP_MACHINE_H
#include "sim_c/ref/judge.h"
#include "vl_regs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vellum_out_t o; /* the report to the judge */
static vellum_in_t in;
static issued_t known[WARPS][256]; /* by sequence number, as issued */
static unsigned results_due[WARPS], accesses_due[WARPS];
static start_t started[64];
static unsigned starts;
static uint64_t hidden[64];
static unsigned n_hidden, state;
static mem_req_t asked[1024]; /* by id: the last request with it */

#define ISSUE o.trace_issue[0]
#define WB o.trace_wb[0]
#define MEM o.trace_mem[0]
#define SENT o.trace_sent[0]
#define START o.trace_start[0]
#define PUSH o.trace_push[0]
#define REQ o.trace_req[0]
#define RSP o.trace_rsp[0]
#define RSP_LINE o.trace_rsp_line[0]
#define ALL ((1u << THREADS) - 1)

static bool first_issue(void)
{
    return o.trace_issue_valid && ISSUE.first && ISSUE.op != OP_JOIN;
}

static bool alu(void)
{
    return first_issue() && ISSUE.pipe == PIPE_ALU && ISSUE.rd_we && ISSUE.instr >> 7 & 31;
}

static unsigned opcode(void) /* of the access shown */
{
    return known[MEM.warp][MEM.seq].instr & 0x7f;
}

static bool in_spad(uint64_t a)
{
    return a >> 16 == SPAD_BASE >> 16;
}

static bool access_of(unsigned op, bool spad)
{
    return o.trace_mem_valid && MEM.mask && opcode() == op && in_spad(MEM.addr[__builtin_ctz(MEM.mask)]) == spad;
}

static bool begins(unsigned nth)
{
    return o.trace_start_valid && starts == nth;
}

static bool request(unsigned op)
{
    return o.trace_req_valid & 1 && REQ.op == op;
}

static bool response(unsigned op) /* to the core; not to a fetch */
{
    return o.trace_rsp_valid & 1 && RSP.src == 0 && asked[RSP.rsp.id].op == op && !(RSP.rsp.id >> 9);
}

/* Hides a request of this kind, and its response. */
static bool hide(unsigned op)
{
    static mem_req_t gone;
    if (state && response(op) && RSP.rsp.id == gone.id && RSP_LINE == gone.line) {
        o.trace_rsp_valid = 0;
        return true;
    }
    if (!state && request(op)) {
        gone = REQ;
        state = 1;
        o.trace_req_valid &= ~1u;
    }
    return false;
}

static bool written(void)
{
    return o.trace_wb_valid && WB.res.rd && WB.res.mask;
}

enum { LOAD = 0x03, STORE = 0x23, ATOMIC = 0x2f };

/* Each returns true when it has done its deed; until then it is asked in every cycle. All enter themselves into a list. */
typedef struct plant {
    const char *name;
    bool (*lies)(void);
    struct plant *next;
} plant_t;
static plant_t *plants;
#define PLANT(lie)                                                 \
    static bool lie(void);                                         \
    __attribute__((constructor)) static void enter_##lie(void)     \
    {                                                              \
        static plant_t row = {.name = #lie, .lies = lie};          \
        row.next = plants;                                         \
        plants = &row;                                             \
    }                                                              \
    static bool lie(void)
#endif
