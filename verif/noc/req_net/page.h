/* The page of req_net (docs/blocks/req_net.md) as a program: the source served at each slice in each cycle, and every event. */
#ifndef VERIF_NOC_REQ_NET_PAGE_H
#define VERIF_NOC_REQ_NET_PAGE_H
#include "req_net_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"
#include "verif/noc/crossbar.h"

typedef struct {
    crossbar_t x;
    net_req_t store[SOURCES][XB_STORE];
    req_net_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.req_ready = p->out.slice_req_valid = 0;
    for (unsigned s = 0; s < SOURCES; s++)
        p->out.req_ready |= (uint64_t)(p->x.n[s] < 2) << s;
    for (unsigned d = 0; d < SLICES; d++)
        if (p->x.reg[d].valid) {
            p->out.slice_req_valid |= (uint64_t)1 << d;
            p->out.slice_req[d] = p->store[p->x.reg[d].from][p->x.reg[d].word];
        }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const req_net_in_t *in)
{
    bool taken[XB_MOST], comes[XB_MOST];
    xb_word_t word[XB_MOST] = {{0, 0}};
    const uint64_t valid = in->req_valid, ready = p->out.req_ready, shown = p->out.slice_req_valid,
                   takes = in->slice_req_ready;
    for (unsigned d = 0; d < SLICES; d++)
        taken[d] = shown >> d & takes >> d & 1;
    for (unsigned s = 0; s < SOURCES; s++) {
        comes[s] = valid >> s & ready >> s & 1;
        if (!comes[s])
            continue;
        word[s] = (xb_word_t){slice_asked(s, in->req[s].line), xb_place(&p->x, s, SLICES)};
        p->store[s][word[s].word] = (net_req_t){.src = (uint8_t)s, .bypass = in->bypass >> s & 1, .req = in->req[s]};
    }
    p->out.ev_stalled = valid & ~ready;
    p->out.ev_taken = shown & takes;
    p->out.ev_blocked = shown & ~takes;
    xb_edge(&p->x, SOURCES, SLICES, taken, comes, word);
    page_show(p);
}
#endif
