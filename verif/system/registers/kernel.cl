// Loads and stores enough for every level of memory to be used.
__kernel void turn(__global const uint *in, __global uint *out)
{
  uint id = get_global_id(0);
  out[id] = in[get_global_size(0) - 1 - id] + 1;
}
