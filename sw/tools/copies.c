#include "sw/tools/copies.h"

#include <string.h>

bool copies_parse(const char *word, enum copies *out)
{
    *out = !strcmp(word, "results") ? COPY_RESULTS : !strcmp(word, "all") ? COPY_ALL : UNCOUNTED;
    return *out != UNCOUNTED;
}

/* By way of the back door, which opens behind empty caches alone. */
static int empty_caches(vl_device *dev, vl_ptr any, uint64_t *now)
{
    unsigned char byte;
    int e = vl_set_back_door(dev, true);
    if (!e)
        e = vl_read(dev, any, &byte, 1);
    if (!e)
        e = vl_set_back_door(dev, false);
    return e ? e : vl_now(dev, now);
}

int copies_settle(vl_device *dev, vl_ptr any, uint64_t *cycles)
{
    uint64_t since, home, again;
    int e = vl_now(dev, &since);
    if (!e)
        e = empty_caches(dev, any, &home);
    if (!e)
        e = empty_caches(dev, any, &again); /* a walk through all caches and tables is not part of a copy */
    *cycles = !e && home - since > again - home ? home - since - (again - home) : 0;
    return e;
}
