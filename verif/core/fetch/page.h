/* The page of fetch (docs/blocks/fetch.md) as a program: the warp that requests a block in each cycle, pushed instructions, every event. */
#ifndef VERIF_CORE_FETCH_PAGE_H
#define VERIF_CORE_FETCH_PAGE_H
#include "fetch_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    bool act, epoch, out[2], kill, wait;
    uint64_t pc;
    int free;
} page_warp_t;
typedef struct {
    page_warp_t warp[WARPS];
    unsigned ptr;
    fetch_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    for (unsigned w = 0; w < WARPS; w++)
        p->warp[w].free = IBUF_DEPTH;
}

static bool page_good(const fetch_in_t *in, uint64_t pc)
{
    return in->root.sv48 ? !(pc >> 47 & 1) : pc >= in->kernel.mem_base && pc < in->kernel.mem_limit;
}

static void page_expect(page_t *p, const fetch_in_t *in)
{
    const redirect_t *q = &in->redirect;
    const fetch_rsp_t *a = &in->rsp;
    const bool turned = in->redirect_valid && (q->flush || q->stop), held = p->out.req_valid && !in->req_ready;
    page_warp_t next[WARPS];
    fetch_out_t o = {.req_valid = held, .req = p->out.req};
    memcpy(next, p->warp, sizeof next);

    /* 2. */
    for (unsigned w = 0; in->wake && w < WARPS; w++)
        next[w].wait = false;

    /* 3. */
    if (in->rsp_valid) {
        const page_warp_t *v = &p->warp[a->warp];
        page_warp_t *x = &next[a->warp];
        const bool mine = a->epoch == v->epoch, current = mine && !v->kill && !(turned && q->warp == a->warp);
        x->out[a->epoch] = false;
        if (mine)
            x->kill = false;
        o.ev.fetch_stale = !current;
        if (current && a->hit) {
            const unsigned skip = a->pc / 4 % 4;
            o.push_valid = true;
            o.push = (push_t){.warp = a->warp, .n = (uint8_t)(4 - skip)};
            for (unsigned i = 0; i + skip < 4; i++)
                o.push.instr[i] = a->instr[i + skip];
            x->free -= o.push.n;
            x->pc = (a->pc / 16 * 16 + 16) & ((1ull << PA_W) - 1);
            o.ev.fetched_instructions = o.push.n;
        } else if (current && a->fault) {
            o.push_valid = true;
            o.push = (push_t){.warp = a->warp, .fault = true, .n = 1, .instr[0] = a->instr[0]};
            x->free--;
            x->act = false;
        } else if (current) {
            x->wait = true;
            o.ev.fetch_misses = true;
        }
    }

    /* 4. */
    if (in->pop_valid)
        next[in->pop].free++;

    /* 5. */
    if (!in->halt && !held) {
        const page_warp_t *r = &p->warp[q->warp];
        if (turned && !q->stop && page_good(in, q->pc) && !r->out[!r->epoch]) {
            o.req_valid = o.ev.fetch_requests = true;
            o.req = (fetch_req_t){q->warp, !r->epoch, q->pc};
            next[q->warp].out[!r->epoch] = true;
        } else {
            for (unsigned k = 0; k < WARPS; k++) {
                const unsigned c = (p->ptr + k) % WARPS;
                const page_warp_t *v = &p->warp[c];
                if (!v->act || v->wait || v->out[v->epoch] || v->free + (in->pop_valid && in->pop == c) < 4
                    || (turned && q->warp == c))
                    continue;
                if (page_good(in, v->pc)) {
                    o.req_valid = o.ev.fetch_requests = true;
                    o.req = (fetch_req_t){(uint8_t)c, v->epoch, v->pc};
                    next[c].out[v->epoch] = true;
                    p->ptr = (c + 1) % WARPS;
                } else if (!in->rsp_valid) {
                    o.push_valid = true;
                    o.push = (push_t){.warp = (uint8_t)c, .fault = true, .n = 1, .instr[0] = in->root.sv48};
                    next[c].free--;
                    next[c].act = false;
                    p->ptr = (c + 1) % WARPS;
                }
                break;
            }
        }
    }

    /* 1, over all. */
    if (turned) {
        page_warp_t *x = &next[q->warp];
        x->epoch = !p->warp[q->warp].epoch;
        x->act = !q->stop;
        x->pc = q->pc;
        x->free = IBUF_DEPTH;
        x->wait = false;
        x->kill = p->warp[q->warp].out[x->epoch] && !(in->rsp_valid && a->warp == q->warp && a->epoch == x->epoch);
    }
    memcpy(p->warp, next, sizeof next);
    p->out = o;
}
#endif
