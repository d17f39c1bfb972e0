/* The page of ask_net (docs/blocks/ask_net.md) as a program: which core's request each port is shown in each cycle. */
#ifndef VERIF_NOC_ASK_NET_PAGE_H
#define VERIF_NOC_ASK_NET_PAGE_H
#include "ask_net_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/noc/crossbar.h"

typedef struct {
    crossbar_t x;
    translate_req_t store[CORES][XB_STORE];
    ask_net_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.ask_ready = p->out.req_valid = 0;
    for (unsigned c = 0; c < CORES; c++)
        p->out.ask_ready |= (__typeof__(p->out.ask_ready))((uint64_t)(p->x.n[c] < 2) << c);
    for (unsigned d = 0; d < L2_TLB_PORTS; d++)
        if (p->x.reg[d].valid) {
            p->out.req_valid |= (uint8_t)(1u << d);
            p->out.req[d] = p->store[p->x.reg[d].from][p->x.reg[d].word];
        }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const ask_net_in_t *in)
{
    bool taken[XB_MOST], comes[XB_MOST];
    xb_word_t word[XB_MOST] = {{0, 0}};
    for (unsigned d = 0; d < L2_TLB_PORTS; d++)
        taken[d] = p->out.req_valid >> d & in->req_ready >> d & 1;
    for (unsigned c = 0; c < CORES; c++) {
        comes[c] = (uint64_t)in->ask_valid >> c & p->out.ask_ready >> c & 1;
        if (!comes[c])
            continue;
        word[c] = (xb_word_t){c % L2_TLB_PORTS, xb_place(&p->x, c, L2_TLB_PORTS)};
        p->store[c][word[c].word] = in->ask[c];
    }
    xb_edge(&p->x, CORES, L2_TLB_PORTS, taken, comes, word);
    page_show(p);
}
#endif
