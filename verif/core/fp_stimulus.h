/* Floating-point operands for the benches of fpu and fdiv and the test of their arithmetic: corners, neighbours of corners, and
 * triples that cancel, overflow, underflow or lie halfway. */
#ifndef VERIF_CORE_FP_STIMULUS_H
#define VERIF_CORE_FP_STIMULUS_H
#include "sim_c/common/vl_bits.h"

static inline uint32_t stim_float(struct vl_rng *r)
{
    static const uint32_t corner[] = {
        0,          1,          2,          0x7fffff,   0x7ffffe,   0x400000,   0x800000,   0x800001,
        0xffffff,   0x3f800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x3effffff, 0x3f000001, 0x3fc00000,
        0x40200000, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
        0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7f000000, 0x7effffff, 0x7f7fffff, 0x7f7ffffe,
        0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fc00001, 0x7fffffff};
    static const uint32_t special[] = {0, 0, 0x7f800000, 0x7f800000, 0x7fc00000, 0x7f812345};
    uint64_t v = vl_random(r);
    uint32_t w = (uint32_t)v, sign = w & 0x80000000, frac = w & 0x7fffff, few = (uint32_t)(v >> 32);
    switch (few % 16) {
    case 0: return sign | corner[(few >> 4) % (sizeof corner / sizeof *corner)];
    case 1: return sign | special[(few >> 4) % (sizeof special / sizeof *special)];
    case 2: return sign | frac >> (few >> 4) % 24; /* subnormal */
    case 3: return (w & 0xff800000) + ((few >> 4) % 5) - 2; /* a power of two, and near it */
    case 4: return sign | (252 + (few >> 4) % 3) << 23 | frac; /* near overflow */
    case 5: return sign | (1 + (few >> 4) % 30) << 23 | frac; /* near underflow */
    case 6: return sign | (127 + (few >> 4) % 66) << 23 | frac; /* in the range of integers */
    case 7: return (w & 0xff800000) | (frac & ~0u << ((few >> 4) % 24) & 0x7fffff); /* few bits: halfway cases */
    case 8: return (w & 0xff800000) | (frac | ((1u << (few >> 4) % 24) - 1));
    case 9: return sign | (60 + (few >> 4) % 8) << 23 | frac; /* products near underflow */
    case 10: return sign | (186 + (few >> 4) % 8) << 23 | frac; /* products near overflow */
    case 11:
    case 12:
    case 13: return sign | (120 + (few >> 4) % 16) << 23 | frac; /* everyday numbers */
    default: return w;
    }
}

/* Three operands that often have to do with each other. */
static inline void stim_floats(struct vl_rng *r, uint32_t *a, uint32_t *b, uint32_t *c)
{
    uint64_t v = vl_random(r);
    *a = stim_float(r);
    *b = stim_float(r);
    *c = stim_float(r);
    switch (v % 10) {
    case 8: /* the least normal number less, or plus, next to nothing */
        *a &= 0x9fffffff;
        *b &= 0x9fffffff;
        *c = 0x00800000 | (*c & 0x80000000);
        break;
    case 9: { /* a product just below the least normal number: (1 + n)(1 - n) */
        uint32_t n = (uint32_t)(v >> 40) & 0xfff;
        *a = (67u << 23 | n) ^ (*a & 0x80000000);
        *b = ((61u << 23) - 2 * n) ^ (*b & 0x80000000);
        break;
    }
    case 0: *b = *a ^ (uint32_t)(v >> 32 & 0x80000000) ^ (uint32_t)(v >> 8 & 3); break; /* cancels, or nearly */
    case 1:
        *b = *a ^ ((uint32_t)(v >> 8 & 31) << 23) ^ (uint32_t)(v >> 32 & 0x80000000);
        break; /* some binades apart */
    case 2:
    case 3: { /* a*b and c cancel, or nearly */
        float x, y, z;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        z = -x * y;
        memcpy(c, &z, 4);
        *c += (uint32_t)(v >> 8 & 3) * (v >> 10 & 1);
        break;
    }
    case 4: { /* c some binades from a*b */
        bool few = v >> 16 & 1; /* a*b is exact, c a power of two or two: its lost bits must be noticed */
        if (few) {
            *a &= 0xfffff000;
            *b &= 0xfffff000;
            *c &= 0xff800000 | (uint32_t)(v >> 17 & 1) << (v >> 18 & 15);
        }
        int e = (int)(*a >> 23 & 255) + (int)(*b >> 23 & 255) - 127 + (int)(v >> 8 & 127) - 64;
        if (e > 0 && e < 255)
            *c = (*c & 0x807fffff) | (uint32_t)e << 23;
        break;
    }
    default: break;
    }
}
#endif
