/* As names.cl, in C, where vellum.h has declared them. */
#include "vellum.h"
typedef struct {
    int v[64];
} block_t;
void *memcpy(void *d, const void *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)d)[i] = ((const char *)s)[i] + 1;
    return d;
}
void *memset(void *p, int a, size_t b)
{
    *(int *)p = 10 * a + b;
    return p;
}
int memcmp(const void *a, const void *b, size_t n)
{
    return -(int)n;
}
static int __adddf3(int a, int b)
{
    return 100 * a + b;
}
__attribute__((noinline)) int __muldf3(int a)
{
    return a + 1000;
}
const int CBRT_TBL[2] = {5, 6};

VL_KERNEL void __divdf3(int *a, int n, double x)
{
    block_t b, c;
    const int i = vl_global_id(0);
    for (int j = 0; j < 64; j++)
        b.v[j] = i * j;
    c = b;
    b.v[n] = 7;
    unsigned char from = 1, to;
    memcpy(&to, &from, 1);
    a[8 * i] = c.v[n], a[8 * i + 1] = to, memset(&a[8 * i + 2], i, 3), a[8 * i + 3] = memcmp(a, a, i),
          a[8 * i + 4] = __adddf3(i, 1), a[8 * i + 5] = __muldf3(i);
    a[8 * i + 6] = CBRT_TBL[i & 1] + (int)(x * i + 0.5), a[8 * i + 7] = (int)(cbrt(x * x * x) + 0.5);
}
#define long int
#define struct union
#define void int
#define double float
#define const nonsense
#define used unused
