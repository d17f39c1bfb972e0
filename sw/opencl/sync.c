/* Commands that do nothing but wait: markers, barriers, migrations. */
#include "sw/opencl/vcl.h"

static cl_int enqueue(const char *who, cl_command_queue queue, cl_command_type type, bool barrier, cl_uint n,
                      const cl_event *waits, cl_event *event)
{
    vcl_command *c;
    cl_int e = vcl_command_new(who, &c, queue, type, n, waits);
    if (e)
        return e;
    c->after_all = !n;
    c->before_all = barrier;
    return vcl_command_submit(who, c, false, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint n, const cl_event *waits, cl_event *event)
{
    return enqueue(__func__, queue, CL_COMMAND_MARKER, false, n, waits, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint n, const cl_event *waits, cl_event *event)
{
    return enqueue(__func__, queue, CL_COMMAND_BARRIER, true, n, waits, event);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    if (vcl_is(queue, VCL_QUEUE) && !event)
        return FAIL(CL_INVALID_VALUE, "no place for the event");
    return enqueue(__func__, queue, CL_COMMAND_MARKER, false, 0, NULL, event);
}

cl_int clEnqueueBarrier(cl_command_queue queue)
{
    return enqueue(__func__, queue, CL_COMMAND_BARRIER, true, 0, NULL, NULL);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint n, const cl_event *waits)
{
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    if (!n || !waits)
        return FAIL(CL_INVALID_VALUE, "no events");
    for (cl_uint i = 0; i < n; i++)
        if (!vcl_is(waits[i], VCL_EVENT))
            return FAIL(CL_INVALID_EVENT, "event_list[%u] is no event", i);
    return enqueue(__func__, queue, CL_COMMAND_BARRIER, true, n, waits, NULL);
}

/* There is one device: its memory is where the objects are. */
cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mems, const cl_mem *mems,
                                  cl_mem_migration_flags flags, cl_uint n, const cl_event *waits, cl_event *event)
{
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    if (!num_mems || !mems
        || flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return FAIL(CL_INVALID_VALUE, "no memory objects, or flags %#llx", (unsigned long long)flags);
    for (cl_uint i = 0; i < num_mems; i++) {
        cl_int e = vcl_check_buffer(__func__, queue, mems[i]);
        if (e)
            return e;
    }
    vcl_command *c;
    cl_int e = vcl_command_new(__func__, &c, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, n, waits);
    return e ? e : vcl_command_submit(__func__, c, false, event);
}
