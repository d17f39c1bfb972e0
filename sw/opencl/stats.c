/* VELLUM_STATS: a line of JSON a launch, with what `vellum run --stats` writes (docs/command.md). The file is made anew with the process's first context; a child of
 * a process that has one adds to it. */
#include "sw/opencl/vcl.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool begun;

static json_t *triple(const uint64_t v[3], uint32_t dims)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < dims; i++)
        json_array_append_new(a, json_integer((json_int_t)v[i]));
    return a;
}

const char *vcl_outcome_name(int code)
{
    return code == VL_OK       ? "ok"
           : code == VL_EFAULT ? "fault"
           : code == VL_EDIFF  ? "difference"
           : code == VL_ELIMIT ? "limit"
                               : "stopped";
}

void vcl_stats_begin(void)
{
    const char *path = vcl_get_settings()->stats;
    pthread_mutex_lock(&vcl_file_mutex);
    FILE *f = path && !begun ? fopen(path, "we") : NULL; /* a failure is reported by the first line */
    if (f)
        fclose(f);
    begun = true;
    pthread_mutex_unlock(&vcl_file_mutex);
}

void vcl_stats_write(const vl_device *dev, const char *kernel, const vl_range *range, const vl_result *r)
{
    const vcl_settings *s = vcl_get_settings();
    if (!s->stats)
        return;
    json_t *doc = json_object(), *counters = json_object(), *judge = NULL;
    json_object_set_new(doc, "kernel", json_string(kernel));
    json_object_set_new(doc, "cycles", json_integer((json_int_t)r->cycles));
    json_object_set_new(doc, "outcome", json_string(vcl_outcome_name(r->code)));
    json_object_set_new(doc, "backend", json_string(s->backend));
    json_object_set_new(doc, "config", json_string(s->config));
    if (strcmp(s->backend, "ref"))
        json_object_set_new(doc, "l2_at_start", json_string(vcl_l2_warm() ? "warm" : "cold"));
    json_object_set_new(doc, "global", triple(range->global, range->dims));
    json_object_set_new(doc, "local", triple(range->local, range->dims));
    json_object_set_new(doc, "offset", triple(range->offset, range->dims));
    for (size_t i = 0; i < r->n_stats; i++) {
        const vl_stat *x = &r->stats[i];
        const bool judged = !strcmp(x->section, "judge");
        if (judged && !judge)
            json_object_set_new(doc, "judge", judge = json_object());
        json_object_set_new(judged ? judge : counters, x->name,
                            x->is_ratio ? json_real(x->ratio) : json_integer((json_int_t)x->value));
    }
    json_object_set_new(doc, "counters", counters);
    char *provenance = vl_provenance(dev);
    json_object_set_new(doc, "provenance", json_loads(provenance ? provenance : "null", JSON_DECODE_ANY, NULL));
    free(provenance);
    pthread_mutex_lock(&vcl_file_mutex);
    FILE *f = fopen(s->stats, "ae");
    bool ok = f && !json_dumpf(doc, f, JSON_COMPACT) && fputc('\n', f) != EOF;
    int why = errno;
    if (f && fclose(f) && ok) {
        ok = false;
        why = errno;
    }
    pthread_mutex_unlock(&vcl_file_mutex);
    json_decref(doc);
    if (!ok)
        vcl_warn("VELLUM_STATS=%s: cannot write to it: %s", s->stats, strerror(why));
}
