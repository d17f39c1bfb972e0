/* Threads that call at once: queues of one context, objects that are shared, contexts that come and go. */
#include "check.h"

#include <pthread.h>

static const char source[] = "__kernel void add(__global int *x, int v) { x[get_global_id(0)] += v; }\n";
enum { THREADS = 4, ROUNDS = 6, N = 64 };
static setup shared;
static cl_program program;
static cl_mem common;
static bool right[THREADS];

static _Atomic int called;

static void CL_CALLBACK at_event(cl_event e, cl_int status, void *user)
{
    (void)e, (void)status, (void)user;
    called++;
}

static void CL_CALLBACK at_end(cl_mem m, void *user)
{
    (void)m, (void)user;
    called++;
}

/* All threads ask, map and retain the shared buffer while its commands run. */
static bool use_common(cl_command_queue queue, cl_event ended)
{
    cl_int e, status;
    cl_uint n;
    cl_ulong time;
    bool ok = !clSetMemObjectDestructorCallback(common, at_end, NULL);
    cl_event mapped;
    void *p = clEnqueueMapBuffer(queue, common, CL_FALSE, CL_MAP_READ, 0, 4, 0, NULL, &mapped, &e);
    ok &= p && !e && !clSetEventCallback(mapped, CL_COMPLETE, at_event, NULL);
    ok &= !clGetEventInfo(mapped, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    ok &= !clGetMemObjectInfo(common, CL_MEM_MAP_COUNT, sizeof n, &n, NULL) && n > 0;
    ok &= !clWaitForEvents(1, &mapped) && !clEnqueueUnmapMemObject(queue, common, p, 0, NULL, NULL);
    ok &= !clGetMemObjectInfo(common, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL) && n > 0;
    ok &= !clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    e = clGetEventProfilingInfo(ended, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL);
    ok &= e == CL_PROFILING_INFO_NOT_AVAILABLE;
    ok &= clReleaseKernel((cl_kernel)queue) == CL_INVALID_KERNEL; /* a line of the log */
    ok &= !clFinish(queue) && !clReleaseEvent(mapped);
    return ok;
}

static void *work(void *argument)
{
    const int me = (int)(intptr_t)argument;
    bool ok = true;
    cl_int e, x[N], zero = 0;
    for (int round = 0; round < ROUNDS; round++) {
        setup s = shared;
        const bool own = me == 0; /* a context of its own, each time anew */
        if (own)
            s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &e);
        s.queue = clCreateCommandQueue(s.context, s.device, round & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &e);
        cl_mem m = clCreateBuffer(s.context, 0, sizeof x, NULL, &e);
        cl_event ev[4] = {0};
        ok &= !clEnqueueFillBuffer(s.queue, m, &zero, sizeof zero, 0, sizeof x, 0, NULL, &ev[0]);
        if (!own) {
            cl_kernel k = clCreateKernel(program, "add", &e);
            const size_t global = N;
            for (int i = 1; i < 4; i++) {
                const cl_int value = me * 100 + i;
                ok &= !clSetKernelArg(k, 0, sizeof m, &m) && !clSetKernelArg(k, 1, sizeof value, &value);
                ok &= !clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &global, NULL, 1, &ev[i - 1], &ev[i]);
            }
            ok &= use_common(s.queue, ev[3]);
            ok &= !clRetainMemObject(common) && !clReleaseMemObject(common);
            ok &= !clReleaseKernel(k);
        }
        ok &= !clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof x, x, 1, &ev[own ? 0 : 3], NULL);
        for (int i = 0; i < N; i++)
            ok &= x[i] == (own ? 0 : 300 * me + 6);
        for (int i = 0; i < 4; i++)
            ok &= !ev[i] || !clReleaseEvent(ev[i]);
        ok &= !clReleaseMemObject(m) && !clReleaseCommandQueue(s.queue);
        if (own)
            ok &= !clReleaseContext(s.context);
    }
    right[me] = ok;
    return NULL;
}

/* Programs come and go: each kernel that runs is the one of its own program, also where its image lies in the place of another. */
static void in_turn(void)
{
    static const char *const texts[] = {"__kernel void k(__global int *x) { *x = 1; }",
                                        "__kernel void k(__global int *x) { *x = 2; }"};
    for (int i = 0; i < 8; i++) {
        cl_int x = 0;
        cl_program p = build(&shared, texts[i % 2], "");
        cl_kernel k = kernel(p, "k");
        GOOD(clSetKernelArg(k, 0, sizeof common, &common));
        GOOD(clEnqueueTask(shared.queue, k, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(shared.queue, common, CL_TRUE, 0, sizeof x, &x, 0, NULL, NULL));
        CODE(x, 1 + i % 2);
        GOOD(clReleaseKernel(k));
        GOOD(clReleaseProgram(p));
    }
}

int main(void)
{
    pthread_t t[THREADS];
    shared = begin(0);
    program = build(&shared, source, "");
    common = buffer(&shared, 0, 4, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        OK(right[i]);
    in_turn();
    GOOD(clReleaseMemObject(common));
    OK(called == 2 * (THREADS - 1) * ROUNDS);
    GOOD(clReleaseProgram(program));
    end(&shared);
    return verdict();
}
