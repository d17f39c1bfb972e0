/* Shared by the programs of this test: plain OpenCL programs that count their checks. The last line is `N passed, N failed`. */
#ifndef VELLUM_VERIF_OPENCL_CHECK_H
#define VELLUM_VERIF_OPENCL_CHECK_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static inline void check(bool ok, const char *file, int line, const char *text)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("FAILED: %s:%d: %s\n", file, line, text);
}
#define OK(x) check((x), __FILE__, __LINE__, #x)

static inline void check_code(cl_int is, cl_int want, const char *file, int line, const char *text)
{
    passed += is == want;
    failed += is != want;
    if (is != want)
        printf("FAILED: %s:%d: %s is %d, not %d\n", file, line, text, is, want);
}
#define CODE(x, want) check_code((x), (want), __FILE__, __LINE__, #x)
#define GOOD(x) CODE(x, CL_SUCCESS)

static inline int verdict(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

typedef struct setup {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} setup;

static inline setup begin(cl_command_queue_properties properties)
{
    setup s = {0};
    cl_int e;
    GOOD(clGetPlatformIDs(1, &s.platform, NULL));
    GOOD(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_DEFAULT, 1, &s.device, NULL));
    s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &e);
    GOOD(e);
    if (e)
        exit(verdict());
    s.queue = clCreateCommandQueue(s.context, s.device, properties, &e);
    GOOD(e);
    return s;
}

static inline void end(setup *s)
{
    GOOD(clReleaseCommandQueue(s->queue));
    GOOD(clReleaseContext(s->context));
}

static inline cl_program build(const setup *s, const char *source, const char *options)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(s->context, 1, &source, NULL, &e);
    GOOD(e);
    GOOD(e = clBuildProgram(p, 0, NULL, options, NULL, NULL));
    if (e) {
        char log[4000] = "";
        clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
    }
    return p;
}

static inline cl_kernel kernel(cl_program p, const char *name)
{
    cl_int e;
    cl_kernel k = clCreateKernel(p, name, &e);
    GOOD(e);
    return k;
}

static inline cl_mem buffer(const setup *s, cl_mem_flags flags, size_t bytes, void *host)
{
    cl_int e;
    cl_mem m = clCreateBuffer(s->context, flags, bytes, host, &e);
    GOOD(e);
    return m;
}

#endif
