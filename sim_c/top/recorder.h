/* The last events of the device's trace ports, as text for a report of the lockstep. */
#ifndef SIM_C_TOP_RECORDER_H
#define SIM_C_TOP_RECORDER_H
#include "vellum_ports.h"
#include <stddef.h>

enum { RECORDED = 32 };

typedef struct {
    uint64_t cycle;
    uint8_t core, kind;
    union {
        issued_t issue;
        wb_t wb;
        memtrace_t mem;
        redirect_t redirect;
        start_t start;
    } u;
} recorded_t;

typedef struct {
    recorded_t event[RECORDED];
    uint64_t count;
} recorder_t; /* all zero at first */

void recorder_cycle(recorder_t *r, uint64_t cycle, const vellum_out_t *o);
/* Appends the events to `text`, a line each, the oldest first; as many of the newest as fit into `size` bytes. */
void recorder_append(const recorder_t *r, char *text, size_t size);
#endif
