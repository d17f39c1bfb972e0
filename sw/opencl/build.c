/* Running the compiler, `vellum cc`, in a folder of its own, which is gone afterwards. */
#include "sw/opencl/vcl.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool vcl_append(vcl_text *t, const char *bytes, size_t n)
{
    char *more = realloc(t->text, t->n + n + 1);
    if (!more)
        return false;
    t->text = more;
    if (n)
        memcpy(t->text + t->n, bytes, n);
    t->n += n;
    t->text[t->n] = 0;
    return true;
}

static bool write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return false;
    const bool ok = fwrite(bytes, 1, n, f) == n;
    return !fclose(f) && ok;
}

static bool write_file(const char *path, const char *text)
{
    return write_bytes(path, text, strlen(text));
}

/* A header's name may have folders in it, but does not leave ours. */
static bool write_header(const char *dir, const vcl_header *h)
{
    char path[PATH_MAX];
    if (*h->name == '/' || strstr(h->name, "..")
        || (size_t)snprintf(path, sizeof path, "%s/include/%s", dir, h->name) >= sizeof path)
        return false;
    for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            return false;
        *p = '/';
    }
    return write_file(path, h->text);
}

static unsigned char *read_file(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return NULL;
    unsigned char *data = NULL;
    struct stat s;
    if (!fstat(fileno(f), &s) && (data = malloc((size_t)s.st_size + 1))) {
        *bytes = fread(data, 1, (size_t)s.st_size, f);
        if (*bytes != (size_t)s.st_size) {
            free(data);
            data = NULL;
        }
    }
    fclose(f);
    return data;
}

/* Exit status, -1, or VCL_NO_MEMORY; its output is added to the log. */
static int run(char *const *argv, vcl_text *log)
{
    int ends[2], status = 0;
    bool logged = true;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    pid_t pid;
    const int e = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char part[PATH_MAX + 64];
    if (e) {
        close(ends[0]);
        vcl_append(log, part, (size_t)snprintf(part, sizeof part, "cannot run %s: %s\n", argv[0], strerror(e)));
        return -1;
    }
    for (ssize_t n; (n = TEMP_FAILURE_RETRY(read(ends[0], part, sizeof part))) > 0;)
        logged = vcl_append(log, part, (size_t)n) && logged;
    close(ends[0]);
    /* Where the program ignores SIGCHLD there is no status: the image shows whether it worked. */
    (void)TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
    return !logged ? VCL_NO_MEMORY : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at)
{
    (void)s, (void)type, (void)at;
    return remove(path);
}

/* Messages name the source by its name alone. */
static void shorten(vcl_text *log, const char *dir)
{
    const size_t length = strlen(dir);
    for (char *p = log->text; p && (p = strstr(p, dir));) {
        const size_t n = length + (p[length] == '/');
        memmove(p, p + n, strlen(p + n) + 1);
    }
    if (log->text)
        log->n = strlen(log->text);
}

/* The source with its headers, or the objects, into the folder. */
static bool write_inputs(const char *dir, const vcl_job *job)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/program.cl", dir);
    bool written = !job->source || write_file(path, job->source);
    for (size_t i = 0; written && i < job->n_headers; i++)
        written = write_header(dir, &job->headers[i]);
    for (size_t i = 0; written && i < job->n_objects; i++) {
        const cl_program p = job->objects[i];
        snprintf(path, sizeof path, "%s/input%zu.bc", dir, i);
        written = write_bytes(path, p->binary + VCL_MARK, p->binary_bytes - VCL_MARK);
    }
    return written;
}

/* The words of the command, in one allocation. */
static char **command_line(const char *dir, const char *command, const vcl_job *job, char *const *options,
                           const char *out)
{
    size_t n = 0;
    while (options[n])
        n++;
    const size_t words = n + job->n_objects + 9, room = PATH_MAX;
    char **argv = malloc(words * sizeof *argv + (job->n_objects + 2) * room);
    if (!argv)
        return NULL;
    char *text = (char *)(argv + words);
    size_t k = 0;
    argv[k++] = (char *)(uintptr_t)command;
    argv[k++] = (char *)(uintptr_t)"cc";
    argv[k++] = (char *)(uintptr_t)"--no-kernels";
    if (job->object)
        argv[k++] = (char *)(uintptr_t)"-c";
    for (size_t i = 0; i < n; i++)
        argv[k++] = options[i];
    if (job->n_headers) {
        snprintf(text, room, "-I%s/include", dir);
        argv[k++] = text;
    }
    argv[k++] = (char *)(uintptr_t)"-o";
    argv[k++] = (char *)(uintptr_t)out;
    for (size_t i = 0; i < job->n_objects + !!job->source; i++) {
        text += room;
        if (job->source)
            snprintf(text, room, "%s/program.cl", dir);
        else
            snprintf(text, room, "%s/input%zu.bc", dir, i);
        argv[k++] = text;
    }
    argv[k] = NULL;
    return argv;
}

static int compile(const vcl_job *job, char *const *options, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    const char *base = getenv("TMPDIR");
    char dir[PATH_MAX - 32], out[PATH_MAX];
    snprintf(dir, sizeof dir, "%s/vellumcl.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(dir)) {
        char why[128];
        vcl_append(log, why, (size_t)snprintf(why, sizeof why, "no temporary folder: %s\n", strerror(errno)));
        return -1;
    }
    snprintf(out, sizeof out, "%s/%s", dir, job->object ? "out.bc" : "out.elf");
    char **argv = command_line(dir, vcl_get_settings()->command, job, options, out);
    int status = argv ? -1 : VCL_NO_MEMORY;
    if (argv && write_inputs(dir, job)) {
        status = run(argv, log);
        shorten(log, dir);
        errno = 0;
        if (!status && !(*image = read_file(out, image_bytes)))
            status = errno == ENOMEM ? VCL_NO_MEMORY : -1;
    }
    free(argv);
    nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return status;
}

int vcl_compile(const vcl_job *job, char *const *options, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    vcl_text key = {0};
    const bool keyed = vcl_cache_key(&key, job, options);
    int status = 0;
    if (!keyed || !vcl_cache_get(&key, log, image, image_bytes)) {
        status = compile(job, options, log, image, image_bytes);
        if (keyed && !status)
            vcl_cache_put(&key, log, *image, *image_bytes);
    }
    free(key.text);
    return status;
}
