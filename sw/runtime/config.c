/* The configuration as numbers. Only the generator checks rtl/config; a vl_config.json that it wrote is used while it is
 * newer than its sources. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sw/runtime/internal.h"

const char *vl_cfg_name(const vl_config *c)
{
    return c->name;
}

int64_t vl_cfg_get(const vl_config *c, const char *key, int64_t missing)
{
    for (size_t i = 0; i < c->n; i++)
        if (!*c->values[i].word && !strcmp(c->values[i].key, key))
            return c->values[i].value;
    return missing;
}

const char *vl_cfg_word(const vl_config *c, const char *key)
{
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->values[i].key, key))
            return c->values[i].word;
    return "";
}

void vl_config_free(vl_config *c)
{
    free(c->values);
    *c = (vl_config){0};
}

static int from_json(vl_config *c, const json_t *doc, vl_error *err)
{
    const char *key;
    json_t *v;
    c->values = calloc(json_object_size(doc) + 1, sizeof *c->values);
    if (!c->values)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    json_object_foreach((json_t *)(uintptr_t)doc, key, v)
    {
        if ((!json_is_integer(v) && !json_is_string(v)) || !strcmp(key, "name"))
            continue;
        if ((size_t)snprintf(c->values[c->n].key, sizeof c->values[c->n].key, "%s", key) >= sizeof c->values[c->n].key)
            return vl_fail(err, VL_ECONFIG, "configuration %s: the key %s is too long", c->name, key);
        const char *word = json_string_value(v);
        if (word
            && (size_t)snprintf(c->values[c->n].word, sizeof c->values[c->n].word, "%s", word)
                   >= sizeof c->values[c->n].word)
            return vl_fail(err, VL_ECONFIG, "configuration %s: the value of %s is too long", c->name, key);
        size_t k;
        json_t *name;
        json_array_foreach(json_object_get(doc, "without_effect"), k, name) c->values[c->n].without_effect |=
            !strcmp(json_string_value(name) ? json_string_value(name) : "", key);
        c->values[c->n++].value = json_integer_value(v);
    }
    static const char *const needed[] = {"cores", "warps", "threads", "lanes", "spad_bytes", "reconv_entries"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        int64_t x = vl_cfg_get(c, needed[i], -1);
        if (x <= 0 || x > INT32_MAX)
            return vl_fail(err, VL_ECONFIG, "configuration %s: %s is missing or out of range", c->name, needed[i]);
    }
    return 0;
}

/* The clock of the cores: that of the memory chips (`tck_ps` of their timing set) by the ratio of the two. 0: unknown. */
static int64_t clock_khz(const vl_config *c, const char *root, const char *dram)
{
    char path[PATH_MAX], line[400];
    long tck_ps = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/rtl/config/dram/%s.toml", root, dram) >= sizeof path)
        return 0;
    FILE *f = fopen(path, "re");
    while (f && !tck_ps && fgets(line, sizeof line, f))
        if (sscanf(line, "tck_ps = %ld", &tck_ps) != 1)
            tck_ps = 0;
    if (f)
        fclose(f);
    const int64_t num = vl_cfg_get(c, "dram_clk_num", 1), den = vl_cfg_get(c, "dram_clk_den", 1);
    return tck_ps > 0 && num > 0 ? 1000000000 * den / (tck_ps * num) : 0;
}

static bool newer(const char *a, const char *root, const char *b)
{
    char path[PATH_MAX];
    struct stat x, y;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", root, b) >= sizeof path || stat(a, &x) || stat(path, &y))
        return false;
    return x.st_mtim.tv_sec != y.st_mtim.tv_sec ? x.st_mtim.tv_sec > y.st_mtim.tv_sec
                                                : x.st_mtim.tv_nsec > y.st_mtim.tv_nsec;
}

static int place_of_word(char **root, char **name, const char *word, vl_error *err)
{
    const size_t length = strlen(word);
    char script[PATH_MAX], made[2 * PATH_MAX], tail[1600] = "its tree cannot be made", *copy = strdup(word);
    *name = NULL;
    if (!copy)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    if (!strchr(word, '+') && (length < 5 || strcmp(word + length - 5, ".toml"))) {
        *name = copy;
        return 0;
    }
    int status = -1;
    if ((size_t)snprintf(script, sizeof script, "%s/scripts/config-tree", *root) < sizeof script) {
        char *argv[] = {"python3", script, copy, NULL};
        status = vl_command(argv, made, sizeof made, tail, sizeof tail, NULL);
    }
    free(copy);
    char *second = status ? NULL : strchr(made, '\n'), *place = NULL;
    if (second) {
        *second++ = 0;
        second[strcspn(second, "\n")] = 0;
        place = strdup(made);
        *name = strdup(second);
    }
    if (place && *name) {
        free(*root);
        *root = place;
        return 0;
    }
    free(place);
    free(*name);
    *name = NULL;
    if (status == VL_ENOMEM || second)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    if (!strncmp(tail, word, length)) /* its fields are wrong: each line begins with the word */
        return vl_fail(err, VL_ECONFIG, "%s", tail);
    return vl_fail(err, status == 2 ? VL_ENOENT : VL_ECONFIG, "configuration %.200s: %s", word, tail);
}

int vl_config_load(vl_config *c, const char *root, const char *name, vl_error *err)
{
    *c = (vl_config){0};
    if (!*name || strlen(name) >= sizeof c->name
        || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != strlen(name)
        || *name == '-')
        return vl_fail(err, VL_ENOENT, "'%.80s' is not the name of a configuration", name);
    strcpy(c->name, name);

    char made[PATH_MAX], toml[128];
    json_t *doc = NULL;
    json_error_t why = {0};
    snprintf(toml, sizeof toml, "rtl/config/%s.toml", name);
    if ((size_t)snprintf(made, sizeof made, "%s/build/cfg/%s/vl_config.json", root, name) < sizeof made
        && newer(made, root, toml) && newer(made, root, "rtl/config/schema.toml")
        && newer(made, root, "scripts/gen/config.py") && newer(made, root, "scripts/gen/dram.py")
        && newer(made, root, "scripts/gen/fields.py"))
        doc = json_load_file(made, 0, &why);
    for (const char *const *field = (const char *const[]){"dram", "host_dram", NULL}; *field && doc; field++) {
        const char *dram = json_string_value(json_object_get(doc, *field));
        snprintf(toml, sizeof toml, "rtl/config/dram/%.80s.toml", dram ? dram : "");
        if (!newer(made, root, toml)) {
            json_decref(doc);
            doc = NULL;
        }
    }
    if (!doc) {
        char script[PATH_MAX], out[16384], tail[1024];
        if ((size_t)snprintf(script, sizeof script, "%s/scripts/gen/config.py", root) >= sizeof script)
            return vl_fail(err, VL_ECONFIG, "the source tree's path is too long");
        char *argv[] = {"python3", script, c->name, "--json", NULL};
        int status = vl_command(argv, out, sizeof out, tail, sizeof tail, NULL);
        if (status == VL_ENOMEM)
            return vl_fail(err, VL_ENOMEM, "out of memory");
        if (status == 2)
            return vl_fail(err, strstr(tail, "no configuration") ? VL_ENOENT : VL_ECONFIG, "%s",
                           tail + (strncmp(tail, "config: ", 8) ? 0 : 8)); /* the generator's name, not the user's */
        if (status)
            return vl_fail(err, VL_ECONFIG, "configuration %s: the generator failed: %s", name, tail);
        doc = json_loads(out, 0, &why);
    }
    if (!json_is_object(doc)) {
        json_decref(doc);
        return vl_fail(err, VL_ECONFIG, "configuration %s: %s", name, *why.text ? why.text : "not an object");
    }
    int e = from_json(c, doc, err);
    const char *dram = json_string_value(json_object_get(doc, "dram"));
    const int64_t khz = !e && dram ? clock_khz(c, root, dram) : 0;
    if (khz) { /* from_json has left a place */
        strcpy(c->values[c->n].key, "clock_khz");
        c->values[c->n++].value = khz;
    }
    json_decref(doc);
    if (e)
        vl_config_free(c);
    return e;
}

int vl_config_read(vl_config *c, char **root, char **name, const char *word, vl_error *err)
{
    int e = place_of_word(root, name, word, err);
    return e ? e : vl_config_load(c, *root, *name, err);
}
