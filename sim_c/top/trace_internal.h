/* The two kinds of trace behind trace.h. */
#ifndef SIM_C_TOP_TRACE_INTERNAL_H
#define SIM_C_TOP_TRACE_INTERNAL_H
#include "vellum_ports.h"
#include <stdio.h>

typedef struct trace_kind {
    const char *name;
    void *(*open)(FILE *f);
    void (*cycle)(void *self, uint64_t cycle, const vellum_out_t *o);
    void (*close)(void *self, uint64_t cycle); /* writes the rest, frees self, leaves the file open */
} trace_kind_t;

extern const trace_kind_t trace_kanata, trace_timeline;

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
