/* Bit access into little-endian 32-bit words, a seeded random generator and field differences, which the generated
 * type code (scripts/gen/ports.py) uses. */
#ifndef VL_BITS_H
#define VL_BITS_H
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "sim_c/common/sets.h"

/* Bits [off, off+width) of w, width 1..64. May read up to two words past the last bit. */
static inline uint64_t vl_get(const uint32_t *w, unsigned off, unsigned width)
{
    unsigned i = off / 32, s = off % 32;
    uint64_t v = ((uint64_t)w[i] | (uint64_t)w[i + 1] << 32) >> s;
    if (s && s + width > 64)
        v |= (uint64_t)w[i + 2] << (64 - s);
    return width == 64 ? v : v & ((1ull << width) - 1);
}

/* ORs v into bits [off, off+width): the words must be zero before. Called once for each field of each type: inline it would double what the
 * compiler takes for these. */
__attribute__((noinline, unused)) static void vl_put(uint32_t *w, unsigned off, unsigned width, uint64_t v)
{
    unsigned i = off / 32, s = off % 32;
    if (width < 64)
        v &= (1ull << width) - 1;
    w[i] |= (uint32_t)(v << s);
    if (s + width > 32)
        w[i + 1] |= (uint32_t)(v >> (32 - s));
    if (s && s + width > 64)
        w[i + 2] |= (uint32_t)(v >> (64 - s));
}

static inline void vl_get_wide(const uint32_t *w, unsigned off, unsigned width, uint64_t *v)
{
    for (unsigned k = 0; k < width; k += 64)
        v[k / 64] = vl_get(w, off + k, width - k < 64 ? width - k : 64);
}

static inline void vl_put_wide(uint32_t *w, unsigned off, unsigned width, const uint64_t *v)
{
    for (unsigned k = 0; k < width; k += 64)
        vl_put(w, off + k, width - k < 64 ? width - k : 64, v[k / 64]);
}

/* Sets of more than 64 ports. */
static inline vl_set_t vl_get_set(const uint32_t *w, unsigned off, unsigned width)
{
    uint64_t v[2];
    vl_get_wide(w, off, width, v);
    return (vl_set_t)v[1] << 64 | v[0];
}

static inline void vl_put_set(uint32_t *w, unsigned off, unsigned width, vl_set_t set)
{
    const uint64_t v[2] = {(uint64_t)set, (uint64_t)(set >> 64)};
    vl_put_wide(w, off, width, v);
}

/* splitmix64: small, seeded, the same everywhere. */
typedef struct vl_rng {
    uint64_t s;
} vl_rng_t;

static inline uint64_t vl_random(struct vl_rng *r)
{
    uint64_t z = (r->s += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

__attribute__((noinline, unused)) static uint64_t vl_random_bits(struct vl_rng *r, unsigned width)
{
    return vl_random(r) >> (64 - width);
}

/* Uniform enough in 0..n-1. */
static inline unsigned vl_below(struct vl_rng *r, unsigned n)
{
    return (unsigned)((vl_random(r) >> 32) * n >> 32);
}

/* True p times in 256. */
static inline bool vl_chance(struct vl_rng *r, unsigned p)
{
    return (vl_random(r) >> 56) < p;
}

static inline void vl_random_wide(struct vl_rng *r, unsigned width, uint64_t *v)
{
    for (unsigned k = 0; k < width; k += 64)
        v[k / 64] = vl_random_bits(r, width - k < 64 ? width - k : 64);
}

static inline vl_set_t vl_random_set(struct vl_rng *r, unsigned width)
{
    uint64_t v[2];
    vl_random_wide(r, width, v);
    return (vl_set_t)v[1] << 64 | v[0];
}

/* A set as the words of a wide value. */
#define VL_WORDS(set) ((const uint64_t[2]){(uint64_t)(set), (uint64_t)((set) >> 64)})

/* The first field in which two values differ. */
typedef struct vl_diff {
    char field[128];
    char a[272], b[272];
} vl_diff_t;

__attribute__((format(printf, 4, 5))) static inline void vl_diff_set(struct vl_diff *m, uint64_t a, uint64_t b,
                                                                     const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->field, sizeof m->field, fmt, ap);
    va_end(ap);
    snprintf(m->a, sizeof m->a, "0x%" PRIx64, a);
    snprintf(m->b, sizeof m->b, "0x%" PRIx64, b);
}

__attribute__((format(printf, 5, 6))) static inline void vl_diff_wide(struct vl_diff *m, unsigned width,
                                                                      const uint64_t *a, const uint64_t *b,
                                                                      const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->field, sizeof m->field, fmt, ap);
    va_end(ap);
    char *out[2] = {m->a, m->b};
    const uint64_t *v[2] = {a, b};
    for (unsigned k = 0; k < 2; k++) {
        size_t n = 0;
        for (unsigned i = (width + 63) / 64; i-- > 0 && n + 17 < sizeof m->a;)
            n += (size_t)snprintf(out[k] + n, sizeof m->a - n, "%016" PRIx64, v[k][i]);
    }
}

/* `sub` was found inside a field: name it fmt.sub. */
__attribute__((format(printf, 3, 4))) static inline void vl_diff_prefix(struct vl_diff *m, const struct vl_diff *sub,
                                                                        const char *fmt, ...)
{
    char head[64], field[128];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    snprintf(field, sizeof field, "%.60s.%.60s", head, sub->field);
    *m = *sub;
    memcpy(m->field, field, sizeof field);
}
#endif
