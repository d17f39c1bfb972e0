/* The neighbours of the HMD in its bench, at random but by the rules: SMDs of several devices, the host's last-level cache, and a memory, each in a header of its own. The
 * scoreboard gets every step of theirs. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_H
#include "verif/coherence/hmd/neighbours_devices.h"
#include "verif/coherence/hmd/neighbours_cache.h"
#endif
