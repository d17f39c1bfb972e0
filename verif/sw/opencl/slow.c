/* A kernel that the model takes half a second for: time for its progress to be told (VELLUM_REPORT). */
#include "check.h"

int main(void)
{
    setup s = begin(0);
    cl_program p = build(
        &s,
        "__kernel void slow(__global uint *out) { uint x = get_global_id(0);"
        " for (uint i = 0; i < 4000; i++) x = x * 1664525u + 1013904223u + (x >> 7); out[get_global_id(0)] = x; }",
        "");
    cl_mem m = buffer(&s, 0, 256 * sizeof(cl_uint), NULL);
    cl_kernel k = kernel(p, "slow");
    const size_t global = 256, local = 32;
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    GOOD(clFinish(s.queue));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseProgram(p));
    end(&s);
    return verdict();
}
