/* Memory of `vellum cc` and of its loop step. It is never exhausted in a way worth handling. */
#include "sw/tools/cc_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cc_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) {
        fputs("vellum cc: out of memory\n", stderr);
        exit(EXIT_FAILURE); /* as CC_FAILED */
    }
    return p;
}

void *cc_grow(void *p, size_t count, size_t size)
{
    if (count & (count - 1)) /* room is kept at powers of two */
        return p;
    void *q = cc_alloc((count ? 2 * count : 1) * size);
    if (count)
        memcpy(q, p, count * size);
    free(p);
    return q;
}
