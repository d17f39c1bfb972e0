/* Traces for people, made from the device's trace ports: a pipeline trace for Konata ("kanata") and a timeline for
 * Perfetto ("json"). The same for model and RTL, because the ports are. */
#ifndef SIM_C_TOP_TRACE_H
#define SIM_C_TOP_TRACE_H
#include "sim_c/common/error.h"
#include "sim_c/common/part.h"
#include "sim_c/top/vellum.h"

typedef struct trace trace_t;

/* 0, SIM_ENOTSUP for another kind, SIM_EINVAL for a part that it does not have, SIM_EIO, SIM_ENOMEM. The file is whole after trace_close, and removed if it cannot be. `inside`: the model,
 * where the machine has one, for state that no port shows. */
int trace_open(trace_t **t, const char *kind, const char *path, const machine_part_t *part, vellum_inside_t inside,
               sim_error_t *err);
/* One cycle's outputs, and the host's inputs. Cycles may be skipped when nothing happens in them. */
void trace_cycle(trace_t *t, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o);
/* The host's activity from now on (NULL: none): a slice of the lane of evictions. */
void trace_mark(trace_t *t, uint64_t cycle, const char *what);
/* A value from this cycle on, on a track of this name (a timeline alone shows it). */
void trace_value(trace_t *t, uint64_t cycle, const char *name, double value);
/* Completes the file. 0 or SIM_EIO. */
int trace_close(trace_t *t, uint64_t cycle);
#endif
