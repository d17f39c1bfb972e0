/*
 * One-dimensional Haar transform. A launch takes the n values that are left, two a thread, and does in local memory all levels that fit a group: differences go to
 * their places in `out`, one average a group goes to `left`, for the next launch.
 */
__kernel void haar(__global const float *in, __global float *left, __global float *out, uint n, __local float *part)
{
    const float scale = 0.70710678f;
    uint lid = get_local_id(0), threads = get_local_size(0), group = get_group_id(0);
    uint first = group * threads * 2, place = n / 2;

    part[lid] = in[first + lid];
    part[lid + threads] = in[first + lid + threads];
    for (uint pairs = threads; pairs > 0; pairs /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float a = 0.0f, b = 0.0f;
        if (lid < pairs) {
            a = part[2 * lid];
            b = part[2 * lid + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < pairs) {
            part[lid] = (a + b) * scale;
            out[place + group * pairs + lid] = (a - b) * scale;
        }
        place /= 2;
    }
    if (lid == 0)
        left[group] = part[0];
}
