/* The page of mem_arb (docs/blocks/mem_arb.md) as a program: the request of each cycle, with its fields, the source of each answer, and every event. */
#ifndef VERIF_NOC_MEM_ARB_PAGE_H
#define VERIF_NOC_MEM_ARB_PAGE_H
#include "mem_arb_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    mem_req_t queue[3][2]; /* of l1i, ptw, l1d; the head first */
    unsigned n[3], last, shown, count;
    bool held, lr;
    uint64_t lr_line;
    uint32_t lr_hart;
    mem_arb_out_t out;
} page_t;

enum { PAGE_SOURCE = 1 << (MEM_IDX_W + 2), PAGE_KIND = 1 << MEM_IDX_W };

/* Outputs by the state, except responses and events. */
static void page_show(page_t *p, uint16_t asid)
{
    mem_arb_out_t *o = &p->out;
    o->l1i_req_ready = p->n[0] < 2;
    o->ptw_req_ready = p->n[1] < 2;
    o->l1d_req_ready = p->n[2] < 2;
    o->idle = p->count == 0;
    o->mem_req_valid = p->n[0] || p->n[1] || p->n[2];
    if (!o->mem_req_valid)
        return;
    for (unsigned k = 1; !p->held && k <= 3; k++)
        if (p->n[(p->last + k) % 3]) {
            p->shown = (p->last + k) % 3;
            break;
        }
    const mem_req_t *r = &p->queue[p->shown][0];
    if (p->shown == 2) {
        o->mem_req = *r;
    } else {
        o->mem_req = (mem_req_t){.op = MEM_READ, .cls = r->cls, .line = r->line};
        o->mem_req.id = (uint16_t)((r->id & (PAGE_KIND - 1)) | PAGE_SOURCE | (p->shown == 1 ? PAGE_KIND : 0));
    }
    o->mem_req.asid = asid;
}

static void page_begin(page_t *p)
{
    p->last = 2;
    page_show(p, 0);
}

/* What of l1d's goes into its queue. */
static mem_req_t page_reserve(page_t *p, mem_req_t r)
{
    const bool lr = r.op == MEM_AMO && r.amo == AMO_LR, sc = r.op == MEM_AMO && r.amo == AMO_SC;
    r.id &= PAGE_SOURCE - 1;
    r.sc_fail = sc && !(p->lr && p->lr_hart == r.hart && p->lr_line == r.line);
    if (lr)
        p->lr = true, p->lr_hart = r.hart, p->lr_line = r.line;
    if (sc && p->lr_hart == r.hart)
        p->lr = false;
    return r;
}

static void page_expect(page_t *p, const mem_arb_in_t *in)
{
    mem_arb_out_t *o = &p->out;
    const bool comes[3] = {in->l1i_req_valid && o->l1i_req_ready, in->ptw_req_valid && o->ptw_req_ready,
                           in->l1d_req_valid && o->l1d_req_ready};
    const mem_req_t *req[3] = {&in->l1i_req, &in->ptw_req, &in->l1d_req};
    const bool goes = o->mem_req_valid && in->mem_req_ready;
    p->count -= o->l1i_rsp_valid || o->ptw_rsp_valid || o->l1d_rsp_valid;
    o->ev = (ev_mem_arb_t){.mem_reads = goes && o->mem_req.op == MEM_READ,
                           .mem_writes = goes && o->mem_req.op == MEM_WRITE,
                           .mem_atomics = goes && o->mem_req.op == MEM_AMO,
                           .mem_stalls = o->mem_req_valid && !goes};
    p->held = o->mem_req_valid && !goes;
    if (goes) {
        p->queue[p->shown][0] = p->queue[p->shown][1];
        p->n[p->shown]--;
        p->last = p->shown;
    }
    for (unsigned k = 0; k < 3; k++)
        if (comes[k]) {
            p->queue[k][p->n[k]++] = k == 2 ? page_reserve(p, *req[k]) : *req[k];
            p->count++;
        }
    const unsigned id = in->mem_rsp.id;
    mem_rsp_t answer = in->mem_rsp;
    answer.id = (uint16_t)(id & ~(id & PAGE_SOURCE ? PAGE_SOURCE | PAGE_KIND : PAGE_SOURCE));
    o->l1d_rsp_valid = in->mem_rsp_valid && !(id & PAGE_SOURCE);
    o->l1i_rsp_valid = in->mem_rsp_valid && id & PAGE_SOURCE && !(id & PAGE_KIND);
    o->ptw_rsp_valid = in->mem_rsp_valid && id & PAGE_SOURCE && id & PAGE_KIND;
    o->l1d_rsp = o->l1i_rsp = o->ptw_rsp = answer;
    page_show(p, in->asid);
}
#endif
