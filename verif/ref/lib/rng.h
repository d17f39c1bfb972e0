/* Random numbers that depend on the seed alone (splitmix64), and operands that find bugs. */
#ifndef VERIF_REF_RNG_H
#define VERIF_REF_RNG_H
#include <stdint.h>

typedef struct {
    uint64_t state;
} rng;

static inline uint64_t rng_u64(rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t rng_below(rng *r, uint32_t n)
{
    return (uint32_t)((rng_u64(r) >> 32) * n >> 32);
}

uint64_t rng_integer(rng *r); /* powers of two, their neighbours, extremes, small and random numbers */
uint32_t rng_float(rng *r);   /* zeros, subnormals, ends of ranges, NaNs, numbers near integers, random ones */
extern const uint32_t float_corners[];
extern const unsigned n_float_corners;

#endif
