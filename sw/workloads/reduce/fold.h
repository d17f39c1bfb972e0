/* The sums of all threads of the group, in tree[0]; of any type. */
#define FOLD(tree, lid, sum)                                                                       \
    tree[lid] = sum;                                                                               \
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (lid < half_size)                                                                       \
            tree[lid] += tree[lid + half_size];                                                    \
    }
