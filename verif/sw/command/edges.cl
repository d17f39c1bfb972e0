/* Byte k of each kind of memory, stored or loaded by the last thread; the neighbours of each are in use, too. */
__constant uchar table[100] = {1, 2, 3};
#define LAST (get_global_id(0) == get_global_size(0) - 1)

__kernel void global_store(__global uchar *before, __global uchar *a, __global uchar *behind, int k) {
  before[0] = behind[0] = 1;
  if (LAST) a[k] = 7;
}
__kernel void global_load(__global uchar *before, __global uchar *a, __global uchar *behind, int k) {
  before[0] = behind[0] = 1;
  if (LAST) before[0] = a[k];
}
__kernel void global_atomic(__global int *before, __global int *a, __global int *behind, int k) {
  before[0] = behind[0] = 1;
  if (LAST) atomic_inc(&a[k]);
}
__kernel void constant_load(__global uchar *before, __constant uchar *a, __global uchar *behind, int k) {
  before[0] = behind[0] = 1;
  if (LAST) before[0] = a[k];
}
__kernel void image_load(__global uchar *out, int k) { if (LAST) out[0] = table[k]; }
__kernel void own_local(__global uchar *out, int k) {
  __local uchar s[77];
  for (int i = 0; i < 77; i++) s[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LAST) s[k] = 9;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_id(0)];
}
__kernel void local_argument(__global uchar *out, __local uchar *before, __local uchar *a, __local uchar *behind, int k) {
  before[0] = behind[0] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LAST) a[k] = 9;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before[0] + behind[0];
}
__kernel void own_private(__global uchar *out, int k) {
  uchar s[64];
  for (int i = 0; i < 64; i++) s[i] = get_global_id(0) + i;
  if (LAST) s[k] = 9;
  uchar x = 0;
  for (int i = 0; i < 64; i++) x ^= s[i] * (i | 1);
  out[get_global_id(0)] = x;
}
