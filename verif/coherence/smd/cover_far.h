/* Coverage of smd where lines are in host memory or in a stack (memory = zerocopy, memcpy, managed). */
#ifndef VERIF_COHERENCE_SMD_COVER_FAR_H
#define VERIF_COHERENCE_SMD_COVER_FAR_H
#include "verif/coherence/smd/page.h"
#include "verif/coherence/smd/cover_points.h"

/* memory = zerocopy, in any edge. */
static void cover_far(bench_t *b, const page_t *was, const page_t *p, const smd_in_t *in)
{
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was->s1;
    const page_job_t *j = &was->job;
    bool waits = false, order = false;
    BENCH_COVER(b, COV_FAR_AGAIN + in->memory, true);
    if (!p->far)
        return;
    const bool reads = s->valid && s->what == P1_READ && page_case(was) == 'c',
               near_ = page_near(was, reads ? was->w[s->number].line : s->write.line), full = was->kq_n == 2,
               get = reads && !near_ && !v->smd_get, write = s->valid && s->what == P1_WRITE && !near_;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        waits |= was->w[k].state == PW_FAR && page_together(was->w[k].line, j->probe.line);
    BENCH_COVER(b, COV_FAR_BEFORE, j->phase == PJ_ASK && waits && was->pq_n < 2 && !v->smd_ask);
    BENCH_COVER(b, COV_FAR_GET_FULL, full && get);
    BENCH_COVER(b, COV_FAR_DONE, !full && get);
    BENCH_COVER(b, COV_FAR_WRITE_FULL, full && write && !page_none(s->write.be));
    BENCH_COVER(b, COV_FAR_NONE_FULL, full && write && page_none(s->write.be));
    BENCH_COVER(b, COV_FAR_ACK_FULL,
                full && was->aq_n && !was->older[0] && !page_none(was->aq[0].be) && !page_near(was, was->aq[0].line));
    BENCH_COVER(b, COV_FAR_STALL, v->smd_stall);
    /* others have been asked for as well */
    for (unsigned k = 0; k < L2_MSHRS && in->smd_data_valid && !in->smd_data.grant; k++)
        order |= was->w[k].state == PW_FAR && was->w[k].line != in->smd_data.line;
    BENCH_COVER(b, COV_FAR_ORDER, order);
}

/* Near lines: the last access of the slice to each, and the HMD's since then. */
typedef enum { CN_NONE, CN_READ, CN_WRITE } cover_near_e;
static struct {
    uint64_t line;
    cover_near_e was;
    bool read, written;
} cover_last[8];

static void cover_access(bench_t *b, uint64_t line, cover_near_e is)
{
    static unsigned next;
    unsigned i = 0;
    while (i < 8 && !(cover_last[i].was && cover_last[i].line == line))
        i++;
    if (i < 8 && is == CN_READ) {
        BENCH_COVER(b, COV_NEAR_BETWEEN, cover_last[i].was == CN_READ && cover_last[i].written);
        BENCH_COVER(b, COV_NEAR_BETWEEN + 1, cover_last[i].was == CN_WRITE && cover_last[i].written);
        BENCH_COVER(b, COV_NEAR_BETWEEN + 2, cover_last[i].was == CN_WRITE && cover_last[i].read);
    }
    i = i < 8 ? i : next++ % 8;
    memset(&cover_last[i], 0, sizeof cover_last[i]);
    cover_last[i].line = line;
    cover_last[i].was = is;
}

static void cover_home(bench_t *b, const page_t *was, const page_t *p, const smd_in_t *in)
{
    const page_job_t *j = &was->job;
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was->s1;
    const smd_data_t *d = &in->smd_data;
    static uint64_t written;
    unsigned free = 0, here = 0;
    bool waits = false, near_ = false, far = false;
    if (!was->cleared) { /* a run begins */
        memset(cover_last, 0, sizeof cover_last);
        written = ~0ull;
    }
    for (unsigned i = 0; i < PG_SLOTS; i++) {
        free += j->slot[i].state == PS_FREE;
        here += j->slot[i].state == PS_HERE && j->slot[i].mem;
    }
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        near_ |= was->w[k].state == PW_SENT;
        far |= was->w[k].state == PW_FAR;
        waits |= was->w[k].state == PW_SENT && page_together(was->w[k].line, j->probe.line);
    }
    BENCH_COVER(b, COV_NEAR_FAR, (near_ && far) || DEVICES == 1);
    BENCH_COVER(b, COV_NEAR_BEFORE, j->phase == PJ_ASK && waits && was->pq_n < 2 && !v->smd_ask);
    BENCH_COVER(b, COV_NEAR_FULL,
                was->sq_n == 2 && s->valid && s->what == P1_READ && page_case(was) == 'c'
                    && page_near(was, was->w[s->number].line));
    BENCH_COVER(b, COV_NEAR_FULL + 1,
                was->sq_n == 2 && s->valid && s->what == P1_WRITE && page_near(was, s->write.line));
    if (was->aq_n && !page_none(was->aq[0].be) && page_near(was, was->aq[0].line)) {
        BENCH_COVER(b, COV_NEAR_ACK, p->aq_n < was->aq_n || !was->older[0]);
        BENCH_COVER(b, COV_NEAR_FULL + 2, was->sq_n == 2 && !was->older[0]);
    }
    if (v->smd_near)
        cover_access(b, s->what == P1_WRITE ? s->write.line : was->w[s->number].line,
                     s->what == P1_WRITE ? CN_WRITE : CN_READ);
    BENCH_COVER(b, COV_MEM_WAITS, in->smd_data_valid && !free && was->sq_n < 2 && was->fq_n < 2);
    BENCH_COVER(b, COV_MEM_HERE, here > 1);
    BENCH_COVER(b, COV_MEM_FULL, here && was->eq_n == 2);
    if (here && was->eq_n < 2) {
        const bool ack = p->kq_n && memcmp(&p->kq[p->kq_n - 1], &was->kq[was->kq_n ? was->kq_n - 1 : 0], sizeof *p->kq);
        const unsigned kind = p->kq[p->kq_n ? p->kq_n - 1 : 0].kind;
        BENCH_COVER(b, COV_MEM_BESIDE, ack && (kind == SMD_DONE || kind == SMD_ARRIVED));
        BENCH_COVER(b, COV_MEM_BESIDE + 1, v->smd_get || v->smd_put || DEVICES == 1);
        BENCH_COVER(b, COV_MEM_BESIDE + 2, p->rsp_valid);
        BENCH_COVER(b, COV_MEM_BESIDE + 3, v->smd_fetch || v->smd_own || v->smd_evict || v->smd_flush);
        BENCH_COVER(b, COV_MEM_BESIDE + 4, v->smd_mem_read);
    }
    if (!in->smd_data_valid || !was->out.smd_data_ready)
        return;
    BENCH_COVER(b, COV_MEM_GRANT, d->grant && page_together(written, d->line));
    if (d->mem == SMD_MEM_NONE)
        return;
    const page_entry_t *t = &was->table[page_place(d->line)];
    const bool read = d->mem == SMD_MEM_READ, held = t->state != NMOESI_I && page_here(t, d->line);
    written = read ? written : d->line;
    for (unsigned i = 0; i < 8; i++)
        if (cover_last[i].line == d->line) {
            cover_last[i].read |= read;
            cover_last[i].written |= !read;
        }
    BENCH_COVER(b, mask_any(&d->mask) ? COV_MEM_PART : COV_MEM_WHOLE, !read);
    BENCH_COVER(b, COV_MEM_LAST, read && free == 1);
    BENCH_COVER(b, COV_MEM_BLOCK, read && held);
    BENCH_COVER(b, COV_MEM_JOB, read && j->phase != PJ_NONE && page_together(j->probe.line, d->line));
    BENCH_COVER(b, COV_MEM_CLEAR, read && was->cleared < PG_PLACES);
    BENCH_COVER(b, COV_MEM_FAR, read && !held);
}
#endif
