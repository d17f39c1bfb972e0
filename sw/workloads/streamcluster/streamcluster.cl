/*
 * What opening a median at the point `candidate` would gain. Coordinates are stored dimension by dimension. A point that is nearer
 * to the candidate than to its median would change over (`change`), and its gain is added up in the last of its row's slots; any
 * other point's loss, should its median close, is added to that median's slot. A row of `gain` has medians + 1 slots, zero before.
 */
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
    float weight, cost; /* distance to its median, not weighted */
    uint median;        /* the point that is its median */
    uint reserved;
} point;

__kernel void streamcluster_gain(__global const point *points, __global const float *coord, __global const uint *slot,
                                 __global uchar *change, __global float *gain, uint total, uint dims, uint candidate,
                                 uint medians, uint end, __local float *centre)
{
    if (get_local_id(0) == 0)
        for (uint d = 0; d < dims; d++)
            centre[d] = coord[d * total + candidate];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint p = get_global_id(0);
    if (p >= end)
        return;
    float distance = 0.0f;
    for (uint d = 0; d < dims; d++) {
        float apart = coord[d * total + p] - centre[d];
        distance = fma(apart, apart, distance);
    }
    point mine = points[p];
    float there = distance * mine.weight, here = mine.cost * mine.weight;
    if (there < here) {
        change[p] = 1;
        gain[p * (medians + 1) + medians] = there - here;
    } else {
        gain[p * (medians + 1) + slot[mine.median]] = here - there;
    }
}
