/* The page of link (docs/blocks/link.md) as a program: messages on the wire, messages that have arrived, and every event. An entry of a lane has the cycle from which on it may be seen. */
#ifndef VERIF_COHERENCE_LINK_PAGE_H
#define VERIF_COHERENCE_LINK_PAGE_H
#include "link_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"

enum { KINDS = 4 };
/* A message of any kind. */
typedef union {
    hmd_data_t data;
    hmd_ack_t ack;
    hmd_probe_t probe;
    hmd_req_t req;
} message_t;

typedef struct {
    message_t in[KINDS][2], lane[KINDS][LINK_CREDITS];
    uint64_t ripe[KINDS][LINK_CREDITS], now;
    unsigned in_n[KINDS], lane_n[KINDS], left, turn;
    link_out_t out;
} page_t;

/* Section Lengths. */
static unsigned page_flits(unsigned kind, const message_t *m)
{
    const bool line = (kind == LINK_DATA && !m->data.data.grant && m->data.data.mem != SMD_MEM_READ)
                      || (kind == LINK_ACK && m->ack.ack.kind == SMD_BYTES);
    const bool masked = mask_any(kind == LINK_DATA ? &m->data.data.mask : &m->ack.ack.mask);
    const unsigned beside =
        LINE_BYTES / MASK_GRAIN > 64 ? 16 : 0; /* the bytes of a mask that do not stand in the head */
    return line ? 1 + (LINE_BYTES + beside * masked + LINK_BYTES - 1) / LINK_BYTES : 1;
}

static void page_show(page_t *p)
{
    link_out_t *o = &p->out;
    bool ready[KINDS], seen[KINDS];
    o->idle = true;
    for (unsigned k = 0; k < KINDS; k++) {
        ready[k] = p->in_n[k] < 2;
        seen[k] = p->lane_n[k] && p->ripe[k][0] <= p->now;
        o->idle &= !p->in_n[k] && !p->lane_n[k];
    }
    o->data_in_ready = ready[LINK_DATA];
    o->ack_in_ready = ready[LINK_ACK];
    o->probe_in_ready = ready[LINK_PROBE];
    o->req_in_ready = ready[LINK_REQ];
    o->data_out_valid = seen[LINK_DATA];
    o->ack_out_valid = seen[LINK_ACK];
    o->probe_out_valid = seen[LINK_PROBE];
    o->req_out_valid = seen[LINK_REQ];
    o->data_out = p->lane[LINK_DATA][0].data;
    o->ack_out = p->lane[LINK_ACK][0].ack;
    o->probe_out = p->lane[LINK_PROBE][0].probe;
    o->req_out = p->lane[LINK_REQ][0].req;
}

static void page_begin(page_t *p)
{
    p->turn = LINK_REQ;
    page_show(p);
}

static void page_expect(page_t *p, const link_in_t *in)
{
    const link_out_t o = p->out;
    const bool comes[KINDS] = {in->data_in_valid && o.data_in_ready, in->ack_in_valid && o.ack_in_ready,
                               in->probe_in_valid && o.probe_in_ready, in->req_in_valid && o.req_in_ready};
    const bool goes[KINDS] = {o.data_out_valid && in->data_out_ready, o.ack_out_valid && in->ack_out_ready,
                              o.probe_out_valid && in->probe_out_ready, o.req_out_valid && in->req_out_ready};
    unsigned send = KINDS, waiting = 0, room[KINDS], left = p->left;
    p->now++;
    memset(&p->out.ev, 0, sizeof p->out.ev);
    for (unsigned k = 0; k < KINDS; k++) {
        waiting += p->in_n[k];
        room[k] = p->lane_n[k] < LINK_CREDITS;
    }
    for (unsigned n = 1; !left && send == KINDS && n <= KINDS; n++) /* 1 */
        if (p->in_n[(p->turn + n) % KINDS] && room[(p->turn + n) % KINDS])
            send = (p->turn + n) % KINDS;
    for (unsigned k = 0; k < KINDS; k++) /* 2 */
        if (goes[k]) {
            p->lane_n[k]--;
            memmove(p->lane[k], p->lane[k] + 1, sizeof p->lane[k] - sizeof p->lane[k][0]);
            memmove(p->ripe[k], p->ripe[k] + 1, sizeof p->ripe[k] - sizeof p->ripe[k][0]);
        }
    if (send < KINDS) {
        const unsigned flits = page_flits(send, &p->in[send][0]), n = p->lane_n[send]++;
        p->lane[send][n] = p->in[send][0];
        p->ripe[send][n] = p->now + flits + LINK_LATENCY - 1;
        p->in[send][0] = p->in[send][1];
        p->in_n[send]--;
        p->turn = send;
        p->left = flits - 1;
        p->out.ev.link_sent = true;
        p->out.ev.link_kind = send;
        p->out.ev.link_flits = (__typeof__(p->out.ev.link_flits))flits;
    } else if (left) {
        p->left--;
    }
    p->out.ev.link_busy = left || send < KINDS;
    p->out.ev.link_blocked = !left && waiting && send == KINDS;
    if (comes[LINK_DATA]) /* 3 */
        p->in[LINK_DATA][p->in_n[LINK_DATA]++].data = in->data_in;
    if (comes[LINK_ACK])
        p->in[LINK_ACK][p->in_n[LINK_ACK]++].ack = in->ack_in;
    if (comes[LINK_PROBE])
        p->in[LINK_PROBE][p->in_n[LINK_PROBE]++].probe = in->probe_in;
    if (comes[LINK_REQ])
        p->in[LINK_REQ][p->in_n[LINK_REQ]++].req = in->req_in;
    page_show(p);
}
#endif
