/* Pipeline trace in the Kanata format (version 4) that Konata opens: one row an instruction of a warp.
 * Stages: B in the instruction buffer, O operands, X in its pipe, W its result is written. Rows that are flushed from the buffer, and
 * those that a fault or the end of the trace leaves open, end as flushed. The row's thread number is core * WARPS + warp. */
#include "sim_c/top/trace_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64, LATER = 8, EVENTS = 64 };

typedef struct {
    uint64_t buffered[BUFFER]; /* rows of instructions in the warp's buffer, oldest first */
    unsigned head, count;
    uint64_t pc;               /* of the next one pushed */
    uint64_t by_seq[256];
    bool open[256];
} kwarp_t;

typedef struct {
    FILE *f;
    uint64_t next, retired, shown;
    bool any;
    kwarp_t warp[CORES][WARPS];
    struct {
        uint64_t row;
        char stage;
    } later[LATER][EVENTS]; /* what happens to rows in the next cycles; 0: retire */
    unsigned n_later[LATER];
    uint64_t done_upto;
} kanata_t;

static void *kanata_open(FILE *f)
{
    kanata_t *k = calloc(1, sizeof *k);
    if (k)
        fprintf(f, "Kanata\t0004\n");
    if (k)
        k->f = f;
    return k;
}

/* Moves the file's clock. */
static void at(kanata_t *k, uint64_t cycle)
{
    if (!k->any)
        fprintf(k->f, "C=\t%" PRIu64 "\n", cycle);
    else if (cycle > k->shown)
        fprintf(k->f, "C\t%" PRIu64 "\n", cycle - k->shown);
    k->any = true;
    k->shown = cycle;
}

static void retire(kanata_t *k, uint64_t row, bool flushed)
{
    fprintf(k->f, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", row, flushed ? 0 : ++k->retired, flushed);
}

static void stage(kanata_t *k, uint64_t row, char s)
{
    fprintf(k->f, "S\t%" PRIu64 "\t0\t%c\n", row, s);
}

static void later(kanata_t *k, uint64_t cycle, unsigned after, uint64_t row, char s)
{
    unsigned i = (cycle + after) % LATER;
    if (k->n_later[i] < EVENTS) {
        k->later[i][k->n_later[i]].row = row;
        k->later[i][k->n_later[i]++].stage = s;
    }
}

static void due(kanata_t *k, uint64_t cycle)
{
    unsigned i = cycle % LATER;
    if (k->n_later[i])
        at(k, cycle);
    for (unsigned e = 0; e < k->n_later[i]; e++) {
        if (k->later[i][e].stage)
            stage(k, k->later[i][e].row, k->later[i][e].stage);
        else
            retire(k, k->later[i][e].row, false);
    }
    k->n_later[i] = 0;
}

static void on_push(kanata_t *k, unsigned core, const push_t *p)
{
    kwarp_t *w = &k->warp[core][p->warp];
    for (unsigned n = 0; n < p->n && w->count < BUFFER; n++) {
        char text[96];
        uint64_t row = k->next++;
        if (p->fault)
            snprintf(text, sizeof text, "cannot be fetched");
        else
            isa_disasm(p->instr[n], w->pc, text, sizeof text);
        fprintf(k->f, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", row, row, core * WARPS + p->warp);
        fprintf(k->f, "L\t%" PRIu64 "\t0\tc%u w%u %" PRIx64 ": %s\n", row, core, p->warp, w->pc, text);
        stage(k, row, 'B');
        w->buffered[(w->head + w->count++) % BUFFER] = row;
        w->pc += 4;
    }
}

static void drop_buffered(kanata_t *k, kwarp_t *w)
{
    for (; w->count; w->count--, w->head = (w->head + 1) % BUFFER)
        retire(k, w->buffered[w->head], true);
}

static void on_redirect(kanata_t *k, unsigned core, const redirect_t *r)
{
    kwarp_t *w = &k->warp[core][r->warp];
    if (r->flush || r->stop) {
        drop_buffered(k, w);
        w->pc = r->pc;
    }
}

static void on_issue(kanata_t *k, uint64_t cycle, unsigned core, const issued_t *i)
{
    kwarp_t *w = &k->warp[core][i->warp];
    if (!i->first || i->op == OP_JOIN || !w->count)
        return;
    uint64_t row = w->buffered[w->head];
    w->head = (w->head + 1) % BUFFER;
    w->count--;
    fprintf(k->f, "L\t%" PRIu64 "\t1\tthreads %" PRIx64 "\\nseq %u\n", row, (uint64_t)i->tmask, i->seq);
    stage(k, row, 'O');
    if (i->op == OP_ILLEGAL) { /* it faults */
        retire(k, row, true);
        return;
    }
    w->by_seq[i->seq] = row;
    w->open[i->seq] = trace_answers(i);
    if (i->pipe != PIPE_CTL)
        later(k, cycle, 1, row, 'X');
    if (!w->open[i->seq])
        later(k, cycle, i->pipe == PIPE_CTL ? 1 : 2, row, 0);
}

static void on_wb(kanata_t *k, uint64_t cycle, unsigned core, const wb_t *b)
{
    kwarp_t *w = &k->warp[core][b->res.warp];
    if (!b->res.last || !w->open[b->res.seq])
        return;
    w->open[b->res.seq] = false;
    stage(k, w->by_seq[b->res.seq], 'W');
    later(k, cycle, 1, w->by_seq[b->res.seq], 0);
}

static void kanata_cycle(void *self, uint64_t cycle, const vellum_out_t *o)
{
    kanata_t *k = self;
    uint64_t any = (uint64_t)o->trace_push_valid | o->trace_redirect_valid | o->trace_issue_valid | o->trace_wb_valid;
    uint64_t from =
        k->done_upto > cycle || cycle - k->done_upto > LATER ? (cycle > LATER ? cycle - LATER : 0) : k->done_upto;
    for (uint64_t c = from; c <= cycle; c++) /* cycles may have been skipped */
        due(k, c);
    k->done_upto = cycle + 1;
    if (!any)
        return;
    at(k, cycle);
    for (unsigned c = 0; c < CORES; c++) {
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            on_wb(k, cycle, c, &o->trace_wb[c]);
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            on_issue(k, cycle, c, &o->trace_issue[c]);
        if ((uint64_t)o->trace_push_valid >> c & 1)
            on_push(k, c, &o->trace_push[c]);
        if ((uint64_t)o->trace_redirect_valid >> c & 1) /* of what is pushed now nothing stays */
            on_redirect(k, c, &o->trace_redirect[c]);
    }
}

static void kanata_close(void *self, uint64_t cycle)
{
    kanata_t *k = self;
    for (uint64_t c = cycle; c < cycle + LATER; c++)
        due(k, c);
    at(k, cycle + LATER);
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++) {
            kwarp_t *x = &k->warp[c][w];
            for (unsigned s = 0; s < 256; s++)
                if (x->open[s])
                    retire(k, x->by_seq[s], true);
            drop_buffered(k, x);
        }
    free(k);
}

const trace_kind_t trace_kanata = {"kanata", kanata_open, kanata_cycle, kanata_close};
