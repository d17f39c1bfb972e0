/* Chains through a table of random words: each word says where the next one is; `side` threads follow a chain together. */
__kernel void chase(__global const uint *next, __global uint *out, uint words, uint side, uint rounds)
{
    const uint i = get_global_id(0);
    uint at = (i / side * 40503u) & (words - 1), sum = 0;
    for (uint r = 0; r < rounds; r++) {
        const uint v = next[at];
        sum += v;
        at = (v + r) & (words - 1);
    }
    out[i] = sum;
}
