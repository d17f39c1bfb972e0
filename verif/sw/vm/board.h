/* The scoreboard of the pager (docs/host-memory.md, Tests): a machine that runs the kernel `probe` of the test's image itself, as adversely as the seam
 * allows, and looks at the host's every step while it runs. */
#ifndef VERIF_SW_VM_BOARD_H
#define VERIF_SW_VM_BOARD_H

#include "verif/sw/vm/lib.h"

/* The rights (VL_READ ...) that the space of this ASID has given to a page; 0: none, or nothing is there. */
typedef unsigned (*board_rights)(void *user, uint64_t asid, uint64_t va);

/* A device with `frames` frames of 4 KB in all on that machine, the test's image loaded; the process can show `mappings`
 * of them at once (0: all). One at a time. */
vl_device *open_board(const char *memory, uint64_t frames, uint64_t mappings, uint64_t seed, board_rights rights,
                      void *user);

/* Its counts since it was opened. */
typedef struct board_seen {
    uint64_t steps, came, left, written, refused, late,
        again; /* looks; pages; of these, copied home; refusals; stores that a shootdown waited for; frames used again */
} board_seen;
const board_seen *board_saw(void);

#endif
