/* Each allocation of the driver and of its library fails once, in turn, and so does each start of a thread. The call that needed it returns the documented code, the
 * same call works when there is memory again, every result is right, and in the end nothing is left. The driver is linked in (test.mk), so that it can be done.
 * With VELLUM_REGRESS all fail, else each eleventh; with failures=STAGE in the environment all of that stage of the program, or of the `first` use. */
#define FAILING_HERE
#include "verif/common/failing.h"

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#undef OK
#define OK(x) check((x), __FILE__, __LINE__, at_failure(#x))

enum { ITEMS = 64, BYTES = ITEMS * 4, PATIENCE = 200 };

char *__real_strdup(const char *text);
int __real_posix_memalign(void **to, size_t align, size_t bytes);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *user);
char *__wrap_strdup(const char *text);
int __wrap_asprintf(char **to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_posix_memalign(void **to, size_t align, size_t bytes);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *user);
char *__wrap_strdup(const char *text)
{
    return failing_now() ? NULL : __real_strdup(text);
}
int __wrap_asprintf(char **to, const char *format, ...)
{
    if (failing_now())
        return -1;
    va_list list;
    va_start(list, format);
    const int n = vasprintf(to, format, list);
    va_end(list);
    return n;
}
int __wrap_posix_memalign(void **to, size_t align, size_t bytes)
{
    return failing_now() ? ENOMEM : __real_posix_memalign(to, align, bytes);
}
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *user)
{
    return failing_now() ? EAGAIN : __real_pthread_create(t, a, f, user);
}

static uint64_t turn; /* which allocation fails */

static const char *at_failure(const char *text)
{
    static char line[300];
    snprintf(line, sizeof line, "%s (failure %llu)", text, (unsigned long long)turn);
    return line;
}

static uint64_t step(void)
{
    return getenv("VELLUM_REGRESS") || getenv("failures") ? 1 : 11;
}

static void stage(const char *name)
{
    const char *first = getenv("failures");
    if (!strcmp(name, first ? first : "context"))
        failing_from(turn);
    else if (first)
        failing_stop();
}

/* A call that may fail once, with this code. */
#define MAY(call, code)                                                                                                \
    do {                                                                                                               \
        cl_int is = (call);                                                                                            \
        if (is) {                                                                                                      \
            OK(failing_stop());                                                                                        \
            CODE(is, code);                                                                                            \
            GOOD(call);                                                                                                \
        }                                                                                                              \
    } while (0)
#define TRY(call) MAY(call, CL_OUT_OF_HOST_MEMORY)
#define MAKE(x, ...) TRY(((x) = (__VA_ARGS__), e))

static const char kept[] = "__kernel void add(__global int *x, int v, __local int *l) { l[get_local_id(0)] = v;"
                           " x[get_global_id(0)] += l[get_local_id(0)]; }\n",
                  not_kept[] = "// __DATE__\n__kernel void one(__global int *x) { *x += 1; }\n"
                               "__kernel void two(__global int *x) { *x += 2; }\n",
                  part[] = "// __DATE__\n#include \"two.h\"\nint twice(int x) { return TWO * x; }\n",
                  rest[] = "// __DATE__\nint twice(int x); __kernel void dbl(__global int *x) { *x = twice(*x); }\n";

static cl_program source(cl_context c, const char *text)
{
    cl_int e;
    cl_program p;
    MAKE(p, clCreateProgramWithSource(c, 1, &text, NULL, &e));
    return p;
}

static cl_kernel of(cl_program p, const char *name)
{
    cl_int e;
    cl_kernel k;
    MAKE(k, clCreateKernel(p, name, &e));
    return k;
}

/* A kernel to its end: the code of its command. */
static cl_int run(cl_command_queue q, cl_kernel k, size_t items)
{
    cl_event ended;
    cl_int code = clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, &ended);
    if (code)
        return code;
    const cl_int waited = clWaitForEvents(1, &ended);
    GOOD(clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
    OK(waited == (code ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS));
    GOOD(clReleaseEvent(ended));
    CODE(clFinish(q), code ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
    return code;
}

static atomic_int called;
static void CL_CALLBACK at_event(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
    called++;
}
static void CL_CALLBACK at_end(cl_mem m, void *user)
{
    (void)m, (void)user;
    called++;
}
static void wait_called(int n)
{
    for (int i = 0; i < 5000 && called != n; i++)
        usleep(1000);
    OK(called == n);
}

static void programs(cl_context c, cl_program out[5])
{
    cl_int e;
    const char *name = "two.h";
    size_t bytes;
    cl_device_id device;
    GOOD(clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    out[0] = source(c, kept);
    TRY(clBuildProgram(out[0], 0, NULL, "-DX", NULL, NULL));
    TRY(clBuildProgram(out[0], 0, NULL, "", NULL, NULL));
    out[1] = source(c, not_kept);
    MAY(clBuildProgram(out[1], 0, NULL, "--none", NULL, NULL) == CL_OUT_OF_HOST_MEMORY ? CL_OUT_OF_HOST_MEMORY : 0,
        CL_OUT_OF_HOST_MEMORY);
    TRY(clBuildProgram(out[1], 0, NULL, "-DY=1", NULL, NULL));
    char options[16] = "";
    GOOD(clGetProgramBuildInfo(out[1], device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
    OK(!strcmp(options, "-DY=1"));
    char names[16] = "";
    TRY(clGetProgramInfo(out[1], CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    OK(!strcmp(names, "one;two"));
    GOOD(clGetProgramInfo(out[1], CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    for (; !binary; binary = malloc(bytes))
        failing_stop();
    GOOD(clGetProgramInfo(out[1], CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    GOOD(clReleaseProgram(out[1]));
    MAKE(out[1], clCreateProgramWithBinary(c, 1, &device, &bytes, (const unsigned char **)&binary, NULL, &e));
    free(binary);
    TRY(clBuildProgram(out[1], 0, NULL, NULL, NULL, NULL));
    cl_program header = source(c, "#define TWO 2\n");
    out[2] = source(c, part);
    TRY(clCompileProgram(out[2], 0, NULL, "", 1, &header, &name, NULL, NULL));
    GOOD(clReleaseProgram(header));
    out[3] = source(c, rest);
    TRY(clCompileProgram(out[3], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    do { /* a failed link has a program, for its log */
        out[4] = clLinkProgram(c, 0, NULL, "", 2, out + 2, NULL, NULL, &e);
        if (e) {
            OK(failing_stop());
            CODE(e, CL_OUT_OF_HOST_MEMORY);
        }
        if (e && out[4])
            GOOD(clReleaseProgram(out[4]));
    } while (e == CL_OUT_OF_HOST_MEMORY);
}

static void buffers(cl_context c, cl_command_queue q)
{
    cl_int e, x[ITEMS] = {0}, y[ITEMS] = {7}, pattern = 5;
    const size_t origin[3] = {0}, region[3] = {4, 4, 1};
    cl_mem m, sub, other;
    called = 0;
    MAKE(m, clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, BYTES, x, &e));
    MAKE(sub, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){128, 128}, &e));
    MAKE(other, clCreateBuffer(c, 0, BYTES, NULL, &e));
    TRY(clSetMemObjectDestructorCallback(m, at_end, NULL));
    cl_event own, after;
    MAKE(own, clCreateUserEvent(c, &e));
    TRY(clSetEventCallback(own, CL_COMPLETE, at_event, NULL));
    TRY(clEnqueueMarkerWithWaitList(q, 1, &own, &after));
    TRY(clSetEventCallback(after, CL_COMPLETE, at_event, NULL));
    GOOD(clSetUserEventStatus(own, CL_COMPLETE));
    wait_called(2);
    GOOD(clReleaseEvent(own));
    GOOD(clReleaseEvent(after));
    TRY(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, BYTES, y, 0, NULL, NULL));
    cl_event ended;
#define WITH_END(...)                                                                                                  \
    do {                                                                                                               \
        cl_int code = 0;                                                                                               \
        TRY(__VA_ARGS__);                                                                                              \
        clWaitForEvents(1, &ended);                                                                                    \
        GOOD(clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));                      \
        GOOD(clReleaseEvent(ended));                                                                                   \
        CODE(clFinish(q), code ? CL_OUT_OF_RESOURCES : 0);                                                             \
        if (code) {                                                                                                    \
            OK(failing_stop());                                                                                        \
            CODE(code, CL_OUT_OF_HOST_MEMORY);                                                                         \
            GOOD(__VA_ARGS__);                                                                                         \
            GOOD(clWaitForEvents(1, &ended));                                                                          \
            GOOD(clReleaseEvent(ended));                                                                               \
        }                                                                                                              \
    } while (0)
    WITH_END(clEnqueueFillBuffer(q, sub, &pattern, 4, 0, 128, 0, NULL, &ended));
    WITH_END(clEnqueueCopyBuffer(q, m, other, 0, 0, BYTES, 0, NULL, &ended));
    WITH_END(clEnqueueCopyBufferRect(q, m, other, origin, origin, region, 16, 0, 16, 0, 0, NULL, &ended));
    cl_int *seen;
    MAY((seen = clEnqueueMapBuffer(q, other, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &e), e),
        e == CL_MAP_FAILURE ? CL_MAP_FAILURE : CL_OUT_OF_HOST_MEMORY);
    OK(seen && seen[0] == 7 && seen[1] == 0 && seen[31] == 0 && seen[32] == 5 && seen[63] == 5);
    seen[1] = 8;
    WITH_END(clEnqueueUnmapMemObject(q, other, seen, 0, NULL, &ended));
    TRY(clEnqueueReadBuffer(q, other, CL_TRUE, 0, BYTES, x, 0, NULL, NULL));
    OK(x[0] == 7 && x[1] == 8 && x[63] == 5);
    GOOD(clReleaseMemObject(sub));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseMemObject(other));
    wait_called(3);
}

static void kernels(cl_context c, cl_command_queue q, cl_program p[5])
{
    static const char *const names[] = {"add", "one", "two", "dbl"};
    cl_int e, x[ITEMS] = {3}, v = 10;
    cl_mem m;
    MAKE(m, clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, BYTES, x, &e));
    for (int i = 0; i < 4; i++) {
        cl_kernel k = of(p[i == 0 ? 0 : i == 3 ? 4 : 1], names[i]);
        TRY(clSetKernelArg(k, 0, sizeof m, &m));
        if (!i)
            TRY(clSetKernelArg(k, 1, sizeof v, &v));
        if (!i)
            TRY(clSetKernelArg(k, 2, BYTES, NULL));
        const cl_int first = run(q, k, i ? 1 : ITEMS);
        cl_int again = CL_SUCCESS;
        if (first) { /* it may have had its effect, or a part of it */
            OK(failing_stop());
            CODE(first, CL_OUT_OF_HOST_MEMORY);
            again = clEnqueueWriteBuffer(q, m, CL_TRUE, 0, BYTES, x, 0, NULL, NULL);
            again = again ? again : run(q, k, i ? 1 : ITEMS);
        }
        GOOD(clReleaseKernel(k));
        if (again == CL_OUT_OF_RESOURCES) { /* it stopped in the midst: the context's device has ended */
            GOOD(clReleaseMemObject(m));
            return;
        }
        CODE(again, CL_SUCCESS);
        TRY(clEnqueueReadBuffer(q, m, CL_TRUE, 0, BYTES, x, 0, NULL, NULL));
    }
    cl_kernel both[2];
    TRY(clCreateKernelsInProgram(p[1], 2, both, NULL));
    GOOD(clReleaseKernel(both[0]));
    GOOD(clReleaseKernel(both[1]));
    OK(x[0] == 32 && x[1] == 10 && x[63] == 10);
    GOOD(clReleaseMemObject(m));
}

static cl_context context(void)
{
    cl_int e;
    cl_context c;
    cl_platform_id platform;
    cl_device_id device;
    cl_uint units = 0;
    GOOD(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    TRY(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    OK(units > 0);
    char name[64] = "";
    TRY(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    OK(!strcmp(name, "Vellum opencl (ref)")); /* the settings were read */
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    MAKE(c, clCreateContext(list, 1, &device, NULL, NULL, &e));
    return c;
}

/* Every object refers to its context: if one is left, the context is left too. */
static void leave(cl_context c)
{
    cl_uint n;
    GOOD(clReleaseContext(c));
    int i = 0;
    while (i < 5000 && clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL) != CL_INVALID_CONTEXT && ++i)
        usleep(1000);
    OK(i < 5000);
}

/* The first use of the driver in a process, so in a child each. Whether something failed. */
static bool first_use(void)
{
    fflush(stdout);
    const pid_t child = fork();
    if (!child) {
        alarm(PATIENCE);
        passed = failed = 0;
        failing_from(turn);
        cl_context c = context();
        const bool was = failing_stop();
        leave(c);
        exit(failed ? 1 : was ? 2 : 0);
    }
    int status = 0;
    OK(waitpid(child, &status, 0) == child && WIFEXITED(status) && (WEXITSTATUS(status) == 2 || !WEXITSTATUS(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

int main(void)
{
    const char *only = getenv("failures");
    const bool first = only && !strcmp(only, "first");
    for (turn = 0; (first || !only) && !failed && first_use(); turn += step())
        ;
    printf("%llu allocations of a first use\n", (unsigned long long)turn);
    bool more = !failed && !first;
    for (turn = 0; more && !failed; turn += step()) {
        alarm(PATIENCE);
        cl_int e;
        cl_program p[5];
        cl_command_queue q;
        cl_device_id device;
        stage("context");
        cl_context c = context();
        GOOD(clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
        MAKE(q, clCreateCommandQueue(c, device, 0, &e));
        stage("programs");
        programs(c, p);
        stage("buffers");
        buffers(c, q);
        stage("kernels");
        kernels(c, q, p);
        for (int i = 0; i < 5; i++)
            GOOD(clReleaseProgram(p[i]));
        GOOD(clReleaseCommandQueue(q));
        more = failing_stop();
        leave(c);
    }
    printf("%llu allocations of a program\n", (unsigned long long)turn);
    return verdict();
}
