#include "sim_c/mem/memside.h"
#include "verif/mem/bandwidth/device.h"
#include <stdlib.h>

const char device_name[] = "model";
static memside_t *m;

void device_new(void)
{
    free(m);
    m = malloc(memside_size());
    if (!m)
        abort();
    memside_reset(m);
}

void device_out(memside_out_t *o)
{
    memside_out(m, o);
}

void device_tick(const memside_in_t *in)
{
    memside_tick(m, in);
}

bool device_request(unsigned sub, uint64_t *line, bool *write)
{
    const mem_sched_out_t *sched = memside_block_out(m, "mem_sched", "sched", 0);
    const l2_out_t *l2 = memside_block_out(m, "l2", "l2", sub);
    *line = l2->home_req.line;
    *write = l2->home_req.op == HOME_WRITE_BACK;
    return l2->home_req_valid && (sched->home_req_ready >> sub & 1);
}
