/* The judge of the L2 bench: lines as arrays of bytes, no cache. A slice answers the requests of a line in the order in which it took them, and performs whatever
 * it performs in the order of its answers; so each answer says what happens next, and must carry what these bytes make of it. Memory below is a second
 * array, changed by write-backs only: after a write-back, and after maintenance, the two must agree. */
#ifndef VERIF_L2_JUDGE_H
#define VERIF_L2_JUDGE_H
#include "l2_ports.h"
#include "sim_c/common/vl_bits.h"

enum { JUDGE_LINES = 64, JUDGE_INSIDE = 256, JUDGE_SC = 7 };
/* Why a store-conditional did what it did. */
enum { SC_OK, SC_NEVER, SC_HART, SC_LINE, SC_USED, SC_BROKEN, SC_CORE };
typedef struct {
    uint64_t addr;
    uint8_t now[LINE_BYTES], mem[LINE_BYTES];
    unsigned first, count;
    uint16_t taken[JUDGE_INSIDE]; /* ids, oldest first: a ring */
} judge_line_t;
typedef struct {
    judge_line_t line[JUDGE_LINES];
    bool busy[JUDGE_INSIDE]; /* by id */
    uint8_t at[JUDGE_INSIDE];
    net_req_t req[JUDGE_INSIDE];
    unsigned inside;
    unsigned evicting; /* evictions that were reported and whose write-back is still to come */
    struct {
        bool valid;
        uint8_t ended;
        uint64_t hart, line;
    } resv[SOURCES];
    uint64_t sc[JUDGE_SC];
} judge_t;

static void judge_line(judge_t *j, unsigned k, uint64_t addr, struct vl_rng *rng)
{
    j->line[k].addr = addr;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        j->line[k].now[i] = j->line[k].mem[i] = (uint8_t)vl_random(rng);
    for (unsigned s = 0; s < SOURCES; s++)
        j->resv[s].ended = SC_NEVER;
}

static int judge_find(const judge_t *j, uint64_t addr)
{
    for (unsigned k = 0; k < JUDGE_LINES; k++)
        if (j->line[k].addr == addr)
            return (int)k;
    return -1;
}

/* An id that nobody uses, from `from` on; -1 if there is none. */
static int judge_room(const judge_t *j, unsigned from)
{
    for (unsigned i = 0; i < JUDGE_INSIDE; i++)
        if (!j->busy[(from + i) % JUDGE_INSIDE])
            return (int)((from + i) % JUDGE_INSIDE);
    return -1;
}

static uint64_t judge_get(const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void judge_put(uint8_t *p, unsigned size, uint64_t v)
{
    for (unsigned i = 0; i < size; i++, v >>= 8)
        p[i] = (uint8_t)v;
}

/* What an atomic would find now. */
static uint64_t judge_datum(const judge_t *j, const mem_req_t *r)
{
    return judge_get(j->line[judge_find(j, r->line)].now + r->amo_off, r->amo_dword ? 8 : 4);
}

static void judge_take(judge_t *j, const net_req_t *n)
{
    unsigned k = (unsigned)judge_find(j, n->req.line), id = n->req.id;
    judge_line_t *l = &j->line[k];
    j->busy[id] = true;
    j->at[id] = (uint8_t)k;
    j->req[id] = *n;
    l->taken[(l->first + l->count++) % JUDGE_INSIDE] = (uint16_t)id;
    j->inside++;
}

static void judge_break(judge_t *j, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (j->resv[s].valid && j->resv[s].line == line) {
            j->resv[s].valid = false;
            j->resv[s].ended = SC_BROKEN;
        }
}

/* Performs an atomic; returns the value it answers with. */
static uint64_t judge_amo(judge_t *j, const net_req_t *n, uint8_t *p)
{
    const mem_req_t *r = &n->req;
    unsigned size = r->amo_dword ? 8 : 4;
    uint64_t old = judge_get(p, size), src = r->amo_dword ? r->data.w[0] : (uint32_t)r->data.w[0], now = src;
    uint64_t cmp = r->amo_dword ? r->data.w[1] : (uint32_t)r->data.w[1];
    int64_t so = r->amo_dword ? (int64_t)old : (int32_t)old, ss = r->amo_dword ? (int64_t)src : (int32_t)src;
    switch (r->amo) {
    case AMO_SWAP: break;
    case AMO_ADD: now = old + src; break;
    case AMO_XOR: now = old ^ src; break;
    case AMO_AND: now = old & src; break;
    case AMO_OR: now = old | src; break;
    case AMO_MIN: now = ss < so ? src : old; break;
    case AMO_MAX: now = ss > so ? src : old; break;
    case AMO_MINU: now = src < old ? src : old; break;
    case AMO_MAXU: now = src > old ? src : old; break;
    case AMO_CAS:
        if (old != cmp)
            return old;
        break;
    case AMO_LR:
        j->resv[n->src].valid = true;
        j->resv[n->src].hart = r->hart;
        j->resv[n->src].line = r->line;
        return old;
    default: {
        bool valid = j->resv[n->src].valid, hart = j->resv[n->src].hart == r->hart,
             line = j->resv[n->src].line == r->line;
        j->sc[!valid ? j->resv[n->src].ended : !hart ? SC_HART : !line ? SC_LINE : r->sc_fail ? SC_CORE : SC_OK]++;
        if (hart && valid) {
            j->resv[n->src].valid = false;
            j->resv[n->src].ended = SC_USED;
        }
        if (!valid || !hart || !line || r->sc_fail)
            return 1;
        old = 0;
    }
    }
    judge_put(p, size, now);
    judge_break(j, r->line);
    return old;
}

/* An answer was taken, about that line as the slice says. Returns what is wrong with it, or NULL. */
static const char *judge_answer(judge_t *j, const net_rsp_t *a, uint64_t line)
{
    unsigned id = a->rsp.id;
    if (id >= JUDGE_INSIDE || !j->busy[id])
        return "an answer that nobody waits for";
    const net_req_t *n = &j->req[id];
    const mem_req_t *r = &n->req;
    judge_line_t *l = &j->line[j->at[id]];
    if (n->src != a->src)
        return "an answer for another source";
    if (r->line != line)
        return "an answer about another line";
    if (l->taken[l->first] != id)
        return "an answer before that of an older request to the line";
    l->first = (l->first + 1) % JUDGE_INSIDE;
    l->count--;
    j->busy[id] = false;
    j->inside--;
    vl_bits_1024 want = {{0}};
    if (r->op == MEM_READ) {
        memcpy(want.w, l->now, LINE_BYTES);
    } else if (r->op == MEM_WRITE) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r->be.w[i / 64] >> i % 64 & 1)
                l->now[i] = ((const uint8_t *)r->data.w)[i];
        judge_break(j, r->line);
    } else {
        want.w[0] = judge_amo(j, n, l->now + r->amo_off);
        if (!r->amo_dword)
            want.w[0] |= want.w[0] << 32;
    }
    if (memcmp(&want, &a->rsp.data, sizeof want))
        return r->op == MEM_READ    ? "a line that is not what was written"
               : r->op == MEM_WRITE ? "a write answered with data"
                                    : "an atomic's wrong result";
    return NULL;
}

/* Is there a request inside whose read, or whose eviction, this may be? */
static bool judge_asked(const judge_t *j, const home_req_t *h)
{
    for (unsigned i = 0; i < JUDGE_INSIDE; i++) {
        const net_req_t *n = &j->req[i];
        if (j->busy[i] && n->src == h->src && n->req.asid == h->asid
            && (h->op == HOME_WRITE_BACK || (n->req.cls == h->cls && n->req.line == h->line)))
            return true;
    }
    return false;
}

/* A read was taken. What memory answers to it. */
static const char *judge_read(const judge_t *j, const home_req_t *h, vl_bits_1024 *data)
{
    int k = judge_find(j, h->line);
    if (k < 0 || !judge_asked(j, h))
        return "a read that nobody asked for";
    if (h->op != HOME_READ || h->state != NMOESI_I || h->keep || h->be.w[0] || h->be.w[1])
        return "a read that says more than that";
    memcpy(data->w, j->line[k].mem, LINE_BYTES);
    return NULL;
}

/* A write-back was taken: everything older has been performed, nothing younger. It is that of an eviction, or of maintenance when none is to come. */
static const char *judge_written(judge_t *j, const home_req_t *w, const maint_t *maint)
{
    int k = judge_find(j, w->line);
    if (k < 0)
        return "a write-back of a line that nobody named";
    bool evicts = j->evicting != 0;
    j->evicting -= evicts;
    if (w->id || w->cls || w->state != NMOESI_M || (evicts ? !judge_asked(j, w) : w->src || w->asid))
        return "a write-back for somebody else";
    if (!evicts && !maint)
        return "a write-back without a reason";
    if (w->keep != (!evicts && maint->op < L2_INVAL_LINE))
        return "a line that is kept, or is not, and the write-back says otherwise";
    judge_line_t *l = &j->line[k];
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (w->be.w[i / 64] >> i % 64 & 1)
            l->mem[i] = ((const uint8_t *)w->data.w)[i];
    return memcmp(l->mem, l->now, LINE_BYTES) ? "memory is not what was written, after a write-back" : NULL;
}

/* Maintenance is done. What was forgotten is then changed behind the slice's back, which must see it. */
static const char *judge_maintained(judge_t *j, const maint_t *m, struct vl_rng *rng)
{
    const uint64_t page = 4096 / LINE_BYTES;
    for (unsigned k = 0; k < JUDGE_LINES; k++) {
        judge_line_t *l = &j->line[k];
        switch (m->op) {
        case L2_FLUSH_LINE:
        case L2_INVAL_LINE:
            if (l->addr != m->line)
                continue;
            break;
        case L2_FLUSH_PAGE:
        case L2_INVAL_PAGE:
            if (l->addr / page != m->line / page)
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
