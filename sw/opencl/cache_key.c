/* The key of a build: all that decides on the compiler's result, byte by byte. Files that an #include names are not in it, so a source with one that is not
 * a header of the call is compiled each time. */
#include "sw/opencl/vcl.h"
#include "sw/runtime/words.h"

#include <dirent.h>
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A part with its length before it, so that no two lists of parts are one key. */
static bool add(vcl_text *key, const void *bytes, size_t n)
{
    return vcl_append(key, (const char *)&n, sizeof n) && vcl_append(key, bytes, n);
}

static bool add_text(vcl_text *key, const char *text)
{
    return add(key, text, strlen(text));
}

/* Its place, size and time: it is not read. */
static bool add_file(vcl_text *key, const char *path)
{
    struct stat s;
    if (stat(path, &s) || !S_ISREG(s.st_mode))
        return true;
    const int64_t facts[] = {(int64_t)s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
    return add_text(key, path) && add(key, facts, sizeof facts);
}

static bool add_folder(vcl_text *key, const char *dir)
{
    struct dirent **list;
    char path[PATH_MAX];
    const int n = scandir(dir, &list, NULL, alphasort);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name) < sizeof path)
            ok = ok && add_file(key, path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return ok;
}

/* The driver, `vellum`, the device library where `vellum cc` may find it, and the tools of LLVM. */
static bool add_compiler(vcl_text *key, const char *command)
{
    static const char *const libraries[] = {"device", "../device", "../lib/vellum/device", "../build/device"},
                             *const tools[] = {"clang-19", "ld.lld-19", "ld.lld"};
    const char *device = vl_env("VELLUM_DEVICE"), *search = getenv("PATH");
    Dl_info here;
    char real[PATH_MAX], path[2 * PATH_MAX];
    bool ok = add_file(key, command);
    if (dladdr(&vcl_dispatch, &here) && here.dli_fname)
        ok = ok && add_file(key, here.dli_fname);
    if (device)
        ok = ok && add_folder(key, device);
    const char *folder = realpath(command, real) ? dirname(real) : NULL;
    for (size_t i = 0; folder && i < sizeof libraries / sizeof *libraries; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, libraries[i]);
        ok = ok && add_folder(key, path);
    }
    for (size_t n; search && *search; search += n + (search[n] == ':')) {
        n = strcspn(search, ":");
        for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
            if ((size_t)snprintf(path, sizeof path, "%.*s/%s", (int)n, search, tools[i]) < sizeof path)
                ok = ok && add_file(key, path);
    }
    return ok;
}

/* Whether a directive (behind its #) has the name of a header of the call, if it includes anything. A comment before its name may hide it. */
static bool directive_known(const char *p, const vcl_job *job)
{
    p += strspn(p, " \t");
    if (!strncmp(p, "import", 6) || !strncmp(p, "embed", 5) || *p == '/')
        return false;
    if (strncmp(p, "include", 7))
        return true;
    p += 7;
    p += strspn(p, " \t");
    const char *close = *p == '"' ? strchr(p + 1, '"') : *p == '<' ? strchr(p + 1, '>') : NULL;
    for (size_t i = 0; close && i < job->n_headers; i++)
        if (strlen(job->headers[i].name) == (size_t)(close - p - 1)
            && !strncmp(job->headers[i].name, p + 1, (size_t)(close - p - 1)))
            return true;
    return false;
}

/* No file but the headers of the call can be read, and nothing depends on the time. False as well if there is no memory. */
static bool self_contained(const char *text, const vcl_job *job)
{
    static const char *const never[] = {"__has_include", "__has_embed", "__DATE__", "__TIME", "??"};
    char *lines = malloc(strlen(text) + 1), *to = lines;
    if (!lines)
        return false;
    for (const char *p = text; (*to = *p); p++) /* lines that a backslash joins */
        if (*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')))
            p += 1 + (p[1] == '\r');
        else
            to++;
    bool known = true;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        known = known && !strstr(lines, never[i]);
    for (const char *p = lines; known && *p; p++)
        if (*p == '#' || (*p == '%' && p[1] == ':'))
            known = directive_known(p + 1 + (*p == '%'), job);
    free(lines);
    return known;
}

static bool add_all(vcl_text *key, const vcl_job *job, char *const *options, const vcl_settings *s)
{
    bool ok = add_text(key, "vellumcl build 1") && add_compiler(key, s->command) && add_text(key, s->config);
    ok = ok && add_text(key, job->object ? "object" : "image");
    for (size_t i = 0; ok && options[i]; i++)
        ok = add_text(key, options[i]);
    ok = ok && add(key, NULL, 0);
    for (size_t i = 0; ok && i < job->n_headers; i++)
        ok = add_text(key, job->headers[i].name) && add_text(key, job->headers[i].text);
    for (size_t i = 0; ok && i < job->n_objects; i++)
        ok = add(key, job->objects[i]->binary, job->objects[i]->binary_bytes);
    return ok && add_text(key, job->source ? job->source : "");
}

bool vcl_cache_key(vcl_text *key, const vcl_job *job, char *const *options)
{
    const vcl_settings *s = vcl_get_settings();
    bool known = s->build_cache && (!job->source || self_contained(job->source, job));
    for (size_t i = 0; known && i < job->n_headers; i++)
        known = self_contained(job->headers[i].text, job);
    for (size_t i = 0; known && options[i]; i++) /* a folder of the program may have a header of the same name */
        known = !job->n_headers || strncmp(options[i], "-I", 2);
    if (known && add_all(key, job, options, s))
        return true;
    free(key->text);
    *key = (vcl_text){0};
    return false;
}
