/* What lsu counts, from the stimulus and the other outputs (docs/blocks/lsu.md, Events). What its ports show is compared in each cycle; what it does inside is
 * summed up and compared whenever it is at rest, unless a kernel was killed under it. */
#ifndef LSU_BENCH_EVENTS_H
#define LSU_BENCH_EVENTS_H
#include "verif/core/lsu/scoreboard.h"

static unsigned page_class(unsigned pages)
{
    return pages < 2 ? 0 : pages < 4 ? 1 : pages < 8 ? 2 : pages < 16 ? 3 : 4;
}

static unsigned pages_of(const insn_t *n, uint64_t threads)
{
    unsigned pages = 0;
    for EACH(t, threads) {
        bool new = true;
        for EACH(o, threads & (BIT(t) - 1))
            new &= n->addr[o] >> 12 != n->addr[t] >> 12;
        pages += new;
    }
    return pages;
}

/* `sent` tells of threads: they may have brought a line and, Bare, a page of their own. */
static void sent_events(env_t *e, unsigned warp, unsigned seq, uint64_t threads, unsigned *least, unsigned *most,
                        unsigned *pages)
{
    insn_t *n = with_seq(e, warp, seq);
    if (!n || !threads)
        return;
    const uint64_t at = n->addr[lowest(threads)];
    bool line = true, page = true;
    uint64_t global = 0;
    for EACH(t, n->told) {
        line &= n->addr[t] >> 7 != at >> 7;
        page &= n->addr[t] >> 12 != at >> 12;
    }
    for EACH(t, n->threads)
        global |= in_spad(n->addr[t]) ? 0 : BIT(t);
    *least += line && n->kind != MEMOP_ATOMIC;
    *most += n->kind != MEMOP_ATOMIC
             && (line || e->counts.translated || e->counts.shot); /* who is visited again counts its lines again */
    *pages += page;
    if ((n->told | threads) != global)
        return;
    e->counts.want_divs++;
    e->counts.want_div[page_class(pages_of(n, global))]++;
}

static void check_events(bench_t *b, env_t *e, const lsu_out_t *out)
{
    counts_t *c = &e->counts;
    const ev_lsu_t *v = &out->ev;
    const unsigned div[] = {v->page_div_1, v->page_div_2_3, v->page_div_4_7, v->page_div_8_15, v->page_div_16_up};
    BENCH_CHECK(b, v->lsu_stall_l1d == c->l1d && v->lsu_stall_spad == c->spad && v->lsu_stall_walk == c->walk,
                "events: stalls at l1d_req %d, spad_req %d, miss %d, but seen were %d, %d, %d", v->lsu_stall_l1d,
                v->lsu_stall_spad, v->lsu_stall_walk, c->l1d, c->spad, c->walk);
    BENCH_CHECK(b, !c->look_known || v->lsu_stall_look == c->look, "event lsu_stall_look is %d", v->lsu_stall_look);
    BENCH_CHECK(b, v->lsu_page_faults == (out->pf_valid && !c->pf), "event lsu_page_faults is %d", v->lsu_page_faults);
    BENCH_CHECK(b, v->lsu_resumed == c->resumed || (c->may_be_gone && !v->lsu_resumed), "event lsu_resumed is %d",
                v->lsu_resumed);
    BENCH_CHECK(b, !v->lsu_resumed || c->sv48, "resumed in Bare");
    if (!c->sv48)
        BENCH_CHECK(b, !v->lsu_waiting && !v->lsu_stall_port && !v->lsu_stall_blocked, "events of translation in Bare");
    unsigned least = 0, most = 0, pages = 0;
    if (out->sent_valid) {
        sent_events(e, out->sent.warp, out->sent.seq, out->sent.threads, &least, &most, &pages);
        sent_events(e, out->sent.with_warp, out->sent.with_seq, out->sent.with_threads, &least, &most, &pages);
    }
    BENCH_CHECK(b, v->lsu_lines >= least && v->lsu_lines <= most, "event lsu_lines is %u, and %u to %u lines are new",
                v->lsu_lines, least, most);
    BENCH_CHECK(b, c->sv48 || v->lsu_pages == pages || (c->shot && v->lsu_pages <= out->sent_valid),
                "event lsu_pages is %u, and %u pages are new", v->lsu_pages, pages);
    c->seen[MEMOP_LOAD] += v->lsu_loads;
    c->seen[MEMOP_STORE] += v->lsu_stores;
    c->seen[MEMOP_ATOMIC] += v->lsu_atomics;
    c->seen[MEMOP_FENCE] += v->lsu_fences;
    for (unsigned k = 0; k < 5; k++) {
        c->div[k] += div[k];
        c->divs += div[k];
    }
    if (out->trace_valid) {
        const insn_t *n = with_seq(e, out->trace.warp, out->trace.seq);
        const uint64_t earlier = n ? n->threads & (BIT(out->trace.beat * LANES) - 1) : 1;
        if (!earlier)
            c->want[n->kind]++;
    }
}

/* What must be seen in the next cycle. */
static void expect_events(env_t *e, const lsu_out_t *out, const lsu_in_t *in)
{
    counts_t *c = &e->counts;
    c->sv48 = e->phase.sv48;
    c->translated |= c->sv48;
    c->shot |= in->inv_valid;
    c->killed |= e->phase.killing;
    c->l1d = out->l1d_req_valid && !in->l1d_req_ready;
    c->spad = out->spad_req_valid && !in->spad_req_ready;
    c->walk = out->miss_valid && !in->miss_ready;
    c->look_known = out->look_valid; /* what waits to be shown cannot be seen */
    c->look = out->look_valid && !in->look_ready;
    c->pf = out->pf_valid && !in->pf_ready;
    if (out->pf_valid)
        c->reported |= BIT(out->pf.warp), c->halted &= ~BIT(out->pf.warp);
    if (in->halt)
        c->halted |= c->reported; /* the fault becomes the kernel's, and ends the row: docs/blocks/lsu.md, look-up 8 */
    c->may_be_gone = in->resume_valid && c->halted >> in->resume & 1;
    c->resumed = in->resume_valid && c->reported >> in->resume & 1;
    if (in->resume_valid)
        c->reported &= ~BIT(in->resume);
}

/* At rest for a second cycle: every event has been seen. */
static void sum_events(bench_t *b, env_t *e)
{
    counts_t *c = &e->counts;
    if (!c->killed) {
        BENCH_CHECK(b, !memcmp(c->seen, c->want, sizeof c->seen),
                    "events: %u loads, %u stores, %u atomics, %u fences, but there were %u, %u, %u, %u",
                    c->seen[MEMOP_LOAD], c->seen[MEMOP_STORE], c->seen[MEMOP_ATOMIC], c->seen[MEMOP_FENCE],
                    c->want[MEMOP_LOAD], c->want[MEMOP_STORE], c->want[MEMOP_ATOMIC], c->want[MEMOP_FENCE]);
        BENCH_CHECK(b, c->divs == c->want_divs, "events: pages of %u instructions, but there were %u", c->divs,
                    c->want_divs);
        BENCH_CHECK(b, c->translated || c->shot || !memcmp(c->div, c->want_div, sizeof c->div),
                    "events: %u %u %u %u %u instructions of 1, 2, 4, 8, 16 pages, but there were %u %u %u %u %u",
                    c->div[0], c->div[1], c->div[2], c->div[3], c->div[4], c->want_div[0], c->want_div[1],
                    c->want_div[2], c->want_div[3], c->want_div[4]);
    }
    memset(c->seen, 0, sizeof c->seen);
    memset(c->want, 0, sizeof c->want);
    memset(c->div, 0, sizeof c->div);
    memset(c->want_div, 0, sizeof c->want_div);
    c->divs = c->want_divs = 0;
    c->reported = c->halted = 0;
    c->translated = c->killed = c->shot = false;
}
#endif
