/*
 * A pass of a radix sort, by the DIGITS values of one digit. Each thread has EACH keys in a row and a counter a digit, in local memory, which no other thread
 * touches: radix_count leaves them as count[digit][thread]; the exclusive sums of these are the places where the thread's keys of that digit begin; radix_place takes them there,
 * in their order. A thread's counters are a group's size apart, so that the threads of a warp find them in different banks.
 */
#include "../scan/group_scan.h"

#define DIGITS 16

__kernel void radix_count(__global const uint *key, __global uint *count, uint n, uint threads, uint each, uint shift, __local uint *counters)
{
    uint t = get_global_id(0), size = get_local_size(0);
    __local uint *mine = counters + get_local_id(0);
    if (t >= threads)
        return;
    for (uint d = 0; d < DIGITS; d++)
        mine[d * size] = 0;
    for (uint i = t * each; i < min(n, (t + 1) * each); i++)
        mine[(key[i] >> shift) % DIGITS * size]++;
    for (uint d = 0; d < DIGITS; d++)
        count[d * threads + t] = mine[d * size];
}

__kernel void radix_place(__global const uint *key, __global uint *out, __global const uint *start, uint n, uint threads, uint each, uint shift,
                          __local uint *counters)
{
    uint t = get_global_id(0), size = get_local_size(0);
    __local uint *mine = counters + get_local_id(0);
    if (t >= threads)
        return;
    for (uint d = 0; d < DIGITS; d++)
        mine[d * size] = start[d * threads + t];
    for (uint i = t * each; i < min(n, (t + 1) * each); i++)
        out[mine[(key[i] >> shift) % DIGITS * size]++] = key[i];
}

/* Exclusive sums of a group's words, four a thread, in place, and the group's total. */
__kernel void radix_scan(__global uint *x, __global uint *totals, uint n, __local uint *two)
{
    uint lid = get_local_id(0), size = get_local_size(0), i = 4 * get_global_id(0);
    __local uint *from = two, *to = two + size;
    uint before[4], sum = 0;

    for (uint k = 0; k < 4; k++) {
        before[k] = sum;
        sum += i + k < n ? x[i + k] : 0;
    }
    uint own = sum;
    GROUP_SCAN(from, to, lid, size, sum);
    for (uint k = 0; k < 4; k++)
        if (i + k < n)
            x[i + k] = sum - own + before[k];
    if (lid == size - 1)
        totals[get_group_id(0)] = sum;
}

__kernel void radix_add(__global uint *x, __global const uint *before, uint n)
{
    uint i = 4 * get_global_id(0);
    for (uint k = 0; k < 4; k++)
        if (i + k < n)
            x[i + k] += before[get_group_id(0)];
}
