/* The last events of the device's trace ports, as text for a report of the lockstep. */
#ifndef SIM_C_TOP_RECORDER_H
#define SIM_C_TOP_RECORDER_H
#include "lsu_ports.h"
#include "sim_c/top/vellum.h"
#include "tlb_ports.h"
#include "tlb_mshr_ports.h"
#include "vm_ctl_ports.h"
#include <stddef.h>

enum { RECORDED = 32 };

/* A page that a core has looked up, or for which a walk has ended. */
typedef struct {
    uint64_t vpn, ppn;
    uint16_t asid;
    uint8_t warp, result;
    bool store, hit;
} recorded_page_t;

typedef struct {
    uint64_t cycle;
    uint8_t core, kind;
    union {
        issued_t issue;
        wb_t wb;
        memtrace_t mem;
        redirect_t redirect;
        start_t start;
        recorded_page_t page;
    } u;
} recorded_t;

typedef struct {
    recorded_t event[RECORDED];
    uint64_t count;
    struct {
        const lsu_out_t *lsu;
        const tlb_out_t *tlb;
        const tlb_mshr_out_t *mshr;
        uint64_t looks; /* look-ups of the cycle before, a bit a port */
        look_t look[TLB_PORTS];
        /* by port: the page that was answered last, or is being looked up if none was */
        recorded_page_t last[TLB_PORTS];
        bool any;
    } core[CORES];
    const vm_ctl_out_t *vm; /* NULL: there is no model, and nothing is known of pages */
} recorder_t; /* all zero at first */

/* Look-ups and walks are recorded as this model has them. */
void recorder_watch(recorder_t *r, const vellum_t *m);
/* The last look-up of a core at this port, as words: "page 0x.. of ASID .., a load of warp .."; false: nothing yet. */
bool recorder_look_up(const recorder_t *r, unsigned core, unsigned port, char *text, size_t size);

void recorder_cycle(recorder_t *r, uint64_t cycle, const vellum_out_t *o);
/* Appends the events to `text`, a line each, the oldest first; as many of the newest as fit into `size` bytes. */
void recorder_append(const recorder_t *r, char *text, size_t size);
#endif
