/* A walk down an implicit tree of 2^levels - 1 random keys: its top is everybody's, its leaves nobody's. */
__kernel void search(__global const uint *tree, __global uint *out, uint levels, uint side, uint rounds)
{
    const uint i = get_global_id(0);
    uint key = (i / side + 1) * 3266489917u, sum = 0;
    for (uint r = 0; r < rounds; r++) {
        uint node = 1;
        for (uint l = 0; l < levels; l++)
            node = 2 * node + (key > tree[node - 1]);
        sum += node;
        key = key * 1664525u + 1013904223u;
    }
    out[i] = sum;
}
