/* The page of smd (docs/blocks/smd.md) as a program: the directory, fetches and evictions, the answer to a probe, maintenance; every output and event of each
 * cycle. Step numbers, phases and stages are the page's. An edge calls its steps here; each step is in the header of its part. */
#ifndef VERIF_COHERENCE_SMD_PAGE_H
#define VERIF_COHERENCE_SMD_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/coherence/smd/page_job.h"
#include "verif/coherence/smd/page_s1.h"
#include "verif/coherence/smd/page_show.h"
#include "verif/coherence/smd/page_transact.h"

static void page_begin(page_t *p)
{
    for (unsigned i = 0; i < PG_PLACES; i++)
        p->table[i].block = i; /* tag 0 */
    page_show(p);
}

/* Taken messages leave their queues; all queues move before anything enters. */
static void page_taken(page_t *p, const page_t *was, const smd_in_t *in)
{
#define PAGE_TAKEN(port, q) \
    if (was->q##_n && in->port##_ready) { \
        memmove(p->q, p->q + 1, sizeof *p->q); \
        p->q##_n--; \
    }
    PAGE_TAKEN(home_probe, pq)
    PAGE_TAKEN(stack_req, sq)
    PAGE_TAKEN(smd_req, rq)
    PAGE_TAKEN(smd_ack, kq)
    PAGE_TAKEN(smd_peer, eq)
#undef PAGE_TAKEN
}

static void page_expect(page_t *p, const smd_in_t *in)
{
    static page_t before;
    memcpy(&before, p, sizeof before);
    page_edge_t e = {.was = &before, .in = in, .sq_room = before.sq_n < 2, .kq_room = before.kq_n < 2};
    p->channel = before.channel = in->channel;
    p->device = before.device = in->device;
    p->memory = before.memory = in->memory;
    p->far = before.far = in->memory != MEMORY_UMH;
    p->serve = in->memory == MEMORY_MEMCPY || in->memory == MEMORY_MANAGED;
    page_taken(p, &before, in);
    page_data(p, &e);
    page_acked(p, &e);
    page_send(p, &e);
    page_stack(p, &e);
    page_out(p, &e); /* messages of step 6 to the HMD go before GET and BYTES of step 5 */
    if (before.s1.valid)
        e.left = page_s1(p, &e);
    page_probe(p, &e);
    page_next(p, &e);
    for (unsigned k = 0; k < L2_MSHRS; k++)
        p->w[k].wake |= e.woken[k];
    if (in->home_req_valid && before.out.home_req_ready)
        p->in[p->in_n++] = in->home_req;
    for (unsigned i = 0; i < 2; i++)
        p->older[i] -= p->older[i] && e.ev.smd_write;
    if (in->home_ack_valid && before.out.home_ack_ready) {
        p->older[p->aq_n] = (before.s1.valid && before.s1.what == P1_WRITE) - e.ev.smd_write;
        for (unsigned i = 0; i < before.in_n; i++)
            p->older[p->aq_n] += before.in[i].op == HOME_WRITE_BACK;
        p->aq[p->aq_n++] = in->home_ack;
    }
    page_maintain(p, &e);
    p->cleared += p->cleared < PG_PLACES;
    p->out.ev = e.ev;
    page_show(p);
}
#endif
