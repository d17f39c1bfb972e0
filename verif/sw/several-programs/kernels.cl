// Short kernels for several programs at once. `count` reads the words that it writes: a second launch on the same buffer gives another result.
__kernel void add(__global const uint *a, __global const uint *b, __global uint *c)
{
  uint id = get_global_id(0);
  c[id] = a[id] + b[id];
}

__kernel void count(__global uint *x, uint rounds)
{
  uint id = get_global_id(0);
  for (uint r = 0; r < rounds; r++)
    x[id] = x[id] * 3 + id;
}

__kernel void forever(__global volatile uint *x)
{
  for (;;)
    x[get_global_id(0)]++;
}

__kernel void wild(__global uint *x, uint at)
{
  x[at] = 1;
}
