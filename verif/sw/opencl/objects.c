/* Checks of the conformance suite's sources in `api`, `buffers` and `thread_dimensions`, in each of many combinations: queries of arguments, attributes, buffers, queues and
 * binaries; random rectangles, mappings and copies between buffers of every kind; ranges; options that carry a type and an operator. */
#include "check.h"

static setup s;
static uint32_t state = 77;

static uint32_t below(size_t n) /* random */
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((state >> 8) % n);
}

static void fill(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)p)[i] = (unsigned char)below(256);
}

/* ---- contexts and queues ---- */

static void contexts(void)
{
    cl_int e;
    const cl_context_properties p = (cl_context_properties)s.platform,
                                sync[] = {CL_CONTEXT_PLATFORM, p, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0},
                                bad[] = {CL_CONTEXT_PLATFORM, p, CL_CONTEXT_INTEROP_USER_SYNC, -1, 0},
                                twice[] = {CL_CONTEXT_INTEROP_USER_SYNC, 0, CL_CONTEXT_INTEROP_USER_SYNC, 0, 0},
                                none[] = {CL_CONTEXT_PLATFORM, 0, 0};
    cl_context_properties back[6] = {0};
    size_t bytes = 0;
    cl_context c = clCreateContextFromType(sync, CL_DEVICE_TYPE_ALL, NULL, NULL, &e);
    GOOD(e);
    GOOD(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &bytes));
    OK(bytes == sizeof sync && !memcmp(back, sync, sizeof sync));
    GOOD(clReleaseContext(c));
    OK(!clCreateContextFromType(bad, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &e));
    CODE(e, CL_INVALID_PROPERTY);
    OK(!clCreateContext(bad, 1, &s.device, NULL, NULL, &e));
    CODE(e, CL_INVALID_PROPERTY);
    OK(!clCreateContext(twice, 1, &s.device, NULL, NULL, &e));
    CODE(e, CL_INVALID_PROPERTY);
    OK(!clCreateContext(none, 1, &s.device, NULL, NULL, &e));
    CODE(e, CL_INVALID_PLATFORM);
    OK(!clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, NULL, &e, &e));
    CODE(e, CL_INVALID_VALUE);
    OK(!clCreateContextFromType(NULL, 0, NULL, NULL, &e));
    CODE(e, CL_INVALID_DEVICE_TYPE);
    OK(!clCreateContextFromType(NULL, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &e));
    CODE(e, CL_DEVICE_NOT_FOUND);
    GOOD(clGetContextInfo(s.context, CL_CONTEXT_PROPERTIES, sizeof back, back, &bytes));
    OK(bytes == 0);
    for (cl_command_queue_properties q = 0; q < 4; q++) { /* order, and times */
        cl_command_queue_properties is = 9;
        cl_context of = NULL;
        cl_device_id d = NULL;
        cl_uint n = 0;
        cl_command_queue queue = clCreateCommandQueue(s.context, s.device, q, &e);
        GOOD(e);
        GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof is, &is, &bytes));
        GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof of, &of, NULL));
        GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof d, &d, NULL));
        GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL));
        OK(is == q && bytes == sizeof is && of == s.context && d == s.device && n == 1);
        GOOD(clReleaseCommandQueue(queue));
    }
    cl_event ev = NULL, user = clCreateUserEvent(s.context, &e), fake = (cl_event)s.context;
    CODE(clEnqueueMarkerWithWaitList(s.queue, 0, &user, &ev), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueMarkerWithWaitList(s.queue, 1, &fake, &ev), CL_INVALID_EVENT_WAIT_LIST);
    OK(!ev);
    GOOD(clSetUserEventStatus(user, CL_COMPLETE));
    GOOD(clReleaseEvent(user));
}

/* ---- what kernels tell ---- */

static void attributes(void)
{
    static const char *const hints[] = {"",
                                        "vec_type_hint(uchar3)",
                                        "vec_type_hint(long16)",
                                        "vec_type_hint(float)",
                                        "vec_type_hint(double2)",
                                        "vec_type_hint(ushort8)"};
    char text[4000] = "", name[20], told[200];
    size_t at = 0, bytes;
    for (int i = 0; i < 24; i++) {
        at += (size_t)sprintf(text + at, "__kernel ");
        if (*hints[i % 6])
            at += (size_t)sprintf(text + at, "__attribute__((%s)) ", hints[i % 6]);
        if (i & 8)
            at += (size_t)sprintf(text + at, "__attribute__((work_group_size_hint(%d,2,3))) ", i);
        if (i & 16)
            at += (size_t)sprintf(text + at, "__attribute__((reqd_work_group_size(4,%d,1))) ", i);
        at += (size_t)sprintf(text + at, "void k%d(void) {}\n", i);
    }
    cl_program p = build(&s, text, "");
    for (int i = 0; i < 24; i++) {
        char hint[60], required[60];
        sprintf(name, "k%d", i);
        sprintf(hint, "work_group_size_hint(%d,2,3)", i);
        sprintf(required, "reqd_work_group_size(4,%d,1)", i);
        cl_kernel k = kernel(p, name);
        GOOD(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof told, told, &bytes));
        OK(bytes == strlen(told) + 1 && strstr(told, hints[i % 6]) && !!strstr(told, "vec_type") == (i % 6 != 0));
        OK(!!strstr(told, hint) == !!(i & 8) && !!strstr(told, required) == !!(i & 16));
        GOOD(clReleaseKernel(k));
    }
    GOOD(clReleaseProgram(p));
}

/* Arguments of each type as it may be written, behind each qualifier. */
static void arguments(void)
{
    static const struct {
        const char *written, *told;
    } types[] = {
        {"char", "char"},           {"uchar", "uchar"},      {"unsigned char", "uchar"}, {"char unsigned", "uchar"},
        {"signed char", "char"},    {"char signed", "char"}, {"short signed", "short"},  {"unsigned short", "ushort"},
        {"unsigned", "uint"},       {"signed", "int"},       {"int unsigned", "uint"},   {"signed int", "int"},
        {"unsigned long", "ulong"}, {"long signed", "long"}, {"float", "float"},         {"double3", "double3"},
        {"uchar16", "uchar16"},     {"long2", "long2"},      {"float8", "float8"},       {"void", "void"}};
    static const struct {
        const char *word;
        cl_kernel_arg_address_qualifier told;
    } spaces[] = {{"global", CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"local", CL_KERNEL_ARG_ADDRESS_LOCAL},
                  {"constant", CL_KERNEL_ARG_ADDRESS_CONSTANT},
                  {"private", CL_KERNEL_ARG_ADDRESS_PRIVATE}};
    enum { TYPES = sizeof types / sizeof *types };
    static char text[60000];
    size_t at = 0;
    for (int w = 0; w < 4; w++)
        for (int q = 0; q < 8; q++) { /* const, volatile, restrict */
            at += (size_t)sprintf(text + at, "kernel void k%d_%d(", w, q);
            for (int t = 0; t < TYPES - (w == 3); t++)
                at += (size_t)sprintf(text + at, "%s%s %s%s%s%s %sargument%d", t ? ", " : "", spaces[w].word,
                                      q & 1 ? "const " : "", q & 2 ? "volatile " : "", types[t].written,
                                      w < 3 ? " *" : "", w < 3 && q & 4 ? "restrict " : "", t);
            at += (size_t)sprintf(text + at, ") {}\n");
        }
    cl_program p = build(&s, text, "-cl-kernel-arg-info");
    for (int w = 0; w < 4; w++)
        for (int q = 0; q < 8; q++) {
            char name[20], told[40], want[40];
            sprintf(name, "k%d_%d", w, q);
            cl_kernel k = kernel(p, name);
            bool right = true;
            const cl_kernel_arg_type_qualifier all = (q & 1 || w == 2 ? CL_KERNEL_ARG_TYPE_CONST : 0u)
                                                     | (q & 2 ? CL_KERNEL_ARG_TYPE_VOLATILE : 0u)
                                                     | (q & 4 ? CL_KERNEL_ARG_TYPE_RESTRICT : 0u);
            for (cl_uint t = 0; t < (cl_uint)TYPES - (w == 3); t++) {
                cl_kernel_arg_address_qualifier space = 0;
                cl_kernel_arg_access_qualifier access = 0;
                cl_kernel_arg_type_qualifier type = 99;
                size_t bytes = 0;
                GOOD(clGetKernelArgInfo(k, t, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
                GOOD(clGetKernelArgInfo(k, t, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
                GOOD(clGetKernelArgInfo(k, t, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL));
                right &= space == spaces[w].told && access == CL_KERNEL_ARG_ACCESS_NONE && type == (w == 3 ? 0 : all);
                GOOD(clGetKernelArgInfo(k, t, CL_KERNEL_ARG_TYPE_NAME, sizeof told, told, NULL));
                sprintf(want, "%s%s", types[t].told, w < 3 ? "*" : "");
                right &= !strcmp(told, want);
                GOOD(clGetKernelArgInfo(k, t, CL_KERNEL_ARG_NAME, sizeof told, told, &bytes));
                sprintf(want, "argument%u", t);
                right &= !strcmp(told, want) && bytes == strlen(want) + 1;
            }
            check(right, "arguments", w * 8 + q, text);
            GOOD(clReleaseKernel(k));
        }
    GOOD(clReleaseProgram(p));
}

/* A binary again and again is the same, with and without a place for its status. */
static void binaries(void)
{
    const char *pieces[] = {"__kernel void one(__global float *in, __global int *o) { o[get_global_id(0)] = "
                            "(int)in[get_global_id(0)] + 1; }\n",
                            "__kernel void two(__global int *in, __global float *o) { o[get_global_id(0)] = "
                            "(float)in[get_global_id(0)]; };\n"};
    cl_int e, status = 77;
    cl_program p = clCreateProgramWithSource(s.context, 2, pieces, NULL, &e), q[2];
    GOOD(e);
    GOOD(clBuildProgram(p, 1, &s.device, NULL, NULL, NULL));
    size_t bytes = 0, room = 0, names = 0;
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARIES, 0, NULL, &room));
    OK(bytes > 0 && room == sizeof(unsigned char *));
    unsigned char *first = malloc(bytes), *again = malloc(bytes);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof first, &first, NULL));
    for (int i = 0; i < 2; i++) {
        q[i] = clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, (const unsigned char **)&first,
                                         i ? NULL : &status, &e);
        GOOD(e);
        GOOD(clBuildProgram(q[i], 1, &s.device, NULL, NULL, NULL));
        GOOD(clGetProgramInfo(q[i], CL_PROGRAM_BINARIES, sizeof again, &again, NULL));
        OK(!memcmp(first, again, bytes));
    }
    GOOD(status);
    cl_float in[100];
    cl_int out[2][100];
    for (int i = 0; i < 100; i++)
        in[i] = (float)i * 3.5f;
    cl_mem m = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof in, in), o = buffer(&s, CL_MEM_WRITE_ONLY, sizeof out[0], NULL);
    for (int i = 0; i < 2; i++) {
        char told[30] = "x";
        const size_t n = 100;
        cl_kernel k = kernel(i ? q[1] : p, "one");
        GOOD(clSetKernelArg(k, 1, sizeof o, &o));
        GOOD(clSetKernelArg(k, 0, sizeof m, &m));
        GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s.queue, o, CL_TRUE, 0, sizeof out[i], out[i], 0, NULL, NULL));
        GOOD(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof told, told, NULL));
        OK(!*told);
        GOOD(clReleaseKernel(k));
    }
    OK(!memcmp(out[0], out[1], sizeof out[0]) && out[0][99] == 347);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &names));
    OK(names == sizeof "one;two");
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseMemObject(o));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseProgram(q[0]));
    GOOD(clReleaseProgram(q[1]));
    free(first), free(again);
}

/* ---- buffers of every kind, and their parts ---- */

static const cl_mem_flags device_flags[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
                          host_flags[] = {0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS},
                          ways[] = {0, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
                                    CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};

static cl_mem of_kind(cl_mem_flags flags, size_t bytes, void *host)
{
    return buffer(&s, flags, bytes, flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) ? host : NULL);
}

static bool tells(cl_mem m, cl_mem_flags flags, size_t bytes, const void *host, cl_mem parent, size_t offset)
{
    cl_mem_object_type type = 0;
    cl_mem_flags f = 0;
    size_t size = 0, from = 99, got[3] = {0};
    void *pointer = &type;
    cl_mem of = m;
    cl_context c = NULL;
    GOOD(clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, &got[0]));
    GOOD(clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof f, &f, &got[1]));
    GOOD(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, &got[2]));
    GOOD(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    GOOD(clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
    GOOD(clGetMemObjectInfo(m, CL_MEM_OFFSET, sizeof from, &from, NULL));
    GOOD(clGetMemObjectInfo(m, CL_MEM_CONTEXT, sizeof c, &c, NULL));
    return type == CL_MEM_OBJECT_BUFFER && f == flags && size == bytes && pointer == host && of == parent
           && from == offset && c == s.context && got[0] == sizeof type && got[1] == sizeof f && got[2] == sizeof size;
}

static void flags(void)
{
    static unsigned char host[512];
    for (int d = 0; d < 3; d++)
        for (int h = 0; h < 4; h++)
            for (int w = 0; w < 5; w++) {
                const cl_mem_flags f = device_flags[d] | host_flags[h] | ways[w];
                cl_mem m = of_kind(f, sizeof host, host);
                OK(tells(m, f, sizeof host, w == 4 ? host : NULL, NULL, 0));
                for (int sd = -1; sd < 3; sd++)
                    for (int sh = 0; sh < 4; sh++) {
                        const bool allowed = (sd < 0 || d == 0 || sd == d) && (sh == 0 || sh == 3 || h == 0 || sh == h);
                        const cl_mem_flags sf = (sd < 0 ? 0 : device_flags[sd]) | host_flags[sh],
                                           want = (sd < 0 ? device_flags[d] : device_flags[sd])
                                                  | host_flags[sh ? sh : h] | ways[w];
                        const cl_buffer_region r = {128, 128};
                        cl_int e;
                        cl_mem part = clCreateSubBuffer(m, sf, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
                        CODE(e, allowed ? CL_SUCCESS : CL_INVALID_VALUE);
                        if (e)
                            continue;
                        OK(tells(part, want, 128, w == 4 ? host + 128 : NULL, m, 128));
                        GOOD(clReleaseMemObject(part));
                    }
                GOOD(clReleaseMemObject(m));
            }
}

/* Whole and in part, from each kind to each. */
static void copies(void)
{
    enum { N = 3000 };
    unsigned char a[N], b[N], want[N], seen[N];
    for (int from = 0; from < 5; from++)
        for (int to = 0; to < 5; to++)
            for (int part = 0; part < 2; part++) {
                fill(a, N);
                fill(b, N);
                memcpy(want, a, N);
                cl_mem x = of_kind(ways[from], N, a), y = of_kind(ways[to], N, b);
                GOOD(clEnqueueWriteBuffer(s.queue, x, CL_TRUE, 0, N, want, 0, NULL, NULL));
                const size_t bytes = part ? 1 + below(N) : N, at = below(N - bytes + 1), there = below(N - bytes + 1);
                GOOD(clEnqueueCopyBuffer(s.queue, x, y, at, there, bytes, 0, NULL, NULL));
                GOOD(clEnqueueReadBuffer(s.queue, x, CL_TRUE, 0, N, seen, 0, NULL, NULL));
                OK(!memcmp(seen, want, N));
                GOOD(clEnqueueReadBuffer(s.queue, y, CL_TRUE, there, bytes, seen, 0, NULL, NULL));
                OK(!memcmp(seen, want + at, bytes));
                GOOD(clReleaseMemObject(x));
                GOOD(clReleaseMemObject(y));
            }
}

static void maps(void)
{
    enum { N = 5000 };
    static unsigned char host[N], want[N], seen[N];
    for (int w = 0; w < 5; w++) {
        cl_int e;
        fill(host, N);
        memcpy(want, host, N);
        cl_mem m = of_kind(ways[w], N, host);
        GOOD(clEnqueueWriteBuffer(s.queue, m, CL_TRUE, 0, N, want, 0, NULL, NULL));
        for (int i = 0; i < 40; i++) {
            const size_t at = below(N), bytes = 1 + below(N - at);
            unsigned char *p =
                clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at, bytes, 0, NULL, NULL, &e);
            GOOD(e);
            OK(w != 4 || p == host + at);
            for (size_t j = 0; j < bytes; j++) {
                const unsigned char turn = (unsigned char)below(256);
                p[j] = (unsigned char)(turn - p[j]);
                want[at + j] = (unsigned char)(turn - want[at + j]);
            }
            GOOD(clEnqueueUnmapMemObject(s.queue, m, p, 0, NULL, NULL));
        }
        /* two mappings for reading at once, of the same place */
        unsigned char *p[2];
        for (int i = 0; i < 2; i++)
            OK((p[i] =
                    clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 100, 200 + 50 * (size_t)i, 0, NULL, NULL, &e))
               && !e);
        OK(!memcmp(p[0], want + 100, 200) && !memcmp(p[1], want + 100, 250));
        for (int i = 0; i < 2; i++)
            GOOD(clEnqueueUnmapMemObject(s.queue, m, p[i], 0, NULL, NULL));
        CODE(clEnqueueUnmapMemObject(s.queue, m, p[0], 0, NULL, NULL), CL_INVALID_VALUE);
        GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, N, seen, 0, NULL, NULL));
        OK(!memcmp(seen, want, N));
        GOOD(clReleaseMemObject(m));
    }
}

/* Rectangles between buffers of different shapes, against the same in host memory. */
static void rectangles(void)
{
    enum { BUFFERS = 5, ROUNDS = 200, MOST = 24 };
    size_t size[BUFFERS][3];
    unsigned char *want[BUFFERS], *host[BUFFERS], *other = malloc(MOST * MOST * MOST);
    cl_mem m[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
        for (int d = 0; d < 3; d++)
            size[i][d] = 1 + below(MOST);
        const size_t bytes = size[i][0] * size[i][1] * size[i][2];
        want[i] = malloc(bytes);
        host[i] = malloc(bytes);
        fill(want[i], bytes);
        memcpy(host[i], want[i], bytes);
        m[i] = buffer(&s, CL_MEM_USE_HOST_PTR, bytes, host[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        const int a = (int)below(BUFFERS), b = (int)below(BUFFERS), what = a == b ? 1 + (int)below(2) : (int)below(3);
        size_t r[3], from[3], to[3];
        for (int d = 0; d < 3; d++) {
            r[d] = 1 + below(size[a][d] < size[b][d] ? size[a][d] : size[b][d]);
            from[d] = below(size[a][d] - r[d] + 1);
            to[d] = below(size[b][d] - r[d] + 1);
        }
        const size_t row[2] = {size[a][0], size[b][0]}, slice[2] = {row[0] * size[a][1], row[1] * size[b][1]};
        if (what == 0)
            GOOD(clEnqueueCopyBufferRect(s.queue, m[a], m[b], from, to, r, row[0], slice[0], row[1], slice[1], 0, NULL,
                                         NULL));
        else if (what == 1)
            GOOD(clEnqueueReadBufferRect(s.queue, m[a], CL_TRUE, from, to, r, row[0], slice[0], row[1], slice[1], other,
                                         0, NULL, NULL));
        else {
            fill(other, MOST * MOST * MOST);
            GOOD(clEnqueueWriteBufferRect(s.queue, m[b], CL_TRUE, to, from, r, row[1], slice[1], row[0], slice[0],
                                          other, 0, NULL, NULL));
        }
        bool same = true;
        for (size_t z = 0; z < r[2]; z++)
            for (size_t y = 0; y < r[1]; y++) {
                const size_t x0 = from[0] + (from[1] + y) * row[0] + (from[2] + z) * slice[0],
                             x1 = to[0] + (to[1] + y) * row[1] + (to[2] + z) * slice[1];
                if (what == 1)
                    same &= !memcmp(other + x1, want[a] + x0, r[0]);
                else
                    memcpy(want[b] + x1, what ? other + x0 : want[a] + x0, r[0]);
            }
        OK(same);
    }
    for (int i = 0; i < BUFFERS; i++) {
        cl_int e;
        const size_t bytes = size[i][0] * size[i][1] * size[i][2];
        unsigned char *p = clEnqueueMapBuffer(s.queue, m[i], CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &e);
        OK(!memcmp(p, want[i], bytes));
        GOOD(clEnqueueUnmapMemObject(s.queue, m[i], p, 0, NULL, NULL));
        GOOD(clFinish(s.queue));
        GOOD(clReleaseMemObject(m[i]));
        free(want[i]), free(host[i]);
    }
    free(other);
}

/* The pattern of a fill, the values of arguments and wait lists may be changed at once; migration changes nothing. */
static void at_once(cl_program p)
{
    enum { TRIES = 60, N = 64 };
    cl_int e, x[N], pattern[2] = {7, 8};
    cl_event gate = clCreateUserEvent(s.context, &e), list[1] = {gate};
    cl_mem m[TRIES], f = buffer(&s, 0, sizeof x, NULL);
    cl_kernel k = kernel(p, "ids");
    const size_t n = N;
    GOOD(clEnqueueFillBuffer(s.queue, f, pattern, sizeof pattern, 0, sizeof x, 1, list, NULL));
    pattern[0] = pattern[1] = 0;
    list[0] = NULL;
    for (cl_int i = 0; i < TRIES; i++) {
        m[i] = buffer(&s, 0, sizeof x, NULL);
        GOOD(clSetKernelArg(k, 0, sizeof m[i], &m[i]));
        GOOD(clSetKernelArg(k, 1, sizeof i, &i));
        GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
        GOOD(clEnqueueMigrateMemObjects(s.queue, 1, &m[i], i % 2 ? CL_MIGRATE_MEM_OBJECT_HOST : 0, 0, NULL, NULL));
    }
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clReleaseEvent(gate));
    GOOD(clEnqueueReadBuffer(s.queue, f, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    OK(x[0] == 7 && x[1] == 8 && x[62] == 7 && x[63] == 8);
    for (int i = 0; i < TRIES; i++) {
        GOOD(clEnqueueReadBuffer(s.queue, m[i], CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
        bool right = true;
        for (int j = 0; j < N; j++)
            right &= x[j] == i * j;
        OK(right);
        GOOD(clReleaseMemObject(m[i]));
    }
    GOOD(clReleaseMemObject(f));
    GOOD(clReleaseKernel(k));
}

/* ---- ranges: every work-item once, with and without sizes of groups, behind offsets ---- */

static void ranges(cl_program p)
{
    enum { MOST = 4096 };
    cl_uint seen[MOST];
    cl_mem m = buffer(&s, 0, sizeof seen, NULL);
    size_t most = 0;
    cl_kernel k = kernel(p, "count");
    GOOD(clGetKernelWorkGroupInfo(k, s.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 60; i++) {
        const cl_uint dims = 1 + (cl_uint)i % 3, zero = 0;
        size_t g[3] = {1, 1, 1}, l[3] = {1, 1, 1}, o[3] = {0, 0, 0}, room = most, left = MOST;
        for (cl_uint d = 0; d < dims; d++) {
            g[d] = 1 + below(dims == 1 ? MOST : d ? left < 16 ? left : 16 : 32);
            left /= g[d];
            for (l[d] = 1 + below(g[d] < room ? g[d] : room); g[d] % l[d]; l[d]--) {
            }
            room /= l[d];
            o[d] = below(257);
        }
        GOOD(clEnqueueFillBuffer(s.queue, m, &zero, sizeof zero, 0, sizeof seen, 0, NULL, NULL));
        for (cl_uint d = 0; d < 3; d++)
            GOOD(clSetKernelArg(k, 1 + d, sizeof(cl_ulong), &(cl_ulong){i & 4 && d < dims ? o[d] : 0}));
        GOOD(clEnqueueNDRangeKernel(s.queue, k, dims, i & 4 ? o : NULL, g, i & 8 ? l : NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
        bool right = true;
        for (size_t j = 0; j < MOST; j++)
            right &= seen[j] == (j < g[0] * g[1] * g[2]);
        OK(right);
    }
    GOOD(clReleaseKernel(k));
    /* a group of the largest size, and of one that is odd, adds up through global memory */
    cl_int in[2000], sum = 0, want = 0;
    for (int i = 0; i < 2000; i++)
        want += in[i] = (cl_int)below(1 << 20) - (1 << 19);
    cl_mem a = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof in, in);
    k = kernel(p, "sum");
    GOOD(clSetKernelArg(k, 0, sizeof a, &a));
    GOOD(clSetKernelArg(k, 1, sizeof(cl_int), &(cl_int){2000}));
    GOOD(clSetKernelArg(k, 2, sizeof m, &m));
    for (int i = 0; i < 2; i++) {
        const size_t n = i ? most / 2 + 1 : most;
        GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &n, &n, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
        CODE(sum, want);
    }
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(a));
    GOOD(clReleaseMemObject(m));
}

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable\n"
    "__kernel void ids(__global int *o, int by) { o[get_global_id(0)] = get_global_id(0) * by; }\n"
    "__kernel void count(__global uint *o, ulong x, ulong y, ulong z)\n"
    "{\n    uint bad = 0;\n    if (get_global_id(0) >= get_global_size(0) + x || get_global_offset(0) != x) bad = 64;\n"
    "    if (get_global_id(1) >= get_global_size(1) + y || get_global_offset(1) != y) bad = 128;\n"
    "    if (get_global_id(2) - z != get_group_id(2) * get_local_size(2) + get_local_id(2)) bad = 256;\n"
    "    unsigned long at = ((get_global_id(2) - z) * get_global_size(1) + get_global_id(1) - y) * get_global_size(0) "
    "+ "
    "get_global_id(0) - x;\n    atom_add(&o[at], 1u);\n    if (bad) atom_or(&o[at], bad);\n}\n"
    "__kernel void sum(__global int *a, int n, __global int *part)\n"
    "{\n    int t = get_local_id(0), size = get_local_size(0), i;\n    part[t] = 0;\n"
    "    for (i = t; i < n; i += size) part[t] += a[i];\n"
    "    for (i = hadd(size, 1); size > 1; i = hadd(i, 1)) {\n        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "        if (t + i < size) part[t] += part[t + i];\n        size = i;\n    }\n}\n";

/* ---- arithmetic, with the type and the operator from the options ---- */

static void arithmetic(void)
{
    static const struct {
        const char *type;
        size_t bytes, n;
    } types[] = {{"uint", 4, 1},   {"uint2", 4, 2},   {"ulong4", 8, 4},   {"float", 4, 1},
                 {"float8", 4, 8}, {"double2", 8, 2}, {"double16", 8, 16}};
    enum { N = 32 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int op = 0; op < 3; op++) {
            const size_t values = N * types[t].n, bytes = values * types[t].bytes, n = N;
            _Alignas(16) unsigned char a[N * 16 * 8], b[N * 16 * 8], c[N * 16 * 8];
            char options[60];
            const bool real = t >= 3, wide = types[t].bytes == 8;
            for (size_t i = 0; i < values; i++) {
                const double x = ((double)below(1 << 24) - (1 << 23)) * (1 << 8),
                             y = ((double)below(1 << 24) - (1 << 23)) / 3;
                const float fx = (float)x, fy = (float)y;
                if (real && wide)
                    memcpy(a + 8 * i, &x, 8), memcpy(b + 8 * i, &y, 8);
                else if (real)
                    memcpy(a + 4 * i, &fx, 4), memcpy(b + 4 * i, &fy, 4);
                else
                    fill(a + i * types[t].bytes, types[t].bytes), fill(b + i * types[t].bytes, types[t].bytes);
            }
            sprintf(options, "-DTYPE=%s -DOP=%c", types[t].type, "+-*"[op]);
            cl_program p = build(
                &s,
                "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void k(__global TYPE *a, __global TYPE *b, "
                "__global TYPE *c) { int i = get_global_id(0); c[i] = a[i] OP b[i]; };\n",
                options);
            cl_kernel k = kernel(p, "k");
            cl_mem m[3] = {buffer(&s, CL_MEM_COPY_HOST_PTR, bytes, a), buffer(&s, CL_MEM_COPY_HOST_PTR, bytes, b),
                           buffer(&s, 0, bytes, NULL)};
            for (cl_uint i = 0; i < 3; i++)
                GOOD(clSetKernelArg(k, i, sizeof m[i], &m[i]));
            GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
            GOOD(clEnqueueReadBuffer(s.queue, m[2], CL_TRUE, 0, bytes, c, 0, NULL, NULL));
            bool right = true;
#define EQUAL(T)                                                                                                       \
    for (size_t i = 0; i < values; i++) {                                                                              \
        const T x = ((T *)(void *)a)[i], y = ((T *)(void *)b)[i], z = (T)(op == 0 ? x + y : op == 1 ? x - y : x * y);   \
        right &= z == ((T *)(void *)c)[i];                                                                             \
    }
            if (real && wide)
                EQUAL(double)
            else if (real)
                EQUAL(float)
            else if (wide)
                EQUAL(cl_ulong)
            else
                EQUAL(cl_uint)
            check(right, "arithmetic", op, types[t].type);
            for (int i = 0; i < 3; i++)
                GOOD(clReleaseMemObject(m[i]));
            GOOD(clReleaseKernel(k));
            GOOD(clReleaseProgram(p));
        }
}

int main(void)
{
    s = begin(0);
    contexts();
    attributes();
    arguments();
    binaries();
    flags();
    copies();
    maps();
    rectangles();
    cl_program p = build(&s, source, "");
    at_once(p);
    ranges(p);
    GOOD(clReleaseProgram(p));
    arithmetic();
    end(&s);
    return verdict();
}
