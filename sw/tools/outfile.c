#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/tools/tool.h"

static bool fail(out_file *f, const char *path, char *why, size_t n)
{
    snprintf(why, n, "%s: %s", path, strerror(errno));
    out_drop(f);
    return false;
}

bool out_open(out_file *f, const char *path, char *why, size_t n)
{
    struct stat st;
    *f = (out_file){.fd = -1};
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode)) {
            errno = EISDIR;
            return fail(f, path, why, n);
        }
        f->path = strdup(path);
        f->fd = f->path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
        return f->fd >= 0 || fail(f, path, why, n);
    }
  /* Through a symbolic link: its target is replaced, not the link. */
    f->path = realpath(path, NULL);
    if (!f->path)
        f->path = strdup(path);
    if (!f->path || asprintf(&f->temp, "%s.XXXXXX", f->path) < 0) {
        f->temp = NULL;
        errno = ENOMEM;
        return fail(f, path, why, n);
    }
    f->fd = mkostemp(f->temp, O_CLOEXEC);
    if (f->fd < 0) {
        free(f->temp); /* nothing there to remove */
        f->temp = NULL;
        return fail(f, path, why, n);
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(f->fd, 0666 & ~mask);
    return true;
}

bool out_write(out_file *f, const void *data, size_t bytes, char *why, size_t n)
{
    const char *p = data;
    while (bytes) {
        ssize_t k = write(f->fd, p, bytes);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0) {
            snprintf(why, n, "%s: %s", f->path, strerror(errno));
            return false;
        }
        p += k;
        bytes -= (size_t)k;
    }
    return true;
}

int out_room(const out_file *f)
{
    struct stat st;
    return fstat(f->fd, &st) ? errno : posix_fallocate(f->fd, st.st_size, 1 << 16);
}

bool out_commit(out_file *f, char *why, size_t n)
{
    bool ok = close(f->fd) == 0;
    f->fd = -1;
    if (ok && f->temp)
        ok = rename(f->temp, f->path) == 0;
    if (!ok)
        return fail(f, f->path, why, n);
    free(f->temp);
    free(f->path);
    *f = (out_file){.fd = -1};
    return true;
}

void out_drop(out_file *f)
{
    if (f->fd > 0)
        close(f->fd);
    if (f->temp)
        unlink(f->temp);
    free(f->temp);
    free(f->path);
    *f = (out_file){.fd = -1};
}
