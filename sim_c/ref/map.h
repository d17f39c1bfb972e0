/* A table from numbers to numbers that grows as it fills. An empty one is all zero. */
#ifndef SIM_C_REF_MAP_H
#define SIM_C_REF_MAP_H
#include <stdint.h>

typedef struct {
    struct {
        uint64_t key, value;
    } *at; /* key: the key plus 1; 0: free */
    uint64_t n, room; /* room: a power of two */
} map_t;

/* The value of a key; NULL: it has none. Valid until the next map_put. Keys are below 2^64 - 1. */
uint64_t *map_get(const map_t *m, uint64_t key);
/* The same; a key without a value gets 0. NULL: no memory. */
uint64_t *map_put(map_t *m, uint64_t key);
void map_clear(map_t *m);
void map_free(map_t *m);
#endif
