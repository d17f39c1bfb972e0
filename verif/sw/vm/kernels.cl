// Kernels of the tests of host memory.
struct access {
  ulong address;
  uint kind, value;
};

// A thread an access: load, store, atomic addition; the value found comes back.
__kernel void probe(__global volatile struct access *list, uint n)
{
  uint id = get_global_id(0);
  if (id >= n)
    return;
  volatile __global uint *p = (volatile __global uint *)list[id].address;
  switch (list[id].kind) {
  case 0: list[id].value = *p; break;
  case 1: *p = list[id].value; break;
  case 2: list[id].value = atomic_add(p, list[id].value); break;
  }
}

// One thread: reads (or also writes) a word of each of `pages` pages, round after round, and of page 0 after each of them.
__kernel void sweep(__global volatile uint *first, uint pages, uint rounds, uint write, __global uint *sum)
{
  uint s = 0;
  for (uint r = 0; r < rounds; r++)
    for (uint i = 1; i < pages; i++) {
      s += first[i * 1024];
      if (write)
        first[i * 1024] = s;
      s += first[0];
    }
  *sum = s;
}

// Counts up first, then touches a place that may not be there; the count says how often the instruction before was done.
__kernel void count(__global volatile uint *counts, ulong address, uint guilty)
{
  uint id = get_global_id(0);
  counts[id]++;
  if (id == guilty)
    *(volatile __global uint *)address = 1;
  counts[id] += 16;
}

// Goes where there may be no code.
__kernel void jump(ulong address)
{
  __asm__ volatile("mv ra, %0\n\tret" ::"r"(address) : "ra");
}

// The scratchpad aperture is where it always is.
__kernel void local_sum(__global const uint *in, __global uint *out, __local uint *part)
{
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    uint s = 0;
    for (uint i = 0; i < get_local_size(0); i++)
      s += part[i];
    out[get_group_id(0)] = s;
  }
}

// One half of the workgroup stores before a barrier; the other half reads the words behind it. `far` is not accessed before: the thread that stores there waits for
// the host, and its warp's store with it.
__kernel void publish(__global volatile uint *near, __global volatile uint *far, __global uint *out)
{
  uint part = get_local_size(0) / 2, l = get_local_id(0) % part, upper = get_local_id(0) / part;
  uint was = near[l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (!upper)
    *(l ? near + l : far) = was + l + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (upper)
    out[l] = *(l ? near + l : far);
}

// A list as the program has made it, with its own pointers: every thread walks it, adds up its values, and counts itself in each node.
struct node {
  ulong next;
  uint value, visits;
};
__kernel void walk(ulong head, __global uint *sums)
{
  uint sum = 0;
  for (ulong at = head; at;) {
    __global struct node *n = (__global struct node *)at;
    sum += n->value;
    atomic_inc(&n->visits);
    at = n->next;
  }
  sums[get_global_id(0)] = sum;
}

// The one work-item of these ids stores where it may not.
void do_it(ulong address)
{
  *(volatile __global uint *)address = 1;
}
__kernel void blame(uint x, uint y, uint z, ulong address)
{
  if (get_global_id(0) == x && get_global_id(1) == y && get_global_id(2) == z)
    do_it(address);
}
