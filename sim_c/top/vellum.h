/* Functions of the golden model beside the ports of rtl/top/vellum.sv. */
#ifndef SIM_C_TOP_VELLUM_H
#define SIM_C_TOP_VELLUM_H
#include "vellum_ports.h"

/* Cycles, at most, in which nothing happens but that time passes, unless something comes from outside (0: none; UINT64_MAX: for ever),
 * the DRAM clocks of `cycles` of them (the same for every channel), and the jump over them: only counters move. */
uint64_t vellum_due(const vellum_t *m);
uint64_t vellum_dram_ticks(const vellum_t *m, unsigned kind, uint64_t cycles);
void vellum_skip(vellum_t *m, uint64_t cycles);
/* This cycle's outputs of a block (its BLOCK_out_t). `index` is the core, slice or channel; -1 where there is one only.
 * `name` is that of its place in its composition (NAME_nets.h): a block may stand in several. */
const void *vellum_block_out(const vellum_t *m, int index, const char *block, const char *name);
/* A core's load/store unit: no port shows its pool of instructions. */
const struct lsu *vellum_lsu(const vellum_t *m, unsigned core);
/* Both for who may have a model or not: the RTL by itself is linked without. */
typedef struct vellum_inside {
    const vellum_t *m; /* NULL without one */
    const void *(*out)(const vellum_t *m, int index, const char *block, const char *name); /* vellum_block_out */
    const struct lsu *(*lsu)(const vellum_t *m, unsigned core); /* vellum_lsu */
} vellum_inside_t;
#endif
