/* Limits of a launch, its progress, and traces. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sw/runtime/internal.h"

int vl_set_max_cycles(vl_device *d, uint64_t cycles)
{
    if (!d)
        return VL_EINVAL;
    d->max_cycles = cycles;
    return 0;
}

int vl_set_progress(vl_device *d, vl_progress_fn fn, void *user)
{
    if (!d)
        return VL_EINVAL;
    d->progress = fn;
    d->progress_user = user;
    return 0;
}

double vl_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

const char *vl_time_left(char text[VL_LEFT], double begun, const vl_progress *p)
{
    *text = 0;
    if (p->groups_done && p->groups_done < p->groups_total) {
        const double each = (vl_seconds() - begun) / (double)p->groups_done;
        const uint64_t seconds = (uint64_t)(each * (double)(p->groups_total - p->groups_done) + 0.5);
        snprintf(text, VL_LEFT, ", %" PRIu64 ":%02" PRIu64 " left", seconds / 60, seconds % 60);
    }
    return text;
}

int vl_trace_begin_as(vl_device *d, const char *path, const char *kind)
{
    return vl_trace_begin_part(d, path, kind, &(vl_trace_part){0});
}

/* The part of a trace, with defaults for the parts left out. */
static int whole_part(vl_device *d, const vl_trace_part *from, vl_trace_part *to)
{
    const uint64_t every = ~0ull >> (64 - d->env.cores);
    *to = *from;
    to->to = from->to ? from->to : UINT64_MAX;
    to->cores = from->cores ? from->cores : every;
    if (to->from >= to->to)
        return vl_fail(&d->error, VL_EINVAL, "a window from cycle %llu to cycle %llu is empty",
                       (unsigned long long)to->from, (unsigned long long)to->to);
    if (to->cores & ~every)
        return vl_fail(&d->error, VL_EINVAL, "no core %d: configuration %s has %u", __builtin_ctzll(to->cores & ~every),
                       d->config.name, d->env.cores);
    return 0;
}

int vl_trace_begin_part(vl_device *d, const char *path, const char *kind, const vl_trace_part *part)
{
    vl_trace_part whole;
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!path || !kind || !part || (strcmp(kind, "fst") && strcmp(kind, "kanata") && strcmp(kind, "json")))
        return vl_fail(&d->error, VL_EINVAL, "a trace is .fst, .kanata or .json");
    if (d->tracing)
        return vl_fail(&d->error, VL_ESTATE, "a trace is being recorded already");
    if (!d->ops->trace_begin)
        return vl_fail(&d->error, VL_ENOTSUP, "backend %s records no traces", d->name);
    int e = whole_part(d, part, &whole);
    if (e)
        return e;
    e = d->ops->trace_begin(d->self, kind, path, &whole, &d->error);
    if (e == VL_ENOTSUP && !*d->error.text)
        return vl_fail(&d->error, e, "backend %s records no %s trace", d->name, kind);
    d->tracing = !e;
    return vl_record_error(d, e);
}

int vl_trace_begin(vl_device *d, const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return vl_trace_begin_as(d, path, dot ? dot + 1 : "");
}

int vl_trace_end(vl_device *d)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->tracing)
        return vl_fail(&d->error, VL_ESTATE, "no trace is being recorded");
    d->tracing = false;
    return vl_record_error(d, d->ops->trace_end(d->self, &d->error));
}
