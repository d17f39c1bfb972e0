/*
 * Sum of a vector. Both kernels first sum a strided share in each thread, then fold the group's sums as a tree in local
 * memory (the local size is a power of two). reduce_partial leaves one sum a group for a further pass; reduce_atomic adds
 * it to the total at once.
 */
#include "fold.h"

__kernel void reduce_partial(__global const float *in, __global float *partial, uint n, __local float *tree)
{
    uint lid = get_local_id(0);
    float sum = 0.0f;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    FOLD(tree, lid, sum);
    if (lid == 0)
        partial[get_group_id(0)] = tree[0];
}

__kernel void reduce_atomic(__global const uint *in, __global uint *total, uint n, __local uint *tree)
{
    uint lid = get_local_id(0);
    uint sum = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    FOLD(tree, lid, sum);
    if (lid == 0)
        atomic_add(total, tree[0]);
}
