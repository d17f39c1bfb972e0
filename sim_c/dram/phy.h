/* The C side of a channel's pins (docs/memory-side.md): between what dram_ctrl shows once a core cycle and the device model's clock.
 *
 *     each core cycle, with the pins' values of this cycle:
 *         data = dram_phy_read(p);             read data of this cycle
 *         e = dram_phy_cycle(p, &pins);        the ticks of this cycle
 *
 * A burst read is seen in the first core cycle that begins after the tick of its last beat, and only in that one.
 */
#ifndef SIM_C_DRAM_PHY_H
#define SIM_C_DRAM_PHY_H
#include "sim_c/dram/dram.h"

#define DRAM_BURST_MAX 128 /* bytes of a burst, at most: a line */

typedef struct dram_phy_pins {
    uint8_t ticks; /* 0..2 */
    uint8_t phase; /* below ticks when there is a command */
    dram_cmd_t cmd;
    uint64_t mask[DRAM_BURST_MAX / 64]; /* WR: bit i, write byte i */
    uint8_t data[DRAM_BURST_MAX]; /* WR */
} dram_phy_pins_t;

typedef struct dram_phy dram_phy_t;

/* The device stays the caller's, and outlives the phy. SIM_ECONFIG: a burst larger than a line, or bursts so close that a core cycle would
 * bring two; SIM_ENOMEM. */
int dram_phy_create(dram_phy_t **out, dram_t *device);
void dram_phy_destroy(dram_phy_t *p);

/* The burst that this core cycle brings (dram_burst_bytes), or NULL. */
const uint8_t *dram_phy_read(const dram_phy_t *p);

/* One core cycle. DRAM_EVIOLATION: the device refuses the command, dram_report(device) says why. SIM_EINVAL: `ticks` or `phase` is
 * impossible. SIM_ENOMEM. After an error the channel is where the error occurred, and goes no further. */
int dram_phy_cycle(dram_phy_t *p, const dram_phy_pins_t *pins);

/* Nothing is on its way: no write data to drive, no burst to give. Cycles without a command then are ticks alone. */
bool dram_phy_idle(const dram_phy_t *p);
#endif
