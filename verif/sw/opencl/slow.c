/* A kernel that the model takes half a second for: time for its progress to be told (VELLUM_REPORT), and to ask while it runs. Its time is its cycles in VELLUM_STATS. */
#include "check.h"

int main(void)
{
    setup s = begin(CL_QUEUE_PROFILING_ENABLE);
    cl_event ev;
    cl_int status = CL_QUEUED;
    cl_ulong from = 0, to = 0, cycles = 0;
    cl_uint mhz = 0;
    cl_program p = build(
        &s,
        "__kernel void slow(__global uint *out) { uint x = get_global_id(0);"
        " for (uint i = 0; i < 4000; i++) x = x * 1664525u + 1013904223u + (x >> 7); out[get_global_id(0)] = x; }",
        "");
    cl_mem m = buffer(&s, 0, 256 * sizeof(cl_uint), NULL);
    cl_kernel k = kernel(p, "slow");
    const size_t global = 256, local = 32;
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &global, &local, 0, NULL, &ev));
    while (status > CL_RUNNING && !clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL))
        ;
    CODE(status, CL_RUNNING);
    CODE(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL),
         CL_PROFILING_INFO_NOT_AVAILABLE);
    GOOD(clFinish(s.queue));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    GOOD(clGetDeviceInfo(s.device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, NULL));
    FILE *f = getenv("VELLUM_STATS") ? fopen(getenv("VELLUM_STATS"), "r") : NULL;
    OK(f && fscanf(f, "{\"kernel\":\"slow\",\"cycles\":%lu", &cycles) == 1);
    const double ns = (double)cycles * 1000 / mhz, is = (double)(to - from);
    OK(is > 0.99 * ns && is < 1.01 * ns);
    if (f)
        fclose(f);
    GOOD(clReleaseEvent(ev));
    static char ballast[65536]; /* its upload takes time: the next command begins later */
    cl_ulong before = to;
    cl_mem uploaded = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof ballast, ballast);
    GOOD(clEnqueueMarker(s.queue, &ev));
    GOOD(clFinish(s.queue));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_QUEUED, sizeof from, &from, NULL));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    OK(from > before && to >= from);
    cl_int e; /* a mapping for reading is not copied back */
    void *mapped = clEnqueueMapBuffer(s.queue, uploaded, CL_TRUE, CL_MAP_READ, 0, sizeof ballast, 0, NULL, NULL, &e);
    GOOD(e);
    GOOD(clReleaseEvent(ev));
    GOOD(clEnqueueUnmapMemObject(s.queue, uploaded, mapped, 0, NULL, &ev));
    GOOD(clFinish(s.queue));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL));
    GOOD(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    OK(from == to);
    GOOD(clReleaseMemObject(uploaded));
    GOOD(clReleaseEvent(ev));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseProgram(p));
    end(&s);
    return verdict();
}
