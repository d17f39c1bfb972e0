/* Settings and facts are read by the first call that needs them, in any thread; a read without memory may be repeated. */
#include "sw/opencl/vcl.h"

bool vcl_read_once(vcl_once *once, bool (*read)(void))
{
    if (!once->complete) {
        pthread_mutex_lock(&once->lock);
        if (!once->complete)
            once->complete = read();
        pthread_mutex_unlock(&once->lock);
    }
    return once->complete;
}
