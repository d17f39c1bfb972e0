/* cl_khr_fp64 (docs/opencl.md): the device's properties, arithmetic and conversions as the host has them, vectors, memory of every kind, functions, printf; and that a program which
 * neither names double nor enables cl_khr_fp64 has constants of single precision, which its log says. */
#include "check.h"

#include <math.h>
#include <unistd.h>

static const char source[] =
    "#if !defined(cl_khr_fp64) || defined(cl_khr_fp16)\n#error extensions\n#endif\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef struct { char c; double d; double3 v; } parts;\n"
    "__kernel void arithmetic(__global const double *a, __global const double *b, __global double *out, parts p, "
    "double s)\n"
    "{\n"
    "    size_t i = get_global_id(0), n = get_global_size(0);\n"
    "    out[i] = a[i] + b[i]; out[n + i] = a[i] - b[i]; out[2 * n + i] = a[i] * b[i]; out[3 * n + i] = a[i] / b[i];\n"
    "    out[4 * n + i] = sqrt(fabs(a[i])); out[5 * n + i] = fma(a[i], b[i], s); out[6 * n + i] = a[i] < b[i] ? p.d : "
    "p.v.z + p.c;\n"
    "    out[7 * n + i] = (double)convert_long_rte(a[i]) + convert_float(b[i]) + (int)a[i] + 1.0 / 3;\n"
    "}\n"
    "__kernel void vectors(__global const double4 *in, __global double *out, __local double2 *room, __constant double "
    "*c)\n"
    "{\n"
    "    __local double more[32];\n"
    "    size_t i = get_local_id(0), n = get_local_size(0);\n"
    "    double4 v = in[i]; double own[4]; vstore4(v.wzyx * 2.0, 0, own);\n"
    "    event_t e = async_work_group_copy(more, (__global const double *)in, n, 0);\n"
    "    room[i] = (double2)(v.x, own[0]);\n"
    "    wait_group_events(1, &e);\n"
    "    double2 other = room[n - 1 - i];\n"
    "    double8 w = (double8)(v, other, more[i], c[i % 4]);\n"
    "    vstore8(w, i, out);\n"
    "    out[8 * n + i] = dot(v, v) + (all(isfinite(v)) ? 1 : 0) + select(v, w.lo, (long4)(-1)).y;\n"
    "}\n"
    "__kernel void functions(__global const double *a, __global double *out)\n"
    "{\n"
    "    size_t i = get_global_id(0), n = get_global_size(0);\n"
    "    int e; double whole;\n"
    "    out[i] = sin(a[i]); out[n + i] = cos(a[i]); out[2 * n + i] = exp(-fabs(a[i])); out[3 * n + i] = "
    "log(fabs(a[i]));\n"
    "    out[4 * n + i] = pow(fabs(a[i]), 0.75); out[5 * n + i] = frexp(a[i], &e) + e; out[6 * n + i] = modf(a[i], "
    "&whole) + whole;\n"
    "    out[7 * n + i] = fmod(a[i], 3.0);\n"
    "}\n"
    "__kernel void print(double d, double2 v) { printf(\"%g %.17g %v2f %a\\n\", d, d / 3, v, d); }\n";

enum { N = 64 };
static const double special[] = {0.0,       -0.0,
                                 0x1p-1074, -0x1p-1022,
                                 1,         1.5,
                                 -2.5,      1e300,
                                 -1e-300,   12345.678,
                                 3e9,       -0x1.fffffffffffffp52,
                                 1e22,      0x1.921fb54442d18p1,
                                 1e5,       -77};

static bool near(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 4 * 0x1p-52 * fabs(b);
}

static bool same(const double *a, double want)
{
    return (isnan(*a) && isnan(want)) || !memcmp(a, &want, sizeof want);
}

static void device(const setup *s)
{
    char text[1000];
    cl_device_fp_config config = 0;
    cl_uint width = 0;
    GOOD(clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    OK(strstr(text, "cl_khr_fp64"));
    GOOD(clGetDeviceInfo(s->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL));
    const cl_device_fp_config least =
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
    OK((config & least) == least);
    GOOD(clGetDeviceInfo(s->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof width, &width, NULL));
    OK(width == 1);
}

static void arithmetic(const setup *s, cl_program p, const double *a, const double *b)
{
    typedef struct {
        cl_char c;
        cl_double d;
        cl_double3 v;
    } parts;
    const parts x = {.c = 7, .d = 0.1, .v = {{1, 2, 3.25}}};
    const double third = -0x1.5555555555555p-2;
    double out[8 * N];
    cl_mem ma = buffer(s, CL_MEM_COPY_HOST_PTR, N * sizeof *a, (void *)(uintptr_t)a),
           mb = buffer(s, CL_MEM_COPY_HOST_PTR, N * sizeof *b, (void *)(uintptr_t)b),
           mo = buffer(s, 0, sizeof out, NULL);
    cl_kernel k = kernel(p, "arithmetic");
    GOOD(clSetKernelArg(k, 0, sizeof ma, &ma));
    GOOD(clSetKernelArg(k, 1, sizeof mb, &mb));
    GOOD(clSetKernelArg(k, 2, sizeof mo, &mo));
    GOOD(clSetKernelArg(k, 3, sizeof x, &x));
    GOOD(clSetKernelArg(k, 4, sizeof third, &third));
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &(size_t){N}, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    bool right[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < N; i++) {
        right[0] &= same(out + i, a[i] + b[i]);
        right[1] &= same(out + N + i, a[i] - b[i]);
        right[2] &= same(out + 2 * N + i, a[i] * b[i]);
        right[3] &= same(out + 3 * N + i, a[i] / b[i]);
        right[4] &= same(out + 4 * N + i, sqrt(fabs(a[i])));
        right[5] &= same(out + 5 * N + i, fma(a[i], b[i], third));
        right[6] &= same(out + 6 * N + i, a[i] < b[i] ? 0.1 : 10.25);
        if (fabs(a[i]) < 1e9)
            right[7] &= same(out + 7 * N + i, (double)llrint(a[i]) + (double)(float)b[i] + (double)(int)a[i] + 1.0 / 3);
    }
    for (int i = 0; i < 8; i++)
        OK(right[i]);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(ma));
    GOOD(clReleaseMemObject(mb));
    GOOD(clReleaseMemObject(mo));
}

static void vectors(const setup *s, cl_program p)
{
    enum { GROUP = 8 };
    double in[4 * GROUP], c[4] = {0.5, 1.5, 2.5, 3.5}, out[9 * GROUP];
    for (int i = 0; i < 4 * GROUP; i++)
        in[i] = i * 1.1 - 7;
    cl_mem mi = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof in, in), mc = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof c, c),
           mo = buffer(s, 0, sizeof out, NULL);
    cl_kernel k = kernel(p, "vectors");
    GOOD(clSetKernelArg(k, 0, sizeof mi, &mi));
    GOOD(clSetKernelArg(k, 1, sizeof mo, &mo));
    GOOD(clSetKernelArg(k, 2, GROUP * sizeof(cl_double2), NULL));
    GOOD(clSetKernelArg(k, 3, sizeof mc, &mc));
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &(size_t){GROUP}, &(size_t){GROUP}, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    bool moved = true, counted = true;
    for (int i = 0; i < GROUP; i++) {
        const double *v = in + 4 * i, *o = out + 8 * i, *w = in + 4 * (GROUP - 1 - i);
        moved &= !memcmp(o, v, 4 * sizeof *v) && o[4] == w[0] && o[5] == w[3] * 2 && o[6] == in[i] && o[7] == c[i % 4];
        counted &= near(out[8 * GROUP + i], v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3] + 1 + v[1]);
    }
    OK(moved);
    OK(counted);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(mi));
    GOOD(clReleaseMemObject(mc));
    GOOD(clReleaseMemObject(mo));
}

static void functions(const setup *s, cl_program p, const double *a)
{
    double out[8 * N];
    cl_mem ma = buffer(s, CL_MEM_COPY_HOST_PTR, N * sizeof *a, (void *)(uintptr_t)a),
           mo = buffer(s, 0, sizeof out, NULL);
    cl_kernel k = kernel(p, "functions");
    GOOD(clSetKernelArg(k, 0, sizeof ma, &ma));
    GOOD(clSetKernelArg(k, 1, sizeof mo, &mo));
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &(size_t){N}, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    bool right[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < N; i++) {
        int e;
        right[0] &= near(out[i], sin(a[i]));
        right[1] &= near(out[N + i], cos(a[i]));
        right[2] &= near(out[2 * N + i], exp(-fabs(a[i])));
        right[3] &= near(out[3 * N + i], log(fabs(a[i])));
        right[4] &= near(out[4 * N + i], pow(fabs(a[i]), 0.75));
        const double m = frexp(a[i], &e);
        right[5] &= near(out[5 * N + i], m + e);
        right[6] &= out[6 * N + i] == a[i];
        right[7] &= same(out + 7 * N + i, fmod(a[i], 3));
    }
    for (int i = 0; i < 8; i++)
        OK(right[i]);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(ma));
    GOOD(clReleaseMemObject(mo));
}

/* What kernels print goes to standard output: into a file for a moment. */
static void print(const setup *s, cl_program p)
{
    const double d = 0.1;
    const cl_double2 v = {{1e15, -0.5}};
    char text[200] = "", want[200];
    cl_kernel k = kernel(p, "print");
    GOOD(clSetKernelArg(k, 0, sizeof d, &d));
    GOOD(clSetKernelArg(k, 1, sizeof v, &v));
    fflush(stdout);
    FILE *f = tmpfile();
    const int old = dup(1);
    OK(f && old >= 0 && dup2(fileno(f), 1) == 1);
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clFinish(s->queue));
    fflush(stdout);
    dup2(old, 1);
    close(old);
    rewind(f);
    OK(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    snprintf(want, sizeof want, "%g %.17g %f,%f %a\n", d, d / 3, v.s[0], v.s[1], d);
    OK(!strcmp(text, want));
    GOOD(clReleaseKernel(k));
}

/* 1 + 2^-30 is 1 in single precision. 2: and the log says that double is used. */
static int constant(const setup *s, const char *text, const char *options)
{
    int one = -1;
    char log[1000] = "";
    cl_program p = build(s, text, options);
    GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    cl_mem m = buffer(s, 0, sizeof one, NULL);
    cl_kernel k = kernel(p, "k");
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof one, &one, 0, NULL, NULL));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseProgram(p));
    return one + (strstr(log, ":1: note: an operation of double") ? 2 : 0);
}

int main(void)
{
    setup s = begin(0);
    double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = special[i % 16] * (i < 32 ? 1 : 1.0000001 * i);
        b[i] = special[(i * 7 + i / 16) % 16] * (i & 1 ? 1 : -0.7);
    }
    cl_program p = build(&s, source, "-Werror");
    device(&s);
    arithmetic(&s, p, a, b);
    vectors(&s, p);
    functions(&s, p, a);
    print(&s, p);
    GOOD(clReleaseProgram(p));
    static const char text[] = "__kernel void k(__global int *o) { *o = 1 + 0x1p-30 == 1; }",
                      costs[] = "__kernel void k(__global int *o) { *o = 1 + (*o | 1) * 0x1p-30 == 1; }";
    OK(constant(&s, text, "-Werror") == 0);
    OK(constant(&s, costs, "-Werror") == 2);
    OK(constant(&s, text, "-cl-single-precision-constant") == 1);
    OK(constant(&s, costs, "-cl-single-precision-constant") == 1);
    end(&s);
    return verdict();
}
