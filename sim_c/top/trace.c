/* See trace.h: files and kinds. */
#include "sim_c/top/trace.h"
#include "sim_c/top/trace_internal.h"
#include "sim_c/common/error.h"
#include <stdlib.h>
#include <string.h>

struct trace {
    const trace_kind_t *kind;
    void *state;
    FILE *f;
    char *path, *tmp;
};

static void drop(trace_t *t)
{
    if (t->f)
        fclose(t->f);
    if (t->tmp)
        remove(t->tmp);
    free(t->path);
    free(t->tmp);
    free(t);
}

int trace_open(trace_t **out, const char *kind, const char *path)
{
    static const trace_kind_t *const kinds[] = {&trace_kanata, &trace_timeline};
    const trace_kind_t *k = NULL;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kind, kinds[i]->name))
            k = kinds[i];
    if (!k)
        return SIM_ENOTSUP;
    trace_t *t = calloc(1, sizeof *t);
    if (!t)
        return SIM_ENOMEM;
    size_t n = strlen(path) + 5;
    t->kind = k;
    t->path = malloc(n);
    t->tmp = malloc(n);
    if (!t->path || !t->tmp) {
        drop(t);
        return SIM_ENOMEM;
    }
    snprintf(t->path, n, "%s", path);
    snprintf(t->tmp, n, "%s.tmp", path);
    t->f = fopen(t->tmp, "w");
    if (!t->f) {
        free(t->tmp);
        t->tmp = NULL;
        drop(t);
        return SIM_EIO;
    }
    t->state = k->open(t->f);
    if (!t->state) {
        drop(t);
        return SIM_ENOMEM;
    }
    *out = t;
    return 0;
}

void trace_cycle(trace_t *t, uint64_t cycle, const vellum_out_t *o)
{
    t->kind->cycle(t->state, cycle, o);
}

int trace_close(trace_t *t, uint64_t cycle)
{
    t->kind->close(t->state, cycle);
    bool bad = ferror(t->f) || fclose(t->f);
    t->f = NULL;
    if (!bad && rename(t->tmp, t->path) == 0) {
        free(t->tmp);
        t->tmp = NULL;
    } else {
        bad = true;
    }
    drop(t);
    return bad ? SIM_EIO : 0;
}
