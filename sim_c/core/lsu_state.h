/* State of a load/store unit, and the parts of its clock edge (docs/blocks/lsu.md). The front's outputs are a function of the state: they are
 * computed once, at the end of each edge, and kept (`view`). */
#ifndef SIM_C_CORE_LSU_STATE_H
#define SIM_C_CORE_LSU_STATE_H
#include "sim_c/core/homes.h"
#include "sim_c/core/lsu_lookup.h"
#include "sim_c/core/lsu_rows.h"

enum { STORE_LIMIT = 254 };
#define LANE_BITS (LANES == 64 ? ~0ull : (1ull << (LANES % 64)) - 1)
#define ALL_ENTRIES (LSU_ENTRIES == 32 ? ~0u : (1u << (LSU_ENTRIES % 32)) - 1)

typedef struct {
    bool sign;
    uint8_t warp, seq, rd, size;
    tmask_t left;
    uint8_t off[THREADS];
} entry_rec_t;

typedef struct {
    uint8_t data[SECTOR_BYTES], be[SECTOR_BYTES / 8];
} bytes_t; /* of a sector, and which of them are there */

/* A store or atomic on its way into a sector. */
typedef struct {
    bool valid, final, atomic;
    uint8_t warp, size, amo, entry, sector;
    uint32_t hart;
    uint64_t line;
    tmask_t threads;
    uint64_t lanes;
    uint8_t off[LANES];
    uint64_t rs2[LANES], rs3[LANES];
} st_t;

/* An early request that was taken at the last edge. */
typedef struct {
    bool valid;
    uint8_t entry, row;
    sent_t sent; /* with the line's bits within the page */
} early_t;

enum step { NOTHING, DROP, LEAVE, FAULT, WG, FENCE, POST, SETTLED, PRE, WAIT_ENTRY, ACTIVE, EARLY };

/* The front's outputs in this cycle. */
typedef struct {
    enum step step;
    bool shootdown; /* INVAL is shown for it */
    bool inval, load, take; /* outputs of the front; take: st takes beat st_beat when it has room */
    unsigned entry;
    tmask_t left, l; /* P and L of the page */
    unsigned leader, st_beat;
    bool spad_valid, trace_valid;
    unsigned spad_beat;
    spad_req_t spad;
    memtrace_t trace;
    l1d_req_t req; /* at l1d_req, when req_valid */
    bool req_valid;
} view_t;

struct lsu {
    uint32_t core;
    bool in_valid;
    operands_t in;
    rows_t rows;
    uint32_t base[WARPS];
    unsigned held, credits;
    /* of requests sent to l1d: stores not yet performed; loads and atomics not yet answered; atomics among these */
    unsigned unacked, loads, atomics;
    /* front */
    uint8_t front; /* a row, or NO_ROW */
    bool stirred; /* a row may have become ready since the front last looked */
    bool early; /* its visit is an early one */
    bool pre, post;
    unsigned tbeat;
    tmask_t lmask, lseen, pseen;
    uint32_t sdone;
    st_t st;
    bytes_t acc;
    /* translation */
    lookup_t lookup;
    bool halt, sd, done, pf_valid, sent_valid;
    sent_t sent;
    early_t ek;
    page_fault_t pf;
    /* results */
    entry_rec_t entry[MAX_LSU_ENTRIES];
    uint32_t entries, entries_atomic; /* sets of entries: valid, and of atomics */
    unsigned xcount;
    result_t x[2];
    bool l_valid, sp_valid, fr_valid, fault_valid;
    l1d_rsp_t l;
    spad_rsp_t sp;
    uint8_t fr_warp, fr_seq;
    fault_t fault;
    ev_lsu_t ev;
    view_t view;
    bool still; /* everything inside waits for a ready or an answer: until one comes, edges change nothing */
};

static inline tmask_t beat_of(tmask_t m, unsigned beat)
{
    return m >> beat * LANES & LANE_BITS;
}

static inline uint32_t hart_of(const lsu_t *s, unsigned warp, unsigned thread)
{
    return ((s->core * WARPS + warp) * THREADS + thread) & ((1u << HART_W) - 1);
}

static inline unsigned sector_of(uint64_t addr)
{
    return addr % LINE_BYTES / SECTOR_BYTES;
}

/* Threads that leave an entry without a record. */
typedef struct {
    unsigned entry;
    tmask_t threads;
} dropped_t;

enum fate { STAYS, LEAVES, PASSES, POPS }; /* PASSES: an early visit ends */

/* The front's outputs until the next edge. */
void lsu_show(lsu_t *s, const lsu_in_t *in);
/* Does the front only wait at this edge, its fate aside? */
bool lsu_front_waits(const lsu_t *s, const lsu_in_t *in);
/* The front's step. A row that pops is still among the rows. */
enum fate lsu_front(lsu_t *s, const lsu_in_t *in, bool another_ready, dropped_t *dropped);

/* The row's threads fail the check: its warp ends with them (step 2). */
void lsu_fault(lsu_t *s, const row_t *r);
/* The host is to map the pages of the row's faulted threads (step 6). */
void lsu_report(lsu_t *s, row_t *r);

/* The store or atomic in st, at l1d_req. */
void lsu_store_show(lsu_t *s);
/* st takes the threads of one beat of the sector that the front shows. Those that are left of it. */
tmask_t lsu_store_take(lsu_t *s, const row_t *r);
/* The request that is shown is taken, or st gives way. True if st can take threads at this edge. */
bool lsu_store_send(lsu_t *s, bool sent);

bool lsu_rsp_ready(const lsu_t *s);
void lsu_results(lsu_t *s, const lsu_in_t *in, bool fr_was);
#endif
