/* A child that the program makes by fork (docs/opencl.md, C8): it has the parent's handles, but neither their threads nor, safely, their machines. So in the child
 * every handle of the parent is invalid, and the driver is as if no context had been made. At the fork no other thread is within a lock. */
#include "sw/opencl/vcl.h"

static void before(void)
{
    vcl_lock();
    pthread_mutex_lock(&vcl_file_mutex);
}

static void after(void)
{
    pthread_mutex_unlock(&vcl_file_mutex);
    vcl_unlock();
}

static void in_child(void)
{
    vcl_changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER; /* no thread waits for it here */
    vcl_forget_contexts();
    vcl_forget_objects();
    vcl_worker_forked();
    after();
}

__attribute__((constructor)) static void at_start(void)
{
    pthread_atfork(before, after, in_child);
}
