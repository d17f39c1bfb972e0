/* The golden model: compute side and memory side, wired as in rtl/top/vellum.sv (docs/blocks/vellum.md). */
#include "sim_c/top/vellum.h"
#include "sim_c/mem/memside.h"
#include "sim_c/top/compute.h"
#include "sim_c/top/cores.h"
#include <string.h>

struct vellum {
    compute_t *compute;
    memside_t *mem;
    compute_view_t c;
    memside_view_t v;
    bool host_waits; /* the host port offered a request in the last cycle */
    unsigned char arena[];
};

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t vellum_size(void)
{
    return sizeof(struct vellum) + 64 + align(compute_size()) + align(memside_size());
}

void vellum_reset(vellum_t *m)
{
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
    m->compute = (compute_t *)p;
    m->mem = (memside_t *)(p + align(compute_size()));
    compute_reset(m->compute);
    memside_reset(m->mem);
    compute_view(m->compute, &m->c);
    memside_view(m->mem, &m->v);
    memside_control(m->mem, &m->c.ctrl->mem_ctl);
    m->host_waits = false;
}

#define TRACE(port) do { \
        if (*v->port##_valid) { \
            port##_valid |= 1ull << c; \
            o->port[c] = *v->port; \
        } \
    } while (0)

static void core_traces(const vellum_t *m, vellum_out_t *o)
{
    uint64_t trace_start_valid = 0, trace_redirect_valid = 0, trace_push_valid = 0, trace_issue_valid = 0,
             trace_wb_valid = 0, trace_mem_valid = 0, trace_sent_valid = 0;
    for (uint64_t left = ALL_CORES & ~*m->c.resting; left; left &= left - 1) {
        const unsigned c = (unsigned)__builtin_ctzll(left);
        const core_view_t *v = &m->c.core[c];
        TRACE(trace_start);
        TRACE(trace_redirect);
        TRACE(trace_push);
        TRACE(trace_issue);
        TRACE(trace_wb);
        TRACE(trace_mem);
        TRACE(trace_sent);
    }
    o->trace_start_valid = trace_start_valid;
    o->trace_redirect_valid = trace_redirect_valid;
    o->trace_push_valid = trace_push_valid;
    o->trace_issue_valid = trace_issue_valid;
    o->trace_wb_valid = trace_wb_valid;
    o->trace_mem_valid = trace_mem_valid;
    o->trace_sent_valid = trace_sent_valid;
}

void vellum_out(const vellum_t *m, vellum_out_t *o)
{
    const ctrl_out_t *k = m->c.ctrl;
    const memside_view_t *v = &m->v;
    o->ctl_req_ready = k->ctl_req_ready;
    o->ctl_rsp_valid = k->ctl_rsp_valid;
    o->ctl_rsp = k->ctl_rsp;
    o->running = k->running;
    o->attention = *m->c.attention;
    o->host_req_ready = (uint64_t)v->req_net->req_ready >> CORES & 1;
    o->host_rsp_valid = (uint64_t)v->rsp_net->rsp_valid >> CORES & 1;
    if (o->host_rsp_valid)
        o->host_rsp = v->rsp_net->rsp[CORES];
    for (unsigned c = 0; c < CHANNELS; c++)
        o->pins[c] = v->dram_ctrl[c]->pins;
    const uint64_t req = *m->c.req_valid & v->req_net->req_ready;
    uint64_t rsp = 0;
    for (uint64_t left = req; left; left &= left - 1) {
        const unsigned c = (unsigned)__builtin_ctzll(left);
        o->trace_req[c] = *m->c.core[c].mem_req;
    }
    for (unsigned s = 0; s < SLICES; s++) {
        o->trace_rsp_line[s] = v->l2[s]->trace_line;
        if (v->l2[s]->net_rsp_valid && ((uint64_t)v->rsp_net->slice_rsp_ready >> s & 1)) {
            rsp |= 1ull << s;
            o->trace_rsp[s] = v->l2[s]->net_rsp;
        }
    }
    o->trace_req_valid = req;
    o->trace_rsp_valid = rsp;
    core_traces(m, o);
}

void vellum_tick(vellum_t *m, const vellum_in_t *in)
{
    const memside_view_t *v = &m->v;
    memside_wires_t w = {.epoch = m->c.ctrl->epoch,
                         .maint_valid = m->c.ctrl->maint_valid,
                         .maint = m->c.ctrl->maint,
                         .perf_clear = m->c.ctrl->perf_clear,
                         .perf_idx = m->c.ctrl->perf_idx};
    compute_wires_t c = {
        .ctl_req_valid = in->ctl_req_valid,
        .ctl_req = &in->ctl_req,
        .ctl_rsp_ready = in->ctl_rsp_ready,
        .mem_req_ready = v->req_net->req_ready & ALL_CORES,
        .mem_rsp_valid = v->rsp_net->rsp_valid & ALL_CORES,
        .mem_rsp = v->rsp_net->rsp,
        .slice_perf = v->slice_perf,
        .channel_perf = v->channel_perf,
    };
    bool control = in->ctl_req_valid && m->c.ctrl->ctl_req_ready && in->ctl_req.write;
    w.req_valid = *m->c.req_valid;
    for (unsigned k = 0; k < CORES; k++) {
        w.req[k] = m->c.core[k].mem_req;
    }
    w.req_valid |= (uint64_t)in->host_req_valid << CORES;
    w.req[CORES] = &in->host_req;
    for (unsigned k = 0; k < CHANNELS; k++)
        w.rd[k] = (uint64_t)in->rd_valid >> k & 1 ? (const void *)&in->rd[k] : NULL;
    for (unsigned s = 0; s < SLICES; s++) {
        c.maint_done |= (uint64_t)v->l2[s]->maint_done << s;
        c.slice_idle |= (uint64_t)v->l2[s]->idle << s;
    }
    for (unsigned k = 0; k < CHANNELS; k++) {
        c.sched_idle |= (uint64_t)v->mem_sched[k]->idle << k;
        c.dram_idle |= (uint64_t)v->dram_ctrl[k]->idle << k;
    }
    m->host_waits = in->host_req_valid;
    /* compute_tick renews what memside_clock reads, memside_publish what compute_tick reads. */
    memside_clock(m->mem, &w);
    compute_tick(m->compute, &c);
    memside_publish(m->mem);
    if (control)
        memside_control(m->mem, &m->c.ctrl->mem_ctl);
}

uint64_t vellum_due(const vellum_t *m)
{
    if (m->host_waits || !compute_idle(m->compute))
        return 0;
    uint64_t a = memside_due(m->mem), b = compute_due(m->compute);
    return a < b ? a : b;
}

uint64_t vellum_dram_ticks(const vellum_t *m, uint64_t cycles)
{
    return memside_ticks(m->mem, cycles);
}

void vellum_skip(vellum_t *m, uint64_t cycles)
{
    compute_skip(m->compute, cycles);
    memside_skip(m->mem, cycles);
}

const void *vellum_block_out(const vellum_t *m, int index, const char *block)
{
    const void *p = memside_block_out(m->mem, block, index < 0 ? 0 : (unsigned)index);
    return p ? p : compute_block_out(m->compute, index, block);
}
