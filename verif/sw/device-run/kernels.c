/* The C side of the library: vellum.h, memcpy and friends, mathematics by its C names. */
#include "vellum.h"

VL_LOCAL int turn[64];

VL_KERNEL void c_kernel(const int *in, int *out, VL_LOCAL_ARG int *more, float scale)
{
    unsigned l = vl_local_id(0), g = vl_global_id(0);
    turn[l] = in[g];
    more[l] = (int)g;
    vl_barrier();
    unsigned other = vl_local_size(0) - 1 - l;
    out[g] = turn[other] + more[other] + (int)sqrtf(scale) + (int)powf(2.0f, (float)(l & 7));
    __atomic_fetch_add(&out[vl_global_size(0)], 1, __ATOMIC_RELAXED);
}

/* Each thread on its own 256 bytes: copy up and down with overlap, fill, compare. */
VL_KERNEL void bytes(unsigned char *data)
{
    unsigned g = (unsigned)vl_global_id(0);
    unsigned char *p = data + 256 * g;
    for (unsigned i = 0; i < 64; i++)
        p[i] = (unsigned char)(i * 3 + g);
    memcpy(p + 64 + (g & 7), p + (g & 3), 40 + g);
    memmove(p + 8 + (g & 3), p + 4, 24 + (g & 7));
    memmove(p + 2, p + 9 - (g & 7), 30);
    memset(p + 160 + (g & 7), 0xa5 + (int)g, 30 + g);
    p[255] = memcmp(p, p + 1, 16) < 0 ? 1 : memcmp(p, p, 64) == 0 ? 2 : 3;
}
