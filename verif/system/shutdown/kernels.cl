// A kernel that is shut down in mid-run: by a fault of one group, or from outside.
#include "verif/system/shutdown/table.h"

// Each thread stores its words in order, and says now and then, by atomics, how far it has come. One group stops at step `at`: it faults at `bad`, or goes on for ever if that is 0.
__kernel void work(__global volatile uint *words, __global volatile uint *done, uint steps, uint culprit, uint at, ulong bad, uint delay)
{
  const uint id = get_global_id(0), n = get_global_size(0);
  for (uint i = 0; i < steps; i++) {
    for (uint d = 0; d < delay; d++)
      __asm__ volatile("");
    words[PLACE(i, id, n)] = VALUE(i, id);
    if (i % SAYS == SAYS - 1) {
      atomic_inc(&done[n]);
      atomic_xchg(&done[id], i + 1);
    }
    if (get_group_id(0) != culprit || i != at)
      continue;
    if (bad)
      *(volatile __global uint *)bad = i;
    else
      for (;;)
        words[PLACE(i, id, n)] = VALUE(i, id);
  }
}
