// Linked lists that the host has built with its own pointers: a thread walks one of them, adds up the values and leaves its mark.
struct node {
  __global struct node *next;
  uint value, mark;
};

struct head {
  __global struct node *first;
};

__kernel void walk(__global struct head *heads, __global uint *sums, uint lists)
{
  uint id = get_global_id(0);
  if (id >= lists)
    return;
  uint sum = 0, place = 0;
  for (__global struct node *n = heads[id].first; n; n = n->next) {
    sum += n->value;
    n->mark = ++place;
  }
  sums[id] = sum;
}

// Turns every list round.
__kernel void reverse(__global struct head *heads, uint lists)
{
  uint id = get_global_id(0);
  if (id >= lists)
    return;
  __global struct node *before = 0;
  for (__global struct node *n = heads[id].first, *next; n; n = next) {
    next = n->next;
    n->next = before;
    before = n;
  }
  heads[id].first = before;
}
