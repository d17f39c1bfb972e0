// A kernel beside which the host works by its pointers.
#include "verif/system/host-pointer/table.h"

// Each thread stores its words in order, and reports its progress now and then, by an atomic. It goes on when its stores are performed.
__kernel void work(__global volatile uint *words, __global volatile uint *done, uint steps, uint delay)
{
  const uint id = get_global_id(0), n = get_global_size(0);
  uint said = 0;
  for (uint i = 0; i < steps; i++) {
    words[PLACE(i, id, n)] = VALUE(i, id);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (i % SAYS == SAYS - 1)
      said = atomic_xchg(&done[id], i + 1);
    for (uint d = 0; d < delay + (said >> 31); d++)
      __asm__ volatile("");
  }
}
