/* See judge_slices.h. */
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GRAINS = LINE_BYTES / MASK_GRAIN, SLICES_IN_ALL = SMDS + HMDS };

/* Of a line into which a slice has stored. */
typedef struct {
    /* stored, and not yet given home; the same, and bytes of atomics that may not have stored */
    line_be_t stored, touched;
} own_t;

struct judge_slices {
    map_t of; /* number of the record by slice and line; 0: none */
    own_t *own; /* number n: own[n - 1] */
    unsigned n, room;
};

judge_slices_t *judge_slices_new(void)
{
    return calloc(1, sizeof(judge_slices_t));
}

void judge_slices_free(judge_slices_t *s)
{
    if (!s)
        return;
    map_free(&s->of);
    free(s->own);
    free(s);
}

void judge_slices_reset(judge_t *j)
{
    map_clear(&j->slices->of);
    j->slices->n = 0;
}

/* ---- grains ---------------------------------------------------------------------------------------------------------- */

static unsigned grain_of(const line_be_t *be, unsigned g)
{
    const unsigned at = g * MASK_GRAIN;
    return (unsigned)(be->w[at / 64] >> at % 64) & ((1u << MASK_GRAIN) - 1);
}

/* Grains of which some byte is there, or only those of which all are. */
static line_be_t grains(const line_be_t *be, bool whole)
{
    const unsigned all = (1u << MASK_GRAIN) - 1;
    line_be_t to = {{0}};
    if ((int)MASK_GRAIN == 1)
        return *be;
    for (unsigned g = 0; g < GRAINS; g++)
        if (whole ? grain_of(be, g) == all : grain_of(be, g) != 0)
            to.w[g * MASK_GRAIN / 64] |= (uint64_t)all << g * MASK_GRAIN % 64;
    return to;
}

bool judge_store_coherent(const mem_req_t *q)
{
    const line_be_t whole = grains(&q->be, true);
    return q->op == MEM_STORE || (q->op == MEM_WRITE && be_beyond(&q->be, &whole));
}

/* ---- records --------------------------------------------------------------------------------------------------------- */

static uint64_t key_of(unsigned slice, uint64_t line)
{
    return line * SLICES_IN_ALL + slice;
}

static own_t *own_new(judge_t *j, unsigned slice, uint64_t line)
{
    judge_slices_t *s = j->slices;
    uint64_t *number = map_put(&s->of, key_of(slice, line));
    if (number && !*number) {
        own_t *to = judge_room(j, s->own, s->n, &s->room, sizeof *to);
        if (to) {
            s->own = to;
            *number = ++s->n;
            to[*number - 1] = (own_t){0};
        }
    } else if (!number) {
        judge_out_of_memory(j);
    }
    return number && *number ? &s->own[*number - 1] : NULL;
}

/* An atomic has certainly stored: its answer shows it. */
static bool stores(const mem_req_t *q, uint64_t answer)
{
    const uint64_t operand = size_mask(q->amo_dword ? 8 : 4);
    return q->amo == AMO_SC ? !(answer & 1) : q->amo != AMO_CAS || !((answer ^ q->data.w[1]) & operand);
}

void judge_slice_stored(judge_t *j, unsigned slice, const mem_req_t *q, uint64_t answer)
{
    const bool amo = q->op == MEM_AMO, stored = !amo || stores(q, answer);
    line_be_t be = q->be;
    if (!j->messages || q->op == MEM_READ || (amo && q->amo == AMO_LR))
        return;
    if (amo) {
        be = (line_be_t){{0}};
        be.w[q->amo_off / 64] = (q->amo_dword ? 0xffull : 0xfull) << q->amo_off % 64;
    }
    if (stored && (amo || judge_store_coherent(q)) && !judge_line_alone(j, slice, q->line))
        judge_differ_block(j, q->line * LINE_BYTES, slice < SMDS ? slice / CHANNELS : DEVICES,
                           "its slice stores coherently into line %u, which it does not hold alone",
                           (unsigned)(q->line % BLOCK_LINES));
    own_t *o = be_none(&be) ? NULL : own_new(j, slice, q->line);
    if (!o)
        return;
    be_add(&o->touched, &be);
    if (stored)
        be_add(&o->stored, &be);
}

void judge_slice_gives(judge_t *j, unsigned slice, uint64_t line, unsigned state, const line_be_t *be, bool keeps)
{
    static const own_t none;
    uint64_t *number = map_get(&j->slices->of, key_of(slice, line));
    own_t *o = number && *number ? &j->slices->own[*number - 1] : NULL;
    const line_be_t must = o ? o->stored : none.stored,
                    may = grains(o ? state == NMOESI_N ? &o->stored : &o->touched : &none.stored, state == NMOESI_N);
    if (be_beyond(&must, be) || be_beyond(be, &may))
        judge_differ_block(j, line * LINE_BYTES, slice < SMDS ? slice / CHANNELS : DEVICES,
                           "its slice gives bytes %s of line %u, held in %s; it has stored %s of it",
                           judge_be_text(be).s, (unsigned)(line % BLOCK_LINES),
                           state == NMOESI_N ? "N, with others" : "another state than N", judge_be_text(&must).s);
    if (o && !keeps)
        *o = none;
}
