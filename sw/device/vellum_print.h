/* printf in kernels (docs/printf.md). A call is a macro: it takes room for a record in the buffer of the launch, and puts the work-item's number, the format's address and each
 * argument with its kind there. Overloading gives the kind of an argument, so the device does not read the format; the host does (sw/runtime/print.c).
 *
 *     printf("%d %v4f\n", i, v)
 *     -> record: words | number of the work-item | address of the format | tag, int | tag, float, float, float, float
 *
 * Numbers in comments are those of the page. In OpenCL C `vellum cc` includes this, in C vellum.h does. */
#ifndef VELLUM_PRINT_H
#define VELLUM_PRINT_H

#ifdef __OPENCL_C_VERSION__
#define VLP_GLOBAL __global
#define VLP_GID get_global_id
#define VLP_SIZE get_global_size
#define VLP_OFFSET get_global_offset
#else
#define VLP_GLOBAL
#define VLP_GID vl_global_id
#define VLP_SIZE vl_global_size
#define VLP_OFFSET vl_global_offset
#endif
#define VLP_FN static __inline__ __attribute__((overloadable, always_inline, unused))

/* Kinds of arguments, the low byte of a tag; then words an element, then elements. As in sw/runtime/print.c. */
enum { VLP_SIGNED = 1, VLP_UNSIGNED = 2, VLP_FLOAT = 3, VLP_POINTER = 4 };
#define VLP_TAG(kind, words, n) ((unsigned)(kind) | (unsigned)(words) << 8 | (unsigned)(n) << 16)

/* P2, P3: room for a record, and its head. NULL: no buffer, or a full one. */
VLP_FN VLP_GLOBAL unsigned *vlp_open(unsigned long format, unsigned words)
{
    unsigned long block;
    __asm__("csrr %0, 0xccc" : "=r"(block));
    const unsigned long buffer = *(VLP_GLOBAL unsigned long *)(block + 0x68);
    if (!buffer)
        return 0;
    const unsigned long bytes = 4ul * (words + 5u);
    const unsigned long at = __atomic_fetch_add((VLP_GLOBAL unsigned long *)buffer, bytes, __ATOMIC_RELAXED);
    const unsigned long room = *(VLP_GLOBAL unsigned long *)(buffer + 8);
    if (at > room || bytes > room - at)
        return 0;
    VLP_GLOBAL unsigned *p = (VLP_GLOBAL unsigned *)(buffer + 128 + at);
    const unsigned long item = ((VLP_GID(2) - VLP_OFFSET(2)) * VLP_SIZE(1) + (VLP_GID(1) - VLP_OFFSET(1))) * VLP_SIZE(0)
                               + (VLP_GID(0) - VLP_OFFSET(0));
    p[0] = words + 5u;
    p[1] = (unsigned)item;
    p[2] = (unsigned)(item >> 32);
    p[3] = (unsigned)format;
    p[4] = (unsigned)(format >> 32);
    return p + 5;
}

/* P4: one argument. An element narrower than a word becomes one. vlp_words is for sizeof alone: an argument is computed once. */
#define VLP_PUT(type, wide, words, kind, n, ...)                                                                       \
    struct vlp_room_##type##n { char c[4 * (1 + words * n)]; };                                                        \
    __attribute__((overloadable)) struct vlp_room_##type##n vlp_room(__VA_ARGS__);                                     \
    VLP_FN VLP_GLOBAL unsigned *vlp_put(VLP_GLOBAL unsigned *p, __VA_ARGS__ a)                                         \
    {                                                                                                                  \
        if (!p)                                                                                                        \
            return p;                                                                                                  \
        p[0] = VLP_TAG(kind, words, n);                                                                                \
        for (int i = 0; i < n; i++) {                                                                                  \
            const unsigned long bits = wide(VLP_ELEMENT(a, n, i));                                                     \
            p[1 + i * words] = (unsigned)bits;                                                                         \
            if (words == 2)                                                                                            \
                p[2 + i * words] = (unsigned)(bits >> 32);                                                             \
        }                                                                                                              \
        return p + 1 + words * n;                                                                                      \
    }
#define VLP_ELEMENT(a, n, i) VLP_ELEMENT_##n(a, i)
#define VLP_ELEMENT_1(a, i) (a)
#define VLP_ELEMENT_2(a, i) ((a)[i])
#define VLP_ELEMENT_3(a, i) ((a)[i])
#define VLP_ELEMENT_4(a, i) ((a)[i])
#define VLP_ELEMENT_8(a, i) ((a)[i])
#define VLP_ELEMENT_16(a, i) ((a)[i])

#define VLP_OF_SIGNED(x) ((unsigned long)(long)(x))
#define VLP_OF_UNSIGNED(x) ((unsigned long)(x))
#define VLP_OF_FLOAT(x)                                                                                                \
    ({                                                                                                                 \
        union { float f; unsigned u; } v_ = {(x)};                                                                     \
        (unsigned long)v_.u;                                                                                           \
    })
#define VLP_OF_DOUBLE(x)                                                                                               \
    ({                                                                                                                 \
        union { double f; unsigned long u; } v_ = {(x)};                                                               \
        v_.u;                                                                                                          \
    })

#ifdef __OPENCL_C_VERSION__
#define VLP_PUTS(type, wide, words, kind)                                                                              \
    VLP_PUT(type, wide, words, kind, 1, type)                                                                          \
    VLP_PUT(type, wide, words, kind, 2, type##2)                                                                       \
    VLP_PUT(type, wide, words, kind, 3, type##3)                                                                       \
    VLP_PUT(type, wide, words, kind, 4, type##4)                                                                       \
    VLP_PUT(type, wide, words, kind, 8, type##8)                                                                       \
    VLP_PUT(type, wide, words, kind, 16, type##16)
VLP_PUTS(char, VLP_OF_SIGNED, 1, VLP_SIGNED)
VLP_PUTS(uchar, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED)
VLP_PUTS(short, VLP_OF_SIGNED, 1, VLP_SIGNED)
VLP_PUTS(ushort, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED)
VLP_PUTS(int, VLP_OF_SIGNED, 1, VLP_SIGNED)
VLP_PUTS(uint, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED)
VLP_PUTS(long, VLP_OF_SIGNED, 2, VLP_SIGNED)
VLP_PUTS(ulong, VLP_OF_UNSIGNED, 2, VLP_UNSIGNED)
VLP_PUTS(float, VLP_OF_FLOAT, 1, VLP_FLOAT)
#ifdef cl_khr_fp64
VLP_PUTS(double, VLP_OF_DOUBLE, 2, VLP_FLOAT)
#endif
VLP_PUT(constant, VLP_OF_UNSIGNED, 2, VLP_POINTER, 1, const volatile __constant void *)
VLP_PUT(global, VLP_OF_UNSIGNED, 2, VLP_POINTER, 1, const volatile __global void *)
VLP_PUT(local, VLP_OF_UNSIGNED, 2, VLP_POINTER, 1, const volatile __local void *)
VLP_PUT(private, VLP_OF_UNSIGNED, 2, VLP_POINTER, 1, const volatile __private void *)
#else
typedef signed char vlp_schar;
typedef unsigned char vlp_uchar;
typedef unsigned short vlp_ushort;
typedef unsigned vlp_uint;
typedef unsigned long vlp_ulong;
typedef long long vlp_llong;
typedef unsigned long long vlp_ullong;
VLP_PUT(char, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED, 1, char)
VLP_PUT(vlp_schar, VLP_OF_SIGNED, 1, VLP_SIGNED, 1, vlp_schar)
VLP_PUT(vlp_uchar, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED, 1, vlp_uchar)
VLP_PUT(short, VLP_OF_SIGNED, 1, VLP_SIGNED, 1, short)
VLP_PUT(vlp_ushort, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED, 1, vlp_ushort)
VLP_PUT(int, VLP_OF_SIGNED, 1, VLP_SIGNED, 1, int)
VLP_PUT(vlp_uint, VLP_OF_UNSIGNED, 1, VLP_UNSIGNED, 1, vlp_uint)
VLP_PUT(long, VLP_OF_SIGNED, 2, VLP_SIGNED, 1, long)
VLP_PUT(vlp_ulong, VLP_OF_UNSIGNED, 2, VLP_UNSIGNED, 1, vlp_ulong)
VLP_PUT(vlp_llong, VLP_OF_SIGNED, 2, VLP_SIGNED, 1, vlp_llong)
VLP_PUT(vlp_ullong, VLP_OF_UNSIGNED, 2, VLP_UNSIGNED, 1, vlp_ullong)
VLP_PUT(float, VLP_OF_FLOAT, 1, VLP_FLOAT, 1, float)
VLP_PUT(double, VLP_OF_DOUBLE, 2, VLP_FLOAT, 1, double)
VLP_PUT(pointer, VLP_OF_UNSIGNED, 2, VLP_POINTER, 1, const volatile void *)
#endif

/* m(x) for each of up to some 300 arguments: a macro that cannot call itself is scanned again and again. */
#define VLP_SCAN(...) VLP_SCAN3(VLP_SCAN3(VLP_SCAN3(VLP_SCAN3(__VA_ARGS__))))
#define VLP_SCAN3(...) VLP_SCAN2(VLP_SCAN2(VLP_SCAN2(VLP_SCAN2(__VA_ARGS__))))
#define VLP_SCAN2(...) VLP_SCAN1(VLP_SCAN1(VLP_SCAN1(VLP_SCAN1(__VA_ARGS__))))
#define VLP_SCAN1(...) __VA_ARGS__
#define VLP_NOTHING
#define VLP_EACH(m, ...) __VA_OPT__(VLP_SCAN(VLP_STEP(m, __VA_ARGS__)))
#define VLP_STEP(m, x, ...) m(x) __VA_OPT__(VLP_AGAIN VLP_NOTHING()(m, __VA_ARGS__))
#define VLP_AGAIN() VLP_STEP

#define VLP_WORDS_OF(x) +(unsigned)sizeof(vlp_room(x)) / 4u
#define VLP_PUT_OF(x) vlp_at_ = vlp_put(vlp_at_, x);

/* In C the compiler compares the format with the arguments here; in OpenCL C it has done so before. */
#ifdef __OPENCL_C_VERSION__
#define VLP_CHECK(...)
#else
int vlp_check(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VLP_CHECK(...) (void)sizeof(vlp_check(__VA_ARGS__));
#endif

/* 0, or -1 where nothing was recorded. Arguments are computed in any case. */
#define VLP_PRINTF(format, ...)                                                                                        \
    ({                                                                                                                 \
        VLP_CHECK(format __VA_OPT__(, ) __VA_ARGS__)                                                                   \
        VLP_GLOBAL unsigned *vlp_at_ = vlp_open((unsigned long)(format), 0u VLP_EACH(VLP_WORDS_OF, __VA_ARGS__));      \
        const int vlp_result_ = vlp_at_ ? 0 : -1;                                                                      \
        VLP_EACH(VLP_PUT_OF, __VA_ARGS__)                                                                              \
        vlp_result_;                                                                                                   \
    })
#define printf(...) VLP_PRINTF(__VA_ARGS__)

#endif
