/* Order: wait lists, user events, callbacks, markers and barriers of in-order and out-of-order queues, profiling, failing events. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

static const char source[] =
    "__kernel void add(__global int *x, int v) { x[get_global_id(0)] = x[get_global_id(0)] * 3 + v; }\n";

static cl_int status_of(cl_event e)
{
    cl_int status = 77;
    GOOD(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_ulong time_of(cl_event e, cl_profiling_info which)
{
    cl_ulong t = 0;
    GOOD(clGetEventProfilingInfo(e, which, sizeof t, &t, NULL));
    return t;
}

static void launch(const setup *s, cl_kernel k, cl_int value, cl_uint n, const cl_event *waits, cl_event *event)
{
    const size_t global = 64;
    GOOD(clSetKernelArg(k, 1, sizeof value, &value)); /* an enqueued kernel keeps its argument */
    GOOD(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &global, NULL, n, waits, event));
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls, codes[16];

static void CL_CALLBACK on_event(cl_event e, cl_int status, void *user)
{
    (void)e;
    pthread_mutex_lock(&mutex);
    codes[*(int *)user] = status;
    calls++;
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&mutex);
}

static int sequence[16];
static void CL_CALLBACK in_sequence(cl_event e, cl_int status, void *user)
{
    sequence[calls] = *(int *)user;
    on_event(e, status, user);
}

static void wait_calls(int n)
{
    pthread_mutex_lock(&mutex);
    while (calls < n)
        pthread_cond_wait(&called, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void in_order(cl_kernel k, cl_mem m, const setup *s)
{
    cl_event ev[4];
    cl_int e, x[64] = {0};
    const int zero = 0;
    GOOD(clEnqueueFillBuffer(s->queue, m, &zero, sizeof zero, 0, sizeof x, 0, NULL, NULL));
    cl_event gate = clCreateUserEvent(s->context, &e);
    GOOD(e);
    launch(s, k, 1, 1, &gate, &ev[0]);
    launch(s, k, 2, 0, NULL, &ev[1]);
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_FALSE, 0, sizeof x, x, 0, NULL, &ev[2]));
    usleep(20000);
    OK(status_of(ev[0]) > CL_COMPLETE && status_of(ev[1]) > CL_COMPLETE && status_of(ev[2]) > CL_COMPLETE);
    CODE(clGetEventProfilingInfo(ev[0], CL_PROFILING_COMMAND_END, 8, &(cl_ulong){0}, NULL),
         CL_PROFILING_INFO_NOT_AVAILABLE);
    static int which[4] = {0, 1, 2, 3};
    GOOD(clSetEventCallback(ev[2], CL_COMPLETE, on_event, &which[0]));
    GOOD(clSetEventCallback(ev[0], CL_RUNNING, on_event, &which[1]));
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    CODE(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    GOOD(clWaitForEvents(3, ev));
    OK(x[0] == 5 && x[63] == 5);
    wait_calls(2);
    GOOD(clSetEventCallback(ev[2], CL_COMPLETE, on_event, &which[2])); /* it is complete: at once */
    wait_calls(3);
    OK(codes[0] == CL_COMPLETE && codes[1] == CL_RUNNING && codes[2] == CL_COMPLETE);
    GOOD(clSetEventCallback(ev[2], CL_SUBMITTED, on_event, &which[2])); /* and gets the status that it asked for */
    wait_calls(4);
    CODE(codes[2], CL_SUBMITTED);
    GOOD(clSetEventCallback(ev[2], CL_RUNNING, on_event, &which[3]));
    wait_calls(5);
    CODE(codes[3], CL_RUNNING);
    const bool timed = !getenv("VELLUM_MEMORY"); /* memory that is shared is read in no time */
    cl_ulong before = 0;
    for (int i = 0; i < 3; i++) {
        const cl_ulong q = time_of(ev[i], CL_PROFILING_COMMAND_QUEUED), u = time_of(ev[i], CL_PROFILING_COMMAND_SUBMIT),
                       b = time_of(ev[i], CL_PROFILING_COMMAND_START), d = time_of(ev[i], CL_PROFILING_COMMAND_END);
        OK(q <= u && u <= b && before <= b && (timed ? b < d : b <= d));
        before = d;
    }
    for (int i = 0; i < 3; i++)
        GOOD(clReleaseEvent(ev[i]));
    GOOD(clReleaseEvent(gate));
}

/* A failing event fails the commands that wait for it, and those that wait for these; nothing of them is done. */
static void failures(cl_kernel k, cl_mem m, const setup *s)
{
    cl_int e, x[64], y[64];
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    cl_event gate = clCreateUserEvent(s->context, &e), ev[2];
    GOOD(e);
    launch(s, k, 9, 1, &gate, &ev[0]);
    GOOD(clEnqueueMarkerWithWaitList(s->queue, 1, &ev[0], &ev[1]));
    static int which[] = {4, 5};
    calls = 0;
    GOOD(clSetEventCallback(ev[0], CL_COMPLETE, on_event, &which[0]));
    GOOD(clSetEventCallback(ev[0], CL_RUNNING, on_event, &which[1])); /* it never runs */
    GOOD(clSetUserEventStatus(gate, -42));
    CODE(clWaitForEvents(2, ev), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CODE(status_of(gate), -42);
    CODE(status_of(ev[0]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CODE(status_of(ev[1]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    wait_calls(2);
    CODE(codes[4], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CODE(codes[5], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CODE(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof y, y, 1, &gate, NULL),
         CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    GOOD(clFinish(s->queue)); /* nothing went wrong on the device */
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL));
    OK(!memcmp(x, y, sizeof x));
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseEvent(ev[0]));
    GOOD(clReleaseEvent(ev[1]));
}

/* Functions of one event in the order in which they were given, those of earlier commands first. */
static void called_in_order(const setup *s)
{
    static int place[12];
    cl_event gate, ev[3];
    cl_int e;
    gate = clCreateUserEvent(s->context, &e);
    GOOD(e);
    calls = 0;
    for (int i = 0; i < 3; i++)
        GOOD(clEnqueueMarkerWithWaitList(s->queue, 1, i ? &ev[i - 1] : &gate, &ev[i]));
    for (int i = 0; i < 12; i++) {
        place[i] = i;
        sequence[i] = -1;
        GOOD(clSetEventCallback(ev[i % 3], CL_COMPLETE, in_sequence, &place[i % 3 * 4 + i / 3]));
    }
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(s->queue));
    wait_calls(12);
    for (int i = 0; i < 12; i++)
        CODE(sequence[i], i);
    for (int i = 0; i < 3; i++)
        GOOD(clReleaseEvent(ev[i]));
    GOOD(clReleaseEvent(gate));
}

/* A barrier, or a queue in order that waits, holds back no other queue; nothing is known of times before a command is complete. */
static void other_queues(const setup *s)
{
    cl_int e, x[16] = {0};
    cl_event ev[3];
    cl_mem m = buffer(s, 0, sizeof x, NULL);
    for (int k = 0; k < 2; k++) {
        cl_event gate = clCreateUserEvent(s->context, &e);
        GOOD(e);
        cl_command_queue q = clCreateCommandQueue(
            s->context, s->device, CL_QUEUE_PROFILING_ENABLE | (k ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0), &e);
        GOOD(e);
        GOOD(clEnqueueBarrierWithWaitList(q, k ? 1 : 0, k ? &gate : NULL, &ev[0]));
        GOOD(clEnqueueMarkerWithWaitList(q, 1, &gate, &ev[1]));
        GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, &ev[2]));
        GOOD(clFinish(s->queue));
        CODE(status_of(ev[2]), CL_COMPLETE);
        for (cl_profiling_info i = CL_PROFILING_COMMAND_QUEUED; i <= CL_PROFILING_COMMAND_END; i++)
            CODE(clGetEventProfilingInfo(ev[1], i, 8, &(cl_ulong){0}, NULL), CL_PROFILING_INFO_NOT_AVAILABLE);
        OK(status_of(ev[1]) > CL_COMPLETE);
        GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
        GOOD(clReleaseEvent(gate));
        GOOD(clFinish(q));
        GOOD(clReleaseEvent(ev[0]));
        GOOD(clReleaseEvent(ev[1]));
        GOOD(clReleaseEvent(ev[2]));
        GOOD(clReleaseCommandQueue(q));
    }
    GOOD(clReleaseMemObject(m));
}

/* Commands of all kinds, which wait for the gate: their number. */
static int enqueue_all(const setup *s, cl_kernel k, const cl_mem m[2], cl_int *x, cl_event gate, cl_event *ev)
{
    const size_t zeros[3] = {0}, region[3] = {16, 2, 1};
    cl_int e, one = 1;
    int n = 0;
    launch(s, k, 9, 1, &gate, &ev[n++]);
    GOOD(clEnqueueTask(s->queue, k, 1, &gate, &ev[n++]));
    GOOD(clEnqueueReadBuffer(s->queue, m[0], CL_FALSE, 0, 64, x, 1, &gate, &ev[n++]));
    GOOD(clEnqueueWriteBuffer(s->queue, m[0], CL_FALSE, 0, 64, x, 1, &gate, &ev[n++]));
    GOOD(clEnqueueFillBuffer(s->queue, m[0], &one, sizeof one, 0, 64, 1, &gate, &ev[n++]));
    GOOD(clEnqueueCopyBuffer(s->queue, m[0], m[1], 0, 0, 64, 1, &gate, &ev[n++]));
    GOOD(clEnqueueReadBufferRect(s->queue, m[0], CL_FALSE, zeros, zeros, region, 0, 0, 0, 0, x, 1, &gate, &ev[n++]));
    GOOD(clEnqueueCopyBufferRect(s->queue, m[0], m[1], zeros, zeros, region, 0, 0, 0, 0, 1, &gate, &ev[n++]));
    GOOD(clEnqueueMigrateMemObjects(s->queue, 1, m, 0, 1, &gate, &ev[n++]));
    void *p = clEnqueueMapBuffer(s->queue, m[0], CL_FALSE, CL_MAP_WRITE, 0, 64, 1, &gate, &ev[n++], &e);
    GOOD(e);
    GOOD(clEnqueueUnmapMemObject(s->queue, m[0], p, 1, &gate, &ev[n++]));
    GOOD(clEnqueueMarkerWithWaitList(s->queue, 1, &gate, &ev[n++]));
    GOOD(clEnqueueBarrierWithWaitList(s->queue, 1, &gate, &ev[n++]));
    return n;
}

/* A program gives an event an error: that is no failure of the device, whatever waits for the event, directly, through another event or in a blocking call. */
static void abandoned(cl_kernel k, const setup *s, cl_int status)
{
    const cl_int code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    cl_int e, x[16] = {0};
    static int order[16];
    cl_event ev[16], gate = clCreateUserEvent(s->context, &e), behind;
    GOOD(e);
    const cl_mem m[2] = {buffer(s, 0, 256, NULL), buffer(s, 0, 256, NULL)};
    GOOD(clSetKernelArg(k, 0, sizeof *m, m));
    calls = 0;
    const int n = enqueue_all(s, k, m, x, gate, ev);
    for (int i = 0; i < n; i++) {
        order[i] = i;
        codes[i] = 0;
        GOOD(clSetEventCallback(ev[i], CL_COMPLETE, on_event, &order[i]));
    }
    GOOD(clEnqueueMarkerWithWaitList(s->queue, 1, &ev[0], &behind));
    GOOD(clSetUserEventStatus(gate, status));
    GOOD(clFinish(s->queue));
    CODE(clWaitForEvents((cl_uint)n, ev), code);
    CODE(clWaitForEvents(1, &gate), code);
    CODE(status_of(behind), code);
    wait_calls(n);
    for (int i = 0; i < n; i++) {
        CODE(status_of(ev[i]), code);
        CODE(codes[i], code);
        CODE(clGetEventProfilingInfo(ev[i], CL_PROFILING_COMMAND_END, 8, &(cl_ulong){0}, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
        GOOD(clReleaseEvent(ev[i]));
    }
    CODE(clEnqueueReadBuffer(s->queue, m[0], CL_TRUE, 0, 64, x, 1, &behind, NULL), code);
    CODE(clEnqueueWriteBuffer(s->queue, m[0], CL_TRUE, 0, 64, x, 1, &gate, NULL), code);
    OK(!clEnqueueMapBuffer(s->queue, m[0], CL_TRUE, CL_MAP_READ, 0, 64, 1, &gate, NULL, &e) && e == code);
    GOOD(clFinish(s->queue));
    GOOD(clEnqueueReadBuffer(s->queue, m[0], CL_TRUE, 0, 64, x, 0, NULL, NULL)); /* the queue goes on */
    GOOD(clFinish(s->queue));
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseEvent(behind));
    GOOD(clReleaseMemObject(m[0]));
    GOOD(clReleaseMemObject(m[1]));
}

static void out_of_order(cl_kernel k, cl_mem m, const setup *s)
{
    cl_int e, x[64], y[64] = {0};
    const int one = 1, two = 2;
    cl_event gate = clCreateUserEvent(s->context, &e), ev[6];
    GOOD(e);
    GOOD(clEnqueueFillBuffer(s->queue, m, &one, sizeof one, 0, sizeof x, 1, &gate, &ev[0])); /* waits for the gate */
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL)); /* does not wait for it */
    OK(status_of(ev[0]) > CL_COMPLETE);
    GOOD(clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &ev[1])); /* waits for all before it */
    GOOD(clEnqueueBarrierWithWaitList(s->queue, 0, NULL, &ev[2])); /* and all behind it wait for this */
    launch(s, k, 1, 0, NULL, &ev[3]);
    usleep(20000);
    OK(status_of(ev[1]) > CL_COMPLETE && status_of(ev[2]) > CL_COMPLETE && status_of(ev[3]) > CL_COMPLETE);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clWaitForEvents(1, &ev[3]));
    OK(status_of(ev[0]) == CL_COMPLETE && status_of(ev[1]) == CL_COMPLETE);
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL));
    OK(y[0] == 4 && y[63] == 4);
    GOOD(clReleaseEvent(gate));
    gate = clCreateUserEvent(s->context, &e);
    GOOD(clEnqueueWaitForEvents(s->queue, 1, &gate));
    GOOD(clEnqueueFillBuffer(s->queue, m, &two, sizeof two, 0, sizeof x, 0, NULL, &ev[4]));
    GOOD(clEnqueueMarker(s->queue, &ev[5]));
    usleep(20000);
    OK(status_of(ev[4]) > CL_COMPLETE);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clEnqueueBarrier(s->queue));
    GOOD(clFinish(s->queue));
    OK(status_of(ev[4]) == CL_COMPLETE && status_of(ev[5]) == CL_COMPLETE);
    for (int i = 0; i < 6; i++)
        GOOD(clReleaseEvent(ev[i]));
    GOOD(clReleaseEvent(gate));
}

int main(void)
{
    setup s = begin(CL_QUEUE_PROFILING_ENABLE), o = s;
    cl_int e;
    cl_program p = build(&s, source, "");
    cl_kernel k = kernel(p, "add");
    cl_mem m = buffer(&s, 0, 64 * sizeof(cl_int), NULL);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    in_order(k, m, &s);
    failures(k, m, &s);
    o.queue = clCreateCommandQueue(s.context, s.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    GOOD(e);
    out_of_order(k, m, &o);
    called_in_order(&s);
    other_queues(&s);
    abandoned(k, &s, -1);
    abandoned(k, &o, -2147483647 - 1);
    GOOD(clReleaseCommandQueue(o.queue));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseMemObject(m));
    end(&s);
    return verdict();
}
