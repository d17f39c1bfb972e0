/* See buffers.h. Addresses below the load/store unit are physical. The buffer of a frame is known by the translation that the core has used, a look-up that found its page or the end of
 * a walk; one of them comes before every access. */
#include "sim_c/top/buffers.h"
#include "l1d_ports.h"
#include "l2_ports.h"
#include "l2c_ports.h"
#include "lsu_ports.h"
#include "mem_sched_ports.h"
#include "smd_ports.h"
#include "tlb_mshr_ports.h"
#include "tlb_ports.h"
#include "vm_ctl_ports.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE_W = 12, LEVEL_W = 9, FETCHED = 4 << MEM_IDX_W };
enum { OWN_SLICES = (int)HOME == (int)HOME_FLAT ? DEVICES * DEVICE_SLICES : SMDS };

typedef struct {
    uint64_t ppn;
    uint32_t range;
    bool used;
} frame_t;

typedef struct {
    const lsu_out_t *lsu;
    const tlb_out_t *tlb;
    const tlb_mshr_out_t *mshr;
    const l1d_out_t *l1d;
    uint32_t looks; /* look-ups of the cycle before: the ports, */
    uint64_t vpn[TLB_PORTS]; /* their pages, */
    bool early; /* and whether its load went to the L1D in the same cycle (it counts if the page is found) */
} watched_t;

struct buffers {
    const vm_ctl_out_t *vm;
    watched_t core[CORES];
    struct {
        const bool *valid;
        const home_req_t *req;
        const mem_sched_out_t *sched; /* the receiver of its requests: with home = flat a scheduler, */
        const smd_out_t *smd; /* with directories the SMD */
    } slice[OWN_SLICES];
    frame_t *frame; /* a table with open addresses, of 2^frame_w places */
    unsigned frame_w;
    uint64_t frames;
    uint32_t n;
    machine_range_t *range;
    uint64_t (*count)[MACHINE_BUFFER_COUNTS];
};

static void watch_slice(buffers_t *b, const vellum_inside_t *in, int k)
{
    if ((int)HOME == (int)HOME_FLAT) {
        const l2_out_t *s = in->out(in->m, k, "l2", "l2");
        b->slice[k].valid = &s->home_req_valid;
        b->slice[k].req = &s->home_req;
        b->slice[k].sched = in->out(in->m, k / L2_SLICES, "mem_sched", "sched");
    } else {
        const l2c_out_t *s = in->out(in->m, k, "l2c", "l2");
        b->slice[k].valid = &s->home_req_valid;
        b->slice[k].req = &s->home_req;
        b->slice[k].smd = in->out(in->m, k, "smd", "smd");
    }
}

/* Is the request of slice k taken, if there is one? */
static bool taken(const buffers_t *b, unsigned k)
{
    if ((int)HOME == (int)HOME_FLAT)
        return (uint64_t)b->slice[k].sched->home_req_ready >> k % L2_SLICES & 1;
    return b->slice[k].smd->home_req_ready;
}

buffers_t *buffers_new(const vellum_inside_t *in, const machine_range_t *range, uint32_t n)
{
    buffers_t *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->frame_w = 10;
    b->n = n;
    b->frame = calloc(1u << b->frame_w, sizeof *b->frame);
    b->range = malloc((n + 1) * sizeof *b->range);
    b->count = calloc(n + 1, sizeof *b->count);
    if (!b->frame || !b->range || !b->count) {
        buffers_free(b);
        return NULL;
    }
    memcpy(b->range, range, n * sizeof *range);
    b->vm = in->out(in->m, -1, "vm_ctl", "vm_ctl");
    for (int c = 0; c < CORES; c++)
        b->core[c] = (watched_t){.lsu = in->out(in->m, c, "lsu", "lsu"),
                                 .tlb = in->out(in->m, c, "tlb", "tlb"),
                                 .mshr = in->out(in->m, c, "tlb_mshr", "tlb_mshr"),
                                 .l1d = in->out(in->m, c, "l1d", "l1d")};
    for (int k = 0; k < OWN_SLICES; k++)
        watch_slice(b, in, k);
    return b;
}

void buffers_free(buffers_t *b)
{
    if (!b)
        return;
    free(b->frame);
    free(b->range);
    free(b->count);
    free(b);
}

const uint64_t *buffers_of(const buffers_t *b, uint32_t k)
{
    return b->count[k];
}

/* The range of an address; n: of none. */
static uint32_t range_of(const buffers_t *b, uint64_t address)
{
    uint32_t k = 0;
    while (k < b->n && address - b->range[k].base >= b->range[k].bytes)
        k++;
    return k;
}

/* ---- frames ---------------------------------------------------------------------------------------------------------- */

static frame_t *place_of(const buffers_t *b, uint64_t ppn)
{
    uint64_t at = (ppn * 0x9e3779b97f4a7c15) >> (64 - b->frame_w);
    while (b->frame[at].used && b->frame[at].ppn != ppn)
        at = (at + 1) & ((1u << b->frame_w) - 1);
    return &b->frame[at];
}

static void grow(buffers_t *b)
{
    frame_t *old = b->frame, *new = calloc(2ull << b->frame_w, sizeof *new);
    const uint64_t places = 1ull << b->frame_w;
    if (!new) /* no memory: the table stays as it is; it is still half empty */
        return;
    b->frame = new;
    b->frame_w++;
    for (uint64_t i = 0; i < places; i++)
        if (old[i].used)
            *place_of(b, old[i].ppn) = old[i];
    free(old);
}

/* A core uses this frame for this page. */
static void learn(buffers_t *b, uint64_t vpn, uint64_t ppn)
{
    if (b->frames >= 1ull << (b->frame_w - 1))
        grow(b);
    if (b->frames + 1 >= 1ull << b->frame_w)
        return;
    frame_t *f = place_of(b, ppn);
    b->frames += !f->used;
    *f = (frame_t){.ppn = ppn, .range = range_of(b, vpn << PAGE_W), .used = true};
}

static uint32_t of_line(const buffers_t *b, uint64_t line, bool sv48)
{
    if (!sv48)
        return range_of(b, line * LINE_BYTES);
    const frame_t *f = place_of(b, line / PAGE_LINES);
    return f->used ? f->range : b->n;
}

/* ---- what happens in a cycle ----------------------------------------------------------------------------------------- */

static void count_load(buffers_t *b, uint32_t range, unsigned op)
{
    if (op == L1D_LOAD)
        b->count[range][MACHINE_L1D_LOADS]++;
    else if (op == L1D_STORE || op == L1D_AMO)
        b->count[range][MACHINE_L1D_STORES]++;
}

/* The results of the look-ups of the cycle before. */
static void on_found(buffers_t *b, watched_t *w)
{
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        if (!(w->looks >> p & 1))
            continue;
        const uint32_t range = range_of(b, w->vpn[p] << PAGE_W);
        const bool hit = (w->tlb->found_valid >> p & 1) && w->tlb->found[p].hit;
        b->count[range][MACHINE_TLB_LOOKUPS]++;
        b->count[range][MACHINE_TLB_MISSES] += !hit;
        if (hit)
            learn(b, w->vpn[p], w->tlb->found[p].ppn);
        if (hit && w->early && !p)
            count_load(b, range, L1D_LOAD);
    }
    w->looks = 0;
    w->early = false;
}

static void on_core(buffers_t *b, unsigned c)
{
    watched_t *w = &b->core[c];
    const lsu_out_t *l = w->lsu;
    if (w->looks)
        on_found(b, w);
    if (w->mshr->walked_valid && w->mshr->walked.result == WALK_OK) {
        const walked_t *x = &w->mshr->walked;
        const uint64_t within = (1ull << LEVEL_W * x->leaf.level) - 1;
        learn(b, x->vpn, (x->leaf.ppn & ~within) | (x->vpn & within));
    }
    if (l->look_valid && w->tlb->look_ready) {
        w->looks = l->look_valid;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            w->vpn[p] = l->look[p].vpn;
    }
    if (!l->l1d_req_valid || !w->l1d->l1d_req_ready)
        return;
    if (l->l1d_req.early)
        w->early = true;
    else
        count_load(b, of_line(b, l->l1d_req.line, b->vm->root[c].sv48), l->l1d_req.op);
}

/* A request of a core, as it is handed to the memory side. */
static void on_request(buffers_t *b, unsigned c, const mem_req_t *q)
{
    const bool data = !q->cls && !(q->id & FETCHED) && c < CORES;
    const uint32_t range = data ? of_line(b, q->line, b->vm->root[c].sv48) : b->n;
    b->count[range][q->op == MEM_READ ? MACHINE_L2_READS : MACHINE_L2_WRITES]++;
}

/* A request of a slice to its home. */
static void on_home(buffers_t *b, const home_req_t *q)
{
    const uint32_t range = q->cls ? b->n : of_line(b, q->line, b->vm->root[0].sv48);
    b->count[range][q->op == HOME_WRITE_BACK ? MACHINE_L2_WRITE_BACKS : MACHINE_L2_MISSES]++;
}

void buffers_cycle(buffers_t *b, const vellum_out_t *o)
{
    if (!o->running)
        return;
    for (unsigned c = 0; c < CORES; c++)
        on_core(b, c);
    for (unsigned c = 0; c < HOST_SOURCE && (uint64_t)o->trace_req_valid >> c; c++)
        if ((uint64_t)o->trace_req_valid >> c & 1)
            on_request(b, c, &o->trace_req[c]);
    for (unsigned k = 0; k < OWN_SLICES; k++)
        if (*b->slice[k].valid && taken(b, k))
            on_home(b, b->slice[k].req);
}
