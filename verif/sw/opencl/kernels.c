/* Programs and kernels: arguments of every kind, sizes and offsets, builds, logs, binaries, compile and link, queries. */
#include "check.h"

static const char source[] =
    "#ifndef SCALE\n#define SCALE 1\n#endif\n"
    "typedef struct { float4 v; int n; char c[5]; long l; } parts;\n"
    "__kernel void by_value(__global float *out, parts p, float3 t, short2 s, uchar u)\n"
    "{\n"
    "    out[0] = p.v.w; out[1] = p.n; out[2] = p.c[4]; out[3] = p.l; out[4] = t.z; out[5] = s.y; out[6] = u;\n"
    "}\n"
    "__kernel void ids(__global uint *out)\n"
    "{\n"
    "    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);\n"
    "    size_t i = y * get_global_size(0) + x;\n"
    "    out[4 * i] = get_global_id(0); out[4 * i + 1] = get_global_id(1);\n"
    "    out[4 * i + 2] = get_local_size(0) * get_local_size(1); out[4 * i + 3] = get_work_dim();\n"
    "}\n"
    "__kernel void turn(__global const int *restrict in, __global int *out, __local int *a, __local int *b, __constant "
    "int *c)\n"
    "{\n"
    "    __local int more[8];\n"
    "    uint l = get_local_id(0), n = get_local_size(0);\n"
    "    a[l] = in[get_global_id(0)]; b[l] = 1000 * SCALE; if (l < 8) more[l] = c[l];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = a[n - 1 - l] + b[n - 1 - l] + more[l % 8];\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(__global uint *out)\n"
    "{ out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1); }\n"
    "__kernel void nothing(void) {}\n"
    "__kernel void pointer(__global int *p, __global int *out) { *out = p == 0; }\n";

typedef struct {
    cl_float4 v;
    cl_int n;
    cl_char c[5];
    cl_long l;
} parts;

static void by_value(const setup *s, cl_program p)
{
    cl_kernel k = kernel(p, "by_value");
    cl_mem m = buffer(s, CL_MEM_WRITE_ONLY, 7 * sizeof(cl_float), NULL);
    parts x = {.v = {{1, 2, 3, 4}}, .n = 5, .c = {1, 2, 3, 4, 6}, .l = 7};
    cl_float3 t = {{0, 0, 8}};
    cl_short2 h = {{0, 9}};
    cl_uchar u = 200;
    cl_float out[7];
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(k, 1, sizeof x, &x));
    GOOD(clSetKernelArg(k, 2, sizeof t, &t));
    GOOD(clSetKernelArg(k, 3, sizeof h, &h));
    GOOD(clSetKernelArg(k, 4, sizeof u, &u));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clReleaseKernel(k)); /* and the buffer is used, too */
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    OK(out[0] == 4 && out[1] == 5 && out[2] == 6 && out[3] == 7 && out[4] == 8 && out[5] == 9 && out[6] == 200);
    GOOD(clReleaseMemObject(m));
}

static void ids(const setup *s, cl_program p)
{
    static const struct {
        cl_uint dims;
        size_t global[3], offset[3], local[3];
    } runs[] = {
        {1, {96, 1}, {0}, {0}},    {1, {97, 1}, {5}, {0}},        {2, {12, 10}, {3, 7}, {0}},
        {2, {16, 4}, {0}, {8, 2}}, {2, {7, 5}, {100, 0}, {7, 5}}, {3, {8, 6, 1}, {0, 1, 0}, {0}},
    };
    cl_kernel k = kernel(p, "ids");
    cl_mem m = buffer(s, 0, 4 * 128 * sizeof(cl_uint), NULL);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        const size_t *g = runs[r].global, *o = runs[r].offset, *l = runs[r].local;
        const size_t rows = runs[r].dims > 1 ? g[1] : 1;
        cl_uint out[4 * 128];
        GOOD(clEnqueueNDRangeKernel(s->queue, k, runs[r].dims, o[0] || o[1] ? o : NULL, g, *l ? l : NULL, 0, NULL,
                                    NULL));
        GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        bool right = true;
        for (size_t y = 0; y < rows; y++)
            for (size_t x = 0; x < g[0]; x++) {
                const cl_uint *q = out + 4 * (y * g[0] + x);
                right &= q[0] == x + o[0] && q[1] == y + (runs[r].dims > 1 ? o[1] : 0) && q[3] == runs[r].dims;
                right &= *l ? q[2] == l[0] * l[1] : q[2] >= 1 && q[2] <= 256;
                /* for 96 work-items, a local size of at least 8 is chosen, not 1 */
                right &= *l || g[0] * rows != 96 || q[2] >= 8;
            }
        OK(right);
    }
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
}

static bool turns(const setup *s, cl_program p, int scale)
{
    cl_kernel k = kernel(p, "turn");
    enum { N = 64, GROUP = 32 };
    cl_int in[N], c[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[N];
    for (int i = 0; i < N; i++)
        in[i] = 10 * i;
    cl_mem mi = buffer(s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in),
           mc = buffer(s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof c, c), mo = buffer(s, 0, sizeof out, NULL);
    cl_ulong before = 0, after = 0;
    GOOD(clGetKernelWorkGroupInfo(k, s->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof before, &before, NULL));
    GOOD(clSetKernelArg(k, 0, sizeof mi, &mi));
    GOOD(clSetKernelArg(k, 1, sizeof mo, &mo));
    GOOD(clSetKernelArg(k, 2, GROUP * sizeof(cl_int), NULL));
    GOOD(clSetKernelArg(k, 3, GROUP * sizeof(cl_int), NULL));
    GOOD(clSetKernelArg(k, 4, sizeof mc, &mc));
    GOOD(clGetKernelWorkGroupInfo(k, s->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof after, &after, NULL));
    /* Its own 32 bytes, and the gap between them and the arguments, which begin at a line: the rest of CL_DEVICE_LOCAL_MEM_SIZE may be given to them. */
    OK(before == 128 && after >= before + 2 * GROUP * sizeof(cl_int));
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &(size_t){N}, &(size_t){GROUP}, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= out[i] == in[i / GROUP * GROUP + GROUP - 1 - i % GROUP] + 1000 * scale + c[i % 8];
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(mi));
    GOOD(clReleaseMemObject(mc));
    GOOD(clReleaseMemObject(mo));
    return right;
}

static void queries(const setup *s, cl_program p)
{
    cl_kernel k = kernel(p, "turn"), r = kernel(p, "required"), n = kernel(p, "pointer");
    char text[200];
    cl_kernel_arg_address_qualifier space[5];
    cl_kernel_arg_type_qualifier type[2];
    for (cl_uint i = 0; i < 5; i++)
        GOOD(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof *space, &space[i], NULL));
    OK(space[0] == CL_KERNEL_ARG_ADDRESS_GLOBAL && space[2] == CL_KERNEL_ARG_ADDRESS_LOCAL
       && space[4] == CL_KERNEL_ARG_ADDRESS_CONSTANT);
    GOOD(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    OK(!strcmp(text, "int*"));
    GOOD(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    OK(!strcmp(text, "in"));
    GOOD(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof *type, &type[0], NULL));
    GOOD(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof *type, &type[1], NULL));
    OK(type[0] == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT) && type[1] == CL_KERNEL_ARG_TYPE_NONE);
    size_t sizes[3] = {0}, bytes = 0, most = 0;
    GOOD(clGetKernelWorkGroupInfo(r, s->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
    OK(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    GOOD(clGetKernelInfo(r, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    OK(!strcmp(text, "reqd_work_group_size(8,2,1)"));
    GOOD(clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    OK(most >= 16);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes));
    GOOD(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    OK(bytes == strlen(text) + 1 && !strcmp(text, "by_value;ids;nothing;pointer;required;turn"));
    cl_kernel all[6];
    cl_uint number = 0;
    GOOD(clCreateKernelsInProgram(p, 6, all, &number));
    OK(number == 6);
    for (int i = 0; i < 6; i++)
        GOOD(clReleaseKernel(all[i]));
    /* required sizes hold, and are taken when none are given; a pointer may be NULL */
    const size_t global[2] = {16, 4}, wrong[2] = {4, 4};
    cl_mem m = buffer(s, 0, 64 * sizeof(cl_uint), NULL);
    cl_uint out[64];
    GOOD(clSetKernelArg(r, 0, sizeof m, &m));
    CODE(clEnqueueNDRangeKernel(s->queue, r, 2, NULL, global, wrong, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    GOOD(clEnqueueNDRangeKernel(s->queue, r, 2, NULL, global, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    OK(out[0] == 82 && out[63] == 82);
    GOOD(clSetKernelArg(n, 0, sizeof m, NULL));
    GOOD(clSetKernelArg(n, 1, sizeof m, &m));
    GOOD(clEnqueueTask(s->queue, n, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof(cl_int), out, 0, NULL, NULL));
    OK(out[0] == 1);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseKernel(r));
    GOOD(clReleaseKernel(n));
}

static int built;
static void CL_CALLBACK on_built(cl_program p, void *user)
{
    (void)p;
    built += *(int *)user;
}

static void builds(const setup *s)
{
    static int one = 1;
    cl_int e;
    const char *pieces[] = {"__kernel void a(__global int *x) { *x = ", "VALUE; }XXX"};
    const size_t lengths[] = {0, 8};
    cl_program p = clCreateProgramWithSource(s->context, 2, pieces, lengths, &e);
    GOOD(e);
    CODE(clBuildProgram(p, 0, NULL, NULL, on_built, &one), CL_BUILD_PROGRAM_FAILURE); /* no VALUE */
    OK(built == 1);
    char log[2000] = "", text[300];
    cl_build_status status;
    GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    OK(strstr(log, "program.cl:1:") && strstr(log, "VALUE") && !strstr(log, "/tmp"));
    GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    OK(status == CL_BUILD_ERROR);
    clCreateKernel(p, "a", &e);
    CODE(e, CL_INVALID_PROGRAM_EXECUTABLE);
    static const char *const good[] = {"-DVALUE=3",
                                       "-D VALUE=3",
                                       "-D \"VALUE=1 + 2\" -w",
                                       "-DVALUE=(1+2) -cl-mad-enable -cl-fast-relaxed-math -Werror",
                                       "-DVALUE=3 -cl-opt-disable",
                                       "-DVALUE=3 -cl-std=CL1.2 -cl-denorms-are-zero -cl-strict-aliasing -I . -Werror",
                                       "-DVALUE=3 -cl-std=CL1.1 -cl-single-precision-constant -cl-no-signed-zeros -g",
                                       "-DVALUE=4 -U VALUE -D VALUE=3 -Wall -W -O1 -cl-std=CL1.0 "
                                       "-cl-unsafe-math-optimizations -cl-finite-math-only "
                                       "-cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info"};
    cl_mem m = buffer(s, 0, sizeof(cl_int), NULL);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cl_int value = 0;
        GOOD(clBuildProgram(p, 1, &s->device, good[i], NULL, NULL));
        GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
        OK(!strcmp(text, good[i]));
        cl_kernel k = kernel(p, "a");
        CODE(clBuildProgram(p, 0, NULL, good[i], NULL, NULL), CL_INVALID_OPERATION); /* it has a kernel */
        GOOD(clSetKernelArg(k, 0, sizeof m, &m));
        GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
        CODE(value, 3);
        GOOD(clReleaseKernel(k));
    }
    static const char *const bad[] = {"-Dx -o stolen", "-cl-std=CL9.9", "nothing.cl", "-cl-no-such-option", "-D"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CODE(clBuildProgram(p, 0, NULL, bad[i], NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseProgram(p));
}

static void binaries(const setup *s, cl_program p)
{
    size_t bytes = 0;
    cl_int e, status;
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *image = malloc(bytes);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof image, &image, NULL));
    cl_program q =
        clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, (const unsigned char **)&image, &status, &e);
    GOOD(e);
    GOOD(status);
    clCreateKernel(q, "turn", &e);
    CODE(e, CL_INVALID_PROGRAM_EXECUTABLE); /* not before it is built */
    GOOD(clBuildProgram(q, 0, NULL, NULL, NULL, NULL));
    OK(turns(s, q, 5));
    cl_kernel k = kernel(q, "turn"), r = kernel(q, "required");
    CODE(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    char attributes[80] = "?";
    GOOD(clGetKernelInfo(r, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL));
    OK(!*attributes); /* of a source alone */
    cl_uint devices = 0;
    GOOD(clGetProgramInfo(q, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL));
    CODE((cl_int)devices, 1);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseKernel(r));
    GOOD(clReleaseProgram(q));
    image[0] ^= 1;
    OK(!clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, (const unsigned char **)&image, &status, &e));
    CODE(e, CL_INVALID_BINARY);
    CODE(status, CL_INVALID_BINARY);
    free(image);
}

static void compile_and_link(const setup *s)
{
    static const char *const text = "#include \"inc/value.h\"\n__kernel void a(__global int *x) { *x = VALUE; }",
                             *const header = "#define VALUE 17\n";
    const char *names[] = {"inc/value.h"};
    cl_int e, value = 0;
    cl_program p = clCreateProgramWithSource(s->context, 1, (const char **)(uintptr_t)&text, NULL, &e),
               h = clCreateProgramWithSource(s->context, 1, (const char **)(uintptr_t)&header, NULL, &e);
    CODE(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_COMPILE_PROGRAM_FAILURE);
    CODE(clCompileProgram(p, 0, NULL, "-bad", 0, NULL, NULL, NULL, NULL), CL_INVALID_COMPILER_OPTIONS);
    GOOD(clCompileProgram(p, 0, NULL, "", 1, &h, names, NULL, NULL));
    clCreateKernel(p, "a", &e);
    CODE(e, CL_INVALID_PROGRAM_EXECUTABLE); /* compiled, not linked */
    cl_program x = clLinkProgram(s->context, 0, NULL, "", 1, &p, NULL, NULL, &e);
    GOOD(e);
    cl_kernel k = kernel(x, "a");
    cl_mem m = buffer(s, 0, sizeof value, NULL);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CODE(value, 17);
    OK(!clLinkProgram(s->context, 0, NULL, "", 1, &x, NULL, NULL, &e));
    CODE(e, CL_INVALID_OPERATION);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseProgram(h));
    GOOD(clReleaseProgram(x));
}

/* Required sizes hold in each dimension, also in those that the program does not have; sizes of its own choice fill x first. */
static void group_sizes(const setup *s)
{
    static const char text[] =
        "__kernel __attribute__((reqd_work_group_size(4, 2, 3))) void three(__global int *x) {}\n"
        "__kernel void chosen(__global uint *x) { if (!get_global_id(0) && !get_global_id(1)"
        " && !get_global_id(2)) for (int i = 0; i < 3; i++) x[i] = get_local_size(i); }\n";
    static const struct {
        cl_uint dims;
        size_t global[3], local[3];
        bool good, open;
    } tries[] = {{3, {8, 4, 6}, {4, 2, 3}, true, false},  {3, {8, 4, 6}, {4, 2, 1}, false, false},
                 {3, {8, 4, 6}, {4, 1, 3}, false, false}, {3, {8, 4, 6}, {2, 2, 3}, false, false},
                 {2, {8, 4}, {4, 2}, false, false},       {1, {8}, {4}, false, false},
                 {3, {8, 4, 6}, {0}, true, true},         {3, {8, 4, 5}, {0}, false, true},
                 {3, {8, 3, 6}, {0}, false, true},        {3, {6, 4, 6}, {0}, false, true},
                 {2, {8, 4}, {0}, false, true},           {3, {8, 4, 6}, {4, 4, 3}, false, false}};
    static const struct {
        cl_uint dims;
        size_t global[3];
        cl_uint local[3];
    } chosen[] = {{2, {64, 64}, {64, 4, 1}},    {2, {1024, 1024}, {256, 1, 1}}, {2, {4, 4096}, {4, 64, 1}},
                  {3, {8, 32, 64}, {8, 32, 1}}, {1, {4096}, {256, 1, 1}},       {1, {64}, {32, 1, 1}},
                  {1, {160}, {32, 1, 1}},       {3, {2, 251, 64}, {1, 251, 1}}, {3, {1, 2, 2008}, {1, 1, 251}}};
    cl_program p = build(s, text, "");
    cl_kernel k = kernel(p, "three"), c = kernel(p, "chosen");
    cl_mem m = buffer(s, 0, 12, NULL);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(c, 0, sizeof m, &m));
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        CODE(clEnqueueNDRangeKernel(s->queue, k, tries[i].dims, NULL, tries[i].global,
                                    tries[i].open ? NULL : tries[i].local, 0, NULL, NULL),
             tries[i].good ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE);
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        cl_uint x[3];
        GOOD(clEnqueueNDRangeKernel(s->queue, c, chosen[i].dims, NULL, chosen[i].global, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
        for (int j = 0; j < 3; j++)
            CODE((cl_int)x[j], (cl_int)chosen[i].local[j]);
    }
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseKernel(c));
    GOOD(clReleaseProgram(p));
}

int main(void)
{
    setup s = begin(0);
    cl_program p = build(&s, source, "-D SCALE=5");
    by_value(&s, p);
    ids(&s, p);
    OK(turns(&s, p, 5));
    queries(&s, p);
    binaries(&s, p);
    GOOD(clReleaseProgram(p));
    builds(&s);
    compile_and_link(&s);
    group_sizes(&s);
    end(&s);
    return verdict();
}
