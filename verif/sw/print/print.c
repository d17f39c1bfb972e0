/* The kernels `formats` and `order` of print.cl in C. */
#include "vellum.h"

#define P(format, ...) r += printf(format "\n", __VA_ARGS__);
#define ZERO zero

VL_KERNEL void formats(int *out, float zero)
{
    int r = 0;
#include "formats.inc"
    r += printf("nothing to convert\n");
    out[0] = r;
}

VL_KERNEL void order(int *out)
{
    int x = vl_global_id(0), y = vl_global_id(1), z = vl_global_id(2), n = (x + y + z) % 3;
#include "order.inc"
}
