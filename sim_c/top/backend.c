/* The cycle machines as backends of libvellum: memory, control port, the clock, counters. One source for model, RTL and lockstep;
 * which it is, is decided by the `machine` it is linked with. */
#include "sim_c/mem/memory.h"
#include "sim_c/top/machine.h"
#include "sim_c/top/trace.h"
#include "vl_perf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { /* docs/blocks/ctrl.md */
    R_CMD = 0x008, R_CYCLES = 0x018, R_POLICY = 0x020, R_ENTRY_PC = 0x040, R_ARG = 0x048, R_GROUPS_XY = 0x050,
    R_GROUPS_Z = 0x058, R_LOCAL = 0x060, R_OFFSET_XY = 0x068, R_OFFSET_Z = 0x070, R_WARPS_PER_GROUP = 0x078,
    R_LAST_MASK = 0x080, R_SLOTS = 0x088, R_SPAD_BYTES = 0x090, R_STACK_BASE = 0x098, R_STACK_LOG2 = 0x0a0,
    R_MEM_BASE = 0x0a8, R_MEM_LIMIT = 0x0b0, R_RECONV_PC = 0x0c0, R_RECONV_TARGET = 0x0c8, R_PERF_SEL = 0x100,
    R_PERF_DATA = 0x108, R_FAULT_CAUSE = 0x140, R_FAULT_VALUE = 0x148, R_FAULT_PC = 0x150, R_FAULT_MASK = 0x158,
    CMD_START = 1, CMD_RESET = 2,
};

#define COUNTER_ROW(k, name, block, help) {#name, #block, "", help, 0},
static const vl_counter counter_rows[] = {
    {"cycles", "run", "cycles", "cycles from the start of the kernel to its end", 0},
    VL_COUNTERS(COUNTER_ROW)
};
#define N_COUNTERS (sizeof counter_rows / sizeof counter_rows[0])

typedef struct {
    void *m;
    memory_t *mem;
    vellum_in_t in;
    const vellum_out_t *out;
    uint64_t base, limit, cycle;
    vl_reconv held[RECONV_ENTRIES];   /* what the hardware table holds */
    vl_reconv wanted[RECONV_ENTRIES]; /* what it must hold at the next launch */
    bool table_unknown;
    bool dirty; /* the last kernel did not end by itself */
    uint32_t policy[VL_N_POLICIES];
    vl_counter counter[N_COUNTERS];
    trace_t *trace;
    bool fst;
} backend_t;

static int be_trace_end(void *self, vl_error *err);

static void be_close(void *self)
{
    backend_t *b = self;
    vl_error err = {0};
    (void)be_trace_end(b, &err);
    if (b->m)
        machine.close(b->m);
    memory_free(b->mem);
    free(b);
}

static int be_open(void **self, const vl_backend_env *env, vl_error *err)
{
    if (strcmp(env->config, VL_CFG_NAME) || env->cores != CORES || env->warps != WARPS || env->threads != THREADS
        || env->lanes != LANES || env->reconv_entries != RECONV_ENTRIES || env->spad_bytes != SPAD_BYTES) {
        snprintf(err->text, sizeof err->text, "%s was built for another configuration than '%s' is now: run make clean",
                 machine.name, env->config);
        return VL_EBACKEND;
    }
    backend_t *b = calloc(1, sizeof *b);
    if (!b || !(b->mem = memory_new(MEM_LATENCY))) {
        free(b);
        return VL_ENOMEM;
    }
    int r = machine.open(&b->m, env, err);
    if (r) {
        b->m = NULL;
        be_close(b);
        return r;
    }
    b->in.mem_req_ready = (2ull << (CORES - 1)) - 1; /* the memory model takes a request a port in every cycle */
    machine.reset(b->m);
    b->table_unknown = true;
    memcpy(b->counter, counter_rows, sizeof counter_rows);
    *self = b;
    return 0;
}

/* One cycle with the register access in b->in, if any. The outputs of this cycle are in b->out until the next call. */
static int cycle(backend_t *b, vl_error *err)
{
    const vellum_out_t *o = b->out = machine.out(b->m);
    uint64_t rsp_valid = 0;
    for (unsigned c = 0; c < CORES; c++) {
        const mem_rsp_t *rsp = memory_response(b->mem, c);
        if (rsp) {
            rsp_valid |= 1ull << c;
            b->in.mem_rsp[c] = *rsp;
        }
        if ((uint64_t)o->mem_req_valid >> c & 1)
            memory_request(b->mem, c, &o->mem_req[c]);
    }
    b->in.mem_rsp_valid = rsp_valid;
    if (b->trace)
        trace_cycle(b->trace, b->cycle, o);
    int r = machine.tick(b->m, &b->in, err);
    memory_tick(b->mem);
    b->cycle++;
    return r;
}

/* Jumps over cycles in which the machine only waits for memory. Returns how many. */
static uint64_t jump(backend_t *b, uint64_t most)
{
    if (!machine.dead || !machine.dead(b->m))
        return 0;
    uint64_t due = memory_due(b->mem);
    uint64_t n = due < most ? due : most;
    if (n && due != UINT64_MAX) {
        machine.skip(b->m, n);
        memory_skip(b->mem, n);
        b->cycle += n;
        return n;
    }
    return 0;
}

static int access_reg(backend_t *b, bool write, unsigned addr, uint64_t *data, vl_error *err)
{
    int r;
    b->in.ctl_req_valid = true;
    b->in.ctl_req = (ctl_req_t){.write = write, .addr = (uint16_t)addr, .data = write ? *data : 0};
    do {
        r = cycle(b, err);
    } while (!r && !b->out->ctl_req_ready);
    b->in.ctl_req_valid = false;
    if (r || write)
        return r;
    b->in.ctl_rsp_ready = true;
    do {
        r = cycle(b, err);
    } while (!r && !b->out->ctl_rsp_valid);
    *data = b->out->ctl_rsp.data;
    return r;
}

static int put(backend_t *b, unsigned addr, uint64_t data, vl_error *err)
{
    return access_reg(b, true, addr, &data, err);
}

static int be_set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err)
{
    (void)err;
    ((backend_t *)self)->policy[policy] = value;
    return 0;
}

static int be_set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    backend_t *b = self;
    b->base = base;
    b->limit = limit;
    if (memory_window(b->mem, base, limit)) {
        snprintf(err->text, sizeof err->text, "no %llu bytes of memory for the device", (unsigned long long)(limit - base));
        return VL_ENOMEM;
    }
    return machine.window ? machine.window(b->m, base, limit) : 0;
}

static int be_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    uint8_t *p = memory_at(b->mem, addr, bytes);
    if (!p)
        return VL_EACCESS;
    memcpy(p, data, bytes);
    if (machine.write)
        machine.write(b->m, addr, data, bytes);
    return 0;
}

static int be_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    const uint8_t *p = memory_at(b->mem, addr, bytes);
    if (!p)
        return VL_EACCESS;
    memcpy(data, p, bytes);
    return 0;
}

static int be_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    uint8_t *p = memory_at(b->mem, addr, bytes);
    if (!p)
        return VL_EACCESS;
    memset(p, byte, bytes);
    if (machine.fill)
        machine.fill(b->m, addr, byte, bytes);
    return 0;
}

static int be_set_reconv(void *self, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    backend_t *b = self;
    if (entries != RECONV_ENTRIES) {
        snprintf(err->text, sizeof err->text, "a reconvergence table of %u entries for %u", entries, RECONV_ENTRIES);
        return VL_EINVAL;
    }
    memcpy(b->wanted, table, sizeof b->wanted);
    return 0;
}

/* Brings the hardware table to b->wanted, writing only what changes. */
static int load_reconv(backend_t *b, vl_error *err)
{
    for (unsigned i = 0; i < RECONV_ENTRIES; i++) {
        const vl_reconv *w = &b->wanted[i];
        if (!b->table_unknown && w->pc == b->held[i].pc && w->target == b->held[i].target)
            continue;
        int r = put(b, R_RECONV_PC, w->pc, err);
        if (!r)
            r = put(b, R_RECONV_TARGET, (w->target & ((1ull << 48) - 1)) | (uint64_t)i << 48 | (w->pc ? 1ull << 63 : 0), err);
        if (r)
            return r;
        b->held[i] = *w;
    }
    b->table_unknown = false;
    return 0;
}

/* Workgroups of this launch that fit a core at once. */
static uint32_t slots_for(const vl_backend_launch *l)
{
    uint32_t n = WARPS / l->group_warps;
    if (n > GROUPS)
        n = GROUPS;
    if (l->spad_bytes && n > SPAD_BYTES / l->spad_bytes)
        n = SPAD_BYTES / l->spad_bytes;
    return n;
}

static int set_up(backend_t *b, const vl_backend_launch *l, vl_error *err)
{
    uint32_t rest = l->group_threads % THREADS;
    uint64_t last = ~0ull >> (64 - (rest ? rest : THREADS));
    const uint64_t regs[][2] = {
        {R_POLICY, b->policy[VL_POLICY_WARP_SCHED]},
        {R_ENTRY_PC, l->entry},
        {R_ARG, l->arg},
        {R_GROUPS_XY, l->groups[0] | (uint64_t)l->groups[1] << 32},
        {R_GROUPS_Z, l->groups[2]},
        {R_LOCAL, l->local[0] | (uint64_t)l->local[1] << 16 | (uint64_t)l->local[2] << 32},
        {R_OFFSET_XY, l->offset[0] | (uint64_t)l->offset[1] << 32},
        {R_OFFSET_Z, l->offset[2]},
        {R_WARPS_PER_GROUP, l->group_warps},
        {R_LAST_MASK, last},
        {R_SLOTS, slots_for(l)},
        {R_SPAD_BYTES, l->spad_bytes},
        {R_STACK_BASE, l->stack_base},
        {R_STACK_LOG2, l->stack_log2},
        {R_MEM_BASE, b->base},
        {R_MEM_LIMIT, b->limit},
    };
    for (unsigned i = 0; i < sizeof regs / sizeof regs[0]; i++) {
        int r = put(b, (unsigned)regs[i][0], regs[i][1], err);
        if (r)
            return r;
    }
    return load_reconv(b, err);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Clocks the machine until the kernel has ended. */
static int clock_kernel(backend_t *b, const vl_backend_launch *l, vl_error *err)
{
    uint64_t begin = b->cycle, next_look = begin + 4096, shown = now_ms(), ended = 0;
    uint64_t total = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2] * l->group_warps;
    for (;;) {
        int r = cycle(b, err);
        if (r)
            return r;
        for (unsigned c = 0; c < CORES; c++) /* a redirect that stops is the end of a warp */
            ended += ((uint64_t)b->out->trace_redirect_valid >> c & 1) && b->out->trace_redirect[c].stop;
        if (!b->out->running)
            return 0;
        uint64_t done = b->cycle - begin;
        if (l->max_cycles && done >= l->max_cycles)
            return VL_ELIMIT;
        jump(b, l->max_cycles ? l->max_cycles - done : UINT64_MAX);
        if (b->cycle >= next_look) {
            next_look = b->cycle + 4096;
            if (l->progress && now_ms() - shown >= 100) {
                shown = now_ms();
                vl_progress p = {.cycles = done, .groups_done = ended / l->group_warps, .groups_total = total / l->group_warps};
                if (l->progress(l->progress_user, &p))
                    return VL_EINTR;
            }
        }
    }
}

static int read_results(backend_t *b, vl_fault *fault, vl_error *err)
{
    uint64_t v = 0;
    int r = access_reg(b, false, R_CYCLES, &v, err);
    b->counter[0].value = v;
    for (unsigned k = 1; k < N_COUNTERS && !r; k++) {
        b->counter[k].value = 0;
        for (unsigned c = 0; c < CORES && !r; c++) {
            r = put(b, R_PERF_SEL, (k - 1) | (uint64_t)c << 16, err);
            if (!r)
                r = access_reg(b, false, R_PERF_DATA, &v, err);
            b->counter[k].value += v;
        }
    }
    uint64_t cause = 0, pc = 0, mask = 0;
    if (!r)
        r = access_reg(b, false, R_FAULT_CAUSE, &cause, err);
    if (r || !cause)
        return r;
    fault->cause = cause & 0xf;
    fault->core = cause >> 16 & 0xff;
    fault->warp = (uint32_t)(cause >> 32);
    if ((r = access_reg(b, false, R_FAULT_VALUE, &fault->value, err)) || (r = access_reg(b, false, R_FAULT_PC, &pc, err))
        || (r = access_reg(b, false, R_FAULT_MASK, &mask, err)))
        return r;
    fault->pc = pc;
    fault->mask = mask;
    return VL_EFAULT;
}

/* Ends whatever still runs in the cores. */
static int stop(backend_t *b, vl_error *err)
{
    int r = put(b, R_CMD, CMD_RESET, err);
    for (unsigned i = 0; i < 8 && !r; i++)
        r = cycle(b, err);
    memory_reset(b->mem);
    b->table_unknown = true;
    b->dirty = false;
    return r;
}

static int be_run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    backend_t *b = self;
    int r = b->dirty ? stop(b, err) : 0;
    if (!r)
        r = set_up(b, l, err);
    if (!r && machine.begin)
        r = machine.begin(b->m, l, err);
    if (!r)
        r = put(b, R_CMD, CMD_START, err);
    if (r)
        return r;
    b->dirty = true;
    r = clock_kernel(b, l, err);
    if (r == VL_EDIFF)
        return r;
    int rr = read_results(b, fault, err);
    if (r)
        return r;
    b->dirty = rr != 0;
    if (rr == VL_EFAULT && machine.fault && machine.fault(b->m, fault, err))
        return VL_EDIFF;
    if (!rr && machine.end)
        rr = machine.end(b->m, err);
    return rr;
}

static const vl_counter *be_counters(void *self, size_t *n)
{
    *n = N_COUNTERS;
    return ((backend_t *)self)->counter;
}

static int be_trace_begin(void *self, const char *kind, const char *path, vl_error *err)
{
    backend_t *b = self;
    if (!strcmp(kind, "fst")) {
        if (!machine.fst)
            return VL_ENOTSUP;
        int r = machine.fst(b->m, path);
        b->fst = r == 0;
        return r;
    }
    int r = trace_open(&b->trace, kind, path);
    if (r == VL_EIO)
        snprintf(err->text, sizeof err->text, "cannot write the trace '%s'", path);
    return r;
}

static int be_trace_end(void *self, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    int r = 0;
    if (b->fst)
        machine.fst_end(b->m);
    if (b->trace)
        r = trace_close(b->trace, b->cycle);
    b->fst = false;
    b->trace = NULL;
    return r;
}

static const vl_backend_ops ops = {
    .abi = VL_BACKEND_ABI,
    .open = be_open,
    .close = be_close,
    .set_policy = be_set_policy,
    .set_window = be_set_window,
    .write = be_write,
    .read = be_read,
    .fill = be_fill,
    .set_reconv = be_set_reconv,
    .run = be_run,
    .counters = be_counters,
    .trace_begin = be_trace_begin,
    .trace_end = be_trace_end,
};

__attribute__((visibility("default"))) const vl_backend_ops *vl_backend(void)
{
    return &ops;
}
