/* See trace.h: files and kinds. */
#include "sim_c/top/trace.h"
#include "sim_c/top/trace_internal.h"
#include "sim_c/common/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    const trace_kind_t *kind;
    void *state;
    FILE *f;
    char *path, *blocks;
    trace_view_t view;
    machine_part_t part;
    bool begun; /* the first kernel has begun: the window's cycles are counted from there */
};

static bool is_window(const machine_part_t *p)
{
    return p->from || p->to != UINT64_MAX;
}

/* A file that is still open is not whole: it goes. */
static void drop(trace_t *t)
{
    if (t->f) {
        fclose(t->f);
        remove(t->path);
    }
    free(t->path);
    free(t->blocks);
    free(t);
}

/* All words of the list are blocks that there are. */
static int check_blocks(const trace_kind_t *k, const char *list, sim_error_t *err)
{
    for (const char *p = list; p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(p, ","), p);
        if (trace_listed(k->blocks, word))
            continue;
        snprintf(err->text, sizeof err->text, "no block '%s' in a trace of this kind (there are: %s)", word, k->blocks);
        return SIM_EINVAL;
    }
    return 0;
}

int trace_open(trace_t **out, const char *kind, const char *path, const machine_part_t *part, vellum_inside_t inside,
               sim_error_t *err)
{
    static const trace_kind_t *const kinds[] = {&trace_kanata, &trace_timeline};
    const trace_kind_t *k = NULL;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kind, kinds[i]->name))
            k = kinds[i];
    if (!k)
        return SIM_ENOTSUP;
    int r = check_blocks(k, part->blocks, err);
    if (r)
        return r;
    trace_t *t = calloc(1, sizeof *t);
    if (!t)
        return SIM_ENOMEM;
    t->kind = k;
    t->part = *part;
    t->blocks = part->blocks ? strdup(part->blocks) : NULL;
    t->view = (trace_view_t){.cores = part->cores, .blocks = t->blocks, .inside = inside};
    if (!is_window(part))
        t->view.to = UINT64_MAX;
    t->path = strdup(path);
    if (!t->path || (part->blocks && !t->blocks)) {
        drop(t);
        return SIM_ENOMEM;
    }
    t->f = fopen(path, "we");
    if (!t->f) {
        drop(t);
        snprintf(err->text, sizeof err->text, "cannot write the trace '%s': %s", path, strerror(errno));
        return SIM_EIO;
    }
    t->state = k->open(t->f, &t->view);
    if (!t->state) {
        drop(t);
        return SIM_ENOMEM;
    }
    *out = t;
    return 0;
}

static uint64_t behind(uint64_t base, uint64_t n)
{
    return n > UINT64_MAX - base ? UINT64_MAX : base + n;
}

void trace_cycle(trace_t *t, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o)
{
    if (!t->begun && o->running) {
        t->begun = true;
        if (is_window(&t->part)) {
            t->view.from = behind(cycle, t->part.from);
            t->view.to = behind(cycle, t->part.to);
        }
    }
    t->kind->cycle(t->state, cycle, in, o);
}

void trace_mark(trace_t *t, uint64_t cycle, const char *what)
{
    if (t->kind->mark)
        t->kind->mark(t->state, cycle, what);
}

void trace_value(trace_t *t, uint64_t cycle, const char *name, double value)
{
    if (t->kind->value)
        t->kind->value(t->state, cycle, name, value);
}

int trace_close(trace_t *t, uint64_t cycle)
{
    t->kind->close(t->state, cycle);
    const bool bad = ferror(t->f) || fflush(t->f);
    if (!bad) {
        fclose(t->f);
        t->f = NULL;
    }
    drop(t);
    return bad ? SIM_EIO : 0;
}
