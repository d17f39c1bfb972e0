/* Lies to the judge: linked between the lockstep and the judge (--wrap), it changes one thing that the machine says about itself. Which, is
 * told by the name of the folder whose build/cfg/ the library was opened from. For one core and one beat a warp. */
#include "sim_c/ref/judge.h"
#include "vl_regs.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vellum_out_t o; /* what is reported to the judge */
static vellum_in_t in;
static issued_t known[WARPS][256]; /* by sequence number, as issued */
static unsigned results_due[WARPS], accesses_due[WARPS];
static start_t started[64];
static unsigned starts;
static uint64_t hidden[64];
static unsigned n_hidden, state;
static mem_req_t asked[1024]; /* by id: what was asked for with it last */

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

/* Each returns true when it has done its deed; until then it is asked in every cycle. */
#define PLANT(name) static bool name(void)
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
PLANT(store_hidden) /* a warp's store neither leaves the LSU nor arrives */
{
    if (access_of(STORE, false) && MEM.warp == 0 && !n_hidden) {
        for (unsigned m = MEM.mask; m; m &= m - 1)
            hidden[n_hidden++] = MEM.addr[__builtin_ctz(m)] / LINE_BYTES;
        o.trace_mem_valid = false;
    }
    for (unsigned k = 0; k < n_hidden; k++) {
        if (request(MEM_WRITE) && REQ.line == hidden[k])
            o.trace_req_valid &= ~1u;
        if (response(MEM_WRITE) && RSP_LINE == hidden[k])
            o.trace_rsp_valid = 0;
    }
    return false;
}
PLANT(store_lost)
{
    return hide(MEM_WRITE);
}
PLANT(store_invented)
{
    const mem_req_t q = {.op = MEM_WRITE, .id = 0x100, .line = 0x18000000 / LINE_BYTES, .be.w = {0xf0}};
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = (net_rsp_t){.rsp.id = q.id};
        RSP_LINE = q.line;
        return true;
    }
    if (starts && !state && !(o.trace_req_valid & 1)) {
        o.trace_req_valid |= 1;
        REQ = q;
        state = 1;
    }
    return false;
}
PLANT(store_byte)
{
    return request(MEM_WRITE) && (REQ.data.w[0] ^= ~0ull, REQ.data.w[1] ^= ~0ull, true);
}
PLANT(store_enable)
{
    return request(MEM_WRITE) && (REQ.be.w[0] &= REQ.be.w[0] - 1, true);
}
PLANT(line_outside)
{
    return o.trace_req_valid & 1 && (REQ.line = 0, true);
}
PLANT(request_kind)
{
    return request(MEM_WRITE) && (REQ.op = 3, true);
}
PLANT(request_lost)
{
    return request(MEM_WRITE) && (o.trace_req_valid &= ~1u, true);
}
PLANT(request_twice)
{
    static mem_req_t kept;
    if (state && !(o.trace_req_valid & 1)) {
        o.trace_req_valid |= 1;
        REQ = kept;
        return true;
    }
    if (!state && request(MEM_READ))
        kept = REQ, state = 1;
    return false;
}
PLANT(amo_lost) /* all of them: the next one's answer would tell */
{
    if (request(MEM_AMO))
        o.trace_req_valid &= ~1u;
    if (response(MEM_AMO))
        o.trace_rsp_valid = 0;
    return false;
}
PLANT(amo_stranger)
{
    return request(MEM_AMO) && (REQ.hart += WARPS * THREADS, true);
}
PLANT(sc_bit)
{
    return request(MEM_AMO) && REQ.amo == AMO_SC && (REQ.sc_fail = !REQ.sc_fail, true);
}
PLANT(read_byte)
{
    return response(MEM_READ) && (RSP.rsp.data.w[15] ^= 1ull << 63, true);
}
PLANT(fetch_byte)
{
    return o.trace_rsp_valid & 1 && RSP.rsp.id >> 9 && (RSP.rsp.data.w[0] ^= 1, true);
}
PLANT(write_answer)
{
    return response(MEM_WRITE) && (RSP.rsp.data.w[3] = 1, true);
}
PLANT(amo_answer)
{
    return response(MEM_AMO) && (RSP.rsp.data.w[0] ^= 1ull << 32, true);
}
PLANT(answer_lost)
{
    return response(MEM_READ) && (o.trace_rsp_valid = 0, true);
}
PLANT(answer_lost_late)
{
    return response(MEM_READ) && ++state == 2 && (o.trace_rsp_valid = 0, true);
} /* its id is not needed again */
PLANT(answer_late)
{
    return response(MEM_AMO) && (o.trace_rsp_valid = 0, true);
}
PLANT(answer_id)
{
    return response(MEM_WRITE) && (RSP.rsp.id ^= 0x40, true);
}
PLANT(answer_line)
{
    return response(MEM_WRITE) && (RSP_LINE ^= 1, true);
}
PLANT(answer_source)
{
    return response(MEM_WRITE) && (RSP.src = HOST_SOURCE, true);
}
PLANT(answer_twice)
{
    static net_rsp_t kept;
    static uint64_t line;
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = kept;
        RSP_LINE = line;
        return true;
    }
    if (!state && response(MEM_READ))
        kept = RSP, line = RSP_LINE, state = 1;
    return false;
}
PLANT(host_read) /* of a line of which the host did not write the last byte */
{
    const mem_req_t q = {.op = MEM_READ, .id = 5, .line = 0x18000000 / LINE_BYTES};
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = (net_rsp_t){.src = HOST_SOURCE, .rsp = {.id = q.id, .data.w[15] = ~0ull}};
        RSP_LINE = q.line;
        return true;
    }
    if (starts && !state && !in.host_req_valid) {
        in.host_req_valid = o.host_req_ready = true;
        in.host_req = q;
        state = 1;
    }
    return false;
}
PLANT(amo_operation)
{
    return request(MEM_AMO) && REQ.amo == AMO_ADD && (REQ.amo = AMO_XOR, true);
}
PLANT(amo_address)
{
    return request(MEM_AMO) && (REQ.amo_off ^= 8, true);
}
PLANT(amo_operand)
{
    return request(MEM_AMO) && (REQ.data.w[0] ^= 1, true);
}
PLANT(amo_comparand) /* of one that fails anyhow */
{
    return request(MEM_AMO) && REQ.amo == AMO_CAS && ++state == 6 && (REQ.data.w[1] ^= 1, true);
}
PLANT(amo_unknown)
{
    return request(MEM_AMO) && (REQ.amo = 15, true);
}
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
/* What the host reads of page faults. */
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

#define ROW(name) {#name, name}
static const struct {
    const char *name;
    bool (*plant)(void);
} plants[] = {
    ROW(none),
    ROW(address),
    ROW(address_outside),
    ROW(address_misaligned),
    ROW(sent_elsewhere),
    ROW(sent_inactive),
    ROW(sent_unknown),
    ROW(sent_twice),
    ROW(datum),
    ROW(datum_spad),
    ROW(operand_spad),
    ROW(access_inactive),
    ROW(access_unknown),
    ROW(access_twice),
    ROW(access_good),
    ROW(access_lost),
    ROW(fence_lost),
    ROW(store_hidden),
    ROW(store_lost),
    ROW(store_invented),
    ROW(store_byte),
    ROW(store_enable),
    ROW(line_outside),
    ROW(request_kind),
    ROW(request_lost),
    ROW(request_twice),
    ROW(amo_stranger),
    ROW(sc_bit),
    ROW(read_byte),
    ROW(fetch_byte),
    ROW(write_answer),
    ROW(amo_answer),
    ROW(answer_lost),
    ROW(answer_lost_late),
    ROW(answer_late),
    ROW(answer_id),
    ROW(answer_line),
    ROW(answer_source),
    ROW(answer_twice),
    ROW(host_read),
    ROW(amo_lost),
    ROW(amo_operation),
    ROW(amo_address),
    ROW(amo_operand),
    ROW(amo_comparand),
    ROW(amo_unknown),
    ROW(result),
    ROW(result_high),
    ROW(result_register),
    ROW(result_unknown),
    ROW(result_inactive),
    ROW(result_lost),
    ROW(result_twice),
    ROW(result_jump),
    ROW(threads_elsewhere),
    ROW(threads_ended),
    ROW(threads_none),
    ROW(instruction),
    ROW(pc),
    ROW(push_word),
    ROW(push_many),
    ROW(push_lost),
    ROW(push_fault),
    ROW(operation),
    ROW(sequence),
    ROW(illegal),
    ROW(fetch_fault),
    ROW(start_lost),
    ROW(start_again),
    ROW(start_early),
    ROW(start_threads),
    ROW(group_beyond),
    ROW(group_twice),
    ROW(group_warps),
    ROW(group_mixed),
    ROW(group_base),
    ROW(slot_busy),
    ROW(spad_end),
    ROW(spad_overlap),
    ROW(fault_value),
    ROW(fault_threads),
    ROW(fault_nowhere),
    ROW(walk_table),
    ROW(walk_space),
    ROW(waits_elsewhere),
    ROW(waits_unknown),
};

/* The plant that this copy of the library stands for: .../NAME/build/cfg/... */
static unsigned chosen(void)
{
    Dl_info info;
    char path[4096];
    if (!dladdr((void *)(uintptr_t)chosen, &info))
        abort();
    snprintf(path, sizeof path, "%s", info.dli_fname);
    char *end = strstr(path, "/build/cfg/");
    for (char *next; end && (next = strstr(end + 1, "/build/cfg/"));)
        end = next;
    if (!end)
        abort();
    *end = 0;
    const char *name = strrchr(path, '/') + 1;
    for (unsigned k = 0; k < sizeof plants / sizeof *plants; k++)
        if (!strcmp(plants[k].name, name))
            return k;
    fprintf(stderr, "plant: there is no '%s'\n", name);
    abort();
}

static bool is(const char *name)
{
    return !strcmp(plants[chosen()].name, name);
}

/* What the plants know of the past, from what the machine really says. */
static void remember(const vellum_out_t *m)
{
    if (m->trace_req_valid & 1)
        asked[m->trace_req[0].id] = m->trace_req[0];
    if (m->trace_start_valid && starts < 64)
        started[starts++] = m->trace_start[0];
    if (m->trace_wb_valid && m->trace_wb[0].res.last && m->trace_wb[0].res.rd)
        results_due[m->trace_wb[0].res.warp]--;
    if (m->trace_mem_valid)
        accesses_due[m->trace_mem[0].warp]--;
    const issued_t *i = &m->trace_issue[0];
    if (in.ctl_req_valid && m->ctl_req_ready && !in.ctl_req.write)
        reading = in.ctl_req.addr;
    if (!m->trace_issue_valid || !i->first || i->op == OP_JOIN)
        return;
    known[i->warp][i->seq] = *i;
    results_due[i->warp] += i->rd_we && i->instr >> 7 & 31;
    accesses_due[i->warp] += i->pipe == PIPE_LSU && i->op != OP_FENCE && i->op != OP_VL_FENCE_WG;
}

int __real_judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *m, const vellum_in_t *mi, sim_error_t *err);
int __wrap_judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *m, const vellum_in_t *mi, sim_error_t *err)
{
    static bool done;
    static int which = -1;
    if (which < 0)
        which = (int)chosen();
    o = *m;
    in = *mi;
    done = done || plants[which].plant();
    remember(m);
    return __real_judge_cycle(j, cycle, &o, &in, err);
}

int __real_judge_fault(judge_t *j, const sim_fault_t *f, sim_error_t *err);
int __wrap_judge_fault(judge_t *j, const sim_fault_t *f, sim_error_t *err)
{
    sim_fault_t changed = *f;
    if (is("fault_value"))
        changed.value ^= 1;
    if (is("fault_threads"))
        changed.mask |= 1;
    if (is("fault_nowhere"))
        changed.core = CORES;
    return __real_judge_fault(j, &changed, err);
}
