#include "verif/mem/bandwidth/device.h"

const char device_name[] = "rtl";
static void *m;

void device_new(void)
{
    if (m)
        memside_rtl_free(m);
    m = memside_rtl_new(0);
    memside_rtl_reset(m);
}

void device_out(memside_out_t *o)
{
    memside_rtl_out(m, o);
}

void device_tick(const memside_in_t *in)
{
    memside_rtl_tick(m, in, false);
}

bool device_request(unsigned sub, uint64_t *line, bool *write)
{
    (void)sub, (void)line, (void)write;
    return false;
}
