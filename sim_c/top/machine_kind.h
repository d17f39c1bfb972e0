/* The three kinds of machine behind machine.h: the twin, the verilated RTL, or both in lockstep; a device without its chips. */
#ifndef SIM_C_TOP_MACHINE_KIND_H
#define SIM_C_TOP_MACHINE_KIND_H
#include "sim_c/common/error.h"
#include "sim_c/common/job.h"
#include "sim_c/top/vellum.h"

struct machine_figure; /* machine.h */

typedef struct machine_kind {
    const char *name;
    int (*open)(void **self);
    void (*close)(void *self);
    void (*reset)(void *self);
    /* This cycle's outputs; valid until tick. */
    const vellum_out_t *(*out)(void *self);
    /* One clock edge. 0, or SIM_EDIFF with a report in err. */
    int (*tick)(void *self, const vellum_in_t *in, sim_error_t *err);
    /* Cycles, at most, in which nothing happens but that time passes, unless something comes from outside; the clocks of a
     * kind of chips in the first `cycles` of them; the jump over them. NULL: never. */
    uint64_t (*due)(void *self);
    uint64_t (*dram_ticks)(void *self, unsigned chips, uint64_t cycles);
    void (*skip)(void *self, uint64_t cycles);
    /* Waves. NULL, or SIM_ENOTSUP: none. */
    /* scopes: of the design, ending with NULL; NULL: all of it. */
    int (*fst)(void *self, const char *path, const char *const *scopes);
    void (*fst_end)(void *self);
    /* The model in it, for state that no port shows; NULL without one. */
    vellum_inside_t (*inside)(void *self);
    /* A judge's view of the kernels' begin, and of the end of all; NULL: no judge. */
    int (*begin)(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
    int (*end)(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
    /* ... and of a kernel that is started again; present if `begin` is. */
    int (*again)(void *self, uint32_t k, const sim_job_t *job, sim_error_t *err);
    uint32_t (*figures)(void *self, struct machine_figure *to);
    /* A judge's copy of memory. NULL: none. */
    int (*window)(void *self, uint64_t base, uint64_t limit);
    void (*write)(void *self, uint64_t addr, const void *data, uint64_t bytes);
    void (*fill)(void *self, uint64_t addr, uint8_t byte, uint64_t bytes);
    /* The host may have written memory past the machine: from now on `bytes` (of the window) are all of memory. */
    void (*share)(void *self, const uint8_t *bytes);
} machine_kind_t;

/* Defined by exactly one of machine_model.c, machine_rtl.c, machine_lockstep.c in a library. */
extern const machine_kind_t machine_kind;
#endif
