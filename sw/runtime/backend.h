/*
 * The backend of libvellum: one table of functions. `ref` is the architectural reference (backend_ref.c). `model`, `rtl` and `lockstep` are the driver
 * (driver.h) of a device behind a host (host.h): of a simulated machine, which is a shared object of one configuration, build/cfg/NAME/libvlBACKEND.so
 * (sim_c/top/machine.h), built on first use by `make -s build/cfg/NAME/libvlBACKEND.so`.
 * Functions return 0 or a VL_E* code; `err` is never NULL, and its text may be left empty (its code need not be set).
 */
#ifndef VELLUM_BACKEND_H
#define VELLUM_BACKEND_H

#include "sw/runtime/vellum.h"
#include "vl_regs.h"

/* The configuration as numbers: the keys of rtl/config/NAME.toml and those the generator derives from them. */
typedef struct vl_config vl_config;
const char *vl_cfg_name(const vl_config *c);
int64_t vl_cfg_get(const vl_config *c, const char *key, int64_t missing);
/* The value of a field of words; "" of any other field. */
const char *vl_cfg_word(const vl_config *c, const char *key);

struct vl_host_if;
struct vl_range_of;
struct machine_api;

/* The arguments of open; pointers live until close. */
typedef struct vl_backend_env {
    const char *root;   /* source tree */
    const char *config; /* its name */
    uint32_t cores, warps, threads, lanes;
    uint32_t spad_bytes;     /* a core */
    uint32_t reconv_entries; /* a core */
    const vl_config *cfg;    /* every key, by vl_cfg_get */
    /* For the driver: how it gets the host of its device, which it closes in the end; and the parts of a simulated machine. */
    int (*connect)(struct vl_host_if *host, const struct vl_backend_env *env, vl_error *err);
    const struct machine_api *machine;
} vl_backend_env;

/* Policies: the same names for every machine (VL_POLICIES of vl_regs.h); `ref` ignores them. */
enum vl_policy {
#define X(id, ...) id,
    VL_POLICIES(X)
#undef X
        VL_N_POLICIES
};

/* Physical memory as it is shared with the host (docs/host-memory.md): bytes[a - base] is the byte of physical address a. */
typedef struct vl_store {
    uint64_t base, limit;
    uint8_t *bytes;
} vl_store;

/* The address space of a core: Sv48 tables at physical page number `ppn`, or Bare. */
typedef struct vl_root {
    bool sv48;
    uint16_t asid;
    uint64_t ppn;
} vl_root;

typedef enum vl_scope { VL_INV_ALL, VL_INV_ASID, VL_INV_PAGE } vl_scope;
typedef enum vl_access { VL_ACCESS_LOAD, VL_ACCESS_STORE, VL_ACCESS_FETCH } vl_access;

/* A page fault: an instruction waits. */
typedef struct vl_page_fault {
    uint32_t cause; /* VL_FAULT_*_PAGE */
    vl_access access;
    uint64_t address; /* of the lowest faulting thread */
    uint64_t pc;
    uint32_t core, warp;
    uint64_t threads;
    bool again; /* its kernel has ended once, and was launched again */
} vl_page_fault;

/* One launch, as the dispatcher needs it. Everything in memory (image, launch block, stacks, buffers) is in place already. */
typedef struct vl_backend_launch {
    uint64_t entry; /* pc of the first instruction */
    uint64_t arg; /* vl_arg: address of the launch block */
    uint64_t stack_base; /* vl_sp = stack_base + ((hartid + 1) << stack_log2) */
    uint32_t stack_log2;
    uint32_t
        private_bytes; /* 0, or with `allow`: those of a stack that its thread, and no other, may use: the upper ones */
    uint32_t spad_bytes; /* a group, static and dynamic, rounded up to 128 */
    uint32_t spad_asked; /* the same without the red zones of vl_check_buffers */
    uint32_t groups[3]; /* number of groups */
    uint32_t local[3]; /* threads of a group */
    uint32_t offset[3]; /* global offset, modulo 2^32 (vl_gbase) */
    uint32_t group_threads; /* product of local */
    uint32_t group_warps; /* warps a group needs */
    uint64_t max_cycles; /* 0: no limit */
    vl_progress_fn progress; /* may be NULL; a few times a second */
    void *progress_user;
    /* With translation. The host's answer to a page fault: 0, the instruction's faulted threads are done again; VL_EFAULT, it cannot be mapped and
   * the kernel ends by this fault; any other code ends the launch. From within it the host may call write, read, fill and invalidate. */
    int (*page_fault)(void *user, const vl_page_fault *f, vl_error *err);
    /* Called about every `interrupt_every` cycles, if that is not 0 (on `ref`: thread instructions), with the same rules as page_fault. */
    int (*interrupt)(void *user, vl_error *err);
    uint32_t interrupt_every;
    void *memory_user;
    /* The host has used the store since the last launch, and will after this one: caches must be empty before and after. */
    bool shared;
} vl_backend_launch;

/* One of the kernels that run at once: on cores of its own, in the address spaces that these have (set_root). */
typedef struct vl_backend_job {
    const vl_backend_launch *launch;
    uint64_t cores; /* a bit each */
    /* Its kernel is launched again whenever it has ended, until every job has ended once: the launch blocks of the second launch and so on, the last one for all that follow. */
    const uint64_t *again;
    uint32_t n_again; /* 0: it is launched once */
    /* The outcome. */
    int code; /* VL_OK, VL_EFAULT, VL_ELIMIT, VL_EINTR. VL_EFAULT also by a fault of a later launch */
    /* it has not ended, but was stopped: at a page that the host refuses, at a limit; or in a later launch, when all
     * had ended */
    bool cut;
    vl_fault fault;
    uint64_t cycles; /* of its first launch */
    uint32_t launches; /* that have ended */
    uint64_t cycles_all; /* from the start of all jobs to the end of the last one of these */
    bool brief; /* of its cores only the warp instructions are counted */
    uint64_t *counts; /* NULL, or where the counters of its cores are put, in its first launch, in order */
    uint32_t counted; /* how many they are; 0: they have not been put there */
} vl_backend_job;

/* A counter. The array is the backend's and lives until close; values are those of the last launch. */
typedef struct vl_counter {
    const char *name, *section, *unit, *help;
    uint64_t value;
} vl_counter;

/* Counters that are read while kernels run. */
typedef struct vl_sampling {
    uint64_t every; /* cycles; 0: at marks alone */
    const char *const *counter; /* their names */
    size_t n;
    /* mark: its number, or -1. The values since the kernels' start, in the order of the names. An error ends the launch. */
    int (*fn)(void *user, uint64_t cycle, int mark, const uint64_t *values);
    void *user;
} vl_sampling;

typedef struct vl_backend_ops {
    int (*open)(void **self, const vl_backend_env *env, vl_error *err);
    void (*close)(void *self);

    /* value: the number, or which of its names */
    int (*set_policy)(void *self, enum vl_policy policy, uint32_t value, vl_error *err);

    /* Memory. Called once before anything else: [base, limit) exists and reads zero; unused parts must cost (next to) nothing.
   * Ranges given to write, read and fill lie inside. The caller sees what the kernels wrote (caches drained). */
    int (*set_window)(void *self, uint64_t base, uint64_t limit, vl_error *err);
    int (*write)(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err);
    int (*read)(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
    int (*fill)(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err);
    /* From now on these three access the memory chips directly (open), or the device's host port, as in the beginning. NULL: there
   * is no difference. */
    int (*back_door)(void *self, bool open);
    /* The device's time in cycles. NULL: it has none. */
    uint64_t (*now)(void *self);

    /* The reconvergence table of a kernel's cores: env->reconv_entries entries, table[2 * set + way], pc 0 = invalid. `kernel`: its place in the
   * jobs of the next launch, 0 for run. */
    int (*set_reconv)(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err);

    /* Runs on all cores to the end: VL_OK, VL_EFAULT (fault filled), VL_EDIFF (err->text has the report), VL_ELIMIT, VL_EINTR, or another code
   * when the machine could not run at all. The image may have been rewritten, so it starts with empty instruction caches. */
    int (*run)(void *self, const vl_backend_launch *launch, vl_fault *fault, vl_error *err);
    /* Runs n kernels at once, until all have ended; how each did is in its job: they end independently. VL_OK, VL_EDIFF, VL_EINTR, or
   * another code when the machine could not run at all, VL_EINVAL if the cores cannot be divided so. `progress` and `interrupt` are the first job's. NULL: not supported. */
    int (*run_jobs)(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err);
    /* run in parts, for a host that goes on while the kernel runs: its start; `cycles` cycles, or less if it ends before; the rest, with what run returns.
   * In between write, read and fill are accesses beside the kernel's. `end` returns an error of `pass` again. NULL: not supported. */
    int (*begin)(void *self, const vl_backend_launch *launch, vl_error *err);
    int (*pass)(void *self, uint64_t cycles, bool *running, vl_error *err);
    int (*end)(void *self, vl_fault *fault, vl_error *err);
    /* In between: reads that begin from now on see the kernel's earlier stores to these bytes. */
    int (*sync)(void *self, uint64_t addr, uint64_t bytes, vl_error *err);

    /* Where warps were when the last run was stopped, an entry each; returns the number. NULL: not known. */
    size_t (*stopped)(void *self, const vl_stopped **list);

    /* Counters of the last run; the first is "cycles". */
    const vl_counter *(*counters)(void *self, size_t *n);

    /* kind: "fst", "kanata", "json". VL_ENOTSUP: a backend without traces. The file is complete after trace_end. */
    int (*trace_begin)(void *self, const char *kind, const char *path, const vl_trace_part *part, vl_error *err);
    int (*trace_end)(void *self, vl_error *err);
    /* In all further launches of one kernel; NULL: no more. VL_ENOENT: the machine has no such counter for each of its units. NULL: not supported. */
    int (*sample)(void *self, const vl_sampling *s, vl_error *err);
    /* For a timeline: a value from now on. May be NULL. */
    void (*trace_value)(void *self, const char *name, double value);
    /* For a timeline: the host's activity from now on (NULL: none). The function is NULL without a timeline. */
    void (*trace_mark)(void *self, const char *what);
    /* From now on accesses of kernels are counted for each of n buffers (address and size of `use`); n = 0 ends it. VL_ENOTSUP. NULL: not supported. */
    int (*watch)(void *self, const vl_buffer_use *use, uint32_t n, vl_error *err);
    /* The VL_BUFFER_COUNTS counts of buffer k; k = n: of all other addresses. */
    const uint64_t *(*watched)(void *self, uint32_t k);

    /* From now on a load, store or atomic outside of these n ranges (by address, disjoint, kept by the caller) is an access fault. NULL: all memory may be
     * used. The function may be NULL: not supported. */
    int (*allow)(void *self, const struct vl_range_of *range, uint32_t n, vl_error *err);

    /* From now on memory is the store, which exists until close. Called before set_window, with the same range. NULL: the backend has memory of its own, and
   * neither sharing nor translation. */
    int (*use_store)(void *self, const vl_store *store, vl_error *err);
    /* Sets the address space of a core that runs no kernel; nothing of the old one is used after the return. NULL: Bare only. */
    int (*set_root)(void *self, uint32_t core, const vl_root *root, vl_error *err);
    /* Shootdown: after the return no translation from before the call is used. PAGE: the page of `address`, of any size; ASID and PAGE: of `asid`. */
    int (*invalidate)(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err);
    /* The same of an ASID in these cores alone (a bit each), with translation = shared. NULL: there is no such thing. */
    int (*flush)(void *self, uint64_t cores, uint16_t asid, vl_error *err);
} vl_backend_ops;

#endif
