/* The ages of the ways of a set, a permutation of 0 (the youngest) and up: twin of rtl/cache/l2_lru.sv, for every kind of slice (docs/blocks/l2.md, step 5). */
#ifndef VL_L2_LRU_H
#define VL_L2_LRU_H
#include <stdint.h>

/* A way is used: those younger than it get one older. */
void l2_lru_touch(uint8_t *age, unsigned way);

/* The oldest of the ways with a bit in `of`; -1 without one. */
int l2_lru_oldest(const uint8_t *age, uint32_t of);
#endif
