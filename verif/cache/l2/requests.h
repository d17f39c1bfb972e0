/* For the scoreboards of either kind of L2 slice (l2, l2c): the requests inside, by id, and the reservations of their sources. */
#ifndef VERIF_CACHE_L2_REQUESTS_H
#define VERIF_CACHE_L2_REQUESTS_H
#include "sim_c/common/vl_bits.h"
#include "verif/common/atomics.h"

enum { SCOREBOARD_LINES = 64, SCOREBOARD_INSIDE = 256 };
typedef struct {
    bool busy[SCOREBOARD_INSIDE];
    uint8_t at[SCOREBOARD_INSIDE]; /* the number of its line */
    net_req_t req[SCOREBOARD_INSIDE];
    unsigned inside;
    uint64_t addr[SCOREBOARD_LINES]; /* of the lines */
} requests_t;
typedef struct {
    bool valid;
    uint8_t ended;
    uint64_t hart, line, drops; /* drops: number of lines lost when the reservation was made */
} reservation_t;

/* A free id, from `from` on; -1 without one. */
static int requests_room(const requests_t *q, unsigned from)
{
    for (unsigned i = 0; i < SCOREBOARD_INSIDE; i++)
        if (!q->busy[(from + i) % SCOREBOARD_INSIDE])
            return (int)((from + i) % SCOREBOARD_INSIDE);
    return -1;
}

/* A request about line number k comes in; its id. */
static unsigned requests_take(requests_t *q, const net_req_t *n, unsigned k)
{
    const unsigned id = n->req.id;
    q->busy[id] = true;
    q->at[id] = (uint8_t)k;
    q->req[id] = *n;
    q->inside++;
    return id;
}

/* The number of a line, or -1. */
static int requests_find(const requests_t *q, uint64_t addr)
{
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++)
        if (q->addr[k] == addr)
            return (int)k;
    return -1;
}

/* The request inside that an answer belongs to; `line` is the answer's line by the slice. Returns the error, or NULL. */
static const char *requests_answer(const requests_t *q, const net_rsp_t *a, uint64_t line, const net_req_t **n)
{
    const unsigned id = a->rsp.id;
    if (id >= SCOREBOARD_INSIDE || !q->busy[id])
        return "an answer that nobody waits for";
    if (q->req[id].src != a->src)
        return "an answer for another source";
    if (q->req[id].req.line != line)
        return "an answer about another line";
    *n = &q->req[id];
    return NULL;
}

static void reservations_begin(reservation_t resv[SOURCES])
{
    for (unsigned s = 0; s < SOURCES; s++)
        resv[s].ended = SC_NEVER;
}

/* Whoever stores ends all reservations of the line; so does losing it. */
static void reservations_break(reservation_t resv[SOURCES], uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (resv[s].valid && resv[s].line == line) {
            resv[s].valid = false;
            resv[s].ended = SC_BROKEN;
        }
}
#endif
