/* Walks down a binary trie of 2^levels - 1 random words, in the order of its levels: all threads share its top, none its leaves. `side` threads look for a key together. */
__kernel void trie(__global const uint *word, __global uint *out, uint levels, uint side, uint rounds)
{
    const uint i = get_global_id(0);
    uint key = (i / side + 1) * 3266489917u, sum = 0;
    for (uint r = 0; r < rounds; r++) {
        uint node = 1;
        for (uint l = 0; l < levels; l++)
            node = 2 * node + ((key ^ word[node - 1]) >> l & 1);
        sum += node;
        key = key * 1664525u + 1013904223u;
    }
    out[i] = sum;
}
