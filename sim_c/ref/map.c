/* See map.h: open addressing, at most half full. */
#include "sim_c/ref/map.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where the key is, or would be. */
static uint64_t place(const map_t *m, uint64_t key)
{
    uint64_t k = (key + 1) * 0x9e3779b97f4a7c15u;
    k = (k ^ k >> 32) & (m->room - 1);
    while (m->at[k].key && m->at[k].key != key + 1)
        k = (k + 1) & (m->room - 1);
    return k;
}

uint64_t *map_get(const map_t *m, uint64_t key)
{
    if (!m->n)
        return NULL;
    const uint64_t k = place(m, key);
    return m->at[k].key ? &m->at[k].value : NULL;
}

static bool grow(map_t *m)
{
    map_t more = {.room = m->room ? 2 * m->room : 64};
    more.at = calloc(more.room, sizeof *more.at);
    if (!more.at)
        return false;
    for (uint64_t k = 0; k < m->room; k++)
        if (m->at[k].key)
            more.at[place(&more, m->at[k].key - 1)] = m->at[k];
    more.n = m->n;
    free(m->at);
    *m = more;
    return true;
}

uint64_t *map_put(map_t *m, uint64_t key)
{
    if (2 * m->n >= m->room && !grow(m))
        return NULL;
    const uint64_t k = place(m, key);
    m->n += !m->at[k].key;
    m->at[k].key = key + 1;
    return &m->at[k].value;
}

void map_clear(map_t *m)
{
    if (m->n)
        memset(m->at, 0, m->room * sizeof *m->at);
    m->n = 0;
}

void map_free(map_t *m)
{
    free(m->at);
    *m = (map_t){0};
}
