/* The judge's view of address translation: which frame a core may find a page in, and which failures it may find. */
#ifndef SIM_C_REF_JUDGE_PAGES_H
#define SIM_C_REF_JUDGE_PAGES_H
#include "sim_c/ref/judge_shots.h"

judge_pages_t *judge_pages_new(void); /* NULL: no memory */
void judge_pages_free(judge_pages_t *p);
void judge_pages_begin(judge_t *j);
/* Register accesses of the host that concern translation, and their results. */
void judge_pages_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
bool judge_sv48(const judge_t *j, unsigned core);
const root_t *judge_root(const judge_t *j, unsigned core);
/* Changes whenever something that was legal may no longer be. */
uint64_t judge_pages_stamp(const judge_t *j);

/* A question about an address: which translations can a core have made of it? */
typedef struct {
    unsigned core;
    uint64_t va;
    ref_use use;
    uint64_t shot;  /* shootdowns count that were acknowledged in this cycle or before (UINT64_MAX: all) */
    uint64_t
        after; /* only PTEs that were read after this cycle count (with a shared walker: of a failure its own PTE only) */
    uint64_t until; /* ... and not after this one */
    bool old; /* shootdowns do not count: for the report of an error that has been found */
} asked_t;
/* Goes through the translations of an address, each as PTEs give it that the core has read since the newest shootdown that covers it; stops where `right` returns true. */
bool judge_some_translation(const judge_t *j, const asked_t *a, bool (*right)(const ref_translation *t, void *with),
                            void *with);
/* The newest shootdown that covers a translation of `a`, or with NULL one that has not been made; 0: none. */
uint64_t judge_covering(const judge_t *j, const asked_t *a, const ref_translation *t);

/* May a core have found `va` in that frame? Bare: va itself. */
bool judge_frame_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, uint64_t ppn);
/* May its translation have failed so? `shot`, `after`: as of asked_t. */
bool judge_fault_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, ref_verdict verdict, uint64_t shot,
                       uint64_t after);
#endif
