/* vellum run: samples of a kernel's counters, at intervals and at marks (--interval). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sw/tools/run_internal.h"

static const char usual[] = "ipc,warp_instructions,l1d_hit_rate,l2_hit_rate,tlb_hit_rate,dram_utilisation";

static double value_of(const vl_stat *s)
{
    return s->is_ratio ? s->ratio : (double)s->value;
}

/* A row: from, to, mark (null by time), the figures (null without a value). */
static int on_sample(void *user, const vl_sample *s)
{
    run_samples *r = user;
    json_t *row = json_pack("{s:I,s:I,s:o}", "from", (json_int_t)s->from, "to", (json_int_t)s->to, "mark",
                            s->mark < 0 ? json_null() : json_integer(s->mark));
    for (size_t i = 0; i < s->n; i++) {
        const vl_stat *x = &s->stats[i];
        json_object_set_new(row, r->name[i],
                            !x->is_ratio      ? json_integer((json_int_t)x->value)
                            : isnan(x->ratio) ? json_null()
                                              : json_real(value_of(x)));
    }
    if (!r->rows)
        r->rows = json_array();
    return json_array_append_new(r->rows, row);
}

int run_begin_samples(run_job *j)
{
    run_samples *r = &j->samples;
    if (!r->on)
        return 0;
    free(r->text);
    r->text = strdup(r->figures ? r->figures : usual);
    if (!r->text)
        return complain("run", EXIT_TOOL, "out of memory");
    size_t n = 0;
    for (char *at = r->text, *word; (word = strsep(&at, ","));) {
        if (n == RUN_FIGURES)
            return run_usage("--figures: more than %d", RUN_FIGURES);
        for (size_t i = 0; i < n; i++)
            if (!strcmp(r->name[i], word))
                return run_usage("--figures: %s is there twice", word);
        r->name[n++] = word;
    }
    const vl_sampling_options opt = {.every = r->every, .names = r->name, .n = n};
    const int e = vl_set_sampling(j->dev, &opt, on_sample, r);
    return e ? complain("run", status_of(e), "--interval: %s", vl_detail(j->dev)) : 0;
}

/* A CSV of the rows, malloced; NULL: out of memory. */
static char *csv_of(const run_samples *r)
{
    char *text = NULL;
    size_t n = 0, i;
    FILE *f = open_memstream(&text, &n);
    const char *key;
    json_t *row, *v;
    if (!f)
        return NULL;
    json_array_foreach(r->rows, i, row)
    {
        bool first = true;
        json_object_foreach(row, key, v) fprintf(f, "%s%s", i ? "" : first ? "" : ",", i ? "" : key), first = false;
        if (!i)
            fputc('\n', f);
        first = true;
        json_object_foreach(row, key, v)
        {
            fputs(first ? "" : ",", f);
            first = false;
            if (json_is_integer(v))
                fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
            else if (json_is_real(v))
                fprintf(f, "%.6g", json_real_value(v));
        }
        fputc('\n', f);
    }
    return fclose(f) ? NULL : text;
}

int run_write_samples(run_job *j)
{
    char why[400];
    const char *dot = strrchr(j->samples.path, '.');
    char *text = dot && !strcmp(dot, ".json") ? json_dumps(j->samples.rows, JSON_INDENT(1)) : csv_of(&j->samples);
    if (!text)
        return complain("run", EXIT_TOOL, "out of memory");
    const bool ok = out_write(&j->samples_file, text, strlen(text), why, sizeof why);
    free(text);
    return ok ? 0 : complain("run", EXIT_TOOL, "--samples: %s", why);
}

void run_drop_samples(run_job *j)
{
    json_decref(j->samples.rows);
    free(j->samples.text);
    out_drop(&j->samples_file);
}
