/* Promises to an SMD: each read is answered once, with the bytes and the marks that the requests of its line before it have left. A line is an array of bytes, each
 * with a bit. Promises to the scheduler: it gets the same requests, in the same order, without bytes that are not written. */
#ifndef VERIF_COHERENCE_STACK_PORT_SCOREBOARD_H
#define VERIF_COHERENCE_STACK_PORT_SCOREBOARD_H
#include "stack_port_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"

enum { SB_LINES = 24, SB_INSIDE = 3 };
typedef struct {
    uint8_t byte[LINE_BYTES];
    bool mark[LINE_BYTES];
} sb_line_t;
typedef struct {
    uint64_t addr[SB_LINES];
    sb_line_t truth[SB_LINES],
        chips[SB_LINES]; /* truth: after every request taken; chips: as in the scheduler's memory, without marks */
    bool written[SB_LINES];
    struct {
        bool busy, asked;
        unsigned line;
        sb_line_t want, got;
        uint64_t due;
    } read[STACK_READERS];
    stack_req_t inside[SB_INSIDE]; /* taken, and not asked of the scheduler yet; oldest first */
    unsigned n, reads, waiting; /* awaited; at the scheduler */
} scoreboard_t;

static uint8_t sb_byte(const line_data_t *d, unsigned i)
{
    return (uint8_t)(d->w[i / 8] >> i % 8 * 8);
}

static unsigned sb_find(const scoreboard_t *s, uint64_t addr)
{
    unsigned k = 0;
    while (k < SB_LINES && s->addr[k] != addr)
        k++;
    return k;
}

/* The block takes a request. */
static void sb_take(bench_t *b, scoreboard_t *s, const stack_req_t *r)
{
    const unsigned k = sb_find(s, r->line);
    sb_line_t *l = &s->truth[k];
    for (unsigned i = 0; r->write && i < LINE_BYTES; i++) {
        if (be_has(&r->be, i))
            l->byte[i] = sb_byte(&r->data, i);
        if (grain_bytes(&r->be, i / MASK_GRAIN))
            l->mark[i] = mask_has(&r->marks, i);
    }
    if (!r->write) {
        s->read[r->id].busy = true;
        s->read[r->id].asked = false;
        s->read[r->id].line = k;
        s->read[r->id].want = *l;
        s->reads++;
    }
    s->written[k] |= r->write;
    BENCH_CHECK(b, s->n < SB_INSIDE, "more inside than there is room");
    if (!b->failed)
        s->inside[s->n++] = *r;
}

/* The scheduler takes one: it is performed, and answered when it is due. */
static void sb_asked(bench_t *b, scoreboard_t *s, const home_req_t *r, uint64_t due)
{
    const stack_req_t *q = &s->inside[0];
    BENCH_CHECK(b, s->n, "the scheduler is asked for what nobody asked for");
    if (b->failed)
        return;
    BENCH_CHECK(b, r->line == q->line && r->op == (q->write ? HOME_WRITE_BACK : HOME_READ),
                "the scheduler is asked for something else, or out of order");
    BENCH_CHECK(b,
                !r->cls && !r->asid && !r->src && !r->keep && r->id == (q->write ? 0 : q->id)
                    && r->state == (q->write ? NMOESI_M : NMOESI_I),
                "a request that says more");
    const unsigned k = sb_find(s, q->line);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        const bool writes = q->write && be_has(&q->be, i);
        BENCH_CHECK(b, be_has(&r->be, i) == writes, "byte %u: another mask", i);
        BENCH_CHECK(b, sb_byte(&r->data, i) == (writes ? sb_byte(&q->data, i) : 0),
                    "byte %u: not what is written, or not 0", i);
        if (writes)
            s->chips[k].byte[i] = sb_byte(&r->data, i);
    }
    if (!q->write) {
        s->read[q->id].asked = true;
        s->read[q->id].got = s->chips[k];
        s->read[q->id].due = due;
        s->waiting++;
    }
    memmove(s->inside, s->inside + 1, sizeof s->inside - sizeof s->inside[0]);
    s->n--;
}

static void sb_answer(bench_t *b, scoreboard_t *s, const stack_rsp_t *r)
{
    BENCH_CHECK(b, r->id < STACK_READERS && s->read[r->id].busy, "an answer that nobody waits for");
    if (b->failed)
        return;
    const sb_line_t *want = &s->read[r->id].want;
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        BENCH_CHECK(b, sb_byte(&r->data, i) == want->byte[i], "byte %u of line %u is not what was written last", i,
                    s->read[r->id].line);
        BENCH_CHECK(b, mask_has(&r->marks, i) == want->mark[i],
                    "the mark of byte %u of line %u is not what was written last", i, s->read[r->id].line);
    }
    s->read[r->id].busy = false;
    s->reads--;
}
#endif
