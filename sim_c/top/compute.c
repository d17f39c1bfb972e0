/* See compute.h. Which block drives which input is generated from rtl/top/compute.sv (compute_nets.inc; docs/conventions.md). A core at rest is not
 * clocked, whatever the others do, until one of its inputs is active: its outputs stay, and its counters are brought up to date when it wakes. */
#include "sim_c/top/compute.h"
#include "perf/perf_shared_twin.h"
#include "sim_c/common/memory_map.h"
#include "sim_c/top/cores.h"
#include "sim_c/top/ctrl.h"
#include "sim_c/top/dispatcher.h"
#include "vl_regs.h"
#include <string.h>

struct compute {
#define STATE(name, b) b##_t *name; b##_in_t name##_in; b##_out_t name##_o;
    COMPUTE_BLOCKS(STATE)
#undef STATE
    simt_core_t *core[CORES];
    core_view_t core_view[CORES];
    compute_shown_t shown;
    compute_joined_t joined;
    compute_last_t last; /* input levels that the cores at rest have received */
    uint64_t clocked, still; /* blocks beside the cores: ticked in this cycle; at rest */
    uint64_t now; /* cycles so far */
    uint64_t resting, counting; /* cores at rest; of these, those with a selected counter that counts */
    uint64_t since[CORES]; /* of a core at rest: the first cycle that it has not counted */
    uint8_t owner[CORES]; /* the kernel of each core, and dispatcher_in.kernel, as the cores last received them */
    policy_t policy;
    uint16_t perf_unit; /* selected at the last edge */
    uint8_t perf_idx;
    bool asleep; /* nothing moved in the last cycle */
    unsigned char arena[];
};

/* A block is clocked unless it is at rest and none of its inputs is active. */
#define WAKES(name, b, moves) ((moves) || !(c->still >> I_##name & 1))
#define MARK(name) (c->clocked |= 1ull << I_##name)
typedef struct compute compute_self_t;
static void publish_vm_ctl(compute_t *m);
#include "compute_nets.inc"

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t compute_size(void)
{
    size_t n = sizeof(struct compute) + 64 + CORES * align(simt_core_size());
#define ADD(name, b) n += align(b##_size());
    COMPUTE_BLOCKS(ADD)
#undef ADD
    return n;
}

/* A core receives the registers of its kernel. */
static void control_core(compute_t *m, unsigned c)
{
    simt_core_control(m->core[c], &m->ctrl_o.kernel[m->ctrl_o.owner[c]], &m->ctrl_o.policy);
}

/* The registers that cores receive differ from those that they last received; most writes are to other registers. */
static bool tells(const compute_t *m)
{
    return memcmp(m->dispatcher_in.kernel, m->ctrl_o.kernel, sizeof m->ctrl_o.kernel)
           || memcmp(m->owner, m->ctrl_o.owner, sizeof m->owner)
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
    }
}

#define IS_SHARED(b) (sizeof #b == sizeof "perf_shared" && !memcmp(#b, "perf_shared", sizeof #b))

static uint64_t core_of(uint16_t perf_unit)
{
    return perf_unit >> 8 == PERF_SEL_KIND_CORE && (perf_unit & 255) < CORES ? 1ull << (perf_unit & 255) : 0;
}

/* The answer of the unit that was selected at the last edge: all others give 0. Returns the cores that hear a new selection. */
static uint64_t answer(compute_t *m, const compute_wires_t *in)
{
    const uint64_t was = core_of(m->perf_unit), now = core_of(m->ctrl_o.perf_unit);
    const bool other = m->perf_unit != m->ctrl_o.perf_unit || m->perf_idx != m->ctrl_o.perf_idx;
    m->ctrl_in.perf_data = in->perf_data;
#define SHARED(name, b) \
    if (IS_SHARED(b)) \
        m->ctrl_in.perf_data |= *(const uint64_t *)(const void *)&m->name##_o; /* its only output */
    COMPUTE_BLOCKS(SHARED)
#undef SHARED
    if (was)
        m->ctrl_in.perf_data |= *m->core_view[__builtin_ctzll(was)].perf_data;
    m->perf_unit = m->ctrl_o.perf_unit, m->perf_idx = m->ctrl_o.perf_idx;
    return other ? was | now : 0;
}

static void reset_core(compute_t *m, unsigned c)
{
    m->resting &= ~(1ull << c);
    simt_core_reset(m->core[c], c);
    control_core(m, c);
    simt_core_vm(m->core[c], &m->vm_ctl_o.root[c], m->vm_ctl_o.tlb_mode, &m->vm_ctl_o.walk_policy);
    compute_hear(m, c);
}

/* A kernel under way, or a stop, with all of its cores at rest: ctrl counts the cycles of rest. */
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
#define PLACE(name, b) \
    m->name = (b##_t *)p, p += align(b##_size()); \
    memset(&m->name##_in, 0, sizeof m->name##_in), memset(&m->name##_o, 0, sizeof m->name##_o); \
    b##_reset(m->name), b##_out(m->name, &m->name##_o);
    COMPUTE_BLOCKS(PLACE)
#undef PLACE
    compute_constants(m);
    for (unsigned c = 0; c < CORES; c++) {
        m->core[c] = (simt_core_t *)p;
        p += align(simt_core_size());
    }
    memset(&m->shown, 0, sizeof m->shown);
    memset(&m->joined, 0, sizeof m->joined);
    memset(&m->last, 0, sizeof m->last);
    tell(m);
    m->now = m->resting = m->still = 0;
    m->clocked = ~0ull;
    for (unsigned c = 0; c < CORES; c++) {
        simt_core_view(m->core[c], &m->core_view[c]);
        reset_core(m, c);
    }
    m->asleep = false;
}

void compute_view(compute_t *m, compute_view_t *v)
{
    compute_outputs(m, v);
}

/* New outputs of vm_ctl; the cores' levels when they differ. */
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

static bool blocks_rest(const compute_t *m)
{
    return (m->still | ALWAYS | COUNTING) == ALL_BLOCKS;
}

void compute_tick(compute_t *m, const compute_wires_t *in)
{
    const uint64_t core_rst = m->ctrl_o.core_rst;
    const bool control = in->ctl_req_valid && m->ctrl_o.ctl_req_ready && in->ctl_req->write;
    /* Dead time: a kernel runs and all blocks rest. Only a memory response can end it. */
    const uint64_t was = m->clocked;
    bool asleep = blocks_rest(m) && !m->ctrl_o.vm_reg_valid && m->ctrl_o.running && !in->ctl_req_valid
                  && !m->ctrl_o.kernel_start && !core_rst && !m->dispatcher_in.group_done
                  && dispatcher_waiting(m->dispatcher, m->dispatcher_in.group_ready);
    m->clocked = 0;
    compute_clock_blocks(m, in, was);
    const uint64_t reads = answer(m, in);
    clock_ctrl(m, in, was); /* ctrl sees the cores as they are before the edge */
    wake(m, compute_called(m, in) | reads);
    const uint64_t clocked = ALL_CORES & ~m->resting & ~core_rst;
    for (unsigned c = 0; c < CORES; c++) {
        if (core_rst >> c & 1)
            reset_core(m, c);
        if (!(clocked >> c & 1))
            continue;
        core_wires_t w;
        compute_wires_core(m, in, c, &w);
        simt_core_tick(m->core[c], &w);
    }
    clock_dispatcher(m, in, was);
    dispatcher_out(m->dispatcher, &m->dispatcher_o);
    compute_remember(m, in);
    m->now++;
    for (uint64_t v = clocked; v; v &= v - 1) {
        unsigned c = (unsigned)__builtin_ctzll(v);
        simt_core_publish(m->core[c]);
        compute_hear(m, c);
        if (simt_core_rests(m->core[c]))
            rest(m, c);
    }
    count_on(m);
    ctrl_out(m->ctrl, &m->ctrl_o);
    compute_publish_blocks(m);
    asleep &= m->resting == ALL_CORES && !m->shown.mem_req_valid[0] && blocks_rest(m);
    if (COUNTING) /* the inputs that they received in this cycle do not change */
        asleep &= !(m->clocked & ~(ALWAYS | COUNTING));
    if (control && tells(m)) {
        tell(m);
        wake(m, ALL_CORES);
        for (unsigned c = 0; c < CORES; c++)
            control_core(m, c);
    }
    m->asleep = asleep && !counts_rest(m, m->ctrl_in.quiet);
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
    if (COUNTING && cycles)
        compute_skip_blocks(m, cycles);
}

const void *compute_block_out(const compute_t *m, int core, const char *block)
{
    if (core >= 0)
        return simt_core_block_out(m->core[core], block);
#define FIND(name, b) if (!strcmp(block, #name)) return &m->name##_o;
    COMPUTE_BLOCKS(FIND)
#undef FIND
    return NULL;
}

const struct lsu *compute_lsu(const compute_t *m, unsigned core)
{
    return simt_core_lsu(m->core[core]);
}
