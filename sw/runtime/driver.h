/* The driver of a device: declarations that the files driver*.c share. All its accesses to the device go through a host (host.h). */
#ifndef VELLUM_DRIVER_H
#define VELLUM_DRIVER_H

#include "sw/runtime/host.h"
#include "sw/runtime/internal.h"
#include "vl_regs.h"

/* Cycles after which a device that is to do something by itself is given up. */
enum { DRIVER_PATIENCE = 10000000 };

enum { DRIVER_WIRE_NAME = 40 };

/* Units with counters. */
enum driver_unit {
    OF_CORE = PERF_SEL_KIND_CORE,
    OF_SLICE = PERF_SEL_KIND_SLICE,
    OF_CHANNEL = PERF_SEL_KIND_CHANNEL,
    OF_STACK = PERF_SEL_KIND_STACK,
    OF_HOME = PERF_SEL_KIND_HOME,
    OF_WIRE = PERF_SEL_KIND_WIRE,
    OF_SHARED = PERF_SEL_KIND_SHARED,
    DRIVER_UNITS
};

/* A kernel slot. */
typedef struct driver_slot {
    uint64_t cores; /* cores of this slot */
    vl_reconv *held; /* contents of their reconvergence tables */
    vl_reconv *wanted; /* contents required for the next launch */
    bool table_unknown; /* `held` is not known to be right */
    bool dirty; /* its last kernel did not end by itself */
} driver_slot;

/* The jobs of a launch; job k is in kernel slot k. */
typedef struct driver_jobs {
    vl_backend_job *job;
    uint32_t n;
    uint64_t running; /* jobs that run, a bit each */
    uint64_t first; /* jobs that have not ended once; at 0 the launch is over */
} driver_jobs;

/* Contents of the progress report. */
typedef struct driver_progress {
    const vl_backend_launch *first;
    uint64_t groups, warps; /* sums over all jobs */
    uint64_t warps_ended; /* ended before this launch */
    uint64_t shown; /* time of the last report, ms */
} driver_progress;

/* Kernels that run: times are the device's. */
typedef struct driver_run_state {
    driver_jobs all;
    uint64_t begin, interrupt, next_look;
    driver_progress progress;
    bool waited; /* the device has been waited for at least once */
    int ended; /* code if watching the kernels has ended early, */
    vl_error why; /* and its message */
} driver_run_state;

/* State that is read while a kernel runs. */
typedef struct driver_sampling {
    vl_sampling what;
    struct driver_counter {
        enum driver_unit unit;
        unsigned number;
    } *row; /* NULL: nothing is */
    uint64_t *value;
    uint64_t next; /* time of the next one */
} driver_sampling;

typedef struct driver {
    vl_host_if host;
    const vl_host_facts *facts;
    uint64_t base, limit; /* of physical memory */
    uint64_t all_cores;
    driver_slot *slot; /* facts->kernels of them */
    bool back_door; /* memory is accessed by the back door where possible */
    bool clocked; /* kernels run: only the host memory port is coherent with them */
    bool beside; /* ... and the host runs beside them: its reads see synchronised data */
    bool cached; /* the L2 may hold lines */
    bool used; /* memory may have been written */
    driver_run_state run; /* kernels beside which the host runs */
    vl_backend_launch launch;
    vl_backend_job job;
    struct driver_policy {
        uint64_t word; /* its bits in the control register */
        bool set; /* set by the user; otherwise the register keeps its reset value */
        bool changed; /* since the last launch */
    } policy[VL_N_POLICIES];
    driver_sampling sampling;
    vl_stopped *stopped; /* warps of kernels that were stopped in the last launch, room for all */
    size_t n_stopped;
    vl_counter *counter;
    size_t n_counters;
    /* index of the first counter of each kind; meaningless for a kind that the machine does not have */
    size_t first[DRIVER_UNITS];
    size_t flush_row; /* with directories: row of the final flush's cycles, followed by those of the host */
    char (*wire_name)[DRIVER_WIRE_NAME]; /* names of the counters of bytes on each wire */
} driver;

/* ---- registers (driver_registers.c) ---- */
int driver_get(driver *d, uint32_t reg, uint64_t *value, vl_error *err);
int driver_put(driver *d, uint32_t reg, uint64_t value, vl_error *err);
/* The address of a register of a kernel slot. */
static inline uint32_t driver_in_slot(unsigned slot, uint32_t reg)
{
    return slot * REG_KERNEL_STRIDE + reg;
}
/* Waits until the bits of a register in `mask` are `want`. VL_EBACKEND, "`what` after N cycles", if they never are. */
int driver_await(driver *d, uint32_t reg, uint64_t mask, uint64_t want, const char *what, vl_error *err);

/* ---- memory (driver_memory.c) ---- */
/* Everything is in the chips and nothing in the caches. */
int driver_empty_caches(driver *d, vl_error *err);
/* The end of kernels, with directories: host memory has all that devices have stored, and no copy is another (docs/umh.md, 8). */
int driver_flush(driver *d, vl_error *err);
int driver_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err);
int driver_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
int driver_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err);
int driver_sync(void *self, uint64_t addr, uint64_t bytes, vl_error *err);

/* ---- translation (driver_translation.c) ---- */
int driver_set_root(void *self, uint32_t core, const vl_root *root, vl_error *err);
int driver_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err);
int driver_flush_cores(void *self, uint64_t cores, uint16_t asid, vl_error *err);

/* ---- before a start (driver_launch.c) ---- */
int driver_set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err);
int driver_prepare(driver *d, const driver_jobs *all, vl_error *err);
int driver_set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err);
/* Whether `memory` (HOME_POLICY.memory) may be the place of the bytes of such a machine. VL_ENOTSUP. */
int driver_memory_fits(const vl_host_facts *f, unsigned memory, vl_error *err);
/* Ends whatever still runs in the cores of a slot. */
int driver_stop(driver *d, unsigned slot, vl_error *err);

/* ---- jobs (driver_jobs.c) ---- */
int driver_run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err);
int driver_run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err);
int driver_begin(void *self, const vl_backend_launch *l, vl_error *err);
int driver_pass(void *self, uint64_t cycles, bool *running, vl_error *err);
int driver_end(void *self, vl_fault *fault, vl_error *err);
size_t driver_stopped(void *self, const vl_stopped **list);

/* ---- faults (driver_faults.c) ---- */
/* The oldest page fault of the queue, if there is one: the host maps the page and the instruction goes on, or its kernel ends by it (VL_EFAULT in its job). */
int driver_serve_fault(driver *d, const driver_jobs *all, vl_error *err);
/* All that were in the queue when this was called. */
int driver_serve_faults(driver *d, const driver_jobs *all, vl_error *err);
/* The fault by which a kernel has ended, if it has: in its job. */
int driver_read_fault(driver *d, unsigned slot, vl_backend_job *job, vl_error *err);
/* Takes all that the queue can hold: lines that were fetched ahead of the last kernel's end. */
int driver_drop_faults(driver *d, vl_error *err);

/* ---- samples (driver_sample.c) ---- */
int driver_sample(void *self, const vl_sampling *s, vl_error *err);
/* Samples begin with a kernel, `begin` being its time. */
void driver_sample_from(driver *d, uint64_t begin);
/* Those that are due: at marks that have been seen, and by time. `begin`: of the kernel. */
int driver_sample_due(driver *d, uint64_t begin, vl_error *err);
/* The last one, of a kernel that has ended. */
int driver_sample_last(driver *d, uint64_t begin, vl_error *err);

/* ---- counters (driver_counters.c) ---- */
/* The i-th counter that some machine has. NULL past the last, and *i is less by their number. Bytes on wires are not among them: these have the numbers of
 * the machine's wires in their names. */
const vl_counter *driver_counter(size_t *i);
int driver_open_counters(driver *d, vl_error *err);
/* Where a counter is read. False: the machine has none of this name. */
bool driver_find_counter(const driver *d, const char *name, struct driver_counter *to);
/* Its sum over all units. */
int driver_read_counter(driver *d, const struct driver_counter *c, uint64_t *value, vl_error *err);
void driver_clear_counters(driver *d);
/* A kernel has taken so long. */
void driver_count_cycles(driver *d, uint64_t cycles);
/* The final flush has. */
void driver_count_flush(driver *d, uint64_t cycles);
void driver_count_host(driver *d, uint64_t cycles);
/* Adds the counters of units of one kind, a bit each. */
int driver_count(driver *d, enum driver_unit what, uint64_t units, vl_error *err);
/* Adds those of a job's cores, and puts them into its counts. */
int driver_count_job(driver *d, vl_backend_job *job, vl_error *err);

#endif
