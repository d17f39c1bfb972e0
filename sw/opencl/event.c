/* Events: of commands, and the program's own. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>

/* The program's function gets the status it was registered for, or the error. */
static void call(cl_event e, vcl_callback *c)
{
    c->status = e->status < 0 ? e->status : c->type;
    vcl_worker_call(e->context, c);
}

void vcl_event_set(cl_event e, cl_int status)
{
    e->status = status;
    for (vcl_callback **p = &e->callbacks; *p;) {
        vcl_callback *c = *p;
        if (c->type < status) {
            p = &c->next;
            continue;
        }
        *p = c->next;
        call(e, c);
    }
    pthread_cond_broadcast(&vcl_changed);
}

cl_int vcl_event_wait(cl_event e)
{
    vcl_use(e);
    vcl_lock();
    while (e->status > CL_COMPLETE)
        pthread_cond_wait(&vcl_changed, &vcl_mutex);
    const cl_int status = e->status;
    vcl_unlock();
    vcl_unuse(e);
    return status;
}

void vcl_event_destroy(void *event)
{
    cl_event e = event;
    vcl_unuse(e->queue);
    vcl_unuse(e->context);
}

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    cl_event e = vcl_new(VCL_EVENT);
    if (!e)
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    vcl_use(context);
    e->context = context;
    e->type = CL_COMMAND_USER;
    e->status = CL_SUBMITTED;
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return e;
}

cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
    if (!vcl_is(event, VCL_EVENT) || event->queue)
        return FAIL(CL_INVALID_EVENT, "this is no user event");
    if (status > CL_COMPLETE)
        return FAIL(CL_INVALID_VALUE, "status %d: CL_COMPLETE or an error", status);
    vcl_lock();
    const bool before = event->status <= CL_COMPLETE;
    if (!before)
        vcl_event_set(event, status);
    vcl_unlock();
    return before ? FAIL(CL_INVALID_OPERATION, "the status was set before") : CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint num_events, const cl_event *list)
{
    if (!num_events || !list)
        return FAIL(CL_INVALID_VALUE, "no events");
    for (cl_uint i = 0; i < num_events; i++) {
        if (!vcl_is(list[i], VCL_EVENT))
            return FAIL(CL_INVALID_EVENT, "list[%u] is no event", i);
        if (list[i]->context != list[0]->context)
            return FAIL(CL_INVALID_CONTEXT, "list[%u] is of another context", i);
    }
    bool failed = false;
    for (cl_uint i = 0; i < num_events; i++)
        failed |= vcl_event_wait(list[i]) < 0;
    return failed ? FAIL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command failed") : CL_SUCCESS;
}

cl_int clSetEventCallback(cl_event event, cl_int type, void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                          void *user)
{
    if (!vcl_is(event, VCL_EVENT))
        return FAIL(CL_INVALID_EVENT, "this is no event");
    if (!function || (type != CL_COMPLETE && type != CL_RUNNING && type != CL_SUBMITTED))
        return FAIL(CL_INVALID_VALUE, "no function, or status %d", type);
    vcl_callback *c = malloc(sizeof *c);
    if (!c)
        return CL_OUT_OF_HOST_MEMORY;
    *c = (vcl_callback){.event = event, .type = type, .function = function, .user = user};
    vcl_lock();
    if (vcl_worker_start(event->context)) { /* now, since this call can still return an error */
        vcl_unlock();
        free(c);
        return CL_OUT_OF_HOST_MEMORY;
    }
    event->object.uses++;
    if (event->status <= type) {
        call(event, c);
    } else { /* in order of registration */
        vcl_callback **p = &event->callbacks;
        while (*p)
            p = &(*p)->next;
        *p = c;
    }
    vcl_unlock();
    return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event)
{
    return vcl_retain(__func__, event, VCL_EVENT);
}

cl_int clReleaseEvent(cl_event event)
{
    return vcl_release(__func__, event, VCL_EVENT);
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(event, VCL_EVENT))
        return FAIL(CL_INVALID_EVENT, "this is no event");
    cl_int status;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: return vcl_give(__func__, &event->queue, sizeof event->queue, room, out, bytes_ret);
    case CL_EVENT_CONTEXT: return vcl_give(__func__, &event->context, sizeof event->context, room, out, bytes_ret);
    case CL_EVENT_COMMAND_TYPE: return vcl_give(__func__, &event->type, sizeof event->type, room, out, bytes_ret);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        vcl_lock();
        status = event->status;
        vcl_unlock();
        return vcl_give(__func__, &status, sizeof status, room, out, bytes_ret);
    case CL_EVENT_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(event)}, sizeof(cl_uint), room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no event query %#x", name);
    }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(event, VCL_EVENT))
        return FAIL(CL_INVALID_EVENT, "this is no event");
    vcl_lock();
    const bool there =
        event->queue && event->queue->properties & CL_QUEUE_PROFILING_ENABLE && event->status == CL_COMPLETE;
    vcl_unlock();
    if (!there)
        return FAIL(CL_PROFILING_INFO_NOT_AVAILABLE,
                    "a user event, a command that has not ended, or a queue without CL_QUEUE_PROFILING_ENABLE");
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: return vcl_give(__func__, &event->queued, sizeof(cl_ulong), room, out, bytes_ret);
    case CL_PROFILING_COMMAND_SUBMIT:
        return vcl_give(__func__, &event->submitted, sizeof(cl_ulong), room, out, bytes_ret);
    case CL_PROFILING_COMMAND_START: return vcl_give(__func__, &event->started, sizeof(cl_ulong), room, out, bytes_ret);
    case CL_PROFILING_COMMAND_END: return vcl_give(__func__, &event->ended, sizeof(cl_ulong), room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no profiling query %#x", name);
    }
}
