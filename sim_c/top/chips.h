/* The memory chips of a machine under simulation: a device model and a phy a channel, on the device's DRAM pins (docs/memory-side.md). With directories there
 * are chips of stacks and of host memory; store and back door are of those that hold memory.
 *
 *     each core cycle:  chips_read(c, &in);              the pins' inputs of the device in this cycle
 *                       e = chips_cycle(c, &out, err);   the pins' outputs of the device in this cycle
 */
#ifndef SIM_C_TOP_CHIPS_H
#define SIM_C_TOP_CHIPS_H
#include "sim_c/common/error.h"
#include "vellum_ports.h"

typedef struct chips chips_t;

/* Physical memory as it is shared with the host (docs/host-memory.md): bytes[a - base] is the byte of physical address a. */
typedef struct {
    uint64_t base, limit;
    uint8_t *bytes;
} chips_store_t;

/* All bytes are 0. SIM_ENOMEM, or SIM_ECONFIG with the reason in err. */
int chips_new(chips_t **out, sim_error_t *err);
void chips_free(chips_t *c);
/* The chips use the store's memory instead of their own. Before the first cycle. */
void chips_use_store(chips_t *c, const chips_store_t *store);
/* Memory is in the host's chips (the policies umh, zerocopy: at first), or in those of stacks (memcpy, managed). While nothing is under way and before anything has
 * been written there. */
void chips_home(chips_t *c, unsigned memory);

void chips_read(const chips_t *c, vellum_in_t *in);
/* SIM_EDIFF with the device model's report in err: the device broke a rule of the chips. */
int chips_cycle(chips_t *c, const vellum_out_t *out, sim_error_t *err);

/* DRAM clocks, at most, without a transfer under way; the jump over `ticks` of each kind of chips, at most that many, without a command. */
uint64_t chips_due(const chips_t *c);
int chips_skip(chips_t *c, const uint64_t ticks[DRAM_KINDS], sim_error_t *err);

/* BACK DOOR, for loading before a run and dumping after it: device addresses, past caches and pins. The memory side must be at rest and
 * hold nothing that is not in those chips. SIM_ESTATE while data are on their way, SIM_ENOMEM. */
int chips_load(chips_t *c, uint64_t addr, const void *from, uint64_t bytes);
int chips_dump(const chips_t *c, uint64_t addr, void *to, uint64_t bytes);
#endif
