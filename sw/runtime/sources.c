/* Whether a machine's library is up to date. `make` decides it, but takes half a second before every run. So its result is kept beside the library, with
 * names, sizes and times of all files that it depends on. */
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sw/runtime/internal.h"

/* FNV-1a. */
static uint64_t mix(uint64_t h, const void *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001b3ull;
    return h;
}

static uint64_t of_file(const char *name, const struct stat *s)
{
    const int64_t facts[] = {s->st_size, s->st_mtim.tv_sec, s->st_mtim.tv_nsec};
    return mix(mix(0xcbf29ce484222325ull, name, strlen(name)), facts, sizeof facts);
}

/* A hash of the sources of a machine, with the makefiles. The order of files does not count. 0: they cannot be read. */
uint64_t vl_sources_key(const char *root)
{
    static const char *const parts[] = {"Makefile",         "mk",         "rtl", "sim_c", "scripts/gen",
                                        "scripts/verilate", "docs/blocks"};
    enum { PARTS = sizeof parts / sizeof *parts };
    char path[PARTS][PATH_MAX], *list[PARTS + 1] = {NULL};
    const size_t length = strlen(root);
    uint64_t key = 1;
    for (size_t i = 0; i < PARTS; i++) {
        if ((size_t)snprintf(path[i], sizeof path[i], "%s/%s", root, parts[i]) >= sizeof path[i])
            return 0;
        list[i] = path[i];
    }
    FTS *walk = fts_open(list, FTS_LOGICAL | FTS_NOCHDIR, NULL); /* a tree of a configuration's own is one of links */
    for (FTSENT *f; walk && (f = fts_read(walk));) {
        if (f->fts_level && (f->fts_name[0] == '.' || !strcmp(f->fts_name, "__pycache__")))
            (void)fts_set(walk, f, FTS_SKIP);
        else if (f->fts_info == FTS_F)
            key += of_file(f->fts_path + length, f->fts_statp);
        else if (f->fts_info != FTS_D && f->fts_info != FTS_DP)
            key = 0;
        if (!key)
            break;
    }
    if (walk)
        fts_close(walk);
    return walk ? key : 0;
}

static bool note_of(char *text, size_t size, const char *library, uint64_t key)
{
    struct stat s;
    if (!key || stat(library, &s))
        return false;
    snprintf(text, size, "%016llx\n", (unsigned long long)(key ^ of_file("", &s)));
    return true;
}

bool vl_sources_same(const char *library, uint64_t key)
{
    char path[PATH_MAX], want[32], text[32] = "";
    if (!note_of(want, sizeof want, library, key)
        || (size_t)snprintf(path, sizeof path, "%s.sources", library) >= sizeof path)
        return false;
    FILE *f = fopen(path, "re");
    const bool same = f && fgets(text, sizeof text, f) && !strcmp(text, want);
    if (f)
        fclose(f);
    return same;
}

void vl_sources_note(const char *library, uint64_t key)
{
    char path[PATH_MAX], text[32];
    if (!note_of(text, sizeof text, library, key)
        || (size_t)snprintf(path, sizeof path, "%s.sources", library) >= sizeof path)
        return;
    FILE *f = fopen(path, "we"); /* under the configuration's lock; a tree that cannot be written asks make each time */
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}
