/* Kernels that print; the texts are in verif/sw/print/run. */
#define P(format, ...) r += printf(format "\n", __VA_ARGS__);
#define ZERO zero

__kernel void formats(__global int *out, float zero)
{
    int r = 0;
#include "formats.inc"
    r += printf("nothing to convert\n");
    out[0] = r;
}

__kernel void vectors(__global int *out, float4 f)
{
    char4 c = (char4)(1, -2, 3, -4);
    uchar2 uc = (uchar2)(200, 255);
    short8 s = (short8)(0, -1, 2, -3, 4, -5, 6, -32768);
    ushort3 us = (ushort3)(1, 2, 65535);
    int16 i = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -15);
    uint2 u = (uint2)(1, 0xfffffffe);
    long2 l = (long2)(-1, 0x7fffffffffffffff);
    ulong3 ul = (ulong3)(1, 2, 0xffffffffffffffff);
    printf("%v4hlf|%v4hlg|%8.2v4hlf|%-6.1v4hlf|\n", f, f, f, f);
    printf("%v4hhd %v2hhu %v2hhx\n", c, uc, uc);
    printf("%v8hd %v3hu %#v3hx\n", s, us, us);
    printf("%v16hld\n", i);
    printf("%v2hlu %v2hlx %05v2hlu\n", u, u, u);
    printf("%v2ld %v3lu %v3lx\n", l, ul, ul);
    printf("%v4d %v2u %v2ld %v4f\n", c, u, l, f);
    printf("%v5d %q %d%", 1);
    printf(" %y\n");
    printf("%Lf %v2llu %zd %d\n", 1.5f, (ulong2)(1, 2), 3l, 4);
    printf("%d %d %d\n", 1, 2);
    printf("%d %f %d\n", true, 3, 2.75f);
    printf("%s %p\n", 5, (__global int *)0);
    out[0] = printf("%d\n", (out[1] = 7));
}

__kernel void order(__global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), n = (x + y + z) % 3;
#include "order.inc"
}

__kernel void wild(__global int *out, ulong to)
{
    int i = get_global_id(0);
    printf("before %d\n", i);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 3)
        *(__global int *)to = 1;
    printf("after %d\n", i);
}

__kernel void plain(void)
{
    printf("-\n");
}

/* The value of a call of each, and text of `n` bytes and more. */
__kernel void values(__global int *out, int n)
{
    int i = get_global_id(0);
    out[i] = printf("%d of %d\n", i, n);
}
