// One warp goes through pages in order, `rounds` times: this alone decides hits and misses of its TLB and the L2 TLB, whatever else runs.
__kernel void pages(__global const uint *in, __global uint *out, uint n, uint apart, uint rounds)
{
  uint id = get_global_id(0), s = id;
  for (uint r = 0; r < rounds; r++)
    for (uint p = 0; p < n; p++)
      s = s * 3 + in[p * apart * 1024 + (r * 8 + id) % 1024];
  out[id] = s;
}
