/* memcpy, memset, memmove, memcmp: the compiler calls these by itself for large copies, after the bitcode library has been
 * linked, so they are an ordinary object. Every loop has one exit per thread and no call. */
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((may_alias)) word;

static inline int both_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 7) == 0;
}

static inline void copy_up(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t i = 0;
    if (both_aligned(to, from))
        for (; i + 8 <= n; i += 8)
            *(word *)(to + i) = *(const word *)(from + i);
    for (; i < n; i++)
        to[i] = from[i];
}

void *memcpy(void *to, const void *from, size_t n)
{
    copy_up(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t - (uintptr_t)f >= n) /* also true when `to` lies below `from` */
        copy_up(t, f, n);
    else
        while (n) {
            n--;
            t[n] = f[n];
        }
    return to;
}

void *memset(void *to, int value, size_t n)
{
    unsigned char *t = to;
    size_t i = 0;
    if (((uintptr_t)t & 7) == 0) {
        word w = (unsigned char)value * UINT64_C(0x0101010101010101);
        for (; i + 8 <= n; i += 8)
            *(word *)(t + i) = w;
    }
    for (; i < n; i++)
        t[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    int difference = 0;
    for (size_t i = 0; i < n && difference == 0; i++)
        difference = p[i] - q[i];
    return difference;
}
