/* Kernels in C: include this, mark kernels with VL_KERNEL, compile with `vellum cc file.c`.
 *
 *     #include "vellum.h"
 *     VL_KERNEL void scale(float *data, float by, unsigned n)
 *     {
 *         unsigned i = vl_global_id(0);
 *         if (i < n)
 *             data[i] *= by;
 *     }
 *
 * Double precision does not exist: write 1.0f. There is no recursion, no variable-length array and no call through a pointer. */
#ifndef VELLUM_DEVICE_H
#define VELLUM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

/* A kernel: `VL_KERNEL void name(arguments)`. Pointer arguments are global memory unless marked VL_LOCAL_ARG. The `annotate`
 * attribute is how vellum cc finds kernels and local arguments: use it for nothing else in a kernel file. */
#define VL_KERNEL __attribute__((annotate("vellum.kernel")))
#define VL_LOCAL_ARG __attribute__((annotate("vellum.local")))

/* A variable of the workgroup, at file scope: `VL_LOCAL float tile[16][16];`. Not initialised. Never `static`: the compiler takes a static
 * scalar that one function uses for its own and keeps it in a register, a thread each. */
#define VL_LOCAL_SECTION_(n) ".bss.vl_local." #n
#define VL_LOCAL_SECTION(n) VL_LOCAL_SECTION_(n)
#define VL_LOCAL __attribute__((section(VL_LOCAL_SECTION(__COUNTER__))))

/* Dimensions are 0, 1, 2, as in OpenCL. */
unsigned vl_work_dim(void) __asm__("_Z12get_work_dimv");
size_t vl_global_size(unsigned dimension) __asm__("_Z15get_global_sizej");
size_t vl_global_offset(unsigned dimension) __asm__("_Z17get_global_offsetj");
size_t vl_global_id(unsigned dimension) __asm__("_Z13get_global_idj");
size_t vl_local_size(unsigned dimension) __asm__("_Z14get_local_sizej");
size_t vl_local_id(unsigned dimension) __asm__("_Z12get_local_idj");
size_t vl_num_groups(unsigned dimension) __asm__("_Z14get_num_groupsj");
size_t vl_group_id(unsigned dimension) __asm__("_Z12get_group_idj");

/* Every thread of the workgroup must reach it; memory is consistent within the group behind it. */
static __inline__ __attribute__((always_inline)) void vl_barrier(void)
{
    __asm__ volatile(".insn 0x0010000b" ::: "memory");
}
/* Orders memory within the workgroup, and with everyone. */
static __inline__ __attribute__((always_inline)) void vl_fence_group(void)
{
    __asm__ volatile(".insn 0x0020000b" ::: "memory");
}
static __inline__ __attribute__((always_inline)) void vl_fence_global(void)
{
    __asm__ volatile("fence" ::: "memory");
}

/* Atomics: clang's __atomic_fetch_add and the rest, with __ATOMIC_RELAXED, are one instruction each; so is compare-and-swap. */

/* Where the code runs. For measurements; nothing may depend on it. */
#define VL_CSR_(number)                                                                                                \
    ({                                                                                                                 \
        unsigned long v_;                                                                                              \
        __asm__("csrr %0, " #number : "=r"(v_));                                                                       \
        v_;                                                                                                            \
    })
#define vl_lane() VL_CSR_(0xcd0)
#define vl_thread() VL_CSR_(0xcd1)
#define vl_warp() VL_CSR_(0xcd2)
#define vl_core() VL_CSR_(0xcd3)

/* Mathematics of float (sinf) and of double (sin), from the OpenCL library and with its accuracy (docs/kernels.md). Double is made of many instructions. */
#define VL_MATH1(name, length)                                                                                         \
    float name##f(float) __asm__("_Z" #length #name "f");                                                              \
    double name(double) __asm__("_Z" #length #name "d");
#define VL_MATH2(name, length)                                                                                         \
    float name##f(float, float) __asm__("_Z" #length #name "ff");                                                      \
    double name(double, double) __asm__("_Z" #length #name "dd");
VL_MATH1(acos, 4)
VL_MATH1(acosh, 5)
VL_MATH1(asin, 4)
VL_MATH1(asinh, 5)
VL_MATH1(atan, 4)
VL_MATH1(atanh, 5)
VL_MATH1(cbrt, 4)
VL_MATH1(ceil, 4)
VL_MATH1(cos, 3)
VL_MATH1(cosh, 4)
VL_MATH1(erf, 3)
VL_MATH1(erfc, 4)
VL_MATH1(exp, 3)
VL_MATH1(exp2, 4)
VL_MATH1(exp10, 5)
VL_MATH1(expm1, 5)
VL_MATH1(fabs, 4)
VL_MATH1(floor, 5)
VL_MATH1(log, 3)
VL_MATH1(log10, 5)
VL_MATH1(log1p, 5)
VL_MATH1(log2, 4)
VL_MATH1(rint, 4)
VL_MATH1(round, 5)
VL_MATH1(rsqrt, 5)
VL_MATH1(sin, 3)
VL_MATH1(sinh, 4)
VL_MATH1(sqrt, 4)
VL_MATH1(tan, 3)
VL_MATH1(tanh, 4)
VL_MATH1(tgamma, 6)
VL_MATH1(trunc, 5)
VL_MATH2(atan2, 5)
VL_MATH2(copysign, 8)
VL_MATH2(fdim, 4)
VL_MATH2(fmax, 4)
VL_MATH2(fmin, 4)
VL_MATH2(fmod, 4)
VL_MATH2(hypot, 5)
VL_MATH2(pow, 3)
VL_MATH2(remainder, 9)
float fmaf(float, float, float) __asm__("_Z3fmafff");
float ldexpf(float, int) __asm__("_Z5ldexpfi");
double fma(double, double, double) __asm__("_Z3fmaddd");
double ldexp(double, int) __asm__("_Z5ldexpdi");
#undef VL_MATH1
#undef VL_MATH2

/* printf, of OpenCL 1.2 (docs/printf.md). */
#include "vellum_print.h"

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);

/* A mark, 0 to 63, which `vellum run --interval` and vl_set_sampling notice where it is issued first. It is a hint, and takes an instruction. */
#define VL_MARK(number) __asm__ volatile("slti zero, zero, %0" ::"i"((number) & 63) : "memory")

#endif
