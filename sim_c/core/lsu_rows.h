/* The memory instructions that a load/store unit holds (docs/blocks/lsu.md: rows, order, addresses, ready to go). Sets of threads, rows and
 * warps are bits of a word, kept at each change, so that nothing is searched for in a cycle without an event. */
#ifndef SIM_C_CORE_LSU_ROWS_H
#define SIM_C_CORE_LSU_ROWS_H
#include "lsu_ports.h"
#include "sim_c/common/bits.h"

enum { NO_ROW = LSU_ROWS };

typedef uint64_t tmask_t; /* a bit a thread */

typedef struct {
    uint8_t warp, seq, rd, op, kind, size;
    bool aq, rl, write; /* write: for translation */
    uint64_t pc;
    uint32_t base;
    tmask_t active, spad, global, misaligned, access, page;
    tmask_t walked; /* threads with a frame from a walk */
    /* threads of `unsent` that are in none of the following are being looked up */
    tmask_t unsent, todo, wait, ans, ok, flt, facc;
    bool traced, seen, reported;
    uint8_t entry, pages;
    uint8_t home[HOME_PLACES]; /* of each thread, where warps are formed */
    uint8_t id[THREADS]; /* for a thread in `wait` the walk, in `ans` the slot of the answer */
    /* phys: valid for threads that are `ok` or sent */
    uint64_t addr[THREADS], phys[THREADS], rs2[THREADS], rs3[THREADS];
} row_t;

typedef struct {
    row_t row[LSU_ROWS];
    uint64_t valid, complete, sound; /* sound: complete, and no thread fails the address check */
    uint64_t todo, wait, ans; /* rows that have such threads (todo: sound rows only) */
    uint64_t seen, reported;
    uint64_t dead; /* warps */
    uint64_t unsent; /* warps with complete rows that have such threads, */
    uint8_t unsent_rows[WARPS]; /* and how many such rows each has */
    uint8_t order[LSU_ROWS]; /* the valid ones, oldest first */
    unsigned count, filling;
} rows_t;

/* Conditions beside the row itself for its readiness. */
typedef struct {
    uint64_t dead;
    bool overlap, halt, pf;
} ready_t;

/* The beat that came at the last edge. The row that it completes, or NO_ROW. */
unsigned rows_gather(rows_t *s, const operands_t *o, const lsu_in_t *in, const uint32_t base[WARPS]);
void rows_remove(rows_t *s, unsigned k);
unsigned rows_oldest(const rows_t *s, uint64_t set);
/* The row that the front takes when it has worked on `front` (or NO_ROW) until now, or visited it early; `fresh` is the one completed at this edge. */
unsigned rows_choose(const rows_t *s, unsigned front, bool early, unsigned fresh, bool entries_full,
                     const ready_t *with);
/* May this row be visited early (E1), while its pages are looked up? */
bool rows_early(const rows_t *s, unsigned k);
/* Is some row ready that has an entry, other than `front`? */
bool rows_seen_ready(const rows_t *s, unsigned front, const ready_t *with);

static inline unsigned lowest(uint64_t m)
{
    return (unsigned)__builtin_ctzll(m);
}

static inline tmask_t row_bad(const row_t *r)
{
    return r->misaligned | r->access | r->page;
}

static inline tmask_t row_in_look_up(const row_t *r)
{
    return r->unsent & ~(r->todo | r->wait | r->ans | r->ok | r->flt);
}

/* Only faulted threads are left that could be sent in this mode. */
static inline bool row_settled(const row_t *r, bool overlap)
{
    return r->flt && r->unsent == (r->flt | r->ok) && !(overlap && r->ok);
}

/* These threads of row k have gone to the L1D, or nowhere. */
static inline void rows_sent(rows_t *s, unsigned k, tmask_t threads)
{
    row_t *r = &s->row[k];
    if (r->unsent && !(r->unsent &= ~threads) && !--s->unsent_rows[r->warp])
        s->unsent &= ~BIT(r->warp);
}

static inline void set_to(uint64_t *set, unsigned k, bool in)
{
    *set = (*set & ~BIT(k)) | (uint64_t)in << k;
}
#endif
