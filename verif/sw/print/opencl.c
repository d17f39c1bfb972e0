/* An OpenCL program with a kernel that prints: only its standard output counts. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    const char *source =
        "__kernel void k(float by) { int i = get_global_id(0); printf(\"%d: %v2hlf\\n\", i, (float2)(i, i * by)); }";
    cl_platform_id platform;
    cl_device_id device;
    size_t room = 0;
    cl_int e = clGetPlatformIDs(1, &platform, NULL);
    e |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    e |= clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof room, &room, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    e |= clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    float by = 0.5f;
    size_t global = 4;
    e |= clSetKernelArg(kernel, 0, sizeof by, &by);
    for (int i = 0; i < 2; i++)
        e |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    e |= clFinish(queue);
    printf("%d %d\n", e, room >= 1 << 20);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return e != CL_SUCCESS;
}
