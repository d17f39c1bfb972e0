/* The reference machine as a backend. It has no time: `cycles` counts nothing, the cycle limit limits thread instructions, and
 * policies and the reconvergence table have no effect. It keeps no translations: an invalidation only makes it fetch again. */
#include <stdlib.h>
#include <time.h>

#include "sim_c/ref/ref.h"
#include "sw/runtime/internal.h"

enum { CYCLES, THREAD_INSTRUCTIONS, GROUPS, WARPS, BARRIERS, ATOMICS, SPAD_ATOMICS, N_COUNTERS };
enum { MOST_CORES = 64 };

typedef struct machine {
    ref_mem *mem;
    vl_store store; /* bytes NULL: none */
    ref_range *allowed; /* NULL: all */
    vl_root root[MOST_CORES];
    uint64_t cores; /* those that it plays, a bit each */
    uint32_t threads, lanes, harts, warps, groups, spad_bytes;
    vl_stopped *stopped; /* room for every warp */
    size_t n_stopped;
    uint32_t job; /* number of the one that runs */
    vl_counter counters[N_COUNTERS];
    vl_progress_fn progress;
    void *progress_user;
    struct timespec last;
    const vl_backend_launch *launch; /* under way */
    int host; /* code of a host function that has ended the launch */
    vl_error *err;
} machine;

static int code_of(int r)
{
    switch (r) {
    case REF_OK: return VL_OK;
    case REF_EFAULT: return VL_EFAULT;
    case REF_ELIMIT: return VL_ELIMIT;
    case REF_ENOMEM: return VL_ENOMEM;
    case REF_EINTR: return VL_EINTR;
    case REF_ESTUCK: return VL_ELIMIT;
    default: return VL_EINVAL;
    }
}

static int ref_open(void **self, const vl_backend_env *env, vl_error *err)
{
    (void)err;
    machine *m = calloc(1, sizeof *m);
    if (!m || !(m->stopped = calloc((size_t)env->cores * env->warps, sizeof *m->stopped))) {
        free(m);
        return VL_ENOMEM;
    }
    m->threads = env->threads;
    m->harts = env->cores * env->warps * env->threads;
    m->lanes = env->lanes;
    m->warps = env->warps;
    m->groups = (uint32_t)vl_cfg_get(env->cfg, "groups", 0);
    m->spad_bytes = env->spad_bytes;
    m->counters[CYCLES] = (vl_counter){"cycles", "run", "cycles", "always 0: the reference knows no time", 0};
    m->counters[THREAD_INSTRUCTIONS] =
        (vl_counter){"thread_instructions", "run", "instructions", "instructions executed, summed over the threads", 0};
    m->counters[GROUPS] = (vl_counter){"groups_started", "run", "groups", "workgroups that ran", 0};
    m->counters[WARPS] = (vl_counter){"warps_started", "run", "warps", "warps of these workgroups", 0};
    m->counters[BARRIERS] = (vl_counter){"barriers", "run", "barriers", "workgroup barriers completed", 0};
    m->counters[ATOMICS] =
        (vl_counter){"l1d_atomics", "memory", "atomics", "atomics of single threads in memory (LR and SC too)", 0};
    m->counters[SPAD_ATOMICS] = (vl_counter){"spad_atomics", "memory", "atomics",
                                             "atomics of single threads in scratchpads (LR and SC too)", 0};
    *self = m;
    return 0;
}

static void ref_close(void *self)
{
    machine *m = self;
    if (m->mem)
        ref_mem_free(m->mem);
    free(m->allowed);
    free(m->stopped);
    free(m);
}

static int set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err)
{
    (void)self, (void)policy, (void)value, (void)err;
    return 0;
}

static int set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    (void)err;
    machine *m = self;
    if (m->mem)
        ref_mem_free(m->mem);
    m->mem = m->store.bytes ? ref_mem_over(base, limit, m->store.bytes) : ref_mem_new(base, limit);
    return m->mem ? 0 : VL_ENOMEM;
}

static int use_store(void *self, const vl_store *store, vl_error *err)
{
    (void)err;
    ((machine *)self)->store = *store;
    return 0;
}

/* The reference has one core, which is in turn each that a kernel of several runs on: run takes the first. */
static int set_root(void *self, uint32_t core, const vl_root *root, vl_error *err)
{
    (void)err;
    machine *m = self;
    m->root[core % MOST_CORES] = *root;
    if (core == 0)
        ref_mem_translate(m->mem, root->sv48, root->ppn);
    return 0;
}

static int invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err)
{
    (void)scope, (void)asid, (void)address, (void)err;
    ref_mem_invalidate(((machine *)self)->mem);
    return 0;
}

static int flush(void *self, uint64_t cores, uint16_t asid, vl_error *err)
{
    (void)cores;
    return invalidate(self, VL_INV_ASID, asid, 0, err);
}

static int mem_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    (void)err;
    return code_of(ref_mem_write(((machine *)self)->mem, addr, data, bytes));
}

static int mem_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    (void)err;
    return code_of(ref_mem_read(((machine *)self)->mem, addr, data, bytes));
}

static int mem_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    (void)err;
    return code_of(ref_mem_fill(((machine *)self)->mem, addr, byte, bytes));
}

static int allow(void *self, const vl_range_of *range, uint32_t n, vl_error *err)
{
    (void)err;
    machine *m = self;
    ref_range *copy = range ? malloc((n + 1) * sizeof *copy) : NULL;
    if (range && !copy)
        return VL_ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        copy[i] = (ref_range){range[i].addr, range[i].asked};
    free(m->allowed);
    m->allowed = copy;
    ref_mem_allow(m->mem, copy, n);
    return 0;
}

static int set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    (void)self, (void)kernel, (void)table, (void)entries, (void)err;
    return 0;
}

static bool poll_progress(void *user, uint64_t done, uint64_t total)
{
    machine *m = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - m->last.tv_sec) * 1000 + (now.tv_nsec - m->last.tv_nsec) / 1000000 < 100)
        return false;
    m->last = now;
    return m->progress(m->progress_user, &(vl_progress){.groups_done = done, .groups_total = total}) != 0;
}

/* The k-th of the cores that it plays. */
static uint32_t core_of(const machine *m, uint32_t k)
{
    uint64_t cores = m->cores;
    for (; k; k--)
        cores &= cores - 1;
    return (uint32_t)__builtin_ctzll(cores);
}

static bool page_fault(void *user, const ref_page_fault *r)
{
    machine *m = user;
    static const vl_access access[] = {VL_ACCESS_FETCH, VL_ACCESS_LOAD, VL_ACCESS_STORE};
    vl_page_fault f = {.cause = (uint32_t)r->cause,
                       .access = access[r->cause - REF_FAULT_FETCH_PAGE],
                       .address = r->address,
                       .pc = r->pc,
                       .core = core_of(m, r->core),
                       .warp = r->warp,
                       .threads = 1ull << r->thread};
    m->host = m->launch->page_fault(m->launch->memory_user, &f, m->err);
    return m->host == 0;
}

static void left(void *user, const ref_left *w)
{
    machine *m = user;
    if (m->n_stopped < m->harts / m->threads)
        m->stopped[m->n_stopped++] = (vl_stopped){.job = m->job,
                                                  .pc = w->pc,
                                                  .wait = w->barrier ? VL_WAIT_BARRIER
                                                          : w->stuck ? VL_WAIT_MEMORY
                                                                     : VL_WAIT_ISSUE,
                                                  .core = core_of(m, w->core),
                                                  .warp = w->warp,
                                                  .threads = w->threads,
                                                  .group = {w->group[0], w->group[1], w->group[2]}};
}

static size_t stopped(void *self, const vl_stopped **list)
{
    const machine *m = self;
    *list = m->stopped;
    return m->n_stopped;
}

static bool interrupted(void *user)
{
    machine *m = user;
    m->host = m->launch->interrupt(m->launch->memory_user, m->err);
    return m->host != 0;
}

static int run_one(machine *m, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    ref_launch x = {.entry = l->entry,
                    .arg = l->arg,
                    .stack_base = l->stack_base,
                    .stack_log2 = l->stack_log2,
                    .harts = m->harts,
                    .private_bytes = m->allowed ? l->private_bytes : 0,
                    .spad_bytes = l->spad_bytes,
                    .groups = {l->groups[0], l->groups[1], l->groups[2]},
                    .local = {l->local[0], l->local[1], l->local[2]},
                    .offset = {l->offset[0], l->offset[1], l->offset[2]},
                    .threads = m->threads,
                    .lanes = m->lanes,
                    .cores = (uint32_t)__builtin_popcountll(m->cores),
                    .warps = m->warps,
                    .core_groups = m->groups,
                    .limit = l->max_cycles,
                    .poll = l->progress ? poll_progress : NULL,
                    .page_fault = l->page_fault ? page_fault : NULL,
                    .left = left,
                    .user = m};
    if (l->interrupt && l->interrupt_every) {
        x.pause = interrupted;
        x.turn = l->interrupt_every;
    }
    if (l->spad_asked && (!x.core_groups || x.core_groups > m->spad_bytes / l->spad_asked))
        x.core_groups = m->spad_bytes / l->spad_asked;
    m->launch = l;
    m->host = 0;
    m->err = err;
    m->progress = l->progress;
    m->progress_user = l->progress_user;
    clock_gettime(CLOCK_MONOTONIC, &m->last);
    ref_result r = {0};
    int e = ref_run_kernel(m->mem, &x, &r);
    if (e == REF_ESTUCK)
        vl_fail(err, VL_ELIMIT,
                "the kernel does not end: %u group%s for memory that no other changes, and no more can be resident%s",
                r.resident, r.resident == 1 ? " waits" : "s wait",
                r.groups + r.resident < (uint64_t)l->groups[0] * l->groups[1] * l->groups[2]
                    ? ", though more are to come"
                    : "");
    e = code_of(e);
    if (m->host && m->host != VL_EFAULT)
        e = m->host;
    m->counters[THREAD_INSTRUCTIONS].value += r.instructions;
    m->counters[GROUPS].value += r.groups;
    m->counters[WARPS].value +=
        r.groups * (((uint64_t)l->local[0] * l->local[1] * l->local[2] + m->threads - 1) / m->threads);
    m->counters[BARRIERS].value += r.barriers;
    m->counters[ATOMICS].value += r.atomics;
    m->counters[SPAD_ATOMICS].value += r.spad_atomics;
    if (e == VL_EFAULT) {
        *fault = (vl_fault){.cause = (uint32_t)r.cause,
                            .core = core_of(m, r.core),
                            .value = r.value,
                            .pc = r.pc,
                            .warp = r.warp,
                            .mask = 1ull << r.thread};
        vl_fault_item(fault, l, r.group, r.group_thread / m->threads * m->threads);
    }
    return e;
}

static void clear(machine *m)
{
    for (unsigned k = THREAD_INSTRUCTIONS; k < N_COUNTERS; k++)
        m->counters[k].value = 0;
    m->n_stopped = 0;
    m->job = 0;
}

static int run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    machine *m = self;
    clear(m);
    m->cores = ~0ull >> (64 - m->harts / m->warps / m->threads);
    return run_one(m, l, fault, err);
}

/* One after the other: kernels that run at once promise each other nothing about time. */
static int run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    machine *m = self;
    int e = 0;
    clear(m);
    for (uint32_t k = 0; k < n && !e; k++) {
        vl_backend_job *j = &jobs[k];
        if (!j->cores)
            return VL_EINVAL;
        m->cores = j->cores;
        m->job = k;
        const vl_root *root = &m->root[core_of(m, 0)];
        ref_mem_translate(m->mem, root->sv48, root->ppn);
        j->cycles = 0;
        j->fault = (vl_fault){0};
        j->code = run_one(m, j->launch, &j->fault, err);
        j->cut = j->code == VL_ELIMIT;
        j->launches = !j->code; /* jobs run one after the other, each once */
        if (j->code && j->code != VL_EFAULT && j->code != VL_ELIMIT)
            e = j->code;
    }
    ref_mem_translate(m->mem, m->root[0].sv48, m->root[0].ppn);
    return e;
}

static const vl_counter *counters(void *self, size_t *n)
{
    *n = N_COUNTERS;
    return ((machine *)self)->counters;
}

const vl_backend_ops *vl_backend_ref(void)
{
    static const vl_backend_ops ops = {.open = ref_open,
                                       .close = ref_close,
                                       .set_policy = set_policy,
                                       .set_window = set_window,
                                       .write = mem_write,
                                       .read = mem_read,
                                       .fill = mem_fill,
                                       .set_reconv = set_reconv,
                                       .run = run,
                                       .run_jobs = run_jobs,
                                       .stopped = stopped,
                                       .counters = counters,
                                       .use_store = use_store,
                                       .set_root = set_root,
                                       .invalidate = invalidate,
                                       .allow = allow,
                                       .flush = flush};
    return &ops;
}
