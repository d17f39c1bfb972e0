/* The page's section "Results": responses become records. */
#ifndef LSU_BENCH_PAGE_RESULTS_H
#define LSU_BENCH_PAGE_RESULTS_H
#include "verif/core/lsu/page_rows.h"

/* One record into x; its threads leave the entry. */
static void page_record(lsu_page_t *s, unsigned entry, unsigned beat, uint64_t threads)
{
    page_entry_t *e = &s->entry[entry];
    e->left &= ~threads;
    s->record[s->x++] = (result_t){.warp = (uint8_t)e->warp,
                                   .seq = (uint8_t)e->seq,
                                   .beat = beat,
                                   .rd = (uint8_t)e->rd,
                                   .last = !e->left,
                                   .mask = threads >> beat * LANES};
    e->valid = e->left != 0;
}

static void page_results(lsu_page_t *s, const lsu_in_t *in)
{
    const bool room = s->x < 2, ready = s->out.l1d_rsp_ready, line = in->l1d_rsp_valid && ready,
               word = in->spad_rsp_valid && ready;
    if (s->x && in->lsu_res_ready) {
        s->record[0] = s->record[1];
        s->x--;
    }
    if (line) {
        const bool atomic = s->entry[in->l1d_rsp.tag.entry].atomic;
        s->loads--;
        s->amos -= atomic;
    }
    if (!room)
        return;
    if (s->sp.valid) {
        page_record(s, s->sp.entry, s->sp.beat, s->sp.threads);
        s->sp.valid = false;
    } else if (s->l.valid || line) {
        if (line)
            s->l = (page_rsp_t){.entry = in->l1d_rsp.tag.entry, .threads = in->l1d_rsp.tag.tmask};
        const unsigned beat = lowest(s->l.threads) / LANES;
        page_record(s, s->l.entry, beat, s->l.threads & page_beat(beat));
        s->l.threads &= ~page_beat(beat);
        s->l.valid = s->l.threads != 0;
        if (word)
            s->sp = (page_rsp_t){.valid = true,
                                 .entry = in->spad_rsp.entry,
                                 .beat = in->spad_rsp.beat,
                                 .threads = (uint64_t)in->spad_rsp.mask << in->spad_rsp.beat * LANES};
    } else if (word) {
        page_record(s, in->spad_rsp.entry, in->spad_rsp.beat, (uint64_t)in->spad_rsp.mask << in->spad_rsp.beat * LANES);
    } else if (s->fr) {
        s->record[s->x++] = (result_t){.warp = (uint8_t)s->fr_warp, .seq = (uint8_t)s->fr_seq, .last = true};
        s->fr = false;
    }
}
#endif
