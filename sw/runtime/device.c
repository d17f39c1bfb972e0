#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sw/runtime/flow.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"
#include "sw/runtime/picture.h"
#include "sw/runtime/space.h"

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
        if (!e && memory && memory->home != VL_HOME_UNSAID)
            e = d->ops->set_policy(d->self, VL_POLICY_MEMORY, (uint32_t)memory->home - VL_HOME_UMH, err);
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
    char *root = vl_find_root(opt ? opt->root : NULL);
    if (!root)
        return vl_fail(err, VL_ECONFIG, "the Vellum source tree was not found (set VELLUM_ROOT)");
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

/* ---- policies ---- */

/* names: its values are so many names; 0: the numbers 0 to `most`. */
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

static int no_such_policy(vl_device *d, const char *name)
{
    char known[512] = "";
    for (size_t i = 0; i < VL_N_POLICIES; i++) {
        if (i)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, policies[i].name, sizeof known - strlen(known) - 1);
    }
    return vl_fail(&d->error, VL_ENOENT, "no policy '%.80s' (there are: %s)", name, known);
}

/* Which of the comma-separated names; -1: none. */
static int64_t place_of(const char *names, const char *name)
{
    const size_t len = strlen(name);
    for (int64_t v = 0; *names; v++) {
        const size_t n = strcspn(names, ",");
        if (n == len && !strncmp(names, name, n))
            return v;
        names += n + (names[n] == ',');
    }
    return -1;
}

/* A number in decimal or 0x, `most` at most; -1: it is none. */
static int64_t number_of(const char *text, uint32_t most)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + 2 * hex;
    const size_t n = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (!n || digits[n])
        return -1;
    errno = 0;
    const unsigned long long v = strtoull(digits, NULL, hex ? 16 : 10);
    return errno || v > most ? -1 : (int64_t)v;
}

int vl_set_policy(vl_device *d, const char *name, const char *value)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!name || !value)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    size_t p = 0;
    while (p < VL_N_POLICIES && strcmp(policies[p].name, name))
        p++;
    if (p == VL_N_POLICIES)
        return no_such_policy(d, name);
    const int64_t v = policies[p].names ? place_of(policies[p].values, value) : number_of(value, policies[p].most);
    if (v < 0 && policies[p].names)
        return vl_fail(&d->error, VL_EINVAL, "policy %s: no value '%.80s' (there are: %s)", name, value,
                       policies[p].values);
    if (v < 0)
        return vl_fail(&d->error, VL_EINVAL, "policy %s: no value '%.80s' (a number from 0 to %u)", name, value,
                       policies[p].most);
    unsigned walks = 0;
    const int64_t walkers = vl_cfg_get(&d->config, "walkers", 8);
    if (!strcmp(name, "walks") && sscanf(value, "naive%u", &walks) == 1 && walks > walkers)
        return vl_fail(&d->error, VL_EINVAL,
                       "policy walks: %s is %u walks at once, and configuration %s has %d walker%s", value, walks,
                       d->config.name, (int)walkers, walkers == 1 ? "" : "s (field walkers)");
    return vl_record_error(d, d->ops->set_policy(d->self, (enum vl_policy)p, (uint32_t)v, &d->error));
}

int vl_set_policy_word(vl_device *d, const char *word)
{
    if (!d)
        return VL_EINVAL;
    const char *eq = word ? strchr(word, '=') : NULL;
    char name[64];
    if (!eq || eq == word || (size_t)(eq - word) >= sizeof name)
        return vl_fail(&d->error, VL_EINVAL, "'%.80s' is not of the form POLICY=VALUE", word ? word : "");
    memcpy(name, word, (size_t)(eq - word));
    name[eq - word] = 0;
    return vl_set_policy(d, name, eq + 1);
}

/* ---- limits, progress, traces ---- */

int vl_set_max_cycles(vl_device *d, uint64_t cycles)
{
    if (!d)
        return VL_EINVAL;
    d->max_cycles = cycles;
    return 0;
}

int vl_set_progress(vl_device *d, vl_progress_fn fn, void *user)
{
    if (!d)
        return VL_EINVAL;
    d->progress = fn;
    d->progress_user = user;
    return 0;
}

double vl_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

const char *vl_time_left(char text[VL_LEFT], double begun, const vl_progress *p)
{
    *text = 0;
    if (p->groups_done && p->groups_done < p->groups_total) {
        const double each = (vl_seconds() - begun) / (double)p->groups_done;
        const uint64_t seconds = (uint64_t)(each * (double)(p->groups_total - p->groups_done) + 0.5);
        snprintf(text, VL_LEFT, ", %" PRIu64 ":%02" PRIu64 " left", seconds / 60, seconds % 60);
    }
    return text;
}

int vl_trace_begin_as(vl_device *d, const char *path, const char *kind)
{
    return vl_trace_begin_part(d, path, kind, &(vl_trace_part){0});
}

/* The part of a trace, with defaults for what is left out. */
static int whole_part(vl_device *d, const vl_trace_part *from, vl_trace_part *to)
{
    const uint64_t every = ~0ull >> (64 - d->env.cores);
    *to = *from;
    to->to = from->to ? from->to : UINT64_MAX;
    to->cores = from->cores ? from->cores : every;
    if (to->from >= to->to)
        return vl_fail(&d->error, VL_EINVAL, "a window from cycle %llu to cycle %llu is empty",
                       (unsigned long long)to->from, (unsigned long long)to->to);
    if (to->cores & ~every)
        return vl_fail(&d->error, VL_EINVAL, "no core %d: configuration %s has %u", __builtin_ctzll(to->cores & ~every),
                       d->config.name, d->env.cores);
    return 0;
}

int vl_trace_begin_part(vl_device *d, const char *path, const char *kind, const vl_trace_part *part)
{
    vl_trace_part whole;
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!path || !kind || !part || (strcmp(kind, "fst") && strcmp(kind, "kanata") && strcmp(kind, "json")))
        return vl_fail(&d->error, VL_EINVAL, "a trace is .fst, .kanata or .json");
    if (d->tracing)
        return vl_fail(&d->error, VL_ESTATE, "a trace is being recorded already");
    if (!d->ops->trace_begin)
        return vl_fail(&d->error, VL_ENOTSUP, "backend %s records no traces", d->name);
    int e = whole_part(d, part, &whole);
    if (e)
        return e;
    e = d->ops->trace_begin(d->self, kind, path, &whole, &d->error);
    if (e == VL_ENOTSUP && !*d->error.text)
        return vl_fail(&d->error, e, "backend %s records no %s trace", d->name, kind);
    d->tracing = !e;
    return vl_record_error(d, e);
}

int vl_trace_begin(vl_device *d, const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return vl_trace_begin_as(d, path, dot ? dot + 1 : "");
}

int vl_trace_end(vl_device *d)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->tracing)
        return vl_fail(&d->error, VL_ESTATE, "no trace is being recorded");
    d->tracing = false;
    return vl_record_error(d, d->ops->trace_end(d->self, &d->error));
}

/* ---- which buffer misses ---- */

int vl_watch(vl_device *d, const vl_buffer_use *use, uint32_t n)
{
    if (!d || (n && !use))
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = d->ops->watch ? d->ops->watch(d->self, use, n, &d->error) : VL_ENOTSUP;
    if (e == VL_ENOTSUP)
        return vl_fail(&d->error, e, "backend %s does not know buffers", d->name);
    d->watched = e ? 0 : n;
    return vl_record_error(d, e);
}

int vl_watched(vl_device *d, vl_buffer_use *use, uint32_t n)
{
    if (!d || !use)
        return VL_EINVAL;
    if (!n || n != d->watched)
        return VL_ESTATE;
    for (uint32_t k = 0; k <= n; k++)
        memcpy(use[k].count, d->ops->watched(d->self, k), sizeof use[k].count);
    return 0;
}

static const struct {
    const char *name, *help;
} buffer_counts[VL_BUFFER_COUNTS] = {
    {"tlb_lookups", "pages of loads and stores looked up in the TLBs"},
    {"tlb_misses", "of these, not found"},
    {"l1d_loads", "line loads sent to the data caches"},
    {"l1d_stores", "stores and atomics of lines"},
    {"l2_reads", "line reads sent to the L2: misses of the data caches"},
    {"l2_writes", "writes and atomics sent to the L2"},
    {"l2_misses", "lines that the L2 read from memory"},
    {"l2_write_backs", "lines that the L2 wrote back to memory"},
};

const char *vl_buffer_count_name(uint32_t count)
{
    return count < VL_BUFFER_COUNTS ? buffer_counts[count].name : NULL;
}

const char *vl_buffer_count_help(uint32_t count)
{
    return count < VL_BUFFER_COUNTS ? buffer_counts[count].help : NULL;
}

/* ---- memory ---- */

/* Physical memory of a device without pages: in the store where it is shared (nothing of it is in a cache between kernels), otherwise, and beside a kernel, through the
 * machine. */
static int put(vl_device *d, uint64_t addr, const void *from, uint64_t bytes)
{
    if (d->memory.pictured)
        vl_picture_put(d, addr, from, 0, bytes);
    if (d->memory.options.shared)
        return vl_physical_write(d, addr, from, bytes);
    return d->ops->write(d->self, addr, from, bytes, &d->error);
}

static int get(vl_device *d, uint64_t addr, void *to, uint64_t bytes)
{
    if (d->memory.options.shared)
        return vl_physical_read(d, addr, to, bytes);
    return d->ops->read(d->self, addr, to, bytes, &d->error);
}

static int fill(vl_device *d, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    if (d->memory.pictured)
        vl_picture_put(d, addr, NULL, byte, bytes);
    if (!d->memory.options.shared || d->memory.running)
        return d->ops->fill(d->self, addr, byte, bytes, &d->error);
    memset(d->memory.store.bytes + (addr - d->memory.store.base), byte, bytes);
    return 0;
}

int vl_malloc(vl_device *d, uint64_t bytes, vl_ptr *out)
{
    return vl_malloc_aligned(d, bytes, VL_LINE, out);
}

int vl_malloc_aligned(vl_device *d, uint64_t bytes, uint64_t align, vl_ptr *out)
{
    if (!d || !out)
        return VL_EINVAL;
    d->error.text[0] = 0;
    *out = 0;
    if (d->space)
        return vl_space_malloc(d->space, bytes, align, out);
    uint64_t at;
    int e = vl_heap_take(&d->heap, bytes, align, &at);
    if (e == VL_EINVAL)
        return vl_fail(&d->error, e, "a buffer of 0 bytes");
    if (e)
        return vl_fail(&d->error, e, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
    if (at < d->heap.touched) {
        uint64_t end = at + vl_align(bytes, VL_LINE);
        e = fill(d, at, 0, (end < d->heap.touched ? end : d->heap.touched) - at);
    }
    if (e) {
        vl_heap_give(&d->heap, at);
        return vl_record_error(d, e);
    }
    if (at + vl_align(bytes, VL_LINE) > d->heap.touched)
        d->heap.touched = at + vl_align(bytes, VL_LINE);
    *out = at;
    return 0;
}

int vl_give(vl_device *d, vl_ptr p)
{
    return d->space ? vl_space_release(d->space, p) : vl_heap_give(&d->heap, p);
}

int vl_free(vl_device *d, vl_ptr p)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!p)
        return 0;
    int e = p == d->block || p == d->stack || p == d->print_at ? VL_EINVAL : vl_give(d, p);
    return e == VL_EINVAL ? vl_fail(&d->error, e, "%#llx is not a buffer of this device", (unsigned long long)p)
                          : vl_record_error(d, e);
}

static int inside(vl_device *d, uint64_t at, uint64_t bytes)
{
    d->error.text[0] = 0;
    if (d->space)
        return 0; /* the space knows */
    uint64_t end = d->heap_base < VL_IMAGE_END ? d->heap_base : VL_IMAGE_END;
    bool image = at >= VL_IMAGE_BASE && at <= end && bytes <= end - at;
    bool heap = at >= d->heap_base && at <= d->limit && bytes <= d->limit - at;
    if (image || heap)
        return 0;
    return vl_fail(&d->error, VL_EACCESS, "%#llx + %#llx is outside of device memory", (unsigned long long)at,
                   (unsigned long long)bytes);
}

/* A caller may write where nothing was allocated; then that no longer reads zero. */
static void touch(vl_device *d, uint64_t end)
{
    if (end > d->heap.touched)
        d->heap.touched = end;
}

int vl_write(vl_device *d, vl_ptr to, const void *from, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, to, bytes);
    if (e || !bytes)
        return e;
    if (!from)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->space)
        return vl_space_copy(d->space, to, bytes, from, NULL, 0);
    touch(d, to + bytes);
    return vl_record_error(d, put(d, to, from, bytes));
}

int vl_read(vl_device *d, vl_ptr from, void *to, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, from, bytes);
    if (e || !bytes)
        return e;
    if (!to)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->space)
        return vl_space_copy(d->space, from, bytes, NULL, to, 0);
    return vl_record_error(d, get(d, from, to, bytes));
}

int vl_fill(vl_device *d, vl_ptr to, uint8_t byte, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, to, bytes);
    if (e || !bytes)
        return e;
    if (d->space)
        return vl_space_copy(d->space, to, bytes, NULL, NULL, byte);
    touch(d, to + bytes);
    return vl_record_error(d, fill(d, to, byte, bytes));
}

int vl_sync(vl_device *d, vl_ptr from, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, from, bytes);
    if (e || !bytes)
        return e;
    if (!d->launched)
        return vl_fail(&d->error, VL_ESTATE, "no kernel runs");
    return vl_record_error(d, d->memory.pictured ? vl_picture_sync(d, from, bytes)
                                                 : d->ops->sync(d->self, from, bytes, &d->error));
}

int vl_set_back_door(vl_device *d, bool open)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = d->ops->back_door ? d->ops->back_door(d->self, open) : 0;
    if (!e)
        d->back_door = open;
    return vl_record_error(d, e);
}

int vl_empty_caches(vl_device *d)
{
    uint8_t byte;
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->ops->back_door || d->space || d->memory.options.shared) /* then caches are empty between kernels anyway */
        return 0;
    int e = d->ops->back_door(d->self, true); /* opening the back door writes the caches back and empties them */
    if (!e)
        e = d->ops->read(d->self, VL_IMAGE_BASE, &byte, 1, &d->error);
    int f = d->ops->back_door(d->self, d->back_door);
    return vl_record_error(d, e ? e : f);
}

int vl_now(vl_device *d, uint64_t *cycles)
{
    if (!d || !cycles)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->ops->now)
        return vl_fail(&d->error, VL_ENOTSUP, "%s has no time in cycles", d->name);
    *cycles = d->ops->now(d->self);
    return 0;
}

/* ---- images ---- */

static int set_table(vl_device *d, const vl_reconv *list, size_t n)
{
    uint32_t entries = d->env.reconv_entries;
    vl_reconv *table = malloc(entries * sizeof *table);
    if (!table)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    int e, out = vl_reconv_pack(list, n, entries, table);
    if (out < 0)
        e = vl_fail(&d->error, VL_ECONFIG, "a reconvergence table of %u entries", entries);
    else
        e = vl_record_error(d, d->ops->set_reconv(d->self, d->job, table, entries, &d->error));
    free(table);
    if (e)
        return e;
    d->reconv_left_out = (uint32_t)out;
    d->reconv_used = (uint32_t)n - (uint32_t)out;
    return 0;
}

/* When the branches of all kernels do not fit together, the table holds those of the kernel that runs. */
int vl_table_for(vl_device *d, const vl_kernel_info *k)
{
    if (d->table_shared || d->table_kernel == k)
        return 0;
    const vl_image *img = d->image;
    const vl_segment *text = img->segments;
    while (!text->exec)
        text++;
    uint32_t n = (uint32_t)(text->file_bytes / 4);
    size_t n_list = img->n_reconv;
    uint32_t *words = malloc(text->file_bytes);
    vl_reconv *list = malloc(n_list * sizeof *list);
    int e = VL_ENOMEM;
    if (words && list) {
        for (uint32_t i = 0; i < n; i++)
            words[i] = (uint32_t)text->data[4ull * i] | (uint32_t)text->data[4ull * i + 1] << 8
                       | (uint32_t)text->data[4ull * i + 2] << 16 | (uint32_t)text->data[4ull * i + 3] << 24;
        memcpy(list, img->reconv, n_list * sizeof *list);
        e = vl_flow_select(words, text->addr, n, k->entry, list, &n_list);
    }
    e = e ? vl_fail(&d->error, e, "out of memory") : set_table(d, list, n_list);
    if (!e)
        d->table_kernel = k;
    free(words);
    free(list);
    return e;
}

int vl_load(vl_device *d, const vl_image *img)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!img)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->launched)
        return vl_fail(&d->error, VL_ESTATE, "a kernel runs");
    d->image = NULL;
    int e = 0;
    if (d->space)
        vl_space_drop_image(d->space);
    for (size_t i = 0; !e && i < img->n_segments; i++) {
        const vl_segment *s = &img->segments[i];
        if (inside(d, s->addr, s->mem_bytes))
            return vl_fail(&d->error, VL_EDEVMEM,
                           "the image's segment of %llu bytes at %#llx does not fit: device memory of %s has its "
                           "images in %#llx...%#llx",
                           (unsigned long long)s->mem_bytes, (unsigned long long)s->addr, d->config.name, VL_IMAGE_BASE,
                           (unsigned long long)(d->heap_base < VL_IMAGE_END ? d->heap_base : VL_IMAGE_END) - 1);
        if (d->space) {
            e = vl_space_image(d->space, s->addr, s->mem_bytes,
                               VL_READ | (s->exec ? VL_EXECUTE : 0u) | (s->write ? VL_WRITE : 0u));
            if (!e)
                e = vl_space_copy(d->space, s->addr, s->file_bytes, s->data, NULL, 0);
            continue;
        }
        if (s->file_bytes)
            e = put(d, s->addr, s->data, s->file_bytes);
        if (!e && s->mem_bytes > s->file_bytes)
            e = fill(d, s->addr + s->file_bytes, 0, s->mem_bytes - s->file_bytes);
    }
    if (e)
        return vl_record_error(d, e);
    if ((e = set_table(d, img->reconv, img->n_reconv)))
        return e;
    d->table_shared = d->reconv_left_out == 0;
    d->table_kernel = NULL;
    d->image = img;
    return 0;
}
