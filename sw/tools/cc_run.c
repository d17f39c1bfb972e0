/* Strings, files and child processes of `vellum cc`. */
#include "sw/tools/cc_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char *cc_format(const char *format, ...)
{
    va_list list;
    char *text = NULL;
    va_start(list, format);
    int n = vasprintf(&text, format, list);
    va_end(list);
    if (n < 0) {
        fputs("vellum cc: out of memory\n", stderr);
        exit(CC_FAILED);
    }
    return text;
}

void cc_push(cc_strings_t *s, const char *item)
{
    s->items = cc_grow(s->items, s->n, sizeof *s->items);
    s->items[s->n++] = cc_format("%s", item);
}

char *cc_read_file(const char *path, size_t *bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    size_t n = 0, room = 1 << 16;
    char *text = cc_alloc(room + 1);
    for (;;) {
        if (n == room) {
            char *more = cc_alloc(2 * room + 1);
            memcpy(more, text, n);
            free(text);
            text = more;
            room *= 2;
        }
        ssize_t r = read(fd, text + n, room - n);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0) {
            int e = errno;
            free(text);
            close(fd);
            errno = e;
            return NULL;
        }
        if (r == 0)
            break;
        n += (size_t)r;
    }
    close(fd);
    text[n] = 0;
    if (bytes)
        *bytes = n;
    return text;
}

bool cc_write_file(const char *path, const char *text, size_t bytes)
{
    FILE *f = fopen(path, "wbe");
    if (!f)
        return false;
    bool ok = fwrite(text, 1, bytes, f) == bytes;
    return fclose(f) == 0 && ok;
}

int cc_error(int status, const char *format, ...)
{
    va_list list;
    fputs("vellum cc: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

void cc_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: waiting ends, and we clean up */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

int cc_caught_signal(void)
{
    return caught;
}

static bool full; /* a disk, as a program's messages say */

bool cc_disk_is_full(void)
{
    return full;
}

/* Shows messages of a program that has ended. Instead of its messages about a full disk, and the stack dumps behind them, one line says which file had no room. */
static void show_messages(const cc_strings_t *arguments, const char *out, int fd, pid_t pid)
{
    char *text = NULL, part[4096];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    for (ssize_t k; f && (k = read(fd, part, sizeof part));)
        if (k > 0)
            fwrite(part, 1, (size_t)k, f);
        else if (errno != EINTR || caught)
            break;
    if (caught)
        kill(pid, SIGTERM);
    if (!f || fclose(f))
        return;
    full = strstr(text, strerror(ENOSPC)) != NULL;
    for (size_t i = 0; i + 1 < arguments->n; i++)
        if (!strcmp(arguments->items[i], "-o"))
            out = arguments->items[i + 1];
    if (full)
        cc_error(CC_FAILED, "cannot write %s: no space left on device", out ? out : arguments->items[0]);
    else
        fwrite(text, 1, n, stderr);
    free(text);
}

/* `out`, `messages`: files for standard output and error, or NULL. */
static int run(const cc_strings_t *arguments, const char *out, const char *messages)
{
    if (caught)
        return 128 + caught;
    const bool colours = !messages && isatty(2) && strstr(arguments->items[0], "clang");
    char **argv = cc_alloc((arguments->n + 2) * sizeof *argv);
    memcpy(argv, arguments->items, arguments->n * sizeof *argv);
    if (colours) /* a pipe is no terminal */
        argv[arguments->n] = "-fcolor-diagnostics";

    int ends[2] = {-1, -1};
    if (!messages && pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (out)
        posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (messages)
        posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    pid_t pid;
    int e = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(argv);
    if (!messages)
        close(ends[1]);
    if (!e && !messages)
        show_messages(arguments, out, ends[0], pid);
    if (!messages)
        close(ends[0]);
    if (e) {
        errno = e;
        return -1;
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno == EINTR && caught)
            kill(pid, SIGTERM);
    if (caught)
        return 128 + caught;
    if (full)
        return CC_FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_run(const cc_strings_t *arguments, const char *out)
{
    return run(arguments, out, NULL);
}

int cc_run_quietly(const cc_strings_t *arguments)
{
    return run(arguments, "/dev/null", "/dev/null");
}

int cc_run_messages(const cc_strings_t *arguments, const char *path)
{
    return cc_write_file(path, "", 0) ? run(arguments, "/dev/null", path) : -1;
}

/* Exit status of a compiler run: messages have been shown; anything but 0 is a kernel that does not compile. */
int cc_run_step(const cc_strings_t *c, const char *out)
{
    int status = cc_run(c, out);
    if (status < 0)
        return cc_error(CC_USAGE, "cannot run %s: %s", c->items[0], strerror(errno));
    if (status > 128 && !cc_caught_signal())
        return cc_error(CC_FAILED, "%s died of signal %d", c->items[0], status - 128);
    return status > 128 ? status : status ? CC_FAILED : CC_OK;
}

cc_strings_t cc_command(const char *program)
{
    cc_strings_t s = {0};
    cc_push(&s, program);
    return s;
}

void cc_push_all(cc_strings_t *s, const char *const *items)
{
    for (; *items; items++)
        cc_push(s, *items);
}

void cc_remove_dir(const char *path)
{
    DIR *d = opendir(path);
    if (d) {
        for (struct dirent *e; (e = readdir(d));)
            if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
                unlinkat(dirfd(d), e->d_name, 0);
        closedir(d);
    }
    rmdir(path);
}
