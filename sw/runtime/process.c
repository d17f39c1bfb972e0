#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

extern char **environ;

/* A make that runs us must not steer the make that we run. */
static char **clean_environment(void)
{
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **env = malloc((n + 1) * sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "MAKE", 4) && strncmp(environ[i], "MFLAGS=", 7))
            env[k++] = environ[i];
    env[k] = NULL;
    return env;
}

/* Keeps the last `size` - 1 bytes of a stream. */
static void keep_tail(char *tail, size_t size, size_t *used, const char *data, size_t n)
{
    if (n >= size - 1) {
        data += n - (size - 1);
        n = size - 1;
        *used = 0;
    }
    if (*used + n > size - 1) {
        size_t drop = *used + n - (size - 1);
        memmove(tail, tail + drop, *used - drop);
        *used -= drop;
    }
    memcpy(tail + *used, data, n);
    *used += n;
    tail[*used] = 0;
}

/* Hands on the lines of a stream that begin with `word`, as they come. */
static void hand_on(const vl_listener *l, char *line, size_t size, size_t *used, const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (data[i] != '\n') {
            if (*used + 1 < size)
                line[(*used)++] = data[i];
            continue;
        }
        line[*used] = 0;
        *used = 0;
        if (!strncmp(line, l->word, strlen(l->word)))
            l->line(l->user, line);
    }
}

int vl_command(char *const argv[], char *out, size_t out_size, char *tail, size_t tail_size, const vl_listener *hears)
{
    char line[256];
    size_t n_line = 0;
    int o[2], e[2], status, r = 0;
    pid_t pid;
    char **env = clean_environment();
    out[0] = tail[0] = 0;
    if (!env)
        return VL_ENOMEM;
    if (pipe2(o, O_CLOEXEC)) {
        free(env);
        return VL_EIO;
    }
    if (pipe2(e, O_CLOEXEC)) {
        close(o[0]);
        close(o[1]);
        free(env);
        return VL_EIO;
    }
    posix_spawn_file_actions_t act;
    posix_spawn_file_actions_init(&act);
    posix_spawn_file_actions_addopen(&act, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&act, o[1], 1);
    posix_spawn_file_actions_adddup2(&act, e[1], 2);
    int failed = posix_spawnp(&pid, argv[0], &act, NULL, argv, env);
    posix_spawn_file_actions_destroy(&act);
    free(env);
    close(o[1]);
    close(e[1]);
    if (failed) {
        snprintf(tail, tail_size, "%s: %s", argv[0], strerror(failed));
        r = VL_EIO;
    } else {
        struct pollfd p[2] = {{o[0], POLLIN, 0}, {e[0], POLLIN, 0}};
        size_t n_out = 0, n_tail = 0;
        while (p[0].fd >= 0 || p[1].fd >= 0) {
            if (poll(p, 2, -1) < 0 && errno != EINTR)
                break;
            for (int i = 0; i < 2; i++) {
                if (p[i].fd < 0 || !p[i].revents)
                    continue;
                char buf[4096];
                ssize_t n = read(p[i].fd, buf, sizeof buf);
                if (n < 0 && errno == EINTR)
                    continue;
                if (n <= 0) {
                    p[i].fd = -1;
                } else if (i) {
                    keep_tail(tail, tail_size, &n_tail, buf, (size_t)n);
                    if (hears)
                        hand_on(hears, line, sizeof line, &n_line, buf, (size_t)n);
                } else {
                    size_t fit = out_size - 1 - n_out < (size_t)n ? out_size - 1 - n_out : (size_t)n;
                    memcpy(out + n_out, buf, fit);
                    n_out += fit;
                    out[n_out] = 0;
                }
            }
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        r = WIFEXITED(status) ? WEXITSTATUS(status) : VL_EIO;
    }
    close(o[0]);
    close(e[0]);
    for (size_t n = strlen(tail); n && tail[n - 1] == '\n';)
        tail[--n] = 0;
    return r;
}

/* Also of an installed tree (docs/install.md). */
static bool is_root(const char *dir)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/rtl/config/schema.toml", dir) < sizeof path && !access(path, R_OK);
}

char *vl_root_above(const char *file)
{
    char dir[PATH_MAX], installed[PATH_MAX + 32];
    if (!realpath(file, dir))
        return NULL;
    for (char *cut; (cut = strrchr(dir, '/'));) {
        *cut = 0;
        if (is_root(*dir ? dir : "/"))
            return strdup(*dir ? dir : "/");
        snprintf(installed, sizeof installed, "%s/lib/vellum/src", dir);
        if (is_root(installed))
            return strdup(installed);
    }
    return NULL;
}

static const char found_by; /* something of this library: where it lies */

/* Where `make install` has put the tree, for programs that have the library in them. */
#ifndef VL_INSTALLED
#define VL_INSTALLED "/usr/local/lib/vellum/src"
#endif

char *vl_find_root(const char *given, vl_error *err)
{
    const char *env = vl_env("VELLUM_ROOT");
    char *found = NULL;
    Dl_info here;
    if (given || env) {
        if (!is_root(given ? given : env))
            vl_fail(err, VL_ECONFIG, "%s%.200s: there is no Vellum source tree",
                    given ? "" : "VELLUM_ROOT=", given ? given : env);
        else if (!(found = strdup(given ? given : env)))
            vl_fail(err, VL_ENOMEM, "out of memory");
        return found;
    }
    found = vl_root_above("/proc/self/exe");
    if (!found && dladdr(&found_by, &here) && here.dli_fname)
        found = vl_root_above(here.dli_fname);
    if (!found && is_root(VL_INSTALLED))
        found = strdup(VL_INSTALLED);
    if (!found)
        vl_fail(err, VL_ECONFIG, "the Vellum source tree was not found (set VELLUM_ROOT)");
    return found;
}
