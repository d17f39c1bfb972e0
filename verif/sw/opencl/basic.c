/* The language, as a conformance suite's basic tests look at it: arguments of every type by value, work-item functions in every range, offsets and sizes that are left to the driver,
 * creation and components of vectors, as_type, sizes, alignments and limits, constant and local memory, kernels that call kernels, copies by the group, barriers. */
#include "check.h"

#include <float.h>
#include <limits.h>

enum { THREADS = 64 };
static setup s;

/* Runs a kernel with the buffer `out` as its last argument; those before it have been set. */
static void run(cl_kernel k, cl_uint last, cl_uint dims, const size_t *offset, const size_t *global,
                const size_t *local, void *out, size_t bytes)
{
    cl_mem m = buffer(&s, CL_MEM_READ_WRITE, bytes, NULL);
    GOOD(clSetKernelArg(k, last, sizeof m, &m));
    GOOD(clEnqueueNDRangeKernel(s.queue, k, dims, offset, global, local, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    GOOD(clReleaseMemObject(m));
}

static void ints(cl_program p, const char *name, int *out, size_t n)
{
    cl_kernel k = kernel(p, name);
    run(k, 0, 1, NULL, &(size_t){1}, NULL, out, n * sizeof *out);
    GOOD(clReleaseKernel(k));
}

/* ---- arguments by value: each type in each vector size ---- */

static void parameter_types(void)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
                 {"uint", 4}, {"long", 8},  {"ulong", 8}, {"float", 4},  {"double", 8}};
    static const int sizes[] = {1, 2, 3, 4, 8, 16};
    static char text[32768];
    size_t at = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t n = 0; n < 6; n++) {
            char v[20];
            snprintf(v, sizeof v, sizes[n] == 1 ? "%s" : "%s%d", types[t].name, sizes[n]);
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "__kernel void %s_(char before, %s a, short between, %s b, __global %s *o) { o[0] = "
                                   "a; o[1] = b; o[2] = (%s)(before + between); }\n",
                                   v, v, v, v, v);
        }
    cl_program p = build(&s, text, "");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t n = 0; n < 6; n++) {
            unsigned char a[128], b[128], out[3 * 128];
            char name[24];
            snprintf(name, sizeof name, sizes[n] == 1 ? "%s_" : "%s%d_", types[t].name, sizes[n]);
            const size_t bytes = types[t].bytes * (size_t)(sizes[n] == 3 ? 4 : sizes[n]),
                         used = types[t].bytes * (size_t)sizes[n];
            for (size_t i = 0; i < bytes; i++) { /* no float of these is a NaN */
                a[i] = (unsigned char)(i * 5 + 3);
                b[i] = (unsigned char)(i % 7 + 40);
            }
            cl_kernel k = kernel(p, name);
            CODE(clSetKernelArg(k, 1, bytes + 1, a), CL_INVALID_ARG_SIZE);
            GOOD(clSetKernelArg(k, 0, 1, &(cl_char){-3}));
            GOOD(clSetKernelArg(k, 1, bytes, a));
            GOOD(clSetKernelArg(k, 2, 2, &(cl_short){5}));
            GOOD(clSetKernelArg(k, 3, bytes, b));
            run(k, 4, 1, NULL, &(size_t){1}, NULL, out, 3 * bytes);
            const bool two = t < 8    ? out[2 * bytes] == 2
                             : t == 8 ? *(float *)(void *)(out + 2 * bytes) == 2
                                      : *(double *)(void *)(out + 2 * bytes) == 2;
            OK(!memcmp(out, a, used) && !memcmp(out + bytes, b, used) && two);
            GOOD(clReleaseKernel(k));
        }
    GOOD(clReleaseProgram(p));
}

/* ---- work-item functions ---- */

static const char items_source[] =
    "__kernel void items(__global ulong *out)\n"
    "{\n"
    "    size_t w = get_global_size(0), h = get_global_size(1);\n"
    "    size_t i = ((get_global_id(2) - get_global_offset(2)) * h + get_global_id(1) - get_global_offset(1)) * w + "
    "get_global_id(0) - get_global_offset(0);\n"
    "    __global ulong *o = out + 25 * i;\n"
    "    for (uint d = 0; d < 4; d++) {\n"
    "        o[d] = get_global_id(d); o[4 + d] = get_local_id(d); o[8 + d] = get_group_id(d);\n"
    "        o[12 + d] = get_global_size(d) << 32 | get_local_size(d); o[16 + d] = get_num_groups(d); o[20 + d] = "
    "get_global_offset(d);\n"
    "    }\n"
    "    o[24] = get_work_dim();\n"
    "}\n";

static void work_items(void)
{
    static const struct {
        cl_uint dims;
        size_t offset[3], global[3], local[3];
    } ranges[] = {
        {1, {0}, {THREADS}, {0}},
        {1, {1000}, {61}, {0}},
        {1, {7}, {60}, {20}},
        {2, {0}, {9, 7}, {0}},
        {2, {5, 1ul << 31}, {8, 6}, {4, 3}},
        {3, {1, 2, 3}, {4, 3, 5}, {0}},
        {3, {0}, {4, 4, 4}, {2, 2, 2}},
        {3, {0}, {1, 1, 13}, {1, 1, 13}},
        {1, {0}, {1}, {1}},
        {2, {0}, {1, 31}, {0}},
    };
    cl_program p = build(&s, items_source, "");
    cl_kernel k = kernel(p, "items");
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        static cl_ulong out[25 * 64];
        size_t g[4] = {1, 1, 1, 1}, l[4] = {1, 1, 1, 1}, f[4] = {0};
        const cl_uint dims = ranges[r].dims;
        for (cl_uint d = 0; d < dims; d++) {
            g[d] = ranges[r].global[d];
            f[d] = ranges[r].offset[d];
        }
        run(k, 0, dims, f[0] || f[1] ? f : NULL, g, ranges[r].local[0] ? ranges[r].local : NULL, out,
            25 * g[0] * g[1] * g[2] * sizeof *out);
        for (cl_uint d = 0; d < 3; d++)
            /* left open by the call: the size that the first work-item read, and the same for all */
            l[d] = out[12 + d] & 0xffffffff;
        bool right = l[0] && l[1] && l[2];
        for (size_t i = 0; right && i < g[0] * g[1] * g[2]; i++) {
            const size_t at[4] = {i % g[0], i / g[0] % g[1], i / g[0] / g[1], 0};
            const cl_ulong *o = out + 25 * i;
            for (int d = 0; d < 4; d++) {
                right &= g[d] % l[d] == 0 && (!ranges[r].local[0] || d >= (int)dims || l[d] == ranges[r].local[d]);
                right &= o[d] == at[d] + f[d] && o[4 + d] == at[d] % l[d] && o[8 + d] == at[d] / l[d];
                right &= o[12 + d] == (g[d] << 32 | l[d]) && o[16 + d] == g[d] / l[d] && o[20 + d] == f[d];
            }
            right &= o[24] == dims;
        }
        OK(right);
    }
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
}

/* ---- vectors ---- */

static const char vectors_source[] =
    "__kernel void creation(__global int *o)\n"
    "{\n"
    "    int2 a = (int2)(1, 2); int3 b = (int3)(a, 3); int4 c = (int4)(b, 4), d = (int4)(9, a, 8), e = (int4)(5);\n"
    "    int8 f = (int8)(c, e), g = (int8)(1, b, c); int16 h = (int16)(f, a, 7, b.x, c); int z[16] = { 1, 2, 3 };\n"
    "    vstore2(a, 0, o); vstore3(b, 0, o + 2); vstore4(c, 0, o + 5); vstore4(d, 0, o + 9); vstore4(e, 0, o + 13);\n"
    "    vstore8(f, 0, o + 17); vstore8(g, 0, o + 25); vstore16(h, 0, o + 33); vstore16(vload16(0, z), 0, o + 49);\n"
    "}\n"
    "__kernel void swizzle(__global int *o)\n"
    "{\n"
    "    int4 v = (int4)(10, 11, 12, 13); int16 w = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); "
    "int3 t = (int3)(20, 21, 22);\n"
    "    vstore4(v.wzyx, 0, o); vstore4(v.xxyy, 0, o + 4); vstore2(v.hi, 0, o + 8); vstore2(v.even, 0, o + 10);\n"
    "    vstore8(w.odd, 0, o + 12); vstore8(w.lo, 0, o + 20); vstore4(w.hi.even, 0, o + 28); vstore4(w.sFa08, 0, o + "
    "32);\n"
    "    vstore2(t.hi.xx, 0, o + 36); vstore2(t.s20, 0, o + 38);\n"
    "    v.yx = (int2)(1, 2); v.s3 = 77; w.even = (int8)(-1); w.s3 += 100; t.zx = t.xz;\n"
    "    vstore4(v, 0, o + 40); vstore16(w, 0, o + 44); vstore3(t, 0, o + 60); v.hi = v.lo; vstore4(v, 0, o + 63);\n"
    "}\n"
    "__kernel void operators(__global int *o)\n"
    "{\n"
    "    int4 a = (int4)(1, -2, 3, 0), b = (int4)(4, 4, 3, -1); float4 f = (float4)(1.5f, -2.5f, 0.0f, 3.0f);\n"
    "    vstore4(a < b, 0, o); vstore4(a == b, 0, o + 4); vstore4(a ? b : (int4)(9), 0, o + 8); vstore4(a && b, 0, o + "
    "12); vstore4(!a, 0, o + 16);\n"
    "    vstore4(~a & b | 8, 0, o + 20); vstore4(a << 2 >> 1, 0, o + 24); vstore4(-a * 3 + b % 3, 0, o + 28); "
    "vstore4(f > 0.0f, 0, o + 32);\n"
    "    vstore4(convert_int4(f + 1), 0, o + 36); vstore4(as_int4(f), 0, o + 40); vstore2((int2)(as_long((int2)(3, "
    "5)), as_int((short2)(1, 2))), 0, o + 44);\n"
    "    uchar4 c = as_uchar4(0x04030201); vstore4(convert_int4(c.wzyx + (uchar)254), 0, o + 46); a++; a += (int4)(1, "
    "2, 3, 4); vstore4(a--, 0, o + 50);\n"
    "    char2 s = (char2)(-128, 127); vstore2(convert_int2(abs(s)), 0, o + 54);\n"
    "}\n";

static void vectors(void)
{
    static const int creation[65] = {1, 2, 1, 2, 3, 1, 2, 3, 4, 9, 1, 2, 8, 5, 5, 5, 5, 1, 2, 3, 4, 5, 5, 5, 5, 1,
                                     1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 4, 5, 5, 5, 5, 1, 2, 7, 1, 1, 2, 3, 4, 1, 2, 3};
    static const int swizzle[67] = {13, 12, 11, 10, 10, 10, 11, 11, 12, 13, 10, 12, 1,  3,   5,  7,  9,
                                    11, 13, 15, 0,  1,  2,  3,  4,  5,  6,  7,  8,  10, 12,  14, 15, 10,
                                    0,  8,  22, 22, 22, 20, 2,  1,  12, 77, -1, 1,  -1, 103, -1, 5,  -1,
                                    7,  -1, 9,  -1, 11, -1, 13, -1, 15, 22, 21, 20, 2,  1,   2,  1};
    static const int operators[56] = {
        -1, -1,         0,  0,       0,  0,  -1, 0,   9, 4,  9, 9,  -1,         -1,
        -1, 0,          0,  0,       0,  -1, 12, 8,   8, -1, 2, -4, 6,          0,
        -2, 7,          -9, -1,      -1, 0,  0,  -1,  2, -1, 1, 4,  0x3fc00000, (int)0xc0200000,
        0,  0x40400000, 3,  0x20001, 2,  1,  0,  255, 3, 1,  7, 5,  128,        127};
    int out[67];
    cl_program p = build(&s, vectors_source, "");
    ints(p, "creation", out, 65);
    OK(!memcmp(out, creation, sizeof creation));
    ints(p, "swizzle", out, 67);
    OK(!memcmp(out, swizzle, sizeof swizzle));
    ints(p, "operators", out, 56);
    for (int i = 0; i < 56; i++)
        if (i < 8 || i >= 12) /* a component of ?: is chosen by its highest bit */
            CODE(out[i], operators[i]);
    OK(out[8] == 9 && out[9] == 4 && out[10] == 9 && out[11] == 9);
    GOOD(clReleaseProgram(p));
}

/* ---- sizes, alignments, limits ---- */

static const char sizes_source[] =
    "typedef struct { char a; double2 b; short3 c; } mixed;\n"
    "typedef struct { char a; int b; } __attribute__((packed)) tight;\n"
    "typedef union { float4 f; uchar b[16]; } both;\n"
    "__kernel void sizes(__global int *o)\n"
    "{\n"
    "    int k = 0;\n"
    "    o[k++] = sizeof(char); o[k++] = sizeof(ushort3); o[k++] = sizeof(int16); o[k++] = sizeof(long8); o[k++] = "
    "sizeof(double3); o[k++] = sizeof(bool);\n"
    "    o[k++] = sizeof(size_t); o[k++] = sizeof(ptrdiff_t); o[k++] = sizeof(intptr_t); o[k++] = sizeof(void *); "
    "o[k++] = sizeof(half); o[k++] = sizeof(mixed);\n"
    "    o[k++] = sizeof(tight); o[k++] = sizeof(both); o[k++] = (int)__builtin_offsetof(mixed, c);\n"
    "}\n"
    "#define LOCAL(T) __local T l##T[3]; char g##T; T p##T[3]; p##T[1] = (T)(i); l##T[1] = p##T[1]\n"
    "#define ALIGNED(T) wrong |= (ulong)l##T % sizeof(T) != 0 | (ulong)p##T % sizeof(T) != 0 "
    "| (ulong)&c##T % sizeof(T) != 0\n"
    "__constant char before = 1; __constant double16 cdouble16 = (double16)(1.0); __constant char between = 2; "
    "__constant int8 cint8 = (int8)(1); __constant short cshort = 3; __constant long4 clong4 = (long4)(1);\n"
    "__kernel void alignments(__global int *o) { int i = before + between, wrong = 0; LOCAL(short); LOCAL(double16); "
    "LOCAL(int8); LOCAL(long4); ALIGNED(double16); ALIGNED(int8); ALIGNED(short); ALIGNED(long4); o[0] = wrong; }\n"
    "__kernel void limits(__global int *o)\n"
    "{\n"
    "    int bad = 0;\n"
    "    bad |= CHAR_BIT != 8 || CHAR_MAX != 127 || CHAR_MIN != -128 || SCHAR_MAX != 127 || UCHAR_MAX != 255;\n"
    "    bad |= SHRT_MAX != 32767 || USHRT_MAX != 65535 || INT_MAX != 2147483647 || INT_MIN != (-2147483647 - 1) || "
    "UINT_MAX != 0xffffffffu;\n"
    "    bad |= LONG_MAX != 0x7fffffffffffffffL || LONG_MIN != (-0x7fffffffffffffffL - 1) || ULONG_MAX != "
    "0xffffffffffffffffUL;\n"
    "    bad |= FLT_DIG != 6 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128 || FLT_MIN_EXP != -125 || FLT_RADIX != 2 || "
    "FLT_MAX != 0x1.fffffep127f || FLT_MIN != 0x1p-126f || FLT_EPSILON != 0x1p-23f;\n"
    "    bad |= DBL_DIG != 15 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024 || DBL_MAX != 0x1.fffffffffffffp1023 || "
    "DBL_MIN != 0x1p-1022 || DBL_EPSILON != 0x1p-52;\n"
    "    bad |= HUGE_VALF != INFINITY || HUGE_VAL != INFINITY || !isnan(NAN) || MAXFLOAT != FLT_MAX || M_PI != "
    "3.14159265358979323846 || M_E_F != 2.71828182845904523536f;\n"
    "    bad |= FP_ILOGB0 != INT_MIN && FP_ILOGB0 != -INT_MAX || ilogb(0.0f) != FP_ILOGB0 || ilogb(NAN) != FP_ILOGBNAN "
    "|| ilogb(0.0) != FP_ILOGB0 || ilogb((double)NAN) != FP_ILOGBNAN;\n"
    "    o[0] = bad | __ENDIAN_LITTLE__ << 1 | (__OPENCL_C_VERSION__ == 120) << 2 | (__OPENCL_VERSION__ >= 120) << 3 | "
    "(sizeof(__FILE__) > 0) << 4 | (__LINE__ > 0) << 5;\n"
    "#ifdef __IMAGE_SUPPORT__\n    o[0] = -1;\n#endif\n#ifdef __EMBEDDED_PROFILE__\n    o[0] = -2;\n#endif\n"
    "}\n";

static void sizes(void)
{
    static const int want[15] = {1, 8, 64, 64, 32, 1, 8, 8, 8, 8, 2, 48, 5, 16, 32};
    int out[15];
    cl_program p = build(&s, sizes_source, "");
    ints(p, "sizes", out, 15);
    for (int i = 0; i < 15; i++)
        CODE(out[i], want[i]);
    ints(p, "alignments", out, 1);
    CODE(out[0], 0);
    ints(p, "limits", out, 1);
    CODE(out[0], 62);
    GOOD(clReleaseProgram(p));
}

/* ---- memory of a program, of a group, and copies ---- */

static const char memory_source[] =
    "typedef struct { int n; float4 v; char name[8]; } entry;\n"
    "__constant int squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};\n"
    "__constant entry entries[2] = {{3, (float4)(1, 2, 3, 4), \"three\"}, {5, (float4)(5), \"five\"}};\n"
    "__constant int *__constant middle = &squares[8];\n"
    "int from(__constant int *p, int i) { return p[i]; }\n"
    "__kernel void constants(__constant int *c, __constant entry *e, __global int *o)\n"
    "{ size_t i = get_global_id(0); o[i] = from(squares, i % 16) + from(c, i) + entries[i & 1].n + (int)entries[i & "
    "1].v.w + entries[1].name[1] + e[i % 3].n + (int)e[i % 3].v.y + *middle; }\n"
    "__kernel void add(__global int *o, int by) { o[get_global_id(0)] += by; }\n"
    "__kernel void calls(__global int *o) { o[get_global_id(0)] = get_local_id(0); add(o, 10); add(o, 100); }\n"
    "__kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8, 1, 1))) void "
    "hints(__global int *o) { o[get_global_id(0)] = 1; }\n"
    "__kernel void scopes(__global int *o)\n"
    "{\n"
    "    int n = get_local_size(0), i = get_local_id(0);\n"
    "    __local int a[64]; __local int b[64]; { b[i] = i * 2; a[n - 1 - i] = i; barrier(CLK_LOCAL_MEM_FENCE); "
    "o[get_global_id(0)] = a[i] + b[n - 1 - i]; }\n"
    "}\n"
    "__kernel void sums(__local int *part, __global int *o)\n"
    "{\n"
    "    int i = get_local_id(0); part[i] = get_global_id(0);\n"
    "    for (int step = get_local_size(0) / 2; step > 0; step /= 2) { barrier(CLK_LOCAL_MEM_FENCE); if (i < step) "
    "part[i] += part[i + step]; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = part[0];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); int next = o[get_group_id(0) * get_local_size(0) + (i + 1) % "
    "get_local_size(0)]; barrier(CLK_GLOBAL_MEM_FENCE); o[get_global_id(0)] = next + 1;\n"
    "}\n"
    "#define COPIES(T)\\\n"
    "__kernel void copies_##T(__local T *l, __local T *m, __global T *in, __global T *o)\\\n"
    "{\\\n"
    "    size_t n = get_local_size(0), g = get_group_id(0), i = get_local_id(0);\\\n"
    "    event_t e = async_work_group_copy(l, in + g * n, n, 0); e = async_work_group_strided_copy(m, in, n, 2, e);\\\n"
    "    prefetch(in + g * n, n); wait_group_events(1, &e); T swap = l[n - 1 - i]; barrier(CLK_LOCAL_MEM_FENCE); l[i] "
    "= swap; barrier(CLK_LOCAL_MEM_FENCE);\\\n"
    "    event_t f = async_work_group_copy(o + g * 2 * n, l, n, 0); wait_group_events(1, &f); f = "
    "async_work_group_copy(o + (g * 2 + 1) * n, m, n, 0); wait_group_events(1, &f);\\\n"
    "}\n"
    "COPIES(char) COPIES(ushort3) COPIES(int4) COPIES(long) COPIES(float16) COPIES(double2)\n";

static void constants(cl_program p)
{
    typedef struct {
        cl_int n;
        cl_float4 v;
        cl_char name[8];
    } entry;
    cl_int c[32], out[32];
    entry e[3] = {{.n = 1000}, {.n = 2000}, {.n = 3000}};
    for (int i = 0; i < 32; i++)
        c[i] = 7 * i;
    for (int i = 0; i < 3; i++)
        e[i].v.s[1] = (float)(i * 100000);
    cl_mem mc = buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof c, c),
           me = buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof e, e);
    cl_kernel k = kernel(p, "constants");
    GOOD(clSetKernelArg(k, 0, sizeof mc, &mc));
    GOOD(clSetKernelArg(k, 1, sizeof me, &me));
    run(k, 2, 1, NULL, &(size_t){32}, NULL, out, sizeof out);
    bool right = true;
    for (int i = 0; i < 32; i++)
        right &= out[i] == (i % 16) * (i % 16) + 7 * i + (i & 1 ? 10 : 7) + 'i' + e[i % 3].n + i % 3 * 100000 + 64;
    OK(right);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(mc));
    GOOD(clReleaseMemObject(me));
    cl_ulong most = 0;
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof most, &most, NULL));
    OK(most >= 65536);
}

static void groups(cl_program p)
{
    static const char *const names[] = {"calls", "scopes", "hints"};
    int out[48];
    for (int n = 0; n < 3; n++) {
        cl_kernel k = kernel(p, names[n]);
        run(k, 0, 1, NULL, &(size_t){48}, &(size_t){16}, out, sizeof out);
        bool right = true;
        for (int i = 0; i < 48; i++)
            right &= out[i] == (n == 0 ? i % 16 + 110 : n == 1 ? 15 - i % 16 + 2 * (15 - i % 16) : 1);
        OK(right);
        GOOD(clReleaseKernel(k));
    }
    cl_kernel k = kernel(p, "sums");
    GOOD(clSetKernelArg(k, 0, 16 * sizeof(int), NULL));
    run(k, 1, 1, NULL, &(size_t){48}, &(size_t){16}, out, sizeof out);
    bool right = true;
    for (int i = 0; i < 48; i++)
        right &= out[i] == 16 * (i / 16 * 16) + 120 + 1;
    OK(right);
    GOOD(clReleaseKernel(k));
}

static void copies(cl_program p)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"copies_char", 1}, {"copies_ushort3", 8},  {"copies_int4", 16},
                 {"copies_long", 8}, {"copies_float16", 64}, {"copies_double2", 16}};
    enum { N = 24, GROUP = 8 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t b = types[t].bytes;
        unsigned char in[N * 64], out[2 * N * 64];
        for (size_t i = 0; i < N * b; i++)
            in[i] = (unsigned char)(i * 11 + i / 256);
        if (b == 8 && t == 1) /* the padding of a vector of three has no defined value */
            for (size_t i = 0; i < N; i++)
                in[8 * i + 6] = in[8 * i + 7] = 0;
        cl_mem m = buffer(&s, CL_MEM_COPY_HOST_PTR, N * b, in);
        cl_kernel k = kernel(p, types[t].name);
        GOOD(clSetKernelArg(k, 0, GROUP * b, NULL));
        GOOD(clSetKernelArg(k, 1, GROUP * b, NULL));
        GOOD(clSetKernelArg(k, 2, sizeof m, &m));
        run(k, 3, 1, NULL, &(size_t){N}, &(size_t){GROUP}, out, 2 * N * b);
        bool right = true;
        const size_t used = t == 1 ? 6 : b;
        for (size_t i = 0; i < N; i++) {
            const size_t g = i / GROUP, l = i % GROUP;
            right &= !memcmp(out + (g * 2 * GROUP + l) * b, in + (g * GROUP + GROUP - 1 - l) * b, used);
            right &= !memcmp(out + ((g * 2 + 1) * GROUP + l) * b, in + 2 * l * b, used);
        }
        OK(right);
        GOOD(clReleaseKernel(k));
        GOOD(clReleaseMemObject(m));
    }
}

static void tells(cl_program p)
{
    cl_uint n = 0;
    char name[20];
    size_t bytes = 0;
    cl_program of = NULL;
    cl_context context = NULL;
    cl_kernel k = kernel(p, "constants");
    GOOD(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
    CODE((int)n, 3);
    GOOD(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &bytes));
    OK(!strcmp(name, "constants") && bytes == 10);
    GOOD(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof of, &of, NULL));
    GOOD(clGetKernelInfo(k, CL_KERNEL_CONTEXT, sizeof context, &context, NULL));
    OK(of == p && context == s.context);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_SOURCE, 0, NULL, &bytes));
    OK(bytes == sizeof memory_source);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
    CODE((int)n, 1);
    GOOD(clReleaseKernel(k));
}

int main(void)
{
    s = begin(0);
    parameter_types();
    work_items();
    vectors();
    sizes();
    cl_program p = build(&s, memory_source, "");
    constants(p);
    groups(p);
    copies(p);
    tells(p);
    GOOD(clReleaseProgram(p));
    end(&s);
    return verdict();
}
