/* The picture behind host pointers beside a kernel (docs/host-memory.md, S3): the buffers in pages of their own, which the program may change, and a copy of their earlier contents. */
#include "sw/runtime/picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/store.h"

int vl_picture_begin(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    const uint64_t bytes = vl_align(d->heap.touched - m->store.base, VL_PAGE);
    const int fd = vl_memory_file("vellum-picture", bytes, &d->error);
    if (fd < 0)
        return VL_ENOMEM;
    m->before = malloc(bytes);
    int e = m->before ? vl_show(m->view, bytes, fd, 0, &d->error) : vl_fail(&d->error, VL_ENOMEM, "out of memory");
    close(fd);
    if (e) {
        free(m->before);
        m->before = NULL;
        return e;
    }
    memcpy(m->before, m->store.bytes, bytes);
    memcpy(m->view, m->store.bytes, bytes);
    m->pictured = bytes;
    return 0;
}

/* The part of [*at, *at + *bytes) that is in the picture, as an offset; false: no part. */
static bool part(const vl_memory_state *m, uint64_t *at, uint64_t *bytes)
{
    *at -= m->store.base;
    if (*at >= m->pictured)
        return false;
    *bytes = *bytes < m->pictured - *at ? *bytes : m->pictured - *at;
    return true;
}

/* The next bytes from *i on, up to `end`, that the program has changed. How many. */
static uint64_t changed(const vl_memory_state *m, uint64_t *i, uint64_t end)
{
    uint64_t n = 0;
    while (*i < end && m->view[*i] == m->before[*i])
        ++*i;
    while (*i + n < end && m->view[*i + n] != m->before[*i + n])
        n++;
    return n;
}

int vl_picture_sync(vl_device *d, uint64_t at, uint64_t bytes)
{
    vl_memory_state *m = &d->memory;
    uint64_t i = at, in_it = bytes, n;
    int e = 0;
    const bool any = part(m, &i, &in_it);
    const uint64_t from = i, end = i + in_it;
    for (; any && !e && (n = changed(m, &i, end)); i += n)
        e = d->ops->write(d->self, m->store.base + i, m->view + i, n, &d->error);
    if (!e)
        e = d->ops->sync(d->self, at, bytes, &d->error);
    if (!e && any)
        e = d->ops->read(d->self, m->store.base + from, m->before + from, in_it, &d->error);
    if (!e && any)
        memcpy(m->view + from, m->before + from, in_it);
    return e;
}

void vl_picture_put(vl_device *d, uint64_t at, const void *from, uint8_t byte, uint64_t bytes)
{
    vl_memory_state *m = &d->memory;
    if (!part(m, &at, &bytes))
        return;
    if (from)
        memcpy(m->before + at, from, bytes);
    else
        memset(m->before + at, byte, bytes);
    memcpy(m->view + at, m->before + at, bytes);
}

int vl_picture_end(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    const uint64_t bytes = m->pictured;
    if (!bytes)
        return 0;
    for (uint64_t i = 0, n; (n = changed(m, &i, bytes)); i += n)
        memcpy(m->store.bytes + i, m->view + i, n);
    free(m->before);
    m->before = NULL;
    m->pictured = 0;
    return vl_show(m->view, bytes, m->fd, m->store.base, &d->error);
}
