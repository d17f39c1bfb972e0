/* Takes the seat of the verilated mem_sched: the twin a second time. With a broken twin both sides of the bench are wrong in the same way, and
 * only the judges can tell. */
#include "mem_sched_ports.h"
#include <stdlib.h>

void *mem_sched_rtl_new(uint64_t seed)
{
    (void)seed;
    void *m = calloc(1, mem_sched_size());
    if (!m)
        abort();
    return m;
}

void mem_sched_rtl_free(void *m)
{
    free(m);
}

void mem_sched_rtl_reset(void *m)
{
    mem_sched_reset(m);
}

void mem_sched_rtl_out(void *m, mem_sched_out_t *o)
{
    mem_sched_out(m, o);
}

bool mem_sched_rtl_tick(void *m, const mem_sched_in_t *in, bool check)
{
    (void)check;
    mem_sched_tick(m, in);
    return true;
}

void mem_sched_rtl_trace(void *m, const char *fst)
{
    (void)m, (void)fst;
}
