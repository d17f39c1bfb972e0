/* A table of functions looked up at random places, with a polynomial between the look-ups: `side` threads share a place. */
__kernel void lookup(__global const uint *table, __global uint *out, uint words, uint side, uint rounds, uint work)
{
    const uint i = get_global_id(0);
    uint draw = (i / side + 1) * 2246822519u, sum = 0;
    for (uint r = 0; r < rounds; r++) {
        draw = draw * 1664525u + 1013904223u;
        uint v = table[((draw >> 6) * side + i % side) & (words - 1)];
        for (uint k = 0; k < work; k++)
            v = v * (v ^ 2654435769u) + k;
        sum += v;
    }
    out[i] = sum;
}
