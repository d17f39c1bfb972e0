/* The board as libvellum sees it: a backend that is opened on a configuration with few frames, and closed. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/sw/vm/board_state.h"

static int use_store(void *self, const vl_store *store, vl_error *err)
{
    (void)self, (void)err;
    b.store = *store;
    b.n_frames = (store->limit - store->base) / VL_PAGE + 1;
    b.frames = calloc(b.n_frames, sizeof *b.frames);
    b.held = calloc(2 * b.n_frames, sizeof *b.held);
    b.arrivals = calloc(b.n_frames, sizeof *b.arrivals);
    return 0;
}

static int set_root(void *self, uint32_t core, const vl_root *root, vl_error *err)
{
    (void)self, (void)err;
    if (b.running || !root->sv48 || core >= b.d->env.cores)
        WRONG("core %u gets a root %s", core, b.running ? "while it runs" : "that is none");
    b.root[core] = root->ppn, b.asid[core] = root->asid;
    return 0;
}

static int set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    (void)self, (void)err;
    assert_true(base == b.store.base && limit == b.store.limit);
    return 0;
}

static int set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err)
{
    (void)self, (void)policy, (void)value, (void)err;
    return 0;
}

static int set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    (void)self, (void)kernel, (void)table, (void)entries, (void)err;
    return 0;
}

static const vl_counter *counters(void *self, size_t *n)
{
    (void)self;
    *n = 1;
    b.counters[0] = (vl_counter){"cycles", "run", "cycles", "none", 0};
    return b.counters;
}

static int open_it(void **self, const vl_backend_env *env, vl_error *err)
{
    (void)env, (void)err;
    *self = &b;
    return 0;
}

static void close_it(void *self)
{
    (void)self;
    free(b.frames);
    free(b.held);
    free(b.arrivals);
    free(b.lasts);
    free(b.shown);
    b.most_shown = b.n_shown = 0;
    b.frames = NULL, b.held = NULL, b.lasts = NULL, b.room_lasts = 0;
}

const board_seen *board_saw(void)
{
    return &b.saw;
}

vl_device *open_board(const char *memory, uint64_t frames, uint64_t mappings, uint64_t seed, board_rights rights,
                      void *user)
{
    static const vl_backend_ops ops = {.open = open_it,
                                       .close = close_it,
                                       .set_policy = set_policy,
                                       .set_window = set_window,
                                       .write = host_write,
                                       .read = host_read,
                                       .fill = host_fill,
                                       .set_reconv = set_reconv,
                                       .run = run,
                                       .run_jobs = run_jobs,
                                       .counters = counters,
                                       .use_store = use_store,
                                       .set_root = set_root,
                                       .invalidate = host_invalidate};
    vl_memory options;
    vl_error err;
    vl_config config;
    vl_device *d;
    char *root = vl_find_root(NULL, NULL);
    b = (struct board){.r = {seed}, .rights = rights, .user = user, .most_shown = mappings};
    b.shown = calloc(mappings + 1, sizeof *b.shown);
    if (!root || vl_memory_parse(&options, memory, &err) || vl_config_load(&config, root, "small", &err))
        fail_msg("%s", root ? err.text : "no source tree");
    b.demand = options.mode == VL_DEMAND, b.disturbed = options.disturb,
    b.limit = options.mode == VL_DEMAND ? options.frames : 0;
    b.fifo = b.demand && options.fifo;
    for (size_t i = 0; i < config.n; i++)
        if (!strcmp(config.values[i].key, "memory_bytes"))
            config.values[i].value = (int64_t)(frames * VL_PAGE);
    if (vl_open_memory(&d, "board", root, &config, &(vl_backend){.ops = &ops}, 0, &options, &err))
        fail_msg("%s", err.text);
    vl_config_free(&config);
    free(root);
    b.d = d;
    load_image(d);
    return d;
}
