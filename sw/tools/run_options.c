/* vellum run: its options. Those of an application are of the one named before. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sw/tools/run_internal.h"

enum {
    O_BACKEND,
    O_CONFIG,
    O_SET,
    O_KERNEL,
    O_GLOBAL,
    O_LOCAL,
    O_OFFSET,
    O_ARG,
    O_STATS,
    O_TRACE,
    O_MAX_CYCLES,
    O_BACK_DOOR,
    O_MEMORY,
    O_APP,
    O_CORES,
    O_ONCE,
    O_FRESH,
    O_NO_ALONE,
    O_BRIEF,
    O_PRINT_BUFFER,
    O_WITH,
    O_QUIET,
    O_COLD,
    O_TRACE_FROM,
    O_TRACE_TO,
    O_TRACE_CORE,
    O_TRACE_BLOCK,
    O_CHANNELS,
    O_CHECK_BUFFERS,
    O_COPIES,
    O_INTERVAL,
    O_FIGURES,
    O_SAMPLES,
    O_WARM_UP
};
// clang-format off
static const option_spec specs[] = {
    {"backend", true, false},  {"config", true, false},     {"set", true, true},          {"kernel", true, false},
    {"global", true, false},   {"local", true, false},      {"offset", true, false},      {"arg", true, true},
    {"stats", true, false},    {"trace", true, false},      {"max-cycles", true, false},  {"back-door", false, false},
    {"memory", true, false},   {"app", true, true},         {"cores", true, false},       {"once", false, false},
    {"fresh", true, false},    {"no-alone", false, false},  {"brief", false, false},      {"print-buffer", true, false},
    {"with", true, true},      {"quiet", false, false},     {"cold", false, false},       {"trace-from", true, false},
    {"trace-to", true, false}, {"trace-core", true, false}, {"trace-block", true, false}, {"channels", true, false},
    {"check-buffers", false, false}, {"copies", true, false}, {"interval", true, false}, {"figures", true, false},
    {"samples", true, false}, {"warm-up", true, false}, {NULL, false, false}};
// clang-format on
#define BIT(option) (1ull << (option))
static const uint64_t of_an_app =
    BIT(O_KERNEL) | BIT(O_GLOBAL) | BIT(O_LOCAL) | BIT(O_OFFSET) | BIT(O_ARG) | BIT(O_CORES) | BIT(O_CHANNELS);

int run_usage(const char *format, ...)
{
    char text[2300];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    return complain("run", EXIT_USAGE, "%s", text);
}

/* 0-14 or 0,2,4-7. */
static bool parse_cores(const char *s, uint64_t *cores)
{
    uint64_t all = 0;
    for (;;) {
        char part[16];
        const size_t len = strcspn(s, ","), dash = strcspn(s, "-,");
        uint64_t from, to;
        if (len >= sizeof part)
            return false;
        memcpy(part, s, len);
        part[len] = 0;
        if (dash < len)
            part[dash] = 0;
        if (!vl_parse_u64(part, 63, &from) || !vl_parse_u64(dash < len ? part + dash + 1 : part, 63, &to) || from > to)
            return false;
        const uint64_t more = ~0ull >> (63 - to) & ~0ull << from;
        if (all & more)
            return false;
        all |= more;
        if (!s[len])
            break;
        s += len + 1;
    }
    *cores = all;
    return true;
}

/* An option of the application. */
static int take_app_option(run_app *a, int option, const char *v)
{
    char why[400];
    switch (option) {
    case O_KERNEL: a->kernel_name = v; break;
    case O_ARG:
        if (a->n_args == MAX_ARGS)
            return run_usage("more than 64 --arg");
        if (!parse_arg(v, &a->args[a->n_args++], why, sizeof why))
            return run_usage("--arg %s: %s", v, why);
        break;
    case O_GLOBAL:
        a->range.dims = parse_triple(v, UINT32_MAX, a->range.global);
        if (!a->range.dims)
            return run_usage("--global %s: not X[,Y[,Z]]", v);
        break;
    case O_LOCAL:
    case O_OFFSET:
        if (!parse_triple(v, UINT32_MAX, option == O_LOCAL ? a->range.local : a->range.offset))
            return run_usage("--%s %s: not X[,Y[,Z]]", specs[option].name, v);
        *(option == O_LOCAL ? &a->local_text : &a->offset_text) = v;
        break;
    case O_CORES:
        if (!parse_cores(v, &a->cores))
            return run_usage("--cores %s: not numbers below 64 and ranges of them, separated by commas, each once", v);
        a->cores_text = v;
        break;
    case O_CHANNELS:
        if (!parse_cores(v, &a->channels))
            return run_usage("--channels %s: not numbers below 64 and ranges of them, separated by commas, each once",
                             v);
        break;
    default: break;
    }
    return 0;
}

static int take_option(run_job *j, int option, const char *v)
{
    uint64_t n;
    switch (option) {
    case O_BACKEND: j->backend = v; break;
    case O_CONFIG: j->config = v; break;
    case O_STATS: j->stats = v; break;
    case O_TRACE: j->trace = v; break;
    case O_BACK_DOOR: j->back_door = true; break;
    case O_ONCE: j->once = true; break;
    case O_QUIET: j->quiet = true; break;
    case O_COLD: j->cold = true; break;
    case O_CHECK_BUFFERS: j->checks = true; break;
    case O_COPIES:
        if (!copies_parse(v, &j->copies))
            return run_usage("--copies %s: neither results nor all", v);
        break;
    case O_WITH:
        if (!strchr(v, '=') || strchr(v, '+') || strlen(j->with) + strlen(v) + 2 > sizeof j->with)
            return run_usage("--with %s: not of the form FIELD=VALUE", v);
        strcat(strcat(j->with, "+"), v);
        break;
    case O_INTERVAL:
        if (!vl_parse_u64(v, UINT32_MAX, &j->samples.every) || (j->samples.every && j->samples.every < 100))
            return run_usage("--interval %s: not 0, nor a number of cycles from 100 to %u", v, UINT32_MAX);
        j->samples.on = true;
        break;
    case O_FIGURES: j->samples.figures = v; break;
    case O_SAMPLES: j->samples.path = v; break;
    case O_WARM_UP:
        if (!vl_parse_u64(v, 1000, &j->warm_up) || !j->warm_up)
            return run_usage("--warm-up %s: not a number of launches from 1 to 1000", v);
        break;
    case O_TRACE_FROM:
    case O_TRACE_TO:
        if (!vl_parse_u64(v, UINT64_MAX, &n) || (option == O_TRACE_TO && !n))
            return run_usage("--%s %s: not a number of cycles", specs[option].name, v);
        *(option == O_TRACE_FROM ? &j->part.from : &j->part.to) = n;
        break;
    case O_TRACE_CORE:
        if (!parse_cores(v, &j->part.cores))
            return run_usage("--trace-core %s: not numbers below 64 and ranges of them, separated by commas, each once",
                             v);
        break;
    case O_TRACE_BLOCK: j->part.blocks = v; break;
    case O_NO_ALONE: j->no_alone = true; break;
    case O_BRIEF: j->brief = true; break;
    case O_MEMORY: {
        vl_error err;
        if (vl_memory_parse(&j->memory, v, &err))
            return run_usage("--memory %s: %s", v, err.text);
        j->memory_given = true;
        break;
    }
    case O_SET:
        if (j->n_policies == MAX_POLICIES)
            return run_usage("more than 64 --set");
        n = strcspn(v, "=");
        for (unsigned i = 0; i < j->n_policies; i++)
            if (strcspn(j->policies[i], "=") == n && !strncmp(j->policies[i], v, n))
                return run_usage("--set %s: policy %.*s is set already, by --set %s", v, (int)n, v, j->policies[i]);
        j->policies[j->n_policies++] = v;
        break;
    case O_FRESH:
        if (!vl_parse_u64(v, MAX_FRESH, &n) || !n)
            return run_usage("--fresh %s: not a number from 1 to %d", v, MAX_FRESH);
        j->fresh = (unsigned)n;
        break;
    case O_PRINT_BUFFER:
        if (!vl_parse_u64(v, UINT32_MAX, &j->print_bytes) || !j->print_bytes)
            return run_usage("--print-buffer %s: not a number of bytes", v);
        break;
    case O_MAX_CYCLES:
        if (!vl_parse_u64(v, UINT64_MAX, &j->max_cycles) || !j->max_cycles)
            return run_usage("--max-cycles %s: not a number above 0", v);
        break;
    default: break;
    }
    return 0;
}

/* --app begins another application: its options may be given anew. */
static int take_app(run_job *j, option_reader *r, const char *v)
{
    const uint64_t early = r->seen & of_an_app;
    if (!j->several && early)
        return run_usage("--%s is an option of an application: it goes behind its --app",
                         specs[__builtin_ctzll(early)].name);
    if (j->n_apps == MAX_APPS)
        return run_usage("more than %d --app", MAX_APPS);
    r->seen &= ~of_an_app;
    j->several = true;
    j->app[j->n_apps++].elf = v;
    return 0;
}

static uint32_t dims_of(const char *s)
{
    uint32_t n = 1;
    for (; *s; s++)
        n += *s == ',';
    return n;
}

static int check_app(const run_job *j, const run_app *a)
{
    const char *what = j->several ? a->elf : "", *colon = j->several ? ": " : "";
    if (!a->range.dims)
        return run_usage("%s%sno --global given", what, colon);
    if (a->local_text && dims_of(a->local_text) != a->range.dims)
        return run_usage("%s%s--global and --local %s differ in dimensions", what, colon, a->local_text);
    if (a->offset_text && dims_of(a->offset_text) != a->range.dims)
        return run_usage("%s%s--global and --offset %s differ in dimensions", what, colon, a->offset_text);
    for (uint32_t i = 0; a->local_text && i < a->range.dims; i++)
        if (!a->range.local[i])
            return run_usage("%s%s--local %s: a size of 0", what, colon, a->local_text);
    if (j->several && !a->cores_text)
        return run_usage("%s: no --cores given", a->elf);
    return 0;
}

static int check_several(const run_job *j, uint64_t seen, const char *elf)
{
    static const int only[] = {O_CORES, O_CHANNELS, O_ONCE, O_FRESH, O_NO_ALONE, O_BRIEF};
    if (j->several && elf)
        return run_usage("%s is given beside --app", elf);
    for (size_t i = 0; !j->several && i < sizeof only / sizeof *only; i++)
        if (seen & BIT(only[i]))
            return run_usage("--%s is for several programs (--app)", specs[only[i]].name);
    return 0;
}

/* Copies that there are. */
static int check_copies(const run_job *j)
{
    if (!j->copies)
        return 0;
    if (!strcmp(j->backend, "ref"))
        return run_usage("--copies: ref knows no time");
    return j->several || j->back_door || j->memory.mode != VL_BARE || j->memory.shared
               ? run_usage("--copies: what goes by the back door or is shared is not copied")
               : 0;
}

/* Samples that there are, of one kernel on a machine that has counters. */
static int check_samples(const run_job *j, uint64_t seen)
{
    static const int of_samples[] = {O_FIGURES, O_SAMPLES};
    for (size_t i = 0; i < sizeof of_samples / sizeof *of_samples; i++)
        if (seen & BIT(of_samples[i]) && !j->samples.on)
            return run_usage("--%s is of --interval, and there is none", specs[of_samples[i]].name);
    if (j->samples.on && !strcmp(j->backend, "ref"))
        return run_usage("--interval: ref knows no time");
    if (j->several && (j->samples.on || j->warm_up))
        return run_usage("--%s is for one program", j->samples.on ? "interval" : "warm-up");
    if (j->samples.on && !j->samples.path && !j->stats && !j->trace)
        return run_usage("--interval: where to? --samples FILE.csv, --stats FILE or --trace FILE.json");
    return 0;
}

/* A part of a trace that there is. */
static int check_trace(const run_job *j, uint64_t seen)
{
    for (int o = O_TRACE_FROM; o <= O_TRACE_BLOCK; o++)
        if (seen & BIT(o) && !j->trace)
            return run_usage("--%s is of a trace, and there is no --trace", specs[o].name);
    if (j->part.to && j->part.from >= j->part.to)
        return run_usage("--trace-from %" PRIu64 " is not before --trace-to %" PRIu64, j->part.from, j->part.to);
    return 0;
}

int run_take_options(run_job *j, int argc, char **argv)
{
    option_reader r = {.command = "run", .argc = argc, .at = 1, .argv = argv, .specs = specs};
    const char *v, *elf = NULL;
    int e = 0;
    for (int o; (o = next_option(&r, &v)) != -2;) {
        if (o == -3)
            return EXIT_USAGE;
        run_app *a = &j->app[j->several ? j->n_apps - 1 : 0];
        if (o == -1 && elf)
            return run_usage("two kernel files, %s and %s", elf, v);
        if (o == -1)
            elf = v;
        else if (o == O_APP)
            e = take_app(j, &r, v);
        else
            e = of_an_app & BIT(o) ? take_app_option(a, o, v) : take_option(j, o, v);
        if (e)
            return e;
    }
    if ((e = check_several(j, r.seen, elf)) || (e = check_trace(j, r.seen)) || (e = check_copies(j))
        || (e = check_samples(j, r.seen)))
        return e;
    if (*j->with) {
        const size_t room = sizeof j->config_word;
        if ((size_t)snprintf(j->config_word, room, "%s%s", j->config, j->with) >= room)
            return run_usage("--config %s: too long", j->config);
        j->config = j->config_word;
    }
    if (!j->several && !elf)
        return run_usage("no kernel file given (see vellum help run)");
    if (!j->several) {
        j->app[0].elf = elf;
        j->n_apps = 1;
    }
    for (unsigned k = 0; k < j->n_apps; k++)
        if ((e = check_app(j, &j->app[k])))
            return e;
    if (j->several && !j->memory_given)
        j->memory.mode = VL_PAGED; /* kernels of bare memory could not be kept apart */
    return 0;
}
