/* The file of a timeline, and the lanes around the cores: the host (page faults, shootdowns, evictions), and the memory chips. */
#ifndef SIM_C_TOP_TRACE_LANES_H
#define SIM_C_TOP_TRACE_LANES_H
#include "sim_c/top/trace_internal.h"
#include "vl_regs.h"

enum { LINKS_PID = CORES + 1, WALKS_PID, HOST_PID, DRAM_PID };
enum { FAULTS, SHOOTDOWNS, EVICTIONS, HOST_LANES };
enum { PINS_BANK_W = CH_GROUP_W + CH_LOCAL_W, BANKS_OF_PINS = 1 << PINS_BANK_W };

/* Something that the host is at. */
typedef struct {
    bool on, named;
    uint64_t begin;
    char name[64];
} doing_t;

typedef struct {
    bool open, named;
    uint64_t begin, row;
} bank_t;

typedef struct {
    FILE *f;
    const trace_view_t *view;
    bool some; /* the file has an event already */
    bool host_named, dram_named;
    uint32_t reads; /* the register of the last read that was taken */
    reg_pf_what_t what;
    uint64_t asked; /* since when a fault waits for the host; NOBODY: none does */
    uint64_t page, cores; /* last values written to INV_PAGE and INV_CORES */
    doing_t host[HOST_LANES];
    bank_t bank[MEM_CHANNELS][BANKS_OF_PINS];
} lanes_t;

void lanes_begin(lanes_t *t, FILE *f, const trace_view_t *view);
/* Is a slice in the window? */
bool lanes_has(const lanes_t *t, uint64_t from, uint64_t to);
/* `more`: further fields of the event, each after a comma. */
void lanes_slice(lanes_t *t, unsigned pid, unsigned tid, const char *name, const char *category, uint64_t from,
                 uint64_t to, const char *more);
void lanes_label(lanes_t *t, const char *what, unsigned pid, unsigned tid, const char *name);
/* A point of a track of values. */
void lanes_value(lanes_t *t, uint64_t cycle, const char *name, double value);
void lanes_cycle(lanes_t *t, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o);
void lanes_mark(lanes_t *t, uint64_t cycle, const char *what);
void lanes_end(lanes_t *t, uint64_t cycle);
#endif
