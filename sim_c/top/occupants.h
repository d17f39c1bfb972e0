/* Which workgroups have run on the warps of a device, and where each warp is, seen from its trace ports: for the work-item of a fault that the host reads later,
 * and for a kernel that does not end. */
#ifndef SIM_C_TOP_OCCUPANTS_H
#define SIM_C_TOP_OCCUPANTS_H
#include "sim_c/common/warp.h"
#include "vellum_ports.h"

typedef struct occupants occupants_t;

occupants_t *occupants_new(void);
void occupants_free(occupants_t *o);
/* A kernel is about to begin: one that was stopped has left groups that had not begun as a whole. */
void occupants_clear(occupants_t *o);
/* One cycle's outputs. Cycles in which nothing happens may be skipped. */
void occupants_cycle(occupants_t *o, uint64_t cycle, const vellum_out_t *out);
/* machine.h, group. */
bool occupants_find(const occupants_t *o, uint64_t cycle, uint32_t core, uint32_t warp, uint64_t pc, uint64_t threads,
                    uint32_t group[3], uint32_t *number);
/* machine.h, warp. */
bool occupants_now(const occupants_t *o, uint64_t cycle, uint32_t core, uint32_t warp, machine_warp_t *to);
#endif
