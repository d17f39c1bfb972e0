/* See compute.h. Wired as in rtl/top/compute.sv. A core at rest is not clocked, whatever the others do, until it hears something new: what
 * it says stands, and its counters are made up for when it wakes. */
#include "sim_c/top/compute.h"
#include "sim_c/top/cores.h"
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
    uint64_t now;                /* cycles so far */
    uint64_t resting, counting;  /* cores at rest; of these, those whose selected counter counts */
    uint64_t since[CORES];       /* of a core at rest: the first cycle that it has not counted */
    uint8_t owner[CORES];        /* as the cores were last told, with dispatcher_in.kernel */
    policy_t policy;
    uint64_t halt;               /* levels that the cores at rest have heard */
    uint8_t perf_idx;
    struct { uint64_t faulted, quiet, group_ready, group_done, inv_done, pf_valid, ipf_valid, req_valid; } says; /* a bit a core */
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

/* The registers that cores hear differ from what they were last told; most writes are to others. */
static bool tells(const compute_t *m)
{
    return memcmp(m->dispatcher_in.kernel, m->ctrl_o.kernel, sizeof m->ctrl_o.kernel) || memcmp(m->owner, m->ctrl_o.owner, sizeof m->owner)
           || memcmp(&m->policy, &m->ctrl_o.policy, sizeof m->policy);
}

static void tell(compute_t *m)
{
    memcpy(m->dispatcher_in.kernel, m->ctrl_o.kernel, sizeof m->ctrl_o.kernel);
    memcpy(m->owner, m->ctrl_o.owner, sizeof m->owner);
    m->policy = m->ctrl_o.policy;
}

static void put(uint64_t *set, unsigned c, bool in)
{
    *set = (*set & ~(1ull << c)) | (uint64_t)in << c;
}

/* What a core says has changed. */
static void hear_core(compute_t *m, unsigned c)
{
    const core_view_t *v = &m->view[c];
    put(&m->says.faulted, c, *v->faulted);
    put(&m->says.quiet, c, *v->quiet);
    put(&m->says.group_ready, c, *v->group_ready);
    put(&m->says.group_done, c, *v->group_done);
    put(&m->says.inv_done, c, *v->inv_done);
    put(&m->says.pf_valid, c, *v->pf_valid[0]);
    put(&m->says.ipf_valid, c, *v->pf_valid[1]);
    put(&m->says.req_valid, c, *v->mem_req_valid);
    if (*v->faulted)
        m->ctrl_in.fault[c] = *v->fault;
    m->ctrl_in.perf_data[c] = *v->perf_data;
}

static void rest(compute_t *m, unsigned c)
{
    m->resting |= 1ull << c;
    m->since[c] = m->now;
    put(&m->counting, c, simt_core_counts(m->core[c]));
}

static void wake(compute_t *m, uint64_t cores)
{
    for (cores &= m->resting; cores; cores &= cores - 1) {
        unsigned c = (unsigned)__builtin_ctzll(cores);
        simt_core_skip(m->core[c], m->now - m->since[c]);
        m->resting &= ~(1ull << c);
    }
}

/* Cycles have passed. */
static void count_on(compute_t *m)
{
    for (uint64_t v = m->resting & m->counting; v; v &= v - 1) {
        unsigned c = (unsigned)__builtin_ctzll(v);
        if (m->now == m->since[c])
            continue;
        simt_core_peek(m->core[c], m->now - m->since[c]);
        m->ctrl_in.perf_data[c] = *m->view[c].perf_data;
    }
}

/* Cores that hear something in this cycle that they did not hear in the last one. */
static uint64_t called(const compute_t *m, const compute_wires_t *in)
{
    const ctrl_out_t *k = &m->ctrl_o;
    const vm_ctl_out_t *v = &m->vm_ctl_o;
    if (v->inv_valid || k->perf_idx != m->perf_idx)
        return UINT64_MAX;
    return in->mem_rsp_valid | (in->mem_req_ready & m->says.req_valid) | (uint64_t)k->core_start | (uint64_t)k->reconv_valid | ((uint64_t)k->core_halt ^ m->halt)
           | (uint64_t)m->dispatcher_o.group_valid | (uint64_t)v->resume_valid | (uint64_t)v->fetch_resume_valid;
}

static void reset_core(compute_t *m, unsigned c)
{
    m->resting &= ~(1ull << c);
    simt_core_reset(m->core[c], c);
    control_core(m, c);
    simt_core_vm(m->core[c], &m->vm_ctl_o.root[c], m->vm_ctl_o.tlb_mode, &m->vm_ctl_o.walk_policy);
    hear_core(m, c);
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
    tell(m);
    m->now = m->resting = m->halt = m->perf_idx = 0;
    for (unsigned c = 0; c < CORES; c++) {
        simt_core_view(m->core[c], &m->view[c]);
        reset_core(m, c);
    }
    m->asleep = false;
}

void compute_view(compute_t *m, compute_view_t *v)
{
    *v = (compute_view_t){.ctrl = &m->ctrl_o, .attention = &m->vm_ctl_o.attention, .core = m->view, .resting = &m->resting, .req_valid = &m->says.req_valid};
}

/* Clocks vm_ctl unless it is at rest, and tells the cores what it has changed. Heard are the outputs of this cycle. */
static void tick_vm_ctl(compute_t *m, uint64_t quiet)
{
    vm_ctl_in_t *in = &m->vm_ctl_in;
    const uint64_t pf_valid = m->says.pf_valid | m->says.ipf_valid << CORES;
    for (uint64_t p = pf_valid; p; p &= p - 1) {
        unsigned k = (unsigned)__builtin_ctzll(p);
        in->pf[k] = *m->view[k % CORES].pf[k / CORES];
    }
    if ((in->reg_valid = m->ctrl_o.vm_reg_valid))
        in->reg = m->ctrl_o.vm_reg;
    in->running = m->ctrl_o.core_running;
    in->core_rst = m->ctrl_o.core_rst;
    in->quiet = quiet;
    in->inv_done = m->says.inv_done;
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
        if (policy || memcmp(&was.root[c], &o->root[c], sizeof was.root[c])) {
            wake(m, 1ull << c);
            simt_core_vm(m->core[c], &o->root[c], o->tlb_mode, &o->walk_policy);
        }
}

void compute_tick(compute_t *m, const compute_wires_t *in)
{
    const uint64_t core_rst = m->ctrl_o.core_rst;
    ctrl_in_t *ci = &m->ctrl_in;
    dispatcher_in_t *di = &m->dispatcher_in;
    const uint64_t group_done = m->says.group_done;

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
    ci->faulted = m->says.faulted;
    ci->quiet = m->says.quiet;
    ci->dispatch_done = m->dispatcher_o.done;
    memcpy(di->owner, m->ctrl_o.owner, sizeof di->owner);
    di->kernel_start = m->ctrl_o.kernel_start;
    di->kernel_rst = m->ctrl_o.kernel_rst;
    di->halt = m->ctrl_o.halt;
    di->group_ready = m->says.group_ready;
    di->group_done = group_done;

    /* Dead time: a running kernel whose blocks all rest. Any rest that lasts ends in a memory response. */
    const bool vm_rests = vm_ctl_idle(m->vm_ctl) && !m->ctrl_o.vm_reg_valid;
    tick_vm_ctl(m, m->says.quiet);
    bool asleep = vm_rests && m->ctrl_o.running && !in->ctl_req_valid && !m->ctrl_o.kernel_start && !core_rst && !group_done
                  && dispatcher_waiting(m->dispatcher, m->says.group_ready);
    ctrl_tick(m->ctrl, ci); /* hears the cores as they are before the edge */
    wake(m, called(m, in));
    const uint64_t clocked = ALL_CORES & ~m->resting & ~core_rst;
    for (unsigned c = 0; c < CORES; c++) {
        if (core_rst >> c & 1)
            reset_core(m, c);
        if (!(clocked >> c & 1))
            continue;
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
            .pf_ready = (uint8_t)((uint64_t)m->vm_ctl_o.pf_ready >> c & 1) | (uint8_t)((uint64_t)m->vm_ctl_o.pf_ready >> (CORES + c) & 1) << 1,
            .fetch_resume_valid = (uint64_t)m->vm_ctl_o.fetch_resume_valid >> c & 1,
            .deny = m->vm_ctl_o.deny,
            .resume_valid = (uint64_t)m->vm_ctl_o.resume_valid >> c & 1,
            .resume = m->vm_ctl_o.resume,
        };
        simt_core_tick(m->core[c], &w);
    }
    dispatcher_tick(m->dispatcher, di);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    m->halt = m->ctrl_o.core_halt;
    m->perf_idx = m->ctrl_o.perf_idx;
    m->now++;
    for (uint64_t v = clocked; v; v &= v - 1) {
        unsigned c = (unsigned)__builtin_ctzll(v);
        simt_core_publish(m->core[c]);
        hear_core(m, c);
        if (simt_core_rests(m->core[c]))
            rest(m, c);
    }
    count_on(m);
    asleep &= m->resting == ALL_CORES && !m->says.req_valid;
    ctrl_out(m->ctrl, &m->ctrl_o);
    if (!vm_rests || !vm_ctl_idle(m->vm_ctl))
        publish_vm_ctl(m);
    if (control && tells(m)) {
        tell(m);
        wake(m, ALL_CORES);
        for (unsigned c = 0; c < CORES; c++)
            control_core(m, c);
    }
    m->asleep = asleep && !counts_rest(m, m->says.quiet);
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
    m->now += cycles;
    count_on(m);
}

const void *compute_block_out(const compute_t *m, int core, const char *block)
{
    if (core >= 0)
        return simt_core_block_out(m->core[core], block);
    return !strcmp(block, "ctrl") ? (const void *)&m->ctrl_o : !strcmp(block, "vm_ctl") ? (const void *)&m->vm_ctl_o : &m->dispatcher_o;
}
