/* Kernels that do not end, each in its way. */
__kernel void spin(__global int *f) {
  while (!atomic_or(&f[0], 0)) ; /* spin here */
}
__kernel void compute(__global int *f) {
  int x = 1;
  while (x) x = x * 3 | 1; /* arithmetic */
  f[0] = x;
}
/* Half of each group never gets to the barrier. */
__kernel void parted(__global int *f, __local int *t) {
  if (get_local_id(0) < 16)
    while (!atomic_or(&f[0], 0)) ; /* spin here */
  barrier(CLK_LOCAL_MEM_FENCE);
  f[1] = 1;
}
__kernel void chase(__global int *f) {
  int x = get_global_id(0) * 97;
  while (x != 5) x = f[x & 65535] + x + 4099; /* a long loop over memory */
  f[0] = x;
}
/* Each warp of a group has a place of its own. */
#define PLACE(k) case k: while (atomic_or(&f[0], 0) < 1000 + k) x += atomic_and(&f[0], ~k) * k; break;
__kernel void places(__global int *f) {
  int x = 0;
  switch (get_global_id(0) / 8) {
    PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7) PLACE(8) PLACE(9) PLACE(10) PLACE(11) PLACE(12) PLACE(13) PLACE(14) PLACE(15)
    PLACE(16) PLACE(17) PLACE(18) PLACE(19) PLACE(20) PLACE(21) PLACE(22) PLACE(23)
  }
  f[0] = x;
}
__kernel void ends(__global int *f) { f[get_global_id(0)] = 1; }
