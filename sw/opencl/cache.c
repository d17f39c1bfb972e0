/* Builds that were done before: in this process's memory, and in files that all processes of the user share. An entry is whole or not there: it is written under
 * another name first, and has its key, sizes and a checksum. Whatever goes wrong, the program is compiled. */
#include "sw/opencl/vcl.h"
#include "sw/runtime/words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An entry: this, then key, log and image. */
typedef struct head {
    uint64_t magic, sum; /* of all behind it */
    uint64_t key, log, image; /* bytes */
} head;

enum { REMEMBERED = 32 << 20 }; /* bytes of entries in memory */

typedef struct memory {
    struct memory *next;
    size_t bytes;
    unsigned char entry[];
} memory;

static memory *remembered; /* the latest first; with the lock */

static uint64_t mix(uint64_t h, const void *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3ull;
    return h;
}

enum { START = 0x811c9dc5 };
static const uint64_t magic = 0x31304343434c4356; /* VCLCCC01 */

/* The entry's parts, if it is whole and of this key. */
static bool is_entry(const unsigned char *entry, size_t bytes, const vcl_text *key)
{
    head h;
    if (bytes < sizeof h)
        return false;
    memcpy(&h, entry, sizeof h);
    const size_t rest = bytes - sizeof h;
    return h.magic == magic && h.key == key->n && h.key <= rest && h.log <= rest - h.key
           && h.image == rest - h.key - h.log && h.image && !memcmp(entry + sizeof h, key->text, key->n)
           && h.sum == mix(START, entry + sizeof h, rest);
}

static bool take(const unsigned char *entry, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    head h;
    memcpy(&h, entry, sizeof h);
    const unsigned char *text = entry + sizeof h + h.key;
    if (!(*image = malloc(h.image)))
        return false;
    if (h.log && !vcl_append(log, (const char *)text, h.log)) {
        free(*image);
        *image = NULL;
        return false;
    }
    memcpy(*image, text + h.log, h.image);
    *image_bytes = h.image;
    return true;
}

/* ---- in memory ---- */

static bool recall(const vcl_text *key, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    bool found = false;
    vcl_lock();
    for (const memory *m = remembered; m && !found; m = m->next) {
        head h;
        memcpy(&h, m->entry, sizeof h);
        if (h.key == key->n && !memcmp(m->entry + sizeof h, key->text, key->n))
            found = take(m->entry, log, image, image_bytes);
    }
    vcl_unlock();
    return found;
}

static void remember(const unsigned char *entry, size_t bytes)
{
    memory *m = bytes <= REMEMBERED ? malloc(sizeof *m + bytes) : NULL, *gone = NULL;
    if (!m)
        return;
    m->bytes = bytes;
    memcpy(m->entry, entry, bytes);
    vcl_lock();
    m->next = remembered;
    remembered = m;
    size_t sum = 0;
    for (memory **p = &remembered; *p; p = &(*p)->next)
        if ((sum += (*p)->bytes) > REMEMBERED) {
            gone = *p;
            *p = NULL;
            break;
        }
    vcl_unlock();
    while (gone) {
        memory *next = gone->next;
        free(gone);
        gone = next;
    }
}

void vcl_cache_forget(void)
{
    while (remembered) {
        memory *next = remembered->next;
        free(remembered);
        remembered = next;
    }
}

/* ---- in files ---- */

/* The folder, with a slash at its end; it is made. */
static bool folder_of(char path[PATH_MAX])
{
    const char *cache = vl_env("XDG_CACHE_HOME"), *home = vl_env("HOME");
    const bool own = cache && *cache == '/';
    if ((!own && !home)
        || snprintf(path, PATH_MAX - 64, "%s%s/vellum/builds/", own ? cache : home, own ? "" : "/.cache")
               >= PATH_MAX - 64)
        return false;
    for (char *p = path; (p = strchr(p + 1, '/'));) {
        *p = 0;
        (void)mkdir(path, 0700);
        *p = '/';
    }
    return true;
}

static void path_of(char path[PATH_MAX], const char *dir, const vcl_text *key)
{
    snprintf(path, PATH_MAX, "%s%016llx%016llx", dir, (unsigned long long)mix(START, key->text, key->n),
             (unsigned long long)mix(magic, key->text, key->n));
}

static bool read_entry(const char *dir, const vcl_text *key, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    char path[PATH_MAX];
    struct stat s;
    path_of(path, dir, key);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    unsigned char *entry = NULL;
    bool found = false;
    if (!fstat(fd, &s) && S_ISREG(s.st_mode) && (entry = malloc((size_t)s.st_size + 1))) {
        const ssize_t n = read(fd, entry, (size_t)s.st_size);
        found = n == s.st_size && is_entry(entry, (size_t)n, key) && take(entry, log, image, image_bytes);
        if (found)
            (void)futimens(fd, NULL); /* it was used now */
        if (found)
            remember(entry, (size_t)n);
    }
    free(entry);
    close(fd);
    return found;
}

typedef struct file {
    char name[NAME_MAX + 1];
    off_t bytes;
    struct timespec used;
} file;

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const file *)a)->used, *y = &((const file *)b)->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Above the limit, the least recently used files go. Another process may do the same: then its files are gone already. */
static void limit(const char *dir)
{
    DIR *d = opendir(dir);
    file *list = NULL;
    size_t n = 0, room = 0;
    uint64_t sum = 0;
    struct stat s;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode))
            continue;
        file *more = n < room ? list : realloc(list, (room = 2 * room + 64) * sizeof *list);
        if (!more)
            break;
        list = more;
        snprintf(list[n].name, sizeof list[n].name, "%s", e->d_name);
        list[n].bytes = s.st_size;
        list[n++].used = s.st_mtim;
        sum += (uint64_t)s.st_size;
    }
    if (list)
        qsort(list, n, sizeof *list, by_use);
    for (size_t i = 0; sum > vcl_get_settings()->build_cache; i++) {
        (void)unlinkat(dirfd(d), list[i].name, 0);
        sum -= (uint64_t)list[i].bytes;
    }
    free(list);
    if (d)
        closedir(d);
}

static void write_entry(const char *dir, const vcl_text *key, const unsigned char *entry, size_t bytes)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    path_of(path, dir, key);
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", dir);
    const int fd = bytes <= vcl_get_settings()->build_cache ? mkostemp(temporary, O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    const bool written = write(fd, entry, bytes) == (ssize_t)bytes;
    if (close(fd) || !written || rename(temporary, path))
        (void)unlink(temporary);
    else
        limit(dir);
}

/* ---- both ---- */

bool vcl_cache_get(const vcl_text *key, vcl_text *log, unsigned char **image, size_t *image_bytes)
{
    char dir[PATH_MAX];
    return recall(key, log, image, image_bytes) || (folder_of(dir) && read_entry(dir, key, log, image, image_bytes));
}

void vcl_cache_put(const vcl_text *key, const vcl_text *log, const unsigned char *image, size_t image_bytes)
{
    char dir[PATH_MAX];
    const head sizes = {.magic = magic, .key = key->n, .log = log->n, .image = image_bytes};
    vcl_text entry = {0};
    if (vcl_append(&entry, (const char *)&sizes, sizeof sizes) && vcl_append(&entry, key->text, key->n)
        && vcl_append(&entry, log->text, log->n) && vcl_append(&entry, (const char *)image, image_bytes)) {
        head *h = (head *)entry.text;
        h->sum = mix(START, h + 1, entry.n - sizeof *h);
        remember((unsigned char *)entry.text, entry.n);
        if (folder_of(dir))
            write_entry(dir, key, (unsigned char *)entry.text, entry.n);
    }
    free(entry.text);
}
