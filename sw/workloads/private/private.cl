/* Each thread has a table of its own, read and written at places that the data gives, the same for all threads: an interpreter's registers, a
 * small stack, a filter's last values. Without pragma or unrolling by hand. */
__kernel void private_table(__global const uint *places, __global uint *out, uint n, uint rounds)
{
    uint table[32], sum = get_global_id(0);
    for (uint i = 0; i < 32; i++)
        table[i] = sum + i;
    for (uint r = 0; r < rounds; r++) {
        uint place = places[r] % 32;
        sum += table[place];
        table[(place + r) % 32] = sum;
    }
    if (get_global_id(0) < n)
        out[get_global_id(0)] = sum;
}
