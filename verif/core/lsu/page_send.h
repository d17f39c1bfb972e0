/* Step 8 of the page's section "Front", of a row that is active: threads go to the L1D and the scratchpad, stores and atomics by way of `st`. */
#ifndef LSU_BENCH_PAGE_SEND_H
#define LSU_BENCH_PAGE_SEND_H
#include "verif/core/lsu/page_before.h"

enum { MOST_STORES = 254 };

typedef enum { STAY, LEAVE, POP } page_end_e;

static void page_count_pages(const page_row_t *r, ev_lsu_t *ev)
{
    if (!r->global)
        return;
    if (r->pages < 2)
        ev->page_div_1++;
    else if (r->pages < 4)
        ev->page_div_2_3 = true;
    else if (r->pages < 8)
        ev->page_div_4_7 = true;
    else if (r->pages < 16)
        ev->page_div_8_15 = true;
    else
        ev->page_div_16_up = true;
}

/* Step 8 of a row that is active. */
static page_end_e page_send(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, page_row_t *r, bool st_taken,
                            ev_lsu_t *ev)
{
    const bool taken = s->out.l1d_req_valid && s->out.l1d_req.op == L1D_LOAD && in->l1d_req_ready;
    uint64_t p = page_ready_threads(s, r, b->overlap), l = page_next_threads(s, r, b->overlap), go = 0;
    const bool first = !s->lmask;
    if (!r->seen) {
        r->seen = true;
        ev->lsu_loads = r->kind == MEMOP_LOAD && !r->traced;
        ev->lsu_stores = r->kind == MEMOP_STORE;
        ev->lsu_atomics = r->kind == MEMOP_ATOMIC;
        r->traced = true;
        if (r->kind != MEMOP_STORE) {
            r->entry = b->entry;
            s->entry[r->entry] = (page_entry_t){.valid = true,
                                                .atomic = r->kind == MEMOP_ATOMIC,
                                                .warp = r->warp,
                                                .seq = r->seq,
                                                .rd = r->rd,
                                                .left = r->active};
        }
    }
    s->tbeat += s->tbeat < BEATS;
    if (s->out.spad_req_valid && in->spad_req_ready)
        s->words &= ~page_beat(s->out.spad_req.beat);
    if (r->kind == MEMOP_LOAD) {
        go = taken ? l : 0;
        s->loads += taken;
    } else if (l && (!s->st.valid || !s->st.final || st_taken)
               && (r->kind == MEMOP_ATOMIC || b->unacked < MOST_STORES)) {
        const unsigned beat = lowest(l) / LANES;
        const uint64_t at = page_phys(r, lowest(l));
        s->st_next = (page_st_t){.valid = true,
                                 .final = !(l & ~page_beat(beat)),
                                 .atomic = r->kind == MEMOP_ATOMIC,
                                 .warp = r->warp,
                                 .line = at / LINE_BYTES,
                                 .sector = at / SECTOR_BYTES % SECTORS,
                                 .entry = r->entry,
                                 .threads = l};
        go = l;
        s->lmask = l & ~page_beat(beat);
    }
    if (go && (first || r->kind != MEMOP_STORE)) {
        const bool counted = s->lseen >> lowest(go) & 1;
        s->out.sent_valid = true;
        s->out.sent = (sent_t){.warp = (uint8_t)r->warp,
                               .seq = (uint8_t)r->seq,
                               .threads = go,
                               .line = page_phys(r, lowest(go)) / LINE_BYTES};
        ev->lsu_lines += !counted && r->kind != MEMOP_ATOMIC;
        s->lseen |= counted ? 0 : page_alike(r, p, go, LINE_OFF_W, true);
        if (!in->root.sv48 && !(s->pseen >> lowest(go) & 1)) {
            r->pages += r->pages < 127;
            ev->lsu_pages = 1;
            s->pseen |= page_alike(r, r->global, go, 12, false);
        }
    }
    r->ok &= ~go;
    r->unsent &= ~go;
    if ((p & ~go) | s->lmask || s->words || s->tbeat < BEATS)
        return STAY;
    if (r->unsent) {
        ev->lsu_parked = true;
        return LEAVE;
    }
    page_count_pages(r, ev);
    s->post = r->aq;
    return r->aq ? STAY : POP;
}

/* `st` when its request is taken, or another beat's lanes come. */
static void page_store(lsu_page_t *s, const lsu_in_t *in, bool st_taken)
{
    if (s->st.valid && (!s->st.final || st_taken)) {
        if (st_taken) {
            s->unacked += !s->st.atomic;
            s->loads += s->st.atomic;
            s->amos += s->st.atomic;
        }
        s->st.valid = false;
    }
    if (s->st_next.valid)
        s->st = s->st_next;
    s->unacked -= in->l1d_ack;
}
#endif
