/* Writes a trace of memory requests for other DRAM simulators: one line `0xADDRESS READ|WRITE CYCLE` a request, in order of cycle
 * (docs/dram-device.md, Traces).
 */
#ifndef SIM_C_DRAM_TRACE_H
#define SIM_C_DRAM_TRACE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct dram_trace dram_trace_t;

/* The file appears under its name when the trace is closed: never half a trace. SIM_EIO, SIM_ENOMEM. */
int dram_trace_open(dram_trace_t **out, const char *path);
/* `address`: the first byte, within the channel; `cycle`: the DRAM clock in which the request arrived. SIM_EINVAL when the
 * cycle is before the last one's. */
int dram_trace_add(dram_trace_t *t, uint64_t address, bool write, uint64_t cycle);
/* SIM_EIO when anything could not be written; the file is not there then. The handle is gone either way. NULL does nothing. */
int dram_trace_close(dram_trace_t *t);
#endif
