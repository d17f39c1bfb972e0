/* Step 3: the outputs of s2 to s3 and `rq`, its effect on its row, and whether it leaves. */
#ifndef VERIF_COHERENCE_L2C_PAGE_S2_H
#define VERIF_COHERENCE_L2C_PAGE_S2_H
#include "verif/coherence/l2c/page_addresses.h"
#include "verif/coherence/l2c/page_needs.h"

/* Step 3: the line that s2 is about, which names its row. */
static uint64_t page_s2_line(const page_s2_t *s)
{
    return s->kind == PG_FLUSH || s->kind == PG_PROBE ? s->victim : s->n.req.line;
}

/* Step 3. Returns whether s2 leaves. */
static bool page_s2(page_t *p, page_s3_t *to, bool s3_free, const page_way_t *amo_row, bool amo_hold, bool fill_now)
{
    page_s2_t *s = &p->s2;
    if (!s->valid || !s3_free)
        return false;
    page_way_t *row = &p->cache[page_set(page_s2_line(s))][s->way];
    const bool clash = amo_hold && amo_row == row;
    switch (s->kind) {
    case PG_ALLOC:
    case PG_FLUSH:
        if (s->wb) {
            if (clash)
                return false;
            *to = (page_s3_t){.valid = true,
                              .kind = PG_WB,
                              .state = s->vstate,
                              .row = row,
                              .n = s->n,
                              .line = s->victim,
                              .data = row->data,
                              .keep = s->kind == PG_FLUSH && !page_forgets(&p->job)};
            s->wb = false;
            /* The read of a line must not pass its write-back. */
            if (s->kind == PG_ALLOC && s->victim == s->n.req.line)
                return false;
        }
        memset(row->data.own, 0, sizeof row->data.own);
        if (s->kind == PG_ALLOC) {
            const mem_req_t *r = &s->n.req;
            static const unsigned ops[] = {
                [PG_LOAD] = HOME_READ, [PG_N_STORE] = HOME_N_READ, [PG_STORE] = HOME_READ_OWN};
            p->rq[p->rq_n++] = (page_send_t){ops[page_what(r)], PG_TOP | s->k, r->cls, r->asid, s->n.src, r->line};
        }
        return true;
    case PG_READ:
        if (clash)
            return false;
        *to = (page_s3_t){.valid = true, .kind = PG_READ, .row = row, .n = s->n, .data = row->data};
        return true;
    case PG_AMO:
        if (clash && !s->fail)
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_AMO, .row = s->fail ? NULL : row, .n = s->n, .data = row->data, .fail = s->fail};
        if (s->n.req.amo != AMO_LR && !s->fail)
            memset(row->data.own + s->n.req.amo_off, true, s->n.req.amo_dword ? 8 : 4);
        return true;
    case PG_PROBE:
        if (clash && s->vstate != 'I')
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_ACK, .state = s->vstate, .row = row, .line = s->victim, .data = row->data};
        if (!s->gives)
            memset(to->data.own, 0, sizeof to->data.own);
        if (s->vstate != 'I' && s->probe != PROBE_READ)
            memset(row->data.own, 0, sizeof row->data.own);
        return true;
    default:
        if (fill_now || amo_hold)
            return false;
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            row->data.own[i] |= grain_touched(&s->n.req.be, i);
            if (be_has(&s->n.req.be, i))
                row->data.b[i] = ((const uint8_t *)s->n.req.data.w)[i];
        }
        *to = (page_s3_t){.valid = true, .kind = PG_WRITE, .row = row, .n = s->n};
        return true;
    }
}
#endif
