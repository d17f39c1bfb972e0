/* vellum run: kernels, their arguments from the command line, a report. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/runtime/internal.h"
#include "sw/tools/run_internal.h"

/* ---- a signal leaves nothing behind ---- */

enum { MAX_OUTS = MAX_APPS * MAX_ARGS + 2 };
static const char *volatile temps[MAX_OUTS];

static void remember(const out_file *f)
{
    for (size_t i = 0; i < sizeof temps / sizeof *temps; i++)
        if (!temps[i]) {
            temps[i] = f->temp;
            return;
        }
}

/* Makes, compilers and the check of buffers end as well. Only calls that a handler may make: /proc has the children's numbers. */
static char children[64];

static void end_children(void)
{
    char list[4096];
    const int fd = open(children, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, list, sizeof list);
    pid_t pid = 0;
    for (ssize_t i = 0; i < n; i++) {
        if (list[i] != ' ') {
            pid = 10 * pid + (list[i] - '0');
            continue;
        }
        kill(pid, SIGTERM);
        pid = 0;
    }
    if (fd >= 0)
        close(fd);
}

static void on_signal(int s)
{
    end_children();
    for (size_t i = 0; i < sizeof temps / sizeof *temps; i++)
        if (temps[i])
            unlink(temps[i]);
    signal(s, SIG_DFL);
    raise(s);
}

/* While a kernel runs the first Ctrl-C stops it, and the run ends with its report; the second one is a signal as any other. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int s)
{
    interrupted = s;
    signal(s, on_signal);
}

void run_begin(run_job *j)
{
    struct sigaction old;
    j->begun = vl_seconds();
    if (!sigaction(SIGINT, NULL, &old) && old.sa_handler == on_signal)
        signal(SIGINT, on_interrupt);
}

void run_end(run_job *j)
{
    struct sigaction old;
    if (!sigaction(SIGINT, NULL, &old) && old.sa_handler == on_interrupt)
        signal(SIGINT, on_signal);
    if (j->bar)
        fputs("\r\033[K", stderr);
}

/* From here on the names change hands; the rest is short. */
static void hold_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    snprintf(children, sizeof children, "/proc/self/task/%d/children", (int)getpid());
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        sigaction(signals[i], NULL, &old);
        if (signals[i] == SIGXFSZ)
            signal(signals[i], SIG_IGN); /* the write then fails with EFBIG */
        else if (old.sa_handler != SIG_IGN)
            signal(signals[i], on_signal);
    }
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

static int open_buffers(run_app *a)
{
    char why[400];
    for (unsigned i = 0; i < a->n_args; i++)
        if (a->args[i].out) {
            if (!out_open(&a->args[i].file, a->args[i].out, why, sizeof why))
                return run_usage("--arg %s: %s", a->args[i].text, why);
            remember(&a->args[i].file);
        }
    return 0;
}

/* No file that is written is a kernel file, nor written twice. */
static int check_outputs(const run_job *j)
{
    const char *outs[MAX_OUTS];
    size_t n = 0;
    for (unsigned k = 0; k < j->n_apps; k++)
        for (unsigned i = 0; i < j->app[k].n_args; i++)
            if (j->app[k].args[i].out)
                outs[n++] = j->app[k].args[i].out;
    if (j->stats && strcmp(j->stats, "-"))
        outs[n++] = j->stats;
    if (j->trace)
        outs[n++] = j->trace;
    for (size_t a = 0; a < n; a++) {
        for (unsigned k = 0; k < j->n_apps; k++)
            if (same_file(outs[a], j->app[k].elf))
                return run_usage("%s would overwrite the kernel file", outs[a]);
        for (size_t b = 0; b < a; b++)
            if (same_file(outs[a], outs[b]) && strncmp(outs[a], "/dev/", 5))
                return run_usage("%s would be written twice", outs[a]);
    }
    return 0;
}

/* Opens every file that will be written, so that a long run does not end in "permission denied". */
static int open_outputs(run_job *j)
{
    char why[400];
    int e = check_outputs(j);
    for (unsigned k = 0; k < j->n_apps && !e; k++)
        e = open_buffers(&j->app[k]);
    if (e)
        return e;
    if (j->stats && !strcmp(j->stats, "-")) {
        j->stats_file = (out_file){.path = strdup("standard output"), .fd = dup(STDOUT_FILENO)};
        j->quiet = j->stats_out = true;
    } else if (j->stats) {
        if (!out_open(&j->stats_file, j->stats, why, sizeof why))
            return run_usage("--stats: %s", why);
        remember(&j->stats_file);
    }
    if (j->samples.path) {
        if (!out_open(&j->samples_file, j->samples.path, why, sizeof why))
            return run_usage("--samples: %s", why);
        remember(&j->samples_file);
    }
    if (j->trace) {
        if (!out_open(&j->trace_file, j->trace, why, sizeof why))
            return run_usage("--trace: %s", why);
        if (!j->trace_file.temp)
            return run_usage("--trace: %s is no regular file", j->trace);
        remember(&j->trace_file);
    }
    return 0;
}

static int read_kernel(run_app *a)
{
    vl_error err = {0};
    char why[400];
    int e = vl_image_read(&a->image, a->elf, &err);
    if (e)
        return complain("run", status_of(e), "%s", err.text);
    if (!a->kernel_name) {
        if (vl_image_kernels(a->image) != 1)
            return run_usage("%s has several kernels, choose one with --kernel (see vellum info %s)", a->elf, a->elf);
        a->kernel_name = vl_image_kernel(a->image, 0)->name;
    }
    e = vl_kernel_open(&a->kernel, a->image, a->kernel_name, &err);
    if (e)
        return complain("run", status_of(e), "%s: %s", a->elf, err.text);
    const vl_kernel_info *k = vl_kernel_get_info(a->kernel);
    if (k->n_args != a->n_args) {
        snprintf(why, sizeof why, "%u argument%s, but there %s %u --arg", k->n_args, k->n_args == 1 ? "" : "s",
                 a->n_args == 1 ? "is" : "are", a->n_args);
        return run_usage("kernel %s has %s", a->kernel_name, why);
    }
    for (uint32_t i = 0; i < k->n_args; i++)
        if (!fits_arg(&a->args[i], &k->args[i], why, sizeof why))
            return run_usage("--arg %s: %s", a->args[i].text, why);
    return 0;
}

static void notice(void *user, const char *text)
{
    const run_job *j = user;
    /* In a log a line for each tenth of a verilation or each minute; on a terminal one line that is rewritten. */
    if (!j->quiet || j->bar)
        fprintf(stderr, j->bar ? "\r\033[Kvellum: %s%s" : "vellum: %s%s", text,
                j->bar && strchr(text, '%') ? "" : "\n");
}

static int progress(void *user, const vl_progress *p)
{
    const run_job *j = user;
    char bar[41], left[VL_LEFT];
    if (interrupted)
        return 1;
    if (!j->bar)
        return 0;
    uint64_t total = p->groups_total ? p->groups_total : 1;
    unsigned filled = (unsigned)((double)p->groups_done / (double)total * 40);
    memset(bar, '.', 40);
    memset(bar, '#', filled > 40 ? 40 : filled);
    bar[40] = 0;
    fprintf(stderr, "\r[%s] %3u %%  %" PRIu64 " of %" PRIu64 " groups", bar,
            (unsigned)((double)p->groups_done / (double)total * 100), p->groups_done, p->groups_total);
    if (p->cycles)
        fprintf(stderr, ", cycle %" PRIu64, p->cycles);
    fprintf(stderr, "%s\033[K", vl_time_left(left, j->begun, p));
    return 0;
}

static const char *trace_kind(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : "";
}

/* The most thread instructions that a machine can do in --max-cycles: the limit on `ref` for a kernel that is to run there after it. */
static uint64_t thread_limit(const run_job *j)
{
    const uint64_t each = (uint64_t)(vl_config_value(j->dev, "cores", 1) * vl_config_value(j->dev, "threads", 1));
    return j->max_cycles < INT64_MAX / each ? j->max_cycles * each : INT64_MAX;
}

int run_open(run_job *j, bool waves)
{
    vl_error err = {0};
    vl_options opt = {.notice = notice, .notice_user = j, .memory = j->memory, .waves = waves};
    int e = vl_open(&j->dev, j->config, j->backend, &opt, &err);
    if (e)
        return complain("run", status_of(e), "%s", err.text);
    for (unsigned i = 0; i < j->n_policies; i++)
        if ((e = vl_set_policy_word(j->dev, j->policies[i])))
            return complain("run", status_of(e), "--set: %s", vl_detail(j->dev));
    if (j->checks && (e = vl_check_buffers(j->dev, true)))
        return complain("run", status_of(e), "--check-buffers: %s", vl_detail(j->dev));
    vl_set_max_cycles(j->dev, j->first ? thread_limit(j) : j->max_cycles);
    vl_set_back_door(j->dev, j->back_door);
    vl_set_progress(j->dev, progress, j);
    return 0;
}

/* What kernels print comes before the report, and behind the progress bar. */
static void print(void *user, const char *text, size_t bytes)
{
    if (((run_job *)user)->bar)
        fputs("\r\033[K", stderr);
    fwrite(text, 1, bytes, ((run_job *)user)->stats_out ? stderr : stdout);
    fflush(stdout);
}

static void drop(void *user, const char *text, size_t bytes)
{
    (void)user, (void)text, (void)bytes;
}

void run_show_print(run_job *j, bool show)
{
    (void)vl_set_print(j->dev, show ? print : drop, j, j->print_bytes);
}

/* The device's time, while copies are counted. */
static uint64_t copy_time(const run_job *j)
{
    uint64_t cycles = 0;
    if (j->copies)
        (void)vl_now(j->dev, &cycles);
    return cycles;
}

/* Before the kernel: the lines of the buffers leave the host's cache. */
static int end_copy(run_job *j, const run_app *a)
{
    unsigned i = 0;
    uint64_t cycles;
    while (i < a->n_args && a->args[i].kind != ARG_BUF)
        i++;
    if (i == a->n_args || !j->copied_to)
        return 0;
    const int e = copies_settle(j->dev, a->args[i].at, &cycles);
    j->copied_to += cycles;
    return e ? complain("run", status_of(e), "--copies: %s", vl_detail(j->dev)) : 0;
}

int run_place(run_job *j, run_app *a)
{
    char why[400];
    int e = vl_load(j->dev, a->image);
    if (e)
        return complain("run", status_of(e), "%s", vl_detail(j->dev));
    if (j->copies && vl_empty_caches(j->dev)) /* the image is no part of the copy */
        return complain("run", status_of(VL_EDIFF), "--copies: %s", vl_detail(j->dev));
    const uint64_t since = copy_time(j);
    for (unsigned i = 0; i < a->n_args; i++)
        if ((e = place_arg(j->dev, a->kernel, i, &a->args[i], why, sizeof why)) == VL_EDIFF)
            return complain("run", EXIT_DIFF, "%s", vl_detail(j->dev));
        else if (e)
            return complain("run", status_of(e), "--arg %s: %s", a->args[i].text, why);
    j->copied_to = copy_time(j) - since;
    return end_copy(j, a);
}

void run_watch(run_job *j)
{
    const run_app *a = &j->app[0];
    const vl_kernel_info *info = vl_kernel_get_info(a->kernel);
    for (unsigned i = 0; i < a->n_args; i++) {
        if (a->args[i].kind != ARG_BUF)
            continue;
        snprintf(j->buffer_names[i], sizeof *j->buffer_names, "argument %u", i);
        j->buffers[j->n_buffers++] =
            (vl_buffer_use){.name = *info->args[i].name ? info->args[i].name : j->buffer_names[i],
                            .at = a->args[i].at,
                            .bytes = a->args[i].bytes};
    }
    if (j->n_buffers && vl_watch(j->dev, j->buffers, j->n_buffers))
        j->n_buffers = 0; /* this backend does not know */
}

int run_begin_trace(run_job *j)
{
    if (!j->trace)
        return 0;
    int e = vl_trace_begin_part(j->dev, j->trace_file.temp, trace_kind(j->trace), &j->part);
    return e ? complain("run", status_of(e), "--trace %s: %s", j->trace, vl_detail(j->dev)) : 0;
}

/* ---- after the run ---- */

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
void run_print_again(const run_job *j)
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

/* Reads a buffer, and writes its file if it has one. *code becomes VL_EDIFF when the lockstep differs as the host reads: the kernel's stores show then. */
static int write_buffer(run_job *j, arg_spec *a, int *code)
{
    char why[400];
    enum { CHUNK = 1 << 20 };
    unsigned char *chunk = malloc(CHUNK);
    if (!chunk)
        return complain("run", EXIT_TOOL, "out of memory");
    int status = 0;
    for (uint64_t at = 0; !status && *code == VL_OK && at < a->bytes; at += CHUNK) {
        uint64_t n = a->bytes - at < CHUNK ? a->bytes - at : CHUNK, since = copy_time(j);
        int e = vl_read(j->dev, a->at + at, chunk, n);
        j->copied_back += copy_time(j) - since;
        if (e == VL_EDIFF)
            *code = e;
        else if (e)
            status = complain("run", EXIT_TOOL, "--arg %s: %s", a->text, vl_detail(j->dev));
        else if (a->out && !out_write(&a->file, chunk, n, why, sizeof why))
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

/* Buffers of those that ended well. *code becomes VL_EDIFF as in write_buffer. */
static int write_buffers(run_job *j, int *code)
{
    int w = 0;
    for (unsigned k = 0; k < j->n_apps && !w; k++) {
        run_app *a = &j->app[k];
        int read = VL_OK;
        if (a->result.code)
            continue;
        if (j->several)
            (void)vl_use_space(j->dev, a->space);
        for (unsigned i = 0; !read && !w && i < a->n_args; i++)
            if (a->args[i].out || (a->args[i].kind == ARG_BUF && j->copies == COPY_ALL))
                w = write_buffer(j, &a->args[i], &read);
        if (read)
            *code = read;
    }
    return w;
}

static int commit_all(run_job *j, int code)
{
    int w = 0;
    for (unsigned k = 0; k < j->n_apps && code != VL_EDIFF; k++)
        for (unsigned i = 0; !j->app[k].result.code && !w && i < j->app[k].n_args; i++)
            if (j->app[k].args[i].out)
                w = commit(&j->app[k].args[i].file, j->app[k].args[i].text);
    if (!w && j->stats)
        w = commit(&j->stats_file, "--stats");
    if (!w && j->samples.path)
        w = commit(&j->samples_file, "--samples");
    if (!w && j->trace)
        w = commit(&j->trace_file, "--trace");
    return w;
}

static uint64_t longest_run(const run_job *j)
{
    uint64_t cycles = 0;
    for (unsigned k = 0; k < j->n_apps; k++)
        cycles = j->app[k].result.cycles > cycles ? j->app[k].result.cycles : cycles;
    return cycles;
}

/* A trace that Ctrl-C has ended is whole, and may be large. */
static void tell_trace(const run_job *j)
{
    struct stat s;
    if (!stat(j->trace_file.temp, &s))
        complain("run", 0, "%s: the trace ends there too, with %.1f MB; --trace-from and --trace-to choose a part",
                 j->trace, (double)s.st_size / 1e6);
}

/* Buffers only when the kernel ended well; statistics and the trace also when it did not: they tell why. */
int run_finish(run_job *j, int code)
{
    int e = code;
    for (unsigned k = 0; k < j->n_apps; k++)
        if (j->app[k].result.code == VL_EFAULT)
            run_report_fault(j, &j->app[k], &j->app[k].result.fault);
        else if (j->several && j->app[k].result.code == VL_ELIMIT)
            complain("run", 0, "kernel %s did not end within %" PRIu64 " cycles", j->app[k].kernel_name, j->max_cycles);
    if (e == VL_EINTR)
        complain("run", 0, "interrupted at cycle %" PRIu64, j->app[0].result.cycles);
    else if (e && e != VL_EFAULT && !(j->several && e == VL_ELIMIT))
        complain("run", 0, "%s", vl_detail(j->dev));
    if (e == VL_EDIFF)
        run_print_again(j);
    run_report_stopped(j);
    if (e && e != VL_EFAULT && e != VL_EDIFF && e != VL_ELIMIT && e != VL_EINTR)
        return status_of(e);
    if (j->trace && j->part.from && longest_run(j) <= j->part.from)
        complain("run", 0, "--trace-from %" PRIu64 ": the trace is empty, the kernel ended after %" PRIu64 " cycles",
                 j->part.from, longest_run(j));
    if (j->trace && vl_trace_end(j->dev)) {
        const int room = out_room(&j->trace_file);
        return complain("run", EXIT_TOOL, "--trace %s: %s", j->trace, room ? strerror(room) : vl_detail(j->dev));
    }
    if (j->trace && e == VL_EINTR)
        tell_trace(j);
    int w = e == VL_EDIFF ? 0 : write_buffers(j, &code);
    if (code != e) {
        e = code;
        complain("run", 0, "%s", vl_detail(j->dev));
        run_print_again(j);
    }
    if (!w && j->stats)
        w = run_write_stats(j, e);
    if (!w && j->samples.path)
        w = run_write_samples(j);
    hold_signals();
    if (!w)
        w = commit_all(j, e);
    if (w)
        return w;
    if (!j->quiet && (!e || e == VL_EINTR || e == VL_ELIMIT || (j->several && e != VL_EDIFF)))
        run_print_table(j);
    if (fflush(stdout) || ferror(stdout))
        return complain("run", EXIT_TOOL, "standard output: %s", strerror(errno));
    return status_of(e);
}

static int run_single(run_job *j)
{
    run_app *a = &j->app[0];
    int status = run_open(j, j->trace && !strcmp(trace_kind(j->trace), "fst"));
    if (!status)
        run_show_print(j, true);
    if (!status)
        status = run_place(j, a);
    if (!status)
        status = run_begin_trace(j);
    if (status == EXIT_DIFF)
        run_print_again(j); /* the lockstep found a difference while the host wrote */
    if (status)
        return status;
    if (!status && j->cold && vl_empty_caches(j->dev))
        return complain("run", status_of(VL_EDIFF), "--cold: %s", vl_detail(j->dev));
    run_begin(j);
    for (uint64_t n = 0; n < j->warm_up && !a->result.code; n++)
        a->result.code = vl_launch(j->dev, a->kernel, &a->range, &a->result);
    if (!j->quiet || j->stats)
        run_watch(j);
    if (!a->result.code && (status = run_begin_samples(j)))
        return status;
    if (!a->result.code)
        a->result.code = vl_launch(j->dev, a->kernel, &a->range, &a->result);
    if (j->n_buffers && vl_watched(j->dev, j->buffers, j->n_buffers))
        j->n_buffers = 0;
    run_end(j);
    return run_finish(j, a->result.code);
}

/* --check-buffers on a backend that does not look accesses up: the kernel runs on `ref` first, in a process of its own that reports a fault and leaves nothing else. */
static int run_on_ref(run_job *j)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        return complain("run", EXIT_TOOL, "--check-buffers: %s", strerror(errno));
    if (!pid) {
        j->backend = "ref";
        j->quiet = true;
        j->stats = j->trace = j->samples.path = NULL;
        j->samples.on = false;
        j->warm_up = 0;
        j->first = true;
        for (unsigned k = 0; k < j->n_apps; k++)
            for (unsigned i = 0; i < j->app[k].n_args; i++)
                j->app[k].args[i].out = NULL;
        const bool dark = freopen("/dev/null", "w", stdout) != NULL; /* what kernels print comes from the backend */
        _exit(!dark ? EXIT_TOOL : j->several ? run_several(j) : run_single(j));
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return complain("run", EXIT_TOOL, "--check-buffers: %s", strerror(errno));
    j->checks = false;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TOOL;
}

static int run(run_job *j, int argc, char **argv)
{
    int status = run_take_options(j, argc, argv);
    for (unsigned k = 0; k < j->n_apps && !status; k++)
        status = read_kernel(&j->app[k]);
    if (status || (status = open_outputs(j)))
        return status;
    if (j->checks && strcmp(j->backend, "ref") && (status = run_on_ref(j)))
        return status;
    return j->several ? run_several(j) : run_single(j);
}

int vellum_run_main(int argc, char **argv)
{
    run_job *j = calloc(1, sizeof *j);
    if (!j)
        return complain("run", EXIT_TOOL, "out of memory");
    j->backend = "model";
    j->config = "small";
    j->fresh = 2;
    j->argc = argc;
    j->argv = argv;
    j->stats_file.fd = j->trace_file.fd = j->samples_file.fd = -1;
    j->bar = isatty(2);
    catch_signals();
    int status = run(j, argc, argv);
    hold_signals();
    vl_close(j->dev);
    for (unsigned k = 0; k < MAX_APPS; k++) {
        run_app *a = &j->app[k];
        vl_kernel_close(a->kernel);
        for (unsigned i = 0; i < MAX_FRESH; i++)
            vl_kernel_close(a->again[i]);
        vl_image_free(a->image);
        for (unsigned i = 0; i < a->n_args; i++)
            free_arg(&a->args[i]);
    }
    out_drop(&j->stats_file);
    out_drop(&j->trace_file);
    run_drop_samples(j);
    free(j);
    return status;
}
