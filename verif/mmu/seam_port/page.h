/* The page of seam_port (docs/blocks/seam_port.md) as a program: the open ids as a line of people, the oldest in front, each with its phase. Events of an edge are noted for
 * the bench's coverage. */
#ifndef VERIF_MMU_SEAM_PORT_PAGE_H
#define VERIF_MMU_SEAM_PORT_PAGE_H
#include "seam_port_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_TWO,
    NOTE_AGAIN_SOON,
    NOTE_ALL_OPEN,
    NOTE_ORDER,
    NOTE_AT_ONCE,
    NOTE_NOT_AT_ONCE,
    NOTE_INV_ASK, /* an invalidation that concerns ids, with these */
    NOTE_INV_SENT,
    NOTE_INV_OLD,
    NOTE_INV_DONE,
    NOTE_INV_TAKEN,
    NOTE_INV_SHOWN,
    NOTE_INV_ANS,
    NOTE_INV_ANS_OLD,
    NOTE_INV_RSP,
    NOTE_INV_REQ,
    NOTE_OTHER, /* INV_ASID of another address space, with ids sent and done */
    NOTE_OTHER_ANS,
    NOTE_OTHER_RSP,
    NOTE_DROPPED,
    NOTE_DROPPED_PAGE,
    NOTE_STALLS,
    NOTE_IDLE,
    NOTES
};

typedef enum { P_ASK, P_SHOWN, P_SENT, P_DONE } phase_e;
typedef struct {
    translate_req_t req;
    translate_rsp_t rsp;
    phase_e phase;
    bool old, twice;
    uint64_t since;
} person_t;

typedef struct {
    person_t line[TLB_MSHRS + 2];
    unsigned n;
    uint64_t now, freed[TLB_MSHRS];
    bool did[NOTES], busy;
    seam_port_out_t out;
} page_t;

static void page_show(page_t *p)
{
    seam_port_out_t *o = &p->out;
    o->idle = !p->n;
    o->closed = 0;
    o->rsp_valid = o->ask_valid = false;
    for (unsigned i = 0; i < p->n; i++) {
        const person_t *q = &p->line[i];
        if (q->phase == P_SHOWN) {
            o->ask_valid = true;
            o->ask = q->req;
        } else if (q->phase == P_DONE) {
            o->closed |= (__typeof__(o->closed))(1ull << q->req.id);
            if (!o->rsp_valid)
                o->rsp = q->rsp;
            o->rsp_valid = true;
        }
    }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static person_t *page_in(page_t *p, phase_e phase)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->line[i].phase == phase)
            return &p->line[i];
    return NULL;
}

static void page_note(page_t *p, const seam_port_in_t *in, bool concerns)
{
    unsigned n[4] = {0}, old = 0;
    const person_t *shown = page_in(p, P_SHOWN);
    for (unsigned i = 0; i < p->n; i++) {
        n[p->line[i].phase]++;
        old += p->line[i].old;
    }
    p->did[NOTE_TWO] = in->req_valid == 3;
    for (unsigned k = 0; k < 2; k++)
        p->did[NOTE_AGAIN_SOON] |=
            in->req_valid >> k & 1 && p->freed[in->req[k].id] && p->freed[in->req[k].id] + 1 == p->now;
    p->did[NOTE_ALL_OPEN] = p->n == TLB_MSHRS;
    p->did[NOTE_STALLS] = shown && !in->ask_ready;
    if (concerns) {
        p->did[NOTE_INV_ASK] = n[P_ASK];
        p->did[NOTE_INV_SENT] = n[P_SENT] > old;
        p->did[NOTE_INV_OLD] = old;
        p->did[NOTE_INV_DONE] = n[P_DONE];
        p->did[NOTE_INV_TAKEN] = shown && in->ask_ready;
        p->did[NOTE_INV_SHOWN] = shown && !in->ask_ready;
        p->did[NOTE_INV_RSP] = p->out.rsp_valid;
        p->did[NOTE_INV_REQ] = in->req_valid;
    } else if (in->inv_valid && p->n) {
        p->did[NOTE_OTHER] = n[P_SENT] && n[P_DONE];
        p->did[NOTE_OTHER_ANS] = in->ans_valid;
        p->did[NOTE_OTHER_RSP] = p->out.rsp_valid;
    }
}

/* 3. */
static void page_answer(page_t *p, const seam_port_in_t *in, bool concerns)
{
    bool first = true;
    for (unsigned i = 0; i < p->n; i++) {
        person_t *q = &p->line[i];
        if (q->phase == P_SENT && q->req.id != in->ans.id)
            first = false;
        if (q->req.id != in->ans.id)
            continue;
        p->did[NOTE_ORDER] |= !first;
        p->did[q->twice ? NOTE_INV_ANS_OLD : NOTE_INV_ANS] |= concerns;
        p->did[NOTE_DROPPED] |= q->old && q->twice;
        for (unsigned j = 0; q->old && j < p->n; j++)
            p->did[NOTE_DROPPED_PAGE] |= j != i && p->line[j].req.vpn == q->req.vpn;
        p->out.ev.seam_dropped = q->old || concerns;
        q->phase = q->old || concerns ? P_ASK : P_DONE;
        q->old = q->twice = false;
        q->rsp = in->ans;
        q->since = p->now;
        return;
    }
}

/* The numbered edge. */
static void page_expect(page_t *p, const seam_port_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    const bool concerns = in->inv_valid && p->n && (in->inv.scope != INV_ASID || in->inv.asid == p->line[0].req.asid);
    /* An invalidation with nothing open changes nothing: requests of its cycle begin after it. */
    page_note(p, in, concerns);
    const bool shown = p->out.ask_valid, taken = shown && in->ask_ready;
    p->out.ev = (ev_seam_port_t){
        .seam_asks = taken, .seam_answers = in->ans_valid, .seam_busy = (uint8_t)p->n, .seam_stalls = shown && !taken};
    person_t *end = concerns ? NULL : page_in(p, P_DONE);
    for (unsigned i = 0; concerns && i < p->n; i++) { /* 5, except the parts in 2 and 3 */
        person_t *q = &p->line[i];
        q->twice |= q->old;
        q->old |= q->phase == P_SENT;
        if (q->phase == P_DONE) {
            q->phase = P_ASK;
            q->since = p->now + 1; /* asks from the next edge on */
        }
    }
    if (taken) {
        person_t *q = page_in(p, P_SHOWN);
        q->phase = P_SENT;
        q->old = concerns;
    }
    const bool ends = end != NULL;
    if (ends)
        p->freed[end->req.id] = p->now;
    const unsigned at = ends ? (unsigned)(end - p->line) : 0;
    /* 1. */
    unsigned lower = in->req_valid == 3 && in->req[1].id < in->req[0].id;
    for (unsigned k = 0; k < 2; k++) {
        const unsigned port = k ^ lower;
        if (in->req_valid >> port & 1)
            p->line[p->n++] = (person_t){.req = in->req[port], .phase = P_ASK, .since = p->now};
    }
    if (!shown || taken) { /* 2 */
        person_t *next = NULL;
        for (unsigned i = 0; i < p->n && !next; i++)
            if (p->line[i].phase == P_ASK && p->line[i].since <= p->now)
                next = &p->line[i];
        if (next) {
            p->did[next->since == p->now ? NOTE_AT_ONCE : NOTE_NOT_AT_ONCE] = true;
            next->phase = P_SHOWN;
        }
    }
    if (in->ans_valid)
        page_answer(p, in, concerns);
    if (ends)
        memmove(p->line + at, p->line + at + 1, (--p->n - at) * sizeof *p->line);
    p->did[NOTE_IDLE] |= p->busy && !p->n;
    p->busy = p->n;
    p->now++;
    page_show(p);
}
#endif
