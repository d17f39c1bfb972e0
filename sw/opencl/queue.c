/* Command queues. */
#include "sw/opencl/vcl.h"

static const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    if (device != &vcl_device)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_DEVICE, "this is no device of the context"));
    if (properties & ~known)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "properties %#llx", (unsigned long long)properties));
    cl_command_queue q = vcl_new(VCL_QUEUE);
    if (!q)
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    vcl_use(context);
    q->context = context;
    q->properties = properties;
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return q;
}

/* Of OpenCL 2.0, for programs that prefer it where the header has it. */
cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties, cl_int *errcode_ret)
{
    cl_command_queue_properties bits = 0;
    for (; properties && *properties; properties += 2) {
        if (properties[0] != CL_QUEUE_PROPERTIES)
            return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "queue property %#lx", (long)properties[0]));
        bits = properties[1];
    }
    if (bits & ~known)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_QUEUE_PROPERTIES, "there are no queues on the device"));
    return clCreateCommandQueue(context, device, bits, errcode_ret);
}

void vcl_queue_destroy(void *queue)
{
    vcl_unuse(((cl_command_queue)queue)->context);
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    return vcl_retain(__func__, queue, VCL_QUEUE);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    return vcl_release(__func__, queue, VCL_QUEUE);
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t room, void *out,
                             size_t *bytes_ret)
{
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    switch (name) {
    case CL_QUEUE_CONTEXT: return vcl_give(__func__, &queue->context, sizeof queue->context, room, out, bytes_ret);
    case CL_QUEUE_DEVICE:
        return vcl_give(__func__, &(cl_device_id){&vcl_device}, sizeof(cl_device_id), room, out, bytes_ret);
    case CL_QUEUE_REFERENCE_COUNT:
        return vcl_give(__func__, &(cl_uint){vcl_held(queue)}, sizeof(cl_uint), room, out, bytes_ret);
    case CL_QUEUE_PROPERTIES:
        return vcl_give(__func__, &queue->properties, sizeof queue->properties, room, out, bytes_ret);
    default: return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no queue query %#x", name);
    }
}

cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties, cl_bool enable,
                                 cl_command_queue_properties *old)
{
    (void)properties, (void)enable, (void)old;
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    return FAIL(CL_INVALID_OPERATION, "OpenCL 1.1 removed this function");
}

cl_int clFlush(cl_command_queue queue)
{
    return vcl_is(queue, VCL_QUEUE) ? CL_SUCCESS : FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
}

/* Failures of the device are reported here too, since few programs check every event. A failed event in a wait list is no failure of the device. */
cl_int clFinish(cl_command_queue queue)
{
    if (!vcl_is(queue, VCL_QUEUE))
        return FAIL(CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    vcl_use(queue);
    vcl_lock();
    while (queue->pending)
        pthread_cond_wait(&vcl_changed, &vcl_mutex);
    const cl_int failed = queue->context->machine.dead ? CL_OUT_OF_RESOURCES : queue->failed;
    queue->failed = CL_SUCCESS;
    vcl_unlock();
    vcl_unuse(queue);
    return failed ? FAIL(CL_OUT_OF_RESOURCES, "a command of the queue ended with %s", vcl_code_name(failed))
                  : CL_SUCCESS;
}
