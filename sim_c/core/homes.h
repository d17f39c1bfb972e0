/* The home of the thread at a place of a warp (docs/compaction.md): the block's input homes_i, where warps are formed anew. */
#ifndef SIM_C_CORE_HOMES_H
#define SIM_C_CORE_HOMES_H

/* in: the inputs of a block that has `homes`; warp, thread: a place. With compaction = none a thread's home is its warp. */
#define HOME_OF(in, warp, thread) (COMPACTS ? (unsigned)(in)->homes[(warp) % HOME_WARPS][(thread) % HOME_PLACES] : (unsigned)(warp))
#endif
