/* The sums of reduce.cl, where a thread has two vectors of four, a group's size apart: a group's data lies together. Behind the data are zeros, to the end of the last group. */
#include "fold.h"

__kernel void reduce_partial_vectors(__global const float4 *in, __global float *partial, __local float *tree)
{
    uint lid = get_local_id(0), i = 2 * get_group_id(0) * get_local_size(0) + lid;
    float4 v = in[i] + in[i + get_local_size(0)];
    float sum = (v.x + v.y) + (v.z + v.w);
    FOLD(tree, lid, sum);
    if (lid == 0)
        partial[get_group_id(0)] = tree[0];
}

__kernel void reduce_atomic_vectors(__global const uint4 *in, __global uint *total, __local uint *tree)
{
    uint lid = get_local_id(0), i = 2 * get_group_id(0) * get_local_size(0) + lid;
    uint4 v = in[i] + in[i + get_local_size(0)];
    uint sum = (v.x + v.y) + (v.z + v.w);
    FOLD(tree, lid, sum);
    if (lid == 0)
        atomic_add(total, tree[0]);
}
