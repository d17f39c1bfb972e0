/* See core.h. Which block drives which input, and when a block is clocked, is generated from rtl/core/core.sv (core_nets.inc; docs/conventions.md). */
#include "sim_c/core/core.h"
#include "sim_c/common/memory_map.h"
#include "perf/perf_twin.h"
#include <string.h>

struct simt_core {
    bool control_changed;
    uint64_t clocked; /* blocks ticked in this cycle */
    uint64_t resting; /* blocks that were at rest in the last cycle */
    bool settled; /* `status` stayed as it was in the last cycle */
#define STATE(name, b) b##_t *name; b##_in_t name##_in; b##_out_t name##_o;
    CORE_BLOCKS(STATE)
#undef STATE
    unsigned char arena[];
};

/* A block is clocked unless it is at rest and none of its inputs is active. */
#define WAKES(name, b, moves) ((moves) || c->control_changed || !(c->resting >> I_##name & 1))
#define MARK(name) (c->clocked |= 1ull << I_##name)
typedef struct simt_core core_self_t;
#include "core_nets.inc"

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t simt_core_size(void)
{
    size_t n = sizeof(struct simt_core) + 64;
#define ADD(name, b) n += align(b##_size());
    CORE_BLOCKS(ADD)
#undef ADD
    return n;
}

void simt_core_reset(simt_core_t *c, unsigned number)
{
    unsigned char *p = (unsigned char *)align((size_t)c->arena);
#define PLACE(name, b) c->name = (b##_t *)p; p += align(b##_size()); memset(&c->name##_in, 0, sizeof c->name##_in); b##_reset(c->name);
    CORE_BLOCKS(PLACE)
#undef PLACE
    core_constants(c);
    core_hold_core(c, number);
    c->control_changed = true;
    c->clocked = ~0ull;
    c->resting = 0;
    c->settled = false;
    simt_core_publish(c);
}

void simt_core_view(simt_core_t *c, core_view_t *v)
{
    core_outputs(c, v);
}

void simt_core_control(simt_core_t *c, const kernel_t *kernel, const policy_t *policy)
{
    core_hold_kernel(c, kernel);
    core_hold_policy(c, policy);
    c->control_changed = true;
}

void simt_core_vm(simt_core_t *c, const root_t *root, uint8_t tlb_mode, const walk_policy_t *walk)
{
    core_hold_root(c, root);
    core_hold_tlb_mode(c, tlb_mode);
    core_hold_walk_policy(c, walk);
    c->control_changed = true;
}

void simt_core_tick(simt_core_t *c, const core_wires_t *w)
{
    const uint64_t was = c->clocked;
    c->clocked = 0;
    core_clock_blocks(c, w, was);
    c->control_changed = false;
}

void simt_core_publish(simt_core_t *c)
{
    const bool halt = c->status_o.halt, quiet = c->status_o.quiet, faulted = c->status_o.faulted,
               shot = c->status_o.inv_done, shoots = c->status_o.ev.shootdown_cycles;
#define PUBLISH(name, b) \
    if (c->clocked >> I_##name & 1) { \
        b##_out(c->name, &c->name##_o); \
        c->resting = (c->resting & ~(1ull << I_##name)) | (uint64_t)b##_idle(c->name) << I_##name; \
    }
    CORE_BLOCKS(PUBLISH)
#undef PUBLISH
    c->settled = halt == c->status_o.halt && quiet == c->status_o.quiet && faulted == c->status_o.faulted
                 && shot == c->status_o.inv_done && shoots == c->status_o.ev.shootdown_cycles;
}

bool simt_core_rests(const simt_core_t *c)
{
    /* In the last cycle nothing but `status` (which follows levels, and settles in one cycle) and the counters was clocked. */
    return !(c->clocked & ~ALWAYS) && !c->control_changed && c->settled && !c->lsu_o.pf_valid && !c->l1i_o.pf_valid;
}

void simt_core_skip(simt_core_t *c, uint64_t cycles)
{
    if (cycles)
        perf_count(c->perf, &c->perf_in, cycles);
}

bool simt_core_counts(const simt_core_t *c)
{
    return perf_step(c->perf, &c->perf_in) != 0;
}

void simt_core_peek(simt_core_t *c, uint64_t cycles)
{
    perf_peek(c->perf, &c->perf_in, cycles - 1, &c->perf_o); /* the value before the last of these cycles counted */
}

const void *simt_core_block_out(const simt_core_t *c, const char *block)
{
#define FIND(name, b) if (!strcmp(block, #name)) return &c->name##_o;
    CORE_BLOCKS(FIND)
#undef FIND
    return NULL;
}

const struct lsu *simt_core_lsu(const simt_core_t *c)
{
    return c->lsu;
}
