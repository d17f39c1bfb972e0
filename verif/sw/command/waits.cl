/* Groups that wait for each other: for the one before (up) or the one after, in each way to wait. `flag` is zero, `out` gets running sums of group numbers. */
#define CHAIN(name, poll)                                             \
  __kernel void name(__global int *flag, __global int *out, int up) { \
    const int g = get_group_id(0), n = get_num_groups(0);             \
    int c = 0;                                                        \
    if (up ? g > 0 : g < n - 1) {                                     \
      const int f = up ? g - 1 : g + 1;                               \
      poll;                                                           \
      mem_fence(CLK_GLOBAL_MEM_FENCE);                                \
      c = ((__global volatile int *)out)[f * get_local_size(0)];      \
    }                                                                 \
    barrier(CLK_GLOBAL_MEM_FENCE);                                    \
    out[get_global_id(0)] = c + g + 1;                                \
    barrier(CLK_GLOBAL_MEM_FENCE);                                    \
    if (get_local_id(0) == 0)                                         \
      atomic_xchg(&flag[g], 1);                                       \
  }
int other(__global int *p) __attribute__((noinline));
int other(__global int *p) { return atomic_or(p, 0); }

CHAIN(by_volatile, while (!*(__global volatile int *)&flag[f]) ;)
CHAIN(by_add, while (!atomic_add(&flag[f], 0)) ;)
CHAIN(by_cas, while (atomic_cmpxchg(&flag[f], 1, 1) != 1) ;)
CHAIN(by_call, while (!other(&flag[f])) ;)
CHAIN(by_leader, if (get_local_id(0) == 0) while (!atomic_or(&flag[f], 0)) ; barrier(CLK_GLOBAL_MEM_FENCE))
CHAIN(by_count, for (int i = 0; i < 100000000 && !atomic_add(&flag[f], 0); i++) ;)

/* Its own last thread lets the group go on; the kernel behind it never ends. */
__kernel void within(__global int *flag, __global int *out) {
  const int g = get_group_id(0), last = get_local_id(0) == get_local_size(0) - 1;
  if (last) atomic_xchg(&flag[g], 1);
  else while (!atomic_or(&flag[g], 0)) ;
  out[get_global_id(0)] = 1;
}
__kernel void nobody(__global int *flag) {
  while (!atomic_or(&flag[0], 0)) ;
}
