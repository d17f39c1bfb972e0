/* Mapping buffers into the program. The pointer is the program's own (CL_MEM_USE_HOST_PTR), the device's memory itself where that is shared, or memory of
 * the driver. Except for the second, bytes are copied when the mapping begins, and back when it ends. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>

static cl_int run_map(vcl_command *c, vcl_machine *m)
{
    const int v = vl_read(m->dev, c->mem->at + c->mapping->offset, c->mapping->pointer, c->mapping->bytes);
    return vcl_machine_result(m, "clEnqueueMapBuffer", v);
}

void vcl_mapping_free(vcl_mapping *x)
{
    if (x->owned)
        free(x->pointer);
    free(x);
}

static void end_mapping(cl_mem m, vcl_mapping *x)
{
    vcl_lock();
    for (vcl_mapping **p = &m->mappings; *p; p = &(*p)->next)
        if (*p == x) {
            *p = x->next;
            m->map_count--;
            break;
        }
    vcl_unlock();
    vcl_mapping_free(x);
}

static cl_int run_unmap(vcl_command *c, vcl_machine *m)
{
    const vcl_mapping *x = c->mapping;
    const int v = vl_write(m->dev, c->mem->at + x->offset, x->pointer, x->bytes);
    return vcl_machine_result(m, "clEnqueueUnmapMemObject", v);
}

static cl_int check_map(const char *who, cl_mem m, cl_map_flags flags)
{
    const bool invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION;
    if (!flags || flags & ~(cl_map_flags)(CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)
        || (invalidates && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return vcl_fail(who, CL_INVALID_VALUE, "map flags %#llx", (unsigned long long)flags);
    if ((flags & CL_MAP_READ && m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
        || (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)
            && m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return vcl_fail(who, CL_INVALID_OPERATION, "the buffer's flags do not allow it to the host");
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t bytes, cl_uint n, const cl_event *waits, cl_event *event, cl_int *errcode_ret)
{
    vcl_command *c;
    cl_int e = vcl_check_buffer(__func__, queue, mem);
    e = e ? e : vcl_check_range(__func__, mem, offset, bytes);
    e = e ? e : check_map(__func__, mem, flags);
    e = e ? e : vcl_command_new(__func__, &c, queue, CL_COMMAND_MAP_BUFFER, n, waits);
    if (e)
        return vcl_none(errcode_ret, e);
    vcl_mapping *x = calloc(1, sizeof *x);
    void *own = NULL;
    if (x && !mem->host && !mem->seen && posix_memalign(&own, VCL_LINE, bytes))
        own = NULL;
    if (!x || (!mem->host && !mem->seen && !own)) {
        free(x);
        vcl_command_free(c);
        return vcl_none(errcode_ret, FAIL(CL_MAP_FAILURE, "no memory for a mapping of %zu bytes", bytes));
    }
    x->owned = own != NULL;
    x->pointer = mem->host ? mem->host + offset : mem->seen ? mem->seen + offset : own;
    x->offset = offset;
    x->bytes = bytes;
    const bool copies = mem->host || !mem->seen;
    x->writes = copies && flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    void *pointer = x->pointer;
    vcl_use(mem);
    vcl_use(mem); /* a second reference until this call returns: the command may end before */
    vcl_lock();
    x->next = mem->mappings;
    mem->mappings = x;
    mem->map_count++;
    vcl_unlock();
    c->mem = mem;
    c->mapping = x;
    c->run = copies && !(flags & CL_MAP_WRITE_INVALIDATE_REGION) ? run_map : NULL;
    e = vcl_command_submit(__func__, c, blocking, event);
    if (e) {
        end_mapping(mem, x);
        pointer = NULL;
    }
    vcl_unuse(mem);
    if (errcode_ret)
        *errcode_ret = e;
    return pointer;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer, cl_uint n, const cl_event *waits,
                               cl_event *event)
{
    vcl_command *c;
    cl_int e = vcl_check_buffer(__func__, queue, mem);
    e = e ? e : vcl_command_new(__func__, &c, queue, CL_COMMAND_UNMAP_MEM_OBJECT, n, waits);
    if (e)
        return e;
    vcl_mapping *x = NULL;
    vcl_lock(); /* from here on the mapping belongs to the command */
    vcl_mapping **p = &mem->mappings;
    while (*p && (*p)->pointer != pointer)
        p = &(*p)->next;
    if ((x = *p)) {
        *p = x->next;
        mem->map_count--;
    }
    vcl_unlock();
    if (!x) {
        vcl_command_free(c);
        return FAIL(CL_INVALID_VALUE, "the pointer is of no mapping of this buffer");
    }
    vcl_use(mem);
    c->mem = mem;
    c->mapping = x;
    c->ends_mapping = true;
    c->run = x->writes ? run_unmap : NULL;
    return vcl_command_submit(__func__, c, false, event);
}
