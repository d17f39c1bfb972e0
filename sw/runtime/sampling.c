/* Samples of a kernel's counters and figures while it runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"

enum { MOST = 64 }; /* figures; and counters that they need */
typedef char name_t[48];

struct vl_sampler {
    vl_device *dev;
    vl_sample_fn fn;
    void *user;
    name_t figure[MOST], counter[MOST];
    const char *list[MOST]; /* the counters, as the backend gets them */
    size_t n_figures, n_counters;
    uint64_t last[MOST], from; /* of the last sample */
};

/* Adds the counters of "a+b+c", each once; `cycles` are known without. */
static bool need(struct vl_sampler *s, const char *names)
{
    for (size_t len; *names; names += len + (names[len] == '+')) {
        size_t i = 0;
        len = strcspn(names, "+");
        while (i < s->n_counters && (strncmp(s->counter[i], names, len) || s->counter[i][len]))
            i++;
        if (i < s->n_counters || (len == 6 && !strncmp(names, "cycles", len)))
            continue;
        if (s->n_counters == MOST || len >= sizeof(name_t))
            return false;
        memcpy(s->counter[i], names, len);
        s->list[i] = s->counter[i];
        s->n_counters++;
    }
    return true;
}

static void trace_values(const vl_device *d, const vl_stat *stats, size_t n)
{
    for (size_t i = 0; i < n && d->tracing && d->ops->trace_value; i++) {
        const double v = stats[i].is_ratio ? stats[i].ratio : (double)stats[i].value;
        if (!isnan(v))
            d->ops->trace_value(d->self, stats[i].name, v);
    }
}

static int on_sample(void *user, uint64_t cycle, int mark, const uint64_t *values)
{
    struct vl_sampler *s = user;
    vl_counter c[MOST + 1] = {{"cycles", "run", "cycles", "cycles of the sample", cycle - s->from}};
    vl_stat stats[MOST];
    for (size_t i = 0; i < s->n_counters; i++) {
        c[i + 1] = (vl_counter){s->counter[i], "", "", "", values[i] - s->last[i]};
        s->last[i] = values[i];
    }
    for (size_t i = 0; i < s->n_figures; i++)
        if (!vl_figure_of(s->dev, s->figure[i], c, s->n_counters + 1, &stats[i]))
            stats[i] = (vl_stat){s->figure[i], "", "", "", true, 0, NAN};
    const vl_sample sample = {.from = s->from, .to = cycle, .mark = mark, .n = s->n_figures, .stats = stats};
    s->from = cycle;
    trace_values(s->dev, stats, s->n_figures);
    return s->fn && s->fn(s->user, &sample) ? VL_EINTR : 0;
}

void vl_sampling_begin(vl_device *d)
{
    if (!d->sampler)
        return;
    d->sampler->from = 0;
    memset(d->sampler->last, 0, sizeof d->sampler->last);
}

/* The names of the options, and the counters that they need. */
static int name_figures(vl_device *d, struct vl_sampler *s, const vl_sampling_options *opt)
{
    for (size_t i = 0; i < opt->n; i++) {
        const char *name = opt->names[i], *over, *under;
        if (strlen(name) >= sizeof(name_t))
            return vl_fail(&d->error, VL_ENOENT, "no counter or figure '%.60s'", name);
        strcpy(s->figure[i], name);
        const bool figure = vl_figure_inputs(d, name, &over, &under);
        if (figure ? !need(s, over) || !need(s, under) : !need(s, name))
            return vl_fail(&d->error, VL_EINVAL, "these figures need more than %d counters", MOST);
    }
    return 0;
}

int vl_set_sampling(vl_device *d, const vl_sampling_options *opt, vl_sample_fn fn, void *user)
{
    if (!d)
        return VL_EINVAL;
    if (d->sampler && d->self)
        (void)d->ops->sample(d->self, NULL, &d->error);
    free(d->sampler);
    d->sampler = NULL;
    if (!opt)
        return 0;
    d->error.text[0] = 0;
    if (!d->ops->sample)
        return vl_fail(&d->error, VL_ENOTSUP, "backend %s has no counters while a kernel runs", d->name);
    if (!opt->n || opt->n > MOST || !opt->names)
        return vl_fail(&d->error, VL_EINVAL, "1 to %d figures can be sampled", MOST);
    struct vl_sampler *s = calloc(1, sizeof *s);
    if (!s)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    *s = (struct vl_sampler){.dev = d, .fn = fn, .user = user, .n_figures = opt->n};
    int e = name_figures(d, s, opt);
    const vl_sampling what = {.every = opt->every, .counter = s->list, .n = s->n_counters, .fn = on_sample, .user = s};
    if (!e)
        e = vl_record_error(d, d->ops->sample(d->self, &what, &d->error));
    if (e)
        free(s);
    else
        d->sampler = s;
    return e;
}
