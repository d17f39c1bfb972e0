/* The states that are known, those that are to be expanded, and choices one after the other. */
#ifndef VERIF_COHERENCE_EXPLORE_KNOWN_H
#define VERIF_COHERENCE_EXPLORE_KNOWN_H
#include "explore.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

enum { CHUNK = 1 << 20, UNKNOWN = 0xffffffff };

/* The record of a state, by its number. Numbers are in the order in which states are found. */
typedef struct {
    uint64_t hash;
    uint32_t from; /* the state that it was found from, */
    uint32_t next; /* its successor when no stream is held and no agent begins anything */
    uint16_t by; /* by this choice */
    uint8_t waits;
} __attribute__((packed)) known_t;
typedef struct chunk {
    struct chunk *next;
    size_t used;
    uint8_t of[CHUNK];
} chunk_t;

static known_t *known;
static uint32_t *table, states, room;
static uint64_t slots, most = 20000000;
static chunk_t *first, *last;
static size_t first_at, frontier, frontier_most;
static const char *name = "explore";
static bool told = true;
static uint64_t steps, ends, choices_most;
static uint32_t seen_moves[2], seen_probes;
static double seconds; /* the limit of CPU time; 0: no limit */
static volatile sig_atomic_t stopped; /* by SIGINT or SIGTERM, too: the results so far are reported */

void tell(const char *format, ...)
{
    if (!telling)
        return;
    va_list v;
    va_start(v, format);
    printf("    ");
    vprintf(format, v);
    printf("\n");
    va_end(v);
}

void blame(const char *format, ...)
{
    va_list v;
    if (*wrong)
        return;
    va_start(v, format);
    vsnprintf(wrong, sizeof wrong, format, v);
    va_end(v);
}

static void *grown(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p) {
        fprintf(stderr, "explore: no memory\n");
        exit(2);
    }
    return p;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    const unsigned __int128 m = (unsigned __int128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static uint64_t hash_of(const uint8_t *p, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15ull ^ n;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = mix(h ^ w, 0xd6e8feb86659fd93ull) + 0xa0761d6478bd642full;
    }
    uint64_t w = 0;
    memcpy(&w, p, n);
    h = mix(h ^ w, 0xe7037ed1a0b428dbull);
    return mix(h ^ h >> 29, 0x8ebc6af09c88c6e3ull);
}

static void table_grow(void)
{
    slots = slots ? 2 * slots : 1 << 16;
    table = grown(table, slots * sizeof *table);
    memset(table, 0xff, slots * sizeof *table);
    for (uint32_t k = 0; k < states; k++) {
        uint64_t at = known[k].hash & (slots - 1);
        while (table[at] != UNKNOWN)
            at = (at + 1) & (slots - 1);
        table[at] = k;
    }
}

/* The number of a state, and whether it is new. */
static uint32_t number_of_state(uint64_t hash, bool *new)
{
    uint64_t at = hash & (slots - 1);
    for (; table[at] != UNKNOWN; at = (at + 1) & (slots - 1))
        if (known[table[at]].hash == hash) {
            *new = false;
            return table[at];
        }
    *new = true;
    if (states == most)
        return UNKNOWN;
    if (states == room) {
        room = room ? room + room / 2 : 1 << 16;
        known = grown(known, room * sizeof *known);
    }
    known[states].hash = hash;
    known[states].next = UNKNOWN;
    table[at] = states++;
    if (states > slots - slots / 4)
        table_grow();
    return states - 1;
}

/* ---- states that are to be expanded ---- */

static void push(const uint8_t *p, size_t n)
{
    if (!last || last->used + n + 2 > CHUNK) {
        chunk_t *c = grown(NULL, sizeof *c);
        c->next = NULL;
        c->used = 0;
        *(last ? &last->next : &first) = c;
        last = c;
        frontier += CHUNK;
        frontier_most = frontier > frontier_most ? frontier : frontier_most;
    }
    last->of[last->used] = (uint8_t)n;
    last->of[last->used + 1] = (uint8_t)(n >> 8);
    memcpy(last->of + last->used + 2, p, n);
    last->used += n + 2;
}

static const uint8_t *pop(void)
{
    if (first_at == first->used) {
        chunk_t *c = first;
        first = c->next;
        first_at = 0;
        free(c);
        frontier -= CHUNK;
    }
    const uint8_t *p = first->of + first_at;
    first_at += (size_t)p[0] + ((size_t)p[1] << 8) + 2;
    return p + 2;
}

static bool next_choice(choice_t *c)
{
    while (c->count && ++c->v[c->count - 1] == c->n[c->count - 1])
        c->count--;
    c->at = 0;
    c->holds = now.holds;
    return c->count;
}
#endif
