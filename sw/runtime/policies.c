/* Policies of a device: names, values, meaning. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/driver.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

/* names: how many names its values have; 0: the numbers 0 to `most`. */
static const struct {
    const char *name, *values, *help;
    uint32_t names, most;
} policies[] = {
#define X(id, name, values, help, names, most, ...) [id] = {name, values, help, names, most},
    VL_POLICIES(X)
#undef X
};

const char *vl_policy_name(size_t i)
{
    return i < VL_N_POLICIES ? policies[i].name : NULL;
}
const char *vl_policy_values(size_t i)
{
    return i < VL_N_POLICIES ? policies[i].values : NULL;
}
const char *vl_policy_help(size_t i)
{
    return i < VL_N_POLICIES ? policies[i].help : NULL;
}

static int no_such_policy(const char *name, vl_error *err)
{
    char known[512] = "";
    for (size_t i = 0; i < VL_N_POLICIES; i++) {
        if (i)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, policies[i].name, sizeof known - strlen(known) - 1);
    }
    return vl_fail(err, VL_ENOENT, "no policy '%.80s' (there are: %s)", name, known);
}

/* Mechanisms that a policy switches on, and the field of a machine that has each: not 0, or this word. */
static const struct {
    const char *policy, *off, *field, *word;
} mechanisms[] = {
    {"compaction", "off", "compaction", "block"},   {"locality", "off", "locality_entries", NULL},
    {"tokens", "off", "translation", "shared"},     {"walk_bypass", "off", "translation", "shared"},
    {"walk_cache", "off", "translation", "shared"},
};

/* A machine is not told to switch on a mechanism that it does not have. */
static int mechanism(const vl_config *c, const char *name, const char *value, vl_error *err)
{
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        const char *field = mechanisms[i].field, *word = mechanisms[i].word;
        if (strcmp(mechanisms[i].policy, name) || !strcmp(mechanisms[i].off, value))
            continue;
        if (word ? !strcmp(vl_cfg_word(c, field), word) : vl_cfg_get(c, field, 0) != 0)
            continue;
        if (!strcmp(name, "walk_cache") && vl_cfg_get(c, "walk_pointers", 0))
            continue; /* of each core's walker */
        return vl_fail(err, VL_EINVAL, "policy %s: configuration %s has nothing to switch on (field %s%s%s)", name,
                       c->name, field, word ? " = " : " above 0", word ? word : "");
    }
    return 0;
}

/* Values that the fields of a configuration forbid. */
static int forbidden(const vl_config *c, size_t p, const char *value, uint32_t v, vl_error *err)
{
    unsigned walks = 0;
    const int64_t walkers = vl_cfg_get(c, "walkers", 8);
    if (!strcmp(policies[p].name, "walks") && sscanf(value, "naive%u", &walks) == 1 && walks > walkers)
        return vl_fail(err, VL_EINVAL, "policy walks: %s is %u walks at once, and configuration %s has %d walker%s",
                       value, walks, c->name, (int)walkers, walkers == 1 ? "" : "s (field walkers)");
    if (p != VL_POLICY_MEMORY)
        return mechanism(c, policies[p].name, value, err);
    const bool directory = !strcmp(vl_cfg_word(c, "home"), "directory");
    const uint32_t devices = (uint32_t)vl_cfg_get(c, "devices", 1);
    const vl_host_facts f = {.config = c->name,
                             .devices = devices,
                             .block_bytes = directory ? (uint32_t)vl_cfg_get(c, "interleave_bytes", 1) : 0,
                             .stacks = devices * (uint32_t)vl_cfg_get(c, "channels", 1),
                             .stack_bytes = (uint64_t)vl_cfg_get(c, "stack_bytes", 0),
                             .memory_bytes = (uint64_t)vl_cfg_get(c, "memory_bytes", 0)};
    return driver_memory_fits(&f, v, err);
}

int vl_config_policy(const vl_config *c, const char *name, const char *value, enum vl_policy *policy, uint32_t *number,
                     vl_error *err)
{
    size_t p = 0;
    while (p < VL_N_POLICIES && strcmp(policies[p].name, name))
        p++;
    if (p == VL_N_POLICIES)
        return no_such_policy(name, err);
    int64_t v = -1;
    if (policies[p].names)
        v = vl_parse_name(policies[p].values, value, strlen(value));
    else
        vl_parse_i64(value, 0, policies[p].most, &v);
    if (v < 0 && policies[p].names)
        return vl_fail(err, VL_EINVAL, "policy %s: no value '%.80s' (there are: %s)", name, value, policies[p].values);
    if (v < 0)
        return vl_fail(err, VL_EINVAL, "policy %s: no value '%.80s' (a number from 0 to %u)", name, value,
                       policies[p].most);
    *policy = (enum vl_policy)p;
    *number = (uint32_t)v;
    return forbidden(c, p, value, *number, err);
}

int vl_config_memory(const vl_config *c, const vl_memory *m, vl_error *err)
{
    return m->home == VL_HOME_UNSAID ? 0 : forbidden(c, VL_POLICY_MEMORY, "", (uint32_t)m->home - VL_HOME_UMH, err);
}

int vl_policy_split(const char *word, char *name, size_t n, const char **value, vl_error *err)
{
    const char *eq = word ? strchr(word, '=') : NULL;
    if (!eq || eq == word || (size_t)(eq - word) >= n)
        return vl_fail(err, VL_EINVAL, "'%.80s' is not of the form POLICY=VALUE", word ? word : "");
    memcpy(name, word, (size_t)(eq - word));
    name[eq - word] = 0;
    *value = eq + 1;
    return 0;
}

/* A policy's value after reset, which may depend on fields. */
static uint32_t after_reset(const vl_config *c, size_t policy)
{
#define X(NAME, key) const int64_t NAME = vl_cfg_get(c, key, 1);
    VL_REGISTER_KEYS(X)
#undef X
#define X(NAME, key) (void)NAME;
    VL_REGISTER_KEYS(X)
#undef X
    const int64_t values[] = {
#define X(id, name, values, help, names, most, preset, ...) [id] = preset,
        VL_POLICIES(X)
#undef X
    };
    return (uint32_t)values[policy];
}

void vl_policy_now(const vl_device *d, size_t p, char *text, size_t n)
{
    uint32_t v = d->policy_set[p] ? d->policy_value[p] : after_reset(&d->config, p);
    const char *name = policies[p].values;
    if (!policies[p].names) {
        snprintf(text, n, "%u", v);
        return;
    }
    for (; v; v--)
        name += strcspn(name, ",") + 1;
    snprintf(text, n, "%.*s", (int)strcspn(name, ","), name);
}

int vl_set_policy(vl_device *d, const char *name, const char *value)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!name || !value)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    enum vl_policy p;
    uint32_t v;
    int e = vl_config_policy(&d->config, name, value, &p, &v, &d->error);
    if (!e)
        e = vl_record_error(d, d->ops->set_policy(d->self, p, v, &d->error));
    if (!e)
        d->policy_set[p] = true, d->policy_value[p] = v;
    return e;
}

int vl_set_policy_word(vl_device *d, const char *word)
{
    if (!d)
        return VL_EINVAL;
    const char *value;
    char name[64];
    int e = vl_policy_split(word, name, sizeof name, &value, &d->error);
    return e ? e : vl_set_policy(d, name, value);
}
