/*
 * The seam between the driver and a device, from the driver's side: docs/host-seam.md. A host implements these functions: the simulated machine
 * (host_machine.c), which is clocked by them, or a board behind a wire. Functions return 0 or a VL_E* code; `err` is never NULL, and its text may be
 * left empty.
 */
#ifndef VELLUM_HOST_H
#define VELLUM_HOST_H

#include "sw/runtime/backend.h"

/* The facts of the device's configuration. */
typedef struct vl_host_facts {
    const char *name;                                                          /* of the machine */
    const char *config;                                                        /* of rtl/config */
    uint32_t cores, warps, threads, lanes, groups, spad_bytes, reconv_entries; /* the last four: a core */
    uint32_t kernels;                                                          /* kernel slots */
    uint32_t page_faults;                                                      /* that the queue holds */
    uint32_t devices; /* that share one memory; the others are of all devices */
    uint32_t slices, channels; /* units; their counters are added up */
    uint32_t block_bytes; /* home = directory: a kernel's end is followed by a final flush; 0 without directories */
    uint64_t memory_bytes; /* the largest window */
    uint32_t stacks, homes, wires; /* ... with directories; wires: up and down of each, of `link_bytes` a cycle */
    uint32_t link_bytes;
    uint32_t shared; /* 1 if cores share an L2 TLB and a walker, else 0 */
    uint64_t stack_bytes; /* of each stack */
    uint32_t locality; /* victim tags of a warp; 0: the cores have no warp_locality */
    bool compaction; /* the cores have a compactor */
    uint32_t cpm_bits; /* bits of a counter of the common page matrix; 0 without one */
    uint32_t dram_detail; /* 0: channels do not count DRAM reads by class and application */
    uint32_t walk_pointers; /* pointers to tables that a core's walker keeps; 0: none */
    uint32_t counters[7]; /* of a core, a slice, a channel, a stack, a home, a wire, a shared translation */
} vl_host_facts;

/* Events that a device reports by itself. */
typedef struct vl_host_levels {
    bool attention; /* a page fault waits in the queue, or did until the last access */
    uint64_t running; /* kernel slots, a bit each */
    uint64_t warps_ended; /* since it was opened, for progress; 0 if they are not counted */
} vl_host_levels;

enum { VL_HOST_FIGURES = 8 };

typedef struct vl_host_ops {
    void (*close)(void *self);
    const vl_host_facts *(*facts)(void *self);

    /* Control registers (docs/blocks/ctrl.md). In the order of the calls, each done when the call returns. */
    int (*read_register)(void *self, uint32_t addr, uint64_t *value, vl_error *err);
    int (*write_register)(void *self, uint32_t addr, uint64_t value, vl_error *err);

    /* Memory through the device's host memory port: coherent with what its kernels do. Each is done when the call returns: every later access sees it. */
    int (*write)(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err);
    int (*read)(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
    int (*fill)(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err);

    /* Reads that begin from now on see all earlier stores of kernels, of any device, to these bytes. NULL: reads always do. */
    int (*sync)(void *self, uint64_t addr, uint64_t bytes, vl_error *err);

    /* Lets time pass until attention is raised, a kernel of `running` has ended, or `most` cycles are over; at least a cycle. It also returns without a
   * reason after some time, so that progress can be shown. */
    int (*wait)(void *self, uint64_t most, uint64_t running, vl_host_levels *levels, vl_error *err);
    /* Runs the device for some cycles. */
    int (*pass)(void *self, uint64_t cycles, vl_error *err);
    /* The device's time in cycles, as well as it is known. */
    uint64_t (*now)(void *self);

    /* ---- only for simulated machines; NULL for a board ---- */

    /* Memory past caches and ports, while the memory side is at rest and its caches are empty. */
    int (*load)(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err);
    int (*dump)(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
    int (*clear)(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err);
    /* Where home memory is, a value of HOME_POLICY.memory: from now on accesses past caches and ports, and the store, go there. Called before anything is written. */
    int (*home)(void *self, unsigned memory, vl_error *err);
    /* The window of physical memory. */
    int (*window)(void *self, uint64_t base, uint64_t limit, vl_error *err);
    /* use_store: its memory is the store, which exists until close. share: the store's bytes may have been written past the device. */
    int (*use_store)(void *self, const vl_store *store, vl_error *err);
    int (*share)(void *self, vl_error *err);
    /* For a judge of the device: kernels are about to start / have ended. */
    int (*begin)(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err);
    int (*end)(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err);
    /* ... or job k has ended, and is about to start again with this launch. */
    int (*again)(void *self, uint32_t k, const vl_backend_job *job, vl_error *err);
    /* The judge's figures for the last kernels: at most VL_HOST_FIGURES rows of the section "judge"; returns their number. */
    size_t (*figures)(void *self, vl_counter *rows);
    /* The workgroup of a fault, and the number of the warp in it. False: unknown. */
    bool (*group)(void *self, const vl_fault *f, uint32_t group[3], uint32_t *number);
    /* One warp of a core as it is; sets its pc, wait, least (cycles), threads and group in *to. False: it runs nothing. */
    bool (*warp)(void *self, uint32_t core, uint32_t warp, vl_stopped *to);
    int (*trace_begin)(void *self, const char *kind, const char *path, const vl_trace_part *part, vl_error *err);
    int (*trace_end)(void *self, vl_error *err);
    void (*trace_mark)(void *self, const char *what);
    void (*trace_value)(void *self, const char *name, double value);
    /* The number of the next mark of the kernels (machine.h, mark); -1: none. */
    int (*mark)(void *self);
    int (*watch)(void *self, const vl_buffer_use *use, uint32_t n, vl_error *err);
    const uint64_t *(*watched)(void *self, uint32_t k);
} vl_host_ops;

typedef struct vl_host_if {
    const vl_host_ops *ops;
    void *self;
} vl_host_if;

/* The simulated machine of env->machine. */
int vl_host_machine(vl_host_if *host, const vl_backend_env *env, vl_error *err);

#endif
