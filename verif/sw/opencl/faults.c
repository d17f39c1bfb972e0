/* A kernel that faults: its event, clFinish, the context's function and every later command tell; another context is as good as before. */
#include "check.h"

#include <unistd.h>

static const char source[] = "void put(ulong at) { *(__global int *)at = 1; }\n"
                             "__kernel void wild(__global int *x, ulong at)\n{\n  put(at);\n  x[0] = 2;\n}\n"
                             "__kernel void next(__global int *x, int i) { x[i] = 7; }\n";
static char told[1200];

static void CL_CALLBACK on_error(const char *text, const void *info, size_t bytes, void *user)
{
    (void)info, (void)bytes;
    snprintf((char *)user, sizeof told, "%s", text);
}

/* A store behind a buffer, in its last line: undetected in bare memory, unless accesses are checked. */
static void overrun(const setup *s)
{
    cl_int e, x[3] = {1, 2, 3};
    setup t = *s;
    t.context = clCreateContext(NULL, 1, &s->device, on_error, told, &e);
    GOOD(e);
    t.queue = clCreateCommandQueue(t.context, t.device, 0, &e);
    GOOD(e);
    cl_program p = build(&t, source, "");
    cl_kernel k = kernel(p, "next");
    cl_mem m = buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, x);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    for (cl_int i = 0; i < 4; i++) {
        const bool noticed = i == 3 && getenv("VELLUM_CHECK_BUFFERS");
        GOOD(clSetKernelArg(k, 1, sizeof i, &i));
        GOOD(clEnqueueTask(t.queue, k, 0, NULL, NULL));
        CODE(clFinish(t.queue), noticed ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
        OK(!noticed || strstr(told, "in no buffer: 0 bytes behind the buffer at "));
        OK(!noticed || strstr(told, " of 12 bytes, work-item 0,0,0"));
    }
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    end(&t);
}

/* A kernel stores where nothing is: its own context ends, with a sentence. */
static void wild(const setup *s, const char *options)
{
    cl_int e, value = 5;
    setup t = *s;
    t.context = clCreateContext(NULL, 1, &s->device, on_error, told, &e);
    GOOD(e);
    t.queue = clCreateCommandQueue(t.context, t.device, 0, &e);
    GOOD(e);
    cl_program p = build(&t, source, options);
    cl_kernel k = kernel(p, "wild");
    cl_mem m = buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    cl_ulong at = 0x20;
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clSetKernelArg(k, 1, sizeof at, &at));
    cl_command_queue second = clCreateCommandQueue(t.context, t.device, 0, &e);
    GOOD(e);
    GOOD(clFinish(second));
    cl_event ev;
    GOOD(clEnqueueTask(t.queue, k, 0, NULL, &ev));
    CODE(clFinish(t.queue), CL_OUT_OF_RESOURCES);
    CODE(clFinish(second), CL_OUT_OF_RESOURCES); /* which had no command */
    GOOD(clReleaseCommandQueue(second));
    cl_int status = 0;
    GOOD(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CODE(status, CL_OUT_OF_RESOURCES);
    OK(strstr(told, "wild") && strstr(told, "store") && strstr(told, "0x20: a null pointer, at "));
    const char *place =
        strstr(told, " at program.cl:1 in put (called at program.cl:4), work-item 0,0,0 (group 0,0,0), pc ");
    int length = 0; /* to its end: nothing is left of the folder's name */
    OK(place && sscanf(place, "%*[^)]), %*[^)]), pc %*x, core 0, warp 0, threads 0x1%n", &length) == 0 && length);
    OK(place && !place[length]);
    CODE(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    CODE(clEnqueueTask(t.queue, k, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    GOOD(clReleaseEvent(ev));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
    end(&t);
}

/* A kernel finds no room on the device: its own command fails, and the context goes on. */
static void no_room(const setup *s)
{
    cl_int value = 1;
    cl_ulong half = 0;
    GOOD(clGetDeviceInfo(s->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof half, &half, NULL));
    cl_program p = build(s, "__kernel void k(__global int *x) { if (*x > 9) printf(\"!\"); *x += 1; }", "");
    cl_kernel k = kernel(p, "k");
    cl_mem m = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof value, &value), most[2] = {0};
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 2; i++)
        most[i] = buffer(s, 0, half - 400000, NULL);
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL)); /* there is no room for its output */
    CODE(clFinish(s->queue), CL_OUT_OF_RESOURCES);
    for (int i = 0; i < 2; i++)
        GOOD(clReleaseMemObject(most[i]));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clFinish(s->queue));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CODE(value, 2);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseProgram(p));
}

int main(void)
{
    cl_int value = 5;
    setup s = begin(0);
    if (!getenv("VELLUM_CHECK_BUFFERS")) /* zones between buffers would take room, too */
        no_room(&s);
    wild(&s, "-g");
    const char *temporary = getenv("TMPDIR");
    OK(!chdir(temporary ? temporary : "/tmp")); /* the compiler's folder is within ours */
    wild(&s, "-g -DX");
    cl_mem other = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    GOOD(clEnqueueReadBuffer(s.queue, other, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    OK(value == 5);
    GOOD(clReleaseMemObject(other));
    overrun(&s);
    end(&s);
    return verdict();
}
