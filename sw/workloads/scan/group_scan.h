/* Inclusive sums over the threads of a group (Hillis-Steele between two halves of local memory, `from` and `to`: one barrier a step). `sum` is the thread's own, and becomes that
 * of all up to it. */
#define GROUP_SCAN(from, to, lid, size, sum)                                                       \
    from[lid] = sum;                                                                               \
    for (uint distance = 1; distance < size; distance *= 2) {                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (lid >= distance)                                                                       \
            sum += from[lid - distance];                                                           \
        to[lid] = sum;                                                                             \
        __local uint *swap = from;                                                                 \
        from = to;                                                                                 \
        to = swap;                                                                                 \
    }
