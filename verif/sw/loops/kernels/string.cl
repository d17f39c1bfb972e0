/* Bytes: hashes, searching, encoding. */
// run 64 32: bytes:4096 words:64 u32:64
__kernel void fnv(__global const uchar *text, __global uint *out, uint n)
{
    uint g = get_global_id(0), hash = 2166136261u;
    for (uint i = 0; i < n; i++)
        hash = (hash ^ text[g * n + i]) * 16777619u;
    out[g] = hash;
}
// run 64 32: bytes:4096 words:64 u32:64
__kernel void crc32(__global const uchar *text, __global uint *out, uint n)
{
    uint g = get_global_id(0), crc = ~0u;
    for (uint i = 0; i < n; i++) {
        crc ^= text[g * n + i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    out[g] = ~crc;
}
// run 128 32: bytes:256 bytes:8 words:128 u32:8
__kernel void hamming(__global const uchar *text, __global const uchar *pattern, __global uint *out, uint n)
{
    uint g = get_global_id(0), same = 0;
    for (uint i = 0; i < n; i++)
        same += text[g + i] == pattern[i];
    out[g] = same;
}
// run 64 32: bytes:4096 words:64 u32:64
__kernel void length(__global const uchar *text, __global uint *out, uint n)
{
    uint g = get_global_id(0), i = 0;
    while (i < n && text[g * n + i] >= 8)
        i++;
    out[g] = i;
}
// run 64 32: bytes:4096 bytes:4096 u32:64
__kernel void upper_case(__global const uchar *in, __global uchar *out, uint n)
{
    uint g = get_global_id(0);
    for (uint i = 0; i < n; i++) {
        uchar c = in[g * n + i];
        out[g * n + i] = c >= 'a' && c <= 'z' ? c - 32 : c;
    }
}
// run 64 32: bytes:4096 words:64 u32:64
__kernel void adler(__global const uchar *text, __global uint *out, uint n)
{
    uint g = get_global_id(0), a = 1, b = 0;
    for (uint i = 0; i < n; i++) {
        a += text[i * 64 + g];
        b += a;
    }
    out[g] = (b % 65521u) << 16 | a % 65521u;
}
