/* Pipeline trace in the Kanata format (version 4) that Konata opens: one row an instruction of a warp.
 * Stages: B in the instruction buffer, O operands, X in its pipe, W its result is written. Rows that are flushed from the buffer, and
 * those that a fault or the end of the trace leaves open, end as flushed. The row's thread number is core * WARPS + warp.
 * With translation the load/store unit's rows have more, as its pool in the model says (no port shows it): L look-up, P a page is walked for, F the host
 * maps a page, R replay (translated behind a walk, and not all sent), M all is sent to the L1D. docs/traces.md has the legend.
 * A row is in the file if its instruction came into the buffer inside the window; what happens to it later is there, too. */
#include "sim_c/core/lsu_state.h"
#include "sim_c/top/trace_internal.h"
#include "vm_ctl_ports.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64, LATER = 8, EVENTS = 64 };
#define HIDDEN UINT64_MAX /* stands for a row that is not in the file */

typedef struct {
    uint64_t buffered[BUFFER]; /* rows of instructions in the warp's buffer, oldest first */
    unsigned head, count;
    uint64_t pc;               /* pc of the next instruction pushed */
    uint64_t by_seq[256];
    bool open[256], store[256]; /* store: a plain store with translation, which is done when it leaves the pool */
    bool formed; /* formed anew in a compacted group; otherwise the warp runs as it was launched */
    formed_t of;
    char at[256]; /* rows of the load/store unit: current stage of translation; 0: none yet */
} kwarp_t;

enum { STORES = LSU_ROWS + 8 }; /* stores of a core in the pool or on their way there */

typedef struct {
    FILE *f;
    const trace_view_t *view;
    uint64_t cycle; /* current cycle */
    uint64_t next, retired, shown;
    bool any;
    kwarp_t warp[CORES][WARPS];
    struct {
        uint64_t row;
        char stage;
    } later[LATER][EVENTS]; /* what happens to rows in the next cycles; 0: retire */
    unsigned n_later[LATER];
    struct {
        uint8_t warp, seq;
        bool seen; /* has been seen in the pool */
    } store[CORES][STORES];
    unsigned stores[CORES];
    const vm_ctl_out_t *vm; /* the cores' roots; NULL: no model */
    uint64_t done_upto;
} kanata_t;

static void *kanata_open(FILE *f, const trace_view_t *view)
{
    kanata_t *k = calloc(1, sizeof *k);
    if (k)
        fprintf(f, "Kanata\t0004\n");
    if (k)
        *k = (kanata_t){.f = f,
                        .view = view,
                        .vm = view->inside.m ? view->inside.out(view->inside.m, -1, "vm_ctl", "vm_ctl") : NULL};
    return k;
}

/* Moves the file's clock to the cycle that is worked on. */
static void tick(kanata_t *k)
{
    if (!k->any)
        fprintf(k->f, "C=\t%" PRIu64 "\n", k->cycle);
    else if (k->cycle > k->shown)
        fprintf(k->f, "C\t%" PRIu64 "\n", k->cycle - k->shown);
    k->any = true;
    k->shown = k->cycle;
}

static void retire(kanata_t *k, uint64_t row, bool flushed)
{
    if (row == HIDDEN)
        return;
    tick(k);
    fprintf(k->f, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", row, flushed ? 0 : ++k->retired, flushed);
}

static void stage(kanata_t *k, uint64_t row, char s)
{
    if (row == HIDDEN)
        return;
    tick(k);
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
    k->cycle = cycle;
    for (unsigned e = 0; e < k->n_later[i]; e++) {
        if (k->later[i][e].stage)
            stage(k, k->later[i][e].row, k->later[i][e].stage);
        else
            retire(k, k->later[i][e].row, false);
    }
    k->n_later[i] = 0;
}

static bool wanted(const kanata_t *k, unsigned core, uint32_t instr)
{
    static const char *const pipes[] = {
        [PIPE_ALU] = "alu",   [PIPE_MUL] = "mul", [PIPE_DIV] = "div", [PIPE_FPU] = "fpu",
        [PIPE_FDIV] = "fdiv", [PIPE_LSU] = "lsu", [PIPE_CTL] = "ctl"};
    return k->cycle >= k->view->from && k->cycle < k->view->to && trace_has_core(k->view, core)
           && (!k->view->blocks || trace_listed(k->view->blocks, pipes[isa_predecode(instr).pipe]));
}

static uint64_t new_row(kanata_t *k, unsigned core, const push_t *p, unsigned n, uint64_t pc)
{
    char text[96];
    if (!wanted(k, core, p->instr[n]))
        return HIDDEN;
    const uint64_t row = k->next++;
    if (p->fault)
        snprintf(text, sizeof text, "cannot be fetched");
    else
        isa_disasm(p->instr[n], pc, text, sizeof text);
    tick(k);
    fprintf(k->f, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", row, row, core * WARPS + p->warp);
    fprintf(k->f, "L\t%" PRIu64 "\t0\tc%u w%u %" PRIx64 ": %s\n", row, core, p->warp, pc, text);
    stage(k, row, 'B');
    return row;
}

static void on_push(kanata_t *k, unsigned core, const push_t *p)
{
    kwarp_t *w = &k->warp[core][p->warp];
    for (unsigned n = 0; n < p->n && w->count < BUFFER; n++) {
        w->buffered[(w->head + w->count++) % BUFFER] = new_row(k, core, p, n, w->pc);
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
    if (row != HIDDEN) {
        char homes[TRACE_HOMES] = "";
        if (w->formed)
            trace_homes(&w->of, homes);
        tick(k);
        fprintf(k->f, "L\t%" PRIu64 "\t1\tthreads %" PRIx64 "%s%s\\nseq %u\n", row, (uint64_t)i->tmask,
                *homes ? " of " : "", homes, i->seq);
    }
    stage(k, row, 'O');
    if (i->op == OP_ILLEGAL) { /* it faults */
        retire(k, row, true);
        return;
    }
    w->by_seq[i->seq] = row;
    w->at[i->seq] = 0;
    w->open[i->seq] = trace_answers(i);
    if (i->pipe != PIPE_CTL)
        later(k, cycle, 1, row, 'X');
    w->store[i->seq] = i->pipe == PIPE_LSU && !w->open[i->seq] && k->vm && k->vm->root[core].sv48
                       && k->stores[core] < STORES && row != HIDDEN;
    if (w->store[i->seq]) {
        k->store[core][k->stores[core]].warp = i->warp;
        k->store[core][k->stores[core]].seen = false;
        k->store[core][k->stores[core]++].seq = i->seq;
    } else if (!w->open[i->seq])
        later(k, cycle, i->pipe == PIPE_CTL ? 1 : 2, row, 0);
}

/* What translation does for an instruction of the load/store unit; 0: nothing that is to be shown. */
static char translation_of(const row_t *r, char before)
{
    const bool late = before == 'P' || before == 'F' || before == 'R';
    if (r->wait)
        return 'P';
    if (r->flt)
        return 'F';
    if (r->todo | row_in_look_up(r))
        return late ? 'R' : 'L';
    if (r->ans)
        return 'R';
    if (!before)
        return 0;
    return !r->unsent ? 'M' : late ? 'R' : before;
}

static bool in_pool(const lsu_t *s, unsigned warp, unsigned seq)
{
    for (uint64_t m = s->rows.valid; m; m &= m - 1)
        if (s->rows.row[lowest(m)].warp == warp && s->rows.row[lowest(m)].seq == seq)
            return true;
    return false;
}

/* The pool of a load/store unit, as it was after the last edge that clocked anything. */
static void on_pool(kanata_t *k, unsigned core, const lsu_t *s)
{
    for (uint64_t m = s->rows.complete & s->rows.valid; m; m &= m - 1) {
        const row_t *r = &s->rows.row[lowest(m)];
        kwarp_t *w = &k->warp[core][r->warp];
        const char now = w->by_seq[r->seq] == HIDDEN ? 0 : translation_of(r, w->at[r->seq]);
        if (!now || now == w->at[r->seq] || !(w->open[r->seq] | w->store[r->seq]))
            continue;
        w->at[r->seq] = now;
        stage(k, w->by_seq[r->seq], now);
    }
    for (unsigned i = 0; i < k->stores[core];) {
        kwarp_t *w = &k->warp[core][k->store[core][i].warp];
        const bool there = in_pool(s, k->store[core][i].warp, k->store[core][i].seq);
        const bool done = k->store[core][i].seen && !there;
        k->store[core][i].seen |= there;
        if (done) {
            w->store[k->store[core][i].seq] = false;
            retire(k, w->by_seq[k->store[core][i].seq], false);
            k->store[core][i] = k->store[core][--k->stores[core]];
        } else {
            i++;
        }
    }
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

static void kanata_cycle(void *self, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o)
{
    kanata_t *k = self;
    uint64_t any = (uint64_t)o->trace_push_valid | o->trace_redirect_valid | o->trace_issue_valid | o->trace_wb_valid;
    (void)in;
    if (!k->done_upto)
        k->done_upto = cycle;
    /* Cycles may have been skipped. The state has been the present one since the first of them, and nothing is due more than LATER cycles after it. */
    for (uint64_t c = k->done_upto; c <= cycle && c < k->done_upto + LATER; c++) {
        due(k, c);
        for (unsigned core = 0; core < CORES && k->view->inside.m && c == k->done_upto; core++)
            if (trace_has_core(k->view, core))
                on_pool(k, core, k->view->inside.lsu(k->view->inside.m, core));
    }
    k->done_upto = cycle + 1;
    k->cycle = cycle;
    for (uint64_t m = o->trace_start_valid; m; m &= m - 1)
        k->warp[lowest(m)][o->trace_start[lowest(m)].warp].formed = false;
    for (uint64_t m = o->trace_formed_valid; m; m &= m - 1) { /* nothing of the warp is under way */
        kwarp_t *w = &k->warp[lowest(m)][o->trace_formed[lowest(m)].warp];
        w->formed = true;
        w->of = o->trace_formed[lowest(m)];
    }
    if (!any)
        return;
    for (unsigned c = 0; c < CORES; c++) {
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            on_wb(k, cycle, c, &o->trace_wb[c]);
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            on_issue(k, cycle, c, &o->trace_issue[c]);
        if ((uint64_t)o->trace_push_valid >> c & 1)
            on_push(k, c, &o->trace_push[c]);
        if ((uint64_t)o->trace_redirect_valid >> c & 1) /* after the push of this cycle, which a redirect discards */
            on_redirect(k, c, &o->trace_redirect[c]);
    }
}

static void kanata_close(void *self, uint64_t cycle)
{
    kanata_t *k = self;
    for (uint64_t c = cycle; c < cycle + LATER; c++)
        due(k, c);
    k->cycle = cycle + LATER;
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++) {
            kwarp_t *x = &k->warp[c][w];
            for (unsigned s = 0; s < 256; s++)
                if (x->open[s] | x->store[s])
                    retire(k, x->by_seq[s], true);
            drop_buffered(k, x);
        }
    free(k);
}

const trace_kind_t trace_kanata = {"kanata",    "alu,mul,div,fpu,fdiv,lsu,ctl", kanata_open, kanata_cycle, NULL, NULL,
                                   kanata_close};
