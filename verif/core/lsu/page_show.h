/* The outputs, a function of the state: everything but data. */
#ifndef LSU_BENCH_PAGE_SHOW_H
#define LSU_BENCH_PAGE_SHOW_H
#include "verif/core/lsu/page_visit.h"

static bool page_quiet(const lsu_page_t *s)
{
    return !s->unacked && !s->amos;
}

static bool page_sd_shows(const lsu_page_t *s)
{
    return s->sd && !s->unacked && !s->loads && !s->lmask && !s->st.valid;
}

static bool page_lk_shown(const lsu_page_t *s)
{
    return s->lk.ports && !s->slots && s->mqs + (s->fk.ports != 0) <= 1;
}

static void page_show_request(const lsu_page_t *s, lsu_out_t *o, page_visit_e v, bool overlap)
{
    const page_row_t *r = &s->row[s->front];
    l1d_req_t *q = &o->l1d_req;
    const bool fence = (v == VISIT_FENCE && !s->fr) || v == VISIT_POST || v == VISIT_RELEASE;
    *q = (l1d_req_t){0};
    if (s->st.valid) {
        o->l1d_req_valid = s->st.final;
        *q = (l1d_req_t){.op = s->st.atomic ? L1D_AMO : L1D_STORE,
                         .warp = (uint8_t)s->st.warp,
                         .line = s->st.line,
                         .sector = s->st.sector};
        if (s->st.atomic) {
            q->tag.entry = (uint8_t)s->st.entry;
            q->tag.tmask = s->st.threads;
            q->sector = 0;
        }
    } else if (page_sd_shows(s)) {
        o->l1d_req_valid = true;
        q->op = L1D_INVAL;
    } else if (fence && page_quiet(s)) {
        o->l1d_req_valid = true;
        *q = (l1d_req_t){.op = L1D_INVAL, .warp = (uint8_t)r->warp};
    } else if (v == VISIT_EARLY && s->tbeat == 0 && page_lk_shown(s) && s->lk.ports == 1 && !s->lk.left
               && page_free_entry(s) != NO_ENTRY && !s->sd
               && page_alike(r, r->active, r->active, page_log2(SECTOR_BYTES), false) == r->active) {
        const uint64_t at = r->addr[lowest(r->active)];
        o->l1d_req_valid = true;
        *q = (l1d_req_t){.op = L1D_LOAD,
                         .early = true,
                         .warp = (uint8_t)r->warp,
                         .line = at / LINE_BYTES % PAGE_LINES,
                         .sector = at / SECTOR_BYTES % SECTORS};
        q->tag.entry = (uint8_t)page_free_entry(s);
        q->tag.tmask = r->active;
    } else if (v == VISIT_ACTIVE && r->kind == MEMOP_LOAD && page_next_threads(s, r, overlap)) {
        const uint64_t l = page_next_threads(s, r, overlap), at = page_phys(r, lowest(l));
        o->l1d_req_valid = true;
        *q = (l1d_req_t){
            .op = L1D_LOAD, .warp = (uint8_t)r->warp, .line = at / LINE_BYTES, .sector = at / SECTOR_BYTES % SECTORS};
        q->tag.entry = (uint8_t)(r->seen ? r->entry : page_free_entry(s));
        q->tag.tmask = l;
        q->walked = LOCALITY_ENTRIES != 0 && (l & r->walked) != 0;
    }
}

/* Everything but data. `mode` of the next cycle is this one's: it changes only at rest. */
static void page_show(lsu_page_t *s, const lsu_in_t *in)
{
    lsu_out_t *o = &s->out;
    const bool overlap = page_overlap(in);
    const page_visit_e v = page_visit(s, overlap);
    const page_row_t *r = &s->row[s->front % LSU_ROWS];
    *o = (lsu_out_t){.ev = o->ev,
                     .sent_valid = o->sent_valid,
                     .sent = o->sent,
                     .inv_done = o->inv_done,
                     .fault_valid = o->fault_valid,
                     .fault = o->fault,
                     .pf_valid = o->pf_valid,
                     .pf = o->pf};
    o->credit = s->pending != 0;
    if (page_lk_shown(s)) {
        o->look_valid = (uint8_t)s->lk.ports;
        for EACH(p, s->lk.ports)
            o->look[p] = (look_t){.vpn = s->lk.vpn[p], .store = s->row[s->lk.row].write, .warp = (uint8_t)s->lk.warp};
    }
    o->early = s->ek.valid && s->fk.ports && s->fk.early;
    o->miss_valid = s->mqs && !s->slots;
    if (o->miss_valid) {
        const page_look_t *m = &s->mq[0];
        o->miss = (miss_t){
            .vpn = m->vpn[lowest(m->ports)], .access = m->write ? ACC_STORE : ACC_LOAD, .warp = (uint8_t)m->warp};
    }
    page_show_request(s, o, v, overlap);
    o->l1d_rsp_ready = o->spad_rsp_ready = s->x < 2 && !s->l.valid && !s->sp.valid;
    o->lsu_res_valid = s->x != 0;
    if (s->x)
        o->lsu_res = s->record[0];
    const bool traces = (v == VISIT_ACTIVE || v == VISIT_EARLY) && s->tbeat < BEATS && r->active & page_beat(s->tbeat);
    o->trace_valid = traces;
    if (traces)
        o->trace = (memtrace_t){.warp = (uint8_t)r->warp,
                                .seq = (uint8_t)r->seq,
                                .beat = s->tbeat,
                                .mask = (r->active & page_beat(s->tbeat)) >> s->tbeat * LANES};
    if (v == VISIT_ACTIVE && s->words) {
        const unsigned b = lowest(s->words) / LANES;
        o->spad_req_valid = true;
        o->spad_req = (spad_req_t){.entry = (uint8_t)(r->kind == MEMOP_STORE ? 0
                                                      : r->seen              ? r->entry
                                                                             : page_free_entry(s)),
                                   .beat = b,
                                   .op = (uint8_t)r->op,
                                   .mask = (s->words & page_beat(b)) >> b * LANES};
    }
    bool entries = false;
    for (unsigned k = 0; k < LSU_ENTRIES; k++)
        entries |= s->entry[k].valid;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        if (s->row[k].valid && s->row[k].complete && s->row[k].unsent)
            o->unsent |= BIT(s->row[k].warp);
    for (unsigned k = 0; COMPACTS && k < LSU_ROWS; k++)
        if (s->row[k].valid)
            o->rows |= BIT(s->row[k].warp);
    o->idle = !s->held && !s->x && !s->st.valid && !s->fr && !entries && !s->unacked;
}
#endif
