/* See versions.h: a ring of writes, chained by buckets of doublewords. */
#include "sim_c/ref/versions.h"
#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 1 << 17, BUCKETS = 1 << 16 };

struct versions {
    version_t ring[VERSIONS];
    uint64_t head[BUCKETS]; /* number of the newest write of the bucket */
    uint64_t count;
};

static unsigned bucket(uint64_t dword)
{
    return (unsigned)(dword / 8 * 0x9e3779b97f4a7c15u >> 48);
}

versions_t *versions_new(void)
{
    return calloc(1, sizeof(versions_t));
}

void versions_free(versions_t *v)
{
    free(v);
}

void versions_clear(versions_t *v)
{
    memset(v->head, 0, sizeof v->head);
    v->count = 0;
}

void versions_add(versions_t *v, const version_t *w)
{
    uint64_t *head = &v->head[bucket(w->dword)];
    version_t *slot = &v->ring[++v->count % VERSIONS];
    *slot = *w;
    slot->previous = *head;
    *head = v->count;
}

uint64_t versions_count(const versions_t *v)
{
    return v->count;
}

version_walk_t versions_of(const versions_t *v, uint64_t addr, uint64_t since)
{
    return (version_walk_t){.v = v, .dword = addr & ~7ull, .since = since, .next = v->head[bucket(addr & ~7ull)]};
}

const version_t *versions_walk(version_walk_t *w)
{
    while (w->next > w->since) {
        if (w->next + VERSIONS <= w->v->count) {
            w->lost = true;
            w->next = 0;
            return NULL;
        }
        const version_t *slot = &w->v->ring[w->next % VERSIONS];
        w->at = w->next;
        w->next = slot->previous;
        if (slot->dword == w->dword)
            return slot;
    }
    return NULL;
}
