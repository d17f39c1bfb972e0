/* Twin of rtl/coherence/link.sv: one wire of a link (docs/blocks/link.md). Step numbers are the page's. */
#include "sim_c/coherence/link_state.h"
#include "sim_c/common/mask.h"
#include <string.h>

size_t link_size(void)
{
    return sizeof(link_t);
}

void link_reset(link_t *s)
{
    memset(s, 0, sizeof *s);
    s->turn = LINK_REQ;
}

static bool empty(const link_t *s)
{
    unsigned all = 0;
    for (unsigned k = 0; k < LINK_KINDS; k++)
        all |= s->of[k].in | s->of[k].lane;
    return !all;
}

void link_out(const link_t *s, link_out_t *o)
{
    o->data_in_ready = s->of[LINK_DATA].in < 2;
    o->ack_in_ready = s->of[LINK_ACK].in < 2;
    o->probe_in_ready = s->of[LINK_PROBE].in < 2;
    o->req_in_ready = s->of[LINK_REQ].in < 2;
    if ((o->data_out_valid = s->of[LINK_DATA].ripe))
        o->data_out = s->data[0];
    if ((o->ack_out_valid = s->of[LINK_ACK].ripe))
        o->ack_out = s->ack[0];
    if ((o->probe_out_valid = s->of[LINK_PROBE].ripe))
        o->probe_out = s->probe[0];
    if ((o->req_out_valid = s->of[LINK_REQ].ripe))
        o->req_out = s->req[0];
    o->idle = empty(s);
    o->ev = s->ev;
}

/* The first of n elements of a queue leaves, and the place behind the others is 0 again. */
static void leave(void *first, unsigned n, size_t size)
{
    memmove(first, (char *)first + size, (n - 1) * size);
    memset((char *)first + (n - 1) * size, 0, size);
}

static unsigned flits_of(bool line, const line_mask_t *mask)
{
    unsigned bytes = line ? LINE_BYTES + (mask_none(mask) ? 0 : LINK_MASK_BYTES) : 0;
    return 1 + (bytes + LINK_BYTES - 1) / LINK_BYTES;
}

/* The head of a kind's `in` enters its lane; how long it occupies the wire. */
static unsigned carry(link_t *s, unsigned kind)
{
    const unsigned n = s->of[kind].in, to = s->of[kind].lane;
    unsigned flits = 1;
    switch (kind) {
    case LINK_DATA:
        flits = flits_of(!s->data_in[0].data.grant && s->data_in[0].data.mem != SMD_MEM_READ, &s->data_in[0].data.mask);
        s->data[to] = s->data_in[0];
        leave(s->data_in, n, sizeof *s->data_in);
        break;
    case LINK_ACK:
        flits = flits_of(s->ack_in[0].ack.kind == SMD_BYTES, &s->ack_in[0].ack.mask);
        s->ack[to] = s->ack_in[0];
        leave(s->ack_in, n, sizeof *s->ack_in);
        break;
    case LINK_PROBE:
        s->probe[to] = s->probe_in[0];
        leave(s->probe_in, n, sizeof *s->probe_in);
        break;
    default:
        s->req[to] = s->req_in[0];
        leave(s->req_in, n, sizeof *s->req_in);
        break;
    }
    return flits;
}

/* Step 1. `room`: of each kind, whether its lane had any before the edge. */
static void send(link_t *s, const bool room[LINK_KINDS], ev_link_t *ev)
{
    if (s->left) {
        s->left--;
        ev->link_busy = true;
        return;
    }
    for (unsigned k = 1; k <= LINK_KINDS; k++) {
        const unsigned kind = (s->turn + k) % LINK_KINDS;
        link_lane_t *l = &s->of[kind];
        ev->link_blocked |= l->in;
        if (!l->in || !room[kind])
            continue;
        const unsigned flits = carry(s, kind), wait = flits + LINK_LATENCY - 1;
        l->in--;
        l->wait[l->lane++] = (uint16_t)(wait - l->last);
        l->last = (uint16_t)wait;
        s->turn = (uint8_t)kind;
        s->left = (uint16_t)(flits - 1);
        *ev =
            (ev_link_t){.link_sent = true, .link_kind = (uint8_t)kind, .link_flits = (uint8_t)flits, .link_busy = true};
        return;
    }
}

/* A cycle passes for messages on the wire. */
static void ripen(link_lane_t *l)
{
    if (!l->last)
        return;
    l->last--;
    l->ripe += !--l->wait[l->ripe];
}

/* Step 2. `first`: of the lane. */
static void taken(link_lane_t *l, void *first, size_t size)
{
    leave(first, l->lane, size);
    leave(l->wait, l->lane, sizeof *l->wait);
    l->lane--;
    l->ripe--;
}

void link_tick(link_t *s, const link_in_t *in)
{
    ev_link_t ev = {0};
    bool takes[LINK_KINDS], room[LINK_KINDS];
    for (unsigned k = 0; k < LINK_KINDS; k++) {
        takes[k] = s->of[k].in < 2;
        room[k] = s->of[k].lane < LINK_CREDITS;
    }
    if (s->of[LINK_DATA].ripe && in->data_out_ready) /* 2 */
        taken(&s->of[LINK_DATA], s->data, sizeof *s->data);
    if (s->of[LINK_ACK].ripe && in->ack_out_ready)
        taken(&s->of[LINK_ACK], s->ack, sizeof *s->ack);
    if (s->of[LINK_PROBE].ripe && in->probe_out_ready)
        taken(&s->of[LINK_PROBE], s->probe, sizeof *s->probe);
    if (s->of[LINK_REQ].ripe && in->req_out_ready)
        taken(&s->of[LINK_REQ], s->req, sizeof *s->req);
    for (unsigned k = 0; k < LINK_KINDS; k++)
        ripen(&s->of[k]);
    send(s, room, &ev); /* 1 */
    if (in->data_in_valid && takes[LINK_DATA]) /* 3 */
        s->data_in[s->of[LINK_DATA].in++] = in->data_in;
    if (in->ack_in_valid && takes[LINK_ACK])
        s->ack_in[s->of[LINK_ACK].in++] = in->ack_in;
    if (in->probe_in_valid && takes[LINK_PROBE])
        s->probe_in[s->of[LINK_PROBE].in++] = in->probe_in;
    if (in->req_in_valid && takes[LINK_REQ])
        s->req_in[s->of[LINK_REQ].in++] = in->req_in;
    s->ev = ev;
}

/* Messages that have arrived may wait. */
bool link_idle(const link_t *s)
{
    static const ev_link_t none;
    unsigned moves = s->left;
    for (unsigned k = 0; k < LINK_KINDS; k++)
        moves |= s->of[k].in | s->of[k].last;
    return !moves && !memcmp(&s->ev, &none, sizeof none);
}
