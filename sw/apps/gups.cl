/* Random updates of a table: `side` neighbouring threads share a draw, and take neighbouring words. Each adds a number of its own, so the sums show a lost update. */
__kernel void gups(__global uint *table, uint words, uint side, uint rounds, uint seed)
{
    const uint i = get_global_id(0);
    uint draw = (i / side + 1) * 2654435761u ^ seed;
    for (uint r = 0; r < rounds; r++) {
        draw = draw * 1664525u + 1013904223u;
        const uint at = ((draw >> 7) * side + i % side) & (words - 1);
        atomic_add(&table[at], i + r);
    }
}
