/* The cycle machines as backends of libvellum: control port, host port, the memory chips, the clock, counters. One source for model,
 * RTL and lockstep; which it is, is decided by the `machine` it is linked with. */
#include "sim_c/top/chips.h"
#include "sim_c/top/cores.h"
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
    R_MEM_BASE = 0x0a8, R_MEM_LIMIT = 0x0b0, R_CORES = 0x0b8, R_KERNEL_STATUS = 0x0d0, R_SLOT = 0x1000 /* a kernel slot's after the other's */, R_RECONV_PC = 0x0c0, R_RECONV_TARGET = 0x0c8, R_PERF_SEL = 0x100,
    R_PERF_DATA = 0x108, R_FAULT_CAUSE = 0x140, R_FAULT_VALUE = 0x148, R_FAULT_PC = 0x150, R_FAULT_MASK = 0x158,
    R_STATUS = 0x010, R_SCHED = 0x180, R_PAGE_POLICY = 0x1a8, R_MAINT = 0x1b0,
    /* docs/blocks/vm_ctl.md */
    R_ROOT = 0x200, R_TLB_MODE = 0x400, R_WALK = 0x408, R_INV_PAGE = 0x410, R_INV = 0x418, R_PF_WHAT = 0x420, R_PF_VALUE = 0x428, R_PF_PC = 0x430,
    R_PF_THREADS = 0x438, R_PF_POP = 0x440, R_RESUME = 0x448,
    CMD_START = 1, CMD_RESET = 2, STATUS_MAINT = 4, STATUS_STOPPING = 8, STATUS_REST = 16,
};

/* Requests of the host port under way, at most; a request's id is its place. */
enum { HOST_WAYS = 16 };
/* Cycles after which a machine that is to come to rest is given up. */
enum { PATIENCE = 10000000 };

#define COUNTER_ROW(k, name, block, help) {#name, #block, "", help, 0},
static const vl_counter counter_rows[] = {
    {"cycles", "run", "cycles", "cycles from the start of the kernel to its end", 0},
    VL_COUNTERS(COUNTER_ROW)
    VL_SLICE_COUNTERS(COUNTER_ROW)
    VL_CHANNEL_COUNTERS(COUNTER_ROW)
};
#define N_COUNTERS (sizeof counter_rows / sizeof counter_rows[0])

/* What has counters: number of counters, how many of it there are, in the order of PERF_SEL (docs/blocks/ctrl.md). */
static const struct { unsigned counters, units; } counted[] = {{COUNTERS, CORES}, {SLICE_COUNTERS, SLICES}, {CHANNEL_COUNTERS, CHANNELS}};

typedef struct {
    void *m;
    chips_t *chips;
    vl_store store; /* bytes NULL: none */
    vellum_in_t in;
    const vellum_out_t *out;
    uint64_t base, limit, cycle;
    struct {
        uint64_t cores;                   /* that belong to it */
        vl_reconv held[RECONV_ENTRIES];   /* what their tables hold */
        vl_reconv wanted[RECONV_ENTRIES]; /* what they must hold at the next launch */
        bool table_unknown;
        bool dirty; /* its last kernel did not end by itself */
    } slot[KERNELS];
    bool back_door;
    bool clocked; /* kernels run: the host port alone is coherent with what they do */
    bool cached;  /* the L2 may hold lines */
    uint32_t policy[VL_N_POLICIES];
    uint64_t warps_ended; /* of all kernels */
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
    chips_free(b->chips);
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
    if (!b)
        return VL_ENOMEM;
    int r = chips_new(&b->chips, err);
    if (!r && (r = machine.open(&b->m, env, err)))
        b->m = NULL;
    if (r) {
        be_close(b);
        return r;
    }
    machine.reset(b->m);
    for (unsigned k = 0; k < KERNELS; k++)
        b->slot[k].table_unknown = true;
    b->slot[0].cores = ALL_CORES;
    memcpy(b->counter, counter_rows, sizeof counter_rows);
    *self = b;
    return 0;
}

/* One cycle with what stands in b->in. The outputs of this cycle are in b->out until the next call. */
static int cycle(backend_t *b, vl_error *err)
{
    const vellum_out_t *o = b->out = machine.out(b->m);
    chips_read(b->chips, &b->in);
    if (b->trace)
        trace_cycle(b->trace, b->cycle, o);
    if (o->trace_redirect_valid)
        for (unsigned c = 0; c < CORES; c++) /* a redirect that stops is the end of a warp */
            b->warps_ended += ((uint64_t)o->trace_redirect_valid >> c & 1) && o->trace_redirect[c].stop;
    int r = chips_cycle(b->chips, o, err);
    if (!r)
        r = machine.tick(b->m, &b->in, err);
    b->cycle++;
    return r;
}

/* Jumps over cycles, at most `most`, in which nothing happens but that time passes. */
static int jump(backend_t *b, uint64_t most, vl_error *err)
{
    uint64_t n = machine.due ? machine.due(b->m) : 0;
    if (n < 2)
        return 0;
    uint64_t chips = chips_due(b->chips); /* DRAM clocks, of which a cycle has two at most */
    if (n > chips / 2)
        n = chips / 2;
    if (n > most)
        n = most;
    if (n > UINT32_MAX) /* nothing will ever happen: the cycle limit or the user ends it */
        n = UINT32_MAX;
    if (!n)
        return 0;
    int r = chips_skip(b->chips, machine.dram_ticks(b->m, n), err);
    machine.skip(b->m, n);
    b->cycle += n;
    return r;
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

static int be_use_store(void *self, const vl_store *store, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    b->store = *store;
    chips_use_store(b->chips, store);
    return 0;
}

static int be_set_root(void *self, uint32_t core, const vl_root *root, vl_error *err)
{
    backend_t *b = self;
    uint64_t v;
    int r = put(b, R_ROOT + 8 * core, root->ppn | (uint64_t)root->asid << 36 | (uint64_t)root->sv48 << 63, err);
    for (uint64_t begin = b->cycle; !r;) {
        if ((r = access_reg(b, false, R_ROOT + 8 * core, &v, err)) || !(v >> 62 & 1))
            break;
        if (b->cycle - begin > PATIENCE) {
            snprintf(err->text, sizeof err->text, "core %u has not come to rest after %u cycles", core, PATIENCE);
            r = VL_EBACKEND;
        }
    }
    return r;
}

static int be_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err)
{
    static const uint8_t scopes[] = {[VL_INV_ALL] = INV_ALL, [VL_INV_ASID] = INV_ASID, [VL_INV_PAGE] = INV_PAGE};
    backend_t *b = self;
    uint64_t v;
    int r = put(b, R_INV_PAGE, address & 0xfffffffff000, err);
    if (!r)
        r = put(b, R_INV, scopes[scope] | (uint64_t)asid << 16, err);
    for (uint64_t begin = b->cycle; !r;) {
        if ((r = access_reg(b, false, R_INV, &v, err)) || !(v & 1))
            break;
        if (b->cycle - begin > PATIENCE) {
            snprintf(err->text, sizeof err->text, "a shootdown has not ended after %u cycles", PATIENCE);
            r = VL_EBACKEND;
        }
    }
    return r;
}

static int be_set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    backend_t *b = self;
    (void)err;
    b->base = base;
    b->limit = limit;
    return machine.window ? machine.window(b->m, base, limit) : 0;
}

/* ---- the host port -------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t addr;
    uint8_t *to; /* a read: its bytes go there */
    unsigned bytes;
    bool busy;
} way_t;

/* What came in the last cycle. True: an answer that was awaited. */
static bool host_answer(backend_t *b, way_t way[HOST_WAYS])
{
    const mem_rsp_t *rsp = &b->out->host_rsp;
    if (!b->out->host_rsp_valid || rsp->id >= HOST_WAYS || !way[rsp->id].busy)
        return false;
    way_t *w = &way[rsp->id];
    if (w->to)
        memcpy(w->to, (const uint8_t *)rsp->data.w + w->addr % LINE_BYTES, w->bytes);
    w->busy = false;
    return true;
}

/* Moves bytes through the host port: `from`, or `byte` where from and to are NULL. */
static int host_move(backend_t *b, uint64_t addr, const uint8_t *from, uint8_t byte, uint8_t *to, uint64_t bytes, vl_error *err)
{
    way_t way[HOST_WAYS] = {0};
    unsigned under_way = 0, next = 0;
    int r = 0;
    b->cached = true;
    while (!r && (bytes || under_way)) {
        bool send = bytes && !way[next].busy;
        unsigned at = addr % LINE_BYTES, n = bytes < LINE_BYTES - at ? (unsigned)bytes : LINE_BYTES - at;
        if (send) {
            mem_req_t *q = &b->in.host_req;
            memset(q, 0, sizeof *q);
            q->op = to ? MEM_READ : MEM_WRITE;
            q->id = (uint16_t)next;
            q->line = addr / LINE_BYTES;
            for (unsigned k = at; !to && k < at + n; k++)
                q->be.w[k / 64] |= 1ull << (k % 64);
            if (from)
                memcpy((uint8_t *)q->data.w + at, from, n);
            else if (!to)
                memset((uint8_t *)q->data.w + at, byte, n);
        }
        b->in.host_req_valid = send;
        r = cycle(b, err);
        if (send && b->out->host_req_ready) {
            way[next] = (way_t){.addr = addr, .to = to, .bytes = n, .busy = true};
            next = (next + 1) % HOST_WAYS;
            under_way++;
            addr += n, bytes -= n;
            from = from ? from + n : NULL;
            to = to ? to + n : NULL;
        }
        under_way -= host_answer(b, way);
    }
    b->in.host_req_valid = false;
    return r;
}

/* ---- the back door: only while no kernel runs ------------------------------------------------------------------------ */

/* Waits until the bits of a status register in `mask` are `want`. */
static int await_in(backend_t *b, unsigned reg, uint64_t mask, uint64_t want, const char *what, vl_error *err)
{
    for (uint64_t begin = b->cycle;;) {
        uint64_t v;
        int r = access_reg(b, false, reg, &v, err);
        if (r || (v & mask) == want)
            return r;
        if (b->cycle - begin > PATIENCE) {
            snprintf(err->text, sizeof err->text, "%s has not ended after %u cycles", what, PATIENCE);
            return VL_EBACKEND;
        }
    }
}

static int await(backend_t *b, uint64_t mask, uint64_t want, const char *what, vl_error *err)
{
    return await_in(b, R_STATUS, mask, want, what, err);
}

static int maintain(backend_t *b, unsigned op, uint64_t line, vl_error *err)
{
    int r = put(b, R_MAINT, op | line << 7, err);
    return r ? r : await(b, STATUS_MAINT, 0, "maintenance of the L2", err);
}

/* Everything in the chips, nothing in the caches. */
static int open_back_door(backend_t *b, vl_error *err)
{
    if (!b->cached)
        return 0;
    int r = maintain(b, L2_INVAL_ALL, 0, err);
    if (!r)
        r = await(b, STATUS_REST, STATUS_REST, "the write-back to the chips", err);
    for (unsigned i = 0; i < 64 && !r; i++) /* the last beats of write data */
        r = cycle(b, err);
    b->cached = r != 0;
    return r;
}

static bool by_back_door(const backend_t *b) { return b->back_door && !b->clocked; }

static int be_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    if (!by_back_door(b))
        return host_move(b, addr, data, 0, NULL, bytes, err);
    int r = open_back_door(b, err);
    if (!r && !(r = chips_load(b->chips, addr, data, bytes)) && machine.write)
        machine.write(b->m, addr, data, bytes);
    return r;
}

static int be_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    if (!by_back_door(b))
        return host_move(b, addr, NULL, 0, data, bytes, err);
    int r = open_back_door(b, err);
    return r ? r : chips_dump(b->chips, addr, data, bytes);
}

static int be_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    backend_t *b = self;
    if (!by_back_door(b))
        return host_move(b, addr, NULL, byte, NULL, bytes, err);
    uint8_t line[LINE_BYTES];
    memset(line, byte, sizeof line);
    int r = open_back_door(b, err);
    for (uint64_t at = addr, left = bytes; left && !r;) {
        uint64_t n = LINE_BYTES - at % LINE_BYTES;
        n = n < left ? n : left;
        r = chips_load(b->chips, at, line, n);
        at += n, left -= n;
    }
    if (!r && machine.fill)
        machine.fill(b->m, addr, byte, bytes);
    return r;
}

static int be_back_door(void *self, bool open)
{
    ((backend_t *)self)->back_door = open;
    return 0;
}

static int be_set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    backend_t *b = self;
    if (kernel >= KERNELS) {
        snprintf(err->text, sizeof err->text, "kernel %u of a machine that runs %u at once", kernel, KERNELS);
        return VL_EINVAL;
    }
    if (entries != RECONV_ENTRIES) {
        snprintf(err->text, sizeof err->text, "a reconvergence table of %u entries for %u", entries, RECONV_ENTRIES);
        return VL_EINVAL;
    }
    memcpy(b->slot[kernel].wanted, table, sizeof b->slot[kernel].wanted);
    return 0;
}

/* Brings the tables of a slot's cores to what is wanted, writing only what changes. */
static int load_reconv(backend_t *b, unsigned slot, vl_error *err)
{
    for (unsigned i = 0; i < RECONV_ENTRIES; i++) {
        const vl_reconv *w = &b->slot[slot].wanted[i], *held = &b->slot[slot].held[i];
        if (!b->slot[slot].table_unknown && w->pc == held->pc && w->target == held->target)
            continue;
        int r = put(b, slot * R_SLOT + R_RECONV_PC, w->pc, err);
        if (!r)
            r = put(b, slot * R_SLOT + R_RECONV_TARGET, (w->target & ((1ull << 48) - 1)) | (uint64_t)i << 48 | (w->pc ? 1ull << 63 : 0), err);
        if (r)
            return r;
        b->slot[slot].held[i] = *w;
    }
    b->slot[slot].table_unknown = false;
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

static int set_up(backend_t *b, unsigned slot, const vl_backend_launch *l, vl_error *err)
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
        int r = put(b, (unsigned)regs[i][0] + (regs[i][0] == R_POLICY ? 0 : slot * R_SLOT), regs[i][1], err);
        if (r)
            return r;
    }
    uint64_t sched;
    int r = access_reg(b, false, R_SCHED, &sched, err);
    if (!r)
        r = put(b, R_SCHED, (sched & ~1ull) | b->policy[VL_POLICY_MEM_SCHED], err);
    if (!r)
        r = put(b, R_PAGE_POLICY, b->policy[VL_POLICY_PAGE], err);
    uint32_t walkers = b->policy[VL_POLICY_WALKS];
    if (!r)
        r = put(b, R_TLB_MODE, TLB_OVERLAP - b->policy[VL_POLICY_TLB], err);
    if (!r)
        r = put(b, R_WALK, walkers ? walkers << 4 : 1 | 1 << 4, err);
    return r ? r : load_reconv(b, slot, err);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- kernels that run at once ------------------------------------------------------------------------------------------- */

/* The jobs of a launch; job k is in kernel slot k. */
typedef struct {
    vl_backend_job *job;
    uint32_t n;
    uint64_t running; /* jobs, a bit each */
} jobs_t;

/* The job that the core is at; NULL: none that runs. */
static vl_backend_job *job_of(const jobs_t *all, unsigned core)
{
    for (uint32_t k = 0; k < all->n; k++)
        if (all->running >> k & 1 && all->job[k].cores >> core & 1)
            return &all->job[k];
    return NULL;
}

/* Ends whatever still runs in the cores of a slot. */
static int stop(backend_t *b, unsigned slot, vl_error *err)
{
    int r = put(b, slot * R_SLOT + R_CMD, CMD_RESET, err);
    if (!r)
        r = await_in(b, slot * R_SLOT + R_KERNEL_STATUS, STATUS_STOPPING, 0, "the stop of the cores", err);
    for (unsigned i = 0; i < 8 && !r; i++)
        r = cycle(b, err);
    b->slot[slot].table_unknown = true;
    b->slot[slot].dirty = false;
    return r;
}

/* The oldest page fault of the queue: the host maps the page and the instruction goes on, or its kernel ends by it (VL_EFAULT in its job). */
static int serve_fault(backend_t *b, const jobs_t *all, vl_error *err)
{
    uint64_t what, value, pc, threads;
    int r;
    if ((r = access_reg(b, false, R_PF_WHAT, &what, err)) || (r = access_reg(b, false, R_PF_VALUE, &value, err))
        || (r = access_reg(b, false, R_PF_PC, &pc, err)) || (r = access_reg(b, false, R_PF_THREADS, &threads, err)) || (r = put(b, R_PF_POP, 0, err)))
        return r;
    const bool fetch = what & 1, access = what >> 1 & 1, store = what >> 2 & 1;
    value = (uint64_t)((int64_t)(value << 16) >> 16); /* canonical */
    const vl_page_fault f = {.cause = fetch ? VL_FAULT_FETCH_PAGE : store ? VL_FAULT_STORE_PAGE : VL_FAULT_LOAD_PAGE, .access = fetch ? VL_ACCESS_FETCH : store ? VL_ACCESS_STORE : VL_ACCESS_LOAD,
                             .address = value,
                             .pc = pc, .core = what >> 16 & 255, .warp = what >> 8 & 255, .threads = threads};
    vl_backend_job *job = job_of(all, f.core);
    if (!job || job->code) /* fetched ahead of its end, or already given up */
        return 0;
    const vl_backend_launch *l = job->launch;
    r = access || !l->page_fault ? VL_EFAULT : l->page_fault(l->memory_user, &f, err);
    if (!r || (r == VL_EFAULT && fetch)) /* a fetch may have run ahead of the program: it is a fault if its instruction is issued */
        return put(b, R_RESUME, (uint64_t)f.core << 16 | (uint64_t)f.warp << 8 | (uint64_t)(r != 0) << 1 | fetch, err);
    if (r != VL_EFAULT)
        return r;
    job->code = VL_EFAULT;
    job->fault = (vl_fault){.cause = !access ? f.cause : store ? VL_FAULT_STORE_ACCESS : VL_FAULT_LOAD_ACCESS, .core = f.core, .warp = f.warp, .value = value, .pc = pc,
                            .mask = threads};
    return 0;
}

/* The fault by which a kernel has ended, if it has: in its job. */
static int read_fault(backend_t *b, unsigned slot, vl_backend_job *job, vl_error *err)
{
    uint64_t cause = 0, pc = 0, mask = 0;
    const unsigned base = slot * R_SLOT;
    vl_fault *fault = &job->fault;
    int r = access_reg(b, false, base + R_FAULT_CAUSE, &cause, err);
    if (r || !cause)
        return r;
    fault->cause = cause & 0xf;
    fault->core = cause >> 16 & 0xff;
    fault->warp = (uint32_t)(cause >> 32);
    if ((r = access_reg(b, false, base + R_FAULT_VALUE, &fault->value, err)) || (r = access_reg(b, false, base + R_FAULT_PC, &pc, err))
        || (r = access_reg(b, false, base + R_FAULT_MASK, &mask, err)))
        return r;
    fault->pc = pc;
    fault->mask = mask;
    job->code = VL_EFAULT;
    return 0;
}

/* Adds the counters of units of one kind: of the cores of a mask, of all slices, of all channels. */
static int read_counters(backend_t *b, unsigned what, uint64_t units, vl_error *err)
{
    vl_counter *counter = &b->counter[1];
    int r = 0;
    for (unsigned w = 0; w < what; w++)
        counter += counted[w].counters;
    for (unsigned k = 0; k < counted[what].counters && !r; k++, counter++)
        for (uint64_t unit = 0; unit < counted[what].units && !r; unit++) {
            uint64_t v = 0;
            if (!(units >> unit & 1))
                continue;
            r = put(b, R_PERF_SEL, k | unit << 16 | (uint64_t)what << 24, err);
            if (!r)
                r = access_reg(b, false, R_PERF_DATA, &v, err);
            counter->value += v;
        }
    return r;
}

/* A job that is stopped: what still runs of it must not go on while the host reads memory, nor its faults hold up the others'. */
static int cut(backend_t *b, jobs_t *all, uint32_t k, vl_error *err)
{
    vl_backend_job *job = &all->job[k];
    job->cut = true;
    all->running &= ~(1ull << k);
    int r = access_reg(b, false, k * R_SLOT + R_CYCLES, &job->cycles, err);
    if (!r) /* a reset clears them */
        r = read_counters(b, 0, job->cores, err);
    return r ? r : stop(b, k, err);
}

/* Clocks the machine until all kernels have ended. */
static int clock_kernels(backend_t *b, jobs_t *all, vl_error *err)
{
    const vl_backend_launch *first = all->job[0].launch;
    uint64_t begin = b->cycle, next_look = begin + 4096, shown = now_ms(), ended = b->warps_ended;
    uint64_t interrupt = first->interrupt_every ? begin + first->interrupt_every : UINT64_MAX, warps = 0, groups = 0;
    for (uint32_t k = 0; k < all->n; k++) {
        const vl_backend_launch *l = all->job[k].launch;
        const uint64_t of_job = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
        groups += of_job;
        warps += of_job * l->group_warps;
    }
    for (;;) {
        int r = cycle(b, err);
        if (r)
            return r;
        for (uint32_t k = 0; k < all->n; k++)
            if (!((uint64_t)b->out->running >> k & 1))
                all->running &= ~(1ull << k);
        if (!all->running)
            return 0;
        if (b->out->attention && (r = serve_fault(b, all, err)))
            return r;
        uint64_t done = b->cycle - begin, limit = UINT64_MAX;
        for (uint32_t k = 0; k < all->n; k++) {
            vl_backend_job *job = &all->job[k];
            if (!(all->running >> k & 1))
                continue;
            const uint64_t most = job->launch->max_cycles ? job->launch->max_cycles : UINT64_MAX;
            if (done >= most && !job->code)
                job->code = VL_ELIMIT;
            if (job->code && (r = cut(b, all, k, err)))
                return r;
            if (!job->code && limit > most)
                limit = most;
        }
        if (!all->running)
            return 0;
        if (b->cycle >= interrupt) {
            interrupt = b->cycle + first->interrupt_every;
            if ((r = first->interrupt(first->memory_user, err)))
                return r;
        }
        uint64_t most = limit != UINT64_MAX ? limit - done : UINT64_MAX;
        if (interrupt != UINT64_MAX && most > interrupt - b->cycle)
            most = interrupt - b->cycle;
        if ((r = jump(b, most, err)))
            return r;
        if (b->cycle >= next_look) {
            next_look = b->cycle + 4096;
            if (first->progress && now_ms() - shown >= 100) {
                shown = now_ms();
                vl_progress p = {.cycles = done, .groups_done = (uint64_t)((double)(b->warps_ended - ended) / (double)warps * (double)groups), .groups_total = groups};
                if (first->progress(first->progress_user, &p))
                    return VL_EINTR;
            }
        }
    }
}

/* Gives each slot its job's cores. Those of no job go to a slot without one. */
static int divide_cores(backend_t *b, const jobs_t *all, vl_error *err)
{
    uint64_t want[KERNELS] = {0}, left = ALL_CORES;
    for (uint32_t k = 0; k < all->n; k++) {
        want[k] = all->job[k].cores;
        if (!want[k] || want[k] & ~left) {
            snprintf(err->text, sizeof err->text, "kernel %u has no core, or one that another has, or that there is not (cores 0x%llx)", k, (unsigned long long)want[k]);
            return VL_EINVAL;
        }
        left &= ~want[k];
    }
    if (left && all->n == KERNELS) {
        snprintf(err->text, sizeof err->text, "cores 0x%llx have no kernel: as many kernels as the machine can run share all its cores", (unsigned long long)left);
        return VL_EINVAL;
    }
    for (unsigned k = 0; k < KERNELS; k++) {
        const uint64_t mine = k < all->n ? want[k] : k == all->n ? left : 0, more = mine & ~b->slot[k].cores;
        int r = more ? put(b, k * R_SLOT + R_CORES, more, err) : 0;
        if (r)
            return r;
        for (unsigned o = 0; o < KERNELS; o++)
            b->slot[o].cores &= o == k ? ~0ull : ~more;
        b->slot[k].cores |= more;
        b->slot[k].table_unknown |= more != 0;
    }
    return 0;
}

/* Everything up to the start. */
static int prepare(backend_t *b, const jobs_t *all, vl_error *err)
{
    const bool shared = all->job[0].launch->shared;
    int r = all->n > KERNELS ? VL_EINVAL : 0;
    if (r)
        snprintf(err->text, sizeof err->text, "%u kernels for a machine that runs %u at once", all->n, KERNELS);
    for (unsigned k = 0; k < KERNELS && !r; k++)
        r = b->slot[k].dirty ? stop(b, k, err) : 0;
    if (!r && shared && !(r = open_back_door(b, err)) && machine.share)
        machine.share(b->m, b->store.bytes);
    b->cached = true;
    if (!r)
        r = divide_cores(b, all, err);
    for (uint32_t k = 0; k < all->n && !r; k++)
        r = set_up(b, k, all->job[k].launch, err);
    for (unsigned i = 0; i <= PF_DEPTH && !r; i++) /* of lines that were fetched ahead of the last kernel's end */
        r = put(b, R_PF_POP, 0, err);
    return r || !machine.begin ? r : machine.begin(b->m, all->job, all->n, err);
}

static int run(backend_t *b, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    jobs_t all = {.job = jobs, .n = n};
    int r = prepare(b, &all, err);
    for (uint32_t k = 0; k < n && !r; k++) {
        jobs[k].code = 0;
        jobs[k].cut = false;
        jobs[k].cycles = 0;
        b->slot[k].dirty = true;
        all.running |= 1ull << k;
        r = put(b, k * R_SLOT + R_CMD, CMD_START, err);
    }
    if (r)
        return r;
    for (size_t k = 0; k < N_COUNTERS; k++)
        b->counter[k].value = 0;
    b->clocked = true;
    int ended = clock_kernels(b, &all, err);
    b->clocked = false;
    if (ended && ended != VL_EINTR)
        return ended;
    for (uint32_t k = 0; k < n && !r; k++) {
        if (all.running >> k & 1) { /* interrupted */
            jobs[k].code = VL_EINTR;
            r = cut(b, &all, k, err);
        } else if (!jobs[k].cut) {
            r = access_reg(b, false, k * R_SLOT + R_CYCLES, &jobs[k].cycles, err);
            if (!r)
                r = read_counters(b, 0, jobs[k].cores, err);
        }
        if (b->counter[0].value < jobs[k].cycles)
            b->counter[0].value = jobs[k].cycles;
    }
    if (!r)
        r = read_counters(b, 1, ~0ull, err);
    if (!r)
        r = read_counters(b, 2, ~0ull, err);
    for (uint32_t k = 0; k < n && !r; k++) {
        if (!jobs[k].cut)
            r = read_fault(b, k, &jobs[k], err);
        b->slot[k].dirty = b->slot[k].dirty && jobs[k].code;
    }
    if (!r && machine.end)
        r = machine.end(b->m, jobs, n, err);
    return r ? r : ended;
}

/* The store has it all. */
static int leave(backend_t *b, bool shared, int r, vl_error *err)
{
    if (!shared || r == VL_EDIFF)
        return r;
    int rr = open_back_door(b, err);
    return rr ? rr : r;
}

static int be_run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    vl_backend_job job = {.launch = l, .cores = ALL_CORES};
    int r = run(self, &job, 1, err);
    *fault = job.fault;
    return leave(self, l->shared, r ? r : job.code, err);
}

static int be_run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    int r = run(self, jobs, n, err);
    return leave(self, jobs[0].launch->shared, r, err);
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
    .back_door = be_back_door,
    .set_reconv = be_set_reconv,
    .run = be_run,
    .run_jobs = be_run_jobs,
    .counters = be_counters,
    .trace_begin = be_trace_begin,
    .trace_end = be_trace_end,
    .use_store = be_use_store,
    .set_root = be_set_root,
    .invalidate = be_invalidate,
};

__attribute__((visibility("default"))) const vl_backend_ops *vl_backend(void)
{
    return &ops;
}
