/* The golden model: control port, dispatcher and cores, wired as in rtl/top/vellum.sv (docs/blocks/vellum.md). */
#include "sim_c/top/vellum.h"
#include "ctrl_ports.h"
#include "sim_c/core/core.h"
#include "sim_c/top/ctrl.h"
#include "sim_c/top/dispatcher.h"
#include <string.h>

struct vellum {
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

size_t vellum_size(void)
{
    return sizeof(struct vellum) + 64 + align(ctrl_size()) + align(dispatcher_size()) + CORES * align(simt_core_size());
}

static void reset_cores(vellum_t *m)
{
    dispatcher_reset(m->dispatcher);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    for (unsigned c = 0; c < CORES; c++) {
        simt_core_reset(m->core[c], c);
        simt_core_control(m->core[c], &m->ctrl_o.kernel, &m->ctrl_o.policy);
    }
}

void vellum_reset(vellum_t *m)
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

#define TRACE(port, field) do { \
        if (*v->field##_valid) { \
            port##_valid |= 1ull << c; \
            o->port[c] = *v->field; \
        } \
    } while (0)

void vellum_out(const vellum_t *m, vellum_out_t *o)
{
    o->ctl_req_ready = m->ctrl_o.ctl_req_ready;
    o->ctl_rsp_valid = m->ctrl_o.ctl_rsp_valid;
    o->ctl_rsp = m->ctrl_o.ctl_rsp;
    o->running = m->ctrl_o.running;
    uint64_t mem_req_valid = 0, trace_start_valid = 0, trace_redirect_valid = 0, trace_push_valid = 0, trace_issue_valid = 0,
             trace_wb_valid = 0, trace_mem_valid = 0;
    for (unsigned c = 0; c < CORES; c++) {
        const core_view_t *v = &m->view[c];
        if (*v->mem_req_valid) {
            mem_req_valid |= 1ull << c;
            o->mem_req[c] = *v->mem_req;
        }
        TRACE(trace_start, start);
        TRACE(trace_redirect, redirect);
        TRACE(trace_push, push);
        TRACE(trace_issue, issue);
        TRACE(trace_wb, wb);
        TRACE(trace_mem, mem);
    }
    o->mem_req_valid = mem_req_valid;
    o->trace_start_valid = trace_start_valid;
    o->trace_redirect_valid = trace_redirect_valid;
    o->trace_push_valid = trace_push_valid;
    o->trace_issue_valid = trace_issue_valid;
    o->trace_wb_valid = trace_wb_valid;
    o->trace_mem_valid = trace_mem_valid;
}

void vellum_tick(vellum_t *m, const vellum_in_t *in)
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
    bool control = in->ctl_req_valid && m->ctrl_o.ctl_req_ready && in->ctl_req.write;
    ci->ctl_req_valid = in->ctl_req_valid;
    if (in->ctl_req_valid)
        ci->ctl_req = in->ctl_req;
    ci->ctl_rsp_ready = in->ctl_rsp_ready;
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
                .mem_rsp = &in->mem_rsp[c],
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

bool vellum_idle(const vellum_t *m)
{
    return m->asleep;
}

void vellum_skip(vellum_t *m, uint64_t cycles)
{
    ctrl_count(m->ctrl, cycles);
    for (unsigned c = 0; c < CORES; c++)
        simt_core_skip(m->core[c], cycles);
}

const void *vellum_block_out(const vellum_t *m, int core, const char *block)
{
    if (core >= 0)
        return simt_core_block_out(m->core[core], block);
    return !strcmp(block, "ctrl") ? (const void *)&m->ctrl_o : &m->dispatcher_o;
}
