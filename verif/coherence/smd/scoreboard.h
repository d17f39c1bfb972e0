/* The scoreboard of the SMD bench: bytes, and who may do what, without a directory. It knows the seam (docs/home-seam.md), the protocol (docs/coherence.md) and
 * that a stack performs the requests of a line in their order; of the page only where a line stands in the stack. Each side is in a header of its own. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_H
#include "verif/coherence/smd/scoreboard_slice.h"
#include "verif/coherence/smd/scoreboard_stack.h"
#include "verif/coherence/smd/scoreboard_hmd.h"
#endif
