/* The interface to the loader: the table of functions that every handle points to, and two names. The loader calls no function outside of the table, except
 * functions of later versions that programs call: absent.c refuses them. */
#include "sw/opencl/vcl.h"

#include <string.h>

#define FUNCTIONS(X)                                                                                                   \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs)                                                                                                  \
    X(clGetDeviceInfo)                                                                                                 \
    X(clCreateContext)                                                                                                 \
    X(clCreateContextFromType)                                                                                         \
    X(clRetainContext)                                                                                                 \
    X(clReleaseContext)                                                                                                \
    X(clGetContextInfo)                                                                                                \
    X(clCreateCommandQueue)                                                                                            \
    X(clRetainCommandQueue)                                                                                            \
    X(clReleaseCommandQueue)                                                                                           \
    X(clGetCommandQueueInfo)                                                                                           \
    X(clSetCommandQueueProperty)                                                                                       \
    X(clCreateBuffer)                                                                                                  \
    X(clCreateImage2D)                                                                                                 \
    X(clCreateImage3D)                                                                                                 \
    X(clRetainMemObject)                                                                                               \
    X(clReleaseMemObject)                                                                                              \
    X(clGetSupportedImageFormats)                                                                                      \
    X(clGetMemObjectInfo)                                                                                              \
    X(clGetImageInfo)                                                                                                  \
    X(clCreateSampler)                                                                                                 \
    X(clRetainSampler)                                                                                                 \
    X(clReleaseSampler)                                                                                                \
    X(clGetSamplerInfo)                                                                                                \
    X(clCreateProgramWithSource)                                                                                       \
    X(clCreateProgramWithBinary)                                                                                       \
    X(clRetainProgram)                                                                                                 \
    X(clReleaseProgram)                                                                                                \
    X(clBuildProgram)                                                                                                  \
    X(clUnloadCompiler)                                                                                                \
    X(clGetProgramInfo)                                                                                                \
    X(clGetProgramBuildInfo)                                                                                           \
    X(clCreateKernel)                                                                                                  \
    X(clCreateKernelsInProgram)                                                                                        \
    X(clRetainKernel)                                                                                                  \
    X(clReleaseKernel)                                                                                                 \
    X(clSetKernelArg)                                                                                                  \
    X(clGetKernelInfo)                                                                                                 \
    X(clGetKernelWorkGroupInfo)                                                                                        \
    X(clWaitForEvents)                                                                                                 \
    X(clGetEventInfo)                                                                                                  \
    X(clRetainEvent)                                                                                                   \
    X(clReleaseEvent)                                                                                                  \
    X(clGetEventProfilingInfo)                                                                                         \
    X(clFlush)                                                                                                         \
    X(clFinish)                                                                                                        \
    X(clEnqueueReadBuffer)                                                                                             \
    X(clEnqueueWriteBuffer)                                                                                            \
    X(clEnqueueCopyBuffer)                                                                                             \
    X(clEnqueueReadImage)                                                                                              \
    X(clEnqueueWriteImage)                                                                                             \
    X(clEnqueueCopyImage)                                                                                              \
    X(clEnqueueCopyImageToBuffer)                                                                                      \
    X(clEnqueueCopyBufferToImage)                                                                                      \
    X(clEnqueueMapBuffer)                                                                                              \
    X(clEnqueueMapImage)                                                                                               \
    X(clEnqueueUnmapMemObject)                                                                                         \
    X(clEnqueueNDRangeKernel)                                                                                          \
    X(clEnqueueTask)                                                                                                   \
    X(clEnqueueNativeKernel)                                                                                           \
    X(clEnqueueMarker)                                                                                                 \
    X(clEnqueueWaitForEvents)                                                                                          \
    X(clEnqueueBarrier)                                                                                                \
    X(clGetExtensionFunctionAddress)                                                                                   \
    X(clSetEventCallback)                                                                                              \
    X(clCreateSubBuffer)                                                                                               \
    X(clSetMemObjectDestructorCallback)                                                                                \
    X(clCreateUserEvent)                                                                                               \
    X(clSetUserEventStatus)                                                                                            \
    X(clEnqueueReadBufferRect)                                                                                         \
    X(clEnqueueWriteBufferRect)                                                                                        \
    X(clEnqueueCopyBufferRect)                                                                                         \
    X(clCreateSubDevices)                                                                                              \
    X(clRetainDevice)                                                                                                  \
    X(clReleaseDevice)                                                                                                 \
    X(clCreateImage)                                                                                                   \
    X(clCreateProgramWithBuiltInKernels)                                                                               \
    X(clCompileProgram)                                                                                                \
    X(clLinkProgram)                                                                                                   \
    X(clUnloadPlatformCompiler)                                                                                        \
    X(clGetKernelArgInfo)                                                                                              \
    X(clEnqueueFillBuffer)                                                                                             \
    X(clEnqueueFillImage)                                                                                              \
    X(clEnqueueMigrateMemObjects)                                                                                      \
    X(clEnqueueMarkerWithWaitList)                                                                                     \
    X(clEnqueueBarrierWithWaitList)                                                                                    \
    X(clGetExtensionFunctionAddressForPlatform)                                                                        \
    X(clCreateCommandQueueWithProperties)                                                                              \
    X(clCreatePipe)                                                                                                    \
    X(clSVMAlloc)                                                                                                      \
    X(clSVMFree)                                                                                                       \
    X(clEnqueueSVMMemcpy)                                                                                              \
    X(clEnqueueSVMMap)                                                                                                 \
    X(clEnqueueSVMUnmap)                                                                                               \
    X(clCreateSamplerWithProperties)                                                                                   \
    X(clSetKernelArgSVMPointer)                                                                                        \
    X(clCloneKernel)                                                                                                   \
    X(clCreateProgramWithIL)

const cl_icd_dispatch vcl_dispatch = {
#define X(name) .name = name,
    FUNCTIONS(X)
#undef X
};

void *vcl_function(const char *name)
{
    /* of extensions; the loader asks for the functions of the standard that need no handle, too */
    static const struct {
        const char *name;
        void (*function)(void);
    } known[] = {
        {"clIcdGetPlatformIDsKHR", (void (*)(void))clIcdGetPlatformIDsKHR},
        {"clGetPlatformInfo", (void (*)(void))clGetPlatformInfo},
    };
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name))
            return *(void **)(uintptr_t)&known[i].function;
    return NULL;
}

__attribute__((visibility("default"))) void *clGetExtensionFunctionAddress(const char *name)
{
    return vcl_function(name);
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    return platform == &vcl_platform ? vcl_function(name) : NULL;
}
