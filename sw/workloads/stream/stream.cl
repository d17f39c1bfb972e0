/* Streams of eight-byte elements: what memory gives when nothing is used twice. */
__kernel void stream_read(__global const ulong *a, __global ulong *c, uint n)
{
    ulong sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum ^= a[i];
    c[get_global_id(0)] = sum;
}

__kernel void stream_copy(__global const ulong *a, __global ulong *c, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        c[i] = a[i];
}

__kernel void stream_triad(__global const ulong *a, __global const ulong *b, __global ulong *c, ulong s, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        c[i] = a[i] + s * b[i];
}
