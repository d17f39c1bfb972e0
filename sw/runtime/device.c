/* A device is opened and closed. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"

int vl_open_with(vl_device **dev, const char *name, const char *root, const vl_config *config,
                 const vl_backend_ops *ops, uint64_t limit, vl_error *err)
{
    return vl_open_memory(dev, name, root, config, &(vl_backend){.ops = ops}, limit, NULL, err);
}

int vl_open_memory(vl_device **dev, const char *name, const char *root, const vl_config *config,
                   const vl_backend *backend, uint64_t limit, const vl_memory *memory, vl_error *err)
{
    vl_error none;
    if (!err)
        err = &none;
    *dev = NULL;
    uint64_t chips = (uint64_t)vl_cfg_get(config, "memory_bytes", 0), heap = VL_HEAP_BASE, most = VL_MAX_LIMIT;
    if (chips) { /* addresses are taken modulo this size: a larger window would have two names for one byte */
        most = chips < VL_MAX_LIMIT - VL_IMAGE_BASE ? VL_IMAGE_BASE + chips : VL_MAX_LIMIT;
        if (most <= VL_IMAGE_END)
            heap = VL_IMAGE_BASE + vl_align(chips / 4, VL_LINE);
    }
    if (!limit)
        limit = most < VL_DEFAULT_LIMIT ? most : VL_DEFAULT_LIMIT;
    if (limit > most && most < VL_MAX_LIMIT)
        return vl_fail(err, VL_EINVAL, "memory limit %#llx: the memory of configuration %s ends at %#llx",
                       (unsigned long long)limit, config->name, (unsigned long long)most);
    if (limit <= heap || limit > VL_MAX_LIMIT || limit % VL_LINE)
        return vl_fail(err, VL_EINVAL, "memory limit %#llx: must be a multiple of 128 above %#llx",
                       (unsigned long long)limit, (unsigned long long)heap);
    vl_device *d = calloc(1, sizeof *d);
    if (!d)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    d->ops = backend->ops;
    d->memory.fd = d->memory.scratch = -1;
    d->name = name;
    d->limit = limit;
    d->heap_base = heap;
    vl_heap_init(&d->heap, heap, limit);
    d->config = *config;
    d->config.values = malloc((config->n + 1) * sizeof *config->values);
    d->root = strdup(root);
    err->text[0] = 0;
    int e = VL_ENOMEM;
    if (d->root && d->config.values) {
        memcpy(d->config.values, config->values, config->n * sizeof *config->values);
        d->env = (vl_backend_env){.root = d->root,
                                  .config = d->config.name,
                                  .cores = (uint32_t)vl_cfg_get(&d->config, "cores", 0),
                                  .warps = (uint32_t)vl_cfg_get(&d->config, "warps", 0),
                                  .threads = (uint32_t)vl_cfg_get(&d->config, "threads", 0),
                                  .lanes = (uint32_t)vl_cfg_get(&d->config, "lanes", 0),
                                  .spad_bytes = (uint32_t)vl_cfg_get(&d->config, "spad_bytes", 0),
                                  .reconv_entries = (uint32_t)vl_cfg_get(&d->config, "reconv_entries", 0),
                                  .cfg = &d->config,
                                  .connect = backend->connect,
                                  .machine = backend->machine};
        e = d->ops->open(&d->self, &d->env, err);
        if (e)
            d->self = NULL;
        else if (!(e = vl_memory_open(d, memory, err)))
            e = d->ops->set_window(d->self, VL_IMAGE_BASE, limit, err);
        if (!e && memory && memory->home != VL_HOME_UNSAID) {
            d->policy_set[VL_POLICY_MEMORY] = true;
            d->policy_value[VL_POLICY_MEMORY] = (uint32_t)memory->home - VL_HOME_UMH;
            e = d->ops->set_policy(d->self, VL_POLICY_MEMORY, d->policy_value[VL_POLICY_MEMORY], err);
        }
    }
    if (e) {
        vl_close(d);
        return vl_fail(err, e, "%s%s%s", name,
                       *err->text ? ": " : ": cannot start: ", *err->text ? err->text : vl_strerror(e));
    }
    *dev = d;
    return 0;
}

int vl_open(vl_device **dev, const char *config, const char *backend, const vl_options *opt, vl_error *err)
{
    if (!dev)
        return vl_fail(err, VL_EINVAL, "null argument");
    *dev = NULL;
    if (!config)
        config = "small";
    if (!backend)
        backend = "model";
    char *root = vl_find_root(opt ? opt->root : NULL, err);
    if (!root)
        return err && err->code == VL_ENOMEM ? VL_ENOMEM : VL_ECONFIG;
    vl_config c;
    vl_backend b = {0};
    char *name = NULL;
    int e = vl_config_read(&c, &root, &name, config, err);
    if (!e) {
        e = vl_backend_find(backend, root, name, opt, &b, err);
        if (!e)
            e = vl_open_memory(dev, backend, root, &c, &b, opt ? opt->mem_limit : 0, opt ? &opt->memory : NULL, err);
        vl_config_free(&c);
        if (e && b.library)
            dlclose(b.library);
        if (!e) {
            (*dev)->library = b.library;
            /* keep our own name: the caller's string may not outlive the device */
            for (size_t i = 0; vl_backend_name(i); i++)
                if (!strcmp(vl_backend_name(i), backend))
                    (*dev)->name = vl_backend_name(i);
        }
    }
    free(root);
    free(name);
    return e;
}

void vl_close(vl_device *d)
{
    if (!d)
        return;
    if (d->tracing)
        vl_trace_end(d);
    (void)vl_set_sampling(d, NULL, NULL, NULL);
    if (d->self)
        d->ops->close(d->self);
    vl_memory_close(d);
    if (d->library)
        dlclose(d->library);
    vl_heap_done(&d->heap);
    vl_config_free(&d->config);
    free(d->root);
    free(d->stats);
    free(d->own_stats);
    free(d->stopped);
    free(d->allowed);
    free(d);
}

const char *vl_detail(const vl_device *d)
{
    return d ? d->error.text : "";
}

int64_t vl_config_value(const vl_device *d, const char *key, int64_t missing)
{
    return d && key ? vl_cfg_get(&d->config, key, missing) : missing;
}

void vl_heap_range(const vl_device *d, vl_ptr *from, vl_ptr *end)
{
    *from = d->heap_base;
    *end = d->limit;
}
