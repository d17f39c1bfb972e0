/* Threads that call at once: queues of one context, objects that are shared, contexts that come and go. */
#include "check.h"

#include <pthread.h>

static const char source[] = "__kernel void add(__global int *x, int v) { x[get_global_id(0)] += v; }\n";
enum { THREADS = 4, ROUNDS = 6, N = 64 };
static setup shared;
static cl_program program;
static cl_mem common;
static bool right[THREADS];

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
    GOOD(clReleaseMemObject(common));
    GOOD(clReleaseProgram(program));
    end(&shared);
    return verdict();
}
