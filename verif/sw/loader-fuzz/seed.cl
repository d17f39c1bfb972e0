/* A real kernel file for the fuzzer to bend: branches, a loop, a barrier, scratchpad, several kinds of arguments. */
__kernel void seed(__global const float *in, __global float4 *out, __local int *scratch, const uint n, const float3 v) {
  __local float tile[64];
  size_t i = get_local_id(0);
  tile[i & 63] = in[get_global_id(0)];
  scratch[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < n; k++) {
    if (tile[k & 63] > v.x) continue;
    if (tile[k & 63] < v.y) break;
    sum += tile[k & 63];
  }
  out[get_global_id(0)] = (float4)(sum, v.z, scratch[i], 0);
}
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void other(__global int *x) { atomic_add(x, 1); }
