/* Fixed-latency memory behind the cores' line interface (mem_pkg): what the device talks to until L2 and DRAM exist.
 *
 * One port a core. A port is always ready; a request taken in cycle t is performed in cycle t, ports in ascending order, and
 * answered in cycle t + latency. Atomics are performed here (docs/isa.md, Memory).
 */
#ifndef SIM_C_MEM_MEMORY_H
#define SIM_C_MEM_MEMORY_H
#include "vl_types.h"

typedef struct memory memory_t;

/* NULL when the host has no memory. [base, limit) reads zero; pages cost nothing until touched. */
memory_t *memory_new(unsigned latency);
void memory_free(memory_t *m);
/* Once, before any access. 0, or -1 when the range cannot be had. */
int memory_window(memory_t *m, uint64_t base, uint64_t limit);
/* The bytes at addr, for loading and dumping; NULL outside the window. */
uint8_t *memory_at(memory_t *m, uint64_t addr, uint64_t bytes);
/* Forgets what is in flight and all reservations. */
void memory_reset(memory_t *m);

/* The response of a port in this cycle, or NULL. Stays until memory_tick. */
const mem_rsp_t *memory_response(const memory_t *m, unsigned port);
/* The request a port sends in this cycle. */
void memory_request(memory_t *m, unsigned port, const mem_req_t *req);
/* End of the cycle. */
void memory_tick(memory_t *m);
/* Cycles until the next response (0: now; UINT64_MAX: none is due), and the jump over cycles without requests. */
uint64_t memory_due(const memory_t *m);
void memory_skip(memory_t *m, uint64_t cycles);
#endif
