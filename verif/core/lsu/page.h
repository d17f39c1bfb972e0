/* The page of lsu (docs/blocks/lsu.md) as a program: rows that are looked up, visited and left, outputs and counts, in every cycle. Operands, addresses of the
 * scratchpad and bytes are scoreboard.h's. Steps and names of the state are the page's. The order of the steps of an edge stands here; each section in a header of its own. */
#ifndef LSU_BENCH_PAGE_H
#define LSU_BENCH_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/core/lsu/page_arrive.h"
#include "verif/core/lsu/page_choice.h"
#include "verif/core/lsu/page_early.h"
#include "verif/core/lsu/page_front.h"
#include "verif/core/lsu/page_lookup.h"
#include "verif/core/lsu/page_results.h"
#include "verif/core/lsu/page_send.h"
#include "verif/core/lsu/page_shootdown.h"
#include "verif/core/lsu/page_show.h"

static void page_begin(lsu_page_t *s)
{
    s->front = s->lrow = s->ap = s->filling = NO_ROW;
    s->out.idle = s->out.l1d_rsp_ready = s->out.spad_rsp_ready = true;
}

static void page_count_stalls(const lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, ev_lsu_t *ev)
{
    const lsu_out_t *o = &s->out;
    ev->lsu_stall_l1d = o->l1d_req_valid && !in->l1d_req_ready;
    ev->lsu_stall_spad = o->spad_req_valid && !in->spad_req_ready;
    ev->lsu_stall_look = s->lk.ports && !(o->look_valid && in->look_ready);
    ev->lsu_stall_walk = o->miss_valid && !in->miss_ready;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        ev->lsu_waiting += b->row[k].valid && b->row[k].wait;
}

static void page_expect(lsu_page_t *s, const lsu_in_t *in)
{
    static page_before_t b;
    ev_lsu_t ev = {0};
    page_remember(s, in, &b);
    const bool req = s->out.l1d_req_valid && in->l1d_req_ready, st_taken = req && s->st.valid,
               early_taken = req && s->out.l1d_req.early,
               sd_taken = b.sd_shows && req && s->out.l1d_req.op == L1D_INVAL;
    s->out.sent_valid = s->out.inv_done = s->out.fault_valid = false;
    s->out.pf_valid &= !in->pf_ready;
    s->st_next.valid = false;
    page_count_stalls(s, &b, in, &ev);
    page_results(s, in);
    const unsigned completes = page_arrive(s, &b, in);
    page_misses(s, in);
    const bool early_hit = page_found(s, &b, in);
    page_looked(s, in, early_taken);
    const bool used = page_look(s, &b, completes, &ev);
    page_answer(s, &b);
    page_walked(s, &b, in);
    page_resume(s, &b, in, &ev);
    const page_end_e end = page_front(s, &b, in, st_taken, &ev);
    const unsigned popped = end == POP ? b.front : NO_ROW,
                   early_gone = page_early(s, &b, in, early_taken, early_hit, end, &ev);
    page_store(s, in, st_taken);
    if (b.front == NO_ROW || end == POP || (b.visit == VISIT_EARLY && end == LEAVE))
        page_choose(s, &b, in, popped, completes, used);
    else if (end == LEAVE)
        s->front = NO_ROW;
    if (popped != NO_ROW)
        page_pop(s, popped);
    if (early_gone != NO_ROW)
        page_pop(s, early_gone);
    page_shootdown(s, in, sd_taken);
    if (in->start_valid && !b.left)
        s->dead[in->start.warp] = false;
    page_beats(s, in);
    s->out.ev = ev;
    page_show(s, in);
}

/* Compares the outputs with the page: all but data and fields that follow from addresses alone (scoreboard.h). */
static void page_check(bench_t *b, const lsu_page_t *s, const lsu_out_t *seen)
{
    lsu_out_t said = s->out;
    said.l1d_req.be = seen->l1d_req.be;
    said.l1d_req.data = seen->l1d_req.data;
    said.l1d_req.amo = seen->l1d_req.amo;
    said.l1d_req.amo_dword = seen->l1d_req.amo_dword;
    said.l1d_req.amo_off = seen->l1d_req.amo_off;
    said.l1d_req.hart = seen->l1d_req.hart;
    memcpy(said.spad_req.addr, seen->spad_req.addr, sizeof said.spad_req.addr);
    memcpy(said.spad_req.data, seen->spad_req.data, sizeof said.spad_req.data);
    memcpy(said.spad_req.cmp, seen->spad_req.cmp, sizeof said.spad_req.cmp);
    said.spad_req.hart0 = seen->spad_req.hart0;
    memcpy(said.spad_req.home, seen->spad_req.home, sizeof said.spad_req.home);
    memcpy(said.lsu_res.data, seen->lsu_res.data, sizeof said.lsu_res.data);
    memcpy(said.trace.addr, seen->trace.addr, sizeof said.trace.addr);
    memcpy(said.trace.data, seen->trace.data, sizeof said.trace.data);
    said.fault = seen->fault;
    SCOREBOARD(b, lsu, seen, &said);
}
#endif
