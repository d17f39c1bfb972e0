/* The page of ptw (docs/blocks/ptw.md) as a program: the walk that leads, the read that is sent and its waiting walks, answers and counts, in every cycle. The walks are a line of
 * people, the oldest in front, whatever their ids; PTEs are numbered through all of memory (address / 8). */
#ifndef VERIF_MMU_PTW_PAGE_H
#define VERIF_MMU_PTW_PAGE_H
#include "ptw_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/mmu/pte.h"

typedef enum { P_READY, P_WAITS, P_DONE } phase_e;
typedef struct {
    unsigned id, level, read;
    uint64_t vpn, table;
    bool glob, ready /* at this edge: before anything of it has happened */;
    phase_e phase;
    uint8_t result;
    leaf_t leaf;
} person_t;
typedef struct {
    bool valid, drop;
    uint64_t pte;
} page_read_t;
typedef struct {
    person_t line[TLB_MSHRS + 2];
    unsigned n;
    page_read_t read[TLB_MSHRS];
    struct {
        bool valid, nearby;
        unsigned id, level;
        uint64_t pte;
    } lead;
    came_t came;
    unsigned turn;
    int has[WALKERS]; /* naive: the id of the walk that a walker works on, or -1 */
    ptw_out_t out;
    /* Kept pointers: places that are replaced in turn; `kept` notes the effects of 3.3 and 5 at this edge. */
    struct {
        bool valid;
        uint64_t pte, word;
    } shelf[WALK_POINTERS + 1];
    unsigned next, space;
    bool recalls;
    came_t recalled;
    uint64_t replaced; /* places that have had one pointer after another */
    unsigned kept;
} page_t;

enum { PTES = LINE_BYTES / 8 };
#define PLACES ((unsigned)WALK_POINTERS)
/* Coverage of kept pointers. */
enum {
    KEPT_USED = 1 /* << level */,
    KEPT_FOR_MANY = 16,
    KEPT_AT_LIMIT = 32,
    KEPT_HELD_BACK = 64,
    KEPT_NOT_AT_0 = 128,
    KEPT_AGAIN = 256,
    KEPT_AROUND = 512,
    KEPT_LOST = 1024 /* << scope, 3: to another space, 4: to another root */,
    KEPT_NOT_KEPT = 32768 /* << scope, 3: to another space */,
    KEPT_ANEW = 524288
};

static void page_show(page_t *p)
{
    bool reads = false;
    p->out.closed = 0;
    p->out.rsp_valid = false;
    for (unsigned i = 0; i < p->n; i++) {
        const person_t *w = &p->line[i];
        if (w->phase != P_DONE)
            continue;
        p->out.closed |= 1u << w->id;
        if (!p->out.rsp_valid)
            p->out.rsp = (translate_rsp_t){.id = (uint8_t)w->id, .result = w->result, .leaf = w->leaf};
        p->out.rsp_valid = true;
    }
    for (unsigned r = 0; r < TLB_MSHRS; r++)
        reads |= p->read[r].valid;
    p->out.idle = !p->n && !reads && !p->out.mem_req_valid;
}

static void page_begin(page_t *p)
{
    for (unsigned w = 0; w < WALKERS; w++)
        p->has[w] = -1;
    page_show(p);
}

static uint64_t page_pte_of(const person_t *w)
{
    return w->table * 512 + (w->vpn >> 9 * w->level) % 512;
}

static void page_done(person_t *w, uint8_t result, leaf_t leaf)
{
    w->phase = P_DONE;
    w->result = result;
    w->leaf = leaf;
}

/* 1: of two the lower id is the older. */
static void page_requests(page_t *p, const ptw_in_t *in)
{
    const bool both = in->req_valid == 3, swap = both && in->req[1].id < in->req[0].id;
    for (unsigned n = 0; n < 2; n++) {
        const unsigned port = n ^ swap;
        if (in->req_valid >> port & 1)
            p->line[p->n++] = (person_t){
                .id = in->req[port].id, .level = 3, .vpn = in->req[port].vpn, .table = in->root.ppn, .ready = true};
    }
}

/* 2. */
static void page_came(page_t *p, const ptw_in_t *in)
{
    page_read_t *r = &p->read[p->came.read];
    r->valid = false;
    if (r->drop)
        return;
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        if (w->phase != P_WAITS || w->read != p->came.read)
            continue;
        const meaning_t m = pte_means(p->came.pte, w->level, &w->glob, &in->window);
        if (m.ends)
            page_done(w, m.result, m.leaf);
        else {
            w->level--;
            w->table = m.table;
            w->phase = P_READY;
        }
    }
}

/* Where the pointer of this PTE is kept, or PLACES. */
static unsigned page_shelf(const page_t *p, uint64_t pte)
{
    unsigned e = 0;
    while (e < PLACES && !(p->shelf[e].valid && p->shelf[e].pte == pte))
        e++;
    return e;
}

/* 2, Keeping: a word that is nothing but V, a frame that there may be, G, and what software has written into bits 9:8. */
static void page_keep(page_t *p)
{
    const uint64_t word = p->came.pte, flags = word & 0xdf;
    if (flags != 1 || word >> 46)
        return;
    unsigned e = page_shelf(p, p->read[p->came.read].pte);
    p->kept |= e < PLACES ? KEPT_AGAIN : 0;
    if (e == PLACES) {
        e = p->next;
        p->replaced |= (uint64_t)p->shelf[e].valid << e;
        p->kept |= p->replaced == ~0ull >> (64 - PLACES) % 64 ? KEPT_AROUND : 0;
        p->next = e + 1 < PLACES ? e + 1 : 0;
    }
    const uint64_t kept = (word >> 10 << 10) | (word & 0x20) | 1;
    p->kept |= p->kept & KEPT_AGAIN && p->shelf[e].word != kept ? KEPT_ANEW : 0;
    p->shelf[e].valid = true;
    p->shelf[e].pte = p->read[p->came.read].pte;
    p->shelf[e].word = kept;
}

/* 5, of kept pointers; or 2. dropped: the answer of the last edge was no longer of use before this one. */
static void page_shelves(page_t *p, const ptw_in_t *in, bool dropped)
{
    const bool other = in->root.asid != p->space, foreign = in->inv.scope == INV_ASID && in->inv.asid != in->root.asid;
    const bool answer = p->came.valid && in->policy.pointers && !dropped;
    p->space = in->root.asid;
    if (!in->inv_valid && !other) {
        if (answer)
            page_keep(p);
        return;
    }
    for (unsigned e = 0; e < PLACES; e++) {
        if (p->shelf[e].valid)
            p->kept |= KEPT_LOST << (other ? 4 : foreign ? 3 : in->inv.scope);
        p->shelf[e].valid = false;
    }
    if (answer && in->inv_valid && (p->came.pte & 0xdf) == 1)
        p->kept |= KEPT_NOT_KEPT << (foreign ? 3 : in->inv.scope);
}

/* 3, the leader: whether it acts. before: the reads of before the edge; answered: the one that 2 has freed, or TLB_MSHRS. */
static bool page_act(page_t *p, const ptw_in_t *in, const page_read_t *before, unsigned answered)
{
    unsigned free = TLB_MSHRS, joins = TLB_MSHRS, awaited = 0, waiting = 0;
    for (unsigned r = TLB_MSHRS; r-- > 0;) {
        if (!before[r].valid)
            free = r;
        else if (in->policy.coalesce && before[r].pte == p->lead.pte && !before[r].drop && r != answered)
            joins = r;
        awaited += before[r].valid;
    }
    if (!p->lead.valid || free == TLB_MSHRS || p->out.mem_req_valid)
        return false;
    const uint64_t line = p->lead.pte / PTES;
    if (pte_outside(&in->window, line)) { /* 3.1 */
        for (unsigned i = 0; i < p->n; i++)
            if (p->line[i].id == p->lead.id)
                page_done(&p->line[i], WALK_ACCESS, (leaf_t){.r = true, .w = true, .x = true});
        return true;
    }
    const bool sends = joins == TLB_MSHRS; /* a read; else 3.2 */
    const bool limit = in->policy.coalesce && in->policy.reads && awaited >= in->policy.reads;
    const unsigned found = sends && in->policy.pointers ? page_shelf(p, p->lead.pte) : PLACES;
    const bool recalls = found < PLACES && p->lead.level > 0; /* 3.3 */
    p->kept |= found < PLACES && !p->lead.level ? KEPT_NOT_AT_0 : 0;
    if (recalls && in->mem_rsp_valid) {
        p->kept |= KEPT_HELD_BACK;
        return false;
    }
    if (sends && !recalls && limit)
        return false; /* 3.5 */
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        if (w->ready && (w->id == p->lead.id || (in->policy.coalesce && page_pte_of(w) == p->lead.pte))) {
            w->phase = P_WAITS;
            w->read = sends ? free : joins;
            waiting++;
        }
    }
    const unsigned level = p->lead.level;
    ev_ptw_t *ev = &p->out.ev;
    const unsigned saved = waiting - sends;
    ev->ptw_shared = (uint8_t)saved;
    ev->ptw_shared_l3 = level == 3 ? (uint8_t)saved : 0;
    ev->ptw_shared_l2 = level == 2 ? (uint8_t)saved : 0;
    ev->ptw_shared_l1 = level == 1 ? (uint8_t)saved : 0;
    if (!sends)
        return true;
    p->read[free] = (page_read_t){.valid = true, .pte = p->lead.pte};
    if (recalls) {
        ev->ptw_kept = true;
        p->recalls = true;
        p->recalled = (came_t){.valid = true, .read = free, .pte = p->shelf[found].word};
        p->kept |= KEPT_USED << level | (saved ? KEPT_FOR_MANY : 0) | (limit ? KEPT_AT_LIMIT : 0);
        return true;
    }
    *(level == 0   ? &ev->ptw_reads_l0
      : level == 1 ? &ev->ptw_reads_l1
      : level == 2 ? &ev->ptw_reads_l2
                   : &ev->ptw_reads_l3) = true;
    ev->ptw_same_line = p->lead.nearby;
    p->out.mem_req_valid = true;
    p->out.mem_req = (mem_req_t){
        .op = MEM_READ, .id = (uint16_t)free, .cls = (uint8_t)(4 - level), .asid = in->root.asid, .line = line};
    return true;
}

static bool page_near(const page_t *p, const person_t *w)
{
    return page_pte_of(w) / PTES == p->lead.pte / PTES && w->level == p->lead.level;
}

static int page_holder(const page_t *p, unsigned id)
{
    for (int w = 0; w < (int)WALKERS; w++)
        if (p->has[w] == (int)id)
            return w;
    return -1;
}

/* 3, the next leader: its place in the line, or -1. */
static int page_pick(const page_t *p, bool coalesce, unsigned walkers)
{
    int best = -1;
    for (int i = 0; i < (int)p->n; i++) {
        const person_t *w = &p->line[i], *than = best < 0 ? NULL : &p->line[best];
        const bool led = p->lead.valid && (coalesce ? page_pte_of(w) == p->lead.pte : w->id == p->lead.id);
        const int holder = page_holder(p, w->id);
        if (!w->ready || led || (!coalesce && (holder < 0 || holder >= (int)walkers)))
            continue;
        /* Who is further back in the line goes before only for a better reason. */
        const bool better =
            !than       ? true
            : !coalesce ? holder < page_holder(p, than->id)
                        : p->turn != 63 && 2 * w->level + page_near(p, w) > 2 * than->level + page_near(p, than);
        if (better)
            best = i;
    }
    return best;
}

static void page_lead(page_t *p, int next)
{
    if (next < 0) {
        p->lead.valid = false;
        return;
    }
    const person_t *w = &p->line[next];
    p->lead.nearby = page_near(p, w);
    p->lead.valid = true;
    p->lead.id = w->id;
    p->lead.level = w->level;
    p->lead.pte = page_pte_of(w);
}

/* Naive: the lowest walker without work takes the oldest ready walk without a walker. */
static void page_hire(page_t *p, unsigned walkers)
{
    unsigned idle = 0, i = 0;
    while (idle < walkers && p->has[idle] >= 0)
        idle++;
    while (i < p->n && !(p->line[i].ready && page_holder(p, p->line[i].id) < 0))
        i++;
    if (idle < walkers && i < p->n)
        p->has[idle] = (int)p->line[i].id;
}

/* 5. */
static void page_restart(page_t *p, const ptw_in_t *in)
{
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        w->phase = P_READY;
        w->level = 3;
        w->table = in->root.ppn;
        w->glob = false;
    }
    for (unsigned r = 0; r < TLB_MSHRS; r++)
        p->read[r].drop = true;
    if (p->came.valid)
        p->read[p->came.read].valid = false;
    p->lead.valid = false;
}

/* The numbered edge. */
static void page_expect(page_t *p, const ptw_in_t *in)
{
    const unsigned walkers = !in->policy.walkers ? 1 : in->policy.walkers < WALKERS ? in->policy.walkers : WALKERS;
    page_read_t before[TLB_MSHRS];
    memcpy(before, p->read, sizeof before);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    p->out.ev.ptw_stall_mem = p->out.mem_req_valid && !in->mem_req_ready;
    p->recalls = false;
    p->kept = 0;
    int ends = -1; /* 4, by the outputs shown */
    for (int i = (int)p->n; i-- > 0;) {
        p->line[i].ready = p->line[i].phase == P_READY;
        ends = p->line[i].phase == P_DONE ? i : ends;
    }
    page_requests(p, in);
    const bool any = p->n, led = p->lead.valid,
               restart = in->inv_valid && !(in->inv.scope == INV_ASID && in->inv.asid != in->root.asid);
    if (in->mem_req_ready)
        p->out.mem_req_valid = false;
    int next = -1;
    if (restart)
        page_restart(p, in);
    else {
        if (p->came.valid)
            page_came(p, in);
        if (page_act(p, in, before, p->came.valid ? p->came.read : TLB_MSHRS) || !led)
            page_lead(p, next = page_pick(p, in->policy.coalesce, walkers));
        if (!in->policy.coalesce)
            page_hire(p, walkers);
        for (unsigned w = 0; w < WALKERS; w++)
            for (unsigned i = 0; i < p->n; i++)
                if (p->has[w] == (int)p->line[i].id && p->line[i].phase == P_DONE)
                    p->has[w] = -1;
        if (ends >= 0)
            memmove(&p->line[ends], &p->line[ends + 1], (--p->n - (unsigned)ends) * sizeof *p->line);
    }
    p->turn = !any ? 0 : next >= 0 ? (p->turn + 1) % 64 : p->turn;
    if (PLACES > 0)
        page_shelves(p, in, before[p->came.read].drop);
    p->came.valid = in->mem_rsp_valid;
    if (in->mem_rsp_valid) {
        p->came.read = in->mem_rsp.id;
        p->came.pte = in->mem_rsp.data.w[p->read[in->mem_rsp.id].pte % PTES];
    }
    if (p->recalls)
        p->came = p->recalled;
    p->out.inv_done = in->inv_valid;
    page_show(p);
}
#endif
