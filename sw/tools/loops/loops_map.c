/* The map of the loop step: open addressing, never more than half full. */
#include "sw/tools/loops/loops.h"

#include <stdint.h>
#include <stdlib.h>

static size_t slot(const loops_map_t *m, const void *key)
{
    size_t i = (size_t)((uintptr_t)key * 0x9e3779b97f4a7c15u >> 20) & (m->room - 1);
    while (m->keys[i] && m->keys[i] != key)
        i = (i + 1) & (m->room - 1);
    return i;
}

void loops_put(loops_map_t *m, const void *key, void *item)
{
    if (2 * (m->n + 1) > m->room) {
        loops_map_t old = *m;
        m->room = old.room ? 2 * old.room : 64;
        m->keys = cc_alloc(m->room * sizeof *m->keys);
        m->items = cc_alloc(m->room * sizeof *m->items);
        for (size_t i = 0; i < old.room; i++)
            if (old.keys[i]) {
                size_t to = slot(m, old.keys[i]);
                m->keys[to] = old.keys[i];
                m->items[to] = old.items[i];
            }
        free(old.keys);
        free(old.items);
    }
    size_t i = slot(m, key);
    m->n += !m->keys[i];
    m->keys[i] = key;
    m->items[i] = item;
}

void *loops_get(const loops_map_t *m, const void *key)
{
    if (!m->room)
        return NULL;
    size_t i = slot(m, key);
    return m->keys[i] ? m->items[i] : NULL;
}

void loops_forget(loops_map_t *m)
{
    free(m->keys);
    free(m->items);
    *m = (loops_map_t){0};
}
