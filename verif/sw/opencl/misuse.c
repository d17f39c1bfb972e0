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

/* Handles of another kind: an event, and for a platform or a device each other. */
#define NO_PLATFORM ((cl_platform_id)s.device)
#define NO_DEVICE ((cl_device_id)s.platform)
#define NO(kind) ((kind)user)

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
    CODE(clGetPlatformInfo(NO_PLATFORM, CL_PLATFORM_NAME, 0, NULL, NULL), CL_INVALID_PLATFORM);
    CODE(clGetDeviceIDs(NO_PLATFORM, CL_DEVICE_TYPE_GPU, 1, &d, NULL), CL_INVALID_PLATFORM);
    CODE(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_GPU, 0, NULL, NULL), CL_INVALID_VALUE);
    number = 7;
    CODE(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_ACCELERATOR, 0, NULL, &number),
         CL_DEVICE_NOT_FOUND);
    OK(number == 0);
    GOOD(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU, 0, NULL, &number));
    OK(number == 1);
    GOOD(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_DEFAULT, 1, &d, NULL));
    CODE(clGetDeviceInfo(NO_DEVICE, CL_DEVICE_NAME, 0, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clRetainDevice(NO_DEVICE), CL_INVALID_DEVICE);
    CODE(clReleaseDevice(NO_DEVICE), CL_INVALID_DEVICE);
    GOOD(clRetainDevice(s.device));
    GOOD(clReleaseDevice(s.device));
    CODE(clCreateSubDevices(NO_DEVICE, parts, 1, &d, NULL), CL_INVALID_DEVICE);
    CODE(clUnloadPlatformCompiler(NO_PLATFORM), CL_INVALID_PLATFORM);
    GOOD(clUnloadPlatformCompiler(s.platform));
    OK(!clGetExtensionFunctionAddressForPlatform(NO_PLATFORM, "clGetPlatformInfo"));
    OK(!clGetExtensionFunctionAddressForPlatform(s.platform, "clNothingVELLUM"));
    OK(clGetExtensionFunctionAddressForPlatform(s.platform, "clGetPlatformInfo") != NULL);
    OK(clGetExtensionFunctionAddressForPlatform(s.platform, "clIcdGetPlatformIDsKHR") != NULL);
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
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)NO_PLATFORM, 0},
                                no_bool[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
    const cl_device_id two[] = {s.device, NO_DEVICE};
    NONE(clCreateContext(no_platform, 1, &s.device, NULL, NULL, &e), CL_INVALID_PLATFORM);
    NONE(clCreateContext(no_bool, 1, &s.device, NULL, NULL, &e), CL_INVALID_PROPERTY);
    NONE(clCreateContext(NULL, 1, NULL, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateContext(NULL, 2, two, NULL, NULL, &e), CL_INVALID_DEVICE);
    NONE(clCreateContextFromType(NULL, 0, NULL, NULL, &e), CL_INVALID_DEVICE_TYPE);
    NONE(clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, &e, &e), CL_INVALID_VALUE);
    CODE(clRetainContext(NO(cl_context)), CL_INVALID_CONTEXT);
    CODE(clGetContextInfo(NO(cl_context), CL_CONTEXT_DEVICES, 0, NULL, NULL), CL_INVALID_CONTEXT);
    NONE(clCreateCommandQueue(NO(cl_context), s.device, 0, &e), CL_INVALID_CONTEXT);
    NONE(clCreateCommandQueue(s.context, NO_DEVICE, 0, &e), CL_INVALID_DEVICE);
    NONE(clCreateCommandQueueWithProperties(s.context, NO_DEVICE, NULL, &e), CL_INVALID_DEVICE);
    NONE(clCreateCommandQueueWithProperties(NO(cl_context), s.device, NULL, &e), CL_INVALID_CONTEXT);
    q = clCreateCommandQueueWithProperties(s.context, s.device, NULL, NULL);
    GOOD(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    OK(bits == 0);
    GOOD(clReleaseCommandQueue(q));
    CODE(clFlush(NO(cl_command_queue)), CL_INVALID_COMMAND_QUEUE);
    CODE(clSetCommandQueueProperty(s.queue, 0, CL_TRUE, NULL), CL_INVALID_OPERATION);
    CODE(clSetCommandQueueProperty(gone_queue, 0, CL_TRUE, NULL), CL_INVALID_COMMAND_QUEUE);
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
    const cl_buffer_region rest = {128, 897}, all_of_it = {0, 1024}, behind = {1152, 1}, last = {896, 128},
                           wraps = {128, (size_t)-1};
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &rest, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &behind, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &wraps, &e), CL_INVALID_VALUE);
    NONE(clCreateSubBuffer(NO(cl_mem), 0, CL_BUFFER_CREATE_TYPE_REGION, &fits, &e), CL_INVALID_MEM_OBJECT);
    static const cl_mem_flags device[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
                              host[] = {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS};
    for (int i = 0; i < 9; i++) { /* rights of a buffer and of its part: the same, or less */
        const int whole = i / 3, part = i % 3;
        cl_mem_flags has = 0;
        cl_mem b = clCreateBuffer(s.context, device[whole] | host[whole], 1024, NULL, NULL);
        cl_mem x = clCreateSubBuffer(b, device[part], CL_BUFFER_CREATE_TYPE_REGION, &all_of_it, &e);
        CODE(e, whole && part != whole ? CL_INVALID_VALUE : CL_SUCCESS);
        OK(!x == !!e);
        OK(!x || (!clGetMemObjectInfo(x, CL_MEM_FLAGS, sizeof has, &has, NULL) && has == (device[part] | host[whole])));
        OK(!x || !clReleaseMemObject(x));
        x = clCreateSubBuffer(b, host[part], CL_BUFFER_CREATE_TYPE_REGION, &last, &e);
        CODE(e, part != whole && part != 2 ? CL_INVALID_VALUE : CL_SUCCESS);
        OK(!x || (!clGetMemObjectInfo(x, CL_MEM_FLAGS, sizeof has, &has, NULL) && has == (device[whole] | host[part])));
        OK(!x || !clReleaseMemObject(x));
        GOOD(clReleaseMemObject(b));
        if (whole < part) {
            NONE(clCreateBuffer(s.context, device[whole] | device[part], 4, NULL, &e), CL_INVALID_VALUE);
            NONE(clCreateBuffer(s.context, host[whole] | host[part], 4, NULL, &e), CL_INVALID_VALUE);
            NONE(clCreateSubBuffer(mem, device[whole] | device[part], CL_BUFFER_CREATE_TYPE_REGION, &fits, &e),
                 CL_INVALID_VALUE);
        }
    }
    NONE(clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, bytes, &e), CL_INVALID_VALUE);
    NONE(clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4, NULL, &e), CL_INVALID_HOST_PTR);
    NONE(clCreateBuffer(s.context, CL_MEM_ALLOC_HOST_PTR, 4, bytes, &e), CL_INVALID_HOST_PTR);
    NONE(clCreateBuffer(NO(cl_context), 0, 4, NULL, &e), CL_INVALID_CONTEXT);
    CODE(clGetMemObjectInfo(NO(cl_mem), CL_MEM_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CODE(clSetMemObjectDestructorCallback(gone_mem, (void(CL_CALLBACK *)(cl_mem, void *))(uintptr_t)1, NULL),
         CL_INVALID_MEM_OBJECT);
    cl_ulong largest = 0;
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    NONE(clCreateBuffer(s.context, 0, largest + 1, NULL, &e), CL_INVALID_BUFFER_SIZE);
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

/* Each function that has a queue and a buffer: with those of another kind, of another context, and that were released. */
static void queues_and_buffers(void)
{
    const size_t o[3] = {0, 0, 0}, r[3] = {8, 2, 2};
    const struct {
        cl_command_queue queue;
        cl_mem mem;
        cl_int want;
    } wrong[] = {{gone_queue, mem, CL_INVALID_COMMAND_QUEUE},
                 {NO(cl_command_queue), mem, CL_INVALID_COMMAND_QUEUE},
                 {s.queue, gone_mem, CL_INVALID_MEM_OBJECT},
                 {s.queue, NO(cl_mem), CL_INVALID_MEM_OBJECT},
                 {s.queue, foreign, CL_INVALID_CONTEXT}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const cl_command_queue q = wrong[i].queue;
        const cl_mem m = wrong[i].mem, both[] = {mem, m};
        const cl_int want = wrong[i].want;
        CODE(clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), want);
        CODE(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), want);
        CODE(clEnqueueCopyBuffer(q, m, write_only, 0, 0, 4, 0, NULL, NULL), want);
        CODE(clEnqueueCopyBuffer(q, write_only, m, 0, 0, 4, 0, NULL, NULL), want);
        CODE(clEnqueueFillBuffer(q, m, bytes, 4, 0, 4, 0, NULL, NULL), want);
        CODE(clEnqueueReadBufferRect(q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL), want);
        CODE(clEnqueueWriteBufferRect(q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL), want);
        CODE(clEnqueueCopyBufferRect(q, m, write_only, o, o, r, 0, 0, 0, 0, 0, NULL, NULL), want);
        CODE(clEnqueueCopyBufferRect(q, write_only, m, o, o, r, 0, 0, 0, 0, 0, NULL, NULL), want);
        NONE(clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &e), want);
        CODE(clEnqueueUnmapMemObject(q, m, bytes, 0, NULL, NULL), want);
        CODE(clEnqueueMigrateMemObjects(q, 2, both, 0, 0, NULL, NULL), want);
    }
    /* and with wait lists that are wrong */
    const cl_event lists[] = {user, gone_event}, others[] = {user, foreign_event}, kinds[] = {user, NO(cl_event)};
    for (int i = 0; i < 4; i++) {
        const cl_event *list = i == 0 ? lists : i == 1 ? others : NULL;
        const cl_uint n = i == 3 ? 0 : 2;
        const cl_int want = i == 1 ? CL_INVALID_CONTEXT : CL_INVALID_EVENT_WAIT_LIST;
        list = i == 3 ? kinds : list;
        CODE(clEnqueueWriteBuffer(s.queue, mem, CL_TRUE, 0, 4, bytes, n, list, NULL), want);
        CODE(clEnqueueCopyBuffer(s.queue, mem, write_only, 0, 0, 4, n, list, NULL), want);
        CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 4, 0, 4, n, list, NULL), want);
        CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, n, list, NULL), want);
        CODE(clEnqueueCopyBufferRect(s.queue, mem, write_only, o, o, r, 0, 0, 0, 0, n, list, NULL), want);
        NONE(clEnqueueMapBuffer(s.queue, mem, CL_TRUE, CL_MAP_READ, 0, 4, n, list, NULL, &e), want);
        CODE(clEnqueueUnmapMemObject(s.queue, mem, bytes, n, list, NULL), want);
        CODE(clEnqueueMigrateMemObjects(s.queue, 1, &mem, 0, n, list, NULL), want);
        CODE(clEnqueueMarkerWithWaitList(s.queue, n, list, NULL), want);
    }
    /* to the byte: rows, slices, the last row, and regions that are too large in one dimension */
    GOOD(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){1016, 0, 0}, o, (size_t[]){8, 1, 1}, 0, 0, 0, 0,
                                 bytes, 0, NULL, NULL));
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){1017, 0, 0}, o, (size_t[]){8, 1, 1}, 0, 0, 0, 0,
                                 bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    GOOD(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){0, 14, 7}, o, (size_t[]){8, 2, 1}, 8, 128, 0, 0,
                                 bytes, 0, NULL, NULL));
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){0, 15, 7}, o, (size_t[]){8, 2, 1}, 8, 128, 0, 0,
                                 bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    GOOD(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){0, 14, 6}, o, (size_t[]){8, 2, 2}, 8, 128, 0, 0,
                                 bytes, 0, NULL, NULL));
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){0, 14, 7}, o, (size_t[]){8, 2, 2}, 8, 128, 0, 0,
                                 bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 8, 17, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 0, 0, 7, 0, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, o, r, 0, 0, 8, 15, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, o, NULL, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            size_t from[3] = {0}, size[3] = {1, 1, 1};
            (k ? from : size)[i] = (size_t)1 << 62;
            CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, from, o, size, 0, 0, 0, 0, bytes, 0, NULL, NULL),
                 CL_INVALID_VALUE);
        }
    for (int i = 0; i < 3; i++) { /* a sum that wraps */
        size_t from[3] = {0}, size[3] = {1, 1, 1};
        from[i] = (size_t)-1;
        size[i] = 2;
        CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, from, o, size, 0, 0, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    }
    CODE(clEnqueueReadBufferRect(s.queue, mem, CL_TRUE, (size_t[]){0, 0, 4}, o, (size_t[]){1, 1, 1}, 0, (size_t)1 << 62,
                                 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_VALUE);
    CODE(clEnqueueWriteBufferRect(s.queue, mem, CL_TRUE, o, o, r, 0, 0, 0, 0, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueWriteBufferRect(s.queue, no_access, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL),
         CL_INVALID_OPERATION);
    GOOD(clEnqueueWriteBufferRect(s.queue, write_only, CL_TRUE, o, o, r, 0, 0, 0, 0, bytes, 0, NULL, NULL));
    CODE(clEnqueueWriteBuffer(s.queue, no_access, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_OPERATION);
    GOOD(clEnqueueReadBuffer(s.queue, read_only, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    GOOD(clEnqueueWriteBuffer(s.queue, write_only, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(s.queue, mem, mem, 0, 8, 8, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(s.queue, mem, mem, 8, 0, 8, 0, NULL, NULL));
    CODE(clEnqueueCopyBuffer(s.queue, mem, mem, 7, 0, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CODE(clEnqueueCopyBuffer(s.queue, mem, sub, 134, 0, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CODE(clEnqueueCopyBuffer(s.queue, sub, mem, 0, 121, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    GOOD(clEnqueueCopyBuffer(s.queue, sub, mem, 0, 120, 8, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(s.queue, mem, sub, 0, 248, 8, 0, NULL, NULL));
    CODE(clEnqueueCopyBuffer(s.queue, mem, sub, 0, 249, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 0, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueFillBuffer(s.queue, mem, bytes, 4, 0, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    GOOD(clEnqueueFillBuffer(s.queue, mem, bytes, 128, 128, 128, 0, NULL, NULL));
}

/* Flags of a mapping against those of its buffer. */
static void mappings(void)
{
    const struct {
        cl_mem mem;
        bool reads, writes;
    } buffers[] = {{mem, true, true}, {write_only, false, true}, {read_only, true, false}, {no_access, false, false}};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        for (cl_map_flags f = 0; f < 16; f++) {
            const bool reads = f & CL_MAP_READ, writes = f & CL_MAP_WRITE, drops = f & CL_MAP_WRITE_INVALIDATE_REGION;
            const cl_int want = !f || f > 7 || (drops && (reads || writes)) ? CL_INVALID_VALUE
                                : (reads && !buffers[i].reads) || ((writes || drops) && !buffers[i].writes)
                                    ? CL_INVALID_OPERATION
                                    : CL_SUCCESS;
            e = 77;
            void *p = clEnqueueMapBuffer(s.queue, buffers[i].mem, CL_TRUE, f, 4, 8, 0, NULL, NULL, &e);
            CODE(e, want);
            OK(!p == !!e);
            cl_uint maps = 7;
            GOOD(clGetMemObjectInfo(buffers[i].mem, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
            OK(maps == (p != NULL));
            if (p) {
                CODE(clEnqueueUnmapMemObject(s.queue, buffers[i].mem, (char *)p + 1, 0, NULL, NULL), CL_INVALID_VALUE);
                CODE(clEnqueueUnmapMemObject(s.queue, foreign, p, 0, NULL, NULL), CL_INVALID_CONTEXT);
                GOOD(clEnqueueUnmapMemObject(s.queue, buffers[i].mem, p, 0, NULL, NULL));
                CODE(clEnqueueUnmapMemObject(s.queue, buffers[i].mem, p, 0, NULL, NULL), CL_INVALID_VALUE);
                GOOD(clFinish(s.queue));
            }
        }
    NONE(clEnqueueMapBuffer(s.queue, mem, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &e), CL_INVALID_VALUE);
    CODE(clEnqueueMigrateMemObjects(s.queue, 1, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueMigrateMemObjects(s.queue, 0, &mem, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    GOOD(clEnqueueMigrateMemObjects(
        s.queue, 1, &mem, CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL));
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
    const cl_device_id two[] = {s.device, NO_DEVICE}, no_device = NO_DEVICE;
    const unsigned char *pair[] = {garbage, garbage}, *null = NULL;
    const size_t lengths[] = {n, n};
    cl_int status = 77;
    NONE(clCreateProgramWithBinary(gone_context, 1, &s.device, &n, &garbage, NULL, &e), CL_INVALID_CONTEXT);
    NONE(clCreateProgramWithBinary(s.context, 1, NULL, &n, &garbage, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, NULL, &garbage, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &n, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 2, two, lengths, pair, NULL, &e), CL_INVALID_DEVICE);
    NONE(clCreateProgramWithBinary(s.context, 1, &no_device, &n, &garbage, NULL, &e), CL_INVALID_DEVICE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &n, &null, &status, &e), CL_INVALID_VALUE);
    CODE(status, CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &zero, &garbage, &status, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &n, &garbage, &status, &e), CL_INVALID_BINARY);
    CODE(status, CL_INVALID_BINARY);
    static const char *const marked[] = {"VLCLOBJ\0BC\xc0\xde", "VLCLOBJ\0BC\xc0\xdf.", "VLCLOBJ\1BC\xc0\xde."};
    for (int i = 0; i < 3; i++) { /* too short, no bitcode, no mark */
        const size_t length = i ? 13 : 12;
        NONE(clCreateProgramWithBinary(s.context, 1, &s.device, &length, (const unsigned char **)(uintptr_t)&marked[i],
                                       NULL, &e),
             CL_INVALID_BINARY);
    }
    NONE(clCreateProgramWithBuiltInKernels(gone_context, 1, &s.device, "x", &e), CL_INVALID_CONTEXT);
    NONE(clCreateProgramWithBuiltInKernels(s.context, 2, two, "x", &e), CL_INVALID_DEVICE);
    NONE(clCreateProgramWithBuiltInKernels(s.context, 0, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clCreateProgramWithBuiltInKernels(s.context, 1, NULL, "x", &e), CL_INVALID_VALUE);
    CODE(clBuildProgram(header, 2, two, NULL, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clBuildProgram(NO(cl_program), 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clCompileProgram(NO(cl_program), 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clCompileProgram(header, 2, two, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clCompileProgram(header, 0, NULL, NULL, 1, &header, NULL, NULL, NULL), CL_INVALID_VALUE);
    CODE(clCompileProgram(header, 0, NULL, NULL, 0, &header, NULL, NULL, NULL), CL_INVALID_VALUE);
    CODE(clCompileProgram(header, 0, NULL, NULL, 0, NULL, &name, NULL, NULL), CL_INVALID_VALUE);
    CODE(clCompileProgram(header, 0, NULL, NULL, 0, NULL, NULL, NULL, bytes), CL_INVALID_VALUE);
    NONE(clLinkProgram(NO(cl_context), 0, NULL, "", 1, &program, NULL, NULL, &e), CL_INVALID_CONTEXT);
    NONE(clLinkProgram(s.context, 2, two, "", 1, &program, NULL, NULL, &e), CL_INVALID_DEVICE);
    NONE(clLinkProgram(s.context, 0, NULL, "", 1, NULL, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 0, NULL, "", 0, &program, NULL, NULL, &e), CL_INVALID_VALUE);
    NONE(clLinkProgram(s.context, 0, NULL, "", 1, &program, NULL, bytes, &e), CL_INVALID_VALUE);
    CODE(clGetProgramBuildInfo(program, NO_DEVICE, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clGetProgramInfo(NO(cl_program), CL_PROGRAM_SOURCE, 0, NULL, NULL), CL_INVALID_PROGRAM);
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
    const size_t limit = (size_t)1 << 32, below = limit - 64;
    for (cl_uint without = 0; without < 4; without++) { /* each argument has to be set */
        cl_kernel some = kernel(program, "k");
        const void *const values[] = {&mem, &v, NULL, &f};
        for (cl_uint i = 0; i < 4; i++)
            if (i != without)
                GOOD(clSetKernelArg(some, i, i == 0 ? sizeof mem : i == 3 ? sizeof f : sizeof v, values[i]));
        CODE(clEnqueueTask(s.queue, some, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
        GOOD(clReleaseKernel(some));
    }
    CODE(clSetKernelArg(good, 0, sizeof mem, &user), CL_INVALID_MEM_OBJECT);
    CODE(clSetKernelArg(NO(cl_kernel), 0, sizeof mem, &mem), CL_INVALID_KERNEL);
    CODE(clEnqueueNDRangeKernel(s.queue, NO(cl_kernel), 1, NULL, &g, &l, 0, NULL, NULL), CL_INVALID_KERNEL);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &limit, &l, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 2, NULL, (size_t[]){64, 0}, NULL, 0, NULL, NULL),
         CL_INVALID_GLOBAL_WORK_SIZE);
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, (size_t[]){below + 1}, &g, &l, 0, NULL, NULL),
         CL_INVALID_GLOBAL_OFFSET);
    GOOD(clEnqueueNDRangeKernel(s.queue, good, 1, &below, &g, &l, 0, NULL, NULL));
    CODE(clEnqueueTask(s.queue, good, 1, &gone_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CODE(clCreateKernelsInProgram(gone_program, 1, k, NULL), CL_INVALID_PROGRAM);
    CODE(clGetKernelWorkGroupInfo(good, NO_DEVICE, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL), CL_INVALID_DEVICE);
    CODE(clGetKernelArgInfo(gone_kernel, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL), CL_INVALID_KERNEL);
    size_t group = 0;
    cl_ulong room = 0;
    GOOD(clGetKernelWorkGroupInfo(good, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof room, &room, NULL));
    GOOD(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &group, &group, 0, NULL,
                                NULL)); /* as large as may be, and larger */
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, (size_t[]){group + 1}, (size_t[]){group + 1}, 0, NULL, NULL),
         CL_INVALID_WORK_ITEM_SIZE);
    GOOD(clEnqueueNDRangeKernel(s.queue, good, 2, NULL, (size_t[]){group, 2}, (size_t[]){group / 2, 2}, 0, NULL, NULL));
    CODE(clEnqueueNDRangeKernel(s.queue, good, 2, NULL, (size_t[]){group, 4}, (size_t[]){group / 2, 4}, 0, NULL, NULL),
         CL_INVALID_WORK_GROUP_SIZE);
    GOOD(clSetKernelArg(good, 2, room, NULL));
    GOOD(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 0, NULL, NULL));
    GOOD(clSetKernelArg(good, 2, room + 1, NULL));
    CODE(clEnqueueNDRangeKernel(s.queue, good, 1, NULL, &g, &l, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    GOOD(clSetKernelArg(good, 2, 4, NULL));
    GOOD(clFinish(s.queue));
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
    CODE(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
    CODE(clWaitForEvents(2, (const cl_event[]){user, gone_event}), CL_INVALID_EVENT);
    CODE(clWaitForEvents(1, (const cl_event[]){(cl_event)s.queue}), CL_INVALID_EVENT);
    CODE(clGetEventProfilingInfo(gone_event, CL_PROFILING_COMMAND_END, 8, bytes, NULL), CL_INVALID_EVENT);
    CODE(clSetEventCallback(gone_event, CL_COMPLETE, (void(CL_CALLBACK *)(cl_event, cl_int, void *))(uintptr_t)1, NULL),
         CL_INVALID_EVENT);
    for (cl_int type = -1; type <= CL_QUEUED; type += CL_QUEUED + 1) /* none of SUBMITTED, RUNNING, COMPLETE */
        CODE(clSetEventCallback(user, type, (void(CL_CALLBACK *)(cl_event, cl_int, void *))(uintptr_t)1, NULL),
             CL_INVALID_VALUE);
    CODE(clSetUserEventStatus(user, CL_QUEUED), CL_INVALID_VALUE);
    CODE(clSetUserEventStatus((cl_event)s.queue, 0), CL_INVALID_EVENT);
    CODE(clEnqueueMarker(NO(cl_command_queue), &ev), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueMarker(gone_queue, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueWaitForEvents(gone_queue, 1, &user), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueWaitForEvents(s.queue, 1, NULL), CL_INVALID_VALUE);
    CODE(clEnqueueWaitForEvents(s.queue, 0, &user), CL_INVALID_VALUE);
    CODE(clEnqueueBarrierWithWaitList(gone_queue, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
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

/* Nobody has to ask for the code. */
static void without_code(void)
{
    const char *text = source, *names = "x";
    const unsigned char *garbage = (const unsigned char *)"no image";
    const size_t n = 8;
    const cl_buffer_region fits = {0, 8};
    OK(!clCreateContext(NULL, 0, NULL, NULL, NULL, NULL) && !clCreateContextFromType(NULL, 0, NULL, NULL, NULL));
    OK(!clCreateCommandQueue(s.context, NO_DEVICE, 0, NULL) && !clCreateBuffer(s.context, 0, 0, NULL, NULL));
    OK(!clCreateSubBuffer(mem, 0, 0, &fits, NULL) && !clCreateUserEvent(gone_context, NULL));
    OK(!clCreateProgramWithSource(s.context, 0, &text, NULL, NULL) && !clCreateKernel(program, "none", NULL));
    OK(!clCreateProgramWithBinary(s.context, 1, &s.device, &n, &garbage, NULL, NULL));
    OK(!clCreateProgramWithBuiltInKernels(s.context, 1, &s.device, names, NULL));
    OK(!clLinkProgram(s.context, 0, NULL, "", 1, &program, NULL, NULL, NULL));
    OK(!clEnqueueMapBuffer(s.queue, mem, CL_TRUE, 0, 0, 8, 0, NULL, NULL, NULL));
    cl_context c = clCreateContext(NULL, 1, &s.device, NULL, NULL, NULL);
    GOOD(clReleaseContext(c));
    c = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, NULL);
    GOOD(clReleaseContext(c));
    GOOD(clReleaseCommandQueue(clCreateCommandQueue(s.context, s.device, 0, NULL)));
    cl_mem m = clCreateBuffer(s.context, 0, 8, NULL, NULL),
           part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &fits, NULL);
    void *p = clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 0, 8, 0, NULL, NULL, NULL);
    GOOD(clEnqueueUnmapMemObject(s.queue, m, p, 0, NULL, NULL));
    GOOD(clReleaseMemObject(part));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseEvent(clCreateUserEvent(s.context, NULL)));
    GOOD(clReleaseProgram(clCreateProgramWithSource(s.context, 1, &text, NULL, NULL)));
    GOOD(clReleaseKernel(clCreateKernel(program, "k", NULL)));
    size_t length = 0;
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL));
    unsigned char *binary = malloc(length);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program b =
        clCreateProgramWithBinary(s.context, 1, &s.device, &length, (const unsigned char **)&binary, NULL, NULL);
    GOOD(clBuildProgram(b, 1, &s.device, NULL, NULL, NULL));
    GOOD(clReleaseProgram(b));
    free(binary);
}

/* Lists with one wrong entry, wherever it is. */
static void lists(void)
{
    for (int at = 0; at < 2; at++) {
        cl_device_id devices[] = {s.device, s.device};
        cl_event waits[] = {user, user};
        cl_mem mems[] = {mem, mem};
        cl_program headers[] = {header, header};
        const char *text[] = {source, source}, *names[] = {"x.h", "y.h"};
        devices[at] = NO_DEVICE;
        waits[at] = gone_event;
        mems[at] = gone_mem;
        headers[at] = gone_program;
        text[at] = NULL;
        NONE(clCreateContext(NULL, 2, devices, NULL, NULL, &e), CL_INVALID_DEVICE);
        CODE(clBuildProgram(header, 2, devices, NULL, NULL, NULL), CL_INVALID_DEVICE);
        NONE(clLinkProgram(s.context, 2, devices, "", 1, &program, NULL, NULL, &e), CL_INVALID_DEVICE);
        NONE(clCreateProgramWithBuiltInKernels(s.context, 2, devices, "x", &e), CL_INVALID_DEVICE);
        CODE(clWaitForEvents(2, waits), CL_INVALID_EVENT);
        CODE(clEnqueueWaitForEvents(s.queue, 2, waits), CL_INVALID_EVENT);
        CODE(clEnqueueMarkerWithWaitList(s.queue, 2, waits, NULL), CL_INVALID_EVENT_WAIT_LIST);
        CODE(clEnqueueMigrateMemObjects(s.queue, 2, mems, 0, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
        CODE(clCompileProgram(header, 0, NULL, NULL, 2, headers, names, NULL, NULL), CL_INVALID_PROGRAM);
        names[at] = NULL;
        headers[at] = header;
        CODE(clCompileProgram(header, 0, NULL, NULL, 2, headers, names, NULL, NULL), CL_INVALID_VALUE);
        NONE(clCreateProgramWithSource(s.context, 2, text, NULL, &e), CL_INVALID_VALUE);
    }
}

/* A text that is asked for has its end, which counts. */
#define TEXT(query, ...)                                                                                               \
    do {                                                                                                               \
        size_t n = 0;                                                                                                  \
        memset(bytes, 'x', sizeof bytes);                                                                              \
        GOOD(query(__VA_ARGS__, sizeof bytes, bytes, &n));                                                             \
        OK(n && n < sizeof bytes && strnlen(bytes, sizeof bytes) == n - 1);                                            \
        GOOD(query(__VA_ARGS__, n, bytes, NULL));                                                                      \
        CODE(query(__VA_ARGS__, n - 1, bytes, NULL), CL_INVALID_VALUE);                                                \
    } while (0)

static void texts(void)
{
    static const cl_device_info of_device[] = {
        CL_DEVICE_NAME,    CL_DEVICE_VENDOR,           CL_DRIVER_VERSION,          CL_DEVICE_PROFILE,
        CL_DEVICE_VERSION, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_BUILT_IN_KERNELS, CL_DEVICE_EXTENSIONS};
    static const cl_platform_info of_platform[] = {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME,
                                                   CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS};
    for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
        TEXT(clGetDeviceInfo, s.device, of_device[i]);
    for (size_t i = 0; i < sizeof of_platform / sizeof *of_platform; i++)
        TEXT(clGetPlatformInfo, s.platform, of_platform[i]);
    TEXT(clGetProgramInfo, program, CL_PROGRAM_SOURCE);
    OK(!strcmp(bytes, source));
    TEXT(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES);
    OK(!strcmp(bytes, "k"));
    TEXT(clGetProgramBuildInfo, program, s.device, CL_PROGRAM_BUILD_OPTIONS);
    TEXT(clGetProgramBuildInfo, program, s.device, CL_PROGRAM_BUILD_LOG);
    TEXT(clGetKernelInfo, good, CL_KERNEL_FUNCTION_NAME);
    OK(!strcmp(bytes, "k"));
    TEXT(clGetKernelInfo, good, CL_KERNEL_ATTRIBUTES);
    TEXT(clGetKernelArgInfo, good, 3, CL_KERNEL_ARG_NAME);
    OK(!strcmp(bytes, "f"));
    TEXT(clGetKernelArgInfo, good, 3, CL_KERNEL_ARG_TYPE_NAME);
    OK(!strcmp(bytes, "float4"));
}

/* The log has a line for each refusal: the function, the code by its name, and a reason. */
static void logged(void)
{
    static const char *const lines[] = {
        "clGetDeviceIDs: CL_DEVICE_NOT_FOUND: the device is a GPU",
        "clCreateContext: CL_INVALID_PROPERTY: context property 0x9999",
        "clFlush: CL_INVALID_COMMAND_QUEUE: this is no command queue",
        "clRetainEvent: CL_INVALID_EVENT: this is no event, or one that was released",
        "clCreateBuffer: CL_INVALID_BUFFER_SIZE: 0 bytes: from 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE, ",
        "clCreateSubBuffer: CL_MISALIGNED_SUB_BUFFER_OFFSET: origin 4 is no multiple of 128",
        "clEnqueueCopyBuffer: CL_MEM_COPY_OVERLAP: source and destination overlap",
        "clCreateKernel: CL_INVALID_PROGRAM_EXECUTABLE: ",
        "clSetKernelArg: CL_INVALID_ARG_SIZE: argument 3 (float4 f) has 16 bytes, not 12",
        "clEnqueueNDRangeKernel: CL_INVALID_WORK_ITEM_SIZE: ",
        "clEnqueueNativeKernel: CL_INVALID_OPERATION: ",
        "clCreateImage: CL_INVALID_OPERATION: ",
    };
    const char *path = getenv("VELLUM_LOG");
    FILE *f = path ? fopen(path, "r") : NULL;
    static char text[1 << 20];
    const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = 0;
    for (size_t i = 0; f && i < sizeof lines / sizeof *lines; i++) {
        OK(strstr(text, lines[i]) != NULL);
        if (!strstr(text, lines[i]))
            printf("no line '%s'\n", lines[i]);
    }
    OK(!strstr(text, "unknown code") && !strstr(text, "CL_SUCCESS"));
    if (f)
        fclose(f);
}

int main(void)
{
    prepare();
    platform_and_device();
    contexts_and_queues();
    buffers();
    transfers();
    queues_and_buffers();
    mappings();
    programs();
    kernels();
    events();
    absent();
    texts();
    lists();
    without_code();
    logged();

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
