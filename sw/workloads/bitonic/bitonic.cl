/*
 * Bitonic sort of 2^k keys. A step (size, stride) compares keys `stride` apart, upwards or downwards by the bit `size` of
 * their index. Strides that fit one group are done in local memory, two keys a thread: bitonic_local runs all steps from
 * (size, stride) down to stride 1, and goes on up to last_size.
 */
void order(__local uint *low, __local uint *high, bool up)
{
    uint a = *low, b = *high;
    if ((a > b) == up) {
        *low = b;
        *high = a;
    }
}

__kernel void bitonic_local(__global uint *key, uint first_size, uint last_size, __local uint *part)
{
    uint lid = get_local_id(0), threads = get_local_size(0);
    uint base = get_group_id(0) * threads * 2;

    part[lid] = key[base + lid];
    part[lid + threads] = key[base + lid + threads];
    for (uint size = first_size; size <= last_size; size *= 2)
        for (uint stride = min(size / 2, threads); stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * lid - (lid & (stride - 1));
            order(&part[low], &part[low + stride], ((base + low) & size) == 0);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    key[base + lid] = part[lid];
    key[base + lid + threads] = part[lid + threads];
}

__kernel void bitonic_step(__global uint *key, uint size, uint stride)
{
    uint t = get_global_id(0);
    uint low = 2 * t - (t & (stride - 1));
    uint a = key[low], b = key[low + stride];
    if ((a > b) == ((low & size) == 0)) {
        key[low] = b;
        key[low + stride] = a;
    }
}
