/* Traces for people, made from the device's trace ports: a pipeline trace for Konata ("kanata") and a timeline for
 * Perfetto ("json"). The same for model and RTL, because the ports are. */
#ifndef SIM_C_TOP_TRACE_H
#define SIM_C_TOP_TRACE_H
#include "vellum_ports.h"

typedef struct trace trace_t;

/* 0, SIM_ENOTSUP for another kind, SIM_EIO, SIM_ENOMEM. Writes PATH.tmp, renamed by trace_close. */
int trace_open(trace_t **t, const char *kind, const char *path);
/* One cycle's outputs. Cycles may be skipped when nothing happens in them. */
void trace_cycle(trace_t *t, uint64_t cycle, const vellum_out_t *o);
/* Completes the file. 0 or SIM_EIO. */
int trace_close(trace_t *t, uint64_t cycle);
#endif
