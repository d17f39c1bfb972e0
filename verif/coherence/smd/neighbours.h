/* The neighbours of the SMD in its bench, at random but by the rules: a slice, a stack, and an HMD for which other devices read, store and evict, each in a header of its own.
 * The scoreboard gets every step of theirs. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_H
#include "verif/coherence/smd/neighbours_slice.h"
#include "verif/coherence/smd/neighbours_stack.h"
#include "verif/coherence/smd/neighbours_hmd.h"
#endif
