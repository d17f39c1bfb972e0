/* Commands, and the thread of a context that runs them, one at a time: of the commands that may run, the one that was enqueued first, whatever its queue. So a program
 * of one thread has the same order, and the same times, in every run. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

/* Set in a worker that released the last reference to its own context, and in one that continues in a forked child. */
static _Thread_local bool orphan;

/* ---- making and freeing a command ---- */

static cl_int check_waits(const char *who, cl_context context, cl_uint n, const cl_event *waits)
{
    if (!n != !waits)
        return vcl_fail(who, CL_INVALID_EVENT_WAIT_LIST, "a number of events without a list, or the other way round");
    for (cl_uint i = 0; i < n; i++) {
        if (!vcl_is(waits[i], VCL_EVENT))
            return vcl_fail(who, CL_INVALID_EVENT_WAIT_LIST, "event_wait_list[%u] is no event", i);
        if (waits[i]->context != context)
            return vcl_fail(who, CL_INVALID_CONTEXT, "event_wait_list[%u] is of another context", i);
    }
    return CL_SUCCESS;
}

cl_int vcl_command_new(const char *who, vcl_command **out, cl_command_queue q, cl_command_type type, cl_uint n,
                       const cl_event *waits)
{
    *out = NULL;
    if (!vcl_is(q, VCL_QUEUE))
        return vcl_fail(who, CL_INVALID_COMMAND_QUEUE, "this is no command queue");
    cl_int e = check_waits(who, q->context, n, waits);
    if (e)
        return e;
    if (q->context->machine.dead)
        return vcl_fail(who, CL_OUT_OF_RESOURCES, "the context's device cannot be used any more: %s",
                        q->context->machine.why);
    vcl_command *c = calloc(1, sizeof *c);
    if (c)
        c->waits = calloc(n + 1, sizeof(cl_event));
    if (c && c->waits)
        c->event = vcl_new(VCL_EVENT);
    if (!c || !c->event) {
        if (c)
            vcl_command_free(c);
        return CL_OUT_OF_HOST_MEMORY;
    }
    vcl_use(c->event);
    vcl_use(q);
    vcl_use(q->context);
    c->event->queue = q;
    c->event->context = q->context;
    c->event->type = type;
    c->event->status = CL_QUEUED;
    for (; c->n_waits < n; c->n_waits++) {
        vcl_use(waits[c->n_waits]);
        c->waits[c->n_waits] = waits[c->n_waits];
    }
    *out = c;
    return CL_SUCCESS;
}

/* Its objects are let go before its event has ended: an object that the program releases after that goes at once. */
static void let_go(vcl_command *c)
{
    for (cl_uint i = 0; i < c->n_waits; i++)
        vcl_unuse(c->waits[i]);
    free(c->waits);
    if (c->ends_mapping)
        vcl_mapping_free(c->mapping);
    vcl_unuse(c->mem);
    vcl_unuse(c->other);
    if (c->args)
        vcl_args_free(c->args, c->kernel->info->n_args);
    vcl_unuse(c->kernel);
}

static void free_command(vcl_command *c)
{
    vcl_unuse(c->event);
    free(c);
}

/* Of a command that was not submitted: the program's reference to its event was not given out. */
void vcl_command_free(vcl_command *c)
{
    if (c->event) {
        vcl_lock();
        vcl_withhold(c->event, VCL_EVENT);
        vcl_unlock();
    }
    let_go(c);
    free_command(c);
}

/* ---- which command is next ---- */

static bool may_run(const struct _cl_context *context, const vcl_command *c)
{
    const cl_command_queue q = c->event->queue;
    const bool in_order = !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (cl_uint i = 0; i < c->n_waits; i++)
        if (c->waits[i]->status > CL_COMPLETE)
            return false;
    for (const vcl_command *p = context->first; p != c; p = p->next)
        if (p->event->queue == q && (in_order || c->after_all || p->before_all))
            return false;
    return true;
}

static vcl_command *next_command(cl_context context)
{
    for (vcl_command *c = context->first; c; c = c->next)
        if (may_run(context, c))
            return c;
    return NULL;
}

static void remove_command(cl_context context, vcl_command *c)
{
    for (vcl_command **p = &context->first; *p; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            if (!*p)
                context->last = p;
            return;
        }
}

/* ---- the worker ---- */

/* Called and left with the lock. */
static void execute(cl_context context, vcl_command *c)
{
    vcl_machine *m = &context->machine;
    cl_event e = c->event;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < c->n_waits; i++)
        if (c->waits[i]->status < 0)
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    e->submitted = e->started = e->ended = m->now_ns;
    vcl_event_set(e, CL_SUBMITTED);
    if (!code)
        vcl_event_set(e, CL_RUNNING);
    vcl_unlock();
    const bool was_dead = m->dead, waited = code; /* waited: for a command that failed */
    if (!code && was_dead && c->run)
        code = CL_OUT_OF_RESOURCES;
    if (!code && c->run) {
        vcl_machine_take(m);
        e->started = vcl_machine_now(m);
        code = c->run(c, m);
        e->ended = vcl_machine_now(m);
        vcl_machine_give(m);
        if (c->cycles) /* a kernel: its own cycles, as in its statistics */
            e->started = e->ended - vcl_cycles_ns(c->cycles);
    }
    if (m->dead && !was_dead)
        vcl_context_tell(context, m->why);
    let_go(c);
    vcl_lock();
    remove_command(context, c);
    e->queue->pending--;
    if (code && !waited)
        e->queue->failed = code;
    vcl_event_set(e, code);
    vcl_unlock();
    free_command(c);
    vcl_lock();
}

/* Called and left with the lock. */
static void call_back(cl_context context)
{
    vcl_callback *c = context->calls;
    context->calls = c->next;
    if (!context->calls)
        context->calls_end = &context->calls;
    vcl_unlock();
    c->function(c->event, c->status, c->user);
    vcl_unuse(c->event);
    free(c);
    vcl_lock();
}

static void *work(void *argument)
{
    cl_context context = argument;
    vcl_lock();
    for (;;) {
        vcl_command *c = context->machine.stop ? NULL : next_command(context);
        if (context->machine.stop || (context->quit && !context->calls && !c))
            break;
        if (!context->calls && !c) {
            pthread_cond_wait(&vcl_changed, &vcl_mutex);
            continue;
        }
        context->object.uses++; /* a reference while the worker acts for it */
        if (context->calls)
            call_back(context);
        else
            execute(context, c);
        vcl_unlock();
        if (orphan)
            return NULL;
        vcl_unuse(context);
        if (orphan)
            return NULL;
        vcl_lock();
    }
    vcl_unlock();
    return NULL;
}

void vcl_worker_forked(void)
{
    orphan = true;
}

cl_int vcl_worker_start(cl_context c)
{
    if (!c->worker_runs && !c->quit)
        c->worker_runs = !pthread_create(&c->worker, NULL, work, c);
    return c->worker_runs ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void vcl_worker_call(cl_context c, vcl_callback *call)
{
    call->next = NULL;
    *c->calls_end = call;
    c->calls_end = &call->next;
    pthread_cond_broadcast(&vcl_changed);
}

void vcl_worker_end(cl_context c)
{
    vcl_lock();
    const bool runs = c->worker_runs;
    c->quit = true;
    c->worker_runs = false;
    pthread_cond_broadcast(&vcl_changed);
    vcl_unlock();
    if (runs && pthread_equal(c->worker, pthread_self())) {
        orphan = true;
        pthread_detach(c->worker);
    } else if (runs) {
        pthread_join(c->worker, NULL);
    }
}

cl_int vcl_command_submit(const char *who, vcl_command *c, bool blocking, cl_event *event)
{
    cl_event e = c->event;
    cl_context context = e->context;
    vcl_use(e);
    vcl_lock();
    cl_int code = vcl_worker_start(context);
    if (!code) {
        e->queued = context->machine.now_ns;
        if (!event)
            vcl_withhold(e, VCL_EVENT);
        e->queue->pending++;
        *context->last = c;
        context->last = &c->next;
        pthread_cond_broadcast(&vcl_changed);
    }
    vcl_unlock();
    if (code) {
        vcl_command_free(c);
    } else {
        if (event)
            *event = e;
        if (blocking)
            code = vcl_event_wait(e);
        if (code)
            vcl_fail(who, code, "the command failed");
    }
    vcl_unuse(e);
    return code;
}
