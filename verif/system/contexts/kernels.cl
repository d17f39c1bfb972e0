// Kernels of two contexts. Compiled twice, for WHO = 1 and 2: code and constants differ, at the same addresses.
#include "verif/system/contexts/table.h"
__constant uint table[TABLE] = {T(0), T(1), T(2), T(3), T(4), T(5), T(6), T(7), T(8), T(9), T(10), T(11), T(12), T(13), T(14), T(15)};

// Loads, constants, divergence, a barrier and the scratchpad; host_work() in main.c does the same.
__kernel void work(__global const uint *in, __global uint *out, uint n, uint rounds, __local uint *part)
{
  uint id = get_global_id(0), s = in[id];
  for (uint r = 0; r < rounds; r++) {
    s = s * table[s >> 3 & (TABLE - 1)] + in[(id * 7 + r * 13) % n];
    if (s & 1)
      s ^= s >> SHIFT(WHO); // in the code itself
  }
  part[get_local_id(0)] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = s + part[(get_local_id(0) + 1) % get_local_size(0)];
}

struct access {
  ulong address;
  uint kind, survived;
};

// A thread an access to where nothing of its own is: none comes back from it.
__kernel void wild(__global volatile struct access *list)
{
  uint id = get_global_id(0);
  volatile __global uchar *p = (volatile __global uchar *)list[id].address;
  uint got = 1;
  ulong loaded = 0; // by plain loads, which a volatile access is not
  switch (list[id].kind) {
  case LOAD1: __asm__ volatile("lbu %0, 0(%1)" : "=r"(loaded) : "r"(p) : "memory"); break;
  case LOAD8: __asm__ volatile("ld %0, 0(%1)" : "=r"(loaded) : "r"(p) : "memory"); break;
  case STORE1: *p = 0x5a; break;
  case STORE8: *(volatile __global ulong *)p = 0x5a5a5a5a5a5a5a5aul; break;
  case ATOMIC: got += atomic_add((volatile __global uint *)p, 0x5a); break;
  case JUMP: __asm__ volatile("mv ra, %0\n\tret" ::"r"(p) : "ra"); break;
  }
  list[id].survived = (got + (uint)loaded) | 1;
}

// Never ends, and keeps memory and TLB busy.
__kernel void spin(__global volatile uint *own, uint pages)
{
  for (uint i = get_global_id(0);; i += 7)
    own[(i % pages) * 1024 + get_local_id(0)] += i;
}
