/* The page of dispatcher (docs/blocks/dispatcher.md) as a program: which group each core is offered in each cycle, and when a kernel is done. A group is
 * known by its number in the kernel; its coordinates are worked out from that. */
#ifndef VERIF_TOP_DISPATCHER_PAGE_H
#define VERIF_TOP_DISPATCHER_PAGE_H
#include "dispatcher_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    uint32_t groups[3], size[3], offset[3];
    uint64_t next, total; /* number of the group that is offered or comes next */
    unsigned core, ptr;
    uint64_t out;
    bool offer, run, done;
} page_kernel_t;

typedef struct {
    page_kernel_t k[KERNELS];
    unsigned owner[CORES];
    dispatcher_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static group_t page_group(const page_kernel_t *k)
{
    group_t g;
    const uint64_t n[3] = {k->next % k->groups[0], k->next / k->groups[0] % k->groups[1],
                           k->next / k->groups[0] / k->groups[1]};
    for (unsigned d = 0; d < 3; d++) {
        g.grp[d] = (uint32_t)n[d];
        g.gbase[d] = k->offset[d] + (uint32_t)n[d] * k->size[d];
    }
    return g;
}

static void page_edge(const page_t *p, unsigned me, page_kernel_t *k, const dispatcher_in_t *in)
{
    unsigned ended = 0, took = CORES;
    if (in->kernel_start >> me & 1) {
        const kernel_t *w = &in->kernel[me];
        *k = (page_kernel_t){.run = true, .total = (uint64_t)w->groups[0] * w->groups[1] * w->groups[2]};
        for (unsigned d = 0; d < 3; d++)
            k->groups[d] = w->groups[d], k->size[d] = w->local_size[d], k->offset[d] = w->offset[d];
        return;
    }
    uint64_t ready = 0;
    for (unsigned c = 0; c < CORES; c++)
        if (p->owner[c] == me) {
            ready |= (uint64_t)(in->group_ready >> c & 1) << c;
            ended += in->group_done >> c & 1;
        }
    k->done |= k->run && k->next == k->total && !k->offer && !k->out;
    if (k->offer && ready >> k->core & 1) {
        took = k->core;
        k->next++;
        k->offer = false;
    }
    k->out += (took < CORES) - (uint64_t)ended;
    if (!k->offer && k->run && k->next < k->total && !(in->halt >> me & 1))
        for (unsigned n = 0; n < CORES; n++) {
            const unsigned seat = (k->ptr + n) % CORES, d = seat % DEVICES, c = d * CORES / DEVICES + seat / DEVICES;
            if (ready >> c & 1 && c != took) {
                k->offer = true;
                k->core = c;
                k->ptr = (seat + 1) % CORES;
                break;
            }
        }
}

static void page_expect(page_t *p, const dispatcher_in_t *in)
{
    dispatcher_out_t o = {0};
    for (unsigned k = 0; k < KERNELS; k++) {
        page_edge(p, k, &p->k[k], in);
        if (in->kernel_rst >> k & 1)
            p->k[k] = (page_kernel_t){0};
        o.done |= (unsigned)p->k[k].done << k;
    }
    for (unsigned c = 0; c < CORES; c++) {
        p->owner[c] = in->owner[c];
        const page_kernel_t *k = &p->k[p->owner[c]];
        if (k->offer && k->core == c) {
            o.group_valid |= 1u << c;
            o.group[c] = page_group(k);
        }
    }
    p->out = o;
}
#endif
