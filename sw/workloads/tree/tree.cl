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
    uint key = keys[i], steps = 1;
    __global struct node *at = root;
    while (at && at->key != key) {
      at = at->child[key > at->key];
      steps++;
    }
    if (at)
      atomic_inc(&at->hits);
    depth[i] = at ? steps : 0;
  }
}
