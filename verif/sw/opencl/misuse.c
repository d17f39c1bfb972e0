/* Every function used wrongly, call by call: the code that OpenCL 1.2 has for it, nothing done, nothing lost. A handle that was released is no handle: `gone` are such.
 * NULL is mostly answered by the loader. */
#include "check.h"

/* Of OpenCL 2.0, which the header of 1.2 does not declare. */
cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d, const cl_ulong *list, cl_int *e);

static const char source[] =
    "__kernel void k(__global int *x, int v, __local int *l, float4 f) { x[0] = v + (int)f.x; l[0] = 1; }\n";

static setup s, other;
static cl_program program, header, gone_program;
static cl_kernel good, gone_kernel;
static cl_mem mem, sub, foreign, gone_mem, write_only, read_only, no_access;
static cl_event user, foreign_event, gone_event;
static cl_context gone_context;
static cl_command_queue gone_queue;
static cl_int e;
static char bytes[4096];

static cl_uint number;

/* A function that returns a handle: none, and the code. */
#define NONE(call, want)                                                                                               \
    do {                                                                                                               \
        e = 77;                                                                                                        \
        OK(!(call));                                                                                                   \
        check_code(e, (want), __FILE__, __LINE__, #call);                                                              \
    } while (0)

static void prepare(void)
{
    cl_device_id d;
    const char *text = source;
    s = begin(0);
    other = begin(0);
    program = build(&s, source, "");
    header = clCreateProgramWithSource(s.context, 1, &text, NULL, &e);
    good = kernel(program, "k");
    mem = buffer(&s, 0, 1024, NULL);
    const cl_buffer_region r = {128, 256};
    sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
    foreign = buffer(&other, 0, 1024, NULL);
    write_only = buffer(&s, CL_MEM_HOST_WRITE_ONLY, 1024, NULL);
    read_only = buffer(&s, CL_MEM_HOST_READ_ONLY, 1024, NULL);
    no_access = buffer(&s, CL_MEM_HOST_NO_ACCESS, 1024, NULL);
    user = clCreateUserEvent(s.context, &e);
    foreign_event = clCreateUserEvent(other.context, &e);
    gone_event = clCreateUserEvent(s.context, &e);
    GOOD(clReleaseEvent(gone_event));
    gone_mem = buffer(&s, 0, 64, NULL);
    GOOD(clReleaseMemObject(gone_mem));
    gone_program = clCreateProgramWithSource(s.context, 1, &text, NULL, &e);
    GOOD(clReleaseProgram(gone_program));
    gone_kernel = kernel(program, "k");
    GOOD(clReleaseKernel(gone_kernel));
    gone_context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &e);
    gone_queue = clCreateCommandQueue(gone_context, s.device, 0, &e);
    GOOD(clReleaseCommandQueue(gone_queue));
    GOOD(clReleaseContext(gone_context));
    GOOD(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_ALL, 1, &d, &number));
    OK(d == s.device && number == 1);
}

static void platform_and_device(void)
{
    cl_device_id d;
    CODE(clGetPlatformInfo(s.platform, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetPlatformInfo(s.platform, CL_PLATFORM_NAME, 2, bytes, NULL), CL_INVALID_VALUE);
    CODE(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_GPU, 0, &d, NULL), CL_INVALID_VALUE);
    CODE(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_GPU, 1, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetDeviceIDs(s.platform, 0, 1, &d, NULL), CL_INVALID_DEVICE_TYPE);
    CODE(clGetDeviceIDs(s.platform, 1 << 20, 1, &d, NULL), CL_INVALID_DEVICE_TYPE);
    CODE(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_CPU, 1, &d, NULL), CL_DEVICE_NOT_FOUND);
    cl_device_type type = 0;
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    OK(type == CL_DEVICE_TYPE_GPU); /* DEFAULT is a word for asking */
    CODE(clGetDeviceInfo(s.device, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetDeviceInfo(s.device, CL_DEVICE_NAME, 2, bytes, NULL), CL_INVALID_VALUE);
    CODE(clGetDeviceInfo(s.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 8, bytes, NULL), CL_INVALID_VALUE);
    const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    CODE(clCreateSubDevices(s.device, parts, 1, &d, NULL), CL_INVALID_VALUE);
}

static void contexts_and_queues(void)
{
    const cl_context_properties unknown[] = {0x9999, 1, 0},
                                twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)s.platform, CL_CONTEXT_PLATFORM,
                                           (cl_context_properties)s.platform, 0};
    NONE(clCreateContext(NULL, 0, &s.device, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateContext(NULL, 1, &s.device, NULL, &e, &e), CL_INVALID_VALUE);
    NONE(clCreateContext(unknown, 1, &s.device, NULL, NULL, &e), CL_INVALID_PROPERTY);
    NONE(clCreateContext(twice, 1, &s.device, NULL, NULL, &e), CL_INVALID_PROPERTY);
    CODE(clRetainContext(gone_context), CL_INVALID_CONTEXT);
    CODE(clReleaseContext(gone_context), CL_INVALID_CONTEXT);
    CODE(clGetContextInfo(gone_context, CL_CONTEXT_DEVICES, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CODE(clGetContextInfo(s.context, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetContextInfo(s.context, CL_CONTEXT_DEVICES, 1, bytes, NULL), CL_INVALID_VALUE);
    NONE(clCreateCommandQueue(gone_context, s.device, 0, &e), CL_INVALID_CONTEXT);
    NONE(clCreateCommandQueue(s.context, NULL, 0, &e), CL_INVALID_DEVICE);
    NONE(clCreateCommandQueue(s.context, s.device, 1 << 20, &e), CL_INVALID_VALUE);
    cl_command_queue_properties bits = 0;
    cl_command_queue q = clCreateCommandQueueWithProperties(
        s.context, s.device, (const cl_ulong[]){CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, &e);
    GOOD(e);
    GOOD(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    OK(bits == CL_QUEUE_PROFILING_ENABLE);
    GOOD(clReleaseCommandQueue(q));
    NONE(clCreateCommandQueueWithProperties(s.context, s.device, (const cl_ulong[]){1, 0, 0}, &e), CL_INVALID_VALUE);
    NONE(clCreateCommandQueueWithProperties(s.context, s.device, (const cl_ulong[]){CL_QUEUE_PROPERTIES, 4, 0}, &e),
         CL_INVALID_QUEUE_PROPERTIES);
    CODE(clRetainCommandQueue(gone_queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clReleaseCommandQueue(gone_queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clGetCommandQueueInfo(gone_queue, CL_QUEUE_DEVICE, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clGetCommandQueueInfo(s.queue, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clFlush(gone_queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clFinish(gone_queue), CL_INVALID_COMMAND_QUEUE);
}

static void buffers(void)
{
    const cl_buffer_region outside = {128, 1024}, odd = {4, 4}, none = {0, 0}, fits = {0, 8};
    NONE(clCreateBuffer(gone_context, 0, 4, NULL, &e), CL_INVALID_CONTEXT);
    NONE(clCreateBuffer(s.context, 0, 0, NULL, &e), CL_INVALID_BUFFER_SIZE);
    NONE(clCreateBuffer(s.context, 0, (size_t)1 << 50, NULL, &e), CL_INVALID_BUFFER_SIZE);
    NONE(clCreateBuffer(s.context, 1 << 20, 4, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateBuffer(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateBuffer(s.context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes, &e), CL_INVALID_VALUE);
    NONE(clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 4, NULL, &e), CL_INVALID_HOST_PTR);
    NONE(clCreateBuffer(s.context, 0, 4, bytes, &e), CL_INVALID_HOST_PTR);
    NONE(clCreateSubBuffer(gone_mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &fits, &e), CL_INVALID_MEM_OBJECT);
    NONE(clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &fits, &e), CL_INVALID_MEM_OBJECT);
    NONE(clCreateSubBuffer(mem, 0, 0x9999, &fits, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, CL_MEM_USE_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &fits, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(read_only, CL_MEM_HOST_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &fits, &e),
         CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &none, &e), CL_INVALID_BUFFER_SIZE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &e), CL_MISALIGNED_SUB_BUFFER_OFFSET);
    CODE(clRetainMemObject(gone_mem), CL_INVALID_MEM_OBJECT);
    CODE(clReleaseMemObject(gone_mem), CL_INVALID_MEM_OBJECT);
    CODE(clGetMemObjectInfo(gone_mem, CL_MEM_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clGetMemObjectInfo(mem, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clSetMemObjectDestructorCallback(mem, NULL, NULL), CL_INVALID_VALUE);
}

static void transfers(void)
{
    const size_t o[3] = {0, 0, 0}, r[3] = {8, 2, 2}, empty[3] = {8, 0, 1}, far[3] = {1020, 0, 0},
                 huge[3] = {8, (size_t)-1, 3};
    CODE(clEnqueueReadBuffer(gone_queue, mem, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueReadBuffer(s.queue, gone_mem, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clEnqueueReadBuffer(s.queue, foreign, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 1021, 4, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, (size_t)-2, 4, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 4, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 4, bytes, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 4, bytes, 0, &user, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 4, bytes, 1, &gone_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, 4, bytes, 1, &foreign_event, NULL), CL_INVALID_CONTEXT);
    CODE(clEnqueueReadBuffer(s.queue, write_only, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clEnqueueReadBuffer(s.queue, no_access, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clEnqueueWriteBuffer(s.queue, read_only, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clEnqueueWriteBuffer(s.queue, mem, CL_TRUE, 1024, 1, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueWriteBuffer(s.queue, mem, CL_TRUE, 0, 4, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueCopyBuffer(s.queue, mem, mem, 0, 4, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CODE(clEnqueueCopyBuffer(s.queue, mem, foreign, 0, 0, 8, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CODE(clEnqueueCopyBuffer(s.queue, mem, write_only, 1020, 0, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueCopyBuffer(s.queue, mem, write_only, 0, 1020, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 3, 0, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 256, 0, 256, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 4, 2, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 4, 0, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, NULL, 4, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 4, 1024, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, empty, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 7, 0, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 8, 15, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, far, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, huge, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, no_access, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_OPERATION);
    CODE(clEnqueueReadBufferRect(s.queue, write_only, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_OPERATION);
    CODE(clEnqueueWriteBufferRect(s.queue, read_only, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_OPERATION);
    GOOD(clEnqueueReadBufferRect(s.queue, read_only, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL));
    for (int i = 0; i < 3; i++) { /* a region that is empty in one dimension */
        size_t flat[3] = {r[0], r[1], r[2]};
        flat[i] = 0;
        CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, flat, 0, 0, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    }
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, NULL, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, NULL, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueCopyBufferRect(s.queue, mem, mem, o, o, r, 16, 32, 32, 64, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueCopyBufferRect(s.queue, mem, sub, o, o, r, 0, 0, 512, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    NONE(clEnqueueMapBuffer(s.queue, mem, CL_TRUE, CL_MAP_READ, 1024, 4, 0, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clEnqueueMapBuffer(s.queue, mem, CL_TRUE, 1 << 9, 0, 4, 0, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clEnqueueMapBuffer(s.queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL,
                            &e),
         CL_INVALID_VALUE);
    NONE(clEnqueueMapBuffer(s.queue, no_access, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &e), CL_INVALID_OPERATION);
    NONE(clEnqueueMapBuffer(s.queue, read_only, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &e), CL_INVALID_OPERATION);
    NONE(clEnqueueMapBuffer(s.queue, gone_mem, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &e), CL_INVALID_MEM_OBJECT);
    CODE(clEnqueueUnmapMemObject(s.queue, mem, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueUnmapMemObject(s.queue, gone_mem, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clEnqueueMigrateMemObjects(s.queue, 0, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueMigrateMemObjects(s.queue, 1, &mem, 1 << 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueMigrateMemObjects(s.queue, 1, &foreign, 0, 0, NULL, NULL), CL_INVALID_CONTEXT);
}

static void programs(void)
{
    const char *text = source, *nothing = NULL, *name = "x.h";
    const unsigned char *garbage = (const unsigned char *)"no image";
    const size_t n = 8, zero = 0;
    NONE(clCreateProgramWithSource(gone_context, 1, &text, NULL, &e), CL_INVALID_CONTEXT);
    NONE(clCreateProgramWithSource(s.context, 0, &text, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithSource(s.context, 1, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithSource(s.context, 1, &nothing, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 0, &s.device, &n, &garbage, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &zero, &garbage, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &n, &garbage, NULL, &e), CL_INVALID_BINARY);
    NONE(clCreateProgramWithBuiltInKernels(s.context, 1, &s.device, "x", &e), CL_INVALID_VALUE);
    CODE(clRetainProgram(gone_program), CL_INVALID_PROGRAM);
    CODE(clReleaseProgram(gone_program), CL_INVALID_PROGRAM);
    CODE(clBuildProgram(gone_program, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clBuildProgram(header, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    CODE(clBuildProgram(header, 0, &s.device, NULL, NULL, NULL), CL_INVALID_VALUE);
    CODE(clBuildProgram(header, 0, NULL, NULL, NULL, bytes), CL_INVALID_VALUE);
    CODE(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clCompileProgram(header, 0, NULL, NULL, 1, NULL, &name, NULL, NULL), CL_INVALID_VALUE);
    CODE(clCompileProgram(header, 0, NULL, NULL, 1, &gone_program, &name, NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clCompileProgram(header, 0, NULL, NULL, 1, &header, &nothing, NULL, NULL), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 0, NULL, "", 0, NULL, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 1, NULL, "", 1, &program, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 0, &s.device, "", 1, &program, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 0, NULL, "", 1, &gone_program, NULL, NULL, &e), CL_INVALID_PROGRAM);
    NONE(clLinkProgram(s.context, 0, NULL, "", 1, &program, NULL, NULL, &e), CL_INVALID_OPERATION);
    CODE(clGetProgramInfo(gone_program, CL_PROGRAM_SOURCE, 0, NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clGetProgramInfo(program, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 2, bytes, NULL), CL_INVALID_VALUE);
    CODE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 2, bytes, NULL), CL_INVALID_VALUE);
    CODE(clGetProgramInfo(header, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CODE(clGetProgramInfo(header, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CODE(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clGetProgramBuildInfo(program, s.device, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetProgramBuildInfo(gone_program, s.device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL), CL_INVALID_PROGRAM);
}

static void kernels(void)
{
    cl_kernel k[2];
    const cl_float4 f = {{0}};
    const cl_int v = 0;
    const size_t g = 64, l = 8, zero = 0, l3 = 3, most = (size_t)1 << 20, huge = (size_t)1 << 40, offset = 0xffffffff,
                 wide[3] = {1 << 10, 1 << 10, 1};
    NONE(clCreateKernel(gone_program, "k", &e), CL_INVALID_PROGRAM);
    NONE(clCreateKernel(header, "k", &e), CL_INVALID_PROGRAM_EXECUTABLE);
    NONE(clCreateKernel(program, "nosuch", &e), CL_INVALID_KERNEL_NAME);
    NONE(clCreateKernel(program, NULL, &e), CL_INVALID_VALUE);
    CODE(clCreateKernelsInProgram(program, 0, k, NULL), CL_INVALID_VALUE);
    GOOD(clCreateKernelsInProgram(program, 0, NULL, NULL));
    CODE(clCreateKernelsInProgram(header, 1, k, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CODE(clRetainKernel(gone_kernel), CL_INVALID_KERNEL);
    CODE(clReleaseKernel(gone_kernel), CL_INVALID_KERNEL);
    CODE(clSetKernelArg(gone_kernel, 0, sizeof mem, &mem), CL_INVALID_KERNEL);
    CODE(clSetKernelArg(good, 4, sizeof mem, &mem), CL_INVALID_ARG_INDEX);
    CODE(clSetKernelArg(good, 0, 4, &mem), CL_INVALID_ARG_SIZE);
    CODE(clSetKernelArg(good, 0, sizeof mem, &gone_mem), CL_INVALID_MEM_OBJECT);
    CODE(clSetKernelArg(good, 0, sizeof mem, &foreign), CL_INVALID_MEM_OBJECT);
    CODE(clSetKernelArg(good, 1, sizeof v, NULL), CL_INVALID_ARG_VALUE);
    CODE(clSetKernelArg(good, 1, 8, &f), CL_INVALID_ARG_SIZE);
    CODE(clSetKernelArg(good, 2, 0, NULL), CL_INVALID_ARG_SIZE);
    CODE(clSetKernelArg(good, 2, 4, &v), CL_INVALID_ARG_VALUE);
    CODE(clSetKernelArg(good, 3, 12, &f), CL_INVALID_ARG_SIZE);
    GOOD(clSetKernelArg(good, 0, sizeof mem, &mem));
    GOOD(clSetKernelArg(good, 1, sizeof v, &v));
    GOOD(clSetKernelArg(good, 3, sizeof f, &f));
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    GOOD(clSetKernelArg(good, 2, most, NULL));
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    GOOD(clSetKernelArg(good, 2, 4, NULL));
    CODE(clEnqueueNDRangeKernel(gone_queue, good, 1, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueNDRangeKernel(s.queue, gone_kernel, 1, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_KERNEL);
    CODE(clEnqueueNDRangeKernel(other.queue, good, 1, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 0, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 4, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, NULL, &l, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &zero, &l, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &huge, &l, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, &offset, &g, &l, 0, NULL, NULL), CL_INVALID_GLOBAL_OFFSET);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &zero, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l3, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &most, &most, 0, NULL, NULL), CL_INVALID_WORK_ITEM_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 3, NULL, wide, (size_t[]){64, 64, 1}, 0, NULL, NULL),
         CL_INVALID_WORK_GROUP_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 1, &gone_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueTask(gone_queue, good, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueNativeKernel(s.queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL), CL_INVALID_OPERATION);
    CODE(clGetKernelInfo(gone_kernel, CL_KERNEL_NUM_ARGS, 0, NULL, NULL), CL_INVALID_KERNEL);
    CODE(clGetKernelInfo(good, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetKernelWorkGroupInfo(good, s.device, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetKernelWorkGroupInfo(good, s.device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetKernelWorkGroupInfo(gone_kernel, s.device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL), CL_INVALID_KERNEL);
    CODE(clGetKernelArgInfo(good, 4, CL_KERNEL_ARG_NAME, 0, NULL, NULL), CL_INVALID_ARG_INDEX);
    CODE(clGetKernelArgInfo(good, 0, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
}

static void events(void)
{
    const cl_event two[2] = {user, foreign_event};
    cl_event ev;
    GOOD(clEnqueueMarker(s.queue, &ev));
    GOOD(clFinish(s.queue));
    NONE(clCreateUserEvent(gone_context, &e), CL_INVALID_CONTEXT);
    CODE(clSetUserEventStatus(gone_event, 0), CL_INVALID_EVENT);
    CODE(clSetUserEventStatus(ev, 0), CL_INVALID_EVENT);
    CODE(clSetUserEventStatus(user, CL_RUNNING), CL_INVALID_VALUE);
    CODE(clWaitForEvents(0, &user), CL_INVALID_VALUE);
    CODE(clWaitForEvents(1, &gone_event), CL_INVALID_EVENT);
    CODE(clWaitForEvents(2, two), CL_INVALID_CONTEXT);
    CODE(clRetainEvent(gone_event), CL_INVALID_EVENT);
    CODE(clReleaseEvent(gone_event), CL_INVALID_EVENT);
    CODE(clGetEventInfo(gone_event, CL_EVENT_CONTEXT, 0, NULL, NULL), CL_INVALID_EVENT);
    CODE(clGetEventInfo(user, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetEventInfo(user, CL_EVENT_CONTEXT, 1, bytes, NULL), CL_INVALID_VALUE);
    CODE(clSetEventCallback(user, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
    CODE(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 8, bytes, NULL), CL_PROFILING_INFO_NOT_AVAILABLE);
    CODE(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_END, 8, bytes, NULL), CL_PROFILING_INFO_NOT_AVAILABLE);
    CODE(clEnqueueMarker(gone_queue, &ev), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueMarker(s.queue, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueBarrier(gone_queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueWaitForEvents(s.queue, 0, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueWaitForEvents(s.queue, 1, &gone_event), CL_INVALID_EVENT);
    CODE(clEnqueueMarkerWithWaitList(s.queue, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clEnqueueBarrierWithWaitList(s.queue, 1, &gone_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    GOOD(clReleaseEvent(ev));
}

static void absent(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const size_t o[3] = {0}, r[3] = {1, 1, 1};
    cl_bool images = CL_TRUE;
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    OK(!images);
    NONE(clCreateImage(s.context, 0, &format, &desc, NULL, &e), CL_INVALID_OPERATION);
    NONE(clCreateImage2D(s.context, 0, &format, 4, 4, 0, NULL, &e), CL_INVALID_OPERATION);
    NONE(clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &e), CL_INVALID_OPERATION);
    GOOD(clGetSupportedImageFormats(s.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &number));
    OK(number == 0);
    CODE(clEnqueueReadImage(s.queue, mem, CL_TRUE, o, r, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clEnqueueCopyImageToBuffer(s.queue, mem, mem, o, r, 0, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clGetImageInfo(mem, CL_IMAGE_WIDTH, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
}

int main(void)
{
    prepare();
    platform_and_device();
    contexts_and_queues();
    buffers();
    transfers();
    programs();
    kernels();
    events();
    absent();

    /* and it works as before */
    const size_t g = 32, l = 32;
    GOOD(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 0, NULL, NULL));
    GOOD(clFinish(s.queue));
    GOOD(clReleaseEvent(user));
    GOOD(clReleaseEvent(foreign_event));
    GOOD(clReleaseKernel(good));
    CODE(clReleaseKernel(good), CL_INVALID_KERNEL); /* once too often */
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseProgram(header));
    cl_mem all[] = {sub, mem, foreign, write_only, read_only, no_access};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        GOOD(clReleaseMemObject(all[i]));
    end(&s);
    end(&other);
    return verdict();
}
