/* The scoreboard of the HMD bench: the promises of the protocol (docs/coherence.md, docs/home-seam.md), without directories, stages or queues. Each idea is in a header of
 * its own. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_H
#include "verif/coherence/hmd/scoreboard_grants.h"
#include "verif/coherence/hmd/scoreboard_memory.h"
#include "verif/coherence/hmd/scoreboard_near.h"
#include "verif/coherence/hmd/scoreboard_taken.h"
#endif
