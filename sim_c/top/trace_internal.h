/* The two kinds of trace behind trace.h. */
#ifndef SIM_C_TOP_TRACE_INTERNAL_H
#define SIM_C_TOP_TRACE_INTERNAL_H
#include "sim_c/top/vellum.h"
#include <stdio.h>
#include <string.h>

/* Contents of the file: slices and instructions that have a cycle in [from, to), of these cores. Before the counted kernel begins, a
 * window is empty. */
typedef struct trace_view {
    uint64_t from, to;
    uint64_t cores; /* a bit each */
    const char *blocks; /* a list with commas; NULL: all */
    vellum_inside_t inside;
} trace_view_t;

static inline bool trace_has_core(const trace_view_t *v, unsigned core)
{
    return v->cores >> core & 1;
}

/* Is it in the list with commas? NULL: everything is. */
static inline bool trace_listed(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
        if (strcspn(p, ",") == n && !strncmp(p, word, n))
            return true;
    return !list;
}

typedef struct trace_kind {
    const char *name, *blocks; /* blocks: the names of parts */
    void *(*open)(FILE *f, const trace_view_t *view);
    void (*cycle)(void *self, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o);
    void (*mark)(void *self, uint64_t cycle, const char *what); /* NULL: this kind of trace does not show it */
    void (*value)(void *self, uint64_t cycle, const char *name, double value); /* likewise */
    void (*close)(void *self, uint64_t cycle); /* writes the rest, frees self, leaves the file open */
} trace_kind_t;

extern const trace_kind_t trace_kanata, trace_timeline;

enum { TRACE_HOMES = 16 * THREADS }; /* bytes for what trace_homes writes */

/* Whose threads a formed warp has: each home warp and its places, "0:3 4:c". The number of homes. */
static inline unsigned trace_homes(const formed_t *f, char text[TRACE_HOMES])
{
    unsigned homes = 0;
    int at = 0;
    text[0] = 0;
    for (unsigned h = 0; h < WARPS; h++) {
        uint64_t places = 0;
        for (unsigned t = 0; t < THREADS; t++)
            places |= (uint64_t)((f->mask >> t & 1) && f->homes[t % HOME_PLACES] == h) << t;
        if (places)
            at += snprintf(text + at, (size_t)(TRACE_HOMES - at), "%s%u:%llx", homes++ ? " " : "", h,
                           (unsigned long long)places);
    }
    return homes;
}

/* Does an instruction answer with a record on trace_wb? (docs/blocks/core.md, flow control) */
static inline bool trace_answers(const issued_t *i)
{
    if (i->pipe == PIPE_ALU)
        return i->rd_we;
    if (i->pipe == PIPE_LSU)
        return (i->instr & 0x7f) != 0x23; /* plain stores do not */
    return i->pipe != PIPE_CTL;
}
#endif
