/* Passes of the pipes that divide, for the pages of idiv and fdiv: beats wait in a queue; the lanes of the first go through the dividers in groups of DIV_LANES, the
 * lowest first; a group without an active lane needs no pass, but a beat has one pass at least. */
#ifndef VERIF_CORE_PASSES_H
#define VERIF_CORE_PASSES_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "vl_types.h"

enum { PASS_GROUPS = LANES / DIV_LANES };
typedef struct {
    operands_t queue[BEATS + 1];
    unsigned n, left; /* left: cycles that the pass at work still takes */
    bool todo[PASS_GROUPS];
    enum { AT_REST, AT_LOAD, AT_WORK, AT_END } phase;
} passes_t;

/* The step of a cycle: none that matters to the page; the first beat of the queue begins (passes_of); a pass begins (passes_next gives its group, and `left` is to be
 * set); the beat is done. */
enum pass_step { PASS_NONE, PASS_BEGIN, PASS_LOAD, PASS_DONE };

static inline enum pass_step passes_step(passes_t *p)
{
    bool more = false;
    for (unsigned g = 0; g < PASS_GROUPS; g++)
        more |= p->todo[g];
    switch (p->phase) {
    case AT_REST:
        if (!p->n)
            return PASS_NONE;
        p->phase = AT_LOAD;
        return PASS_BEGIN;
    case AT_WORK:
        if (!--p->left)
            p->phase = AT_END;
        return PASS_NONE;
    case AT_END:
        if (!more) {
            p->phase = AT_REST;
            return PASS_DONE;
        } /* fallthrough */
    default: p->phase = AT_WORK; return PASS_LOAD;
    }
}

/* The groups of a mask with an active lane need a pass. */
static inline void passes_of(passes_t *p, uint64_t mask)
{
    for (unsigned g = 0; g < PASS_GROUPS; g++)
        p->todo[g] = (mask >> g * DIV_LANES & ((1ull << DIV_LANES) - 1)) != 0;
}

/* Takes the lowest group that needs a pass: its lanes; 0 without one. */
static inline uint64_t passes_next(passes_t *p)
{
    for (unsigned g = 0; g < PASS_GROUPS; g++)
        if (p->todo[g]) {
            p->todo[g] = false;
            return ((1ull << DIV_LANES) - 1) << g * DIV_LANES;
        }
    return 0;
}

/* The end of a cycle: a beat that is done leaves the queue, one that comes goes behind the others. */
static inline void passes_queue(passes_t *p, enum pass_step step, bool comes, const operands_t *beat)
{
    if (step == PASS_DONE)
        memmove(p->queue, p->queue + 1, --p->n * sizeof *p->queue);
    if (comes)
        p->queue[p->n++] = *beat;
}
#endif
