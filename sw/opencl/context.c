/* Contexts. Each has a machine of its own, so that a kernel that faults ends one context and no other. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

static cl_context all; /* under the lock */

void vcl_context_tell(cl_context c, const char *text)
{
    if (c->notify)
        c->notify(text, NULL, 0, c->notify_user);
}

/* Names and values in pairs, ended by 0. */
static cl_int read_properties(const char *who, cl_context c, const cl_context_properties *list)
{
    size_t n = 0;
    bool seen[2] = {false};
    if (!list)
        return CL_SUCCESS;
    for (; list[n]; n += 2) {
        const bool sync = list[n] == CL_CONTEXT_INTEROP_USER_SYNC;
        if (!sync && list[n] != CL_CONTEXT_PLATFORM)
            return vcl_fail(who, CL_INVALID_PROPERTY, "context property %#lx", (long)list[n]);
        const char *name = sync ? "CL_CONTEXT_INTEROP_USER_SYNC" : "CL_CONTEXT_PLATFORM";
        if (seen[sync])
            return vcl_fail(who, CL_INVALID_PROPERTY, "%s is given twice", name);
        if (!sync && (cl_platform_id)list[n + 1] != &vcl_platform)
            return vcl_fail(who, CL_INVALID_PLATFORM, "%s is no platform", name);
        if (sync && list[n + 1] != CL_TRUE && list[n + 1] != CL_FALSE)
            return vcl_fail(who, CL_INVALID_PROPERTY, "%s is %ld: CL_TRUE or CL_FALSE", name, (long)list[n + 1]);
        seen[sync] = true;
    }
    c->n_properties = n + 1;
    c->properties = malloc(c->n_properties * sizeof *list);
    if (!c->properties)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(c->properties, list, c->n_properties * sizeof *list);
    return CL_SUCCESS;
}

/* For the one device: its list or type has been checked. */
static cl_context create(const char *who, const cl_context_properties *properties, vcl_notify notify, void *user,
                         cl_int *errcode_ret)
{
    if (!notify && user)
        return vcl_none(errcode_ret, vcl_fail(who, CL_INVALID_VALUE, "user data without a function"));
    cl_context c = vcl_new(VCL_CONTEXT);
    if (!c)
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    c->last = &c->first;
    c->calls_end = &c->calls;
    cl_int e = read_properties(who, c, properties);
    const vcl_facts *facts = e ? NULL : vcl_get_facts();
    if (!e && facts->code) {
        e = vcl_fail(who, vcl_code_or(facts->code, CL_DEVICE_NOT_AVAILABLE), "%s", facts->why);
        if (notify)
            notify(facts->why, NULL, 0, user);
    }
    vl_error *err = e ? NULL : calloc(1, sizeof *err);
    if (!e && !err)
        e = CL_OUT_OF_HOST_MEMORY;
    const int v = e ? 0 : vcl_machine_open(&c->machine, err);
    if (v) {
        e = vcl_fail(who, vcl_code_or(v, CL_DEVICE_NOT_AVAILABLE), "%s", err->text);
        if (notify)
            notify(err->text, NULL, 0, user);
    }
    free(err);
    if (e) {
        vcl_release(who, c, VCL_CONTEXT);
        return vcl_none(errcode_ret, e);
    }
    vcl_stats_begin();
    c->notify = notify;
    c->notify_user = user;
    vcl_lock();
    c->next_context = all;
    all = c;
    vcl_unlock();
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return c;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
                           vcl_notify notify, void *user, cl_int *errcode_ret)
{
    if (!devices || !num_devices)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "no devices"));
    for (cl_uint i = 0; i < num_devices; i++)
        if (devices[i] != &vcl_device)
            return vcl_none(errcode_ret, FAIL(CL_INVALID_DEVICE, "devices[%u] is no device", i));
    return create(__func__, properties, notify, user, errcode_ret);
}

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type, vcl_notify notify,
                                   void *user, cl_int *errcode_ret)
{
    const cl_int e = vcl_check_type(__func__, type);
    return e ? vcl_none(errcode_ret, e) : create(__func__, properties, notify, user, errcode_ret);
}

void vcl_forget_contexts(void)
{
    all = NULL;
}

static void forget(cl_context c)
{
    for (cl_context *p = &all; *p; p = &(*p)->next_context)
        if (*p == c) {
            *p = c->next_context;
            break;
        }
    pthread_cond_broadcast(&vcl_changed);
}

void vcl_context_destroy(void *context)
{
    cl_context c = context;
    vcl_worker_end(c);
    vcl_machine_close(&c->machine);
    free(c->properties);
    vcl_lock();
    forget(c);
    vcl_unlock();
}

cl_int clRetainContext(cl_context context)
{
    return vcl_retain(__func__, context, VCL_CONTEXT);
}

cl_int clReleaseContext(cl_context context)
{
    return vcl_release(__func__, context, VCL_CONTEXT);
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return FAIL(CL_INVALID_CONTEXT, "this is no context");
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(context)}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_CONTEXT_NUM_DEVICES: return vcl_give(__func__, &(cl_uint){1}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_CONTEXT_DEVICES:
        return vcl_give(__func__, &(cl_device_id){&vcl_device}, sizeof(cl_device_id), room, out, bytes_ret);
    case CL_CONTEXT_PROPERTIES:
        return vcl_give(__func__, context->properties, context->n_properties * sizeof *context->properties, room, out,
                        bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no context query %#x", name);
    }
}

/* The process ends, maybe in the midst of a kernel: workers stop, and traces and the like are completed. A context without references is just being
 * destroyed by another thread. */
__attribute__((destructor)) static void at_exit(void)
{
    vcl_lock();
    while (all) {
        cl_context c = all;
        if (!c->object.held && !c->object.uses) {
            pthread_cond_wait(&vcl_changed, &vcl_mutex);
            continue;
        }
        c->object.uses++; /* a reference that is never given back, so the worker does not free the context */
        c->machine.stop = true;
        forget(c);
        vcl_unlock();
        vcl_worker_end(c);
        vcl_machine_close(&c->machine);
        vcl_lock();
    }
    vcl_unlock();
    vcl_note_leaks();
    vcl_cache_forget();
}
