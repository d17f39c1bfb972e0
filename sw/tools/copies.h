/* Cycles of copies between the host and the device (docs/workloads.md, Copies; docs/command.md, --copies). */
#ifndef VELLUM_COPIES_H
#define VELLUM_COPIES_H

#include "sw/runtime/vellum.h"

/* Whether the cycles of copies are counted, and which buffers are copied back. */
enum copies { UNCOUNTED, COPY_RESULTS, COPY_ALL };

/* "results" or "all"; false: neither. */
bool copies_parse(const char *word, enum copies *out);
/* Lines that the host has written leave its cache; *cycles: the time of this, without that of a walk through empty caches. `any` is an address of a buffer. */
int copies_settle(vl_device *dev, vl_ptr any, uint64_t *cycles);

#endif
