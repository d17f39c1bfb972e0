/* Handles. A handle that was released may still be passed to the driver, and the loader has read its first word by then: so the memory of a handle is never freed,
 * but used again for a handle of the same kind. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

pthread_mutex_t vcl_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t vcl_changed = PTHREAD_COND_INITIALIZER;

static const struct {
    const char *name;
    size_t bytes;
    cl_int invalid;
    void (*destroy)(void *);
} kinds[VCL_KINDS] = {
    [VCL_CONTEXT] = {"context", sizeof(struct _cl_context), CL_INVALID_CONTEXT, vcl_context_destroy},
    [VCL_QUEUE] = {"command queue", sizeof(struct _cl_command_queue), CL_INVALID_COMMAND_QUEUE, vcl_queue_destroy},
    [VCL_MEM] = {"memory object", sizeof(struct _cl_mem), CL_INVALID_MEM_OBJECT, vcl_mem_destroy},
    [VCL_PROGRAM] = {"program", sizeof(struct _cl_program), CL_INVALID_PROGRAM, vcl_program_destroy},
    [VCL_KERNEL] = {"kernel", sizeof(struct _cl_kernel), CL_INVALID_KERNEL, vcl_kernel_destroy},
    [VCL_EVENT] = {"event", sizeof(struct _cl_event), CL_INVALID_EVENT, vcl_event_destroy},
};

/* Free handles of a kind, in order of their release. The oldest is used again when there are enough of them: most wrong uses of a handle come soon. */
static struct {
    vcl_object *first, **last;
    unsigned n;
} unused[VCL_KINDS];
enum { KEPT = 256 };

static uint64_t serials, inherited; /* inherited: of the last handle of the process that this one was forked from */
static unsigned long held[VCL_KINDS]; /* handles that the program has references to */

enum { MAGIC = 0x56434c00 };

void vcl_lock(void)
{
    pthread_mutex_lock(&vcl_mutex);
}

void vcl_unlock(void)
{
    pthread_mutex_unlock(&vcl_mutex);
}

const char *vcl_kind_name(enum vcl_kind kind)
{
    return kinds[kind].name;
}

void *vcl_new(enum vcl_kind kind)
{
    vcl_lock();
    vcl_object *o = NULL;
    if (unused[kind].n > KEPT) {
        o = unused[kind].first;
        unused[kind].first = o->next;
        unused[kind].n--;
    } else {
        o = calloc(1, kinds[kind].bytes);
    }
    if (o) {
        o->dispatch = &vcl_dispatch;
        o->held = 1;
        o->serial = ++serials;
        o->magic = MAGIC + kind;
        held[kind]++;
    }
    vcl_unlock();
    return o;
}

bool vcl_is(const void *handle, enum vcl_kind kind)
{
    const vcl_object *o = handle;
    if (!o || o->magic != MAGIC + (uint32_t)kind)
        return false;
    if (o->serial <= inherited)
        vcl_note("this %s is of the process that this one was forked from: a child makes objects of its own",
                 kinds[kind].name);
    return o->serial > inherited;
}

/* The last reference has gone. */
static void destroy(vcl_object *o)
{
    const enum vcl_kind kind = (enum vcl_kind)(o->magic - MAGIC);
    kinds[kind].destroy(o);
    vcl_lock();
    o->magic = 0;
    memset(o + 1, 0, kinds[kind].bytes - sizeof *o);
    o->next = NULL;
    *(unused[kind].n++ ? unused[kind].last : &unused[kind].first) = o;
    unused[kind].last = &o->next;
    vcl_unlock();
}

cl_int vcl_retain(const char *who, void *handle, enum vcl_kind kind)
{
    vcl_object *o = handle;
    if (!vcl_is(handle, kind))
        return vcl_fail(who, kinds[kind].invalid, "this is no %s, or one that was released", kinds[kind].name);
    vcl_lock();
    held[kind] += !o->held++;
    vcl_unlock();
    return CL_SUCCESS;
}

cl_int vcl_release(const char *who, void *handle, enum vcl_kind kind)
{
    vcl_object *o = handle;
    if (!vcl_is(handle, kind))
        return vcl_fail(who, kinds[kind].invalid, "this is no %s, or one that was released", kinds[kind].name);
    vcl_lock();
    const bool had = o->held > 0;
    o->held -= had;
    held[kind] -= had && !o->held;
    const bool last = had && !o->held && !o->uses;
    vcl_unlock();
    if (!had)
        return vcl_fail(who, kinds[kind].invalid,
                        "the program has given back all of its references to this %s (other objects still use it)",
                        kinds[kind].name);
    if (last)
        destroy(o);
    return CL_SUCCESS;
}

void vcl_withhold(void *handle, enum vcl_kind kind)
{
    vcl_object *o = handle;
    held[kind] -= o->held > 0;
    o->held = 0;
}

void vcl_use(void *handle)
{
    vcl_object *o = handle;
    vcl_lock();
    o->uses++;
    vcl_unlock();
}

bool vcl_use_again(void *handle, enum vcl_kind kind, uint64_t serial)
{
    vcl_object *o = handle;
    vcl_lock();
    const bool there = vcl_is(o, kind) && o->serial == serial && (o->held || o->uses);
    o->uses += there;
    vcl_unlock();
    return there;
}

void vcl_unuse(void *handle)
{
    vcl_object *o = handle;
    if (!o)
        return;
    vcl_lock();
    const bool last = !--o->uses && !o->held;
    vcl_unlock();
    if (last)
        destroy(o);
}

cl_uint vcl_held(void *handle)
{
    vcl_object *o = handle;
    vcl_lock();
    const cl_uint n = o->held;
    vcl_unlock();
    return n;
}

void vcl_forget_objects(void)
{
    inherited = serials;
    memset(held, 0, sizeof held);
}

void vcl_note_leaks(void)
{
    for (enum vcl_kind k = 0; k < VCL_KINDS; k++)
        if (held[k])
            vcl_note("never released: %lu x %s", held[k], kinds[k].name);
}

cl_int vcl_give(const char *who, const void *value, size_t bytes, size_t room, void *out, size_t *bytes_ret)
{
    if (out && room < bytes)
        return vcl_fail(who, CL_INVALID_VALUE, "room for %zu bytes, but there are %zu", room, bytes);
    if (out && bytes)
        memcpy(out, value, bytes);
    if (bytes_ret)
        *bytes_ret = bytes;
    return CL_SUCCESS;
}
