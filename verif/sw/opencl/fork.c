/* Children that are forked at several moments, with the parent idle, with a kernel running, with other threads calling, from a function that the driver calls. In each
 * a context of its own works, every handle of the parent is refused with the code of an invalid one, and it ends. The parent goes on as before. */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "__kernel void add(__global int *x, int v) { x[get_global_id(0)] += v; }\n"
                             "__kernel void slow(__global uint *x, int n) { uint a = x[0]; for (int i = 0; i < n; i++)"
                             " a = a * 1664525u + 1013904223u + (a >> 7); x[get_global_id(0)] = a; }\n";
enum { PATIENCE = 30 }; /* seconds until a child counts as hung */
static setup parent;
static cl_program program;
static cl_kernel add;
static cl_mem memory;
static cl_event ended;

/* With a kernel, too; the parent's program is not the child's, so it is built again. */
static void own_context(void)
{
    cl_int x[16] = {0}, five = 5;
    setup s = begin(0);
    cl_program p = build(&s, source, "");
    cl_kernel k = kernel(p, "add");
    cl_mem m = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof x, x);
    const size_t global = 16;
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(k, 1, sizeof five, &five));
    GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
    GOOD(clFinish(s.queue));
    GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    OK(x[0] == 5 && x[15] == 5);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    end(&s);
}

static void handles_of_the_parent(void)
{
    cl_int e, x = 0;
    const size_t one = 1;
    cl_event ev;
    CODE(clFinish(parent.queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clFlush(parent.queue), CL_INVALID_COMMAND_QUEUE);
    OK(!clCreateBuffer(parent.context, 0, 4, NULL, &e));
    CODE(e, CL_INVALID_CONTEXT);
    OK(!clCreateCommandQueue(parent.context, parent.device, 0, &e));
    CODE(e, CL_INVALID_CONTEXT);
    CODE(clEnqueueReadBuffer(parent.queue, memory, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CODE(clEnqueueNDRangeKernel(parent.queue, add, 1, NULL, &one, NULL, 0, NULL, &ev), CL_INVALID_COMMAND_QUEUE);
    CODE(clSetKernelArg(add, 1, sizeof x, &x), CL_INVALID_KERNEL);
    CODE(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_INVALID_PROGRAM);
    CODE(clWaitForEvents(1, &ended), CL_INVALID_EVENT);
    CODE(clReleaseEvent(ended), CL_INVALID_EVENT);
    CODE(clReleaseMemObject(memory), CL_INVALID_MEM_OBJECT);
    CODE(clReleaseKernel(add), CL_INVALID_KERNEL);
    CODE(clReleaseProgram(program), CL_INVALID_PROGRAM);
    CODE(clReleaseCommandQueue(parent.queue), CL_INVALID_COMMAND_QUEUE);
    CODE(clReleaseContext(parent.context), CL_INVALID_CONTEXT);
}

static void both(void)
{
    handles_of_the_parent();
    own_context();
    setup s = begin(0); /* objects of the two do not mix */
    cl_int e, x = 1;
    cl_program p = build(&s, source, "");
    cl_kernel k = kernel(p, "add");
    CODE(clSetKernelArg(k, 0, sizeof memory, &memory), CL_INVALID_MEM_OBJECT);
    cl_mem m = clCreateBuffer(s.context, 0, 4, NULL, &e);
    GOOD(e);
    CODE(clEnqueueWriteBuffer(s.queue, m, CL_TRUE, 0, 4, &x, 1, &ended, NULL), CL_INVALID_EVENT_WAIT_LIST);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    end(&s);
}

static void nothing(void)
{
}

/* The process ends while its kernel runs. */
static void leave(void)
{
    cl_uint x[64] = {0};
    cl_int very_many = 2000000000, status = CL_QUEUED;
    const size_t global = 64;
    cl_event ev;
    setenv("VELLUM_LOG", "/dev/null", 1); /* in which handles are that were never released */
    setup s = begin(0);
    cl_kernel k = kernel(build(&s, source, ""), "slow");
    cl_mem m = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof x, x);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(k, 1, sizeof very_many, &very_many));
    GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &global, NULL, 0, NULL, &ev));
    while (status > CL_RUNNING)
        GOOD(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CODE(status, CL_RUNNING);
}

static void grandchild(void);
static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    {"nothing", nothing}, {"a context of its own", own_context}, {"handles of the parent", handles_of_the_parent},
    {"both", both},       {"a child of its own", grandchild},    {"an end in the midst of a kernel", leave}};
enum { ACTS = sizeof acts / sizeof *acts };

/* A child is left with what its parent had allocated. */
static bool is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_child;
}

/* The child's end is exit(), with all functions of the end of a process. */
static void child(int act, const char *when)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (!pid) {
        alarm(PATIENCE);
        is_child = true;
        passed = failed = 0;
        acts[act].act();
        exit(failed != 0);
    }
    int status = -1;
    OK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (status)
        printf("%s, %s: the child ends with status %#x (0xe: it hung)\n", when, acts[act].name, (unsigned)status);
    OK(status == 0);
}

static void grandchild(void)
{
    own_context();
    child(1, "a child of a child");
}

static void CL_CALLBACK in_function(cl_event e, cl_int status, void *user)
{
    (void)e, (void)status;
    child(1, "from a function that the driver calls");
    const pid_t pid = fork(); /* this one goes on as the driver's thread, which ends with it */
    if (!pid) {
        is_child = true;
        alarm(PATIENCE);
        return;
    }
    int how = -1;
    OK(waitpid(pid, &how, 0) == pid && !how);
    *(volatile bool *)user = true;
}

static volatile bool stop;
static void *busy(void *unused)
{
    (void)unused;
    while (!stop) {
        cl_int e, x = 3, status;
        for (int i = 0; i < 200; i++)
            if (clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) || status
                || clFlush(NULL) != CL_INVALID_COMMAND_QUEUE) /* a line of the log */
                return "";
        cl_mem m = clCreateBuffer(parent.context, CL_MEM_COPY_HOST_PTR, sizeof x, &x, &e);
        e = e ? e : clEnqueueReadBuffer(parent.queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL, NULL);
        e = e ? e : clReleaseMemObject(m);
        if (e || x != 3)
            return "";
    }
    return NULL;
}

int main(void)
{
    const bool slow_backend = !getenv("VELLUM_BACKEND") || strcmp(getenv("VELLUM_BACKEND"), "ref");
    cl_int zeros[64] = {0}, five = 5, many = slow_backend ? 2000 : 3000000;
    const size_t global = 64;
    cl_platform_id platform;
    setenv("VELLUM_LOG", "/dev/null", 0); /* so its lock is in use */
    GOOD(clGetPlatformIDs(1, &platform, NULL));
    child(1, "before there is a context");
    child(ACTS - 1, "before there is a context");
    parent = begin(0);
    program = build(&parent, source, "");
    add = kernel(program, "add");
    memory = buffer(&parent, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    GOOD(clEnqueueMarker(parent.queue, &ended));
    GOOD(clFinish(parent.queue));
    for (int i = 0; i < ACTS - 1; i++)
        child(i, "idle");
    cl_kernel slow = kernel(program, "slow");
    GOOD(clSetKernelArg(slow, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(slow, 1, sizeof many, &many));
    GOOD(clEnqueueNDRangeKernel(parent.queue, slow, 1, NULL, &global, NULL, 0, NULL, NULL));
    child(0, "a kernel runs");
    child(3, "a kernel runs");
    GOOD(clFinish(parent.queue));
    pthread_t thread;
    void *wrong = "";
    OK(!pthread_create(&thread, NULL, busy, NULL));
    for (int i = 0; i < 20; i++)
        child(i % 5 ? 2 : i % 2, "another thread calls");
    stop = true;
    OK(!pthread_join(thread, &wrong) && !wrong);
    cl_event marker;
    bool called = false;
    GOOD(clEnqueueMarker(parent.queue, &marker));
    GOOD(clSetEventCallback(marker, CL_COMPLETE, in_function, &called));
    while (!*(volatile bool *)&called)
        usleep(1000);
    GOOD(clSetKernelArg(add, 0, sizeof memory, &memory)); /* the parent goes on */
    GOOD(clSetKernelArg(add, 1, sizeof five, &five));
    GOOD(clEnqueueFillBuffer(parent.queue, memory, zeros, 4, 0, sizeof zeros, 0, NULL, NULL));
    GOOD(clEnqueueNDRangeKernel(parent.queue, add, 1, NULL, &global, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(parent.queue, memory, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
    OK(zeros[0] == 5 && zeros[63] == 5);
    GOOD(clReleaseEvent(marker));
    GOOD(clReleaseEvent(ended));
    GOOD(clReleaseKernel(slow));
    GOOD(clReleaseKernel(add));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseProgram(program));
    end(&parent);
    return verdict();
}
