/* Step 7: answer and store of an atomic, and reservations. */
#ifndef VERIF_COHERENCE_L2C_PAGE_ATOMIC_H
#define VERIF_COHERENCE_L2C_PAGE_ATOMIC_H
#include "verif/coherence/l2c/page_state.h"

static bool page_atomic(const page_t *p, const page_s3_t *s, uint64_t *image, uint64_t *stored)
{
    return page_performs(p->resv, &s->n, s->old, s->fail, image, stored);
}

/* At leaving. */
static void page_left_s3(page_t *p, const page_s3_t *s)
{
    uint64_t image, stored;
    if (s->kind == PG_WRITE || s->kind == PG_AMO)
        page_reserve(p->resv, &s->n, s->kind == PG_WRITE || page_atomic(p, s, &image, &stored));
}
#endif
