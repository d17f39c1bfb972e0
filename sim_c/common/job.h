/* Kernels that a machine is given to run, with what its judge must know of them. */
#ifndef SIM_C_COMMON_JOB_H
#define SIM_C_COMMON_JOB_H
#include <stdbool.h>
#include <stdint.h>

/* One launch. Everything in memory is in place. */
typedef struct sim_launch {
    uint64_t entry;      /* pc of the first instruction */
    uint64_t arg;        /* vl_arg */
    uint64_t stack_base; /* vl_sp = stack_base + ((hartid + 1) << stack_log2) */
    uint32_t stack_log2;
    uint32_t spad_bytes;    /* a group */
    uint32_t groups[3];     /* number of groups */
    uint32_t local[3];      /* threads of a group */
    uint32_t offset[3];     /* global offset, modulo 2^32 (vl_gbase) */
    uint32_t group_threads; /* product of local */
    uint32_t group_warps;   /* warps a group needs */
} sim_launch_t;

typedef struct sim_fault {
    uint32_t cause; /* fault_e */
    uint64_t value, pc;
    uint32_t core, warp;
    uint64_t mask; /* faulting threads of the warp */
} sim_fault_t;

/* One of the kernels that run at once, on cores of its own. */
typedef struct sim_job {
    const sim_launch_t *launch;
    uint64_t cores; /* a bit each */
    int code;       /* how it ended. 0: by itself; SIM_EFAULT: by `fault`; SIM_ESTOPPED: otherwise */
    bool cut;       /* it was stopped before its end; `code` says why */
    sim_fault_t fault;
} sim_job_t;
#endif
