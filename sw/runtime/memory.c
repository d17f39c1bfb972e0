/* The memory of a device: store, spaces and pager, from its opening to its close and from launch to launch. Numbers in comments are those of docs/host-memory.md. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

int vl_memory_open(vl_device *d, const vl_memory *options, vl_error *err)
{
    vl_memory_state *m = &d->memory;
    uint64_t base = VL_IMAGE_BASE, bytes = d->limit - base;
    m->fd = m->scratch = -1;
    if (options)
        m->options = *options;
    bool paged = m->options.mode != VL_BARE;
    if (m->options.shared && (!d->ops->use_store || bytes > VL_STORE_MAX))
        return vl_fail(err, VL_ENOTSUP, "this machine does not share its memory");
    if (m->options.page_bytes && vl_page_level(m->options.page_bytes) < 0)
        return vl_fail(err, VL_EINVAL, "pages of %llu bytes: there are 4 KB, 2 MB, 1 GB",
                       (unsigned long long)m->options.page_bytes);
    if (paged && m->options.page_bytes && vl_align(base, m->options.page_bytes) + m->options.page_bytes > d->limit)
        return vl_fail(err, VL_ENOTSUP, "pages of %llu MB: the device's memory, %#llx to %#llx, has room for none",
                       (unsigned long long)m->options.page_bytes >> 20, (unsigned long long)base,
                       (unsigned long long)d->limit);
    if (m->options.mode == VL_DEMAND && m->options.page_bytes > VL_PAGE)
        return vl_fail(err, VL_ENOTSUP, "demand paging is by pages of 4 KB");
    if (paged && (!d->ops->use_store || !d->ops->set_root || !d->ops->invalidate))
        return vl_fail(err, VL_ENOTSUP, "this machine does not translate addresses: its memory is bare");
    if (paged && bytes > VL_STORE_MAX)
        return vl_fail(err, VL_EINVAL, "memory limit %#llx: pages need a window of at most 2^40 bytes",
                       (unsigned long long)d->limit);
    if (!d->ops->use_store || bytes > VL_STORE_MAX)
        return 0;
    m->store = (vl_store){.base = base, .limit = d->limit};
    if ((m->fd = vl_memory_file("vellum-store", d->limit, err)) < 0
        || !(m->store.bytes = vl_memory_view(m->fd, base, bytes, err)))
        return VL_ENOMEM;
    if (m->options.shared && !paged && !(m->view = vl_memory_view(m->fd, base, bytes, err)))
        return VL_ENOMEM;
    int e = d->ops->use_store(d->self, &m->store, err);
    if (e || !paged)
        return e;
    if ((m->scratch = vl_memory_file("vellum-copy", VL_PAGE, err)) < 0)
        return VL_ENOMEM;
    m->most_mappings = vl_most_mappings();
    m->asids = calloc(VL_ASIDS / 64, 8);
    m->on_core = calloc(d->env.cores, sizeof(vl_space *));
    e = vl_frames_init(&m->frames, base, d->limit, VL_SPAD_BASE, VL_SPAD_MAX);
    if (e || !m->asids || !m->on_core)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    m->frames.random = m->options.random_frames;
    m->frames.state = m->options.frame_seed;
    const int64_t channels = vl_cfg_get(d->env.cfg, "channels", 1), run = vl_cfg_get(d->env.cfg, "interleave_bytes", 0);
    if (channels <= VL_COLOURS_MOST && run >= (int64_t)VL_PAGE) {
        m->frames.colours = (uint32_t)channels;
        m->frames.run = (uint32_t)(run / (int64_t)VL_PAGE);
    }
    if ((e = vl_pager_init(d, err)) || (options->flush_every && (e = vl_flush_check(d, err))))
        return e;
    e = vl_space_new(d, &m->own);
    if (e)
        return vl_fail(err, e, "%s", d->error.text);
    d->space = m->own;
    return 0;
}

void vl_memory_close(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    m->running = false;
    while (m->spaces)
        vl_space_destroy(m->spaces);
    vl_pager_done(&m->pager);
    vl_frames_done(&m->frames);
    free(m->asids);
    free(m->on_core);
    if (m->store.bytes)
        munmap(m->store.bytes, m->store.limit - m->store.base);
    if (m->view)
        munmap(m->view, m->store.limit - m->store.base);
    free(m->before);
    if (m->fd >= 0)
        close(m->fd);
    if (m->scratch >= 0)
        close(m->scratch);
    d->space = NULL;
}

/* The launch of a space, for the machine. */
static void serve_launch(vl_device *d, vl_backend_launch *l)
{
    vl_memory_state *m = &d->memory;
    l->shared = true;
    l->page_fault = vl_pager_fault;
    l->memory_user = d;
    const uint32_t flush = vl_flush_period(d);
    if (!m->options.disturb && !flush)
        return;
    l->interrupt = vl_pager_interrupt;
    l->interrupt_every = m->options.disturb ? 100 + (uint32_t)(vl_random(&m->pager.random) % 1000) : flush;
    if (!m->interrupted) /* the first job's is that of all */
        m->interrupted = l->interrupt_every;
}

static int enter_space(vl_device *d, vl_space *s, uint64_t cores)
{
    vl_root root = {.sv48 = true, .asid = s->asid, .ppn = page_table_root(s->table)};
    int e = 0;
    for (uint32_t c = 0; c < d->env.cores && !e; c++)
        if (cores >> c & 1) {
            d->memory.on_core[c] = s;
            e = d->ops->set_root(d->self, c, &root, &d->error);
        }
    return e;
}

static int begin(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    int e = m->stale ? d->ops->invalidate(d->self, VL_INV_ALL, 0, 0, &d->error) : 0;
    if (e)
        return e;
    m->stale = false;
    m->pager.counts = (vl_pager_counts){0};
    m->interrupted = 0;
    for (vl_space *s = m->spaces; s; s = s->next) {
        s->counts = m->pager.counts;
        s->flush_left = s->flush_every;
    }
    vl_pager_host_wrote(d);
    m->running = true;
    return 0;
}

int vl_memory_begin(vl_device *d, vl_backend_launch *l)
{
    l->shared = d->memory.options.shared;
    if (!d->space)
        return 0;
    vl_pager_share(d, 1);
    int e = vl_registered_begin(d->space);
    if (!e)
        e = enter_space(d, d->space, ~0ull);
    if (!e && !(e = begin(d)))
        serve_launch(d, l);
    return e;
}

int vl_memory_begin_jobs(vl_device *d, vl_job *jobs, vl_backend_job *b, vl_backend_launch *l, uint32_t n)
{
    int e = 0;
    vl_pager_share(d, n);
    for (vl_space *s = d->memory.spaces; s; s = s->next)
        s->runs = false;
    for (uint32_t k = 0; k < n && !e; k++) {
        vl_space *s = jobs[k].space ? jobs[k].space : d->memory.own;
        s->runs = true;
        if (!(e = vl_registered_begin(s)))
            e = enter_space(d, s, b[k].cores);
    }
    if (!e)
        e = begin(d);
    for (uint32_t k = 0; k < n && !e; k++)
        serve_launch(d, &l[k]);
    return e;
}

int vl_memory_end(vl_device *d)
{
    d->memory.running = false;
    for (vl_space *s = d->memory.spaces; s; s = s->next) { /* no walker is left */
        d->memory.stale |= s->n_retired != 0;
        vl_tables_free(s);
    }
    return vl_registered_end(d);
}
