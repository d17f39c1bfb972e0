/* A machine of one configuration as a library: build/cfg/NAME/libvl{model,rtl,lockstep}.so export
 *
 *     const machine_api_t *vl_machine(void);
 *
 * It is the device with its memory chips, and its host is outside: the program that loads it drives the two host-side streams of rtl/top/vellum.sv (control
 * registers, host memory port), a cycle a call, and sees its attention line. It does not depend on drivers, and needs no symbol of the program that loads it.
 * Functions return 0 or a SIM_E* code. */
#ifndef SIM_C_TOP_MACHINE_H
#define SIM_C_TOP_MACHINE_H
#include "sim_c/common/error.h"
#include "sim_c/common/job.h"
#include "sim_c/common/part.h"
#include "sim_c/common/warp.h"

#define MACHINE_ABI 11u /* counts up with every change of this file and of the four above; a library with another number is refused */

/* The facts of its configuration. */
typedef struct machine_facts {
    const char *name;   /* model, rtl, lockstep */
    const char *config; /* of rtl/config */
    uint32_t cores, warps, threads, lanes, groups, spad_bytes, reconv_entries; /* the last four: a core */
    uint32_t kernels;                               /* kernel slots */
    uint32_t page_faults;                           /* that the queue holds */
    uint32_t devices; /* that share one memory; cores, slices and channels below are those of all */
    uint32_t slices, channels; /* of the devices (their counters add up); those of the host have higher numbers */
    uint32_t block_bytes; /* home = directory: the unit in which a device holds host memory; 0: no directories */
    uint64_t memory_bytes; /* addressable bytes: of the chips, with directories of the host's chips */
    uint32_t line_bytes; /* of the host memory port */
    /* with directories: stacks of the devices, channels of the host, directions of links (up, down, up, ...); else 0 */
    uint32_t stacks, homes, wires;
    uint32_t link_bytes; /* that a wire carries in a cycle */
    uint64_t stack_bytes; /* of each stack */
    uint32_t shared; /* 1 if cores share an L2 TLB and a walker (translation = shared), else 0 */
    uint32_t locality; /* victim tags of a warp (locality_entries); 0: there is no warp_locality */
    bool compaction; /* the cores have a compactor (compaction = block) */
    uint32_t cpm_bits; /* bits of a counter of the common page matrix; 0 without one */
    uint32_t dram_detail; /* 0: channels do not count DRAM reads by class and application */
    uint32_t walk_pointers; /* pointers to tables that a core's walker keeps; 0: none */
    uint32_t counters[7]; /* of a core, a slice, a channel, a stack, a home, a wire, a shared translation */
} machine_facts_t;

/* The host's inputs in a cycle. Streams: a request is taken in the cycle in which valid and ready are both true, an answer likewise. */
typedef struct machine_in {
    bool ctl_req_valid, ctl_rsp_ready;
    bool ctl_write;
    uint16_t ctl_addr;
    uint64_t ctl_data;
    bool mem_req_valid; /* bytes [mem_at, mem_at + mem_bytes) of a line */
    /* with directories: coherent with all devices; a write of no bytes brings their stores to the block home */
    bool mem_write;
    uint16_t mem_id; /* comes back with the answer */
    uint64_t mem_line;
    uint32_t mem_at, mem_bytes;
    const uint8_t *mem_data; /* a write: these bytes */
} machine_in_t;

/* The host's outputs in the same cycle. */
typedef struct machine_out {
    uint64_t now; /* cycles since the machine was opened, with this one */
    bool ctl_req_ready, ctl_rsp_valid; /* an answer to a read only */
    uint64_t ctl_rsp;
    bool mem_req_ready, mem_rsp_valid; /* an answer to reads and writes, always taken */
    uint16_t mem_rsp_id;
    const uint8_t *mem_rsp_line; /* a read's: the whole line, valid until the next call */
    bool attention; /* a page fault waits */
    uint64_t running; /* kernel slots, a bit each */
    uint64_t warps_ended; /* since the machine was opened */
} machine_out_t;

/* The figures of a judge inside since the kernels began: judged accesses, and accesses that it let pass because it cannot judge them. */
typedef struct machine_figure {
    const char *name, *unit, *help;
    uint64_t value;
} machine_figure_t;
enum { MACHINE_FIGURES = 8 }; /* at most */

/* An instruction `slti x0, x0, number`, 0 to 63: a hint, which does nothing else. */
enum { MACHINE_MARKS = 64 };
typedef struct machine_mark {
    uint64_t cycle;
    uint32_t number, core, warp;
} machine_mark_t;

typedef struct machine_api {
    uint32_t abi; /* MACHINE_ABI */
    machine_facts_t facts;

    /* Reset. All of memory is 0. */
    int (*open)(void **self, sim_error_t *err);
    void (*close)(void *self);

    /* One cycle. SIM_EDIFF with a report in err. */
    int (*cycle)(void *self, const machine_in_t *in, machine_out_t *out, sim_error_t *err);
    /* Cycles with both streams quiet, one at least: until attention is raised, or a kernel slot of `running` is not running, or `most` cycles are over, or some
     * thousand have been clocked. What the host sees is the last one's. */
    int (*run)(void *self, uint64_t most, uint64_t running, machine_out_t *out, sim_error_t *err);

    /* BACK DOOR: the memory chips. The memory side must be at rest and its caches empty. Physical addresses inside the window. */
    int (*window)(void *self, uint64_t base, uint64_t limit);
    /* Where memory is, a value of HOME_POLICY.memory (docs/umh.md, 9): in the chips of the host, or in those of stacks. Before anything has been written there. */
    void (*home)(void *self, unsigned memory);
    /* From now on the chips hold what these bytes of [base, limit) hold, and nothing of their own. Before the first cycle. */
    void (*use_store)(void *self, uint64_t base, uint64_t limit, uint8_t *bytes);
    /* The bytes of the store may have been written past the machine. */
    void (*share)(void *self);
    int (*load)(void *self, uint64_t addr, const void *from, uint64_t bytes);
    int (*fill)(void *self, uint64_t addr, uint8_t byte, uint64_t bytes);
    int (*dump)(void *self, uint64_t addr, void *to, uint64_t bytes);

    /* For a judge inside: kernels are about to be started / have ended. SIM_EDIFF. */
    int (*begin)(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
    int (*end)(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
    /* The kernel of slot k has ended, and is about to be started again while others run. */
    int (*again)(void *self, uint32_t k, const sim_job_t *job, sim_error_t *err);
    /* Its figures, at most MACHINE_FIGURES; returns their number, 0 without a judge. */
    uint32_t (*figures)(void *self, machine_figure_t *to);

    /* The workgroup of a fault of these threads of a warp at pc, and the number of the warp that the lowest thread belongs to (where warps are formed anew: its home). False: unknown; for instance the group of a faulting store has ended meanwhile, and the warp's
     * next group has stored there, too. */
    bool (*group)(void *self, uint32_t core, uint32_t warp, uint64_t pc, uint64_t threads, uint32_t group[3],
                  uint32_t *number);

    /* False: nothing runs on the warp. */
    bool (*warp)(void *self, uint32_t core, uint32_t warp, machine_warp_t *to);

    /* Marks of kernels (docs/command.md, Time inside a kernel): the next one that has not been given yet; each number once since the kernels began. False: no
     * more. From the first call on `run` ends behind the cycle in which a mark is issued. */
    bool (*mark)(void *self, machine_mark_t *to);

    /* kind: "fst", "kanata", "json". SIM_ENOTSUP: not available; SIM_EINVAL: the machine has no such part. The file is complete after trace_end. */
    int (*trace_begin)(void *self, const char *kind, const char *path, const machine_part_t *part, sim_error_t *err);
    /* For a timeline: the host's activity from now on; NULL: none. */
    void (*trace_mark)(void *self, const char *what);
    /* For a timeline: a value from now on, on a track of this name. */
    void (*trace_value)(void *self, const char *name, double value);

    /* From now on accesses of kernels are counted for each of n ranges, and for all other addresses; n = 0 ends it. SIM_ENOTSUP: this machine cannot. */
    int (*watch)(void *self, const machine_range_t *range, uint32_t n);
    /* The counts of range k (n: of all other addresses); NULL: nothing is counted. */
    const uint64_t *(*watched)(void *self, uint32_t k);
    int (*trace_end)(void *self);
} machine_api_t;
#endif
