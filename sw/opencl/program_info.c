/* Queries of a program and of its build. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

/* Names with semicolons between them. NULL: no memory. */
static char *kernel_names(const vl_image *image)
{
    size_t n = 1;
    for (size_t i = 0; i < vl_image_kernels(image); i++)
        n += strlen(vl_image_kernel(image, i)->name) + 1;
    char *text = calloc(1, n), *at = text;
    for (size_t i = 0; text && i < vl_image_kernels(image); i++) {
        if (i)
            *at++ = ';';
        at = stpcpy(at, vl_image_kernel(image, i)->name);
    }
    return text;
}

static cl_int give_binaries(cl_program p, size_t room, void *out, size_t *bytes_ret)
{
    if (bytes_ret)
        *bytes_ret = sizeof(unsigned char *);
    if (!out)
        return CL_SUCCESS;
    if (room < sizeof(unsigned char *))
        return vcl_fail("clGetProgramInfo", CL_INVALID_VALUE, "room for %zu bytes: a pointer a device", room);
    unsigned char *to = *(unsigned char **)out;
    if (to && p->binary)
        memcpy(to, p->binary, p->binary_bytes);
    return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(program, VCL_PROGRAM))
        return FAIL(CL_INVALID_PROGRAM, "this is no program");
    const bool executable = program->image && program->status == CL_BUILD_SUCCESS;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(program)}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_PROGRAM_CONTEXT:
        return vcl_give(__func__, &program->context, sizeof program->context, room, out, bytes_ret);
    case CL_PROGRAM_NUM_DEVICES: return vcl_give(__func__, &(cl_uint){1}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_PROGRAM_DEVICES:
        return vcl_give(__func__, &(cl_device_id){&vcl_device}, sizeof(cl_device_id), room, out, bytes_ret);
    case CL_PROGRAM_SOURCE: {
        const char *source = program->source ? program->source : "";
        return vcl_give(__func__, source, strlen(source) + 1, room, out, bytes_ret);
    }
    case CL_PROGRAM_BINARY_SIZES:
        return vcl_give(__func__, &program->binary_bytes, sizeof(size_t), room, out, bytes_ret);
    case CL_PROGRAM_BINARIES: return give_binaries(program, room, out, bytes_ret);
    case CL_PROGRAM_NUM_KERNELS:
        if (!executable)
            return FAIL(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built");
        return vcl_give(__func__, &(size_t){vl_image_kernels(program->image)}, sizeof(size_t), room, out, bytes_ret);
    case CL_PROGRAM_KERNEL_NAMES: {
        if (!executable)
            return FAIL(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built");
        char *names = kernel_names(program->image);
        if (!names)
            return CL_OUT_OF_HOST_MEMORY;
        const cl_int e = vcl_give(__func__, names, strlen(names) + 1, room, out, bytes_ret);
        free(names);
        return e;
    }
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no program query %#x", name);
    }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name, size_t room,
                             void *out, size_t *bytes_ret)
{
    if (!vcl_is(program, VCL_PROGRAM))
        return FAIL(CL_INVALID_PROGRAM, "this is no program");
    if (device != &vcl_device)
        return FAIL(CL_INVALID_DEVICE, "this is no device of the program");
    const char *text;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return vcl_give(__func__, &program->status, sizeof program->status, room, out, bytes_ret);
    case CL_PROGRAM_BUILD_OPTIONS:
        text = program->options ? program->options : "";
        return vcl_give(__func__, text, strlen(text) + 1, room, out, bytes_ret);
    case CL_PROGRAM_BUILD_LOG:
        text = program->log ? program->log : "";
        return vcl_give(__func__, text, strlen(text) + 1, room, out, bytes_ret);
    case CL_PROGRAM_BINARY_TYPE: return vcl_give(__func__, &program->type, sizeof program->type, room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no build query %#x", name);
    }
}
