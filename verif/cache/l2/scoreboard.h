/* The scoreboard of the L2 bench: lines as arrays of bytes, no cache. A slice answers the requests of a line in the order in which it took them, and performs them
 * in the order of its answers; so each answer is the next request performed, and must carry its result on these bytes. Memory below is a second
 * array, changed by write-backs only: after a write-back, and after maintenance, the two must agree. */
#ifndef VERIF_L2_SCOREBOARD_H
#define VERIF_L2_SCOREBOARD_H
#include "sim_c/common/line_be.h"
#include "l2_ports.h"
#include "verif/cache/l2/requests.h"

typedef struct {
    uint8_t now[LINE_BYTES], mem[LINE_BYTES];
    unsigned first, count;
    uint16_t taken[SCOREBOARD_INSIDE]; /* ids, oldest first: a ring */
} scoreboard_line_t;
typedef struct {
    scoreboard_line_t line[SCOREBOARD_LINES];
    requests_t q;
    unsigned evicting; /* reported evictions with a pending write-back */
    reservation_t resv[SOURCES];
    uint64_t sc[SC_N];
} scoreboard_t;

static void scoreboard_line(scoreboard_t *sb, unsigned k, uint64_t addr, struct vl_rng *rng)
{
    sb->q.addr[k] = addr;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        sb->line[k].now[i] = sb->line[k].mem[i] = (uint8_t)vl_random(rng);
    reservations_begin(sb->resv);
}

static void scoreboard_put(uint8_t *p, unsigned size, uint64_t v)
{
    for (unsigned i = 0; i < size; i++, v >>= 8)
        p[i] = (uint8_t)v;
}

/* The datum that an atomic would read now. */
static uint64_t scoreboard_datum(const scoreboard_t *sb, const mem_req_t *r)
{
    return datum_get(sb->line[requests_find(&sb->q, r->line)].now + r->amo_off, r->amo_dword ? 8 : 4);
}

static void scoreboard_take(scoreboard_t *sb, const net_req_t *n)
{
    const unsigned k = (unsigned)requests_find(&sb->q, n->req.line), id = requests_take(&sb->q, n, k);
    scoreboard_line_t *l = &sb->line[k];
    l->taken[(l->first + l->count++) % SCOREBOARD_INSIDE] = (uint16_t)id;
}

/* Performs an atomic; returns the value it answers with. */
static uint64_t scoreboard_amo(scoreboard_t *sb, const net_req_t *n, uint8_t *p)
{
    const mem_req_t *r = &n->req;
    unsigned size = r->amo_dword ? 8 : 4;
    uint64_t old = datum_get(p, size);
    const uint64_t now = amo_value(r->amo, size, old, r->data.w[0]),
                   cmp = r->amo_dword ? r->data.w[1] : (uint32_t)r->data.w[1];
    switch (r->amo) {
    case AMO_CAS:
        if (old != cmp)
            return old;
        break;
    case AMO_LR:
        sb->resv[n->src].valid = true;
        sb->resv[n->src].hart = r->hart;
        sb->resv[n->src].line = r->line;
        return old;
    case AMO_SC: {
        bool valid = sb->resv[n->src].valid, hart = sb->resv[n->src].hart == r->hart,
             line = sb->resv[n->src].line == r->line;
        sb->sc[!valid ? sb->resv[n->src].ended : !hart ? SC_HART : !line ? SC_LINE : r->sc_fail ? SC_CORE : SC_OK]++;
        if (hart && valid) {
            sb->resv[n->src].valid = false;
            sb->resv[n->src].ended = SC_USED;
        }
        if (!valid || !hart || !line || r->sc_fail)
            return 1;
        old = 0;
        break;
    }
    default: break;
    }
    scoreboard_put(p, size, now);
    reservations_break(sb->resv, r->line);
    return old;
}

/* An answer was taken; `line` is its line by the slice. Returns the error, or NULL. */
static const char *scoreboard_answer(scoreboard_t *sb, const net_rsp_t *a, uint64_t line)
{
    unsigned id = a->rsp.id;
    const net_req_t *n;
    const char *unfit = requests_answer(&sb->q, a, line, &n);
    if (unfit)
        return unfit;
    const mem_req_t *r = &n->req;
    scoreboard_line_t *l = &sb->line[sb->q.at[id]];
    if (l->taken[l->first] != id)
        return "an answer before that of an older request to the line";
    l->first = (l->first + 1) % SCOREBOARD_INSIDE;
    l->count--;
    sb->q.busy[id] = false;
    sb->q.inside--;
    line_data_t want = {{0}};
    if (r->op == MEM_READ) {
        memcpy(want.w, l->now, LINE_BYTES);
    } else if (r->op == MEM_WRITE) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r->be.w[i / 64] >> i % 64 & 1)
                l->now[i] = ((const uint8_t *)r->data.w)[i];
        reservations_break(sb->resv, r->line);
    } else {
        want.w[0] = scoreboard_amo(sb, n, l->now + r->amo_off);
        if (!r->amo_dword)
            want.w[0] |= want.w[0] << 32;
    }
    if (memcmp(&want, &a->rsp.data, sizeof want))
        return r->op == MEM_READ    ? "a line that is not what was written"
               : r->op == MEM_WRITE ? "a write answered with data"
                                    : "an atomic's wrong result";
    return NULL;
}

/* Is there a request inside that may have caused this read, or this eviction? */
static bool scoreboard_asked(const scoreboard_t *sb, const home_req_t *h)
{
    for (unsigned i = 0; i < SCOREBOARD_INSIDE; i++) {
        const net_req_t *n = &sb->q.req[i];
        if (sb->q.busy[i] && n->src == h->src && n->req.asid == h->asid
            && (h->op == HOME_WRITE_BACK || (n->req.cls == h->cls && n->req.line == h->line)))
            return true;
    }
    return false;
}

/* A read was taken. What memory answers to it. */
static const char *scoreboard_read(const scoreboard_t *sb, const home_req_t *h, line_data_t *data)
{
    int k = requests_find(&sb->q, h->line);
    if (k < 0 || !scoreboard_asked(sb, h))
        return "a read that nobody asked for";
    if (h->op != HOME_READ || h->state != NMOESI_I || h->keep || !be_none(&h->be))
        return "a read that says more than that";
    memcpy(data->w, sb->line[k].mem, LINE_BYTES);
    return NULL;
}

/* A write-back was taken: everything older has been performed, nothing younger. It belongs to an eviction, or to maintenance if no eviction is pending. */
static const char *scoreboard_written(scoreboard_t *sb, const home_req_t *w, const maint_t *maint)
{
    int k = requests_find(&sb->q, w->line);
    if (k < 0)
        return "a write-back of a line that nobody named";
    bool evicts = sb->evicting != 0;
    sb->evicting -= evicts;
    if (w->id || w->cls || w->state != NMOESI_M || (evicts ? !scoreboard_asked(sb, w) : w->src || w->asid))
        return "a write-back for somebody else";
    if (!evicts && !maint)
        return "a write-back without a reason";
    if (w->keep != (!evicts && maint->op < L2_INVAL_LINE))
        return "a line that is kept, or is not, and the write-back says otherwise";
    scoreboard_line_t *l = &sb->line[k];
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (w->be.w[i / 64] >> i % 64 & 1)
            l->mem[i] = ((const uint8_t *)w->data.w)[i];
    return memcmp(l->mem, l->now, LINE_BYTES) ? "memory is not what was written, after a write-back" : NULL;
}

/* Maintenance is done. Memory of the lines it dropped changes then; the slice must return the new bytes. */
static const char *scoreboard_maintained(scoreboard_t *sb, const maint_t *m, struct vl_rng *rng)
{
    const uint64_t page = 4096 / LINE_BYTES;
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++) {
        scoreboard_line_t *l = &sb->line[k];
        switch (m->op) {
        case L2_FLUSH_LINE:
        case L2_INVAL_LINE:
            if (sb->q.addr[k] != m->line)
                continue;
            break;
        case L2_FLUSH_PAGE:
        case L2_INVAL_PAGE:
            if (sb->q.addr[k] / page != m->line / page)
                continue;
            break;
        }
        if (memcmp(l->mem, l->now, LINE_BYTES))
            return "memory is not what was written, after maintenance";
        if (m->op >= L2_INVAL_LINE)
            for (unsigned i = 0; i < LINE_BYTES; i++)
                l->mem[i] = l->now[i] = (uint8_t)(l->now[i] ^ vl_random(rng));
    }
    return NULL;
}
#endif
