// A victim, its attacker, and a program that keeps a secret. Compiled twice, for WHO = 1 and 2: code and constants differ, at the same addresses.
#include "verif/system/contexts/table.h"
__constant uint table[TABLE] = {T(0), T(1), T(2), T(3), T(4), T(5), T(6), T(7), T(8), T(9), T(10), T(11), T(12), T(13), T(14), T(15)};

// Reads `pages` pages, every warp another one at a time; host_victim() in main.c does the same.
__kernel void victim(__global const uint *in, __global uint *out, uint pages, uint rounds)
{
  uint id = get_global_id(0), warp = id / 8, s = id;
  for (uint r = 0; r < rounds; r++)
    s = s * table[r & (TABLE - 1)] + in[((warp * 5 + r * 7 & 31) * pages >> 5) * 1024 + id % 1024];
  out[id] = s ^ s >> SHIFT(WHO); // in the code itself
}

// Every lane another page at random, read and written: of its own table.
__kernel void thrash(__global uint *own, uint pages, uint rounds)
{
  uint id = get_global_id(0), x = id * 2654435761u + 1;
  for (uint r = 0; r < rounds; r++) {
    x = x * 1664525u + 1013904223u;
    own[((x >> 22) * pages >> 10) * 1024 + id % 1024] += x;
  }
}

// Its values are the secret: neither addresses nor branches, nor the time of an instruction, depend on them.
__kernel void keep(__global const uint *secret, __global uint *out, uint n, uint rounds)
{
  uint id = get_global_id(0), s = secret[id];
  for (uint r = 0; r < rounds; r++) {
    s = s * 2654435761u + secret[id * 5 + r * 64 & n - 1];
    out[id + r * 32 & n - 1] = s;
  }
}
