/* Timeline in the Trace Event format that Perfetto opens; one microsecond there is one cycle here (docs/traces.md).
 * - Each core is a process, each warp a track. On the track are workgroups, and inside them waits of more than WAIT cycles, named by their cause. A wait with several
 *   causes, one after the other (a branch, then the fetch of its target), is several waits. Where warps are formed anew (docs/compaction.md), another slice around the
 *   waits names the threads that the warp runs, until its group is divided or comes together again.
 * - Kernels are a process with a track for each slot.
 * - Links are a process with a track for each wire; messages of one class without a gap are one slice.
 * - Reads of page tables are a process. A shared walker has a track for each address space, with the times in which reads are under way to memory, named by their number.
 *   Otherwise there is a track for each read that a core's walker can have under way, with these reads by level.
 * - The host's activity, and the memory chips: trace_lanes.c.
 * A slice is in the file if a part of it lies in the window. */
#include "sim_c/top/trace_lanes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT = 4,
    WALKER = HOST_SOURCE - 1, /* number of the shared walker as a source, if there is one */
    SHARED = HOST_SOURCE > CORES,
    ROOT_LEVEL = 3, /* reads of this level have class 1 */
    SPACES = 64, /* the most address spaces with a track */
    ENDS = (int)HOME == (int)HOME_DIRECTORY ? 2 * WIRES : 0 /* wires, up and down */
};

typedef struct {
    bool live;
    start_t start;
    uint64_t begin, last; /* cycle of its start, of its last instruction */
    uint8_t pending[256]; /* by seq: pipe + 1 of an instruction without an answer yet */
    unsigned outstanding[8]; /* instructions without an answer, by pipe */
    bool control, barrier; /* the last instruction was a jump, a barrier */
    unsigned buffered;
    unsigned group; /* the number of its group in its slot */
    /* apart: its group has been divided; formed: since then the warp has been formed, of the threads in `of` */
    bool apart, formed;
    formed_t of;
    uint64_t since;
} twarp_t;

typedef struct {
    lanes_t lanes; /* the file, and the lanes of host and chips */
    uint64_t running, named; /* kernel slots, a bit each; those that have a name */
    uint64_t kernel_begin[KERNELS];
    unsigned kernels;
    twarp_t warp[CORES][WARPS];
    struct {
        unsigned group, started; /* started: warps of the group that have begun */
    } slot[CORES][GROUPS];
    struct {
        const char *class; /* NULL: nothing */
        uint64_t begin, end;
    } wire[2 * WIRES];
    struct {
        uint16_t asid;
        unsigned open, reads; /* reads under way; reads of the present slice */
        uint64_t begin;
    } space[SPACES];
    unsigned spaces;
    bool walks_named;
    uint8_t space_of[1 << MEM_IDX_W]; /* address space of each read under way */
    struct {
        uint64_t begin, line;
        uint16_t asid;
        uint8_t cls; /* 0: no read is under way */
        bool named;
    } read[CORES][1 << MEM_IDX_W]; /* of the cores' own walkers */
} timeline_t;

static void slice(timeline_t *t, unsigned pid, unsigned tid, const char *name, const char *category, uint64_t from,
                  uint64_t to)
{
    lanes_slice(&t->lanes, pid, tid, name, category, from, to, "");
}

static void label(timeline_t *t, const char *what, unsigned pid, unsigned tid, const char *name)
{
    lanes_label(&t->lanes, what, pid, tid, name);
}

static bool shows(const timeline_t *t, const char *lane)
{
    return trace_listed(t->lanes.view->blocks, lane);
}

static void *timeline_open(FILE *f, const trace_view_t *view)
{
    timeline_t *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    lanes_begin(&t->lanes, f, view);
    label(t, "process_name", 0, 0, "kernels");
    for (unsigned c = 0; c < CORES && shows(t, "cores"); c++) {
        char name[32];
        if (!trace_has_core(view, c))
            continue;
        snprintf(name, sizeof name, "core %u", c);
        label(t, "process_name", c + 1, 0, name);
        for (unsigned w = 0; w < WARPS; w++) {
            snprintf(name, sizeof name, "warp %u", w);
            label(t, "thread_name", c + 1, w, name);
        }
    }
    if (ENDS != 0 && shows(t, "links"))
        label(t, "process_name", LINKS_PID, 0, "links");
    for (unsigned w = 0; w < ENDS && shows(t, "links"); w++) {
        char name[32];
        snprintf(name, sizeof name, "%s %u", w % 2 ? "down" : "up", w / 2);
        label(t, "thread_name", LINKS_PID, w, name);
    }
    if (SHARED && shows(t, "walks"))
        label(t, "process_name", WALKS_PID, 0, "page walks");
    return t;
}

static const char *cause(const twarp_t *w)
{
    if (w->apart && !w->formed)
        return "no threads";
    if (w->barrier)
        return "barrier";
    if (w->control)
        return "branch";
    if (w->outstanding[PIPE_LSU])
        return "memory";
    if (w->outstanding[PIPE_FPU] || w->outstanding[PIPE_FDIV] || w->outstanding[PIPE_MUL] || w->outstanding[PIPE_DIV])
        return "arithmetic";
    return w->buffered ? "not selected" : "fetch";
}

static void end_wait(timeline_t *t, unsigned core, unsigned warp, uint64_t cycle)
{
    twarp_t *w = &t->warp[core][warp];
    if (cycle - w->last > WAIT)
        slice(t, core + 1, warp, cause(w), "stall", w->last + 1, cycle);
    w->last = cycle;
}

/* A cause has ended: the wait for it is over, later waits have another name. */
static void end_cause(timeline_t *t, unsigned core, unsigned warp, uint64_t cycle)
{
    if (t->warp[core][warp].live && cycle - t->warp[core][warp].last > WAIT)
        end_wait(t, core, warp, cycle);
}

static void end_formed(timeline_t *t, unsigned core, unsigned warp, uint64_t cycle)
{
    twarp_t *w = &t->warp[core][warp];
    char name[32], homes[TRACE_HOMES], more[TRACE_HOMES + 32];
    if (w->formed) {
        const unsigned n = trace_homes(&w->of, homes);
        snprintf(name, sizeof name, "threads of %u warp%s", n, n == 1 ? "" : "s");
        snprintf(more, sizeof more, ",\"args\":{\"homes\":\"%s\"}", homes);
        lanes_slice(&t->lanes, core + 1, warp, name, "formed", w->since, cycle, more);
    }
    w->formed = false;
}

/* The warps of a group start in their order; a slot is another group's when all of them have. */
static void on_start(timeline_t *t, unsigned core, uint64_t cycle, const start_t *s)
{
    unsigned *started = &t->slot[core][s->slot].started, *group = &t->slot[core][s->slot].group;
    *group += !*started;
    *started = *started + 1 == s->group_warps ? 0 : *started + 1;
    t->warp[core][s->warp] = (twarp_t){.live = true, .start = *s, .begin = cycle, .last = cycle, .group = *group};
}

/* A warp has other threads. All warps of the group are formed one behind the other, the lowest first, and before that none of them runs. */
static void on_formed(timeline_t *t, unsigned core, uint64_t cycle, const formed_t *f)
{
    twarp_t *w = &t->warp[core][f->warp];
    bool first = true;
    for (unsigned k = 0; k < f->warp; k++)
        first &= !(t->warp[core][k].live && t->warp[core][k].start.slot == w->start.slot
                   && t->warp[core][k].group == w->group);
    for (unsigned k = f->warp; k < WARPS && first; k++) {
        twarp_t *v = &t->warp[core][k];
        if (!v->live || v->start.slot != w->start.slot || v->group != w->group)
            continue;
        end_cause(t, core, k, cycle);
        end_formed(t, core, k, cycle);
        v->apart = true;
        v->last = cycle;
    }
    end_cause(t, core, f->warp, cycle);
    w->formed = true;
    w->of = *f;
    w->since = w->last = cycle;
    w->control = w->barrier = false;
}

static void on_core(timeline_t *t, unsigned c, uint64_t cycle, const vellum_out_t *o)
{
    if ((uint64_t)o->trace_wb_valid >> c & 1) {
        const result_t *r = &o->trace_wb[c].res;
        twarp_t *w = &t->warp[c][r->warp];
        if (r->last && w->pending[r->seq]) {
            end_cause(t, c, r->warp, cycle);
            w->outstanding[w->pending[r->seq] - 1]--;
            w->pending[r->seq] = 0;
        }
    }
    if ((uint64_t)o->trace_start_valid >> c & 1)
        on_start(t, c, cycle, &o->trace_start[c]);
    if ((uint64_t)o->trace_formed_valid >> c & 1)
        on_formed(t, c, cycle, &o->trace_formed[c]);
    if ((uint64_t)o->trace_issue_valid >> c & 1 && o->trace_issue[c].first) {
        const issued_t *i = &o->trace_issue[c];
        twarp_t *w = &t->warp[c][i->warp];
        end_wait(t, c, i->warp, cycle);
        w->control = isa_predecode(i->instr).is_cf || i->op == OP_JOIN;
        w->barrier = i->op == OP_VL_BARRIER;
        if (i->op != OP_JOIN && w->buffered)
            w->buffered--;
        if (trace_answers(i) && !w->pending[i->seq]) {
            w->pending[i->seq] = (uint8_t)(i->pipe + 1);
            w->outstanding[i->pipe]++;
        }
    }
    if ((uint64_t)o->trace_push_valid >> c & 1) {
        twarp_t *w = &t->warp[c][o->trace_push[c].warp];
        if (!w->buffered)
            end_cause(t, c, o->trace_push[c].warp, cycle);
        w->buffered += o->trace_push[c].n;
    }
    if ((uint64_t)o->trace_redirect_valid >> c & 1) {
        const redirect_t *r = &o->trace_redirect[c];
        twarp_t *w = &t->warp[c][r->warp];
        end_cause(t, c, r->warp, cycle);
        w->control = false;
        if (r->flush)
            w->buffered = 0;
        if (r->stop && w->live) {
            char name[64];
            end_wait(t, c, r->warp, cycle);
            end_formed(t, c, r->warp, cycle);
            snprintf(name, sizeof name, "workgroup %u,%u,%u", w->start.grp[0], w->start.grp[1], w->start.grp[2]);
            slice(t, c + 1, r->warp, name, "workgroup", w->begin, cycle);
            w->live = false;
        }
    }
}

static const char *class_of(const ev_link_t *ev)
{
    const bool line = ev->link_flits > 1;
    switch (ev->link_kind) {
    case LINK_DATA: return line ? "lines" : "grants";
    case LINK_ACK: return line ? "merges" : "acknowledgements";
    case LINK_PROBE: return "probes";
    default: return "requests";
    }
}

static void end_class(timeline_t *t, unsigned w)
{
    if (t->wire[w].class)
        slice(t, LINKS_PID, w, t->wire[w].class, "link", t->wire[w].begin, t->wire[w].end);
}

/* A message begins on wire w; it has the wire for as many cycles as it has flits. */
static void on_wire(timeline_t *t, unsigned w, uint64_t cycle, const ev_link_t *ev)
{
    const char *class = class_of(ev);
    if (class != t->wire[w].class || cycle != t->wire[w].end) {
        end_class(t, w);
        t->wire[w].class = class;
        t->wire[w].begin = cycle;
    }
    t->wire[w].end = cycle + ev->link_flits;
}

/* The track of an address space, those beyond the last one on the last one's. */
static uint8_t space_of(timeline_t *t, uint16_t asid)
{
    unsigned k = 0;
    while (k < t->spaces && t->space[k].asid != asid)
        k++;
    if (k < t->spaces || k == SPACES)
        return (uint8_t)(k - (k == SPACES));
    char name[32];
    snprintf(name, sizeof name, "address space %u", asid);
    label(t, "thread_name", WALKS_PID, k, name);
    t->space[t->spaces++].asid = asid;
    return (uint8_t)k;
}

static void end_walks(timeline_t *t, unsigned k, uint64_t cycle)
{
    char name[32];
    snprintf(name, sizeof name, "%u read%s", t->space[k].reads, t->space[k].reads == 1 ? "" : "s");
    slice(t, WALKS_PID, k, name, "walk", t->space[k].begin, cycle);
}

/* Reads of page tables that go to memory, and that are answered. */
static void on_walks(timeline_t *t, uint64_t cycle, const vellum_out_t *o)
{
    for (unsigned s = 0; s < SLICES && o->trace_rsp_valid >> s; s++)
        if (((uint64_t)o->trace_rsp_valid >> s & 1) && o->trace_rsp[s].src == WALKER) {
            const uint8_t k = t->space_of[o->trace_rsp[s].rsp.id % (1 << MEM_IDX_W)];
            if (!--t->space[k].open)
                end_walks(t, k, cycle);
        }
    if ((uint64_t)o->trace_req_valid >> WALKER & 1) {
        const mem_req_t *q = &o->trace_req[WALKER];
        const uint8_t k = space_of(t, q->asid);
        t->space_of[q->id % (1 << MEM_IDX_W)] = k;
        if (!t->space[k].open++) {
            t->space[k].begin = cycle;
            t->space[k].reads = 0;
        }
        t->space[k].reads++;
    }
}

static void end_read(timeline_t *t, unsigned core, unsigned slot, uint64_t cycle)
{
    char name[32], more[96];
    snprintf(name, sizeof name, "level %u", ROOT_LEVEL + 1 - t->read[core][slot].cls);
    snprintf(more, sizeof more, ",\"args\":{\"line\":\"0x%" PRIx64 "\",\"asid\":%u}",
             (uint64_t)t->read[core][slot].line * LINE_BYTES, t->read[core][slot].asid);
    lanes_slice(&t->lanes, WALKS_PID, core << MEM_IDX_W | slot, name, "walk", t->read[core][slot].begin, cycle, more);
    t->read[core][slot].cls = 0;
}

/* Reads of page tables of the cores' own walkers: from the core's port to the answer. */
static void on_own_walks(timeline_t *t, uint64_t cycle, const vellum_out_t *o)
{
    enum { OF_WALKER = 5 << MEM_IDX_W, SLOT = (1 << MEM_IDX_W) - 1 }; /* of an id: not the L1D's, and not the L1I's */
    for (unsigned s = 0; s < SLICES && (uint64_t)o->trace_rsp_valid >> s; s++)
        if (((uint64_t)o->trace_rsp_valid >> s & 1) && o->trace_rsp[s].src < CORES
            && (o->trace_rsp[s].rsp.id & OF_WALKER) == OF_WALKER
            && t->read[o->trace_rsp[s].src][o->trace_rsp[s].rsp.id & SLOT].cls)
            end_read(t, o->trace_rsp[s].src, o->trace_rsp[s].rsp.id & SLOT, cycle);
    for (unsigned c = 0; c < CORES && (uint64_t)o->trace_req_valid >> c; c++) {
        const mem_req_t *q = &o->trace_req[c];
        if (!((uint64_t)o->trace_req_valid >> c & 1) || !q->cls || !trace_has_core(t->lanes.view, c))
            continue;
        const unsigned slot = q->id & SLOT;
        if (!t->read[c][slot].named && lanes_has(&t->lanes, cycle, UINT64_MAX)) {
            char name[48];
            if (!t->walks_named)
                label(t, "process_name", WALKS_PID, 0, "page walks");
            t->walks_named = true;
            snprintf(name, sizeof name, "core %u, read %u", c, slot);
            label(t, "thread_name", WALKS_PID, c << MEM_IDX_W | slot, name);
            t->read[c][slot].named = true;
        }
        t->read[c][slot].begin = cycle;
        t->read[c][slot].line = q->line;
        t->read[c][slot].asid = q->asid;
        t->read[c][slot].cls = q->cls;
    }
}

/* A lane a kernel slot: of several programs at once, each has its own. */
static void on_slot(timeline_t *t, unsigned k, uint64_t cycle, bool running)
{
    const bool ran = t->running >> k & 1;
    char name[32];
    if (running && !ran)
        t->kernel_begin[k] = cycle;
    if (k && running && !(t->named >> k & 1)) {
        snprintf(name, sizeof name, "kernel slot %u", k);
        label(t, "thread_name", 0, k, name);
        t->named |= 1ull << k;
    }
    if (running || !ran)
        return;
    snprintf(name, sizeof name, "kernel %u", ++t->kernels);
    if (shows(t, "kernels"))
        slice(t, 0, k, name, "kernel", t->kernel_begin[k], cycle);
}

static void timeline_cycle(void *self, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o)
{
    timeline_t *t = self;
    for (unsigned k = 0; k < KERNELS && o->running != t->running; k++)
        on_slot(t, k, cycle, (uint64_t)o->running >> k & 1);
    t->running = o->running;
    for (unsigned w = 0; w < ENDS && shows(t, "links"); w++)
        if (o->trace_link[w].link_sent)
            on_wire(t, w, cycle, &o->trace_link[w]);
    if (shows(t, "walks"))
        (SHARED ? on_walks : on_own_walks)(t, cycle, o);
    lanes_cycle(&t->lanes, cycle, in, o);
    if (!shows(t, "cores"))
        return;
    uint64_t any = (uint64_t)o->trace_push_valid | o->trace_redirect_valid | o->trace_issue_valid | o->trace_wb_valid
                   | o->trace_start_valid | o->trace_formed_valid;
    for (unsigned c = 0; c < CORES && any >> c; c++)
        if (any >> c & 1 && trace_has_core(t->lanes.view, c))
            on_core(t, c, cycle, o);
}

static void timeline_mark(void *self, uint64_t cycle, const char *what)
{
    lanes_mark(&((timeline_t *)self)->lanes, cycle, what);
}

static void timeline_value(void *self, uint64_t cycle, const char *name, double value)
{
    lanes_value(&((timeline_t *)self)->lanes, cycle, name, value);
}

static void timeline_close(void *self, uint64_t cycle)
{
    timeline_t *t = self;
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++)
            if (t->warp[c][w].live) {
                end_formed(t, c, w, cycle);
                slice(t, c + 1, w, "workgroup (unfinished)", "workgroup", t->warp[c][w].begin, cycle);
            }
    for (unsigned w = 0; w < ENDS; w++)
        end_class(t, w);
    for (unsigned k = 0; k < t->spaces; k++)
        if (t->space[k].open)
            end_walks(t, k, cycle);
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned k = 0; k < 1 << MEM_IDX_W; k++)
            if (t->read[c][k].cls)
                end_read(t, c, k, cycle);
    lanes_end(&t->lanes, cycle);
    free(t);
}

const trace_kind_t trace_timeline = {"json",        "kernels,cores,links,walks,faults,shootdowns,evictions,dram",
                                     timeline_open, timeline_cycle,
                                     timeline_mark, timeline_value,
                                     timeline_close};
