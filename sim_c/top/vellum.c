/* The golden model: compute side and memory side. Which block drives which input is generated from rtl/top/vellum.sv (vellum_nets.inc; docs/conventions.md). */
#include "sim_c/top/vellum.h"
#include "sim_c/mem/memside.h"
#include "sim_c/top/compute.h"
#include "vellum_nets.h"
#include <string.h>

struct vellum {
    compute_t *compute;
    memside_t *memside;
    compute_view_t compute_view;
    memside_view_t memside_view;
    compute_wires_t compute_wires;
    memside_wires_t memside_wires;
    mem_ctl_t told; /* the last value passed to the memory side, of fields that change by themselves */
    bool host_waits; /* the host port offered a request in the last cycle */
    unsigned char arena[];
};
typedef struct vellum vellum_self_t;
#include "vellum_nets.inc"

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t vellum_size(void)
{
    return sizeof(struct vellum) + 64 + align(compute_size()) + align(memside_size());
}

static void tell(vellum_t *m)
{
    m->told = *m->compute_view.mem_ctl;
    memside_control(m->memside, &m->told);
}

void vellum_reset(vellum_t *m)
{
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
    m->compute = (compute_t *)p;
    m->memside = (memside_t *)(p + align(compute_size()));
    compute_reset(m->compute);
    memside_reset(m->memside);
    compute_view(m->compute, &m->compute_view);
    memside_view(m->memside, &m->memside_view);
    vellum_bind_compute(m, &m->compute_wires);
    vellum_bind_memside(m, &m->memside_wires);
    tell(m);
    m->host_waits = false;
}

void vellum_out(const vellum_t *m, vellum_out_t *o)
{
    vellum_show(m, o);
}

void vellum_tick(vellum_t *m, const vellum_in_t *in)
{
    vellum_wires_compute(m, in, &m->compute_wires);
    vellum_wires_memside(m, in, &m->memside_wires);
    const bool control = in->ctl_req_valid && *m->compute_view.ctl_req_ready && in->ctl_req.write;
    m->host_waits = in->host_req_valid;
    /* compute_tick renews what memside_clock reads, memside_publish what compute_tick reads. */
    memside_clock(m->memside, &m->memside_wires);
    compute_tick(m->compute, &m->compute_wires);
    memside_publish(m->memside);
    /* Registers change by a write; counts of walks (docs/blocks/stall_count.md) change by themselves. */
    if (TRANSLATION == TRANSLATION_SHARED ? memcmp(&m->told, m->compute_view.mem_ctl, sizeof m->told) : control)
        tell(m);
}

uint64_t vellum_due(const vellum_t *m)
{
    if (m->host_waits || !compute_idle(m->compute))
        return 0;
    uint64_t a = memside_due(m->memside), b = compute_due(m->compute);
    return a < b ? a : b;
}

uint64_t vellum_dram_ticks(const vellum_t *m, unsigned kind, uint64_t cycles)
{
    return memside_ticks(m->memside, kind, cycles);
}

void vellum_skip(vellum_t *m, uint64_t cycles)
{
    compute_skip(m->compute, cycles);
    memside_skip(m->memside, cycles);
}

const void *vellum_block_out(const vellum_t *m, int index, const char *block, const char *name)
{
    const void *p = memside_block_out(m->memside, block, name, index < 0 ? 0 : (unsigned)index);
    return p ? p : compute_block_out(m->compute, index, block);
}

const struct lsu *vellum_lsu(const vellum_t *m, unsigned core)
{
    return compute_lsu(m->compute, core);
}
