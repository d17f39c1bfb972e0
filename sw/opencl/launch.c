/* Kernels on their way to the machine. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

/* ---- with the machine's turn ---- */

static int set_args(vl_kernel *k, const vcl_arg *args, const vl_kernel_info *info, vl_error *err)
{
    int v = 0;
    for (uint32_t i = 0; !v && i < info->n_args; i++) {
        if (info->args[i].kind == VL_ARG_LOCAL)
            v = vl_kernel_set_local(k, i, args[i].local_bytes, err);
        else if (info->args[i].kind == VL_ARG_VALUE)
            v = vl_kernel_set(k, i, args[i].value, info->args[i].size, err);
        else
            v = vl_kernel_set_ptr(k, i, args[i].mem ? args[i].mem->at : 0, err);
    }
    return v;
}

/* Where the warps of a kernel were that the limit has stopped: lines of the log. */
static void log_stopped(const vcl_machine *m, const vl_image *image)
{
    enum { MOST = 16 };
    vl_stopped list[MOST];
    const size_t n = vl_stopped_list(m->dev, list, MOST);
    for (size_t i = 0; i < n && i < MOST; i++) {
        char text[VL_STOPPED_TEXT];
        vl_stopped_text(image, &list[i], text, sizeof text);
        vcl_note("%s", text);
    }
}

static cl_int run_kernel(vcl_command *c, vcl_machine *m)
{
    const cl_kernel kernel = c->kernel;
    const vl_image *image = kernel->program->image;
    vl_kernel *k = NULL;
    vl_result result = {0};
    cl_int e = CL_SUCCESS;
    vl_error *err = calloc(1, sizeof *err);
    if (!err)
        return CL_OUT_OF_HOST_MEMORY;
    if (m->loaded != image) {
        m->loaded = NULL;
        e = vcl_machine_result(m, "loading the program", vl_load(m->dev, image));
        if (!e)
            m->loaded = image;
    }
    int v = e ? 0 : vl_kernel_open(&k, image, kernel->info->name, err);
    v = e || v ? v : set_args(k, c->args, kernel->info, err);
    if (v)
        e = vcl_fail("clEnqueueNDRangeKernel", vcl_code_or(v, CL_OUT_OF_RESOURCES), "%s", err->text);
    if (!e && vcl_get_settings()->cold)
        e = vcl_machine_result(m, "VELLUM_COLD", vl_empty_caches(m->dev));
    if (!e) {
        vcl_report_begin(m, kernel->info->name);
        v = vl_launch(m->dev, k, &c->range, &result);
        vcl_report_end(m, &c->range, &result);
        if (result.n_stats)
            vcl_stats_write(m->dev, kernel->info->name, &c->range, &result);
        c->cycles = result.cycles;
        e = vcl_machine_result(m, kernel->info->name, v);
        if (v == VL_ELIMIT)
            log_stopped(m, image);
    }
    vl_kernel_close(k);
    free(err);
    return e;
}

/* ---- refused at once ---- */

static cl_int check_sizes(const char *who, cl_uint dims, const size_t *offset, const size_t *global,
                          const size_t *local, const uint32_t *required)
{
    const size_t most = vcl_group_limit();
    size_t threads = 1;
    if (dims < 1 || dims > 3)
        return vcl_fail(who, CL_INVALID_WORK_DIMENSION, "%u dimensions", dims);
    for (cl_uint i = 0; i < dims; i++) {
        if (!global || !global[i] || global[i] >> 32)
            return vcl_fail(who, CL_INVALID_GLOBAL_WORK_SIZE, "global size in dimension %u: from 1 to 2^32 - 1", i);
        if (offset && offset[i] > (1ull << 32) - global[i])
            return vcl_fail(who, CL_INVALID_GLOBAL_OFFSET, "offset and size in dimension %u exceed 2^32", i);
    }
    for (cl_uint i = 0; local && i < dims; i++) {
        if (!local[i])
            return vcl_fail(who, CL_INVALID_WORK_GROUP_SIZE, "local size 0 in dimension %u", i);
        if (local[i] > most)
            return vcl_fail(who, CL_INVALID_WORK_ITEM_SIZE, "local size %zu in dimension %u: %zu at most", local[i], i,
                            most);
        threads *= local[i];
        if (threads > most)
            return vcl_fail(who, CL_INVALID_WORK_GROUP_SIZE, "more than %zu work-items in a group", most);
        if (global[i] % local[i])
            return vcl_fail(who, CL_INVALID_WORK_GROUP_SIZE,
                            "global size %zu is no multiple of local size %zu in dimension %u", global[i], local[i], i);
    }
    for (cl_uint i = 0; required[0] && i < 3; i++) {
        const size_t here = local && i < dims ? local[i] : local ? 1 : required[i];
        if (here != required[i] || (i < dims ? global[i] : 1) % required[i])
            return vcl_fail(who, CL_INVALID_WORK_GROUP_SIZE, "the kernel requires groups of %u x %u x %u", required[0],
                            required[1], required[2]);
    }
    if (required[0] && (size_t)required[0] * required[1] * required[2] > most)
        return vcl_fail(who, CL_INVALID_WORK_GROUP_SIZE, "the kernel requires more than %zu work-items in a group",
                        most);
    return CL_SUCCESS;
}

static cl_int check_kernel(const char *who, cl_command_queue q, cl_kernel k)
{
    if (!vcl_is(q, VCL_QUEUE))
        return vcl_fail(who, CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    if (!vcl_is(k, VCL_KERNEL))
        return vcl_fail(who, CL_INVALID_KERNEL, "this is no kernel");
    if (k->program->context != q->context)
        return vcl_fail(who, CL_INVALID_CONTEXT, "kernel and queue are of different contexts");
    for (cl_uint i = 0; i < k->info->n_args; i++)
        if (!k->args[i].set)
            return vcl_fail(who, CL_INVALID_KERNEL_ARGS, "kernel %s: argument %u (%s %s) is not set", k->info->name, i,
                            k->info->args[i].type, k->info->args[i].name);
    const uint64_t local = vcl_kernel_local(k), room = vcl_get_facts()->spad_bytes;
    if (local > room)
        return vcl_fail(who, CL_OUT_OF_RESOURCES, "a group needs %llu bytes of local memory, there are %llu",
                        (unsigned long long)local, (unsigned long long)room);
    return CL_SUCCESS;
}

static cl_int enqueue(const char *who, cl_command_type type, cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                      const size_t *offset, const size_t *global, const size_t *local, cl_uint n, const cl_event *waits,
                      cl_event *event)
{
    vcl_command *c;
    size_t chosen[3] = {1, 1, 1};
    cl_int e = check_kernel(who, queue, kernel);
    e = e ? e : check_sizes(who, dims, offset, global, local, kernel->info->reqd_local);
    e = e ? e : vcl_command_new(who, &c, queue, type, n, waits);
    if (e)
        return e;
    if (!local) { /* a group for each core, if that leaves whole warps */
        const vcl_facts *f = vcl_get_facts();
        uint64_t all = 1, most = vcl_least(vcl_group_limit(), 256);
        for (cl_uint i = 0; i < dims && all < most * f->cores; i++)
            all *= global[i];
        if (all / f->cores < most)
            most = all / f->cores < f->threads ? f->threads : all / f->cores;
        vcl_choose_local(dims, global, kernel->info->reqd_local, most, f->threads, chosen);
    }
    c->range.dims = dims;
    for (cl_uint i = 0; i < dims; i++) {
        c->range.global[i] = global[i];
        c->range.local[i] = local ? local[i] : chosen[i];
        c->range.offset[i] = offset ? offset[i] : 0;
    }
    vcl_use(kernel);
    c->kernel = kernel;
    if ((e = vcl_args_copy(who, &c->args, kernel->args, kernel->info))) {
        vcl_command_free(c);
        return e;
    }
    c->run = run_kernel;
    return vcl_command_submit(who, c, false, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint n, const cl_event *waits,
                              cl_event *event)
{
    return enqueue(__func__, CL_COMMAND_NDRANGE_KERNEL, queue, kernel, dims, offset, global, local, n, waits, event);
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint n, const cl_event *waits, cl_event *event)
{
    return enqueue(__func__, CL_COMMAND_TASK, queue, kernel, 1, NULL, &(size_t){1}, &(size_t){1}, n, waits, event);
}
