/* See judge_counters.h. Counted when the reference steps, not when instructions are issued: an instruction that the machine never finishes is issued, but not stepped. */
#include "sim_c/ref/judge_counters.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <string.h>

void judge_counters_begin(judge_t *j)
{
    j->counters.reading = false;
    j->counters.compared = 0;
}

/* The start of a kernel clears the counters of its cores (docs/blocks/ctrl.md). */
void judge_counters_again(judge_t *j, uint64_t cores)
{
    for (unsigned c = 0; c < CORES; c++)
        if (cores >> c & 1)
            memset(j->counters.count[c], 0, sizeof j->counters.count[c]);
}

static unsigned ones(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

static void count_memory(judge_t *j, unsigned core, const insn_t *i)
{
    if (is_load(i))
        judge_count(j, core, REFERENCE_lsu_loads, 1);
    else if (is_store(i))
        judge_count(j, core, REFERENCE_lsu_stores, 1);
    else if (is_fence(i) || i->op == OP_VL_FENCE_WG)
        judge_count(j, core, REFERENCE_lsu_fences, 1);
    if (!is_atomic(i))
        return;
    judge_count(j, core, REFERENCE_lsu_atomics, 1);
    for (uint64_t m = i->tmask; m; m &= m - 1)
        judge_count(j, core, in_spad(i->addr[__builtin_ctzll(m)]) ? REFERENCE_spad_atomics : REFERENCE_l1d_atomics, 1);
}

/* fflags, frm and fcsr are kept by the floating-point pipe, which therefore executes the accesses to them (docs/blocks/fpu.md). */
static bool is_fcsr_access(const insn_t *i)
{
    const unsigned csr = i->instr >> 20;
    return i->op >= OP_CSRRW && i->op <= OP_CSRRCI && (csr == CSR_FFLAGS || csr == CSR_FRM || csr == CSR_FCSR);
}

void judge_count_instruction(judge_t *j, unsigned core, const insn_t *i, uint64_t taken)
{
    const isa_row_t *row = &isa_rows[i->op];
    const bool jump = i->op == OP_JALR, branch = row->format == FMT_B,
               parts = (jump || branch) && taken && taken != i->tmask;
    judge_count(j, core, REFERENCE_warp_instructions, 1);
    judge_count(j, core, REFERENCE_thread_instructions, ones(i->tmask));
    judge_count(j, core, REFERENCE_branches, branch);
    judge_count(j, core, REFERENCE_jumps_indirect, jump);
    judge_count(j, core, REFERENCE_branches_divergent, parts);
    judge_count(j, core, REFERENCE_simt_divergences, parts && branch);
    switch (is_fcsr_access(i) ? PIPE_FPU : row->pipe) {
    case PIPE_FPU:
        judge_count(j, core, REFERENCE_fpu_beats, BEATS);
        judge_count(j, core, REFERENCE_fpu_lanes, ones(i->tmask));
        break;
    case PIPE_MUL: judge_count(j, core, REFERENCE_mul_beats, BEATS); break;
    case PIPE_LSU: count_memory(j, core, i); break;
    default: break;
    }
}

/* Has this core's kernel come to its end, with all that was issued? A fault, or a stop, leaves instructions in the midst, which may have been counted or not. */
static bool ended_well(const judge_t *j, unsigned core)
{
    const unsigned k = j->kernel_of[core];
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS && j->kernel_of[c] == k; w++) {
            const warp_state_t *s = &j->core[c].warp[w];
            if (j->core[c].ghost[w] || (s->active && (s->live || s->head != s->tail || s->illegal.mask || s->fault)))
                return false;
        }
    return k == KERNELS || j->kernel[k].groups_started == j->kernel[k].groups;
}

static void compare(judge_t *j, unsigned core, unsigned counter, uint64_t value)
{
    static const struct {
        unsigned number;
        const char *name;
    } rows[] = {
#define ROW(k, name, who) [REFERENCE_##name] = {k, #name},
        VL_REFERENCE_COUNTERS(ROW)
#undef ROW
    };
    for (unsigned k = 0; k < REFERENCE_COUNTERS; k++) {
        if (rows[k].number != counter)
            continue;
        j->counters.compared++;
        if (value != j->counters.count[core][k])
            judge_differ(j, core, NO_WARP, NULL, "the counter %s is %" PRIu64 ", in the reference %" PRIu64,
                         rows[k].name, value, j->counters.count[core][k]);
    }
}

void judge_counters_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    counters_state_t *s = &j->counters;
    if (s->reading && o->ctl_rsp_valid) {
        s->reading = false;
        if (s->selected.kind == PERF_SEL_KIND_CORE && s->selected.unit < CORES && ended_well(j, s->selected.unit))
            compare(j, s->selected.unit, s->selected.counter, reg_perf_data_get(o->ctl_rsp.data).count);
    }
    if (!in->ctl_req_valid || !o->ctl_req_ready)
        return;
    const unsigned addr = in->ctl_req.addr & ~7u;
    if (!in->ctl_req.write) {
        s->reading = addr == REG_PERF_DATA;
    } else if (addr == REG_PERF_SEL) {
        s->selected = reg_perf_sel_get(in->ctl_req.data);
    } else if (reg_in_slot(addr) == REG_CMD && reg_slot(addr) < KERNELS) {
        const reg_cmd_t c = reg_cmd_get(in->ctl_req.data);
        /* A kernel that starts while no other runs clears the counters of all cores (docs/blocks/ctrl.md). */
        if (c.start && !c.stop && !(o->running & ~(1ull << reg_slot(addr))))
            memset(s->count, 0, sizeof s->count);
    }
}
