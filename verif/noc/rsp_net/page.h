/* The page of rsp_net (docs/blocks/rsp_net.md) as a program: which slice's response each source receives in each cycle, and every event. */
#ifndef VERIF_NOC_RSP_NET_PAGE_H
#define VERIF_NOC_RSP_NET_PAGE_H
#include "rsp_net_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/noc/crossbar.h"

typedef struct {
    crossbar_t x;
    mem_rsp_t store[SLICES][XB_STORE];
    rsp_net_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.slice_rsp_ready = p->out.rsp_valid = 0;
    for (unsigned k = 0; k < SLICES; k++)
        p->out.slice_rsp_ready |= (uint64_t)(p->x.n[k] < 2) << k;
    for (unsigned s = 0; s < SOURCES; s++)
        if (p->x.reg[s].valid) {
            p->out.rsp_valid |= (uint64_t)1 << s;
            p->out.rsp[s] = p->store[p->x.reg[s].from][p->x.reg[s].word];
        }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const rsp_net_in_t *in)
{
    bool taken[XB_MOST], comes[XB_MOST];
    xb_word_t word[XB_MOST] = {{0, 0}};
    const uint64_t valid = in->slice_rsp_valid, ready = p->out.slice_rsp_ready;
    for (unsigned s = 0; s < SOURCES; s++)
        taken[s] = true; /* credited: a source always takes */
    for (unsigned k = 0; k < SLICES; k++) {
        comes[k] = valid >> k & ready >> k & 1;
        if (!comes[k])
            continue;
        word[k] = (xb_word_t){in->slice_rsp[k].src, xb_place(&p->x, k, SOURCES)};
        p->store[k][word[k].word] = in->slice_rsp[k].rsp;
    }
    p->out.ev_stalled = valid & ~ready;
    xb_edge(&p->x, SLICES, SOURCES, taken, comes, word);
    page_show(p);
}
#endif
