/* The page of l1d (docs/blocks/l1d.md) as a program: which request leaves and why another stays, hit or miss, the victim by true LRU, every answer, request
 * and event. The step numbers are the page's. */
#ifndef VERIF_CACHE_L1D_PAGE_H
#define VERIF_CACHE_L1D_PAGE_H
#include "l1d_ports.h"
#include "verif/common/scoreboard.h"

enum { PG_SETS = L1D_BYTES / (LINE_BYTES * L1D_WAYS), PG_SLOTS = THREADS < 32 ? THREADS : 32 };

typedef struct {
    bool valid, unasked; /* unasked: fetched ahead, and not used by a load yet */
    bool mixed; /* fetched ahead for another warp than the first one that used it */
    uint8_t owner;
    uint64_t line, used;
    uint8_t byte[LINE_BYTES];
} page_line_t; /* used: when it was touched last; owner: the warp of the load that fetched it */
typedef struct {
    l1d_tag_t tag;
    unsigned sector;
} page_target_t;
typedef struct {
    bool valid, done, poison;
    uint64_t line;
    unsigned way, count, next;
    page_target_t target[L1D_TARGETS];
} page_mshr_t;
typedef struct {
    bool valid, done;
    l1d_tag_t tag;
    uint64_t data;
} page_slot_t;

typedef struct {
    l1d_req_t queue[2], s2;
    bool dropped[2], early, s2_valid;
    enum { PG_REQUEST, PG_FETCH, PG_PROBE } head, s2_is; /* kinds of queue[0] and s2 */
    struct {
        bool some, probe;
        uint8_t warp;
        uint64_t line;
    } ahead;
    unsigned jam; /* cycles until a memory port that was stalled counts as free */
    unsigned count;
    page_line_t cache[PG_SETS][L1D_WAYS];
    uint64_t touches;
    page_mshr_t mshr[L1D_MSHRS];
    page_slot_t slot[PG_SLOTS];
    l1d_out_t out;
} page_t;

/* After reset, and when everything is forgotten: way 0 counts as the youngest. */
static void page_forget(page_t *p)
{
    for (unsigned s = 0; s < PG_SETS; s++)
        for (unsigned w = 0; w < L1D_WAYS; w++) {
            p->cache[s][w].valid = false;
            p->cache[s][w].used = p->touches + L1D_WAYS - w;
        }
    p->touches += L1D_WAYS;
}

static void page_begin(page_t *p)
{
    page_forget(p);
    p->out.l1d_req_ready = p->out.idle = true;
}

static void page_touch(page_t *p, page_line_t *l)
{
    l->used = ++p->touches;
}

/* The unreserved way of a set that was touched longest ago, or -1. */
static int page_victim(const page_t *p, uint64_t line)
{
    const unsigned set = (unsigned)(line % PG_SETS);
    int best = -1;
    for (unsigned w = 0; w < L1D_WAYS; w++) {
        bool reserved = false;
        for (unsigned k = 0; k < L1D_MSHRS; k++)
            reserved |= p->mshr[k].valid && p->mshr[k].line % PG_SETS == set && p->mshr[k].way == w;
        if (!reserved && (best < 0 || p->cache[set][w].used < p->cache[set][best].used))
            best = (int)w;
    }
    return best;
}

/* A load of a line has left: it missed, or was the first one of a line fetched ahead. Lines of a page are 32. */
static void page_stream(page_t *p, unsigned policy, const l1d_req_t *r, bool miss)
{
    const uint64_t line = r->line;
    if (policy == PREFETCH_OFF || policy == 2 || line % PAGE_LINES == PAGE_LINES - 1)
        return;
    p->ahead.some = true;
    p->ahead.warp = r->warp;
    p->ahead.probe = policy == PREFETCH_STREAM && miss && line % PAGE_LINES != 0;
    p->ahead.line = p->ahead.probe ? line - 1 : line + 1;
}

static bool page_first_use(page_t *p, unsigned policy, const l1d_req_t *r, page_line_t *l)
{
    if (!l->unasked)
        return false;
    l->unasked = false;
    l->mixed = l->owner != r->warp;
    page_stream(p, policy, r, false);
    return true;
}

/* The record of a load that did not find its line, and of a line that is evicted. */
static void page_tell(l1d_out_t *o, const l1d_req_t *r, bool miss, const page_line_t *goes)
{
    const bool evicted = goes && goes->valid;
    o->line_valid = LOCALITY_ENTRIES != 0 && (miss || evicted);
    if (!o->line_valid)
        return;
    o->line =
        (line_event_t){.miss = miss, .walked = miss && r->walked, .evicted = evicted, .warp = r->warp, .key = r->line};
    if (evicted) {
        o->line.of = goes->owner;
        o->line.old = goes->line;
    }
}

static void page_answer(l1d_rsp_t *rsp, const l1d_tag_t *tag, const void *data, unsigned bytes)
{
    memset(rsp, 0, sizeof *rsp);
    rsp->tag = *tag;
    memcpy(&rsp->data, data, bytes);
}

/* The memory request of the request in s2. */
static mem_req_t page_request(const l1d_req_t *r, unsigned op, unsigned kind, unsigned index)
{
    mem_req_t m = {.op = (uint8_t)op,
                   .id = (uint16_t)(kind << MEM_IDX_W | index),
                   .line = r->line,
                   .amo = r->amo,
                   .amo_dword = r->amo_dword,
                   .amo_off = r->amo_off,
                   .hart = r->hart};
    for (unsigned s = 0; s < SECTORS; s++)
        memcpy((uint8_t *)m.data.w + s * SECTOR_BYTES, &r->data, SECTOR_BYTES);
    memcpy((uint8_t *)m.be.w + r->sector * (SECTOR_BYTES / 8), &r->be, SECTOR_BYTES / 8);
    return m;
}

static void page_expect(page_t *p, const l1d_in_t *in)
{
    const l1d_out_t *was = &p->out;
    const bool s3_free = !was->l1d_rsp_valid || in->l1d_rsp_ready, m_free = !was->mem_req_valid || in->mem_req_ready;
    const unsigned rsp_kind = in->mem_rsp.id >> MEM_IDX_W & 3, rsp_index = in->mem_rsp.id & ((1u << MEM_IDX_W) - 1);
    const bool fill_now = in->mem_rsp_valid && rsp_kind == 0;
    const l1d_req_t *r = &p->s2;
    l1d_out_t o = {.l1d_rsp_valid = was->l1d_rsp_valid && !in->l1d_rsp_ready,
                   .l1d_rsp = was->l1d_rsp,
                   .mem_req_valid = was->mem_req_valid && !in->mem_req_ready,
                   .mem_req = was->mem_req};
    ev_l1d_t *ev = &o.ev;

    /* Of the request in s2, before the edge. */
    page_line_t *hit = NULL;
    page_mshr_t *mshr = NULL;
    int free_mshr = -1, free_slot = -1;
    for (unsigned w = 0; w < L1D_WAYS; w++)
        if (p->cache[r->line % PG_SETS][w].valid && p->cache[r->line % PG_SETS][w].line == r->line)
            hit = &p->cache[r->line % PG_SETS][w];
    for (unsigned k = L1D_MSHRS; k-- > 0;) {
        if (!p->mshr[k].valid)
            free_mshr = (int)k;
        else if (p->mshr[k].line == r->line)
            mshr = &p->mshr[k];
    }
    for (unsigned k = PG_SLOTS; k-- > 0;)
        if (!p->slot[k].valid)
            free_slot = (int)k;
    const bool mshr_done = mshr && mshr->done;
    unsigned free_mshrs = 0;
    for (unsigned k = 0; k < L1D_MSHRS; k++)
        free_mshrs += !p->mshr[k].valid;
    const bool enters = p->ahead.some && !p->count && !in->l1d_req_valid && !in->inval
                        && !(p->s2_valid && p->s2_is == PG_REQUEST && r->op == L1D_INVAL);
    const bool probe_enters = p->ahead.probe;
    const uint64_t line_enters = p->ahead.line;
    const uint8_t warp_enters = p->ahead.warp;
    p->ahead.some &= !enters;
    const int victim = page_victim(p, r->line);

    /* 1. Answers first. */
    bool ans = false;
    if (s3_free) {
        for (unsigned k = 0; k < PG_SLOTS && !ans; k++)
            if (p->slot[k].valid && p->slot[k].done) {
                page_answer(&o.l1d_rsp, &p->slot[k].tag, &p->slot[k].data, 8);
                p->slot[k].valid = false;
                ans = true;
            }
        for (unsigned k = 0; k < L1D_MSHRS && !ans; k++) {
            page_mshr_t *m = &p->mshr[k];
            if (!m->valid || !m->done)
                continue;
            const page_target_t *t = &m->target[m->next++];
            page_answer(&o.l1d_rsp, &t->tag, p->cache[m->line % PG_SETS][m->way].byte + t->sector * SECTOR_BYTES,
                        SECTOR_BYTES);
            m->valid = m->next != m->count;
            ans = true;
        }
        o.l1d_rsp_valid = ans;
    }

    /* 2 to 5. The request in s2. */
    bool leaves = false, inval = false;
    if (p->s2_valid && p->s2_is != PG_REQUEST) {
        leaves = true; /* 11. */
        if (p->s2_is == PG_PROBE && (hit || mshr)) {
            p->ahead.some = true;
            p->ahead.probe = false;
            p->ahead.line = r->line + 2;
            p->ahead.warp = r->warp;
        } else if (p->s2_is == PG_FETCH && !hit && !mshr && free_mshrs >= 2 && victim >= 0 && m_free && !p->jam) {
            page_line_t *l = &p->cache[r->line % PG_SETS][victim];
            p->mshr[free_mshr] = (page_mshr_t){.valid = true, .line = r->line, .way = (unsigned)victim};
            page_tell(&o, r, false, l);
            l->owner = r->warp;
            l->mixed = false;
            l->valid = false;
            l->unasked = true;
            l->line = r->line;
            page_touch(p, l);
            o.mem_req_valid = true;
            o.mem_req = page_request(r, MEM_READ, 0, (unsigned)free_mshr);
            ev->l1d_prefetches = true;
        }
    } else if (p->s2_valid) {
        switch (r->op) {
        case L1D_LOAD:
            if (hit) {
                if (!(leaves = s3_free && !ans)) {
                    ev->l1d_stall_rsp = true;
                    break;
                }
                page_answer(&o.l1d_rsp, &r->tag, hit->byte + r->sector * SECTOR_BYTES, SECTOR_BYTES);
                o.l1d_rsp_valid = true;
                page_touch(p, hit);
                ev->l1d_prefetch_hits = page_first_use(p, in->prefetch, r, hit);
                ev->l1d_load_hits = true;
            } else if (mshr) {
                if (!(leaves = !mshr->poison && mshr->count < L1D_TARGETS)) {
                    ev->l1d_stall_merge = true;
                    break;
                }
                mshr->target[mshr->count++] = (page_target_t){r->tag, r->sector};
                ev->l1d_prefetch_hits = page_first_use(p, in->prefetch, r, &p->cache[r->line % PG_SETS][mshr->way]);
                page_tell(&o, r, true, NULL);
                ev->l1d_load_merges = true;
            } else if (free_mshr < 0 || victim < 0) {
                ev->l1d_stall_mshr = true;
            } else if (!m_free) {
                ev->l1d_stall_mem = true;
            } else {
                page_line_t *l = &p->cache[r->line % PG_SETS][victim];
                leaves = true;
                p->mshr[free_mshr] = (page_mshr_t){.valid = true,
                                                   .line = r->line,
                                                   .way = (unsigned)victim,
                                                   .count = 1,
                                                   .target[0] = {r->tag, r->sector}};
                page_tell(&o, r, true, l);
                l->owner = r->warp;
                l->mixed = false;
                l->valid = l->unasked = false;
                l->line = r->line;
                page_touch(p, l);
                page_stream(p, in->prefetch, r, true);
                o.mem_req_valid = true;
                o.mem_req = page_request(r, MEM_READ, 0, (unsigned)free_mshr);
            }
            ev->l1d_loads = leaves;
            break;
        case L1D_STORE:
            if (hit && (fill_now || mshr_done)) {
                ev->l1d_stall_store = true;
            } else if (!m_free) {
                ev->l1d_stall_mem = true;
            } else {
                uint8_t be[SECTOR_BYTES / 8], data[SECTOR_BYTES];
                memcpy(be, &r->be, sizeof be);
                memcpy(data, &r->data, sizeof data);
                leaves = ev->l1d_stores = true;
                ev->l1d_store_hits = hit != NULL;
                for (unsigned i = 0; hit && i < SECTOR_BYTES; i++)
                    if (be[i / 8] >> i % 8 & 1)
                        hit->byte[r->sector * SECTOR_BYTES + i] = data[i];
                if (hit)
                    page_touch(p, hit);
                if (mshr)
                    mshr->poison = true;
                o.mem_req_valid = true;
                o.mem_req = page_request(r, MEM_WRITE, 1, r->warp);
            }
            break;
        case L1D_AMO:
            if (free_slot < 0) {
                ev->l1d_stall_atomic = true;
            } else if (!m_free) {
                ev->l1d_stall_mem = true;
            } else {
                leaves = ev->l1d_atomics = true;
                p->slot[free_slot] = (page_slot_t){.valid = true, .tag = r->tag};
                if (mshr)
                    mshr->poison = true;
                if (hit)
                    hit->valid = false;
                o.mem_req_valid = true;
                o.mem_req = page_request(r, MEM_AMO, 2, (unsigned)free_slot);
            }
            break;
        default:
            leaves = inval = true;
            for (unsigned k = 0; k < L1D_MSHRS; k++)
                p->mshr[k].poison = true;
        }
    }
    ev->l1d_invals = inval || in->inval;
    p->jam = !m_free ? 64 : p->jam ? p->jam - 1 : 0; /* 11. */

    /* 7, 8, 5. */
    if (fill_now) {
        page_mshr_t *m = &p->mshr[rsp_index];
        page_line_t *l = &p->cache[m->line % PG_SETS][m->way];
        memcpy(l->byte, in->mem_rsp.data.w, LINE_BYTES);
        m->done = m->count != 0;
        m->valid = m->count != 0;
        l->valid = !m->poison && !in->inval;
        ev->l1d_fills = true;
        ev->l1d_fills_dropped = !l->valid;
    } else if (in->mem_rsp_valid && rsp_kind == 1) {
        o.l1d_ack = true;
    } else if (in->mem_rsp_valid) {
        p->slot[rsp_index].data = in->mem_rsp.data.w[0];
        p->slot[rsp_index].done = true;
    }
    if (inval || in->inval) {
        page_forget(p);
        p->ahead.some = false;
    }
    for (unsigned k = 0; in->inval && k < L1D_MSHRS; k++)
        p->mshr[k].poison = true;

    /* 9. */
    const bool s2_free = !p->s2_valid || leaves, takes = in->l1d_req_valid && was->l1d_req_ready;
    if (p->early) {
        l1d_req_t *q = &p->queue[p->count - 1];
        p->dropped[p->count - 1] = !(in->early && in->found.hit);
        q->line = (uint64_t)in->found.ppn * PAGE_LINES + q->line % PAGE_LINES;
    }
    if (s2_free) {
        p->s2_valid = p->count && !p->dropped[0];
        p->s2_is = p->head;
        p->head = PG_REQUEST;
        p->s2 = p->queue[0];
        p->queue[0] = p->queue[1];
        p->dropped[0] = p->dropped[1];
        p->count -= p->count != 0;
    }
    if (takes) {
        p->queue[p->count] = in->l1d_req;
        p->dropped[p->count++] = false;
    }
    p->early = takes && in->l1d_req.early;
    if (enters) {
        p->head = probe_enters ? PG_PROBE : PG_FETCH;
        p->queue[0] = (l1d_req_t){.op = L1D_LOAD, .line = line_enters, .warp = warp_enters};
        p->dropped[0] = false;
        p->count = 1;
    }

    o.l1d_req_ready = p->count != 2;
    o.idle = !p->ahead.some && !p->count && !p->s2_valid && !o.l1d_rsp_valid && !o.mem_req_valid && !o.l1d_ack;
    for (unsigned k = 0; k < L1D_MSHRS; k++)
        o.idle &= !p->mshr[k].valid;
    for (unsigned k = 0; k < PG_SLOTS; k++)
        o.idle &= !p->slot[k].valid;
    p->out = o;
}
#endif
