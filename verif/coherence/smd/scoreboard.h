/* The scoreboard of the SMD bench: bytes and rights, without a directory. It follows the seam (docs/home-seam.md), the protocol (docs/coherence.md) and
 * the order of a line's requests at a stack; of the page only the place of a line in the stack. Each side is in a header of its own. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_H
#include "verif/coherence/smd/scoreboard_slice.h"
#include "verif/coherence/smd/scoreboard_stack.h"
#include "verif/coherence/smd/scoreboard_hmd.h"
#endif
