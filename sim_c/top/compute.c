/* See compute.h. Wired as in rtl/top/compute.sv. */
#include "sim_c/top/compute.h"
#include "sim_c/top/ctrl.h"
#include "sim_c/top/dispatcher.h"
#include <string.h>

struct compute {
    ctrl_t *ctrl;
    ctrl_in_t ctrl_in;
    ctrl_out_t ctrl_o;
    vm_ctl_t *vm_ctl;
    vm_ctl_in_t vm_ctl_in;
    vm_ctl_out_t vm_ctl_o;
    dispatcher_t *dispatcher;
    dispatcher_in_t dispatcher_in;
    dispatcher_out_t dispatcher_o;
    simt_core_t *core[CORES];
    core_view_t view[CORES];
    bool asleep; /* in the last cycle nothing moved */
    unsigned char arena[];
};

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t compute_size(void)
{
    return sizeof(struct compute) + 64 + align(ctrl_size()) + align(vm_ctl_size()) + align(dispatcher_size()) + CORES * align(simt_core_size());
}

/* A core hears its kernel's registers. */
static void control_core(compute_t *m, unsigned c)
{
    simt_core_control(m->core[c], &m->ctrl_o.kernel[m->ctrl_o.owner[c]], &m->ctrl_o.policy);
}

static void reset_core(compute_t *m, unsigned c)
{
    simt_core_reset(m->core[c], c);
    control_core(m, c);
    simt_core_vm(m->core[c], &m->vm_ctl_o.root[c], m->vm_ctl_o.tlb_mode, &m->vm_ctl_o.walk_policy);
}

/* A kernel under way, or a stop, whose cores all rest: ctrl counts the cycles of rest. */
static bool counts_rest(const compute_t *m, uint64_t quiet)
{
    uint64_t busy[KERNELS] = {0};
    bool any = false;
    for (unsigned c = 0; c < CORES; c++)
        busy[m->ctrl_o.owner[c]] |= ~quiet & 1ull << c;
    for (unsigned k = 0; k < KERNELS; k++)
        any |= !busy[k] && (uint64_t)m->ctrl_o.running >> k & 1;
    return any;
}

void compute_reset(compute_t *m)
{
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
    m->ctrl = (ctrl_t *)p;
    p += align(ctrl_size());
    m->vm_ctl = (vm_ctl_t *)p;
    p += align(vm_ctl_size());
    m->dispatcher = (dispatcher_t *)p;
    p += align(dispatcher_size());
    for (unsigned c = 0; c < CORES; c++) {
        m->core[c] = (simt_core_t *)p;
        p += align(simt_core_size());
    }
    memset(&m->ctrl_in, 0, sizeof m->ctrl_in);
    memset(&m->ctrl_o, 0, sizeof m->ctrl_o);
    memset(&m->vm_ctl_in, 0, sizeof m->vm_ctl_in);
    memset(&m->vm_ctl_o, 0, sizeof m->vm_ctl_o);
    memset(&m->dispatcher_in, 0, sizeof m->dispatcher_in);
    ctrl_reset(m->ctrl);
    ctrl_out(m->ctrl, &m->ctrl_o);
    vm_ctl_reset(m->vm_ctl);
    vm_ctl_out(m->vm_ctl, &m->vm_ctl_o);
    dispatcher_reset(m->dispatcher);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    for (unsigned c = 0; c < CORES; c++)
        reset_core(m, c);
    for (unsigned c = 0; c < CORES; c++)
        simt_core_view(m->core[c], &m->view[c]);
    m->asleep = false;
}

void compute_view(compute_t *m, compute_view_t *v)
{
    *v = (compute_view_t){.ctrl = &m->ctrl_o, .attention = &m->vm_ctl_o.attention, .core = m->view};
}

/* Clocks vm_ctl unless it is at rest, and tells the cores what it has changed. Heard are the outputs of this cycle. */
static void tick_vm_ctl(compute_t *m, uint64_t quiet)
{
    vm_ctl_in_t *in = &m->vm_ctl_in;
    uint64_t inv_done = 0, pf_valid = 0;
    for (unsigned c = 0; c < CORES; c++) {
        inv_done |= (uint64_t)*m->view[c].inv_done << c;
        if (*m->view[c].pf_valid) {
            pf_valid |= 1ull << c;
            in->pf[c] = *m->view[c].pf;
        }
        if (*m->view[c].ipf_valid) {
            pf_valid |= 1ull << (CORES + c);
            in->pf[CORES + c] = *m->view[c].ipf;
        }
    }
    if ((in->reg_valid = m->ctrl_o.vm_reg_valid))
        in->reg = m->ctrl_o.vm_reg;
    in->running = m->ctrl_o.core_running;
    in->core_rst = m->ctrl_o.core_rst;
    in->quiet = quiet;
    in->inv_done = inv_done;
    in->pf_valid = pf_valid;
    if (in->reg_valid || in->core_rst || pf_valid || !vm_ctl_idle(m->vm_ctl))
        vm_ctl_tick(m->vm_ctl, in);
}

/* Its new outputs; the cores' levels when they differ. */
static void publish_vm_ctl(compute_t *m)
{
    vm_ctl_out_t was = m->vm_ctl_o;
    vm_ctl_out(m->vm_ctl, &m->vm_ctl_o);
    const vm_ctl_out_t *o = &m->vm_ctl_o;
    bool policy = was.tlb_mode != o->tlb_mode || memcmp(&was.walk_policy, &o->walk_policy, sizeof was.walk_policy);
    for (unsigned c = 0; c < CORES; c++)
        if (policy || memcmp(&was.root[c], &o->root[c], sizeof was.root[c]))
            simt_core_vm(m->core[c], &o->root[c], o->tlb_mode, &o->walk_policy);
}

void compute_tick(compute_t *m, const compute_wires_t *in)
{
    const uint64_t core_rst = m->ctrl_o.core_rst;
    ctrl_in_t *ci = &m->ctrl_in;
    dispatcher_in_t *di = &m->dispatcher_in;
    uint64_t faulted = 0, quiet = 0, group_ready = 0, group_done = 0;

    for (unsigned c = 0; c < CORES; c++) {
        const core_view_t *v = &m->view[c];
        if (*v->faulted) {
            faulted |= 1ull << c;
            ci->fault[c] = *v->fault;
        }
        quiet |= (uint64_t)*v->quiet << c;
        group_ready |= (uint64_t)*v->group_ready << c;
        group_done |= (uint64_t)*v->group_done << c;
        ci->perf_data[c] = *v->perf_data;
    }
    bool control = in->ctl_req_valid && m->ctrl_o.ctl_req_ready && in->ctl_req->write;
    ci->ctl_req_valid = in->ctl_req_valid;
    if (in->ctl_req_valid)
        ci->ctl_req = *in->ctl_req;
    ci->ctl_rsp_ready = in->ctl_rsp_ready;
    ci->maint_done = in->maint_done;
    ci->slice_idle = in->slice_idle;
    ci->sched_idle = in->sched_idle;
    ci->dram_idle = in->dram_idle;
    memcpy(ci->slice_perf, in->slice_perf, sizeof ci->slice_perf);
    memcpy(ci->channel_perf, in->channel_perf, sizeof ci->channel_perf);
    if ((ci->vm_rsp_valid = m->vm_ctl_o.reg_rsp_valid))
        ci->vm_rsp = m->vm_ctl_o.reg_rsp;
    ci->faulted = faulted;
    ci->quiet = quiet;
    ci->dispatch_done = m->dispatcher_o.done;
    memcpy(di->owner, m->ctrl_o.owner, sizeof di->owner);
    di->kernel_start = m->ctrl_o.kernel_start;
    di->kernel_rst = m->ctrl_o.kernel_rst;
    di->halt = m->ctrl_o.halt;
    di->group_ready = group_ready;
    di->group_done = group_done;

    /* Dead time: a running kernel whose blocks all rest. Any rest that lasts ends in a memory response. */
    const bool vm_rests = vm_ctl_idle(m->vm_ctl) && !m->ctrl_o.vm_reg_valid;
    tick_vm_ctl(m, quiet);
    bool asleep = vm_rests && m->ctrl_o.running && !in->ctl_req_valid && !m->ctrl_o.kernel_start && !core_rst && !group_done
                  && dispatcher_waiting(m->dispatcher, group_ready);
    for (unsigned c = 0; c < CORES; c++) {
        if (core_rst >> c & 1) {
            reset_core(m, c);
            continue;
        }
        core_wires_t w = {
            .kernel_start = (uint64_t)m->ctrl_o.core_start >> c & 1,
            .halt_all = (uint64_t)m->ctrl_o.core_halt >> c & 1,
            .reconv_valid = (uint64_t)m->ctrl_o.reconv_valid >> c & 1,
            .reconv = &m->ctrl_o.reconv,
            .group_valid = (uint64_t)m->dispatcher_o.group_valid >> c & 1,
            .group = &m->dispatcher_o.group[c],
            .mem_req_ready = (uint64_t)in->mem_req_ready >> c & 1,
            .mem_rsp_valid = (uint64_t)in->mem_rsp_valid >> c & 1,
            .mem_rsp = in->mem_rsp[c],
            .perf_idx = m->ctrl_o.perf_idx,
            .inv_valid = m->vm_ctl_o.inv_valid,
            .inv = &m->vm_ctl_o.inv,
            .pf_ready = (uint64_t)m->vm_ctl_o.pf_ready >> c & 1,
            .ipf_ready = (uint64_t)m->vm_ctl_o.pf_ready >> (CORES + c) & 1,
            .fetch_resume_valid = (uint64_t)m->vm_ctl_o.fetch_resume_valid >> c & 1,
            .deny = m->vm_ctl_o.deny,
            .resume_valid = (uint64_t)m->vm_ctl_o.resume_valid >> c & 1,
            .resume = m->vm_ctl_o.resume,
        };
        simt_core_tick(m->core[c], &w);
    }
    dispatcher_tick(m->dispatcher, di);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    quiet = 0;
    for (unsigned c = 0; c < CORES; c++) {
        if (core_rst >> c & 1)
            continue;
        simt_core_publish(m->core[c]);
        asleep &= simt_core_idle(m->core[c]);
        quiet |= (uint64_t)*m->view[c].quiet << c;
    }
    ctrl_tick(m->ctrl, ci);
    ctrl_out(m->ctrl, &m->ctrl_o);
    if (!vm_rests || !vm_ctl_idle(m->vm_ctl))
        publish_vm_ctl(m);
    if (control) {
        memcpy(di->kernel, m->ctrl_o.kernel, sizeof di->kernel);
        for (unsigned c = 0; c < CORES; c++)
            control_core(m, c);
    }
    m->asleep = asleep && !counts_rest(m, quiet);
}

bool compute_idle(const compute_t *m)
{
    return m->asleep;
}

uint64_t compute_due(const compute_t *m)
{
    return ctrl_due(m->ctrl);
}

void compute_skip(compute_t *m, uint64_t cycles)
{
    ctrl_count(m->ctrl, cycles);
    for (unsigned c = 0; c < CORES; c++)
        simt_core_skip(m->core[c], cycles);
}

const void *compute_block_out(const compute_t *m, int core, const char *block)
{
    if (core >= 0)
        return simt_core_block_out(m->core[core], block);
    return !strcmp(block, "ctrl") ? (const void *)&m->ctrl_o : !strcmp(block, "vm_ctl") ? (const void *)&m->vm_ctl_o : &m->dispatcher_o;
}
