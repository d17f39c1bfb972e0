/* See trace.h. */
#include "sim_c/dram/trace.h"
#include "sim_c/common/error.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dram_trace {
    FILE *file;
    char *path, *temporary;
    uint64_t cycle;
};

static void release(dram_trace_t *t)
{
    free(t->path);
    free(t->temporary);
    free(t);
}

int dram_trace_open(dram_trace_t **out, const char *path)
{
    *out = NULL;
    dram_trace_t *t = calloc(1, sizeof *t);
    if (!t)
        return SIM_ENOMEM;
    t->path = strdup(path);
    if (asprintf(&t->temporary, "%s.XXXXXX", path) < 0)
        t->temporary = NULL;
    if (!t->path || !t->temporary) {
        release(t);
        return SIM_ENOMEM;
    }
    int fd = mkstemp(t->temporary);
    if (fd >= 0 && !(t->file = fdopen(fd, "w"))) {
        close(fd);
        unlink(t->temporary);
    }
    if (!t->file) {
        release(t);
        return SIM_EIO;
    }
    mode_t mask = umask(0); /* mkstemp's file is private; this one is as any other */
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    *out = t;
    return 0;
}

int dram_trace_add(dram_trace_t *t, uint64_t address, bool write, uint64_t cycle)
{
    if (cycle < t->cycle)
        return SIM_EINVAL;
    t->cycle = cycle;
    /* A failed write stays in ferror, which dram_trace_close looks at. */
    fprintf(t->file, "0x%" PRIx64 " %s %" PRIu64 "\n", address, write ? "WRITE" : "READ", cycle);
    return 0;
}

int dram_trace_close(dram_trace_t *t)
{
    if (!t)
        return 0;
    bool good = !ferror(t->file);
    good &= fclose(t->file) == 0;
    good = good && rename(t->temporary, t->path) == 0;
    if (!good)
        unlink(t->temporary);
    release(t);
    return good ? 0 : SIM_EIO;
}
