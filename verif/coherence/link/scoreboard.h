/* Promises to a wire's user, whatever is inside: each kind arrives whole and in its order, no message before its time, and one that was alone exactly then; each
 * message was on the wire for its length, alone; a kind that has a place at the other end is sent after three others at most; idle means empty. */
#ifndef VERIF_COHERENCE_LINK_SCOREBOARD_H
#define VERIF_COHERENCE_LINK_SCOREBOARD_H
#include "link_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"

enum { SB_KINDS = 4, SB_INSIDE = LINK_CREDITS + 2 };
typedef struct {
    hmd_data_t data;
    hmd_ack_t ack;
    hmd_probe_t probe;
    hmd_req_t req;
    uint64_t taken;
    unsigned length; /* bytes */
    bool alone; /* the only message inside since it was taken */
} sb_message_t;
typedef struct {
    sb_message_t inside[SB_KINDS][SB_INSIDE]; /* oldest first; the first `sent` are on the wire or behind it */
    unsigned n[SB_KINDS], sent[SB_KINDS], others[SB_KINDS];
    unsigned places[SB_KINDS]; /* taken at the other end, before the last edge */
    bool seen[SB_KINDS], stays[SB_KINDS]; /* shown in the cycle before; and not taken */
    /* cycle from which the wire is free of messages that have arrived; cycle in which the last message began */
    uint64_t wire, last;
    unsigned last_flits;
} scoreboard_t;

static unsigned sb_flits(unsigned length)
{
    return (length + LINK_BYTES - 1) / LINK_BYTES;
}

static unsigned sb_total(const scoreboard_t *s)
{
    return s->n[0] + s->n[1] + s->n[2] + s->n[3];
}

/* A message is taken; a head is LINK_BYTES long. */
static void sb_take(bench_t *b, scoreboard_t *s, unsigned kind, sb_message_t m)
{
    const line_mask_t *mask = kind == LINK_DATA ? &m.data.data.mask : &m.ack.ack.mask;
    m.length = LINK_BYTES;
    /* of those that bring data: a grant and a read of a stack have none */
    const bool line = kind == LINK_DATA && !m.data.data.grant && m.data.data.mem != SMD_MEM_READ;
    if (line || (kind == LINK_ACK && m.ack.ack.kind == SMD_BYTES))
        m.length += LINE_BYTES + (mask_any(mask) && MASK_W > 64 ? MASK_W / 8 : 0); /* a short mask is in the head */
    m.taken = b->cycle;
    m.alone = !sb_total(s);
    for (unsigned k = 0; k < SB_KINDS; k++)
        for (unsigned i = 0; i < s->n[k]; i++)
            s->inside[k][i].alone = false;
    BENCH_CHECK(b, s->n[kind] < SB_INSIDE, "kind %u: more inside than there is room", kind);
    if (!b->failed)
        s->inside[kind][s->n[kind]++] = m;
}

/* It could have begun at the last edge. */
static bool sb_could(const bench_t *b, const scoreboard_t *s, unsigned k)
{
    return s->n[k] > s->sent[k] && s->inside[k][s->sent[k]].taken + 1 < b->cycle && s->places[k] < LINK_CREDITS;
}

/* The wire, by its event. */
static void sb_wire(bench_t *b, scoreboard_t *s, const ev_link_t *v)
{
    bool can = false;
    for (unsigned k = 0; k < SB_KINDS; k++)
        can |= sb_could(b, s, k);
    if (v->link_sent) {
        const unsigned k = v->link_kind;
        BENCH_CHECK(b, sb_could(b, s, k), "kind %u is sent, and none has come, or there is no place for it", k);
        if (b->failed)
            return;
        BENCH_CHECK(b, v->link_flits == sb_flits(s->inside[k][s->sent[k]].length), "kind %u has another length", k);
        BENCH_CHECK(b, b->cycle >= s->last + s->last_flits, "two messages on the wire at once");
        s->last = b->cycle;
        s->last_flits = v->link_flits;
        s->others[k] = 0;
        for (unsigned i = 0; i < SB_KINDS; i++)
            if (i != k && sb_could(b, s, i))
                BENCH_CHECK(b, ++s->others[i] <= 3, "kind %u could go, and waits for more than three others", i);
            else
                s->others[i] = 0;
        s->sent[k]++;
    } else {
        BENCH_CHECK(b, !can || b->cycle < s->last + s->last_flits, "a message could go, and the wire is free");
    }
}

/* Kind k is seen at the other end. `same`: it equals the message that was taken. */
static void sb_seen(bench_t *b, scoreboard_t *s, unsigned k, bool same)
{
    const sb_message_t *m = &s->inside[k][0];
    const unsigned flits = sb_flits(m->length);
    BENCH_CHECK(b, s->sent[k], "kind %u: something arrives that was not sent", k);
    BENCH_CHECK(b, same, "kind %u: not the oldest, or changed", k);
    BENCH_CHECK(b, b->cycle >= m->taken + 1 + flits + LINK_LATENCY, "kind %u arrives too early", k);
    if (s->seen[k])
        return;
    BENCH_CHECK(b, !m->alone || b->cycle == m->taken + 1 + flits + LINK_LATENCY, "kind %u: alone, and not in its time",
                k);
    BENCH_CHECK(b, b->cycle - LINK_LATENCY >= s->wire + flits, "kind %u: it was on the wire with another", k);
    s->wire = b->cycle - LINK_LATENCY;
}

static void sb_leaves(scoreboard_t *s, unsigned k)
{
    memmove(s->inside[k], s->inside[k] + 1, sizeof s->inside[k] - sizeof s->inside[k][0]);
    s->n[k]--;
    s->sent[k]--;
    s->stays[k] = false;
}

static void scoreboard(bench_t *b, scoreboard_t *s, const link_out_t *out)
{
    vl_diff_t d;
    sb_wire(b, s, &out->ev);
    const bool seen[SB_KINDS] = {out->data_out_valid, out->ack_out_valid, out->probe_out_valid, out->req_out_valid};
    const bool same[SB_KINDS] = {
        !seen[LINK_DATA] || !hmd_data_t_diff(&out->data_out, &s->inside[LINK_DATA][0].data, &d),
        !seen[LINK_ACK] || !hmd_ack_t_diff(&out->ack_out, &s->inside[LINK_ACK][0].ack, &d),
        !seen[LINK_PROBE] || !hmd_probe_t_diff(&out->probe_out, &s->inside[LINK_PROBE][0].probe, &d),
        !seen[LINK_REQ] || !hmd_req_t_diff(&out->req_out, &s->inside[LINK_REQ][0].req, &d),
    };
    for (unsigned k = 0; k < SB_KINDS && !b->failed; k++) {
        if (seen[k])
            sb_seen(b, s, k, same[k]);
        else
            BENCH_CHECK(b, !s->stays[k], "kind %u is gone, and nobody has taken it", k);
        s->seen[k] = s->stays[k] = seen[k];
        s->places[k] = s->sent[k];
    }
    BENCH_CHECK(b, out->idle == !sb_total(s), "idle is %u with %u messages inside", out->idle, sb_total(s));
}
#endif
