/* Buffers and sub-buffers. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>

static cl_int check_flags(const char *who, cl_mem_flags flags, cl_mem_flags known)
{
    const cl_mem_flags device = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
                       host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if (flags & ~known)
        return vcl_fail(who, CL_INVALID_VALUE, "flags %#llx", (unsigned long long)flags);
    if ((flags & device & ((flags & device) - 1)) || (flags & host & ((flags & host) - 1)))
        return vcl_fail(who, CL_INVALID_VALUE, "flags %#llx exclude each other", (unsigned long long)flags);
    if (flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
        return vcl_fail(who, CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR goes with no other way to have host memory");
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret)
{
    const cl_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY
                               | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_USE_HOST_PTR
                               | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    cl_int e = check_flags(__func__, flags, known);
    if (e)
        return vcl_none(errcode_ret, e);
    if (!size || size > vcl_get_facts()->heap_bytes / 2)
        return vcl_none(errcode_ret,
                        FAIL(CL_INVALID_BUFFER_SIZE, "%zu bytes: from 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu", size,
                             (unsigned long long)vcl_get_facts()->heap_bytes / 2));
    const bool filled = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (filled != (host_ptr != NULL))
        return vcl_none(errcode_ret,
                        FAIL(CL_INVALID_HOST_PTR,
                             "host_ptr goes with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, and they with it"));
    cl_mem m = vcl_new(VCL_MEM);
    if (!m)
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    vcl_use(context);
    m->context = context;
    m->flags = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY) ? flags : flags | CL_MEM_READ_WRITE;
    m->bytes = size;
    m->host = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
    vcl_machine *machine = &context->machine;
    vcl_machine_take(machine);
    int v = vl_malloc(machine->dev, size, &m->at);
    if (!v && filled)
        v = vl_write(machine->dev, m->at, host_ptr, size);
    if (v)
        e = FAIL(vcl_code_of(v, CL_MEM_OBJECT_ALLOCATION_FAILURE), "%s", vl_detail(machine->dev));
    m->seen = v ? NULL : vl_host(machine->dev, m->at);
    (void)vcl_machine_now(machine);
    vcl_machine_give(machine);
    if (e) {
        vcl_release(__func__, m, VCL_MEM);
        return vcl_none(errcode_ret, e);
    }
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return m;
}

/* A sub-buffer has its parent's rights, and may have less. */
static cl_int inherit(const char *who, cl_mem parent, cl_mem_flags flags, cl_mem_flags *out)
{
    const cl_mem_flags device = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
                       host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    cl_int e = check_flags(who, flags, device | host);
    if (e)
        return e;
    const cl_mem_flags d = flags & device, h = flags & host, pd = parent->flags & device, ph = parent->flags & host;
    if (d && pd != CL_MEM_READ_WRITE && d != pd)
        return vcl_fail(who, CL_INVALID_VALUE, "more rights than the buffer has");
    if (h && ph && h != ph && h != CL_MEM_HOST_NO_ACCESS)
        return vcl_fail(who, CL_INVALID_VALUE, "more rights for the host than the buffer has");
    *out = (d ? d : pd) | (h ? h : ph)
           | (parent->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
    return CL_SUCCESS;
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
                         cl_int *errcode_ret)
{
    if (!vcl_is(parent, VCL_MEM) || parent->parent)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_MEM_OBJECT, "this is no buffer, or a sub-buffer itself"));
    cl_mem_flags own;
    cl_int e = inherit(__func__, parent, flags, &own);
    if (e)
        return vcl_none(errcode_ret, e);
    const cl_buffer_region *r = info;
    if (type != CL_BUFFER_CREATE_TYPE_REGION || !r)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "no region"));
    if (r->origin > parent->bytes || r->size > parent->bytes - r->origin)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "%zu bytes at %zu of a buffer of %zu", r->size, r->origin,
                                          parent->bytes));
    if (!r->size)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_BUFFER_SIZE, "0 bytes"));
    if (r->origin % VCL_LINE)
        return vcl_none(errcode_ret, FAIL(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                                          "origin %zu is no multiple of %d (CL_DEVICE_MEM_BASE_ADDR_ALIGN is in bits)",
                                          r->origin, VCL_LINE));
    cl_mem m = vcl_new(VCL_MEM);
    if (!m)
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    vcl_use(parent);
    vcl_use(parent->context);
    m->context = parent->context;
    m->parent = parent;
    m->flags = own;
    m->bytes = r->size;
    m->origin = r->origin;
    m->at = parent->at + r->origin;
    m->host = parent->host ? parent->host + r->origin : NULL;
    m->seen = parent->seen ? parent->seen + r->origin : NULL;
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return m;
}

void vcl_mem_destroy(void *mem)
{
    cl_mem m = mem;
    while (m->destructors) { /* the last that was registered comes first */
        vcl_destructor *d = m->destructors;
        m->destructors = d->next;
        d->function(m, d->user);
        free(d);
    }
    while (m->mappings) {
        vcl_mapping *x = m->mappings;
        m->mappings = x->next;
        if (x->owned)
            free(x->pointer);
        free(x);
    }
    if (!m->parent) {
        vcl_machine_take(&m->context->machine);
        (void)vl_free(m->context->machine.dev, m->at);
        vcl_machine_give(&m->context->machine);
    }
    vcl_unuse(m->parent);
    vcl_unuse(m->context);
}

cl_int clRetainMemObject(cl_mem mem)
{
    return vcl_retain(__func__, mem, VCL_MEM);
}

cl_int clReleaseMemObject(cl_mem mem)
{
    return vcl_release(__func__, mem, VCL_MEM);
}

cl_int clSetMemObjectDestructorCallback(cl_mem mem, void(CL_CALLBACK *function)(cl_mem, void *), void *user)
{
    if (!vcl_is(mem, VCL_MEM))
        return FAIL(CL_INVALID_MEM_OBJECT, "this is no memory object");
    if (!function)
        return FAIL(CL_INVALID_VALUE, "no function");
    vcl_destructor *d = malloc(sizeof *d);
    if (!d)
        return CL_OUT_OF_HOST_MEMORY;
    vcl_lock();
    *d = (vcl_destructor){mem->destructors, function, user};
    mem->destructors = d;
    vcl_unlock();
    return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(mem, VCL_MEM))
        return FAIL(CL_INVALID_MEM_OBJECT, "this is no memory object");
    cl_uint maps;
    void *host;
    switch (name) {
    case CL_MEM_TYPE:
        return vcl_give(__func__, &(cl_mem_object_type){CL_MEM_OBJECT_BUFFER}, sizeof(cl_mem_object_type), room, out,
                        bytes_ret);
    case CL_MEM_FLAGS: return vcl_give(__func__, &mem->flags, sizeof mem->flags, room, out, bytes_ret);
    case CL_MEM_SIZE: return vcl_give(__func__, &mem->bytes, sizeof mem->bytes, room, out, bytes_ret);
    case CL_MEM_HOST_PTR: host = mem->host; return vcl_give(__func__, &host, sizeof host, room, out, bytes_ret);
    case CL_MEM_MAP_COUNT:
        vcl_lock();
        maps = mem->map_count;
        vcl_unlock();
        return vcl_give(__func__, &maps, sizeof maps, room, out, bytes_ret);
    case CL_MEM_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(mem)}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_MEM_CONTEXT: return vcl_give(__func__, &mem->context, sizeof mem->context, room, out, bytes_ret);
    case CL_MEM_ASSOCIATED_MEMOBJECT: return vcl_give(__func__, &mem->parent, sizeof mem->parent, room, out, bytes_ret);
    case CL_MEM_OFFSET: return vcl_give(__func__, &mem->origin, sizeof mem->origin, room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no memory query %#x", name);
    }
}

cl_int vcl_check_buffer(const char *who, cl_command_queue q, cl_mem m)
{
    if (!vcl_is(q, VCL_QUEUE))
        return vcl_fail(who, CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    if (!vcl_is(m, VCL_MEM))
        return vcl_fail(who, CL_INVALID_MEM_OBJECT, "this is no buffer");
    if (m->context != q->context)
        return vcl_fail(who, CL_INVALID_CONTEXT, "buffer and queue are of different contexts");
    return CL_SUCCESS;
}

cl_int vcl_check_range(const char *who, cl_mem m, size_t offset, size_t bytes)
{
    if (offset > m->bytes || bytes > m->bytes - offset)
        return vcl_fail(who, CL_INVALID_VALUE, "%zu bytes at %zu of a buffer of %zu", bytes, offset, m->bytes);
    if (!bytes)
        return vcl_fail(who, CL_INVALID_VALUE, "0 bytes");
    return CL_SUCCESS;
}
