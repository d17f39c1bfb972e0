/*
 * In the place of the twin sim_c/noc/req_net.c: a network that does all that docs/memory-model.md lets it do, and more than the machine's ever does.
 * Each request waits for a time of its own, so requests of a core to different lines arrive in any order; those to one line keep theirs.
 * With it the litmus tests show which outcomes the fences really prevent, and that the tests would see them.
 */
#include "req_net_ports.h"
#include <string.h>
#include "sim_c/common/memory_map.h"

enum { ROOM = 48 };
static const bool LINE_KEEPS_ORDER = true;

typedef struct {
    net_req_t req;
    unsigned dest, wait;
} waiting_t;

struct req_net {
    uint64_t valid, stalled, taken, blocked, random;
    unsigned n[SOURCES];
    waiting_t in[SOURCES][ROOM]; /* the oldest first */
    net_req_t out[SLICES];
};

size_t req_net_size(void)
{
    return sizeof(struct req_net);
}

void req_net_reset(req_net_t *s)
{
    memset(s, 0, sizeof *s);
}

void req_net_out(const req_net_t *s, req_net_out_t *o)
{
    o->req_ready = 0;
    for (unsigned k = 0; k < SOURCES; k++)
        if (s->n[k] < ROOM)
            o->req_ready |= (uint8_t)(1u << k);
    o->slice_req_valid = (uint8_t)s->valid;
    for (unsigned d = 0; d < SLICES; d++)
        if (s->valid >> d & 1)
            o->slice_req[d] = s->out[d];
    o->ev_stalled = (uint8_t)s->stalled;
    o->ev_taken = (uint8_t)s->taken;
    o->ev_blocked = (uint8_t)s->blocked;
}

static unsigned below(req_net_t *s, unsigned n)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((s->random >> 32) * n >> 32);
}

static bool may_go(const waiting_t *q, unsigned at, unsigned dest)
{
    if (q[at].wait || q[at].dest != dest)
        return false;
    for (unsigned k = 0; LINE_KEEPS_ORDER && k < at; k++)
        if (q[k].req.req.line == q[at].req.req.line)
            return false;
    return true;
}

static bool load(req_net_t *s, unsigned dest)
{
    unsigned first = below(s, SOURCES);
    for (unsigned i = 0; i < SOURCES; i++) {
        unsigned k = (first + i) % SOURCES;
        for (unsigned at = 0; at < s->n[k]; at++)
            if (may_go(s->in[k], at, dest)) {
                s->out[dest] = s->in[k][at].req;
                s->n[k]--;
                memmove(&s->in[k][at], &s->in[k][at + 1], (s->n[k] - at) * sizeof s->in[k][at]);
                return true;
            }
    }
    return false;
}

void req_net_tick(req_net_t *s, const req_net_in_t *in)
{
    uint64_t full = 0;
    for (unsigned k = 0; k < SOURCES; k++) {
        full |= (uint64_t)(s->n[k] == ROOM) << k;
        for (unsigned at = 0; at < s->n[k]; at++)
            s->in[k][at].wait -= s->in[k][at].wait != 0;
    }
    s->stalled = in->req_valid & full;
    s->taken = s->valid & in->slice_req_ready;
    s->blocked = s->valid & ~in->slice_req_ready;
    for (unsigned d = 0; d < SLICES; d++)
        if (!(s->blocked >> d & 1))
            s->valid = (s->valid & ~(1ull << d)) | (uint64_t)load(s, d) << d;
    for (unsigned k = 0; k < SOURCES; k++)
        if ((in->req_valid & ~full) >> k & 1) {
            waiting_t *w = &s->in[k][s->n[k]++];
            w->req = (net_req_t){.src = (uint8_t)k, .bypass = in->bypass >> k & 1, .req = in->req[k]};
            w->dest = net_slice(k, in->req[k].line);
            w->wait = below(s, 4) ? below(s, 8) : below(s, in->req[k].op == MEM_WRITE ? 800 : 400);
        }
}

bool req_net_idle(const req_net_t *s)
{
    uint64_t any = s->valid | s->stalled | s->taken | s->blocked;
    for (unsigned k = 0; k < SOURCES; k++)
        any |= s->n[k];
    return !any;
}
