/* The judge's list of shootdowns: every one since the judge last dropped its copy of memory, and which of them covers a translation. */
#ifndef SIM_C_REF_JUDGE_SHOTS_H
#define SIM_C_REF_JUDGE_SHOTS_H
#include "sim_c/ref/judge_state.h"

/* Numbered from 1 on in the order in which they are asked for, which is that of their acknowledgements. */
typedef struct {
    inv_t inv;
    uint64_t cores; /* that dropped the covered translations: the others may go on using them */
    uint64_t asked, acknowledged; /* cycles; 0: not yet */
    uint64_t previous
        [2
         /* the previous one of the same page in this address space, by level, then in any address space; of scopes other than INV_PAGE in [0] */
         * REF_LEVELS];
} shot_t;

/* A translation of a core, or a possible one: of a page of an address space, by a leaf of a level, which is global or not. */
typedef struct {
    unsigned core;
    uint64_t vpn;
    uint16_t asid;
    unsigned level;
    bool global;
} covered_t;

judge_shots_t *judge_shots_new(void); /* NULL: no memory */
void judge_shots_free(judge_shots_t *s);
void judge_shots_ask(judge_t *j, const inv_t *inv, uint64_t cores);
void judge_shots_acknowledge(judge_t *j);
bool judge_shots_pending(const judge_t *j);
/* Shootdowns asked for. Later requests to a core are of a later epoch. */
uint64_t judge_epoch(const judge_t *j);
/* The newest that covers it in its core and was acknowledged in that cycle or before; 0: none. */
uint64_t judge_shot_of(const judge_t *j, const covered_t *t, uint64_t cycle);
const shot_t *judge_shot(const judge_t *j, uint64_t number);
/* The newest, if it was of everything in all cores and is acknowledged, so that nothing of before it is left anywhere; else 0. */
uint64_t judge_shots_all(const judge_t *j);
void judge_shots_forget(judge_t *j);
#endif
