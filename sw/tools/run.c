/* vellum run: one kernel, its arguments from the command line, a report. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa_gen.h"
#include "sw/tools/tool.h"

#define MAX_ARGS 64
#define MAX_POLICIES 64

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
    O_MEMORY
};
static const option_spec specs[] = {{"backend", true, false}, {"config", true, false},     {"set", true, true},
                                    {"kernel", true, false},  {"global", true, false},     {"local", true, false},
                                    {"offset", true, false},  {"arg", true, true},         {"stats", true, false},
                                    {"trace", true, false},   {"max-cycles", true, false}, {"back-door", false, false},
                                    {"memory", true, false},  {NULL, false, false}};

typedef struct job {
    const char *elf, *backend, *config, *kernel_name, *stats, *trace;
    const char *policies[MAX_POLICIES];
    unsigned n_policies, n_args;
    arg_spec args[MAX_ARGS];
    uint64_t max_cycles;
    vl_range range;
    vl_memory memory;
    vl_image *image;
    vl_kernel *kernel;
    vl_device *dev;
    out_file stats_file, trace_file;
    bool bar, back_door;
    int argc;
    char **argv; /* as given, for the command that repeats a difference */
} job;

static int usage(const char *format, const char *a, const char *b)
{
    char text[2300];
    snprintf(text, sizeof text, format, a, b);
    return complain("run", EXIT_USAGE, "%s", text);
}

/* ---- a signal leaves nothing behind ---- */

static const char *volatile temps[MAX_ARGS + 2];

static void remember(const out_file *f)
{
    for (size_t i = 0; i < sizeof temps / sizeof *temps; i++)
        if (!temps[i]) {
            temps[i] = f->temp;
            return;
        }
}

static void on_signal(int s)
{
    for (size_t i = 0; i < sizeof temps / sizeof *temps; i++)
        if (temps[i])
            unlink(temps[i]);
    signal(s, SIG_DFL);
    raise(s);
}

/* From here on the names change hands; what remains to be done is short. */
static void hold_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        sigaction(signals[i], NULL, &old);
        if (signals[i] == SIGXFSZ)
            signal(signals[i], SIG_IGN); /* the write then fails with EFBIG */
        else if (old.sa_handler != SIG_IGN)
            signal(signals[i], on_signal);
    }
}

/* ---- options ---- */

static int take_option(job *j, int option, const char *v)
{
    char why[400];
    uint32_t dims;
    switch (option) {
    case O_BACKEND: j->backend = v; break;
    case O_CONFIG: j->config = v; break;
    case O_KERNEL: j->kernel_name = v; break;
    case O_STATS: j->stats = v; break;
    case O_TRACE: j->trace = v; break;
    case O_BACK_DOOR: j->back_door = true; break;
    case O_MEMORY: {
        vl_error err;
        if (vl_memory_parse(&j->memory, v, &err))
            return usage("--memory %s: %s", v, err.text);
        break;
    }
    case O_SET:
        if (j->n_policies == MAX_POLICIES)
            return usage("more than 64 --set%s%s", "", "");
        j->policies[j->n_policies++] = v;
        break;
    case O_ARG:
        if (j->n_args == MAX_ARGS)
            return usage("more than 64 --arg%s%s", "", "");
        if (!parse_arg(v, &j->args[j->n_args++], why, sizeof why))
            return usage("--arg %s: %s", v, why);
        break;
    case O_MAX_CYCLES:
        if (!parse_u64(v, UINT64_MAX, &j->max_cycles) || !j->max_cycles)
            return usage("--max-cycles %s: not a number above 0%s", v, "");
        break;
    case O_GLOBAL:
        dims = parse_triple(v, UINT32_MAX, j->range.global);
        if (!dims)
            return usage("--global %s: not X[,Y[,Z]]%s", v, "");
        j->range.dims = dims;
        break;
    case O_LOCAL:
    case O_OFFSET:
        if (!parse_triple(v, UINT32_MAX, option == O_LOCAL ? j->range.local : j->range.offset))
            return usage("--%s %s: not X[,Y[,Z]]", specs[option].name, v);
        break;
    }
    return 0;
}

static uint32_t dims_of(const char *s)
{
    uint32_t n = 1;
    for (; *s; s++)
        n += *s == ',';
    return n;
}

static int take_options(job *j, int argc, char **argv)
{
    option_reader r = {.command = "run", .argc = argc, .at = 1, .argv = argv, .specs = specs};
    const char *v, *local = NULL, *offset = NULL;
    for (int o; (o = next_option(&r, &v)) != -2;) {
        if (o == -3)
            return EXIT_USAGE;
        if (o == -1) {
            if (j->elf)
                return usage("two kernel files, %s and %s", j->elf, v);
            j->elf = v;
            continue;
        }
        int e = take_option(j, o, v);
        if (e)
            return e;
        if (o == O_LOCAL)
            local = v;
        if (o == O_OFFSET)
            offset = v;
    }
    if (!j->elf)
        return usage("no kernel file given (see vellum help run)%s%s", "", "");
    if (!j->range.dims)
        return usage("no --global given%s%s", "", "");
    if (local && dims_of(local) != j->range.dims)
        return usage("--global and --local %s differ in dimensions%s", local, "");
    if (offset && dims_of(offset) != j->range.dims)
        return usage("--global and --offset %s differ in dimensions%s", offset, "");
    if (local)
        for (uint32_t i = 0; i < j->range.dims; i++)
            if (!j->range.local[i])
                return usage("--local %s: a size of 0%s", local, "");
    return 0;
}

/* ---- before the run ---- */

/* Where a file is or would be, malloced. */
static char *place_of(const char *path)
{
    char *whole = realpath(path, NULL), *copy = strdup(path), *dir = NULL, *place = NULL;
    if (!whole && copy) { /* not there yet: its folder may be */
        char *slash = strrchr(copy, '/');
        const char *name = slash ? slash + 1 : copy;
        if (slash)
            *slash = 0;
        dir = realpath(!slash ? "." : *copy ? copy : "/", NULL);
        if (asprintf(&place, "%s/%s", dir ? dir : copy, name) < 0)
            place = NULL;
    }
    free(copy);
    free(dir);
    return whole ? whole : place;
}

static bool same_file(const char *a, const char *b)
{
    char *x = place_of(a), *y = place_of(b);
    bool same = x && y && !strcmp(x, y);
    free(x);
    free(y);
    return same;
}

/* Opens every file that will be written, so that a long run does not end in "permission denied". */
static int open_outputs(job *j)
{
    char why[400];
    const char *outs[MAX_ARGS + 2];
    size_t n = 0;
    for (unsigned i = 0; i < j->n_args; i++)
        if (j->args[i].out)
            outs[n++] = j->args[i].out;
    if (j->stats)
        outs[n++] = j->stats;
    if (j->trace)
        outs[n++] = j->trace;
    for (size_t a = 0; a < n; a++) {
        if (same_file(outs[a], j->elf))
            return usage("%s would overwrite the kernel file%s", outs[a], "");
        for (size_t b = 0; b < a; b++)
            if (same_file(outs[a], outs[b]) && strncmp(outs[a], "/dev/", 5))
                return usage("%s would be written twice%s", outs[a], "");
    }
    for (unsigned i = 0; i < j->n_args; i++)
        if (j->args[i].out) {
            if (!out_open(&j->args[i].file, j->args[i].out, why, sizeof why))
                return usage("--arg %s: %s", j->args[i].text, why);
            remember(&j->args[i].file);
        }
    if (j->stats) {
        if (!out_open(&j->stats_file, j->stats, why, sizeof why))
            return usage("--stats: %s%s", why, "");
        remember(&j->stats_file);
    }
    if (j->trace) {
        if (!out_open(&j->trace_file, j->trace, why, sizeof why))
            return usage("--trace: %s%s", why, "");
        if (!j->trace_file.temp)
            return usage("--trace: %s is no regular file%s", j->trace, "");
        remember(&j->trace_file);
    }
    return 0;
}

static int read_kernel(job *j)
{
    vl_error err = {0};
    char why[400];
    int e = vl_image_read(&j->image, j->elf, &err);
    if (e)
        return complain("run", status_of(e), "%s", err.text);
    if (!j->kernel_name) {
        if (vl_image_kernels(j->image) != 1)
            return usage("%s has several kernels, choose one with --kernel (see vellum info %s)", j->elf, j->elf);
        j->kernel_name = vl_image_kernel(j->image, 0)->name;
    }
    e = vl_kernel_open(&j->kernel, j->image, j->kernel_name, &err);
    if (e)
        return complain("run", status_of(e), "%s: %s", j->elf, err.text);
    const vl_kernel_info *k = vl_kernel_get_info(j->kernel);
    if (k->n_args != j->n_args) {
        snprintf(why, sizeof why, "%u argument%s, but there %s %u --arg", k->n_args, k->n_args == 1 ? "" : "s",
                 j->n_args == 1 ? "is" : "are", j->n_args);
        return usage("kernel %s has %s", j->kernel_name, why);
    }
    for (uint32_t i = 0; i < k->n_args; i++)
        if (!fits_arg(&j->args[i], &k->args[i], why, sizeof why))
            return usage("--arg %s: %s", j->args[i].text, why);
    return 0;
}

static void notice(void *user, const char *text)
{
    if (((job *)user)->bar)
        fprintf(stderr, "vellum: %s\n", text);
}

static int progress(void *user, const vl_progress *p)
{
    (void)user;
    char bar[41];
    uint64_t total = p->groups_total ? p->groups_total : 1;
    unsigned filled = (unsigned)((double)p->groups_done / (double)total * 40);
    memset(bar, '.', 40);
    memset(bar, '#', filled > 40 ? 40 : filled);
    bar[40] = 0;
    fprintf(stderr, "\r[%s] %3u %%  %" PRIu64 " of %" PRIu64 " groups", bar,
            (unsigned)((double)p->groups_done / (double)total * 100), p->groups_done, p->groups_total);
    if (p->cycles)
        fprintf(stderr, ", cycle %" PRIu64, p->cycles);
    fputs("\033[K", stderr);
    return 0;
}

static const char *trace_kind(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : "";
}

static int prepare(job *j)
{
    vl_error err = {0};
    char why[400];
    vl_options opt = {.notice = notice,
                      .notice_user = j,
                      .memory = j->memory,
                      .waves = j->trace && !strcmp(trace_kind(j->trace), "fst")};
    int e = vl_open(&j->dev, j->config, j->backend, &opt, &err);
    if (e)
        return complain("run", status_of(e), "%s", err.text);
    for (unsigned i = 0; i < j->n_policies; i++)
        if ((e = vl_set_policy_word(j->dev, j->policies[i])))
            return complain("run", status_of(e), "--set: %s", vl_detail(j->dev));
    vl_set_max_cycles(j->dev, j->max_cycles);
    vl_set_back_door(j->dev, j->back_door);
    if (j->bar)
        vl_set_progress(j->dev, progress, j);
    if ((e = vl_load(j->dev, j->image)))
        return complain("run", status_of(e), "%s", vl_detail(j->dev));
    for (unsigned i = 0; i < j->n_args; i++)
        if ((e = place_arg(j->dev, j->kernel, i, &j->args[i], why, sizeof why)) == VL_EDIFF)
            return complain("run", EXIT_DIFF, "%s", vl_detail(j->dev));
        else if (e)
            return complain("run", status_of(e), "--arg %s: %s", j->args[i].text, why);
    if (j->trace) {
        e = vl_trace_begin_as(j->dev, j->trace_file.temp, trace_kind(j->trace));
        if (e)
            return complain("run", status_of(e), "--trace %s: %s", j->trace, vl_detail(j->dev));
    }
    return 0;
}

/* ---- after the run ---- */

static void report_fault(const job *j, const vl_fault *f)
{
    char insn[96] = "";
    uint32_t word;
    if (!vl_read(j->dev, f->pc, &word, sizeof word)) {
        char text[80];
        isa_disasm(word, f->pc, text, sizeof text);
        snprintf(insn, sizeof insn, " (%s)", text);
        for (char *p = insn; *p; p++)
            if (*p == '\t')
                *p = ' ';
    }
    char what[200];
    vl_fault_text(f, what, sizeof what);
    complain("run", 0, "kernel %s: %s, pc 0x%" PRIx64 "%s, core %u, warp %u, lanes 0x%" PRIx64, j->kernel_name, what,
             f->pc, insn, f->core, f->warp, f->mask);
}

static void put_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    fputc(' ', stderr);
    if (*word && word[strspn(word, plain)] == 0) {
        fputs(word, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    }
    fputc('\'', stderr);
}

/* The one command that shows the difference again. */
static void print_again(const job *j)
{
    const char *part = getenv("VELLUM_LOCKSTEP");
    fputs("again:", stderr);
    if (part)
        fprintf(stderr, " VELLUM_LOCKSTEP=%s", part);
    put_word(program_invocation_name);
    for (int i = 0; i < j->argc; i++)
        put_word(j->argv[i]);
    fputc('\n', stderr);
}

static const char *outcome_name(int code)
{
    return code == VL_OK       ? "ok"
           : code == VL_EFAULT ? "fault"
           : code == VL_EDIFF  ? "difference"
           : code == VL_ELIMIT ? "limit"
                               : "stopped";
}

static json_t *triple(const uint64_t v[3], uint32_t dims)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < dims; i++)
        json_array_append_new(a, json_integer((json_int_t)v[i]));
    return a;
}

static int write_stats(job *j, const vl_result *r)
{
    char why[400];
    json_t *doc = json_object(), *counters = json_object(),
           *judge = NULL; /* what a machine counts, whichever it is; what its judge says */
    json_object_set_new(doc, "cycles", json_integer((json_int_t)r->cycles));
    json_object_set_new(doc, "outcome", json_string(outcome_name(r->code)));
    json_object_set_new(doc, "backend", json_string(j->backend));
    json_object_set_new(doc, "config", json_string(j->config));
    json_object_set_new(doc, "kernel", json_string(j->kernel_name));
    json_object_set_new(doc, "global", triple(j->range.global, j->range.dims));
    if (j->range.local[0])
        json_object_set_new(doc, "local", triple(j->range.local, j->range.dims));
    if (r->code == VL_EFAULT) {
        const vl_fault *f = &r->fault;
        char value[24], pc[24], mask[24]; /* as text: 64 bits do not fit the numbers of JSON */
        snprintf(value, sizeof value, "0x%" PRIx64, f->value);
        snprintf(pc, sizeof pc, "0x%" PRIx64, f->pc);
        snprintf(mask, sizeof mask, "0x%" PRIx64, f->mask);
        json_object_set_new(doc, "fault",
                            json_pack("{s:s,s:I,s:s,s:s,s:I,s:I,s:s}", "name", vl_fault_name(f->cause), "cause",
                                      (json_int_t)f->cause, "value", value, "pc", pc, "core", (json_int_t)f->core,
                                      "warp", (json_int_t)f->warp, "mask", mask));
    }
    for (size_t i = 0; i < r->n_stats; i++) {
        const vl_stat *s = &r->stats[i];
        bool judged = !strcmp(s->section, "judge");
        if (judged && !judge)
            json_object_set_new(doc, "judge", judge = json_object());
        json_object_set_new(judged ? judge : counters, s->name,
                            s->is_ratio ? json_real(s->ratio) : json_integer((json_int_t)s->value));
    }
    json_object_set_new(doc, "counters", counters);
    char *text = json_dumps(doc, JSON_INDENT(2));
    json_decref(doc);
    if (!text)
        return complain("run", EXIT_TOOL, "out of memory");
    bool ok = out_write(&j->stats_file, text, strlen(text), why, sizeof why)
              && out_write(&j->stats_file, "\n", 1, why, sizeof why);
    free(text);
    return ok ? 0 : complain("run", EXIT_TOOL, "--stats: %s", why);
}

/* What the report shows of the counters, where the machine has them; --stats writes all. */
static const struct {
    const char *heading, *name;
} shown[] = {
    {"run", "cycles"},
    {"run", "warp_instructions"},
    {"run", "thread_instructions"},
    {"run", "ipc"},
    {"run", "simd_utilisation"},
    {"run", "occupancy"},
    {"run", "groups_started"},
    {"run", "barriers"},
    {"control flow", "branches"},
    {"control flow", "branch_divergence"},
    {"control flow", "reconv_left_out"},
    {"cycles without an issue", "stall_dependency"},
    {"cycles without an issue", "stall_pipe"},
    {"cycles without an issue", "stall_fetch"},
    {"cycles without an issue", "stall_control"},
    {"cycles without an issue", "stall_serial"},
    {"cycles without an issue", "stall_barrier"},
    {"cycles without an issue", "stall_idle"},
    {"memory", "lsu_loads"},
    {"memory", "lsu_stores"},
    {"memory", "lsu_atomics"},
    {"memory", "page_divergence"},
    {"memory", "spad_conflicts"},
    {"memory", "l1i_hit_rate"},
    {"memory", "l1d_hit_rate"},
    {"memory", "mem_reads"},
    {"memory", "mem_writes"},
    {"memory", "mem_atomics"},
    {"memory", "l2_hit_rate"},
    {"memory", "l2_evict"},
    {"memory", "dram_row_hit_rate"},
    {"memory", "dram_utilisation"},
    {"memory", "dram_refs"},
    {"shared translation", "l2_tlb_lookups"},
    {"shared translation", "l2_tlb_hit_rate"},
    {"shared translation", "l2m_walks"},
    {"shared translation", "walks_at_once"},
    {"shared translation", "shared_walk_latency"},
    {"coherence", "smd_read"},
    {"coherence", "directory_hit_rate"},
    {"coherence", "smd_fetch"},
    {"coherence", "smd_own"},
    {"coherence", "smd_line"},
    {"coherence", "block_reuse"},
    {"coherence", "smd_evict"},
    {"coherence", "smd_flush"},
    {"coherence", "smd_bytes"},
    {"coherence", "merges_a_block"},
    {"coherence", "hmd_probe"},
    {"coherence", "hmd_peer"},
    {"coherence", "flush_cycles"},
    {"coherence", "sync_latency"},
    {"coherence", "coherence_share"},
    {"links", "link_up*"},
    {"links", "link_down*"},
    {"paging", "page_faults"},
    {"paging", "pages_in"},
    {"paging", "pages_out"},
    {"paging", "pages_written"},
    {"paging", "shootdowns"},
    {"judge", "judge_words"},
    {"judge", "judge_counters"},
    {"judge", "judge_races"},
    {"judge", "judge_waived_loads"},
    {"judge", "judge_waived_shootdowns"},
};

/* The name of a row, or with a * the beginning of several. */
static bool is_shown(const char *name, const char *row)
{
    const size_t n = strcspn(row, "*");
    return !strncmp(name, row, n) && (row[n] || !name[n]);
}

static void print_table(const job *j, const vl_result *r)
{
    const char *heading = "";
    printf("%s, backend %s, configuration %s\n", j->kernel_name, j->backend, j->config);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        for (size_t k = 0; k < r->n_stats; k++) {
            const vl_stat *s = &r->stats[k];
            if (!is_shown(s->name, shown[i].name))
                continue;
            if (strcmp(heading, shown[i].heading))
                printf("\n%s\n", heading = shown[i].heading);
            if (s->is_ratio)
                printf("  %-22s %15.2f %-13s %s\n", s->name, s->ratio, s->unit, s->help);
            else
                printf("  %-22s %15" PRIu64 " %-13s %s\n", s->name, s->value, s->unit, s->help);
        }
}

/* *code becomes VL_EDIFF when the lockstep differs as the host reads: what the kernel did shows then. */
static int write_buffer(job *j, arg_spec *a, int *code)
{
    char why[400];
    enum { CHUNK = 1 << 20 };
    unsigned char *chunk = malloc(CHUNK);
    if (!chunk)
        return complain("run", EXIT_TOOL, "out of memory");
    int status = 0;
    for (uint64_t at = 0; !status && *code == VL_OK && at < a->bytes; at += CHUNK) {
        uint64_t n = a->bytes - at < CHUNK ? a->bytes - at : CHUNK;
        int e = vl_read(j->dev, a->at + at, chunk, n);
        if (e == VL_EDIFF)
            *code = e;
        else if (e)
            status = complain("run", EXIT_TOOL, "--arg %s: %s", a->text, vl_detail(j->dev));
        else if (!out_write(&a->file, chunk, n, why, sizeof why))
            status = complain("run", EXIT_TOOL, "--arg %s: %s", a->text, why);
    }
    free(chunk);
    return status;
}

static int commit(out_file *f, const char *option)
{
    char why[400];
    return out_commit(f, why, sizeof why) ? 0 : complain("run", EXIT_TOOL, "%s: %s", option, why);
}

/* Everything is written under temporary names first, then all names appear. Buffers only when the kernel ended well; statistics and
 * the trace also when it did not: they tell why. */
static int finish(job *j, vl_result *r)
{
    int e = r->code;
    if (e == VL_EFAULT)
        report_fault(j, &r->fault);
    else if (e)
        complain("run", 0, "%s", vl_detail(j->dev));
    if (e == VL_EDIFF)
        print_again(j);
    if (e && e != VL_EFAULT && e != VL_EDIFF && e != VL_ELIMIT)
        return status_of(e);
    if (j->trace && vl_trace_end(j->dev))
        return complain("run", EXIT_TOOL, "--trace %s: %s", j->trace, vl_detail(j->dev));
    int w = 0;
    for (unsigned i = 0; !e && !w && i < j->n_args; i++)
        if (j->args[i].out)
            w = write_buffer(j, &j->args[i], &r->code);
    if (r->code != e) {
        e = r->code;
        complain("run", 0, "%s", vl_detail(j->dev));
        print_again(j);
    }
    if (!w && j->stats)
        w = write_stats(j, r);
    hold_signals();
    for (unsigned i = 0; !e && !w && i < j->n_args; i++)
        if (j->args[i].out)
            w = commit(&j->args[i].file, j->args[i].text);
    if (!w && j->stats)
        w = commit(&j->stats_file, "--stats");
    if (!w && j->trace)
        w = commit(&j->trace_file, "--trace");
    if (w)
        return w;
    if (!e)
        print_table(j, r);
    if (fflush(stdout) || ferror(stdout))
        return complain("run", EXIT_TOOL, "standard output: %s", strerror(errno));
    return status_of(e);
}

static int run(job *j, int argc, char **argv)
{
    int status = take_options(j, argc, argv);
    if (status || (status = read_kernel(j)) || (status = open_outputs(j)))
        return status;
    if ((status = prepare(j)) == EXIT_DIFF)
        print_again(j); /* the lockstep differs as the host writes */
    if (status)
        return status;
    vl_result r;
    int e = vl_launch(j->dev, j->kernel, &j->range, &r);
    if (j->bar)
        fputs("\r\033[K", stderr);
    r.code = e;
    return finish(j, &r);
}

int vellum_run_main(int argc, char **argv)
{
    job *j = calloc(1, sizeof *j);
    if (!j)
        return complain("run", EXIT_TOOL, "out of memory");
    j->backend = "model";
    j->config = "small";
    j->argc = argc;
    j->argv = argv;
    j->stats_file.fd = j->trace_file.fd = -1;
    j->bar = isatty(2);
    catch_signals();
    int status = run(j, argc, argv);
    hold_signals();
    vl_close(j->dev);
    vl_kernel_close(j->kernel);
    vl_image_free(j->image);
    for (unsigned i = 0; i < j->n_args; i++)
        free_arg(&j->args[i]);
    out_drop(&j->stats_file);
    out_drop(&j->trace_file);
    free(j);
    return status;
}
