/* The environment that chooses the machine (docs/opencl.md), read once; and where the source tree is: the library lies in its build folder. */
#include "sw/opencl/vcl.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static vcl_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = vl_env(name);
    char *copy = value ? strdup(value) : NULL; /* the program may change its environment */
    return copy ? copy : otherwise;
}

/* Words NAME=VALUE, separated by commas or blanks, in one allocation. A comma with nothing before or behind it leaves an empty word, which no policy is. */
static char **split_policies(const char *text)
{
    static const char blanks[] = " \t\n";
    const size_t length = strlen(text), most = length + 2;
    char **words = calloc(1, most * sizeof *words + length + 1);
    if (!words)
        return NULL;
    char *at = strcpy((char *)(words + most), text);
    size_t n = 0;
    bool comma = false;
    for (at += strspn(at, blanks); *at || comma; at += strspn(at, blanks)) {
        words[n++] = at;
        at += strcspn(at, ", \t\n");
        char *end = at;
        at += strspn(at, blanks);
        comma = *at == ',';
        at += comma;
        *end = 0;
    }
    return words;
}

/* A file that something will be written to; "-" is standard error. */
static int file_setting(const char *name, const char **path, vl_error *err)
{
    *path = setting(name, NULL);
    if (!*path || !strcmp(*path, "-"))
        return 0;
    char *folder = strdup(*path);
    struct stat s;
    const bool there = !stat(*path, &s);
    errno = there && S_ISDIR(s.st_mode) ? EISDIR : 0;
    if (folder && !errno)
        (void)access(there ? *path : dirname(folder), W_OK);
    free(folder);
    return errno ? vl_fail(err, VL_EIO, "%s=%.900s: cannot write to it: %s", name, *path, strerror(errno)) : 0;
}

/* yes, no, or the most bytes. */
static int build_cache_setting(vl_error *err)
{
    const char *name = "VELLUM_BUILD_CACHE", *value = vl_env(name);
    bool on = true;
    settings.build_cache = 256 << 20;
    if (value && !vl_parse_switch(value, &on) && !vl_parse_size(value, INT64_MAX, &settings.build_cache))
        return vl_fail(err, VL_EINVAL,
                       "%s=%.80s: yes, no, or a number of bytes, such as 512m (k, m, g: 2^10, 2^20, 2^30)", name,
                       value);
    settings.build_cache *= on;
    return 0;
}

/* The first that is wrong is the one that is reported. */
static void read_values(vl_error *err)
{
    if (file_setting("VELLUM_LOG", &settings.log, err) || file_setting("VELLUM_STATS", &settings.stats, err)
        || file_setting("VELLUM_REPORT", &settings.report, err)
        || vl_env_switch("VELLUM_BACK_DOOR", &settings.back_door, err)
        || vl_env_switch("VELLUM_COLD", &settings.cold, err)
        || vl_env_switch("VELLUM_CHECK_BUFFERS", &settings.checks, err) || build_cache_setting(err)
        || vl_env_seconds("VELLUM_REPORT_EVERY", &settings.report_every, err)
        || vl_env_u64("VELLUM_MAX_CYCLES", UINT64_MAX, &settings.max_cycles, err))
        settings.wrong = strdup(err->text);
}

static void read_settings(void)
{
    vl_error err = {0};
    Dl_info here;
    settings.config = setting("VELLUM_CONFIG", "opencl");
    settings.backend = setting("VELLUM_BACKEND", "model");
    settings.memory = setting("VELLUM_MEMORY", "bare");
    settings.policies = split_policies(setting("VELLUM_SET", ""));
    settings.report_every = 10;
    read_values(&err);
    if (!vl_env("VELLUM_ROOT") && dladdr(&settings, &here) && here.dli_fname)
        settings.root = vl_root_above(here.dli_fname);
    if (!settings.root && !(settings.root = vl_find_root(NULL, &err)) && !settings.wrong)
        settings.wrong = strdup(err.text);
    if (settings.root && asprintf(&settings.command, "%s/build/vellum", settings.root) < 0)
        settings.command = NULL;
}

const vcl_settings *vcl_get_settings(void)
{
    pthread_once(&once, read_settings);
    return &settings;
}
