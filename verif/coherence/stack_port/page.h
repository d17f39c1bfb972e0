/* The page of stack_port (docs/blocks/stack_port.md) as a program: requests to the scheduler, and each answer with its marks. Marks are kept for the lines that the bench uses. */
#ifndef VERIF_COHERENCE_STACK_PORT_PAGE_H
#define VERIF_COHERENCE_STACK_PORT_PAGE_H
#include "stack_port_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"

enum { PG_KNOWN = 64 };
typedef struct {
    stack_req_t q[2], b;
    unsigned q_n, lines;
    bool b_valid;
    uint64_t line[PG_KNOWN]; /* their numbers in the stack */
    line_mask_t marks[PG_KNOWN], m[STACK_READERS];
    stack_port_out_t out;
} page_t;

static line_mask_t *page_marks(page_t *p, uint64_t line)
{
    const uint64_t n = local_of(line);
    unsigned k = 0;
    while (k < p->lines && p->line[k] != n)
        k++;
    if (k == p->lines && k < PG_KNOWN)
        p->line[p->lines++] = n;
    return &p->marks[k % PG_KNOWN];
}

static void page_show(page_t *p)
{
    stack_port_out_t *o = &p->out;
    const stack_req_t *r = &p->q[0];
    o->stack_req_ready = p->q_n < 2;
    o->home_req_valid = p->q_n != 0;
    memset(&o->home_req, 0, sizeof o->home_req);
    o->home_req.line = r->line;
    o->home_req.op = r->write ? HOME_WRITE_BACK : HOME_READ;
    o->home_req.state = r->write ? NMOESI_M : NMOESI_I;
    if (!r->write)
        o->home_req.id = r->id;
    for (unsigned i = 0; r->write && i < BE_WORDS; i++)
        o->home_req.be.w[i] = r->be.w[i];
    for (unsigned i = 0; r->write && i < LINE_BYTES; i++)
        if (r->be.w[i / 64] >> i % 64 & 1)
            o->home_req.data.w[i / 8] |= r->data.w[i / 8] & 0xffull << i % 8 * 8;
    o->idle = !p->q_n && !p->b_valid && !o->stack_rsp_valid;
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const stack_port_in_t *in)
{
    stack_port_out_t *o = &p->out;
    const bool comes = in->stack_req_valid && o->stack_req_ready, goes = o->home_req_valid && in->home_req_ready;
    o->stack_rsp_valid = in->home_rsp_valid; /* 4: before 2, which has reads of other ids */
    o->stack_rsp.id = (__typeof__(o->stack_rsp.id))in->home_rsp.id;
    o->stack_rsp.data = in->home_rsp.data;
    if (in->home_rsp_valid)
        o->stack_rsp.marks = p->m[in->home_rsp.id];
    if (p->b_valid) { /* 2 */
        line_mask_t *marks = page_marks(p, p->b.line);
        line_be_t now = be_of_mask(marks);
        for (unsigned i = 0; i < LINE_BYTES && p->b.write; i++)
            if (grain_touched(&p->b.be, i))
                now.w[i / 64] = (now.w[i / 64] & ~(1ull << i % 64)) | (uint64_t)mask_has(&p->b.marks, i) << i % 64;
        *marks = mask_of_be(&now);
        if (!p->b.write)
            p->m[p->b.id] = *marks;
    }
    if (goes) { /* 3 */
        p->q[0] = p->q[1];
        p->q_n--;
    }
    p->b_valid = comes; /* 1 */
    if (comes)
        p->b = p->q[p->q_n++] = in->stack_req;
    page_show(p);
}
#endif
