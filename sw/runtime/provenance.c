/* Where a result comes from: version, sources, configuration, policies, compiler, host. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "sw/runtime/internal.h"

const char *vl_version(void)
{
    return VL_VERSION;
}

int vl_commit(char *text, size_t n)
{
    char path[4096], line[64] = "";
    char *root = vl_find_root(NULL, NULL);
    if (root && (size_t)snprintf(path, sizeof path, "%s/build/commit", root) < sizeof path) {
        FILE *f = fopen(path, "re");
        if (f && !fgets(line, sizeof line, f))
            *line = 0;
        if (f)
            fclose(f);
    }
    free(root);
    line[strcspn(line, "\n")] = 0;
    snprintf(text, n, "%s", *line ? line : "unknown");
    return *line ? 0 : VL_ENOENT;
}

void vl_host_name(char *text, size_t n)
{
    struct utsname u = {0};
    char line[256] = "", processor[200] = "processor unknown";
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %199[^\n]", processor) == 1)
            break;
    if (f)
        fclose(f);
    uname(&u);
    snprintf(text, n, "%s %s %s, %s", u.sysname, u.release, u.machine, processor);
}

const char *vl_compiler(void)
{
    return "clang " __clang_version__;
}

static json_t *fields_of(const vl_config *c)
{
    json_t *all = json_object();
    for (size_t i = 0; i < c->n; i++)
        json_object_set_new(all, c->values[i].key,
                            *c->values[i].word ? json_string(c->values[i].word)
                                               : json_integer((json_int_t)c->values[i].value));
    return all;
}

static json_t *policies_of(const vl_device *d)
{
    json_t *all = json_object();
    char value[32];
    for (size_t p = 0; p < VL_N_POLICIES; p++) {
        vl_policy_now(d, p, value, sizeof value);
        json_object_set_new(all, vl_policy_name(p), json_string(value));
    }
    return all;
}

char *vl_provenance(const vl_device *d)
{
    char commit[64], host[512], memory[160];
    (void)vl_commit(commit, sizeof commit);
    vl_host_name(host, sizeof host);
    vl_memory_words(&d->memory.options, memory, sizeof memory);
    json_t *doc =
        json_pack("{s:s,s:s,s:s,s:s,s:s,s:o,s:o}", "version", VL_VERSION, "commit", commit, "compiler", vl_compiler(),
                  "host", host, "memory", memory, "fields", fields_of(&d->config), "policies", policies_of(d));
    char *text = doc ? json_dumps(doc, JSON_COMPACT) : NULL;
    json_decref(doc);
    return text;
}
