/* Features that the device or OpenCL 1.2 does not have: each function is refused with the code of the standard. */
#include "sw/opencl/vcl.h"

static const char images[] =
    "the device has no images, which OpenCL 1.2 leaves open (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE)";
static const char later[] = "this is of a later version than OpenCL 1.2";

/* ---- images and samplers ---- */

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                     void *host, cl_int *errcode_ret)
{
    (void)flags, (void)format, (void)desc, (void)host;
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, images));
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                       size_t height, size_t pitch, void *host, cl_int *errcode_ret)
{
    (void)width, (void)height, (void)pitch;
    return clCreateImage(context, flags, format, NULL, host, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                       size_t height, size_t depth, size_t row, size_t slice, void *host, cl_int *errcode_ret)
{
    (void)width, (void)height, (void)depth, (void)row, (void)slice;
    return clCreateImage(context, flags, format, NULL, host, errcode_ret);
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint room,
                                  cl_image_format *formats, cl_uint *num_ret)
{
    (void)flags, (void)type, (void)room, (void)formats;
    if (!vcl_is(context, VCL_CONTEXT))
        return FAIL(CL_INVALID_CONTEXT, "this is no context");
    if (num_ret)
        *num_ret = 0;
    return CL_SUCCESS;
}

cl_int clGetImageInfo(cl_mem image, cl_image_info name, size_t room, void *out, size_t *bytes_ret)
{
    (void)image, (void)name, (void)room, (void)out, (void)bytes_ret;
    return FAIL(CL_INVALID_MEM_OBJECT, images);
}

static cl_int no_image(const char *who, cl_command_queue queue)
{
    return vcl_is(queue, VCL_QUEUE) ? vcl_fail(who, CL_INVALID_MEM_OBJECT, images)
                                    : vcl_fail(who, CL_INVALID_COMMAND_QUEUE, "this is no command queue");
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                          const size_t *region, size_t row, size_t slice, void *to, cl_uint n, const cl_event *waits,
                          cl_event *event)
{
    (void)image, (void)blocking, (void)origin, (void)region, (void)row, (void)slice, (void)to, (void)n, (void)waits,
        (void)event;
    return no_image(__func__, queue);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                           const size_t *region, size_t row, size_t slice, const void *from, cl_uint n,
                           const cl_event *waits, cl_event *event)
{
    (void)image, (void)blocking, (void)origin, (void)region, (void)row, (void)slice, (void)from, (void)n, (void)waits,
        (void)event;
    return no_image(__func__, queue);
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
                          const size_t *region, cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)image, (void)color, (void)origin, (void)region, (void)n, (void)waits, (void)event;
    return no_image(__func__, queue);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                          const size_t *to_origin, const size_t *region, cl_uint n, const cl_event *waits,
                          cl_event *event)
{
    (void)from, (void)to, (void)from_origin, (void)to_origin, (void)region, (void)n, (void)waits, (void)event;
    return no_image(__func__, queue);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
                                  const size_t *region, size_t offset, cl_uint n, const cl_event *waits,
                                  cl_event *event)
{
    (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)n, (void)waits, (void)event;
    return no_image(__func__, queue);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
                                  const size_t *region, cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)n, (void)waits, (void)event;
    return no_image(__func__, queue);
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                        const size_t *origin, const size_t *region, size_t *row, size_t *slice, cl_uint n,
                        const cl_event *waits, cl_event *event, cl_int *errcode_ret)
{
    (void)image, (void)blocking, (void)flags, (void)origin, (void)region, (void)row, (void)slice, (void)n, (void)waits,
        (void)event;
    return vcl_none(errcode_ret, no_image(__func__, queue));
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
                           cl_int *errcode_ret)
{
    (void)normalized, (void)addressing, (void)filter;
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, images));
}

/* No sampler exists, so the loader cannot come here with one. */
cl_int clRetainSampler(cl_sampler sampler)
{
    (void)sampler;
    return FAIL(CL_INVALID_SAMPLER, images);
}

cl_int clReleaseSampler(cl_sampler sampler)
{
    (void)sampler;
    return FAIL(CL_INVALID_SAMPLER, images);
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room, void *out, size_t *bytes_ret)
{
    (void)sampler, (void)name, (void)room, (void)out, (void)bytes_ret;
    return FAIL(CL_INVALID_SAMPLER, images);
}

/* ---- native kernels ---- */

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *args, size_t bytes,
                             cl_uint num_mems, const cl_mem *mems, const void **locations, cl_uint n,
                             const cl_event *waits, cl_event *event)
{
    (void)function, (void)args, (void)bytes, (void)num_mems, (void)mems, (void)locations, (void)n, (void)waits,
        (void)event;
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    return FAIL(CL_INVALID_OPERATION, "the device runs no native kernels (CL_DEVICE_EXECUTION_CAPABILITIES)");
}

/* ---- OpenCL 2.0 and later, which programs that are built with newer headers may call ---- */

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment)
{
    (void)context, (void)flags, (void)bytes, (void)alignment;
    FAIL(CL_INVALID_OPERATION, later);
    return NULL;
}

void clSVMFree(cl_context context, void *pointer)
{
    (void)context, (void)pointer;
    FAIL(CL_INVALID_OPERATION, later);
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer, size_t bytes,
                       cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)queue, (void)blocking, (void)flags, (void)pointer, (void)bytes, (void)n, (void)waits, (void)event;
    return FAIL(CL_INVALID_OPERATION, later);
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)queue, (void)pointer, (void)n, (void)waits, (void)event;
    return FAIL(CL_INVALID_OPERATION, later);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t bytes, cl_uint n,
                          const cl_event *waits, cl_event *event)
{
    (void)queue, (void)blocking, (void)to, (void)from, (void)bytes, (void)n, (void)waits, (void)event;
    return FAIL(CL_INVALID_OPERATION, later);
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
    (void)kernel, (void)index, (void)value;
    return FAIL(CL_INVALID_OPERATION, later);
}

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint packets,
                    const cl_pipe_properties *properties, cl_int *errcode_ret)
{
    (void)context, (void)flags, (void)packet, (void)packets, (void)properties;
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, later));
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *properties,
                                         cl_int *errcode_ret)
{
    (void)context, (void)properties;
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, images));
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t bytes, cl_int *errcode_ret)
{
    (void)context, (void)il, (void)bytes;
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, later));
}

cl_kernel clCloneKernel(cl_kernel kernel, cl_int *errcode_ret)
{
    (void)kernel;
    return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, later));
}
