/* As waits.cl, with the loads that C has: all groups wait for the last one. */
#include "vellum.h"

#define ALL(name, store, load)                              \
    VL_KERNEL void name(int *flag, int *out)                \
    {                                                       \
        if (vl_group_id(0) == vl_num_groups(0) - 1) {       \
            flag[32] = 7;                                   \
            __atomic_store_n(&flag[0], 1, store);           \
        } else {                                            \
            while (__atomic_load_n(&flag[0], load) == 0) {  \
            }                                               \
        }                                                   \
        out[vl_global_id(0)] = flag[32];                    \
    }
ALL(acquire, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)
ALL(relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
ALL(ordered, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
