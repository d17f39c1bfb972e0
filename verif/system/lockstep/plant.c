/* Lies to the judge: linked between the lockstep and the judge (--wrap), it changes one thing in the machine's report. The name
 * of the folder gives the change: the one with the build/cfg/ that the library was opened from. For one core and one beat a warp. */
#include <dlfcn.h>
#include "verif/system/lockstep/lies_access.h"
#include "verif/system/lockstep/lies_request.h"
#include "verif/system/lockstep/lies_result.h"
#include "verif/system/lockstep/lies_start.h"

/* The plant that this copy of the library stands for: .../NAME/build/cfg/... */
static const plant_t *chosen(void)
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
    for (const plant_t *p = plants; p; p = p->next)
        if (!strcmp(p->name, name))
            return p;
    fprintf(stderr, "plant: there is no '%s'\n", name);
    abort();
}

static bool is(const char *name)
{
    return !strcmp(chosen()->name, name);
}

/* The past as the plants know it, from the machine's true reports. */
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
    static const plant_t *which;
    if (!which)
        which = chosen();
    o = *m;
    in = *mi;
    done = done || which->lies();
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
