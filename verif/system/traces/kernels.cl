// Something of everything a trace can show: divergence, loops, barriers, all pipes, misses, atomics.
__kernel void mix(__global const uint *in, __global uint *out, __global uint *total, uint n, __local uint *tree)
{
    uint i = get_global_id(0), lid = get_local_id(0), a = in[i % n], b = i + 1;
    float f = (float)(a & 255);
    for (uint k = 0; k < (a & 3); k++) {
        if ((a >> k & 1) != 0)
            b = b * 3 + a / (b | 1);
        else
            f = f * 1.5f + sqrt(f + 1.0f) / 3.0f;
    }
    tree[lid] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    b += tree[get_local_size(0) - 1 - lid];
    if ((b & 7) == 0)
        atomic_add(total, b);
    out[i] = b ^ as_uint(f);
}

// More pages than a TLB has entries, at scattered places, and stores to others.
__kernel void pages(__global const uint *in, __global uint *out, uint n)
{
    uint i = get_global_id(0), a = 0;
    for (uint k = 0; k < 8; k++)
        a += in[(i * 2654435761u + k * 4099u) % n];
    out[i * 1031u % n] = a;
}
