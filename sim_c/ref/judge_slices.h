/* The bytes that coherent slices give their homes, in write-backs and acknowledgements: all that a slice has stored since it gave the last ones, and nothing else except the rest of a
 * grain (docs/umh.md, Masks of four bytes; with mask_grain = 1 a grain is a byte). A grain is given only if the slice has stored all of it, or holds the line in a state in
 * which no other may store: then no other has newer bytes of it. Slices are numbered as in judge_coherence.h. */
#ifndef SIM_C_REF_JUDGE_SLICES_H
#define SIM_C_REF_JUDGE_SLICES_H
#include "sim_c/ref/judge_state.h"

judge_slices_t *judge_slices_new(void);
void judge_slices_free(judge_slices_t *s);
void judge_slices_reset(judge_t *j);

/* A store of a slice is coherent by its kind, or since it writes a part of a grain. */
bool judge_store_coherent(const mem_req_t *q);

/* A slice has answered this request, with that doubleword. */
void judge_slice_stored(judge_t *j, unsigned slice, const mem_req_t *q, uint64_t answer);
/* It gives bytes of a line that it holds in that state; `keeps`: it has them still. */
void judge_slice_gives(judge_t *j, unsigned slice, uint64_t line, unsigned state, const line_be_t *be, bool keeps);
#endif
