/* The environment that chooses the machine (docs/opencl.md), read once; and where the source tree is: the library lies in its build folder. */
#include "sw/opencl/vcl.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static vcl_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    char *copy = value && *value ? strdup(value) : NULL; /* the program may change its environment */
    return copy ? copy : otherwise;
}

/* The nearest folder above the library that has configurations. */
static char *find_root(void)
{
    const char *set = getenv("VELLUM_ROOT");
    if (set && *set)
        return strdup(set);
    Dl_info here;
    char path[PATH_MAX], probe[PATH_MAX + 32];
    if (!dladdr(&settings, &here) || !here.dli_fname || !realpath(here.dli_fname, path))
        return NULL;
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        snprintf(probe, sizeof probe, "%s/rtl/config/schema.toml", path);
        if (!access(probe, R_OK))
            return strdup(path);
        snprintf(probe, sizeof probe, "%s/lib/vellum/src/rtl/config/schema.toml", path);
        if (!access(probe, R_OK)) {
            char *installed = NULL;
            return asprintf(&installed, "%s/lib/vellum/src", path) < 0 ? NULL : installed;
        }
    }
    return NULL;
}

/* Words NAME=VALUE, separated by commas or blanks, in one allocation. */
static char **split_policies(const char *text)
{
    const size_t length = strlen(text), most = length / 2 + 2;
    char **words = calloc(1, most * sizeof *words + length + 1), *save = NULL;
    if (!words)
        return NULL;
    char *copy = strcpy((char *)(words + most), text);
    size_t n = 0;
    for (char *w = strtok_r(copy, ", \t\n", &save); w; w = strtok_r(NULL, ", \t\n", &save))
        words[n++] = w;
    return words;
}

static void read_settings(void)
{
    settings.config = setting("VELLUM_CONFIG", "opencl");
    settings.backend = setting("VELLUM_BACKEND", "model");
    settings.memory = setting("VELLUM_MEMORY", "bare");
    settings.stats = setting("VELLUM_STATS", NULL);
    settings.log = setting("VELLUM_LOG", NULL);
    settings.report = setting("VELLUM_REPORT", NULL);
    const char *set = getenv("VELLUM_SET"), *back_door = getenv("VELLUM_BACK_DOOR"), *cold = getenv("VELLUM_COLD"),
               *every = getenv("VELLUM_REPORT_EVERY"), *checks = getenv("VELLUM_CHECK_BUFFERS"),
               *most = getenv("VELLUM_MAX_CYCLES");
    settings.policies = split_policies(set ? set : "");
    settings.back_door = back_door && *back_door && strcmp(back_door, "0");
    settings.report_every = every && *every ? strtod(every, NULL) : 10;
    settings.cold = cold && *cold && strcmp(cold, "0");
    settings.checks = checks && *checks && strcmp(checks, "0");
    settings.max_cycles = most ? strtoull(most, NULL, 10) : 0;
    settings.root = find_root();
    if (settings.root && asprintf(&settings.command, "%s/build/vellum", settings.root) < 0)
        settings.command = NULL;
}

const vcl_settings *vcl_get_settings(void)
{
    pthread_once(&once, read_settings);
    return &settings;
}
