/* Kernels and their arguments. */
#include "sw/opencl/vcl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_kernel new_kernel(cl_program p, const vl_kernel_info *info)
{
    cl_kernel k = vcl_new(VCL_KERNEL);
    if (!k)
        return NULL;
    vcl_use(p);
    vcl_lock();
    p->kernels++;
    vcl_unlock();
    k->program = p;
    k->info = info;
    k->args = calloc(info->n_args + 1, sizeof *k->args);
    if (!k->args) {
        vcl_release(__func__, k, VCL_KERNEL);
        return NULL;
    }
    return k;
}

static cl_int check_executable(const char *who, cl_program p)
{
    if (!vcl_is(p, VCL_PROGRAM))
        return vcl_fail(who, CL_INVALID_PROGRAM, "this is no program");
    if (!p->image || p->status != CL_BUILD_SUCCESS || p->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return vcl_fail(who, CL_INVALID_PROGRAM_EXECUTABLE, "the program has not been built, or its build failed");
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
    cl_int e = check_executable(__func__, program);
    if (!e && !name)
        e = FAIL(CL_INVALID_VALUE, "no name");
    if (e)
        return vcl_none(errcode_ret, e);
    const vl_kernel_info *info = NULL;
    for (size_t i = 0; i < vl_image_kernels(program->image); i++)
        if (!strcmp(vl_image_kernel(program->image, i)->name, name))
            info = vl_image_kernel(program->image, i);
    if (!info)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_KERNEL_NAME, "the program has no kernel %.80s", name));
    cl_kernel k = new_kernel(program, info);
    if (errcode_ret)
        *errcode_ret = k ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    return k;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *num_ret)
{
    cl_int e = check_executable(__func__, program);
    if (e)
        return e;
    const size_t n = vl_image_kernels(program->image);
    if (kernels && room < n)
        return FAIL(CL_INVALID_VALUE, "room for %u kernels of %zu", room, n);
    for (size_t i = 0; kernels && i < n; i++)
        if (!(kernels[i] = new_kernel(program, vl_image_kernel(program->image, i)))) {
            while (i--)
                vcl_release(__func__, kernels[i], VCL_KERNEL);
            return CL_OUT_OF_HOST_MEMORY;
        }
    if (num_ret)
        *num_ret = (cl_uint)n;
    return CL_SUCCESS;
}

cl_int clRetainKernel(cl_kernel kernel)
{
    return vcl_retain(__func__, kernel, VCL_KERNEL);
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    return vcl_release(__func__, kernel, VCL_KERNEL);
}

/* ---- arguments ---- */

void vcl_args_free(vcl_arg *args, cl_uint n)
{
    for (cl_uint i = 0; i < n; i++) {
        if (args[i].used)
            vcl_unuse(args[i].mem);
        free(args[i].value);
    }
    free(args);
}

cl_int vcl_args_copy(const char *who, vcl_arg **copies, const vcl_arg *args, const vl_kernel_info *info)
{
    cl_int e = CL_SUCCESS;
    vcl_arg *copy = *copies = calloc(info->n_args + 1, sizeof *copy);
    for (cl_uint i = 0; copy && i < info->n_args; i++) {
        copy[i] = args[i];
        copy[i].value = args[i].value ? malloc(info->args[i].size) : NULL;
        copy[i].used = args[i].mem && vcl_use_again(args[i].mem, VCL_MEM, args[i].serial);
        if (copy[i].value)
            memcpy(copy[i].value, args[i].value, info->args[i].size);
        else if (args[i].value)
            e = CL_OUT_OF_HOST_MEMORY;
        if (args[i].mem && !copy[i].used)
            e = vcl_fail(who, CL_INVALID_KERNEL_ARGS,
                         "the memory object of argument %u (%s %s) of kernel %s was released", i, info->args[i].type,
                         info->args[i].name, info->name);
    }
    return copy ? e : CL_OUT_OF_HOST_MEMORY;
}

void vcl_kernel_destroy(void *kernel)
{
    cl_kernel k = kernel;
    if (k->args)
        vcl_args_free(k->args, k->info->n_args);
    vcl_lock();
    k->program->kernels--;
    vcl_unlock();
    vcl_unuse(k->program);
}

uint64_t vcl_kernel_local(cl_kernel k)
{
    uint64_t bytes = k->info->local_bytes;
    for (cl_uint i = 0; i < k->info->n_args; i++)
        if (k->info->args[i].kind == VL_ARG_LOCAL)
            bytes = (bytes + VCL_LINE - 1) / VCL_LINE * VCL_LINE + k->args[i].local_bytes;
    return bytes;
}

static cl_int set_pointer(cl_kernel k, vcl_arg *a, size_t size, const void *value)
{
    static const char who[] = "clSetKernelArg";
    if (size != sizeof(cl_mem))
        return vcl_fail(who, CL_INVALID_ARG_SIZE, "%zu bytes: a memory object has %zu", size, sizeof(cl_mem));
    cl_mem m = value ? *(const cl_mem *)value : NULL;
    if (m && !vcl_is(m, VCL_MEM))
        return vcl_fail(who, CL_INVALID_MEM_OBJECT, "this is no memory object");
    if (m && m->context != k->program->context)
        return vcl_fail(who, CL_INVALID_MEM_OBJECT, "the memory object is of another context");
    a->mem = m; /* no reference: by the standard an argument does not retain its object */
    a->serial = m ? m->object.serial : 0;
    a->set = true;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (!vcl_is(kernel, VCL_KERNEL))
        return FAIL(CL_INVALID_KERNEL, "this is no kernel");
    if (index >= kernel->info->n_args)
        return FAIL(CL_INVALID_ARG_INDEX, "kernel %s has %u arguments, there is no argument %u", kernel->info->name,
                    kernel->info->n_args, index);
    const vl_arg_info *info = &kernel->info->args[index];
    vcl_arg *a = &kernel->args[index];
    if (info->kind == VL_ARG_GLOBAL || info->kind == VL_ARG_CONSTANT)
        return set_pointer(kernel, a, size, value);
    if (info->kind == VL_ARG_LOCAL) {
        if (value)
            return FAIL(CL_INVALID_ARG_VALUE, "argument %u (%s %s) is local memory: it has a size and no value", index,
                        info->type, info->name);
        if (!size)
            return FAIL(CL_INVALID_ARG_SIZE, "argument %u (%s %s): 0 bytes of local memory", index, info->type,
                        info->name);
        a->local_bytes = size;
        a->set = true;
        return CL_SUCCESS;
    }
    if (!value)
        return FAIL(CL_INVALID_ARG_VALUE, "argument %u (%s %s) has no value", index, info->type, info->name);
    if (size != info->size)
        return FAIL(CL_INVALID_ARG_SIZE, "argument %u (%s %s) has %u bytes, not %zu", index, info->type, info->name,
                    info->size, size);
    if (!a->value && !(a->value = malloc(size)))
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(a->value, value, size);
    a->set = true;
    return CL_SUCCESS;
}

/* ---- queries ---- */

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(kernel, VCL_KERNEL))
        return FAIL(CL_INVALID_KERNEL, "this is no kernel");
    const uint32_t *q = kernel->info->reqd_local;
    char text[160] = "";
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
        return vcl_give(__func__, kernel->info->name, strlen(kernel->info->name) + 1, room, out, bytes_ret);
    case CL_KERNEL_NUM_ARGS: return vcl_give(__func__, &kernel->info->n_args, sizeof(cl_uint), room, out, bytes_ret);
    case CL_KERNEL_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(kernel)}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_KERNEL_CONTEXT:
        return vcl_give(__func__, &kernel->program->context, sizeof(cl_context), room, out, bytes_ret);
    case CL_KERNEL_PROGRAM: return vcl_give(__func__, &kernel->program, sizeof(cl_program), room, out, bytes_ret);
    case CL_KERNEL_ATTRIBUTES: /* of a source alone */
        if (q[0])
            snprintf(text, sizeof text, "reqd_work_group_size(%u,%u,%u)%s%s", q[0], q[1], q[2],
                     *kernel->info->hints ? " " : "", kernel->info->hints);
        const char *told = kernel->program->arg_info ? q[0] ? text : kernel->info->hints : "";
        return vcl_give(__func__, told, strlen(told) + 1, room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no kernel query %#x", name);
    }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t room,
                                void *out, size_t *bytes_ret)
{
    if (!vcl_is(kernel, VCL_KERNEL))
        return FAIL(CL_INVALID_KERNEL, "this is no kernel");
    if (device && device != &vcl_device)
        return FAIL(CL_INVALID_DEVICE, "this is no device of the kernel");
    const uint32_t *q = kernel->info->reqd_local;
    const size_t sizes[3] = {q[0], q[1], q[2]};
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return vcl_give(__func__, &(size_t){vcl_group_limit()}, sizeof(size_t), room, out, bytes_ret);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return vcl_give(__func__, sizes, sizeof sizes, room, out, bytes_ret);
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return vcl_give(__func__, &(cl_ulong){vcl_kernel_local(kernel)}, sizeof(cl_ulong), room, out, bytes_ret);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return vcl_give(__func__, &(size_t){vcl_get_facts()->threads}, sizeof(size_t), room, out, bytes_ret);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return vcl_give(__func__, &(cl_ulong){kernel->info->stack_bytes}, sizeof(cl_ulong), room, out, bytes_ret);
    case CL_KERNEL_GLOBAL_WORK_SIZE:
        return FAIL(CL_INVALID_VALUE, "neither a custom device nor a kernel that is built in");
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no work-group query %#x", name);
    }
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t room, void *out,
                          size_t *bytes_ret)
{
    static const cl_kernel_arg_address_qualifier spaces[] = {
        [VL_ARG_VALUE] = CL_KERNEL_ARG_ADDRESS_PRIVATE,
        [VL_ARG_GLOBAL] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
        [VL_ARG_CONSTANT] = CL_KERNEL_ARG_ADDRESS_CONSTANT,
        [VL_ARG_LOCAL] = CL_KERNEL_ARG_ADDRESS_LOCAL,
    };
    if (!vcl_is(kernel, VCL_KERNEL))
        return FAIL(CL_INVALID_KERNEL, "this is no kernel");
    if (index >= kernel->info->n_args)
        return FAIL(CL_INVALID_ARG_INDEX, "kernel %s has %u arguments, there is no argument %u", kernel->info->name,
                    kernel->info->n_args, index);
    if (!kernel->program->arg_info)
        return FAIL(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the program was made of a binary");
    const vl_arg_info *a = &kernel->info->args[index];
    cl_kernel_arg_type_qualifier qualifiers = a->qualifiers;
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return vcl_give(__func__, &spaces[a->kind], sizeof *spaces, room, out, bytes_ret);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return vcl_give(__func__, &(cl_kernel_arg_access_qualifier){CL_KERNEL_ARG_ACCESS_NONE},
                        sizeof(cl_kernel_arg_access_qualifier), room, out, bytes_ret);
    case CL_KERNEL_ARG_TYPE_NAME: return vcl_give(__func__, a->type, strlen(a->type) + 1, room, out, bytes_ret);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: return vcl_give(__func__, &qualifiers, sizeof qualifiers, room, out, bytes_ret);
    case CL_KERNEL_ARG_NAME: return vcl_give(__func__, a->name, strlen(a->name) + 1, room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no argument query %#x", name);
    }
}
