/* Shared by the two tests of several contexts, contexts and isolation, on the host's side. */
#ifndef VELLUM_VERIF_SYSTEM_CONTEXTS_H
#define VELLUM_VERIF_SYSTEM_CONTEXTS_H

#include "verif/common/check.h"
#include "verif/ref/lib/rng.h"
#include "verif/system/contexts/table.h"
#include <stdint.h>
#include <string.h>

enum { GUARD = 8192 }; /* bytes of each context that no kernel may write */

static inline vl_ptr as_ptr(const void *p)
{
    return (vl_ptr)(uintptr_t)p;
}

static inline void *new_buffer(vl_device *dev, const vl_error *err, uint64_t bytes)
{
    vl_ptr p;
    check_call(dev, err, vl_malloc(dev, bytes, &p), "a buffer");
    return vl_host(dev, p);
}

static inline uint8_t guard_byte(uint32_t who, unsigned i)
{
    return (uint8_t)(i * 31 + i / 256 + who);
}

static inline void lay_guard(uint8_t *guard, uint32_t who)
{
    for (unsigned i = 0; i < GUARD; i++)
        guard[i] = guard_byte(who, i);
}

static inline bool guard_is_whole(const uint8_t *guard, uint32_t who)
{
    for (unsigned i = 0; i < GUARD; i++)
        if (guard[i] != guard_byte(who, i))
            return false;
    return true;
}

/* An address space of its own, used from here on, with an image. */
static inline void new_space(vl_device *dev, vl_error *err, const char *path, vl_space **space, vl_image **image)
{
    check_call(dev, err, vl_space_new(dev, space), "an address space");
    check_call(dev, err, vl_use_space(dev, *space), "its use");
    check_call(dev, err, vl_image_read(image, path, err), "an image");
    check_call(dev, err, vl_load(dev, *image), "its load");
}

#endif
