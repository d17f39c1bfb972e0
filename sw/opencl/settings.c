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
static vcl_once reading = VCL_ONCE;

static int no_memory(vl_error *err)
{
    return vl_fail(err, VL_ENOMEM, "no memory to read the environment");
}

/* A copy, since the program may change its environment. */
static int setting(const char **copy, const char *name, const char *otherwise, vl_error *err)
{
    const char *value = vl_env(name);
    if (!*copy)
        *copy = value ? strdup(value) : otherwise;
    return value && !*copy ? no_memory(err) : 0;
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
    const int e = setting(path, name, NULL, err);
    if (e || !*path || !strcmp(*path, "-"))
        return e;
    char *folder = strdup(*path);
    if (!folder)
        return no_memory(err);
    struct stat s;
    const bool there = !stat(*path, &s);
    errno = there && S_ISDIR(s.st_mode) ? EISDIR : 0;
    if (!errno)
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

static int read_texts(vl_error *err)
{
    const char *policies = vl_env("VELLUM_SET");
    int e = setting(&settings.config, "VELLUM_CONFIG", "opencl", err);
    e = e ? e : setting(&settings.backend, "VELLUM_BACKEND", "model", err);
    e = e ? e : setting(&settings.memory, "VELLUM_MEMORY", "bare", err);
    if (!e && !settings.policies && !(settings.policies = split_policies(policies ? policies : "")))
        e = no_memory(err);
    return e;
}

/* The first that is wrong is the one that is reported. */
static int read_values(vl_error *err)
{
    settings.report_every = 10;
    int e = file_setting("VELLUM_LOG", &settings.log, err);
    e = e ? e : file_setting("VELLUM_STATS", &settings.stats, err);
    e = e ? e : file_setting("VELLUM_REPORT", &settings.report, err);
    e = e ? e : vl_env_switch("VELLUM_BACK_DOOR", &settings.back_door, err);
    e = e ? e : vl_env_switch("VELLUM_COLD", &settings.cold, err);
    e = e ? e : vl_env_switch("VELLUM_CHECK_BUFFERS", &settings.checks, err);
    e = e ? e : build_cache_setting(err);
    e = e ? e : vl_env_seconds("VELLUM_REPORT_EVERY", &settings.report_every, err);
    return e ? e : vl_env_u64("VELLUM_MAX_CYCLES", UINT64_MAX, &settings.max_cycles, err);
}

static int read_root(vl_error *err)
{
    Dl_info here;
    errno = 0;
    if (!settings.root && !vl_env("VELLUM_ROOT") && dladdr(&settings, &here) && here.dli_fname)
        settings.root = vl_root_above(here.dli_fname);
    if (!settings.root && errno != ENOMEM)
        settings.root = vl_find_root(NULL, err);
    if (!settings.root)
        return errno == ENOMEM ? no_memory(err) : VL_ECONFIG;
    if (!settings.command && asprintf(&settings.command, "%s/build/vellum", settings.root) < 0) {
        settings.command = NULL;
        return no_memory(err);
    }
    return 0;
}

/* False: there was no memory for some. The next call reads those that are missing. */
static bool read_settings(void)
{
    vl_error wrong = {0};
    int e = read_texts(&wrong);
    e = e ? e : read_values(&wrong);
    e = e ? e : read_root(&wrong);
    if (e && e != VL_ENOMEM && !settings.wrong && !(settings.wrong = strdup(wrong.text)))
        e = VL_ENOMEM;
    return e != VL_ENOMEM;
}

const vcl_settings *vcl_get_settings(void)
{
    static const vcl_settings lacking = {.config = "opencl", .backend = "model", .memory = "bare", .lacking = true};
    return vcl_read_once(&reading, read_settings) ? &settings : &lacking;
}
