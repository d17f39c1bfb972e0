/* Integer operations that C has no operator for. */
#ifndef REF_INT_H
#define REF_INT_H
#include <stdint.h>

static inline uint64_t sext32(uint64_t v)
{
    return (uint64_t)(int64_t)(int32_t)v;
}

static inline uint64_t int_mulh(uint64_t a, uint64_t b)
{
    return (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64);
}
static inline uint64_t int_mulhu(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
static inline uint64_t int_mulhsu(uint64_t a, uint64_t b)
{
    return int_mulhu(a, b) - ((int64_t)a < 0 ? b : 0);
}

/* Division by zero and the one overflow have results, not traps. */
static inline uint64_t int_div(uint64_t a, uint64_t b)
{
    if (b == 0)
        return UINT64_MAX;
    if (b == UINT64_MAX)
        return -a;
    return (uint64_t)((int64_t)a / (int64_t)b);
}
static inline uint64_t int_rem(uint64_t a, uint64_t b)
{
    if (b == 0)
        return a;
    if (b == UINT64_MAX)
        return 0;
    return (uint64_t)((int64_t)a % (int64_t)b);
}
static inline uint64_t int_divu(uint64_t a, uint64_t b)
{
    return b ? a / b : UINT64_MAX;
}
static inline uint64_t int_remu(uint64_t a, uint64_t b)
{
    return b ? a % b : a;
}

static inline uint32_t int_divw(uint32_t a, uint32_t b)
{
    if (b == 0)
        return UINT32_MAX;
    if (b == UINT32_MAX)
        return -a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}
static inline uint32_t int_remw(uint32_t a, uint32_t b)
{
    if (b == 0)
        return a;
    if (b == UINT32_MAX)
        return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint64_t int_rol(uint64_t a, unsigned n)
{
    return a << (n & 63) | a >> (-n & 63);
}
static inline uint64_t int_ror(uint64_t a, unsigned n)
{
    return a >> (n & 63) | a << (-n & 63);
}
static inline uint32_t int_rolw(uint32_t a, unsigned n)
{
    return a << (n & 31) | a >> (-n & 31);
}
static inline uint32_t int_rorw(uint32_t a, unsigned n)
{
    return a >> (n & 31) | a << (-n & 31);
}

static inline uint64_t int_clz(uint64_t a)
{
    return a ? (uint64_t)__builtin_clzll(a) : 64;
}
static inline uint64_t int_ctz(uint64_t a)
{
    return a ? (uint64_t)__builtin_ctzll(a) : 64;
}
static inline uint64_t int_clzw(uint32_t a)
{
    return a ? (uint64_t)__builtin_clz(a) : 32;
}
static inline uint64_t int_ctzw(uint32_t a)
{
    return a ? (uint64_t)__builtin_ctz(a) : 32;
}

/* Every byte that is not zero becomes 0xff. */
static inline uint64_t int_orc_b(uint64_t a)
{
    uint64_t high = 0x8080808080808080u, some = (((a & ~high) + ~high) | a) & high;
    return (some >> 7) * 255;
}

#endif
