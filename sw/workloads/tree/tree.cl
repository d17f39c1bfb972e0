// A search tree that the host has built with its own pointers: a thread looks up one key after the other.
struct node {
  __global struct node *child[2];
  uint key;
  uint hits;
};

__kernel void look_up(__global struct node *root, __global const uint *keys, __global uint *depth, uint n)
{
  uint stride = get_global_size(0);
  for (uint i = get_global_id(0); i < n; i += stride) {
    uint key = keys[i], steps = 1, more;
    __global struct node *at = root;
    do { // one way out of the loop: threads that leave by several meet late, and a warp has few places for them
      __global struct node *next = at->child[key > at->key];
      more = (at->key != key) & (next != 0);
      at = more ? next : at;
      steps += more;
    } while (more);
    bool found = at->key == key;
    if (found)
      atomic_inc(&at->hits);
    depth[i] = found ? steps : 0;
  }
}
