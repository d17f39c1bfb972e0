/*
 * Pasted by generate.py before every generated file, so that one text is an OpenCL C kernel (vellum cc FILE.cl), a C kernel
 * with real function calls (vellum cc FILE.c) and host code that runs one thread after the other (clang -shared, for run.c).
 */
#if defined(__OPENCL_C_VERSION__)
#define KERNEL __kernel
#define GLOBAL __global
#define SHARE __local uint *share
#define CALLED static
#define LID() ((uint)get_local_id(0))
#define GRP() ((uint)get_group_id(0))
#define LSIZE() ((uint)get_local_size(0))
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define ADD(p, v) atomic_add(p, v)
#else
#include <stdint.h>
#define uint uint32_t
#define GLOBAL
#if defined(__riscv)
#include "vellum.h"
#define KERNEL VL_KERNEL
#define SHARE VL_LOCAL_ARG uint *share
#define CALLED static __attribute__((noinline))
#define LID() ((uint)vl_local_id(0))
#define GRP() ((uint)vl_group_id(0))
#define LSIZE() ((uint)vl_local_size(0))
#define BARRIER() vl_barrier()
#define ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#else
extern uint flow_lid, flow_group, flow_local; /* who is running now: run.c */
void flow_barrier(void);
#define KERNEL
#define SHARE uint *share
#define CALLED static
#define LID() flow_lid
#define GRP() flow_group
#define LSIZE() flow_local
#define BARRIER() flow_barrier()
#ifdef PLANT /* a difference on purpose: run.c must see it */
#define ADD(p, v) (*(p) += (v) + (GID == 1))
#else
#define ADD(p, v) (*(p) += (v))
#endif
#endif
#endif
#define GID (GRP() * LSIZE() + LID())
/* in: mask + 1 words; out: four words a thread; count: eight words of the launch; share: a word a thread of the group */
#define PARAMETERS GLOBAL const uint *in, GLOBAL uint *out, GLOBAL uint *count, SHARE, uint n, uint mask
#define START                                                                                                          \
    uint lid = LID(), gid = GID, lsize = LSIZE(), fuel = 400;                                                          \
    uint a = in[gid & mask], b = gid * 0x9e3779b9u, c = in[(gid * 7 + 3) & mask], d = lid;                             \
    (void)lsize, (void)fuel, (void)share, (void)count, (void)n;
#define FINISH(x)                                                                                                      \
    do {                                                                                                               \
        out[gid * 4] = a ^ (x), out[gid * 4 + 1] = b, out[gid * 4 + 2] = c, out[gid * 4 + 3] = d;                      \
        return;                                                                                                        \
    } while (0)
