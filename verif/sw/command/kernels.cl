__kernel void vadd(__global const float *a, __global const float *b, __global float *c, uint n) {
  size_t i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
__kernel void scalars(__global ulong *out, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float i, float4 j, int2 k) {
  out[0] = (ulong)(long)a; out[1] = b; out[2] = (ulong)(long)c; out[3] = d; out[4] = (ulong)(long)e; out[5] = f; out[6] = (ulong)g; out[7] = h;
  out[8] = as_uint(i); out[9] = as_uint(j.x); out[10] = as_uint(j.w); out[11] = (uint)k.x; out[12] = (uint)k.y;
}
__kernel void vec3(__global float *out, float3 v) { out[0] = v.x + v.y * 10 + v.z * 100; }
__kernel void rotate3(__global const int *in, __global int *out, __local int *tmp) {
  size_t l = get_local_id(0), n = get_local_size(0);
  tmp[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tmp[(l + 3) % n];
}
__kernel void ids(__global uint *out) {
  size_t i = get_global_id(0) - get_global_offset(0) + get_global_size(0) * (get_global_id(1) - get_global_offset(1) + get_global_size(1) * get_global_id(2));
  out[i] = (uint)(get_global_id(0) | get_global_id(1) << 8 | get_global_id(2) << 16 | get_local_id(0) << 24 | get_group_id(1) << 28);
}
__kernel void copy(__global const uchar *in, __global uchar *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
__kernel void poke(__global int *p) { p[get_global_id(0)] = 1; }
__kernel void forever(__global volatile int *p) { for (;;) p[0]++; }
__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(__global int *p) { p[get_global_id(0)] = (int)get_local_size(0); }
/* Threads of two warps and more go each way, so that a machine that compacts forms warps of them; one of them, by its local id, loads or stores far outside. */
__kernel void crossed(__global int *p, __global int *q, int loads, int stores) {
  int id = get_local_id(0), home = id / 4, place = id % 4, x = 0;
  if ((home + place) & 1) {
    for (int i = 0; i < 4 + place; i++) x = x * 3 + p[(id + i) & 63];
    x += *(volatile __global int *)(id == loads ? p + 0x10000000 : p + id);
    *(volatile __global int *)(id == stores ? q + 0x10000000 : q + id) = x;
  } else {
    for (int i = 0; i < 5 + home; i++) x = x * 5 ^ p[(id + i) & 63];
    q[id] = x + 1;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  q[id] += 1;
}
__kernel void busy(__global int *a, __global int *b, __global float *f, int n)
{
    __local int s[64];
    int i = get_global_id(0), l = get_local_id(0), x = 0;
    s[(l << 3 | l >> 3) & 63] = i; // several threads a bank, each word written once by 64 threads
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < (i & 7) + 2; j++) {
        x += a[(i * 4099 + j * 1031) & (n - 1)];
        if (x & 1)
            x = x * 3 + s[(l + j) & 63];
        else
            f[i] = f[i] / (float)(j + 3) + sqrt(f[i]);
    }
    atomic_add(&b[i & 15], x);
    barrier(CLK_LOCAL_MEM_FENCE);
    b[(i * 4099) & (n - 1)] = x / (l + 1);
}
/* Each lap reads all pages in turn. */
__kernel void laps(__global const int *p, __global int *out, int pages, int laps)
{
    int i = get_global_id(0), sum = 0;
    for (int lap = 0; lap < laps; lap++)
        for (int page = 0; page < pages; page++)
            sum += p[page * 1024 + i];
    out[i] = sum;
}
