#include "verif/ref/lib/rng.h"

const uint32_t
    float_corners[] =
        {
            0x00000000, 0x00000001, 0x00000002, 0x00400000,
            0x007ffffe, 0x007fffff, /* zero, subnormals */
            0x00800000, 0x00800001, 0x00ffffff, 0x01000000,                         /* smallest normals */
            0x0c000000, 0x1f800000, 0x20000000, 0x33800000,
            0x33800001, 0x34000000, /* half an ulp of one, products that get tiny */
            0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff,
            0x3f800000, 0x3f800001, /* around one half and one */
            0x3fbfffff, 0x3fc00000, 0x3fffffff, 0x40000000,
            0x40200000, 0x40490fdb, 0x40600000, /* ties to integers, pi */
            0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000,
            0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, /* 2^23, 2^31, 2^32 */
            0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000,                         /* 2^63, 2^64 */
            0x5fb504f3, 0x7e800000, 0x7effffff, 0x7f000000,
            0x7f7ffffe, 0x7f7fffff, /* root of the largest, the largest */
            0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000,
            0x7fc00001, 0x7fffffff, /* infinity, signalling and quiet NaNs */
};
const unsigned n_float_corners = sizeof float_corners / sizeof *float_corners;

uint64_t rng_integer(rng *r)
{
    uint64_t v = rng_u64(r);
    switch (rng_below(r, 8)) {
    case 0: return (uint64_t)(int64_t)(int8_t)v;
    case 1: return (1ull << (v & 63)) + (v >> 8 & 3) - 1;
    case 2: return -((1ull << (v & 63)) + (v >> 8 & 3) - 1);
    case 3: return v >> (v & 63);
    case 4: return (uint64_t)((int64_t)v >> (v & 63));
    case 5: return (uint64_t)(int64_t)(int32_t)v;
    case 6: return (v & 0xff00ff00ff00ff00u) | (v >> 32 & 1 ? 0x80000000u : 0);
    default: return v;
    }
}

uint32_t rng_float(rng *r)
{
    uint64_t v = rng_u64(r);
    uint32_t sign = (uint32_t)v & 0x80000000u;
    switch (rng_below(r, 6)) {
    case 0:
    case 1: return sign | float_corners[rng_below(r, n_float_corners)];
    case 2:
        return sign | (uint32_t)(127 - 30 + rng_below(r, 60)) << 23
               | ((uint32_t)v & 0x7fffff); /* meets others near one */
    case 3: return sign | (uint32_t)(127 - 30 + rng_below(r, 60)) << 23 | (1u << (v >> 40) % 23); /* few bits: ties */
    case 4: return sign | ((uint32_t)v & 0xffffff) >> (v >> 40) % 24; /* about subnormal */
    default: return (uint32_t)v;
    }
}
