/* Requirements of the published sources of the standard's conformance suite on a device and its programming interface, as facts: reported limits that hold, macros, objects released
 * early, and arguments in every number. Checks of the other programs here are not repeated. */
#include "check.h"

static uint64_t number(const setup *s, cl_device_info what, size_t bytes)
{
    uint64_t v = 0;
    size_t is = 0;
    GOOD(clGetDeviceInfo(s->device, what, bytes, &v, &is));
    OK(is == bytes);
    return v;
}

/* The least that a full profile may report, and values that contradict each other. */
static void minimums(const setup *s)
{
    const uint64_t whole = number(s, CL_DEVICE_GLOBAL_MEM_SIZE, 8), one = number(s, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
    OK(one >= whole / 4 && one >= 128u << 20 && one <= whole);
    OK(number(s, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8) == (one < INT32_MAX ? one : INT32_MAX));
    OK(number(s, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)) >= 1024);
    OK(number(s, CL_DEVICE_MAX_CONSTANT_ARGS, 4) >= 8);
    OK(number(s, CL_DEVICE_LOCAL_MEM_SIZE, 8) >= 32 << 10);
    OK(number(s, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof(size_t)) >= 1 << 20);
    OK(number(s, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4) >= 1024 && number(s, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4) >= 128);
    OK(number(s, CL_DEVICE_ADDRESS_BITS, 4) == 64
       && number(s, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)) > 0);
    OK((number(s, CL_DEVICE_SINGLE_FP_CONFIG, 8) & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN))
       == (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
    const uint64_t fp64 =
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
    OK((number(s, CL_DEVICE_DOUBLE_FP_CONFIG, 8) & fp64) == fp64);
    OK(number(s, CL_DEVICE_EXECUTION_CAPABILITIES, 8) & CL_EXEC_KERNEL);
    OK(number(s, CL_DEVICE_QUEUE_PROPERTIES, 8) & CL_QUEUE_PROFILING_ENABLE);
    for (cl_device_info b = CL_DEVICE_ENDIAN_LITTLE; b <= CL_DEVICE_COMPILER_AVAILABLE; b++)
        OK(number(s, b, sizeof(cl_bool)) == CL_TRUE);
    OK(number(s, CL_DEVICE_LINKER_AVAILABLE, 4) == CL_TRUE && number(s, CL_DEVICE_HOST_UNIFIED_MEMORY, 4) <= CL_TRUE);
    char of_device[1000], of_platform[1000];
    GOOD(clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, sizeof of_device, of_device, NULL));
    GOOD(clGetPlatformInfo(s->platform, CL_PLATFORM_EXTENSIONS, sizeof of_platform, of_platform, NULL));
    OK(strstr(of_device, "cl_khr_byte_addressable_store") && strstr(of_device, "cl_khr_local_int32_base_atomics"));
    OK(strstr(of_platform, "cl_khr_icd"));
}

/* A buffer of the largest size, its last byte; one more is refused. */
static void largest_buffer(const setup *s)
{
    const size_t most = number(s, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
    cl_int e;
    cl_mem m = buffer(s, CL_MEM_READ_WRITE, most, NULL);
    const cl_uchar c = 77;
    cl_uchar back = 0;
    GOOD(clEnqueueWriteBuffer(s->queue, m, CL_TRUE, most - 1, 1, &c, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, most - 1, 1, &back, 0, NULL, NULL));
    OK(back == c);
    GOOD(clReleaseMemObject(m));
    m = clCreateBuffer(s->context, 0, most + 1, NULL, &e);
    OK(!m && e == CL_INVALID_BUFFER_SIZE);
}

/* As many bytes of arguments as CL_DEVICE_MAX_PARAMETER_SIZE says, all of them seen by the kernel; one more does not build, or is refused. */
static void most_arguments(const setup *s)
{
    const size_t n = number(s, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)) / 8 - 1;
    char *source = malloc(64 * n + 200);
    size_t at = (size_t)sprintf(source, "__kernel void sum(");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(source + at, "long a%zu, ", i);
    at += (size_t)sprintf(source + at, "__global long *o) { long x = 0;");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(source + at, " x = x * 3 + a%zu;", i);
    sprintf(source + at, " *o = x; }");
    cl_program p = build(s, source, NULL);
    cl_kernel k = kernel(p, "sum");
    cl_mem o = buffer(s, CL_MEM_WRITE_ONLY, 8, NULL);
    cl_ulong want = 0, have = 0;
    for (cl_uint i = 0; i < n; i++) {
        const cl_ulong v = (cl_ulong)i * i + 0x100000000u * i;
        want = want * 3 + v;
        GOOD(clSetKernelArg(k, i, sizeof v, &v));
    }
    GOOD(clSetKernelArg(k, (cl_uint)n, sizeof o, &o));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, o, CL_TRUE, 0, 8, &have, 0, NULL, NULL));
    OK(have == want);
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseMemObject(o));
    free(source);
}

/* All of local memory except the kernel's own, in a group of one; one byte more is refused. */
static void most_local(const setup *s)
{
    cl_program p = build(s,
                         "__kernel void k(__local int *l, __global int *in, __global int *out, int n)\n"
                         "{\n    __local int own[16];\n    own[get_local_id(0)] = 5;\n"
                         "    for (int i = 0; i < n; i++)\n        l[i] = in[i];\n"
                         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    for (int i = n; i-- > 0;)\n        out[i] = l[n - 1 - i] + own[0];\n}\n",
                         NULL);
    cl_kernel k = kernel(p, "k");
    cl_ulong own = 0;
    GOOD(clGetKernelWorkGroupInfo(k, s->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof own, &own, NULL));
    OK(own >= 64 && own < 1024);
    const size_t room = number(s, CL_DEVICE_LOCAL_MEM_SIZE, 8) - own, n = room / 4;
    cl_int *data = malloc(room), count = (cl_int)n;
    for (size_t i = 0; i < n; i++)
        data[i] = (cl_int)(i * 2654435761u >> 3);
    cl_mem in = buffer(s, CL_MEM_COPY_HOST_PTR, room, data), out = buffer(s, 0, room, NULL);
    GOOD(clSetKernelArg(k, 0, room, NULL));
    GOOD(clSetKernelArg(k, 1, sizeof in, &in));
    GOOD(clSetKernelArg(k, 2, sizeof out, &out));
    GOOD(clSetKernelArg(k, 3, sizeof count, &count));
    const size_t single = 1;
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &single, &single, 0, NULL, NULL));
    cl_int *have = malloc(room);
    GOOD(clEnqueueReadBuffer(s->queue, out, CL_TRUE, 0, room, have, 0, NULL, NULL));
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += have[i] != data[n - 1 - i] + 5;
    OK(wrong == 0);
    GOOD(clSetKernelArg(k, 0, room + 4, NULL));
    CODE(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &single, &single, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    free(data), free(have);
    GOOD(clReleaseMemObject(in));
    GOOD(clReleaseMemObject(out));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
}

/* Lines and files are the program's own; the standard's macros are defined, those of absent features are not. */
static void macros(const setup *s)
{
    cl_program p = build(s,
                         "#line 40 \"some file.cl\"\n"
                         "__kernel void k(__global int *o, __global char *name)\n"
                         "{\n"
                         "    o[0] = __LINE__;\n"
                         "    __constant char *f = \"\" __FILE__;\n"
                         "    int i = 0;\n"
                         "    do name[i] = f[i]; while (f[i++]);\n"
                         "    o[1] = __ENDIAN_LITTLE__ + __OPENCL_C_VERSION__ + __OPENCL_VERSION__;\n"
                         "#ifdef __kernel_exec\n    o[2] = 1;\n#endif\n"
                         "#if defined __IMAGE_SUPPORT__ || defined __FAST_RELAXED_MATH__ || defined cl_khr_fp16\n"
                         "    o[3] = 1;\n#endif\n"
                         "#if defined cl_khr_fp64 && defined CL_VERSION_1_2 && CL_VERSION_1_1 == 110\n    o[4] = 1;\n"
                         "#endif\n"
                         "    o[5] = isinf(HUGE_VALF) && isnan(NAN) && isinf(INFINITY) && MAXFLOAT == FLT_MAX;\n"
                         "}\n",
                         "");
    cl_kernel k = kernel(p, "k");
    cl_int o[6] = {0};
    char name[100] = "";
    cl_mem a = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof o, o), b = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof name, name);
    GOOD(clSetKernelArg(k, 0, sizeof a, &a));
    GOOD(clSetKernelArg(k, 1, sizeof b, &b));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, a, CL_TRUE, 0, sizeof o, o, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, b, CL_TRUE, 0, sizeof name, name, 0, NULL, NULL));
    OK(o[0] == 42 && o[1] == 1 + 120 + 120 && o[2] == 1 && o[3] == 0 && o[4] == 1 && o[5] == 1);
    OK(!strcmp(name, "some file.cl"));
    GOOD(clReleaseMemObject(a));
    GOOD(clReleaseMemObject(b));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
}

static void CL_CALLBACK gone(cl_mem m, void *user)
{
    (void)m;
    *(volatile int *)user = 1;
}

/* A buffer that is no buffer is NULL in the kernel; an argument is no reference; everything may be let go of while the kernel runs, or before anything was flushed. */
static void let_go(const setup *s)
{
    cl_program p = build(s,
                         "__kernel void null(__global float *a, __constant int *c, __global int *o)\n"
                         "{\n    o[get_global_id(0)] = (a == 0) + 2 * (c == 0);\n}\n"
                         "__kernel void slow(__global int *o, int n)\n"
                         "{\n    int x = get_global_id(0);\n    for (int i = 0; i < n; i++)\n"
                         "        x = x * 5 + i;\n    o[get_global_id(0)] = x;\n}\n",
                         NULL);
    cl_kernel k = kernel(p, "null");
    cl_mem none = NULL, o = buffer(s, 0, 256, NULL);
    cl_int have[64];
    const size_t n = 64;
    for (int way = 0; way < 2; way++) { /* the address of NULL, and NULL */
        GOOD(clSetKernelArg(k, 0, sizeof none, way ? NULL : &none));
        GOOD(clSetKernelArg(k, 1, sizeof none, way ? NULL : &none));
        GOOD(clSetKernelArg(k, 2, sizeof o, &o));
        GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(s->queue, o, CL_TRUE, 0, sizeof have, have, 0, NULL, NULL));
        OK(have[0] == 3 && have[63] == 3);
    }
    volatile int went = 0;
    cl_uint references = 0;
    cl_mem m = buffer(s, 0, 256, NULL);
    GOOD(clSetMemObjectDestructorCallback(m, gone, (void *)(uintptr_t)&went));
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
    OK(references == 1);
    GOOD(clReleaseMemObject(m));
    OK(went);
    GOOD(clSetKernelArg(k, 1, sizeof o, &o));
    CODE(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    m = buffer(s, 0, 256, NULL);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));

    cl_int e, turns = 2000;
    cl_event ev;
    cl_command_queue other = clCreateCommandQueue(s->context, s->device, 0, &e);
    GOOD(e);
    k = kernel(p, "slow");
    m = buffer(s, 0, 256, NULL);
    went = 0;
    GOOD(clSetMemObjectDestructorCallback(m, gone, (void *)(uintptr_t)&went));
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(k, 1, sizeof turns, &turns));
    GOOD(clEnqueueNDRangeKernel(other, k, 1, NULL, &n, NULL, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(other, m, o, 0, 0, sizeof have, 0, NULL, &ev));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseCommandQueue(other));
    GOOD(clWaitForEvents(1, &ev));
    GOOD(clReleaseEvent(ev));
    GOOD(clEnqueueReadBuffer(s->queue, o, CL_TRUE, 0, sizeof have, have, 0, NULL, NULL));
    cl_uint x = 63;
    for (cl_uint i = 0; i < 2000; i++)
        x = x * 5 + i;
    OK((cl_uint)have[63] == x && went);
    GOOD(clReleaseMemObject(o));
}

/* Sub-buffers beside each other: the buffer has the stores to each of them, by each way, in several queues. */
static void sub_buffers(const setup *s)
{
    enum { BYTES = 1 << 16, PARTS = 5, ROUNDS = 24 };
    cl_uchar *want = malloc(BYTES), *have = malloc(BYTES);
    uint32_t r = 12345;
    for (int i = 0; i < BYTES; i++)
        want[i] = (cl_uchar)((r = r * 1664525 + 1013904223) >> 24);
    cl_program p =
        build(s, "__kernel void k(__global uchar *b, uchar tag)\n{\n    b[get_global_id(0)] ^= tag;\n}\n", "");
    cl_kernel k = kernel(p, "k");
    cl_mem m = buffer(s, CL_MEM_COPY_HOST_PTR, BYTES, want), part[PARTS];
    cl_command_queue queue[2] = {s->queue};
    cl_int e;
    queue[1] = clCreateCommandQueue(s->context, s->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    GOOD(e);
    static const cl_buffer_region at[PARTS] = {{0, 1}, {128, 3000}, {3200, 20000}, {23296, 40000}, {65408, 128}};
    for (int i = 0; i < PARTS; i++) {
        part[i] = clCreateSubBuffer(m, i & 1 ? CL_MEM_READ_WRITE : 0, CL_BUFFER_CREATE_TYPE_REGION, &at[i], &e);
        GOOD(e);
    }
    for (int i = 0; i < ROUNDS; i++) {
        const int a = (int)((r = r * 1664525 + 1013904223) >> 16) % PARTS, b = (a + 1 + i % (PARTS - 1)) % PARTS;
        const size_t size = at[a].size, from = at[a].origin, some = size < at[b].size ? size : at[b].size;
        const cl_uchar tag = (cl_uchar)(i * 7 + 1);
        cl_command_queue q = queue[i & 1];
        if (i % 3 == 0) {
            GOOD(clEnqueueCopyBuffer(q, part[a], part[b], 0, at[b].size - some, some, 0, NULL, NULL));
            memcpy(want + at[b].origin + at[b].size - some, want + from, some);
        } else {
            if (i % 3 == 1) {
                GOOD(clSetKernelArg(k, 0, sizeof part[a], &part[a]));
                GOOD(clSetKernelArg(k, 1, 1, &tag));
                GOOD(clEnqueueNDRangeKernel(q, k, 1, NULL, &size, NULL, 0, NULL, NULL));
            } else {
                cl_uchar *seen =
                    clEnqueueMapBuffer(q, part[a], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &e);
                GOOD(e);
                for (size_t j = 0; j < size; j++)
                    seen[j] ^= tag;
                GOOD(clEnqueueUnmapMemObject(q, part[a], seen, 0, NULL, NULL));
            }
            for (size_t j = 0; j < size; j++)
                want[from + j] ^= tag;
        }
        GOOD(clFinish(q));
    }
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, BYTES, have, 0, NULL, NULL));
    OK(!memcmp(have, want, BYTES));
    for (int i = 0; i < PARTS; i++)
        GOOD(clReleaseMemObject(part[i]));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseCommandQueue(queue[1]));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    free(want), free(have);
}

/* Functions without an effect here, and their refusals. */
static void small(const setup *s)
{
    cl_int e;
    CODE(clSetCommandQueueProperty(s->queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL), CL_INVALID_OPERATION);
    OK(!clCreateCommandQueue(s->context, s->device, (cl_command_queue_properties)1 << 40, &e) && e == CL_INVALID_VALUE);
    CODE(clGetPlatformInfo(s->platform, CL_DEVICE_NAME, 0, NULL, NULL), CL_INVALID_VALUE);
    char word[2];
    CODE(clGetPlatformInfo(s->platform, CL_PLATFORM_NAME, sizeof word, word, NULL), CL_INVALID_VALUE);
    GOOD(clUnloadCompiler());
    GOOD(clUnloadPlatformCompiler(s->platform));
    for (int i = 0; i < 3; i++) { /* contexts that come and go */
        setup t = begin(0);
        end(&t);
    }
}

int main(void)
{
    setup s = begin(0);
    minimums(&s);
    largest_buffer(&s);
    most_arguments(&s);
    most_local(&s);
    macros(&s);
    let_go(&s);
    sub_buffers(&s);
    small(&s);
    end(&s);
    return verdict();
}
