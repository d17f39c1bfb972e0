/* Homes for benches of blocks that have `homes` (docs/compaction.md): which thread runs at a place of a warp. With compaction = none it is always the warp's own. */
#ifndef VERIF_CORE_HOMES_H
#define VERIF_CORE_HOMES_H

/* in: the inputs of a block of this cycle. */
#define HOME_AT(in, w, t) (COMPACTS ? (unsigned)(in)->homes[(w) % HOME_WARPS][(t) % HOME_PLACES] : (unsigned)(w))

/* Each warp begins with its own threads; then one place in some cycles is another's. A block looks at them in the very cycle of which its page speaks, so they may change at any time.
   kept: the array in the bench's environment; in: where it goes. */
#define HOMES_DRAW(b, kept, in)                                                                                       \
    do {                                                                                                              \
        for (unsigned w_ = 0; w_ < HOME_WARPS && !(b)->cycle; w_++)                                                   \
            for (unsigned t_ = 0; t_ < HOME_PLACES; t_++)                                                             \
                (kept)[w_][t_] = COMPACTS ? w_ : 0;                                                                   \
        if (COMPACTS && vl_chance(&(b)->rng, 60))                                                                     \
            (kept)[vl_below(&(b)->rng, HOME_WARPS)][vl_below(&(b)->rng, HOME_PLACES)] = vl_below(&(b)->rng, WARPS);   \
        memcpy((in)->homes, (kept), sizeof (in)->homes);                                                              \
    } while (0)
#endif
