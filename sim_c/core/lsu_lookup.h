/* Look-ups, misses and answers of a load/store unit (docs/blocks/lsu.md: look-ups 1 to 8). */
#ifndef SIM_C_CORE_LSU_LOOKUP_H
#define SIM_C_CORE_LSU_LOOKUP_H
#include "sim_c/core/lsu_rows.h"

enum { ANSWERS = MAX_TLB_MSHRS + 1 };

/* Pages of one row on their way: in lk, fk or mq. */
typedef struct {
    /* more: some pages of the row are not looked up yet; early: its threads have already been sent to the L1D */
    bool valid, write, more, early;
    uint8_t row, warp;
    uint32_t ports;
    uint64_t vpn[TLB_PORTS];
    tmask_t mask[TLB_PORTS];
} pages_t;

typedef struct {
    uint8_t lrow, ap; /* row numbers, or NO_ROW */
    pages_t lk, fk, mq[2];
    unsigned nmq;
    bool asked_valid;
    uint8_t asked_row;
    tmask_t asked;
    struct {
        uint8_t result;
        leaf_t leaf;
    } answer[ANSWERS];
    unsigned head, nanswers;
} lookup_t;

void lookup_reset(lookup_t *s);
void lookup_out(const lookup_t *s, lsu_out_t *o);
/* Rows with threads in look-up, `wait` or `ans`. */
uint64_t lookup_busy(const lookup_t *s, const rows_t *rows);
/* Is a look-up shown that is all of its row's pages, and one? */
bool lookup_early(const lookup_t *s);
/* Is what went to the L1D with its look-up sent by it? */
bool lookup_kept(const lookup_t *s, const lsu_in_t *in);
/* The row that look-up 2 takes pages of at this edge, or NO_ROW. Before the edge's steps. */
unsigned lookup_used(const lookup_t *s, const rows_t *rows, const lsu_in_t *in, uint64_t busy, uint64_t dead);
/* Look-up 4, its effect on the row. Before the front chooses. */
void lookup_found(lookup_t *s, rows_t *rows, const lsu_in_t *in);
/* The rest, after the front has chosen; `early`: the L1D takes an early request; `busy` are the rows of before the edge. False if it had nothing to do. */
bool lookup_tick(lookup_t *s, rows_t *rows, const lsu_in_t *in, bool early, uint64_t busy, uint64_t dead, ev_lsu_t *ev);
/* After the edge's other steps: all that was translated and not sent is to be looked up again. */
void lookup_invalidate(lookup_t *s, rows_t *rows);
/* Is nothing under way, apart from walks? */
bool lookup_rests(const lookup_t *s, const rows_t *rows);
#endif
