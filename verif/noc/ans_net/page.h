/* The page of ans_net (docs/blocks/ans_net.md) as a program: which answer each core receives in each cycle. */
#ifndef VERIF_NOC_ANS_NET_PAGE_H
#define VERIF_NOC_ANS_NET_PAGE_H
#include "ans_net_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/noc/crossbar.h"

enum { ANS_SOURCES = L2_TLB_PORTS + 1 };
typedef struct {
    crossbar_t x;
    translate_rsp_t store[ANS_SOURCES][XB_STORE];
    ans_net_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.hit_ready = 0;
    p->out.ans_valid = 0;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        p->out.hit_ready |= (uint8_t)((p->x.n[k] < 2) << k);
    p->out.walked_ready = p->x.n[L2_TLB_PORTS] < 2;
    for (unsigned c = 0; c < CORES; c++)
        if (p->x.reg[c].valid) {
            p->out.ans_valid |= (__typeof__(p->out.ans_valid))((uint64_t)1 << c);
            p->out.ans[c] = p->store[p->x.reg[c].from][p->x.reg[c].word];
        }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const ans_net_in_t *in)
{
    bool taken[XB_MOST], comes[XB_MOST];
    xb_word_t word[XB_MOST] = {{0, 0}};
    for (unsigned c = 0; c < CORES; c++)
        taken[c] = true; /* credited: a core always takes */
    for (unsigned k = 0; k < ANS_SOURCES; k++) {
        const bool walked = k == L2_TLB_PORTS;
        const translate_ans_t *a = walked ? &in->walked : &in->hit[k];
        comes[k] = walked ? in->walked_valid && p->out.walked_ready : in->hit_valid >> k & p->out.hit_ready >> k & 1;
        if (!comes[k])
            continue;
        word[k] = (xb_word_t){a->core, xb_place(&p->x, k, CORES)};
        p->store[k][word[k].word] = a->rsp;
    }
    xb_edge(&p->x, ANS_SOURCES, CORES, taken, comes, word);
    page_show(p);
}
#endif
