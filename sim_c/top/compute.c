/* See compute.h. Wired as in rtl/top/compute.sv. */
#include "sim_c/top/compute.h"
#include "sim_c/top/ctrl.h"
#include "sim_c/top/dispatcher.h"
#include <string.h>

struct compute {
    ctrl_t *ctrl;
    ctrl_in_t ctrl_in;
    ctrl_out_t ctrl_o;
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
    return sizeof(struct compute) + 64 + align(ctrl_size()) + align(dispatcher_size()) + CORES * align(simt_core_size());
}

static void reset_cores(compute_t *m)
{
    dispatcher_reset(m->dispatcher);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    for (unsigned c = 0; c < CORES; c++) {
        simt_core_reset(m->core[c], c);
        simt_core_control(m->core[c], &m->ctrl_o.kernel, &m->ctrl_o.policy);
    }
}

void compute_reset(compute_t *m)
{
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
    m->ctrl = (ctrl_t *)p;
    p += align(ctrl_size());
    m->dispatcher = (dispatcher_t *)p;
    p += align(dispatcher_size());
    for (unsigned c = 0; c < CORES; c++) {
        m->core[c] = (simt_core_t *)p;
        p += align(simt_core_size());
    }
    memset(&m->ctrl_in, 0, sizeof m->ctrl_in);
    memset(&m->ctrl_o, 0, sizeof m->ctrl_o);
    memset(&m->dispatcher_in, 0, sizeof m->dispatcher_in);
    ctrl_reset(m->ctrl);
    ctrl_out(m->ctrl, &m->ctrl_o);
    reset_cores(m);
    for (unsigned c = 0; c < CORES; c++)
        simt_core_view(m->core[c], &m->view[c]);
    m->asleep = false;
}

void compute_view(compute_t *m, compute_view_t *v)
{
    *v = (compute_view_t){.ctrl = &m->ctrl_o, .core = m->view};
}

void compute_tick(compute_t *m, const compute_wires_t *in)
{
    const bool core_rst = m->ctrl_o.core_rst, kernel_start = m->ctrl_o.kernel_start;
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
    ci->faulted = faulted;
    ci->quiet = quiet;
    ci->dispatch_done = m->dispatcher_o.done;
    di->kernel_start = kernel_start;
    di->halt = m->ctrl_o.halt;
    di->group_ready = group_ready;
    di->group_done = group_done;

    /* Dead time: a running kernel whose blocks all rest. Any rest that lasts ends in a memory response. */
    bool asleep = m->ctrl_o.running && !in->ctl_req_valid && !kernel_start && !core_rst && !group_done
                  && (group_ready == 0 || dispatcher_waiting(m->dispatcher));
    bool calm = true;
    if (core_rst) {
        reset_cores(m);
    } else {
        for (unsigned c = 0; c < CORES; c++) {
            core_wires_t w = {
                .kernel_start = kernel_start,
                .halt_all = m->ctrl_o.halt,
                .reconv_valid = m->ctrl_o.reconv_valid,
                .reconv = &m->ctrl_o.reconv,
                .group_valid = (uint64_t)m->dispatcher_o.group_valid >> c & 1,
                .group = &m->dispatcher_o.group[c],
                .mem_req_ready = (uint64_t)in->mem_req_ready >> c & 1,
                .mem_rsp_valid = (uint64_t)in->mem_rsp_valid >> c & 1,
                .mem_rsp = in->mem_rsp[c],
                .perf_idx = m->ctrl_o.perf_idx,
            };
            simt_core_tick(m->core[c], &w);
        }
        dispatcher_tick(m->dispatcher, di);
        dispatcher_out(m->dispatcher, &m->dispatcher_o);
        for (unsigned c = 0; c < CORES; c++) {
            simt_core_publish(m->core[c]);
            asleep &= simt_core_idle(m->core[c]);
            calm &= *m->view[c].quiet;
        }
        asleep &= !calm; /* ctrl counts the cycles of rest */
    }
    ctrl_tick(m->ctrl, ci);
    ctrl_out(m->ctrl, &m->ctrl_o);
    if (control) {
        di->kernel = m->ctrl_o.kernel;
        for (unsigned c = 0; c < CORES; c++)
            simt_core_control(m->core[c], &m->ctrl_o.kernel, &m->ctrl_o.policy);
    }
    m->asleep = asleep;
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
    return !strcmp(block, "ctrl") ? (const void *)&m->ctrl_o : &m->dispatcher_o;
}
