/* The program that everybody writes first: vector addition from source, plain calls, nothing of Vellum in it. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void vecadd(__global const float *a, __global const float *b, __global float *c,\n"
    "                     uint n)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        c[i] = a[i] + b[i];\n"
    "}\n";

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cl_int e_ = (call);                                                                                            \
        if (e_) {                                                                                                      \
            printf("%s: %d\n", #call, e_);                                                                             \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

int main(void)
{
    enum { N = 1000, ROUNDED = 1024 };
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    char name[200];
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    printf("%s\n", name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    CHECK(e);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
    CHECK(e);
    static float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)(N - i);
    }
    cl_mem da = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, &e);
    CHECK(e);
    cl_mem db = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof b, NULL, &e);
    CHECK(e);
    cl_mem dc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof c, NULL, &e);
    CHECK(e);
    CHECK(clEnqueueWriteBuffer(queue, db, CL_TRUE, 0, sizeof b, b, 0, NULL, NULL));
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    CHECK(e);
    CHECK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "vecadd", &e);
    CHECK(e);
    cl_uint n = N;
    CHECK(clSetKernelArg(kernel, 0, sizeof da, &da));
    CHECK(clSetKernelArg(kernel, 1, sizeof db, &db));
    CHECK(clSetKernelArg(kernel, 2, sizeof dc, &dc));
    CHECK(clSetKernelArg(kernel, 3, sizeof n, &n));
    size_t global = ROUNDED, local = 256;
    if (getenv("SMALL_GROUPS"))
        local = 32;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, dc, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%d of %d sums are wrong\n", wrong, N);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(da));
    CHECK(clReleaseMemObject(db));
    CHECK(clReleaseMemObject(dc));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return wrong != 0;
}
