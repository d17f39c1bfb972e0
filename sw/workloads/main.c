/* build/workloads: runs the workloads on a machine and checks each against the host. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/tools/tool.h"
#include "sw/workloads/wl.h"
#include "sw/workloads/wl_internal.h"

static const char help[] =
    "usage: workloads [--backend B] [--config C] [--size N|default|quick] [--set POLICY=VALUE]...\n"
    "                 [--max-cycles N] [--seed N] [--data MB] [--vectors] [--back-door]\n"
    "                 [--first-result] [--copies results|all] [--stats FILE]\n"
    "                 [--memory MODE[,KEY=VALUE]...] [--list] [NAME]...\n"
    "Runs the named workloads (all without a name), each at its default sizes, and checks the results on the host.\n";

typedef struct options {
    const char *backend, *config, *stats;
    const char *policies[16];
    unsigned n_policies;
    bool quick, vectors, back_door, first_result, list;
    enum copies copies;
    uint32_t size; /* 0: the default list */
    uint64_t max_cycles, seed;
    vl_memory memory;
    uint32_t data; /* megabytes of data, 0: by the size */
    const workload *chosen[256];
    size_t n_chosen;
} options;

__attribute__((noreturn)) static void usage(const char *what, const char *which)
{
    fprintf(stderr, "workloads: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static uint64_t number(const char *option, const char *text, uint64_t low, uint64_t high)
{
    uint64_t v;
    if (!vl_parse_u64(text, high, &v) || v < low) {
        fprintf(stderr, "workloads: %s %s: not a number from %llu to %llu\n", option, text, (unsigned long long)low,
                (unsigned long long)high);
        exit(2);
    }
    return v;
}

static const workload *find(const char *name)
{
    for (size_t i = 0; workloads[i]; i++)
        if (strcmp(workloads[i]->name, name) == 0)
            return workloads[i];
    return NULL;
}

/* A fresh machine for every run: a result never depends on what ran before. */
static int open_device(const options *o, vl_device **dev, vl_error *err)
{
    const vl_options opt = {.memory = o->memory};
    int code = vl_open(dev, o->config, o->backend, &opt, err);
    if (code)
        return code;
    for (unsigned i = 0; i < o->n_policies && code == 0; i++)
        code = vl_set_policy_word(*dev, o->policies[i]);
    if (code == 0)
        code = vl_set_max_cycles(*dev, o->max_cycles);
    if (code == 0 && o->back_door)
        code = vl_set_back_door(*dev, true);
    if (code) {
        snprintf(err->text, sizeof err->text, "%s", vl_detail(*dev));
        vl_close(*dev);
    }
    return code;
}

static json_t *record(const wl *w, uint32_t size)
{
    json_t *stats = json_object();
    for (size_t i = 0; i < w->n_totals; i++)
        json_object_set_new(stats, w->totals[i].name, json_integer((json_int_t)w->totals[i].value));
    char *provenance = w->dev ? vl_provenance(w->dev) : NULL;
    json_t *from = json_loads(provenance ? provenance : "null", JSON_DECODE_ANY, NULL);
    free(provenance);
    return json_pack("{s:s, s:i, s:b, s:i, s:I, s:I, s:o, s:o}", "name", w->work->name, "size", (int)size, "ok",
                     wl_ok(w), "launches", (int)w->launches, "bytes", (json_int_t)w->bytes, "cycles",
                     (json_int_t)w->cycles, "counters", stats, "provenance", from);
}

static void report(const wl *w, uint32_t size)
{
    uint64_t instructions = 0;
    for (size_t i = 0; i < w->n_totals; i++)
        if (strcmp(w->totals[i].name, "warp_instructions") == 0)
            instructions = w->totals[i].value;
    printf("%-18s %8u  %s", w->work->name, size, wl_ok(w) ? "ok    " : "FAILED");
    if (w->launches)
        printf(" %4u launch%s", w->launches, w->launches == 1 ? "  " : "es");
    if (w->cycles)
        printf(" %12llu cycles", (unsigned long long)w->cycles);
    if (instructions)
        printf(" %12llu warp instructions", (unsigned long long)instructions);
    if (instructions && w->cycles)
        printf("  %.3f a cycle", (double)instructions / (double)w->cycles);
    if (w->waived)
        printf("  %llu not judged", (unsigned long long)w->waived);
    if (!wl_ok(w))
        printf("  %s", w->why);
    putchar('\n');
    fflush(stdout);
}

static bool run(const options *o, const char *build, const workload *work, uint32_t size, json_t *records)
{
    vl_error err = {0};
    wl w = {.work = work,
            .build = build,
            .random = o->seed * 1000003u + size,
            .data = (uint64_t)o->data << 20,
            .vectors = o->vectors,
            .first_result = o->first_result,
            .copies = o->copies};
    if (open_device(o, &w.dev, &err)) {
        wl_fail(&w, "%s", err.text);
    } else {
        work->run(&w, size);
        wl_settle(&w, 0, 0);
        if (wl_ok(&w) && w.launches == 0)
            wl_fail(&w, "ran no kernel");
        if (wl_ok(&w) && w.data && !w.data_known)
            wl_fail(&w, "takes no --data: its data follow from its size");
        if (w.vectors && !w.vectors_known)
            wl_fail(&w, "takes no --vectors: it has one form");
    }
    report(&w, size);
    json_array_append_new(records, record(&w, size));
    wl_finish(&w);
    vl_close(w.dev);
    vl_image_free(w.image);
    return wl_ok(&w);
}

/* The folder of this program, build/. */
static void find_build(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0) {
        snprintf(path, size, "build");
        return;
    }
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    *slash = '\0';
}

static bool write_stats(const char *path, const json_t *records)
{
    char why[400] = "out of memory";
    out_file f = {.fd = -1};
    char *text = json_dumps(records, JSON_INDENT(1));
    bool ok = text && out_open(&f, path, why, sizeof why) && out_write(&f, text, strlen(text), why, sizeof why)
              && out_commit(&f, why, sizeof why);
    free(text);
    if (!ok) {
        out_drop(&f);
        fprintf(stderr, "workloads: --stats %s\n", why);
    }
    return ok;
}

/* The printed text has arrived. */
static bool flushed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "workloads: standard output: %s\n", strerror(errno));
    return false;
}

/* ---- the command line ---- */

static void choose(options *o, const char *name)
{
    const workload *w = find(name);
    if (!w)
        usage("no such workload (--list names them)", name);
    if (o->n_chosen == sizeof o->chosen / sizeof *o->chosen)
        usage("too many workloads", NULL);
    o->chosen[o->n_chosen++] = w;
}

/* An option that has a value. */
static void set_option(options *o, const char *a, const char *v)
{
    vl_error err;
    if (strcmp(a, "--backend") == 0)
        o->backend = v;
    else if (strcmp(a, "--config") == 0)
        o->config = v;
    else if (strcmp(a, "--stats") == 0)
        o->stats = v;
    else if (strcmp(a, "--max-cycles") == 0)
        o->max_cycles = number(a, v, 1, UINT64_MAX);
    else if (strcmp(a, "--data") == 0)
        o->data = (uint32_t)number(a, v, 1, 1000);
    else if (strcmp(a, "--memory") == 0) {
        if (vl_memory_parse(&o->memory, v, &err))
            usage("--memory", err.text);
    } else if (strcmp(a, "--copies") == 0) {
        if (!copies_parse(v, &o->copies))
            usage("--copies: neither results nor all", v);
    } else if (strcmp(a, "--seed") == 0)
        o->seed = number(a, v, 0, UINT32_MAX);
    else if (strcmp(a, "--set") == 0) {
        if (o->n_policies == sizeof o->policies / sizeof o->policies[0])
            usage("too many --set", NULL);
        for (size_t i = 0; i < o->n_policies; i++)
            if (strcspn(o->policies[i], "=") == strcspn(v, "=") && !strncmp(o->policies[i], v, strcspn(v, "=")))
                usage("--set: the policy is set already", v);
        o->policies[o->n_policies++] = v;
    } else {
        o->quick = strcmp(v, "quick") == 0;
        o->size = o->quick || strcmp(v, "default") == 0 ? 0 : (uint32_t)number(a, v, 1, 1u << 24);
    }
}

static void parse(options *o, int argc, char **argv)
{
    static const char *const valued[] = {"--backend",    "--config", "--size",   "--set",  "--stats",
                                         "--max-cycles", "--seed",   "--memory", "--data", "--copies"};
    enum { VALUED = sizeof valued / sizeof *valued };
    bool given[VALUED] = {false};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        unsigned k = 0;
        if (strcmp(a, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (strcmp(a, "--list") == 0) {
            o->list = true;
            continue;
        }
        if (strcmp(a, "--vectors") == 0) {
            o->vectors = true;
            continue;
        }
        if (strcmp(a, "--back-door") == 0) {
            o->back_door = true;
            continue;
        }
        if (strcmp(a, "--first-result") == 0) {
            o->first_result = true;
            continue;
        }
        if (a[0] != '-') {
            choose(o, a);
            continue;
        }
        while (k < VALUED && strcmp(a, valued[k]))
            k++;
        if (k == VALUED)
            usage("no such option (--help shows them)", a);
        if (i + 1 == argc)
            usage("option without its value", a);
        if (given[k])
            usage("option given twice", a);
        given[k] = strcmp(a, "--set") != 0;
        if (!*argv[++i])
            usage("option with an empty value", a);
        set_option(o, a, argv[i]);
    }
    if (o->list && argc > 2)
        usage("--list goes alone", NULL);
    if (o->copies && (o->back_door || o->memory.mode != VL_BARE || o->memory.shared))
        usage("--copies: what goes by the back door or is shared is not copied", NULL);
    if (o->n_chosen == 0)
        for (; workloads[o->n_chosen]; o->n_chosen++)
            o->chosen[o->n_chosen] = workloads[o->n_chosen];
}

/* ---- the run ---- */

/* Errors of the machine, a policy or the file of --stats are reported once, before the work; otherwise 0. */
static int try_options(const options *o)
{
    out_file stats = {.fd = -1};
    char why[400];
    vl_device *probe;
    vl_error err = {0};
    int code = open_device(o, &probe, &err);
    if (code) {
        fprintf(stderr, "workloads: %s\n", err.text[0] ? err.text : vl_strerror(code));
        return code == VL_ENOENT || code == VL_EINVAL || code == VL_ENOTSUP ? 2 : 1;
    }
    uint64_t now;
    code = o->copies ? vl_now(probe, &now) : 0;
    if (code)
        fprintf(stderr, "workloads: --copies: %s\n", vl_detail(probe));
    vl_close(probe);
    if (code)
        return 2;
    if (o->stats && !out_open(&stats, o->stats, why, sizeof why))
        usage("--stats", why);
    out_drop(&stats);
    return 0;
}

static int run_all(const options *o)
{
    unsigned passed = 0, failed = 0;
    char build[900];
    find_build(build, sizeof build);
    json_t *records = json_array();
    for (size_t i = 0; i < o->n_chosen; i++) {
        const uint32_t one[2] = {o->quick ? o->chosen[i]->quick : o->size, 0};
        const uint32_t *sizes = one[0] ? one : o->chosen[i]->sizes;
        for (size_t k = 0; k < 4 && sizes[k]; k++) {
            if (run(o, build, o->chosen[i], sizes[k], records))
                passed++;
            else
                failed++;
        }
    }
    bool written = !o->stats || write_stats(o->stats, records);
    json_decref(records);
    printf("%u passed, %u failed\n", passed, failed);
    return !flushed() || failed || !written;
}

int main(int argc, char **argv)
{
    options o = {.backend = "ref", .config = "small"};
    parse(&o, argc, argv);
    if (o.list) {
        for (size_t k = 0; workloads[k]; k++)
            printf("%-18s %s\n", workloads[k]->name, workloads[k]->help);
        return !flushed();
    }
    int status = try_options(&o);
    return status ? status : run_all(&o);
}
